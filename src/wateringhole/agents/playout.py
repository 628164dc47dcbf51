"""Whole games in one call, for search and learning: agents play on, and nothing is recorded or announced.

Where all agents are bots that the kernel knows, it plays: the same games, quicker. Otherwise, and where it is not
built, Python does.

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
from wateringhole.kernel.playouts import KernelPlayouts, kernel_playouts
from wateringhole.kernel.policy import Policy
from wateringhole.moves import CardPlay, Feeding, Reply, reply_in
from wateringhole.packed import unpacked_deck
from wateringhole.player import Other, Player
from wateringhole.view import Choose, Feed, Request, request


@mypyc_attr(acyclic=True)
@final
class PlayoutRequest:
    """What a PlayoutBot is given in a playout in place of a Choose or a Feed: `me`, `watering_hole` and `others`.

    To build requests would take a third of a playout's time. This object is made once for a playout and reads the game
    itself, so a bot must not keep it after its decision.
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
    """A base class for agents that are quick in playouts: they write `card_play` and `feeding`, which take a request
    or a PlayoutRequest; `choose` and `feed` follow from them.
    """

    def card_play(self, request: Choose | PlayoutRequest) -> CardPlay:
        raise NotImplementedError

    def feeding(self, request: Feed | PlayoutRequest) -> Feeding:
        raise NotImplementedError

    def kernel_policy(self) -> Policy | None:
        """What the kernel plays in this agent's place, if it decides in just the same way."""
        return None

    def choose(self, request: Choose) -> CardPlay:
        return self.card_play(request)

    def feed(self, request: Feed) -> Feeding:
        return self.feeding(request)


MAX_TURNS: Final = 1 << 30
"""More than any game has."""

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
    """Play this game on to its end. The agents sit on seats 1, 2, ...; ValueError if one of them breaks a rule."""
    if len(agents) != len(game.names):
        raise ValueError(f"{len(agents)} agents for {len(game.names)} seats")
    bots = [_playout_bot(agent) for agent in agents]
    quick = playouts(bots) if game.told is None else None
    if quick is None or not quick.play_out(game):
        _play(game, agents, bots)


def play_by_rules(game: Game, agents: Sequence[Agent], last_turn: int = MAX_TURNS) -> None:
    """The same without the kernel, and not beyond this turn."""
    _play(game, agents, [_playout_bot(agent) for agent in agents], last_turn)


def playouts(bots: Sequence[PlayoutBot | None]) -> KernelPlayouts | None:
    """Playouts of these bots by the kernel; None where Python has to ask one of them."""
    return kernel_playouts([None if bot is None else bot.kernel_policy() for bot in bots])


def _play(game: Game, agents: Sequence[Agent], bots: list[PlayoutBot | None], last_turn: int = MAX_TURNS) -> None:
    """The same; `bots` has the PlayoutBot of each seat, or None where its agent gets requests."""
    gone = len(game.expelled)
    quick = PlayoutRequest(game)
    go_on(game)
    feeder = game.players[game.queue[0]] if game.phase == "feed" else None
    while game.phase != "over" and game.turn <= last_turn:
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


def simulate(
    decks: Iterable[Sequence[Card] | bytes], agents: Sequence[Agent], watering_hole: int = 0
) -> list[tuple[int, ...]]:
    """Play a game with each of these decks; the scores of each game, by seat.

    The agents sit on seats 1, 2, ... A deck may also be bytes, one for each card: its place in DECK.
    """
    bots = [_playout_bot(agent) for agent in agents]
    quick = playouts(bots)
    if quick is None:
        return [_simulated(deck, agents, bots, watering_hole) for deck in decks]
    scores: list[tuple[int, ...]] = []
    quick.begin()
    try:
        for deck in decks:
            breathe()
            found = quick.play(deck, watering_hole)
            if found is None:  # Python knows more decks, and says what is wrong with the others
                quick.end()
                try:
                    found = _simulated(deck, agents, bots, watering_hole)
                finally:
                    quick.begin()
            scores.append(found)
    finally:
        quick.end()
    return scores


def _simulated(
    deck: Sequence[Card] | bytes, agents: Sequence[Agent], bots: list[PlayoutBot | None], watering_hole: int
) -> tuple[int, ...]:
    """The scores of one game by the rules in Python."""
    breathe()
    names = [f"seat {seat}" for seat in range(1, len(agents) + 1)]
    game = new_game(names, unpacked_deck(list(deck)) if isinstance(deck, bytes) else deck, watering_hole)
    _play(game, agents, bots)
    return scores_by_seat(game)


def scores_by_seat(game: Game) -> tuple[int, ...]:
    """The score of each seat as it stands now; 0 where a player has left."""
    by_seat = [0] * len(game.names)
    for player in game.row:
        by_seat[player.seat - 1] = player.score
    return tuple(by_seat)
