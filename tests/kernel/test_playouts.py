"""`simulate`, `play_out` and the sage play the same games with the kernel as without it."""

import copy
import shutil
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from tests.cases import case
from tests.documents.test_recipes import changed_by, run_in
from tests.kernel.recording import decided, rare_game
from wateringhole import DECK, Agent, Fault, Rash, Reason, Silly, answer, new_game, pending, play_out, shuffled
from wateringhole.agents.greedy import Greedy, Taste
from wateringhole.agents.playout import play_by_rules, playouts, scores_by_seat, simulate
from wateringhole.agents.playout_sage import PlayoutSage
from wateringhole.agents.styles import Hunter, Shepherd
from wateringhole.cards import Card
from wateringhole.kernel import native
from wateringhole.kernel.playouts import KernelPlayouts, packed_move
from wateringhole.kernel.positions import position, restore
from wateringhole.packed import packed_deck
from wateringhole.traits import Trait
from wateringhole.value import COMPILED

pytestmark = pytest.mark.skipif(COMPILED, reason="tests/compiled has the kernel that is installed")


@pytest.fixture
def given(kernel: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kernel of this source tree is used; this list tells for what."""
    used: list[str] = []
    for name in ("play", "play_out", "after"):
        monkeypatch.setattr(KernelPlayouts, name, _noted(used, name))
    monkeypatch.setattr(native, "FLAT_GAMES", kernel.FlatGames)
    return used


def _noted(used: list[str], name: str) -> object:
    method = getattr(KernelPlayouts, name)

    def noted(self: KernelPlayouts, *arguments: object) -> object:
        result = method(self, *arguments)
        used.append(name if result is not None and result is not False else f"{name} refused")
        return result

    return noted


def bots(number: int) -> list[Agent]:
    """Of all kinds that the kernel knows; two of them share one generator."""
    rash = Rash(number)
    kinds: list[Agent] = [rash, Silly(), Greedy(), rash, Hunter(), Shepherd(), Rash(f"{number} more"), Silly()]
    return kinds[:: 1 if number % 2 else -1][: 3 + number % 6]


def by_rules(decks: Sequence[Sequence[Card]], agents: list[Agent], hole: int) -> list[tuple[int, ...]]:
    found = []
    for deck in decks:
        game = new_game([f"seat {seat}" for seat in range(1, len(agents) + 1)], deck, hole)
        play_by_rules(game, agents)
        found.append(scores_by_seat(game))
    return found


def test_simulate_gives_the_scores_of_the_rules_and_leaves_the_dice_as_they_would(given: list[str]) -> None:
    for number, hole in product(range(6), (0, 100)):
        with case(number, hole):
            decks = [shuffled(f"{number} {deck}") for deck in range(10)]
            ours, theirs = bots(number), bots(number)
            scores = by_rules(decks, theirs, hole)
            assert simulate(decks[:5], ours, hole) == scores[:5]
            assert simulate([bytes(packed_deck(deck)) for deck in decks[5:]], ours, hole) == scores[5:]
    assert set(given) == {"play"}


def test_what_the_kernel_does_not_know_python_plays_or_refuses(given: list[str]) -> None:
    class Own(Silly):
        pass

    class Boundless(Greedy):
        def __init__(self) -> None:
            super().__init__(Taste({Trait.HORNS: float("inf")}))

    assert simulate([shuffled(3)], [Own(), Silly(), Silly()], 9) == simulate([shuffled(3)], [Silly()] * 3, 9)
    assert playouts([Boundless()] * 3) is None
    given.clear()
    decks = [shuffled(1), list(shuffled(2)), shuffled(3)]
    expected = by_rules([shuffled(number) for number in (1, 2, 3)], bots(1), 2**40)
    assert simulate(decks, bots(1), 2**40) == expected
    assert given == ["play refused"] * 3
    for deck, agents, hole, said in (
        (DECK[:9] + DECK[:1], 3, 0, "holds a card twice"),
        (bytes(range(200)), 3, 0, "a card in the deck is 122, not one of the 122"),
        (DECK, 2, 0, "2 players"),
        (DECK, 3, -1, "starts with -1"),
    ):
        with pytest.raises(ValueError, match=said):
            simulate([deck], [Silly()] * agents, hole)


def test_a_game_goes_through_the_kernel_and_back_at_any_moment(given: list[str]) -> None:
    for number in range(24):
        with case(number):
            random = Random(number)
            game = rare_game(random, 3 + number % 6, 30)
            agents = bots(number)[: len(game.names)] + [Silly()] * (len(game.names) - len(bots(number)))
            for _ in range(random.randrange(20)):
                if seats := pending(game):
                    answer(game, seats[0], decided(game, seats[0], Silly()))
            twin = game.clone()
            restore(twin, position(game))
            assert twin == game
            theirs, their_agents = game.clone(), copy.deepcopy(agents)
            play_by_rules(theirs, their_agents)
            play_out(game, agents)
            assert game == theirs
            assert list(game.players) == [player.seat for player in game.row] == list(theirs.players)
    assert set(given) == {"play_out"}


WITHOUT = """
from wateringhole.agents.playout import simulate
from wateringhole import Silly, shuffled
from wateringhole.kernel.native import FLAT_GAMES
print(FLAT_GAMES is not None, len(simulate([shuffled(1)], [Silly()] * 3)))
"""


def test_the_kernel_steps_aside_for_a_trait_that_it_does_not_know(
    kernel: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = {"add_trait.py": ["traits.py"], "add_dialect.py": ["wire/brief.py", "wire/dialects.py"]}
    said = {}
    for recipe, files in copies.items():
        assert changed_by(recipe, tmp_path / recipe) == files
        shutil.copy(str(kernel.__file__), tmp_path / recipe / "wateringhole" / "kernel" / "_kernel.so")
        said[recipe] = run_in(tmp_path / recipe, WITHOUT)
    assert said == {"add_trait.py": "False 1\n", "add_dialect.py": "True 1\n"}
    monkeypatch.setenv("WATERINGHOLE_PURE", "1")
    assert run_in(tmp_path / "add_dialect.py", WITHOUT) == "False 1\n"


def test_expulsions_are_left_to_python(given: list[str]) -> None:
    for during in ("start", "choose"):
        game = new_game(["Ann", "Bob", "Cleo"], shuffled(5))
        answer(game, 2, Fault(Reason.TIMEOUT, "slept", during=during))
        with pytest.raises(ValueError, match="the kernel knows no expulsions"):
            position(game)
        play_out(game, [Silly()] * 3)
        assert (game.phase, sorted(game.players)) == ("over", [1, 3])
    assert given == ["play_out refused"] * 2


def test_version_1_of_the_sage_decides_alike(given: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(["Ann", "Bob", "Cleo", "Dan"], shuffled(8), watering_hole=30)
    while (seats := pending(game)) and game.turn < 3:
        if seats[0] == 2:
            sages = PlayoutSage(3, iterations=40), PlayoutSage(3, iterations=40)
            moves = [decided(game, 2, sages[0])]
            with monkeypatch.context() as patch:
                patch.setattr(native, "FLAT_GAMES", None)
                moves.append(decided(game, 2, sages[1]))
            assert moves[0] == moves[1]
            assert sages[0].why == sages[1].why
        answer(game, seats[0], decided(game, seats[0], Greedy()))
    assert given.count("after") > 100
    assert set(given) == {"after"}


def test_nothing_from_outside_leads_outside(kernel: ModuleType) -> None:
    """Positions, moves and tables with any number changed are refused or played, never a crash."""
    random = Random("outside")
    games = kernel.FlatGames(2)
    table = (bytes([0, 0] * 8), b"", bytearray())
    refused = played = 0
    for number in range(300):
        game = rare_game(random, 3 + number % 6, 9)
        numbers = position(game)
        for _ in range(random.randrange(1, 4)):
            numbers[random.randrange(len(numbers))] = random.choice((-1, 0, 1, 2, 7, 8, 9, 121, 122, 255, 2**31, 2**70))
        try:
            games.load(0, numbers)
            games.go_on(0)
            games.answer(0, packed_move(1, decided(game, 1, Silly())))
            games.play_out(0, *table)
            played += 1
        except ValueError:
            refused += 1
    assert refused > 100
    assert played > 20
    for bad in ((2, numbers), (-1, numbers), (0, numbers[:-1]), (0, [*numbers, 0]), (0, tuple(numbers)), (0, ["1"])):
        with case(bad[0]), pytest.raises((ValueError, TypeError)):
            games.load(*bad)
    game = rare_game(random, 3, 9)
    game.players[1].boards.clear()
    with pytest.raises(ValueError, match="without a board"):
        games.load(0, position(game))
    for rows in (b"\x01\x00" * 3, b"\x02\x00" * 3, b"\x09\x00" * 3, b"\x00" * 3, b"\x00\x00" * 9):
        with case(rows), pytest.raises(ValueError, match="table of policies"):
            games.play(0, DECK, 3, 0, rows, b"", bytearray())
    with pytest.raises(ValueError, match="seat 3 plays, but has no policy"):
        games.play(0, DECK, 3, 0, b"\x00\x00" * 2, b"", bytearray())
