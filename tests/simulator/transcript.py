"""What the server must have said to a seat, worked out from the record of its game alone.

Laws: pure; knows nothing of the host, whose messages are compared with these.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from wateringhole.dealer import answer, new_game, pending
from wateringhole.events import Event
from wateringhole.fault import Fault
from wateringhole.game import Game
from wateringhole.record import Record, Result
from wateringhole.rules.turn import ranking
from wateringhole.view import Request, choices, request, start
from wateringhole.wire.dialect import Dialect, talk
from wateringhole.wire.framing import Json
from wateringhole.wire.hello import Hello
from wateringhole.wire.native import Native
from wateringhole.wire.s16 import S16

DIALECTS: Final[dict[str, Callable[[], Dialect]]] = {"native": Native, "s16": S16, "hello": Hello}
_CHANGING: Final = ("seconds", "bank", "token", "answered")
"""What a message says that is not the game's."""


def comparable(message: Json) -> Json:
    """A message without what may be different another time."""
    return (
        {key: part for key, part in message.items() if key not in _CHANGING} if isinstance(message, dict) else message
    )


def transcript(record: Record, seat: int, dialect: str, over: bool, early_expulsion: Fault | None = None) -> list[Json]:
    """All messages to this seat up to now; if the game is not over, with those that come next when nobody answers."""
    said = _Told(record, seat, DIALECTS[dialect]()).all(over, early_expulsion)
    return [comparable(message) for message in msgspec.json.decode(msgspec.json.encode(said))]


class _Told:
    """Everything that is said to one seat, in order."""

    def __init__(self, record: Record, seat: int, dialect: Dialect) -> None:
        self._record = record
        self._seat = seat
        self._dialect = dialect
        self._said: list[Json] = list(dialect.welcome(seat))
        self._turn = 0

    def all(self, over: bool, early_expulsion: Fault | None) -> list[Json]:
        record, seat = self._record, self._seat
        game = new_game(record.names, record.deck, record.watering_hole, listen=True)
        self._heard(game, game.hear())
        self._asked(game)
        for replier, reply in record.replies:
            asked = pending(game)
            there = seat in game.players
            self._heard(game, answer(game, replier, reply))
            if there and seat not in game.players:
                self._said += self._dialect.expelled(dict(game.expelled)[seat])
            # The fault of a seat that is not asked changes nothing for the one that is.
            if pending(game) != asked or (asked == [replier] and game.phase == "feed") or game.turn != self._turn:
                self._asked(game)
        if early_expulsion is not None and seat in game.players:
            self._said += self._dialect.expelled(early_expulsion)
        if over and seat in game.players:
            self._said += self._dialect.over(seat, Result(ranking(game), record))
        return self._said

    def _heard(self, game: Game, events: list[Event]) -> None:
        if events and self._seat in game.players:
            self._said += self._dialect.story(events)

    def _asked(self, game: Game) -> None:
        if self._seat not in pending(game):
            return
        if game.phase == "feed":
            self._put(request(game, self._seat))
        elif game.turn != self._turn:
            self._said += self._dialect.start(start(game, self._seat))
            [question] = [asked for asked in choices(game) if asked.me.seat == self._seat]
            self._put(question)
        self._turn = game.turn

    def _put(self, asked: Request) -> None:
        conversation = talk(self._dialect, asked)
        self._said.append(next(conversation).value)
        conversation.close()
