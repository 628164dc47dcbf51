"""A client of the native dialect that loses its line and comes back, on the simulated network."""

import json
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
import pytest

from tests.cases import case
from wateringhole.agents.silly import Silly, card_play
from wateringhole.cards import Card, card
from wateringhole.fault import Reason
from wateringhole.move_json import MoveJson
from wateringhole.moves import Move
from wateringhole.player import Other
from wateringhole.server.connection import Limits
from wateringhole.species import Species
from wateringhole.store.finished_game import RETURN_SECONDS
from wateringhole.view import Feed, Own
from wateringhole.wire.framing import Json
from wateringhole.wire.native_messages import (
    VERSION,
    Answer,
    Board,
    ChooseAsked,
    Face,
    FeedAsked,
    Out,
    Over,
    Refused,
    ServerMessage,
    Welcome,
    server_message_in,
    value_of,
)

from .clients import THINK, Client
from .simulation import End, Simulation, simulation
from .verdict import check_record, reasons

SEED: Final = "s26"
GAP: Final = 0.25
GRACE: Final = 30.0
"""How long a seat is held for a client that lost its line."""


class Native:
    """A silly player that speaks the native dialect; `meets` is called with each message before it is answered.

    What it hears while it does not answer it has not taken in: that is said again when it comes back.
    """

    def __init__(self, simulated: Simulation, at: float = 0.0) -> None:
        self.simulation = simulated
        self.token = ""
        self.heard: list[ServerMessage] = []
        self.meets: Callable[[ServerMessage], object] = lambda _: None
        self.answers = True
        self.end: End
        self.ends: list[End] = []
        self._counted = 0
        self._sign_up: Json = {"wateringhole": 1, "name": "native"}
        self._text = ""
        simulated.at(at, self._connect)

    def come_back(self, at: float) -> None:
        """Connect anew with the token, and hear everything that was missed."""
        self.simulation.at(at, self._rejoin)

    def _rejoin(self) -> None:
        self._sign_up = {"wateringhole": 1, "token": self.token, "since": self._counted}
        self._text = ""
        self.answers = True
        self._connect()

    def _connect(self) -> None:
        self.end = self.simulation.loop.connect(self)
        self.ends.append(self.end)

    def connected(self) -> None:
        self.end.send(json.dumps(self._sign_up).encode())

    def received(self, data: bytes) -> None:
        self._text += data.decode()
        while self._text:
            value, end = json.JSONDecoder().raw_decode(self._text)
            self._text = self._text[end:].lstrip()
            self._hear(server_message_in(value))
            if self.answers:
                self._counted = max(self._counted, value.get("n", 0))

    def closed(self) -> None: ...

    def _hear(self, message: ServerMessage) -> None:
        self.heard.append(message)
        if isinstance(message, Welcome):
            self.token = message.token
        self.meets(message)
        move: Move
        if isinstance(message, ChooseAsked):
            move = card_play(_species(message.me.boards), tuple(_cards(message.me.hand)))
        elif isinstance(message, FeedAsked):
            others = tuple(Other(other.seat, _species(other.boards), other.cards) for other in message.others)
            me = Own(message.me.seat, _species(message.me.boards), (), message.me.bag)
            move = Silly().feed(Feed(me, message.watering_hole, others))
        else:
            return
        if self.answers:
            self.end.send(msgspec.json.encode(value_of(Answer(message.id, MoveJson(move)))) + b"\n", THINK)


def _species(boards: Sequence[Board]) -> tuple[Species, ...]:
    return tuple(Species(b.population, b.body, b.food, b.fat_food, b.traits) for b in boards)


def _cards(faces: Sequence[Face]) -> list[Card]:
    return [card(food, trait.value) for food, trait in faces]


def others(simulated: Simulation, at: float = 0.1) -> list[Client]:
    return [Client(f"good {seat}").enter(simulated, at=at) for seat in (2, 3)]


def check(simulated: Simulation, native: Native, expelled: dict[int, Reason]) -> None:
    assert simulated.left_over() == (0, 0, 0)
    (result,) = simulated.results
    assert reasons(result) == expelled
    check_record(result, {1, 2, 3} - set(expelled))
    if not expelled:
        assert isinstance(native.heard[-1], Over)


def when(kind: type[ServerMessage], act: Callable[[], object]) -> Callable[[ServerMessage], None]:
    """Do this at the first message of a kind."""
    done: list[ServerMessage] = []

    def meets(message: ServerMessage) -> None:
        if isinstance(message, kind) and not done:
            done.append(message)
            act()

    return meets


def test_a_native_client_plays_a_whole_game() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        native = Native(simulated)
        others(simulated)
        simulated.go_on(100.0)
        check(simulated, native, {})


@pytest.mark.parametrize("kind", [ChooseAsked, FeedAsked])
def test_who_loses_the_line_while_asked_may_come_back_and_answer(kind: type[ServerMessage]) -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        native = Native(simulated)

        def vanish() -> None:
            native.answers = False
            native.end.reset()
            native.come_back(simulated.now + 5.0)

        native.meets = when(kind, vanish)
        others(simulated)
        simulated.go_on(200.0)
        check(simulated, native, {})


@pytest.mark.parametrize("kind", [ChooseAsked, FeedAsked])
def test_who_comes_back_while_the_old_line_still_seems_to_live_goes_on_on_the_new_one(
    kind: type[ServerMessage],
) -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        native = Native(simulated)

        def vanish_without_a_word() -> None:
            native.answers = False
            native.come_back(simulated.now + 5.0)

        native.meets = when(kind, vanish_without_a_word)
        others(simulated)
        simulated.go_on(200.0)
        check(simulated, native, {})
        assert native.ends[0].wire.closing_at is not None


def test_who_leaves_the_lobby_and_comes_back_into_the_game_keeps_the_new_line() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        native = Native(simulated)

        def vanish() -> None:
            native.end.reset()
            native.come_back(3.0)

        native.meets = when(Welcome, vanish)
        for seat in (2, 3):
            Client(f"good {seat}", think=9.0).enter(simulated, at=2.0)
        simulated.go_on(1_000.0)
        assert simulated.finished_at[0] > GRACE
        check(simulated, native, {})


def test_who_does_not_come_back_while_asked_is_expelled_when_the_clock_ends_before_the_grace() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        native = Native(simulated)

        def vanish() -> None:
            native.answers = False
            native.end.reset()

        native.meets = when(ChooseAsked, vanish)
        others(simulated)
        simulated.go_on(200.0)
        assert simulated.finished_at[0] < GRACE
        check(simulated, native, {1: Reason.DISCONNECTED})


def test_a_story_that_is_not_read_costs_its_reader_the_seat_and_nobody_the_game() -> None:
    for unsent in range(200, 3_000, 200):
        with case(unsent):
            check_unread(unsent)


def check_unread(unsent: int) -> None:
    """The reader may be so many bytes behind."""
    with simulation(3, seed=SEED, gap=GAP, limits=Limits(unsent_bytes=unsent)) as simulated:
        native = Native(simulated)

        def stop_reading() -> None:
            native.end.stop_reading()

        native.meets = when(ChooseAsked, stop_reading)
        others(simulated)
        simulated.go_on(200.0)
        (result,) = simulated.results
        assert reasons(result).keys() == {1}
        assert reasons(result)[1] in {Reason.SLOW_READER, Reason.TIMEOUT}
        check_record(result, {2, 3})


def test_who_comes_back_when_the_game_is_over_hears_again_how_it_ended() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        native = Native(simulated)
        others(simulated)
        simulated.go_on(100.0)
        [over] = [message for message in native.heard if isinstance(message, Over)]
        for seconds in (1.0, 0.9 * RETURN_SECONDS):
            token, heard = native.token, len(native.heard)
            native.come_back(simulated.now + seconds)
            simulated.go_on(seconds + 5.0)
            assert native.heard[heard:] == [Welcome(VERSION, token), over]
            assert native.end.wire.lost_at is not None
        native.token = "x" * 32
        native.come_back(simulated.now)
        simulated.go_on(5.0)
        assert native.heard[-1] == Refused("this token belongs to no seat")
        assert simulated.left_over() == (0, 0, 0)


def test_who_was_away_for_too_long_hears_how_the_game_ended_without_it() -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        native = Native(simulated)

        def vanish() -> None:
            native.answers = False
            native.end.reset()

        native.meets = when(ChooseAsked, vanish)
        others(simulated)
        simulated.go_on(200.0)
        native.meets = lambda _: None
        native.come_back(simulated.now)
        simulated.go_on(5.0)
        over = native.heard[-1]
        assert isinstance(over, Over)
        assert [row.fault.reason for row in over.ranking if row.seat == 1 and row.fault] == [Reason.DISCONNECTED]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", Reason.TIMEOUT),
        (b"[0,}", Reason.BAD_JSON),
        (b"[]", Reason.SHAPE),
        (b'{"id":99,"answer":{"move":"decline"}}', Reason.UNSOLICITED),
        (b'{"id":1,"answer":{"move":"decline"}}', Reason.ILLEGAL),
    ],
)
def test_who_is_expelled_is_told_why_before_the_line_is_closed(data: bytes, reason: Reason) -> None:
    with simulation(3, seed=SEED, gap=GAP) as simulated:
        native = Native(simulated)

        def answer_badly() -> None:
            native.answers = False
            native.end.send(data, THINK)

        native.meets = when(ChooseAsked, answer_badly)
        others(simulated)
        simulated.go_on(200.0)
        check(simulated, native, {1: reason})
        assert [message.reason for message in native.heard if isinstance(message, Out)] == [reason]
        assert isinstance(native.heard[-1], Out)
