"""What the README promises, run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PERFORMANCE = (ROOT / "docs" / "performance.md").read_text()


def blocks(language: str, page: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.mark.parametrize("code", blocks("python") + blocks("python", PERFORMANCE))
def test_a_python_block_runs_as_printed(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_commands_run_as_printed(tmp_path: Path) -> None:
    (tmp_path / "situation.json").write_text('[[[["id",1],["species",[]],["bag",0]]],1,[]]')
    commands = next(block for block in blocks("sh") if block.startswith("wateringhole game"))
    lines = commands.splitlines()
    assert len(lines) >= 6
    for line in lines:
        words = shlex.split(line, comments=True)
        stdin = None
        if "<" in words:
            stdin = (tmp_path / words[words.index("<") + 1]).read_text()
            words = words[: words.index("<")]
        command = [sys.executable, "-m", *words]
        done = subprocess.run(command, cwd=tmp_path, input=stdin, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), line
        assert done.stdout, line


def test_a_server_and_a_client_play_as_printed() -> None:
    serve, connect = next(block for block in blocks("sh") if block.startswith("wateringhole serve")).splitlines()
    here = ["--games", "1", "--wait", "0.1", "--port", "0", "--time", "60"]
    command = [sys.executable, "-m", *shlex.split(serve, comments=True), *here]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            assert server.stdout is not None
            port = re.findall(r":(\d+),", server.stderr.readline())[0]
            words = shlex.split(connect.replace("45678", port), comments=True)
            done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, "")
            ranking = server.stdout.read()
        except BaseException:
            server.kill()  # it would wait for a guest for ever
            raise
    assert ranking.count("player id:") == 8
    assert server.returncode == 0


def test_the_make_commands_of_the_first_block_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"^make (\w+)", blocks("sh")[0], re.MULTILINE)
    assert targets == ["run", "test"]
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_links_lead_somewhere_and_the_page_is_short() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / link).exists(), link
    assert len(README.splitlines()) <= 200
