"""The dialect `hello`: messages that begin with their name, and the scores at the end."""

from collections.abc import Sequence

from wateringhole.events import Event
from wateringhole.fault import Fault
from wateringhole.record import Result
from wateringhole.view import Choose, Feed, Own, Start
from wateringhole.wire.dialect import Ask, Talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import action4_in, feeding_in, player_out, rows_out

GAME_FULL = "game full"


class Hello:
    name = "hello"

    def welcome(self, seat: int) -> list[Json]:
        return ["ack"]

    def start(self, request: Start) -> list[Json]:
        return [["start", _state(request.me)]]

    def choose(self, request: Choose) -> Talk:
        answer = yield Ask(["choose", [rows_out(request.before), rows_out(request.after)]])
        return action4_in(answer)

    def feed(self, request: Feed) -> Talk:
        me = request.me
        question: Json = ["feed", request.watering_hole, rows_out(request.others), _state(me)]
        answer = yield Ask(question, most=len(me.species) - 1)
        return feeding_in(answer, [other.seat for other in request.others])

    def story(self, events: Sequence[Event]) -> list[Json]:
        return []

    def expelled(self, fault: Fault) -> list[Json]:
        return []

    def over(self, seat: int, result: Result) -> list[Json]:
        return [[[row.seat, row.score] for row in result.ranking if row.score is not None]]


def _state(me: Own) -> Json:
    return player_out(me.seat, me, empty_hand=True)
