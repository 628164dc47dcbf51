"""A store with finished games of all kinds, for a server to begin with."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.fair import Deal, after, before
from wateringhole.record import replay, text
from wateringhole.rules.turn import ranking
from wateringhole.store.finished_game import PRIVATE, FinishedGame, Kind, Status, game_id
from wateringhole.store.games import opened
from wateringhole.table import play

NOON = datetime(2025, 11, 16, 12, tzinfo=UTC)


def game(
    people: Sequence[str],
    number: int,
    ended: datetime = NOON,
    title: str = "",
    private: bool = False,
    status: Status = "finished",
    bots: Sequence[str] = ("silly",),
) -> FinishedGame:
    """A fairly dealt game of these people and these bots."""
    names = (*people, *(f"{bot} {seat}" for seat, bot in enumerate(bots, len(people) + 1)))
    deal = Deal(shuffled(f"game {number}"), f"game {number}")
    played = play([Silly() for _ in names], deal.deck, names).record
    notes = (*before(deal), *after(deal), *([{PRIVATE: 1}] if private else []))
    record = replace(played, notes=notes, replies=played.replies if status == "finished" else played.replies[:5])
    state = replay(record)
    kinds: list[Kind] = ["person"] * len(people)
    kinds += ["bot"] * len(bots)
    return FinishedGame(
        text(record, state),
        record.names,
        ranking(state),
        ended - timedelta(minutes=20),
        ended,
        state.turn,
        tuple(kinds),
        tuple("" for _ in people) + tuple(bots),
        title=title,
        private=private,
        status=status,
    )


def keep(folder: Path, games: Sequence[FinishedGame]) -> list[str]:
    """Put these games into a store in this folder; their ids."""
    with opened(folder) as store:
        store.add(games)
    return [game_id(one.data) for one in games]
