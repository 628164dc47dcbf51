"""However a network cuts a reply or glues two together, the same values come out and mean the same moves.

The replies are those of whole games: every seat's answer is written down as a client of the dialect would spell it.
"""

import json
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

import pytest

from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.fault import Fault
from wateringhole.moves import CardPlay, Move, Reply
from wateringhole.table import ask
from wateringhole.view import Feed, Request, request
from wateringhole.wire.dialect import Ask, Dialect, hold, talk
from wateringhole.wire.framing import Json, Reader, parse
from wateringhole.wire.hello import Hello
from wateringhole.wire.json_codec import action4_out, feeding_out
from wateringhole.wire.s16 import S16
from wateringhole.wire.tagged import Tagged

DIALECTS: Final[dict[str, Callable[[], Dialect]]] = {"s16": S16, "hello": Hello, "tagged": Tagged}
PLAYS: Final = 200
FEEDINGS: Final = 30
"""How many different replies are recorded in each dialect."""

GAP: Final = 0.049
"""Seconds between two chunks: the longest that must not matter."""


class Said(NamedTuple):
    """One reply of a game: what was asked, the move that was meant, and the bytes that said it."""

    request: Request
    move: Move
    most: int | None
    text: bytes


def spelt(dialect: str, asked: Request, move: Move, growth_tags: bool) -> Json:
    """The move as a client of this dialect says it."""
    if isinstance(move, CardPlay):
        said = action4_out(move, growth_tags or dialect == "tagged")
    else:
        assert isinstance(asked, Feed)
        said = feeding_out(move, [other.seat for other in asked.others])
    if dialect == "tagged":
        return ["play" if isinstance(move, CardPlay) else "feeding", said]
    return said


def written(value: Json, manner: int) -> bytes:
    """The value close together, as most programs write it, or over many lines."""
    if manner == 0:
        return json.dumps(value, separators=(",", ":")).encode()
    return json.dumps(value, indent=1 if manner == 2 else None).encode()


@cache
def recorded(dialect: str) -> tuple[Said, ...]:
    """Different replies of silly and rash agents, each of which came through the dialect as the move that it was."""
    random = Random(f"replies in {dialect}")
    plays: dict[bytes, Said] = {}
    feedings: dict[bytes, Said] = {}
    seed = 0
    while len(plays) < PLAYS or len(feedings) < FEEDINGS:
        players = 3 + seed % 6
        agents: list[Agent] = [Silly() if seat % 3 == 0 else Rash(f"{seed} {seat}") for seat in range(players)]
        game = new_game([f"player {seat}" for seat in range(players)], shuffled(f"{dialect} {seed}"))
        while pending(game):
            seat = pending(game)[0]
            asked = request(game, seat)
            said = _answered(dialect, asked, agents[seat - 1], random)
            (feedings if isinstance(asked, Feed) else plays).setdefault(said.text, said)
            answer(game, seat, said.move)
        assert game.expelled == []
        seed += 1
    replies = [*list(plays.values())[:PLAYS], *list(feedings.values())[:FEEDINGS]]
    random.shuffle(replies)
    return tuple(replies)


def _answered(dialect: str, asked: Request, agent: Agent, random: Random) -> Said:
    move = ask(agent, asked)
    assert not isinstance(move, Fault)
    text = written(spelt(dialect, asked, move, random.random() < 0.5), random.randrange(3))
    asks: list[Ask] = []

    def spoken(question: Ask) -> Json:
        asks.append(question)
        return parse(text)

    assert hold(talk(DIALECTS[dialect](), asked), asked, spoken) == move
    return Said(asked, move, asks[0].most, text)


def meant(dialect: str, asked: Request, value: Json) -> Reply:
    """What this value means as an answer in this dialect."""
    return hold(talk(DIALECTS[dialect](), asked), asked, lambda _: value)


def read(said: list[Said], *chunks: bytes) -> list[bytes]:
    """The texts that a line would get out of these chunks, while it waits for one of these replies after the other."""
    reader, texts, now = Reader(), list[bytes](), 0.0

    def look() -> None:
        while len(texts) < len(said) and (text := reader.take(now, said[len(texts)].most)) is not None:
            texts.append(text)

    for chunk in chunks:
        now += GAP
        reader.feed(chunk, now)
        look()
    due = reader.due()
    if due is not None:
        now = due
        look()
    assert reader.held == 0
    return texts


def glued(first: Said, second: Said) -> bytes:
    """Two replies with nothing in between, unless that would make one word or number of them."""
    bare = first.text[-1:].isalnum() and second.text[:1].isalnum()
    return first.text + (b"\n" if bare else b"") + second.text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_recorded_replies_are_different_and_of_every_kind(dialect: str) -> None:
    said = recorded(dialect)
    assert len({reply.text for reply in said}) == PLAYS + FEEDINGS
    assert {type(reply.move).__name__ for reply in said} == {"CardPlay", "Graze", "StoreFat", "Attack", "Decline"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_reply_cut_at_any_byte_is_the_same_reply(dialect: str) -> None:
    cases = 0
    for reply in recorded(dialect):
        for cut in range(1, len(reply.text)):
            assert read([reply], reply.text[:cut], reply.text[cut:]) == [reply.text], (reply.text, cut)
            cases += 1
        assert meant(dialect, reply.request, parse(reply.text)) == reply.move
    assert cases >= 10_000


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_reply_cut_at_any_two_bytes_is_the_same_reply(dialect: str) -> None:
    random, cases = Random(f"cuts in {dialect}"), 0
    for reply in recorded(dialect):
        for _ in range(len(reply.text)):
            first, second = sorted(random.choices(range(len(reply.text) + 1), k=2))
            chunks = (reply.text[:first], reply.text[first:second], reply.text[second:])
            assert read([reply], *chunks) == [reply.text], chunks
            cases += 1
    assert cases >= 10_000


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_reply_that_comes_byte_by_byte_is_the_same_reply(dialect: str) -> None:
    for reply in recorded(dialect):
        assert read([reply], *(bytes([byte]) for byte in reply.text)) == [reply.text]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_two_replies_in_one_chunk_are_the_same_two_replies(dialect: str) -> None:
    for first, second in pairwise(recorded(dialect)):
        assert read([first, second], glued(first, second)) == [first.text, second.text]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_two_replies_together_cut_at_any_byte_are_the_same_two_replies(dialect: str) -> None:
    cases = 0
    for first, second in pairwise(recorded(dialect)):
        both = glued(first, second)
        for cut in range(1, len(both), 3):
            assert read([first, second], both[:cut], both[cut:]) == [first.text, second.text], (both, cut)
            cases += 1
    assert cases >= 7_000


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_whole_game_of_replies_in_one_stream_is_read_in_order(dialect: str) -> None:
    said = recorded(dialect)
    stream = b"\n".join(reply.text for reply in said)
    for size in (1, 2, 3, 7, 64, 1_460, len(stream)):
        chunks = (stream[at : at + size] for at in range(0, len(stream), size))
        texts = read(list(said), *chunks)
        assert texts == [reply.text for reply in said]
        assert [meant(dialect, reply.request, parse(text)) for reply, text in zip(said, texts, strict=True)] == [
            reply.move for reply in said
        ]
