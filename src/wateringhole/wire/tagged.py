"""The dialect `tagged`: tagged messages both ways, and a whole configuration to feed by.

The configuration has the shape that its document gives it, with blanks for what the receiver may not know: the others'
cards and bags, and the deck.
"""

from collections.abc import Sequence

from wateringhole.events import Event
from wateringhole.fault import Fault, shown
from wateringhole.player import Other
from wateringhole.record import Result
from wateringhole.view import Choose, Feed, Start
from wateringhole.wire.dialect import Ask, Talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError, action4_in, boards_out, feeding_in, items, player_out, rows_out


class Tagged:
    name = "tagged"

    def welcome(self, seat: int) -> list[Json]:
        return ["ok"]

    def start(self, request: Start) -> list[Json]:
        return [["start-round", player_out(request.me.seat, request.me, empty_hand=True)]]

    def choose(self, request: Choose) -> Talk:
        me = player_out(request.me.seat, request.me, empty_hand=True)
        answer = yield Ask(["choce-actions", [me, rows_out(request.before), rows_out(request.after)]])
        return action4_in(_under("play", answer))

    def feed(self, request: Feed) -> Talk:
        me = player_out(request.me.seat, request.me, empty_hand=True)
        players: list[Json] = [me, *(_blanked(other) for other in request.others)]
        answer = yield Ask(["pick-feeding", [players, request.watering_hole, []]])
        return feeding_in(_under("feeding", answer), [other.seat for other in request.others])

    def story(self, events: Sequence[Event]) -> list[Json]:
        return []

    def expelled(self, fault: Fault) -> list[Json]:
        return []

    def over(self, seat: int, result: Result) -> list[Json]:
        return []


def _blanked(other: Other) -> Json:
    return [["id", other.seat], ["species", boards_out(other.species)], ["bag", 0], ["cards", []]]


def _under(tag: str, value: Json) -> Json:
    """What is behind this tag."""
    parts = items(value, "an answer", 2, 2)
    if parts[0] != tag:
        raise ShapeError(f'an answer is {shown(value)}, not ["{tag}", ...]')
    return parts[1]
