"""`tournament`: a file to begin with, the run, the report; nothing is lost, and everything can be had again."""

import contextlib
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from tests.cases import case
from tests.cli import HANG, Ended, command, complained, ending, surroundings, well
from tests.cli import process as ended
from tests.tournament.paper import gatekeeper
from wateringhole.agents.house import HOUSE
from wateringhole.tournament import config
from wateringhole.tournament.formats import planned
from wateringhole.tournament.ray_cluster import GCS_SECONDS
from wateringhole.tournament.report.data import reproducible
from wateringhole.tournament.runfile import GAMES, RunFile

EXAMPLE = Path(__file__).parents[2] / "examples" / "house.toml"
ENTRIES = ["silly", "rash", "rash", "silly", "bad:card-twice", "rash", "silly"]


def config_file(folder: Path, name: str = "cup", first: str = ENTRIES[0], **keys: object) -> str:
    """A file with these keys and this first agent; the path of it."""
    lines = {"title": "Cup", "seed": "7", "table": 3} | keys
    text = "".join(f"{key.replace('_', '-')} = {json.dumps(value)}\n" for key, value in lines.items())
    for number, agent in enumerate([first, *ENTRIES[1:]]):
        text += f'[[entries]]\nname = "e{number}"\nagent = {json.dumps(agent)}\n'
    path = folder / f"{name}.toml"
    path.write_text(text)
    return str(path)


def run(path: str, *words: str) -> str:
    """The standings after a run, as JSON."""
    return well(command("tournament", "run", path, "--json", *words))


def process(*words: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "wateringhole", "tournament", *words],
        env=surroundings(**environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(folder: Path) -> int:
    """How many games are in the journal."""
    journal = folder / "cup.results" / GAMES
    return len(RunFile(journal).outcomes) if journal.exists() else 0


def wait_for(running: "subprocess.Popen[str]", folder: Path, games: int) -> None:
    while lines(folder) < games:
        assert running.poll() is None, "it was over too soon"
        time.sleep(0.002)


def test_a_file_to_begin_with_can_be_played_at_once_and_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / 'the "best".toml'
    said = well(command("tournament", "init", str(path)))
    assert str(path) in said
    text = path.read_text()
    assert f"# Agents: the house bots {', '.join(HOUSE)};\n" in text
    told = json.loads(run(str(path), "--jobs", "1"))
    assert len({line["agent"] for line in told["standings"]}) == 4
    assert (told["title"], told["games"], told["over"]) == ('the "best"', 20, True)
    assert complained(command("tournament", "init", str(path)), str(path), "is there already")
    assert path.read_text() == text
    assert complained(command("tournament", "init", str(tmp_path / "no" / "x.toml")), "No such file or directory")


def test_two_beginnings_have_different_seeds(tmp_path: Path) -> None:
    for name in ("a", "b"):
        command("tournament", "init", str(tmp_path / f"{name}.toml"))
    assert (tmp_path / "a.toml").read_text() != (tmp_path / "b.toml").read_text()


@pytest.mark.parametrize("kind", ["round-robin", "swiss"])
def test_any_number_of_jobs_gives_the_same_bytes(tmp_path: Path, kind: str) -> None:
    one, two = config_file(tmp_path, "one", format=kind), config_file(tmp_path, "two", format=kind)
    standings = run(one, "--jobs", "1")
    assert run(two, "--jobs", "2") == standings
    assert well(command("tournament", "report", two, "--json")) == standings
    told = json.loads(standings)
    expelled = {line["name"]: list(line["expelled"]) for line in told["standings"]}
    assert expelled == {f"e{number}": ["illegal"] if number == 4 else [] for number in range(7)}
    assert len(RunFile(tmp_path / "one.results" / GAMES).outcomes) == told["games"] == told["planned"]


def test_a_finished_run_that_is_run_again_plays_nothing_and_says_the_same(tmp_path: Path) -> None:
    path = config_file(tmp_path)
    first = run(path, "--jobs", "1")
    games = lines(tmp_path)
    assert run(path, "--jobs", "1") == first
    assert lines(tmp_path) == games


def test_who_is_killed_at_any_point_goes_on_and_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    def swiss(name: str, first: str = "silly") -> str:
        return config_file(tmp_path, name, first, format="swiss", rounds=5, deals=2, in_process=True)

    games = planned(config.read(Path(swiss("cup"))))
    first = gatekeeper(tmp_path, games - games // 5, games)  # the last round, in which it sits as in every other
    path = swiss("cup", first)
    for point in (1, games // 3, games * 2 // 3):
        with ending(process("run", path, "--jobs", "2")) as killed:
            wait_for(killed, tmp_path, point)
            killed.kill()
            killed.wait(HANG)
        assert killed.returncode == -signal.SIGKILL
        assert point <= lines(tmp_path) < games
    (tmp_path / "gate").unlink()
    standings = run(swiss("straight", first), "--jobs", "1")
    assert json.loads(standings)["games"] == games
    assert run(path, "--jobs", "1") == standings
    assert lines(tmp_path) == games


def test_ctrl_c_ends_it_with_a_word_and_the_same_command_goes_on(tmp_path: Path) -> None:
    path = config_file(tmp_path, first=gatekeeper(tmp_path, 0, 0), in_process=True)
    with ending(process("run", path, "--jobs", "2")) as interrupted:
        wait_for(interrupted, tmp_path, 1)
        interrupted.send_signal(signal.SIGINT)
        out, said = interrupted.communicate(timeout=HANG)
    assert (interrupted.returncode, out) == (130, "")
    assert re.fullmatch(r"\d+ of 105 games are kept; the same command goes on\n+", said)
    unfinished = json.loads(well(command("tournament", "report", path, "--json")))
    assert (unfinished["over"], unfinished["games"]) == (False, lines(tmp_path))


def test_a_run_stops_when_the_question_is_answered(tmp_path: Path) -> None:
    stop = '{better = "e0", than = "e4", confidence = 0.9}'
    path = Path(config_file(tmp_path, deals=50))
    path.write_text(f"stop = {stop}\n{path.read_text()}")
    shown = well(command("tournament", "run", str(path), "--jobs", "2"))
    assert "deals together e0 is better than e4, at 0.9 confidence" in shown
    told = json.loads(well(command("tournament", "report", str(path), "--json")))
    assert (told["over"], told["stop"]["better"]) == (True, "e0")
    assert told["games"] < told["planned"]
    assert run(str(path), "--jobs", "1") == well(command("tournament", "report", str(path), "--json"))


def test_the_table_shows_everybody_and_who_was_expelled(tmp_path: Path) -> None:
    path = config_file(tmp_path)
    ran, reported = command("tournament", "run", path, "--jobs", "1"), command("tournament", "report", path)
    assert well(ran) == well(reported)
    shown = ran.out.splitlines()
    assert shown[0] == "Cup"
    assert shown[1].split() == ["entry", "games", "Elo", "wins", "%", "rank", "score"]
    assert {line.split()[1] for line in shown[2:9]} == {f"e{number}" for number in range(7)}
    assert shown[8].split()[:2] == ["7", "e4"]
    assert shown[9] == "expelled: e4: illegal 45"
    assert shown[10].split() == ["ahead", "of,", "%", *"1234567"]
    crossed = [line.split() for line in shown[11:18]]
    assert [row[:2] for row in crossed] == [line.split()[:2] for line in shown[2:9]]
    assert crossed[6][2:] == ["0"] * 6, "who is always expelled is never ahead"
    assert [row[-1] for row in crossed[:6]] == ["100"] * 6
    assert shown[18] == "round-robin, tables of 3, 105 games, over; seed: 7"


def test_a_cross_table_that_is_wider_than_the_terminal_comes_in_parts(tmp_path: Path) -> None:
    path = Path(config_file(tmp_path, format="swiss", rounds=3))
    more = "".join(f'[[entries]]\nname = "f{n} {"x" * 30}"\nagent = "silly"\n' for n in range(13))
    path.write_text(path.read_text() + more)
    run(str(path), "--jobs", "1")
    whole = [str(place) for place in range(1, 21)]
    for width, parts in ((160, [whole]), (80, [whole[:10], whole[10:]])):
        shown = well(ended("tournament", "report", str(path), COLUMNS=str(width))).splitlines()
        with case(width):
            assert [line.split()[3:] for line in shown if line.strip().startswith("ahead of, %")] == parts
            assert max(map(len, shown)) <= width
            assert not any("…" in line for line in shown)


def test_standings_go_into_a_csv_file(tmp_path: Path) -> None:
    path, table = config_file(tmp_path), tmp_path / "table.csv"
    run(path, "--jobs", "1")
    well(command("tournament", "report", path, "--csv", str(table)))
    rows = [line.split(",") for line in table.read_text().splitlines()]
    assert [row[0] for row in rows] == ["place", *"1234567"]
    assert rows[-1][1:3] + rows[-1][-1:] == ["e4", "bad:card-twice", "illegal:45"]
    assert complained(command("tournament", "report", path, "--csv", str(tmp_path)), str(tmp_path), "Is a directory")


def test_agents_are_found_beside_the_file_from_anywhere(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("from wateringhole.agents.silly import Silly\nclass Bot(Silly):\n    pass\n")
    path = Path(config_file(tmp_path))
    path.write_text(path.read_text().replace('"bad:card-twice"', '"py:bot.py:Bot"') + "\n")
    path.write_text(f"in-process = true\n{path.read_text()}")
    told = json.loads(run(str(path), "--jobs", "2"))
    assert [line["expelled"] for line in told["standings"]] == [{}] * 7


def on_a_terminal(*words: str) -> bytes:
    """What is shown on standard error where that is a terminal."""
    ours, theirs = os.openpty()
    with ending(
        subprocess.Popen(
            [sys.executable, "-m", "wateringhole", "tournament", *words],
            env=surroundings(TERM="xterm"),
            stdout=subprocess.DEVNULL,
            stderr=theirs,
        )
    ) as shown:
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # what a terminal says when nobody is left
            while piece := os.read(ours, 4_096):
                seen += piece
        assert shown.wait(HANG) == 0
    os.close(ours)
    return seen


def test_a_terminal_shows_a_bar_the_rate_and_who_is_ahead(tmp_path: Path) -> None:
    seen = on_a_terminal("run", config_file(tmp_path), "--jobs", "1")
    assert b"105/105" in seen
    assert b"games/s" in seen
    assert b"ahead of %" in seen


def test_a_terminal_shows_how_many_records_have_been_read(tmp_path: Path) -> None:
    path = config_file(tmp_path)
    run(path, "--jobs", "1")
    seen = on_a_terminal("report", path, "--html", str(tmp_path / "page.html"))
    assert b"records" in seen
    assert b"105/105" in seen


def test_another_config_is_not_mixed_into_the_games_of_this_one(tmp_path: Path) -> None:
    run(config_file(tmp_path), "--jobs", "1")
    changed = config_file(tmp_path, table=4)
    for words in (["run", changed], ["report", changed]):
        assert complained(
            command("tournament", *words), "cup.results holds another run: what differs is schedule", "move this"
        )


def test_the_example_is_a_tournament_of_all_house_bots_but_that_for_beginners() -> None:
    found = config.read(EXAMPLE)
    assert planned(found) == 2_800
    assert {HOUSE[agent.target].make for agent in found.specs} == {
        bot.make for name, bot in HOUSE.items() if name != "easy"
    }
    assert all(reproducible(found, entry) for entry in range(len(found.entries)))


def mistaken(*words: str) -> Ended:
    return command("tournament", *words)


def test_a_mistake_is_a_sentence(tmp_path: Path) -> None:
    path = config_file(tmp_path)
    assert complained(mistaken("report", path), "cup.results: nothing has been played yet")
    assert complained(mistaken("run", path, "--jobs", "0"), "--jobs 0: not a number from 1 to 256")
    assert complained(mistaken("run", path, "--address", "auto"), "--address auto: only for --engine ray")
    both = ("--engine", "ray", "--address", "auto", "--jobs", "2")
    assert complained(mistaken("run", path, *both), "--jobs 2: the cluster at auto says itself")
    assert complained(mistaken("run", path, "--engine", "oxen"), "oxen")
    assert complained(mistaken("run", str(tmp_path / "no.toml")), "no.toml: No such file or directory")
    wrong = config_file(tmp_path, "wrong", table=9)
    assert complained(mistaken("run", wrong), f"{wrong}: table = 9 is not a whole number from 3 to 8")
    alone = Path(config_file(tmp_path, "alone"))
    alone.write_text(alone.read_text().replace("bad:card-twice", "human"))
    assert complained(mistaken("run", str(alone), "--jobs", "2"), "--jobs 2", "can play only one game at a time")
    assert complained(mistaken("run", str(alone), "--engine", "ray"), "--engine ray: a person")


def test_without_ray_one_is_told_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)  # as if it had not been installed
    assert complained(mistaken("run", config_file(tmp_path), "--engine", "ray"), "pip install 'wateringhole[ray]'")


@pytest.mark.ray
@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_a_cluster_that_is_not_there_is_a_sentence(tmp_path: Path, address: str) -> None:
    with ending(process("run", config_file(tmp_path), "--engine", "ray", "--address", address)) as alone:
        out, said = alone.communicate(timeout=HANG)
    assert complained(Ended(alone.returncode, out, said), f"no Ray cluster at {address}: ")


@pytest.mark.ray
def test_a_ray_cluster_gives_the_same_bytes_and_the_same_records(tmp_path: Path) -> None:
    """Also for an agent whose file lies beside the config, and for one that breaks."""
    bot = "class Bot:\n    def choose(self, request):\n        raise KeyError(1)\n    feed = choose\n"
    (tmp_path / "bot.py").write_text(bot)
    for name in ("here", "there"):
        path = Path(config_file(tmp_path, name, format="swiss", rounds=2))
        path.write_text("in-process = true\n" + path.read_text().replace("bad:card-twice", "py:bot.py:Bot"))
    standings = run(str(tmp_path / "here.toml"), "--jobs", "1")
    words = ["run", str(tmp_path / "there.toml"), "--engine", "ray", "--jobs", "2", "--json"]
    # Sockets of Ray's in tmp_path would have too long names, and its processes write to the end.
    with (
        tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder,
        ending(process(*words, RAY_TMPDIR=folder)) as cluster,
    ):
        out, said = cluster.communicate(timeout=2 * HANG)
    assert (cluster.returncode, out) == (0, standings), said
    here, there = (RunFile(tmp_path / f"{name}.results" / GAMES) for name in ("here", "there"))
    assert sorted(here.outcomes) == sorted(there.outcomes)
    assert [here.record(number) for number in here.outcomes] == [there.record(number) for number in here.outcomes]
    again = run(str(tmp_path / "there.toml"), "--jobs", "1")
    assert again == standings


def test_a_cluster_that_does_not_start_is_tried_once_more_and_then_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = Exception("The current node timed out\nduring startup.")
    for raised, calls in ((late, ["init", "shutdown"] * 2), (KeyError("gcs"), ["init", "shutdown"])):
        heard: list[str] = []

        def init(*_: object, why: Exception = raised, to: list[str] = heard, **__: object) -> None:
            to.append("init")
            raise why

        def shutdown(to: list[str] = heard) -> None:
            to.append("shutdown")

        monkeypatch.setitem(sys.modules, "ray", cast(ModuleType, SimpleNamespace(init=init, shutdown=shutdown)))
        with case(raised):
            sentence = f"no Ray cluster at this machine: {' '.join(str(raised).split())}"
            assert complained(mistaken("run", config_file(tmp_path), "--engine", "ray"), sentence)
            assert heard == calls


TWO_NODES = """
set -e
ip link set lo up
node="--node-ip-address=127.0.0.1 --num-cpus=1"
head() { "$RAY" start --head --port=6379 --include-dashboard=false --temp-dir="$RAY_FOLDER" $node >&2; }
second() { "$RAY" start --address=127.0.0.1:6379 $node >&2; }
# Ray gives a node up that is not there after 30 s, which happens on a busy machine. All its processes here are ours.
head || { "$RAY" stop --force >&2; head; }
second || second
"$@"
unset RAY_AUTH_TOKEN
export HOME="$RAY_FOLDER"  # a cluster of another test may have left its token in the home folder
code=0
"$@" 2>"$COMPLAINT" || code=$?
test $code = 2
"""
COUNTS_NODES = """
import sys
from pathlib import Path
from wateringhole.agents.silly import Silly

def bot():
    ray = sys.modules.get("ray")
    if ray is not None and ray.is_initialized():
        Path(f"{sum(node['Alive'] for node in ray.nodes())}-nodes").touch()
    return Silly()
"""


@pytest.mark.ray
def test_a_cluster_of_two_nodes_gives_the_same_bytes_to_who_has_its_token(tmp_path: Path) -> None:
    """In namespaces of its own: no network but loopback, and no process of the cluster outlives the test."""
    (tmp_path / "bot.py").write_text(COUNTS_NODES)
    for name in ("here", "there"):
        config_file(tmp_path, name, "py:bot.py:bot", format="swiss", rounds=2, in_process=True)
    standings = run(str(tmp_path / "here.toml"), "--jobs", "1")
    there = [
        "tournament",
        "run",
        str(tmp_path / "there.toml"),
        "--engine",
        "ray",
        "--address",
        "127.0.0.1:6379",
        "--json",
    ]
    apart = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() != 0:
        apart += ["--user", "--map-root-user"]
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:
        given = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_USAGE_STATS_ENABLED": "0"}
        given |= {"RAY": str(Path(sys.executable).with_name("ray")), "RAY_FOLDER": folder}
        given |= {"COMPLAINT": str(tmp_path / "complaint"), "RAY_gcs_server_port_wait_time_s": GCS_SECONDS}
        started = subprocess.Popen(
            [*apart, "sh", "-c", TWO_NODES, "sh", sys.executable, "-m", "wateringhole", *there],
            env=surroundings(**given),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with ending(started) as cluster:
            out, said = cluster.communicate(timeout=2 * HANG)
    assert (cluster.returncode, out) == (0, standings), said
    assert [path.name for path in tmp_path.glob("*-nodes")] == ["2-nodes"]
    *rays, ours = (tmp_path / "complaint").read_text().splitlines(keepends=True)
    assert "Traceback" not in "".join(rays)
    assert complained(Ended(2, "", ours), "no Ray cluster at 127.0.0.1:6379: ", "no authentication token was found")
