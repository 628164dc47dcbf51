"""The sage in the kernel: always legal, alike in Python, blind to what is hidden, and stronger than greedy."""

from itertools import product
from types import ModuleType

import pytest

from tests.agents.test_bots import positions, reshuffled
from tests.cases import case
from tests.kernel.recording import decided
from wateringhole.agents import Agent
from wateringhole.agents.bad import Bad
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.house import HOUSE, named
from wateringhole.agents.sage import BagCount, Sage
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.kernel import native
from wateringhole.table import play
from wateringhole.value import COMPILED
from wateringhole.view import Choose, request

pytestmark = pytest.mark.skipif(COMPILED, reason="tests/compiled has the kernel that is installed")


@pytest.fixture(autouse=True)
def _kernel(kernel: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "FLAT_GAMES", kernel.FlatGames)
    monkeypatch.setattr(native, "NETWORK_SCORES", kernel.network_scores)


def test_the_sage_is_never_expelled_and_plays_the_same_game_again() -> None:
    assert HOUSE["hard"] is HOUSE["sage"]
    for players in range(3, 9):
        with case(players):
            results = [
                play([Sage(seat, iterations=6) for seat in range(players)], shuffled(players), watering_hole=9)
                for _ in range(2)
            ]
            assert [row.fault for row in results[0].ranking] == [None] * players
            assert results[0].record == results[1].record


def test_the_sage_decides_alike_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = 0
    for at, (game, seat) in enumerate(positions(1)):
        sages = Sage(at, iterations=12), Sage(at, iterations=12)
        moves = [decided(game, seat, sages[0])]
        if not sages[0].why.startswith("is worth") or at % 4:
            continue
        with monkeypatch.context() as patch, case(at):
            patch.setattr(native, "FLAT_GAMES", None)
            patch.setattr(native, "NETWORK_SCORES", None)
            moves.append(decided(game, seat, sages[1]))
            assert moves[0] == moves[1]
            assert sages[0].why == sages[1].why
        searched += 1
    assert searched > 2


def test_what_the_sage_does_depends_on_nothing_that_is_hidden_from_it() -> None:
    tried = 0
    for seed in range(2):
        for game, seat in positions(seed):
            if game.phase == "choose" and game.plays:
                continue  # what others have planned is hidden, too, but it would not fit other hands
            tried += 1
            with case(seed, seat, game.turn):
                twins = (game, *(reshuffled(game, seat, twin) for twin in range(2)))
                moves = [decided(twin, seat, Sage("7", iterations=24)) for twin in twins]
                assert moves == [moves[0]] * 3
    assert tried > 20


def test_the_sage_counts_the_bags_of_the_others() -> None:
    """But for a board that a player without any is handed: it may be one that has survived with one animal."""
    compared = 0
    for deal in range(6):
        game = new_game(["a", "b", "c", "d"], shuffled(f"bags {deal}"), watering_hole=10)
        count = BagCount()
        while seats := pending(game):
            question = request(game, seats[0])
            if seats[0] == 2 and isinstance(question, Choose):
                count.begin(question)
                if game.turn > 1:
                    truth = {player.seat: player.bag for player in game.row if player.seat != 2}
                    with case(deal, game.turn):
                        assert all(0 <= truth[seat] - count.bags[seat] < game.turn for seat in truth)
                    compared += sum([truth[seat] == count.bags[seat] > 0 for seat in truth])
            answer(game, seats[0], decided(game, seats[0], Greedy()))
    assert compared > 20


def test_a_new_game_begins_with_nothing_in_the_bags() -> None:
    count = BagCount()
    for deal in range(2):
        game = new_game(["a", "b", "c", "d"], shuffled(f"bags {deal}"), watering_hole=10)
        while seats := pending(game):
            question = request(game, seats[0])
            if seats[0] == 2 and isinstance(question, Choose):
                count.begin(question)
                with case(deal, game.turn):
                    assert game.turn > 1 or not any(count.bags.values())
            answer(game, seats[0], decided(game, seats[0], Greedy()))
        assert any(count.bags.values())


def test_the_sage_plays_on_when_it_is_left_alone() -> None:
    agents: list[Agent] = [Sage(1, iterations=25), Bad("raises-in-start"), Bad("raises-in-choose")]
    assert [row.fault is None for row in play(agents, shuffled("alone")).ranking] == [True, False, False]


def test_the_sage_plays_game_after_game_with_all_the_cards() -> None:
    """If it took those of earlier games for played, none would be left for the others after four or five."""
    sage = Sage(1, iterations=6)
    for deal in range(6):
        with case(deal):
            assert all(row.fault is None for row in play([sage, Silly(), Silly()], shuffled(f"again {deal}")).ranking)


def test_the_sage_beats_three_greedy_more_often_than_equals_would() -> None:
    won = 0.0
    for deal, seat in product(range(6), range(4)):
        agents: list[Agent] = [Greedy() for _ in range(3)]
        agents.insert(seat, named("sage", f"{deal}", {"iterations": "30"}))
        first = [row.seat for row in play(agents, shuffled(f"sage {deal}")).ranking if row.rank == 1]
        won += (seat + 1 in first) / len(first)
    assert won > 14, "of 24 games; 6 is equal"
