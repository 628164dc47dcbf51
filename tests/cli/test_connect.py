"""`connect`: an agent at somebody else's table."""

import asyncio
import json
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import HANG, Ended, command, complained, ending, surroundings, well
from tests.cli.programs import written
from tests.cli.test_serve import serving
from tests.cli.test_startup import HEAVY, loaded
from tests.external import bot, nothing_left
from tests.scenario import board
from tests.server.strangers import HERE, Stranger, deaf_port, hosted, run, stranger
from tests.wire.requesting import HAND
from wateringhole.agents.rash import Rash
from wateringhole.cards import shuffled
from wateringhole.record import Result
from wateringhole.table import play
from wateringhole.view import Own
from wateringhole.wire.json_codec import boards_out, cards_out, player_out

START = json.dumps([0, 0, boards_out([board()]), cards_out(HAND[:3])]).encode()
CHOOSE = b"[[],[]]"
EXAMPLES = Path(__file__).parents[2] / "examples"
FILLED = ("--players", "3", "--fill", "silly", "--wait", "0.1", "--games", "1")
PLAY = "[2,[],[],[[1,0]],[]]"


def visited(script: Callable[[Stranger], None], *arguments: str, agent: str = "silly") -> tuple[Ended, int]:
    """How the command ended at a server with this script, and the server's port."""
    with stranger(script) as port:
        return command("connect", agent, f"tcp:{HERE}:{port}", *arguments), port


def one_turn(server: Stranger) -> None:
    """Turn 1, and the beginning of another, after which a game may be over."""
    assert server.line() == b'"silly"\n'
    server.send(b'"ok"' + START + CHOOSE)
    server.line()
    server.send(START)


# Whole games, each player a process of its own.


async def games(number: int, dialect: str, *arguments: str) -> tuple[Result, list[Ended], int]:
    """A game of so many rash players, as our server saw it, and how each of their commands ended."""
    async with hosted(number, shuffled(7)) as host:
        port = host.ports["tagged" if dialect == "tagged" else None]
        clients = []
        for seat in range(1, number + 1):
            line = ["connect", "rash", f"tcp:{HERE}:{port}", "--dialect", dialect, "--seed", str(seat), *arguments]
            client = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "wateringhole", *line),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=surroundings(),
            )
            clients.append(client)
            await host.signed_up(seat)
        result = await host.result
        ended = []
        for client in clients:
            out, err = await client.communicate()
            assert client.returncode is not None
            ended.append(Ended(client.returncode, out.decode(), err.decode()))
        return result, ended, port


@pytest.mark.parametrize(("dialect", "number"), [("s16", 3), ("hello", 4), ("tagged", 3)])
def test_a_game_of_commands_equals_the_local_one(dialect: str, number: int) -> None:
    result, ended, port = run(games(number, dialect))
    seats = range(1, number + 1)
    names = [f"player {seat}" if dialect == "hello" else "rash" for seat in seats]
    assert result.record == play([Rash(str(seat)) for seat in seats], shuffled(7), names).record
    for seat, end in zip(seats, ended, strict=True):
        out = well(end)
        if dialect == "hello":
            assert out.replace("  (our agent)", "").splitlines() == [
                f"{row.rank} player id: {row.seat} score: {row.score}" for row in result.ranking
            ]
            assert f"player id: {seat} score" in next(line for line in out.splitlines() if line.endswith("(our agent)"))
        else:
            assert out.startswith(f"{HERE}:{port} closed the connection in turn ")
            assert json.loads(out.partition("our last reply was ")[2]) is not None


def test_json_tells_the_scores_and_the_last_words() -> None:
    result, ended, _ = run(games(3, "hello", "--json"))
    for seat, end in enumerate(ended, 1):
        told = json.loads(well(end))
        assert told["scores"] == [{"id": row.seat, "score": row.score} for row in result.ranking]
        assert json.loads(told.pop("last_received")) == [[row.seat, row.score] for row in result.ranking]
        assert json.loads(told.pop("last_reply")) is not None
        assert told.pop("turns") > 1
        del told["scores"]
        [rank] = [row.rank for row in result.ranking if row.seat == seat]
        assert told == {
            "agent": "rash",
            "seed": str(seat),
            "dialect": "hello",
            "failure": None,
            "id": seat,
            "rank": rank,
        }


QUESTIONED = f"py:{EXAMPLES}/requests_agent.py:Gardener"


def test_a_respondent_is_told_turns_and_scores_but_no_ids() -> None:
    for arguments in ([], ["--json"]):
        with case(arguments), serving(*FILLED, "--port", "0:requests", "--silent", "0") as (server, [port]):
            line = ["connect", QUESTIONED, f"tcp:{HERE}:{port}", "--dialect", "requests", "--in-process"]
            out = well(command(*line, *arguments))
            said, _ = server.communicate(timeout=HANG)
            rows = [row.split() for row in said.splitlines() if " score: " in row]
            [ours] = [row[0] for row in rows if "Gardener" in row]
            if arguments:
                told = json.loads(out)
                assert told["scores"] == [{"id": None, "score": int(row[-1])} for row in rows]
                assert (told["failure"], told["id"], told["rank"]) == (None, None, int(ours))
                assert told["turns"] > 1
            else:
                shown = [f"{row[0]} player score: {row[-1]}" for row in rows]
                assert [one.removesuffix("  (our agent)") for one in out.splitlines()] == shown
                [marked] = [one for one in out.splitlines() if one.endswith("(our agent)")]
                assert marked.split()[0] == ours


# The sentences.


def test_where_no_scores_are_told_the_end_is_told_with_the_last_reply() -> None:
    ended, port = visited(one_turn)
    assert well(ended) == f"{HERE}:{port} closed the connection in turn 2; our last reply was {PLAY}\n"


def test_a_server_that_asks_nothing_has_no_last_reply() -> None:
    ended, port = visited(lambda server: server.send(b'"ok"' + START + START))
    assert well(ended) == f"{HERE}:{port} closed the connection in turn 2\n"


def test_a_client_that_is_thrown_out_in_turn_1_is_told_the_usual_causes() -> None:
    start = json.dumps(["start-round", player_out(1, Own(1, (board(),), HAND[:3], 0))]).encode()
    for dialect, messages, spelling in (("s16", b'"ok"' + START, True), ("tagged", b'"ok"' + start, False)):

        def script(server: Stranger, messages: bytes = messages) -> None:
            server.send(messages)

        with case(dialect):
            ended, port = visited(script, "--dialect", dialect)
            assert complained(ended, f"{HERE}:{port}: the server closed the connection in turn 1, too early", code=1)
            assert "(--separator newline, space or none)" in ended.err
            assert ("(--growth tagged or bare)" in ended.err) == spelling


def test_equal_scores_share_a_rank() -> None:
    ended, _ = visited(lambda server: server.send(b'"ack"[[3, 9], [1, 5], [2, 5], [4, 0]]'), "--dialect", "hello")
    assert [line.split()[0] for line in well(ended).splitlines()] == ["1", "2", "2", "4"]


def test_nobody_there() -> None:
    with deaf_port() as port:
        ended = command("connect", "silly", f"tcp:{HERE}:{port}")
        assert ended.err == f"wateringhole: could not connect to {HERE}:{port}: Connection refused\n"
        assert complained(ended, code=1)
        assert complained(command("connect", "silly", f"tcp:{HERE}:{port}", "--retry", "0.2", "--json"), code=1)


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (b'"ok"' + START + CHOOSE + START[:9], "only the first 9 bytes of a value"),
        (b"<html>", "byte 0x3c"),
        (b'"ok"[1]', "the server sends what is not in the dialect: a message has 1 items"),
        (b"", "the server closed the connection before the first turn"),
    ],
)
def test_a_broken_visit_is_one_sentence_and_exit_code_1(sent: bytes, says: str) -> None:
    def script(server: Stranger) -> None:
        server.line()
        server.send(sent)

    ended, port = visited(script)
    assert complained(ended, f"{HERE}:{port}: ", says, code=1)
    assert ("our last reply was [2," in ended.err) == (CHOOSE in sent)


def test_json_tells_a_failure_too() -> None:
    def script(server: Stranger) -> None:
        server.line()
        server.send(b'"ok"[1]')

    ended, port = visited(script, "--json", "--seed", "x")
    assert ended.code == 1
    assert json.loads(ended.out) == {
        "agent": "silly",
        "seed": "x",
        "dialect": "s16",
        "failure": "the server sends what is not in the dialect: a message has 1 items, "
        "not 4 (start), 2 (choose) or 5 (feed): [1]",
        "turns": 0,
        "id": None,
        "rank": None,
        "scores": None,
        "last_received": "[1]",
        "last_reply": None,
    }
    assert ended.err.startswith(f"wateringhole: {HERE}:{port}: the server sends")


def test_a_full_table_is_told() -> None:
    ended, _ = visited(lambda server: server.send(b'"game full"'), "--dialect", "hello")
    assert complained(ended, "the game is full", code=1)


def test_an_agent_that_fails_is_told() -> None:
    def script(server: Stranger) -> None:
        server.line()
        server.send(b'"ok"' + START + CHOOSE)
        server.rest()

    ended, _ = visited(script, agent="bad:exits-in-choose")
    assert complained(ended, "the agent raised in choose: SystemExit: I am leaving", code=1)


# The options.


SIGN_UPS: list[tuple[list[str], bytes]] = [
    ([], b'"silly"\n'),
    (["--separator", "newline"], b'"silly"\n'),
    (["--separator", "space"], b'"silly" '),
    (["--separator", "none"], b'"silly"'),
    (["--name", "Ada B."], b'"Ada B."\n'),
    (["--name", ""], b'""\n'),
    (["--dialect", "tagged", "--name", "Hello"], b'"Hello"\n'),
    (["--dialect", "hello"], b'"Hello"\n'),
    (["--dialect", "tagged", "--no-name"], b""),
]


def test_the_sign_up_is_as_the_options_say() -> None:
    def heard_of(arguments: list[str], number: int) -> list[bytes]:
        heard = []

        def script(server: Stranger) -> None:
            heard.append(server.receive(number))
            server.send(b"{}")
            heard.append(server.rest())

        visited(script, *arguments)
        return heard

    for arguments, sent in SIGN_UPS:
        with case(arguments, sent):
            assert heard_of(arguments, len(sent)) == [sent, b""]


@pytest.mark.parametrize(
    ("arguments", "growth"),
    [([], "[[1,3]]"), (["--growth", "bare"], "[[1,3]]"), (["--growth", "tagged"], '[["population",1,3]]')],
    ids=str,
)
def test_growth_is_spelt_as_the_options_say(arguments: list[str], growth: str) -> None:
    start = json.dumps([0, 0, boards_out([board()]), cards_out(sorted(HAND[:4], key=lambda card: card.order))])

    def script(server: Stranger) -> None:
        server.line()
        server.send(b'"ok"' + start.encode() + CHOOSE)
        server.line()
        server.send(START)

    ended, _ = visited(script, *arguments)
    assert growth in well(ended)


def test_the_dice_follow_the_seed() -> None:
    def reply(*arguments: str) -> str:
        hand = json.dumps([0, 0, boards_out([board()]), cards_out(shuffled(1)[:30])]).encode()

        def script(server: Stranger) -> None:
            server.line()
            server.send(b'"ok"' + hand + CHOOSE)
            server.line()
            server.send(START)

        return well(visited(script, *arguments, agent="rash")[0]).partition("our last reply was ")[2]

    assert reply("--seed", "1") == reply("--seed", "1")
    assert len({reply("--seed", "1"), reply("--seed", "2"), reply(), reply()}) == 4


MISTAKES: list[tuple[list[str], list[str]]] = [
    ([], ["AGENT"]),
    (["silly"], ["tcp:HOST:PORT"]),
    (["nobody", "tcp:localhost:1"], ['unknown agent "nobody"']),
    (["bad:nothing", "tcp:localhost:1"], ['no misdeed "nothing"']),
    (["silly", "localhost:1"], ['"localhost:1" is not tcp:HOST:PORT']),
    (["silly", "tcp:localhost"], ['"tcp:localhost" is not tcp:HOST:PORT']),
    (["silly", "tcp::1"], ['"tcp::1" is not']),
    (["silly", "tcp:a:b"], ['"tcp:a:b" is not']),
    (["silly", "tcp:a b:1"], ['"tcp:a b:1" is not']),
    (["silly", "tcp:::1:1"], ['"tcp:::1:1" is not']),
    (["silly", "tcp:[::1]"], ['"tcp:[::1]" is not']),
    (["silly", "tcp:localhost:0"], ["the port 0 is not one of 1 to 65535"]),
    (["silly", "tcp:localhost:65536"], ["the port 65536 is not one of 1 to 65535"]),
    (["silly", "tcp:localhost:" + "9" * 5000], ["the port 9999"]),
    (["silly", "tcp:localhost:٣"], ["is not tcp:HOST:PORT"]),
    (["silly", "tcp:localhost:1", "more"], ["more"]),
    (["silly", "tcp:localhost:1", "--dialect", "klingon"], ["'klingon'", "s16", "hello", "tagged"]),
    (["silly", "tcp:localhost:1", "--separator", "comma"], ["'comma'", "newline", "space", "none"]),
    (["silly", "tcp:localhost:1", "--retry", "soon"], ["'soon'"]),
    (["silly", "tcp:localhost:1", "--retry", "-1"], ["--retry is -1.0", "0 to 86400"]),
    (["silly", "tcp:localhost:1", "--retry", "nan"], ["--retry is nan", "0 to 86400"]),
    (["silly", "tcp:localhost:1", "--retry", "1e9"], ["--retry is 1000000000.0", "0 to 86400"]),
    (["silly", "tcp:localhost:1", "--name", "Hello"], ['--name "Hello"']),
    (["silly", "tcp:localhost:1", "--name", "x" * 65], ["--name has 65 characters, above 64"]),
    (["silly", "tcp:localhost:1", "--name", "Ada", "--dialect", "hello"], ['--name "Ada"', "hello"]),
    (["silly", "tcp:localhost:1", "--no-name"], ["--no-name", "dialect s16"]),
    (["silly", "tcp:localhost:1", "--no-name", "--dialect", "native"], ["--no-name", "dialect native"]),
    (["silly", "tcp:localhost:1", "--no-name", "--name", "A", "--dialect", "tagged"], ["--no-name", '--name "A"']),
    (["silly", "tcp:localhost:1", "--dialect", "requests"], ["silly cannot play", "eleven questions", "--in-process"]),
    ([QUESTIONED, "tcp:localhost:1", "--dialect", "requests"], ["only with --in-process"]),
    (
        [f"py:{EXAMPLES}/agent.py:Thrifty", "tcp:localhost:1", "--dialect", "requests", "--in-process"],
        ["does not answer the eleven questions"],
    ),
    (["silly", "tcp:localhost:1", "--seed", "x" * 1001], ["the seed has 1001 characters"]),
]


def test_a_mistake_is_one_sentence() -> None:
    for arguments, values in MISTAKES:
        with case(arguments, values):
            assert complained(command("connect", *arguments), *values)


def test_a_version_six_address_is_shown_as_it_was_given() -> None:
    ended = command("connect", "silly", "tcp:[::1]:1")
    assert complained(ended, "could not connect to [::1]:1: ", code=1)


def test_the_help_teaches_by_examples() -> None:
    out = well(command("connect", "--help"))
    assert out.count("  wateringhole connect ") >= 4
    assert "Exit code" in out


def test_nothing_heavy_is_loaded_before_it_connects() -> None:
    modules = loaded("connect", "--help")
    assert [module for module in HEAVY if module in modules] == []


# A user who is there.


def test_an_interrupt_ends_it_without_a_word() -> None:
    waits = threading.Event()

    def script(server: Stranger) -> None:
        server.line()
        server.send(b'"ok"')
        waits.set()
        assert server.rest() == b""

    line = [sys.executable, "-m", "wateringhole", "connect", "silly"]
    with stranger(script) as port:
        words = [*line, f"tcp:{HERE}:{port}"]
        with ending(
            subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings())
        ) as client:
            assert waits.wait(HANG)
            client.send_signal(signal.SIGINT)
            out, err = client.communicate(timeout=HANG)
    assert (client.returncode, out, err.strip()) == (130, b"", b"")


@pytest.mark.parametrize("dialect", ["s16", "native"])
def test_an_interrupt_does_not_wait_for_an_agent_that_thinks(dialect: str, tmp_path: Path) -> None:
    thinks = tmp_path / "thinks"
    program = bot(tmp_path, f"asked()\nopen({str(thinks)!r}, 'w').write('now\\n')\nsleep()")
    with serving("--players", "3", "--fill", "silly", "--wait", "0.1", "--time", "none") as (_, [port]):
        words = ["connect", f"{program}?sandbox=off", f"tcp:{HERE}:{port}", "--dialect", dialect, "--time", "none"]
        with (
            nothing_left(tmp_path),
            ending(
                subprocess.Popen(
                    [sys.executable, "-m", "wateringhole", *words],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=surroundings(),
                )
            ) as client,
        ):
            written(thinks)
            client.send_signal(signal.SIGINT)
            out, err = client.communicate(timeout=HANG)
    assert (client.returncode, out, err.strip()) == (130, b"", b"")


def test_a_user_at_a_terminal_is_told_what_it_waits_for() -> None:
    ours, theirs = pty.openpty()
    with stranger(one_turn) as port:
        line = [sys.executable, "-m", "wateringhole", "connect", "silly", f"tcp:{HERE}:{port}"]
        done = subprocess.run(line, stdout=subprocess.PIPE, stderr=theirs, timeout=HANG, check=True, env=surroundings())
    os.close(theirs)
    told = os.read(ours, 1_000).decode()
    os.close(ours)
    assert told == f"silly plays at {HERE}:{port}, once the table is full; Ctrl-C leaves.\r\n"
    assert b"closed the connection" in done.stdout
