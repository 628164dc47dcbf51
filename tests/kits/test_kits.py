"""The starter kits: what the command writes builds and plays as its README says, and the same in every language."""

import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from statistics import mean
from typing import NamedTuple, cast, get_args

import msgspec
import pytest

from tests.cli import HANG, command, complained, surroundings, well
from tests.cli.test_serve import serving
from tests.server.strangers import HERE, deaf_port
from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.cli.kit import KITS
from wateringhole.dealer import answer, new_game, pending
from wateringhole.move_json import dec_hook, enc_hook
from wateringhole.moves import Reply
from wateringhole.record import Record, Result
from wateringhole.rules.turn import ranking
from wateringhole.table import ask
from wateringhole.view import request, start
from wateringhole.wire.dialect import Ask, hold, talk
from wateringhole.wire.framing import Json
from wateringhole.wire.native import Native
from wateringhole.wire.native_messages import Answer, ServerMessage, sign_up_in

PACKAGES = {
    "node": "nodejs",
    "javac": "default-jdk-headless",
    "java": "default-jdk-headless",
    "cc": "gcc libc6-dev",
}
"""Where Debian has the tools of the languages."""

Kits = Callable[[str], Path]
Strategy = Callable[[Json], Json]


def words_of(line: str) -> list[str]:
    """A line of a README as a process; the test fails if the machine lacks the tool."""
    tool, *rest = shlex.split(line)
    if tool == "python3":
        return [sys.executable, *rest]
    if tool in PACKAGES and shutil.which(tool) is None:
        pytest.fail(f"{tool} is not on this machine, and a kit needs it; Debian: apt install {PACKAGES[tool]}")
    return [tool, *rest]


def lines_of(readme: str, title: str) -> list[str]:
    """The commands in a section of a README."""
    [section] = re.findall(rf"^## {title}\n(.*?)^## ", readme, re.MULTILINE | re.DOTALL)
    return [line for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL) for line in block.splitlines()]


@pytest.fixture(scope="session")
def kits(tmp_path_factory: pytest.TempPathFactory) -> Kits:
    """The folder of a language's kit, built as its README says."""

    @cache
    def built(language: str) -> Path:
        folder = tmp_path_factory.mktemp("kits") / language
        well(command("kit", language, str(folder)))
        readme = (folder / "README.md").read_text()
        for line in lines_of(readme, "Build"):
            done = subprocess.run(words_of(line), cwd=folder, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), line
        return folder

    return built


def run_line(folder: Path) -> list[str]:
    """The line that the README runs the bot with, without a server's address."""
    *_, line = lines_of((folder / "README.md").read_text(), "Run")
    assert line.endswith(" localhost 45678 Ann")
    return words_of(line.removesuffix(" localhost 45678 Ann"))


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    line = [*run_line(folder), *arguments]
    letters = surroundings(LC_ALL="C.UTF-8")  # arguments are read in the letters of the machine
    with subprocess.Popen(line, cwd=folder, encoding="utf-8", env=letters, **pipes) as bot:  # type: ignore[call-overload]
        try:
            yield bot
        finally:
            bot.kill()


def told(folder: Path, *messages: Json, escapes: bool = False) -> tuple[int, list[Json], str]:
    """How a bot ends that hears these messages: its exit code, what it said after its sign-up, and its complaint."""
    lines = [json.dumps(message, ensure_ascii=escapes) + "\n" for message in messages]
    with started(folder) as bot:
        out, err = bot.communicate("".join(lines), timeout=HANG)
    sign_up, *said = [json.loads(line) for line in out.splitlines()]
    assert sign_up_in(sign_up).dialect == "native"
    return bot.returncode, said, err


@pytest.fixture(params=KITS)
def language(request: pytest.FixtureRequest) -> str:
    return cast(str, request.param)


# The command


def test_it_writes_a_bot_and_a_readme_and_says_what_to_do_next(language: str, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "my bot"
    out = well(command("kit", language, str(folder)))
    assert {path.name for path in folder.iterdir()} == {KITS[language].bot, "README.md"}
    readme = (folder / "README.md").read_text()
    build, run = lines_of(readme, "Build"), lines_of(readme, "Run")
    assert build or "Nothing to build." in readme
    assert re.findall(r"^  (.*)$", out, re.MULTILINE) == [f"cd {shlex.quote(str(folder))}", *build, *run]


@pytest.mark.parametrize("which", [0, 1])
def test_it_writes_over_nothing(language: str, which: int, tmp_path: Path) -> None:
    mine = tmp_path / [KITS[language].bot, "README.md"][which]
    mine.write_text("mine")
    assert complained(command("kit", language, str(tmp_path)), str(mine), "there already")
    assert [(path, path.read_text()) for path in tmp_path.iterdir()] == [(mine, "mine")]


def test_a_mistake_is_one_sentence(tmp_path: Path) -> None:
    assert complained(command("kit", "cobol", str(tmp_path)), "cobol", "javascript")
    assert complained(command("kit", "python"), "DIR")
    file = tmp_path / "file"
    file.touch()
    assert complained(command("kit", "python", str(file)), str(file), "not a folder")
    assert complained(command("kit", "python", str(file / "below")), str(file), "Not a directory")


def test_the_help_lists_the_languages() -> None:
    assert "{python|javascript|java|c}" in well(command("kit", "--help"))


# Games at a server


def scores(ranking: str) -> dict[str, int]:
    """The scores by name of the one game that a server has printed; nobody was expelled."""
    [game] = [json.loads(line) for line in ranking.splitlines()]
    assert [row["expelled"] for row in game["ranking"]] == [None] * len(game["ranking"])
    return {row["name"]: row["score"] for row in game["ranking"]}


@pytest.mark.parametrize("players", [3, 8])
def test_a_bot_plays_whole_games_among_house_bots(language: str, players: int, kits: Kits) -> None:
    name = 'Zoë "the \\" 象'
    table = ["--players", str(players), "--fill", "silly", "--wait", "0.1", "--time", "60", "--seed", language]
    with serving("--games", "1", "--json", *table) as (server, [port]):
        with started(kits(language), "127.0.0.1", str(port), name) as bot:
            assert (*bot.communicate(timeout=HANG), bot.returncode) == ("", "", 0)
        out, _ = server.communicate(timeout=HANG)
    assert name in scores(out)
    assert len(scores(out)) == players


@pytest.mark.parametrize("players", [4, 8])
def test_bots_of_all_languages_play_at_one_table(players: int, kits: Kits) -> None:
    seats = [f"{language} {seat}" for seat, language in enumerate(islice(cycle(KITS), players))]
    folders = [kits(name.split()[0]) for name in seats]
    table = ["--players", str(players), "--time", "60", "--seed", str(players)]
    with serving("--games", "1", "--json", *table) as (server, [port]):
        lines = [[*run_line(folder), "127.0.0.1", str(port)] for folder in folders]
        bots = [
            subprocess.Popen([*line, name], cwd=folder, stderr=subprocess.PIPE)
            for line, name, folder in zip(lines, seats, folders, strict=True)
        ]
        assert [(bot.communicate(timeout=HANG)[1], bot.returncode) for bot in bots] == [(b"", 0)] * players
        out, _ = server.communicate(timeout=HANG)
    assert sorted(scores(out)) == sorted(seats)


def test_a_bot_without_a_server_says_so(language: str, kits: Kits) -> None:
    with deaf_port() as port, started(kits(language), HERE, str(port)) as bot:
        out, err = bot.communicate(timeout=HANG)
    assert (out, bot.returncode) == ("", 1)
    assert re.fullmatch(r"no connection: .+\n", err)


@pytest.mark.parametrize("arguments", [["localhost"], ["localhost", "http"], ["localhost", "65536"], list("abcd")])
def test_wrong_arguments_get_the_usage(language: str, arguments: list[str], kits: Kits) -> None:
    with started(kits(language), *arguments) as bot:
        out, err = bot.communicate(timeout=HANG)
    assert (out, bot.returncode) == ("", 2)
    assert re.fullmatch(r"usage: .+ \[HOST PORT \[NAME\]\]\n", err)


# Games over pipes


def across_pipes(bot: "subprocess.Popen[str]", value: Json) -> Json:
    """What the bot answers."""
    assert bot.stdin is not None
    assert bot.stdout is not None
    bot.stdin.write(json.dumps(value) + "\n")
    bot.stdin.flush()
    said: Json = json.loads(bot.stdout.readline())
    return said


def test_a_bot_plays_a_whole_game_over_pipes(language: str, kits: Kits) -> None:
    game = new_game(["bot", "Ann", "Bob"], shuffled("pipes"), listen=True)
    native = Native()
    others: dict[int, Agent] = {2: Silly(), 3: Rash(3)}
    with started(kits(language)) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        assert sign_up_in(json.loads(bot.stdout.readline())).name == f"{language} starter"

        def tell(messages: list[Json]) -> None:
            assert bot.stdin is not None
            bot.stdin.write("".join(json.dumps(message) + "\n" for message in messages))

        tell(native.welcome(1))
        turn = 0
        replies: list[tuple[int, Reply]] = []
        while seats := pending(game):
            if turn < game.turn:
                turn = game.turn
                tell(native.start(start(game, 1)))
            asked = request(game, seats[0])
            reply: Reply
            if seats[0] == 1:
                reply = hold(talk(native, asked), asked, lambda question: across_pipes(bot, question.value))
            else:
                reply = ask(others[seats[0]], asked)
            replies.append((seats[0], reply))
            tell(native.story(answer(game, seats[0], reply)))
        tell(native.over(1, Result(ranking(game), Record(game.names, game.deck, tuple(replies)))))
        # The stream stays open: `over` alone must end the bot.
        bot.stdin.flush()
        assert bot.wait(timeout=HANG) == 0
        assert (bot.stdout.read(), bot.stderr.read() if bot.stderr else "") == ("", "")
    assert [row.fault for row in ranking(game)] == [None] * 3


def strategy(folder: Path) -> tuple[Strategy, Strategy]:
    """The functions `choose` and `feed` of the bot in Python, called in this process."""
    spec = importlib.util.spec_from_file_location("starter", folder / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.choose, module.feed


class Played(NamedTuple):
    """Games of the bot in Python: every request to it and its answers, and by how much it beat the others' mean."""

    requests: list[Json]
    answers: list[Json]
    leads: list[float]


@pytest.fixture(scope="session")
def played(kits: Kits) -> Played:
    """Games of all sizes, in which nobody was expelled."""
    choose, feed = strategy(kits("python"))
    games = Played([], [], [])

    def said(question: Ask) -> Json:
        asked = json.loads(json.dumps(question.value))
        move = (choose if asked["type"] == "choose" else feed)(asked)
        games.requests.append(asked)
        games.answers.append({"id": asked["id"], "answer": move})
        return games.answers[-1]

    for number in range(60):
        players = 3 + number % 6
        game = new_game([f"player {seat}" for seat in range(players)], shuffled(number), watering_hole=number % 7)
        agents: list[Agent] = [Rash(f"{number}:{seat}") if seat % 2 else Silly() for seat in range(players)]
        mine, native = 1 + number % players, Native()
        while seats := pending(game):
            question = request(game, seats[0])
            if seats[0] == mine:
                answer(game, mine, hold(talk(native, question), question, said))
            else:
                answer(game, seats[0], ask(agents[seats[0] - 1], question))
        rows = ranking(game)
        assert [row.fault for row in rows] == [None] * players
        scores = {row.seat: row.score or 0 for row in rows}
        games.leads.append(scores.pop(mine) - mean(scores.values()))
    return games


def test_all_languages_have_one_strategy(language: str, kits: Kits, played: Played) -> None:
    moves = re.findall(r'"move": "(\w+)"', json.dumps(played.answers))
    assert set(moves) >= {"play", "graze", "attack"}
    assert told(kits(language), *played.requests) == (0, played.answers, "")


def test_it_is_better_than_chance(played: Played) -> None:
    assert mean(played.leads) > 1


FAT: Json = {"move": "store", "board": 1, "tokens": 2}


def test_fat_is_stored_when_nothing_else_can_be_done(language: str, kits: Kits) -> None:
    feeds: list[Json] = [{"type": "feed", "id": 7, "options": [FAT]}, {"type": "feed", "id": 8, "options": []}]
    answers: list[Json] = [{"id": 7, "answer": FAT}, {"id": 8, "answer": {"move": "decline"}}]
    assert told(kits(language), *feeds) == (0, answers, "")


def test_what_a_bot_does_not_know_it_ignores(language: str, kits: Kits) -> None:
    long: Json = {"type": "news", "of": [{"deep": [[[[None, True, False, -1.5e3, '\n"\\/ é 象 🦒']]]]}] * 5_000}
    plain: Json = {"of": long}
    feed: Json = {"n": 1, "\u00fc": [], "type": "feed", "id": 1, "later": {}, "options": [FAT], "more": None}
    assert len(json.dumps(long)) > 200_000
    assert told(kits(language), long, plain, feed) == (0, [{"id": 1, "answer": FAT}], "")


@pytest.mark.parametrize("kind", ["expelled", "refused"])
def test_who_must_go_says_why(language: str, kind: str, kits: Kits) -> None:
    out: Json = {
        "type": kind,
        "reason": "illegal",
        "text": "plays card 4, counted from 0, but holds only 4",
        "rule": "cardplay.cards",
    }
    assert told(kits(language), out) == (1, [], f"{kind}: plays card 4, counted from 0, but holds only 4\n")


def test_the_end_of_the_stream_is_the_end(language: str, kits: Kits) -> None:
    assert told(kits(language)) == (0, [], "")


# What the README says


def test_the_examples_in_the_readme_are_what_a_server_takes(language: str, kits: Kits) -> None:
    readme = (kits(language) / "README.md").read_text()
    sign_up, *answers = [json.loads(example) for example in re.findall(r"`(\{.*?\})`", readme)]
    assert sign_up_in(sign_up).name == "Ann"
    for value in answers:
        assert (
            json.loads(msgspec.json.encode(msgspec.convert(value, Answer, dec_hook=dec_hook), enc_hook=enc_hook))
            == value
        )
    assert [value["answer"]["move"] for value in answers] == ["play", "graze", "attack", "store", "decline"]


def test_the_readme_has_every_message_and_is_the_same_for_all_languages(language: str, kits: Kits) -> None:
    said = [(kits(each) / "README.md").read_text().split("## What is said")[1] for each in ("python", language)]
    assert said[0] == said[1]
    [table] = re.findall(r"^\| `type` .*?\n\n", said[0], re.MULTILINE | re.DOTALL)
    _, _, *rows = table.strip().splitlines()
    kinds = [kind.__struct_config__.tag for kind in get_args(ServerMessage)]
    assert sorted(re.findall(r"`(\w+)`", "".join(row.split("|")[1] for row in rows))) == sorted(kinds)
