"""Dialogues of the dialects s16, hello and tagged: what we say, and what they say.

Everything is spelt out as JSON text, in the order in which it goes over the wire.
"""

import json
from collections.abc import Sequence
from itertools import product
from typing import Final

import pytest

from tests.cases import case
from tests.scenario import board, choosing_game, feeding_game, player
from wateringhole import rulebook
from wateringhole.cards import Card, card
from wateringhole.dealer import answer, new_game, pending
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Growth, NewBoard, Replacement, Reply, StoreFat
from wateringhole.record import Record, Result
from wateringhole.rules.turn import ranking
from wateringhole.view import request, start
from wateringhole.wire.dialect import Dialect, hold, talk
from wateringhole.wire.framing import Json
from wateringhole.wire.hello import GAME_FULL, Hello
from wateringhole.wire.s16 import S16
from wateringhole.wire.tagged import Tagged

DIALECTS: Final[tuple[Dialect, ...]] = (S16(), Hello(), Tagged())
BY_NAME: Final = {dialect.name: dialect for dialect in DIALECTS}

HORNS, FERTILE, CLIMBING = card(-2, "horns"), card(3, "fertile"), card(0, "climbing")

BARE = board()
GRAZER = board("herding", "long-neck", population=4, body=2, food=1)
HUNTER = board("carnivore", population=3, body=5)
FAT = board("fat-tissue", "ambush", "horns", population=2, body=6, food=2, fat_food=3)

BARE_SAID = '[["food",0],["body",0],["population",1],["traits",[]]]'
GRAZER_SAID = '[["food",1],["body",2],["population",4],["traits",["herding","long-neck"]]]'
HUNTER_SAID = '[["food",0],["body",5],["population",3],["traits",["carnivore"]]]'
FAT_SAID = '[["food",2],["body",6],["population",2],["traits",["fat-tissue","ambush","horns"]],["fat-food",3]]'
HAND_SAID = '[[-2,"horns"],[3,"fertile"]]'
OWN_SAID = f'[["id",1],["species",[{HUNTER_SAID},{FAT_SAID}]],["bag",5],["cards",{HAND_SAID}]]'


def state(seat: int, *boards: str, cards: str = "[]") -> str:
    """A player with an empty bag."""
    return f'[["id",{seat}],["species",[{",".join(boards)}]],["bag",0],["cards",{cards}]]'


def said(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))


def told(dialect: Dialect, game: Game, seat: int) -> list[str]:
    """What this seat hears when a turn begins."""
    return [said(message) for message in dialect.start(start(game, seat))]


def asked(dialect: Dialect, game: Game, seat: int, they_say: str = "null") -> tuple[list[str], Reply]:
    """What this seat is asked, and what comes of what it says."""
    question = request(game, seat)
    we_say: list[str] = []

    def answered(ask_value: Json) -> Json:
        we_say.append(said(ask_value))
        value: Json = json.loads(they_say)
        return value

    reply = hold(talk(dialect, question), question, lambda ask: answered(ask.value))
    return we_say, reply


def meant(dialect: str, game: Game, they_say: str) -> Reply:
    """What comes of this answer of the first player."""
    return asked(BY_NAME[dialect], game, next(iter(game.players)), they_say)[1]


def choosing(hand: Sequence[Card] = (HORNS, FERTILE)) -> Game:
    """Seats 3, 1 and 2 choose, in this order; seat 1 has this hand."""
    return choosing_game(
        player(3, [GRAZER], [CLIMBING], 7),
        player(1, [HUNTER, FAT], hand, 5),
        player(2, [], [card(1, "ambush"), card(2, "ambush")], 9),
        watering_hole=11,
    )


def feeding(hand: Sequence[Card] = (HORNS, FERTILE)) -> Game:
    """Seat 1, the middle one, feeds; 2 comes behind it, then 3 again."""
    game = choosing(hand)
    game.phase = "feed"
    game.queue = [1, 2, 3]
    return game


# Sign-up and the start of a turn.


@pytest.mark.parametrize(("dialect", "we_say"), [("s16", '"ok"'), ("hello", '"ack"'), ("tagged", '"ok"')])
def test_a_guest_is_welcomed_with_one_word(dialect: str, we_say: str) -> None:
    assert [said(message) for message in BY_NAME[dialect].welcome(3)] == [we_say]


def test_who_comes_too_late_hears_that_the_game_is_full() -> None:
    assert said(GAME_FULL) == '"game full"'


@pytest.mark.parametrize(
    ("dialect", "we_say"),
    [
        ("s16", f"[11,5,[{HUNTER_SAID},{FAT_SAID}],{HAND_SAID}]"),
        ("hello", f'["start",{OWN_SAID}]'),
        ("tagged", f'["start-round",{OWN_SAID}]'),
    ],
)
def test_a_turn_begins_with_the_own_state(dialect: str, we_say: str) -> None:
    assert told(BY_NAME[dialect], choosing(), 1) == [we_say]


@pytest.mark.parametrize(
    ("dialect", "we_say"),
    [
        ("s16", "[0,0,[],[]]"),
        ("hello", '["start",[["id",2],["species",[]],["bag",0],["cards",[]]]]'),
        ("tagged", '["start-round",[["id",2],["species",[]],["bag",0],["cards",[]]]]'),
    ],
)
def test_who_has_nothing_at_all_hears_that_in_full(dialect: str, we_say: str) -> None:
    assert told(BY_NAME[dialect], choosing_game(player(1), player(2)), 2) == [we_say]


# Choosing.


@pytest.mark.parametrize(
    ("dialect", "we_say"),
    [
        ("s16", f"[[[{GRAZER_SAID}]],[[]]]"),
        ("hello", f'["choose",[[[{GRAZER_SAID}]],[[]]]]'),
        ("tagged", f'["choce-actions",[{OWN_SAID},[[{GRAZER_SAID}]],[[]]]]'),
    ],
)
def test_the_question_for_cards_shows_the_boards_of_those_before_and_those_after(dialect: str, we_say: str) -> None:
    assert asked(BY_NAME[dialect], choosing(), 1)[0] == [we_say]


def test_before_and_after_follow_the_order_of_the_turn_and_leave_out_the_asked() -> None:
    rows: list[tuple[int, str, str]] = [
        (3, "[]", f"[[{HUNTER_SAID},{FAT_SAID}],[]]"),
        (1, f"[[{GRAZER_SAID}]]", "[[]]"),
        (2, f"[[{GRAZER_SAID}],[{HUNTER_SAID},{FAT_SAID}]]", "[]"),
    ]
    for (seat, before, after), dialect in product(rows, BY_NAME):
        with case(seat, before, after, dialect):
            question = asked(BY_NAME[dialect], choosing(), seat)[0][0]
            value = json.loads(question)
            shown = value if dialect == "s16" else value[1][-2:]
            assert [said(part) for part in shown] == [before, after]


def test_choose_actions_is_misspelt_as_in_its_document() -> None:
    assert json.loads(asked(Tagged(), choosing(), 1)[0][0])[0] == "choce-actions"


PLAYS: Final[dict[str, CardPlay]] = {
    "[0,[],[],[],[]]": CardPlay(0),
    "[4,[],[],[],[]]": CardPlay(4),
    "[0,[[1,2]],[],[],[]]": CardPlay(0, population=(Growth(1, 2),)),
    '[0,[["population",1,2]],[],[],[]]': CardPlay(0, population=(Growth(1, 2),)),
    "[0,[],[[1,2]],[],[]]": CardPlay(0, body=(Growth(1, 2),)),
    '[0,[],[["body",1,2]],[],[]]': CardPlay(0, body=(Growth(1, 2),)),
    '[0,[[0,1],["population",1,2]],[["body",0,3],[1,4]],[],[]]': CardPlay(
        0, (Growth(0, 1), Growth(1, 2)), (Growth(0, 3), Growth(1, 4))
    ),
    "[0,[],[],[[1]],[]]": CardPlay(0, boards=(NewBoard(1),)),
    "[0,[],[],[[1,2]],[]]": CardPlay(0, boards=(NewBoard(1, (2,)),)),
    "[0,[],[],[[1,2,3]],[]]": CardPlay(0, boards=(NewBoard(1, (2, 3)),)),
    "[0,[],[],[[1,2,3,4]],[]]": CardPlay(0, boards=(NewBoard(1, (2, 3, 4)),)),
    "[0,[],[],[[1],[2,3]],[]]": CardPlay(0, boards=(NewBoard(1), NewBoard(2, (3,)))),
    "[0,[],[],[],[[1,2,3]]]": CardPlay(0, traits=(Replacement(1, 2, 3),)),
    "[0,[],[],[],[[1,2,3],[0,0,1]]]": CardPlay(0, traits=(Replacement(1, 2, 3), Replacement(0, 0, 1))),
    "[5,[[0,1]],[[1,2]],[[3,4]],[[2,0,6]]]": CardPlay(
        5, (Growth(0, 1),), (Growth(1, 2),), (NewBoard(3, (4,)),), (Replacement(2, 0, 6),)
    ),
    " [ 5 ,\n[ ] , [ ]\t, [[3, 4]],\r\n[] ] ": CardPlay(5, boards=(NewBoard(3, (4,)),)),
}


def test_a_card_play_is_an_action_of_five_parts_growth_bare_or_tagged() -> None:
    for they_say, play in PLAYS.items():
        with case(they_say):
            assert meant("s16", choosing(), they_say) == play
            assert meant("hello", choosing(), they_say) == play
            assert meant("tagged", choosing(), f'["play",{they_say}]') == play


BAD_PLAYS: Final[dict[str, str]] = {
    "0": "an Action4 is 0, not an array",
    "false": "an Action4 is false, not an array",
    "null": "an Action4 is null, not an array",
    "{}": "an Action4 is {}, not an array",
    "[]": "an Action4 has 0 items, not 5: []",
    "[0,[],[],[]]": "an Action4 has 4 items, not 5: [0, [], [], []]",
    "[0,[],[],[],[],[]]": "an Action4 has 6 items, not 5: [0, [], [], [], [], []]",
    "[[0],[],[],[],[]]": "the food card is [0], not a whole number",
    '["0",[],[],[],[]]': 'the food card is "0", not a whole number',
    "[true,[],[],[],[]]": "the food card is true, not a whole number",
    "[-1,[],[],[],[]]": "the food card is -1, not a whole number",
    "[0,false,[],[],[]]": "the population growths is false, not an array",
    "[0,[],0,[],[]]": "the body growths is 0, not an array",
    '[0,[["body",1,2]],[],[],[]]': 'a population growth is ["body", 1, 2], not tagged "population"',
    '[0,[],[["population",1,2]],[],[]]': 'a body growth is ["population", 1, 2], not tagged "body"',
    '[0,[["Population",1,2]],[],[],[]]': 'a population growth is ["Population", 1, 2], not tagged "population"',
    "[0,[[0,1,2]],[],[],[]]": 'a population growth is [0, 1, 2], not tagged "population"',
    '[0,[["population",1]],[],[],[]]': 'a board number is "population", not a whole number',
    '[0,[["population"]],[],[],[]]': 'a population growth has 1 items, not 2 to 3: ["population"]',
    "[0,[],[],[[]],[]]": "a new board has 0 items, not 1 to 4: []",
    "[0,[],[],[[1,2,3,4,5]],[]]": "a new board has 5 items, not 1 to 4: [1, 2, 3, 4, 5]",
    "[0,[],[],[1],[]]": "a new board is 1, not an array",
    "[0,[],[],[],[[1,2]]]": "a replacement has 2 items, not 3: [1, 2]",
    "[0,[],[],[],[[1,2,3,4]]]": "a replacement has 4 items, not 3: [1, 2, 3, 4]",
}


def test_what_is_no_card_play_is_a_fault_that_names_the_value() -> None:
    for they_say, why in BAD_PLAYS.items():
        with case(they_say):
            fault = meant("s16", choosing(), they_say)
            assert isinstance(fault, Fault)
            assert (fault.reason, fault.rule, fault.during) == (Reason.SHAPE, rulebook.PLAY_SHAPE, "choose")
            assert fault.text.startswith(f"answers choose badly: {why}")
            assert meant("hello", choosing(), they_say) == fault
            assert meant("tagged", choosing(), f'["play",{they_say}]') == fault


# Feeding.


@pytest.mark.parametrize(
    ("dialect", "we_say"),
    [
        ("s16", f"[5,[{HUNTER_SAID},{FAT_SAID}],{HAND_SAID},11,[[],[{GRAZER_SAID}]]]"),
        ("hello", f'["feed",11,[[],[{GRAZER_SAID}]],{OWN_SAID}]'),
        (
            "tagged",
            f'["pick-feeding",[[{OWN_SAID},{state(2)},{state(3, GRAZER_SAID)}],11,[]]]',
        ),
    ],
)
def test_the_question_for_a_feeding_shows_the_others_from_the_next_player_on(dialect: str, we_say: str) -> None:
    """In a whole configuration the others' cards and bags, and the deck, are blank."""
    assert asked(BY_NAME[dialect], feeding(), 1)[0] == [we_say]


@pytest.mark.parametrize(
    ("dialect", "we_say"),
    [
        ("s16", f"[0,[{BARE_SAID},{BARE_SAID}],[],2,[]]"),
        ("hello", f'["feed",2,[],{state(1, BARE_SAID, BARE_SAID)}]'),
        ("tagged", f'["pick-feeding",[[{state(1, BARE_SAID, BARE_SAID)}],2,[]]]'),
    ],
)
def test_the_last_player_without_cards_is_asked_in_the_same_shape(dialect: str, we_say: str) -> None:
    assert asked(BY_NAME[dialect], feeding_game([BARE, BARE], watering_hole=2), 1)[0] == [we_say]


@pytest.mark.parametrize("dialect", ["hello", "tagged"])
def test_the_cards_of_the_asked_are_listed_even_when_there_are_none(dialect: str) -> None:
    for game in (choosing(hand=()), feeding(hand=())):
        messages = told(BY_NAME[dialect], game, 1) + asked(BY_NAME[dialect], game, 1)[0]
        own = [message for message in messages if '["bag",5]' in message]
        assert own == [message for message in own if '["bag",5],["cards",[]]' in message]
        assert len(own) == (1 if (dialect, game.phase) == ("hello", "choose") else 2)


FEEDINGS: Final[dict[str, Reply]] = {
    "false": Decline(),
    "0": Graze(0),
    "1": Graze(1),
    "12": Graze(12),
    "[1,3]": StoreFat(1, 3),
    "[0,1]": StoreFat(0, 1),
    "[0,0,0]": Attack(0, 2, 0),
    "[0,1,0]": Attack(0, 3, 0),
    "[1,1,4]": Attack(1, 3, 4),
}


def test_a_feeding_declines_grazes_stores_fat_or_attacks() -> None:
    """The middle number of three counts the others as they were shown: behind the last seat comes the first."""
    for they_say, feeding_meant in FEEDINGS.items():
        with case(they_say):
            assert asked(S16(), feeding(), 1, they_say)[1] == feeding_meant
            assert asked(Hello(), feeding(), 1, they_say)[1] == feeding_meant
            assert asked(Tagged(), feeding(), 1, f'["feeding",{they_say}]')[1] == feeding_meant


def test_the_place_of_the_prey_counts_on_from_the_asked_and_wraps() -> None:
    rows: list[tuple[int, list[int]]] = [
        (4, [2, 5, 1, 3]),
        (2, [5, 1, 3, 4]),
        (5, [1, 3, 4, 2]),
        (1, [3, 4, 2, 5]),
        (3, [4, 2, 5, 1]),
    ]
    for (seat, seats), dialect in product(rows, BY_NAME):
        with case(seat, seats, dialect):
            game = choosing_game(
                *(player(number, [board(population=number)]) for number in (4, 2, 5, 1, 3)), watering_hole=1
            )
            game.phase = "feed"
            for place, target in enumerate(seats):
                they_say = f"[0,{place},0]" if dialect != "tagged" else f'["feeding",[0,{place},0]]'
                we_say, reply = asked(BY_NAME[dialect], game, seat, they_say)
                assert reply == Attack(0, target, 0)
                assert populations(dialect, we_say[0])[place] == target, "so it was shown"


def populations(dialect: str, question: str) -> list[int]:
    """The population of the first board of each other, in the order of a question for a feeding."""
    value = json.loads(question)
    match dialect:
        case "s16":
            rows = value[4]
        case "hello":
            rows = value[2]
        case _:
            rows = [other[1][1] for other in value[1][0][1:]]
    return [dict(row[0])["population"] for row in rows]


def test_a_place_where_nobody_sits_is_an_illegal_attack() -> None:
    for place, dialect in product((2, 3, 8, 2_147_483_647), BY_NAME):
        with case(place, dialect):
            they_say = f"[0,{place},0]" if dialect != "tagged" else f'["feeding",[0,{place},0]]'
            assert asked(BY_NAME[dialect], feeding(), 1, they_say)[1] == Fault(
                Reason.ILLEGAL,
                f"answers feed badly: attacks the player at place {place}, counted from 0, but there are only 2 others",
                "feeding.attack",
                "feed",
            )


BAD_FEEDINGS: Final[dict[str, str]] = {
    "true": "a feeding is true, not false, a number or an array",
    "null": "a feeding is null, not false, a number or an array",
    '"0"': 'a feeding is "0", not false, a number or an array',
    "0.0": "a feeding is 0.0, not false, a number or an array",
    "{}": "a feeding is {}, not false, a number or an array",
    "-1": "a board number is -1, not a whole number",
    "[]": "a feeding has 0 items, not 2 to 3: []",
    "[0]": "a feeding has 1 items, not 2 to 3: [0]",
    "[0,0,0,0]": "a feeding has 4 items, not 2 to 3: [0, 0, 0, 0]",
    "[0,[],[],[],[]]": "a feeding has 5 items, not 2 to 3: [0, [], [], [], []]",
    "[0,true]": "the number of tokens is true, not a whole number",
    "[false,1]": "a board number is false, not a whole number",
    "[0,-1,0]": "a player's place is -1, not a whole number",
    "[0,0,-1]": "a board number is -1, not a whole number",
    "[0,0,1.0]": "a board number is 1.0, not a whole number",
}


def test_what_is_no_feeding_is_a_fault_that_names_the_value() -> None:
    for they_say, why in BAD_FEEDINGS.items():
        with case(they_say):
            fault = asked(S16(), feeding(), 1, they_say)[1]
            assert isinstance(fault, Fault)
            assert (fault.reason, fault.rule, fault.during) == (Reason.SHAPE, rulebook.OPTIONS, "feed")
            assert fault.text.startswith(f"answers feed badly: {why}")
            assert asked(Hello(), feeding(), 1, they_say)[1] == fault
            assert asked(Tagged(), feeding(), 1, f'["feeding",{they_say}]')[1] == fault


# Tags around answers.


def test_a_tagged_card_play_has_its_own_tag_and_nothing_else() -> None:
    rows: list[str] = [
        "[0,[],[],[],[]]",
        '["feeding",[0,[],[],[],[]]]',
        '["Play",[0,[],[],[],[]]]',
        '["choose",[0,[],[],[],[]]]',
        '["choce-actions",[0,[],[],[],[]]]',
        '[["play"],[0,[],[],[],[]]]',
        '[[0,[],[],[],[]],"play"]',
        '["play"]',
        '["play",0,[],[],[],[]]',
        '["play",[0,[],[],[],[]],0]',
        '{"play":[0,[],[],[],[]]}',
        '"play"',
        "[]",
        "false",
    ]
    for they_say in rows:
        with case(they_say):
            reply = meant("tagged", choosing(), they_say)
            assert isinstance(reply, Fault)
            assert (reply.reason, reply.rule, reply.during) == (Reason.SHAPE, rulebook.PLAY_SHAPE, "choose")
            assert "an answer " in reply.text


def test_a_tagged_feeding_has_its_own_tag_and_nothing_else() -> None:
    rows: list[str] = [
        "false",
        "0",
        "[0,1]",
        "[0,0,0]",
        '["play",0]',
        '["feed",0]',
        '["Feeding",0]',
        '["pick-feeding",0]',
        '["feeding"]',
        '["feeding",0,1]',
        '[0,"feeding"]',
        '{"feeding":0}',
        '"feeding"',
        "null",
    ]
    for they_say in rows:
        with case(they_say):
            reply = asked(Tagged(), feeding(), 1, they_say)[1]
            assert isinstance(reply, Fault)
            assert (reply.reason, reply.rule, reply.during) == (Reason.SHAPE, rulebook.OPTIONS, "feed")
            assert "an answer " in reply.text


@pytest.mark.parametrize("dialect", ["s16", "hello"])
def test_no_tag_is_understood_where_none_is_due(dialect: str) -> None:
    assert isinstance(meant(dialect, choosing(), '["play",[0,[],[],[],[]]]'), Fault)
    assert isinstance(asked(BY_NAME[dialect], feeding(), 1, '["feeding",false]')[1], Fault)


# The largest bare number that an answer could be.


@pytest.mark.parametrize(("dialect", "bare"), [("s16", True), ("hello", True), ("tagged", False)])
def test_a_question_for_a_feeding_tells_the_last_board_where_a_bare_number_may_come(dialect: str, bare: bool) -> None:
    choose, feed = request(choosing(), 1), request(feeding(), 1)
    assert next(talk(BY_NAME[dialect], choose)).most is None
    assert next(talk(BY_NAME[dialect], feed)).most == (1 if bare else None)


# The end.


@pytest.mark.parametrize("dialect", BY_NAME)
def test_an_expelled_guest_hears_nothing_more(dialect: str) -> None:
    assert BY_NAME[dialect].expelled(Fault(Reason.TIMEOUT, "is silent for 5.0 s")) == []


def result_of(game: Game) -> Result:
    return Result(ranking(game), Record(game.names, game.deck, ()))


def finished() -> Game:
    """Seat 2 was expelled; seats 1 and 4 are equal, so the smaller id comes first."""
    game = choosing_game(
        player(4, [BARE], [HORNS], 6), player(1, [FAT], [], 2), player(3, [GRAZER, HUNTER], [CLIMBING], 9)
    )
    game.expelled.append((2, Fault(Reason.EXITED, "left")))
    game.phase = "over"
    return game


@pytest.mark.parametrize(("dialect", "we_say"), [("s16", []), ("hello", ["[[3,19],[1,7],[4,7]]"]), ("tagged", [])])
def test_only_hello_tells_the_scores_at_the_end_from_high_to_low(dialect: str, we_say: list[str]) -> None:
    for seat in (1, 3, 4):
        assert [said(message) for message in BY_NAME[dialect].over(seat, result_of(finished()))] == we_say


# A game of one turn, word for word.

SMALL_DECK = tuple(
    card(food, trait)
    for food, trait in [
        *[(3, "ambush"), (2, "ambush"), (1, "ambush"), (0, "ambush")],
        *[(3, "horns"), (2, "horns"), (1, "horns"), (0, "horns")],
        *[(-1, "symbiosis"), (2, "climbing"), (1, "climbing"), (0, "climbing")],
    ]
)
"""Four cards for each of three seats, and none for a second turn."""

HUNGRY = '[["food",0],["body",0],["population",1],["traits",[]]]'
FED = '[["food",1],["body",0],["population",1],["traits",[]]]'
DEALT = '[[3,"ambush"],[2,"ambush"],[1,"ambush"],[0,"ambush"]]'
KEPT = '[[0,"ambush"]]'
FIRST = state(1, HUNGRY, cards=DEALT)
SECOND = state(1, HUNGRY, HUNGRY, HUNGRY, cards=KEPT)
THIRD = state(1, HUNGRY, HUNGRY, FED, cards=KEPT)

SCRIPTS: Final[dict[str, list[tuple[str, str | None]]]] = {
    "s16": [
        ('"ok"', None),
        (f"[0,0,[{HUNGRY}],{DEALT}]", None),
        (f"[[],[[{HUNGRY}],[{HUNGRY}]]]", "[0,[],[],[[1],[2]],[]]"),
        (f"[0,[{HUNGRY},{HUNGRY},{HUNGRY}],{KEPT},5,[[{HUNGRY}],[{HUNGRY}]]]", "2"),
        (f"[0,[{HUNGRY},{HUNGRY},{FED}],{KEPT},2,[[{FED}],[{FED}]]]", "0"),
    ],
    "hello": [
        ('"ack"', None),
        (f'["start",{FIRST}]', None),
        (f'["choose",[[],[[{HUNGRY}],[{HUNGRY}]]]]', "[0,[],[],[[1],[2]],[]]"),
        (f'["feed",5,[[{HUNGRY}],[{HUNGRY}]],{SECOND}]', "2"),
        (f'["feed",2,[[{FED}],[{FED}]],{THIRD}]', "0"),
        ("[[1,6],[2,2],[3,2]]", None),
    ],
    "tagged": [
        ('"ok"', None),
        (f'["start-round",{FIRST}]', None),
        (f'["choce-actions",[{FIRST},[],[[{HUNGRY}],[{HUNGRY}]]]]', '["play",[0,[],[],[[1],[2]],[]]]'),
        (f'["pick-feeding",[[{SECOND},{state(2, HUNGRY)},{state(3, HUNGRY)}],5,[]]]', '["feeding",2]'),
        (f'["pick-feeding",[[{THIRD},{state(2, FED)},{state(3, FED)}],2,[]]]', '["feeding",0]'),
    ],
}


@pytest.mark.parametrize("dialect", SCRIPTS)
def test_a_whole_game_reads_like_this(dialect: str) -> None:
    """Seat 1 speaks the dialect; the others give a food card and have a single board, so nobody asks them to feed."""
    speaker, script = BY_NAME[dialect], list(SCRIPTS[dialect])
    dialogue: list[tuple[str, str | None]] = [(said(message), None) for message in speaker.welcome(1)]
    game = new_game(["Ada", "Bob", "Cyd"], SMALL_DECK)
    dialogue += [(message, None) for message in told(speaker, game, 1)]
    while pending(game):
        seat = pending(game)[0]
        reply: Reply = CardPlay(0)
        if seat == 1:
            they_say = script[len(dialogue)][1]
            assert they_say is not None
            we_say, reply = asked(speaker, game, 1, they_say)
            dialogue += [(message, they_say) for message in we_say]
        answer(game, seat, reply)
    assert game.expelled == []
    dialogue += [(said(message), None) for message in speaker.over(1, result_of(game))]
    assert dialogue == script
