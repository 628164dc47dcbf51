"""The silly player, as the rule book describes it."""

import pytest

from tests.scenario import board, choosing_game, feeding_game, player
from wateringhole.agents.silly import Silly, card_play
from wateringhole.cards import DECK, Card, card
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.species import Species
from wateringhole.view import Choose, Feed, request

FED = board(food=1)
CLIMBER = board("climbing")
SIX = (
    card(3, "horns"),
    card(-3, "ambush"),
    card(0, "carnivore"),
    card(-1, "carnivore"),
    card(2, "warning-call"),
    card(1, "ambush"),
)


def chooses(*boards: Species, hand: tuple[Card, ...]) -> CardPlay:
    asked = request(choosing_game(player(1), player(2, boards, hand), player(3)), 2)
    assert isinstance(asked, Choose)
    return Silly().choose(asked)


def feeds(*boards: Species, others: tuple[tuple[Species, ...], ...] = (), watering_hole: int = 9) -> Feeding:
    """What the silly player on seat 1 feeds; the others sit on seats 2, 3, ..."""
    asked = request(feeding_game(boards, *others, watering_hole=watering_hole), 1)
    assert isinstance(asked, Feed)
    return Silly().feed(asked)


# Choosing.


def test_it_uses_its_cards_in_card_order_all_for_one_new_board() -> None:
    assert chooses(board("horns"), board(), hand=SIX) == CardPlay(
        food=1,
        population=(Growth(2, 2),),
        body=(Growth(2, 0),),
        boards=(NewBoard(5, (3,)),),
        traits=(Replacement(2, 0, 4),),
    )


def test_it_uses_as_many_cards_as_it_has() -> None:
    new = (NewBoard(2, (1,)),)
    assert chooses(hand=SIX[1:4]) == CardPlay(0, boards=new)
    assert chooses(hand=SIX[1:5]) == CardPlay(0, boards=new, population=(Growth(0, 3),))
    five = (*SIX[1:4], SIX[0], SIX[4])
    assert chooses(hand=five) == CardPlay(0, boards=new, population=(Growth(0, 3),), body=(Growth(0, 4),))


def test_it_keeps_what_is_more_than_six_cards() -> None:
    hand = (*SIX, card(3, "warning-call"), card(-2, "ambush"))
    assert chooses(hand=hand) == CardPlay(
        food=1,
        population=(Growth(0, 3),),
        body=(Growth(0, 2),),
        boards=(NewBoard(7, (5,)),),
        traits=(Replacement(0, 0, 0),),
    )


def test_equal_cards_keep_their_order() -> None:
    twice = card(0, "horns")
    assert card_play((), (twice, card(-1, "horns"), twice, twice)) == CardPlay(
        1, boards=(NewBoard(0, (2,)),), population=(Growth(0, 3),)
    )


# Feeding, first: fat.


def test_the_greatest_fat_need_comes_first() -> None:
    small, great = board("fat-tissue", body=4, fat_food=2, population=7), board("fat-tissue", body=3)
    assert feeds(board(population=7), small, great) == StoreFat(2, 3)
    assert feeds(great, small) == StoreFat(0, 3)


def test_fat_is_stored_as_far_as_the_watering_hole_goes() -> None:
    small, great = board("fat-tissue", body=4, population=7), board("fat-tissue", body=5)
    assert feeds(small, great, watering_hole=4) == StoreFat(1, 4)
    assert feeds(small, great, watering_hole=1) == StoreFat(1, 1)


@pytest.mark.parametrize(
    ("less", "more"),
    [
        (
            board("fat-tissue", body=7, population=2, food=2, fat_food=6),
            board("fat-tissue", body=1, population=3, food=0),
        ),
        (
            board("fat-tissue", body=7, population=3, food=1, fat_food=6),
            board("fat-tissue", body=1, population=3, food=2),
        ),
        (
            board("fat-tissue", body=4, population=3, food=2, fat_food=3),
            board("fat-tissue", body=5, population=3, food=2, fat_food=4),
        ),
    ],
)
def test_of_equal_fat_needs_the_larger_board_wins(less: Species, more: Species) -> None:
    assert feeds(less, more) == StoreFat(1, 1)
    assert feeds(more, less) == StoreFat(0, 1)


def test_of_equal_boards_with_fat_need_the_leftmost_wins() -> None:
    assert feeds(FED, board("fat-tissue", body=2), board("fat-tissue", body=2)) == StoreFat(1, 2)


def test_a_full_fat_tissue_is_passed_over() -> None:
    assert feeds(board("fat-tissue", body=2, fat_food=2, food=1), FED, board()) == Graze(2)


def test_a_carnivore_stores_fat_too() -> None:
    assert feeds(board(), board("fat-tissue", "carnivore", body=2), others=((FED,),)) == StoreFat(1, 2)


# Second: vegetarians.


@pytest.mark.parametrize(
    ("less", "more"),
    [
        (board(population=3, food=2, body=7), board(population=4)),
        (board(population=4, food=1, body=7), board(population=4, food=2)),
        (board(population=4, food=2, body=6), board(population=4, food=2, body=7)),
    ],
)
def test_the_largest_hungry_vegetarian_grazes(less: Species, more: Species) -> None:
    assert feeds(less, more) == Graze(1)
    assert feeds(more, less) == Graze(0)


def test_of_equal_vegetarians_the_leftmost_grazes() -> None:
    assert feeds(FED, board(population=2), board("horns", population=2)) == Graze(1)


def test_sated_boards_and_carnivores_are_passed_over_for_a_hungry_vegetarian() -> None:
    large = board("carnivore", population=7)
    assert feeds(board(population=7, food=7), large, board(), others=((FED,),)) == Graze(2)


# Third: carnivores.


@pytest.mark.parametrize(
    ("less", "more"),
    [
        (board("carnivore", population=3, food=2, body=7), board("carnivore", population=4)),
        (board("carnivore", population=4, food=1, body=7), board("carnivore", population=4, food=2)),
        (board("carnivore", population=4, food=2, body=6), board("carnivore", population=4, food=2, body=7)),
    ],
)
def test_the_largest_hungry_carnivore_attacks(less: Species, more: Species) -> None:
    assert feeds(less, more, others=((FED,),)) == Attack(1, 2, 0)
    assert feeds(more, less, others=((FED,),)) == Attack(0, 2, 0)


def test_of_equal_carnivores_the_leftmost_attacks() -> None:
    assert feeds(FED, board("carnivore"), board("carnivore"), others=((FED,),)) == Attack(1, 2, 0)


def test_a_sated_carnivore_does_not_attack() -> None:
    assert feeds(board("carnivore", population=7, food=7), board("carnivore"), others=((FED,),)) == Attack(1, 2, 0)


def test_a_smaller_carnivore_attacks_when_the_larger_finds_nothing() -> None:
    large, small = board("carnivore", population=7), board("carnivore", "climbing")
    assert feeds(large, small, others=((CLIMBER,),)) == Attack(1, 2, 0)


@pytest.mark.parametrize(
    ("less", "more"),
    [
        (board(population=3, food=3, body=7), board(population=4)),
        (board(population=4, food=1, body=7), board(population=4, food=2)),
        (board(population=4, food=2, body=6), board(population=4, food=2, body=7)),
    ],
)
def test_the_largest_board_that_it_may_attack_is_the_prey(less: Species, more: Species) -> None:
    beyond = board("climbing", population=7)
    assert feeds(board("carnivore"), others=((less, more), (less, beyond))) == Attack(0, 2, 1)
    assert feeds(board("carnivore"), others=((less,), (beyond, more))) == Attack(0, 3, 1)
    assert feeds(board("carnivore"), others=((more,), (beyond, less))) == Attack(0, 2, 0)


def test_of_equal_prey_the_first_players_leftmost_is_attacked() -> None:
    prey = board(population=2)
    assert feeds(board("carnivore"), others=((FED,), (FED, prey, prey), (prey,))) == Attack(0, 3, 1)


def test_the_first_player_is_the_one_after_it_in_turn_order() -> None:
    game = feeding_game([FED], [board("carnivore")], [FED], watering_hole=9)
    asked = request(game, 2)
    assert isinstance(asked, Feed)
    assert Silly().feed(asked) == Attack(0, 3, 0)


# Fourth: nothing.


def test_it_declines_when_no_carnivore_finds_prey() -> None:
    assert feeds(board("carnivore"), FED, others=((CLIMBER,), ())) == Decline()


def test_it_declines_when_all_are_sated() -> None:
    assert feeds(FED, board("carnivore", food=1), others=((FED,),)) == Decline()


def test_a_hand_may_be_larger_than_the_deck() -> None:
    """A harness deals whatever it likes."""
    hand = (DECK * 3)[1:]
    cards = sorted(range(len(hand)), key=lambda at: (hand[at].order, at))
    assert card_play((), hand) == CardPlay(
        cards[0],
        (Growth(0, cards[3]),),
        (Growth(0, cards[4]),),
        (NewBoard(cards[1], (cards[2],)),),
        (Replacement(0, 0, cards[5]),),
    )
