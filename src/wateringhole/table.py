"""The synchronous driver: agents in this process play one game to its end."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Final, final

from wateringhole.agents import Agent
from wateringhole.agents.playout import asked
from wateringhole.cards import Card
from wateringhole.dealer import answer, go_on, new_game, pending
from wateringhole.fault import During, Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import Reply
from wateringhole.record import Record, Result
from wateringhole.rules.turn import ranking
from wateringhole.view import Feed, Request, Start, choices, request, start


@final
class Pace:
    """How many replies a seat gave, and how many seconds it took for them."""

    def __init__(self) -> None:
        self.replies = 0
        self.seconds = 0.0


@final
class Paces:
    """The pace of each seat, and why it gave a reply, if it says so: seat, reply and reason."""

    def __init__(self, seats: int) -> None:
        self.seats: Final = [Pace() for _ in range(seats)]
        self.whys: Final[list[tuple[int, int, str]]] = []


def play(
    agents: Sequence[Agent],
    deck: Sequence[Card],
    names: Sequence[str] | None = None,
    watering_hole: int = 0,
    paces: Paces | None = None,
    strict: bool = False,
) -> Result:
    """Play one game to its end. The agents sit on seats 1, 2, ... in this order.

    An agent that raises an exception is expelled; with `strict` the exception is raised, with its traceback. `paces`
    takes the time of each seat's replies.
    """
    if names is None:
        names = [f"{type(agent).__name__.lower()} {seat}" for seat, agent in enumerate(agents, 1)]
    if len(names) != len(agents):
        raise ValueError(f"{len(names)} names for {len(agents)} agents")
    game = new_game(names, deck, watering_hole)
    replies = play_on(game, agents, paces, strict)
    result = Result(ranking(game), Record(game.names, game.deck, tuple(replies), watering_hole))
    for player in game.players.values():
        tell_over(agents[player.seat - 1], result, strict)
    return result


def play_on(
    game: Game, agents: Sequence[Agent], paces: Paces | None = None, strict: bool = False
) -> list[tuple[int, Reply]]:
    """Ask until the game is over; what was answered."""
    seated = list(agents)
    listens = [_has(agent, "start") for agent in seated]
    replies: list[tuple[int, Reply]] = []
    go_on(game)
    while game.phase != "over":
        if game.phase == "feed":
            seat = game.queue[0]
            reply = _timed(seated[seat - 1], request(game, seat), paces, strict)
            replies.append((seat, reply))
            answer(game, seat, reply)
        else:
            turn = game.turn
            if True in listens:
                for seat in pending(game):
                    fault = tell(seated[seat - 1], start(game, seat), strict) if listens[seat - 1] else None
                    if fault is not None:
                        replies.append((seat, fault))
                        answer(game, seat, fault)
                if game.turn != turn or game.phase != "choose":
                    continue  # the last who had not chosen have failed, and the game has gone on without them
            for question in choices(game):
                seat = question.me.seat
                reply = _timed(seated[seat - 1], question, paces, strict)
                replies.append((seat, reply))
                answer(game, seat, reply)
    return replies


# Compiled code turns getattr with a default into an AttributeError caught, with its text and all: 1,800 instructions
# for every agent without the method. Under another name it stays what it is.
_look: Final[Callable[[object, str, None], Callable[..., object] | None]] = getattr

_now: Final[Callable[[], float]] = perf_counter


def _has(agent: Agent, name: str) -> bool:
    """Whether it has this method, or something there that cannot even be looked up."""
    try:
        return _look(agent, name, None) is not None
    except KeyboardInterrupt:
        raise
    except BaseException:
        return True


def ask(agent: Agent, question: Request, strict: bool = False) -> Reply:
    """The agent's answer, or the fault that it is."""
    try:
        return asked(agent, question)
    except KeyboardInterrupt:
        raise  # the user's, not the agent's
    except BaseException as error:
        if strict:
            raise
        return _raised(error, "feed" if type(question) is Feed else "choose")


def _timed(agent: Agent, question: Request, paces: Paces | None, strict: bool) -> Reply:
    """The same, with its pace if that is wanted."""
    if paces is None:
        return ask(agent, question, strict)
    seat = question.me.seat
    pace = paces.seats[seat - 1]
    begun = _now()
    reply = ask(agent, question, strict)
    pace.seconds += _now() - begun
    pace.replies += 1
    why = why_of(agent)
    if why:
        paces.whys.append((seat, pace.replies, why))
    return reply


def tell(agent: Agent, started: Start, strict: bool = False) -> Fault | None:
    """Tell an agent that wants to know that a turn begins; the fault if it fails at that."""
    try:
        listener = _look(agent, "start", None)
        if listener is not None:
            listener(started)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if strict:
            raise
        return _raised(error, "start")
    return None


def why_of(agent: Agent) -> str:
    """What an agent says about its last move, if anything."""
    try:
        why: object = _look(agent, "why", None)
        return why if isinstance(why, str) else ""
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ""


def tell_over(agent: Agent, result: Result, strict: bool = False) -> None:
    """Tell an agent that wants to know how the game ended. It is kept by now: no agent can be expelled from it."""
    try:
        listener = _look(agent, "over", None)
        if listener is not None:
            listener(result)
    except KeyboardInterrupt:
        raise
    except BaseException:
        if strict:
            raise


def _raised(error: BaseException, during: During) -> Fault:
    return Fault(Reason.EXCEPTION, f"raised in {during}: {said(error):.200}", during=during)


def said(error: BaseException) -> str:
    """What an agent's code raised, in words."""
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException:  # even to say what went wrong may go wrong
        return type(error).__name__
