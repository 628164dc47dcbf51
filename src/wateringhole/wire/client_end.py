"""What the client's ends of all dialects share: an agent of this process answers the messages of a server.

Laws: no sockets, no clock, strict reading. A message becomes a view of what it tells. Hands and deck that it does not
tell are guessed (`wire.unseen`); a watering hole that it does not tell is 0. Only `native` tells the seats of the
other players; elsewhere they are numbered on from our own, in turn order.
"""

from collections.abc import Sequence
from typing import ClassVar

from wateringhole.agents import Agent
from wateringhole.fault import Fault, shown
from wateringhole.moves import Attack, CardPlay, Move
from wateringhole.player import Other
from wateringhole.rules.cardplay import cards_used
from wateringhole.table import ask, tell
from wateringhole.view import Choose, Feed, Own, Request, Start
from wateringhole.wire.framing import Json
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
from wateringhole.wire.unseen import Boards, Unseen


class AgentError(Exception):
    """The agent gave no answer that can be sent; the text fits behind its name."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class ClientEnd:
    """An agent at the table of another server: what it says to sign up, and what it answers to each message.

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
        """What to send first after a lost connection; None if the seat is lost with it."""
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
        """What is missing if the server closes the connection now; empty if the game can be over."""
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

    # Shared by the dialects, once a message is read.

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
        """The agent's card play. Players are not counted here: one known server lists us among the players after us."""
        later, earlier = rows_in(after), rows_in(before)
        self._unseen.choosing(len(me.hand), [*later, *earlier])
        others = self._others(me, [*later, *earlier])
        watering_hole = self._started.watering_hole if self._started else 0
        deck = self._unseen.deck.guess
        move = self._move(
            Choose(me, watering_hole, others[len(later) :], others[: len(later)], self.turns, deck),
        )
        if isinstance(move, CardPlay):
            self._unseen.played(len(cards_used(move)))
        return move_out(move, me.seat, self._tagged_growth)

    def _feed(
        self, me: Own, watering_hole: Json, rows: Sequence[Boards], hands: Sequence[int] = (), deck: int = 0
    ) -> Json:
        """The agent's feeding, with the others' hands and the deck as far as they are told."""
        self._unseen.feeding(len(me.hand), rows)
        if any(hands) or deck:
            self._unseen.told(hands, deck)
        hole = natural(watering_hole, "the watering hole")
        move = self._move(Feed(me, hole, self._others(me, rows), self.turns, self._unseen.deck.guess))
        return move_out(move, me.seat, self._tagged_growth)

    def _others(self, me: Own, rows: Sequence[Boards]) -> tuple[Other, ...]:
        """The others with these boards, as they were last shown, numbered on from our own seat."""
        seen = enumerate(zip(rows, self._unseen.hands, strict=True), me.seat + 1)
        return tuple([Other(seat, boards, hand.guess) for seat, (boards, hand) in seen])

    def _move(self, request: Request) -> Move:
        """The agent's answer. The server judges whether it is legal, so every answer that can be written is sent."""
        move = ask(self._agent, request)
        if isinstance(move, Fault):
            raise AgentError(move)
        return move


def own_in(bag: Json, boards: Json, hand: Json) -> Own:
    return Own(1, boards_in(boards), tuple(each(hand, "cards", card_in)), natural(bag, "bag"))


def player_of(value: Json) -> Own:
    """A player with its id for a seat."""
    number, player = player_in(value, 0)
    return Own(number, tuple(player.species), player.hand, player.bag)


def rows_in(value: Json) -> list[Boards]:
    """The boards of each of the other players."""
    return each(value, "the other players", boards_in)


def score_row_in(value: Json) -> tuple[int, int]:
    number, score = items(value, "a score", 2, 2)
    return natural(number, "id", least=1), natural(score, "score")


def move_out(move: Move, seat: int, tagged_growth: bool) -> Json:
    """A move from this seat, also one of the wrong kind; an attacked player becomes its place among the others."""
    match move:
        case CardPlay():
            return action4_out(move, tagged_growth)
        case Attack(board, attacked, target):
            return [board, attacked - seat - 1, target]
        case _:
            return feeding_out(move, ())
