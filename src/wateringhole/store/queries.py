"""Queries for lists of stored games.

Laws: the latest first, by the time at which they ended, then by id; a reader that goes on after the last game of a page
misses none and sees none twice, also while games are added. Private games are listed only on demand.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Select, func, literal, select, tuple_

from wateringhole.fault import Reason
from wateringhole.store.counting import Contender, Unrated, explained
from wateringhole.store.finished_game import Kind, Status
from wateringhole.store.tables import FAULTS, GAMES, SEATS, UNRATED, Utc, Words

Cursor: TypeAlias = tuple[datetime, str]
"""Where a page of a list ends: when its last game ended, and that game's id."""

MAX_IDS: Final = 500
"""In one statement."""

_RATED: Final = (GAMES.c.rated != UNRATED).label("rated")
_SHOWN: Final = (*(column for column in GAMES.c if column.name not in {"record", "rated"}), _RATED)


def utc_moment(text: str) -> datetime:
    """The moment that this is, or the beginning of the day; in UTC, unless it says otherwise. ValueError if neither."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        raise ValueError(text) from None


class StoredSeat(Struct, frozen=True):
    """One seat of a game. A seat that was expelled, or did not finish, has no rank; `rule` and `text` go with
    `expelled`. `rated`: the ladder rates it, if the game counts.
    """

    seat: int
    name: str
    kind: Kind | None
    agent: str
    identity: str
    rank: int | None
    score: int | None
    won: float
    expelled: str | None
    stood_in: bool
    rated: bool
    rule: str | None
    text: str | None


class StoredGame(Struct, frozen=True):
    """A game in the store, without its record; `rated`: it counts for the ladder."""

    id: str
    began: datetime
    ended: datetime
    server: str
    number: int
    title: str
    private: bool
    status: Status
    players: int
    turns: int
    rules: str
    tournament: str | None
    rated: bool
    seats: tuple[StoredSeat, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seats."""
        return tuple(place.name for place in self.seats)

    @property
    def ladder(self) -> str:
        """Which players the ladder rates for this game, and why not the others."""
        return explained(self.private, self.status, [_contender(place) for place in self.seats])

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners; none in a game that was not finished."""
        return tuple(place.name for place in self.seats if place.rank == 1)

    @property
    def cursor(self) -> Cursor:
        """Where the list goes on after this game."""
        return self.ended, self.id


def _contender(place: StoredSeat) -> Contender:
    why: Unrated | None = None if place.rated else "stand-in" if place.stood_in else "namesake"
    return Contender(place.name, place.kind, place.identity, why)


class Filter(Struct, frozen=True):
    """Which games to list: those for which all fields that are set hold. A game ended at `since` or later, and before
    `until`.
    """

    player: str | None = None
    """A name, or an identity of the ladder."""
    since: datetime | None = None
    until: datetime | None = None
    status: Status | None = None
    players: int | None = None
    expelled: Reason | Literal["any"] | None = None
    tournament: str | None = None
    title: str = ""
    """A part of the title; large and small letters differ."""
    private: bool = False
    """Whether private games are listed, too."""


ALL: Final = Filter()
"""Every public game."""


def listed(connection: Connection, where: Filter, limit: int | None, before: Cursor | None) -> list[StoredGame]:
    """The latest of these games that ended before the cursor."""
    page = select(*_SHOWN).where(*_conditions(where)).order_by(GAMES.c.ended.desc(), GAMES.c.id.desc()).limit(limit)
    if before is not None:
        ended, game = before
        page = page.where(tuple_(GAMES.c.ended, GAMES.c.id) < tuple_(literal(ended, Utc), literal(game, Words)))
    return _games(connection, page)


def kept(connection: Connection, game: str) -> StoredGame | None:
    """The game with this id, if it is there."""
    found = _games(connection, select(*_SHOWN).where(GAMES.c.id == game))
    return found[0] if found else None


def counted(connection: Connection, where: Filter) -> int:
    """How many games these are."""
    return connection.execute(select(func.count()).select_from(GAMES).where(*_conditions(where))).scalar_one()


def ids(connection: Connection, beginning: str, limit: int) -> list[str]:
    """The first games whose ids begin like this."""
    found = select(GAMES.c.id).where(GAMES.c.id >= beginning, GAMES.c.id < f"{beginning}g")  # ids have digits 0 to f
    return list(connection.execute(found.order_by(GAMES.c.id).limit(limit)).scalars())


def batches(games: Iterable[str]) -> Iterator[list[str]]:
    """So many ids at a time as a statement takes."""
    left = iter(games)
    while some := list(islice(left, MAX_IDS)):
        yield some


def _conditions(where: Filter) -> list[ColumnElement[bool]]:
    """What must hold of the rows of `games`."""
    held: list[ColumnElement[bool]] = []
    if where.player is not None:
        held.append(_seat((SEATS.c.name == where.player) | (SEATS.c.identity == where.player)))
    if where.expelled is not None:
        reason = SEATS.c.expelled.is_not(None) if where.expelled == "any" else SEATS.c.expelled == where.expelled.value
        held.append(_seat(reason))
    if where.since is not None:
        held.append(GAMES.c.ended >= where.since)
    if where.until is not None:
        held.append(GAMES.c.ended < where.until)
    if where.status is not None:
        held.append(GAMES.c.status == where.status)
    if where.players is not None:
        held.append(GAMES.c.players == where.players)
    if where.tournament is not None:
        held.append(GAMES.c.tournament == where.tournament)
    if where.title:
        without = func.replace(GAMES.c.title, literal(where.title, Words), "")  # LIKE is not the same everywhere
        held.append(without != GAMES.c.title)
    if not where.private:
        held.append(~GAMES.c.private)
    return held


def _seat(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """That this holds of one of the game's seats."""
    return GAMES.c.id.in_(select(SEATS.c.game).where(condition))


def _games(connection: Connection, page: Select[*tuple[object, ...]]) -> list[StoredGame]:
    """The games that this selects, with their seats."""
    rows = connection.execute(page).mappings().all()
    seats: dict[str, list[StoredSeat]] = {row["id"]: [] for row in rows}
    both = SEATS.outerjoin(FAULTS, (SEATS.c.game == FAULTS.c.game) & (SEATS.c.seat == FAULTS.c.seat))
    found = select(SEATS, FAULTS.c.rule, FAULTS.c.text).select_from(both).order_by(SEATS.c.seat)
    for some in batches(seats):
        for game, *place in connection.execute(found.where(SEATS.c.game.in_(some))):
            seats[game].append(StoredSeat(*place))
    return [StoredGame(**row, seats=tuple(seats[row["id"]])) for row in rows]
