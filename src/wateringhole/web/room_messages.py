"""The messages on a game that a room sends to its tabs."""

from collections.abc import Sequence
from typing import Literal, cast

import msgspec

from wateringhole.events import Event
from wateringhole.game import Game
from wateringhole.record import Record
from wateringhole.store.counting import Contender, uncounted
from wateringhole.view import table
from wateringhole.web.page_messages import EventsTold, GameEnd, LadderVerdict, OwnHand, Snapshot, UnratedSeat
from wateringhole.web.score_parts import standings, turn_ends
from wateringhole.web.tab import Tab
from wateringhole.wire.native_messages import faces_of, them_of


def own_hand(game: Game, seat: int | None) -> OwnHand | None:
    """What only this seat may see; None for a spectator, and once the seat is out."""
    if seat is None or seat not in game.players:
        return None
    player = game.players[seat]
    return OwnHand(seat, faces_of(player.hand), player.bag)


def snapshot(game: Game, own: OwnHand | None, events: Sequence[Event]) -> Snapshot:
    """The table as it is now, after these events."""
    seen = table(game)
    return Snapshot(
        game.names,
        seen.turn,
        cast(Literal["choose", "feed", "over"], seen.phase),  # between two answers it is one of these
        seen.watering_hole,
        seen.deck,
        them_of(seen.players),
        own,
        tuple(events),
    )


def events_told(events: Sequence[Event], before: OwnHand | None, own: OwnHand | None) -> EventsTold:
    """These events, with what they changed in the hand and the bag that the tab was sent before."""
    if own is None:
        return EventsTold(tuple(events))
    return EventsTold(
        tuple(events),
        own.hand if before is None or own.hand != before.hand else msgspec.UNSET,
        own.bag if before is None or own.bag != before.bag else msgspec.UNSET,
    )


def tell(tab: Tab, game: Game, events: Sequence[Event], own: OwnHand | None) -> None:
    """Tell this tab what has happened since it was told last; the whole table, if it was told nothing yet. `events` are
    all of the game.
    """
    if tab.heard is None:
        tab.say(snapshot(game, own, events))
    elif tab.heard < len(events):
        tab.say(events_told(events[tab.heard :], tab.own, own))
    tab.heard, tab.own = len(events), own


def game_end(game: Game, record: Record, known_as: str, seats: Sequence[Contender], private: bool) -> GameEnd:
    """The ranking, and what the ladder makes of it."""
    return GameEnd(
        known_as,
        standings(game),
        tuple(seat.identity for seat in seats),
        LadderVerdict(
            uncounted(private, "finished" if game.players else "abandoned", seats),
            tuple(UnratedSeat(seat.name, seat.unrated) for seat in seats if seat.unrated),
        ),
        turn_ends(record),
    )
