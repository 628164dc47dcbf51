"""Everything that a client can do wrong, and when: the rows and columns of the fault matrix, for the dialect s16.

A point is where in the conversation a fault begins. What is not asked for a reply at that point does it unasked; what
is a way to reply badly (late, drip, silent) then spoils the next reply.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Final, Literal, NamedTuple, TypeAlias

from wateringhole.fault import Reason

from .clients import Client, Occasion, Trick, keep_silent
from .simulation import LATENCY

LIMIT: Final = 10.0
SIGN_UP_LIMIT: Final = 5.0
LATE: Final = 1 / 512
PART: Final = 1 / 64
"""The pause between the two parts of a reply: long for a network, but not long enough to end a bare number."""


class What(StrEnum):
    SILENT = "silent"
    LATE = "late"
    DRIP = "drip"
    EARLY = "early"
    TWICE = "twice"
    WRONG_KIND = "wrong kind"
    ILLEGAL = "illegal"
    WRONG_TYPE = "wrong type"
    BAD_JSON = "bad JSON"
    BAD_UTF8 = "bad UTF-8"
    TOO_BIG = "too big"
    TOO_DEEP = "too deep"
    FIN = "FIN"
    RST = "RST"
    HALF_CLOSE = "half-close"
    NOT_READING = "not reading"


class Point(StrEnum):
    BEFORE_SIGN_UP = "before sign-up"
    DURING_SIGN_UP = "during sign-up"
    AFTER_SIGN_UP = "after sign-up"
    AFTER_START = "after start"
    BEFORE_CHOOSE = "before the choose reply"
    DURING_CHOOSE = "during the choose reply"
    AFTER_CHOOSE = "after the choose reply"
    BEFORE_FEED = "before a feed reply"
    DURING_FEED = "during a feed reply"
    AFTER_FEED = "after a feed reply"
    BETWEEN_TURNS = "between turns"
    LAST_TURN = "start of the last turn"
    LAST_REPLY = "the last reply"
    CLOSE = "at the close"


SIGNING_UP: Final = {Point.BEFORE_SIGN_UP, Point.DURING_SIGN_UP}
ASKED: Final = {Point.BEFORE_CHOOSE, Point.DURING_CHOOSE, Point.BEFORE_FEED, Point.DURING_FEED, Point.LAST_REPLY}
SLOW: Final = {What.SILENT, What.LATE, What.DRIP}
LEAVING: Final = {What.FIN, What.RST, What.HALF_CLOSE}

NO_MEANING: Final[dict[tuple[What, Point], str]] = {
    **{(What.EARLY, point): "a value that answers a question is not early" for point in ASKED},
    (What.EARLY, Point.DURING_SIGN_UP): "what follows the first bytes of a name is part of it, or twice",
    **{(What.ILLEGAL, point): "every string is a legal name" for point in SIGNING_UP},
    **{
        (what, Point.CLOSE): "no question is left to answer badly"
        for what in (What.LATE, What.DRIP, What.WRONG_KIND, What.ILLEGAL, What.WRONG_TYPE)
    },
}
"""The cells that are left out, each with the reason."""

WHEN_ASKED: Final = {
    What.SILENT: Reason.TIMEOUT,
    What.LATE: Reason.TIMEOUT,
    What.DRIP: Reason.TIMEOUT,
    What.TWICE: Reason.UNSOLICITED,
    What.WRONG_KIND: Reason.SHAPE,
    What.ILLEGAL: Reason.ILLEGAL,
    What.WRONG_TYPE: Reason.SHAPE,
    What.BAD_JSON: Reason.BAD_JSON,
    What.BAD_UTF8: Reason.BAD_UTF8,
    What.TOO_BIG: Reason.TOO_BIG,
    What.TOO_DEEP: Reason.BAD_JSON,
    What.FIN: Reason.DISCONNECTED,
    What.RST: Reason.DISCONNECTED,
    What.HALF_CLOSE: Reason.DISCONNECTED,
    What.NOT_READING: Reason.SLOW_READER,
}

UNASKED: Final = WHEN_ASKED | dict.fromkeys(
    (What.EARLY, What.TWICE, What.WRONG_KIND, What.ILLEGAL, What.WRONG_TYPE), Reason.UNSOLICITED
)
"""Whatever the value, nobody asked for it; what is no value at all keeps its reason."""

Question: TypeAlias = Literal["sign-up", "choose", "feed"]

VALUES: Final[dict[What, dict[Question, bytes]]] = {
    What.EARLY: {"sign-up": b"[0,1]\n", "choose": b"[0,1]\n", "feed": b"[0,1]\n"},
    What.WRONG_KIND: {"sign-up": b"[0,[],[],[],[]]\n", "choose": b"[0,1]\n", "feed": b"[0,[],[],[],[]]\n"},
    What.ILLEGAL: {"sign-up": b"", "choose": b"[99,[],[],[],[]]\n", "feed": b"[99,1]\n"},
    What.WRONG_TYPE: {"sign-up": b"7\n", "choose": b"[true,[],[],[],[]]\n", "feed": b'"0"\n'},
    What.BAD_JSON: dict.fromkeys(("sign-up", "choose", "feed"), b"[0,}\n"),
    What.BAD_UTF8: dict.fromkeys(("sign-up", "choose", "feed"), b'"\xff\xfe"\n'),
    What.TOO_BIG: {
        "sign-up": b'"' + b"x" * 1_023 + b'"',
        "choose": b'"' + b"x" * 65_535 + b'"',
        "feed": b"[" + b" " * 65_535 + b"]",
    },
    What.TOO_DEEP: dict.fromkeys(("sign-up", "choose", "feed"), b"[" * 9 + b"]" * 9),
}

Stage: TypeAlias = Literal["before", "during", "after", "unasked"]


class Moment(NamedTuple):
    """A point as one client meets it: at which message, and where in what it does about that."""

    occasion: Occasion
    stage: Stage


def moment(point: Point, calm: Client) -> Moment:
    """Where this point is in the conversation of a client whose game was calm."""
    kinds = calm.kinds
    second_start = kinds.index("s", 2)
    requests = [number for number, kind in enumerate(kinds) if kind in "cf"]
    feed = next(
        number
        for number, (when, kind) in enumerate(calm.heard[:-1])
        # Somebody else must be asked next, or a value after the reply would be the next one.
        if kind == "f" and calm.heard[number + 1][0] - when > calm.think + 4 * LATENCY
    )
    return {
        Point.BEFORE_SIGN_UP: Moment("connect", "before"),
        Point.DURING_SIGN_UP: Moment("connect", "during"),
        Point.AFTER_SIGN_UP: Moment(0, "unasked"),
        Point.AFTER_START: Moment(1, "unasked"),
        Point.BEFORE_CHOOSE: Moment(2, "before"),
        Point.DURING_CHOOSE: Moment(2, "during"),
        Point.AFTER_CHOOSE: Moment(2, "after"),
        Point.BEFORE_FEED: Moment(feed, "before"),
        Point.DURING_FEED: Moment(feed, "during"),
        Point.AFTER_FEED: Moment(feed, "after"),
        Point.BETWEEN_TURNS: Moment(max(number for number in requests if number < second_start), "after"),
        Point.LAST_TURN: Moment(kinds.rindex("s"), "unasked"),
        Point.LAST_REPLY: Moment(requests[-1], "before"),
        Point.CLOSE: Moment("close", "unasked"),
    }[point]


def misbehaving(client: Client, what: What, point: Point, calm: Client) -> Client:
    """The client, who will do this at that point of a game that is calm until then."""
    occasion, stage = moment(point, calm)
    if occasion == "close":
        assert calm.shown_out_at is not None
        # The bytes cross with the server's close: they arrive when it has closed and before the client knows.
        client.tricks["connect"] = _at(calm.shown_out_at - LATENCY / 2, lambda: _do(what, client, b"", "unasked"))
    else:
        client.tricks[occasion] = lambda client, data: _do(what, client, data, stage)
    return client


def _at(when: float, act: Callable[[], None]) -> Trick:
    def sign_up_and_wait(client: Client, data: bytes) -> None:
        client.say(data)
        client.simulation.at(when, act)

    return sign_up_and_wait


def _do(what: What, client: Client, data: bytes, stage: Stage) -> None:
    """Do it. In a game that was disturbed before, a reply may be due where none was planned, and the reverse."""
    if not data:
        stage = "unasked"
    elif stage == "unasked":
        stage = "after"
    if stage == "after":
        client.say(data, client.think)
    think = client.think if client.heard else 0.0
    think = {"before": think, "during": think, "after": think + LATE, "unasked": 0.0}[stage]
    if what in SLOW:
        _be_slow(what, client, data, stage)
    elif what is What.NOT_READING:
        client.answer_blindly()
        if stage in {"before", "during"}:
            _say_in_parts(client, data, think, stage)
    elif what in LEAVING:
        if stage == "during":
            client.say(_half(data), think)
            think += PART
        {What.FIN: client.end.close, What.RST: client.end.reset, What.HALF_CLOSE: client.end.finish}[what](think)
        client.habit = keep_silent
    else:
        _say_in_parts(client, _value(what, client, data, stage), think, stage)


def _be_slow(what: What, client: Client, data: bytes, stage: Stage) -> None:
    habit = {What.SILENT: keep_silent, What.LATE: _late, What.DRIP: _drip}[what]
    if stage in {"before", "during"}:
        if stage == "during":
            client.say(_half(data), client.think)
            data = data[len(_half(data)) :]
        habit(client, data)
    client.habit = habit


def _late(client: Client, data: bytes) -> None:
    if data:
        client.say(data, (LIMIT if client.heard else SIGN_UP_LIMIT) + LATE)


def _drip(client: Client, data: bytes) -> None:
    if data:
        for second in range(12):
            client.say(b" ", float(second))
        client.say(data, 12.0)


def _value(what: What, client: Client, data: bytes, stage: Stage) -> bytes:
    """The bytes of a bad value, for the question that is asked, if one is."""
    if what is What.TWICE:
        return data + data if stage in {"before", "during"} else client.answers[-1]
    question: Question = "choose"
    if stage in {"before", "during"}:
        question = "feed" if client.heard and client.heard[-1][1] == "f" else "choose" if client.heard else "sign-up"
    return VALUES[what][question]


def _say_in_parts(client: Client, data: bytes, after: float, stage: Stage) -> None:
    middle = len(data) // 2 if stage == "during" else 0
    if middle:
        client.say(data[:middle], after)
        after += PART
    client.say(data[middle:], after)


def _half(data: bytes) -> bytes:
    """The first part of a value that is not complete without the second."""
    return data[: len(data) // 2] if data[:1] in {b"[", b'"'} else b"["
