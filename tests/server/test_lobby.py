"""Who gets in, and who gets a seat again: real connections to a lobby."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.cases import case
from tests.server.strangers import HERE
from tests.server.unhurried import run
from wateringhole.cards import shuffled
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Limits
from wateringhole.server.game_session import GameSession
from wateringhole.server.lobby import Lobby, Tables
from wateringhole.server.participants import RemoteParticipant
from wateringhole.wire.names import MAX_NAME_CHARS, cleaned


class Caller:
    """One connection to the lobby."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    def say(self, value: object) -> None:
        self._writer.write(json.dumps(value).encode() + b"\n")

    async def write(self, data: bytes) -> None:
        """These bytes, in a segment of their own if the server keeps up."""
        self._writer.write(data)
        await self._writer.drain()
        await asyncio.sleep(0)

    async def hear(self) -> Any:
        """The next message, or None at the end."""
        line = await self._reader.readline()
        return json.loads(line) if line else None

    async def hear_type(self, kind: str) -> Any:
        """The next message of this type."""
        while (message := await self.hear())["type"] != kind:
            pass
        return message

    def close(self) -> None:
        self._writer.transport.abort()


@contextlib.asynccontextmanager
async def lobby(tables: Tables, limits: Limits = Limits(), rejoin: float = 60.0) -> AsyncIterator[Any]:  # noqa: B008
    """A lobby, and a function that calls it."""

    async def deal(guests: list[RemoteParticipant]) -> None:
        await GameSession(guests, shuffled(3)).play()

    place = Lobby(tables, TimeControl(None), deal, limits, rejoin)
    server = await asyncio.get_running_loop().create_server(place.new_connection, HERE, 0)
    port = server.sockets[0].getsockname()[1]
    callers: list[Caller] = []

    async def call() -> Caller:
        callers.append(Caller(*await asyncio.open_connection(HERE, port)))
        return callers[-1]

    try:
        yield call
    finally:
        for caller in callers:
            caller.close()
        server.close()
        await server.wait_closed()
        await place.close()


async def playing(call: Any) -> tuple[list[Caller], list[str]]:
    """Three native guests in a game that waits for their cards, and their tokens."""
    guests = [await call() for _ in range(3)]
    for guest in guests:
        guest.say({"wateringhole": 1, "name": "Ann"})
    tokens = [(await guest.hear_type("welcome"))["token"] for guest in guests]
    for guest in guests:
        await guest.hear_type("choose")
    return guests, tokens


def tampered(token: str) -> list[str]:
    """Tokens that are nearly the right one."""
    flipped = [token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :] for at in range(len(token))]
    return [token[:-1], token[1:], token + "A", token.swapcase(), token[::-1], " " + token, "é" + token, "x", *flipped]


def test_only_the_very_token_of_a_seat_brings_it_back() -> None:
    async def story() -> None:
        async with lobby(Tables(3, 3)) as call:
            guests, tokens = await playing(call)
            assert len(set(tokens)) == 3
            for token in tampered(tokens[0]):
                thief = await call()
                thief.say({"wateringhole": 1, "token": token})
                refusal = await thief.hear()
                assert (refusal["type"], refusal["text"]) == ("refused", "this token belongs to no seat")
                assert await thief.hear() is None
            back = await call()
            back.say({"wateringhole": 1, "token": tokens[0]})
            assert (await back.hear_type("choose"))["me"]["seat"] == 1
            while await guests[0].hear() is not None:
                pass  # the old connection is closed

    run(story())


def test_a_token_is_good_for_one_return() -> None:
    async def story() -> None:
        async with lobby(Tables(3, 3)) as call:
            _, tokens = await playing(call)
            first = await call()
            first.say({"wateringhole": 1, "token": tokens[1]})
            fresh = (await first.hear_type("welcome"))["token"]
            stale = await call()
            stale.say({"wateringhole": 1, "token": tokens[1]})
            assert (await stale.hear())["type"] == "refused"
            second = await call()
            second.say({"wateringhole": 1, "token": fresh})
            assert (await second.hear_type("choose"))["me"]["seat"] == 2

    run(story())


@pytest.mark.parametrize(
    ("hello", "text"),
    [
        ({"wateringhole": 2}, "version 2 is not spoken here"),
        (
            {"wateringhole": 1, "dialect": "klingon"},
            'no dialect "klingon"; known: s16, hello, tagged, requests, native',
        ),
        (
            {"wateringhole": 1, "dialect": "tagged", "select_food_card": True},
            "select_food_card is a question of requests, not of tagged",
        ),
        ({}, "is no sign-up"),
        ({"wateringhole": 1, "colour": "red"}, "is no sign-up"),
    ],
)
def test_a_sign_up_that_means_nothing_is_refused_with_a_sentence(hello: object, text: str) -> None:
    async def story() -> None:
        async with lobby(Tables()) as call:
            caller = await call()
            caller.say(hello)
            refusal = await caller.hear()
            assert (refusal["type"], refusal["versions"]) == ("refused", [1])
            assert text in refusal["text"]
            assert await caller.hear() is None

    run(story())


@pytest.mark.parametrize("value", [0, None, True, [], ["Ann"], 1.5])
def test_a_first_value_that_is_neither_a_name_nor_an_object_closes_the_line(value: object) -> None:
    async def story() -> None:
        async with lobby(Tables()) as call:
            caller = await call()
            caller.say(value)
            assert await caller.hear() is None

    run(story())


def test_a_native_sign_up_may_choose_another_dialect() -> None:
    async def story() -> None:
        async with lobby(Tables()) as call:
            for dialect, welcome in (("s16", "ok"), ("hello", "ack"), ("tagged", "ok"), ("requests", "ok")):
                caller = await call()
                caller.say({"wateringhole": 1, "name": "Ann", "dialect": dialect})
                assert await caller.hear() == welcome

    run(story())


def test_a_client_of_requests_is_asked_for_its_food_card_only_if_its_sign_up_says_so() -> None:
    async def story() -> None:
        async with lobby(Tables(3, 3)) as call:
            callers = [await call() for _ in range(3)]
            for caller, wish in zip(
                callers, ({}, {"select_food_card": False}, {"select_food_card": True}), strict=True
            ):
                caller.say({"wateringhole": 1, "name": "Ann", "dialect": "requests", **wish})
                assert await caller.hear() == "ok"
            for caller in callers:
                for question in ("for_boards", "on_boards", "for_body_size", "for_population"):
                    assert (await caller.hear())[0].endswith(question)
                    caller.say([])
            question, arguments = await callers[2].hear()
            assert (question, list(arguments)) == ("select_food_card", ["cards", "boards", "player", "opponents"])
            callers[2].say(arguments["cards"][-1])
            for caller in callers:
                assert (await caller.hear())[0] in {"select_species_order", "trade_cards_for_boards"}

    run(story())


def test_answers_ahead_of_their_questions_are_taken_in_order_within_a_move_of_requests() -> None:
    """However they are cut into writes; one more than the move has questions is unsolicited."""
    answers = b"[][] [][]"
    ways: list[list[bytes]] = [
        [answers],
        [answers + b" "],
        [answers[:5], answers[5:]],
        [b"[]"] * 4,
        [b"[", b"][", b"][][]"],
    ]

    async def story(pieces: list[bytes], extra: bool) -> None:
        async with lobby(Tables(3, 3)) as call:
            callers = [await call() for _ in range(3)]
            for caller in callers:
                caller.say({"wateringhole": 1, "dialect": "requests"})
                assert await caller.hear() == "ok"
            for caller in callers:
                assert (await caller.hear())[0] == "trade_cards_for_boards"
            for piece in pieces:
                await callers[0].write(piece)
            heard = [(await callers[0].hear())[0] for _ in range(3)]
            assert heard == ["place_cards_on_boards", "trade_cards_for_body_size", "trade_cards_for_population"]
            for caller in callers[1:]:
                await caller.write(answers)
            last = await callers[0].hear()
            assert last is None if extra else last[0] in {"select_species_order", "trade_cards_for_boards"}

    for pieces in ways:
        with case(pieces):
            run(story(pieces, extra=False))
    run(story([answers + b"[]"], extra=True))


def test_when_no_table_may_open_hello_hears_that_the_game_is_full_and_native_why() -> None:
    async def story() -> None:
        async with lobby(Tables(3, 3, games=1)) as call:
            await playing(call)
            late = await call()
            late.say("Hello")
            assert (await late.hear(), await late.hear()) == ("game full", None)
            later = await call()
            later.say({"wateringhole": 1})
            assert (await later.hear())["text"] == "no further table may open"
            last = await call()
            last.say("Ann")
            assert await last.hear() is None

    run(story())


def test_beyond_the_number_of_strangers_the_door_is_shut_until_one_has_left() -> None:
    async def story() -> None:
        async with lobby(Tables(), Limits(strangers=3)) as call:
            silent = [await call() for _ in range(3)]
            assert await (await call()).hear() is None
            silent[0].close()
            while True:  # the lobby hears of it a moment later
                caller = await call()
                caller.say("Ann")
                if await caller.hear() == "ok":
                    break

    run(story())


def test_beyond_the_number_of_connections_the_door_is_shut() -> None:
    async def story() -> None:
        async with lobby(Tables(8, 8), Limits(connections=4)) as call:
            for _ in range(4):
                caller = await call()
                caller.say("Ann")
                assert await caller.hear() == "ok"
            assert await (await call()).hear() is None

    run(story())


def test_two_hundred_silent_connections_keep_nobody_from_playing() -> None:
    async def story() -> None:
        async with lobby(Tables(3, 3)) as call:
            for _ in range(200):
                await call()
            guests, _ = await playing(call)
            assert len(guests) == 3

    run(story())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann", "Ann"),
        ("", ""),
        ("  Ann \n\t Lee ", "Ann Lee"),
        ("a\x00b\x1b[31mc", "a b [31mc"),
        ("x" * 1_000, "x" * MAX_NAME_CHARS),
        ("\u202eevil", "evil"),
        ("e\u0301", "\u00e9"),
        ("\U0001f600", "\U0001f600"),
    ],
)
def test_a_name_can_be_shown_anywhere(name: str, shown: str) -> None:
    assert cleaned(name) == shown
    assert cleaned(name).isprintable()
