"""Who may attack whom, and the course of an attack."""

from tests.cases import case
from tests.scenario import BUSY, board, changes, feeding_game, illegal, player
from wateringhole import rulebook
from wateringhole.cards import DECK
from wateringhole.moves import Attack
from wateringhole.rules.attack import blocked_by, why_blocked
from wateringhole.species import Species
from wateringhole.traits import Trait

HUNTER = board("carnivore")
FED_HUNTER = board("carnivore", food=1)
FED = board(food=1)
WARNER = board("warning-call", food=1)


def stopper(attacker: Species, defender: Species, left: Species | None = None, right: Species | None = None) -> str:
    """The name of the trait that stops this attack, or "nothing"."""
    trait = blocked_by(attacker, defender, left, right)
    return "nothing" if trait is None else trait.value


def refused_by(boards: tuple[Species, ...], target: int) -> str | None:
    """The rule by which the hunter may not attack this one of a player's boards, or None."""
    why = why_blocked(HUNTER, boards, target)
    return None if why is None else why[0]


# Who may attack.


def test_only_a_carnivore_attacks() -> None:
    assert stopper(HUNTER, FED) == "nothing"
    assert stopper(board("ambush", "pack-hunting", "climbing", population=7, body=7), board()) == "carnivore"


def test_a_carnivore_may_attack_a_carnivore() -> None:
    assert stopper(HUNTER, HUNTER) == "nothing"


def test_horns_and_the_traits_that_feed_stop_nobody() -> None:
    for trait in sorted(set(Trait) - {Trait.BURROWING, Trait.CLIMBING, Trait.HARD_SHELL, Trait.HERDING}):
        assert stopper(HUNTER, board(trait, food=1)) == "nothing"


# Warning-call.


def test_a_warning_call_on_the_left_stops_an_attack() -> None:
    assert stopper(HUNTER, board(), left=WARNER) == "warning-call"


def test_a_warning_call_on_the_right_stops_an_attack() -> None:
    assert stopper(HUNTER, board(), right=WARNER) == "warning-call"


def test_neighbours_without_a_warning_call_protect_nobody() -> None:
    assert stopper(HUNTER, board(), left=board("horns"), right=board("climbing", body=7)) == "nothing"


def test_a_board_is_not_protected_by_its_own_warning_call() -> None:
    assert stopper(HUNTER, WARNER, left=board(), right=board()) == "nothing"


def test_an_ambush_is_not_heard_by_either_neighbour() -> None:
    assert stopper(board("carnivore", "ambush"), board(), left=WARNER, right=WARNER) == "nothing"


def test_only_the_boards_next_to_the_prey_warn_it() -> None:
    boards = (WARNER, board(), board(), board())
    assert [refused_by(boards, target) for target in range(4)] == [None, "attack.warning-call", None, None]
    boards = boards[::-1]
    assert [refused_by(boards, target) for target in range(4)] == [None, None, "attack.warning-call", None]


# Burrowing.


def test_a_sated_burrower_is_safe() -> None:
    assert stopper(HUNTER, board("burrowing", population=2, food=2)) == "burrowing"


def test_a_hungry_burrower_may_be_attacked() -> None:
    assert stopper(HUNTER, board("burrowing", population=2, food=1)) == "nothing"


# Climbing.


def test_only_a_climber_catches_a_climber() -> None:
    assert stopper(board("carnivore", "ambush"), board("climbing")) == "climbing"
    assert stopper(board("carnivore", "climbing"), board("climbing")) == "nothing"


# Hard-shell and pack-hunting.


def test_a_hard_shell_takes_a_body_four_above_its_own() -> None:
    assert stopper(board("carnivore", body=5), board("hard-shell", body=2)) == "hard-shell"
    assert stopper(board("carnivore", body=6), board("hard-shell", body=2)) == "nothing"


def test_a_population_alone_breaks_no_shell() -> None:
    assert stopper(board("carnivore", population=7, body=3), board("hard-shell")) == "hard-shell"


def test_a_pack_adds_its_population_against_a_shell() -> None:
    shell = board("hard-shell", body=2, population=7)
    assert stopper(board("carnivore", "pack-hunting", body=3, population=2), shell) == "hard-shell"
    assert stopper(board("carnivore", "pack-hunting", body=3, population=3), shell) == "nothing"


def test_a_shell_is_not_harder_for_its_own_pack() -> None:
    shell = board("hard-shell", "pack-hunting", population=5)
    assert stopper(board("carnivore", body=4), shell) == "nothing"


# Herding.


def test_a_herd_as_large_as_the_attackers_is_safe() -> None:
    assert stopper(board("carnivore", population=3), board("herding", population=4)) == "herding"
    assert stopper(board("carnivore", population=3), board("herding", population=3)) == "herding"
    assert stopper(board("carnivore", population=3), board("herding", population=2)) == "nothing"


def test_a_pack_counts_no_more_than_its_population_against_a_herd() -> None:
    assert stopper(board("carnivore", "pack-hunting", body=7), board("herding")) == "herding"


# Symbiosis.


def test_symbiosis_needs_a_larger_body_on_the_right() -> None:
    prey = board("symbiosis", body=3)
    assert stopper(HUNTER, prey, right=board(body=4)) == "symbiosis"
    assert stopper(HUNTER, prey, right=board(body=3)) == "nothing"
    assert stopper(HUNTER, prey, left=board(body=7)) == "nothing"
    assert stopper(HUNTER, prey) == "nothing"


def test_a_larger_neighbour_alone_protects_nobody() -> None:
    assert stopper(HUNTER, board(), right=board(body=7)) == "nothing"
    assert stopper(HUNTER, board("burrowing"), right=board(body=7)) == "nothing"


def test_the_last_board_has_no_right_neighbour() -> None:
    boards = (board(body=7), board("symbiosis"))
    assert refused_by(boards, 1) is None
    boards = boards[::-1]
    assert refused_by(boards, 0) == "attack.symbiosis"


# Several reasons.


def test_one_shield_is_enough_when_the_others_fail() -> None:
    climber = board("carnivore", "climbing", "ambush", body=4, population=2)
    assert stopper(climber, board("climbing", "hard-shell", "herding")) == "nothing"
    assert stopper(climber, board("climbing", "hard-shell", "herding", body=1)) == "hard-shell"
    assert stopper(climber, board("climbing", "hard-shell", "herding", population=2)) == "herding"
    assert stopper(climber, board("burrowing", "climbing", "herding", food=1)) == "burrowing"
    assert stopper(climber, board("burrowing", "climbing", "symbiosis"), right=board(body=1)) == "symbiosis"
    assert stopper(HUNTER, board("burrowing", "climbing", "symbiosis"), right=board(body=1)) == "climbing"


def test_of_several_reasons_the_first_of_the_rule_book_is_given() -> None:
    right = board("warning-call", body=1)
    assert stopper(board(), board("burrowing", food=1), right=right) == "carnivore"
    assert stopper(HUNTER, board("burrowing", food=1), right=right) == "warning-call"
    assert stopper(board("carnivore", "ambush"), board("burrowing", "climbing", food=1)) == "burrowing"
    assert stopper(HUNTER, board("climbing", "hard-shell")) == "climbing"
    assert stopper(HUNTER, board("hard-shell", "herding")) == "hard-shell"
    assert stopper(HUNTER, board("herding", "symbiosis"), right=board(body=1)) == "herding"


# What the player who attacks against the rules is told.


def test_a_blocked_attack_expels_and_cites_its_rule() -> None:
    rows: list[tuple[Species, list[Species], str, str]] = [
        (board(), [FED], rulebook.CARNIVORE, "it is no carnivore"),
        (
            HUNTER,
            [FED, WARNER],
            "attack.warning-call",
            "a neighbour's warning-call is heard and it has no ambush",
        ),
        (
            HUNTER,
            [board("burrowing", population=3, food=3)],
            "attack.burrowing",
            "its prey is below ground, with food 3 for population 3",
        ),
        (HUNTER, [board("climbing", food=1)], "attack.climbing", "its prey has climbed and it cannot climb"),
        (
            board("carnivore", "pack-hunting", body=3, population=2),
            [board("hard-shell", body=2, food=1)],
            "attack.hard-shell",
            "its strength of 5 does not break a shell that takes 6",
        ),
        (
            board("carnivore", population=2),
            [board("herding", population=3, food=3)],
            "attack.herding",
            "its population of 2 is not above the herd's 3",
        ),
        (
            HUNTER,
            [board("symbiosis", body=2, food=1), board(body=5, food=1), board(body=7, food=1)],
            "attack.symbiosis",
            "the board right of its prey has body 5, above 2",
        ),
    ]
    for attacker, boards, rule, why in rows:
        with case(attacker, boards, rule, why):
            game = feeding_game([attacker], boards, BUSY, watering_hole=3)
            assert changes(game, 1, Attack(0, seat=2, target=0)) == {
                1: illegal(rule, f"attacks board 0 of player 2 with board 0, but {why}")
            }


# The course of an attack.


def test_the_prey_loses_an_animal_and_the_attacker_eats_one_token() -> None:
    game = feeding_game(
        [FED, board("carnivore", population=5, food=2)],
        [FED, board("herding", body=3, population=4, food=2), board()],
        watering_hole=2,
    )
    assert changes(game, 1, Attack(1, seat=2, target=1)) == {
        1: player(1, [FED, board("carnivore", population=5, food=3)]),
        2: player(2, [FED, board("herding", body=3, population=3, food=2), board()]),
        "watering_hole": 1,
    }


def test_the_prey_keeps_no_more_food_than_animals() -> None:
    game = feeding_game([HUNTER], [board(population=2, food=2)], BUSY, watering_hole=3)
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [FED_HUNTER]),
        2: player(2, [board(population=1, food=1)]),
        "watering_hole": 2,
    }


def test_the_prey_keeps_its_fat() -> None:
    fat = board("fat-tissue", body=3, population=2, food=2, fat_food=3)
    game = feeding_game([HUNTER], [fat], BUSY, watering_hole=3)
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [FED_HUNTER]),
        2: player(2, [board("fat-tissue", body=3, population=1, food=1, fat_food=3)]),
        "watering_hole": 2,
    }


def test_a_board_that_loses_its_last_animal_goes_with_all_on_it_and_brings_two_cards() -> None:
    prey = board("horns", "fat-tissue", body=3, food=1, fat_food=3)
    game = feeding_game(
        [board("carnivore", population=3, food=1)],
        [WARNER, FED, prey, FED],
        BUSY,
        watering_hole=3,
        hands=DECK[50:52],
    )
    assert changes(game, 1, Attack(0, seat=2, target=2)) == {
        1: player(1, [board("carnivore", population=2, food=2)], hand=[DECK[50]]),
        2: player(2, [WARNER, FED, FED], hand=[DECK[0], DECK[1], DECK[51]]),
        "watering_hole": 2,
        "deck": DECK[2:],
    }


def test_a_carnivore_that_meets_horns_dies_with_its_prey() -> None:
    game = feeding_game([HUNTER, FED], [board("horns", food=1)], [], watering_hole=1)
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [FED], hand=DECK[2:4]),
        2: player(2, [], hand=DECK[:2]),
        "deck": DECK[4:],
    }


def test_when_the_attacker_dies_of_horns_not_even_the_scavengers_eat() -> None:
    game = feeding_game(
        [HUNTER, board("scavenger"), board("scavenger")],
        [board("horns", population=2, food=2)],
        [board("scavenger"), board()],
        watering_hole=2,
    )
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [board("scavenger"), board("scavenger")], hand=DECK[:2]),
        2: player(2, [board("horns", population=1, food=1)]),
        "deck": DECK[2:],
    }


def test_after_horns_a_surviving_attacker_eats() -> None:
    game = feeding_game(
        [board("carnivore", population=3, food=0)], [board("horns", population=3, food=3)], BUSY, watering_hole=3
    )
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [board("carnivore", population=2, food=1)]),
        2: player(2, [board("horns", population=2, food=2)]),
        "watering_hole": 2,
    }


def test_an_attacker_sated_by_horns_eats_nothing_but_the_scavengers_do() -> None:
    game = feeding_game(
        [board("carnivore", population=3, food=2)],
        [board("horns", population=2, food=2)],
        [board("scavenger", population=7), board(population=7)],
        watering_hole=3,
    )
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [board("carnivore", population=2, food=2)]),
        2: player(2, [board("horns", population=1, food=1)]),
        3: player(3, [board("scavenger", population=7, food=1), board(population=7)]),
        "watering_hole": 2,
    }


def test_the_horns_of_the_attacker_hurt_nobody() -> None:
    game = feeding_game([board("carnivore", "horns")], [board(population=2, food=2)], BUSY, watering_hole=3)
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [board("carnivore", "horns", food=1)]),
        2: player(2, [board(population=1, food=1)]),
        "watering_hole": 2,
    }


def test_a_short_deck_serves_the_owner_of_the_prey_first() -> None:
    game = feeding_game([HUNTER], [board("horns", food=1)], BUSY, watering_hole=3, deck=DECK[:3])
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [], hand=DECK[2:3]),
        2: player(2, [], hand=DECK[:2]),
        "deck": (),
    }


def test_an_empty_deck_gives_nothing_for_an_extinction() -> None:
    game = feeding_game([HUNTER], [FED], BUSY, watering_hole=3, deck=())
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [FED_HUNTER]),
        2: player(2, []),
        "watering_hole": 2,
    }
