"""Puts the questions of a recorded game to an agent, from the view of one seat.

Laws: the game goes on with the recorded reply, not with the agent's answer. No asyncio is loaded for an agent of this
process. An agent in a child process that has failed is restarted, and told again that the turn begins.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from wateringhole.agents import Agent
from wateringhole.dealer import answer, new_game
from wateringhole.external.play_specs import Treatment, agents_of
from wateringhole.external.spec import Spec
from wateringhole.external.tracebacks import errors_of
from wateringhole.fault import Fault, Reason
from wateringhole.moves import Reply
from wateringhole.record import Record
from wateringhole.table import ask, tell
from wateringhole.view import Choose, Request, Start, choices, request, start

Verdict = Literal["as recorded", "otherwise", "illegally", "raised", "failed"]


class RecordedQuestion(Struct, frozen=True):
    """A request to a seat, the start of its turn, and the recorded reply with its number, from 0."""

    step: int
    started: Start
    request: Request
    recorded: Reply


class RecordedAnswer(Struct, frozen=True):
    """An agent's reply to a recorded question, the fault in it, and the agent's standard error."""

    question: RecordedQuestion
    reply: Reply
    fault: Fault | None
    errors: str

    @property
    def verdict(self) -> Verdict:
        if isinstance(self.reply, Fault):
            return "raised" if self.reply.reason is Reason.EXCEPTION else "failed"
        if self.fault is not None:
            return "illegally"
        return "as recorded" if self.reply == self.question.recorded else "otherwise"


def questions(record: Record, seat: int) -> Iterator[RecordedQuestion]:
    """The requests to this seat, in order."""
    game = new_game(record.names, record.deck, record.watering_hole)
    turn = 0
    started: Start | None = None
    choice: Choose | None = None
    for step, (replied, reply) in enumerate(record.replies):
        unasked = isinstance(reply, Fault) and reply.during not in {"choose", "feed"}
        if game.phase == "choose" and game.turn != turn and not unasked and seat in game.players:
            turn = game.turn
            started = start(game, seat)
            [choice] = [asked for asked in choices(game) if asked.me.seat == seat]
        if replied == seat and not unasked:
            assert started is not None
            asked = choice if game.phase == "choose" else request(game, seat)
            assert asked is not None
            yield RecordedQuestion(step, started, asked, reply)
        answer(game, replied, reply)


def answers(record: Record, seat: int, found: Spec, seed: str, treated: Treatment) -> Iterator[RecordedAnswer]:
    """This agent's replies to the requests to a seat; ValueError when the agent cannot be started."""
    waiting = questions(record, seat)
    question = next(waiting, None)
    while question is not None:
        with agents_of([found], [seed], treated, first_seat=seat) as [agent]:
            turn = 0
            lost = False
            while question is not None and not lost:
                given = _answer(agent, question, question.started.turn != turn)
                turn = question.started.turn
                lost = isinstance(given.reply, Fault) and not found.at_hand(treated.in_process)
                yield given
                question = next(waiting, None)


def _answer(agent: Agent, question: RecordedQuestion, begins: bool) -> RecordedAnswer:
    reply: Reply | None = tell(agent, question.started) if begins else None
    if reply is None:
        reply = ask(agent, question.request)
    fault = judged(question.request, reply)
    return RecordedAnswer(question, reply, fault, errors_of(agent) if isinstance(reply, Fault) else "")


def judged(request: Request, reply: Reply) -> Fault | None:
    """The fault in this reply, if any."""
    return reply if isinstance(reply, Fault) else request.why_not(reply)
