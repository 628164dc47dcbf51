"""The memo on how a dealer feeds species, as scenarios: its four cases, and its two ways for feeding to end."""

from tests.scenario import BUSY, board, changes, feeding_game, phase, player, take
from wateringhole.dealer import pending
from wateringhole.moves import Attack, Decline, Graze, StoreFat

FED = board(food=1)


def test_the_starting_player_is_asked_first_and_then_the_others_round_and_round() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    asked = []
    for _ in range(7):
        asked += pending(game)
        take(game, asked[-1], Graze(0))
    assert asked == [1, 2, 3, 1, 2, 3, 1]


def test_a_board_with_fat_tissue_stores_the_requested_amount_from_the_watering_hole() -> None:
    game = feeding_game([board("fat-tissue", body=4)], BUSY, BUSY, watering_hole=9)
    assert changes(game, 1, StoreFat(0, 3)) == {
        1: player(1, [board("fat-tissue", body=4, fat_food=3)]),
        "watering_hole": 6,
    }


def test_a_herbivore_takes_one_token_from_the_watering_hole() -> None:
    game = feeding_game([board(population=2)], BUSY, BUSY, watering_hole=9)
    assert changes(game, 1, Graze(0)) == {1: player(1, [board(population=2, food=1)]), "watering_hole": 8}


def test_a_carnivore_eats_and_the_attacked_species_loses_one_animal() -> None:
    game = feeding_game([board("carnivore", population=2)], BUSY, BUSY, watering_hole=9)
    assert changes(game, 1, Attack(0, seat=3, target=1)) == {
        1: player(1, [board("carnivore", population=2, food=1)]),
        3: player(3, [board(population=7), board(population=6)]),
        "watering_hole": 8,
    }


def test_a_player_who_chooses_to_feed_nothing_changes_nothing() -> None:
    assert changes(feeding_game(BUSY, BUSY, BUSY, watering_hole=9), 1, Decline()) == {}


def test_feeding_ends_when_no_food_is_left() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=2)
    take(game, 1, Graze(0))
    assert phase(game) == "feed"
    take(game, 2, Graze(0))
    assert (phase(game), pending(game)) == ("fed", [])


def test_feeding_ends_when_all_hungry_species_are_fed() -> None:
    game = feeding_game([board(), board()], [FED], [board()], watering_hole=9)
    take(game, 1, Graze(0))
    # The rest goes without a question: nobody has a choice any more.
    assert [game.players[seat].species for seat in (1, 2, 3)] == [(FED, FED), (FED,), (FED,)]
    assert (phase(game), pending(game), game.watering_hole) == ("fed", [], 6)
