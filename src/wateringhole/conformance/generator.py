"""Generates random situations, with rare ones more often than chance would give.

Laws: a situation is accepted by our harness and depends on its seed and number alone; each of the 122 cards is in it at
most once, be it in a hand, in the deck or as a trait on a board; every card play in it is legal.
"""

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import MIN_CARDS, Silly
from wateringhole.cards import DECK, Card
from wateringhole.conformance.harness import HARNESSES, configured_game
from wateringhole.conformance.situations import Side, Situation, with_board, with_body, with_trait
from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS
from wateringhole.moves import CardPlay, Replacement
from wateringhole.species import MAX_BODY, MAX_POPULATION, MAX_TRAITS, Species
from wateringhole.traits import (
    BURROWING,
    CARNIVORE,
    DEFENCES,
    FAT_TISSUE,
    HARD_SHELL,
    HARD_SHELL_MARGIN,
    HERDING,
    SYMBIOSIS,
    Trait,
    strength,
)
from wateringhole.view import Choose, choices
from wateringhole.wire.framing import Json

_SHOWN: Final = (
    Trait.WARNING_CALL,
    Trait.HARD_SHELL,
    Trait.BURROWING,
    Trait.HERDING,
    Trait.CLIMBING,
    Trait.SYMBIOSIS,
)
"""Defences that have a scene in a place of its own, so that the numbers of situations stay the same."""
SCENES: Final[tuple[tuple[tuple[Trait, ...], tuple[Trait, ...]], ...]] = (
    ((Trait.AMBUSH,), (Trait.WARNING_CALL,)),
    ((Trait.COOPERATION, Trait.FORAGING), (Trait.COOPERATION, Trait.FORAGING, Trait.LONG_NECK)),
    ((Trait.PACK_HUNTING,), (Trait.HARD_SHELL,)),
    ((Trait.FAT_TISSUE,), (Trait.FAT_TISSUE,)),
    ((), (Trait.BURROWING,)),
    ((Trait.COOPERATION, Trait.SCAVENGER), (Trait.COOPERATION, Trait.FORAGING, Trait.SCAVENGER)),
    ((), (Trait.HERDING,)),
    ((Trait.CLIMBING,), (Trait.CLIMBING,)),
    ((Trait.HORNS,), (Trait.HORNS, Trait.SCAVENGER)),
    ((Trait.LONG_NECK,), (Trait.FAT_TISSUE, Trait.FERTILE, Trait.LONG_NECK)),
    ((), (Trait.SYMBIOSIS,)),
    (tuple(Trait), tuple(Trait)),
    *[(defence.foiled_by, (defence.trait,)) for defence in DEFENCES if defence.trait not in _SHOWN],
)
"""What carnivores bring along, and what the others do: traits that matter to each other meet too rarely by chance."""

DULL: Final = (Trait.PACK_HUNTING, Trait.AMBUSH, Trait.BURROWING, Trait.CLIMBING)
"""Traits that make the least difference in the place of another."""

DRAFTS: Final = (8, 1)
PLAYERS: Final = (3, 3, 3, 4, 4, *range(MIN_PLAYERS, MAX_PLAYERS + 1))
ROWS: Final = (0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 6)
HOLES: Final = (0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 10, 15, 40)
DECKS: Final = (0, 1, 2, 3, 4, 8, 30)
"""How many of each there are: mostly few, so that a difference is easily seen, and now and then the limit."""


def situations(
    harness: str, seed: str, fewest: int = MIN_PLAYERS, most: int = MAX_PLAYERS, drafted: Sequence[int] = DRAFTS
) -> Iterator[Situation]:
    """Situations for this harness without end, scene after scene: the most telling of some drafts, or just one.

    Each has from `fewest` to `most` players, if its harness reads players. `drafted` says of how many drafts, in turn.
    """
    tables = [players for players in PLAYERS if fewest <= players <= most]
    for number, (drafts, (aids, shields)) in enumerate(itertools.cycle(itertools.product(drafted, SCENES))):
        # A generator for each, so that the hundredth does not change when the first is made in another way.
        box = functools.partial(_Box, Random(f"{seed}:{harness}:{number}"), aids, shields, tables)
        made = _MAKERS[harness](box())
        if drafts > 1 and harness != "xsilly":  # to which traits are all the same
            made = _most_telling(made, (_MAKERS[harness](box()) for _ in range(1, drafts)), {*aids, *shields})
        yield made


def _most_telling(first: Situation, others: Iterable[Situation], scene: set[Trait]) -> Situation:
    """The one in which most of the scene's traits count; it is not searched for beyond one in which all do."""
    best, most = first, _telling(first, scene)
    for other in others:
        if most == len(scene):
            break
        telling = _telling(other, scene)
        if telling > most:
            best, most = other, telling
    return best


def _telling(situation: Situation, scene: set[Trait]) -> int:
    """How many of the scene's traits count: things would go another way without one of their bearers."""
    counting: set[Trait] = set()
    fate = _fate(situation)
    for number, side in enumerate(situation.sides):
        for at, board in enumerate(side.boards):
            for slot, trait in enumerate(board.traits):
                if trait in scene and trait not in counting:
                    duller = with_trait(board, slot, next(dull for dull in DULL if dull not in board.traits))
                    if _fate(with_board(situation, number, at, duller)) != fate:
                        counting.add(trait)
    return len(counting)


def _fate(situation: Situation) -> Json:
    """What becomes of all, whatever their traits."""
    return _without_traits(HARNESSES[situation.harness](situation))


def _without_traits(value: Json) -> Json:
    if not isinstance(value, list):
        return value
    return [_without_traits(part) for part in value if not (isinstance(part, list) and part[:1] == ["traits"])]


class _Box:
    """The cards on their way into a situation: each comes out once."""

    def __init__(
        self, random: Random, aids: tuple[Trait, ...], shields: tuple[Trait, ...], tables: Sequence[int]
    ) -> None:
        self.random: Final = random
        self.tables: Final = tables
        self._cards = random.sample(DECK, len(DECK))
        self._aids = aids
        self._shields = shields

    def cards(self, number: int) -> tuple[Card, ...]:
        """So many cards, or as many as there are."""
        taken, self._cards = self._cards[:number], self._cards[number:]
        return tuple(taken)

    def side(self, boards: int, cards: int = 0) -> Side:
        """A player with so many boards and cards."""
        random, hand = self.random, self.cards(cards)
        row: list[Species] = []
        for _ in range(boards):
            board = self.board(hunts=random.random() < 0.4)
            row.append(_like(random, board, row[-1]) if row and random.random() < 0.4 else board)
        if random.random() < 0.6 and any(board.mask & CARNIVORE for board in row):
            row = [_only_hunting(board) for board in row]
        return Side(tuple(row), bag=random.choice((0, 0, 1, 9, 40)), hand=hand)

    def board(self, hunts: bool) -> Species:
        """Any board that the rules allow, the limits more often than their share."""
        random = self.random
        fitting = self._aids if hunts else self._shields
        wanted = [
            *([Trait.CARNIVORE] if hunts else []),
            *random.sample(fitting, min(random.choice((0, 1, 1, 2, 3)), len(fitting))),
            *random.sample(list(Trait), random.choice((0, 0, 0, 1, 3))),
        ]
        traits = [trait for trait in list(dict.fromkeys(wanted))[:MAX_TRAITS] if self._take(trait)]
        random.shuffle(traits)
        # Carnivores are mostly large, for shells and herds must not always be too much for them.
        population = random.choice((1, 2, 3, 4, MAX_POPULATION) if hunts else (1, 1, 1, 2, 2, 3, 5, MAX_POPULATION))
        body = random.choice((0, 1, 3, 4, 5, MAX_BODY) if hunts else (0, 0, 1, 2, 3, 4, MAX_BODY))
        food = random.choice((0, 0, 0, population, random.randint(0, population)))
        fat_food = random.choice((0, 0, body, random.randint(0, body))) if Trait.FAT_TISSUE in traits else 0
        return Species(population, body, food, fat_food, tuple(traits))

    def _take(self, trait: Trait) -> bool:
        """Take a card with this trait out, if there is one left."""
        for number, card in enumerate(self._cards):
            if card.trait is trait:
                del self._cards[number]
                return True
        return False


def _like(random: Random, board: Species, other: Species) -> Species:
    """A board with these traits that is just as large as the other one, or differs in one thing."""
    population, body, food, fat_food = other.population, other.body, other.food, other.fat_food
    match random.randrange(5):
        case 0:
            population = min(population + 1, MAX_POPULATION)
        case 1:
            body = min(body + 1, MAX_BODY)
        case 2:
            food = max(food - 1, 0)
        case 3:
            body, fat_food = min(body + 1, MAX_BODY), min(fat_food + 1, MAX_BODY)
    return Species(population, body, food, fat_food if board.mask & FAT_TISSUE else 0, board.traits)


def _only_hunting(board: Species) -> Species:
    """The same board, sated unless it is a carnivore: a silly player attacks only when nothing else can be fed."""
    food = min(board.food, board.population - 1) if board.mask & CARNIVORE else board.population
    return Species(board.population, board.body, food, board.fat_food, board.traits)


def _tuned(random: Random, sides: Sequence[Side]) -> tuple[Side, ...]:
    """The same sides, with many a prey just within or just beyond the reach of another player's carnivore."""
    tuned = []
    for side in sides:
        rivals = [board for rival in sides if rival is not side for board in rival.boards if board.mask & CARNIVORE]
        row = list(side.boards)
        for at, board in enumerate(row):
            if rivals and random.random() < 0.7:
                row[at] = _within_reach(random, board, random.choice(rivals[:2]))
            if at and row[at - 1].mask & SYMBIOSIS and random.random() < 0.7:
                row[at] = with_body(row[at], row[at - 1].body + random.randint(0, 1))
        tuned.append(replace(side, boards=tuple(row)))
    return tuple(tuned)


def _within_reach(random: Random, prey: Species, rival: Species) -> Species:
    """The same prey with a shell or a herd that this carnivore just overcomes, or just does not."""
    if prey.mask & HARD_SHELL:
        prey = with_body(prey, strength(rival) - HARD_SHELL_MARGIN + random.randint(0, 1))
    if prey.mask & HERDING:
        prey = prey.with_population(max(1, rival.population - random.randint(0, 1)))
    if prey.mask & BURROWING:
        prey = prey.having_eaten(prey.population - prey.food - random.randint(0, 1))
    return prey


def _xattack(box: _Box) -> Situation:
    random = box.random
    hunter = box.board(hunts=random.random() < 0.9)
    row = box.side(random.choice((1, 2, 2, 3, 3, 3)))
    at = 1 if len(row.boards) == 3 else random.randrange(len(row.boards))
    return Situation("xattack", _tuned(random, (Side((hunter,)), Side(row.boards))), at=at)


def _xstep(box: _Box, hands: Sequence[int] = (0, 0, 1, 3, 6)) -> Situation:
    """A table in the middle of the feeding, with hands of these sizes."""
    random = box.random
    players = random.choice(box.tables)
    ids = sorted(random.sample(range(1, MAX_PLAYERS + 1), players))
    first = random.randrange(players)
    sides = [
        replace(box.side(random.choice(ROWS), random.choice(hands)), number=number)
        for number in ids[first:] + ids[:first]
    ]
    deck = box.cards(random.choice(DECKS))
    return Situation("xstep", _tuned(random, sides), random.choice(HOLES), deck)


def _xfeed(box: _Box) -> Situation:
    table = _xstep(box)
    return replace(table, harness="xfeed", watering_hole=max(1, table.watering_hole), deck=())


def _xsilly(box: _Box) -> Situation:
    table = _xstep(box, hands=range(MIN_CARDS, 11))
    others = [Side(side.boards) for side in table.sides[1:]]
    return Situation("xsilly", (table.sides[0], *others), at=box.random.randint(0, len(others)))


def _xstep4(box: _Box) -> Situation:
    table = _xstep(box, hands=range(1, 10))
    asked = zip(table.sides, choices(configured_game(table)), strict=True)
    sides = [replace(side, play=_some_play(box.random, choose)) for side, choose in asked]
    return replace(table, harness="xstep4", sides=tuple(sides))


def _some_play(random: Random, asked: Choose) -> CardPlay:
    """A legal play: anything, or a silly player's, or other traits for the old boards, or the food card alone."""
    manner = random.randrange(5)
    if manner < 2 and asked.me.species:  # a rash player always has a board, here a player need not
        return Rash(random.getrandbits(64)).choose(asked)
    if manner == 2 and len(asked.me.hand) >= MIN_CARDS:
        return Silly().choose(asked)
    food, *rest = random.sample(range(len(asked.me.hand)), len(asked.me.hand))
    swaps = [
        Replacement(at, slot, rest.pop())
        for at, board in enumerate(asked.me.species)
        for slot in range(len(board.traits))
        if rest and random.random() < (0.5 if board.fat_food else 0.2)
    ]
    play = CardPlay(food, traits=tuple(swaps) if manner == 3 else ())
    return play if asked.why_not(play) is None else CardPlay(food)


_MAKERS: Final[dict[str, Callable[[_Box], Situation]]] = {
    "xattack": _xattack,
    "xfeed": _xfeed,
    "xsilly": _xsilly,
    "xstep": _xstep,
    "xstep4": _xstep4,
}
