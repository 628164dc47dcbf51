"""Every kind of agent at one table, through the command; and what is comparable is equal."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import HANG, command, ending, process, surroundings, well
from tests.external import nothing_left, reserved_port
from tests.server.strangers import HERE
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.record import Record, read, replay
from wateringhole.seeds import agent_seed
from wateringhole.table import play

GARDENER = f"py:{Path(__file__).parents[2] / 'examples' / 'requests_agent.py'}:Gardener"
SILLY = "py:wateringhole.agents.silly:Silly"
RASH = "py:wateringhole.agents.rash:Rash"

S16 = """\
import json, sys

def feeding(boards):
    for place, board in enumerate(boards):
        food, _, population, traits = (value for _, value in board[:4])
        if food < population and "carnivore" not in traits:
            return place
    return False

sys.stdout.write('"Sixteen"')
sys.stdout.flush()
for line in sys.stdin:
    message = json.loads(line)
    if len(message) == 2 and message != "ok":
        sys.stdout.write("[0,[],[],[[1,2]],[]]")
    elif len(message) == 5:
        sys.stdout.write(json.dumps(feeding(message[1])))
    sys.stdout.flush()
"""


def kept(folder: Path, *arguments: str, in_process: bool = False) -> Record:
    """The record of the game that this command plays."""
    path = folder / "game.jsonl"
    options = ["--in-process"] if in_process else []
    well(command("game", *arguments, *options, "--quiet", "--record", str(path)))
    return read(path)


def test_every_kind_of_agent_plays_at_one_table(tmp_path: Path) -> None:
    well(command("kit", "python", str(tmp_path / "kit")))
    (tmp_path / "s16.py").write_text(S16)
    with reserved_port() as port:
        every_kind(port, tmp_path)


def every_kind(port: int, tmp_path: Path) -> None:
    agents = [
        "silly",
        "rash",
        f"{SILLY}?name=worker",
        f"{GARDENER}?name=gardener",
        f"cmd:{shlex.join([sys.executable, str(tmp_path / 'kit' / 'bot.py')])}",
        f"cmd:{shlex.join([sys.executable, '-IS', str(tmp_path / 's16.py')])}?dialect=s16",
        f"tcp:{HERE}:{port}",
        "human?name=Ann",
    ]
    client = [
        "connect",
        "rash",
        f"tcp:{HERE}:{port}",
        "--dialect",
        "native",
        "--name",
        "Tess",
        "--retry",
        "60",
        "--json",
    ]
    with (
        nothing_left(tmp_path),
        ending(
            subprocess.Popen(
                [sys.executable, "-m", "wateringhole", *client], stdout=subprocess.PIPE, env=surroundings()
            )
        ) as connected,
    ):
        record = tmp_path / "game.jsonl"
        options = ["--seed", "8", "--time", "60", "--record", str(record)]
        ended = process("game", *agents, *options, given=b"food 0\nnew 1 2\ndone\nno\n" * 200)
        told = json.loads(connected.communicate(timeout=HANG)[0])
    assert (ended.code, ended.err) == (0, f"waiting for a client on {HERE}:{port}\n")
    game = replay(read(record))
    assert game.expelled == []
    assert game.phase == "over"
    assert game.names == ("silly 1", "rash 2", "worker", "gardener", "python starter", "Sixteen", "Tess", "Ann")
    assert "You (bag 0):" in ended.out
    assert told["failure"] is None
    assert sorted(row["id"] for row in told["scores"]) == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("in_process", [False, True])
def test_agents_by_another_name_play_the_same_game(in_process: bool, tmp_path: Path) -> None:
    names = ["one", "two", "three", "four"]
    house, python = (
        [f"{agent}?name={name}" for agent, name in zip(agents, names, strict=True)]
        for agents in (["silly", "rash", "silly", "rash"], [SILLY, RASH, "silly", RASH])
    )
    record = kept(tmp_path, *house, "--seed", "8")
    assert kept(tmp_path, *python, "--seed", "8", in_process=in_process) == record
    assert (
        record
        == play(
            [Silly(), Rash(agent_seed("8", 0, 2)), Silly(), Rash(agent_seed("8", 0, 4))], shuffled("8"), names
        ).record
    )


def test_an_agent_of_eleven_questions_plays_the_same_in_this_process(tmp_path: Path) -> None:
    agents = [GARDENER, "rash", "silly", "--seed", "8"]
    assert kept(tmp_path, *agents, in_process=True) == kept(tmp_path, *agents)
