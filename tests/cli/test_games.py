"""`games` and `ladder`: what is in the store, in and out of it."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.cli import HANG, Ended, command, complained, process, surroundings, well
from tests.store.paper import NOON, paper, played, really
from wateringhole.cli.game_import import BATCH, MAX_COMPLAINTS
from wateringhole.fault import Fault, Reason
from wateringhole.record import read, write
from wateringhole.store.finished_game import game_id
from wateringhole.store.games import opened
from wateringhole.store.tournaments import Tournament
from wateringhole.tournament.runfile import GAMES, TITLE, RunFile, framed, packed

FAULT = Fault(Reason.TIMEOUT, "silent for 5.0 s")
CUP = """title = "The Cup"
seed = "7"
table = 3
""" + "".join(
    f'[[entries]]\nname = "{name}"\nagent = "{agent}"\n'
    for name, agent in (("Ann", "greedy"), ("Bob", "silly"), ("Cem", "rash"))
)
HOSTILE = "\x1b[31m[bold]Eve[/bold]\u202e"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with five games in it."""
    folder = tmp_path_factory.mktemp("filled")
    with opened(folder) as store:
        store.add(
            [
                really(1, "greedy", "silly", "rash"),
                replace(paper(2, "Ann", "Bob", "Cem", scores=[4, None, 2], fault=FAULT), title="The Cup"),
                replace(paper(3, "Ann", HOSTILE, "=1+1"), title=HOSTILE),
                replace(paper(4, "Ann", "Bob", "Cem"), private=True, stood_in=frozenset({2})),
                replace(paper(5, "Dora", "Bob", "Cem"), status="stopped"),
            ]
        )
    return folder


@pytest.fixture
def data(filled: Path, tmp_path: Path) -> Path:
    """The same, to do with as one likes."""
    return Path(shutil.copytree(filled, tmp_path / "data"))


def ids(data: Path, *options: str) -> list[str]:
    """The games that a list shows."""
    lines = well(command("games", "list", "--json", "--data", str(data), *options)).splitlines()
    return [json.loads(line)["id"] for line in lines]


def numbers(data: Path, *options: str) -> list[int]:
    lines = well(command("games", "list", "--json", "--data", str(data), *options)).splitlines()
    return [json.loads(line)["number"] for line in lines]


def test_a_list_for_people_has_a_line_a_game_the_latest_first(data: Path) -> None:
    *lines, last = well(process("games", "list", "--data", str(data), COLUMNS="140")).splitlines()
    for line, word in zip(lines, ["ended (UTC)", "stopped", "?[31m[bold]Eve", "The Cup", "greedy"], strict=True):
        assert word in line
    assert "2026-11-16 12:00" in lines[1]
    assert last == "4 games"
    assert "\x1b" not in "".join(lines)


def test_a_long_list_says_that_there_is_more(data: Path) -> None:
    said = well(command("games", "list", "--limit", "1", "--data", str(data)))
    assert said.endswith("4 games; the latest 1 are shown, --limit shows more\n")


LISTED: list[tuple[str, list[int]]] = [
    ("", [5, 3, 2, 0]),
    ("--private", [5, 4, 3, 2, 0]),
    ("--player Bob", [5, 2]),
    ("--player bot:greedy", [0]),
    ("--status stopped", [5]),
    ("--expelled timeout", [2]),
    ("--expelled any", [2]),
    ("--expelled memory", []),
    ("--title Cup", [2]),
    ("--players 4", []),
    ("--tournament cup", []),
    ("--since 2026-11-16T12:00:03", [5, 3]),
    ("--since 2026-11-16T13:00:03+01:00", [5, 3]),
    ("--until 2026-11-16T12:00:03", [2, 0]),
    ("--since 2026-11-16 --until 2026-11-16", [5, 3, 2, 0]),
    ("--until 2026-11-15", []),
    ("--since 2026-11-17", []),
]


def test_options_say_which_games(data: Path) -> None:
    for options, expected in LISTED:
        with case(options):
            assert numbers(data, *options.split()) == expected


def test_what_is_no_time_is_a_complaint(data: Path) -> None:
    for text in ("2026-13-01", "yesterday", "", "2026-11-16T25:00", "9999-12-31T23:59-23:00"):
        for option in ("--since", "--until"):
            with case(option, text):
                ended = command("games", "list", option, text, "--data", str(data))
                assert complained(ended, f'"{text}" is not a time')


def test_an_empty_place_is_a_sentence_and_nothing_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (
        ["games", "list"],
        ["games", "import", "x.jsonl"],
        ["games", "restore", "x.backup"],
        ["ladder"],
        ["serve", "--port", "0"],
    ):
        for place in ("", " "):
            with case(words, place):
                assert complained(command(*words, "--data", place), f'--data "{place}" is empty')
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_never_ends_is_refused_at_the_limit(tmp_path: Path) -> None:
    ended = command("games", "import", "/dev/zero", "--data", str(tmp_path / "data"))
    assert ended.code == 1
    assert "/dev/zero: more than 16 MB are no record" in ended.err
    assert complained(command("replay", "/dev/zero"), "/dev/zero", "more than 16 MB are no record")


def test_the_csv_has_a_line_for_each_seat_and_no_formula(data: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(well(command("games", "list", "--csv", "--data", str(data))))))
    assert len(rows) == 4 * 3
    assert {row["id"] for row in rows} == set(ids(data))
    [bob] = [row for row in rows if row["expelled"]]
    assert (bob["name"], bob["expelled"], bob["rank"], bob["ended"]) == ("Bob", "timeout", "", "2026-11-16T12:00:02Z")
    assert "'=1+1" in {row["name"] for row in rows}


def test_a_game_is_shown_with_its_seats_and_why_somebody_was_expelled(data: Path) -> None:
    [cup] = ids(data, "--title", "Cup")
    said = well(command("games", "show", cup[:8].upper(), "--data", str(data)))
    assert f"id: {cup}\n" in said
    assert "ended: 2026-11-16 12:00:02 UTC\n" in said
    assert "Bob is expelled (timeout, expulsion.reasons): it silent for 5.0 s." in said
    told = json.loads(well(command("games", "show", cup, "--json", "--data", str(data))))
    assert (told["title"], told["rated"], told["notes"]) == ("The Cup", True, {})
    assert [place["name"] for place in told["seats"]] == ["Ann", "Bob", "Cem"]


def test_what_a_record_notes_about_its_deck_is_shown(data: Path, tmp_path: Path) -> None:
    record = played(7, "silly", "rash", "silly", notes=[{"seed": "7"}, {"sealed": "ab"}])
    (tmp_path / "sealed.jsonl").write_bytes(record)
    well(command("games", "import", str(tmp_path / "sealed.jsonl"), "--data", str(data)))
    said = well(command("games", "show", game_id(record), "--data", str(data)))
    assert "\nseed: 7\n" in said
    assert "\nsealed: ab\n" in said


NOT_THERE = {
    "0" * 24: "there is no game 000",
    "xyz": '"xyz" is not an id',
    "": '"" is not an id',
    "1" * 25: "24 digits",
}


def test_a_game_that_is_not_there_is_a_complaint(data: Path, tmp_path: Path) -> None:
    for name in ("show", "export", "delete"):
        more = ["--out", str(tmp_path / "out")] if name == "export" else []
        for game, says in NOT_THERE.items():
            with case(name, game):
                assert complained(command("games", name, game, *more, "--data", str(data)), says)


def test_the_beginning_of_several_ids_is_a_complaint(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        known = sorted(store.add(paper(number, "Ann", "Bob", "Cem") for number in range(17)))
    twice = next(first[0] for first, second in pairwise(known) if first[0] == second[0])
    assert complained(command("games", "show", twice, "--data", str(tmp_path)), f"{twice} is the beginning of several")


def test_what_is_exported_can_be_imported_elsewhere_and_is_the_same(data: Path, tmp_path: Path) -> None:
    with opened(data) as store:
        store.delete(ids(data, "--private")[:-1])  # those on paper have no records
        store.add([replace(really(2, "silly", "silly", "rash"), private=True)])
    out, other = tmp_path / "out", tmp_path / "other"
    said = well(command("games", "export", "--all", "--private", "--out", str(out), "--data", str(data)))
    assert said == f"wrote 2 records into {out}\n"
    for file in out.iterdir():
        assert read(file).names
    assert well(command("games", "import", str(out), "--data", str(other))).startswith("2 games added, 0 known")
    assert well(command("games", "import", str(out), "--data", str(other))).startswith("0 games added, 2 known")
    with opened(data) as before, opened(other) as after:
        for game in ids(data, "--private"):
            assert after.data(game) == before.data(game)
            assert after.kept(game).ended == before.kept(game).ended


def test_an_export_for_learning_has_the_steps_of_each_game_as_arrays(data: Path, tmp_path: Path) -> None:
    [game] = ids(data, "--player", "bot:greedy")
    out = tmp_path / "out"
    said = well(command("games", "export", game, "--format", "npz", "--out", str(out), "--data", str(data)))
    assert said == f"wrote 1 record into {out}\n"
    [file] = out.iterdir()
    assert file.name == f"game-{game}.npz"
    with np.load(file) as arrays, opened(data) as store:
        assert sorted(arrays) == ["actions", "masks", "observations", "scores", "seats"]
        assert arrays["masks"][np.arange(len(arrays["actions"])), arrays["actions"]].all()
        assert arrays["scores"].tolist() == [place.score for place in store.kept(game).seats]


def test_an_export_for_learning_says_what_is_missing(data: Path, tmp_path: Path) -> None:
    arguments = ["games", "export", "--all", "--format", "npz", "--out", str(tmp_path / "out"), "--data", str(data)]
    code = (
        f"import sys; sys.modules['numpy'] = None; sys.argv[1:] = {arguments}\nfrom wateringhole import cli; cli.main()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=surroundings(), timeout=HANG
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "needs numpy: pip install 'wateringhole[rl]'" in ended.stderr
    assert not (tmp_path / "out").exists()


def test_files_that_are_no_records_are_named_and_counted(tmp_path: Path) -> None:
    records = tmp_path / "records" / "deep"
    records.mkdir(parents=True)
    (records / "good.jsonl").write_bytes(played(1, "silly", "rash", "silly"))
    (records / "bad.jsonl").write_text("hello\n")
    (records / "notes.txt").write_text("not looked at\n")
    (records / "changed.jsonl").write_bytes(
        played(1, "silly", "rash", "silly").replace(b'"scores":[[', b'"scores":[[0,0],[')
    )
    ended = command(
        "games", "import", str(tmp_path / "records"), str(tmp_path / "gone"), "--data", str(tmp_path / "data")
    )
    assert ended.code == 1
    assert ended.out == "1 game added, 0 known already, 3 files refused\n"
    lines = ended.err.splitlines()
    assert [line.startswith("wateringhole: ") for line in lines] == [True] * 3
    assert [name in line for line, name in zip(lines, ["bad.jsonl", "changed.jsonl", "gone"], strict=True)] == [
        True
    ] * 3


def test_many_files_that_are_no_records_are_named_up_to_a_number(tmp_path: Path) -> None:
    for number in range(BATCH):
        (tmp_path / f"{number}.jsonl").write_text("hello\n")
    ended = command("games", "import", str(tmp_path), "--data", str(tmp_path / "data"))
    assert (ended.code, ended.out) == (1, f"0 games added, 0 known already, {BATCH} files refused\n")
    assert len(ended.err.splitlines()) == MAX_COMPLAINTS + 1
    assert ended.err.endswith(f"and {BATCH - MAX_COMPLAINTS} more\n")


def test_the_time_of_an_imported_game_is_that_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(played(1, "silly", "rash", "silly"))
    os.utime(file, (NOON.timestamp(), NOON.timestamp()))
    well(command("games", "import", str(file), "--data", str(tmp_path / "data")))
    with opened(tmp_path / "data") as store:
        assert store.listed()[0].ended == NOON


def test_nothing_is_deleted_without_a_yes(data: Path) -> None:
    assert complained(command("games", "delete", "--all", "--player", "Ann", "--data", str(data)), "2 games", "--yes")
    assert (
        well(command("games", "delete", "--all", "--player", "Ann", "--yes", "--data", str(data)))
        == "deleted 2 games\n"
    )
    assert numbers(data, "--private") == [5, 4, 0]
    [last] = ids(data, "--status", "stopped")
    assert well(command("games", "delete", last, last[:9], "--yes", "--data", str(data))) == "deleted 1 game\n"


def test_a_game_that_is_named_twice_is_counted_once(data: Path, tmp_path: Path) -> None:
    [game] = ids(data, "--player", "bot:greedy")
    named, out = [game, game[:9], "--data", str(data)], tmp_path / "out"
    assert well(command("games", "export", *named, "--out", str(out))) == f"wrote 1 record into {out}\n"
    assert complained(command("games", "delete", *named), "1 game would be deleted")
    assert well(command("games", "delete", *named, "--yes")) == "deleted 1 game\n"


@pytest.mark.parametrize("name", ["export", "delete"])
def test_ids_and_all_are_two_ways_to_say_which(name: str, data: Path, tmp_path: Path) -> None:
    more = ["--out", str(tmp_path / "out")] if name == "export" else ["--yes"]
    at = ["--data", str(data)]
    assert complained(command("games", name, *more, *at), "give the ids of games, or --all")
    assert complained(command("games", name, ids(data)[0], "--all", *more, *at), "give the ids of games, or --all")
    assert complained(command("games", name, ids(data)[0], "--player", "Ann", *more, *at), "need --all")
    assert len(ids(data, "--private")) == 5


def test_a_backup_is_restored_elsewhere(data: Path, tmp_path: Path) -> None:
    file, new = tmp_path / "backup", tmp_path / "new"
    assert well(command("games", "backup", str(file), "--data", str(data))) == f"wrote 5 games into {file}\n"
    assert well(command("games", "restore", str(file), "--data", str(new))).startswith("restored 5 games from 20")
    assert ids(new, "--private") == ids(data, "--private")
    assert complained(command("games", "restore", str(file), "--data", str(new)), "is not empty")
    assert complained(command("games", "backup", str(file), "--data", str(data)), "is there already")
    file.write_bytes(file.read_bytes()[:-20])
    assert complained(command("games", "restore", str(file), "--data", str(tmp_path / "newer")), "damaged")
    assert not (tmp_path / "newer").exists()


def test_the_ladder_has_a_line_a_player(data: Path) -> None:
    lines = well(process("ladder", "--data", str(data))).splitlines()
    assert len(lines) == 1 + 8
    assert "\x1b" not in "".join(lines)
    rungs = [json.loads(line) for line in well(command("ladder", "--json", "--data", str(data))).splitlines()]
    assert [rung["place"] for rung in rungs] == list(range(1, 9))
    assert [rung["ordinal"] for rung in rungs] == sorted((rung["ordinal"] for rung in rungs), reverse=True)
    assert {"bot:greedy", "Ann", "Bob", HOSTILE} < {rung["name"] for rung in rungs}
    assert len(well(command("ladder", "--json", "--limit", "2", "--data", str(data))).splitlines()) == 2


def test_a_player_has_a_profile(data: Path) -> None:
    said = well(command("ladder", "Ann", "--data", str(data)))
    assert said.startswith("Ann\nplace ")
    assert "2 games, 2 won, mean score 3.5" in said
    told = json.loads(well(command("ladder", "Ann", "--json", "--data", str(data))))
    assert (told["wins"], told["mean_score"], told["rating"]["games"]) == (2, 3.5, 2)
    assert [other["meetings"] for other in told["opponents"]] == [1, 1, 1, 1]
    assert "\x1b" not in well(command("ladder", HOSTILE, "--data", str(data)))
    assert complained(command("ladder", "Nobody\x1b", "--data", str(data)), r'no game of "Nobody\u001b" counts')


def test_what_is_no_text_at_all_is_looked_for_in_vain(data: Path) -> None:
    at = ("--data", str(data))
    assert complained(command("ladder", "\udcff", *at), r'no game of "\udcff" counts')
    assert complained(command("games", "show", "\udcff", *at), r'"\udcff" is not an id')
    assert ids(data, "--player", "\udcff") == ids(data, "--title", "\udcff") == []


def test_an_empty_store_has_an_empty_list_and_ladder(tmp_path: Path) -> None:
    with opened(tmp_path):
        pass
    assert well(command("games", "list", "--data", str(tmp_path))).endswith("0 games\n")
    assert well(command("games", "list", "--json", "--data", str(tmp_path))) == ""
    assert well(command("ladder", "--data", str(tmp_path))) == "no game counts for the ladder yet\n"


@pytest.mark.parametrize("arguments", ["games list", "games show 00", "games backup FILE", "games delete 00", "ladder"])
def test_a_store_that_is_not_there_is_a_complaint_and_is_not_made(arguments: str, tmp_path: Path) -> None:
    words = [str(tmp_path / "file") if word == "FILE" else word for word in arguments.split()]
    assert complained(command(*words, "--data", str(tmp_path / "none")), "none: there is no store yet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://a:secret@b/c", "mysql://...: a store is a folder, or a database at postgresql://USER@HOST/NAME"),
        ("postgresql://a:secret@127.0.0.1:9/c", "postgresql://a:***@127.0.0.1:9/c: connection failed"),
        ("postgresql://a:secret@b:port/c", "not the URL of a database"),
    ],
)
def test_a_url_that_leads_nowhere_is_a_complaint(url: str, says: str) -> None:
    for arguments in (("games", "list"), ("ladder",), ("games", "restore", "/dev/null")):
        ended = command(*arguments, "--data", url)
        assert complained(ended, *([] if "restore" in arguments else [says]))
        assert "secret" not in ended.err


def test_the_environment_says_where_the_store_is_unless_the_command_does(data: Path, tmp_path: Path) -> None:
    assert well(process("games", "list", WATERINGHOLE_DATA=str(data))).endswith("4 games\n")
    other = process("games", "list", "--data", str(tmp_path / "none"), WATERINGHOLE_DATA=str(data))
    assert complained(other, "there is no store yet")


def test_a_disk_that_is_full_is_a_complaint(data: Path, tmp_path: Path) -> None:
    small = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))\n"
        "from wateringhole.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    records = tmp_path / "records"
    records.mkdir()
    for seed in range(60):
        (records / f"{seed}.jsonl").write_bytes(played(seed, "silly", "rash", "silly"))
    done = subprocess.run(
        [sys.executable, "-c", small, "games", "import", str(records), "--data", str(data)],
        capture_output=True,
        check=False,
        text=True,
        timeout=HANG,
        env=surroundings(),
    )
    assert complained(Ended(done.returncode, done.stdout, done.stderr), str(data))
    assert len(ids(data, "--private", "--limit", "100")) in {5, 5 + BATCH}


def test_where_nothing_can_be_written_there_is_a_complaint(data: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "game.jsonl").write_bytes(played(1, "silly", "rash", "silly"))
    below = str(tmp_path / "file" / "below")
    assert complained(command("games", "import", str(tmp_path / "game.jsonl"), "--data", below), below)
    assert complained(command("games", "export", "--all", "--out", below, "--data", str(data)), below)
    assert complained(command("games", "backup", below, "--data", str(data)), below)


def test_every_command_teaches_by_example() -> None:
    for name in ("list", "show", "export", "import", "delete", "backup", "restore"):
        with case(name):
            assert f"wateringhole games {name} " in well(command("games", name, "--help"))


def test_a_tournament_comes_into_the_store_with_its_games_and_only_once(tmp_path: Path) -> None:
    file, data = tmp_path / "cup.toml", str(tmp_path / "data")
    assert command("tournament", "init", str(file)).code == 0
    file.write_text(file.read_text().replace("deals = 5", "deals = 1"))
    assert command("tournament", "run", str(file), "--jobs", "1").code == 0
    first = command("games", "import", str(file), "--data", data)
    again = command("games", "import", str(file), "--data", data)
    [known] = re.findall(r"^tournament (\w{24}): cup$", first.out, re.MULTILINE)
    assert "4 games added, 0 known already" in first.out
    assert "0 games added, 4 known already" in again.out
    listed = command("games", "list", "--tournament", known, "--json", "--data", data).out.splitlines()
    assert sorted(seat["name"] for seat in json.loads(listed[0])["seats"]) == ["Ann", "Bob", "Cem", "Dora"]
    assert len(listed) == 4
    assert "bot:hunter" in command("ladder", "--data", data).out
    games = tmp_path / "cup.results" / GAMES
    whole = RunFile(games)
    frames = [
        framed([(ended, packed(ended, whole.record(number)) if number != 2 else b"")])
        for number, ended in whole.outcomes.items()
    ]
    games.write_bytes(TITLE + b"".join(frames))
    broken = command("games", "import", str(file), "--data", str(tmp_path / "other"))
    assert (broken.code, "the record of game 2 is gone or broken" in broken.err) == (1, True)


def test_the_games_of_a_match_come_into_the_store_as_they_would_from_files(tmp_path: Path) -> None:
    out, data, files = tmp_path / "out", str(tmp_path / "data"), tmp_path / "files"
    well(command("match", "silly", "rash", "bad:card-twice", "--games", "6", "--jobs", "1", "--out", str(out)))
    assert "6 games added, 0 known already" in well(command("games", "import", str(out), "--data", data))
    assert "0 games added, 6 known already" in well(command("games", "import", str(out / GAMES), "--data", data))
    files.mkdir()
    for number in range(6):
        kept = files / f"{number}.jsonl"
        well(command("replay", str(out / GAMES), "--game", str(number), "--quiet", "--record", str(kept)))
        write(RunFile(out / GAMES).record(number), tmp_path / "same.jsonl")
        assert kept.read_bytes() == (tmp_path / "same.jsonl").read_bytes()
    assert "0 games added, 6 known already" in well(command("games", "import", str(files), "--data", data))
    damaged = bytearray((out / GAMES).read_bytes())
    damaged[len(TITLE) + 40] ^= 1
    (out / GAMES).write_bytes(damaged + framed([(RunFile(out / GAMES).outcomes[0], b"")]))
    broken = command("games", "import", str(out), "--data", data)
    assert (broken.code, f"damaged from byte {len(TITLE)} to" in broken.err) == (1, True)


def test_the_tournaments_in_the_store_can_be_listed_and_shown(tmp_path: Path) -> None:
    file, data = tmp_path / "cup.toml", str(tmp_path / "data")
    assert complained(command("games", "tournaments", "--data", data), "there is no store yet")
    with opened(data) as store:
        store.add_tournament(Tournament("a" * 24, HOSTILE, "7", "swiss", 4, NOON, [], "title = 1"))
    file.write_text(CUP)
    well(command("tournament", "run", str(file), "--jobs", "1"))
    said = well(command("games", "import", str(file), "--data", data))
    [known] = re.findall(r"^tournament (\w{24}): The Cup$", said, re.MULTILINE)
    listed = well(command("games", "tournaments", "--data", data))
    assert re.findall(r"^\w{10} ", listed, re.MULTILINE) == [f"{known[:10]} ", f"{'a' * 10} "]
    assert "The Cup" in listed
    assert "\x1b" not in listed
    shown = well(command("games", "tournaments", known[:8], "--data", data))
    assert f"id: {known}" in shown
    assert "games in the store: 3" in shown
    standings = [line.split()[:4] for line in shown.splitlines()[-3:]]
    assert standings[0] == ["1", "Ann", "greedy", "3"]
    assert {line[1] for line in standings} == {"Ann", "Bob", "Cem"}
    whole = json.loads(well(command("games", "tournaments", known, "--json", "--data", data)))
    assert (whole["id"], whole["title"], whole["brief"]) == (known, "The Cup", CUP)
    lines = well(command("games", "tournaments", "--json", "--data", data)).splitlines()
    assert [json.loads(line)["id"] for line in lines] == [known, "a" * 24]
    assert "standings are of another version" in well(command("games", "tournaments", "aaa", "--data", data))
    assert complained(command("games", "tournaments", "zz", "--data", data), 'there is no tournament "zz"')
    assert complained(command("games", "tournaments", "", "--data", data), 'there is no tournament ""')


def test_a_tournament_that_was_not_played_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    assert command("tournament", "init", str(file)).code == 0
    complained(command("games", "import", str(file), "--data", str(tmp_path / "data")), "nothing has been played yet")
