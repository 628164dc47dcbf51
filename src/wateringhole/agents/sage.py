"""The sage: plays the rest of the game out in its head, many times, for every move that it considers.

It considers what the greedy player would do, with many other tastes than its own, and a few moves at random. Then it
makes up what it cannot see, tries every move in that one world, and lets greedy players finish each; again and again in
other worlds, while the worse half of the moves is dropped from time to time. What did best on average is its move.

Laws: it knows its requests and its own past moves, nothing else. The hidden cards are dealt anew for each world, of
those that it has not seen: not in its hand, not played by itself, and one less for every trait that lies on a board.
The same seed and number of iterations give the same moves; a limit in milliseconds does not promise that.
"""

from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter
from typing import Final, TypeVar

from wateringhole.agents.greedy import LIKES, Greedy, Taste
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
MAX_ITERATIONS: Final = 1_000_000
MAX_MS: Final = 60_000
TASTES: Final = 14
GUESSES: Final = 6
POINT: Final = 0.03
"""What a point ahead is worth beside a whole win."""
_TRAITS: Final = tuple(Trait)


class Sage:
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
        search = _Search(len(moves), self._iterations, self._ms)
        trials = _Trials(moves, seat, self._greedy)
        while search.goes_on():
            breathe()
            trials.enter(next(worlds))
            for at in search.alive:
                mine, others = trials.scores(at)
                search.tried(at, mine, others)
            search.drop()
        self.why = search.why
        return moves[search.best]


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


class _Search:
    """Which moves are still considered, and how they did."""

    def __init__(self, moves: int, iterations: int, ms: float | None) -> None:
        self.alive = list(range(moves))
        self._values = [0.0] * moves
        self._wins = [0.0] * moves
        self._tries = [0] * moves
        self._stages = max(1, (moves - 1).bit_length())
        self._stage = 1
        self._iterations = iterations
        self._ms = ms
        self._begun = perf_counter()
        self._done = 0

    def goes_on(self) -> bool:
        return len(self.alive) > 1 and self._spent < 1.0

    @property
    def _spent(self) -> float:
        """Which part of the effort is spent."""
        if self._ms is not None:
            return (perf_counter() - self._begun) * 1_000 / self._ms
        return (self._done + len(self.alive)) / self._iterations

    def tried(self, at: int, mine: int, others: list[int]) -> None:
        ahead = mine - max(others, default=0)
        won = 1.0 if ahead > 0 else 0.0 if ahead < 0 else 1 / (1 + others.count(mine))
        self._values[at] += won + POINT * ahead
        self._wins[at] += won
        self._tries[at] += 1
        self._done += 1

    def drop(self) -> None:
        if self._spent >= self._stage / self._stages and len(self.alive) > 1:
            self._stage += 1
            self.alive.sort(key=lambda at: -self._values[at])
            self.alive = self.alive[: (len(self.alive) + 1) // 2]

    @property
    def best(self) -> int:
        return max(self.alive, key=lambda at: self._values[at])

    @property
    def why(self) -> str:
        if not self._tries[self.best]:
            return "the only move"
        share = self._wins[self.best] / self._tries[self.best]
        return f"wins {share:.0%} of {self._tries[self.best]} games played out, {len(self._tries)} moves considered"
