"""Drafted actions in the kernel: the masks, observations, scores and moves of `env/`, for many games in lockstep."""

from array import array
from random import Random
from types import ModuleType

import numpy as np
import pytest

from tests.cases import case
from tests.kernel.recording import decided, rare_game
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.playout import PlayoutBot, scores_by_seat
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import new_game
from wateringhole.env.actions import ACTIONS, Draft, begin, mask, step
from wateringhole.env.observations import encode, size
from wateringhole.env.vector_env import VectorEnv, masked_choice
from wateringhole.game import Game
from wateringhole.kernel import native
from wateringhole.kernel.policy import LEARNER, Policy, PolicyTable
from wateringhole.kernel.positions import position

GAMES = 6
ROUNDS = 150


class Mirror:
    """The same games in Python: learners draft, bots answer at once."""

    def __init__(self, games: list[Game], bots: list[PlayoutBot | None]) -> None:
        self.games = games
        self.bots = bots
        self.drafts: list[Draft | None] = [self._asked(game) for game in games]

    def _asked(self, game: Game) -> Draft | None:
        """The draft of the learner who is asked, once the bots have answered."""
        while seats := game.pending():
            bot = self.bots[seats[0] - 1]
            if bot is None:
                return begin(game.request(seats[0]))
            game.answer(seats[0], decided(game, seats[0], bot))
        return None

    def step(self, at: int, action: int) -> None:
        draft = self.drafts[at]
        assert draft is not None
        draft = step(draft, action)
        if draft.move is not None:
            self.games[at].answer(self.games[at].pending()[0], draft.move)
            draft = self._asked(self.games[at])
        self.drafts[at] = draft


class Lockstep:
    """The arrays of the kernel, and its games."""

    def __init__(self, kernel: ModuleType, games: list[Game], bots: list[PlayoutBot | None]) -> None:
        self.players = len(bots)
        self.flat = kernel.FlatGames(len(games))
        for at, game in enumerate(games):
            self.flat.load(at, position(game))
        self.actions = array("q", [-1] * len(games))
        self.observations = bytearray(len(games) * size(self.players))
        self.masks = bytearray(len(games) * ACTIONS)
        self.asked = bytearray(len(games))
        self.scores = array("i", [0] * len(games) * self.players)
        policies = [bot.kernel_policy() if bot is not None else Policy(LEARNER) for bot in bots]
        self.table = PolicyTable([policy for policy in policies if policy is not None])

    def step(self) -> None:
        arrays = self.actions, self.observations, self.masks, self.asked, self.scores
        self.flat.step(*arrays, self.table.rows, self.table.tastes, self.table.dice)

    def row(self, at: int) -> tuple[bytes, bytes, int, tuple[int, ...]]:
        """All that was written for this game."""
        width = len(self.observations) // len(self.asked)
        return (
            bytes(self.masks[at * ACTIONS : (at + 1) * ACTIONS]),
            bytes(self.observations[at * width : (at + 1) * width]),
            self.asked[at],
            tuple(self.scores[at * self.players : (at + 1) * self.players]),
        )


def row(game: Game, draft: Draft | None, scores: tuple[int, ...]) -> tuple[bytes, bytes, int, tuple[int, ...]]:
    players = len(game.names)
    if draft is None:
        return bytes(ACTIONS), bytes(size(players)), 0, scores
    return bytes(mask(draft)), bytes(encode(draft, players)), draft.request.me.seat, scores


def table(players: int, number: int) -> list[PlayoutBot | None]:
    """Learners only, or some beside bots."""
    bots: list[PlayoutBot | None] = [None] * players
    if number % 2:
        bots[0], bots[-1] = Rash(number), (Silly(), Greedy())[number // 2 % 2]
    return bots


def games(random: Random, players: int, number: int) -> list[Game]:
    hole = (0, 20, 100)[number % 3]
    names = [f"seat {seat}" for seat in range(1, players + 1)]
    dealt = [new_game(names, shuffled(f"{number} {game}"), hole) for game in range(GAMES // 2)]
    return [*dealt, *[rare_game(random, players, hole) for _ in range(GAMES - len(dealt))]]


def test_masks_observations_and_moves_are_those_of_python(kernel: ModuleType) -> None:
    moves = over = 0
    for number in range(12):
        random = Random(f"drafts {number}")
        players = 3 + number % 6
        begun = games(random, players, number)
        ours = Lockstep(kernel, begun, table(players, number))
        mirror = Mirror([game.clone() for game in begun], table(players, number))
        scores = [scores_by_seat(game) for game in mirror.games]
        ours.step()
        for turn in range(ROUNDS):
            for at, draft in enumerate(mirror.drafts):
                with case(number, turn, at):
                    assert ours.row(at) == row(mirror.games[at], draft, scores[at])
                    assert ours.flat.save(at) == position(mirror.games[at])
                ours.actions[at] = -1
                if draft is not None:
                    ours.actions[at] = random.choice([action for action, allowed in enumerate(mask(draft)) if allowed])
            ours.step()
            for at, draft in enumerate(mirror.drafts):
                if draft is not None:
                    mirror.step(at, ours.actions[at])
                    after = mirror.drafts[at]
                    if after is None or after.request is not draft.request:
                        scores[at] = scores_by_seat(mirror.games[at])
                        moves += 1
                        over += after is None
    assert moves > 1_000
    assert over > 30


def test_a_step_that_a_mask_forbids_changes_nothing(kernel: ModuleType) -> None:
    begun = games(Random(1), 4, 0)
    lockstep = Lockstep(kernel, begun, table(4, 0))
    for action in (0, -2, ACTIONS, 2**40):
        lockstep.actions[1] = action
        with case("before the first rows are written", action), pytest.raises(ValueError, match="may not come next"):
            lockstep.step()
    lockstep.actions[1] = -1
    lockstep.step()
    before = [lockstep.flat.save(at) for at in range(GAMES)]
    lockstep.actions[0] = lockstep.row(0)[0].index(1)
    lockstep.actions[5] = lockstep.row(5)[0].index(0)
    with pytest.raises(ValueError, match=r"action \d+ may not come next in game 5"):
        lockstep.step()
    assert [lockstep.flat.save(at) for at in range(GAMES)] == before
    for name in ("actions", "observations", "masks", "asked", "scores"):
        shorter = Lockstep(kernel, begun, table(4, 0))
        setattr(shorter, name, getattr(shorter, name)[:-1])
        with case(name), pytest.raises(ValueError, match=name):
            shorter.step()


def test_the_vector_environment_is_the_same_with_the_kernel(
    kernel: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "FLAT_GAMES", kernel.FlatGames)
    for bots in ({}, {1: "greedy", 3: "hunter"}, {2: "silly"}):
        ours, theirs = (VectorEnv(4, 3, "rank", seed=1, kernel=wanted, bots=bots) for wanted in (True, False))
        assert (ours.in_kernel, theirs.in_kernel) == (True, False)
        dice = np.random.default_rng(1)
        over = 0
        for turn in range(200):
            with case(turn, bots):
                for name in ("observations", "masks", "seats", "scores", "over", "rewards"):
                    np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), name)
                assert not {*bots} & {*ours.seats.tolist()}
            over += int(theirs.over.sum())
            actions = masked_choice(theirs.masks, dice)
            ours.step(actions)
            theirs.step(actions)
            if turn == 100:
                ours.restore(ours.save())
        assert over > 4
        for one, other in ((ours, theirs), (theirs, ours)):
            with case(one.in_kernel), pytest.raises(ValueError, match=r"."):
                one.restore(other.save())
