"""Agents at somebody else's table: the same games as at our own, and whatever else servers do."""

import asyncio
import contextlib
import itertools
import json
import socket
import threading
import time
from collections.abc import Callable, Sequence

import pytest

from tests.cases import case
from tests.scenario import board
from tests.server.strangers import (
    CERTIFICATE,
    FOR_EVER,
    HERE,
    Stranger,
    deaf,
    deaf_port,
    hosted,
    refused_once,
    run,
    stranger,
)
from tests.wire.requesting import HAND
from wateringhole.agents import Agent
from wateringhole.agents.bad import Bad
from wateringhole.agents.house import HOUSE, named
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import Card, shuffled
from wateringhole.fault import Reason
from wateringhole.record import Result
from wateringhole.server.client import KEPT_BYTES, MAX_MESSAGE_BYTES, Ending, UnreachableError, connect
from wateringhole.table import play
from wateringhole.view import Choose, Own
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import action4_out, boards_out, cards_out
from wateringhole.wire.respondent import Respondent, RespondentAgent, Values

DIALECTS = ["s16", "hello", "tagged", "native"]
EARLY = "the server closed the connection in turn 1, too early for the end of a game"


def silly(_: int) -> Agent:
    return Silly()


def rash(seat: int) -> Agent:
    return Rash(seat)


def either(seat: int) -> Agent:
    return Rash(seat) if seat % 2 else Silly()


async def remote(
    agents: Sequence[Agent], dialects: Sequence[str], deck: Sequence[Card], separator: str, tagged_growth: bool
) -> tuple[Result, list[Ending]]:
    """A game of these agents, each over a connection of its own, as our server saw it and as each of them did."""
    async with hosted(len(agents), deck) as host:
        visits = []
        for seat, (agent, dialect) in enumerate(zip(agents, dialects, strict=True), 1):
            port = host.ports["tagged" if dialect == "tagged" else None]
            visit = connect(agent, HERE, port, dialect, f"guest {seat}", separator, tagged_growth)
            visits.append(asyncio.create_task(visit))
            await host.signed_up(seat)
        return await host.result, await asyncio.gather(*visits)


def check_game(
    make: Callable[[int], Agent], dialects: Sequence[str], separator: str = "\n", tagged_growth: bool = False
) -> None:
    """A remote game is the local one, and everybody is told of its end what the dialect tells."""
    seats = range(1, len(dialects) + 1)
    deck = shuffled(len(dialects))
    result, endings = run(remote([make(seat) for seat in seats], dialects, deck, separator, tagged_growth))
    names = [f"player {n}" if word == "hello" else f"guest {n}" for n, word in zip(seats, dialects, strict=True)]
    assert result == play([make(seat) for seat in seats], deck, names)
    assert {row.fault for row in result.ranking} == {None}
    scores = tuple((row.seat, row.score) for row in result.ranking)
    turns = {ending.turns for ending in endings}
    for seat, dialect, ending in zip(seats, dialects, endings, strict=True):
        assert ending.failure == ""
        assert ending.scores == (scores if dialect in {"hello", "native"} else None)
        assert ending.seat == (0 if dialect == "s16" else seat)
        assert json.loads(ending.last_reply) is not None
    assert len(turns) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_remote_game_equals_the_local_one(dialect: str) -> None:
    for make, number in itertools.product((silly, rash), range(3, 9)):
        with case(make.__name__, number):
            check_game(make, [dialect] * number)


def test_a_remote_game_of_all_dialects_equals_the_local_one() -> None:
    for number in range(3, 9):
        with case(number):
            check_game(either, [DIALECTS[seat % 4] for seat in range(number)])


@pytest.mark.parametrize("separator", ["\n", " ", ""], ids=["newline", "space", "none"])
@pytest.mark.parametrize("tagged_growth", [False, True])
def test_our_server_takes_any_separator_and_both_spellings_of_growth(separator: str, tagged_growth: bool) -> None:
    check_game(either, [*DIALECTS, *DIALECTS], separator, tagged_growth)


def house(name: str) -> Agent:
    """A bot of the house; one that searches does so briefly."""
    return named(name, f"{name} by socket", {"iterations": "2"} if "iterations" in HOUSE[name].options else {})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_bot_of_the_house_plays_a_remote_game_to_its_end(dialect: str) -> None:
    for at in range(0, len(HOUSE), 3):
        names = [*[*HOUSE][at : at + 3], "silly", "greedy"]
        with case(names):
            agents = [house(name) for name in names]
            deck = shuffled(at)[:70]  # of two or three turns: some take their time in plain Python
            result, endings = run(remote(agents, [dialect] * len(agents), deck, "\n", False))
            assert {row.fault for row in result.ranking} == {None}
            assert {ending.failure for ending in endings} == {""}


# Agents that misbehave.


@pytest.mark.parametrize(
    ("name", "reason", "failure"),
    [
        ("card-twice", Reason.ILLEGAL, EARLY),
        ("missing-card", Reason.ILLEGAL, EARLY),
        ("missing-feeding-board", Reason.ILLEGAL, EARLY),
        ("feeding-for-play", Reason.SHAPE, EARLY),
        ("raises-in-start", Reason.DISCONNECTED, "the agent raised in start: TantrumError: I do not want to"),
        ("exits-in-choose", Reason.DISCONNECTED, "the agent raised in choose: SystemExit: I am leaving"),
        ("text-for-play", Reason.DISCONNECTED, 'the agent answers choose with "all my cards": not a move'),
    ],
)
def test_what_an_agent_does_wrong_gets_it_expelled_there(name: str, reason: Reason, failure: str) -> None:
    agents: list[Agent] = [Bad(name), Silly(), Silly()]
    result, endings = run(remote(agents, ["s16"] * 3, shuffled(1), "\n", False))
    [fault] = [row.fault for row in result.ranking if row.fault]
    assert fault.reason == reason
    assert [ending.failure for ending in endings] == [failure, "", ""]
    assert [ending.thrown_out for ending in endings] == [failure == EARLY, False, False]


# The servers of others.

BOARDS = boards_out([board(), board()])
START = json.dumps([0, 0, BOARDS, cards_out(HAND)]).encode()
CHOOSE = json.dumps([[boards_out([board()])], [BOARDS, boards_out([board()])]]).encode()  # ourselves among those after
FEED = json.dumps([0, BOARDS, [], 3, [boards_out([board()])]]).encode()
PLAY = json.dumps(
    action4_out(Silly().choose(Choose(Own(0, (board(), board()), HAND, 0), 0, (), ()))), separators=(",", ":")
).encode()


def visit(script: Callable[[Stranger], None], dialect: str = "s16", separator: str = "\n", tls: bool = False) -> Ending:
    """How a silly player's visit to a server with this script ends."""
    with stranger(script) as port:
        return run(connect(Silly(), HERE, port, dialect, "Ada", separator, tls=tls))


def one_turn(last_received: str, last_reply: str) -> Ending:
    """How a visit ends that the server ends in turn 1."""
    return Ending(EARLY, 1, 0, None, last_received, last_reply, thrown_out=True)


def test_a_server_that_closes_after_turn_1_may_have_ended_the_game() -> None:
    def script(server: Stranger) -> None:
        server.line()
        server.send(b'"ok"' + START + CHOOSE)
        server.line()
        server.send(START)

    assert visit(script) == Ending("", 2, 0, None, START.decode(), PLAY.decode())


def test_a_stranger_that_speaks_in_one_breath_then_keeps_silent_and_just_closes() -> None:
    def script(server: Stranger) -> None:
        assert server.line() == b'"Ada"\n'
        time.sleep(0.1)  # longer than a bare number would take to be complete
        server.send(b'"ok"' + START + CHOOSE)
        assert server.line() == PLAY + b"\n"
        time.sleep(0.1)
        server.send(FEED)
        assert server.line() == b"0\n", "white space after a bare number"

    assert visit(script) == one_turn(FEED.decode(), "0")


def test_a_stranger_whose_messages_arrive_byte_by_byte() -> None:
    def script(server: Stranger) -> None:
        server.line()
        for byte in b' "ok" \r\n' + START + b"\n\t" + CHOOSE:
            server.send(bytes([byte]))
        assert server.line() == PLAY + b"\n"

    assert visit(script).failure == EARLY


@pytest.mark.parametrize("separator", [" ", ""], ids=["space", "none"])
def test_nothing_but_the_separator_follows_a_value(separator: str) -> None:
    mark = separator.encode()

    def script(server: Stranger) -> None:
        for message, answer in ((b'"ok"', b'"Ada"'), (START + CHOOSE, None), (FEED, PLAY), (b"", b"0")):
            if answer is not None:
                assert server.receive(len(answer + mark)) == answer + mark
            if message:
                server.send(message)

    assert visit(script, separator=separator) == one_turn(FEED.decode(), "0")


def test_a_stranger_that_resets_the_connection_at_the_end_has_closed_it() -> None:
    def script(server: Stranger) -> None:
        server.line()
        server.send(b'"ok"' + START + CHOOSE)
        server.line()
        server.reset()

    assert visit(script) == one_turn(CHOOSE.decode(), PLAY.decode())


def test_a_large_message_is_understood_and_kept_in_part() -> None:
    large = CHOOSE[:1] + b" " * 500_000 + CHOOSE[1:]

    def script(server: Stranger) -> None:
        server.line()
        server.send(b'"ok"' + START + large)
        assert server.line() == PLAY + b"\n"

    assert visit(script) == one_turn(large[:KEPT_BYTES].decode(), PLAY.decode())


def test_a_full_table_and_a_closed_door_are_failures() -> None:
    assert visit(lambda server: server.send(b'"game full"'), "hello").failure == "the game is full"
    assert visit(lambda _: None).failure == "the server closed the connection before the first turn"
    assert (
        visit(lambda server: server.send(b'"ok"')).failure == "the server closed the connection before the first turn"
    )


def test_in_hello_the_game_is_not_over_before_the_scores() -> None:
    player: Json = [["id", 2], ["species", []], ["bag", 0], ["cards", []]]
    started = b'"ack"' + json.dumps(["start", player]).encode()

    def script(scores: bytes) -> Callable[[Stranger], None]:
        def told(server: Stranger) -> None:
            assert server.line() == b'"Hello"\n'
            server.send(started + scores)

        return told

    early, late = visit(script(b""), "hello"), visit(script(b"[[1, 20], [2, 3]]"), "hello")
    assert early.failure == "the server closed the connection before it told the scores"
    assert (late.failure, late.seat, late.scores) == ("", 2, ((1, 20), (2, 3)))


RUBBISH = [
    (b'"ok"' + START[:25], "cannot be read: only the first 25 bytes of a value"),
    (b'"o', "cannot be read: only the first 2 bytes of a value"),
    (b"<html>", "byte 0x3c"),
    (b"SSH-2.0-OpenSSH_9.2\r\n", "cannot be read: not JSON"),
    (b'"ok"[1, nope]', "cannot be read: not JSON"),
    (b'"\xff"', "cannot be read: not UTF-8"),
    (b"[" * 17, "cannot be read: JSON nested more than 16 deep"),
    (b'"' + b"x" * MAX_MESSAGE_BYTES, f"cannot be read: a value of more than {MAX_MESSAGE_BYTES} bytes"),
    (b'"no"', 'is not in the dialect: the sign-up is answered with "no", not with "ok"'),
    (b'"ok"' + START + b"[1, 2, 3]", "is not in the dialect: a message has 3 items"),
    (b'"ok"{"version": 1}', 'is not in the dialect: a message is {"version": 1}, not an array'),
    (b'"ok"' + CHOOSE, "is not in the dialect: choose comes before the first start"),
]


def test_a_server_that_talks_rubbish_is_left_with_a_sentence() -> None:
    for sent, says in RUBBISH:

        def script(server: Stranger, sent: bytes = sent) -> None:
            server.line()
            server.send(sent)

        with case(sent):
            ending = visit(script)
            assert says in ending.failure
            assert ending.failure.isprintable()
            assert len(ending.failure) < 300


def test_a_lone_number_is_rubbish_even_if_nothing_follows() -> None:
    left = []

    def script(server: Stranger) -> None:
        server.line()
        server.send(b'"ok"5')
        left.append(server.rest())

    assert visit(script).failure.endswith("a message is 5, not an array")
    assert left == [b""], "the guest has left by itself"


# Getting there.


def test_a_refused_connection_is_told_with_the_address() -> None:
    with deaf_port() as port, pytest.raises(UnreachableError) as error:
        run(connect(Silly(), HERE, port))
    assert str(error.value) == f"could not connect to {HERE}:{port}: Connection refused"


def test_each_address_of_a_host_is_tried_and_one_reason_given() -> None:
    with deaf_port() as port, pytest.raises(UnreachableError) as error:
        run(connect(Silly(), "localhost", port))
    assert str(error.value) == f"could not connect to localhost:{port}: Connection refused"


@pytest.mark.parametrize("host", ["a..b", "x" * 70])
def test_what_cannot_be_a_host_is_told(host: str) -> None:
    with pytest.raises(UnreachableError, match="that is no host's name"):
        run(connect(Silly(), host, 1, retry=60))


def test_a_server_that_comes_late_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(server: Stranger) -> None:
        server.line()
        server.send(b'"ok"' + START)

    async def late(taken: socket.socket) -> Ending:
        refused = refused_once(monkeypatch)
        visiting = asyncio.create_task(connect(Silly(), HERE, taken.getsockname()[1], retry=FOR_EVER))
        await refused.wait()
        assert not visiting.done()
        arriving = stranger(script, taken)
        arriving.__enter__()
        ending = await visiting
        await asyncio.to_thread(arriving.__exit__, None, None, None)
        return ending

    with deaf() as taken:
        assert run(late(taken)).turns == 1


def test_a_visit_that_is_cancelled_leaves_at_once() -> None:
    left = []
    welcomed = threading.Event()

    def script(server: Stranger) -> None:
        server.line()
        server.send(b'"ok"')
        welcomed.set()
        left.append(server.rest())

    async def leave(port: int) -> None:
        visiting = asyncio.create_task(connect(Silly(), HERE, port))
        assert await asyncio.to_thread(welcomed.wait, FOR_EVER)
        visiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await visiting

    with stranger(script) as port:
        run(leave(port))
    assert left == [b""]


# TLS.


def test_a_game_by_tls_with_a_certificate_that_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))

    def script(server: Stranger) -> None:
        server.secure()
        assert server.line() == b'"Ada"\n'
        server.send(b'"ok"' + START + CHOOSE)
        assert server.line() == PLAY + b"\n"

    assert visit(script, tls=True) == one_turn(CHOOSE.decode(), PLAY.decode())


def test_a_certificate_that_is_not_trusted_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)

    def script(server: Stranger) -> None:
        with contextlib.suppress(OSError):  # the guest turns round at the door
            server.secure()

    with stranger(script) as port, pytest.raises(UnreachableError) as error:
        run(connect(Silly(), HERE, port, tls=True, retry=60))
    assert str(error.value).startswith(f"could not connect to {HERE}:{port}: its certificate is not trusted: ")


def test_a_server_without_tls_is_told_from_one_that_is_not_there() -> None:
    def script(server: Stranger) -> None:
        server.receive(1)
        server.send(b'"ok"\n' * 20)

    with stranger(script) as port, pytest.raises(UnreachableError) as error:
        run(connect(Silly(), HERE, port, tls=True))
    assert str(error.value).startswith(f"could not connect to {HERE}:{port}: no TLS there: ")


class Buyer(Respondent):
    """Buys a board with its second card, grows it with the third, and feeds whatever can be fed."""

    def trade_cards_for_boards(self, cards: Values, *_: object, **__: object) -> Values:
        return cards[1:2]

    def trade_cards_for_population(self, cards: Values, *_: object, **__: object) -> Values:
        return cards[1:2]

    def select_board_to_give_population(self, boards: Values, *_: object, **__: object) -> int:
        return len(boards) - 1

    def select_species_order(self, boards: Values, *_: object, **__: object) -> list[int]:
        return list(range(len(boards)))


def buyer(seat: int) -> Agent:  # noqa: ARG001
    return RespondentAgent(Buyer())


async def mixed(words: Sequence[str], deck: Sequence[Card]) -> tuple[Result, list[Ending]]:
    """A game with a client of each of these dialects, in this order of seats."""
    async with hosted(len(words), deck) as host:
        visits = []
        for seat, word in enumerate(words, 1):
            port = host.ports[word if word in {"tagged", "requests"} else None]
            agent = buyer(seat) if word == "requests" else either(seat)
            visits.append(asyncio.create_task(connect(agent, HERE, port, word, f"guest {seat}")))
            await host.signed_up(seat)
        return await host.result, await asyncio.gather(*visits)


@pytest.mark.parametrize(
    "words",
    [
        ["requests"] * 3,
        ["requests"] * 8,
        ["s16", "hello", "tagged", "requests", "native"],
        ["native", "requests", "tagged", "hello", "s16", "requests", "native", "s16"],
    ],
    ids=", ".join,
)
def test_a_table_of_all_dialects_plays_the_local_game_to_its_end(words: list[str]) -> None:
    deck = shuffled("all dialects")
    result, endings = run(mixed(words, deck))
    names = [f"player {seat}" if word == "hello" else f"guest {seat}" for seat, word in enumerate(words, 1)]
    agents = [buyer(seat) if word == "requests" else either(seat) for seat, word in enumerate(words, 1)]
    assert result == play(agents, deck, names)
    assert {row.fault for row in result.ranking} == {None}
    assert [ending.failure for ending in endings] == [""] * len(words)
    turns = {ending.turns for ending in endings}
    assert len(turns) == 1
    for seat, (word, ending) in enumerate(zip(words, endings, strict=True), 1):
        if word == "requests":
            assert ending.scores == tuple((0, row.score) for row in result.ranking)
        if word in {"requests", "hello", "native"}:
            assert ending.place == [row.seat for row in result.ranking].index(seat)
