"""The rules of legality once more, as plainly as they can be said: a second opinion for the laws.

Laws: nothing here calls the engine's rules; speed does not count.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from wateringhole.cards import Card
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard, Replacement, Reply, StoreFat
from wateringhole.traits import Trait


class BoardLike(Protocol):
    """A board, the engine's or the ledger's."""

    @property
    def population(self) -> int: ...
    @property
    def body(self) -> int: ...
    @property
    def food(self) -> int: ...
    @property
    def fat_food(self) -> int: ...
    @property
    def traits(self) -> Sequence[Trait]: ...


class SeatLike(Protocol):
    """Another player, as far as its boards go."""

    @property
    def seat(self) -> int: ...
    @property
    def species(self) -> Sequence[BoardLike]: ...


class DraftGrowth(NamedTuple):
    board: int
    card: int


class DraftBoard(NamedTuple):
    pay: int
    traits: tuple[int, ...]


class DraftReplacement(NamedTuple):
    board: int
    slot: int
    card: int


class DraftPlay(NamedTuple):
    """A card play that may have any numbers: the engine's own cannot be built with bad ones."""

    food: int
    population: tuple[DraftGrowth, ...]
    body: tuple[DraftGrowth, ...]
    boards: tuple[DraftBoard, ...]
    traits: tuple[DraftReplacement, ...]

    def built(self) -> CardPlay:
        return CardPlay(
            self.food,
            tuple(Growth(*growth) for growth in self.population),
            tuple(Growth(*growth) for growth in self.body),
            tuple(NewBoard(*new) for new in self.boards),
            tuple(Replacement(*swap) for swap in self.traits),
        )


def may_attack(attacker: BoardLike, boards: Sequence[BoardLike], target: int) -> bool:
    """Whether nothing stops this attacker from attacking this one of another player's boards."""
    prey = boards[target]
    left = boards[target - 1 : target] if target > 0 else []
    right = boards[target + 1 : target + 2]
    can, has = attacker.traits, prey.traits
    force = attacker.body + (attacker.population if Trait.PACK_HUNTING in can else 0)
    stopped = (
        Trait.CARNIVORE not in can
        or (Trait.AMBUSH not in can and any(Trait.WARNING_CALL in near.traits for near in [*left, *right]))
        or (Trait.BURROWING in has and prey.food == prey.population)
        or (Trait.CLIMBING in has and Trait.CLIMBING not in can)
        or (Trait.HARD_SHELL in has and force < prey.body + 4)
        or (Trait.HERDING in has and attacker.population <= prey.population)
        or (Trait.SYMBIOSIS in has and any(near.body > prey.body for near in right))
    )
    return not stopped


def options(boards: Sequence[BoardLike], watering_hole: int, others: Sequence[SeatLike]) -> list[Feeding]:
    """Every option of a player, fat to the max."""
    if watering_hole == 0:
        return []
    found: list[Feeding] = []
    for at, board in enumerate(boards):
        hungry = board.food < board.population
        if Trait.FAT_TISSUE in board.traits and board.fat_food < board.body:
            found.append(StoreFat(at, min(board.body - board.fat_food, watering_hole)))
        if hungry and Trait.CARNIVORE not in board.traits:
            found.append(Graze(at))
        if hungry and Trait.CARNIVORE in board.traits:
            found += [
                Attack(at, other.seat, target)
                for other in others
                for target in range(len(other.species))
                if may_attack(board, other.species, target)
            ]
    return found


def legal_feeding(move: Reply, choices: list[Feeding]) -> bool:
    """Whether this move is one of the options, or less fat than one of them, or to decline."""
    if isinstance(move, StoreFat):
        return any(
            isinstance(choice, StoreFat) and choice.board == move.board and 1 <= move.tokens <= choice.tokens
            for choice in choices
        )
    return isinstance(move, Decline) or move in choices


def used_cards(play: CardPlay | DraftPlay) -> list[int]:
    """Every card number in this play."""
    growths = [growth.card for growth in (*play.population, *play.body)]
    paid = [number for new in play.boards for number in (new.pay, *new.traits)]
    return [play.food, *growths, *paid, *(swap.card for swap in play.traits)]


def flaw(play: CardPlay | DraftPlay, boards: Sequence[BoardLike], hand: Sequence[Card]) -> int | None:
    """The number of the first of the rule book's conditions for legal plays that this one breaks, or None."""
    used = used_cards(play)
    named = [growth.board for growth in (*play.population, *play.body)] + [swap.board for swap in play.traits]
    every = len(boards) + len(play.boards)
    numbers = [*used, *named, *(swap.slot for swap in play.traits)]
    if any(type(number) is not int or number < 0 for number in numbers) or any(len(b.traits) > 3 for b in play.boards):
        return 1
    if any(number >= len(hand) for number in used):
        return 2
    if any(used.count(number) > 1 for number in used):
        return 3
    if any(board >= every for board in named):
        return 4
    populations = [board.population for board in boards] + [1] * len(play.boards)
    bodies = [board.body for board in boards] + [0] * len(play.boards)
    if any(populations[at] + [growth.board for growth in play.population].count(at) > 7 for at in range(every)):
        return 5
    if any(bodies[at] + [growth.board for growth in play.body].count(at) > 7 for at in range(every)):
        return 6
    new_traits = [[hand[number].trait for number in new.traits] for new in play.boards]
    if any(len(set(traits)) < len(traits) for traits in new_traits):
        return 7
    slots = [list(board.traits) for board in boards] + new_traits
    if any(swap.slot >= len(slots[swap.board]) for swap in play.traits):
        return 8
    for swap in play.traits:
        slots[swap.board][swap.slot] = hand[swap.card].trait
        if len(set(slots[swap.board])) < len(slots[swap.board]):
            return 9
    return None


def boards_after(play: CardPlay, boards: Sequence[BoardLike], hand: Sequence[Card]) -> list[tuple[object, ...]]:
    """Population, body, fat and traits of every board after a legal play; fat goes with the trait that holds it."""
    populations = [board.population for board in boards] + [1] * len(play.boards)
    bodies = [board.body for board in boards] + [0] * len(play.boards)
    fat = [board.fat_food for board in boards] + [0] * len(play.boards)
    slots = [list(board.traits) for board in boards] + [[hand[at].trait for at in new.traits] for new in play.boards]
    for swap in play.traits:
        if slots[swap.board][swap.slot] is Trait.FAT_TISSUE:
            fat[swap.board] = 0
        slots[swap.board][swap.slot] = hand[swap.card].trait
    for growth in play.population:
        populations[growth.board] += 1
    for growth in play.body:
        bodies[growth.board] += 1
    return list(zip(populations, bodies, fat, map(tuple, slots), strict=True))
