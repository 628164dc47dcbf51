"""The greedy player: boards above all, since every board brings a card each turn, and food for them.

It gives the watering hole the card with the most food that is of little use otherwise. The traits that bring food go
together on one new board; what is left pays for more boards, or for animals on them. It feeds what eats most in one
step, and hunts where that hurts most. How much it likes what was found by playing, with bench/tune.py.
"""

from math import isfinite
from typing import Final, final

from mypy_extensions import mypyc_attr

from wateringhole.agents.playout import PlayoutBot, PlayoutRequest
from wateringhole.cards import DECK, Card
from wateringhole.kernel.policy import GREEDY, Policy
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard
from wateringhole.player import Other
from wateringhole.rules.feeding import feedings
from wateringhole.species import MAX_POPULATION, MAX_TRAITS, Species
from wateringhole.traits import CARNIVORE, FORAGING, HORNS, Trait
from wateringhole.view import Choose, Feed


@final
class Taste:
    """What a player likes: traits, by what they are worth to it; and in feedings a token, a kill, an end, fat.

    A trait worth less than 1 is a card to pay with. `thrift` is how much of a card's worth is missed when it becomes
    food, `boards` how many new ones it wants in a turn. `policy` is all of it for the kernel.
    """

    def __init__(
        self,
        worth: dict[Trait, float],
        thrift: float = 0.6,
        boards: int = 4,
        kill: float = 1.0,
        end: float = 0.1,
        horns: float = 1.5,
        fat: float = 0.0,
        begun: float = 0.3,
    ) -> None:
        self.worth: Final = [worth.get(card.trait, 0.0) for card in DECK]
        self.thrift: Final = thrift
        self.boards: Final = boards
        self.kill: Final = kill
        self.end: Final = end
        self.horns: Final = horns
        self.fat: Final = fat
        self.begun: Final = begun
        numbers = [*self.worth, thrift, boards, kill, end, horns, fat, begun]
        self.policy: Final = Policy(GREEDY, taste=numbers) if isfinite(sum(numbers)) else None


LIKES: Final = {
    Trait.LONG_NECK: 4.0,
    Trait.COOPERATION: 3.5,
    Trait.FORAGING: 3.4,
    Trait.FERTILE: 1.3,
}


PLAIN: Final = Taste(LIKES)


@mypyc_attr(allow_interpreted_subclasses=True)
class Greedy(PlayoutBot):
    """Takes the move that is worth most at once, by its taste: what traits, tokens and kills are worth to it."""

    def __init__(self, taste: Taste = PLAIN) -> None:
        self.taste: Final = taste

    def card_play(self, request: Choose | PlayoutRequest) -> CardPlay:
        return card_play(request.me.species, request.me.hand, self.taste)

    def feeding(self, request: Feed | PlayoutRequest) -> Feeding:
        species = request.me.species
        return feeding(species, request.watering_hole, request.others if _hunting(species) else (), self.taste)

    def kernel_policy(self) -> Policy | None:
        return self.taste.policy if type(self) is Greedy else None


def card_play(species: tuple[Species, ...], hand: tuple[Card, ...], taste: Taste) -> CardPlay:
    """Food, new boards with the traits it likes, and animals for what is left."""
    worth = taste.worth
    food = 0
    most = -99.0
    for at, card in enumerate(hand):
        gain = card.food - taste.thrift * worth[card.order]
        if gain > most:
            food, most = at, gain
    order = [at for at in range(len(hand)) if at != food]
    order.sort(key=lambda at: worth[hand[at].order])
    liked = [at for at in order if worth[hand[at].order] >= 1.0]
    spare = order[: len(order) - len(liked)]
    if not spare and len(liked) > 1:
        spare.append(liked.pop(0))
    boards, spare = spare[: taste.boards], spare[taste.boards :]
    traits, left = _shared_out(hand, liked, len(boards))
    return CardPlay(
        food,
        _animals(spare + left, len(species), traits),
        (),
        tuple([NewBoard(pay, tuple(traits[at])) for at, pay in enumerate(boards)]),
        (),
    )


def _shared_out(hand: tuple[Card, ...], liked: list[int], boards: int) -> tuple[list[list[int]], list[int]]:
    """The cards that become traits, the best ones together on the first board, and those that find no place."""
    traits: list[list[int]] = [[] for _ in range(boards)]
    masks = [0] * boards
    left: list[int] = []
    for card in reversed(liked):
        bit = hand[card].bit
        for at in range(boards):
            if len(traits[at]) < MAX_TRAITS and not masks[at] & bit:
                traits[at].append(card)
                masks[at] |= bit
                break
        else:
            left.append(card)
    return traits, left


def _animals(cards: list[int], old: int, traits: list[list[int]]) -> tuple[Growth, ...]:
    """One more animal on each new board in turn, for as many cards as there are and room for."""
    boards = len(traits)
    if boards == 0:
        return ()
    room = boards * (MAX_POPULATION - 1)
    return tuple([Growth(old + at % boards, card) for at, card in enumerate(cards[:room])])


def feeding(species: tuple[Species, ...], watering_hole: int, others: tuple[Other, ...], taste: Taste) -> Feeding:
    """The best of all options, and never none."""
    best: Feeding | None = None
    most = -99.0
    for move in feedings(species, watering_hole, others):
        board = species[move.board] if type(move) is not Decline else species[0]
        if type(move) is Graze:
            gain = _meal(board, taste)
        elif type(move) is Attack:
            gain = _meal(board, taste) + _harm(move, board, others, taste)
        else:
            gain = taste.fat
        if gain > most:
            best, most = move, gain
    return Decline() if best is None else best


def _hunting(species: tuple[Species, ...]) -> bool:
    """Whether a carnivore is hungry: else the others do not matter, and a look at them takes time."""
    return any(board.mask & CARNIVORE and board.food < board.population for board in species)


def _meal(board: Species, taste: Taste) -> float:
    """What a meal of this board brings: its tokens, and a little more where one has been eaten already."""
    tokens = 2 if board.mask & FORAGING and board.population - board.food > 1 else 1
    return tokens + (taste.begun if board.food else 0.0)


def _harm(attack: Attack, hunter: Species, others: tuple[Other, ...], taste: Taste) -> float:
    """What it does to the prey, and to the hunter if that has horns."""
    for other in others:
        if other.seat == attack.seat:
            prey = other.species[attack.target]
            gain = taste.kill
            if prey.population == 1:
                gain += taste.end * (1 + len(prey.traits))
            if prey.mask & HORNS:
                gain -= taste.horns * (2 if hunter.population == 1 else 1)
            return gain
    return 0.0
