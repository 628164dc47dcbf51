"""The synchronous driver: agents in this process play one game to its end."""

import contextlib
import traceback
from collections.abc import Sequence

from msgspec import Struct

from wateringhole import rulebook
from wateringhole.agents import Agent
from wateringhole.cards import Card
from wateringhole.dealer import answer, new_game, pending
from wateringhole.events import Standing
from wateringhole.game import Game
from wateringhole.moves import MOVES, During, Fault, Reason, Reply, misshapen
from wateringhole.record import Record
from wateringhole.rules.turn import ranking
from wateringhole.view import Choose, Request, request, start


class Result(Struct, frozen=True):
    """How a game ended, and the whole of it."""

    ranking: tuple[Standing, ...]
    record: Record


def play(
    agents: Sequence[Agent], deck: Sequence[Card], names: Sequence[str] | None = None, watering_hole: int = 0
) -> Result:
    """Play one game. The agents sit in this order, on seats 1, 2, ..."""
    if names is None:
        names = [f"{type(agent).__name__.lower()} {seat}" for seat, agent in enumerate(agents, 1)]
    game = new_game(names, deck, watering_hole)
    replies = play_on(game, agents)
    result = Result(ranking(game), Record(game.names, game.deck, tuple(replies), watering_hole))
    for player in game.players.values():
        _tell_over(agents[player.seat - 1], result)
    return result


def play_on(game: Game, agents: Sequence[Agent]) -> list[tuple[int, Reply]]:
    """Ask until the game is over; what was answered."""
    replies: list[tuple[int, Reply]] = []
    while game.phase != "over":
        if game.phase == "choose":
            for seat in pending(game):
                fault = _tell_start(agents[seat - 1], game, seat)
                if fault is not None:
                    replies.append((seat, fault))
                    answer(game, seat, fault)
        # Everybody is asked about the same situation, so all requests are drawn up before the first reply counts.
        seats = pending(game)
        for seat, asked in zip(seats, [request(game, seat) for seat in seats], strict=True):
            reply = ask(agents[seat - 1], asked)
            replies.append((seat, reply))
            answer(game, seat, reply)
    return replies


def ask(agent: Agent, asked: Request) -> Reply:
    """The agent's answer, or the fault that it is."""
    during: During = "choose" if type(asked) is Choose else "feed"
    try:
        reply = agent.choose(asked) if type(asked) is Choose else agent.feed(asked)
        wrong = misshapen(reply) if type(reply) in MOVES else f"answers {during} with {reply!r:.80}, which is no move"
    except (Exception, SystemExit) as error:
        return _raised(error, during)
    if wrong is None:
        return reply
    return Fault(Reason.SHAPE, wrong, rulebook.PLAY_SHAPE if during == "choose" else rulebook.OPTIONS, during)


def _tell_start(agent: Agent, game: Game, seat: int) -> Fault | None:
    tell = getattr(agent, "start", None)
    if tell is None:
        return None
    try:
        tell(start(game, seat))
    except (Exception, SystemExit) as error:
        return _raised(error, "start")
    return None


def _tell_over(agent: Agent, result: Result) -> None:
    tell = getattr(agent, "over", None)
    if tell is not None:
        # The game is over and kept; nobody can be expelled from it any more.
        with contextlib.suppress(Exception, SystemExit):
            tell(result)


def _raised(error: BaseException, during: During) -> Fault:
    said = " ".join(traceback.format_exception_only(error)[-1].split())
    return Fault(Reason.EXCEPTION, f"raised in {during}: {said:.200}", during=during)
