"""`rogue`: who may be attacked, what is told, and the exit codes. The gallery itself is tested next to the server."""

import contextlib
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cases import case
from tests.cli import HANG, Ended, command, complained, ending, surroundings, well
from tests.server.strangers import HERE, deaf_port

ROGUES = ["name-emoji", "bad-json", "true-for-board", "leaves-at-choose"]


def cases(*names: str) -> list[str]:
    return [word for name in names for word in ("--case", name)]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server of ours, in a process of its own."""
    words = [sys.executable, "-m", "wateringhole", "serve", "--port", "0", "--players", "3-3", "--seed", "acacia"]
    with subprocess.Popen(
        [*words, "--time", "60", "--grace", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=surroundings()
    ) as process:
        try:
            assert process.stderr is not None
            listening = re.search(r"127\.0\.0\.1:(\d+)", process.stderr.readline().decode())
            assert listening is not None
            yield f"tcp:127.0.0.1:{listening[1]}"
        finally:
            process.terminate()
            process.wait(HANG)


@contextlib.contextmanager
def rude_server() -> Iterator[str]:
    """The address of somebody who hangs up on every caller."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def slam() -> None:
            with contextlib.suppress(OSError):
                while True:
                    listener.accept()[0].close()

        slamming = threading.Thread(target=slam)
        slamming.start()
        try:
            yield f"tcp:127.0.0.1:{listener.getsockname()[1]}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            slamming.join(HANG)


@contextlib.contextmanager
def silent_server() -> Iterator[tuple[str, socket.socket]]:
    """The address of somebody who says nothing, and its listening socket."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(HANG)
        yield f"tcp:127.0.0.1:{listener.getsockname()[1]}", listener


def data(ended: Ended) -> dict[str, Any]:
    assert ended.err == ""
    value = json.loads(ended.out)
    assert isinstance(value, dict)
    return value


# Against a server.


def test_a_server_that_passes_gives_a_table_and_exit_code_0(server: str) -> None:
    lines = well(command("rogue", server, *cases(*ROGUES))).splitlines()
    assert lines[0].split() == ["case", "good", "clients", "the", "rogue", "s"]
    assert [line.split()[0] for line in lines[1:-1]] == ["plain", *ROGUES, "plain"]
    assert all("finished" in line for line in lines[1:-1])
    assert ["stayed to the end" in lines[2], "was disconnected" in lines[3], "left" in lines[5]] == [True] * 3
    assert lines[-1] == "6 passed, 0 failed"


def test_json_has_every_verdict(server: str) -> None:
    ended = command("rogue", server, "--json", "--jobs", "2", *cases(*ROGUES))
    value = data(ended)
    assert ended.code == 0
    assert (value["server"], value["passed"], value["failed"]) == (server, 6, 0)
    assert [row["case"] for row in value["verdicts"]] == ["plain game", *ROGUES, "plain game"]
    rogues = [row["rogue"] for row in value["verdicts"]]
    assert rogues == [None, "stayed to the end", "was disconnected", "was disconnected", "left", None]
    for row in value["verdicts"]:
        assert (row["passed"], row["outcome"], row["detail"]) == (True, "finished", None)
        assert row["seconds"] >= 0


def test_cases_run_once_each_and_in_the_order_of_the_gallery(server: str) -> None:
    value = data(command("rogue", server, "--json", *cases("bad-json", "name-emoji", "bad-json")))
    assert [row["case"] for row in value["verdicts"]] == ["plain game", "name-emoji", "bad-json", "plain game"]


def test_a_server_that_fails_gives_exit_code_1_and_the_reason() -> None:
    with rude_server() as address:
        ended = command("rogue", address, "--case", "bad-json")
        assert (ended.code, ended.err) == (1, "")
        words = ended.out.splitlines()[1].split(maxsplit=5)
        assert (words[2], words[5]) == ("dropped", "good 1 was refused at sign-up")
        assert ended.out.splitlines()[-1] == "0 passed, 1 failed"


def test_a_server_that_hangs_gives_exit_code_1() -> None:
    with silent_server() as (address, _):
        ended = command("rogue", address, "--json", "--timeout", "0.2")
    assert ended.code == 1
    [row] = data(ended)["verdicts"]
    assert row["outcome"] == "hung"
    assert "0.2 s" in row["detail"]


def test_nobody_there_gives_exit_code_1() -> None:
    with deaf_port() as port:
        ended = command("rogue", f"tcp:{HERE}:{port}", "--json")
    assert ended.code == 1
    [row] = data(ended)["verdicts"]
    assert (row["outcome"], row["detail"]) == ("server gone", "no connection: Connection refused")


def test_a_terminal_is_shown_how_far_it_is(server: str) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as screen:
        words = [sys.executable, "-m", "wateringhole", "rogue", server, "--case", "bad-json"]
        with ending(
            subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, env=surroundings(TERM="xterm"))
        ) as process:
            os.close(theirs)
            shown = b""
            with contextlib.suppress(OSError):  # which is how a terminal says that nobody writes to it any more
                while piece := screen.read(4_096):
                    shown += piece
            assert process.stdout is not None
            out = process.stdout.read().decode()
            assert process.wait(HANG) == 0
    assert b"1/1" in shown
    assert "bad-json" in out
    assert "\x1b" not in out


def test_verdicts_are_printed_as_they_come_and_an_interrupt_sums_them_up(server: str) -> None:
    words = [sys.executable, "-m", "wateringhole", "rogue", server, *cases("name-emoji", "silent-at-choose")]
    for number in (signal.SIGINT, signal.SIGTERM):
        with (
            case(number),
            ending(
                subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings(), text=True)
            ) as process,
        ):
            assert process.stdout is not None
            # The third case takes as long as the server waits for an answer, which is for ever here.
            lines = [process.stdout.readline() for _ in range(3)]
            assert [line.split()[0] for line in lines] == ["case", "plain", "name-emoji"]
            process.send_signal(number)
            out, err = process.communicate(timeout=HANG)
            assert (process.returncode, out, err.strip()) == (130, "2 passed, 0 failed; interrupted\n", "")


def test_an_interrupt_leaves_no_line_open_and_json_whole() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        with case(number), silent_server() as (address, listener):
            words = [sys.executable, "-m", "wateringhole", "rogue", address, "--json"]
            with ending(
                subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings())
            ) as process:
                caller, _ = listener.accept()
                with caller:
                    caller.settimeout(HANG)
                    assert caller.recv(100) == b'"good 1"\n'
                    process.send_signal(number)
                    out, err = process.communicate(timeout=HANG)
                    assert caller.recv(100) == b""
            nothing = {"server": address, "passed": 0, "failed": 0, "interrupted": True, "verdicts": []}
            assert (process.returncode, json.loads(out), err.strip()) == (130, nothing, b"")


def test_a_reader_that_leaves_after_the_first_verdict_ends_it_without_a_traceback(server: str) -> None:
    words = [sys.executable, "-m", "wateringhole", "rogue", server, *cases(*ROGUES)]
    with ending(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings())) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


# The list.


def test_the_list_says_what_each_rogue_does_and_why() -> None:
    words = " ".join(well(command("rogue", "--list")).split())
    assert "silent-at-choose never says what it plays (when asked for a card play)" in words
    assert "A connection can end at any moment and in more than one way." in words
    rows = json.loads(well(command("rogue", "--list", "--json")))
    assert len(rows) >= 25
    for row in rows:
        assert row.keys() == {"case", "does", "when", "threat"}
        assert row["case"] in words
        assert row["threat"] in words


def test_the_list_of_some_cases_is_short() -> None:
    rows = json.loads(well(command("rogue", "--list", "--json", *cases("utf16", "nul"))))
    assert [row["case"] for row in rows] == ["utf16", "nul"]


def test_the_help_teaches() -> None:
    out = well(command("rogue", "--help"))
    assert "wateringhole rogue tcp:localhost:45678" in out
    assert "--yes-this-is-my-server" in out
    assert "rogue" in well(command("--help"))


# Mistakes.


ELSEWHERE = ["10.0.0.5", "192.168.0.1", "example.org", "localhost.example.org", "128.0.0.1", "[2001:db8::1]", "[::]"]


def test_a_server_on_another_machine_is_refused_unless_it_is_said_to_be_ones_own() -> None:
    # No server is called in these tests: another mistake comes behind the one that is looked for.
    for host in ELSEWHERE:
        mistaken = ["rogue", f"tcp:{host}:45678", "--timeout", "0"]
        with case(host):
            assert complained(command(*mistaken), host.strip("[]"), "--yes-this-is-my-server")
            assert complained(command(*mistaken, "--yes-this-is-my-server"), "--timeout is 0")


def test_this_machine_has_many_names() -> None:
    for host in ("localhost", "LOCALHOST", "127.0.0.1", "127.8.8.8", "[::1]"):
        with case(host):
            assert complained(command("rogue", f"tcp:{host}:45678", "--timeout", "0"), "--timeout is 0")


MISTAKES: list[tuple[list[str], str]] = [
    ([], "tcp:localhost:45678"),
    (["localhost:45678"], "localhost:45678"),
    (["tcp:localhost"], "tcp:localhost"),
    (["tcp:localhost:99999"], "99999"),
    (["tcp:localhost:1", "tcp:localhost:2"], "tcp:localhost:2"),
    (["tcp:localhost:1", "--case", "nobody"], "nobody"),
    (["--list", "--case", "nobody"], "nobody"),
    (["tcp:localhost:1", "--players", "2"], "2"),
    (["tcp:localhost:1", "--players", "9"], "9"),
    (["tcp:localhost:1", "--timeout", "0"], "--timeout"),
    (["tcp:localhost:1", "--timeout", "nan"], "--timeout"),
    (["tcp:localhost:1", "--timeout", "soon"], "soon"),
    (["tcp:localhost:1", "--jobs", "0"], "0"),
    (["tcp:localhost:1", "--separator", "comma"], "comma"),
]


def test_a_mistake_is_one_sentence() -> None:
    for arguments, value in MISTAKES:
        with case(arguments, value):
            assert complained(command("rogue", *arguments), value)
