"""Several at one store, at the same time."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from tests.store.busy import GAMES
from tests.store.paper import expected_ladder, paper
from wateringhole.store.finished_game import game_id
from wateringhole.store.games import Store, opened
from wateringhole.store.queries import Filter


def test_two_processes_make_one_store_add_to_it_and_read_its_ladder(place: str) -> None:
    both = [
        subprocess.Popen([sys.executable, "-m", "tests.store.busy", place, str(number)], stderr=subprocess.PIPE)
        for number in range(2)
    ]
    assert [(process.communicate()[1], process.returncode) for process in both] == [(b"", 0), (b"", 0)]
    games = [paper(number, "Ann", "Bob", "Cem") for number in range(2 * GAMES)]
    with opened(place, create=False) as store:
        assert store.count() == 2 * GAMES
        assert store.ladder() == expected_ladder(games)


def test_threads_make_several_stores_at_once(tmp_path: Path) -> None:
    start = Barrier(4)

    def make(number: int) -> int:
        start.wait()
        with opened(tmp_path / str(number % 2)) as store:
            store.add([paper(number, "Ann", "Bob", "Cem")])
            return store.count()

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(make, range(4))) <= {1, 2}
    for folder in tmp_path.iterdir():
        with opened(folder, create=False) as store:
            assert store.count() == 2


def test_threads_add_count_list_and_delete_at_one_store(store: Store) -> None:
    start = Barrier(4)
    kept = [paper(number, "Ann", "Bob", "Cem") for number in range(40)]
    gone = [paper(number, "Dora", "Emil", "Fay") for number in range(100, 120)]

    def add(which: int) -> None:
        start.wait()
        for game in kept[which::2]:
            store.add([game])

    def come_and_go() -> None:
        start.wait()
        for game in gone:
            store.add([game])
            store.delete([game_id(game.data)])

    def look() -> None:
        start.wait()
        for _ in range(15):
            for rung in store.ladder():
                assert rung.games <= 40
            for game in store.listed(Filter(player="Ann")):
                assert game.names == ("Ann", "Bob", "Cem")

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(add, 0), pool.submit(add, 1), pool.submit(come_and_go), pool.submit(look)]:
            done.result()
    assert store.count() == 40
    assert store.ladder() == expected_ladder(kept)


def test_two_who_add_the_same_games_in_another_order_do_not_hold_each_other_up(store: Store) -> None:
    games = [paper(number, "Ann", "Bob", "Cem") for number in range(60)]
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.submit(store.add, games), pool.submit(store.add, games[::-1])
        assert one.result() == other.result()[::-1]
    assert store.count() == 60
