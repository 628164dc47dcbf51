"""Everything the dealer may announce, and how it reads.

Laws: events are narration, the rules never read them. Every event is public: none has a field for a hand, a bag or the
deck's order.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct

from wateringhole import rulebook
from wateringhole.cards import Card
from wateringhole.fault import Fault
from wateringhole.species import Species
from wateringhole.traits import Trait


class TurnStarted(Struct, frozen=True, gc=False, tag=True):
    """A turn begins; `order` has the seats in turn order, `deck` counts the cards before they are dealt."""

    turn: int
    order: tuple[int, ...]
    watering_hole: int
    deck: int


class BoardGiven(Struct, frozen=True, gc=False, tag=True):
    """A player without a board got one."""

    seat: int
    rule: str = rulebook.START_BOARD


class CardsDealt(Struct, frozen=True, gc=False, tag=True):
    """A player got this many cards."""

    seat: int
    cards: int
    rule: str = rulebook.START_CARDS


class Revealed(Struct, frozen=True, gc=False, tag=True):
    """A card play, as far as it is public: growth as boards, traits by name, paid cards only by their number."""

    seat: int
    food: Card
    watering_hole: int
    boards: tuple[tuple[Trait, ...], ...]
    replaced: tuple[tuple[int, int, Trait], ...]
    population: tuple[int, ...]
    body: tuple[int, ...]
    rule: str = rulebook.PLAY_EXECUTION


class Bred(Struct, frozen=True, gc=False, tag=True):
    """A fertile board grew to this population."""

    seat: int
    board: int
    population: int
    rule: str = rulebook.FERTILE


class FatMoved(Struct, frozen=True, gc=False, tag=True):
    """At the reveal a board ate this many tokens of its stored fat."""

    seat: int
    board: int
    tokens: int
    rule: str = rulebook.FAT_MOVES


class FatStored(Struct, frozen=True, gc=False, tag=True):
    """A board stored this many tokens of the watering hole as fat."""

    seat: int
    board: int
    tokens: int
    rule: str


class Ate(Struct, frozen=True, gc=False, tag=True):
    """A board had a meal; the rule says why."""

    seat: int
    board: int
    tokens: int
    rule: str


class Attacked(Struct, frozen=True, gc=False, tag=True):
    """A carnivore attacked the board `target` of another player."""

    seat: int
    board: int
    target_seat: int
    target: int
    rule: str


class AnimalLost(Struct, frozen=True, gc=False, tag=True):
    """A board lost one animal in an attack; this many are left."""

    seat: int
    board: int
    population: int
    rule: str


class Starved(Struct, frozen=True, gc=False, tag=True):
    """At the end of the turn the animals of a board that had no food died; this many are left."""

    seat: int
    board: int
    population: int
    rule: str = rulebook.STARVATION


class Extinct(Struct, frozen=True, gc=False, tag=True):
    """A board without animals left the game; its owner got this many cards."""

    seat: int
    board: int
    cards: int
    rule: str = rulebook.EXTINCTION


class Declined(Struct, frozen=True, gc=False, tag=True):
    """A player feeds no more in this turn, by its own choice."""

    seat: int
    rule: str = rulebook.DECLINE


class OutOfOptions(Struct, frozen=True, gc=False, tag=True):
    """A player has nothing that it may feed, and leaves the feeding of this turn."""

    seat: int
    rule: str = rulebook.NO_OPTION


class TurnEnded(Struct, frozen=True, gc=False, tag=True):
    """A turn is over; this many tokens are left at the watering hole."""

    turn: int
    watering_hole: int
    rule: str = rulebook.LEFT_OVER


class Expelled(Struct, frozen=True, gc=False, tag=True):
    """A player left the game for good, because of this fault."""

    seat: int
    fault: Fault


class Standing(Struct, frozen=True, gc=False):
    """A row of the ranking; ranks count from 1. An expelled seat has no rank and no score; `fault` says why."""

    seat: int
    name: str
    rank: int | None
    score: int | None
    fault: Fault | None = None


class GameOver(Struct, frozen=True, gc=False, tag=True):
    """The game is over."""

    ranking: tuple[Standing, ...]
    rule: str = rulebook.GAME_OVER


Event: TypeAlias = (
    TurnStarted
    | BoardGiven
    | CardsDealt
    | Revealed
    | Bred
    | FatMoved
    | FatStored
    | Ate
    | Attacked
    | AnimalLost
    | Starved
    | Extinct
    | Declined
    | OutOfOptions
    | TurnEnded
    | Expelled
    | GameOver
)

_MEALS = {
    rulebook.GRAZE: "grazes",
    rulebook.AUTOMATIC: "grazes, its only option",
    rulebook.ATTACK: "eats from its prey",
    rulebook.LONG_NECK: "reaches up with its long neck",
    rulebook.COOPERATION: "is fed by its neighbour",
    rulebook.SCAVENGER: "scavenges",
}


def sentence(event: Event, name: Callable[[int], str]) -> str:
    """The event in words. `name` gives the name of a seat, as Game.name does; boards count from 0, as in moves."""
    match event:
        case TurnStarted(turn, order, watering_hole, deck):
            seats = ", ".join(name(seat) for seat in order)
            tokens = counted(watering_hole, "token")
            return f"Turn {turn} begins: {tokens} in the watering hole, {counted(deck, 'card')} in the deck; {seats}."
        case BoardGiven(seat):
            return f"{name(seat)} gets a new board."
        case CardsDealt(seat, cards):
            return f"{name(seat)} gets {counted(cards, 'card')}."
        case Revealed():
            return f"{name(event.seat)} {_revealed(event)}"
        case Bred(seat, board, population):
            return f"{name(seat)}'s board {board} is fertile and grows to {population}."
        case FatMoved(seat, board, tokens):
            return f"{name(seat)}'s board {board} eats {tokens} of its fat."
        case FatStored(seat, board, tokens, rule):
            only = ", its only option" if rule == rulebook.AUTOMATIC else ""
            return f"{name(seat)}'s board {board} stores {tokens} as fat{only}."
        case Ate(seat, board, tokens, rule):
            return f"{name(seat)}'s board {board} {_MEALS[rule]}: {counted(tokens, 'token')}."
        case Attacked(seat, board, target_seat, target, rule):
            only = ", its only option" if rule == rulebook.AUTOMATIC else ""
            return f"{name(seat)}'s board {board} attacks {name(target_seat)}'s board {target}{only}."
        case AnimalLost(seat, board, population, rule):
            why = " to the horns" if rule == rulebook.HORNS else ""
            return f"{name(seat)}'s board {board} loses an animal{why}; {population} left."
        case Starved(seat, board, population):
            return f"{name(seat)}'s board {board} starves to {population}."
        case Extinct(seat, board, cards):
            return f"{name(seat)}'s board {board} is extinct; {counted(cards, 'card')} in return."
        case Declined(seat):
            return f"{name(seat)} feeds no more this turn."
        case OutOfOptions(seat):
            return f"{name(seat)} can feed no more this turn."
        case TurnEnded(turn, watering_hole):
            return f"Turn {turn} ends; {counted(watering_hole, 'token')} left in the watering hole."
        case Expelled(seat, fault):
            return f"{name(seat)} is expelled ({fault.reason}): it {fault.text}."
        case GameOver(ranking):
            return "The game is over. " + (" ".join(_standing(row) for row in ranking) or "No player took part.")


def _revealed(event: Revealed) -> str:
    parts = [
        f"puts {event.food.food:+d} ({event.food.trait}) into the watering hole, which holds {event.watering_hole}"
    ]
    parts += [f"adds a board with {', '.join(traits)}" if traits else "adds a bare board" for traits in event.boards]
    parts += [f"puts {trait} into slot {slot} of board {board}" for board, slot, trait in event.replaced]
    parts += [f"grows the population of board {board}" for board in event.population]
    parts += [f"grows the body of board {board}" for board in event.body]
    return "; ".join(parts) + "."


def _standing(row: Standing) -> str:
    if row.fault:
        return f"{row.name} was expelled."
    return f"{row.rank}. {row.name}, {counted(row.score or 0, 'point')}."


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


FROM_ZERO: Final = ", counted from 0,"


def from_zero(thing: str, number: int) -> str:
    """A number in a sentence that also says how many there are: board 1 is the second."""
    return f"{thing} {number}{FROM_ZERO}"


def described(board: Species) -> str:
    """A board in a few words."""
    parts = [f"{counted(board.population, 'animal')}, body {board.body}"]
    if board.food:
        parts.append(f"food {board.food}")
    if board.fat_food:
        parts.append(f"fat {board.fat_food}")
    return ", ".join(parts) + (f": {', '.join(board.traits)}" if board.traits else "")
