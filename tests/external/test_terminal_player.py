"""A person's conversations: texts in, texts out, and at the end a legal move."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import case
from tests.scenario import board
from tests.wire.requesting import FAT, FEEDS, HUNTER, OTHERS, ROWS
from tests.wire.requesting import choosing as choice
from tests.wire.requesting import feeding as meal
from wateringhole.cards import DECK
from wateringhole.external.terminal_player import CHOOSE_HELP, FEED_HELP, Conversation, choosing, feeding
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.view import Choose, Feed, Own


def name(seat: int) -> str:
    return f"player {seat}"


def held(talk: Conversation, *lines: str) -> tuple[list[str], CardPlay | Feeding | None]:
    """What is said after each of these lines, without the prompts, and the move if there is one in the end."""
    said = [next(talk)]
    for at, line in enumerate(lines):
        try:
            said.append(talk.send(f"{line}\n"))
        except StopIteration as end:
            assert at == len(lines) - 1, "the conversation is longer than expected"
            return [text.rpartition("\n")[0] for text in said], end.value
    return [text.rpartition("\n")[0] for text in said], None


# Choosing, seat 2 of 3, with horns +2, burrowing -2, ambush +1, fertile +0, climbing +3.


def test_the_whole_situation_is_shown_first() -> None:
    assert next(choosing(choice(HUNTER), name)) == "\n".join(
        [
            "Turn 1. Watering hole: 9. Cards in the deck: 0.",
            "player 1 (4 cards):",
            "    0  1 animal, body 0: horns",
            "player 3 (6 cards):",
            "    0  4 animals, body 0",
            "    1  1 animal, body 0: climbing",
            "You (bag 5):",
            "    0  2 animals, body 0: carnivore, scavenger",
            "Your hand:",
            "    0  horns +2",
            "    1  burrowing -2",
            "    2  ambush +1",
            "    3  fertile +0",
            "    4  climbing +3",
            CHOOSE_HELP,
            "play> ",
        ]
    )


def test_a_play_is_planned_card_by_card() -> None:
    food, board_0 = "  food climbing", "\n  Then your boards are:\n    0  1 animal, body 0"
    new = f"{food}; board for burrowing +horns +fertile"
    dialogue = [
        ("food 4", f"{food}{board_0}"),
        ("pop 0 0", f"{food}; population of board 0 for horns{board_0.replace('1 animal', '2 animals')}"),
        ("undo", f"{food}{board_0}"),
        ("clear", "  Your plan is empty."),
        ("undo", "  Your plan is empty."),
        ("food 4", f"{food}{board_0}"),
        ("new 1 0 3", f"{new}{board_0}\n    1  1 animal, body 0: horns, fertile"),
        ("body 1 2", f"{new}; body of board 1 for ambush{board_0}\n    1  1 animal, body 1: horns, fertile"),
    ]
    said, move = held(choosing(choice(board()), name), *(line for line, _ in dialogue), "done")
    assert said[1:] == [text for _, text in dialogue]
    assert move == CardPlay(4, body=(Growth(1, 2),), boards=(NewBoard(1, (0, 3)),))


def test_a_card_can_take_the_place_of_a_trait() -> None:
    said, move = held(choosing(choice(HUNTER), name), "food 0", "trait 0 1 4", "food 1", "done")
    assert said[2].splitlines()[0] == "  food horns; climbing into slot 1 of board 0"
    assert said[2].splitlines()[2] == "    0  2 animals, body 0: carnivore, climbing"
    assert move == CardPlay(1, traits=(Replacement(0, 1, 4),))


@pytest.mark.parametrize(
    ("line", "rule", "text"),
    [
        ("pop 0 4", "cardplay.once", "plays card 4 twice"),
        ("pop 0 9", "cardplay.cards", "plays card 9, counted from 0, but holds only 5"),
        ("body 7 1", "cardplay.boards", "changes board 7, counted from 0, but has only 1 board"),
        ("new 1 2 2", "cardplay.once", "plays card 2 twice"),
        ("trait 0 2 1", "cardplay.slots", "replaces slot 2, counted from 0, of board 0, which has only 2 traits"),
        ("food 99", "cardplay.cards", "plays card 99, counted from 0, but holds only 5"),
    ],
)
def test_what_is_illegal_is_told_at_once_and_cannot_be_played(line: str, rule: str, text: str) -> None:
    said, move = held(choosing(choice(HUNTER), name), "food 4", line, "done", "undo", "done")
    assert said[2].endswith(f"\n  Not allowed ({rule}): it {text}. Try undo.")
    assert said[3] == f"  Not allowed ({rule}): it {text}."
    assert move == CardPlay(4)


def test_a_plan_begins_with_the_food_card() -> None:
    said, _ = held(choosing(choice(board()), name), "pop 0 1", "done")
    assert said[1:] == ["  First choose a food card: food CARD.", "  First choose a food card."]


def test_a_hint_shows_what_a_silly_player_would_do_and_changes_nothing() -> None:
    said, move = held(choosing(choice(board()), name), "food 0", "hint", "done")
    assert said[2] == (
        "  A silly player would: food ambush; board for burrowing +climbing; "
        "population of board 1 for fertile; body of board 1 for horns"
    )
    assert move == CardPlay(0)


@pytest.mark.parametrize("line", ["", "  ", "?", "help"])
def test_who_asks_for_help_is_helped(line: str) -> None:
    assert held(choosing(choice(board()), name), line)[0][1] == CHOOSE_HELP
    assert held(feeding(meal(board()), name), line)[0][1].endswith(FEED_HELP)


def test_rubbish_is_no_command() -> None:
    for line in ("eat", "food", "food 1 2", "food x", "food -1", "food ²", "food 1e3", "done now"):
        with case(line):
            said, move = held(choosing(choice(board()), name), "food 0", line, "done")
            assert said[2] == f"  {line} is no command; 'help' lists them."
            assert move == CardPlay(0)


# Feeding.

PLENTY = meal(board(population=4), FAT, board("carnivore"))


def test_the_options_are_listed_and_one_is_taken_by_its_number() -> None:
    said, move = held(feeding(PLENTY, name), "hint", "1")
    assert said[0].partition("You may:\n")[2] == "\n".join(
        [
            "  1. feed board 0",
            "  2. store 2 on board 1",
            "  3. board 2 attacks board 0 of player 3",
            "  4. board 2 attacks board 0 of player 1",
            FEED_HELP,
        ]
    )
    assert said[1] == "  A silly player would: store 2 on board 1"
    assert move == Graze(0)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("2", StoreFat(1, 2)),
        ("2 1", StoreFat(1, 1)),
        (" 2\t2 ", StoreFat(1, 2)),
        ("3", Attack(2, 3, 0)),
        ("04", Attack(2, 1, 0)),
        ("no", Decline()),
    ],
)
def test_a_line_is_a_feeding(line: str, move: Feeding) -> None:
    assert held(feeding(PLENTY, name), line)[1] == move


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2 3", "  Not allowed (feeding.fat): it stores 3 on board 1, which can store 1 to 2."),
        ("2 0", "  Not allowed (feeding.fat): it stores 0 on board 1, which can store 1 to 2."),
        ("2 1 1", "  Only fat is stored by the token: NUMBER TOKENS."),
        ("2 x", "  Only fat is stored by the token: NUMBER TOKENS."),
        ("1 1", "  Only fat is stored by the token: NUMBER TOKENS."),
    ],
)
def test_a_feeding_that_is_none_is_told_at_once(line: str, said: str) -> None:
    assert held(feeding(PLENTY, name), line, "no") == ([next(feeding(PLENTY, name))[:-7], said], Decline())


RUBBISH = [
    *("0", "5", "99999999999", "-1", "+1", "²", "x", "yes", "No", "no no", "1" * 5_000),
    "0" * 8 + "11",
    "0" * 8 + "1" + "0" * 5_000,
]


def test_rubbish_shows_the_options_again() -> None:
    for line in RUBBISH:
        with case(line):
            said, move = held(feeding(PLENTY, name), line)
            assert said[1] == said[0].partition("You may:\n")[2]
            assert move is None


# Whatever is typed.

NUMBERS = st.integers(0, 12).map(str) | st.text("0123456789", max_size=9)
WORDS = st.sampled_from(["food", "pop", "body", "new", "trait", "undo", "clear", "hint", "done", "help", "no"])
LINES = st.lists(
    st.one_of(
        st.builds(lambda word, numbers: " ".join([word, *numbers]), WORDS, st.lists(NUMBERS, max_size=4)),
        st.lists(NUMBERS, max_size=3).map(" ".join),
        st.text(max_size=9),
    ),
    max_size=20,
)
HANDS = st.lists(st.sampled_from(DECK), min_size=4, max_size=9, unique=True).map(tuple)
CHOICES = st.builds(lambda row, hand, others: Choose(Own(1, row, hand, 4), 9, (), others), ROWS, HANDS, OTHERS)


def typed(talk: Conversation, lines: list[str]) -> CardPlay | Feeding | None:
    assert next(talk).endswith("> ")
    for line in lines:
        try:
            assert talk.send(f"{line}\n").endswith("> ")
        except StopIteration as end:
            move: CardPlay | Feeding = end.value
            return move
    return None


@given(CHOICES, LINES)
def test_whatever_is_typed_only_a_legal_play_comes_out(request: Choose, lines: list[str]) -> None:
    play = typed(choosing(request, name), [*lines, "clear", "food 0", "done"])
    assert isinstance(play, CardPlay)
    assert request.why_not(play) is None


@given(FEEDS, LINES)
def test_whatever_is_typed_only_a_legal_feeding_comes_out(request: Feed, lines: list[str]) -> None:
    move = typed(feeding(request, name), [*lines, "no"])
    assert move is not None
    assert not isinstance(move, CardPlay)
    assert request.why_not(move) is None
