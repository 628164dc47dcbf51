"""Servers that know no sign-up, because the documents of tagged and requests have none: the dealer speaks first."""

import json
from collections.abc import Callable, Sequence
from itertools import product
from typing import cast

from tests.cases import case
from tests.scenario import board
from tests.server.strangers import HERE, Stranger, run, stranger
from tests.wire.requesting import HAND
from wateringhole.agents import Agent
from wateringhole.agents.silly import Silly
from wateringhole.server.client import Ending, connect
from wateringhole.view import Choose, Own
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import action4_out, boards_out, cards_out
from wateringhole.wire.respondent import Respondent, RespondentAgent, Values

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
    """Answers the first question as it is told to; raises at the end."""

    def __init__(self, answer: Callable[[Values], Values]) -> None:
        self.answer = answer

    def trade_cards_for_boards(self, cards: Values, *_: object, **__: object) -> Values:
        return self.answer(cards)

    def game_over(self, players: Values, me: int) -> None:
        raise ValueError(players, me)


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
            agent = RespondentAgent(Told(second)) if dialect == "requests" else Silly()
            due: list[Json] = [answer] if name is None else [name, answer]
            ending, heard = visit(agent, dialect, name, messages, len(due), greeting)
            assert heard == due
            assert (ending.turns, ending.thrown_out) == (1, True)


# Respondents that misbehave, and the end of a game.


def asked(message: Json, answer: Callable[[Values], Values] = second) -> Ending:
    """How the visit of a respondent ends that is asked only this."""
    return visit(RespondentAgent(Told(answer)), "requests", None, [message])[0]


FAILURES: list[tuple[Callable[[Values], Values], str]] = [
    (lambda _: [1 // 0], "the agent raised in trade_cards_for_boards: ZeroDivisionError: "),
    (lambda _: [cast(Json, {1, 2})], "the agent raised in trade_cards_for_boards: TypeError: "),
    (lambda _: cast(Values, None), "the agent answers badly: trade_cards_for_boards has no answer"),
]


def test_what_a_respondent_does_wrong_is_told_as_the_agents_doing() -> None:
    for answer, says in FAILURES:
        with case(says):
            ending = asked(QUESTION, answer)
            assert ending.failure.startswith(says)
            assert not ending.thrown_out


def test_the_scores_of_requests_are_counted_from_the_players_at_the_end() -> None:
    # The traits' tokens may be told or not.
    winner: Json = [[[[[0, "Horns"], [3, "Ambush"]], 2, 4], [[], 0, 1]], [], 5]
    loser: Json = [[], CARDS, 9]
    ending = asked(["game_over", {"players": [winner, loser], "me": 1}])
    assert (ending.failure, ending.scores, ending.place, ending.seat) == ("", ((0, 12), (0, 9)), 1, 0)
    rows: list[tuple[Json, int, str]] = [
        ([winner, loser], 2, "me is 2"),
        ([winner, [[], []]], 0, "a Player has 2 items"),
        ([[[[[], 0]], [], 0]], 0, "a Species has 2 items"),
        ([[[], [], -1]], 0, "FoodBag is -1"),
    ]
    for players, me, says in rows:
        with case(players, me):
            assert says in asked(["game_over", {"players": players, "me": me}]).failure
