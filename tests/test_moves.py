"""What is a move in every part: types alone bind no agent, so each of these could arrive from one."""

from typing import Any

import pytest

from wateringhole import rulebook
from wateringhole.moves import (
    Attack,
    CardPlay,
    Decline,
    Fault,
    Graze,
    Growth,
    Move,
    NewBoard,
    Reason,
    Replacement,
    StoreFat,
    sound,
)


def fault_of(answer: object) -> Fault:
    """The fault that this answer to feed is."""
    fault = sound(answer, "feed")
    assert type(fault) is Fault
    return fault


def anything(value: object) -> Any:
    """The value without its type, as a careless agent hands it over."""
    return value


@pytest.mark.parametrize(
    "move",
    [
        Decline(),
        Graze(0),
        StoreFat(0, 0),
        Attack(99, 0, 7),
        CardPlay(0),
        CardPlay(
            5,
            (Growth(0, 0), Growth(1, 2)),
            (Growth(3, 4),),
            (NewBoard(6), NewBoard(7, (8, 9, 10))),
            (Replacement(11, 12, 13),),
        ),
    ],
)
def test_a_move_of_natural_numbers_is_sound(move: Move) -> None:
    again = sound(move, "choose")
    assert type(again) is type(move)
    assert again == move


@pytest.mark.parametrize("value", [True, False, 1.0, 0.5, -1, "1", None, [1], (), float("nan")])
@pytest.mark.parametrize(
    ("build", "place"),
    [
        (Graze, "$.board"),
        (lambda wrong: StoreFat(wrong, 0), "$.board"),
        (lambda wrong: StoreFat(0, wrong), "$.tokens"),
        (lambda wrong: Attack(wrong, 0, 0), "$.board"),
        (lambda wrong: Attack(0, wrong, 0), "$.seat"),
        (lambda wrong: Attack(0, 0, wrong), "$.target"),
        (CardPlay, "$.food"),
        (lambda wrong: CardPlay(0, population=(Growth(wrong, 0),)), "$.population[0].board"),
        (lambda wrong: CardPlay(0, population=(Growth(0, 1), Growth(0, wrong))), "$.population[1].card"),
        (lambda wrong: CardPlay(0, body=(Growth(wrong, 0),)), "$.body[0].board"),
        (lambda wrong: CardPlay(0, body=(Growth(0, wrong),)), "$.body[0].card"),
        (lambda wrong: CardPlay(0, boards=(NewBoard(wrong),)), "$.boards[0].pay"),
        (lambda wrong: CardPlay(0, boards=(NewBoard(0, (1, wrong)),)), "$.boards[0].traits[1]"),
        (lambda wrong: CardPlay(0, traits=(Replacement(wrong, 0, 0),)), "$.traits[0].board"),
        (lambda wrong: CardPlay(0, traits=(Replacement(0, wrong, 0),)), "$.traits[0].slot"),
        (lambda wrong: CardPlay(0, traits=(Replacement(0, 0, wrong),)), "$.traits[0].card"),
    ],
)
def test_only_natural_numbers_count_wherever_they_stand(build: Any, place: str, value: object) -> None:
    move = build(value)
    fault = fault_of(move)
    assert fault.text.startswith(f"answers feed with {move!r:.80}: Expected `int`")
    assert fault.text.endswith(f" - at `{place}`")


@pytest.mark.parametrize(
    ("play", "place"),
    [
        (CardPlay(0, population=anything(None)), "$.population"),
        (CardPlay(0, body=anything(3)), "$.body"),
        (CardPlay(0, boards=anything("no")), "$.boards"),
        (CardPlay(0, population=anything((0, 1))), "$.population[0]"),
        (CardPlay(0, population=anything(((0, 1),))), "$.population[0]"),
        (CardPlay(0, body=anything((NewBoard(1),))), "$.body[0]"),
        (CardPlay(0, body=anything((Replacement(0, 0, 1),))), "$.body[0]"),
        (CardPlay(0, boards=anything((Growth(0, 1),))), "$.boards[0]"),
        (CardPlay(0, traits=anything((Growth(0, 1),))), "$.traits[0]"),
        (CardPlay(0, boards=(NewBoard(1, anything(2)),)), "$.boards[0].traits"),
        (CardPlay(0, boards=(NewBoard(1, (2, 3, 4, 5)),)), "$.boards[0].traits"),
    ],
)
def test_a_card_play_is_made_of_the_right_parts(play: CardPlay, place: str) -> None:
    fault = fault_of(play)
    assert fault.text.startswith("answers feed with CardPlay(")
    assert fault.text.endswith(f" - at `{place}`")


def test_a_value_that_no_wire_could_carry_is_a_fault() -> None:
    fault = fault_of(CardPlay(0, traits=anything(object())))
    assert (fault.reason, fault.rule, fault.during) == (Reason.SHAPE, rulebook.OPTIONS, "feed")


def test_lists_are_read_as_tuples() -> None:
    careless = CardPlay(0, population=anything([Growth(0, 1)]), boards=(NewBoard(2, anything([3])),))
    assert sound(careless, "choose") == CardPlay(0, population=(Growth(0, 1),), boards=(NewBoard(2, (3,)),))


@pytest.mark.parametrize(
    "answer", [None, 0, False, "decline", [0, 1], Decline, Growth(0, 1), Fault(Reason.TIMEOUT, "x", "y")]
)
def test_what_is_no_move_is_a_fault_of_shape(answer: object) -> None:
    text = f"with {answer!r}: not a move"
    assert sound(answer, "feed") == Fault(Reason.SHAPE, f"answers feed {text}", rulebook.OPTIONS, "feed")
    assert sound(answer, "choose") == Fault(Reason.SHAPE, f"answers choose {text}", rulebook.PLAY_SHAPE, "choose")


def test_a_long_value_is_cut() -> None:
    assert fault_of("x" * 500).text == f"answers feed with '{'x' * 79}: not a move"
