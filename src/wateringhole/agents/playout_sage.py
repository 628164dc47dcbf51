"""Version 1 of the sage: plays the rest of the game out in its head, many times, for every move that it considers.

It considers what the greedy player would do, with many other tastes than its own, and a few moves at random. Then it
makes up what it cannot see, tries every move in that one world, and lets greedy players finish each; again and again in
other worlds, while the worse half of the moves is dropped from time to time. What did best on average is its move.

Laws: it knows its requests and its own past moves, nothing else. The hidden cards are dealt anew for each world, of
those that it has not seen: not in its hand, not played by itself, and one less for every trait that lies on a board.
The same seed and number of iterations give the same moves; a limit in milliseconds does not promise that.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, TypeVar

from wateringhole.agents.greedy import LIKES, Greedy, Taste
from wateringhole.agents.halving import POINT, Halving, win_share
from wateringhole.agents.playout import PlayoutBot, play_out, playouts, scores_by_seat
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import Card
from wateringhole.core import breathe
from wateringhole.dealer import MAX_PLAYERS, answer
from wateringhole.game import Game
from wateringhole.kernel.playouts import packed_move
from wateringhole.moves import CardPlay, Decline, Feeding, Move
from wateringhole.rules.cardplay import cards_used
from wateringhole.traits import Trait
from wateringhole.view import Choose, Feed

M = TypeVar("M", CardPlay, Feeding)

ITERATIONS: Final = 600
TASTES: Final = 14
GUESSES: Final = 6
_TRAITS: Final = tuple(Trait)


class PlayoutSage:
    """Searches with so many playouts for a decision, or for so many milliseconds. `why` tells what its last move was
    worth to it.
    """

    thinks = 0.05

    def __init__(self, seed: str | int = 0, iterations: int = ITERATIONS, ms: float | None = None) -> None:
        self.why = ""
        self._random = Random(f"{seed}")
        self._rash = Rash(f"{seed}:rash")
        self._greedy = Greedy()
        self._iterations = iterations
        self._ms = ms
        self._spent: set[Card] = set()

    def choose(self, request: Choose) -> CardPlay:
        if request.turn == 1:
            self._spent.clear()
        play = self._best(self._plays(request), request.worlds(self._random, self._spent), request.me.seat)
        self._spent.update(request.me.hand[card] for card in cards_used(play))
        return play

    def feed(self, request: Feed) -> Feeding:
        options: list[Feeding] = [*request.options, Decline()]
        return self._best(options, request.worlds(self._random, self._spent), request.me.seat)

    # What it considers.

    def _plays(self, request: Choose) -> list[CardPlay]:
        plays = [self._greedy.choose(request), Silly().choose(request)]
        plays += [Greedy(self._taste()).choose(request) for _ in range(TASTES)]
        plays += [self._rash.choose(request) for _ in range(GUESSES)]
        return list({repr(play): play for play in plays if request.why_not(play) is None}.values())

    def _taste(self) -> Taste:
        """Something near the greedy player's own, with a liking for a few other traits, more thrift or less."""
        worth = {trait: value * self._random.uniform(0.3, 1.7) for trait, value in LIKES.items()}
        worth.update({trait: self._random.uniform(1, 4) for trait in self._random.sample(_TRAITS, 3)})
        return Taste(worth, self._random.choice((-1.0, 0.3, 0.6, 1.5)), self._random.randint(1, 6))

    # How it decides.

    def _best(self, moves: Sequence[M], worlds: Iterator[Game], seat: int) -> M:
        """What does best on average; the worse half is dropped each time that a share of the effort is spent."""
        search = Halving([0.0] * len(moves), self._iterations, self._ms)
        trials = _Trials(moves, seat, self._greedy)
        wins = [0.0] * len(moves)
        while search.goes_on():
            breathe()
            trials.enter(next(worlds))
            for at in search.alive:
                mine, others = trials.scores(at)
                ahead = mine - max(others, default=0)
                won = win_share(mine, others)
                wins[at] += won
                search.tried(at, won + POINT * ahead)
            search.drop()
        self.why = _why(wins[search.best], search.tries[search.best], len(moves))
        return moves[search.best]


def _why(wins: float, tries: int, moves: int) -> str:
    if not tries:
        return "the only move"
    return f"wins {wins / tries:.0%} of {tries} games played out, {moves} moves considered"


class _Trials:
    """Tries moves of one seat in one world after the other; then this bot plays for all, by the kernel if it can."""

    def __init__(self, moves: Sequence[Move], seat: int, bot: PlayoutBot) -> None:
        self._moves = moves
        self._packed = [packed_move(seat, move) for move in moves]
        self._seat = seat
        self._bot = bot
        self._quick = playouts([bot] * MAX_PLAYERS)

    def enter(self, game: Game) -> None:
        """The world in which moves are tried from now on."""
        self._game = game
        self._loaded = self._quick is not None and self._quick.load(game)

    def scores(self, at: int) -> tuple[int, list[int]]:
        """The own score and those of the others at the end, after this move."""
        if self._quick is not None and self._loaded:
            by_seat = self._quick.after(self._packed[at])
        else:
            twin = self._game.clone()
            answer(twin, self._seat, self._moves[at])
            play_out(twin, [self._bot] * len(twin.names))
            by_seat = scores_by_seat(twin)
        return by_seat[self._seat - 1], [by_seat[seat - 1] for seat in self._game.players if seat != self._seat]
