"""What a program in a sandbox can do and see, and what not."""

import json
import multiprocessing
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.cli import HANG, command, ending, surroundings, well
from tests.external import PATIENT, bot, fault_of, hosting, living, nobody_expelled, note_on, nothing_left
from tests.server.strangers import HERE
from wateringhole.external.program import Bounds
from wateringhole.external.sandbox import EXTRA_PROCESSES, TMP, Sandbox, of_command, sandbox_of, unavailable
from wateringhole.external.seating import SeatingTerms
from wateringhole.external.spec import spec
from wateringhole.fault import Reason

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")

BOXED = replace(PATIENT, sandbox=Sandbox())

ASKS = """
import ctypes, errno, socket

def text(path): return open(path).read()
def put(path, size=1): open(path, "wb").write(b"x" * size)
def told(question):
    try: return eval(question)
    except OSError as error: return errno.errorcode[error.errno]

os.write(2, json.dumps([told(question) for question in QUESTIONS]).encode())
"""


@pytest.fixture(autouse=True)
def tidy(tmp_path: Path) -> Iterator[None]:
    assert unavailable() == "", "these tests need bubblewrap: apt-get install bubblewrap"
    with nothing_left(tmp_path):
        yield


def answers(folder: Path, *questions: str, sandbox: Sandbox | None = BOXED.sandbox, option: str = "") -> list[object]:
    """What these Python expressions come to in a program in this folder; of an OSError, its name."""
    folder.mkdir(exist_ok=True)
    agent = bot(folder, f"QUESTIONS = {questions!r}\n{ASKS}", sign_up=False)
    note = note_on(hosting(agent + option, "silly", "silly", terms=replace(PATIENT, sandbox=sandbox)))
    said: list[object] = json.loads(str(note["stderr"]))
    return said


def test_what_a_program_sees_and_can_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, run, other = tmp_path / "mine", tmp_path / "mine" / "run", tmp_path / "other"
    home = Path.home() / "private"
    for path in (run, other, home):
        path.mkdir(parents=True)
        (path / "secret").write_text("deck")
    monkeypatch.setenv("TOKEN", "hush")
    with socket.create_server((HERE, 0)) as listening:
        port = listening.getsockname()[1]
        table: dict[str, object] = {
            # the network
            f"socket.create_connection(('{HERE}', {port}))": "ECONNREFUSED",
            "[name for _, name in socket.if_nameindex()]": ["lo"],
            # processes
            "sorted(int(name) for name in os.listdir('/proc') if name.isdigit())": [1, 2],
            "os.getppid()": 1,
            f"os.kill({os.getpid()}, 0)": "ESRCH",
            f"text('/proc/{os.getpid()}/environ')": "ENOENT",
            "ctypes.CDLL(None).unshare(0x10000000)": -1,  # a user namespace, and in it mounts without limits
            # files of others
            f"os.listdir({str(home)!r})": "ENOENT",
            f"text({str(other / 'secret')!r})": "ENOENT",
            f"os.listdir({str(tmp_path)!r})": ["mine"],
            f"os.listdir({str(run)!r})": [],
            f"put({str(run / 'new')!r})": "EROFS",
            "text('/etc/passwd')": "ENOENT",
            "os.path.exists('/run') or os.path.exists('/sys')": False,
            # files of its own
            "text(__file__) > ''": True,
            f"put({str(mine / 'new')!r})": "EROFS",
            "os.unlink(__file__)": "EROFS",
            "os.chmod(__file__, 0o777)": "EROFS",
            "os.getcwd()": str(Path.cwd()),
            # the system
            "put('/new')": "EROFS",
            "put('/usr/new')": "EROFS",
            "put('/dev/new')": "EROFS",
            "os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY)": "EACCES" if os.getuid() else "EROFS",
            "text('/proc/self/status').partition('CapBnd:')[2].split()[0]": "0" * 16,
            # room to write
            "os.environ['HOME'] == os.environ['TMPDIR'] == '/tmp'": True,
            "put('/tmp/small', 1 << 20)": None,
            "put('/tmp/large', 65 << 20)": "ENOSPC",
            "put('/dev/shm/large', 17 << 20)": "ENOSPC",
            # the environment
            "'TOKEN' in os.environ or b'hush' in open('/proc/1/environ', 'rb').read()": False,
        }
        said = answers(mine, *table, sandbox=Sandbox(hide=(str(run),)))
    for (question, expected), got in zip(table.items(), said, strict=True):
        with case(question):
            assert got == expected
    shutil.rmtree(home)


def test_what_each_program_writes_to_tmp_is_its_own_and_goes_with_it(tmp_path: Path) -> None:
    for _ in range(2):
        assert answers(tmp_path, "os.path.exists('/tmp/left')", "put('/tmp/left')") == [False, None]
    assert not Path(TMP, "left").exists()


def test_more_can_be_shared_and_only_be_read(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    table = tmp_path / "more" / "table"
    table.write_text("data")
    for shared in (tmp_path / "more", table):
        with case(shared):
            questions = [f"text({str(table)!r})", f"put({str(table)!r})"]
            assert answers(tmp_path / "mine", *questions, sandbox=Sandbox(share=(str(shared),))) == ["data", "EROFS"]


def test_what_is_hidden_is_hidden_by_every_name(tmp_path: Path) -> None:
    (tmp_path / "mine" / "run").mkdir(parents=True)
    (tmp_path / "mine" / "run" / "secret").write_text("deck")
    (tmp_path / "mine" / "cases.jsonl").write_text("solutions")
    (tmp_path / "link").symlink_to("mine")
    hidden = Sandbox(hide=(str(tmp_path / "link" / "run"), str(tmp_path / "mine" / "cases.jsonl")))
    for name in ("mine", "link"):
        folder = tmp_path / name
        for asked in (tmp_path / "mine", folder):
            with case(name, asked.name):
                questions = [f"os.listdir({str(asked / 'run')!r})", f"text({str(asked / 'cases.jsonl')!r})"]
                assert answers(folder, *questions, sandbox=hidden) == [[], "EACCES"]


def test_a_program_without_a_sandbox_has_the_network_and_the_disk(tmp_path: Path) -> None:
    with socket.create_server((HERE, 0)) as listening:
        port = listening.getsockname()[1]
        questions = [f"socket.create_connection(('{HERE}', {port})).close()", f"put({str(tmp_path / 'new')!r})"]
        assert answers(tmp_path, *questions, option="?sandbox=off") == [None, None]
        assert answers(tmp_path, *questions, sandbox=None) == [None, None]


# What is an agent's own.


def test_the_own_folder_of_an_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    for name in ("bots/a", "bots/b", "bots/lib", "home/.local/bin", "home/.local/lib", "home/.tool/shims"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "py" / "bin").mkdir(parents=True)
    (tmp_path / "py" / "lib").mkdir()
    for name in ("bots/a/bot.py", "bots/b/bot.jar", "bots/run", "home/bot.py", "bots/module.py"):
        (tmp_path / name).write_text("class Bot: pass")
    for name in ("bots/run", "home/.local/bin/thing", "home/.tool/shims/tool", "py/bin/node"):
        (tmp_path / name).write_text("#!/usr/bin/env sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path / "bots")
    table = {
        "py:a/bot.py:Bot": ["bots/a"],
        "py:module:Bot": ["bots"],
        "py:json:JSONDecoder": [],
        "cmd:python3 a/bot.py": ["bots/a"],
        "cmd:java -jar b/bot.jar --weights=a/bot.py": ["bots/b", "bots/a"],
        "cmd:java -cp lib:b Bot": ["bots/lib", "bots/b"],
        "cmd:java Bot": ["bots"],
        "cmd:./run": ["bots"],
        "cmd:./run /usr/share": ["bots"],
        # in the home folder, the file alone; of what is installed there, no more than it takes
        f"py:{home}/bot.py:Bot": ["home/bot.py"],
        f"cmd:python3 {home}/bot.py": ["home/bot.py"],
        f"cmd:python3 a/bot.py {home} / /tmp": ["bots/a"],
        f"cmd:{home}/.local/bin/thing": ["home/.local/bin"],
        f"cmd:{home}/.tool/shims/tool a/bot.py": ["bots/a", "home/.tool/shims", "home/.tool"],
        f"cmd:{tmp_path}/py/bin/node a/bot.py": ["bots/a", "py/bin", "py"],
    }
    for text, expected in table.items():
        with case(text):
            sandbox = sandbox_of(spec(text), Sandbox())
            assert sandbox is not None
            own = [path for path in dict.fromkeys(sandbox.own) if path.startswith(str(tmp_path))]
            within = [str(tmp_path / name) for name in expected]
            assert [path for path in own if path not in within and not any(path.startswith(w) for w in within)] == []
            assert [path for path in within if path not in own] == []
    assert sandbox_of(spec("cmd:java Bot?sandbox=off"), Sandbox()) is None
    assert sandbox_of(spec("cmd:java Bot"), None) is None
    monkeypatch.chdir(home)
    assert [path for path in of_command(["java", "Bot"]) if path.startswith(str(tmp_path))] == []


def test_an_agent_in_the_folder_that_is_hidden_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"hides {tmp_path}, but an agent has its files there"):
        answers(tmp_path, sandbox=Sandbox(hide=(str(tmp_path),)))


def test_sandbox_takes_no_other_value_than_off() -> None:
    with pytest.raises(ValueError, match="sandbox=on is not off"):
        spec("cmd:true?sandbox=on")
    with pytest.raises(ValueError, match='no option "sandbox"'):
        spec("silly?sandbox=off")


# Languages.


def test_programs_in_every_language_run_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roomy = SeatingTerms(PATIENT.control, Bounds(start_seconds=60, end_seconds=0.05, last_moment=60), sandbox=Sandbox())
    for language in ("c", "javascript", "java", "python"):
        well(command("kit", language, str(tmp_path / language)))
    subprocess.run(["cc", "-std=c11", "-o", "bot", "bot.c"], cwd=tmp_path / "c", check=True)
    subprocess.run(["javac", "Bot.java"], cwd=tmp_path / "java", check=True)
    here = shlex.quote(str(tmp_path))
    monkeypatch.chdir(tmp_path / "java")
    for line in (
        f"{here}/c/bot",
        "../c/bot",
        f"node {here}/javascript/bot.mjs",
        f"java -cp {here}/java Bot",
        "java Bot",
        f"python3 {here}/python/bot.py",
        f"/usr/bin/env python3 {here}/python/bot.py",
        f"{shlex.quote(sys.executable)} ../python/bot.py",
    ):
        with case(line):
            result = hosting(f"cmd:{line}", "silly", "silly", terms=roomy)
            assert nobody_expelled(result), result.ranking


def test_a_python_class_runs_inside_with_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("from wateringhole import Silly\n")
    (tmp_path / "mine.py").write_text("from beside import Silly\n\n\nclass Mine(Silly): pass\n")
    assert nobody_expelled(hosting(f"py:{tmp_path / 'mine.py'}:Mine", "silly", "silly", terms=BOXED))


# Limits and ends.


def test_the_memory_of_children_that_have_lost_their_parent_counts(tmp_path: Path) -> None:
    orphan = "if os.fork(): os._exit(0)\n    os.setsid()\n    held = b'x' * (60 << 20)\n    sleep()"
    script = f"asked()\nfor _ in range(4):\n  if not os.fork():\n    {orphan}\nsleep()"
    fault = fault_of(hosting(bot(tmp_path, script), "silly", "silly", terms=BOXED))
    assert fault.reason == Reason.MEMORY
    assert fault.text.startswith("uses ")


def test_the_processes_of_the_sandbox_itself_do_not_count(tmp_path: Path) -> None:
    roomy = replace(BOXED, bounds=replace(BOXED.bounds, memory=8 << 30))
    children = "for _ in range(19):\n  if not os.fork(): sleep()\n"
    for more, expelled in (("", False), ("if not os.fork(): sleep()\n", True)):
        with case(more):
            script = f"{children}{more}sign_up()\nasked()\ntime.sleep({HANG if expelled else 0.5})\nos._exit(3)"
            fault = fault_of(hosting(bot(tmp_path, script, sign_up=False), "silly", "silly", terms=roomy))
            assert (fault.text == "is ended: it runs more than 20 processes") == expelled
    assert EXTRA_PROCESSES == 2


def test_how_a_program_ended_is_told_as_without_a_sandbox(tmp_path: Path) -> None:
    for script, text in (
        ("asked()\nsys.exit(3)", "exited with code 3"),
        ("asked()\nos.kill(os.getpid(), 9)", "was ended by SIGKILL"),
        ("asked()\nos.kill(os.getpid(), 11)", "was ended by SIGSEGV"),
        ("asked()\nos.kill(1, 9)\nsys.exit(200)", "exited with code 200"),
    ):
        with case(script):
            fault = fault_of(hosting(bot(tmp_path, script), "silly", "silly", terms=BOXED))
            assert (fault.reason, fault.text) == (Reason.EXITED, text)


def test_what_cannot_be_started_is_told_as_without_a_sandbox(tmp_path: Path) -> None:
    for first, text in (
        ("no program", "cannot be started: Exec format error"),
        ("#!/usr/bin/none", "cannot be started: No such file or directory"),
    ):
        with case(first):
            (tmp_path / "bot").write_text(f"{first}\n")
            (tmp_path / "bot").chmod(0o755)
            fault = fault_of(hosting(f"cmd:{tmp_path / 'bot'}", "silly", "silly", terms=BOXED))
            assert (fault.reason, fault.text) == (Reason.EXITED, text)


def test_a_game_that_is_killed_takes_its_programs_along(tmp_path: Path) -> None:
    path = str(tmp_path / "bot.py").encode()
    stubborn = "for number in (1, 2, 13, 15): signal.signal(number, signal.SIG_IGN)\nif not os.fork(): os.setsid()"
    agent = bot(tmp_path, f"{stubborn}\nsleep()")
    words = [sys.executable, "-m", "wateringhole", "game", agent, "silly", "silly", "--time", "none"]
    with ending(subprocess.Popen(words, env=surroundings(), stderr=subprocess.PIPE)) as game:
        await_number(path, 5)  # the game, bwrap twice, the program and its child
        game.send_signal(signal.SIGKILL)
        game.wait(HANG)
        await_number(path, 0)


def await_number(mark: bytes, number: int) -> None:
    deadline = time.monotonic() + HANG
    while len(living(mark)) != number:
        assert time.monotonic() < deadline, living(mark)
        time.sleep(0.01)


def test_an_ordinary_user_can_do_the_same() -> None:
    """As nobody, if the tests run as root; else everything here is done by an ordinary user already."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "mine").mkdir()
        ours, theirs = multiprocessing.Pipe()
        child = multiprocessing.get_context("fork").Process(target=_as_nobody, args=(Path(folder) / "mine", theirs))
        child.start()
        theirs.close()
        assert ours.recv() == ("", 0, f"mine {os.getuid() or 65_534} alone\n")
        child.join()
        ours.close()


def _as_nobody(folder: Path, line: Connection) -> None:
    os.chdir("/")
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65_534)
        os.setuid(65_534)
    shown = f"echo $(ls {folder.parent}) $(id -u) $(kill -0 {os.getppid()} 2>/dev/null || echo alone)"
    done = subprocess.run(Sandbox(own=(str(folder),)).command(["sh", "-c", shown]), capture_output=True, check=False)
    line.send((unavailable.__wrapped__(), done.returncode, (done.stdout + done.stderr).decode()))
    line.close()
