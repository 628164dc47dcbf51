"""The dialect `native`: JSON objects with a type, a running number, request ids that answers repeat, the time left, the
legal options, the public story, and a token to come back with.

Laws: a message never shows more than the view it is made from. The messages are in native_messages.py.
"""

import secrets
from collections.abc import Sequence

import msgspec

from wateringhole import rulebook
from wateringhole.agents import Agent
from wateringhole.events import Event
from wateringhole.fault import Asked, Fault, Reason, shown
from wateringhole.move_json import dec_hook, written
from wateringhole.moves import ASKED_BY, Move
from wateringhole.record import Record, Result
from wateringhole.table import tell_over
from wateringhole.view import Choose, Feed, Request, Start
from wateringhole.wire.client_end import ClientEnd
from wateringhole.wire.dialect import Ask, Dialect, Talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.native_messages import (
    VERSION,
    Answer,
    ChooseAsked,
    FeedAsked,
    Out,
    Over,
    Refused,
    ServerMessage,
    Story,
    Turn,
    Welcome,
    card_of,
    me_of,
    over_of,
    own_of,
    question_of,
    request_of,
    server_message_in,
    token_hash,
    value_of,
)


class Native(Dialect):
    """One seat's native conversation; it keeps its messages for a client that comes back."""

    name = "native"
    hears_story = True
    can_return = True

    @classmethod
    def recognises(cls, value: Json, bound: bool) -> bool:
        return False  # its sign-up is an object, which may name any dialect: wire/signup.py

    def __init__(self, token_hashes: tuple[str, ...] = ()) -> None:
        """With hashes, it is the conversation of a client from before a restart: only the client knows its token."""
        self.token = "" if token_hashes else secrets.token_urlsafe(24)
        self.token_hashes = token_hashes or (token_hash(self.token),)
        self._deck_seal = ""
        self._known = 0 if token_hashes else None
        self._seconds: float | None = None
        self._bank: float | None = None
        self.said: list[dict[str, Json]] = []
        self._asked = 0
        self._answered = 0

    def allow(self, seconds: float | None, bank: float | None) -> None:
        self._seconds, self._bank = seconds, bank

    def seal(self, seal: str) -> None:
        self._deck_seal = seal

    def welcome(self, seat: int) -> list[Json]:
        return [self._say(Welcome(VERSION, self.token))]

    def welcome_back(self, since: int, left: float | None = None) -> list[Json]:
        """A new token, and everything after message number `since`; an open request with the time that is left now."""
        self.token = secrets.token_urlsafe(24)
        # The old one, too, in case this one never arrives.
        self.token_hashes = (token_hash(self.token), *self.token_hashes[:1])
        if self._known is not None:
            # Messages after that may differ from those of the earlier server.
            since, self._known = min(since, self._known), None
        missed = self.said[max(1, since) :]  # the first message is the old welcome
        if self._asked > self._answered:
            missed = [value | {"seconds": left} if value.get("id") == self._asked else value for value in missed]
        return [value_of(Welcome(VERSION, self.token, self._answered)), *missed]

    def admits(self, token: str) -> bool:
        """Whether this is the token to come back with."""
        known = self.token_hashes[:1] if self._known is None else self.token_hashes
        return any(secrets.compare_digest(token_hash(token), one) for one in known)

    def start(self, request: Start) -> list[Json]:
        sealed = self._deck_seal if request.turn == 1 else ""
        return [self._say(Turn(request.turn, request.watering_hole, me_of(request.me), sealed))]

    def choose(self, request: Choose) -> Talk:
        return self._ask(request, "choose")

    def feed(self, request: Feed) -> Talk:
        return self._ask(request, "feed")

    def _ask(self, request: Request, during: Asked) -> Talk:
        self._asked += 1
        answer = yield Ask(self._say(question_of(request, self._asked, self._seconds, self._bank)))
        return self._move(answer, during)

    def recall(self, request: Request) -> None:
        """This was asked and answered before the server was restarted."""
        self._asked += 1
        self._answered = self._asked
        self._say(question_of(request, self._asked))

    def recalled(self) -> None:
        """The old messages are complete; what follows is new."""
        if self._known is not None:
            self._known = len(self.said)

    def story(self, events: Sequence[Event]) -> list[Json]:
        return [self._say(Story(tuple(events)))]

    def expelled(self, fault: Fault) -> list[Json]:
        return [self._say(Out(fault.reason, fault.text, fault.rule))]

    def over(self, seat: int, result: Result) -> list[Json]:
        return [self._say(over_of(result))]

    def _say(self, message: ServerMessage) -> dict[str, Json]:
        value = value_of(message)
        value["n"] = len(self.said) + 1
        self.said.append(value)
        return value

    def _move(self, value: Json, during: Asked) -> Move:
        self._answered = self._asked
        try:
            answer = msgspec.convert(value, Answer, dec_hook=dec_hook)
        except msgspec.ValidationError as error:
            raise ShapeError(f"{shown(value)}: {error}", rule=ASKED_BY[during]) from None
        if answer.id != self._asked:
            text = f"it is for request {answer.id}, but request {self._asked} is asked"
            raise ShapeError(text, Reason.UNSOLICITED, rulebook.EXPULSION)
        return answer.answer.value


# From a request to its message and back.


class NativeClient(ClientEnd):
    """Messages have a type; they tell the seats, and why a client is refused or expelled. A client that loses the
    connection may take its seat again; a repeated request gets the same answer.
    """

    greeting = value_of(Welcome(VERSION, token=""))

    def __init__(self, agent: Agent, tagged_growth: bool = False) -> None:
        super().__init__(agent, tagged_growth)
        self.token = ""
        self._refused = ""
        self._heard = 0
        self._answered = 0
        self._last: tuple[int, Request | None, Json] = (0, None, None)

    def sign_up(self, name: str) -> Json:
        return {"wateringhole": VERSION, "name": name}

    def come_back(self) -> Json:
        if not self.token or self._refused or self.scores is not None:
            return None
        return {"wateringhole": VERSION, "token": self.token, "since": self._heard}

    def hear(self, value: Json) -> list[Json]:
        message = server_message_in(value)
        if isinstance(value, dict) and isinstance(number := value.get("n"), int):
            self._heard = number
        match message:
            case Welcome(token=token, answered=answered):
                self.token = token
                self._answered = answered
            case Refused(text):
                self._refused = f"the server refuses: {text}"
            case Out(reason, text):
                self._refused = f"the server expels us ({reason}): we are told that this seat {text}"
            case Turn(_, watering_hole, me):
                return self._start(own_of(me), watering_hole)
            case ChooseAsked() | FeedAsked() as asked:
                if asked.id <= self._answered:
                    return []  # it is only told again
                request = request_of(asked)
                if self._last[:2] != (asked.id, request):
                    self._last = asked.id, request, self._said(asked.id, request)
                return [self._last[2]]
            case Over(ranking, whole):
                cards = tuple(card_of(face) for face in whole.deck)
                replies = tuple((seat, reply.value) for seat, reply in whole.replies)
                tell_over(self._agent, Result(ranking, Record(whole.names, cards, replies)))
                self.scores = tuple((row.seat, row.score) for row in ranking if row.score is not None)
        return []

    @property
    def missing(self) -> str:
        if self.scores is not None:
            return ""
        return self._refused or "the server closed the connection before it told the scores"

    def _said(self, number: int, request: Request) -> Json:
        return {"id": number, "answer": written(self._move(request))}
