"""A game that was running when the server ended is played on by the next one."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.simulator.clients import Client, Habits
from tests.simulator.laws import Judge
from tests.simulator.scenario import scratch
from tests.simulator.world import USUAL, Death, Terms, World, world
from tests.store.test_game_log import WHOLE, framed
from wateringhole.fault import Fault, Reason
from wateringhole.record import Record, parsed, replay
from wateringhole.store.database import Database
from wateringhole.store.finished_game import PLAYED_BY
from wateringhole.wire.framing import Json

SLOW = Habits(thinks=4.0)
GONE = Habits(back=None)


@pytest.fixture(scope="module")
def base() -> Iterator[Database]:
    with scratch() as database:
        yield database


@contextmanager
def town(base: Database, terms: Terms = USUAL, seed: str = "a village") -> Iterator[World]:
    """A world in which a test lets something happen; then everything comes to rest, and all laws must hold."""
    with world(seed, base, terms) as simulated:
        judge = Judge(simulated)
        simulated.start()
        yield simulated
        simulated.rest()
        simulated.stop()
        judge.at_the_end()


def until(simulated: World, happened: Callable[[], object]) -> None:
    for _ in range(10_000):
        if happened():
            return
        simulated.go_on(0.01)
    pytest.fail("this never happens")


def record_of(simulated: World) -> Record:
    [kept] = simulated.store.listed(limit=None)
    return parsed(simulated.store.data(kept.id))


def expelled(record: Record) -> dict[str, str]:
    """Who was expelled, and why; the notes say the same."""
    out = dict(replay(record).expelled)
    assert sorted(out) == sorted(int(str(note["expelled"])) for note in record.notes if "expelled" in note)
    assert sum(isinstance(reply, Fault) for _, reply in record.replies) == len(out)
    return {record.names[seat - 1]: fault.text for seat, fault in out.items()}


def three(simulated: World, habits: Habits = SLOW) -> list[Client]:
    return [
        simulated.client(f"{kind} {seat}", habits=habits) for seat, kind in enumerate(("moody", "silly", "moody"), 1)
    ]


def test_native_clients_take_their_seats_again(base: Database) -> None:
    with town(base) as simulated:
        clients = three(simulated)
        until(simulated, lambda: any(client.heard_of("feed") for client in clients))
        simulated.die()
    assert all(client.heard_of("over") for client in clients)
    assert expelled(record_of(simulated)) == {}


def test_who_comes_back_when_the_game_is_over_hears_again_how_it_ended_wherever_the_server_died(base: Database) -> None:
    """The journal has the end, the store has it, both have it, or the disk has lost what was not synced."""
    deaths: tuple[Death, Death] = ("kill", "power")
    for point in ("after sync", "before add", "after add", "before remove", "after remove", ""):
        for death in deaths:
            with case(point, death):
                check_told_again(base, point, death)


def check_told_again(base: Database, point: str, death: Death) -> None:
    """The server dies at the next such point after the end of a game, or when it has nothing more to do."""
    with town(base) as simulated:
        clients = three(simulated, Habits())
        until(simulated, lambda: all(client.heard_of("feed") for client in clients))
        simulated.failpoint = point, simulated.points[point] + 1, death
        until(simulated, lambda: all(client.heard_of("over") for client in clients))
        simulated.go_on(5.0)
        if not point:
            simulated.die(death)
        assert simulated.deaths == [death]
        simulated.go_on(5.0)
        overs = [over for client in clients for over in client.heard_of("over")]
        for client in clients:
            simulated.after(0.0, partial(client.show, client.tokens[-1]))
        until(simulated, lambda: all(len(client.heard_of("over")) > 1 for client in clients))
        for over, client in zip(overs, clients, strict=True):
            assert client.heard_of("over") == [over, {key: over[key] for key in over if key != "n"}]


def test_who_does_not_come_back_is_expelled_after_the_grace(base: Database) -> None:
    with town(base) as simulated:
        steady, lost = simulated.client("silly 1", habits=SLOW), simulated.client("silly 2", habits=GONE)
        simulated.client("silly 3", habits=SLOW)
        until(simulated, lambda: lost.heard_of("choose"))
        simulated.die()
        simulated.go_on(simulated.pause + simulated.rejoin - 0.1)
        assert len(steady.heard_of("choose")) == 1
        simulated.go_on(0.2)
        assert len(steady.heard_of("choose")) == 2
    assert expelled(record_of(simulated)) == {"silly 2": "did not come back after the server was restarted"}


@pytest.mark.parametrize("dialect", ["s16", "hello"])
def test_who_cannot_come_back_is_expelled(base: Database, dialect: str) -> None:
    with town(base) as simulated:
        clients = simulated.client("silly 1"), simulated.client("silly 2"), simulated.client("silly 3", dialect)
        until(simulated, lambda: clients[0].heard_of("choose"))
        simulated.die()
    name = {"s16": "silly 3", "hello": "player 3"}[dialect]
    assert expelled(record_of(simulated)) == {name: "cannot come back: the server was restarted"}


@pytest.mark.parametrize("deaths", [1, 2])
def test_if_the_server_says_so_a_bot_plays_for_who_cannot_come_back(base: Database, deaths: int) -> None:
    with town(base, replace(USUAL, on_restart="bot")) as simulated:
        first, *_ = simulated.client("silly 1"), simulated.client("silly 2"), simulated.client("silly 3", "s16")
        for death in range(deaths):
            until(simulated, lambda: len(first.heard_of("choose")) > death)  # noqa: B023
            simulated.die()
            simulated.go_on(0.5)
    record = record_of(simulated)
    assert expelled(record) == {}
    assert [note["seat"] for note in record.notes if PLAYED_BY in note] == [3]
    [kept] = simulated.store.listed(limit=None)
    assert [place.seat for place in kept.seats if place.stood_in] == [3]


def test_who_was_shown_out_before_the_crash_stays_out(base: Database) -> None:
    with town(base) as simulated:
        bad, *_ = (
            simulated.client("silly 1", habits=GONE),
            simulated.client("moody 2", habits=SLOW),
            simulated.client("silly 3"),
        )
        bad.instead = lambda _: []
        until(simulated, lambda: bad.expelled)
        simulated.die()
        simulated.go_on(simulated.pause + 0.5)
        bad.done = False
        simulated.after(0.0, lambda: bad.show(bad.tokens[-1]))
    assert list(expelled(record_of(simulated))) == ["silly 1"]
    assert [refusal["text"] for refusal in bad.heard_of("refused")] == ["this token belongs to no seat"]


def test_whoever_had_chosen_when_the_server_died_is_asked_the_same_again(base: Database) -> None:
    with town(base) as simulated:
        quick = simulated.client("moody 1", habits=Habits(thinks=0.0))
        three_more = [simulated.client(f"silly {seat}", habits=SLOW) for seat in (2, 3)]
        until(simulated, lambda: quick.heard_of("choose"))
        simulated.go_on(0.1)
        simulated.die()
    first, again = quick.heard_of("choose")[:2]
    assert (first["id"], first["n"], first["me"]) == (again["id"], again["n"], again["me"])
    assert all(client.heard_of("over") for client in three_more)
    assert expelled(record_of(simulated)) == {}


@pytest.mark.parametrize("dialect", ["s16", "native"])
def test_who_left_unasked_while_others_chose_stays_out_and_is_not_waited_for(base: Database, dialect: str) -> None:
    patient = replace(USUAL, rejoin=3.0)
    with town(base, patient) as simulated:
        leaver = simulated.client("silly 1", dialect, Habits(thinks=0.0, back=None))
        others = [simulated.client(f"moody {seat}", habits=Habits(comes=0.1, thinks=0.0)) for seat in (2, 3)]
        for other in others:
            other.habits = replace(other.habits, thinks=9.9)
        until(simulated, lambda: others[0].heard_of("choose"))
        simulated.go_on(0.1)
        leaver.hang_up()
        simulated.go_on(0.1 if dialect == "s16" else 3.5)
        assert not others[0].heard_of("over")
        simulated.die()
        simulated.go_on(simulated.pause + 1.0)
        assert all(len(other.heard_of("choose")) == 2 for other in others)
    assert expelled(record_of(simulated)) == {"silly 1": "lost the connection"}


def test_a_server_that_is_told_to_end_leaves_its_games_to_the_next_one(base: Database) -> None:
    with town(base) as simulated:
        clients = three(simulated)
        until(simulated, lambda: clients[1].heard_of("choose"))
        simulated.terminate()
        simulated.go_on(simulated.terms.grace + 0.5)
        assert simulated.store.count() == 0
        assert len(simulated.game_logs) == 1
    assert expelled(record_of(simulated)) == {}


def test_a_table_that_waits_for_more_players_when_the_server_is_told_to_end_plays_no_game(base: Database) -> None:
    with town(base, replace(USUAL, house="silly", grace=3.0)) as simulated:
        early = simulated.client("moody 1")
        simulated.go_on(0.5)
        simulated.terminate()
        simulated.go_on(2.0)
        assert (simulated.points["after create"], early.heard_of("turn")) == (0, [])
    assert early.heard_of("over")
    assert expelled(record_of(simulated)) == {}


def test_a_game_that_the_store_has_is_not_played_on_when_a_power_cut_brings_its_journal_back(base: Database) -> None:
    for seed in range(12):
        with case(seed):
            with town(base, seed=f"power {seed}") as simulated:
                simulated.failpoint = "after write ended", 1, "kill"
                three(simulated, Habits())
                until(simulated, lambda: simulated.store.count() == 1)
                simulated.die("power")
            assert len(simulated.deaths) == 2
            assert expelled(record_of(simulated)) == {}


@pytest.mark.parametrize("after", [0.0, 0.001, 0.1, 0.25, 0.5, 1.0])
def test_a_server_may_die_again_while_it_recovers(base: Database, after: float) -> None:
    with town(base) as simulated:
        clients = [simulated.client(f"moody {seat}", habits=Habits(thinks=2.0, back=seat / 8)) for seat in (1, 2, 3)]
        until(simulated, lambda: any(client.heard_of("feed") for client in clients))
        for _ in range(3):
            simulated.die()
            simulated.go_on(simulated.pause + after)
    assert len(simulated.deaths) == 3
    assert expelled(record_of(simulated)) == {}


def test_the_last_two_tokens_open_the_seat_after_a_crash_and_no_others(base: Database) -> None:
    with town(base) as simulated:
        clients = three(simulated, Habits(thinks=2.0))
        back = clients[0]
        until(simulated, lambda: back.heard_of("choose"))
        for returns in (2, 3):
            back.hang_up()
            until(simulated, lambda: len(back.tokens) == returns)  # noqa: B023
        oldest, former, _ = back.tokens
        back.habits = GONE
        simulated.die()
        strangers = [simulated.client(f"silly {seat}", habits=Habits(comes=1_000.0)) for seat in (4, 5)]
        for stranger in strangers:
            stranger.done = True
        simulated.go_on(simulated.pause + 0.05)
        back.done = False
        simulated.after(0.0, lambda: strangers[0].show(oldest))
        simulated.after(0.0, lambda: strangers[1].show("nobody's"))
        simulated.after(0.05, lambda: back.show(former))
    assert [stranger.heard_of("refused")[0]["text"] for stranger in strangers] == ["this token belongs to no seat"] * 2
    assert back.heard_of("over")
    assert expelled(record_of(simulated)) == {}


def test_a_damaged_journal_stops_neither_the_server_nor_other_games(base: Database) -> None:
    with town(base) as simulated:
        clients = three(simulated)
        until(simulated, lambda: clients[0].heard_of("choose"))
        simulated.die()
        newer = framed(b'{"entry":"opening","version":2}')
        flipped = WHOLE[:-100] + bytes([WHOLE[-100] ^ 1]) + WHOLE[-99:]
        for name, data in {"a": flipped, "b": b"no journal", "c": b"", "newer": newer, "z": b"{" * 5_000}.items():
            simulated.put(f"{name}.journal", data)
        until(simulated, lambda: clients[0].done)
        simulated.go_on(1.0)
        assert sorted(simulated.disk.files) == ["a.damaged", "newer.journal", "z.damaged"]
        assert bytes(simulated.disk.files["newer.journal"].data) == newer
        del simulated.disk.files["newer.journal"]
        damaged, whole = sorted(simulated.store.listed(limit=None), key=lambda kept: kept.status)
        assert (damaged.status, whole.status) == ("damaged", "finished")
        simulated.store.delete([damaged.id])
    assert expelled(record_of(simulated)) == {}


@pytest.mark.parametrize("strict", [False, True])
def test_while_the_disk_fails_no_game_begins_and_everybody_is_told_why(base: Database, strict: bool) -> None:
    with town(base, replace(USUAL, strict=strict)) as simulated:
        failing = [True]
        simulated.disk_fails = lambda do: do in {"write", "create"} and any(failing)
        first = three(simulated, Habits())
        simulated.go_on(1.0)
        for client in first:
            [out] = client.heard_of("expelled")
            assert out["reason"] == Reason.SERVER_ERROR.value
            assert str(out["text"]).startswith("is disconnected: no game can be kept: ")
        late = [simulated.client(f"silly {seat}", habits=Habits(comes=1.0)) for seat in (4, 5, 6)]
        simulated.go_on(1.0)
        for client in late:
            [refusal] = client.heard_of("refused")
            assert str(refusal["text"]).startswith("no game can be kept: ")
        failing.clear()
    assert simulated.failures == []
    assert all(client.heard_of("over") for client in late)


def test_a_disk_that_works_again_while_somebody_is_refused_takes_the_next_one(base: Database) -> None:
    with town(base) as simulated:
        writes = itertools.count(1)
        simulated.disk_fails = lambda do: do == "write" and next(writes) <= 2
        three(simulated, Habits())
        simulated.go_on(1.0)
        late = [simulated.client(f"silly {seat}", habits=Habits(comes=1.0)) for seat in (4, 5, 6)]
    assert [len(client.heard_of("refused")) for client in late] == [1, 0, 0]
    assert all(client.heard_of("over") for client in late)


def test_a_clock_that_jumps_changes_nothing(base: Database) -> None:
    records: list[Json] = []
    for jump in (0.0, 86_400.0, -86_400.0):
        with town(base) as simulated:
            three(simulated)
            simulated.at(1.0, lambda jump=jump: setattr(simulated, "jump", jump))  # type: ignore[misc]
            simulated.at(3.0, simulated.die)
        record = record_of(simulated)
        assert expelled(record) == {}
        records.append([str(record.replies), simulated.now])
    assert records[1:] == records[:-1]
