"""What an earlier server left, and what this one makes of it."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from wateringhole import Rash, play
from wateringhole.cards import shuffled
from wateringhole.fair import Deal
from wateringhole.fault import Fault, Reason
from wateringhole.record import Record, faces, text
from wateringhole.server.clock import TimeControl
from wateringhole.server.connection import Connection, Limits
from wateringhole.server.games import Games, Service
from wateringhole.server.listening import ListenError
from wateringhole.server.participants import RemoteParticipant
from wateringhole.server.service import serve
from wateringhole.store.append_files import AppendFolder
from wateringhole.store.data_folder import RUNNING, DataFolder, open_data_folder
from wateringhole.store.finished_game import finished
from wateringhole.store.game_log import GameLog, GameLogs
from wateringhole.store.log_entries import VERSION, LogContents, Opening, SeatTicket, stamp
from wateringhole.wire.framing import Json
from wateringhole.wire.native import Native

NAMES = ("Ann", "Bob", "Cleo")


def record() -> Record:
    return play([Rash(1), Rash(2), Rash(3)], shuffled("left"), NAMES).record


def begun(game_logs: GameLogs, replies: int = 4) -> GameLog:
    """The journal of a game of three strangers after so many replies."""
    game = record()
    tickets = tuple(SeatTicket("stranger", name) for name in NAMES)
    game_log = game_logs.new(Opening(VERSION, 1, stamp(), NAMES, tickets, faces(game.deck)))
    game_log.asked(1)
    game_log.replied(game.replies[:replies])
    return game_log


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[DataFolder]:
    with open_data_folder(tmp_path) as found:
        yield found


def service(kept: DataFolder, port: int = 0) -> Service:
    return Service(
        lambda number: Deal(shuffled(number)),
        lambda _, __: None,
        lambda *_: None,
        ports=((port, None),),
        grace=0.0,
        game_logs=kept.game_logs,
        archiver=kept.archiver,
    )


def test_a_server_that_cannot_start_leaves_everything_as_it_was(kept: DataFolder) -> None:
    assert kept.game_logs is not None
    begun(kept.game_logs).close()
    [before] = kept.game_logs.found()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ListenError, match="Address already in use"):
            asyncio.run(serve(service(kept, taken.getsockname()[1])))
    [left] = kept.game_logs.found()
    assert left == before
    assert kept.archiver.store.count() == 0


@pytest.mark.parametrize("everybody", [True, False])
def test_a_game_that_ended_without_players_was_abandoned_also_if_the_store_hears_of_it_later(
    kept: DataFolder, everybody: bool
) -> None:
    async def ended() -> str:
        assert kept.game_logs is not None
        game_log = begun(kept.game_logs, 0)
        for seat in (1, 2, 3) if everybody else (1,):
            game_log.replied([(seat, Fault(Reason.DISCONNECTED, "left"))])
        await game_log.over([])
        game_log.close()
        assert await Games(service(kept)).read_unfinished() == []
        await kept.archiver.settle()
        [game] = kept.archiver.store.listed()
        return game.status

    # A game with players left that has an end is odd, but that is what is written.
    assert asyncio.run(ended()) == ("abandoned" if everybody else "finished")


def test_what_is_said_about_a_game_after_its_end_reaches_nobody_else_s_journal(tmp_path: Path) -> None:
    game_logs = GameLogs(AppendFolder(tmp_path))
    first = begun(game_logs)
    first.close()
    second = begun(game_logs)  # which may well have the descriptor that the first one had
    first.token_hashes_changed(1, ("seal",))
    first.noted({"seat": 1, "played by": "greedy"})
    second.close()
    assert [isinstance(found, LogContents) and found.damage for found in game_logs.found()] == [None, None]
    assert (tmp_path / first.name).stat().st_size == (tmp_path / second.name).stat().st_size


class Mute(Connection):
    """A line that keeps what is sent."""

    def __init__(self) -> None:
        super().__init__(lambda _: None, Limits())
        self.sent: list[Json] = []

    def send(self, value: Json, farewell: bool = False) -> None:  # noqa: ARG002
        self.sent.append(value)


def test_who_comes_back_while_the_game_is_still_recalled_is_welcomed_when_it_is() -> None:
    async def welcomed() -> None:
        dialect = Native(("seal",))
        guest = RemoteParticipant("Ann", Connection.lost(Limits()), dialect, TimeControl(), 30.0, recalling=True)
        line = Mute()
        guest.come_back(line, 7)
        dialect.welcome(1)
        dialect.story([])
        dialect.story([])
        assert line.sent == []
        await guest.returned(30.0)
        assert [message["type"] for message in line.sent if isinstance(message, dict)] == ["welcome"]

    asyncio.run(welcomed())


def test_a_number_that_no_server_gave_does_not_become_the_next_one(kept: DataFolder) -> None:
    odd = replace(record(), notes=({"game": 2**63 - 1},))
    kept.archiver.store.add([finished(text(odd, None), datetime.now(UTC))])
    assert kept.archiver.store.last_number() == 0


def test_the_folder_of_running_games_is_where_the_documentation_says(kept: DataFolder, tmp_path: Path) -> None:
    assert kept.game_logs is not None
    with contextlib.closing(begun(kept.game_logs)) as game_log:
        assert [path.name for path in (tmp_path / RUNNING).iterdir()] == [game_log.name]
