"""Observations: what a seat may know, and its draft, as a row of bytes.

Laws: an observation is made from a request and a draft of its answer, from nothing else, so it has what the seat may
know. Opponents stand in turn order after the own seat, which is the order of an attack's p, in blocks of one layout:
the observation of a smaller table is the beginning of that of a larger one.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from wateringhole.cards import DECK
from wateringhole.dealer import MAX_PLAYERS
from wateringhole.env.actions import ACTIONS, MAX_BOARDS, MAX_OPPONENTS, Draft, Stage
from wateringhole.player import Other
from wateringhole.species import MAX_BODY, MAX_POPULATION, MAX_TRAITS, Species
from wateringhole.traits import Trait
from wateringhole.view import Feed

MAX_BYTE: Final = 255
"""What does not fit, such as a watering hole of 300 tokens, is shown as this."""

BOARD_TRAITS: Final = 4
"""Where the traits of a board begin: behind its population, body, food and fat."""
BOARD_SIZE: Final = BOARD_TRAITS + MAX_TRAITS
BOARDS_SIZE: Final = MAX_BOARDS * BOARD_SIZE

STAGE: Final = 0
VERB: Final = 1
OPPONENT: Final = 2
FOOD: Final = 3
PAID: Final = 4
LATEST: Final = 5
TURN: Final = 6
WATERING_HOLE: Final = 7
DECK_LEFT: Final = 8
PLAYERS: Final = 9
BEFORE: Final = 10
BAG: Final = 11
CARDS: Final = 12
BOARDS: Final = 13
HAND: Final = 14
OWN: Final = HAND + len(DECK)
OTHERS: Final = OWN + BOARDS_SIZE
OTHER_SIZE: Final = 2 + BOARDS_SIZE


class ObservationRow(NamedTuple):
    """A row of the table of observations: `size` bytes from `first` on, each from 0 to `most`."""

    first: int
    size: int
    name: str
    most: int
    meaning: str


def _board_rows(first: int, owner: str) -> Iterator[ObservationRow]:
    """The rows of the first of a player's boards; the other boards follow at distances of BOARD_SIZE."""
    yield ObservationRow(first, 1, f"{owner}: population", MAX_POPULATION, "of the leftmost board; 0: no board")
    yield ObservationRow(first + 1, 1, f"{owner}: body", MAX_BODY, "")
    yield ObservationRow(first + 2, 1, f"{owner}: food", MAX_POPULATION, "")
    yield ObservationRow(first + 3, 1, f"{owner}: fat", MAX_BODY, "tokens stored on its fat-tissue")
    meaning = "the number of each trait in alphabetical order, from 1; 0: none"
    yield ObservationRow(first + BOARD_TRAITS, MAX_TRAITS, f"{owner}: traits", len(Trait), meaning)


HEAD: Final = (
    ObservationRow(STAGE, 1, "stage", max(Stage), "what the next action says"),
    ObservationRow(
        VERB, 1, "verb", ACTIONS - 1, "the use or feeding whose details are missing, as its action id; 0: none"
    ),
    ObservationRow(OPPONENT, 1, "opponent", MAX_OPPONENTS, "the attacked opponent, from 1; 0: none"),
    ObservationRow(FOOD, 1, "food card", len(DECK), "drafted, its place in the sorted deck, from 1; 0: none"),
    ObservationRow(PAID, 1, "paid", len(DECK), "the last drafted card that pays, from 1; 0: none"),
    ObservationRow(LATEST, 1, "latest", ACTIONS - 1, "the last complete use of the draft, as its action id; 0: none"),
    ObservationRow(TURN, 1, "turn", MAX_BYTE, "from 1"),
    ObservationRow(WATERING_HOLE, 1, "watering hole", MAX_BYTE, "tokens"),
    ObservationRow(DECK_LEFT, 1, "deck", len(DECK), "cards left"),
    ObservationRow(PLAYERS, 1, "players", MAX_PLAYERS, "at the table, this one included"),
    ObservationRow(BEFORE, 1, "before", MAX_OPPONENTS, "opponents before this seat in the turn's order; in feeding 0"),
    ObservationRow(BAG, 1, "bag", MAX_BYTE, "tokens in the own bag"),
    ObservationRow(CARDS, 1, "cards", len(DECK), "of the own hand that the draft does not use"),
    ObservationRow(BOARDS, 1, "boards", MAX_BYTE, "own boards, drafted ones included"),
    ObservationRow(HAND, len(DECK), "hand", 1, "1 for each card that is counted in `cards`, in the order of the deck"),
)


def table() -> list[ObservationRow]:
    """The rows of the table up to the first opponent; the other opponents follow at distances of OTHER_SIZE."""
    rows = [*HEAD, *_board_rows(OWN, "own board")]
    rows.append(ObservationRow(OTHERS, 1, "opponent: cards", len(DECK), "in the hand"))
    rows.append(ObservationRow(OTHERS + 1, 1, "opponent: boards", MAX_BYTE, "how many"))
    return [*rows, *_board_rows(OTHERS + 2, "opponent's board")]


def size(players: int) -> int:
    """How many bytes the observation of a table for so many players has."""
    return OTHERS + (players - 1) * OTHER_SIZE


def limits(players: int) -> bytes:
    """The greatest value of each byte."""
    most = {row.first + at: row.most for row in table() for at in range(row.size)}
    found = bytearray(size(players))
    for at in range(len(found)):
        place = at if at < OTHERS else OTHERS + (at - OTHERS) % OTHER_SIZE
        for boards in (OWN, OTHERS + 2):
            if boards <= place < boards + BOARDS_SIZE:
                place = boards + (place - boards) % BOARD_SIZE
        found[at] = most[place]
    return bytes(found)


def encode(draft: Draft, players: int) -> bytearray:
    """What the seat may know that makes this draft, with room for so many players; more opponents are not shown."""
    request = draft.request
    row = bytearray(size(players))
    others: tuple[Other, ...]
    if isinstance(request, Feed):
        others = request.others
    else:
        others = request.after + request.before
        row[BEFORE] = len(request.before)
    row[STAGE] = draft.stage
    row[VERB] = draft.verb
    row[OPPONENT] = draft.opponent
    if draft.outcome is not None:
        row[FOOD] = draft.outcome.food.order + 1
    row[PAID] = draft.paid
    row[LATEST] = draft.latest
    row[TURN] = min(request.turn, MAX_BYTE)
    row[WATERING_HOLE] = min(request.watering_hole, MAX_BYTE)
    row[DECK_LEFT] = request.deck
    row[PLAYERS] = 1 + len(others)
    row[BAG] = min(request.me.bag, MAX_BYTE)
    free = draft.free
    row[CARDS] = len(free)
    for card in free:
        row[HAND + card.order] = 1
    boards = draft.boards
    row[BOARDS] = len(boards)
    _put_boards(row, OWN, boards)
    at = OTHERS
    for other in others[: players - 1]:
        row[at] = other.cards
        row[at + 1] = len(other.species)
        _put_boards(row, at + 2, other.species)
        at += OTHER_SIZE
    return row


_NUMBERS: Final = {trait: number for number, trait in enumerate(sorted(Trait), 1)}


def _put_boards(row: bytearray, at: int, boards: tuple[Species, ...]) -> None:
    for board in boards[:MAX_BOARDS]:
        row[at] = board.population
        row[at + 1] = board.body
        row[at + 2] = board.food
        row[at + 3] = board.fat_food
        for place, trait in enumerate(board.traits, at + BOARD_TRAITS):
            row[place] = _NUMBERS[trait]
        at += BOARD_SIZE
