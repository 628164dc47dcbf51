"""Golden games: whole games as text, to be read and compared.

Laws: a golden file follows from its name alone; `python -m tests.golden` writes all of them anew.
"""

import json
from pathlib import Path
from typing import Final

from msgspec import Struct

from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.conformance.harness import configuration_out
from wateringhole.dealer import new_game
from wateringhole.events import sentence
from wateringhole.game import Game
from wateringhole.record import digest, walk
from wateringhole.rules.turn import ranking
from wateringhole.table import play

HERE: Final = Path(__file__).parent


class Golden(Struct, frozen=True):
    """One golden game: who plays, how many, and how much food there is at first."""

    kind: str
    players: int
    watering_hole: int

    @property
    def seed(self) -> str:
        return f"golden {self.kind} {self.players}"

    @property
    def path(self) -> Path:
        return HERE / f"{self.kind}-{self.players}.txt"

    def agents(self) -> list[Agent]:
        if self.kind == "silly":
            return [Silly() for _ in range(self.players)]
        return [Rash(f"{self.seed} {seat}") for seat in range(1, self.players + 1)]


GAMES: Final = tuple(
    Golden(kind, players, 100 if (players % 2 == 0) == (kind == "silly") else 0)
    for kind in ("silly", "rash")
    for players in range(3, 9)
)


def text(golden: Golden) -> str:
    """The whole game: a header, what is told, a configuration after each turn, the ranking, the last state."""
    record = play(golden.agents(), shuffled(golden.seed), watering_hole=golden.watering_hole).record
    game = new_game(record.names, record.deck, record.watering_hole, listen=True)
    lines = [
        f"players: {', '.join(record.names)}",
        f"seed: {golden.seed}",
        f"watering hole: {golden.watering_hole}",
        "",
    ]
    ids = list(range(1, golden.players + 1))
    for moment in walk(game, record.replies):
        lines += _sentences(game)
        if moment.phase == "turn over":
            lines += [json.dumps(configuration_out(ids, moment), separators=(",", ":")), ""]
    lines += [*_sentences(game), ""]
    lines += [f"{row.rank}. {row.name}: {row.score}" for row in ranking(game)]
    lines += ["", f"state: {digest(game)}"]
    return "\n".join(lines) + "\n"


def _sentences(game: Game) -> list[str]:
    return [sentence(event, game.name) for event in game.hear()]
