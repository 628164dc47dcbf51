"""The environments: what PettingZoo and Gymnasium demand of them, and that they play the game of the dealer."""

import json
import re
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tests.cases import case
from wateringhole import env as package
from wateringhole.agents.house import named
from wateringhole.cards import shuffled
from wateringhole.dealer import new_game
from wateringhole.env.actions import ACTIONS, DONE, begin, mask
from wateringhole.env.agent import DraftingAgent
from wateringhole.env.batches import NO_ACTION
from wateringhole.env.drafted_game import DraftedGame, seat_names
from wateringhole.env.gym_env import TABLE_ID, TableEnv
from wateringhole.env.observations import encode, size
from wateringhole.env.pettingzoo_env import TableAEC
from wateringhole.env.rewards import REWARDS, Reward, rewards
from wateringhole.env.spaces import Observation
from wateringhole.env.vector_env import VectorEnv, masked_choice
from wateringhole.table import play

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its tests import one of its games, if pygame is there
    from pettingzoo.test.api_test import api_test
    from pettingzoo.test.seed_test import seed_test

KERNELS = [False, True] if VectorEnv(1).in_kernel else [False]
# PettingZoo asks for arrays, except from its own games, whose observations are dictionaries with a mask, as ours are.
OF_DICTIONARIES = re.compile("Observation is not a NumPy array|Observation space for each agent probably should be")


def without_warnings(check: Callable[[], object]) -> None:
    """The check passes, and warns of nothing but dictionaries."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        check()
    assert [str(each.message) for each in warned if not OF_DICTIONARIES.match(str(each.message))] == []


def test_pettingzoo_finds_nothing_wrong() -> None:
    for reward in REWARDS:
        for players in (3, 4, 8):
            with case(reward, players):
                made = package.env(players, reward, render_mode="ansi")
                without_warnings(partial(api_test, made, num_cycles=1_000))
                without_warnings(partial(seed_test, partial(package.env, players, reward), num_cycles=500))


def test_gymnasium_finds_nothing_wrong() -> None:
    for mode in ("ansi", "rgb_array"):
        made = gymnasium.make(TABLE_ID, opponents=("silly", "greedy", "rash"), reward="rank", render_mode=mode)
        with case(mode):
            without_warnings(partial(check_env, made.unwrapped))


def played(made: TableAEC, dice: np.random.Generator, steps: int = 1 << 30) -> list[tuple[str, int]]:
    """Random actions that the masks allow; who took which."""
    taken: list[tuple[str, int]] = []
    while len(taken) < steps and not any(made.terminations.values()):
        seen = made.observe(made.agent_selection)
        action = np.int64(dice.choice(np.flatnonzero(seen["action_mask"])))
        taken.append((made.agent_selection, int(action)))
        made.step(action)
    return taken


def test_the_rewards_are_those_of_the_final_scores() -> None:
    rows: list[tuple[Reward, list[int], list[float]]] = [
        ("score", [7, 3, 3, 0], [7, 3, 3, 0]),
        ("rank", [7, 3, 3, 0], [1, 0, 0, -1]),
        ("rank", [5, 5, 1], [0.5, 0.5, -1]),
        ("win", [7, 3, 3, 0], [1, 0, 0, 0]),
        ("win", [5, 5, 1], [0.5, 0.5, 0]),
    ]
    for kind, scores, worth in rows:
        with case(kind, scores):
            assert rewards(kind, np.array(scores, np.int32)).tolist() == worth
            assert rewards(kind, np.array([scores, scores], np.int32)).tolist() == [worth, worth]
    for kind in REWARDS:
        made = TableAEC(3, kind)
        made.reset(seed=5)
        played(made, np.random.default_rng(5))
        standings = {row.seat: row.score for row in made.game.ranking()}
        worth = rewards(kind, np.array([standings[seat] for seat in (1, 2, 3)], np.int32)).tolist()
        assert made.rewards == dict(zip(seat_names(3), worth, strict=True))


def test_an_illegal_action_ends_the_game_and_is_told() -> None:
    for action in (DONE, ACTIONS, -1):
        made = TableAEC(3)
        made.reset(seed=1)
        made.step(np.int64(action))
        with case(action):
            assert all(made.terminations.values())
            assert made.rewards == {"player_1": -1, "player_2": 0, "player_3": 0}
            assert f"action {action} (" in made.infos["player_1"]["illegal"]
            for agent in made.agent_iter():
                assert made.last()[1:3] == (-1 if agent == "player_1" else 0, True)
                made.step(cast(Any, None))  # as PettingZoo asks of an agent whose game is over
            assert made.agents == []
    single = TableEnv(("silly", "silly"), seat=1)
    single.reset(seed=1)
    _, worth, over, _, info = single.step(np.int64(DONE))
    assert (worth, over) == (-1, True)
    assert "may not follow" in info["illegal"]
    many = VectorEnv(2, 3, seed=1)
    before = many.save()
    with pytest.raises(ValueError, match="action 122 may not come next in game 0"):
        many.step(np.array([DONE, DONE]))
    first = masked_choice(many.masks, np.random.default_rng(1))
    with pytest.raises(ValueError, match="action -1 may not come next in game 1"):
        many.step(np.array([first[0], NO_ACTION]))
    with pytest.raises(ValueError, match=r"shape \(3,\) for 2 games"):
        many.step(np.array([0, 0, 0]))
    assert many.save() == before


def test_bad_arguments_are_told() -> None:
    rows: list[tuple[Callable[[], object], str]] = [
        (lambda: TableAEC(2), "2 players"),
        (lambda: TableAEC(3, cast(Any, "fun")), "no reward 'fun'"),
        (lambda: TableAEC(3, render_mode="human"), "no render mode 'human'"),
        (lambda: TableEnv(("silly",)), "2 players"),
        (lambda: TableEnv(("sillier", "silly")), "unknown agent"),
        (lambda: TableEnv(("silly", "silly"), seat=4), "seat 4"),
        (lambda: VectorEnv(0), "0 games"),
        (lambda: VectorEnv(2, 9), "9 players"),
        (lambda: VectorEnv(2, bots={5: "silly"}), "seat 5 of 4"),
        (lambda: VectorEnv(2, bots={1: "rash"}), "rash cannot play in a batch; there can: easy, normal, silly"),
        (lambda: VectorEnv(2, bots={1: "champion"}), "champion cannot play in a batch"),
        (lambda: VectorEnv(2, bots={1: "sillier"}), "unknown agent"),
        (lambda: VectorEnv(2, 3, bots=dict.fromkeys((1, 2, 3), "silly")), "bots on all seats"),
    ]
    for make, message in rows:
        with case(message), pytest.raises(ValueError, match=message):
            make()


def test_a_saved_game_goes_on_the_same_elsewhere() -> None:
    made, elsewhere = TableAEC(4, "rank"), TableAEC(4, "rank")
    made.reset(seed=9)
    dice = np.random.default_rng(1)
    for steps in (0, 1, 2, 5, 31):
        played(made, dice, steps)
        saved = made.save()
        elsewhere.restore(saved)
        with case(steps):
            assert elsewhere.save() == saved
            assert elsewhere.agent_selection == made.agent_selection
            seen, there = made.observe(made.agent_selection), elsewhere.observe(made.agent_selection)
            assert all((seen[name] == there[name]).all() for name in seen)
    state = dice.bit_generator.state
    taken = played(made, dice)
    dice.bit_generator.state = state
    assert played(elsewhere, dice) == taken
    assert elsewhere.rewards == made.rewards
    elsewhere.restore(made.save())
    assert all(elsewhere.terminations.values())
    assert elsewhere.rewards == made.rewards
    with pytest.raises(ValueError, match="a game of 4 in an environment for 3"):
        TableAEC(3).restore(saved)


def test_one_seat_plays_the_game_that_the_table_would_play() -> None:
    """The same policy as an agent, among the same bots and with the same deck."""
    single = gymnasium.make(TABLE_ID, opponents=("greedy", "silly", "hunter"), reward="score").unwrapped
    assert isinstance(single, TableEnv)
    for seed in range(4):
        seen, info = single.reset(seed=seed)
        seat = info["seat"]
        over, worth = False, 0.0
        while not over:
            assert (seen["action_mask"] == single.action_masks()).all()
            seen, worth, over, _, info = single.step(np.int64(np.flatnonzero(seen["action_mask"])[-1]))
        agents = [named(name, "") for name in ("greedy", "silly", "hunter")]
        agents.insert(seat - 1, DraftingAgent(lambda _, allowed: allowed.rfind(1), 4))
        result = play(agents, single.game.deck)
        scores = {row.seat: row.score for row in result.ranking}
        with case(seed):
            assert [scores[at] for at in (1, 2, 3, 4)] == info["scores"].tolist()
            assert worth == scores[seat]


def finished(made: TableEnv, seen: Observation) -> list[int]:
    """The scores, after the first action that each mask allows."""
    over = False
    while not over:
        seen, _, over, _, info = made.step(np.int64(np.flatnonzero(seen["action_mask"])[0]))
    return cast(list[int], info["scores"].tolist())


def test_a_seat_that_is_saved_goes_on() -> None:
    single = TableEnv(("silly", "greedy"), seat=2)
    seen, _ = single.reset(seed=3)
    for _ in range(7):
        seen, *_ = single.step(np.int64(np.flatnonzero(seen["action_mask"])[0]))
    saved = single.save()
    other = TableEnv(("silly", "greedy"))
    there, info = other.restore(saved)
    assert info == {"seat": 2}
    assert all((seen[name] == there[name]).all() for name in seen)
    assert finished(single, seen) == finished(other, there)


def test_many_games_are_the_games_of_their_seeds() -> None:
    for kernel in KERNELS:
        for players in (3, 8):
            with case("kernel" if kernel else "Python", players):
                many_games(kernel, players)


def many_games(kernel: bool, players: int) -> None:
    """Every row of every step is that of a game of its own, also after all were saved and restored."""
    games = 3
    many = VectorEnv(games, players, "rank", seed="s", kernel=kernel)
    assert many.in_kernel == kernel
    observations, masks, seats, over = many.observations, many.masks, many.seats, many.over  # every step writes these
    rounds = [0] * games
    alone = [DraftedGame.dealt(players, f"s:{at}:0") for at in range(games)]
    dice = np.random.default_rng(7)
    elsewhere = VectorEnv(games, players, "rank", seed="t", kernel=kernel)
    for number in range(600):
        if number % 60 == 59:
            saved = many.save()
            elsewhere.restore(saved)
            assert elsewhere.save() == saved
            many.reset("another")
            many.restore(saved)
            assert many.save() == saved
        actions = masked_choice(masks, dice)
        for at in range(games):
            if over[at]:
                rounds[at] += 1
                alone[at] = DraftedGame.dealt(players, f"s:{at}:{rounds[at]}")
            else:
                alone[at].step(int(actions[at]))
        many.step(actions)
        for at, table in enumerate(alone):
            with case(number, at):
                worth = rewards("rank", np.array(table.scores, np.int32)) if table.seat == 0 else np.zeros(players)
                assert over[at] == (table.seat == 0)
                assert seats[at] == table.seat
                assert many.scores[at].tolist() == table.scores
                assert many.rewards[at].tolist() == worth.tolist()
                assert observations[at].tobytes() == table.observation(table.seat)
                assert masks[at].tobytes() == table.mask(table.seat)
    assert min(rounds) > 1


def test_many_games_that_are_reset_in_the_middle_of_their_drafts_are_new_ones() -> None:
    for kernel in KERNELS:
        with case("kernel" if kernel else "Python"):
            many = VectorEnv(3, 4, seed="s", kernel=kernel)
            many.step(masked_choice(many.masks, np.random.default_rng(7)))
            many.reset("t")
            assert many.save() == VectorEnv(3, 4, seed="t", kernel=kernel).save()


def test_a_text_that_many_games_refuse_changes_none_of_them() -> None:
    for kernel in KERNELS:
        many, smaller = (VectorEnv(3, players, seed="s", kernel=kernel) for players in (4, 3))
        dice = np.random.default_rng(7)
        while not many.over.any():
            many.step(masked_choice(many.masks, dice))
        saved = many.save()
        smaller.reset("t")
        seed, rounds, games, drafts, over, scores = json.loads(saved)
        other = json.loads(smaller.save())[2][2]
        later = json.loads(VectorEnv(3, 4, seed="later", kernel=kernel).save())[2]
        refused: dict[str, list[object]] = {
            "Expected `array` of length 6": [],
            "the scores of the shape": [seed, rounds, games, drafts, over, scores[:2]],
            "not of one length": [seed, rounds[:1], games, drafts, over, scores],
            "Expected `str`, got `int`": [seed, rounds, [*games[:2], 7], drafts, over, scores],
            "a game of 3 among games of 4": ["x", rounds, [*later[:2], other], [[], [], []], [False] * 3, scores],
            "no state of 3 games: ": ["x", rounds, [*later[:2], "[1]"], drafts, over, scores],
            "may not come next in game 2": ["x", rounds, later, [[], [], [ACTIONS]], [False] * 3, scores],
        }
        shown = (many.observations, many.masks, many.seats, many.scores, many.over, many.rewards)
        before = [array.copy() for array in shown]
        for complaint, state in refused.items():
            with case("kernel" if kernel else "Python", complaint):
                with pytest.raises(ValueError, match=complaint):
                    many.restore(json.dumps(state))
                assert many.save() == saved
                assert all((array == then).all() for array, then in zip(shown, before, strict=True))


def test_masked_choice_takes_each_allowed_action_equally_often() -> None:
    masks = np.zeros((3_000, ACTIONS), np.uint8)
    masks[:, [0, 100, ACTIONS - 1]] = 1
    found, times = np.unique(masked_choice(masks, np.random.default_rng(1)), return_counts=True)
    assert found.tolist() == [0, 100, ACTIONS - 1]
    assert times.min() > 900
    masks[::2] = 0
    assert set(masked_choice(masks, np.random.default_rng(1))[::2]) == {0}
    assert masked_choice(masks[:1], np.random.default_rng(1)).tolist() == [0]


def test_the_pictures_show_the_table() -> None:
    made = TableAEC(8, render_mode="ansi")
    made.reset(seed=2)
    played(made, np.random.default_rng(2), 40)
    text = made.render()
    assert isinstance(text, str)
    assert "watering hole" in text
    assert all(name in text for name in seat_names(8))
    seen = TableAEC(8, render_mode="rgb_array")
    seen.restore(made.save())
    first = seen.render()
    assert isinstance(first, np.ndarray)
    assert first.dtype == np.uint8
    assert first.ndim == 3
    played(seen, np.random.default_rng(3), 60)
    later = seen.render()
    assert isinstance(later, np.ndarray)
    assert later.shape == first.shape
    assert (later != first).any()
    assert TableAEC(3).render_mode is None


def test_an_agent_with_a_policy_sees_what_an_environment_would_show() -> None:
    shown: list[tuple[bytes, bytes]] = []

    def policy(observation: bytearray, allowed: bytearray) -> int:
        shown.append((bytes(observation), bytes(allowed)))
        return allowed.find(1)

    game = new_game(["a", "b", "c"], shuffled(4))
    request = game.request(1)
    DraftingAgent(policy, 5).choose(cast(Any, request))
    draft = begin(request)
    assert shown[0] == (bytes(encode(draft, 5)), bytes(mask(draft)))
    assert {len(observation) for observation, _ in shown} == {size(5)}
