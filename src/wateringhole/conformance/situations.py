"""Inputs of the harnesses as typed values (situations), read from JSON and written to it.

Laws: `situation_in` checks all that a harness needs, so that a harness accepts each situation that was read.
"""

from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.agents.silly import MIN_CARDS
from wateringhole.cards import Card
from wateringhole.moves import CardPlay
from wateringhole.player import Player
from wateringhole.species import MAX_BODY, Species
from wateringhole.traits import Trait
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import (
    ShapeError,
    action4_in,
    action4_out,
    boards_in,
    boards_out,
    card_in,
    cards_out,
    each,
    items,
    natural,
    player_in,
    player_out,
    species_in,
    species_out,
)

T = TypeVar("T")


class Misshapen(Struct, frozen=True):
    """A JSON value in the place of a card play that is none: its player is expelled."""

    value: Json

    @property
    def why(self) -> str:
        """What is wrong with its shape."""
        try:
            action4_in(self.value)
        except ShapeError as error:
            return str(error)
        raise AssertionError(f"{self.value!r:.200} is a card play")


class Side(Struct, frozen=True):
    """One player, as far as the harness is told of it."""

    boards: tuple[Species, ...]
    number: int = 1
    bag: int = 0
    hand: tuple[Card, ...] = ()
    play: CardPlay | Misshapen | None = None

    def player(self, seat: int) -> Player:
        """The player at this seat of a new game."""
        return Player(seat, list(self.boards), self.hand, self.bag)


class Situation(Struct, frozen=True):
    """What one harness reads. The first side is the one that attacks, feeds, chooses or is first in the turn order.

    `at` is the defender's place in the second side's row (`xattack`), or how many of the other sides come before the
    first in the turn order (`xsilly`).
    """

    harness: str
    sides: tuple[Side, ...]
    watering_hole: int = 0
    deck: tuple[Card, ...] = ()
    at: int = 0


def with_item(row: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The same row, of boards or of other things, with another item in this place."""
    return row[:at] + (item,) + row[at + 1 :]


def with_board(situation: Situation, number: int, at: int, board: Species) -> Situation:
    """The same situation with another board in this place."""
    side = situation.sides[number]
    return with_side(situation, number, replace(side, boards=with_item(side.boards, at, board)))


def with_side(situation: Situation, number: int, side: Side) -> Situation:
    """The same situation with another player in this place."""
    return replace(situation, sides=with_item(situation.sides, number, side))


def with_body(board: Species, body: int) -> Species:
    """The same board with this body, or the nearest that there is; fat beyond that is lost."""
    body = min(max(body, 0), MAX_BODY)
    return Species(board.population, body, board.food, min(board.fat_food, body), board.traits)


def with_trait(board: Species, slot: int, trait: Trait) -> Species:
    """The same board with another trait in this slot; there is no fat without fat-tissue."""
    traits = with_item(board.traits, slot, trait)
    fat_food = board.fat_food if Trait.FAT_TISSUE in traits else 0
    return Species(board.population, board.body, board.food, fat_food, traits)


# From JSON and back.


def situation_in(harness: str, value: Json) -> Situation:
    """The situation that a harness reads here; ShapeError if it refuses this value."""
    match harness:
        case "xattack":
            defender, attacker, left, right = items(value, "a situation", 4, 4)
            defended, attacking = species_in(defender), species_in(attacker)
            on_left, on_right = (() if board is False else (species_in(board),) for board in (left, right))
            return Situation(harness, (Side((attacking,)), Side((*on_left, defended, *on_right))), at=len(on_left))
        case "xfeed":
            feeder, tokens, others = items(value, "a situation", 3, 3)
            first, watering_hole = _side_in(feeder), natural(tokens, "the watering hole", least=1)
            return Situation(harness, (first, *each(others, "the other players", _side_in)), watering_hole)
        case "xsilly":
            chooser, before, after = items(value, "a situation", 3, 3)
            first = _side_in(chooser)
            earlier = each(before, "the players before", boards_in)
            later = each(after, "the players after", boards_in)
            if len(first.hand) < MIN_CARDS:
                raise ShapeError(f"the player holds {len(first.hand)} cards, below {MIN_CARDS}")
            return Situation(harness, (first, *[Side(row) for row in earlier + later]), at=len(earlier))
        case "xstep":
            listed, tokens, cards = items(value, "a configuration", 3, 3)
            sides = [_side_in(player) for player in items(listed, "the list of players", 1)]
            watering_hole = natural(tokens, "the watering hole")
            return Situation(harness, tuple(sides), watering_hole, tuple(each(cards, "the deck", card_in)))
        case _:
            configuration, plays = items(value, "a situation", 2, 2)
            table = situation_in("xstep", configuration)
            due = len(table.sides)
            played = [_play_in(play) for play in items(plays, "the list of card plays", due, due)]
            sides = [replace(side, play=play) for side, play in zip(table.sides, played, strict=True)]
            return replace(table, harness=harness, sides=tuple(sides))


def situation_out(situation: Situation) -> Json:
    """The situation as its harness reads it."""
    sides, others = situation.sides, situation.sides[1:]
    match situation.harness:
        case "xattack":
            row: list[Json] = [False, *[species_out(board) for board in others[0].boards], False]
            left, defender, right = row[situation.at : situation.at + 3]
            return [defender, species_out(sides[0].boards[0]), left, right]
        case "xfeed":
            return [_side_out(sides[0]), situation.watering_hole, [_side_out(side) for side in others]]
        case "xsilly":
            rows: list[Json] = [boards_out(side.boards) for side in others]
            return [_side_out(sides[0]), rows[: situation.at], rows[situation.at :]]
        case "xstep":
            return _configuration_out(situation)
        case _:
            return [_configuration_out(situation), [_play_out(side.play) for side in sides]]


def _configuration_out(situation: Situation) -> Json:
    return [[_side_out(side) for side in situation.sides], situation.watering_hole, cards_out(situation.deck)]


def _side_in(value: Json) -> Side:
    number, player = player_in(value, 0)
    return Side(tuple(player.species), number, player.bag, player.hand)


def _side_out(side: Side) -> Json:
    return player_out(side.number, side.player(0))


def _play_in(value: Json) -> CardPlay | Misshapen:
    try:
        return action4_in(value)
    except ShapeError:
        return Misshapen(value)


def _play_out(play: CardPlay | Misshapen | None) -> Json:
    assert play is not None
    return play.value if isinstance(play, Misshapen) else action4_out(play, tagged=True)
