"""A game as data: the deck, the names and every reply, in a file of JSON lines.

Laws: replaying a record reproduces its game exactly. Notes lie beside it and do not count for equality.
"""

import hashlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct

from wateringhole.cards import DECK, Card, card
from wateringhole.dealer import go_on, new_game, pending, take
from wateringhole.events import FROM_ZERO, Standing
from wateringhole.fault import Fault, shown
from wateringhole.game import Game, PlayOutcome
from wateringhole.move_json import ReplyJson, dec_hook, enc_hook, written
from wateringhole.moves import Reply
from wateringhole.rules import turn

_FACES: Final = [(known.food, known.trait.value) for known in DECK]

RULES: Final = "1"
"""The version of docs/rules.md that this engine plays."""
MAX_RECORD_BYTES: Final = 16 * 1024 * 1024
"""No record of a game comes near it."""
MAX_SHOWN_CHARS: Final = 200
"""How much of a file that is no record a sentence repeats."""

Note = dict[str, str | int | float | None]


def pace(seat: int, replies: int, seconds: float) -> Note:
    """The note on how long a seat took for its replies."""
    return {"seat": seat, "replies": replies, "seconds": round(1_000_000 * seconds) / 1_000_000}


def reason(seat: int, reply: int, why: str) -> Note:
    """The note on why a seat gave this reply, its first being 1, in its own words."""
    return {"seat": seat, "reply": reply, "why": f"{why:.200}"}


def expulsion(seat: int, fault: Fault) -> Note:
    """The note on why a seat was expelled."""
    return {"expelled": seat, "reason": fault.reason.value, "text": fault.text, "rule": fault.rule}


class RecordError(ValueError):
    """A record that cannot be read or does not fit the rules; the message says where."""


class NotReproducedError(RecordError):
    """The replies are legal, but do not lead to the state that the record ends in."""


class Record(Struct, frozen=True, eq=False):
    """A game as data: the names, the deck, and every reply with its seat, in the order in which they were given.

    `notes` are for people and do not count when records are compared; `rules` is the version of the rules.
    """

    names: tuple[str, ...]
    deck: tuple[Card, ...]
    replies: tuple[tuple[int, Reply], ...]
    watering_hole: int = 0
    rules: str = RULES
    notes: tuple[Note, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._truth() == other._truth()

    def __ne__(self, other: object) -> bool:  # that of Struct would not ask __eq__
        return not self == other

    def __hash__(self) -> int:
        return hash(self._truth())

    def _truth(self) -> tuple[object, ...]:
        return self.names, self.deck, self.replies, self.watering_hole, self.rules


class Result(Struct, frozen=True):
    """How a game ended: the ranking, the first one first, and the record of the whole game."""

    ranking: tuple[Standing, ...]
    record: Record


def replay(record: Record, steps: int | None = None, listen: bool = False) -> Game:
    """The game after this many replies, or after all of them; RecordError if they do not fit the rules.

    With `listen` all events are in `game.told`.
    """
    if record.rules != RULES:
        raise RecordError(f"the record is for rules {shown(record.rules)}; this engine plays rules {shown(RULES)}")
    try:
        game = new_game(record.names, record.deck, record.watering_hole, listen)
    except ValueError as error:
        raise RecordError(str(error)) from None
    for _ in walk(game, record.replies[:steps]):
        pass
    return game


def walk(game: Game, replies: Iterable[tuple[int, Reply]]) -> Iterator[Game]:
    """Give these replies to the game; yields it after each, and again at the end of a turn, before the order changes.

    That is why it does not use `answer`, which goes on into the next turn.
    """
    for step, (seat, reply) in enumerate(replies):
        seats = list(game.players) if isinstance(reply, Fault) else pending(game)
        if game.phase == "over" or seat not in seats:
            asked = ", ".join(str(asked) for asked in pending(game)) or "no seat"
            raise RecordError(f"step {step}: seat {seat} answers, but the game asks {asked}")
        take(game, game.players[seat], reply)
        yield game
        if game.phase == "fed":
            turn.end(game)
            yield game
        go_on(game)


def digest(game: Game) -> str:
    """A fingerprint of the whole state: equal games have equal ones, in every process."""
    state = (
        [
            (
                player.seat,
                player.bag,
                [(held.food, held.trait) for held in player.hand],
                [(b.population, b.body, b.food, b.fat_food, b.traits) for b in player.species],
            )
            for player in game.players.values()
        ],
        [(held.food, held.trait) for held in game.deck[game.dealt :]],
        game.watering_hole,
        game.turn,
        game.phase,
        [
            (seat, written(planned.play) if isinstance(planned, PlayOutcome) else planned)
            for seat, planned in sorted(game.plays.items())
        ],
        game.queue,
        game.leaving,
        game.expelled,
    )
    # The refusals of rules are in the state, and those of older records without these words.
    return hashlib.sha256(msgspec.json.encode(state).replace(FROM_ZERO.encode(), b"")).hexdigest()


class _Header(Struct, forbid_unknown_fields=True, tag_field="line", tag="game"):
    rules: str
    names: tuple[str, ...]
    deck: tuple[tuple[int, str], ...]
    watering_hole: int = 0


class _Reply(Struct, forbid_unknown_fields=True, tag_field="line", tag="reply"):
    seat: int
    reply: ReplyJson


class _Note(Struct, forbid_unknown_fields=True, tag_field="line", tag="note"):
    note: Note


class _End(Struct, forbid_unknown_fields=True, tag_field="line", tag="end"):
    """How the game stood after the last reply, to check that a replay gives the same."""

    state: str
    scores: tuple[tuple[int, int], ...]


_LINES: Final = msgspec.json.Decoder(_Header | _Reply | _Note | _End, dec_hook=dec_hook)
_ENCODER: Final = msgspec.json.Encoder(enc_hook=enc_hook)


def write(record: Record, path: Path) -> None:
    """Write the record into this file, with the state that it leads to."""
    keep(record, path, replay(record))


def keep(record: Record, path: Path, game: Game | None) -> None:
    """Keep the record in this file, with the state of the game that it tells of; None if that state is in doubt."""
    path.write_bytes(text(record, game))


def text(record: Record, game: Game | None) -> bytes:
    """The record as JSON lines, with the state of the game that it tells of; None if that state is in doubt."""
    lines: list[Struct] = [_Header(record.rules, record.names, faces(record.deck), record.watering_hole)]
    lines += [_Note(note) for note in record.notes]
    lines += [_Reply(seat, ReplyJson(reply)) for seat, reply in record.replies]
    if game is not None:
        lines.append(_end(game))
    return _ENCODER.encode_lines(lines)


def read(path: Path) -> Record:
    """The record in this file; RecordError when it is not one or does not reproduce the game that it tells of."""
    with path.open("rb") as file:
        return parsed(whole(file))


def whole(file: BinaryIO) -> bytes:
    """All that is in this file; RecordError when that is more than any record. Nothing is read beyond the limit."""
    data = file.read(MAX_RECORD_BYTES + 1)
    if len(data) > MAX_RECORD_BYTES:
        raise RecordError(f"more than {MAX_RECORD_BYTES // 1024**2} MB are no record")
    return data


def parsed(data: bytes) -> Record:
    """The record that these JSON lines are; RecordError when they are none or do not reproduce the game."""
    lines = [_line(number, text) for number, text in enumerate(BytesIO(data), 1)]
    header = lines[0] if lines else None
    if not isinstance(header, _Header):
        raise RecordError("line 1 is not the header of a record")
    end: _End | None = None
    for number, line in enumerate(lines[1:], 2):
        if isinstance(line, _Header) or (end is not None and not isinstance(line, _Note)):
            raise RecordError(f"line {number}: a {line.__struct_config__.tag} line has no place here")
        end = line if isinstance(line, _End) else end
    record = Record(
        header.names,
        deck_of(header.deck),
        tuple((line.seat, line.reply.value) for line in lines if isinstance(line, _Reply)),
        header.watering_hole,
        header.rules,
        tuple(line.note for line in lines if isinstance(line, _Note)),
    )
    reached = _end(replay(record))
    if end is not None and end != reached:
        raise NotReproducedError(
            f"the replies lead to state {reached.state[:12]}, scores {_listed(reached.scores)}; "
            f"the record ends in {end.state[:12]}, scores {_listed(end.scores)}"
        )
    return record


def _end(game: Game) -> _End:
    return _End(digest(game), tuple((seat, game.players[seat].score) for seat in sorted(game.players)))


def _listed(scores: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{seat}: {score}" for seat, score in scores) or "none"


def _line(number: int, text: bytes) -> _Header | _Reply | _Note | _End:
    try:
        line: _Header | _Reply | _Note | _End = _LINES.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"line {number}: {ascii(str(error))[1:-1]:.{MAX_SHOWN_CHARS}}") from None
    return line


def faces(deck: Iterable[Card]) -> tuple[tuple[int, str], ...]:
    """A deck as it is written: the food value and the trait of each card."""
    return tuple([_FACES[held.order] for held in deck])


def deck_of(faces: Iterable[tuple[int, str]]) -> tuple[Card, ...]:
    """The deck that was written so; RecordError when it is none."""
    return tuple([_card(face) for face in faces])


def _card(face: tuple[int, str]) -> Card:
    try:
        return card(*face)
    except KeyError:
        raise RecordError(f"{shown(list(face))} in the deck is not one of the 122 cards") from None
