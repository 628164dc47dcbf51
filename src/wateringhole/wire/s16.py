"""The dialect `s16`: bare arrays, told apart by their length; what existing clients and servers of this game speak.

The end is a closed connection: a client of this dialect breaks on any message that it does not expect.
"""

from collections.abc import Sequence

from wateringhole.events import Event
from wateringhole.fault import Fault
from wateringhole.record import Result
from wateringhole.view import Choose, Feed, Start
from wateringhole.wire.dialect import Ask, Talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import action4_in, boards_out, cards_out, feeding_in, rows_out


class S16:
    name = "s16"

    def welcome(self, seat: int) -> list[Json]:
        return ["ok"]

    def start(self, request: Start) -> list[Json]:
        me = request.me
        return [[request.watering_hole, me.bag, boards_out(me.species), cards_out(me.hand)]]

    def choose(self, request: Choose) -> Talk:
        answer = yield Ask([rows_out(request.before), rows_out(request.after)])
        return action4_in(answer)

    def feed(self, request: Feed) -> Talk:
        me = request.me
        state: list[Json] = [me.bag, boards_out(me.species), cards_out(me.hand)]
        answer = yield Ask([*state, request.watering_hole, rows_out(request.others)], most=len(me.species) - 1)
        return feeding_in(answer, [other.seat for other in request.others])

    def story(self, events: Sequence[Event]) -> list[Json]:
        return []

    def expelled(self, fault: Fault) -> list[Json]:
        return []

    def over(self, seat: int, result: Result) -> list[Json]:
        return []
