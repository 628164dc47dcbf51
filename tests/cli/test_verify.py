"""`verify`: a deal that nobody can have arranged is told from all others."""

import hashlib
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli import command, complained, well
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.fair import SEALED, SEED
from wateringhole.record import Record, replay, text
from wateringhole.table import play

CHOSEN = "0123456789abcdef0123456789abcdef"
SEAL = hashlib.sha256(CHOSEN.encode()).hexdigest()
OTHER = hashlib.sha256(b"another").hexdigest()


def dealt(deck: str = CHOSEN, **changed: str) -> Record:
    """A game that was dealt as it should be, but for notes that are changed."""
    notes = {SEALED: SEAL, SEED: CHOSEN} | changed
    record = play([Silly(), Silly(), Silly()], shuffled(deck)).record
    return replace(record, notes=tuple({name: value} for name, value in notes.items() if value))


def kept(folder: Path, record: Record, name: str = "game.jsonl") -> str:
    path = folder / name
    path.write_bytes(text(record, replay(record)))
    return str(path)


def test_a_fair_game_is_told_in_one_line_with_its_seed_and_its_seal(tmp_path: Path) -> None:
    path = kept(tmp_path, dealt())
    comes = f"its deck comes from the seed {CHOSEN}, which has the seal"
    said = well(command("verify", path, "--sealed", SEAL))
    assert said == f"{path}: fair; {comes} that you saw before the game\n"
    assert well(command("verify", path, "--sealed", SEAL.upper())) == said


def test_who_saw_no_seal_is_told_what_that_means(tmp_path: Path) -> None:
    path = kept(tmp_path, dealt())
    said = well(command("verify", path))
    comes = f"its deck comes from the seed {CHOSEN}, which has the seal {SEAL}"
    assert said == f"{path}: in order; {comes}; if that was shown before the game, it is fair\n"


def test_a_record_is_also_read_from_standard_input(tmp_path: Path) -> None:
    data = Path(kept(tmp_path, dealt())).read_bytes()
    assert well(command("verify", "-", given=data)).startswith("-: in order; ")


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (dealt(seed=""), "its seed was not shown: the game was not finished"),
        (dealt(sealed=OTHER), f"its seed {CHOSEN} has the seal {SEAL}, but it bears {OTHER}"),
        (dealt("a deck of mine"), f"its seed {CHOSEN} gives another deck"),
    ],
)
def test_an_unfair_game_is_told_with_the_reason(tmp_path: Path, record: Record, why: str) -> None:
    path = kept(tmp_path, record)
    assert command("verify", path) == (1, f"{path}: not fair: {why}\n", "")


def test_a_game_without_a_seal_cannot_be_told(tmp_path: Path) -> None:
    path = kept(tmp_path, dealt(sealed="", seed=""))
    why = "it bears no seal: its deck was chosen by a person"
    assert command("verify", path) == (1, f"{path}: cannot be told: {why}\n", "")


def test_a_game_with_another_seal_than_the_one_that_was_seen_is_not_fair(tmp_path: Path) -> None:
    path = kept(tmp_path, dealt())
    assert command("verify", path, "--sealed", OTHER) == (
        1,
        f"{path}: not fair: it bears the seal {SEAL}, not {OTHER}\n",
        "",
    )


def test_a_game_must_have_been_played_to_its_end_and_lead_to_it(tmp_path: Path) -> None:
    whole = dealt()
    broken_off = kept(tmp_path, replace(whole, replies=whole.replies[:-1]))
    ended = command("verify", broken_off)
    steps = len(whole.replies) - 1
    assert ended == (1, f"{broken_off}: not fair: it ends after {steps} replies, in the middle of the game\n", "")
    path = tmp_path / "changed.jsonl"
    path.write_bytes(text(replace(whole, replies=whole.replies[:-1]), replay(whole)))
    ended = command("verify", str(path))
    assert (ended.code, ended.err) == (1, "")
    assert f"{path}: not fair: the replies lead to state " in ended.out


def test_of_several_records_each_has_its_line_and_the_worst_counts(tmp_path: Path) -> None:
    fair, unfair = kept(tmp_path, dealt()), kept(tmp_path, dealt("mine"), "unfair.jsonl")
    missing = str(tmp_path / "missing.jsonl")
    noise = tmp_path / "noise.jsonl"
    noise.write_bytes(b"\x1b[31m nothing of the kind")
    ended = command("verify", fair, unfair)
    assert (ended.code, [line.split(": ")[1][:4] for line in ended.out.splitlines()]) == (1, ["in o", "not "])
    ended = command("verify", missing, fair, str(noise), str(tmp_path))
    assert (ended.code, ended.out.count("\n")) == (2, 1)
    assert [line.split(": ")[:3] for line in ended.err.splitlines()] == [
        ["wateringhole", missing, "No such file or directory"],
        ["wateringhole", str(noise), "line 1"],
        ["wateringhole", str(tmp_path), "Is a directory"],
    ]
    assert ended.err.replace("\n", "").isprintable()


def test_json_says_the_same_for_scripts(tmp_path: Path) -> None:
    paths = [kept(tmp_path, dealt()), kept(tmp_path, dealt("mine"), "unfair.jsonl"), str(tmp_path / "missing")]
    ended = command("verify", "--json", *paths)
    fair, unfair, missing = map(json.loads, ended.out.splitlines())
    assert (ended.code, ended.err) == (2, "")
    known = hashlib.sha256(Path(paths[0]).read_bytes()).hexdigest()[:24]
    assert fair == {
        "record": paths[0],
        "fair": True,
        "shown": False,
        "game": known,
        "sealed": SEAL,
        "seed": CHOSEN,
        "objection": None,
        "error": None,
    }
    assert (unfair["fair"], unfair["objection"]) == (False, f"its seed {CHOSEN} gives another deck")
    assert (missing["fair"], missing["error"]) == (False, "No such file or directory")


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["game.jsonl", "--sealed", "abc"], ["--sealed abc", "64 digits"]),
        (["game.jsonl", "--sealed", "g" * 64], ["g" * 64, "64 digits, from 0 to f"]),
        (["one", "two", "--sealed", SEAL], ["--sealed is the seal of one game", "2 records"]),
    ],
)
def test_a_seal_that_is_none_is_one_sentence(words: list[str], values: list[str]) -> None:
    assert complained(command("verify", *words), *values)
