"""The plan of a table of the page, and its seats."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, structs

from wateringhole.record import Note
from wateringhole.server.participants import BotParticipant, Participant
from wateringhole.store.counting import Contender, contenders
from wateringhole.store.finished_from_log import kind_of
from wateringhole.store.finished_game import NAMESAKE, namesakes, stood_in
from wateringhole.web.browser_participant import BrowserParticipant
from wateringhole.web.page_messages import AwaitedSeat, Chair, Kind, Presence, SeatPlace
from wateringhole.wire.names import numbered

PACE_SECONDS: Final = 0.5
"""Seconds that a bot takes for a feeding, so that people can follow the game."""


class TablePlan(Struct, frozen=True):
    """A table as a person wants it; one without a title is named by the page, in its language."""

    chairs: tuple[Chair, ...]
    title: str = ""
    private: bool = False
    time: str = ""
    pace: float = PACE_SECONDS
    grace: float = 60.0

    @property
    def time_control(self) -> str:
        """The time control that was chosen; by default none when no other person would have to wait."""
        return self.time or ("120+30" if self.shared else "none")

    @property
    def shared(self) -> bool:
        """Whether another person or a client would have to wait for a person."""
        return sum(chair.kind != "bot" for chair in self.chairs) > 1

    @property
    def patience(self) -> float | None:
        """How many seconds a person may be away before a bot plays; None: for ever, because none but bots wait."""
        return self.grace if self.shared else None

    def changed(self, chairs: Iterable[Chair]) -> "TablePlan":
        """The same plan with these chairs."""
        return structs.replace(self, chairs=tuple(chairs))


class RoomMemo(Struct, frozen=True):
    """What is written down of a table, to set it up again: the plan, the owner's place, and who it was made by."""

    title: str
    id: str
    key: str
    plan: TablePlan
    owner: int | None = None
    address: str = ""


class RoomSeat:
    """One place at the table, and who has it."""

    def __init__(self, number: int, chair: Chair) -> None:
        self.number: Final = number
        self.chair = chair
        self.participant: Participant | None = None
        self.out = False

    @property
    def presence(self) -> Presence:
        if self.out:
            return "out"
        match self.participant:
            case None:
                return "empty"
            case BrowserParticipant() as seat if seat.standing_in:
                return "stand-in"
            case BrowserParticipant() as seat if seat.tab is None:
                return "away"
            case _:
                return "here"

    @property
    def kind(self) -> Kind:
        """Who sits there, or is meant to: a bot may have taken a person's place."""
        return "bot" if isinstance(self.participant, BotParticipant) else self.chair.kind

    @property
    def deadline(self) -> float | None:
        """When its answer is due; None: never, or it is not asked."""
        return None if self.participant is None else self.participant.deadline

    def awaited(self, now: float) -> AwaitedSeat:
        """The place as one whose answer is awaited."""
        return AwaitedSeat(self.number, None if self.deadline is None else round(max(0.0, self.deadline - now), 1))

    def shown(self) -> SeatPlace:
        """The place, as the messages show it."""
        name = "" if self.participant is None else self.participant.name
        bot = self.chair.bot if self.chair.kind == "bot" else ""
        return SeatPlace(self.number, self.kind, name, bot, self.presence)


def name_apart(seat: BrowserParticipant, seats: Mapping[int, BrowserParticipant]) -> None:
    """The second Ann at a table is called "Ann 2"; programs keep the names that they gave."""
    if seat.given_name in (others := _other_names(seat, seats)):
        seat.name = numbered(seat.given_name, others)


def namesake_notes(seats: Mapping[int, BrowserParticipant]) -> list[Note]:
    """A note for each person whose name another has; who has no namesake any more gets the given name back."""
    notes: list[Note] = []
    for number, seat in seats.items():
        if seat.given_name in _other_names(seat, seats):
            notes.append({"seat": number, NAMESAKE: seat.given_name})
        else:
            seat.name = seat.given_name
    return notes


def _other_names(seat: BrowserParticipant, seats: Mapping[int, BrowserParticipant]) -> set[str]:
    return {other.name for other in seats.values() if other is not seat}


def contenders_at(places: Sequence[RoomSeat], notes: Sequence[Note]) -> list[Contender]:
    """The seats of a game with these notes, as the ladder sees them."""
    tickets = [place.participant.ticket() for place in places if place.participant is not None]
    names = tuple(ticket.name for ticket in tickets)
    kinds = tuple(kind_of(ticket) for ticket in tickets)
    agents = tuple(ticket.agent for ticket in tickets)
    return contenders(names, kinds, agents, stood_in(notes), namesakes(notes))
