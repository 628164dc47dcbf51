"""The dialect `requests`: dialogues, a row for each mistake, and one conversation for objects here and far away."""

import json
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.cases import case
from tests.scenario import board, player
from tests.wire.requesting import (
    AMBUSH,
    ATTACK,
    BOARDS,
    BODY,
    BODY_OF,
    BURROWING,
    CHOICES,
    CLIMBING,
    FAT,
    FEEDS,
    FERTILE,
    FOOD,
    HAND,
    HOME,
    HORNS,
    HUNTER,
    ORDER,
    PLACE,
    POPULATION,
    POPULATION_OF,
    SHELLED,
    SLOTS,
    choosing,
    feeding,
    named,
)
from wateringhole import rulebook
from wateringhole.cards import DECK, Card, card
from wateringhole.dealer import answer, new_game
from wateringhole.fault import Fault, Reason
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.species import MAX_BODY, MAX_POPULATION
from wateringhole.traits import Trait
from wateringhole.view import Choose, Feed, Request, start
from wateringhole.wire.dialect import Ask, Dialect, hold, talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.requests import (
    ARGUMENTS,
    TITLES,
    Requests,
    boards_in,
    boards_out,
    card_in,
    card_out,
    cards_in,
    cards_out,
    farewell,
    game_over,
    player_in,
    player_out,
    species_in,
    species_out,
)

# We say, they say.

PLAIN = Requests()


def dialogue(
    asked: Request,
    *lines: tuple[str, object] | tuple[str, dict[str, Json], object],
    dialect: Requests = PLAIN,
) -> object:
    """What comes of it when we ask just this, with (among others) these arguments, and they say just that."""
    script = list(lines)

    def say(question: Ask) -> Json:
        name, arguments = named(question)
        line = script.pop(0)
        assert name == line[0]
        if len(line) == 3:
            assert {key: arguments[key] for key in line[1]} == line[1]
        spoken: Json = json.loads(json.dumps(line[-1]))
        return spoken

    reply = hold(talk(dialect, asked), asked, say)
    assert not script, "all was said"
    return reply


def cards(*held: Card) -> Json:
    return cards_out(held)


def test_the_first_question_reads_like_this() -> None:
    first = next(Requests().choose(choosing(SHELLED)))
    boards: Json = [[[[0, "Hard Shell"], [0, "Herding"]], 3, 2]]
    hand: Json = [[2, "Horns"], [-2, "Burrowing"], [1, "Ambush"], [0, "Fertile"], [3, "Climbing"]]
    assert first == Ask(
        [
            "trade_cards_for_boards",
            {
                "cards": hand,
                "boards": boards,
                "player": [boards, hand, 5],
                "opponents": [[[[[], 0, 4], [[[0, "Climbing"]], 0, 1]], [], 0], [[[[[0, "Horns"]], 0, 1]], [], 0]],
            },
        ]
    )


def test_every_question_has_the_arguments_of_its_document() -> None:
    state = ("player", "opponents")
    document = {
        BOARDS: ("cards", "boards", *state),
        PLACE: ("cards", "boards", *state),
        HOME: ("card", "boards", *state),
        SLOTS: ("old_cards", "new_cards", "board", *state),
        BODY: ("cards", "boards", *state),
        BODY_OF: ("boards", *state),
        POPULATION: ("cards", "boards", *state),
        POPULATION_OF: ("boards", *state),
        ORDER: ("boards", *state),
        ATTACK: ("board", *state),
        "game_over": ("players", "me"),
    }
    assert document == ARGUMENTS


def test_who_wants_nothing_is_asked_four_times_and_gives_the_lowest_card() -> None:
    assert dialogue(choosing(SHELLED), (BOARDS, []), (PLACE, []), (BODY, []), (POPULATION, [])) == CardPlay(2)


def test_payments_buy_boards_behind_the_old_ones() -> None:
    two: Json = boards_out([SHELLED, board(), board()])
    assert dialogue(
        choosing(SHELLED),
        (BOARDS, cards(HORNS, FERTILE)),
        (PLACE, {"boards": two, "cards": cards(BURROWING, AMBUSH, CLIMBING)}, []),
        (BODY, {"boards": two}, []),
        (POPULATION, {"boards": two}, []),
    ) == CardPlay(2, boards=(NewBoard(0), NewBoard(3)))


def test_on_a_new_board_placed_cards_are_its_traits() -> None:
    assert dialogue(
        choosing(SHELLED),
        (BOARDS, cards(HORNS)),
        (PLACE, cards(CLIMBING, AMBUSH)),
        (HOME, {"card": card_out(CLIMBING), "boards": boards_out([SHELLED, board()])}, 1),
        (HOME, {"card": card_out(AMBUSH), "boards": boards_out([SHELLED, board("climbing")])}, 1),
        (BODY, {"boards": boards_out([SHELLED, board("climbing", "ambush")])}, []),
        (POPULATION, []),
    ) == CardPlay(1, boards=(NewBoard(0, (4, 2)),))


def test_on_an_old_board_each_placed_card_replaces_a_trait() -> None:
    replaced = board("climbing", "horns", population=2, body=3)
    assert dialogue(
        choosing(board(), SHELLED),
        (BOARDS, []),
        (PLACE, cards(HORNS, CLIMBING)),
        (HOME, {"card": card_out(HORNS), "boards": boards_out([SHELLED])}, 0),
        (HOME, {"card": card_out(CLIMBING), "boards": boards_out([SHELLED])}, 0),
        (
            SLOTS,
            {
                "old_cards": [[0, "Hard Shell"], [0, "Herding"]],
                "new_cards": cards(HORNS, CLIMBING),
                "board": species_out(SHELLED),
                "player": [boards_out([board(), SHELLED]), cards(BURROWING, AMBUSH, FERTILE), 5],
            },
            [1, 0],
        ),
        (BODY, {"boards": boards_out([board(), replaced])}, []),
        (POPULATION, []),
    ) == CardPlay(2, traits=(Replacement(1, 1, 0), Replacement(1, 0, 4)))


def test_old_boards_are_asked_about_their_slots_from_left_to_right() -> None:
    assert dialogue(
        choosing(SHELLED, HUNTER),
        (BOARDS, []),
        (PLACE, cards(HORNS, CLIMBING)),
        (HOME, 1),
        (HOME, 0),
        (SLOTS, {"board": species_out(SHELLED), "new_cards": cards(CLIMBING)}, [1]),
        (SLOTS, {"board": species_out(HUNTER), "new_cards": cards(HORNS)}, [0]),
        (BODY, []),
        (POPULATION, []),
    ) == CardPlay(2, traits=(Replacement(0, 1, 4), Replacement(1, 0, 0)))


def test_cards_for_growth_are_followed_by_one_board_each() -> None:
    assert dialogue(
        choosing(board()),
        (BOARDS, cards(FERTILE)),
        (PLACE, []),
        (BODY, {"cards": cards(HORNS, BURROWING, AMBUSH, CLIMBING)}, cards(HORNS, AMBUSH)),
        (BODY_OF, {"boards": boards_out([board(), board()])}, 0),
        (BODY_OF, {"boards": boards_out([board(body=1), board()])}, 1),
        (POPULATION, {"cards": cards(BURROWING, CLIMBING)}, cards(CLIMBING)),
        (POPULATION_OF, {"boards": boards_out([board(body=1), board(body=1)])}, 1),
    ) == CardPlay(1, population=(Growth(1, 4),), body=(Growth(0, 0), Growth(1, 2)), boards=(NewBoard(3),))


def test_a_question_shows_the_player_as_the_answers_so_far_leave_it() -> None:
    boards: Json = boards_out([SHELLED, board()])
    left: Json = cards(BURROWING, AMBUSH)
    dialogue(
        choosing(SHELLED),
        (BOARDS, {"player": player_out([SHELLED], HAND, 5)}, cards(HORNS)),
        (PLACE, {"boards": boards, "player": [boards, cards(*HAND[1:]), 5]}, cards(FERTILE, CLIMBING)),
        (HOME, {"boards": boards, "player": [boards, left, 5]}, 1),
        (HOME, 1),
        (BODY, {"cards": left}, []),
        (POPULATION, {"cards": left}, []),
    )


def test_the_others_come_in_the_order_of_p_in_every_question() -> None:
    after, before = player_out([board(population=4), board("climbing")], (), 0), player_out([board("horns")], (), 0)
    shown: dict[str, Json] = {"opponents": [after, before]}
    dialogue(choosing(SHELLED), (BOARDS, shown, []), (PLACE, shown, []), (BODY, shown, []), (POPULATION, shown, []))
    dialogue(feeding(HUNTER, board()), (ORDER, shown, [0]), (ATTACK, shown, [0, 0]))


def test_the_food_card_is_the_lowest_that_was_never_named() -> None:
    lines: list[tuple[str, Json]] = [(BOARDS, cards(AMBUSH)), (PLACE, []), (BODY, []), (POPULATION, [])]
    assert dialogue(choosing(), *lines) == CardPlay(1, boards=(NewBoard(2),))


def test_a_question_for_a_board_tells_the_largest_number_that_could_be_meant() -> None:
    conversation = Requests().choose(choosing(SHELLED))
    assert next(conversation).most is None
    conversation.send(cards(HORNS))
    assert conversation.send(cards(CLIMBING)).most == 1


# What is offered, and what stays in the hand.


def test_a_question_for_a_board_offers_those_that_can_take_the_card_and_the_answer_counts_them() -> None:
    full = board("herding", "symbiosis", "foraging")
    assert dialogue(
        choosing(board(), SHELLED, board("horns"), full),
        (BOARDS, cards(BURROWING)),
        (PLACE, {"boards": boards_out([board(), SHELLED, board("horns"), full, board()])}, cards(HORNS, CLIMBING)),
        (HOME, {"boards": boards_out([SHELLED, full, board()])}, 2),
        (HOME, {"boards": boards_out([SHELLED, board("horns"), full, board("horns")])}, 1),
        (SLOTS, {"board": species_out(board("horns"))}, [0]),
        (BODY, []),
        (POPULATION, []),
    ) == CardPlay(2, boards=(NewBoard(1, (0,)),), traits=(Replacement(2, 0, 4),))


def test_boards_that_cannot_grow_are_not_offered() -> None:
    tall, many = board(body=MAX_BODY), board(population=MAX_POPULATION)
    assert dialogue(
        choosing(tall, many, board(body=MAX_BODY - 1)),
        (BOARDS, []),
        (PLACE, []),
        (BODY, cards(HORNS, CLIMBING)),
        (BODY_OF, {"boards": boards_out([many, board(body=MAX_BODY - 1)])}, 1),
        (BODY_OF, {"boards": boards_out([many])}, 0),
        (POPULATION, cards(BURROWING)),
        (POPULATION_OF, {"boards": boards_out([tall, board(body=MAX_BODY)])}, 1),
    ) == CardPlay(2, population=(Growth(2, 1),), body=(Growth(2, 0), Growth(1, 4)))


MANY = board("hard-shell", "herding", population=MAX_POPULATION, body=MAX_BODY)
SECOND_CLIMBING = card(0, "climbing")

KEPT: dict[str, tuple[Choose, list[tuple[str, object]], CardPlay]] = {
    "a card for the bare board that was handed out": (
        choosing(board()),
        [(BOARDS, []), (PLACE, cards(HORNS)), (BODY, cards(*HAND[1:])), *[(BODY_OF, 0)] * 4, (POPULATION, [])],
        CardPlay(0, body=tuple(Growth(0, number) for number in range(1, 5))),
    ),
    "more cards than the board has traits to replace": (
        choosing(board("herding")),
        [(BOARDS, []), (PLACE, cards(HORNS, AMBUSH)), (HOME, 0), (SLOTS, [0]), (BODY, []), (POPULATION, [])],
        CardPlay(2, traits=(Replacement(0, 0, 0),)),
    ),
    "a trait that the board has": (
        choosing(board("horns", "herding")),
        [(BOARDS, []), (PLACE, cards(HORNS)), (BODY, []), (POPULATION, [])],
        CardPlay(2),
    ),
    "a trait that the board is about to get": (
        choosing(board("horns", "herding"), hand=(*HAND, SECOND_CLIMBING)),
        [
            (BOARDS, []),
            (PLACE, cards(CLIMBING, SECOND_CLIMBING)),
            (HOME, 0),
            (SLOTS, [1]),
            (BODY, []),
            (POPULATION, []),
        ],
        CardPlay(2, traits=(Replacement(0, 1, 4),)),
    ),
    "a fourth trait for a new board": (
        choosing(hand=(*HAND, card(0, "symbiosis"))),
        [(BOARDS, cards(HORNS)), (PLACE, cards(*HAND[1:])), *[(HOME, 0)] * 3, (BODY, []), (POPULATION, [])],
        CardPlay(4, boards=(NewBoard(0, (1, 2, 3)),)),
    ),
    "a trait twice on a new board": (
        choosing(hand=(*HAND, SECOND_CLIMBING)),
        [(BOARDS, cards(HORNS)), (PLACE, cards(CLIMBING, SECOND_CLIMBING)), (HOME, 0), (BODY, []), (POPULATION, [])],
        CardPlay(2, boards=(NewBoard(0, (4,)),)),
    ),
    "growth above 7": (
        choosing(MANY),
        [(BOARDS, []), (PLACE, []), (BODY, cards(HORNS)), (POPULATION, cards(HORNS))],
        CardPlay(2),
    ),
    "the lowest of all cards, named for boards": (
        choosing(),
        [(BOARDS, cards(*HAND)), (PLACE, cards(AMBUSH)), (BODY, cards(AMBUSH)), (POPULATION, cards(AMBUSH))],
        CardPlay(2, boards=(NewBoard(0), NewBoard(1), NewBoard(3), NewBoard(4))),
    ),
}


def test_a_card_that_no_board_can_take_and_the_last_card_stay_in_the_hand() -> None:
    for name, (asked, lines, play) in KEPT.items():
        with case(name):
            assert dialogue(asked, *lines) == play
            assert asked.why_not(play) is None


# The food card.


def test_a_player_that_wants_it_is_asked_last_for_the_card_for_the_watering_hole() -> None:
    shown: dict[str, Json] = {"cards": cards(BURROWING, AMBUSH, FERTILE, CLIMBING), "boards": boards_out([board()])}
    lines = [(BOARDS, cards(HORNS)), (PLACE, []), (BODY, []), (POPULATION, [])]
    asking = Requests(food_card=True)
    assert dialogue(choosing(), *lines, (FOOD, shown, card_out(CLIMBING)), dialect=asking) == CardPlay(
        4, boards=(NewBoard(0),)
    )
    for value, text in (
        (card_out(HORNS), 'select_food_card names [2, "Horns"], which was named before'),
        ([0, "Horns"], 'select_food_card names [0, "Horns"], which is not in the hand'),
        ([], "a Trait has 0 items, not 2: []"),
    ):
        with case(value):
            fault = dialogue(choosing(), *lines, (FOOD, value), dialect=asking)
            assert isinstance(fault, Fault)
            assert fault.text == f"answers choose badly: {text}"


# Feeding.


def test_the_first_board_of_the_order_grazes() -> None:
    shown: dict[str, Json] = {
        "boards": boards_out([board(), board("horns")]),
        "player": player_out([board(), board("horns")], HAND, 5),
    }
    assert dialogue(feeding(board(), board("horns")), (ORDER, shown, [1, 0])) == Graze(1)


def test_an_empty_order_declines() -> None:
    assert dialogue(feeding(board(), board()), (ORDER, [])) == Decline()


def test_a_board_without_an_option_is_passed_over() -> None:
    assert dialogue(feeding(board(food=1), board(), board()), (ORDER, [0, 2, 1])) == Graze(2)


def test_an_order_in_which_no_board_has_an_option_declines() -> None:
    assert dialogue(feeding(board(food=1), board(), board()), (ORDER, [0])) == Decline()


def test_a_carnivore_without_prey_is_passed_over() -> None:
    asked = feeding(HUNTER, board(), board(), others=[[board("climbing")], []])
    assert dialogue(asked, (ORDER, [0, 1])) == Graze(1)


def test_fat_is_stored_to_the_max() -> None:
    assert dialogue(feeding(FAT, board()), (ORDER, [0, 1])) == StoreFat(0, 2)
    assert dialogue(feeding(FAT, board(), watering_hole=1), (ORDER, [0, 1])) == StoreFat(0, 1)


def test_fat_comes_before_grazing_and_before_an_attack() -> None:
    grazer, hunter = board("fat-tissue", body=1), board("fat-tissue", "carnivore", body=1)
    assert dialogue(feeding(grazer, board()), (ORDER, [0])) == StoreFat(0, 1)
    assert dialogue(feeding(hunter, board()), (ORDER, [0])) == StoreFat(0, 1)


def test_a_carnivore_is_asked_for_its_prey_by_place_and_board() -> None:
    shown: dict[str, Json] = {"board": species_out(HUNTER)}
    assert dialogue(feeding(board(), HUNTER), (ORDER, [1, 0]), (ATTACK, shown, [1, 0])) == Attack(1, seat=1, target=0)
    assert dialogue(feeding(board(), HUNTER), (ORDER, [1, 0]), (ATTACK, [0, 0])) == Attack(1, seat=3, target=0)


def test_a_forbidden_attack_is_a_move_for_the_dealer_to_refuse() -> None:
    asked = feeding(HUNTER, board())
    move = dialogue(asked, (ORDER, [0]), (ATTACK, [0, 1]))
    assert isinstance(move, Attack)
    fault = asked.why_not(move)
    assert fault is not None
    assert fault.rule == "attack.climbing"


# Wrong answers.

NO_LISTS: list[Json] = [None, True, 0, 1.5, "", "[]", {}]
NO_NATURALS: list[Json] = [None, True, False, 1.0, -1, "0", [], [0], {}]

Said = dict[str, Json]
"""What is said to a question; to all others `[]` for cards, and 0 for a board."""


def said(asked: Request, answers: Said) -> object:
    def say(question: Ask) -> Json:
        name, _ = named(question)
        return answers.get(name, 0 if name in {HOME, BODY_OF, POPULATION_OF} else [])

    return hold(talk(Requests(), asked), asked, say)


def fault(asked: Request, answers: Said) -> Fault:
    found = said(asked, answers)
    assert isinstance(found, Fault)
    during = "feed" if isinstance(asked, Feed) else "choose"
    assert found.during == during
    assert found.text.startswith(f"answers {during} badly: ")
    assert len(found.text) < 300
    return found


HORNS_CARD, CLIMBING_CARD, AMBUSH_CARD = card_out(HORNS), card_out(CLIMBING), card_out(AMBUSH)

SHAPES: list[tuple[Request, str, list[Json], Said]] = [
    *((choosing(SHELLED), question, NO_LISTS, {}) for question in (BOARDS, PLACE, BODY, POPULATION)),
    (choosing(SHELLED), HOME, NO_NATURALS, {PLACE: [HORNS_CARD]}),
    (choosing(SHELLED), BODY_OF, NO_NATURALS, {BODY: [HORNS_CARD]}),
    (choosing(SHELLED), POPULATION_OF, NO_NATURALS, {POPULATION: [HORNS_CARD]}),
    (choosing(SHELLED), SLOTS, [*NO_LISTS, *([value] for value in NO_NATURALS)], {PLACE: [HORNS_CARD]}),
    (feeding(SHELLED, board()), ORDER, [*NO_LISTS, *([value] for value in NO_NATURALS)], {}),
    (feeding(HUNTER, board()), ATTACK, [*NO_LISTS, [], [0], [0, 0, 0]], {ORDER: [0]}),
    (feeding(HUNTER, board()), ATTACK, [[value, 0] for value in NO_NATURALS], {ORDER: [0]}),
    (feeding(HUNTER, board()), ATTACK, [[0, value] for value in NO_NATURALS], {ORDER: [0]}),
]


def test_an_answer_of_another_kind_is_a_wrong_shape() -> None:
    for asked, question, values, answers in SHAPES:
        for value in values:
            with case(question, value, answers):
                found = fault(asked, {**answers, question: value})
                rule = rulebook.OPTIONS if isinstance(asked, Feed) else rulebook.PLAY_SHAPE
                assert (found.reason, found.rule) == (Reason.SHAPE, rule)
                assert question in found.text


NO_CARDS: dict[str, tuple[Json, list[str]]] = {
    "a number": (0, ["0", "array"]),
    "a name alone": ("Horns", ['"Horns"', "array"]),
    "too short": ([2], ["1 items", "2"]),
    "too long": ([2, "Horns", 0], ["3 items", "2"]),
    "the wrong way round": (["Horns", 2], ["2", "16 traits"]),
    "another dialect's name": ([2, "horns"], ['"horns"', "16 traits"]),
    "a blank too few": ([2, "FatTissue"], ['"FatTissue"', "16 traits"]),
    "a list for a name": ([2, ["Horns"]], ['["Horns"]', "16 traits"]),
    "true for 1": ([True, "Horns"], ["true", "Horns", "-3 to 3"]),
    "a fraction": ([2.0, "Horns"], ["2.0", "-3 to 3"]),
    "too much food": ([4, "Horns"], ["4", "-3 to 3"]),
    "too little food": ([-4, "Horns"], ["-4", "-3 to 3"]),
    "too much for a carnivore": ([9, "Carnivore"], ["9", "-8 to 8"]),
    "far too much": ([10**30, "Carnivore"], ["1" + "0" * 30, "-8 to 8"]),
}


def test_what_is_no_card_is_a_wrong_shape() -> None:
    for (name, (value, words)), question in product(NO_CARDS.items(), (BOARDS, PLACE, BODY, POPULATION)):
        with case(name, question):
            found = fault(choosing(SHELLED), {question: [value]})
            assert (found.reason, found.rule) == (Reason.SHAPE, rulebook.PLAY_SHAPE)
            assert all(word in found.text for word in words)


FULL = board("hard-shell", "herding", "ambush", population=MAX_POPULATION, body=MAX_BODY)
NEW: Said = {BOARDS: [HORNS_CARD]}

ILLEGAL: dict[str, tuple[Request, Said, str, str]] = {
    "a card of somebody else's": (
        choosing(SHELLED),
        {BOARDS: [[0, "Horns"]]},
        rulebook.PLAY_CARDS,
        'trade_cards_for_boards names [0, "Horns"], which is not in the hand',
    ),
    "a card twice in one answer": (
        choosing(SHELLED),
        {BODY: [HORNS_CARD, HORNS_CARD]},
        rulebook.PLAY_ONCE,
        'trade_cards_for_body_size names [2, "Horns"], which was named before',
    ),
    "a card twice in a move": (
        choosing(SHELLED),
        {BOARDS: [HORNS_CARD], POPULATION: [CLIMBING_CARD, HORNS_CARD]},
        rulebook.PLAY_ONCE,
        'trade_cards_for_population names [2, "Horns"], which was named before',
    ),
    "a card that pays and is placed": (
        choosing(SHELLED),
        {BOARDS: [HORNS_CARD], PLACE: [HORNS_CARD]},
        rulebook.PLAY_ONCE,
        'place_cards_on_boards names [2, "Horns"], which was named before',
    ),
    "a card for a board that is not there": (
        choosing(SHELLED),
        {PLACE: [HORNS_CARD], HOME: 1},
        rulebook.PLAY_BOARDS,
        "select_board_for_card names board 1, counted from 0, but is offered only 1 board",
    ),
    "body for a board that is not offered": (
        choosing(SHELLED, FULL),
        {BODY: [HORNS_CARD], BODY_OF: 1},
        rulebook.PLAY_BOARDS,
        "select_board_to_give_body_size names board 1, counted from 0, but is offered only 1 board",
    ),
    "population for a board that is not there": (
        choosing(SHELLED),
        {**NEW, POPULATION: [CLIMBING_CARD], POPULATION_OF: 2**31 - 1},
        rulebook.PLAY_BOARDS,
        "select_board_to_give_population names board 2147483647, counted from 0, but is offered only 2 boards",
    ),
    "too few slots": (
        choosing(SHELLED),
        {PLACE: [HORNS_CARD, AMBUSH_CARD], SLOTS: [0]},
        rulebook.PLAY_SLOTS,
        "select_species_discarded_cards is [0], not 2 different of the 2 slots of board 0",
    ),
    "no slots": (
        choosing(SHELLED),
        {PLACE: [HORNS_CARD], SLOTS: []},
        rulebook.PLAY_SLOTS,
        "select_species_discarded_cards is [], not 1 different of the 2 slots of board 0",
    ),
    "too many slots": (
        choosing(SHELLED),
        {PLACE: [HORNS_CARD], SLOTS: [0, 1]},
        rulebook.PLAY_SLOTS,
        "select_species_discarded_cards is [0, 1], not 1 different of the 2 slots of board 0",
    ),
    "a slot twice": (
        choosing(SHELLED),
        {PLACE: [HORNS_CARD, AMBUSH_CARD], SLOTS: [1, 1]},
        rulebook.PLAY_SLOTS,
        "select_species_discarded_cards is [1, 1], not 2 different of the 2 slots of board 0",
    ),
    "a slot that is not there": (
        choosing(SHELLED),
        {PLACE: [HORNS_CARD], SLOTS: [2]},
        rulebook.PLAY_SLOTS,
        "select_species_discarded_cards is [2], not 1 different of the 2 slots of board 0",
    ),
    "an order with a repeat": (
        feeding(board(), board()),
        {ORDER: [1, 0, 1]},
        rulebook.OPTIONS,
        "select_species_order is [1, 0, 1], not some of 2 boards, each once",
    ),
    "an order with a board that is not there": (
        feeding(board(), board()),
        {ORDER: [1, 2]},
        rulebook.OPTIONS,
        "select_species_order is [1, 2], not some of 2 boards, each once",
    ),
    "an attack on nobody": (
        feeding(HUNTER, board()),
        {ORDER: [0], ATTACK: [2, 0]},
        rulebook.ATTACK_CHOICE,
        "select_attack names opponent 2, counted from 0, but the player has only 2 opponents",
    ),
    "an attack on a board that is not there": (
        feeding(HUNTER, board()),
        {ORDER: [0], ATTACK: [1, 1]},
        rulebook.ATTACK_CHOICE,
        "select_attack names board 1, counted from 0, of opponent 1, who has only 1 board",
    ),
}


def test_what_cannot_be_carried_out_is_illegal() -> None:
    for name, (asked, answers, rule, text) in ILLEGAL.items():
        with case(name):
            found = fault(asked, answers)
            assert (found.reason, found.rule) == (Reason.ILLEGAL, rule)
            assert found.text.removeprefix(f"answers {found.during} badly: ") == text


def test_the_first_wrong_answer_ends_the_conversation() -> None:
    wrong = dialogue(choosing(SHELLED), (BOARDS, []), (PLACE, True))
    assert isinstance(wrong, Fault)


def test_who_holds_no_card_at_all_is_asked_nothing() -> None:
    assert dialogue(choosing(SHELLED, hand=())) == Fault(
        Reason.ILLEGAL,
        "answers choose badly: the hand has no card for the watering hole",
        rulebook.PLAY_SHAPE,
        "choose",
    )


# The data definitions.


def test_a_trait_is_its_tokens_and_its_name_in_capitals_and_blanks() -> None:
    assert [TITLES[trait] for trait in Trait] == [
        "Ambush",
        "Burrowing",
        "Carnivore",
        "Climbing",
        "Cooperation",
        "Fat Tissue",
        "Fertile",
        "Foraging",
        "Hard Shell",
        "Herding",
        "Horns",
        "Long Neck",
        "Pack Hunting",
        "Scavenger",
        "Symbiosis",
        "Warning Call",
    ]
    assert card_out(card(-3, "fat-tissue")) == [-3, "Fat Tissue"]


def test_every_card_is_read_as_it_was_written() -> None:
    assert [card_in(card_out(held)) for held in DECK] == list(DECK)
    assert cards_in(cards_out(DECK)) == DECK


def test_a_list_of_cards_has_each_once() -> None:
    with pytest.raises(ShapeError, match=r"twice: \[\[2, \"Horns\"\], \[2, \"Horns\"\]\]"):
        cards_in([[2, "Horns"], [2, "Horns"]])


def test_a_species_is_traits_without_tokens_then_body_then_population() -> None:
    assert species_out(SHELLED) == [[[0, "Hard Shell"], [0, "Herding"]], 3, 2]
    assert species_in(species_out(SHELLED)) == board("hard-shell", "herding", population=2, body=3)


BAD_SPECIES: dict[str, tuple[Json, str]] = {
    "a number": (1, "a Species is 1, not an array"),
    "too short": ([[], 0], "a Species has 2 items, not 3: [[], 0]"),
    "too long": ([[], 0, 1, 0], "a Species has 4 items, not 3: [[], 0, 1, 0]"),
    "no list of traits": (["Horns", 0, 1], 'SpeciesTraits is "Horns", not an array'),
    "bare names": ([["Horns"], 0, 1], 'a Trait is "Horns", not an array'),
    "tokens on a board": ([[[1, "Horns"]], 0, 1], 'a trait on a board is [1, "Horns"], not with 0 tokens'),
    "false tokens": ([[[False, "Horns"]], 0, 1], "the tokens of Horns is false, not a whole number from -3 to 3"),
    "four traits": (
        [[[0, "Horns"], [0, "Ambush"], [0, "Fertile"], [0, "Herding"]], 0, 1],
        'SpeciesTraits has 4 items, not 0 to 3: [[0, "Horns"], [0, "Ambush"], [0, "Fertile"], [0, "Herding"]]',
    ),
    "a trait twice": (
        [[[0, "Horns"], [0, "Horns"]], 0, 1],
        'a Species has a trait twice: [[0, "Horns"], [0, "Horns"]]',
    ),
    "body true": ([[], True, 1], "BodySize is true, not a whole number from 0 to 7"),
    "body 8": ([[], 8, 1], "BodySize is 8, not a whole number from 0 to 7"),
    "population 0": ([[], 0, 0], "Population is 0, not a whole number from 1 to 7"),
    "population 8": ([[], 0, 8], "Population is 8, not a whole number from 1 to 7"),
    "population true": ([[], 0, True], "Population is true, not a whole number from 1 to 7"),
}


def test_a_bad_species_is_refused_with_the_value_and_the_limit() -> None:
    for name, (value, text) in BAD_SPECIES.items():
        with case(name):
            with pytest.raises(ShapeError) as error:
                boards_in([value])
            assert str(error.value) == text


def test_a_player_is_species_then_cards_then_bag() -> None:
    value = player_out([SHELLED, board()], (HORNS,), 7)
    assert value == [[[[[0, "Hard Shell"], [0, "Herding"]], 3, 2], [[], 0, 1]], [[2, "Horns"]], 7]
    read = player_in(value, 4)
    assert read == player(4, [board("hard-shell", "herding", population=2, body=3), board()], (HORNS,), 7)


BAD_PLAYERS: dict[str, tuple[Json, str]] = {
    "null": (None, "a Player is null, not an array"),
    "no bag": ([[], []], "a Player has 2 items, not 3: [[], []]"),
    "species for boards": ([{}, [], 0], "a list of Species is {}, not an array"),
    "cards of no kind": ([[], 0, 0], "a list of Traits is 0, not an array"),
    "a bag of true": ([[], [], True], "FoodBag is true, not a whole number, 0 or more"),
    "a bag below 0": ([[], [], -1], "FoodBag is -1, not a whole number, 0 or more"),
}


@pytest.mark.parametrize(("value", "text"), BAD_PLAYERS.values(), ids=BAD_PLAYERS)
def test_a_bad_player_is_refused_with_the_value_and_the_limit(value: Json, text: str) -> None:
    with pytest.raises(ShapeError) as error:
        player_in(value, 1)
    assert str(error.value) == text


# The messages that want no answer.


def test_a_seat_is_welcomed_and_hears_nothing_of_starts_and_expulsions() -> None:
    dialect: Dialect = Requests()
    assert dialect.name == "requests"
    assert dialect.welcome(1) == ["ok"]
    assert dialect.start(start(new_game(["A", "B", "C"], DECK), 1)) == []
    assert dialect.expelled(Fault(Reason.TIMEOUT, "silent")) == []


def test_the_end_shows_the_players_by_rank_with_their_bags_and_hands() -> None:
    poor, rich = player(1, [board()], (HORNS,), 2), player(2, [SHELLED], (AMBUSH,), 30)
    assert game_over([rich, poor], me=1) == [
        "game_over",
        {"players": [player_out([SHELLED], (AMBUSH,), 30), player_out([board()], (HORNS,), 2)], "me": 1},
    ]


def test_only_survivors_are_ranked_and_told() -> None:
    game = new_game(["A", "B", "C"], DECK)
    game.players[2].bag = 3
    answer(game, 1, Fault(Reason.TIMEOUT, "silent", during="start"))
    best, second = game.players[2], game.players[3]
    assert farewell(2, game) == [game_over([best, second], 0)]
    assert farewell(3, game) == [game_over([best, second], 1)]
    assert farewell(1, game) == []


# Laws.

NUMBERS = st.integers(-1, 8)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)
RULES = {*rulebook.ALL}


def plausible(data: st.DataObject, name: str, arguments: dict[str, Json]) -> Json:
    """An answer of the right kind, legal or not."""
    if name.startswith(("trade", "place")):
        held = arguments["cards"]
        assert isinstance(held, list)
        return data.draw(st.lists(st.sampled_from(held) | st.sampled_from(DECK).map(card_out), max_size=3))
    if name in {SLOTS, ORDER, ATTACK}:
        return [*data.draw(st.lists(NUMBERS.map(abs), min_size=2 if name == ATTACK else 0, max_size=2))]
    return data.draw(NUMBERS.map(abs))


def judged(asked: Request, reply: object) -> None:
    """It is a move of the kind that was asked for, or a fault with a reason and a rule."""
    if isinstance(reply, Fault):
        assert reply.reason in {Reason.SHAPE, Reason.ILLEGAL}
        assert reply.rule in RULES
        assert reply.during == ("feed" if isinstance(asked, Feed) else "choose")
    elif isinstance(asked, Choose):
        assert isinstance(reply, CardPlay)
        assert asked.why_not(reply) is None
    else:
        assert isinstance(reply, Graze | StoreFat | Attack | Decline)
        refused = asked.why_not(reply)
        assert refused is None or (isinstance(reply, Attack) and refused.rule.startswith("attack."))


@given(st.one_of(CHOICES, FEEDS), st.data())
def test_whatever_is_answered_a_legal_move_or_a_documented_fault_comes_of_it(
    asked: Request, data: st.DataObject
) -> None:
    def say(question: Ask) -> Json:
        name, arguments = named(question)
        if data.draw(st.integers(0, 9)) == 0:
            return data.draw(ANY_JSON)
        return plausible(data, name, arguments)

    judged(asked, hold(talk(Requests(), asked), asked, say))


@given(FEEDS, st.data())
def test_every_feeding_can_be_said_but_less_fat_and_a_meal_before_the_fat(asked: Feed, data: st.DataObject) -> None:
    assume(asked.options)
    meant = data.draw(st.sampled_from(asked.options))
    assert not isinstance(meant, Decline)
    first = next(move for move in asked.options if not isinstance(move, Decline) and move.board == meant.board)
    assume(isinstance(meant, StoreFat) or not isinstance(first, StoreFat))
    seats = [other.seat for other in asked.others]
    prey: Json = [seats.index(meant.seat), meant.target] if isinstance(meant, Attack) else None
    assert said(asked, {ORDER: [meant.board], ATTACK: prey}) == meant
