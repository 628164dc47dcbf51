"""What earlier versions have written is read, and their clients are understood. tests/store/test_corpus.py has the
records.
"""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

from tests.cases import case
from tests.compatibility import DIALOGUES, DIGESTS, VERSIONS, dialogue, read_store, records
from tests.documents import CLIENT, SERVER, Recording
from tests.server.simulation import SimulatedLoop
from wateringhole.record import digest, replay
from wateringhole.store.games import opened
from wateringhole.store.queries import Filter
from wateringhole.tournament.runfile import GAMES, RunFile
from wateringhole.wire.dialects import DIALECTS
from wateringhole.wire.framing import Json, parse

BOUND = {"tagged"}
"""Dialects that are spoken on ports of their own."""
RANDOM = {"token"}
"""Fields whose value is another one each time."""


def test_the_games_of_a_run_lead_to_the_same_states() -> None:
    assert VERSIONS
    for version in VERSIONS:
        with case(version.name):
            games = RunFile(version / GAMES)
            assert games.damage == ""
            digests = json.loads((version / DIGESTS).read_text())
            assert {str(number): digest(replay(games.record(number))) for number in games.outcomes} == digests


def test_a_store_is_opened_with_all_its_games(tmp_path: Path) -> None:
    for version in VERSIONS:
        with case(version.name):
            read_store(version, tmp_path / version.name)
            with opened(tmp_path / version.name, create=False) as store:
                found = [store.data(game.id) for game in store.listed(Filter(private=True))]
                assert sorted(found) == sorted(path.read_bytes() for path in records(version))
                assert store.ladder(10)


class EarlierClient:
    """Says what the client of a recorded dialogue has said, after the same messages. `wrong` has what it has heard
    otherwise: the server must not be disturbed by what a test finds.
    """

    def __init__(self, lines: list[str]) -> None:
        self.wrong: list[str] = []
        self._first, *self.rest = [line for line in lines if line.startswith((SERVER, CLIENT))]

    def sign_up(self) -> Json:
        return parse(self._first.removeprefix(CLIENT).encode())

    def hear(self, value: Json) -> list[Json]:
        line = self.rest.pop(0) if self.rest else "nothing"
        try:
            assert line.startswith(SERVER)
            assert_has(value, parse(line.removeprefix(SERVER).encode()))
        except (AssertionError, KeyError) as error:
            self.wrong.append(f"{json.dumps(value)} instead of {line}: {error}")
        answers = []
        while self.rest and self.rest[0].startswith(CLIENT):
            answers.append(parse(self.rest.pop(0).removeprefix(CLIENT).encode()))
        return answers


def assert_has(value: Json, earlier: Json) -> None:
    """This value has all that the earlier one had; an object may have more fields."""
    if isinstance(earlier, dict):
        assert isinstance(value, Mapping)
        for key in earlier.keys() - RANDOM:
            assert_has(value[key], earlier[key])
    elif isinstance(earlier, list):
        assert isinstance(value, list)
        assert len(value) == len(earlier)
        for one, other in zip(value, earlier, strict=True):
            assert_has(one, other)
    else:
        assert (type(value), value) == (type(earlier), earlier)


def test_a_client_of_each_dialect_hears_what_it_has_heard() -> None:
    for version in VERSIONS:
        assert {path.stem for path in (version / DIALOGUES).iterdir()} <= set(DIALECTS), "a dialect is never given up"
        for path in sorted((version / DIALOGUES).iterdir()):
            with case(version.name, path.stem):
                client = EarlierClient(dialogue(version, path.stem))
                loop = SimulatedLoop()
                try:
                    loop.run_until_complete(talk(client, path.stem))
                finally:
                    loop.close()
                assert (client.wrong, client.rest) == ([], [])


async def talk(client: EarlierClient, dialect: str) -> None:
    await asyncio.wait_for(Recording(client, bound=dialect if dialect in BOUND else None).run(), 600)
