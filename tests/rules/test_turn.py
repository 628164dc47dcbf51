"""How a turn begins and ends, what the traits do at the reveal, and the score."""

import pytest

from tests.scenario import (
    BUSY,
    NAMES,
    board,
    changed,
    changes_by_plays,
    choosing_game,
    difference,
    feeding_game,
    phase,
    player,
    table_of,
)
from wateringhole.cards import DECK, card
from wateringhole.dealer import go_on, new_game
from wateringhole.events import Standing
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import CardPlay
from wateringhole.player import Player
from wateringhole.rules import turn
from wateringhole.rules.deal import cards_needed

NOTHING = card(0, "ambush")
FED = board(food=1)


# Step 1: boards and cards.


def test_a_game_begins_with_a_board_and_four_cards_for_everybody() -> None:
    game = new_game(NAMES[:3], DECK)
    expected = choosing_game(
        player(1, [board()], DECK[:4]),
        player(2, [board()], DECK[4:8]),
        player(3, [board()], DECK[8:12]),
        deck=DECK[12:],
    )
    expected.names = NAMES[:3]
    assert game == expected


def test_only_a_player_without_a_board_gets_one() -> None:
    game = table_of(player(1, [board("horns", population=3)]), player(2), player(3, BUSY), watering_hole=2)
    assert changed(game, turn.begin) == {
        1: player(1, [board("horns", population=3)], DECK[:4]),
        2: player(2, [board()], DECK[4:8]),
        3: player(3, BUSY, DECK[8:13]),
        "deck": DECK[13:],
        "turn": 2,
    }


def test_cards_are_dealt_in_turn_order_and_in_front_of_the_hand() -> None:
    game = table_of(
        player(3, [board()], DECK[60:62]), player(1, BUSY, DECK[70:73]), player(2, [board()]), watering_hole=0
    )
    assert changed(game, turn.begin) == {
        3: player(3, [board()], DECK[:4] + DECK[60:62]),
        1: player(1, BUSY, DECK[4:9] + DECK[70:73]),
        2: player(2, [board()], DECK[9:13]),
        "deck": DECK[13:],
        "turn": 2,
    }


# The game-over test.


def test_a_turn_takes_three_cards_a_player_and_one_a_board_a_fresh_one_included() -> None:
    game = table_of(player(1), player(2, [board()]), player(3, [board()] * 4), watering_hole=0)
    assert cards_needed(game) == 4 + 4 + 7


def test_just_enough_cards_are_enough_for_another_turn() -> None:
    players = [player(1), player(2, [FED]), player(3, [FED, FED])]
    enough = table_of(*players, watering_hole=0, deck=DECK[:13])
    assert not turn.over(enough)
    assert turn.over(table_of(*players, watering_hole=0, deck=DECK[:12]))
    assert turn.over(table_of(*players, watering_hole=0, deck=()))


def test_a_game_without_players_is_over() -> None:
    assert turn.over(table_of(watering_hole=5))


@pytest.mark.parametrize(("cards", "becomes"), [(12, "choose"), (11, "over")])
def test_a_game_begins_only_with_cards_for_its_first_turn(cards: int, becomes: str) -> None:
    assert phase(new_game(NAMES[:3], DECK[:cards])) == becomes


def test_the_cards_for_extinctions_may_end_the_game() -> None:
    game = feeding_game([FED, board()], [FED], [FED], watering_hole=0, deck=DECK[:13])
    game.phase = "fed"
    after = game.clone()
    go_on(after)
    assert phase(after) == "over"
    assert difference(game, after) == {
        1: player(1, [board()], DECK[:2], bag=1),
        2: player(2, [board()], bag=1),
        3: player(3, [board()], bag=1),
        "deck": DECK[2:13],
        "order": [2, 3, 1],
    }


# The reveal.


def revealed(*players: Player, watering_hole: int = 0) -> dict[int | str, object]:
    """What the traits of these players do by themselves at the reveal."""
    return changed(table_of(*players, watering_hole=watering_hole), turn.unfold)


def test_every_fertile_board_grows_by_one_but_not_above_seven() -> None:
    fertile = [board("fertile", population=population) for population in (1, 6, 7)]
    assert revealed(player(2, [FED, *fertile]), player(1, fertile[:1])) == {
        2: player(2, [FED, *[board("fertile", population=population) for population in (2, 7, 7)]]),
        1: player(1, [board("fertile", population=2)]),
    }


def test_a_fertile_board_keeps_its_food() -> None:
    assert revealed(player(1, [board("fertile", body=2, population=3, food=3)])) == {
        1: player(1, [board("fertile", body=2, population=4, food=3)])
    }


def test_fat_moves_to_the_food_as_far_as_there_is_hunger() -> None:
    assert revealed(
        player(2, [FED, board("fat-tissue", body=5, population=4, food=1, fat_food=5)]),
        player(1, [board("fat-tissue", body=5, population=7, food=1, fat_food=2)]),
        player(3, [board("fat-tissue", body=5, population=2, food=2, fat_food=4)]),
    ) == {
        2: player(2, [FED, board("fat-tissue", body=5, population=4, food=4, fat_food=2)]),
        1: player(1, [board("fat-tissue", body=5, population=7, food=3)]),
    }


def test_all_fertile_boards_grow_before_any_long_neck_eats() -> None:
    # Seat 1's long neck feeds its fertile neighbour, which has room for food only after it has grown.
    assert revealed(
        player(1, [board("long-neck", "cooperation"), board("fertile", food=1)]),
        player(2, [board("fertile", "long-neck", food=1)]),
        watering_hole=9,
    ) == {
        1: player(1, [board("long-neck", "cooperation", food=1), board("fertile", population=2, food=2)]),
        2: player(2, [board("fertile", "long-neck", population=2, food=2)]),
        "watering_hole": 6,
    }


def test_all_long_necks_eat_before_any_fat_moves() -> None:
    assert revealed(
        player(1, [board("fat-tissue", "long-neck", body=3, fat_food=3)]),
        player(2, [board("long-neck", "cooperation"), board("fat-tissue", population=2, body=1, fat_food=1)]),
        watering_hole=9,
    ) == {
        1: player(1, [board("fat-tissue", "long-neck", body=3, food=1, fat_food=3)]),
        2: player(2, [board("long-neck", "cooperation", food=1), board("fat-tissue", population=2, body=1, food=2)]),
        "watering_hole": 6,
    }


def test_the_reveal_comes_after_all_food_cards_and_before_feeding() -> None:
    hands = [[card(-3, "horns")], [card(2, "horns")], [NOTHING]]
    rows = [[board("long-neck", population=3)], [board("fertile", population=2)], [board("climbing", "carnivore")]]
    players = [player(seat, row, hand) for seat, row, hand in zip((1, 2, 3), rows, hands, strict=True)]
    game = choosing_game(*players, watering_hole=1)
    assert changes_by_plays(game, CardPlay(0), CardPlay(0), CardPlay(0)) == {
        1: player(1, [board("long-neck", population=3, food=2)]),
        2: player(2, [board("fertile", population=3)]),
        3: player(3, [board("climbing", "carnivore")]),
        "watering_hole": 0,
    }


# The end of a turn.


def ended(*players: Player, deck: int = 122) -> dict[int | str, object]:
    return changed(table_of(*players, watering_hole=4, deck=DECK[:deck]), turn.end)


def test_the_unfed_animals_go_and_the_food_goes_to_the_bag() -> None:
    assert ended(
        player(1, [board("horns", body=4, population=5, food=2), board(population=3, food=3)], bag=10), player(2)
    ) == {1: player(1, [board("horns", body=4, population=2), board(population=3)], bag=15)}


def test_fat_stays_at_the_end_of_a_turn() -> None:
    assert ended(player(1, [board("fat-tissue", body=4, population=5, food=1, fat_food=4)])) == {
        1: player(1, [board("fat-tissue", body=4, population=1, fat_food=4)], bag=1)
    }


def test_an_unfed_board_dies_out_with_its_fat_and_brings_two_cards() -> None:
    fat = board("fat-tissue", body=4, population=5, fat_food=4)
    assert ended(player(1, [fat, board("horns", food=1)], hand=[NOTHING], bag=2)) == {
        1: player(1, [board("horns")], hand=[*DECK[:2], NOTHING], bag=3),
        "deck": DECK[2:],
    }


def test_each_extinction_puts_its_cards_in_front_of_those_before() -> None:
    boards = [board("horns"), FED, board("climbing"), board("ambush"), board("fertile", food=1)]
    assert ended(player(1, boards, hand=[NOTHING])) == {
        1: player(1, [board(), board("fertile")], hand=[*DECK[4:6], *DECK[2:4], *DECK[:2], NOTHING], bag=2),
        "deck": DECK[6:],
    }


def test_the_cards_for_extinctions_come_in_turn_order() -> None:
    assert ended(player(3, [board(), board()]), player(1, [FED]), player(2, [board()]), deck=5) == {
        3: player(3, hand=[*DECK[2:4], *DECK[:2]]),
        1: player(1, [board()], bag=1),
        2: player(2, hand=DECK[4:5]),
        "deck": (),
    }


def test_the_first_player_moves_to_the_end_of_the_order() -> None:
    game = feeding_game([FED], [FED], [board()], [FED], watering_hole=3)
    game.phase = "fed"
    assert changed(game, go_on) == {
        1: player(1, [board()], DECK[14:18], bag=1),
        2: player(2, [board()], DECK[2:6], bag=1),
        3: player(3, [board()], DECK[6:10] + DECK[:2]),
        4: player(4, [board()], DECK[10:14], bag=1),
        "deck": DECK[18:],
        "order": [2, 3, 4, 1],
        "turn": 2,
    }


# Score and ranking.


def test_the_score_is_the_bag_the_animals_and_the_traits() -> None:
    boards = [board("horns", "climbing", population=3, body=7, food=2), board("fat-tissue", body=5, fat_food=5)]
    assert player(1, boards, DECK[:3], bag=10).score == 10 + 3 + 2 + 1 + 1
    assert player(1).score == 0


def test_equal_scores_share_a_rank_and_the_next_one_skips() -> None:
    game = table_of(
        player(4, bag=3), player(3, bag=7), player(5, bag=3), player(1, bag=7), player(2, bag=2), watering_hole=0
    )
    assert turn.ranking(game) == (
        Standing(1, "Ada", 1, 7),
        Standing(3, "Cyd", 1, 7),
        Standing(4, "Dan", 3, 3),
        Standing(5, "Eve", 3, 3),
        Standing(2, "Bob", 5, 2),
    )


def test_the_expelled_are_listed_last_with_their_fault_and_without_a_score() -> None:
    late, loud = Fault(Reason.TIMEOUT, "silent for 5.0 s"), Fault(Reason.EXCEPTION, "raised KeyError")
    game: Game = table_of(player(3), watering_hole=0)
    game.expelled = [(4, late), (1, loud)]
    assert turn.ranking(game) == (
        Standing(3, "Cyd", 1, 0),
        Standing(1, "Ada", None, None, loud),
        Standing(4, "Dan", None, None, late),
    )
