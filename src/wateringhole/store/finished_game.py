"""A finished game, as the store takes it.

Laws: cheap to make and to pass on. The record is the truth; everything else comes with it, or is read from it.
"""

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from wateringhole.events import Standing
from wateringhole.game import Game
from wateringhole.record import MAX_RECORD_BYTES, RULES, Note, Record, RecordError, parsed, replay, text
from wateringhole.rules.turn import ranking

Kind: TypeAlias = Literal["person", "bot", "client"]
Status: TypeAlias = Literal["finished", "abandoned", "stopped", "failed", "damaged"]

OVER: Final[frozenset[str]] = frozenset({"finished", "abandoned"})
"""The status of a game that was played to its end."""
PRIVATE: Final = "private"
PLAYED_BY: Final = "played by"
NAMESAKE: Final = "namesake of"
"""Keys of notes: the game is private; a stand-in played for this seat; the person on this seat gave a name that another
person at the table had already.
"""

ID_LENGTH: Final = 24
BOT: Final = "bot:"
MAX_NUMBER: Final = 10**12
RETURN_SECONDS: Final = 600.0
"""How long after its end a game is found by the token of one of its seats, at least."""


class FinishedGame(Struct, frozen=True):
    """All that is known of a game when it is over. `data` is the record as a file has it.

    `kinds` and `agents` go by seats; without them it is unknown which players were bots. An agent is a house bot's
    name, with its options, or "". `status` is how it ended: `abandoned` by all its players, `stopped` with the server,
    `failed` by a defect of the server, or `damaged`, when its log cannot be played on. `token_hashes` are those of
    native tokens.
    """

    data: bytes
    names: tuple[str, ...]
    ranking: tuple[Standing, ...]
    began: datetime
    ended: datetime
    turns: int
    kinds: tuple[Kind, ...] = ()
    agents: tuple[str, ...] = ()
    stood_in: frozenset[int] = frozenset()
    title: str = ""
    private: bool = False
    status: Status = "finished"
    server: str = ""
    number: int = 0
    tournament: str | None = None
    rules: str = RULES
    namesakes: frozenset[int] = frozenset()
    token_hashes: frozenset[str] = frozenset()


def game_id(data: bytes) -> str:
    """The id of the game with this record: a fingerprint, so no player can guess it before the game is over."""
    return sha256(data).hexdigest()[:ID_LENGTH]


def identity(name: str, kind: Kind | None, agent: str) -> str:
    """The player that the ladder rates for a seat: a house bot by its kind, any other player by the name that was
    given.

    The prefix keeps a player with the name of a house bot apart from that bot.
    """
    if kind == "bot":
        return f"{BOT}{agent or name}"
    return f"player:{name}" if name.startswith(BOT) else name


def finished(data: bytes, when: datetime) -> FinishedGame:
    """The game of this record, which ended then; RecordError when it is none. Which players were bots is unknown."""
    record = parsed(data)
    return _finished(data, record, replay(record), when)


def finished_record(record: Record, when: datetime) -> FinishedGame:
    """The same from the record itself, which need not have been a file; RecordError also when it is too long."""
    game = replay(record)
    data = text(record, game)
    if len(data) > MAX_RECORD_BYTES:
        raise RecordError(f"its record has {len(data)} bytes, above {MAX_RECORD_BYTES}")
    return _finished(data, record, game, when)


def _finished(data: bytes, record: Record, game: Game, when: datetime) -> FinishedGame:
    return FinishedGame(
        data,
        record.names,
        ranking(game),
        when,
        when,
        game.turn,
        stood_in=stood_in(record.notes),
        private=is_private(record.notes),
        status=_status(game, record.notes),
        number=_number(record.notes),
        rules=record.rules,
        namesakes=namesakes(record.notes),
    )


def stood_in(notes: Iterable[Note]) -> frozenset[int]:
    """The seats that a stand-in has played for."""
    return _seats_with(PLAYED_BY, notes)


def namesakes(notes: Iterable[Note]) -> frozenset[int]:
    """The seats of people whose name another person at the table had first."""
    return _seats_with(NAMESAKE, notes)


def _seats_with(key: str, notes: Iterable[Note]) -> frozenset[int]:
    return frozenset(seat for note in notes if key in note and isinstance(seat := note.get("seat"), int))


def is_private(notes: Iterable[Note]) -> bool:
    return any(note.get(PRIVATE) for note in notes)


def _status(game: Game, notes: tuple[Note, ...]) -> Status:
    if game.phase == "over":
        return "finished" if game.players else "abandoned"
    return "stopped" if {note.get("ended", "stopped") for note in notes} <= {"stopped"} else "failed"


def _number(notes: tuple[Note, ...]) -> int:
    for note in notes:
        number = note.get("game")
        if isinstance(number, int) and 0 <= number <= MAX_NUMBER:
            return number
    return 0
