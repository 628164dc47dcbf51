"""One meal of a board: foraging, cooperation, scavengers, long necks."""

from tests.scenario import BUSY, board, changes, changes_by_plays, choosing_game, feeding_game, player
from wateringhole.cards import DECK, card
from wateringhole.moves import Attack, CardPlay, Graze
from wateringhole.species import Species

FED = board(food=1)
HUNTER = board("carnivore")
FED_HUNTER = board("carnivore", food=1)
NOTHING = card(0, "ambush")


def grazing(*boards: Species, tokens: int) -> dict[int | str, object]:
    """What changes when the first of these boards grazes."""
    return changes(feeding_game(boards, [FED], BUSY, watering_hole=tokens), 1, Graze(0))


# Foraging.


def test_a_meal_is_one_token() -> None:
    assert grazing(board(population=3, food=1), tokens=5) == {
        1: player(1, [board(population=3, food=2)]),
        "watering_hole": 4,
    }


def test_a_forager_eats_two_tokens() -> None:
    assert grazing(board("foraging", population=3), tokens=5) == {
        1: player(1, [board("foraging", population=3, food=2)]),
        "watering_hole": 3,
    }


def test_a_forager_with_hunger_for_one_eats_one() -> None:
    assert grazing(board("foraging", population=3, food=2), tokens=5) == {
        1: player(1, [board("foraging", population=3, food=3)]),
        "watering_hole": 4,
    }


def test_a_forager_takes_the_last_token_if_there_is_only_one() -> None:
    assert grazing(board("foraging", population=3), tokens=1) == {
        1: player(1, [board("foraging", population=3, food=1)]),
        "watering_hole": 0,
    }


def test_a_forager_takes_the_last_two_tokens() -> None:
    assert grazing(board("foraging", population=3), tokens=2) == {
        1: player(1, [board("foraging", population=3, food=2)]),
        "watering_hole": 0,
    }


def test_a_foraging_carnivore_eats_two_from_its_prey() -> None:
    game = feeding_game(
        [board("carnivore", "foraging", population=2)], [board(population=2, food=2)], BUSY, watering_hole=5
    )
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [board("carnivore", "foraging", population=2, food=2)]),
        2: player(2, [FED]),
        "watering_hole": 3,
    }


# Cooperation.


def test_cooperation_gives_the_right_neighbour_a_meal() -> None:
    assert grazing(board("cooperation", population=2), board(population=2), board(population=2), tokens=5) == {
        1: player(1, [board("cooperation", population=2, food=1), board(population=2, food=1), board(population=2)]),
        "watering_hole": 3,
    }


def test_cooperation_does_not_reach_to_the_left_or_to_the_next_player() -> None:
    game = feeding_game([board(population=3), board("cooperation", population=3)], BUSY, watering_hole=5)
    assert changes(game, 1, Graze(1)) == {
        1: player(1, [board(population=3), board("cooperation", population=3, food=1)]),
        "watering_hole": 4,
    }


def test_without_cooperation_the_neighbour_gets_nothing() -> None:
    assert grazing(board("symbiosis", population=2), board(population=2), board(population=2), tokens=5) == {
        1: player(1, [board("symbiosis", population=2, food=1), board(population=2), board(population=2)]),
        "watering_hole": 4,
    }


def test_cooperation_feeds_a_carnivore_too() -> None:
    assert grazing(board("cooperation"), board("carnivore"), tokens=5) == {
        1: player(1, [board("cooperation", food=1), FED_HUNTER]),
        "watering_hole": 3,
    }


def test_cooperation_with_a_sated_neighbour_does_nothing() -> None:
    assert grazing(board("cooperation"), FED, tokens=5) == {
        1: player(1, [board("cooperation", food=1), FED]),
        "watering_hole": 4,
    }


def test_a_sated_neighbour_does_not_hand_the_meal_on() -> None:
    assert grazing(board("cooperation"), board("cooperation", food=1), board("carnivore"), tokens=5) == {
        1: player(1, [board("cooperation", food=1), board("cooperation", food=1), board("carnivore")]),
        "watering_hole": 4,
    }


def test_cooperation_runs_on_to_the_right() -> None:
    before = [
        board("cooperation"),
        board("cooperation"),
        board("cooperation"),
        board(population=2),
        board(population=2),
    ]
    assert grazing(*before, tokens=9) == {
        1: player(1, [*[board("cooperation", food=1)] * 3, board(population=2, food=1), board(population=2)]),
        "watering_hole": 5,
    }


def test_the_neighbour_eats_with_its_own_foraging() -> None:
    assert grazing(board("cooperation"), board("foraging", population=3), tokens=5) == {
        1: player(1, [board("cooperation", food=1), board("foraging", population=3, food=2)]),
        "watering_hole": 2,
    }


def test_a_cooperating_forager_gives_a_meal_for_each_token_it_ate() -> None:
    before = [board("cooperation", "foraging", population=2), board("foraging", population=7)]
    assert grazing(*before, tokens=9) == {
        1: player(1, [board("cooperation", "foraging", population=2, food=2), board("foraging", population=7, food=4)]),
        "watering_hole": 3,
    }


def test_a_cooperating_forager_that_ate_one_token_gives_one_meal() -> None:
    before = [board("cooperation", "foraging", population=2, food=1), board(population=7), board(population=7)]
    assert grazing(*before, tokens=9) == {
        1: player(
            1,
            [
                board("cooperation", "foraging", population=2, food=2),
                board(population=7, food=1),
                board(population=7),
            ],
        ),
        "watering_hole": 7,
    }


def test_the_eater_is_done_before_its_neighbour_begins() -> None:
    assert grazing(board("cooperation", "foraging", population=3), board(population=3), tokens=3) == {
        1: player(1, [board("cooperation", "foraging", population=3, food=2), board(population=3, food=1)]),
        "watering_hole": 0,
    }


def test_the_neighbours_first_meal_runs_on_to_the_right_before_its_second_begins() -> None:
    before = [board("cooperation", "foraging", population=3), board("cooperation", population=3), board(population=3)]
    assert grazing(*before, tokens=4) == {
        1: player(
            1,
            [
                board("cooperation", "foraging", population=3, food=2),
                board("cooperation", population=3, food=1),
                board(population=3, food=1),
            ],
        ),
        "watering_hole": 0,
    }


def test_every_token_of_the_first_board_reaches_the_end_of_the_chain() -> None:
    before = [board("cooperation", "foraging", population=3), board("cooperation", population=3), board(population=3)]
    assert grazing(*before, tokens=9) == {
        1: player(
            1,
            [
                board("cooperation", "foraging", population=3, food=2),
                board("cooperation", population=3, food=2),
                board(population=3, food=2),
            ],
        ),
        "watering_hole": 3,
    }


def test_a_chain_of_cooperation_is_as_long_as_the_row() -> None:
    row = [board("cooperation")] * 2000
    assert grazing(*row, tokens=2001) == {1: player(1, [board("cooperation", food=1)] * 2000), "watering_hole": 1}


def test_an_empty_watering_hole_ends_a_chain_of_cooperation() -> None:
    assert grazing(board("cooperation"), board("cooperation"), board(), tokens=2) == {
        1: player(1, [board("cooperation", food=1), board("cooperation", food=1), board()]),
        "watering_hole": 0,
    }


def test_a_cooperating_carnivore_shares_its_prey() -> None:
    game = feeding_game(
        [board("carnivore", "cooperation"), board()], [board(population=2, food=2)], BUSY, watering_hole=5
    )
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [board("carnivore", "cooperation", food=1), FED]),
        2: player(2, [FED]),
        "watering_hole": 3,
    }


# Scavengers.

SCAVENGER = board("scavenger", population=7)
FULLER = board("scavenger", population=7, food=1)


def test_every_scavenger_eats_after_an_attack() -> None:
    game = feeding_game([HUNTER, FED, SCAVENGER], [FED, SCAVENGER, SCAVENGER], [SCAVENGER, FED], watering_hole=9)
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [FED_HUNTER, FED, FULLER]),
        2: player(2, [FULLER, FULLER], hand=DECK[:2]),
        3: player(3, [FULLER, FED]),
        "watering_hole": 4,
        "deck": DECK[2:],
    }


def test_nobody_scavenges_when_a_vegetarian_grazes() -> None:
    game = feeding_game([board(population=7), SCAVENGER], [SCAVENGER, SCAVENGER], watering_hole=9)
    assert changes(game, 1, Graze(0)) == {1: player(1, [board(population=7, food=1), SCAVENGER]), "watering_hole": 8}


def test_the_attackers_scavengers_eat_first_from_left_to_right() -> None:
    game = feeding_game([HUNTER, SCAVENGER, SCAVENGER, SCAVENGER], [FED], [SCAVENGER], watering_hole=3)
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [FED_HUNTER, FULLER, FULLER, SCAVENGER]),
        2: player(2, [], hand=DECK[:2]),
        "watering_hole": 0,
        "deck": DECK[2:],
    }


def test_after_the_attackers_the_scavengers_eat_in_turn_order_and_wrap_around() -> None:
    rows = [[SCAVENGER], [HUNTER], [SCAVENGER], [SCAVENGER, FED]]
    game = feeding_game(*rows, watering_hole=3)
    game.queue = [2, 3, 4, 1]
    assert changes(game, 2, Attack(0, seat=4, target=1)) == {
        2: player(2, [FED_HUNTER]),
        3: player(3, [FULLER]),
        4: player(4, [FULLER], hand=DECK[:2]),
        "watering_hole": 0,
        "deck": DECK[2:],
    }
    game.watering_hole = 4
    assert changes(game, 2, Attack(0, seat=4, target=1)) == {
        1: player(1, [FULLER]),
        2: player(2, [FED_HUNTER]),
        3: player(3, [FULLER]),
        4: player(4, [FULLER], hand=DECK[:2]),
        "watering_hole": 0,
        "deck": DECK[2:],
    }


def test_an_attacker_that_scavenges_eats_twice() -> None:
    game = feeding_game([board("carnivore", "scavenger", population=3)], [FED], BUSY, watering_hole=9)
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [board("carnivore", "scavenger", population=3, food=2)]),
        2: player(2, [], hand=DECK[:2]),
        "watering_hole": 7,
        "deck": DECK[2:],
    }


def test_prey_that_lives_on_scavenges_its_own_dead() -> None:
    game = feeding_game([HUNTER], [board("scavenger", "burrowing", population=3, food=1)], BUSY, watering_hole=2)
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [FED_HUNTER]),
        2: player(2, [board("scavenger", "burrowing", population=2, food=2)]),
        "watering_hole": 0,
    }


def test_a_scavenger_eats_with_its_foraging_and_its_cooperation() -> None:
    helper = board("scavenger", "foraging", "cooperation", population=7)
    game = feeding_game([HUNTER], [FED], [helper, board(population=7), board(population=7)], watering_hole=9)
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [FED_HUNTER]),
        2: player(2, [], hand=DECK[:2]),
        3: player(
            3,
            [
                board("scavenger", "foraging", "cooperation", population=7, food=2),
                board(population=7, food=2),
                board(population=7),
            ],
        ),
        "watering_hole": 4,
        "deck": DECK[2:],
    }


def test_a_scavenging_carnivore_eats_and_a_sated_scavenger_does_not() -> None:
    game = feeding_game(
        [HUNTER],
        [FED],
        [board("carnivore", "scavenger", population=3), board("scavenger", food=1)],
        BUSY,
        watering_hole=9,
    )
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [FED_HUNTER]),
        2: player(2, [], hand=DECK[:2]),
        3: player(3, [board("carnivore", "scavenger", population=3, food=1), board("scavenger", food=1)]),
        "watering_hole": 7,
        "deck": DECK[2:],
    }


def test_a_player_who_feeds_no_more_still_scavenges_and_shares() -> None:
    game = feeding_game([HUNTER], [board("scavenger", "cooperation"), board()], [FED], BUSY, watering_hole=9)
    game.queue = [1, 4]
    assert changes(game, 1, Attack(0, seat=3, target=0)) == {
        1: player(1, [FED_HUNTER]),
        2: player(2, [board("scavenger", "cooperation", food=1), FED]),
        3: player(3, [], hand=DECK[:2]),
        "watering_hole": 6,
        "deck": DECK[2:],
    }


# Long necks, at the reveal.


def reveal(*boards: Species, tokens: int) -> dict[int | str, object]:
    """What the reveal makes of these boards, with only busy players besides, who do nothing by themselves."""
    game = choosing_game(
        player(1, BUSY, hand=[NOTHING]), player(2, boards, hand=[NOTHING]), player(3, BUSY, hand=[NOTHING])
    )
    game.watering_hole = tokens
    listed = changes_by_plays(game, CardPlay(0), CardPlay(0), CardPlay(0))
    assert (listed.pop(1), listed.pop(3)) == (player(1, BUSY), player(3, BUSY))
    return listed


def test_a_long_neck_eats_at_the_reveal() -> None:
    assert reveal(board("long-neck", population=3), FED, board("long-neck", population=2, food=1), tokens=9) == {
        2: player(2, [board("long-neck", population=3, food=1), FED, board("long-neck", population=2, food=2)]),
        "watering_hole": 7,
    }


def test_a_carnivore_with_a_long_neck_eats_at_the_reveal() -> None:
    assert reveal(board("carnivore", "long-neck", population=3), tokens=9) == {
        2: player(2, [board("carnivore", "long-neck", population=3, food=1)]),
        "watering_hole": 8,
    }


def test_a_long_neck_eats_with_its_foraging_and_its_cooperation() -> None:
    assert reveal(board("long-neck", "foraging", "cooperation", population=3), board(population=4), tokens=9) == {
        2: player(
            2, [board("long-neck", "foraging", "cooperation", population=3, food=2), board(population=4, food=2)]
        ),
        "watering_hole": 5,
    }


def test_a_sated_long_neck_eats_nothing_at_the_reveal() -> None:
    assert reveal(board("long-neck", "cooperation", population=2, food=2), board(population=2), tokens=9) == {
        2: player(2, [board("long-neck", "cooperation", population=2, food=2), board(population=2)]),
    }


def test_long_necks_eat_in_turn_order_and_from_left_to_right() -> None:
    neck, fuller = board("long-neck", population=2), board("long-neck", population=2, food=1)
    game = choosing_game(
        player(2, [neck], hand=[NOTHING]), player(3, [neck, neck], hand=[NOTHING]), player(1, [neck], hand=[NOTHING])
    )
    game.watering_hole = 2
    assert changes_by_plays(game, CardPlay(0), CardPlay(0), CardPlay(0)) == {
        2: player(2, [fuller]),
        3: player(3, [fuller, neck]),
        1: player(1, [neck]),
        "watering_hole": 0,
    }
