"""A game that fails, is stopped or abandoned is kept as far as it came, and no other game is touched."""

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.cases import case
from wateringhole import dealer, view
from wateringhole.cards import Card, shuffled
from wateringhole.fault import Fault, Reason
from wateringhole.record import Record, read, replay
from wateringhole.rules import attack, cardplay, deal, feeding, turn
from wateringhole.traits import DEFENCES, Trait

from .clients import Client, keep_silent
from .simulation import simulation

TABLES: Final = 4
SEATS: Final = 3


class BugError(Exception):
    """A mistake that the engine does not have."""


# What a game of players who make no mistake does not run through, or not by its name, or where they come first.
ELSEWHERE: Final = {
    "_illegal",
    "_misuse",
    "cards_used",
    "_no_board",
    "_no_reply",
    "_revealed",
    "_expel",
    "_let_go",
}

# Every other function of the rules, the dealer and the views.
ENTRIES: Final = {
    f"{module.__name__.removeprefix('wateringhole.')}.{name}": function
    for module in (attack, cardplay, deal, feeding, turn, dealer, view)
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__ and name not in ELSEWHERE and function is not view.table
} | {
    f"traits.{type(defence).__name__}.stops": type(defence).stops
    for defence in DEFENCES
    if defence.trait in {Trait.CLIMBING, Trait.HERDING}
}


@contextmanager
def failing(function: Callable[..., object], call: int) -> Iterator[list[int]]:
    """This function raises when it is called for the n-th time, wherever it is known; how often it was called."""
    calls = [0]

    def instead(*given: object, **named: object) -> object:
        calls[0] += 1
        if calls[0] == call:
            raise BugError("a mistake of ours")
        return function(*given, **named)

    known = [
        (place, name)
        for module_name, module in list(sys.modules.items())
        if module_name.startswith("wateringhole")
        for place in (module, *(kind for _, kind in inspect.getmembers(module, inspect.isclass)))
        for name, value in vars(place).items()
        if value is function
    ]
    for place, name in known:
        setattr(place, name, instead)
    try:
        yield calls
    finally:
        for place, name in known:
            setattr(place, name, function)


def tables(records: Path, at_once: int = TABLES) -> tuple[list[Client], int]:
    """So many games of silly players at once; the clients, and how many of the games finished."""
    with simulation(SEATS, records=records, collect=False, deck=fat_years) as simulated:
        clients = [Client(f"{n}").enter(simulated, n / 64) for n in range(SEATS * at_once)]
        simulated.go_on(100.0)
        assert simulated.left_over() == (0, 0, 0)
    return clients, len(simulated.results)


def fat_years(number: int) -> tuple[Card, ...]:
    """A deck that begins with much food, so that there is hunting in the first turns."""
    return tuple(sorted(shuffled(number), key=lambda held: -held.food))


def ended(record: Record) -> list[object]:
    return [note["ended"] for note in record.notes if "ended" in note]


def test_a_mistake_of_the_engine_costs_one_game_and_its_record_is_kept(tmp_path: Path) -> None:
    assert len(ENTRIES) >= 60
    for entry in ENTRIES:
        (tmp_path / entry).mkdir()
        with case(entry):
            check_mistake(entry, tmp_path / entry)


def check_mistake(entry: str, records: Path) -> None:
    """The second call of this function fails."""
    with failing(ENTRIES[entry], 2) as calls:
        clients, finished = tables(records)
    assert calls[0] >= 2
    assert finished == TABLES - 1
    assert all(client.closed_at is not None for client in clients)
    kept = [read(path) for path in sorted(records.iterdir())]
    assert len(kept) == TABLES
    [failed] = [record for record in kept if ended(record)]
    assert ended(failed) == ["server-error"]
    assert "a mistake of ours" in str(failed.notes)
    assert not any(isinstance(reply, Fault) for _, reply in failed.replies)
    assert replay(failed).phase != "over" or entry == "rules.turn.ranking"
    assert all(replay(record).phase == "over" for record in kept if record is not failed)


def test_a_mistake_while_a_seat_leaves_unasked_ends_the_game_too(tmp_path: Path) -> None:
    with simulation(SEATS, records=tmp_path, collect=False) as simulated:
        clients = [Client(f"{n}", think=1.0).enter(simulated, n / 64) for n in range(SEATS)]
        clients[0].tricks = {2: keep_silent}
        simulated.go_on(0.4)
        with failing(dealer.answer, 1):
            simulated.at(0.5, clients[0].end.reset)
            simulated.go_on(30.0)
        assert simulated.left_over() == (0, 0, 0)
    assert simulated.results == []
    assert ended(read(tmp_path / "game-1.jsonl")) == ["server-error"]


def test_a_game_that_is_stopped_in_the_middle_is_kept_as_far_as_it_came(tmp_path: Path) -> None:
    with simulation(SEATS, records=tmp_path, grace=2.0) as simulated:
        clients = [Client(f"{n}").enter(simulated, n / 64) for n in range(SEATS)]
        clients[2].tricks = {4: keep_silent}
        simulated.go_on(1.0)
        simulated.stop()
        assert simulated.now < 10.0
    record = read(tmp_path / "game-1.jsonl")
    assert ended(record) == ["stopped"]
    assert len(record.replies) >= SEATS
    assert replay(record).phase != "over"


def test_a_game_that_everybody_leaves_is_kept_as_abandoned(tmp_path: Path) -> None:
    with simulation(SEATS, records=tmp_path) as simulated:
        clients = [Client(f"{n}", tricks={2: lambda client, _: client.end.reset()}) for n in range(SEATS)]
        for client in clients:
            client.enter(simulated)
        simulated.go_on(20.0)
        [result] = simulated.results
    assert [row.fault.reason for row in result.ranking if row.fault] == [Reason.DISCONNECTED] * SEATS
    assert ended(read(tmp_path / "game-1.jsonl")) == ["abandoned"]


def test_a_record_that_cannot_be_written_costs_the_record_and_not_the_result(tmp_path: Path) -> None:
    _, finished = tables(tmp_path / "missing", at_once=2)
    assert finished == 2
