"""The dialect `hello`: messages that begin with their name, and the scores at the end."""

from wateringhole.fault import shown
from wateringhole.record import Result
from wateringhole.view import Choose, Feed, Own, Start
from wateringhole.wire.client_end import ClientEnd, player_of, rows_in, score_row_in
from wateringhole.wire.dialect import Ask, Dialect, Talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError, action4_in, feeding_in, items, player_out, rows_out

HELLO = "Hello"
GAME_FULL = "game full"


class Hello(Dialect):
    name = "hello"

    @classmethod
    def recognises(cls, value: Json, bound: bool) -> bool:
        return value == HELLO or super().recognises(value, bound)

    @classmethod
    def name_in(cls, value: Json) -> str:
        return ""

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

    def over(self, seat: int, result: Result) -> list[Json]:
        return [[[row.seat, row.score] for row in result.ranking if row.score is not None]]


def _state(me: Own) -> Json:
    return player_out(me.seat, me, empty_hand=True)


class HelloClient(ClientEnd):
    """Messages begin with their name; the scores at the end do not."""

    greeting = "ack"

    def sign_up(self, name: str) -> Json:  # clients have no names here
        return HELLO

    def hear(self, value: Json) -> list[Json]:
        if value == GAME_FULL and not self._greeted:
            self._full = True
            return []
        return super().hear(value)

    @property
    def missing(self) -> str:
        if self.scores is not None:
            return ""
        return "the server closed the connection before it told the scores" if self.turns else super().missing

    def _answers(self, value: Json) -> list[Json]:
        match items(value, "a message"):
            case ["start", player]:
                return self._start(player_of(player))
            case ["choose", situation]:
                before, after = items(situation, "the situation", 2, 2)
                return [self._choose(self._at_start(), before, after)]
            case ["feed", watering_hole, others, player]:
                return [self._feed(player_of(player), watering_hole, rows_in(others))]
            case [str(), *_]:
                raise ShapeError(f"a message is {shown(value)}, not a start, choose or feed, nor the scores")
            case rows:
                self.scores = tuple([score_row_in(row) for row in rows])
                return []
