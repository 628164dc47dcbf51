"""The client's end of the dialect `requests`: an object whose eleven methods answer its questions.

Laws: a respondent sees exactly what a remote one sees, plain JSON values that are its own to change. Only the names of
the questions are ever called.
"""

# The default answers do not use their arguments, but a subclass may.

import json
from typing import TypeAlias

from wateringhole.agents import Agent
from wateringhole.fault import Fault, Reason, shown
from wateringhole.moves import CardPlay, Feeding, Reply
from wateringhole.record import Result
from wateringhole.table import said
from wateringhole.view import Choose, Feed, Request
from wateringhole.wire.client_end import AgentError, ClientEnd
from wateringhole.wire.dialect import hold, talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError, each, items, natural
from wateringhole.wire.requests import ARGUMENTS, FIRST_QUESTION, FOOD_CARD, LAST_QUESTION, OPTIONAL, Requests, score_in

Values: TypeAlias = list[Json]
"""A list, player or board as JSON; the readers in wire.requests make typed values of what is in it."""


class Respondent:
    """To play, override the methods that matter to you; the defaults buy nothing and feed no board.

    `player` and `boards` are as the answers so far leave them, `cards` what is left to choose from; a card that was
    named once is gone, unless no board can take it. The lowest card that is left in the end goes to the watering hole;
    a class that has a method `select_food_card(cards, boards, player, opponents)` returns the card that goes instead.
    """

    def trade_cards_for_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        """Cards that pay for a new board each."""
        return []

    def place_cards_on_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        """Cards to become traits; the new boards are behind the old ones."""
        return []

    def select_board_for_card(self, card: Values, boards: Values, player: Values, opponents: Values) -> int:
        """Which of these boards, all that can take it, this card goes to: the last one, which is the newest."""
        return len(boards) - 1

    def select_species_discarded_cards(
        self, old_cards: Values, new_cards: Values, board: Values, player: Values, opponents: Values
    ) -> list[int]:
        """As many different slots as there are new cards: the traits that these replace, in this order."""
        return list(range(len(new_cards)))

    def trade_cards_for_body_size(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        """Cards that buy one more body size each."""
        return []

    def select_board_to_give_body_size(self, boards: Values, player: Values, opponents: Values) -> int:
        """Which of these boards, all that can grow, does."""
        return 0

    def trade_cards_for_population(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        """Cards that buy one more animal each."""
        return []

    def select_board_to_give_population(self, boards: Values, player: Values, opponents: Values) -> int:
        """Which of these boards, all that can grow, does."""
        return 0

    def select_species_order(self, boards: Values, player: Values, opponents: Values) -> list[int]:
        """Different boards, the first that can feed feeds now; none to feed no more in this turn."""
        return []

    def select_attack(self, board: Values, player: Values, opponents: Values) -> list[int]:
        """The opponent and its board that this carnivore attacks; there is at least one that it may attack."""
        return [0, 0]

    def game_over(self, players: Values, me: int) -> None:
        """The players by rank, and the place of this one among them."""


def question_in(value: Json, food_card: bool = False) -> tuple[str, dict[str, Json]]:
    """The question that a message is, and its arguments by name; with `food_card` the optional one is known, too."""
    known = ARGUMENTS | OPTIONAL if food_card else ARGUMENTS
    question, arguments = items(value, "a request", 2, 2)
    if not isinstance(question, str) or question not in known:
        raise ShapeError(f"{shown(question)} is not one of the {len(known)} requests")
    if not isinstance(arguments, dict) or arguments.keys() != set(known[question]):
        raise ShapeError(f"{question} comes with {shown(arguments)}, not with {', '.join(known[question])}")
    return question, arguments


def respond(respondent: Respondent, value: Json) -> Json | None:
    """This object's answer to a message of the dealer; None, and nothing to send, after the last message."""
    question, arguments = question_in(value, chooses_food(respondent))
    answer = getattr(respondent, question)(**arguments)
    if question == LAST_QUESTION:
        return None
    if answer is None:
        raise ShapeError(f"{question} has no answer; a list or a number is due")
    # As it would arrive at the far end of a wire: a tuple is an array there.
    plain: Json = json.loads(json.dumps(answer))
    return plain


def chooses_food(respondent: Respondent) -> bool:
    """Whether this object has the method for the optional question."""
    return callable(getattr(respondent, FOOD_CARD, None))


class RespondentAgent:
    """The agent that decides by asking a respondent in this process."""

    def __init__(self, respondent: Respondent) -> None:
        self.respondent = respondent
        self._dialect = Requests(food_card=chooses_food(respondent))
        self._seat: int | None = None

    def choose(self, request: Choose) -> CardPlay | Fault:
        reply = self._reply(request)
        assert isinstance(reply, CardPlay | Fault)
        return reply

    def feed(self, request: Feed) -> Feeding | Fault:
        reply = self._reply(request)
        assert not isinstance(reply, CardPlay)
        return reply

    def over(self, result: Result) -> None:
        """Tell the respondent how the game ended, unless it was never asked."""
        if self._seat is not None:
            for message in self._dialect.over(self._seat, result):
                respond(self.respondent, message)

    def _reply(self, request: Request) -> Reply:
        self._seat = request.me.seat
        return hold(talk(self._dialect, request), request, lambda ask: respond(self.respondent, ask.value))


class RequestsClient(ClientEnd):
    """Eleven small questions, which only an agent that decides by them can answer: its food and fat are not told.

    A turn begins with the first of them. At the end the players are told by rank, without ids.
    """

    dealer_first = Requests.dealer_first

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
