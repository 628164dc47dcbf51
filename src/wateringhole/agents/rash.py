"""The rash player: anything legal, at random. It is weak, but sooner or later it does all that the rules allow."""

from random import Random

from mypy_extensions import mypyc_attr

from wateringhole.cards import Card
from wateringhole.game import Game, PlayOutcome
from wateringhole.moves import CardPlay, Decline, Feeding, Growth, NewBoard, Replacement, StoreFat
from wateringhole.player import Other, Player
from wateringhole.playout import Policy
from wateringhole.rules.cardplay import outcome
from wateringhole.rules.feeding import feedings
from wateringhole.species import Species
from wateringhole.view import Choose, Feed


@mypyc_attr(allow_interpreted_subclasses=True)
class Rash(Policy):
    """Random legal moves from a generator of its own: the same seed plays the same way."""

    def __init__(self, seed: str | int = 0) -> None:
        self._random = Random(str(seed))

    def choose(self, request: Choose) -> CardPlay:
        return self._play(request.me.species, request.me.hand)

    def feed(self, request: Feed) -> Feeding:
        return self._feeding(request.me.species, request.watering_hole, request.others)

    def card_play(self, game: Game, player: Player) -> CardPlay:
        return self._play(player.species, player.hand)

    def feeding(self, game: Game, player: Player) -> Feeding:
        return self._feeding(player.species, game.watering_hole, game.seen(player.seat))

    def _play(self, species: tuple[Species, ...], hand: tuple[Card, ...]) -> CardPlay:
        """Give each card in turn a random use; a use that the rules refuse leaves the card in the hand."""
        cards = self._random.sample(range(len(hand)), len(hand))
        play = CardPlay(cards[0])
        for card in cards[1:]:
            wish = self._use(play, card, len(species) + len(play.boards))
            if type(outcome(wish, species, hand)) is PlayOutcome:
                play = wish
        return play

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

    def _feeding(self, species: tuple[Species, ...], watering_hole: int, others: tuple[Other, ...]) -> Feeding:
        """Any option, now and then less fat than possible, and now and then nothing more at all."""
        if self._random.randrange(12) == 0:
            return Decline()
        move = self._random.choice(feedings(species, watering_hole, others))
        if type(move) is StoreFat:
            return StoreFat(move.board, self._random.randint(1, move.tokens))
        return move
