"""Examines an agent: scripted turns that force rare situations, then whole games at tables of every size.

Laws: only the dealer judges a reply. A scene is a turn like any other, so an agent gets start, choose and feed in their
order; only the boards and cards are such as a year of games might not bring.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from functools import partial
from time import perf_counter
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from wateringhole import rulebook
from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.conformance.doctor_scenes import SCENES, staged
from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS, new_game
from wateringhole.events import Event
from wateringhole.external.recorded_questions import judged
from wateringhole.external.seating import SeatingTerms, seated
from wateringhole.external.spec import Spec
from wateringhole.fault import Fault, shown
from wateringhole.game import Game
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Reply, StoreFat
from wateringhole.record import Note, Result
from wateringhole.seeds import agent_seed, deal_seed
from wateringhole.server.clock import TimeControl
from wateringhole.server.game_session import GameSession
from wateringhole.server.participants import BotParticipant, Participant
from wateringhole.store.log_entries import SeatTicket
from wateringhole.view import Request, Start
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.native_messages import (
    ChooseAsked,
    FeedAsked,
    question_of,
    request_of,
    server_message_in,
    value_of,
)

NO_LIMIT: Final = TimeControl(None)
LAST_LINES: Final = 20
LAST_CHARACTERS: Final = 4_000
MAX_ALIKE: Final = 3
"""Failures of one kind in a row after which an examination stops: more of them tell nothing new."""

# The rules that a legal reply has kept, by what it is.
KEPT: Final[dict[type, tuple[str, ...]]] = {
    CardPlay: (
        rulebook.PLAY_ASKED,
        rulebook.PLAY_SHAPE,
        rulebook.PLAY_CARDS,
        rulebook.PLAY_ONCE,
        rulebook.PLAY_BOARDS,
        rulebook.PLAY_POPULATION,
        rulebook.PLAY_BODY,
        rulebook.PLAY_NEW_TRAITS,
        rulebook.PLAY_SLOTS,
        rulebook.PLAY_TRAITS,
    ),
    Graze: (rulebook.OPTIONS, rulebook.GRAZE),
    StoreFat: (rulebook.OPTIONS, rulebook.STORE_FAT),
    Attack: (rulebook.OPTIONS, rulebook.ATTACK_CHOICE),
    Decline: (rulebook.OPTIONS, rulebook.DECLINE),
}


class Begin(Protocol):
    """How a game begins."""

    def __call__(self, names: Sequence[str], listen: bool) -> Game: ...


class Finding(Struct, frozen=True):
    """A failure: where, which rule, the request as a native message, and the end of standard error."""

    scene: str
    players: int
    reason: str
    rule: str
    text: str
    request: dict[str, Json] | None
    stderr: str


class Answered(Struct, frozen=True):
    """An agent's answer to a request, the fault in it, and the end of its standard error."""

    reply: Reply
    fault: Fault | None
    stderr: str


class Report(Struct):
    """All that an examination found. `stopped`: the last failures were of one kind, and it went no further."""

    games: int = 0
    kept: dict[str, int] = {}
    broken: dict[str, int] = {}
    seconds: list[float] = []
    findings: list[Finding] = []
    stopped: bool = False

    @property
    def healthy(self) -> bool:
        return not self.findings

    @property
    def alike(self) -> bool:
        """Whether the last failures are of one kind."""
        kinds = [_kind(finding) for finding in self.findings[-MAX_ALIKE:]]
        return len(kinds) == MAX_ALIKE and len({*kinds}) == 1


class Examined:
    """A participant under observation: every request, every reply and its time."""

    def __init__(self, participant: Participant, report: Report) -> None:
        self.name = participant.name
        self.listens = participant.listens
        self.deadline: float | None = None
        self.why = ""
        self.asked: Request | None = None
        self._participant = participant
        self._report = report

    def ticket(self) -> SeatTicket:
        return self._participant.ticket()

    def watch(self, broke: Callable[[Fault], None]) -> None:
        self._participant.watch(broke)

    def start(self, request: Start) -> None:
        self.asked = None
        self._participant.start(request)

    def told(self, events: Sequence[Event]) -> None:
        self._participant.told(events)

    async def reply(self, request: Request) -> Reply:
        self.asked = request
        begun = perf_counter()
        reply = await self._participant.reply(request)
        self._report.seconds.append(perf_counter() - begun)
        if judged(request, reply) is None:
            for rule in KEPT[type(reply)]:
                self._report.kept[rule] = self._report.kept.get(rule, 0) + 1
        return reply

    async def recall(self, request: Request) -> None:
        await self._participant.recall(request)

    def evidence(self) -> Note:
        return self._participant.evidence()

    def expel(self, fault: Fault) -> None:
        self._participant.expel(fault)

    def over(self, seat: int, result: Result) -> None:
        self._participant.over(seat, result)


def appointments(games: int, seed: str) -> Iterator[tuple[str, int, Begin]]:
    """The games of an examination: a name, the number of players, and how the game begins."""
    for number, scene in enumerate(SCENES):
        yield scene.name, scene.others + 1, partial(staged, scene, shuffled(deal_seed(seed, number)))
    for number in range(games):
        players = MIN_PLAYERS + number % (MAX_PLAYERS - MIN_PLAYERS + 1)
        hole = 0 if number % 2 else 100
        deck = shuffled(deal_seed(seed, len(SCENES) + number))
        begin = partial(new_game, deck=deck, watering_hole=hole)
        yield f"game {number + 1}, {hole} tokens at the start", players, begin


async def examined(
    found: Spec,
    terms: SeatingTerms,
    games: int,
    seed: str,
    report: Report,
    step: Callable[[str], None],
    whole: bool = True,
) -> None:
    """Play all scenes and games with this agent, which is started anew for each; unless `whole`, stop when it has
    failed a few times in the same way.
    """
    for number, (name, players, begin) in enumerate(appointments(games, seed)):
        if not whole and report.alike:
            report.stopped = True
            return
        step(name)
        numbered = terms if terms.watch is None else replace(terms, watch=replace(terms.watch, game=number))
        async with AsyncExitStack() as stack:
            # Every second one of the others is predictable, so that the game does not depend on random moves alone.
            at = 1 if name in {scene.name for scene in SCENES} else 1 + number % players
            participant = Examined(await seated(stack, found, at, agent_seed(seed, number, at), numbered), report)
            participants: list[Participant] = [
                participant
                if seat == at
                else BotParticipant(f"other {seat}", _other(agent_seed(seed, number, seat), seat), NO_LIMIT)
                for seat in range(1, players + 1)
            ]
            names = [each.name for each in participants]
            game = begin(names, listen=participant.listens)
            await GameSession(participants, game.deck, game=game).play()
            stderr = _last_lines(participant)
        report.games += 1
        for seat, fault in game.expelled:
            if seat == at:
                report.broken[fault.rule] = report.broken.get(fault.rule, 0) + 1
                asked = None if participant.asked is None else value_of(question_of(participant.asked, 1))
                finding = Finding(name, players, fault.reason.value, fault.rule, fault.text, asked, stderr)
                report.findings.append(finding)


def _kind(finding: Finding) -> tuple[str, str, str]:
    """What makes two failures alike: all but the numbers in their texts."""
    return finding.reason, finding.rule, re.sub(r"\d+", "", finding.text)


def _other(seed: str, seat: int) -> Agent:
    return Silly() if seat % 2 else Rash(seed)


def _last_lines(participant: Participant) -> str:
    """The end of its standard error, if it is a program."""
    written = str(participant.evidence().get("stderr", ""))
    return "\n".join(written.splitlines()[-LAST_LINES:])[-LAST_CHARACTERS:]


async def asked_again(found: Spec, terms: SeatingTerms, value: Json) -> Answered:
    """What the agent answers to just this request. ShapeError if it is no request."""
    message = server_message_in(value)
    if not isinstance(message, ChooseAsked | FeedAsked):
        raise ShapeError(f"{shown(value)} is no request")
    request = request_of(message)
    async with AsyncExitStack() as stack:
        participant = await seated(stack, found, request.me.seat, "again", terms)
        participant.start(Start(request.me, request.watering_hole, request.turn))
        reply = await participant.reply(request)
        return Answered(reply, judged(request, reply), _last_lines(participant))
