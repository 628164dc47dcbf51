"""JSON codec for species, players, cards, card plays and feedings, shared by harnesses, records and dialects.

Laws: reading checks everything that the rules document says of a shape and raises ShapeError, a sentence with the value
and the limit; `true` is not 1, `1.0` is not 1. Written by hand, because 0 and false are different moves.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from wateringhole import rulebook
from wateringhole.cards import Card, card
from wateringhole.events import counted, from_zero
from wateringhole.fault import Reason, shown
from wateringhole.moves import (
    MAX_NUMBER,
    Attack,
    CardPlay,
    Decline,
    Feeding,
    Graze,
    Growth,
    NewBoard,
    Replacement,
    StoreFat,
)
from wateringhole.player import Other, Player
from wateringhole.species import MAX_BODY, MAX_POPULATION, MAX_TRAITS, Species
from wateringhole.traits import Trait
from wateringhole.view import Own
from wateringhole.wire.framing import Json

T = TypeVar("T")


class ShapeError(ValueError):
    """A JSON value is not what is due; the message says what it is and what is due."""

    def __init__(self, text: str, reason: Reason = Reason.SHAPE, rule: str = "") -> None:
        super().__init__(text)
        self.reason = reason
        self.rule = rule


def natural(value: Json, what: str, most: int | None = None, least: int = 0) -> int:
    """This value as a whole number within the limits."""
    if type(value) is not int or value < least or (most is not None and value > most):
        limit = f"a whole number, {least} or more" if most is None else f"a whole number from {least} to {most}"
        raise ShapeError(f"{what} is {shown(value)}, not {limit}")
    return value


def ordinal(value: Json, what: str) -> int:
    """This value as the number of a board, card, slot or place, or of tokens: nothing real is larger than the limit."""
    found = natural(value, what)
    if found > MAX_NUMBER:
        raise ShapeError(f"{what} is {shown(value)}, above {MAX_NUMBER}")
    return found


def items(value: Json, what: str, least: int = 0, most: int | None = None) -> list[Json]:
    """This value as an array of a length within the limits."""
    if not isinstance(value, list):
        raise ShapeError(f"{what} is {shown(value)}, not an array")
    if len(value) < least or (most is not None and len(value) > most):
        due = str(least) if least == most else f"{least} or more" if most is None else f"{least} to {most}"
        raise ShapeError(f"{what} has {len(value)} items, not {due}: {shown(value)}")
    return value


def each(value: Json, what: str, read: Callable[[Json], T]) -> list[T]:
    """This array with every item read."""
    return [read(item) for item in items(value, what)]


def field(value: Json, label: str, what: str) -> Json:
    """The value behind a label, as in `["food", 3]`."""
    pair = items(value, f"{what}'s {label}", 2, 2)
    if pair[0] != label:
        raise ShapeError(f'{what} has {shown(value)} where ["{label}", ...] is due')
    return pair[1]


def trait_in(value: Json) -> Trait:
    if isinstance(value, str) and value in Trait._value2member_map_:
        return Trait(value)
    raise ShapeError(f"{shown(value)} is not one of the {len(Trait)} traits")


def card_in(value: Json) -> Card:
    food, trait = items(value, "a card", 2, 2)
    if type(food) is int and isinstance(trait, str):
        try:
            return card(food, trait)
        except KeyError:
            pass
    raise ShapeError(f"{shown(value)} is not one of the 122 cards")


def card_out(held: Card) -> Json:
    return [held.food, held.trait.value]


def cards_out(hand: Sequence[Card]) -> Json:
    return [card_out(held) for held in hand]


def species_in(value: Json) -> Species:
    parts = items(value, "a species", 4, 5)
    what = "a species"
    population = natural(field(parts[2], "population", what), "population", MAX_POPULATION, 1)
    food = natural(field(parts[0], "food", what), "food")
    if food > population:
        raise ShapeError(f"food is {shown(food)}, above the population of {population}")
    body = natural(field(parts[1], "body", what), "body", MAX_BODY)
    traits = tuple(each(field(parts[3], "traits", what), "traits", trait_in))
    if len(traits) > MAX_TRAITS:
        raise ShapeError(f"a species has {len(traits)} traits, above {MAX_TRAITS}")
    if len(set(traits)) < len(traits):
        raise ShapeError(f"a species has a trait twice: {', '.join(traits)}")
    fat_food = natural(field(parts[4], "fat-food", what), "fat-food") if len(parts) == 5 else 0
    if fat_food and Trait.FAT_TISSUE not in traits:
        raise ShapeError(f"fat-food is {shown(fat_food)} on a species without fat-tissue")
    if fat_food > body:
        raise ShapeError(f"fat-food is {shown(fat_food)}, above the body of {body}")
    return Species(population, body, food, fat_food, traits)


def species_out(board: Species) -> Json:
    shape: list[Json] = [
        ["food", board.food],
        ["body", board.body],
        ["population", board.population],
        ["traits", [trait.value for trait in board.traits]],
    ]
    if board.fat_food:
        shape.append(["fat-food", board.fat_food])
    return shape


def boards_in(value: Json) -> tuple[Species, ...]:
    return tuple(each(value, "a list of species", species_in))


def rows_out(others: Sequence[Other]) -> Json:
    """The boards of each of these players."""
    return [boards_out(other.species) for other in others]


def boards_out(boards: Sequence[Species]) -> Json:
    return [species_out(board) for board in boards]


def player_in(value: Json, seat: int) -> tuple[int, Player]:
    """The id that the player came with, and the player at this seat."""
    parts = items(value, "a player", 3, 4)
    what = "a player"
    number = natural(field(parts[0], "id", what), "id", least=1)
    species = list(boards_in(field(parts[1], "species", what)))
    bag = natural(field(parts[2], "bag", what), "bag")
    hand = each(field(parts[3], "cards", what), "cards", card_in) if len(parts) == 4 else []
    return number, Player(seat, species, tuple(hand), bag)


def player_out(number: int, player: Player | Own, empty_hand: bool = False) -> Json:
    """The player under this id; the cards are left out when there are none, unless `empty_hand` is wanted."""
    shape: list[Json] = [["id", number], ["species", boards_out(player.species)], ["bag", player.bag]]
    if player.hand or empty_hand:
        shape.append(["cards", cards_out(player.hand)])
    return shape


def action4_in(value: Json) -> CardPlay:
    """A card play; growth in both spellings, bare and tagged."""
    food, population, body, boards, traits = items(value, "an Action4", 5, 5)
    return CardPlay(
        ordinal(food, "the food card"),
        tuple(each(population, "the population growths", lambda item: _growth_in(item, "population"))),
        tuple(each(body, "the body growths", lambda item: _growth_in(item, "body"))),
        tuple(each(boards, "the new boards", _new_board_in)),
        tuple(each(traits, "the replacements", _replacement_in)),
    )


def _growth_in(value: Json, label: str) -> Growth:
    *tag, board, number = items(value, f"a {label} growth", 2, 3)
    if tag and tag != [label]:
        raise ShapeError(f'a {label} growth is {shown(value)}, not tagged "{label}"')
    return Growth(ordinal(board, "a board number"), ordinal(number, "a card number"))


def _new_board_in(value: Json) -> NewBoard:
    pay, *traits = [ordinal(item, "a card number") for item in items(value, "a new board", 1, 1 + MAX_TRAITS)]
    return NewBoard(pay, tuple(traits))


def _replacement_in(value: Json) -> Replacement:
    board, slot, number = items(value, "a replacement", 3, 3)
    return Replacement(
        ordinal(board, "a board number"), ordinal(slot, "a slot number"), ordinal(number, "a card number")
    )


def action4_out(play: CardPlay, tagged: bool = False) -> Json:
    population: list[Json] = ["population"] if tagged else []
    body: list[Json] = ["body"] if tagged else []
    return [
        play.food,
        [[*population, growth.board, growth.card] for growth in play.population],
        [[*body, growth.board, growth.card] for growth in play.body],
        [[new.pay, *new.traits] for new in play.boards],
        [[swap.board, swap.slot, swap.card] for swap in play.traits],
    ]


def feeding_in(value: Json, seats: Sequence[int]) -> Feeding:
    """A feeding; the place p of an attack among these seats becomes a seat. `false` declines, `0` feeds board 0."""
    if value is False:
        return Decline()
    if type(value) is int:
        return Graze(ordinal(value, "a board number"))
    if not isinstance(value, list):
        raise ShapeError(f"a feeding is {shown(value)}, not false, a number or an array")
    match items(value, "a feeding", 2, 3):
        case [board, tokens]:
            return StoreFat(ordinal(board, "a board number"), ordinal(tokens, "the number of tokens"))
        case [board, place, target]:
            at = ordinal(place, "a player's place")
            if at >= len(seats):
                text = (
                    f"attacks the player at {from_zero('place', at)} but there are only {counted(len(seats), 'other')}"
                )
                raise ShapeError(text, Reason.ILLEGAL, rulebook.ATTACK_CHOICE)
            return Attack(ordinal(board, "a board number"), seats[at], ordinal(target, "a board number"))
    raise AssertionError(value)


def feeding_out(move: Feeding, seats: Sequence[int]) -> Json:
    """A feeding; the seat it attacks becomes its place among these seats."""
    match move:
        case Decline():
            return False
        case Graze(board):
            return board
        case StoreFat(board, tokens):
            return [board, tokens]
        case Attack(board, seat, target):
            return [board, seats.index(seat), target]
