"""Turns the log of a game into a finished game for the store."""

from datetime import datetime
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from wateringhole.record import Record, replay, text
from wateringhole.rules.turn import ranking
from wateringhole.store.finished_game import OVER, FinishedGame, Kind, Status, is_private, namesakes, stood_in
from wateringhole.store.log_entries import LogContents, Opening, SeatTicket, client_token_hashes


def concluded(opening: Opening, record: Record, status: str, ended: str, server: str) -> FinishedGame:
    """The finished game of this opening and record; RecordError if the record is none of a game."""
    game = replay(record)
    if status == "finished" and not game.players:
        status = "abandoned"
    over = status in OVER
    return FinishedGame(
        text(record, game if over else None),
        record.names,
        ranking(game),
        datetime.fromisoformat(opening.began),
        datetime.fromisoformat(ended),
        game.turn,
        tuple(kind_of(ticket) for ticket in opening.seats),
        tuple(ticket.agent for ticket in opening.seats),
        stood_in(record.notes),
        "" if opening.room is None else msgspec.json.decode(opening.room, type=_Titled).title,
        is_private(record.notes),
        cast(Status, status),
        server,
        opening.number,
        namesakes=namesakes(record.notes),
        token_hashes=client_token_hashes(opening.seats) if over else frozenset(),
    )


def read_through(begun: LogContents, server: str) -> FinishedGame:
    """The finished game of a log that has an end; RecordError if its record is none of a game."""
    assert begun.end is not None
    opening = replace(begun.opening, seats=begun.seats)  # a client that came back has another token
    return concluded(opening, begun.record, begun.end.status, begun.end.ended, server)


def kind_of(ticket: SeatTicket) -> Kind:
    """What plays on the seat of this ticket."""
    if ticket.kind == "person":
        return "person"
    return "bot" if ticket.agent else "client"


class _Titled(Struct, frozen=True):
    """The part of a room's JSON that the store reads."""

    title: str = ""
