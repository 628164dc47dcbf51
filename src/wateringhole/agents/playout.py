"""Whole games in one call, for search and learning: agents play on, and nothing is recorded or announced.

Laws: the dealer checks every move; an illegal one is a mistake in the agent, and a ValueError. What an agent raises
comes out; a PlayoutBot that returns no move is a TypeError. Neither `start` nor `over` of an agent is called.
"""

from collections.abc import Iterable, Sequence
from typing import Final, final

from mypy_extensions import mypyc_attr

from wateringhole.agents import Agent
from wateringhole.cards import Card
from wateringhole.core import breathe
from wateringhole.dealer import go_on, new_game, take
from wateringhole.game import Game
from wateringhole.moves import CardPlay, Feeding, Reply, reply_in
from wateringhole.player import Other, Player
from wateringhole.view import Choose, Feed, Request, request


@mypyc_attr(acyclic=True)
@final
class PlayoutRequest:
    """What a PlayoutBot gets in a playout in place of a Choose or a Feed, with the parts that such bots read.

    Requests would take a third of a playout's time, most of it for the others, at whom a bot seldom looks. This one is
    made once for a playout and copies nothing: it reads the game, so it is good for one decision only.
    """

    __slots__ = ("_game", "me")
    me: Player

    def __init__(self, game: Game) -> None:
        self._game: Final = game

    @property
    def watering_hole(self) -> int:
        return self._game.watering_hole

    @property
    def others(self) -> tuple[Other, ...]:
        """The others as `me` sees them, in the order of a Feed."""
        return self._game.seen(self.me.seat)


@mypyc_attr(allow_interpreted_subclasses=True)
class PlayoutBot:
    """An agent that writes its two decisions for requests and playouts alike; `choose` and `feed` follow from them."""

    def card_play(self, request: Choose | PlayoutRequest) -> CardPlay:
        raise NotImplementedError

    def feeding(self, request: Feed | PlayoutRequest) -> Feeding:
        raise NotImplementedError

    def choose(self, request: Choose) -> CardPlay:
        return self.card_play(request)

    def feed(self, request: Feed) -> Feeding:
        return self.feeding(request)


_CHOOSE: Final[object] = PlayoutBot.choose
_FEED: Final[object] = PlayoutBot.feed


def _playout_bot(agent: Agent) -> PlayoutBot | None:
    """An agent that may get a PlayoutRequest: not one whose class has a `choose` or a `feed` of its own. One that is
    set on an object is not seen: to look for it would take longer than a short game.
    """
    if isinstance(agent, PlayoutBot) and type(agent).choose is _CHOOSE and type(agent).feed is _FEED:
        return agent
    return None


def play_out(game: Game, agents: Sequence[Agent]) -> None:
    """Play this game to its end, from wherever it stands; the agents sit on seats 1, 2, ..."""
    if len(agents) != len(game.names):
        raise ValueError(f"{len(agents)} agents for {len(game.names)} seats")
    _play(game, agents, [_playout_bot(agent) for agent in agents])


def _play(game: Game, agents: Sequence[Agent], bots: list[PlayoutBot | None]) -> None:
    """The same; `bots` has the PlayoutBot of each seat, or None where its agent gets requests."""
    gone = len(game.expelled)
    quick = PlayoutRequest(game)
    go_on(game)
    feeder = game.players[game.queue[0]] if game.phase == "feed" else None
    while game.phase != "over":
        if feeder is not None:
            player = quick.me = feeder
            bot = bots[player.seat - 1]
            reply = bot.feeding(quick) if bot is not None else _by_request(agents, game, player)
            feeder = take(game, player, reply)
            if len(game.expelled) > gone:
                gone = _none_of_these(game, [player])
        else:
            choosing = [player for player in game.row if player.seat not in game.plays] if game.plays else game.row[:]
            for player in choosing:
                quick.me = player
                bot = bots[player.seat - 1]
                reply = bot.card_play(quick) if bot is not None else _by_request(agents, game, player)
                feeder = take(game, player, reply)
            if len(game.expelled) > gone:
                gone = _none_of_these(game, choosing)
        if game.phase == "fed":
            go_on(game)


def _by_request(agents: Sequence[Agent], game: Game, player: Player) -> Reply:
    return asked(agents[player.seat - 1], request(game, player.seat))


def asked(agent: Agent, question: Request) -> Reply:
    """An agent's answer, or the fault of answering with anything but a move."""
    if type(question) is Feed:
        return reply_in(agent.feed(question), "feed")
    return reply_in(agent.choose(question), "choose")


def _none_of_these(game: Game, asked: list[Player]) -> int:
    """How many have been expelled: faults from before, or it is a mistake in the agent of one who was asked."""
    seats = [player.seat for player in asked]
    for seat, fault in game.expelled:
        if seat in seats:
            raise ValueError(f"the agent of seat {seat} {fault.text}")
    return len(game.expelled)


def simulate(decks: Iterable[Sequence[Card]], agents: Sequence[Agent], watering_hole: int = 0) -> list[tuple[int, ...]]:
    """The scores of one game for each deck, by seat."""
    names = tuple([f"seat {seat}" for seat in range(1, len(agents) + 1)])
    bots = [_playout_bot(agent) for agent in agents]
    scores: list[tuple[int, ...]] = []
    for deck in decks:
        breathe()
        game = new_game(names, deck, watering_hole)
        _play(game, agents, bots)
        by_seat = [0] * len(names)
        for player in game.row:
            by_seat[player.seat - 1] = player.score
        scores.append(tuple(by_seat))
    return scores
