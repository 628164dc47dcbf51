"""`game`, as a user would use it, and every mistake a user would make."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cases import case
from tests.cli import HANG, command, complained, ending, process, well
from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK, shuffled
from wateringhole.conformance.situations import situation_in
from wateringhole.record import read
from wateringhole.table import play


def data(*arguments: str) -> dict[str, Any]:
    """The game's JSON object."""
    value = json.loads(well(command("game", *arguments, "--json")))
    assert isinstance(value, dict)
    return value


def deck_file(folder: Path, deck: object) -> str:
    path = folder / "deck.json"
    path.write_text(json.dumps(deck))
    return str(path)


# Playing.


def test_a_number_stands_for_so_many_silly_players() -> None:
    assert sorted(row["name"] for row in data("4")["ranking"]) == ["silly 1", "silly 2", "silly 3", "silly 4"]


def test_agents_sit_in_the_order_in_which_they_are_named() -> None:
    rows = sorted(data("rash", "silly", "silly", "--seed", "1")["ranking"], key=lambda row: int(row["id"]))
    assert [row["name"] for row in rows] == ["rash 1", "silly 2", "silly 3"]


@pytest.mark.parametrize("number", [3, 8])
def test_3_and_8_players_may_play(number: int) -> None:
    assert len(data(str(number))["ranking"]) == number


def test_the_game_is_told_turn_by_turn_and_ends_with_the_ranking() -> None:
    out = well(command("game", "3", "--seed", "7"))
    assert "Turn 1 begins: 0 tokens in the watering hole, 122 cards in the deck" in out
    turns = [int(number) for number in re.findall(r"^Turn (\d+) begins", out, re.MULTILINE)]
    assert turns == list(range(1, len(turns) + 1))
    assert re.search(r"^player +boards +hand +bag", out, re.MULTILINE)
    assert "Ranking" in out.splitlines()[-5]
    assert out.splitlines()[-4].split() == ["rank", "player", "score"]


def test_the_ranking_shown_is_the_ranking_in_the_data() -> None:
    rows = data("3", "--seed", "7")["ranking"]
    shown = well(command("game", "3", "--seed", "7", "--quiet")).splitlines()[2:]
    assert [line.split() for line in shown] == [[str(r["rank"]), *r["name"].split(), str(r["score"])] for r in rows]


def test_the_data_have_the_seed_the_deck_and_the_ranking() -> None:
    got = data("silly", "silly", "bad:card-twice", "--seed", "x y")
    assert got["seed"] == "x y"
    assert got["deck"] == [[card.food, card.trait.value] for card in shuffled("x y")]
    assert [row["rank"] for row in got["ranking"]][-1] is None
    assert got["ranking"][-1] == {
        "id": 3,
        "name": "bad:card-twice 3",
        "score": None,
        "rank": None,
        "expelled": {"reason": "illegal", "text": "plays card 1 twice", "rule": "cardplay.once"},
    }
    assert all(row["expelled"] is None for row in got["ranking"][:-1])


# Seeds.


@pytest.mark.parametrize("form", [[], ["--quiet"], ["--story"], ["--json"], ["--trace"]], ids=str)
def test_the_same_seed_gives_the_same_output(form: list[str]) -> None:
    agents = ["rash", "silly", "rash"]
    first, second = (well(command("game", *agents, "--seed", "7", *form)) for _ in range(2))
    assert first == second
    assert well(command("game", *agents, "--seed", "8", *form)) != first


def test_the_same_seed_gives_the_same_output_in_another_process() -> None:
    arguments = ["game", "rash", "rash", "rash", "--seed", "same", "--story"]
    one = well(process(*arguments, PYTHONHASHSEED="1"))
    assert one == well(process(*arguments, PYTHONHASHSEED="2"))


def test_a_drawn_seed_is_printed_and_gives_the_same_game_again() -> None:
    *shown, last = well(command("game", "rash", "rash", "rash")).splitlines()
    assert (match := re.fullmatch(r"seed: ([0-9a-f]{64})", last))
    assert well(command("game", "rash", "rash", "rash", "--seed", match[1])).splitlines() == shown


def test_a_drawn_seed_is_another_one_each_time_and_in_the_data_too() -> None:
    one, other = data("3"), data("3")
    assert one["seed"] != other["seed"]
    assert data("3", "--seed", one["seed"]) == one


def test_a_given_seed_is_not_printed_again() -> None:
    assert "seed" not in well(command("game", "3", "--seed", "7"))


def test_any_text_is_a_seed() -> None:
    for seed in ("", "0", "-1", "1e400", "ünï 😀", "x" * 1000):
        with case(seed):
            assert data("3", f"--seed={seed}")["seed"] == seed


# Decks.


def test_the_sorted_deck_is_the_sorted_deck() -> None:
    got = data("3", "--sorted")
    assert got["deck"] == [[card.food, card.trait.value] for card in DECK]
    assert got["ranking"] == data("3", "--sorted", "--seed", "9")["ranking"], "silly players have no dice"


def test_a_deck_from_a_file_is_played_from_the_top(tmp_path: Path) -> None:
    faces = [[card.food, card.trait.value] for card in reversed(DECK)]
    got = data("3", "--deck", deck_file(tmp_path, faces[:80]))
    assert got["deck"] == faces[:80]
    due = play([Silly()] * 3, tuple(reversed(DECK))[:80]).ranking
    assert [(row["id"], row["score"]) for row in got["ranking"]] == [(row.seat, row.score) for row in due]


def test_the_deck_of_one_game_is_a_deck_for_another(tmp_path: Path) -> None:
    one = data("3", "--seed", "7")
    assert data("3", "--deck", deck_file(tmp_path, one["deck"]))["ranking"] == one["ranking"]


def test_the_seed_fixes_the_dice_also_on_a_deck_of_ones_own(tmp_path: Path) -> None:
    deck = deck_file(tmp_path, data("3", "--seed", "7")["deck"])
    rankings = [data("rash", "rash", "rash", "--deck", deck, "--seed", seed)["ranking"] for seed in ("1", "1", "2")]
    assert rankings[0] == rankings[1] != rankings[2]


# Forms of output.


def test_quiet_shows_only_the_ranking() -> None:
    lines = well(command("game", "3", "--seed", "7", "--quiet")).splitlines()
    assert len(lines) == 5
    assert lines[0].strip() == "Ranking"


def test_the_story_has_all_that_is_told_without_it_and_each_meal_and_deal() -> None:
    short, long = (well(command("game", "3", "--seed", "1", *form)) for form in ([], ["--story"]))
    assert set(short.splitlines()) < set(long.splitlines())
    for words in ("gets a new board.", "gets 4 cards.", "1 token."):
        assert words in long
        assert words not in short


def test_a_trace_has_a_configuration_for_each_turn_and_then_the_scores() -> None:
    *turns, scores = [json.loads(line) for line in well(command("game", "4", "--seed", "7", "--trace")).splitlines()]
    assert len(turns) > 2
    orders = [[side.number for side in situation_in("xstep", turn).sides] for turn in turns]
    assert orders[:2] == [[1, 2, 3, 4], [2, 3, 4, 1]]
    ranking = data("4", "--seed", "7")["ranking"]
    assert scores == {"scores": [[row["id"], row["score"]] for row in ranking]}


def test_an_expelled_player_is_told_of_and_listed_last() -> None:
    out = well(command("game", "silly", "bad:card-twice", "silly", "--seed", "7"))
    assert "bad:card-twice 2 is expelled (illegal): it plays card 1 twice." in out
    assert out.splitlines()[-1].strip().split(maxsplit=4) == [
        "-",
        "bad:card-twice",
        "2",
        "-",
        "expelled (illegal): plays card 1 twice",
    ]


def test_a_record_is_kept_whatever_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    for form in ([], ["--quiet"], ["--json"], ["--trace"]):
        path.unlink(missing_ok=True)
        well(command("game", "rash", "silly", "silly", "--seed", "7", "--record", str(path), *form))
        record = read(path)
        assert record.names == ("rash 1", "silly 2", "silly 3")
        assert record.deck == shuffled("7")
        assert record.notes == ({"seed": "7"},)


def test_a_record_overwrites_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("something long\n" * 10_000)
    well(command("game", "3", "--record", str(path), "--quiet"))
    assert len(read(path).names) == 3


def test_nothing_is_coloured_where_nobody_looks() -> None:
    assert "\x1b" not in well(process("game", "3", "--seed", "7"))
    assert "\x1b[1;36m" in well(process("game", "3", "--seed", "7", FORCE_COLOR="1", TERM="xterm"))
    assert "\x1b[1;36m" not in well(process("game", "3", "--seed", "7", FORCE_COLOR="1", TERM="xterm", NO_COLOR="1"))


def test_a_narrow_terminal_gets_narrow_lines() -> None:
    lines = well(process("game", "silly", "rash", "bad:card-twice", "--seed", "3", COLUMNS="40")).splitlines()
    assert max(len(line) for line in lines) <= 40


# Mistakes.


MISTAKES: list[tuple[list[str], str]] = [
    ([], "who plays?"),
    (["0"], "0 players"),
    (["2"], "2 players"),
    (["9"], "9 players"),
    (["silly"], "1 player"),
    (["silly", "silly"], "2 players"),
    (["silly"] * 9, "9 players"),
    (["1" + "0" * 30], "1" + "0" * 30),
    (["1" + "0" * 5_000], "1000"),
    (["-1"], "-1"),
    (["3.0"], '"3.0"'),
    (["true"], '"true"'),
    (["NaN"], '"NaN"'),
    (["٣"], '"٣"'),
    (["3", "3"], '"3"'),
    (["3", "silly"], '"3"'),
    (["Silly", "silly", "silly"], '"Silly"'),
    (["silly", "silly", "nobody"], '"nobody"'),
    (["silly", "silly", ""], '""'),
    (["silly", "silly", "two\nlines"], "two"),
    (["silly", "silly", "bad"], "misdeed"),
    (["silly", "silly", "bad:"], "misdeed"),
    (["silly", "silly", "bad:luck"], '"luck"'),
    (["3", "--colour"], "--colour"),
    (["3", "--sede", "7"], "--sede"),
    (["3", "-q"], "-q"),
    (["3", "--seed"], "--seed"),
    (["3", "--deck"], "--deck"),
    (["3", "--quiet=3"], "--quiet"),
    (["3", "--seed", "x" * 1001], "1001"),
    (["3", "--sorted", "--deck", "any"], "--deck"),
]


def test_a_mistake_is_one_sentence() -> None:
    for arguments, value in MISTAKES:
        with case(arguments, value):
            assert complained(command("game", *arguments), value)


@pytest.mark.parametrize("forms", [["--json", "--trace"], ["--quiet", "--story"]], ids=" ".join)
def test_two_forms_of_output_contradict_each_other(forms: list[str]) -> None:
    assert complained(command("game", "3", *forms), *forms)


BAD_DECKS: list[tuple[object, str]] = [
    ([[1, "horns"], [2, "horns"], [1, "horns"]], "horns"),
    ([[4, "horns"]], '[4, "horns"]'),
    ([[-9, "carnivore"]], '[-9, "carnivore"]'),
    ([[True, "horns"]], '[true, "horns"]'),
    ([[1.0, "horns"]], '[1.0, "horns"]'),
    ([[10**30, "horns"]], str(10**30)),
    ([[1, "wings"]], '"wings"'),
    ([["horns", 1]], '["horns", 1]'),
    ([[1]], "[1]"),
    ([1], "1"),
    ([None], "null"),
    ([], "empty"),
    ({}, "{}"),
    (3, "3"),
    (None, "null"),
]


def test_a_bad_deck_is_one_sentence_with_the_file_and_the_card(tmp_path: Path) -> None:
    for deck, value in BAD_DECKS:
        with case(deck, value):
            path = deck_file(tmp_path, deck)
            assert complained(command("game", "3", "--deck", path), path, value)


def test_a_deck_that_is_no_json_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    for text in (b"", b"[", b'[[NaN, "horns"]]', b'[[1e400, "horns"]]', b"\xff", b"[" * 100_000, b"deck"):
        with case(text):
            path.write_bytes(text)
            assert complained(command("game", "3", "--deck", str(path)), str(path))


def scribe(folder: Path) -> tuple[str, Path]:
    """An agent that leaves a trace when it is asked, and that trace."""
    trace, path = folder / "asked", folder / "scribe.py"
    lines = ["from wateringhole import Silly", "class Scribe(Silly):", "    def choose(self, request):"]
    path.write_text(
        "\n".join([*lines, f"        open({str(trace)!r}, 'w').close()", "        return super().choose(request)"])
    )
    return f"py:{path}:Scribe", trace


@pytest.mark.parametrize("place", ["no/folder", "", "plain/file", "x" * 300])
def test_a_place_where_no_record_can_be_kept_is_told_before_the_game(place: str, tmp_path: Path) -> None:
    agent, trace = scribe(tmp_path)
    (tmp_path / "plain").touch()
    words = [agent, "silly", "silly", "--in-process", "--record", str(tmp_path / place)]
    assert complained(command("game", *words), str(tmp_path / place))
    assert not trace.exists()


def test_a_game_that_cannot_be_played_leaves_no_record(tmp_path: Path) -> None:
    path = tmp_path / "record"
    assert complained(command("game", "human", "human", "silly", "--record", str(path)), "room for 1")
    assert not path.exists()


def test_a_record_may_go_into_a_pipe(tmp_path: Path) -> None:
    pipe, copy = tmp_path / "pipe", tmp_path / "copy"
    os.mkfifo(pipe)
    with copy.open("wb") as file, ending(subprocess.Popen(["cat", str(pipe)], stdout=file)) as reader:
        well(process("game", "3", "--record", str(pipe), "--quiet", "--seed", "7"))
        assert reader.wait(HANG) == 0
    assert read(copy).deck == shuffled("7")


def test_a_missing_file_and_a_folder_are_one_sentence(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.json")
    assert complained(command("game", "3", "--deck", missing), missing, "No such file")
    assert complained(command("game", "3", "--deck", str(tmp_path)), str(tmp_path), "directory")
    assert complained(command("game", "3", "--record", str(tmp_path)), str(tmp_path), "directory")
    nowhere = str(tmp_path / "no" / "folder")
    assert complained(command("game", "3", "--record", nowhere), nowhere, "No such file")
    long = "x" * 5_000
    assert complained(command("game", "3", "--deck", long), long, "too long")


@pytest.mark.parametrize(
    ("arguments", "value"),
    [(["2"], "2 players"), (["silly", "silly", "nobody"], "nobody"), (["3", "--deck", "/dev/null/x"], "/dev/null/x")],
    ids=str,
)
def test_a_mistake_is_one_sentence_in_a_process_of_its_own_too(arguments: list[str], value: str) -> None:
    assert complained(process("game", *arguments), value)


def test_a_seed_that_is_not_utf_8_is_one_sentence() -> None:
    assert complained(command("game", "3", "--seed", "\udcff"), "seed")


def test_the_help_names_every_option() -> None:
    out = well(command("game", "--help"))
    for option in ("--seed", "--sorted", "--deck", "--record", "--json", "--trace", "--story", "--quiet"):
        assert option in out
    assert well(command("game", "-h")) == out
