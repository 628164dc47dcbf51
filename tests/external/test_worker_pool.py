"""Worker processes that are kept between games: a new object each game, never two games of one deal in a process."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.external import DECK, PATIENT, SEED, nobody_expelled, nothing_left
from wateringhole.external.seating import SeatingTerms, play_session
from wateringhole.external.spec import spec
from wateringhole.external.worker_pool import Pool
from wateringhole.fault import Reason
from wateringhole.record import Result
from wateringhole.seeds import agent_seeds

AGENT = """\
import os
from pathlib import Path
from wateringhole import Silly

GAMES = []
HEARD = Path(__file__).with_name("heard")

def tell(*words):
    with HEARD.open("a") as file:
        print(*words, file=file)

class Bot(Silly):
    def __init__(self, seed):
        GAMES.append(seed)
        tell("new", os.getpid(), len(GAMES), seed)
        {made}
    def choose(self, request):
        {choose}
        return super().choose(request)
    def over(self, result):
        {over}
"""


@pytest.fixture(autouse=True)
def tidy(tmp_path: Path) -> Iterator[None]:
    with nothing_left(tmp_path):
        yield


def agent(folder: Path, made: str = "pass", choose: str = "pass", over: str = "pass") -> str:
    (folder / "mine.py").write_text(AGENT.format(made=made, choose=choose, over=over))
    return f"py:{folder / 'mine.py'}:Bot"


def heard(folder: Path) -> list[list[str]]:
    """For each object that was made: its process, how many this process has made, and its seed."""
    return [line.split()[1:] for line in (folder / "heard").read_text().splitlines()]


def played(name: str, deals: Sequence[int], pool: Pool, terms: SeatingTerms = PATIENT) -> list[Result]:
    """Games of these deals, one after the other, and the end of the pool."""

    async def all_of_them() -> list[Result]:
        results = []
        for game, deal in enumerate(deals):
            specs = [spec(each) for each in (name, "silly", "silly")]
            seeds = agent_seeds(SEED, game, range(1, 4))
            results.append(await play_session(specs, DECK, seeds, terms, [], pool.of_deal(deal)))
        await pool.end()
        return results

    return asyncio.run(all_of_them())


def test_a_process_plays_many_deals_with_a_new_object_and_its_own_seed_each_time(tmp_path: Path) -> None:
    results = played(agent(tmp_path), range(4), Pool())
    assert all(nobody_expelled(result) for result in results)
    made = heard(tmp_path)
    assert len({process for process, _, _ in made}) == 1
    assert [number for _, number, _ in made] == ["1", "2", "3", "4"]
    assert [seed for _, _, seed in made] == [agent_seeds(SEED, game, [1])[0] for game in range(4)]


def test_no_process_gets_two_games_of_one_deal(tmp_path: Path) -> None:
    deals = [0, 0, 0, 1, 1, 1, 2, 0, 2]
    played(agent(tmp_path), deals, Pool())
    had = [(process, deal) for (process, _, _), deal in zip(heard(tmp_path), deals, strict=True)]
    assert len({*had}) == len(had)
    assert len({process for process, _ in had}) == 4


def test_a_fresh_pool_keeps_no_process(tmp_path: Path) -> None:
    played(agent(tmp_path), range(3), Pool(fresh=True))
    assert len({process for process, _, _ in heard(tmp_path)}) == 3


def test_a_process_whose_agent_was_expelled_for_a_fault_on_its_stream_is_not_used_again(tmp_path: Path) -> None:
    results = played(agent(tmp_path, choose="raise KeyError(1)"), range(3), Pool())
    reasons = [row.fault.reason for result in results for row in result.ranking if row.fault]
    assert reasons == [Reason.EXCEPTION] * 3
    assert len({process for process, _, _ in heard(tmp_path)}) == 3


def test_what_an_agent_does_after_its_game_does_not_count_in_the_next(tmp_path: Path) -> None:
    """It ends, it hangs, or a second object of it cannot be made: the next game has a new process."""
    hasty = replace(PATIENT, bounds=replace(PATIENT.bounds, ready_seconds=2.0))
    table = {"over": ["os._exit(3)", "while True: pass"], "made": ["1 / (2 - len(GAMES))"]}
    for method, bodies in table.items():
        for body in bodies:
            (tmp_path / "heard").unlink(missing_ok=True)
            with case(body):
                results = played(agent(tmp_path, **{method: body}), range(3), Pool(), hasty)
                assert all(nobody_expelled(result) for result in results)
                assert len({process for process, number, _ in heard(tmp_path) if number == "1"}) == 3


def test_what_was_written_to_standard_error_in_an_earlier_game_is_not_told_of_the_next(tmp_path: Path) -> None:
    choose = "import sys; sys.stderr.write(f'game {len(GAMES)}\\n'); 1 / (3 - len(GAMES))"
    results = played(agent(tmp_path, choose=choose), range(3), Pool())
    [note] = [note for note in results[2].record.notes if note.get("expelled") == 1]
    assert "game 3" in str(note["stderr"])
    assert "game 2" not in str(note["stderr"])
