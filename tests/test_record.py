"""Records: what is written is read again, and whatever is damaged is refused with a sentence."""

import json
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.cases import case
from wateringhole import rulebook
from wateringhole.agents.bad import Bad
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK, shuffled
from wateringhole.dealer import new_game, pending
from wateringhole.events import GameOver
from wateringhole.fault import Fault, Reason
from wateringhole.moves import Attack, CardPlay, Decline, Graze, StoreFat
from wateringhole.record import NotReproducedError, Record, RecordError, digest, read, replay, walk, write
from wateringhole.rules.turn import ranking
from wateringhole.table import play

RICH = play([Rash("a"), Rash("b"), Silly(), Rash("c")], shuffled("rich 9"), watering_hole=25)
"""A game in which nearly everything happens."""

SHORT = play([Silly(), Silly(), Silly()], DECK[:60]).record
"""A small game, for damage."""


def kept(record: Record, folder: Path) -> list[dict[str, Any]]:
    """The lines of a written record."""
    path = folder / "kept"
    write(record, path)
    return [json.loads(line) for line in path.read_text().splitlines()]


def reread(lines: list[dict[str, Any]], folder: Path) -> Record:
    return read_bytes("".join(json.dumps(line) + "\n" for line in lines).encode(), folder)


def read_bytes(data: bytes, folder: Path) -> Record:
    path = folder / "record"
    path.write_bytes(data)
    return read(path)


def complaint(data: bytes | list[dict[str, Any]], folder: Path) -> str:
    """The sentence that refuses this."""
    with pytest.raises(RecordError) as error:
        read_bytes(data, folder) if isinstance(data, bytes) else reread(data, folder)
    sentence = str(error.value)
    assert sentence.isprintable(), "one line"
    assert " " in sentence
    return sentence


# Writing, reading, replaying.


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    write(RICH.record, tmp_path / "game")
    assert read(tmp_path / "game") == RICH.record


def test_writing_again_what_was_read_gives_the_same_file(tmp_path: Path) -> None:
    write(RICH.record, tmp_path / "one")
    write(read(tmp_path / "one"), tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_replaying_a_record_reproduces_the_game() -> None:
    game = replay(RICH.record)
    assert game.phase == "over"
    assert ranking(game) == RICH.ranking
    assert digest(game) == digest(replay(RICH.record))


def test_a_replay_with_a_listener_tells_everything_up_to_the_ranking() -> None:
    told = replay(RICH.record, listen=True).told
    assert told is not None
    assert told[-1] == GameOver(RICH.ranking)
    assert replay(RICH.record).told is None
    assert replay(RICH.record, listen=True) == replay(RICH.record)


def test_every_step_of_a_replay_asks_the_seat_that_answers_next() -> None:
    for step, (seat, _) in enumerate(RICH.record.replies):
        if step % 7 == 0:
            assert seat in pending(replay(RICH.record, step))
    assert replay(RICH.record, 0) == new_game(RICH.record.names, RICH.record.deck, 25)


def test_no_two_moments_of_a_game_have_the_same_digest() -> None:
    game = new_game(RICH.record.names, RICH.record.deck, RICH.record.watering_hole)
    digests = [digest(game), *(digest(moment) for moment in walk(game, RICH.record.replies))]
    assert len(set(digests)) == len(digests) > 40


def test_all_kinds_of_moves_survive_the_round_trip(tmp_path: Path) -> None:
    kinds = {type(reply) for _, reply in RICH.record.replies}
    assert kinds == {CardPlay, Graze, StoreFat, Attack, Decline}
    plays = [reply for _, reply in RICH.record.replies if isinstance(reply, CardPlay)]
    assert all(any(getattr(play, part) for play in plays) for part in ("population", "body", "boards", "traits"))
    assert reread(kept(RICH.record, tmp_path), tmp_path).replies == RICH.record.replies


@pytest.mark.parametrize("misdeed", ["raises-in-start", "exits-in-choose", "no-play", "card-twice", "no-feeding"])
def test_a_fault_survives_the_round_trip(misdeed: str, tmp_path: Path) -> None:
    result = play([Silly(), Bad(misdeed), Silly()], shuffled(1), watering_hole=20)
    again = reread(kept(result.record, tmp_path), tmp_path)
    assert again == result.record
    assert ranking(replay(again)) == result.ranking
    assert sum(row.fault is not None for row in result.ranking) == 1


@pytest.mark.parametrize("text", ["says é and 😀", "says \ud800", "says \x00 and \x1b[31m", "says a\nb", '"quotes\\"'])
def test_a_fault_with_any_text_can_be_kept(text: str, tmp_path: Path) -> None:
    fault = Fault(Reason.EXCEPTION, text, rulebook.EXPULSION, "choose")
    record = Record(("a", "b", "c"), DECK, ((1, fault),))
    write(record, tmp_path / "game")
    [(seat, reply)] = read(tmp_path / "game").replies
    assert seat == 1
    assert isinstance(reply, Fault)
    assert reply.reason is Reason.EXCEPTION
    assert reply.text.startswith(text[:4])


def test_every_reason_survives_the_round_trip(tmp_path: Path) -> None:
    for reason in Reason:
        with case(reason):
            record = Record(("a", "b", "c"), DECK, ((2, Fault(reason, "fails", rulebook.EXPULSION, "")),))
            write(record, tmp_path / "game")
            assert read(tmp_path / "game") == record


def test_an_unfinished_record_reads_fine(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    for end in range(1, len(lines)):
        part = reread(lines[:end], tmp_path)
        assert part.replies == SHORT.replies[: end - 1]
        assert (replay(part).phase == "over") == (end == len(lines) - 1)


def test_nobody_replies_or_fails_after_the_end() -> None:
    for reply in (SHORT.replies[-1], (1, Fault(Reason.EXCEPTION, "fails", rulebook.EXPULSION, ""))):
        with case(reply), pytest.raises(RecordError, match="answers, but the game asks no seat"):
            replay(replace(SHORT, replies=(*SHORT.replies, reply)))


def test_a_record_whose_last_line_is_cut_off_is_refused_with_that_line(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    data = (tmp_path / "kept").read_bytes()
    assert f"line {len(lines)}" in complaint(data[:-20], tmp_path)


def test_a_record_with_the_line_ends_of_another_system_reads_fine(tmp_path: Path) -> None:
    kept(SHORT, tmp_path)
    data = (tmp_path / "kept").read_bytes()
    assert read_bytes(data.replace(b"\n", b"\r\n"), tmp_path) == SHORT
    assert read_bytes(data.rstrip(b"\n"), tmp_path) == SHORT


def test_equality_ignores_notes_and_nothing_else(tmp_path: Path) -> None:
    noted = Record(SHORT.names, SHORT.deck, SHORT.replies, notes=({"seed": "7", "at": 1.5, "by": None},))
    assert noted == SHORT
    assert not operator.ne(noted, SHORT)
    assert hash(noted) == hash(SHORT)
    assert reread(kept(noted, tmp_path), tmp_path).notes == noted.notes
    others = [
        Record(("x", *SHORT.names[1:]), SHORT.deck, SHORT.replies),
        Record(SHORT.names, SHORT.deck[::-1], SHORT.replies),
        Record(SHORT.names, SHORT.deck, SHORT.replies[:-1]),
        Record(SHORT.names, SHORT.deck, SHORT.replies, watering_hole=1),
        Record(SHORT.names, SHORT.deck, SHORT.replies, rules="2"),
    ]
    assert all(other != SHORT and not operator.eq(other, SHORT) for other in others)
    assert SHORT.replies != SHORT


def test_games_and_players_are_equal_or_unequal_and_not_both() -> None:
    game = replay(SHORT, 3)
    other = replay(SHORT, 4)
    for left, right in [(game, game.clone()), (game.players[1], game.players[1].clone())]:
        with case(left):
            assert (operator.eq(left, right), operator.ne(left, right)) == (True, False)
    for left, right in [(game, other), (game.players[1], game.players[2])]:
        with case(left):
            assert (operator.eq(left, right), operator.ne(left, right)) == (False, True)


def test_notes_may_stand_anywhere_behind_the_header(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    note: dict[str, Any] = {"line": "note", "note": {"thought": "hm"}}
    lines[3:3] = [note]
    record = reread([*lines, note], tmp_path)
    assert record == SHORT
    assert record.notes == ({"thought": "hm"},) * 2


def test_a_file_that_never_ends_is_refused_at_the_limit() -> None:
    with pytest.raises(RecordError, match="more than 16 MB are no record"):
        read(Path("/dev/zero"))


def test_what_is_refused_is_not_repeated_at_length(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    head, long = lines[0], 5_000_000 * "x"
    table: list[tuple[dict[str, Any], str]] = [
        ({"names": ["Ann", long, "Bob"]}, "the name of seat 2 has 5000000 characters, above 1000"),
        ({"rules": long}, "the record is for rules"),
        ({"deck": [[1, long]]}, "is not one of the 122 cards"),
        ({"line": long}, "line 1: "),
    ]
    for changed, says in table:
        with case(says):
            sentence = complaint([{**head, **changed}, *lines[1:]], tmp_path)
            assert says in sentence
            assert len(sentence) < 400


def test_a_file_that_is_missing_or_a_folder_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing")
    with pytest.raises(IsADirectoryError):
        read(tmp_path)


# Damage.


def test_what_is_no_record_is_refused_at_line_1(tmp_path: Path) -> None:
    rows: list[bytes] = [
        b"",
        b"\n",
        b"\n\n\n",
        b"hello\n",
        b"[]\n",
        b"null",
        b"7",
        b"{}",
        b'{"line": "other"}',
        b'{"line": 1}',
        b"\xff\xfe\x00\x01",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"\xef\xbb\xbf{}",
        b'{"line": "game", "rules": "\xff", "names": [], "deck": []}',
        b'{"line": "game", "rules": "\\ud800", "names": [], "deck": []}',
        b"[" * 100_000,
        b'{"line":' * 100_000,
        b'{"line": "note", "note": ' + b"[" * 100_000,
        b'{"line": "note", "note": {"a": NaN}}',
        b'{"line": "note", "note": {"a": 1e999}}',
    ]
    for data in rows:
        with case(data):
            assert "line 1" in complaint(data, tmp_path)


def test_a_bad_line_is_refused_with_its_number(tmp_path: Path) -> None:
    rows: list[bytes] = [
        b"",
        b"hello",
        b"[]",
        b"\xff\xfe\x00\x01",
        b"[" * 100_000,
        b'{"line":' * 100_000,
        b'{"line": "note", "note": {"a": "\xff"}}',
        b'{"line": "note", "note": {"a": [1]}}',
        b'{"line": "reply", "seat": 1, "reply": {"move": "decline", "x": "\xc3"}}',
    ]
    for data in rows:
        with case(data):
            kept(SHORT, tmp_path)
            lines = (tmp_path / "kept").read_bytes().splitlines()
            lines[2] = data
            assert "line 3" in complaint(b"\n".join(lines), tmp_path)


def test_a_record_without_its_header_is_refused(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    assert "line 1" in complaint(lines[1:], tmp_path)
    assert "header" in complaint(lines[1:], tmp_path)


def test_a_second_header_is_refused(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    lines[2:2] = lines[:1]
    assert "line 3" in complaint(lines, tmp_path)


def test_replies_behind_the_end_line_are_refused(tmp_path: Path) -> None:
    *lines, end = kept(SHORT, tmp_path)
    lines[2:2] = [end]
    complaint(lines, tmp_path)


HEADERS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "rules of another version": ({"rules": "99"}, ['"99"', '"1"']),
    "rules as a number": ({"rules": 1}, ["rules", "int"]),
    "an unknown field": ({"colour": "red"}, ["colour"]),
    "two names": ({"names": ["a", "b"]}, ["2 players", "3 to 8"]),
    "nine names": ({"names": ["a"] * 9}, ["9 players", "3 to 8"]),
    "no names": ({"names": []}, ["0 players"]),
    "names that are no array": ({"names": "abc"}, ["names", "str"]),
    "a name that is a number": ({"names": ["a", "b", 3]}, ["names", "int"]),
    "a card twice": ({"deck": [[1, "horns"], [2, "horns"], [1, "horns"]]}, ["card twice"]),
    "an unknown card": ({"deck": [[4, "horns"]]}, ["[4, ", "horns", "122"]),
    "an unknown trait": ({"deck": [[1, "wings"]]}, ["wings", "122"]),
    "true for a card's food": ({"deck": [[True, "horns"]]}, ["deck[0][0]", "bool"]),
    "1.0 for a card's food": ({"deck": [[1.0, "horns"]]}, ["deck[0][0]", "float"]),
    "a huge food": ({"deck": [[10**30, "horns"]]}, [str(10**30), "122"]),
    "a card of three parts": ({"deck": [[1, "horns", 1]]}, ["deck[0]", "length 2"]),
    "a deck that is null": ({"deck": None}, ["deck", "null"]),
    "a negative watering hole": ({"watering_hole": -1}, ["-1", "below 0"]),
    "true for a watering hole": ({"watering_hole": True}, ["watering_hole", "bool"]),
    "1.0 for a watering hole": ({"watering_hole": 1.0}, ["watering_hole", "float"]),
    "a text for a watering hole": ({"watering_hole": "1"}, ["watering_hole", "str"]),
}


def test_a_damaged_header_is_refused(tmp_path: Path) -> None:
    for damage, (change, parts) in HEADERS.items():
        with case(damage):
            lines = kept(SHORT, tmp_path)
            lines[0] |= change
            sentence = complaint(lines, tmp_path)
            assert [part for part in parts if part not in sentence] == []


@pytest.mark.parametrize("field", ["line", "rules", "names", "deck"])
def test_a_header_without_one_of_its_fields_is_refused(field: str, tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    del lines[0][field]
    assert field in complaint(lines, tmp_path)


REPLIES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a seat that is not asked": ({"seat": 4}, ["seat 4", "asks"]),
    "seat 0": ({"seat": 0}, ["seat 0", "asks"]),
    "a negative seat": ({"seat": -1}, ["seat -1", "asks"]),
    "true for a seat": ({"seat": True}, ["line 2", "seat", "bool"]),
    "1.0 for a seat": ({"seat": 1.0}, ["line 2", "seat", "float"]),
    "a huge seat": ({"seat": 10**30}, ["seat"]),
    "an unknown field": ({"time": 3}, ["line 2", "time"]),
    "no move": ({"reply": None}, ["line 2", "reply"]),
    "a number for a move": ({"reply": 3}, ["line 2", "reply"]),
    "an array for a move": ({"reply": [0, [], [], [], []]}, ["line 2", "reply"]),
    "an unknown move": ({"reply": {"move": "sleep"}}, ["line 2", "sleep"]),
    "a move without a name": ({"reply": {"board": 0}}, ["line 2", "move"]),
    "a play without food": ({"reply": {"move": "play"}}, ["line 2", "food"]),
    "a negative number": ({"reply": {"move": "play", "food": -1}}, ["line 2", "CardPlay.food is -1", "reply"]),
    "true for 1": ({"reply": {"move": "play", "food": True}}, ["line 2", "CardPlay.food is True"]),
    "1.0 for 1": ({"reply": {"move": "play", "food": 1.0}}, ["line 2", "CardPlay.food is 1.0"]),
    "a text for 1": ({"reply": {"move": "play", "food": "1"}}, ["line 2", "CardPlay.food is '1'"]),
    "a negative board": ({"reply": {"move": "graze", "board": -1}}, ["line 2", "Graze.board is -1"]),
    "a negative trait": ({"reply": {"move": "play", "food": 0, "boards": [{"pay": 1, "traits": [-2]}]}}, ["boards[0]"]),
    "four traits": (
        {"reply": {"move": "play", "food": 0, "boards": [{"pay": 1, "traits": [2, 3, 4, 5]}]}},
        ["above 3"],
    ),
    "an unknown reason": ({"reply": {"move": "fault", "reason": "bored", "text": "t"}}, ["line 2", "bored"]),
    "a fault without a reason": ({"reply": {"move": "fault", "text": "t"}}, ["line 2", "reason"]),
    "a fault at an unknown time": (
        {"reply": {"move": "fault", "reason": "shape", "text": "t", "during": "lunch"}},
        ["line 2", "lunch"],
    ),
}


def test_a_damaged_reply_is_refused(tmp_path: Path) -> None:
    for damage, (change, parts) in REPLIES.items():
        with case(damage):
            lines = kept(SHORT, tmp_path)
            lines[1] |= change
            sentence = complaint(lines, tmp_path)
            assert [part for part in parts if part not in sentence] == []


def test_a_seat_that_answers_twice_is_refused_with_the_step(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    lines[2] = lines[1]
    assert "step 1: seat 1" in complaint(lines, tmp_path)


def test_replies_after_the_end_of_the_game_are_refused(tmp_path: Path) -> None:
    *lines, end = kept(SHORT, tmp_path)
    sentence = complaint([*lines, lines[-1], end], tmp_path)
    assert f"step {len(SHORT.replies)}" in sentence
    assert "asks no seat" in sentence


def test_a_fault_of_a_seat_that_has_left_is_refused(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    fault: dict[str, Any] = {"line": "reply", "seat": 2, "reply": {"move": "fault", "reason": "timeout", "text": "t"}}
    fault["reply"]["during"] = "start"
    assert "step 1: seat 2" in complaint([lines[0], fault, fault], tmp_path)


def test_a_changed_reply_that_leads_to_another_state_is_not_reproduced(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    assert lines[-2]["reply"]["move"] == "graze"
    lines[-2]["reply"] = {"move": "decline"}
    with pytest.raises(NotReproducedError, match=lines[-1]["state"][:12]):
        reread(lines, tmp_path)


def test_a_changed_end_is_not_reproduced(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    state = lines[-1]["state"]
    lines[-1]["state"] = "f00" + state[3:]
    with pytest.raises(NotReproducedError, match=state[:12]):
        reread(lines, tmp_path)


def test_changed_scores_are_not_reproduced(tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    lines[-1]["scores"][0][1] += 1
    with pytest.raises(NotReproducedError):
        reread(lines, tmp_path)


@pytest.mark.parametrize(
    "change",
    [{"state": None}, {"state": 3}, {"scores": None}, {"scores": [[1]]}, {"scores": [[1, True]]}, {"winner": 1}],
    ids=repr,
)
def test_a_damaged_end_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    lines = kept(SHORT, tmp_path)
    lines[-1] |= change
    assert f"line {len(lines)}" in complaint(lines, tmp_path)


@pytest.mark.parametrize(
    ("record", "part"),
    [
        (Record(("a", "b"), DECK, ()), "2 players"),
        (Record(("a", "b", "c"), DECK[:3] * 2, ()), "twice"),
        (Record(("a", "b", "c"), DECK, (), watering_hole=-2), "-2"),
        (Record(("a", "b", "c"), DECK, (), rules="0"), '"0"'),
        (Record(("a", "b", "c"), DECK, ((4, Decline()),)), "seat 4"),
    ],
)
def test_what_cannot_be_replayed_cannot_be_written_either(record: Record, part: str, tmp_path: Path) -> None:
    for attempt in (lambda: replay(record), lambda: write(record, tmp_path / "game")):
        with pytest.raises(RecordError, match=part):
            attempt()
    assert not (tmp_path / "game").exists()


# Whatever the bytes.


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damage")


TOUGH = settings(
    max_examples=100,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

SMALL = play([Bad("raises-in-choose"), Silly(), Silly()], DECK[:20]).record
"""A game of few bytes, so that damage hits all of them."""


def check(data: bytes, folder: Path) -> None:
    """A damaged record is refused, or it is one: it can be kept and read like any other."""
    try:
        record = read_bytes(data, folder)
    except RecordError:
        complaint(data, folder)
        return
    write(record, folder / "again")
    assert read(folder / "again") == record


Damage = Callable[[bytearray, st.DataObject], None]


def flip(data: bytearray, draw: st.DataObject) -> None:
    data[draw.draw(st.integers(0, len(data) - 1))] ^= 1 << draw.draw(st.integers(0, 7))


def overwrite(data: bytearray, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(data) - 1))
    data[at : at + draw.draw(st.integers(0, 3))] = draw.draw(st.binary(max_size=3))


def new_digit(data: bytearray, draw: st.DataObject) -> None:
    digits = [at for at, byte in enumerate(data) if chr(byte).isdigit()]
    data[draw.draw(st.sampled_from(digits))] = draw.draw(st.sampled_from(b"0123456789-.e"))


def swap_lines(data: bytearray, draw: st.DataObject) -> None:
    lines = bytes(data).splitlines()
    one, other = draw.draw(st.tuples(*[st.integers(0, len(lines) - 1)] * 2))
    lines[one], lines[other] = lines[other], lines[one]
    data[:] = b"\n".join(lines)


def cut(data: bytearray, draw: st.DataObject) -> None:
    del data[draw.draw(st.integers(0, len(data) - 1)) + 1 :]


@pytest.mark.parametrize("damage", [flip, overwrite, new_digit, swap_lines, cut])
@pytest.mark.parametrize("original", [SMALL, SHORT], ids=["small", "short"])
@given(draw=st.data())
@TOUGH
def test_a_damaged_file_is_refused_or_still_a_record(
    damage: Damage, original: Record, folder: Path, draw: st.DataObject
) -> None:
    whole = folder / f"whole {len(original.replies)}"
    if not whole.exists():
        write(original, whole)
    data = bytearray(whole.read_bytes())
    for _ in range(draw.draw(st.integers(1, 3))):
        damage(data, draw)
    check(bytes(data), folder)


@given(data=st.binary(max_size=60))
@TOUGH
def test_random_bytes_are_no_record(data: bytes, folder: Path) -> None:
    complaint(data, folder)
