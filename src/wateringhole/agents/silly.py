"""The silly player: it always plays its cards in order and feeds its largest board."""

from collections.abc import Sequence
from typing import Final

from wateringhole.cards import CARNIVORE, Card
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.rules.feeding import Seen, targets
from wateringhole.species import Species
from wateringhole.view import Choose, Feed

FEWEST_CARDS: Final = 3


class Silly:
    """Plays as docs/rules.md describes the silly player."""

    def choose(self, request: Choose) -> CardPlay:
        return card_play(request.me.species, request.me.hand)

    def feed(self, request: Feed) -> Feeding:
        return feeding(request.me.species, request.watering_hole, request.others)


def card_play(species: Sequence[Species], hand: Sequence[Card]) -> CardPlay:
    """Food, a new board with one trait; as far as the cards go, one growth of each kind and a replacement there."""
    cards = sorted(range(len(hand)), key=lambda number: hand[number].order)
    new = len(species)
    return CardPlay(
        food=cards[0],
        population=(Growth(new, cards[3]),) if len(cards) > 3 else (),
        body=(Growth(new, cards[4]),) if len(cards) > 4 else (),
        boards=(NewBoard(cards[1], (cards[2],)),),
        traits=(Replacement(new, 0, cards[5]),) if len(cards) > 5 else (),
    )


def feeding(species: Sequence[Species], watering_hole: int, others: Sequence[Seen]) -> Feeding:
    """The greatest fat need, else the largest hungry vegetarian, else the largest carnivore that finds prey."""
    fattest = -1
    grazer = -1
    for at, board in enumerate(species):
        need = board.fat_need
        if need:
            if fattest < 0 or (need, *size(board)) > (species[fattest].fat_need, *size(species[fattest])):
                fattest = at
        elif grazer < 0 or size(board) > size(species[grazer]):
            if board.food < board.population and not board.mask & CARNIVORE:
                grazer = at
    if fattest >= 0:
        return StoreFat(fattest, min(species[fattest].fat_need, watering_hole))
    if grazer >= 0:
        return Graze(grazer)
    return hunt(species, others) or Decline()


def hunt(species: Sequence[Species], others: Sequence[Seen]) -> Attack | None:
    """The largest hungry carnivore that may attack anything attacks the largest board that it may."""
    hunters = [at for at, board in enumerate(species) if board.food < board.population and board.mask & CARNIVORE]
    hunters.sort(key=lambda at: size(species[at]), reverse=True)
    for hunter in hunters:
        prey = None
        largest = (0, 0, 0)
        boards_of = {other.seat: other.species for other in others}
        for seat, target in targets(species[hunter], others):
            measure = size(boards_of[seat][target])
            if prey is None or measure > largest:
                prey = Attack(hunter, seat, target)
                largest = measure
        if prey is not None:
            return prey
    return None


def size(board: Species) -> tuple[int, int, int]:
    """What makes a board larger than another."""
    return board.population, board.food, board.body
