"""The notation: positions, requests and moves as text, and back."""

import re
from pathlib import Path

import pytest

from tests.cases import case
from tests.times import TIMES
from wateringhole import (
    CardPlay,
    Fault,
    Game,
    Graze,
    Greedy,
    Growth,
    NewBoard,
    Rash,
    Reason,
    Replacement,
    Reply,
    Silly,
    move_from,
    move_text,
    new_game,
    position_from,
    position_text,
    request_from,
    request_text,
    shuffled,
)
from wateringhole.agents import Agent
from wateringhole.agents.bad import GALLERY, Bad
from wateringhole.notation import CODES
from wateringhole.table import ask

GAMES = 100
PAGE = (Path(__file__).parent.parent / "docs" / "notation.md").read_text()
NAMES = ["Ann", "Bo b", "\u2028\u00a0\N{SNOWMAN}", '"', "=;,", "", "\ud800", "8"]


def played(number: int) -> None:
    """A game whose every state, request and move is written and read back; some agents misbehave."""
    misdeeds = sorted(GALLERY)
    kinds: list[Agent] = [Rash(number), Greedy(), Silly(), Bad(misdeeds[number % len(misdeeds)])]
    agents = [kinds[(number + seat) % len(kinds)] for seat in range(3 + number % 6)]
    game = new_game(NAMES[: len(agents)], shuffled(number), number % 20)
    same(game)
    while seats := game.pending():
        for seat in seats[:1] if game.phase == "feed" else seats:
            if seat not in game.pending():
                continue
            asked = game.request(seat)
            assert request_from(request_text(asked)) == asked
            reply: Reply = ask(agents[seat - 1], asked)
            if not isinstance(reply, Fault):
                assert move_from(move_text(reply)) == reply
            game.answer(seat, reply)
            same(game)


def same(game: Game) -> None:
    text = position_text(game)
    assert "\n" not in text
    assert text.isascii()
    again = position_from(text)
    assert again == game
    assert position_text(again) == text


@pytest.mark.parametrize("turn", range(TIMES))
def test_every_state_request_and_move_of_many_games_is_read_as_it_was_written(turn: int) -> None:
    for number in range(turn * GAMES, (turn + 1) * GAMES):
        with case(number):
            played(number)


def test_a_fault_that_waits_is_written_too() -> None:
    game = new_game(["a", "b", "c"], shuffled(1))
    for seat in (1, 2, 3):
        game.answer(seat, CardPlay(0))
    while game.phase == "choose":
        for seat in game.pending():
            game.answer(seat, CardPlay(0))
    if game.phase == "feed":
        other = next(seat for seat in game.players if seat != game.queue[0])
        game.answer(other, Fault(Reason.TIMEOUT, "is late by 3 s"))
        assert game.leaving
    same(game)


def test_a_game_that_went_on_from_its_text_ends_the_same() -> None:
    game = new_game(["a", "b", "c"], shuffled(3))
    twin = position_from(position_text(game))
    while seats := game.pending():
        reply = ask(Greedy(), game.request(seats[0]))
        game.answer(seats[0], reply)
        twin = position_from(position_text(twin))
        twin.answer(seats[0], reply)
    assert twin == game


def test_moves_read_as_the_page_shows_them() -> None:
    whole = CardPlay(0, (Growth(1, 2),), (Growth(0, 3),), (NewBoard(4, (5, 6)), NewBoard(7)), (Replacement(0, 1, 8),))
    assert move_text(whole) == "play:0;population=1.2;body=0.3;boards=4.5.6,7;traits=0.1.8"
    texts = re.findall(r"^\| `[A-Z]\w+\(.*?\)` \| `(.+?)`", PAGE, re.MULTILINE)
    assert len(texts) == 5
    for text in texts:
        assert move_text(move_from(text)) == text
    requests = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)[0].splitlines()
    assert len(requests) == 2
    for text in requests:
        assert request_text(request_from(text)) == text


def test_the_code_on_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {})  # noqa: S102
    assert isinstance(move_from(capsys.readouterr().out.strip()), CardPlay)


def test_two_letters_tell_the_traits_apart() -> None:
    assert len(set(CODES.values())) == len(CODES)
    assert all(trait.value.startswith(code) for trait, code in CODES.items())


POSITION = position_text(new_game(["a", "b", "c"], shuffled(1)))
WRONG_MOVES = [
    ("", '"" is no move: play, graze, fat, attack or decline'),
    ("eat:1", '"eat:1" is no move'),
    ("decline:1", '"decline:1" is no move'),
    ("graze:", '"" is not a number of up to 9 digits'),
    ("graze:1.2", '"1.2" has 2 numbers, not 1'),
    ("graze:-1", '"-1" is not a number'),
    ("graze:\u0663", "is not a number"),
    ("graze:9999999999", '"9999999999" is not a number of up to 9 digits'),
    ("play:0;food=1", '"food=1" is no part of a play, or comes twice: population, body, boards, traits'),
    ("play:0;body=0.1;body=0.2", '"body=0.2" is no part of a play, or comes twice'),
    ("play:0;body", '"body" is no part of a play'),
    ("play:0;boards=1.2.3.4.5", "NewBoard.traits has 4 cards, above 3"),
]
WRONG_POSITIONS = [
    ("", '"" is not NAME=VALUE, or comes twice'),
    ("turn=1", "names= is missing"),
    (POSITION + " turn=2", '"turn=2" is not NAME=VALUE, or comes twice'),
    (POSITION.replace("phase=choose", "phase=eat"), "phase=eat is none of choose, feed, fed, turn over, over"),
    (POSITION.replace("1=0;1/0/0;", "1=0;1/0;"), '"1/0" is no board, as 3/0/2+1.fa.ho'),
    (POSITION.replace("1=0;", "9=0;"), "seat 9 has no name among 3"),
    (POSITION.replace("1=0;", "1="), "is not BAG;BOARDS;CARDS"),
    (POSITION.replace('names=["a"', "names=[1"), 'names=[1,"b","c"]: Expected'),
    (POSITION.replace("names=[", "names="), "names="),
    (re.sub(r"deck=\w\w", "deck=xx", POSITION), '"xx" is no trait: '),
    (re.sub(r"deck=\w\w-?\d", "deck=fo9", POSITION), "fo9 is none of the 122 cards"),
    (re.sub(r"deck=\w", "deck=", POSITION), "is no card, as ca-8 or fo3"),
    (POSITION + ' plays=[[1,"play:99"]]', "seat 1 has chosen play:99, which is illegal"),
    (POSITION + ' plays=[[7,"play:0"]]', "seat 7 has chosen, but is not at the table"),
]
WRONG_REQUESTS = [
    ("turn=1 phase=choose hole=0 deck=9 asked=2 1=?;1/0/0;3", "seat 2 is asked, but not at the table"),
    ("turn=1 phase=over hole=0 deck=9 asked=1 1=0;1/0/0;", "phase=over with 0 before the asked seat is no request"),
    ("turn=1 phase=feed hole=0 deck=9 asked=1 2=?;1/0/0;3 1=0;;", "phase=feed with 1 before the asked seat"),
    ("turn=1 phase=feed hole=0 asked=1 1=0;;", "deck= is missing"),
    (
        "turn=1 phase=feed hole=0 deck=9 asked=1 1=0;; 2=4;;0",
        'the bag of seat 2 is "4", but only its own seat knows it: ?',
    ),
]


def test_whatever_cannot_be_read_is_said_with_the_part_that_is_wrong() -> None:
    for read, table in ((move_from, WRONG_MOVES), (position_from, WRONG_POSITIONS), (request_from, WRONG_REQUESTS)):
        for text, says in table:
            with case(text), pytest.raises(ValueError, match=re.escape(says)):
                read(text)


def test_a_move_that_is_wrong_for_a_game_can_be_written() -> None:
    assert move_from(move_text(Graze(2**20))) == Graze(2**20)


def test_a_game_prints_all_of_it_for_people() -> None:
    game = new_game(["Ann", "Bob", "Cem"], shuffled(7))
    lines = str(game).splitlines()
    assert lines[0] == "<Game of 3: turn 1, choose, Ann, Bob, Cem, 110 cards left>, watering hole 0"
    assert lines[1].startswith("  seat 1, Ann, bag 0: ")
    assert lines[2] == "    board 0: population 1, body 0, food 0; no traits"
    assert len(lines) == 7
