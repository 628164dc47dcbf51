"""Replies and decks as numbers come back as they were."""

from contextlib import suppress
from random import Random

import pytest

from tests.cases import case
from wateringhole.agents.bad import GALLERY
from wateringhole.agents.house import named
from wateringhole.cards import DECK, shuffled
from wateringhole.fault import Fault, Reason
from wateringhole.moves import (
    MAX_NUMBER,
    Attack,
    CardPlay,
    Decline,
    Graze,
    Growth,
    NewBoard,
    Replacement,
    Reply,
    StoreFat,
)
from wateringhole.packed import packed_deck, packed_replies, unpacked_deck, unpacked_replies
from wateringhole.table import play

FULL = CardPlay(
    MAX_NUMBER,
    (Growth(0, 127), Growth(128, 1)),
    (Growth(16_383, 16_384),),
    (NewBoard(2, (3, 300, MAX_NUMBER)), NewBoard(0)),
    (Replacement(1, 2, 3),),
)
MOVES: list[Reply] = [
    *(FULL, CardPlay(0), Graze(0), Graze(MAX_NUMBER), StoreFat(1, 200), Attack(1, 8, MAX_NUMBER), Decline()),
    *(Fault(Reason.TIMEOUT, "silent for 5 s"), Fault(Reason.SHAPE, "says \N{SNOWMAN}", "shape", "feed")),
]


def test_every_kind_of_reply_comes_back_from_every_seat() -> None:
    replies = tuple((seat, reply) for seat in range(1, 9) for reply in MOVES)
    assert unpacked_replies(*packed_replies(replies)) == replies
    assert unpacked_replies([], []) == ()


def test_whole_games_come_back() -> None:
    for number in range(60):
        with case(number):
            agents = [named("rash", f"{number}:1"), named("greedy", ""), named("hunter", "")]
            agents.append(named(f"bad:{list(GALLERY)[number % len(GALLERY)]}", ""))
            record = play(agents, shuffled(number)).record
            assert unpacked_deck(packed_deck(record.deck)) == record.deck
            assert unpacked_replies(*packed_replies(record.replies)) == record.replies


def test_what_was_not_packed_is_a_sentence() -> None:
    data, faults = packed_replies(tuple((seat, reply) for seat in (1, 2) for reply in MOVES))
    for words, bad, said in (
        ("in the middle of one", packed_replies(((1, FULL),))[0][:-1], []),
        ("Graze.board is 2147483648, not from 0", [0x11, MAX_NUMBER + 1], []),
        ("Graze.board is -1, not from 0", [0x11, -1], []),
        ("no kind of reply 7", [0x71], []),
        ("no kind of reply -1", [-1], []),
        ("a fault is missing", [0x51], []),
        ("more faults than replies", [0x11, 0], [Fault(Reason.TIMEOUT, "late")]),
    ):
        with case(words), pytest.raises(ValueError, match=words):
            unpacked_replies(bad, said)
    for order in (-1, len(DECK)):
        with case(order), pytest.raises(ValueError, match=f"is {order}, not one of the 122"):
            unpacked_deck([0, order])
    dice = Random(7)
    for _ in range(2_000):
        changed = data[: dice.randrange(1, len(data))]
        for _ in range(3):
            changed[dice.randrange(len(changed))] = dice.choice([dice.randrange(256), -1, 2**40])
        with suppress(ValueError):  # and nothing else
            unpacked_replies(changed, faults[: len(faults) // 2])
