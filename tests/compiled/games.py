"""Many different games, each as one line: what happened in it, to the last byte. Run with either core.

python -m tests.compiled.games FIRST LAST
"""

import hashlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from wateringhole import Agent, CardPlay, Choose, Feed, Feeding, Rash, Record, Result, Silly, Start
from wateringhole.agents.bad import GALLERY, Bad
from wateringhole.agents.playout import simulate
from wateringhole.cards import shuffled
from wateringhole.record import replay, write
from wateringhole.table import play

MISDEEDS = list(GALLERY)


class Witness:
    """Plays like another agent and notes all that it is shown, and all that it could ask."""

    def __init__(self, agent: Silly | Rash) -> None:
        self.agent = agent
        self.seen = hashlib.sha256()

    def start(self, request: Start) -> None:
        self.note(request)

    def choose(self, request: Choose) -> CardPlay:
        move = self.agent.choose(request)
        self.note(request, move, request.why_not(move), request.preview(move))
        return move

    def feed(self, request: Feed) -> Feeding:
        move = self.agent.feed(request)
        self.note(request, move, request.options, request.targets(0), request.what_if(move))
        return move

    def over(self, result: Result) -> None:
        self.note(result)

    def note(self, *things: object) -> None:
        self.seen.update(repr(things).encode())


def table(number: int) -> list[Agent]:
    """Three to eight agents: silly ones, rash ones, some that misbehave, and now and then one that takes notes."""
    agents: list[Agent] = []
    for seat in range(3 + number % 6):
        dice = (number * 7 + seat * 3) % 11
        if dice < 5:
            agents.append(Silly())
        elif dice < 10:
            agents.append(Rash(f"{number} {seat}"))
        else:
            agents.append(Bad(MISDEEDS[(number + seat) % len(MISDEEDS)]))
    if number % 10 == 0:
        agents[0] = Witness(Rash(number) if number % 20 else Silly())
    return agents


def game(number: int, folder: Path) -> str:
    """A digest of one game: its record as a file, the story of it, what a witness saw, the scores of a playout."""
    deck, hole = shuffled(number), (0, 100, 7, 400)[number % 4]
    agents = table(number)
    record: Record = play(agents, deck, watering_hole=hole).record
    path = folder / f"{number}.jsonl"  # always a new file: some disks wait when one is written over
    write(record, path)
    digest = hashlib.sha256(path.read_bytes())
    path.unlink()
    if isinstance(agents[0], Witness):
        digest.update(agents[0].seen.digest())
        digest.update(repr(replay(record, listen=True).told).encode())
        digest.update(repr(simulate([deck], [Silly(), Rash(number), Silly()], hole)).encode())
    return digest.hexdigest()


def games(first: int, last: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, last):
            yield game(number, Path(folder))


if __name__ == "__main__":
    for line in games(int(sys.argv[1]), int(sys.argv[2])):
        sys.stdout.write(line + "\n")
