"""Finished games, for whoever wants to see them again.

Laws: a game's id is a fingerprint of its record, so nobody can guess it before the game is over, and it stays the same
when the server starts anew. Ids are looked up, never joined to a path. A private game is found by its id alone.
"""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

from wateringhole.game import Game
from wateringhole.record import Record, RecordError, parsed, replay, text
from wateringhole.rules.turn import ranking
from wateringhole.store.finished import is_private
from wateringhole.wire.stream import Json

MOST_GAMES: Final = 1_000
MOST_LISTED: Final = 50


class Kept(Struct, frozen=True):
    """One finished game: what a list shows of it, and its record as bytes."""

    names: tuple[str, ...]
    winners: tuple[str, ...]
    ended: str
    private: bool
    data: bytes


class Archive:
    """The latest games, those of a folder of records to begin with."""

    def __init__(self, folder: Path | None = None) -> None:
        self._games: OrderedDict[str, Kept] = OrderedDict()
        for data, when in _records(folder):
            try:
                record = parsed(data)
                game = replay(record)
            except RecordError:
                continue  # somebody else's file
            if game.phase == "over":
                self._add(record, game, data, when)

    def add(self, record: Record, game: Game) -> str:
        """The id of this game, which is over."""
        return self._add(record, game, text(record, game), datetime.now(UTC))

    def _add(self, record: Record, game: Game, data: bytes, when: datetime) -> str:
        known = sha256(data).hexdigest()[:24]
        winners = tuple(row.name for row in ranking(game) if row.rank == 1)
        private = is_private(record.notes)
        self._games[known] = Kept(record.names, winners, f"{when:%Y-%m-%dT%H:%M:%SZ}", private, data)
        if len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return known

    def __contains__(self, game: str) -> bool:
        return game in self._games

    def record(self, game: str) -> Record:
        """The record of this game; KeyError when there is none."""
        return parsed(self.data(game))

    def data(self, game: str) -> bytes:
        """The record of this game as a file has it; KeyError when there is none."""
        return self._games[game].data

    def listed(self) -> list[Json]:
        """The latest games that are nobody's secret, the last one first."""
        public = [(game, kept) for game, kept in reversed(self._games.items()) if not kept.private]
        return [
            {"id": game, "names": list(kept.names), "winners": list(kept.winners), "ended": kept.ended}
            for game, kept in public[:MOST_LISTED]
        ]


def _records(folder: Path | None) -> Iterator[tuple[bytes, datetime]]:
    """The latest files of a folder that could be records, the oldest first."""
    if folder is None:
        return
    dated = []
    for path in folder.glob("game-*.jsonl"):
        with suppress(OSError):  # it may go while we look
            dated.append((path.stat().st_mtime, path))
    for seconds, path in sorted(dated)[-MOST_GAMES:]:
        with suppress(OSError):
            yield path.read_bytes(), datetime.fromtimestamp(seconds, UTC)
