"""The rash player: anything legal, at random. It is weak, but sooner or later it does all that the rules allow."""

from random import Random

from mypy_extensions import mypyc_attr

from wateringhole.moves import CardPlay, Decline, Feeding, Growth, NewBoard, Replacement, StoreFat
from wateringhole.value import replace
from wateringhole.view import Choose, Feed


@mypyc_attr(allow_interpreted_subclasses=True)
class Rash:
    """Random legal moves from a generator of its own: the same seed plays the same way."""

    def __init__(self, seed: str | int = 0) -> None:
        self._random = Random(str(seed))

    def choose(self, request: Choose) -> CardPlay:
        """Give each card in turn a random use; a use that the rules refuse leaves the card in the hand."""
        food, *rest = self._random.sample(range(len(request.me.hand)), len(request.me.hand))
        play = CardPlay(food)
        for card in rest:
            wish = self._use(play, card, len(request.me.species) + len(play.boards))
            if request.objection(wish) is None:
                play = wish
        return play

    def _use(self, play: CardPlay, card: int, boards: int) -> CardPlay:
        """The play with a use for one more card: growth, a board, a new board's trait, a replacement, or none."""
        board = self._random.randrange(boards)
        match self._random.randrange(6):
            case 0:
                return replace(play, population=(*play.population, Growth(board, card)))
            case 1:
                return replace(play, body=(*play.body, Growth(board, card)))
            case 2:
                return replace(play, boards=(*play.boards, NewBoard(card)))
            case 3 if play.boards and len(play.boards[-1].traits) < 3:
                *older, last = play.boards
                return replace(play, boards=(*older, replace(last, traits=(*last.traits, card))))
            case 4:
                return replace(play, traits=(*play.traits, Replacement(board, self._random.randrange(3), card)))
        return play

    def feed(self, request: Feed) -> Feeding:
        """Any option, now and then less fat than possible, and now and then nothing more at all."""
        if self._random.randrange(12) == 0:
            return Decline()
        move = self._random.choice(request.options)
        if isinstance(move, StoreFat):
            return StoreFat(move.board, self._random.randint(1, move.tokens))
        return move
