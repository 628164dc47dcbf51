"""`replay`, as a user would use it, and every mistake a user would make."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases import case
from tests.cli import command, complained, process, well
from tests.cli.test_game import scribe
from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK
from wateringhole.conformance.situations import situation_in
from wateringhole.record import digest, read, replay, write
from wateringhole.table import play


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a game of three."""
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    well(command("game", "rash", "silly", "rash", "--seed", "5", "--record", str(path), "--quiet"))
    return str(path)


def data(*arguments: str) -> dict[str, Any]:
    value = json.loads(well(command("replay", *arguments, "--json")))
    assert isinstance(value, dict)
    return value


# Replaying.


@pytest.mark.parametrize("form", [[], ["--story"], ["--quiet"], ["--trace"]], ids=str)
def test_a_replay_shows_what_the_game_showed(game: str, form: list[str]) -> None:
    shown = well(command("game", "rash", "silly", "rash", "--seed", "5", *form))
    again = well(command("replay", game, *form))
    if form == ["--trace"]:
        assert again == shown
    else:
        assert again == shown + f"replies: {len(read(Path(game)).replies)}; the game reproduces.\n"


def test_a_replay_in_a_process_of_its_own_shows_the_same(game: str) -> None:
    assert well(process("replay", game)) == well(command("replay", game))


def test_the_data_of_a_whole_replay_are_the_end_of_the_game(game: str) -> None:
    record, got = read(Path(game)), data(game)
    assert got["steps"] == len(record.replies)
    assert got["phase"] == "over"
    assert got["pending"] == []
    assert got["digest"] == digest(replay(record))
    assert got["deck"] == [[card.food, card.trait.value] for card in record.deck]
    ranking = json.loads(well(command("game", "rash", "silly", "rash", "--seed", "5", "--json")))["ranking"]
    assert got["ranking"] == ranking


def test_a_replay_to_a_step_stops_after_so_many_replies(game: str) -> None:
    assert data(game, "--to", "0")["pending"] == [1, 2, 3]
    got = data(game, "--to", "2")
    assert (got["steps"], got["turn"], got["phase"], got["pending"]) == (2, 1, "choose", [3])
    assert got["digest"] == digest(replay(read(Path(game)), 2))
    sides = situation_in("xstep", got["state"]).sides
    assert [(side.number, len(side.hand)) for side in sides] == [(1, 4), (2, 4), (3, 4)]


def test_a_replay_to_a_step_tells_whom_the_game_waits_for(game: str) -> None:
    out = well(command("replay", game, "--to", "2"))
    assert "Turn 1 waits for rash 3 to choose." in out
    assert "Ranking" not in out


def test_a_replay_to_the_last_step_is_the_whole_replay(game: str) -> None:
    steps = len(read(Path(game)).replies)
    assert data(game, "--to", str(steps)) == data(game)
    assert well(command("replay", game, "--to", str(steps))) == well(command("replay", game))


def test_a_trace_to_a_step_has_the_turns_that_have_ended(game: str) -> None:
    assert json.loads(well(command("replay", game, "--to", "0", "--trace")))["scores"] == [[1, 1], [2, 1], [3, 1]]


def test_an_unfinished_record_is_shown_as_far_as_it_goes(game: str, tmp_path: Path) -> None:
    part = tmp_path / "part.jsonl"
    part.write_bytes(b"".join(Path(game).read_bytes().splitlines(keepends=True)[:4]))
    out = well(command("replay", str(part)))
    assert "Turn 1 waits for rash 3 to choose." in out
    assert "replies: 2; the game was not finished." in out


def test_a_name_cannot_write_on_the_screen(game: str, tmp_path: Path) -> None:
    odd = tmp_path / "odd.jsonl"
    odd.write_text(Path(game).read_text().replace('"silly 2"', '"\\u001b[31mred [bold]x\\u0007"'))
    out = well(command("replay", str(odd)))
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "red [bold]x" in out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_name_that_the_terminal_cannot_show_does_not_stop_the_replay(
    encoding: str, game: str, tmp_path: Path
) -> None:
    odd = tmp_path / "odd.jsonl"
    odd.write_text(Path(game).read_text().replace('"silly 2"', '"Z\\u014d"'))
    ended = process("replay", str(odd), "--quiet", PYTHONIOENCODING=encoding)
    assert "Traceback" not in ended.err
    assert ended.code == 0
    assert "rash 1" in ended.out


# Forking.


def test_agents_play_on_from_any_step(game: str, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    well(command("replay", game, "silly", "rash", "silly", "--fork", "4", "--record", str(other), "--quiet"))
    record, forked = read(Path(game)), read(other)
    assert forked.names == ("silly 1", "rash 2", "silly 3")
    assert forked.deck == record.deck
    assert forked.replies[:4] == record.replies[:4]
    assert forked.replies != record.replies
    assert replay(forked).phase == "over"
    assert forked.notes == ({"forked at": 4, "seed": "0"},)


def test_a_fork_of_a_game_that_began_with_food_in_the_watering_hole_replays(tmp_path: Path) -> None:
    begun, other = tmp_path / "begun.jsonl", tmp_path / "other.jsonl"
    write(play([Silly(), Silly(), Silly()], DECK, watering_hole=9).record, begun)
    well(command("replay", str(begun), *["silly"] * 3, "--fork", "6", "--record", str(other), "--quiet"))
    forked = read(other)
    assert forked.watering_hole == 9
    assert replay(forked).phase == "over"


def test_a_fork_is_shown_and_does_not_claim_to_reproduce_anything(game: str) -> None:
    out = well(command("replay", game, "silly", "rash", "silly", "--fork", "4"))
    assert "Turn 1 begins" in out
    assert "Ranking" in out
    assert "reproduces" not in out


def test_the_seed_fixes_the_dice_of_those_who_play_on(game: str) -> None:
    fork = [game, "rash", "rash", "rash", "--fork", "0"]
    assert data(*fork) == data(*fork, "--seed", "0")
    assert data(*fork, "--seed", "1") == data(*fork, "--seed", "1")
    assert data(*fork, "--seed", "1")["digest"] != data(*fork)["digest"]


def test_a_fork_behind_the_last_reply_changes_nothing_but_the_names(game: str) -> None:
    whole = data(game)
    fork = data(game, "silly", "silly", "silly", "--fork", str(whole["steps"]))
    assert fork["state"] == whole["state"]


def test_a_fork_may_be_traced(game: str) -> None:
    lines = well(command("replay", game, "rash", "rash", "rash", "--fork", "3", "--trace")).splitlines()
    assert "scores" in json.loads(lines[-1])
    assert [side.number for side in situation_in("xstep", json.loads(lines[0])).sides] == [1, 2, 3]


# Mistakes.


MISTAKES: list[tuple[list[str], str]] = [
    (["--to", "100000"], "100000"),
    (["--to", "1" + "0" * 30], "1" + "0" * 30),
    (["--to", "-1"], "-1"),
    (["--to", "1.0"], "1.0"),
    (["--to", "true"], "true"),
    (["--to", "NaN"], "NaN"),
    (["--to", ""], "--to"),
    (["--to"], "--to"),
    (["silly", "silly", "silly", "--fork", "100000"], "100000"),
    (["silly", "silly", "silly", "--fork", "-1"], "-1"),
    (["silly", "silly", "silly", "--fork", "x"], "'x'"),
    (["silly", "silly", "silly"], "--fork"),
    (["--fork", "3"], "--fork"),
    (["silly", "silly", "--fork", "3"], "2 agents for 3 seats"),
    (["silly", "silly", "silly", "silly", "--fork", "3"], "4 agents for 3 seats"),
    (["silly", "silly", "nobody", "--fork", "3"], '"nobody"'),
    (["silly", "silly", "bad:luck", "--fork", "3"], '"luck"'),
    (["silly", "silly", "silly", "--fork", "3", "--to", "3"], "--to and --fork"),
    (["--record", "other"], "--record"),
    (["--colour"], "--colour"),
    (["silly", "silly", "silly", "--fork", "3", "--seed", "x" * 1001], "1001"),
]


def test_a_mistake_is_one_sentence(game: str) -> None:
    for arguments, value in MISTAKES:
        with case(arguments, value):
            assert complained(command("replay", game, *arguments), value)


@pytest.mark.parametrize("forms", [["--json", "--trace"], ["--quiet", "--story"]], ids=" ".join)
def test_two_forms_of_output_contradict_each_other(forms: list[str], game: str) -> None:
    assert complained(command("replay", game, *forms), *forms)


def test_a_seed_without_a_fork_would_do_nothing_and_is_refused(game: str) -> None:
    assert complained(command("replay", game, "--seed", "7"), "--seed", "--fork")


def test_a_place_where_no_forked_game_can_be_kept_is_told_before_it_is_played(game: str, tmp_path: Path) -> None:
    agent, trace = scribe(tmp_path)
    words = [agent, "silly", "silly", "--in-process", "--fork", "3", "--record", str(tmp_path / "no" / "folder")]
    assert complained(command("replay", game, *words), "no/folder", "No such file")
    assert not trace.exists()


def test_a_missing_file_a_folder_and_no_file_are_one_sentence(game: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.jsonl")
    assert complained(command("replay", missing), missing, "No such file")
    assert complained(command("replay", str(tmp_path)), str(tmp_path), "directory")
    assert complained(command("replay"), "FILE")
    fork = ["silly", "silly", "silly", "--fork", "3", "--record"]
    assert complained(command("replay", game, *fork, str(tmp_path)), str(tmp_path), "directory")


NO_RECORDS = [
    b"",
    b"hello\n",
    b"{}\n",
    b"\xff\xfe\x00",
    b"\x00" * 100,
    b'{"line": "note", "note": {"a": "\xff"}}\n',
    b"[" * 100_000,
    b'{"line":' * 100_000,
    b"NaN",
]


def test_a_file_that_is_no_record_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    for text in NO_RECORDS:
        with case(text):
            path.write_bytes(text)
            assert complained(command("replay", str(path)), str(path), "line 1")


DAMAGES = [
    ('"rules":"1"', '"rules":"7"', '"7"'),
    ('"names":["rash 1",', '"names":[', "2 players"),
    ('"watering_hole":0', '"watering_hole":-5', "-5"),
    ('"food":', '"food":-1', "line"),
    ('"seat":1', '"seat":true', "bool"),
    ('"seat":1', '"seat":6', "seat 6"),
    ('"deck":[', '"deck":[[4,"horns"],', "horns"),
    ('"deck":[', '"deck":[[1,"wings"],', "wings"),
]


def test_a_damaged_record_is_one_sentence_with_the_damage(game: str, tmp_path: Path) -> None:
    text = Path(game).read_text()
    path = tmp_path / "game.jsonl"
    for old, new, value in DAMAGES:
        with case(old, new, value):
            assert old in text
            path.write_text(text.replace(old, new, 1))
            assert complained(command("replay", str(path)), str(path), value)


def test_a_card_twice_in_the_deck_is_one_sentence_that_names_it(game: str, tmp_path: Path) -> None:
    header, *rest = Path(game).read_text().splitlines()
    value = json.loads(header)
    value["deck"][5] = value["deck"][0]
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join([json.dumps(value), *rest]))
    food, trait = value["deck"][0]
    assert complained(command("replay", str(path)), str(path), "twice", str(food), trait)


def test_a_record_that_ends_in_another_state_is_one_sentence_and_exit_code_1(game: str, tmp_path: Path) -> None:
    text = Path(game).read_text()
    state = json.loads(text.splitlines()[-1])["state"]
    path = tmp_path / "game.jsonl"
    path.write_text(text.replace(state, "0" * 64))
    for run in (command, process):
        assert complained(run("replay", str(path)), str(path), state[:12], "0" * 12, code=1)


def test_the_help_names_every_option() -> None:
    out = well(command("replay", "--help"))
    for option in ("--to", "--fork", "--seed", "--record", "--json", "--trace", "--story", "--quiet"):
        assert option in out
