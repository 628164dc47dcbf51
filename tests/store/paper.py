"""Games for the store: on paper, where only the result matters, and played ones; and an empty store for them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec.structs import replace
from sqlalchemy import delete

from wateringhole.agents.house import named
from wateringhole.cards import shuffled
from wateringhole.events import Standing
from wateringhole.fault import Fault
from wateringhole.record import Note, text
from wateringhole.record import replay as replayed
from wateringhole.store.database import Database
from wateringhole.store.finished_game import FinishedGame, finished
from wateringhole.store.games import Store
from wateringhole.store.ladder import Ladder, Rung
from wateringhole.store.tables import METADATA
from wateringhole.table import play

NOON: Final = datetime(2026, 11, 16, 12, tzinfo=UTC)


def paper(number: int, *names: str, scores: Sequence[int | None] = (), fault: Fault | None = None) -> FinishedGame:
    """The game that ended so many seconds after noon, with these scores; None: expelled for this fault."""
    given = list(scores) or list(range(len(names), 0, -1))
    order = sorted(score for score in given if score is not None)
    ranking = [
        Standing(seat, name, None, None, fault)
        if score is None
        else Standing(seat, name, 1 + sum(other > score for other in order), score)
        for seat, (name, score) in enumerate(zip(names, given, strict=True), 1)
    ]
    ended = NOON + timedelta(seconds=number)
    data = f"on paper: {number} {names} {given}\n".encode()
    return FinishedGame(data, names, tuple(ranking), ended - timedelta(minutes=5), ended, 7, number=number)


def played(seed: int, *bots: str, notes: Sequence[Note] = (), replies: int | None = None) -> bytes:
    """The record of a game of house bots, or of its beginning, as a file has it."""
    agents = [named(bot, f"{seed}:{seat}") for seat, bot in enumerate(bots, 1)]
    names = [f"{bot} {seat}" for seat, bot in enumerate(bots, 1)]
    record = play(agents, shuffled(seed), names).record
    cut = replace(record, replies=record.replies[:replies], notes=(*record.notes, *notes))
    return text(cut, replayed(cut))


def really(seed: int, *bots: str) -> FinishedGame:
    """A game of house bots, as a server knows it."""
    game = finished(played(seed, *bots), NOON + timedelta(seconds=seed))
    return replace(game, kinds=("bot",) * len(bots), agents=bots)


def emptied(base: Database) -> Store:
    """The store in this database, with nothing in it."""
    with base.writing() as connection:
        for table in reversed(METADATA.sorted_tables):
            connection.execute(delete(table))
    return Store(base)


def expected_ladder(games: Sequence[FinishedGame]) -> list[Rung]:
    """The ladder of these games on paper, in all of which everybody counts by the name they gave."""
    ladder = Ladder()
    for game in games:
        ranks = {row.seat: row.rank or len(game.names) for row in game.ranking}
        ladder.played(game.names, [ranks[seat] for seat in range(1, len(game.names) + 1)])
    return ladder.table()
