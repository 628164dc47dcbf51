"""The rash player: anything legal, at random. It is weak, but sooner or later it does all that the rules allow."""

from random import Random

from mypy_extensions import mypyc_attr

from wateringhole.agents.playout import PlayoutBot, PlayoutRequest
from wateringhole.game import PlayOutcome
from wateringhole.kernel.policy import RASH, Policy
from wateringhole.moves import CardPlay, Decline, Feeding, Growth, NewBoard, Replacement, StoreFat
from wateringhole.rules.cardplay import outcome
from wateringhole.rules.feeding import feedings
from wateringhole.view import Choose, Feed


@mypyc_attr(allow_interpreted_subclasses=True)
class Rash(PlayoutBot):
    """Makes random legal moves; the same seed makes the same moves."""

    def __init__(self, seed: str | int = 0) -> None:
        self._random = Random(str(seed))

    def card_play(self, request: Choose | PlayoutRequest) -> CardPlay:
        """Give each card in turn a random use; a use that the rules refuse leaves the card in the hand."""
        species, hand = request.me.species, request.me.hand
        cards = self._random.sample(range(len(hand)), len(hand))
        play = CardPlay(cards[0])
        for card in cards[1:]:
            wish = self._use(play, card, len(species) + len(play.boards))
            if type(outcome(wish, species, hand)) is PlayOutcome:
                play = wish
        return play

    def feeding(self, request: Feed | PlayoutRequest) -> Feeding:
        """Any option, now and then less fat than possible, and now and then nothing more at all."""
        if self._random.randrange(12) == 0:
            return Decline()
        move = self._random.choice(feedings(request.me.species, request.watering_hole, request.others))
        if type(move) is StoreFat:
            return StoreFat(move.board, self._random.randint(1, move.tokens))
        return move

    def kernel_policy(self) -> Policy | None:
        return Policy(RASH, self._random) if type(self) is Rash else None

    def _use(self, play: CardPlay, card: int, boards: int) -> CardPlay:
        """The play with a use for one more card: growth, a board, a new board's trait, a replacement, or none."""
        food, population, body, new, traits = play.food, play.population, play.body, play.boards, play.traits
        board = self._random.randrange(boards)
        use = self._random.randrange(6)
        if use == 0:
            population += (Growth(board, card),)
        elif use == 1:
            body += (Growth(board, card),)
        elif use == 2:
            new += (NewBoard(card),)
        elif use == 3 and new and len(new[-1].traits) < 3:
            new = new[:-1] + (NewBoard(new[-1].pay, new[-1].traits + (card,)),)
        elif use == 4:
            traits += (Replacement(board, self._random.randrange(3), card),)
        return CardPlay(food, population, body, new, traits)
