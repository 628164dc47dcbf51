"""What is a move in every part, and what cannot be built at all: types alone bind no agent."""

import pickle
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from tests.cases import case
from wateringhole import rulebook
from wateringhole.fault import Fault, Reason
from wateringhole.forms import move_of, reply_of, written
from wateringhole.moves import (
    MAX_NUMBER,
    Attack,
    CardPlay,
    Decline,
    Graze,
    Growth,
    Move,
    NewBoard,
    Replacement,
    StoreFat,
    reply_in,
)
from wateringhole.species import Species
from wateringhole.traits import Trait
from wateringhole.value import replace

MOVES: list[Move] = [
    Decline(),
    Graze(0),
    StoreFat(0, 0),
    Attack(99, 0, 7),
    Attack(MAX_NUMBER, 1, 2),
    CardPlay(0),
    CardPlay(
        5,
        (Growth(0, 0), Growth(1, 2)),
        (Growth(3, 4),),
        (NewBoard(6), NewBoard(7, (8, 9, 10))),
        (Replacement(11, 12, 13),),
    ),
]

# One number of a move, in every place where there is one.
PLACES: list[Callable[[Any], Move]] = [
    Graze,
    lambda number: StoreFat(number, 0),
    lambda number: StoreFat(0, number),
    lambda number: Attack(number, 0, 0),
    lambda number: Attack(0, number, 0),
    lambda number: Attack(0, 0, number),
    CardPlay,
    lambda number: CardPlay(0, population=(Growth(number, 0),)),
    lambda number: CardPlay(0, population=(Growth(0, 1), Growth(0, number))),
    lambda number: CardPlay(0, body=(Growth(number, 0),)),
    lambda number: CardPlay(0, body=(Growth(0, number),)),
    lambda number: CardPlay(0, boards=(NewBoard(number),)),
    lambda number: CardPlay(0, boards=(NewBoard(0, (1, number)),)),
    lambda number: CardPlay(0, traits=(Replacement(number, 0, 0),)),
    lambda number: CardPlay(0, traits=(Replacement(0, number, 0),)),
    lambda number: CardPlay(0, traits=(Replacement(0, 0, number),)),
]


def anything(value: object) -> Any:
    """The value without its type, as a careless agent hands it over."""
    return value


def test_a_move_of_natural_numbers_is_taken_as_it_is() -> None:
    for move in MOVES:
        with case(move):
            assert reply_in(move, "choose") is move
            assert reply_in(move, "feed") is move


def test_a_move_is_the_same_after_its_way_through_json_and_pickle() -> None:
    for move in MOVES:
        with case(move):
            assert move_of(written(move)) == move
            assert pickle.loads(pickle.dumps(move)) == move  # noqa: S301  our own
            assert hash(move_of(written(move))) == hash(move)


def test_a_move_says_how_it_could_be_made_again() -> None:
    for move in MOVES:
        with case(move):
            assert eval(repr(move)) == move  # noqa: S307  our own


def test_moves_are_equal_when_all_their_parts_are() -> None:
    for one, other in product(MOVES, MOVES):
        with case(one, other):
            assert (one == other) == (one is other)


def test_a_board_with_other_traits_has_their_bits() -> None:
    horned = Species(2, traits=(Trait.HORNS,))
    assert replace(horned, traits=(Trait.AMBUSH,)) == Species(2, traits=(Trait.AMBUSH,))
    assert replace(horned, population=3) == Species(3, traits=(Trait.HORNS,))


def test_a_move_cannot_be_changed_but_replaced() -> None:
    play = CardPlay(0, body=(Growth(0, 1),))
    with pytest.raises(AttributeError):
        anything(play).food = 3
    with pytest.raises(AttributeError):
        anything(play.body[0]).card = 3
    assert replace(play, food=3) == CardPlay(3, body=(Growth(0, 1),))
    assert play == CardPlay(0, body=(Growth(0, 1),))


def test_a_move_with_a_number_below_0_or_above_the_most_cannot_be_built() -> None:
    for build, number in product(PLACES, (-1, -(2**70), MAX_NUMBER + 1, 2**70)):
        refused = pytest.raises(ValueError, match=rf"has a number that is not from 0 to {MAX_NUMBER}")
        with case(build(9), number), refused:
            build(number)


def test_a_move_with_anything_but_a_whole_number_cannot_be_built() -> None:
    rows: list[object] = [1.0, 0.5, "1", None, [1], (), float("nan")]
    for build, number in product(PLACES, rows):
        with case(build(9), number), pytest.raises(TypeError):
            build(number)


def test_true_is_the_number_1_to_python_and_here() -> None:
    for build in PLACES:
        with case(build(9)):
            assert build(True) == build(1)
            assert "true" not in str(written(build(True))).lower()


def test_the_parts_of_a_card_play_come_in_tuples() -> None:
    rows: list[Callable[[], Move]] = [
        lambda: CardPlay(0, population=anything(None)),
        lambda: CardPlay(0, body=anything(3)),
        lambda: CardPlay(0, boards=anything("no")),
        lambda: CardPlay(0, population=anything([Growth(0, 1)])),
        lambda: CardPlay(0, body=anything([Growth(0, 1)])),
        lambda: CardPlay(0, boards=anything([NewBoard(1)])),
        lambda: CardPlay(0, traits=anything([Replacement(0, 0, 1)])),
        lambda: CardPlay(0, boards=(NewBoard(1, anything(2)),)),
        lambda: CardPlay(0, boards=(NewBoard(1, anything([2])),)),
        lambda: CardPlay(0, traits=anything(object())),
    ]
    for number, build in enumerate(rows):
        with case(number), pytest.raises(TypeError):
            build()


def test_a_card_play_is_made_of_the_right_parts() -> None:
    rows: list[Callable[[], Move]] = [
        lambda: CardPlay(0, population=anything((0, 1))),
        lambda: CardPlay(0, population=anything(((0, 1),))),
        lambda: CardPlay(0, population=anything((Replacement(0, 0, 1),))),
        lambda: CardPlay(0, body=anything((NewBoard(1),))),
        lambda: CardPlay(0, body=anything((Replacement(0, 0, 1),))),
        lambda: CardPlay(0, boards=anything((Growth(0, 1),))),
        lambda: CardPlay(0, traits=anything((Growth(0, 1),))),
    ]
    for number, build in enumerate(rows):
        with case(number), pytest.raises((TypeError, AttributeError)):
            build()


class Almost:
    """Has all that a number or a part of a move has, and is none."""

    def __init__(self, **parts: object) -> None:
        vars(self).update(parts)

    def __or__(self, _: object) -> "Almost":
        return self

    __ror__ = __or__

    def __le__(self, _: object) -> bool:
        return True

    __ge__ = __le__


def test_what_only_behaves_like_a_number_is_none() -> None:
    for build in PLACES:
        with case(build(9)), pytest.raises(TypeError):
            build(Almost())


@pytest.mark.parametrize("kind", ["population", "body", "boards", "traits"])
def test_what_only_looks_like_a_part_is_none(kind: str) -> None:
    part = Almost(board=0, card=1, slot=0, pay=1, traits=(2,))
    with pytest.raises(TypeError):
        CardPlay(0, **{kind: anything((part,))})


def test_a_new_board_has_three_traits_at_most() -> None:
    assert CardPlay(0, boards=(NewBoard(1, (2, 3, 4)),))
    with pytest.raises(ValueError, match="has more than 3 traits"):
        CardPlay(0, boards=(NewBoard(1, (2, 3, 4, 5)),))


def test_what_is_no_move_is_a_fault_of_shape() -> None:
    rows: list[tuple[object, str]] = [
        (None, "null"),
        (0, "0"),
        (False, "false"),
        ("decline", '"decline"'),
        ("d\u00e9j\u00e0 \u202e\ud800", '"d\u00e9j\u00e0 \\u202e\\ud800"'),
        ([0, 1], "[0, 1]"),
        ((0, {"board": None}), '[0, {"board": null}]'),
        (b"[]", "an object of the class bytes"),
        (Decline, "the class Decline"),
        (Growth(0, 1), "an object of the class Growth"),
    ]
    for answer, shown in rows:
        with case(shown):
            text = f"with {shown}: not a move"
            assert reply_in(answer, "feed") == Fault(Reason.SHAPE, f"answers feed {text}", rulebook.OPTIONS, "feed")
            assert reply_in(answer, "choose") == Fault(
                Reason.SHAPE, f"answers choose {text}", rulebook.PLAY_SHAPE, "choose"
            )


def test_a_fault_is_told_on_for_the_request_that_it_answers() -> None:
    fault = Fault(Reason.TIMEOUT, "took 9 s", rulebook.EXPULSION)
    assert reply_in(fault, "feed") == Fault(Reason.TIMEOUT, "took 9 s", rulebook.EXPULSION, "feed")
    assert reply_of(written(fault)) == fault


def test_a_long_value_is_cut() -> None:
    fault = reply_in("x" * 500, "feed")
    assert isinstance(fault, Fault)
    assert fault.text == f'answers feed with "{"x" * 76}...: not a move'
