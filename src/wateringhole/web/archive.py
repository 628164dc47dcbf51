"""Reads finished games, players and tournaments from the store, in threads, for the page.

Laws: a game that is still on its way to the store is read from the archiver. Few threads ask the store at a time, so
that no running game waits for a person who browses. Ids are looked up, never joined to a
path. A private game is found by its id alone, and what was broken off is not shown at all.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Generic, TypeVar

from msgspec import Struct

from wateringhole.record import Record, RecordError, parsed, whole
from wateringhole.store.archiver import Archiver
from wateringhole.store.counting import contenders_of
from wateringhole.store.finished_game import BOT, ID_LENGTH, OVER, FinishedGame, finished
from wateringhole.store.ladder import Rung
from wateringhole.store.players import Profile
from wateringhole.store.queries import Cursor, Filter, StoredGame, StoredSeat
from wateringhole.store.tournaments import Tournament
from wateringhole.web.replay_messages import replay_of
from wateringhole.wire.framing import Json
from wateringhole.wire.native_messages import value_of

T = TypeVar("T")

PAGE: Final = 25
MAX_RUNGS: Final = 200
MAX_LATEST: Final = 8
MAX_IMPORTED: Final = 1_000
MAX_TOURNAMENTS: Final = 100
BATCH: Final = 50

READERS: Final = 2
"""How many may ask the store at once; the threads are also those in which slow bots think."""
CACHED_SECONDS: Final = 2.0
"""How long all clients get the same answer to a question that they all ask."""

_ID: Final = re.compile(rf"[0-9a-f]{{{ID_LENGTH}}}")


class Shown(Struct, frozen=True):
    """A game that is over, as a list shows it, and its record as a file has it."""

    game: StoredGame
    data: bytes


class Archive:
    """What the page shows of a store."""

    def __init__(self, archiver: Archiver) -> None:
        self._archiver = archiver
        self._reading = asyncio.Semaphore(READERS)
        self._counting = asyncio.Semaphore(1)  # to bring a ladder up to date may take a while
        self._latest = _CachedAnswer(lambda: self.listed(Filter(status="finished"), MAX_LATEST))
        self._ladder = _CachedAnswer(lambda: self._in_thread(lambda: archiver.store.ladder(MAX_RUNGS), self._counting))

    async def include(self, folder: Path) -> None:
        """Let the latest records of this folder be in the store, too."""
        await self._in_thread(lambda: self._include(folder))

    def _include(self, folder: Path) -> None:
        games: list[FinishedGame] = []
        for data, when in _records(folder):
            with suppress(RecordError):  # another program's file
                games.append(finished(data, when))
            if len(games) == BATCH:
                self._archiver.store.add(games)
                games.clear()
        self._archiver.store.add(games)

    async def about(self, game: str) -> StoredGame:
        """The game with this id, as a list would show it; KeyError when there is none that can be shown."""
        return (await self._found(game, self._kept)).game

    async def data(self, game: str) -> bytes:
        """The record of this game as a file has it; KeyError when there is none."""
        return (await self._found(game, self._stored)).data

    async def record(self, game: str) -> Record:
        """The record of this game; KeyError when there is none."""
        shown = await self._found(game, self._stored)
        return await self._in_thread(lambda: parsed(shown.data))

    async def replay(self, game: str) -> dict[str, Json]:
        """The whole game step by step, and who played it, as JSON; KeyError when there is none."""
        shown = await self._found(game, self._stored)
        identities = [seat.identity for seat in shown.game.seats]
        return await self._in_thread(
            lambda: value_of(replay_of(parsed(shown.data), game, shown.game.title, identities))
        )

    async def latest(self) -> list[StoredGame]:
        """The last public games."""
        return await self._latest.answer(self._on_their_way)

    async def listed(self, where: Filter, limit: int = PAGE, before: Cursor | None = None) -> list[StoredGame]:
        """These games, the last one first; `before` goes on behind the last game of a page."""
        if "\0" in f"{where.player or ''}{where.tournament or ''}":
            return []  # nothing is called that, and not every database can be asked
        fresh = [_on_its_way(known, game) for known, game in self._archiver.queued.items()]
        stored = await self._in_thread(lambda: self._archiver.store.listed(where, limit, before))
        games = {game.id: game for game in (*_fitting(fresh, where, before), *stored)}
        return sorted(games.values(), key=lambda game: game.cursor, reverse=True)[:limit]

    async def ladder(self) -> list[Rung]:
        """Who stands where, from the top."""
        return await self._ladder.answer(self._on_their_way)

    async def player(self, identity: str) -> Profile:
        """What is known of this player; KeyError when no game of theirs counts for the ladder."""
        if "\0" in identity:
            raise KeyError(identity)
        return await self._in_thread(lambda: self._archiver.store.player(identity), self._counting)

    async def tournaments(self) -> list[Tournament]:
        """The latest tournaments."""
        return await self._in_thread(lambda: self._archiver.store.tournaments(limit=MAX_TOURNAMENTS))

    async def tournament(self, known: str) -> Tournament:
        """The tournament with this id; KeyError when there is none."""
        if not known or "\0" in known:
            raise KeyError(known)
        found = await self._in_thread(lambda: self._archiver.store.tournaments(known, 1))
        if [one.id for one in found] != [known]:
            raise KeyError(known)
        return found[0]

    @property
    def _on_their_way(self) -> frozenset[str]:
        return frozenset(self._archiver.queued)

    async def _found(self, game: str, stored: Callable[[str], Shown]) -> Shown:
        """This game, from the archiver or from the store; KeyError when there is none that may be shown."""
        fresh = self._archiver.queued.get(game)
        if fresh is not None and fresh.status in OVER:
            return Shown(_on_its_way(game, fresh), fresh.data)
        if not _ID.fullmatch(game):
            raise KeyError(game)
        return await self._in_thread(lambda: stored(game))

    def _kept(self, game: str) -> Shown:
        kept = self._archiver.store.kept(game)
        if kept.status not in OVER:
            raise KeyError(game)
        return Shown(kept, b"")

    def _stored(self, game: str) -> Shown:
        return Shown(self._kept(game).game, self._archiver.store.data(game))

    async def _in_thread(self, ask: Callable[[], T], turn: asyncio.Semaphore | None = None) -> T:
        """What the store says, asked in a thread when it is this question's turn."""
        async with self._reading if turn is None else turn:
            return await asyncio.to_thread(ask)


class _CachedAnswer(Generic[T]):
    """The answer to a question that all clients ask: worked out for one of them, and cached for a moment."""

    def __init__(self, ask: Callable[[], Awaitable[T]]) -> None:
        self._ask = ask
        self._asking = asyncio.Lock()
        self._known: tuple[T, frozenset[str], float] | None = None

    async def answer(self, on_their_way: frozenset[str]) -> T:
        """The answer; asked anew after a while, and when other games are on their way to the store than before."""
        async with self._asking:
            now = asyncio.get_running_loop().time()
            if self._known is not None and self._known[1] == on_their_way and now < self._known[2]:
                return self._known[0]
            answer = await self._ask()
            self._known = answer, on_their_way, now + CACHED_SECONDS
            return answer


def game_value(game: StoredGame) -> dict[str, Json]:
    """A game in a list."""
    return {
        "id": game.id,
        "title": game.title,
        "ended": f"{game.ended:%Y-%m-%dT%H:%M:%SZ}",
        "status": game.status,
        "turns": game.turns,
        "names": list(game.names),
        "winners": list(game.winners),
        "players": [
            {
                "name": place.name,
                "identity": place.identity,
                "rank": place.rank,
                "score": place.score,
                "bot": place.kind == "bot",
                "stood_in": place.stood_in,
            }
            for place in game.seats
        ],
    }


def rung_value(place: int, rung: Rung) -> dict[str, Json]:
    """A player on the ladder: the rating, and the band that it is in almost surely; places go by its lower end."""
    return {
        "place": place,
        **_who(rung.name),
        "games": rung.games,
        "rating": round(rung.mu, 2),
        "low": round(rung.ordinal, 2),
        "high": round(2 * rung.mu - rung.ordinal, 2),
    }


def profile_value(profile: Profile) -> dict[str, Json]:
    """A player's own page."""
    return {
        **rung_value(profile.place, profile.rating),
        "wins": round(profile.wins, 2),
        "mean_score": round(profile.mean_score, 2),
        "opponents": [
            {**_who(other.identity), "meetings": other.meetings, "ahead": other.ahead} for other in profile.opponents
        ],
        "last": [game_value(game) for game in profile.games if game.status in OVER],
    }


def tournament_value(tournament: Tournament) -> dict[str, Json]:
    """A tournament with its standings; agents are not told, as they may be files of this machine."""
    return {
        "id": tournament.id,
        "title": tournament.title,
        "ended": f"{tournament.ended:%Y-%m-%dT%H:%M:%SZ}",
        "format": tournament.format,
        "table": tournament.table,
        "standings": [
            {
                "place": entrant.place,
                "name": entrant.name,
                "games": entrant.games,
                "elo": round(entrant.elo, 1),
                "wins": round(entrant.wins.value, 4),
                "rank": round(entrant.rank.value, 3),
                "score": round(entrant.score.value, 2),
            }
            for entrant in tournament.entrants
        ],
    }


def _who(known: str) -> dict[str, Json]:
    """Whom an identity stands for, as people say it; a house bot is marked as one."""
    name = known.removeprefix(BOT) if known.startswith(BOT) else known
    name = name.removeprefix("player:") if name.startswith(f"player:{BOT}") else name
    return {"identity": known, "name": name, "bot": known.startswith(BOT)}


def _on_its_way(known: str, game: FinishedGame) -> StoredGame:
    """A game that the store does not have yet, as a list shows it."""
    standings = {row.seat: row for row in game.ranking}
    places = []
    for seat, who in enumerate(contenders_of(game), 1):
        row = standings.get(seat)
        agent = game.agents[seat - 1] if game.agents else ""
        rank, score = (row.rank, row.score) if row else (None, None)
        stands = rank, score, 0.0, None, seat in game.stood_in, not who.unrated
        places.append(StoredSeat(seat, who.name, who.kind, agent, who.identity, *stands, None, None))
    facts = game.began, game.ended, game.server, game.number, game.title, game.private, game.status
    return StoredGame(known, *facts, len(game.names), game.turns, game.rules, game.tournament, False, tuple(places))


def _fitting(games: list[StoredGame], where: Filter, before: Cursor | None) -> Iterator[StoredGame]:
    """Those that the page of a list would show if the store had them."""
    for game in games:
        if game.private or game.status != (where.status or game.status):
            continue
        if where.player is not None and not any(where.player in (seat.name, seat.identity) for seat in game.seats):
            continue
        if where.tournament is not None and where.tournament != game.tournament:
            continue
        if where.since is not None and game.ended < where.since:
            continue
        if where.until is not None and game.ended >= where.until:
            continue
        if before is None or game.cursor < before:
            yield game


def _records(folder: Path) -> Iterator[tuple[bytes, datetime]]:
    """The latest files of a folder that could be records, the oldest first."""
    dated = []
    for path in folder.glob("game-*.jsonl"):
        with suppress(OSError):  # it may go while we look
            dated.append((path.stat().st_mtime, path))
    for seconds, path in sorted(dated)[-MAX_IMPORTED:]:
        with suppress(OSError, RecordError), path.open("rb") as file:
            yield whole(file), datetime.fromtimestamp(seconds, UTC)
