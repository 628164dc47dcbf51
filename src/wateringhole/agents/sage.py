"""The sage: looks ahead with the network of the champion, in many worlds, for every move that it considers.

It considers the moves that the network finds probable. Then it makes up what it cannot see, and tries every move in
that one world: all play on to the end of the turn, and the network tells what the game is worth there. Again and again
in other worlds, while the worse half of the moves is dropped from time to time. What did best on average is its move; a
move that the network finds improbable must do better by more. In these worlds bots play for the others: those that
would have left such boards and hands as the others have.

Laws: it knows its requests and its own past moves, nothing else. The hidden cards are dealt anew for each world, of
those that it has not seen. It counts what the others have in their bags: at the end of a turn each token that a board
ate goes there, and the board has as many animals. The same seed and number of iterations give the same moves, with the
kernel and without; a limit in milliseconds does not promise that.
"""

from math import log
from random import Random
from typing import Final

from wateringhole.agents.halving import Halving
from wateringhole.agents.lookahead import Lookahead
from wateringhole.agents.opponents import OpponentGuess
from wateringhole.cards import Card
from wateringhole.core import breathe
from wateringhole.kernel import native
from wateringhole.learned.agent import CHAMPION, network_in
from wateringhole.moves import CardPlay, Feeding, Move
from wateringhole.player import Other
from wateringhole.rules.cardplay import cards_used
from wateringhole.view import Choose, Feed, Request

ITERATIONS: Final = 120 if native.FLAT_GAMES is not None else 8
"""Trials of a decision; without the kernel one takes a hundred times as long."""
MAX_DRAFTS: Final = 48
TRIALS_OF_A_DRAFT: Final = 6
"""A move more is drafted for so many iterations."""
MAX_GUESSES: Final = 16
TRIALS_OF_A_GUESS: Final = 10
"""After so many trials of card plays one more world is played with each bot, to know the others by it."""
SEARCHING: Final = 0.85
"""The part of its milliseconds that it has for these trials."""
MAX_FEEDING_ACTIONS: Final = 3
"""Of the draft of a feeding."""
TEMPERATURE: Final = 2.0
"""Of the drafts: at 1 the network would propose the same move most of the time."""
PRIOR: Final = 0.1
"""What the logarithm of a move's probability counts beside the sum of its values."""


class Sage:
    """Searches with so many trials for a decision, or for so many milliseconds. `why` tells what its last move was
    worth to it.
    """

    thinks = 0.05

    def __init__(self, seed: str | int = 0, iterations: int = ITERATIONS, ms: float | None = None) -> None:
        self.why = ""
        self._random = Random(f"{seed}")
        self._network = network_in(CHAMPION)
        self._iterations = iterations
        self._ms = ms
        self._spent: set[Card] = set()
        self._count = BagCount()
        self._guess = OpponentGuess()

    def choose(self, request: Choose) -> CardPlay:
        if request.turn == 1:
            self._spent.clear()
        self._count.begin(request)
        self._guess.see(request)
        play = self._best(request)
        assert isinstance(play, CardPlay)
        self._spent.update(request.me.hand[card] for card in cards_used(play))
        return play

    def feed(self, request: Feed) -> Feeding:
        feeding = self._best(request)
        assert not isinstance(feeding, CardPlay)
        return feeding

    def _best(self, request: Request) -> Move:
        """What does best on average."""
        look = Lookahead(self._network, request)
        worlds = request.worlds(self._random, self._spent, self._count.bags)
        look.enter(next(worlds), self._guess.models(0))
        moves = self._drafted(look, 2 * len(request.me.hand) if isinstance(request, Choose) else MAX_FEEDING_ACTIONS)
        ms = self._ms if self._ms is None or isinstance(request, Feed) else self._ms * SEARCHING
        search = Halving([PRIOR * log(probability) for probability, _ in moves], self._iterations, ms)
        total = [0.0] * len(moves)
        rounds = 0
        while search.goes_on():
            breathe()
            rounds += 1
            for at in search.alive:
                value = look.value(moves[at][1])
                total[at] += value
                search.tried(at, value)
            search.drop()
            look.enter(next(worlds), self._guess.models(rounds))
        best = moves[search.best][1]
        if isinstance(best, CardPlay):
            self._guess.expect(look, worlds, best, min(MAX_GUESSES, search.trials // TRIALS_OF_A_GUESS))
        self.why = _why(total[search.best], search.tries[search.best], len(moves))
        return best

    def _drafted(self, look: Lookahead, actions: int) -> list[tuple[float, Move]]:
        """The move that the network likes best, and others that it likes, each once, with their probabilities."""
        drafts = min(MAX_DRAFTS, self._iterations // TRIALS_OF_A_DRAFT)
        moves = [look.draft(TEMPERATURE, ())]
        for _ in range(drafts):
            moves.append(look.draft(TEMPERATURE, [self._random.random() for _ in range(actions)]))
        return list({repr(move): (probability, move) for probability, move in moves}.values())


class BagCount:
    """What the others have in their `bags`, by seat, as far as their boards tell."""

    def __init__(self) -> None:
        self.bags: Final[dict[int, int]] = {}

    def begin(self, request: Choose) -> None:
        """The question for the card play of the next turn."""
        if request.turn == 1:
            self.bags.clear()
            return
        for other in (*request.before, *request.after):
            self.bags[other.seat] = self.bags.get(other.seat, 0) + _eaten(other)


def _eaten(other: Other) -> int:
    """What this player has put into its bag at the end of the last turn: a token for each animal that is left."""
    board = other.species[0]
    handed = len(other.species) == 1 and board.population == 1 and board.body == 0 and not board.traits
    return 0 if handed else sum([board.population for board in other.species])


def _why(total: float, tries: int, moves: int) -> str:
    if not tries:
        return "the only move"
    return f"is worth {total / tries:+.2f} in {tries} worlds, {moves} moves considered"
