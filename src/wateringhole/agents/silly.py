"""The silly player: it always plays its cards in order and feeds its largest board."""

from typing import Final

from mypy_extensions import mypyc_attr

from wateringhole.agents.playout import PlayoutBot, PlayoutRequest
from wateringhole.cards import Card
from wateringhole.kernel.policy import SILLY, Policy
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.player import Other
from wateringhole.rules.feeding import targets_among
from wateringhole.species import Species
from wateringhole.traits import CARNIVORE, FAT_TISSUE
from wateringhole.view import Choose, Feed

MIN_CARDS: Final = 3
PLACE: Final = (1 << 22) - 1


@mypyc_attr(allow_interpreted_subclasses=True)
class Silly(PlayoutBot):
    """Plays as docs/rules.md describes the silly player."""

    def card_play(self, request: Choose | PlayoutRequest) -> CardPlay:
        me = request.me
        return card_play(me.species, me.hand)

    def feeding(self, request: Feed | PlayoutRequest) -> Feeding:
        """The greatest fat need, else the largest hungry vegetarian, else the largest carnivore that finds prey."""
        species = request.me.species
        move = quiet_feeding(species, request.watering_hole)
        return hunt(species, request.others) if move is None else move

    def kernel_policy(self) -> Policy | None:
        return Policy(SILLY) if type(self) is Silly else None


def card_play(species: tuple[Species, ...], hand: tuple[Card, ...]) -> CardPlay:
    """Food, a new board with one trait; as far as the cards go, one growth of each kind and a replacement there."""
    # The order of a card and its place in one number: numbers are sorted faster than anything else, up to 30 bits.
    cards = [card.order << 22 | at for at, card in enumerate(hand)]
    cards.sort()
    new = len(species)
    return CardPlay(
        cards[0] & PLACE,
        (Growth(new, cards[3] & PLACE),) if len(cards) > 3 else (),
        (Growth(new, cards[4] & PLACE),) if len(cards) > 4 else (),
        (NewBoard(cards[1] & PLACE, (cards[2] & PLACE,)),),
        (Replacement(new, 0, cards[5] & PLACE),) if len(cards) > 5 else (),
    )


def quiet_feeding(species: tuple[Species, ...], watering_hole: int) -> Feeding | None:
    """What it feeds without a look at the others, if anything."""
    fattest = grazer = -1
    most = 0
    for at, board in enumerate(species):
        mask = board.mask
        if mask & FAT_TISSUE and board.fat_food < board.body:
            if fattest < 0 or needier(board, species[fattest]):
                fattest = at
        population = board.population
        if board.food < population:
            if not mask & CARNIVORE and (population > most or (population == most and larger(board, species[grazer]))):
                grazer = at
                most = population
    if fattest >= 0:
        return StoreFat(fattest, min(species[fattest].fat_need, watering_hole))
    if grazer >= 0:
        return Graze(grazer)
    return None


def needier(board: Species, other: Species) -> bool:
    """Whether its fat need is greater, or equal and the board larger."""
    return board.fat_need > other.fat_need or (board.fat_need == other.fat_need and larger(board, other))


def larger(board: Species, other: Species) -> bool:
    """By population, then food, then body."""
    if board.population != other.population:
        return board.population > other.population
    if board.food != other.food:
        return board.food > other.food
    return board.body > other.body


def hunt(species: tuple[Species, ...], others: tuple[Other, ...]) -> Feeding:
    """The largest hungry carnivore that may attack anything attacks the largest board that it may; else no more."""
    for hunter in _hunters(species):
        prey: Species | None = None
        whose = at = 0
        for other in others:
            for target in targets_among(species[hunter], other.species):
                if prey is None or larger(other.species[target], prey):
                    prey, whose, at = other.species[target], other.seat, target
        if prey is not None:
            return Attack(hunter, whose, at)
    return Decline()


def _hunters(species: tuple[Species, ...]) -> list[int]:
    """The hungry carnivores from large to small, ties leftmost first."""
    hunters = [at for at, board in enumerate(species) if board.food < board.population and board.mask & CARNIVORE]
    hunters.sort(key=lambda at: (species[at].population, species[at].food, species[at].body), reverse=True)
    return hunters
