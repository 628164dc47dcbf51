"""Servers that know no sign-up, because the documents of tagged and requests have none: the dealer speaks first."""

import json
from collections.abc import Callable, Sequence
from itertools import product

from tests.cases import case
from tests.scenario import board
from tests.server.strangers import HERE, Stranger, run, stranger
from tests.wire.requesting import HAND
from wateringhole.agents import Agent
from wateringhole.agents.silly import Silly
from wateringhole.server.client import Ending, connect
from wateringhole.view import Choose, Own
from wateringhole.wire.respondent import Asked, Respondent, Values
from wateringhole.wire.shapes import action4_out, boards_out, cards_out
from wateringhole.wire.stream import Json

BOARDS = (board(), board())
PLAYER: Json = [["id", 1], ["species", boards_out(BOARDS)], ["bag", 0], ["cards", cards_out(HAND)]]
PLAY = action4_out(Silly().choose(Choose(Own(1, BOARDS, HAND, 0), 0, (), ())), True)
CARDS: list[Json] = [[3, "Horns"], [-2, "Ambush"]]
QUESTION: Json = [
    "trade_cards_for_boards",
    {"cards": CARDS, "boards": [], "player": [[], [], 0], "opponents": []},
]
FIRST: dict[str, tuple[list[Json], Json]] = {
    "tagged": ([["start-round", PLAYER], ["choce-actions", [PLAYER, [], []]]], ["play", PLAY]),
    "requests": ([QUESTION], CARDS[1:]),
}
"""What a dealer says first, and the answer."""


class Told(Respondent):
    """Answers the first question as it is told to."""

    def __init__(self, answer: Callable[[Values], Values]) -> None:
        self.answer = answer

    def trade_cards_for_boards(self, cards: Values, *_: object, **__: object) -> Values:
        return self.answer(cards)


def second(cards: Values) -> Values:
    return cards[1:2]


def visit(
    agent: Agent, dialect: str, name: str | None, messages: Sequence[Json], lines: int = 0, greeting: bytes = b""
) -> tuple[Ending, list[Json]]:
    """How a visit ends at a server that says this at once, and so many values that it heard before it closed."""
    heard: list[Json] = []

    def script(server: Stranger) -> None:
        server.send(greeting + b"".join(json.dumps(message).encode() for message in messages))
        heard.extend([json.loads(server.line()) for _ in range(lines)])

    with stranger(script) as port:
        ending = run(connect(agent, HERE, port, dialect, name))
    return ending, heard


def test_a_dealer_that_speaks_first_is_understood_with_and_without_a_name() -> None:
    for dialect, name, greeting in product(FIRST, ("Ada", None), (b"", b'"ok"')):
        with case(dialect, name, greeting):
            messages, answer = FIRST[dialect]
            agent = Asked(Told(second)) if dialect == "requests" else Silly()
            due: list[Json] = [answer] if name is None else [name, answer]
            ending, heard = visit(agent, dialect, name, messages, len(due), greeting)
            assert heard == due
            assert ending.turns == (1 if dialect == "tagged" else 0)
