"""The messages to a tab's WebSocket, as types. docs/page.schema.json and static/shared/messages.js are made from them
and from those of tab_messages.py.

Laws: each message has a `type`. No message has a field for another seat's hand or bag.
"""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from wateringhole.agents.greedy_reasons import MoveReason
from wateringhole.agents.house import USUAL_BOT
from wateringhole.events import Event
from wateringhole.fault import Reason
from wateringhole.move_json import MoveJson
from wateringhole.moves import MAX_NUMBER, Growth, NewBoard, Replacement
from wateringhole.store.counting import Uncounted, Unrated
from wateringhole.wire.native_messages import Board, Face, Them, plain_value

PAGE_VERSION: Final = 1

EVENT_SECONDS: Final = 0.4
"""So long a page shows one event."""
MAX_SHOWING_SECONDS: Final = 4.0
"""So long it shows all that came between two requests of its seat, however many there were."""

Natural: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
Kind: TypeAlias = Literal["person", "bot", "client"]
Presence: TypeAlias = Literal["empty", "here", "away", "stand-in", "out"]
RoomStage: TypeAlias = Literal["open", "playing", "over"]
TroubleKind: TypeAlias = Literal["unkept", "stopped", "mistake", "tables", "address"]


def showing_seconds(events: int) -> float:
    """How long a page shows so many events: the clock of its seat starts after that."""
    return min(MAX_SHOWING_SECONDS, EVENT_SECONDS * events)


# Parts of messages.


class Chair(Struct, frozen=True, forbid_unknown_fields=True):
    """What a place is meant for; a bot by its name."""

    kind: Kind
    bot: str = USUAL_BOT


class SeatPlace(Struct, frozen=True):
    """One seat of a room: who it is for, or who has it; `bot` is the bot that is meant for it, or empty."""

    seat: int
    kind: Kind
    name: str
    bot: str
    presence: Presence


class OwnHand(Struct, frozen=True):
    """What only this seat may see."""

    seat: int
    hand: tuple[Face, ...]
    bag: int


class AwaitedSeat(Struct, frozen=True):
    """A seat that is asked; null: it has all the time there is."""

    seat: int
    seconds: float | None


class PlanVerdict(Struct, frozen=True):
    """Why something must not be, by which rule; both null when it may."""

    rule: str | None = None
    text: str | None = None


class PreyVerdict(Struct, frozen=True):
    """An attack of an own board, and why it must not be; both null when it may."""

    board: int
    seat: int
    target: int
    rule: str | None
    text: str | None


class SpotVerdict(Struct, frozen=True):
    """Something that could be done with one card, and why it must not be; both null when it may."""

    use: Literal["food", "board", "population", "body", "new-trait", "trait"]
    board: int | UnsetType = UNSET
    slot: int | UnsetType = UNSET
    rule: str | None = None
    text: str | None = None


class CardPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A card play that may still lack its food card."""

    food: Natural | None = None
    population: tuple[Growth, ...] = ()
    body: tuple[Growth, ...] = ()
    boards: tuple[NewBoard, ...] = ()
    traits: tuple[Replacement, ...] = ()


class FaultShown(Struct, frozen=True):
    """Why a seat was expelled."""

    reason: Reason
    text: str
    rule: str


class ScoreRow(Struct, frozen=True):
    """One seat in the ranking with the parts of its score."""

    seat: int
    name: str
    rank: int | None
    score: int | None
    bag: int
    population: int
    traits: int
    fault: FaultShown | None


class Holding(Struct, frozen=True):
    """What a player would score, in its parts."""

    seat: int
    bag: int
    population: int
    traits: int


class TurnEnd(Struct, frozen=True):
    """What each player had at the end of a turn."""

    turn: int
    players: tuple[Holding, ...]


class UnratedSeat(Struct, frozen=True):
    """A seat that the ladder does not rate, and why."""

    name: str
    why: Unrated


class LadderVerdict(Struct, frozen=True):
    """Why a game does not count for the ladder, null if it does; and then the seats that are not rated."""

    uncounted: Uncounted | None
    unrated: tuple[UnratedSeat, ...]


class Trouble(Struct, frozen=True):
    """Why a game could not begin or had to stop: the sentence `trouble.KIND` of the catalogues, with its parameters."""

    kind: TroubleKind
    why: str = ""
    count: int = 0


# The messages.


class TabWelcome(Struct, frozen=True, tag="welcome"):
    """The tab has its seat; the token brings it back."""

    version: int
    token: str


class TabRefused(Struct, frozen=True, tag="refused"):
    """The tab gets no seat, or has said something that means nothing."""

    text: str


class RoomMessage(Struct, frozen=True, tag="room"):
    """The room, as this seat or a spectator may know it. After the end: the seats that want another game are `ready`,
    those that have not said so are `undecided`, and `next` is the table of that game.
    """

    id: str
    title: str
    private: bool
    time: str
    stage: RoomStage
    places: tuple[SeatPlace, ...]
    you: int | None
    host: bool
    watchers: int
    port: int | None
    ready: tuple[int, ...]
    undecided: tuple[int, ...]
    next: str | None
    game: str | None
    seal: str | None
    trouble: Trouble | None


class NewTable(Struct, frozen=True, tag="new_table"):
    """The player of this tab plays again at this table; the token opens the seat there."""

    table: str
    token: str


class Snapshot(Struct, frozen=True, tag="snapshot"):
    """The whole table, players in turn order, and every event so far: for a tab that opens, comes back, or begins to
    watch.
    """

    names: tuple[str, ...]
    turn: int
    phase: Literal["choose", "feed", "over"]
    watering_hole: int
    deck: int
    players: tuple[Them, ...]
    me: OwnHand | None
    events: tuple[Event, ...]


class EventsTold(Struct, frozen=True, tag="events"):
    """What happened since the last message of this kind; hand and bag of this seat if they are others now."""

    events: tuple[Event, ...]
    hand: tuple[Face, ...] | UnsetType = UNSET
    bag: int | UnsetType = UNSET


class SeatsAsked(Struct, frozen=True, tag="asked"):
    """The seats that must answer now."""

    seats: tuple[AwaitedSeat, ...]


class ChooseCards(Struct, frozen=True, tag="choose"):
    """How do you use your cards? `seconds` is the time for the answer, which includes the `showing` of the events
    before it; null: there is no limit.
    """

    id: int
    seconds: float | None
    showing: float


class FeedBoards(Struct, frozen=True, tag="feed"):
    """What do you feed next? By own board: why it may not graze, how many tokens of fat it may store; and every board
    of the others as prey of each own carnivore.
    """

    id: int
    seconds: float | None
    showing: float
    grazing: tuple[PlanVerdict | None, ...]
    storing: tuple[int, ...]
    attacks: tuple[PreyVerdict, ...]


class PlanChecked(Struct, frozen=True, tag="checked"):
    """What the rules say to a plan; its boards; and, if it is legal, every spot for one card more."""

    ref: int
    rule: str | None
    text: str | None
    boards: tuple[Board, ...]
    places: tuple[SpotVerdict, ...]


class MoveObjection(Struct, frozen=True, tag="objection"):
    """Why the answer to this request is not taken."""

    id: int
    rule: str
    text: str


class MoveHint(Struct, frozen=True, tag="hint"):
    """What this bot would answer, and why."""

    id: int
    bot: str
    answer: MoveJson
    reasons: tuple[MoveReason, ...]


class RequestDone(Struct, frozen=True, tag="done"):
    """This request is answered."""

    id: int


class GameEnd(Struct, frozen=True, tag="end"):
    """The ranking, and what the ladder makes of it."""

    game: str
    ranking: tuple[ScoreRow, ...]
    identities: tuple[str, ...]
    ladder: LadderVerdict
    turns: tuple[TurnEnd, ...]


ServerSays: TypeAlias = (
    TabWelcome
    | TabRefused
    | RoomMessage
    | NewTable
    | Snapshot
    | EventsTold
    | SeatsAsked
    | ChooseCards
    | FeedBoards
    | PlanChecked
    | MoveObjection
    | MoveHint
    | RequestDone
    | GameEnd
)

_ENCODER: Final = msgspec.json.Encoder(enc_hook=plain_value)


def encoded(message: ServerSays) -> str:
    """The message as JSON text."""
    return _ENCODER.encode(message).decode()
