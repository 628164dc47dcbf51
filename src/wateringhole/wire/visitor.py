"""The client's end of every dialect: an agent of this process answers the messages of a server.

Laws: no sockets, no clock, strict reading. A message becomes a view of what it tells. Hands and deck that it does not
tell are guessed (`wire.unseen`); a watering hole that it does not tell is 0. Only `native` tells everybody's seat;
elsewhere the others are numbered on from our own, as they sit after us.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

import msgspec

from wateringhole.agents import Agent
from wateringhole.fault import Fault, Reason, shown
from wateringhole.forms import reply_of, written
from wateringhole.moves import Attack, CardPlay, Move
from wateringhole.player import Other
from wateringhole.record import Record, Result
from wateringhole.rules.cardplay import cards_used
from wateringhole.table import ask, said, tell, tell_over
from wateringhole.view import Choose, Feed, Own, Request, Start
from wateringhole.wire.framing import Json
from wateringhole.wire.hello import GAME_FULL
from wateringhole.wire.json_codec import (
    ShapeError,
    action4_out,
    boards_in,
    card_in,
    each,
    feeding_out,
    items,
    natural,
    player_in,
)
from wateringhole.wire.native import (
    VERSION,
    ChooseAsked,
    FeedAsked,
    Out,
    Over,
    Refused,
    Turn,
    Welcome,
    card_of,
    own_of,
    request_of,
    server_message_in,
    value_of,
)
from wateringhole.wire.requests import FIRST_QUESTION, LAST_QUESTION, score_in
from wateringhole.wire.respondent import RespondentAgent, chooses_food, question_in, respond
from wateringhole.wire.unseen import Boards, Unseen


class AgentError(Exception):
    """The agent has no answer that could be sent; the text fits behind its name."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Visitor:
    """An agent at somebody else's table: what it says to sign up, and what it answers to each message.

    A message that the dialect does not know raises ShapeError. An agent's `over` wants all that only native tells.
    """

    greeting: ClassVar[Json] = "ok"
    numbered: ClassVar[bool] = True  # players are told their ids
    dealer_first: ClassVar[bool] = False  # the dialect's document knows no sign-up: the dealer speaks first

    def __init__(self, agent: Agent, tagged_growth: bool = False) -> None:
        self.turns = 0
        self.seat = 0
        self.scores: tuple[tuple[int, int], ...] | None = None
        self._agent = agent
        self._tagged_growth = tagged_growth
        self._greeted = False
        self._full = False
        self._started: Start | None = None
        self._unseen = Unseen()

    def sign_up(self, name: str) -> Json:
        """What to send first."""
        return name

    def come_back(self) -> Json:
        """What to send first after a lost line; None if the seat is lost with it."""
        return None

    def hear(self, value: Json) -> list[Json]:
        """What to send in answer to this message: one value, or none. A list, because `false` and `0` are answers."""
        if self._full or self.scores is not None:
            raise ShapeError(f"a message is {shown(value)}, although nothing can follow")
        unannounced = self.dealer_first and isinstance(value, list)
        if self._greeted or unannounced:
            self._greeted = True
            return self._answers(value)
        if value != self.greeting:
            raise ShapeError(f"the sign-up is answered with {shown(value)}, not with {shown(self.greeting)}")
        self._greeted = True
        return []

    @property
    def missing(self) -> str:
        """What a server that closes now has left out; nothing, if the game can have come to its end."""
        if self._full:
            return "the game is full"
        if not self.turns:
            return "the server closed the connection before the first turn"
        return "the server closed the connection in turn 1, too early for the end of a game" if self.turns == 1 else ""

    @property
    def place(self) -> int | None:
        """Our own place among the scores."""
        return next((at for at, (seat, _) in enumerate(self.scores or ()) if seat == self.seat), None)

    def _answers(self, value: Json) -> list[Json]:
        """What to send in answer to a message of the game."""
        raise NotImplementedError

    # What the dialects have in common, once a message is read.

    def _start(self, me: Own, watering_hole: int = 0) -> list[Json]:
        """A turn begins: nothing is to be sent."""
        self.turns += 1
        self.seat = me.seat if self.numbered else 0
        self._started = Start(me, watering_hole, self.turns)
        fault = tell(self._agent, self._started)
        if fault is not None:
            raise AgentError(fault)
        return []

    def _at_start(self) -> Own:
        """Our own state as the turn began, for a dialect that does not tell it again."""
        if self._started is None:
            raise ShapeError("choose comes before the first start")
        return self._started.me

    def _choose(self, me: Own, before: Json, after: Json) -> Json:
        """The agent's card play. One server has ourselves among those after us: this is no place to count players."""
        later, earlier = _rows(after), _rows(before)
        self._unseen.choosing(len(me.hand), [*later, *earlier])
        others = self._others(me, [*later, *earlier])
        watering_hole = self._started.watering_hole if self._started else 0
        deck = self._unseen.deck.guess
        move = self._move(
            Choose(me, watering_hole, others[len(later) :], others[: len(later)], self.turns, deck),
        )
        if isinstance(move, CardPlay):
            self._unseen.played(len(cards_used(move)))
        return _move_out(move, me.seat, self._tagged_growth)

    def _feed(
        self, me: Own, watering_hole: Json, rows: Sequence[Boards], hands: Sequence[int] = (), deck: int = 0
    ) -> Json:
        """The agent's feeding, with the others' hands and the deck as far as they are told."""
        self._unseen.feeding(len(me.hand), rows)
        if any(hands) or deck:
            self._unseen.told(hands, deck)
        hole = natural(watering_hole, "the watering hole")
        move = self._move(Feed(me, hole, self._others(me, rows), self.turns, self._unseen.deck.guess))
        return _move_out(move, me.seat, self._tagged_growth)

    def _others(self, me: Own, rows: Sequence[Boards]) -> tuple[Other, ...]:
        """The others with these boards, as they were last shown, numbered on from our own seat."""
        seen = enumerate(zip(rows, self._unseen.hands, strict=True), me.seat + 1)
        return tuple([Other(seat, boards, hand.guess) for seat, (boards, hand) in seen])

    def _move(self, request: Request) -> Move:
        """What the agent answers. Whether it is legal is for the server to say, so all that can be said is."""
        move = ask(self._agent, request)
        if isinstance(move, Fault):
            raise AgentError(move)
        return move


class S16Visitor(Visitor):
    """Messages are arrays, told apart by their length. Our seat is not told: agents see 1."""

    numbered = False

    def _answers(self, value: Json) -> list[Json]:
        match items(value, "a message"):
            case [watering_hole, bag, boards, hand]:
                return self._start(_own(bag, boards, hand), natural(watering_hole, "the watering hole"))
            case [before, after]:
                return [self._choose(self._at_start(), before, after)]
            case [bag, boards, hand, watering_hole, others]:
                return [self._feed(_own(bag, boards, hand), watering_hole, _rows(others))]
            case parts:
                known = "4 (start), 2 (choose) or 5 (feed)"
                raise ShapeError(f"a message has {len(parts)} items, not {known}: {shown(value)}")


class HelloVisitor(Visitor):
    """Messages begin with their name; the scores at the end do not."""

    greeting = "ack"

    def sign_up(self, name: str) -> Json:  # nobody has a name here
        return "Hello"

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
                return self._start(_player(player))
            case ["choose", situation]:
                before, after = items(situation, "the situation", 2, 2)
                return [self._choose(self._at_start(), before, after)]
            case ["feed", watering_hole, others, player]:
                return [self._feed(_player(player), watering_hole, _rows(others))]
            case [str(), *_]:
                raise ShapeError(f"a message is {shown(value)}, not a start, choose or feed, nor the scores")
            case rows:
                self.scores = tuple([_score(row) for row in rows])
                return []


class TaggedVisitor(Visitor):
    """Messages and answers are tagged, and so is growth, wanted or not."""

    dealer_first = True

    def __init__(self, agent: Agent, tagged_growth: bool = True) -> None:
        super().__init__(agent, tagged_growth=True)

    def _answers(self, value: Json) -> list[Json]:
        match items(value, "a message"):
            case ["start-round", player]:
                return self._start(_player(player))
            case ["choce-actions", choice]:  # spelt like this in the dialect's document
                player, before, after = items(choice, "the choice", 3, 3)
                return [["play", self._choose(_player(player), before, after)]]
            case ["pick-feeding", configuration]:
                players, watering_hole, deck = items(configuration, "the configuration", 3, 3)
                me, *rest = [_player(player) for player in items(players, "the players", 1)]
                cards = len(each(deck, "the deck", card_in))
                boards, hands = [own.species for own in rest], [len(own.hand) for own in rest]
                return [["feeding", self._feed(me, watering_hole, boards, hands, cards)]]
        raise ShapeError(f"a message is {shown(value)}, not a start-round, choce-actions or pick-feeding")


class NativeVisitor(Visitor):
    """Messages say what they are; seats are told, and so is why one is refused or expelled. Whoever loses the line may
    take the seat again; a request that is put again gets the same answer.
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
                replies = tuple((seat, reply_of(form)) for seat, form in whole.replies)
                tell_over(self._agent, Result(ranking, Record(whole.names, cards, replies)))
                self.scores = tuple((row.seat, row.score) for row in ranking if row.score is not None)
        return []

    @property
    def missing(self) -> str:
        if self.scores is not None:
            return ""
        return self._refused or "the server closed the connection before it told the scores"

    def _said(self, number: int, request: Request) -> Json:
        return {"id": number, "answer": msgspec.to_builtins(written(self._move(request)))}


class RequestsVisitor(Visitor):
    """Eleven small questions, which only an agent that decides by them can answer: its food and fat are not told.

    A turn begins with the first of them. At the end the players are told by rank, without ids.
    """

    dealer_first = True

    def __init__(self, agent: Agent, tagged_growth: bool = False) -> None:
        super().__init__(agent, tagged_growth)
        if not isinstance(agent, RespondentAgent):
            raise TypeError(f"{type(agent).__name__} does not answer the questions of this dialect")
        self._respondent = agent.respondent
        self._place: int | None = None

    @property
    def missing(self) -> str:
        return "" if self.scores is not None else "the server closed the connection before the game was over"

    @property
    def place(self) -> int | None:
        return self._place

    def _answers(self, value: Json) -> list[Json]:
        question, arguments = question_in(value, chooses_food(self._respondent))
        if question == FIRST_QUESTION:
            self.turns += 1
        if question == LAST_QUESTION:
            self.scores = tuple([(0, score) for score in each(arguments["players"], "players", score_in)])
            self._place = natural(arguments["me"], "me", len(self.scores) - 1)
        try:
            answer = respond(self._respondent, value)
        except KeyboardInterrupt:
            raise
        except ShapeError as error:
            raise AgentError(Fault(Reason.SHAPE, f"answers badly: {error}")) from None
        except BaseException as error:
            if question == LAST_QUESTION:
                return []  # too late for a fault: the game is over
            raise AgentError(Fault(Reason.EXCEPTION, f"raised in {question}: {said(error):.200}")) from None
        return [] if answer is None else [answer]


VISITORS: Final[dict[str, type[Visitor]]] = {
    "s16": S16Visitor,
    "hello": HelloVisitor,
    "tagged": TaggedVisitor,
    "native": NativeVisitor,
    "requests": RequestsVisitor,
}


def _own(bag: Json, boards: Json, hand: Json) -> Own:
    return Own(1, boards_in(boards), tuple(each(hand, "cards", card_in)), natural(bag, "bag"))


def _player(value: Json) -> Own:
    """A player with its id for a seat."""
    number, player = player_in(value, 0)
    return Own(number, tuple(player.species), player.hand, player.bag)


def _rows(value: Json) -> list[Boards]:
    """The boards of each of the other players."""
    return each(value, "the other players", boards_in)


def _score(value: Json) -> tuple[int, int]:
    number, score = items(value, "a score", 2, 2)
    return natural(number, "id", least=1), natural(score, "score")


def _move_out(move: Move, seat: int, tagged_growth: bool) -> Json:
    """A move from this seat, also one of the wrong kind; whom it attacks is said by the place among the others."""
    match move:
        case CardPlay():
            return action4_out(move, tagged_growth)
        case Attack(board, attacked, target):
            return [board, attacked - seat - 1, target]
        case _:
            return feeding_out(move, ())
