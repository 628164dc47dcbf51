"""The feeding cycle: what a player may feed, what the dealer does by itself, and what gets a player expelled."""

from tests.cases import case
from tests.scenario import BUSY, board, changed, changes, feeding_game, illegal, player, table_of, take
from wateringhole import rulebook
from wateringhole.cards import DECK
from wateringhole.dealer import pending
from wateringhole.game import Game
from wateringhole.moves import Attack, Decline, Feeding, Graze, StoreFat
from wateringhole.rules.feeding import feedings, next_to_ask, prospects
from wateringhole.species import Species

FED = board(food=1)
HUNTER = board("carnivore")
FED_HUNTER = board("carnivore", food=1)
CLIMBER = board("climbing", food=1)


def options(*boards: Species, watering_hole: int = 9, others: tuple[tuple[Species, ...], ...] = ()) -> list[Feeding]:
    """What a player with these boards may feed; the others sit on seats 2, 3, ..."""
    return feedings(boards, watering_hole, tuple(player(seat, row).seen() for seat, row in enumerate(others, 2)))


def by_itself(game: Game) -> dict[int | str, object]:
    """What the dealer does before it asks somebody."""
    return changed(game, next_to_ask)


def asked_next(game: Game) -> list[int]:
    """Who is asked once the dealer has fed those without a choice; nobody when feeding is over."""
    twin = game.clone()
    next_one = next_to_ask(twin)
    return [] if next_one is None else [next_one.seat]


# Options.


def test_every_hungry_vegetarian_is_an_option() -> None:
    assert options(board(), FED, board("horns", population=3, food=2)) == [Graze(0), Graze(2)]


def test_a_sated_board_is_no_option() -> None:
    assert options(FED, FED_HUNTER, others=((FED,),)) == []


def test_fat_is_an_option_up_to_the_need() -> None:
    assert options(board("fat-tissue", body=5, food=1, fat_food=2)) == [StoreFat(0, 3)]


def test_fat_is_an_option_up_to_what_the_watering_hole_holds() -> None:
    assert options(board("fat-tissue", body=5, food=1), watering_hole=4) == [StoreFat(0, 4)]


def test_a_full_fat_tissue_is_no_option() -> None:
    assert options(board("fat-tissue", body=5, food=1, fat_food=5), board("fat-tissue", food=1)) == []


def test_a_body_without_fat_tissue_stores_nothing() -> None:
    assert options(board("horns", body=5, food=1)) == []


def test_a_hungry_vegetarian_with_fat_need_is_two_options() -> None:
    assert options(board("fat-tissue", body=2)) == [StoreFat(0, 2), Graze(0)]


def test_a_carnivore_with_fat_tissue_may_store_and_may_attack() -> None:
    assert options(board("carnivore", "fat-tissue", body=2), others=((FED,),)) == [StoreFat(0, 2), Attack(0, 2, 0)]


def test_a_hungry_carnivore_may_attack_every_board_that_nothing_protects() -> None:
    assert options(FED, HUNTER, others=((FED, CLIMBER), (), (CLIMBER, FED_HUNTER))) == [
        Attack(1, seat=2, target=0),
        Attack(1, seat=4, target=1),
    ]


def test_own_boards_are_no_prey() -> None:
    assert options(HUNTER, FED, FED, others=((CLIMBER,),)) == []


def test_an_empty_watering_hole_leaves_no_option() -> None:
    boards = (board(), board("fat-tissue", body=3), HUNTER)
    assert options(*boards, watering_hole=0, others=((FED,),)) == []
    assert len(options(*boards, watering_hole=1, others=((FED,),))) == 4


def test_the_others_count_from_the_next_player_on_and_wrap_around() -> None:
    game = table_of(player(3, [FED]), player(4, [FED]), player(1, [HUNTER]), player(2, [FED]), watering_hole=3)
    assert [other.seat for other in game.others(1)] == [2, 3, 4]
    assert feedings(game.players[1].species, 3, game.seen(1)) == [Attack(0, 2, 0), Attack(0, 3, 0), Attack(0, 4, 0)]
    assert [other.seat for other in game.others(3)] == [4, 1, 2]
    assert [other.seat for other in game.others(2)] == [3, 4, 1]


def test_the_others_skip_who_left() -> None:
    game = table_of(player(3), player(4), player(1), player(2), watering_hole=3)
    assert [other.seat for other in game.others(1)] == [2, 3, 4]
    game.remove(3)
    assert [other.seat for other in game.others(1)] == [2, 4]
    game.pass_on()
    assert [other.seat for other in game.others(4)] == [1, 2]


def test_a_choice_is_obvious_when_two_options_need_no_look_at_the_others() -> None:
    rows: list[tuple[list[Species], bool]] = [
        ([], False),
        ([FED, HUNTER, HUNTER], False),
        ([board()], False),
        ([board(body=5)], False),
        ([board("horns", body=5), HUNTER], False),
        ([board(), FED, board()], True),
        ([board("fat-tissue", body=1, food=1)], False),
        ([board("fat-tissue", body=1, fat_food=1)], False),
        ([board("fat-tissue", body=1)], True),
        ([board("fat-tissue", body=1, food=1), board("fat-tissue", body=1, food=1)], True),
        ([board(), board("fat-tissue", body=1, food=1)], True),
        ([board("fat-tissue", "carnivore", body=1), HUNTER], False),
    ]
    for boards, obvious in rows:
        with case(boards, obvious):
            sure, _ = prospects(boards)
            assert (sure > 1) is obvious
            assert (len(options(*boards)) > 1) is obvious


# What the dealer does by itself.


def test_the_only_hungry_vegetarian_is_fed_unasked_until_it_is_sated() -> None:
    game = feeding_game([board(population=3), FED], [], [FED], watering_hole=9)
    assert by_itself(game) == {1: player(1, [board(population=3, food=3), FED]), "watering_hole": 6}
    assert asked_next(game) == []


def test_the_only_fat_need_is_filled_unasked_as_far_as_possible() -> None:
    fat = board("fat-tissue", body=5, food=1, fat_food=1)
    assert by_itself(feeding_game([fat], [], [], watering_hole=9)) == {
        1: player(1, [board("fat-tissue", body=5, food=1, fat_food=5)]),
        "watering_hole": 5,
    }
    assert by_itself(feeding_game([fat], [], [], watering_hole=3)) == {
        1: player(1, [board("fat-tissue", body=5, food=1, fat_food=4)]),
        "watering_hole": 0,
    }


def test_the_only_attack_is_carried_out_unasked() -> None:
    game = feeding_game([HUNTER], [CLIMBER, board(population=2, food=2)], [], watering_hole=9)
    assert by_itself(game) == {
        1: player(1, [FED_HUNTER]),
        2: player(2, [CLIMBER, board(food=1)]),
        "watering_hole": 8,
    }


def test_those_without_a_choice_are_fed_in_turn_one_step_each() -> None:
    game = feeding_game([board(population=3)], [board(population=3)], [FED], [board(population=3)], watering_hole=5)
    assert by_itself(game) == {
        1: player(1, [board(population=3, food=2)]),
        2: player(2, [board(population=3, food=2)]),
        4: player(4, [board(population=3, food=1)]),
        "watering_hole": 0,
    }


def test_a_player_with_two_options_is_asked() -> None:
    game = feeding_game([board()], [board("fat-tissue", body=1)], [board()], watering_hole=9)
    assert by_itself(game) == {1: player(1, [FED]), "watering_hole": 8}
    assert asked_next(game) == [2]


def test_a_carnivore_with_two_boards_to_attack_is_asked() -> None:
    game = feeding_game([HUNTER], [FED], [FED], watering_hole=9)
    assert by_itself(game) == {}
    assert asked_next(game) == [1]


def test_a_carnivore_without_prey_leaves_the_queue() -> None:
    game = feeding_game([HUNTER], [CLIMBER], [board("climbing"), board("climbing")], watering_hole=9)
    assert by_itself(game) == {}
    assert asked_next(game) == [3]


def test_who_has_left_the_queue_does_not_return_when_prey_appears() -> None:
    # Seat 1 finds no prey: the herd is as large, the shell too hard. Then seat 3 thins out the herd.
    herd, hunters = board("herding", population=2, food=2), board("carnivore", "hard-shell", population=3)
    game = feeding_game([board("carnivore", population=2)], [herd], [hunters], watering_hole=9)
    assert asked_next(game) == [3]
    next_to_ask(game)
    take(game, 3, Attack(0, seat=2, target=0))
    assert len(feedings(game.players[1].species, 8, game.seen(1))) == 1
    assert (pending(game), game.queue) == ([3], [3])


def test_feeding_ends_when_the_watering_hole_is_empty() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=1)
    assert changes(game, 1, Graze(0)) == {
        1: player(1, [board(population=7, food=1), board(population=7)]),
        "watering_hole": 0,
    }
    take(game, 1, Graze(0))
    assert (game.phase, pending(game)) == ("fed", [])


def test_feeding_ends_when_nobody_has_an_option_and_the_rest_stays() -> None:
    game = feeding_game([board()], [FED], [board("carnivore", food=1)], watering_hole=9)
    assert changes(game, 1, Graze(0)) == {1: player(1, [FED]), "watering_hole": 8}
    take(game, 1, Graze(0))
    assert (game.phase, pending(game)) == ("fed", [])


# The queue.


def test_who_has_fed_goes_to_the_end_of_the_queue() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    take(game, 1, Graze(0))
    assert (pending(game), game.queue) == ([2], [2, 3, 1])
    take(game, 2, Graze(1))
    assert (pending(game), game.queue) == ([3], [3, 1, 2])


def test_who_declines_is_not_asked_again() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    assert changes(game, 1, Decline()) == {}
    take(game, 1, Decline())
    take(game, 2, Graze(0))
    take(game, 3, Graze(0))
    assert (pending(game), game.queue) == ([2], [2, 3])


def test_feeding_ends_when_everybody_has_declined() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    for seat in (1, 2, 3):
        assert pending(game) == [seat]
        take(game, seat, Decline())
    assert (game.phase, game.watering_hole) == ("fed", 9)


def test_who_has_declined_can_still_be_attacked() -> None:
    game = feeding_game(BUSY, [HUNTER], BUSY, watering_hole=9)
    take(game, 1, Decline())
    assert changes(game, 2, Attack(0, seat=1, target=1)) == {
        1: player(1, [board(population=7), board(population=6)]),
        2: player(2, [FED_HUNTER]),
        "watering_hole": 8,
    }


# Legal answers.


def test_a_fat_tissue_may_store_less_than_it_could() -> None:
    game = feeding_game([board("fat-tissue", body=5, fat_food=1)], BUSY, watering_hole=9)
    for tokens in (1, 3, 4):
        assert changes(game, 1, StoreFat(0, tokens)) == {
            1: player(1, [board("fat-tissue", body=5, fat_food=1 + tokens)]),
            "watering_hole": 9 - tokens,
        }


def test_fat_may_take_all_that_the_watering_hole_holds() -> None:
    game = feeding_game([board("fat-tissue", body=5)], BUSY, watering_hole=3)
    assert changes(game, 1, StoreFat(0, 3)) == {
        1: player(1, [board("fat-tissue", body=5, fat_food=3)]),
        "watering_hole": 0,
    }


def test_storing_fat_is_no_meal() -> None:
    boards = [FED, board("fat-tissue", "foraging", "cooperation", body=5), board()]
    game = feeding_game(boards, BUSY, watering_hole=9)
    assert changes(game, 1, StoreFat(1, 2)) == {
        1: player(1, [FED, board("fat-tissue", "foraging", "cooperation", body=5, fat_food=2), board()]),
        "watering_hole": 7,
    }


def test_a_carnivore_may_store_fat() -> None:
    game = feeding_game([board("fat-tissue", "carnivore", body=5)], BUSY, watering_hole=9)
    assert changes(game, 1, StoreFat(0, 5)) == {
        1: player(1, [board("fat-tissue", "carnivore", body=5, fat_food=5)]),
        "watering_hole": 4,
    }


def test_to_decline_is_always_legal() -> None:
    assert changes(feeding_game([HUNTER, board()], BUSY, watering_hole=9), 1, Decline()) == {}


# Illegal answers: the player goes, everything else stays as it is.

FAT = board("fat-tissue", body=3, fat_food=1)


def test_an_illegal_feeding_expels_the_player_and_changes_nothing_else() -> None:
    rows: list[tuple[Feeding, str, str]] = [
        (Graze(6), rulebook.OPTIONS, "feeds board 6, counted from 0, but has only 6 boards"),
        (StoreFat(7, 1), rulebook.OPTIONS, "feeds board 7, counted from 0, but has only 6 boards"),
        (Attack(8, 2, 0), rulebook.OPTIONS, "feeds board 8, counted from 0, but has only 6 boards"),
        (Graze(1), rulebook.GRAZE, "feeds board 1, which is sated with food 2 for population 2"),
        (Graze(2), rulebook.GRAZE, "grazes with board 2, which is a carnivore"),
        (Graze(3), rulebook.GRAZE, "feeds board 3, which is sated with food 1 for population 1"),
        (StoreFat(0, 1), rulebook.STORE_FAT, "stores fat on board 0, which has no room for any"),
        (StoreFat(4, 0), rulebook.STORE_FAT, "stores 0 on board 4, which can store 1 to 2"),
        (StoreFat(4, 3), rulebook.STORE_FAT, "stores 3 on board 4, which can store 1 to 2"),
        (StoreFat(5, 6), rulebook.STORE_FAT, "stores 6 but the watering hole holds only 5"),
        (Attack(0, 2, 0), rulebook.CARNIVORE, "attacks board 0 of player 2 with board 0, but it is no carnivore"),
        (Attack(3, 2, 0), rulebook.ATTACK_CHOICE, "feeds board 3, which is sated with food 1 for population 1"),
        (Attack(2, 1, 0), rulebook.ATTACK_CHOICE, "attacks player 1, who is not one of the others"),
        (Attack(2, 4, 0), rulebook.ATTACK_CHOICE, "attacks player 4, who is not one of the others"),
        (
            Attack(2, 2, 2),
            rulebook.ATTACK_CHOICE,
            "attacks board 2, counted from 0, of player 2, who has only 2 boards",
        ),
        (Attack(2, 3, 1), rulebook.ATTACK_CHOICE, "attacks board 1, counted from 0, of player 3, who has only 1 board"),
        (
            Attack(2, 3, 0),
            "attack.climbing",
            "attacks board 0 of player 3 with board 2, but its prey has climbed and it cannot climb",
        ),
    ]
    for move, rule, text in rows:
        with case(move, rule, text):
            boards = [board(), board(population=2, food=2), HUNTER, FED_HUNTER, FAT, board("fat-tissue", body=7)]
            game = feeding_game(boards, BUSY, [board("climbing")], watering_hole=5)
            assert changes(game, 1, move) == {1: illegal(rule, text)}


def test_a_player_with_a_single_board_is_told_so() -> None:
    game = feeding_game([board()], BUSY, [FED], watering_hole=5)
    assert changes(game, 1, Graze(1)) == {
        1: illegal(rulebook.OPTIONS, "feeds board 1, counted from 0, but has only 1 board")
    }


def test_the_queue_skips_who_was_expelled() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    take(game, 1, Graze(0))
    take(game, 2, Graze(2))
    assert (pending(game), game.queue) == ([3], [3, 1])


def test_the_cards_of_who_is_expelled_do_not_return() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9, deck=DECK[3:], hands=DECK[:3])
    assert changes(game, 1, Graze(2)) == {
        1: illegal(rulebook.OPTIONS, "feeds board 2, counted from 0, but has only 2 boards")
    }
