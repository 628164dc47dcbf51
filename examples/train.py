"""Trains a bot: first it imitates greedy, then it plays against greedy, itself and earlier selves (masked PPO).

OPENBLAS_NUM_THREADS=1 python examples/train.py results --minutes 30    train, or go on with what is in results
wateringhole match rl:results greedy greedy greedy --games 400          let it play

The folder gets network.whn (what the bot plays with), state.npz (all that is needed to go on), curve.csv and curve.png.
Needs numpy, and pillow for the picture. The network and its gradient are in wateringhole.learned.network.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wateringhole.agents.greedy import Greedy
from wateringhole.cards import shuffled
from wateringhole.env.trajectories import trajectory
from wateringhole.env.vector_env import VectorEnv
from wateringhole.learned.network import Bytes, Floats, Weights, forward, gradient, inputs, network_of, new_weights
from wateringhole.learned.weights import FILE_NAME, network_bytes
from wateringhole.table import play

HIDDEN: Final = (192, 128)
STEPS: Final = 64
"""Actions of each game between two updates."""
EPOCHS: Final = 3
BATCH: Final = 2048
RATE: Final = 6e-4
CLIP: Final = 0.2
ENTROPY: Final = 0.01
VALUE: Final = 0.5
TRACE: Final = 0.97
"""GAE's lambda; nothing is discounted, because a game has few turns."""
POINT: Final = 0.03
"""What a point ahead of the others' mean is worth beside a win."""
IMITATED_GAMES: Final = 600
SNAPSHOT_EVERY: Final = 20
"""Updates after which the earlier self is replaced."""

Integers = NDArray[np.int64]


class Table(NamedTuple):
    """Games of one kind. `earlier`: the seats on which an earlier self plays."""

    env: VectorEnv
    earlier: tuple[int, ...] = ()


class Samples(NamedTuple):
    """Decisions of the learner, a row for each: what it saw and did, how likely that was, and what came of it."""

    rows: Bytes
    masks: Bytes
    seen: Floats
    actions: Integers
    chances: Floats
    gains: Floats
    returns: Floats

    def at(self, rows: NDArray[np.int64]) -> "Samples":
        """These rows."""
        return Samples(
            self.rows[rows],
            self.masks[rows],
            self.seen[rows],
            self.actions[rows],
            self.chances[rows],
            self.gains[rows],
            self.returns[rows],
        )


class Adam:
    """The optimizer: steps along the mean of the last gradients, divided by their usual size."""

    def __init__(self, weights: Weights) -> None:
        self.means = {name: np.zeros_like(part) for name, part in weights.items()}
        self.squares = {name: np.zeros_like(part) for name, part in weights.items()}
        self.updates = 0

    def step(self, weights: Weights, slopes: Weights, rate: float) -> None:
        self.updates += 1
        size = float(np.sqrt(sum(float((slope * slope).sum()) for slope in slopes.values())))
        shorten = min(1.0, 1.0 / (size + 1e-9))
        rate *= float(np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates))
        for name, slope in slopes.items():
            mean, square = self.means[name], self.squares[name]
            short = slope * np.float32(shorten)
            mean += np.float32(0.1) * (short - mean)
            square += np.float32(0.001) * (short * short - square)
            weights[name] -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-6))


def tables(scale: int, seed: int) -> list[Table]:
    """The learner on each seat of a table of four with greedy, at smaller and larger ones, and among its own kind."""
    found = [_against("greedy", 4, seat, 5 * scale, seed) for seat in range(1, 5)]
    found += [_against("greedy", players, seat, scale, seed) for players, seat in ((3, 2), (5, 3), (6, 5))]
    found.append(_against("silly", 4, 2, scale, seed))
    found.append(Table(VectorEnv(4 * scale, 4, "win", f"{seed}:own"), earlier=(2, 4)))
    return found


def _against(bot: str, players: int, seat: int, games: int, seed: int) -> Table:
    bots = {other: bot for other in range(1, players + 1) if other != seat}
    return Table(VectorEnv(games, players, "win", f"{seed}:{bot}:{players}:{seat}", bots=bots))


def worth(scores: NDArray[np.int32], wins: Floats) -> Floats:
    """The reward of each seat at the end: its share of the win, and points ahead of the mean of the others."""
    players = scores.shape[-1]
    ahead = (scores * players - scores.sum(axis=-1, keepdims=True)) / (players - 1)
    return np.asarray(wins - 1 / players + POINT * ahead, np.float32)


def chosen(logits: Floats, dice: np.random.Generator | None) -> Integers:
    """An action for each row: drawn by its odds, or the likeliest one without dice."""
    if dice is None:
        return np.asarray(logits.argmax(axis=1), np.int64)
    noise = -np.log(-np.log(dice.random(logits.shape, np.float32) * np.float32(0.999998) + np.float32(1e-6)))
    return np.asarray((logits + noise).argmax(axis=1), np.int64)


def log_odds(logits: Floats) -> Floats:
    rest = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(rest - np.log(np.exp(rest).sum(axis=1, keepdims=True)), np.float32)


def imitated(games: int, seed: int) -> Samples:
    """What greedy does in games of three to six, and what came of it."""
    parts = []
    for game in range(games):
        players = (4, 3, 4, 5, 4, 6)[game % 6]
        path = trajectory(play([Greedy() for _ in range(players)], shuffled(f"{seed}:imitated:{game}")).record)
        first = path.scores == path.scores.max()
        ends = worth(path.scores, (first / first.sum()).astype(np.float32))
        parts.append((path.observations, path.masks, path.actions, ends[path.seats.astype(int) - 1]))
    rows, masks, actions, returns = (np.concatenate(part) for part in zip(*parts, strict=True))
    seen = np.concatenate([inputs(part) for part in np.array_split(rows, 1 + len(rows) // 4096)])
    ones = np.ones(len(rows), np.float32)
    return Samples(rows, masks, seen, actions.astype(np.int64), 0 * ones, ones, returns)


def collect(weights: Weights, before: Weights, table: Table, dice: np.random.Generator) -> Samples:
    """Play so many steps of each game of a table; the rows of the learner, with advantages."""
    env, games = table.env, np.arange(len(table.env.seats))
    kept = []
    for _ in range(STEPS):
        rows, masks, seats = env.observations.copy(), env.masks.copy(), env.seats.astype(np.intp)
        seen = inputs(rows)
        found = forward(weights, rows, masks, seen)
        actions = chosen(found.logits, dice)
        other = np.isin(seats, table.earlier)
        if other.any():
            theirs = forward(before, rows[other], masks[other], seen[other])
            actions[other] = chosen(theirs.logits, dice)
        chances = log_odds(found.logits)[games, actions]
        mine = (seats > 0) & ~other
        env.step(actions)
        ends = worth(env.scores, env.rewards)
        kept.append((rows, masks, seen, actions, chances, found.values, seats, mine, env.over.copy(), ends))
    # Backwards: what each seat of each game gains from here on; a game that is not over yet is worth its value.
    ahead = np.zeros((len(games), env.scores.shape[1] + 1), np.float32)
    value, known = ahead.copy(), np.zeros(ahead.shape, np.bool_)
    parts = []
    for rows, masks, seen, actions, chances, values, seats, mine, over, ends in reversed(kept):
        value[over, 1:], known[over] = ends[over], True
        ahead[over] = 0
        now = known[games, seats] & mine
        change = value[games, seats] - values + TRACE * ahead[games, seats]
        parts.append(
            (rows[now], masks[now], seen[now], actions[now], chances[now], change[now], (values + change)[now])
        )
        ahead[games[mine], seats[mine]] = np.where(now, change, 0)[mine]
        value[games[mine], seats[mine]] = values[mine]
        known[games[mine], seats[mine]] = True
    return Samples(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def joined(parts: list[Samples]) -> Samples:
    """All of them; observations of smaller tables are filled up with zeros."""
    width = max(part.rows.shape[1] for part in parts)
    parts = [part._replace(rows=np.pad(part.rows, ((0, 0), (0, width - part.rows.shape[1])))) for part in parts]
    return Samples(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def batches(samples: Samples, dice: np.random.Generator) -> Iterator[Samples]:
    order = dice.permutation(len(samples.rows))
    for at in np.array_split(order, max(1, len(order) // BATCH)):
        yield samples.at(at)


def improve(weights: Weights, adam: Adam, part: Samples, rate: float, clone: bool = False) -> tuple[float, float]:
    """One step with one batch; how surprising its actions are, and the entropy of the policy."""
    count, every = np.float32(len(part.rows)), np.arange(len(part.rows))
    found = forward(weights, part.rows, part.masks, part.seen)
    logs = log_odds(found.logits)
    odds = np.exp(logs)
    taken = logs[every, part.actions]
    entropy = -(odds * np.where(part.masks, logs, 0)).sum(axis=1)
    if clone:
        pull = np.ones_like(taken)
        slopes = np.zeros_like(odds)
    else:
        gains = (part.gains - part.gains.mean()) / (part.gains.std() + np.float32(1e-6))
        ratio = np.exp(taken - part.chances)
        free = np.where(gains > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        pull = gains * ratio * free
        slopes = np.float32(ENTROPY) * odds * (np.where(part.masks, logs, 0) + entropy[:, None])
    slopes += odds * pull[:, None]
    slopes[every, part.actions] -= pull
    slopes = (slopes / count).astype(np.float32)
    errors = np.float32(2 * VALUE) * (found.values - part.returns)
    adam.step(weights, gradient(weights, part.rows, found, slopes, errors / count), rate)
    return float(-taken.mean()), float(entropy.mean())


def wins(weights: Weights, bot: str, games: int, seed: str = "test") -> float:
    """The share of wins against three of these bots, by likeliest actions: every deal once from each seat."""
    total = 0.0
    for seat in range(1, 5):
        bots = {other: bot for other in range(1, 5) if other != seat}
        env = VectorEnv(games // 4, 4, "win", seed, bots=bots)
        open_games = np.ones(games // 4, np.bool_)
        while open_games.any():
            env.step(chosen(forward(weights, env.observations, env.masks, inputs(env.observations)).logits, None))
            total += float(env.rewards[env.over & open_games, seat - 1].sum())
            open_games &= ~env.over
    return total / (games // 4 * 4)


class Trainer:
    """The weights and all that is needed to go on with them."""

    def __init__(self, folder: Path, seed: int, scale: int) -> None:
        self.folder, self.seed = folder, seed
        self.dice = np.random.default_rng(seed)
        self.weights = new_weights(HIDDEN, self.dice)
        self.before = {name: part.copy() for name, part in self.weights.items()}
        self.adam = Adam(self.weights)
        self.updates = 0
        self.curve: list[list[float]] = []
        self.resumed = (folder / "state.npz").exists()
        if self.resumed:
            self._load()
        self.tables = tables(scale, seed + self.updates)

    def imitate(self, games: int, epochs: int = 6) -> None:
        """Do as greedy does."""
        samples = imitated(games, self.seed)
        for epoch in range(epochs):
            rate = 1e-3 * (1 - epoch / epochs)
            told = [improve(self.weights, self.adam, part, rate, clone=True) for part in batches(samples, self.dice)]
            say(f"imitation {epoch + 1}: {len(samples.rows)} actions, loss {np.mean(told, axis=0)[0]:.3f}")
        self.before = {name: part.copy() for name, part in self.weights.items()}
        self.adam = Adam(self.weights)

    def update(self, rate: float) -> None:
        """Play, and learn from it."""
        samples = joined([collect(self.weights, self.before, table, self.dice) for table in self.tables])
        for _ in range(EPOCHS):
            for part in batches(samples, self.dice):
                told = improve(self.weights, self.adam, part, rate)
        self.updates += 1
        if self.updates % SNAPSHOT_EVERY == 0:
            self.before = {name: part.copy() for name, part in self.weights.items()}
        gain = samples.returns.mean()
        say(f"update {self.updates}: {len(samples.rows)} actions, entropy {told[1]:.3f}, gain {gain:.3f}")

    def measure(self, games: int) -> None:
        """How often it wins now, for the curve; and keep it."""
        row = [self.updates, wins(self.weights, "silly", games // 4), wins(self.weights, "greedy", games)]
        self.curve.append(row)
        say(f"after {row[0]:.0f} updates it wins {row[1]:.1%} against three silly, {row[2]:.1%} against three greedy")
        self.save()

    def save(self) -> None:
        """Write all files; the state last, and at once."""
        self.folder.mkdir(parents=True, exist_ok=True)
        about = f"examples/train.py, seed {self.seed}, {self.updates} updates"
        (self.folder / FILE_NAME).write_bytes(network_bytes(network_of(self.weights), about))
        with (self.folder / "curve.csv").open("w", newline="") as file:
            csv.writer(file).writerows([["updates", "against silly", "against greedy"], *self.curve])
        draw(self.curve, self.folder / "curve.png")
        state = {f"{kind}:{name}": part for kind, parts in self._parts() for name, part in parts.items()}
        numbers = np.array([self.updates, self.adam.updates])
        np.savez(self.folder / "new.npz", allow_pickle=False, numbers=numbers, curve=np.array(self.curve), **state)
        (self.folder / "new.npz").replace(self.folder / "state.npz")

    def _parts(self) -> list[tuple[str, Weights]]:
        adam = self.adam
        return [("weights", self.weights), ("before", self.before), ("mean", adam.means), ("square", adam.squares)]

    def _load(self) -> None:
        with np.load(self.folder / "state.npz") as state:
            for kind, parts in self._parts():
                for name in parts:
                    parts[name][:] = state[f"{kind}:{name}"]
            self.updates, self.adam.updates = (int(number) for number in state["numbers"])
            self.curve = state["curve"].tolist()
        self.dice = np.random.default_rng((self.seed, self.updates))


def draw(curve: list[list[float]], path: Path) -> None:
    """The shares of wins over the updates: silly above in grey, greedy in green, a line at 25 %."""
    from PIL import Image, ImageDraw  # noqa: PLC0415  only the picture needs it

    width, height, edge = 640, 360, 30
    picture = Image.new("RGB", (width, height), "white")
    pen = ImageDraw.Draw(picture)
    last = max(1.0, curve[-1][0])

    def point(updates: float, share: float) -> tuple[float, float]:
        return edge + updates / last * (width - 2 * edge), height - edge - share * (height - 2 * edge)

    for share in (0, 0.25, 0.5, 0.75, 1):
        pen.line([point(0, share), point(last, share)], "#cccccc")
        pen.text((2, point(0, share)[1] - 6), f"{share:.0%}", "#555555")
    pen.text((width - 3 * edge, height - edge + 8), f"{last:.0f} updates", "#555555")
    for column, colour in ((1, "#888888"), (2, "#1a7f37")):
        pen.line([point(row[0], row[column]) for row in curve], colour, 2)
    picture.save(path)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=10.0, help="CPU time of this run")
    parser.add_argument("--updates", type=int, default=10**9, help="stop after so many of this run")
    parser.add_argument("--rate", type=float, default=RATE, help="learning rate, which falls to nearly 0 in this run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=int, default=16, help="32 times this are the games at once")
    parser.add_argument("--imitate", type=int, default=IMITATED_GAMES, help="games of greedy to begin with, 0 for none")
    parser.add_argument("--measure", type=int, default=800, help="games for each point of the curve")
    parser.add_argument("--every", type=int, default=20, help="updates between two points")
    given = parser.parse_args()
    for name, least in {"minutes": 0, "updates": 0, "scale": 1, "imitate": 0, "measure": 8, "every": 1}.items():
        if getattr(given, name) < least:
            parser.error(f"--{name} {getattr(given, name)} is less than {least}")
    if given.folder.exists() and not given.folder.is_dir():
        parser.error(f"{given.folder} is not a folder")
    trainer = Trainer(given.folder, given.seed, given.scale)
    try:
        train(trainer, given)
    except KeyboardInterrupt:
        sys.exit(f"interrupted after {trainer.updates} updates; the same command goes on from the last measured one")


def train(trainer: Trainer, given: argparse.Namespace) -> None:
    """Begin or go on, until the time or the updates of this run are over."""
    begun = time.process_time()
    if given.imitate and not trainer.resumed:
        trainer.imitate(given.imitate)
    trainer.measure(given.measure)
    for update in range(given.updates):
        part = max(update / given.updates, (time.process_time() - begun) / (60 * given.minutes))
        if part >= 1:
            break
        trainer.update(given.rate * max(0.05, 1 - part))
        if trainer.updates % given.every == 0:
            trainer.measure(given.measure)
    trainer.measure(given.measure)


if __name__ == "__main__":
    main()
