"""What is a move in every part, and what cannot be built at all: types alone bind no agent."""

import pickle
from collections.abc import Callable
from itertools import product
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from tests.cases import case
from wateringhole import rulebook
from wateringhole.fault import Fault, Reason
from wateringhole.move_json import ITEMS, MoveJson, ReplyJson, dec_hook, enc_hook, written
from wateringhole.move_json import MOVES as MOVE_CLASSES
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
from wateringhole.value import COMPILED, replace

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


def through_json(move: Move) -> Move:
    return msgspec.json.decode(
        msgspec.json.encode(MoveJson(move), enc_hook=enc_hook), type=MoveJson, dec_hook=dec_hook
    ).value


def test_a_move_is_the_same_after_its_way_through_json_and_pickle() -> None:
    for move in MOVES:
        with case(move):
            assert through_json(move) == move
            assert pickle.loads(pickle.dumps(move)) == move  # noqa: S301  our own
            assert hash(through_json(move)) == hash(move)


@pytest.mark.skipif(COMPILED, reason="compiled functions have no annotations")
def test_the_json_of_moves_knows_the_type_of_every_field() -> None:
    for kind in (*MOVE_CLASSES.values(), Growth, NewBoard, Replacement):
        hints = get_type_hints(kind.__init__)
        for name in kind.__match_args__:
            with case(kind, name):
                if (kind, name) in ITEMS:
                    assert get_args(hints[name]) == (ITEMS[kind, name], ...)
                else:
                    assert hints[name] is int


def test_a_move_says_how_it_could_be_made_again() -> None:
    for move in MOVES:
        with case(move):
            assert eval(repr(move)) == move  # noqa: S307  our own


def test_moves_are_equal_when_all_their_parts_are() -> None:
    for one, other in product(MOVES, MOVES):
        with case(one, other):
            assert (one == other) == (one is other)


def test_a_move_is_replaced_by_another_one() -> None:
    play = CardPlay(0, body=(Growth(0, 1),))
    assert replace(play, food=3) == CardPlay(3, body=(Growth(0, 1),))
    assert play == CardPlay(0, body=(Growth(0, 1),))


def test_a_move_with_a_number_below_0_or_above_the_most_cannot_be_built() -> None:
    for build, number in product(PLACES, (-1, -(2**70), MAX_NUMBER + 1, 2**70)):
        refused = pytest.raises(ValueError, match=rf" (is|has) {number}, not from 0 to {MAX_NUMBER}$")
        with case(build(9), number), refused:
            build(number)


def test_a_move_with_anything_but_a_whole_number_cannot_be_built() -> None:
    rows: list[object] = [1.0, 0.5, "1", None, [1], (), float("nan"), True, False]
    for build, number in product(PLACES, rows):
        with case(build(9), number), pytest.raises(TypeError):
            build(number)


NATURAL = f"not from 0 to {MAX_NUMBER}"

REFUSALS: list[tuple[Callable[..., object], dict[str, object], str]] = [
    (Graze, {"board": -1}, f"Graze.board is -1, {NATURAL}"),
    (Graze, {"board": 1.0}, "Graze.board is 1.0, not of the type int"),
    (Graze, {"board": None}, "Graze.board is None, not of the type int"),
    (StoreFat, {"board": 0, "tokens": "2"}, "StoreFat.tokens is '2', not of the type int"),
    (StoreFat, {"board": 2**31, "tokens": 1}, f"StoreFat.board is 2147483648, {NATURAL}"),
    (Attack, {"board": 0, "seat": 1, "target": True}, "Attack.target is True, not of the type int"),
    (Attack, {"board": 0, "seat": [1], "target": 0}, "Attack.seat is [1], not of the type int"),
    (Growth, {"board": 0, "card": "a"}, "Growth.card is 'a', not of the type int"),
    (Replacement, {"board": 0, "slot": -1, "card": 0}, f"Replacement.slot is -1, {NATURAL}"),
    (NewBoard, {"pay": False}, "NewBoard.pay is False, not of the type int"),
    (NewBoard, {"pay": 0, "traits": [1]}, "NewBoard.traits is [1], not of the type tuple"),
    (NewBoard, {"pay": 0, "traits": 1}, "NewBoard.traits is 1, not of the type tuple"),
    (NewBoard, {"pay": 0, "traits": (1, "x")}, "NewBoard.traits has 'x', not of the type int"),
    (NewBoard, {"pay": 0, "traits": (1, -2)}, f"NewBoard.traits has -2, {NATURAL}"),
    (NewBoard, {"pay": 0, "traits": (1, 2, 3, 4)}, "NewBoard.traits has 4 cards, above 3: (1, 2, 3, 4)"),
    (CardPlay, {"food": True}, "CardPlay.food is True, not of the type int"),
    (CardPlay, {"food": 0, "population": []}, "CardPlay.population is [], not of the type tuple"),
    (CardPlay, {"food": 0, "population": None}, "CardPlay.population is None, not of the type tuple"),
    (CardPlay, {"food": 0, "body": (5,)}, "CardPlay.body has 5, not of the type Growth"),
    (CardPlay, {"food": 0, "body": Growth(0, 1)}, "CardPlay.body is Growth(board=0, card=1), not of the type tuple"),
    (CardPlay, {"food": 0, "boards": "no"}, "CardPlay.boards is 'no', not of the type tuple"),
    (
        CardPlay,
        {"food": 0, "boards": (NewBoard(1), Growth(0, 1))},
        "CardPlay.boards has Growth(board=0, card=1), not of the type NewBoard",
    ),
    (CardPlay, {"food": 0, "traits": ((0, 0, 1),)}, "CardPlay.traits has (0, 0, 1), not of the type Replacement"),
    (CardPlay, {"food": "x" * 500}, f"CardPlay.food is '{'x' * 79}, not of the type int"),
]


def test_a_move_that_cannot_be_built_says_which_field_is_what_and_what_it_wants() -> None:
    for kind, fields, text in REFUSALS:
        with case(text):
            with pytest.raises((TypeError, ValueError)) as refusal:
                kind(**fields)
            assert str(refusal.value) == text


def test_a_field_that_no_move_has_or_that_is_missing_is_named_with_the_class() -> None:
    rows: list[tuple[Callable[..., object], dict[str, object], str]] = [
        (CardPlay, {"food": 0, "fod": 1}, "fod"),
        (Graze, {}, "board"),
        (StoreFat, {"board": 0}, "tokens"),
    ]
    for kind, fields, named in rows:
        with case(kind, fields), pytest.raises(TypeError, match=rf"^(?=.*\b{kind.__name__}\b).*'{named}'"):
            kind(**fields)
    with pytest.raises(TypeError, match="CardPlay"):
        anything(CardPlay)(fod=1)


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


BAD_JSON: list[tuple[object, str]] = [
    ([0], '[0] is not an object whose "move" is one of play, graze, store, attack, decline'),
    ({"board": 0}, '{"board": 0} is not an object whose "move" is one of play, graze, store, attack, decline'),
    ({"move": []}, '{"move": []} is not an object whose "move" is one of play, graze, store, attack, decline'),
    ({"move": "nap"}, '{"move": "nap"} is not an object whose "move" is one of play, graze, store, attack, decline'),
    ({"move": "graze"}, "Graze lacks its field board"),
    ({"move": "graze", "board": 0, "seat": 1}, 'Graze has no field "seat", but board'),
    ({"move": "decline", "board": 0}, 'Decline has no field "board", but none'),
    ({"move": "graze", "board": 10**5_000}, f"Graze.board is an object of the class int, {NATURAL}"),
    ({"move": "graze", "board": True}, "Graze.board is True, not of the type int"),
    ({"move": "attack", "board": 0, "seat": 1, "target": -1}, f"Attack.target is -1, {NATURAL}"),
    ({"move": "play", "food": 0, "body": {}}, "CardPlay.body is {}, not an array"),
    ({"move": "play", "food": 0, "body": [1]}, "CardPlay.body[0]: 1 is not an object with the fields of Growth"),
    (
        {"move": "play", "food": 0, "boards": [{"pay": 1}, {"pay": 2, "traits": [0.5]}]},
        "CardPlay.boards[1]: NewBoard.traits has 0.5, not of the type int",
    ),
]


def test_json_that_is_no_move_is_refused_with_the_field_and_the_place() -> None:
    for value, text in BAD_JSON:
        with case(value):
            with pytest.raises(msgspec.ValidationError) as refusal:
                msgspec.convert([value], tuple[MoveJson], dec_hook=dec_hook)
            assert str(refusal.value) == f"{text} - at `$[0]`"


def test_a_bad_fault_in_json_is_refused() -> None:
    for value in ({"move": "fault"}, {"move": "fault", "reason": "mood", "text": "x"}):
        with case(value), pytest.raises(msgspec.ValidationError, match=r"reason.* - at `\$\[0\]`$"):
            msgspec.convert([value], tuple[ReplyJson], dec_hook=dec_hook)


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
    assert msgspec.convert(written(fault), ReplyJson, dec_hook=dec_hook).value == fault


def test_a_long_value_is_cut() -> None:
    fault = reply_in("x" * 500, "feed")
    assert isinstance(fault, Fault)
    assert fault.text == f'answers feed with "{"x" * 76}...: not a move'
