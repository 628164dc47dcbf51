"""The dealer as a state machine: any replies, good and bad, in any order, under all invariants."""

from collections.abc import Iterable
from random import Random
from types import GetSetDescriptorType, MemberDescriptorType
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.times import TIMES
from wateringhole.cards import Card, shuffled
from wateringhole.dealer import answer, go_on, pending, take
from wateringhole.events import Expelled
from wateringhole.fault import During, Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import CardPlay, Decline, Graze, Growth, Reply
from wateringhole.player import Player
from wateringhole.record import digest, replay
from wateringhole.table import ask
from wateringhole.value import COMPILED
from wateringhole.view import Choose, Feed, request

from .invariants import Witness
from .replies import DURING, ILLEGAL_FEEDINGS, ILLEGAL_PLAYS, MANNERS, illegal, legal, some_table

pytestmark = pytest.mark.long

SEEDS = st.integers(0, 2**32 - 1)
KINDS = st.integers(0, len(ILLEGAL_PLAYS) * len(ILLEGAL_FEEDINGS) - 1)


class Parrot:
    """Answers everything with one thing, whether it is a move or not."""

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def choose(self, _: Choose) -> CardPlay:
        return self.thing  # type: ignore[return-value]

    def feed(self, _: Feed) -> Graze:
        return self.thing  # type: ignore[return-value]


SHAPELESS: tuple[object, ...] = (
    None,
    False,
    0,
    "decline",
    [0, [], [], [], []],
    Growth(0, 1),
    {"move": "graze", "board": 0},
    Decline,
)


def attributes(kind: type) -> list[str]:
    """The names of all that lies in an object of a class with slots, or of a compiled one."""
    kinds = (MemberDescriptorType, GetSetDescriptorType)
    return [name for name, found in vars(kind).items() if isinstance(found, kinds)]


OF_A_GAME = attributes(Game)
OF_A_PLAYER = attributes(Player)


def mutable_parts(game: Game) -> list[object]:
    """Everything that can change and that this game can reach."""
    parts: list[object] = []
    for name in OF_A_GAME:
        _collect(getattr(game, name), parts)
    return parts


def _collect(value: object, parts: list[object]) -> None:
    inside: Iterable[object]
    if isinstance(value, Player):
        parts.append(value)
        inside = [getattr(value, name) for name in OF_A_PLAYER]
    elif isinstance(value, dict):
        parts.append(value)
        inside = value.values()
    elif isinstance(value, list):
        parts.append(value)
        inside = value
    elif isinstance(value, tuple):
        inside = value
    else:
        return
    for item in inside:
        if not isinstance(item, Card):  # a deck has many, and none can change
            _collect(item, parts)


class Setting(NamedTuple):
    """What a game begins with: a deal, or any table on which it is already going on."""

    players: int
    fresh: bool
    seed: int
    length: int
    hole: int


SETTINGS = st.builds(
    Setting,
    players=st.integers(3, 8),
    fresh=st.booleans(),
    seed=SEEDS,
    length=st.one_of(st.just(122), st.integers(0, 122)),
    hole=st.sampled_from((0, 0, 5, 20, 100, 100)),
)


class Dealer(RuleBasedStateMachine):
    """Games, from the deal to the end, one after the other, with replies of every kind."""

    witness: Witness
    fresh: bool

    @initialize(setting=SETTINGS)
    def begin(self, setting: Setting) -> None:
        self.fresh = setting.fresh
        names = [f"player {seat}" for seat in range(1, setting.players + 1)]
        self.witness = (
            Witness.deal(names, shuffled(setting.seed)[: setting.length], setting.hole)
            if setting.fresh
            else Witness.join(some_table(Random(setting.seed)))
        )

    @property
    def game(self) -> Game:
        return self.witness.game

    def on(self) -> bool:
        return self.game.phase != "over"

    def asked(self, random: Random) -> int:
        return random.choice(pending(self.game))

    @precondition(on)
    @rule(seed=SEEDS, manner=st.sampled_from(sorted(MANNERS)))
    def somebody_answers(self, seed: int, manner: str) -> None:
        seat = self.asked(Random(seed))
        reply = legal(request(self.game, seat), manner, str(seed))
        assert not isinstance(reply, Fault)
        twin = self.game.clone()
        events = self.witness.answer(seat, reply)
        take(twin, twin.players[seat], reply)
        go_on(twin)
        assert twin == self.game, "an answer is a take and then going on"
        assert seat not in [event.seat for event in events if isinstance(event, Expelled)]

    @precondition(on)
    @rule(seed=SEEDS, manner=st.sampled_from(sorted(MANNERS)))
    def everybody_answers_until_the_next_turn(self, seed: int, manner: str) -> None:
        turn = self.game.turn
        while self.on() and self.game.turn == turn:
            seat = pending(self.game)[0]
            self.witness.answer(seat, legal(request(self.game, seat), manner, f"{seed} {seat}"))

    @precondition(on)
    @rule(seed=SEEDS, manner=st.sampled_from(sorted(MANNERS)))
    def everybody_chooses(self, seed: int, manner: str) -> None:
        while self.game.phase == "choose":
            seat = pending(self.game)[0]
            self.witness.answer(seat, legal(request(self.game, seat), manner, f"{seed} {seat}"))
            if self.game.plays == {}:
                break

    @precondition(on)
    @rule(seed=SEEDS, kind=KINDS)
    def somebody_answers_illegally(self, seed: int, kind: int) -> None:
        seat = self.asked(Random(seed))
        phase = self.game.phase
        self.witness.answer(seat, illegal(request(self.game, seat), Random(seed), kind))
        assert seat in [gone for gone, _ in self.game.expelled] or (phase == "choose" and seat in self.game.plays)

    @precondition(on)
    @rule(seed=SEEDS, thing=st.sampled_from(SHAPELESS))
    def somebody_answers_what_is_no_move(self, seed: int, thing: object) -> None:
        seat = self.asked(Random(seed))
        reply = ask(Parrot(thing), request(self.game, seat))
        assert isinstance(reply, Fault)
        assert reply.reason is Reason.SHAPE
        self.witness.answer(seat, reply)

    @precondition(on)
    @rule(seed=SEEDS, reason=st.sampled_from(Reason), during=st.sampled_from(DURING))
    def somebody_answers_with_a_fault_of_its_own(self, seed: int, reason: Reason, during: During) -> None:
        seat = self.asked(Random(seed))
        asked = request(self.game, seat)
        reply = ask(Parrot(Fault(reason, "says so itself", during=during)), asked)
        assert reply == Fault(reason, "says so itself", during="choose" if isinstance(asked, Choose) else "feed")
        self.witness.answer(seat, reply)

    @precondition(on)
    @rule(
        seed=SEEDS,
        reason=st.sampled_from(Reason),
        during=st.sampled_from(DURING),
        asked=st.booleans(),
    )
    def somebody_fails(self, seed: int, reason: Reason, during: During, asked: bool) -> None:
        fault = Fault(reason, "fails", during=during)
        unasked = [seat for seat in self.game.players if seat not in pending(self.game)]
        seats = pending(self.game) if asked or not unasked else unasked
        self.witness.answer(Random(seed).choice(seats), fault)

    @precondition(on)
    @rule(seed=SEEDS)
    def a_caller_errs(self, seed: int) -> None:
        random = Random(seed)
        asked = pending(self.game)
        seat = random.choice([seat for seat in range(11) if seat not in asked])
        before = digest(self.game)
        reply: Reply = random.choice((CardPlay(0), Graze(0), Decline()))
        with pytest.raises(ValueError, match=f"seat {seat}"):
            answer(self.game, seat, reply)
        if seat not in self.game.players:
            with pytest.raises(ValueError, match="not at the table"):
                answer(self.game, seat, Fault(Reason.TIMEOUT, "is silent"))
        assert digest(self.game) == before
        assert self.game.hear() == []

    @precondition(on)
    @rule(seed=SEEDS, steps=st.integers(1, 12))
    def a_clone_plays_on_alone(self, seed: int, steps: int) -> None:
        random = Random(seed)
        kept, twin = self.game.clone(), self.game.clone()
        before = digest(self.game)
        assert twin == self.game
        assert digest(twin) == before
        assert twin.told is None
        for _ in range(steps):
            if twin.phase == "over":
                break
            seat = random.choice(pending(twin))
            asked = request(twin, seat)
            reply = illegal(asked, random) if random.random() < 0.1 else legal(asked, "rash", str(seed))
            answer(twin, seat, reply)
            if random.random() < 0.1 and twin.players:
                go_on(twin)
        own = {id(part) for part in mutable_parts(self.game)}
        assert not own & {id(part) for part in mutable_parts(twin)}, "a clone shares nothing that can change"
        assert not own & {id(part) for part in mutable_parts(kept)}
        assert self.game == kept
        assert digest(self.game) == before

    @precondition(lambda self: self.game.phase == "over")
    @rule(seat=st.integers(0, 9), setting=SETTINGS)
    def nobody_answers_when_the_game_is_over_and_the_next_begins(self, seat: int, setting: Setting) -> None:
        before = digest(self.game)
        with pytest.raises(ValueError, match=f"seat {seat}"):
            answer(self.game, seat, Decline())
        go_on(self.game)
        assert digest(self.game) == before
        self.teardown()
        self.begin(setting)

    def teardown(self) -> None:
        """The record of a game leads to the same game."""
        if hasattr(self, "witness") and self.fresh:
            again = replay(self.witness.record, listen=True)
            assert again == self.game
            assert digest(again) == digest(self.game)
            assert again.told == self.witness.story


TestTheDealer = Dealer.TestCase
TestTheDealer.settings = settings(
    max_examples=(150 if COMPILED else 60) * TIMES,
    stateful_step_count=60,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
