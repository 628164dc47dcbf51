"""The dialect `s16`: bare arrays, told apart by their length; what existing clients and servers of this game speak.

The end is a closed connection: a client of this dialect breaks on any message that it does not expect.
"""

from wateringhole.fault import shown
from wateringhole.view import Choose, Feed, Start
from wateringhole.wire.client_end import ClientEnd, own_in, rows_in
from wateringhole.wire.dialect import Ask, Dialect, Talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import (
    ShapeError,
    action4_in,
    boards_out,
    cards_out,
    feeding_in,
    items,
    natural,
    rows_out,
)


class S16(Dialect):
    name = "s16"

    @classmethod
    def recognises(cls, value: Json, bound: bool) -> bool:
        return isinstance(value, str)

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


class S16Client(ClientEnd):
    """Messages are arrays, told apart by their length. Our seat is not told: agents see 1."""

    numbered = False

    def _answers(self, value: Json) -> list[Json]:
        match items(value, "a message"):
            case [watering_hole, bag, boards, hand]:
                return self._start(own_in(bag, boards, hand), natural(watering_hole, "the watering hole"))
            case [before, after]:
                return [self._choose(self._at_start(), before, after)]
            case [bag, boards, hand, watering_hole, others]:
                return [self._feed(own_in(bag, boards, hand), watering_hole, rows_in(others))]
            case parts:
                known = "4 (start), 2 (choose) or 5 (feed)"
                raise ShapeError(f"a message has {len(parts)} items, not {known}: {shown(value)}")
