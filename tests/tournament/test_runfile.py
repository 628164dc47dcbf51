"""The file of a run's games: what is kept comes back, and damage costs only what it hits."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
import zlib
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.cli import HANG, command, complained, ending, surroundings, well
from tests.times import TIMES
from wateringhole.cards import DECK, shuffled
from wateringhole.external.play_specs import Players, Treatment
from wateringhole.external.spec import spec
from wateringhole.record import Note, Record, RecordError, pace, replay, text
from wateringhole.tournament.game_worker import Job, play_lot
from wateringhole.tournament.outcomes import outcome
from wateringhole.tournament.run import run
from wateringhole.tournament.run_journal import RunPlan, open_journal
from wateringhole.tournament.runfile import (
    CHECKED,
    GAMES,
    HEAD,
    MARK,
    MAX_PART_BYTES,
    TITLE,
    RunFile,
    framed,
    outcomes_in,
    packed,
    records_in,
)
from wateringhole.tournament.schedule import rotations

USUAL = Treatment("10", False, 1_024)
PLAYERS = Players(USUAL)
AGENTS = ("greedy", "rash", "silly", "bad:raises-in-choose")
PLAN = RunPlan(AGENTS, "r", USUAL)
JOB = Job(tuple(map(spec, AGENTS)), "r", USUAL)


def play(out: Path, games: int) -> list[object]:
    return [ended.truth for ended in run(PLAN, rotations(range(4), games), 1, out, lambda _: None)]


def frames(games: int, each: int) -> list[bytes]:
    fixtures = rotations(range(4), games)
    return [play_lot(JOB, fixtures[at : at + each], PLAYERS) for at in range(0, games, each)]


def test_records_come_back_byte_by_byte_with_all_their_notes() -> None:
    """The number, paces, reasons that agents give, expulsions, and notes of any other kind."""
    games, with_deck = [], []
    kept: list[Record] = []
    odd: list[list[Note]] = [
        [{"game": 7}, {"seat": 9, "replies": 1, "seconds": 0.5}],
        [{"game": 1, "seed": "x"}, {"seconds": 1e300, "text": "\N{SNOWMAN}", "none": None}, {"replies": 2}],
        [],
    ]
    for fixture in rotations(range(4), 12):
        specs = [JOB.agents[agent] for agent in fixture.seats]
        if fixture.number == 0:
            specs[0] = spec("sage?iterations=2")  # it tells its reasons, and takes long
        seeds = ["1", "2", "3", "4"]
        result, paces = PLAYERS.play(specs, shuffled(fixture.deal), seeds, fixture.deal)
        record = result.record
        if fixture.number < len(odd):
            record = replace(record, notes=(*odd[fixture.number], *record.notes))
        ended = outcome(fixture, result.ranking, paces)
        games.append((ended, packed(ended, record, kept[-1] if kept else None)))
        with_deck.append(len(games[-1][1]) > len(packed(ended, record)) - len(DECK))
        repeated = [pace(seat, place.replies, place.seconds) for seat, place in enumerate(ended.places, 1)]
        kept.append(replace(record, notes=({"game": fixture.number}, *repeated, *record.notes)))
    assert any("why" in note for record in kept for note in record.notes)
    assert any(place.expelled for ended, _ in games for place in ended.places)
    assert with_deck == 3 * [True, False, False, False]  # a deck is written once for the games of its deal
    frame = framed(games)
    assert outcomes_in(frame) == [ended for ended, _ in games]
    for record, back in zip(kept, records_in(frame), strict=True):
        assert text(back, replay(back)) == text(record, replay(record))


def test_games_are_found_by_their_number_wherever_they_are(tmp_path: Path) -> None:
    before = datetime.now(UTC)
    (tmp_path / GAMES).write_bytes(TITLE + b"".join(reversed(frames(20, 3))))
    games = RunFile(tmp_path / GAMES)
    assert sorted(games.outcomes) == list(range(20))
    assert (games.damage, games.end) == ("", (tmp_path / GAMES).stat().st_size)
    for number in (19, 0, 7, 8, 6, 19):
        assert games.record(number).notes[0] == {"game": number}
        assert int(before.timestamp()) <= games.ended(number).timestamp() <= time.time()
    with pytest.raises(RecordError, match="there is no game 20; the file has 20, from 0 to 19"):
        games.record(20)


def test_a_file_cut_off_at_any_byte_loses_its_last_frame_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / GAMES
    parts, anew = frames(6, 2), frames(6, 6)[0]
    whole = TITLE + b"".join(parts)
    path.write_bytes(whole)
    counts = []
    ends = [len(TITLE + b"".join(parts[:number])) for number in range(4)]
    for length in range(len(whole) + 1):
        if TIMES == 1 and length % 20 and all(abs(length - end) > 20 for end in ends):
            continue  # within a frame one byte is like the other
        path.write_bytes(whole[:length])
        with case(length), open_journal(PLAN, tmp_path) as book:
            counts.append(len(book.outcomes))
            book.add(anew if length % 100 == 0 else framed([]))
            games = RunFile(path)
            assert games.damage == ""
            assert games.end == path.stat().st_size
            assert len(games.outcomes) == (6 if length % 100 == 0 else counts[-1])
    assert counts == sorted(counts)
    assert set(counts) == {0, 2, 4, 6}
    assert counts.count(6) == 1


def test_a_flipped_bit_costs_the_games_of_its_frame_and_one_is_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / GAMES
    parts = frames(6, 2)
    whole = TITLE + b"".join(parts)
    second, third = len(TITLE) + len(parts[0]), len(TITLE) + len(parts[0]) + len(parts[1])
    for at in range(second, third):
        if TIMES == 1 and at % 8 and second + HEAD.size + 8 < at < third - 8:
            continue  # within a frame one byte is like the other
        changed = bytearray(whole)
        changed[at] ^= 1 << at // 8 % 8
        path.write_bytes(changed)
        with case(at):
            games = RunFile(path)
            assert sorted(games.outcomes) == [0, 1, 4, 5]
            assert games.damage == f"{path}: damaged from byte {second} to {third}"
    assert play(tmp_path, 6) == [ended.truth for part in parts for ended in outcomes_in(part)]
    assert f"from byte {second} to {third}; the games that were there are played again" in capfd.readouterr().err
    again = RunFile(path)
    assert sorted(again.outcomes) == list(range(6))
    assert [again.record(number).notes[0] for number in (2, 3)] == [{"game": 2}, {"game": 3}]


def test_zeros_behind_the_end_as_a_power_cut_leaves_them_are_cut_off(tmp_path: Path) -> None:
    path = tmp_path / GAMES
    path.write_bytes(TITLE + frames(2, 2)[0] + bytes(10_000))
    with open_journal(PLAN, tmp_path) as book:
        assert len(book.outcomes) == 2
    assert path.read_bytes() == path.read_bytes().rstrip(b"\0")


def test_whatever_is_in_a_frame_that_bears_the_right_checksum_is_an_error_and_no_crash(tmp_path: Path) -> None:
    ended = outcomes_in(frames(1, 1)[0])[0]
    (tmp_path / GAMES).write_bytes(TITLE + framed([(ended, b"\x93\x01\x02\x03")]))
    with pytest.raises(RecordError, match="game 0 cannot be read"):
        RunFile(tmp_path / GAMES).record(0)


def test_a_frame_that_swells_is_an_error_and_not_read_to_its_end(tmp_path: Path) -> None:
    ended = outcomes_in(frames(1, 1)[0])[0]
    whole = framed([(ended, bytes(100))])
    parts = zlib.compress(bytes(MAX_PART_BYTES + 1))
    _, _, when, size, _ = HEAD.unpack_from(whole)
    swollen_records = (size, len(parts), whole[HEAD.size : HEAD.size + size] + parts)
    swollen_outcomes = (len(parts), 0, parts)
    for first, second, body in (swollen_records, swollen_outcomes):
        checked = HEAD.pack(MARK, 0, when, first, second)[CHECKED:] + body
        (tmp_path / GAMES).write_bytes(TITLE + MARK + zlib.crc32(checked).to_bytes(4, "little") + checked)
        with pytest.raises(ValueError, match="swells to more than 32 MB"):
            RunFile(tmp_path / GAMES).record(0)


def test_records_that_are_too_long_to_be_read_are_not_kept() -> None:
    ended = outcomes_in(frames(1, 1)[0])[0]
    whole = framed([(ended, msgspec.msgpack.encode(bytes(MAX_PART_BYTES)))])
    assert len(whole) < 10_000
    assert outcomes_in(whole) == [ended]


KILLED = ("greedy", "hunter", "shepherd")


def test_a_run_that_is_killed_at_any_moment_loses_only_what_was_in_play(tmp_path: Path) -> None:
    out, dice = tmp_path / "out", random.Random(3)
    words = ["match", *KILLED, "--games", "3000", "--seed", "k", "--jobs", "2"]
    before = 0
    for _ in range(4):
        with ending(
            subprocess.Popen(
                [sys.executable, "-m", "wateringhole", *words, "--out", str(out)],
                env=surroundings(),
                stdout=subprocess.DEVNULL,
            )
        ) as running:
            wanted = before + dice.randrange(1, 200)
            while running.poll() is None and (
                not (out / GAMES).exists() or len(RunFile(out / GAMES).outcomes) < wanted
            ):
                time.sleep(0.002)
            running.send_signal(signal.SIGKILL)
            running.wait(HANG)
        found = RunFile(out / GAMES)
        assert found.damage == ""
        assert len(found.outcomes) >= before, "nothing that was kept is lost"
        before = len(found.outcomes)
        for number in dice.sample(sorted(found.outcomes), 3):
            assert replay(found.record(number)).phase == "over"
    agents = tuple(map(spec, KILLED))
    job = Job(agents, "k", USUAL)
    for number in dice.sample(sorted(found.outcomes), 20):
        [again] = outcomes_in(play_lot(job, [rotations(range(3), 3_000)[number]], PLAYERS))
        assert again.truth == found.outcomes[number].truth


SMALL_DISK = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
from wateringhole.cli import main
main(sys.argv[2:])
"""


def test_a_full_disk_is_a_sentence_and_the_same_command_goes_on(tmp_path: Path) -> None:
    words = ["match", *KILLED, "--seed", "k", "--jobs", "1", "--out", str(tmp_path), "--json", "--games"]
    well(command(*words, "6"))  # a fast machine writes the others in frames that a small disk takes none of
    small = (tmp_path / GAMES).stat().st_size + 1_000
    full = subprocess.run(
        [sys.executable, "-c", SMALL_DISK, str(small), *words, "400"],
        capture_output=True,
        text=True,
        env=surroundings(),
        timeout=HANG,
        check=False,
    )
    assert full.returncode == 2
    assert full.stderr == f"wateringhole: {tmp_path}: {os.strerror(errno.EFBIG)}\n"
    assert (tmp_path / GAMES).stat().st_size == small, "the last frame was cut off"
    assert 6 <= len(RunFile(tmp_path / GAMES).outcomes) < 400
    well(command(*words, "400"))
    assert len(RunFile(tmp_path / GAMES).outcomes) == 400


def test_replay_takes_one_game_of_a_run(tmp_path: Path) -> None:
    play(tmp_path, 4)
    games, one = str(tmp_path / GAMES), tmp_path / "one.jsonl"
    assert "the game reproduces" in well(command("replay", games, "--game", "2", "--record", str(one)))
    for words in (["--json"], ["--trace"], ["--story"], ["--to", "3"], ["--quiet"]):
        with case(words):
            told = well(command("replay", games, "--game", "2", *words))
            assert told == well(command("replay", str(one), *words))
    forked = ["silly"] * 4 + ["--fork", "3", "--json"]
    assert well(command("replay", games, "--game", "2", *forked)) == well(command("replay", str(one), *forked))
    for words, says in (
        ([games], "holds the games of a run; --game N says which"),
        ([games, "--game", "4"], "there is no game 4; the file has 4, from 0 to 3"),
        ([str(one), "--game", "1"], "not a file of a run's games"),
        ([str(tmp_path / "none"), "--game", "1"], "No such file or directory"),
        ([str(one), "--record", str(tmp_path / "x")], "it needs --fork STEP or --game N"),
    ):
        with case(words):
            assert complained(command("replay", *words), says)
