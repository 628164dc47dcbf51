"""Clients written from the first designs alone: they know no sign-up, connect and wait until the dealer speaks."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any, Final

from tests.cases import case
from tests.server.strangers import HERE
from tests.server.unhurried import run
from wateringhole.cards import shuffled
from wateringhole.record import Result
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Limits
from wateringhole.server.game_session import GameSession
from wateringhole.server.lobby import Lobby, Tables
from wateringhole.server.participants import RemoteParticipant

SOON: Final = Limits(silent_seconds=0.05)
Answers = Callable[[Any], Any]
NOTHING: Final = object()
"""No answer is due."""


# The design with tags on everything.


def tagged(message: Any) -> Any:
    """Uses all that an Action4 has; carnivores do not attack, because the design does not say how players count."""
    match message:
        case ["choce-actions", [player, _, _]]:
            state = dict(player)
            return ["play", action4([dict(board) for board in state["species"]], len(state["cards"]))]
        case ["pick-feeding", [[player, *_], tokens, _]]:
            return ["feeding", feeding([dict(board) for board in dict(player)["species"]], tokens)]
    assert message[0] == "start-round"
    return NOTHING


def action4(boards: list[dict[str, Any]], cards: int) -> list[Any]:
    population = [["population", 0, 1]] if cards > 1 and boards[0]["population"] < 7 else []
    body = [["body", 0, 4]] if cards > 4 and boards[0]["body"] < 7 else []
    new = [[2, 3]] if cards > 3 else []
    bearing = [at for at, board in enumerate(boards) if board["traits"]]
    replaced = [[bearing[0], 0, 5]] if cards > 5 and bearing else []
    return [0, population, body, new, replaced]


def feeding(boards: list[dict[str, Any]], tokens: int) -> Any:
    for at, board in enumerate(boards):
        need = board["body"] - board.get("fat-food", 0)
        if "fat-tissue" in board["traits"] and need:
            return [at, min(need, tokens)]
        if "carnivore" not in board["traits"] and board["food"] < board["population"]:
            return at
    return False


# The design with a list of requests.


class Requested:
    """A method for each request; it takes the first of what it is offered, and hunts what has no traits."""

    def __call__(self, message: Any) -> Any:
        name, arguments = message
        return getattr(self, name)(**arguments)

    def place_cards_on_boards(self, cards: Any, **_: Any) -> Any:
        return cards[:1]

    trade_cards_for_boards = trade_cards_for_body_size = place_cards_on_boards

    def trade_cards_for_population(self, cards: Any, **_: Any) -> Any:
        return cards  # all of them: the design does not speak of a card for the watering hole

    def select_board_for_card(self, boards: Any, **_: Any) -> Any:
        assert boards
        return 0

    select_board_to_give_body_size = select_board_to_give_population = select_board_for_card

    def select_species_discarded_cards(self, new_cards: Any, **_: Any) -> Any:
        return [*range(len(new_cards))]

    def select_species_order(self, boards: Any, opponents: Any, **_: Any) -> Any:
        return [at for at, board in enumerate(boards) if "Carnivore" not in names(board) or prey(opponents)]

    def select_attack(self, opponents: Any, **_: Any) -> Any:
        return prey(opponents)[0]

    def game_over(self, players: Any, me: int) -> Any:
        self.rank = me
        assert me < len(players)
        return NOTHING


def names(board: Any) -> list[str]:
    return [name for _, name in board[0]]


def prey(opponents: Any) -> list[list[int]]:
    """Boards without traits that no neighbour warns."""
    return [
        [player, at]
        for player, (boards, _, _) in enumerate(opponents)
        for at, board in enumerate(boards)
        if not names(board) and all("Warning Call" not in names(near) for near in boards[max(0, at - 1) : at + 2])
    ]


# The server, and the wire.


class Served:
    """A lobby with a port of its own for each of the two dialects; whom it turned away, and the result."""

    def __init__(self, players: int, limits: Limits) -> None:
        self.ports: dict[str, int] = {}
        self.turned_away: list[tuple[str, str]] = []
        self.result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self.lobby = Lobby(Tables(players, players), TimeControl(None), self._deal, limits)
        self.seated: list[RemoteParticipant] = []
        self.lobby.takers.append(self._seats)
        self.lobby.turned_away = lambda _, reason, text: self.turned_away.append((reason, text))

    async def _deal(self, guests: list[RemoteParticipant]) -> None:
        self.result.set_result(await GameSession(guests, shuffled("first designs")).play())

    def _seats(self, guest: RemoteParticipant) -> bool:
        """Take note of a guest, who sits down at a table of the lobby's."""
        self.seated.append(guest)
        return False

    async def has_seated(self, number: int) -> None:
        while len(self.seated) < number:
            await asyncio.sleep(0.001)

    async def connect(self, dialect: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(HERE, self.ports[dialect], limit=2**20)


@contextlib.asynccontextmanager
async def served(players: int, limits: Limits = SOON) -> AsyncIterator[Served]:
    server = Served(players, limits)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(server.lobby.close)
        for dialect in ("tagged", "requests"):
            loop = asyncio.get_running_loop()
            port = await loop.create_server(partial(server.lobby.new_connection, dialect), HERE, 0)
            stack.callback(port.close)
            server.ports[dialect] = port.sockets[0].getsockname()[1]
        yield server


async def play(server: Served, dialect: str, answers: Answers) -> None:
    """Connect, and answer what is asked until the server closes."""
    reader, writer = await server.connect(dialect)
    async for line in reader:
        answer = answers(json.loads(line))
        if answer is not NOTHING:
            writer.write(json.dumps(answer).encode())
    writer.close()


async def played(players: Sequence[str]) -> None:
    async with served(len(players)) as server:
        requested = [Requested() for _ in players]
        answers = [tagged if dialect == "tagged" else requested[at] for at, dialect in enumerate(players)]
        await asyncio.gather(*(play(server, *each) for each in zip(players, answers, strict=True)))
        result = await server.result
    assert [row.fault for row in result.ranking] == [None] * len(players)
    assert result.record.names == tuple(f"player {seat}" for seat in range(1, len(players) + 1))
    ranks = [client.rank for client, dialect in zip(requested, players, strict=True) if dialect == "requests"]
    assert len({*ranks}) == len(ranks), "each hears of another place"


def test_clients_that_only_wait_for_the_dealer_play_whole_games_of_3_to_8() -> None:
    for players in range(3, 9):
        for dialects in (["tagged"], ["requests"], ["requests", "tagged"]):
            with case(players, dialects):
                run(played([dialects[at % len(dialects)] for at in range(players)]))


# A name that comes late, or never in time.


def test_a_string_before_the_first_answer_is_the_name_of_a_silent_client() -> None:
    async def story() -> None:
        async with served(3) as server:
            lines = [await server.connect("tagged")]
            await server.has_seated(1)
            lines[0][1].write(b'"Ann"')
            assert await lines[0][0].readline() == b'"ok"\n'
            lines += [await server.connect("tagged") for _ in range(2)]
            for reader, _ in lines:
                assert json.loads(await reader.readline())[0] == "start-round"
            lines[1][1].write(b'"Too late to be called so" ')
            assert json.loads(await lines[1][0].readline())[0] == "choce-actions"
            assert await lines[1][0].readline() == b'"ok"\n'
            lines[1][1].write(b'"Twice"')
            lines[0][1].write(b'["play",[0,[],[],[],[]]]')
            lines[2][1].write(b'["play",[0,[],[],[],[]]]')
            assert await lines[1][0].readline() == b""
            for _, writer in lines:
                writer.close()
            result = await server.result
            assert result.record.names == ("Ann", "player 2", "player 3")
            [why] = [row.fault for row in result.ranking if row.fault is not None and row.seat == 2]
            assert why.text == 'answers choose badly: an answer is "Twice", not an array'

    run(story())


def test_a_client_that_has_begun_to_say_its_name_is_not_silent() -> None:
    async def story() -> None:
        async with served(3) as server:
            reader, writer = await server.connect("requests")
            writer.write(b' "An')
            _, silent = await server.connect("requests")
            await server.has_seated(1)
            writer.write(b'n"')
            assert await reader.readline() == b'"ok"\n'
            assert [guest.name for guest in server.seated] == ["", "Ann"]
            for each in (writer, silent):
                each.close()

    run(story())


def test_a_client_that_is_closed_before_it_has_a_seat_is_told_of_with_the_reason() -> None:
    patient = Limits(sign_up_seconds=0.05, silent_seconds=0.0)
    told: dict[bytes, tuple[Limits, str, str]] = {
        b"": (patient, "timeout", "is silent for 0.1 s"),
        b"5 ": (SOON, "refused", "5 is no sign-up"),
        b"]": (SOON, "bad-json", "sends a value that begins with byte 0x5d"),
        b'"Ann" "Ben"': (SOON, "unsolicited", 'sends "Ben" although nothing is asked'),
    }

    async def story(data: bytes, limits: Limits, reason: str, text: str) -> None:
        async with served(3, limits) as server:
            reader, writer = await server.connect("tagged")
            writer.write(data)
            await reader.read()
            assert repr(server.turned_away) == repr([(reason, text)]), "plain words for the log"
            writer.close()

    async def crowd() -> None:
        async with served(3, Limits(connections=0)) as server:
            reader, writer = await server.connect("tagged")
            await reader.read()
            assert server.turned_away == [("crowded", "there are 0 connections already")]
            writer.close()

    for data, row in told.items():
        with case(data):
            run(story(data, *row))
    run(crowd())
