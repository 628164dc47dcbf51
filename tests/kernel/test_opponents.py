"""What the sage thinks of the others: they are known by what they leave on the table, alike in Python."""

from collections import Counter
from random import Random
from types import ModuleType

import pytest

from tests.cases import case
from wateringhole.agents import Agent
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.lookahead import GREEDY, NETWORK, SILLY, Lookahead
from wateringhole.agents.opponents import UNKNOWN, OpponentGuess
from wateringhole.agents.playout import asked
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.kernel import native
from wateringhole.learned.agent import CHAMPION, NetworkAgent, network_in
from wateringhole.moves import CardPlay
from wateringhole.value import COMPILED
from wateringhole.view import Choose, request

pytestmark = pytest.mark.skipif(COMPILED, reason="tests/compiled has the kernel that is installed")

WORLDS = 200


@pytest.fixture(autouse=True)
def _kernel(kernel: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "FLAT_GAMES", kernel.FlatGames)
    monkeypatch.setattr(native, "NETWORK_SCORES", kernel.network_scores)


def guesses(others: list[Agent], deal: str, tries: int, turn: int) -> list[Counter[int]]:
    """Who plays for each of these others in how many worlds, as seat 1 sees it at the beginning of this turn."""
    agents = [NetworkAgent(CHAMPION), *others]
    game = new_game([f"seat {seat}" for seat in range(1, len(agents) + 1)], shuffled(deal), watering_hole=9)
    guess = OpponentGuess()
    while seats := pending(game):
        question = request(game, seats[0])
        move = asked(agents[seats[0] - 1], question)
        if seats[0] == 1 and isinstance(question, Choose):
            guess.see(question)
            if game.turn == turn:
                break
            assert isinstance(move, CardPlay)
            look = Lookahead(network_in(CHAMPION), question)
            guess.expect(look, question.worlds(Random(deal)), move, tries)
        answer(game, seats[0], move)
    models = [guess.models(number) for number in range(WORLDS)]
    return [Counter([seated[seat] for seated in models]) for seat in range(1, len(agents))]


def test_the_others_are_known_by_what_they_leave() -> None:
    right = 0
    for deal in range(6):
        with case(deal):
            network, greedy, silly = guesses([NetworkAgent(CHAMPION), Greedy(), Silly()], f"known {deal}", 10, 3)
            assert network[NETWORK] > network[GREEDY]
            assert greedy[GREEDY] > greedy[NETWORK]
            right += (network[NETWORK] > 180) + (greedy[GREEDY] > 180) + (silly[SILLY] > silly[NETWORK])
    assert right > 12, "of 18"


def test_others_of_whom_nothing_is_seen_are_mostly_greedy() -> None:
    for others in guesses([Silly(), Silly()], "nothing", 10, 1):
        assert others == {model: pytest.approx(WORLDS * share, abs=2) for model, share in UNKNOWN.items()}


def test_a_new_game_begins_with_other_opponents() -> None:
    guess = OpponentGuess()
    before = [guess.models(number) for number in range(WORLDS)]
    for deal in ("one", "two"):
        game = new_game(["a", "b", "c"], shuffled(deal))
        question = request(game, 1)
        assert isinstance(question, Choose)
        guess.see(question)
        assert [guess.models(number) for number in range(WORLDS)] == before
        play = Greedy().choose(question)
        guess.expect(Lookahead(network_in(CHAMPION), question), question.worlds(Random(1)), play, 4)
        for seat in (1, 2, 3):
            answer(game, seat, Greedy().card_play(request(game, seat)))  # type: ignore[arg-type]
        while game.phase == "feed":
            (seat,) = pending(game)
            answer(game, seat, Greedy().feed(request(game, seat)))  # type: ignore[arg-type]
        later = request(game, 1)
        assert isinstance(later, Choose)
        guess.see(later)
        assert [guess.models(number) for number in range(WORLDS)] != before


def test_python_guesses_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    found = guesses([Greedy(), Silly()], "alike", 2, 2)
    monkeypatch.setattr(native, "FLAT_GAMES", None)
    monkeypatch.setattr(native, "NETWORK_SCORES", None)
    assert guesses([Greedy(), Silly()], "alike", 2, 2) == found
