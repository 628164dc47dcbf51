"""`serve`, as somebody who runs a server uses it."""

import asyncio
import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import HANG, command, complained, surroundings
from tests.external import bot
from wateringhole.agents.house import named
from wateringhole.cards import shuffled
from wateringhole.external.spec import made, spec
from wateringhole.record import read
from wateringhole.seeds import deal_seed
from wateringhole.server.client import Ending, connect
from wateringhole.table import play
from wateringhole.wire.dialects import DIALECTS


@contextmanager
def serving(*options: str) -> Iterator[tuple["subprocess.Popen[str]", list[int]]]:
    """A server on free ports, and the ports in the order in which it says that it listens on them."""
    ports = 1 + options.count("--metrics") + options.count("--port")
    words = [sys.executable, "-m", "wateringhole", "serve", *([] if "--port" in options else ["--port", "0"]), *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    ports -= "--port" in options
    with subprocess.Popen(words, text=True, env=surroundings(), **pipes) as server:  # type: ignore[call-overload]
        try:
            yield server, [int(re.findall(r":(\d+),", server.stderr.readline())[0]) for _ in range(ports)]
        finally:
            server.kill()


def connected(port: int, *agents: str, dialect: str = "s16") -> list["Future[Ending]"]:
    """These agents as clients of the server on this port, each in a thread of this process."""
    pool = ThreadPoolExecutor(len(agents))
    clients = [
        pool.submit(asyncio.run, connect(made(found, "1"), "127.0.0.1", port, dialect, found.name))
        for found in map(spec, agents)
    ]
    pool.shutdown(wait=False)
    return clients


def visitor(port: int) -> socket.socket:
    """A connection to the server on this port; whatever is awaited on it comes soon or never."""
    return socket.create_connection(("127.0.0.1", port), timeout=HANG)


def ended(clients: list["Future[Ending]"]) -> list[str]:
    """The failure of each client when it has left the server: an empty text if it played to the end."""
    return [client.result(HANG).failure for client in clients]


def test_it_deals_so_many_games_prints_their_rankings_keeps_their_records_and_stops(tmp_path: Path) -> None:
    options = ["--games", "2", "--players", "3", "--seed", "7", "--record", str(tmp_path)]
    with serving(*options) as (server, [port]):
        for _ in range(2):
            assert ended(connected(port, "silly", "silly", "silly")) == ["", "", ""]
        out, err = server.communicate(timeout=HANG)
    assert (server.returncode, err) == (0, "")
    for number in (1, 2):
        local = play([named("silly", "") for _ in range(3)], shuffled(deal_seed("7", number)), ["silly"] * 3)
        assert read(tmp_path / f"game-{number}.jsonl") == local.record
        for row in local.ranking:
            assert f"{row.rank} player id: {row.seat} name: silly score: {row.score}\n" in out


def test_json_says_who_was_expelled_and_why() -> None:
    with serving("--games", "1", "--players", "3", "--sorted", "--json") as (server, [port]):
        ended(connected(port, "bad:card-twice", "bad:card-twice", "bad:card-twice"))
        out, _ = server.communicate(timeout=HANG)
    [game] = [json.loads(line) for line in out.splitlines()]
    assert game["game"] == 1
    assert [row["expelled"]["rule"] for row in game["ranking"]] == ["cardplay.once"] * 3
    assert [row["score"] for row in game["ranking"]] == [None] * 3


def test_house_bots_fill_the_table_for_a_single_guest() -> None:
    with serving("--games", "1", "--players", "3-5", "--fill", "rash", "--wait", "0.1") as (server, [port]):
        assert ended(connected(port, "silly")) == [""]
        out, _ = server.communicate(timeout=HANG)
    assert re.findall(r"name: (\w+)(?: \d)? score", out).count("rash") == 4


def test_programs_that_fill_a_table_start_at_the_same_time(tmp_path: Path) -> None:
    together = "note(os.getpid())\nwhile open(PIDS).read().count('\\n') < 2: time.sleep(0.01)\nsign_up()"
    program = bot(tmp_path, f"{together}\nwhile True: answer(asked())", sign_up=False)
    options = ["--games", "1", "--players", "3", "--fill", f"{program}?sandbox=off", "--wait", "0.1"]
    with serving(*options) as (server, [port]):
        assert ended(connected(port, "silly")) == [""]
        out, _ = server.communicate(timeout=HANG)
    assert out.count("score:") == 3


ORPHANS = {
    "dead": "os._exit(0)",
    "alive, and without an environment": "os.execve('/bin/sleep', ['sleep', '1000'], {})",
}


@pytest.mark.parametrize("orphan", ORPHANS.values(), ids=ORPHANS)
def test_orphans_of_the_programs_that_fill_a_table_are_gone_after_the_game(orphan: str, tmp_path: Path) -> None:
    family = f"if not os.fork():\n  os.setsid()\n  if not os.fork(): {orphan}\n  os._exit(0)\nos.wait()\nsign_up()"
    program = bot(tmp_path, f"{family}\nwhile True: answer(asked())", sign_up=False)
    with serving("--players", "3", "--fill", f"{program}?sandbox=off", "--wait", "0.1") as (server, [port]):
        assert ended(connected(port, "silly")) == [""]
        deadline = time.monotonic() + HANG
        while children(server.pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert children(server.pid) == []
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=HANG)


def children(pid: int) -> list[str]:
    """The processes whose parent this one is; also those that are dead but not buried."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):  # a thread may have ended meanwhile
            found += (task / "children").read_text().split()
    return found


def test_a_port_may_speak_one_dialect_and_all_ports_lead_to_one_lobby() -> None:
    ports = ["--port", "0", "--port", "0:tagged", "--port", "0:requests"]
    with serving("--games", "1", "--players", "3", *ports) as (server, [any_dialect, tagged, _]):
        clients = connected(any_dialect, "silly")
        clients += connected(tagged, "silly", dialect="tagged")
        clients += connected(any_dialect, "silly", dialect="native")
        assert ended(clients) == ["", "", ""]
        out, _ = server.communicate(timeout=HANG)
    assert out.count("score:") == 3


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_cleanly_also_while_guests_wait(sign: signal.Signals) -> None:
    with serving("--grace", "1") as (server, [port]), visitor(port) as guest:
        guest.sendall(b'"Ann"')
        assert guest.recv(100) == b'"ok"\n'
        server.send_signal(sign)
        assert guest.recv(100) == b""
        out, err = server.communicate(timeout=HANG)
    assert (server.returncode, out, err) == (0, "", "")


def test_a_running_game_that_does_not_end_in_time_is_stopped() -> None:
    with serving("--players", "3", "--grace", "0.2", "--time", "none") as (server, [port]):
        guests = [visitor(port) for _ in range(3)]
        for guest in guests:
            guest.sendall(b'"Ann"')
            assert guest.recv(100).startswith(b'"ok"\n')
        assert guests[0].recv(10_000)  # the game has begun, and waits for ever
        server.send_signal(signal.SIGTERM)
        out, err = server.communicate(timeout=HANG)
        for guest in guests:
            guest.close()
    assert (server.returncode, out, err) == (0, "", "")


def asked(port: int, path: str) -> str:
    with visitor(port) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        answer = b""
        while more := line.recv(65_536):
            answer += more
    return answer.decode()


def test_figures_health_and_a_line_an_event() -> None:
    options = ["--players", "3", "--metrics", "0", "--log", "json", "--sorted"]
    with serving(*options) as (server, [port, figures]):
        assert asked(figures, "/healthz").endswith("\r\n\r\nok\n")
        assert asked(figures, "/etc/passwd").startswith("HTTP/1.1 404 ")
        ended(connected(port, "silly", "silly", "bad:missing-card"))
        deadline = time.monotonic() + HANG
        while "wateringhole_games_running 0.0" not in (metrics := asked(figures, "/metrics")):
            assert time.monotonic() < deadline, metrics  # clients may leave before the game is counted
            time.sleep(0.01)
        server.send_signal(signal.SIGTERM)
        _, err = server.communicate(timeout=HANG)
    assert 'wateringhole_expulsions_total{reason="illegal"} 1.0' in metrics
    assert "wateringhole_games_total 1.0" in metrics
    assert "wateringhole_seats_total 3.0" in metrics
    assert "wateringhole_games_running 0.0" in metrics
    lines = [json.loads(line) for line in err.splitlines()]
    assert [line["event"] for line in lines] == ["game began", "seat expelled", "game over"]
    assert {line["game"] for line in lines} == {1}
    expelled = lines[1]
    assert (expelled["reason"], expelled["rule"]) == ("illegal", "cardplay.cards")
    assert expelled["last_reply"] == f"[{4},[],[],[],[]]"
    assert expelled["last_request"].startswith("[[")


def test_clients_that_say_nothing_get_seats_and_one_that_says_nonsense_is_in_the_log() -> None:
    """At a port for any dialect no client is presumed to be silent: the rude one has as long as it needs."""
    ports = ["--port", "0:tagged", "--port", "0"]
    with serving(*ports, "--silent", "0.1", "--players", "3", "--grace", "0", "--log", "json") as (server, found):
        port, any_dialect = found
        with visitor(any_dialect) as rude:
            rude.sendall(b"[5]")
            assert rude.recv(100) == b""
        silent = [visitor(port) for _ in range(3)]
        for guest in silent:
            assert guest.recv(100).startswith(b'["start-round",')
        server.send_signal(signal.SIGTERM)
        _, err = server.communicate(timeout=HANG)
        for guest in silent:
            guest.close()
    turned_away, began, *_ = [json.loads(line) for line in err.splitlines()]
    assert (turned_away["event"], turned_away["address"]) == ("client turned away", "127.0.0.1")
    assert (turned_away["reason"], turned_away["text"]) == ("refused", "[5] is no sign-up")
    assert (began["event"], began["names"]) == ("game began", ["player 1", "player 2", "player 3"])


def test_help_names_every_dialect() -> None:
    told = command("serve", "--help").out
    for dialect in DIALECTS:
        with case(dialect):
            assert re.search(rf"^ +{dialect} {{2,}}\S", told, re.MULTILINE)


def test_figures_are_for_this_machine_alone_unless_the_operator_names_another_address() -> None:
    """127.0.0.2 is this machine, too, but not where a socket on 127.0.0.1 listens."""
    for options, reached in ((["--metrics", "0"], False), (["--metrics", "0.0.0.0:0"], True)):
        with case(options), serving("--host", "0.0.0.0", *options) as (_, [port, figures]):  # noqa: S104
            socket.create_connection(("127.0.0.2", port), timeout=HANG).close()
            assert asked(figures, "/healthz").endswith("\r\n\r\nok\n")
            with contextlib.ExitStack() as refused:
                if not reached:
                    refused.enter_context(pytest.raises(ConnectionRefusedError))
                socket.create_connection(("127.0.0.2", figures), timeout=HANG).close()


MISTAKES: list[tuple[list[str], str]] = [
    (["--port", "65536"], "65536"),
    (["--port", "x"], "x"),
    (["--port", "1:klingon"], "klingon"),
    (["--players", "2-8"], "2-8"),
    (["--players", "5-3"], "5-3"),
    (["--players", "9"], "9"),
    (["--time", "0"], "0"),
    (["--time", "3601"], "3601"),
    (["--time", "ten"], "ten"),
    (["--games", "0"], "0"),
    (["--tables", "-1"], "-1"),
    (["--fill", "nobody"], "nobody"),
    (["--fill", "human"], "--fill human: several seats"),
    (["--fill", "tcp:localhost:1"], "--fill tcp:localhost:1: several seats"),
    (["--record", "/no/such/folder"], "/no/such/folder"),
    (["--seed", "1", "--sorted"], "--sorted"),
    (["--gap", "-1"], "-1"),
    (["--silent", "5"], "--silent is 5.0, not 0 or a number of seconds below 5"),
    (["--silent", "-1"], "--silent is -1.0, not 0 or a number of seconds below 5"),
    (["--silent", "nan"], "--silent is nan, not 0 or a number of seconds below 5"),
    (["--tls-key", "k"], "--tls-key"),
    (["--tls-cert", "/no/such/file"], "/no/such/file"),
    (["--host", "256.0.0.1", "--port", "0"], "256.0.0.1"),
    (["--metrics", "70000"], "--metrics 70000: not PORT or HOST:PORT with a port from 0 to 65535"),
    (["--metrics", "x:y:1"], "--metrics x:y:1"),
    (["--metrics", "localhost:"], "--metrics localhost:"),
    (["--log", "poem"], "poem"),
]


def test_a_mistake_is_one_sentence() -> None:
    for options, value in MISTAKES:
        with case(options, value):
            assert complained(command("serve", *options), value)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("class Bot:\n    def __init__(self): raise OSError('no luck')", "OSError: no luck"),
        ("import nothing_of_this_name\nclass Bot: ...", "No module named 'nothing_of_this_name'"),
        ("class Bot: ...", "Bot has neither choose and feed nor the eleven questions"),
    ],
)
def test_a_mistake_in_the_agent_that_fills_the_table_is_said_before_anybody_comes(
    source: str, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "bot.py"
    path.write_text(f"{source}\n")
    assert complained(command("serve", "--fill", f"py:{path}:Bot", "--in-process", "--port", "0"), str(path), says)


def test_a_time_that_cannot_be_waited_for_is_one_sentence() -> None:
    for option in ("--wait", "--grace", "--rejoin"):
        for seconds, shown in (("nan", "nan"), ("inf", "inf"), ("-5", "-5.0"), ("86401", "86401.0")):
            with case(option, seconds):
                ended = command("serve", "--host", "256.0.0.1", option, seconds)
                assert complained(ended, f"{option} is {shown}, not a number of seconds from 0 to 86400")


def test_a_port_that_is_taken_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        says = f"cannot listen on 127.0.0.1:{port}: Address already in use"
        assert complained(command("serve", "--port", port), says)


def test_a_server_that_the_system_fails_does_not_say_that_it_cannot_listen() -> None:
    """No file may grow, so there is no folder in which the games could be kept."""
    words = ["sh", "-c", 'ulimit -f 0 && exec "$@"', "sh", sys.executable, "-m", "wateringhole"]
    for command_words in (["serve", "--port", "0", "--web", "0"], ["play", "--port", "0", "--no-browser"]):
        with case(command_words):
            ran = subprocess.run([*words, *command_words], capture_output=True, text=True, check=False, timeout=HANG)
            assert (ran.returncode, ran.stdout) == (1, "")
            assert ran.stderr.startswith("wateringhole: the server had to stop: No usable temporary directory found")
            assert ran.stderr.count("\n") == 1


def test_what_is_kept_is_there_for_the_next_server_which_deals_on(tmp_path: Path) -> None:
    options = ["--games", "1", "--players", "3", "--seed", "7", "--data", str(tmp_path / "data")]
    for _ in range(2):
        with serving(*options) as (server, [port]):
            assert ended(connected(port, "silly", "silly", "silly")) == ["", "", ""]
            assert server.wait(timeout=HANG) == 0
    listed = command("games", "list", "--json", "--data", str(tmp_path / "data"))
    games = [json.loads(line) for line in listed.out.splitlines()]
    assert sorted(game["number"] for game in games) == [1, 2], "not the same deal again"


def test_a_second_server_on_the_same_folder_is_refused_until_the_first_has_gone(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as (first, _):
        complained(command("serve", "--port", "0", "--data", str(tmp_path)), f"{tmp_path}: another server")
        first.kill()
        first.wait()
        with serving("--data", str(tmp_path)) as (second, _):
            second.send_signal(signal.SIGTERM)
            assert second.wait(timeout=HANG) == 0


@pytest.mark.parametrize(
    ("options", "value"),
    [
        (["--database", "postgresql://nobody@/nothing?host=/nowhere"], "needs --data"),
        (["--data", "DATA", "--database", "postgresql://nobody@/nothing?host=/nowhere"], "/nothing"),
        (["--data", "DATA", "--database", "nonsense"], "nonsense"),
        (["--data", "/dev/null/data"], "/dev/null/data"),
    ],
)
def test_a_place_where_nothing_can_be_kept_is_one_sentence(options: list[str], value: str, tmp_path: Path) -> None:
    words = [option.replace("DATA", str(tmp_path / "data")) for option in options]
    complained(command("serve", "--port", "0", *words), value)
