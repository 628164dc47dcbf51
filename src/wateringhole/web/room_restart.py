"""A table of the page as it is written down, and set up again after a restart of the server."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from wateringhole.agents.house import HOUSE
from wateringhole.record import Result
from wateringhole.server.participants import BotParticipant, Participant
from wateringhole.store.log_entries import SeatTicket
from wateringhole.web.room import Room
from wateringhole.web.room_seats import RoomMemo


def memo_of(room: Room, address: str) -> RoomMemo:
    """This table, as it is written down."""
    owner = next((number for number, seat in room.seats.items() if seat is room.owner), None)
    return RoomMemo(room.plan.title, room.id, room.key, room.plan, owner, address)


def resume(
    room: Room,
    tickets: Sequence[SeatTicket],
    participants: Mapping[int, Participant],
    owner: int | None,
    play_on: Callable[[dict[int, Participant]], "asyncio.Task[Result]"],
) -> None:
    """Play on what an earlier server left: these participants have their seats again, the others are people's."""
    room.stage = "playing"
    for place, ticket in zip(room.places, tickets, strict=True):
        participant = participants.get(place.number)
        if participant is None:
            room.seat_person(place, ticket.name, ticket.token_hashes).left(None)
        elif isinstance(participant, BotParticipant) and ticket.agent in HOUSE:
            place.participant = room.bot(place, ticket.name, ticket.agent)  # at this table's pace
        else:
            place.participant = participant
    room.owner = room.seats.get(owner or 0)
    room.task = play_on({place.number: place.participant for place in room.places if place.participant is not None})
