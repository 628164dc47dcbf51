"""`play` and the page of `serve`, as somebody starts them."""

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli import HANG, command, complained, ending, surroundings


@contextmanager
def started(*words: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The command, once it has said what to open, and that link."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    run = [sys.executable, "-m", "wateringhole", *words]
    with subprocess.Popen(run, text=True, env=surroundings(), **pipes) as process:  # type: ignore[call-overload]
        try:
            for line in process.stderr:
                if found := re.search(r"open (http\S+)", line):
                    yield process, found[1]
                    break
        finally:
            process.kill()


def read(link: str) -> str:
    with urllib.request.urlopen(link.partition("#")[0], timeout=HANG) as answer:  # noqa: S310
        text: str = answer.read().decode()
    return text


def test_play_prints_the_link_of_a_table_that_is_there_and_ctrl_c_ends_it() -> None:
    with started("play", "--no-browser", "--port", "0", "--seats", "5", "--bots", "rash,silly") as (process, link):
        assert re.fullmatch(r"http://localhost:\d+/table/[0-9a-f]{16}#key=\S+", link)
        assert "<title>" in read(link)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=HANG)
    assert (process.returncode, out, err.strip()) == (0, "", "")


def test_play_opens_the_browser_at_the_table(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}.part && mv {seen}.part {seen}\n')
    browser.chmod(0o755)
    run = [sys.executable, "-m", "wateringhole", "play", "--port", "0"]
    environment = surroundings(BROWSER=str(browser))
    with ending(subprocess.Popen(run, text=True, env=environment, stderr=subprocess.PIPE)) as process:
        assert process.stderr is not None
        link = process.stderr.readline().split()[1]
        while not seen.exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG)
    assert seen.read_text().strip() == link


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--bots", "silly,wise"], "--bots silly,wise: no bot wise; there are easy, normal, hard, "),
        (["--seats", "2"], "2 players, but a game takes 3 to 8"),
        (["--seats", "many"], '"many" is not a number of players'),
        (["--pace", "9", "--port", "0"], "the pace 9.0 is not one from 0 to 5.0 seconds"),
        (["--pace", "nan", "--port", "0"], "the pace nan is not one from 0 to 5.0 seconds"),
    ],
)
def test_what_play_cannot_do_is_one_sentence(words: list[str], complaint: str) -> None:
    assert complained(command("play", "--no-browser", *words), complaint)


def test_a_port_that_is_taken_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = command("play", "--no-browser", "--port", str(port))
        assert complained(ended, f"cannot listen on 127.0.0.1:{port}: Address already in use; try --port 0")
        run = [sys.executable, "-m", "wateringhole", "serve", "--port", "0", "--web", str(port)]
        served = subprocess.run(run, capture_output=True, text=True, check=False, timeout=HANG)
    assert served.returncode == 2
    assert f"wateringhole: cannot listen on 127.0.0.1:{port}: Address already in use\n" in served.stderr
    assert "Traceback" not in served.stderr


def test_serve_says_where_programs_and_people_come_in() -> None:
    with started("serve", "--port", "0", "--web", "0") as (process, link):
        assert re.fullmatch(r"http://localhost:\d+/", link)
        assert "<title>" in read(link)
        process.send_signal(signal.SIGTERM)
        assert process.wait(HANG) == 0


def test_for_the_network_serve_prints_a_link_that_leads_here_and_a_picture_of_it() -> None:
    with started("serve", "--port", "0", "--web", "0", "--lan", "--name", "Savanna.example") as (process, link):
        assert "<title>" in read(link)
        port = int(re.findall(r":(\d+)/", link)[0])
        request = urllib.request.Request(f"http://localhost:{port}/", headers={"Host": f"savanna.example:{port}"})
        with urllib.request.urlopen(request, timeout=HANG) as answer:  # noqa: S310
            assert answer.status == 200
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        err = process.stderr.read()  # not by `communicate`, which knows nothing of lines that came with the link
    assert len([line for line in err.splitlines() if set(line) & set("█▀▄")]) > 10
