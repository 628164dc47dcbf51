"""The five harnesses and the trace, on small hand-written cases."""

import json
from collections.abc import Sequence

import pytest

from tests.cases import case
from wateringhole import rulebook
from wateringhole.agents.bad import Bad
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK, shuffled
from wateringhole.conformance.harness import run_harness, trace
from wateringhole.conformance.situations import situation_in
from wateringhole.events import TurnEnded, TurnStarted
from wateringhole.record import replay
from wateringhole.table import play
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError

NO_PLAY: Json = [0, [], [], [], []]
"""The food card and nothing else."""


def species(*traits: str, population: int = 1, body: int = 0, food: int = 0, fat: int = 0) -> Json:
    shape: list[Json] = [["food", food], ["body", body], ["population", population], ["traits", list(traits)]]
    return [*shape, ["fat-food", fat]] if fat else shape


def player(number: int, boards: Sequence[Json] = (), bag: int = 0, cards: Sequence[Json] = ()) -> Json:
    shape: list[Json] = [["id", number], ["species", list(boards)], ["bag", bag]]
    return [*shape, ["cards", list(cards)]] if cards else shape


def refused(harness: str, value: Json) -> str:
    with pytest.raises(ShapeError) as error:
        run_harness(harness, value)
    return str(error.value)


def same(got: Json, due: Json) -> bool:
    """Equal as texts, because 0 is not false."""
    return json.dumps(got) == json.dumps(due)


# xattack: [defender, attacker, left, right].


def test_xattack_says_whether_the_second_board_may_attack_the_first() -> None:
    rows: list[tuple[Json, bool]] = [
        ([species(), species("carnivore"), False, False], True),
        ([species(), species("ambush"), False, False], False),
        ([species("warning-call"), species("carnivore"), species(), species()], True),
        ([species(), species("carnivore"), species("warning-call"), False], False),
        ([species(), species("carnivore"), False, species("warning-call")], False),
        ([species(), species("carnivore", "ambush"), species("warning-call"), False], True),
        ([species("burrowing", food=1), species("carnivore"), False, False], False),
        ([species("burrowing"), species("carnivore"), False, False], True),
        ([species("climbing"), species("carnivore"), False, False], False),
        ([species("hard-shell", body=1), species("carnivore", body=5), False, False], True),
        ([species("hard-shell", body=1), species("carnivore", body=4), False, False], False),
        ([species("hard-shell", body=1), species("carnivore", "pack-hunting", body=4), False, False], True),
        ([species("herding", population=2), species("carnivore", population=2), False, False], False),
        ([species("herding", population=2), species("carnivore", population=3), False, False], True),
        ([species("symbiosis"), species("carnivore"), False, species(body=1)], False),
        ([species("symbiosis"), species("carnivore"), species(body=1), False], True),
        ([species("horns"), species("carnivore"), False, False], True),
    ]
    for situation, may in rows:
        with case(situation, may):
            assert run_harness("xattack", situation) is may


def test_xattack_refuses_what_is_no_situation() -> None:
    rows: list[tuple[Json, str]] = [
        ([species(), species("carnivore"), False], "3 items, not 4"),
        ([species(), species("carnivore"), False, False, False], "5 items, not 4"),
        ([species(), species("carnivore"), None, False], "null"),
        ([species(), species("carnivore"), False, True], "true"),
        ([species(), species("carnivore"), 0, False], "0"),
        ([species(), species("carnivore"), [], False], "0 items"),
        ([False, species("carnivore"), False, False], "false"),
        ([species(), False, False, False], "false"),
        ({}, "{}"),
    ]
    for situation, part in rows:
        with case(situation, part):
            assert part in refused("xattack", situation)


# xfeed: [player, watering hole, others].


def test_xfeed_stores_the_greatest_fat_need_first_as_far_as_the_hole_goes() -> None:
    boards = [species(), species("fat-tissue", body=2), species("fat-tissue", body=5, fat=1)]
    assert same(run_harness("xfeed", [player(1, boards), 9, []]), [2, 4])
    assert same(run_harness("xfeed", [player(1, boards), 3, []]), [2, 3])


def test_xfeed_feeds_the_largest_hungry_vegetarian_and_0_is_not_false() -> None:
    others: Json = [player(2), player(3)]
    assert same(
        run_harness("xfeed", [player(1, [species(), species(population=3), species(population=3)]), 1, others]), 1
    )
    assert same(run_harness("xfeed", [player(1, [species(), species(food=1)]), 1, others]), 0)


def test_xfeed_attacks_the_largest_board_and_counts_the_others_as_they_are_listed() -> None:
    hunter = player(1, [species(food=1), species("carnivore", population=2)])
    others: Json = [player(9), player(5, [species(food=1)]), player(7, [species(), species(population=2)])]
    assert same(run_harness("xfeed", [hunter, 1, others]), [1, 2, 1])


def test_xfeed_declines_when_nothing_can_be_fed() -> None:
    assert same(run_harness("xfeed", [player(1, [species(food=1)]), 4, []]), False)
    assert same(run_harness("xfeed", [player(1, [species("carnivore")]), 4, [player(2, [species("climbing")])]]), False)
    assert same(run_harness("xfeed", [player(1), 4, []]), False)


def test_xfeed_takes_players_with_the_same_id_for_different_players() -> None:
    hunter = player(3, [species("carnivore")])
    others: Json = [player(3, [species("climbing")]), player(3, [species()])]
    assert same(run_harness("xfeed", [hunter, 1, others]), [0, 1, 0])


def test_xfeed_needs_a_watering_hole_of_1_or_more() -> None:
    rows: list[Json] = [0, -1, True, 1.0, "1", None, [1]]
    for tokens in rows:
        with case(tokens):
            message = refused("xfeed", [player(1, [species()]), tokens, []])
            assert message == f"the watering hole is {json.dumps(tokens)}, not a whole number, 1 or more"


@pytest.mark.parametrize(
    "situation", [[], [player(1), 1], [player(1), 1, [], []], [player(1), 1, False], [player(1), 1, [[]]], [[], 1, []]]
)
def test_xfeed_refuses_what_is_no_situation(situation: Json) -> None:
    assert "items, not" in refused("xfeed", situation) or "not an array" in refused("xfeed", situation)


# xsilly: [player, before, after].


HAND: list[Json] = [[1, "horns"], [0, "ambush"], [3, "fertile"], [-8, "carnivore"], [2, "scavenger"], [-1, "ambush"]]


@pytest.mark.parametrize(
    ("cards", "due"),
    [
        (3, [1, [], [], [[2, 0]], []]),
        (4, [1, [["population", 1, 0]], [], [[3, 2]], []]),
        (5, [1, [["population", 1, 0]], [["body", 1, 4]], [[3, 2]], []]),
        (6, [5, [["population", 1, 2]], [["body", 1, 0]], [[1, 3]], [[1, 0, 4]]]),
    ],
)
def test_xsilly_plays_its_cards_in_their_order_for_one_new_board(cards: int, due: Json) -> None:
    assert same(run_harness("xsilly", [player(1, [species()], cards=HAND[:cards]), [[species()]], []]), due)


def test_xsilly_keeps_the_order_of_equal_cards() -> None:
    assert same(run_harness("xsilly", [player(1, cards=[[0, "horns"]] * 3), [], []]), [0, [], [], [[1, 2]], []])


@pytest.mark.parametrize("cards", [0, 1, 2])
def test_xsilly_needs_three_cards(cards: int) -> None:
    message = refused("xsilly", [player(1, [species()], cards=HAND[:cards]), [], []])
    assert message == f"the player holds {cards} cards, below 3"


@pytest.mark.parametrize(
    ("before", "after"),
    [(False, []), ([], {}), ([1], []), ([], [[1]]), ([[species(population=8)]], []), ([species()], [])],
)
def test_xsilly_checks_the_boards_that_it_does_not_need(before: Json, after: Json) -> None:
    assert refused("xsilly", [player(1, cards=HAND), before, after])


# xstep: a configuration.

REST: list[Json] = [[1, "fertile"], [2, "fertile"], [3, "fertile"]]


def test_xstep_lets_the_first_player_feed_once() -> None:
    second = player(2, [species()])
    assert same(
        run_harness("xstep", [[player(1, [species(population=2, food=1)], 3, [[0, "horns"]]), second], 5, REST]),
        [[player(1, [species(population=2, food=2)], 3, [[0, "horns"]]), second], 4, REST],
    )


def test_xstep_stores_fat() -> None:
    assert same(
        run_harness("xstep", [[player(1, [species("fat-tissue", body=4, food=1)])], 3, []]),
        [[player(1, [species("fat-tissue", body=4, food=1, fat=3)])], 0, []],
    )


def test_xstep_carries_out_an_attack_with_all_that_follows() -> None:
    hunter, prey = species("carnivore", population=3), species("horns", population=1)
    vulture = species("scavenger", "climbing", population=2)
    assert same(
        run_harness(
            "xstep", [[player(1, [hunter]), player(2, [prey], cards=[[0, "horns"]]), player(3, [vulture])], 3, REST]
        ),
        [
            [
                player(1, [species("carnivore", population=2, food=1)]),
                player(2, cards=[*REST[:2], [0, "horns"]]),
                player(3, [species("scavenger", "climbing", population=2, food=1)]),
            ],
            1,
            REST[2:],
        ],
    )


CALM: list[Json] = [
    [[player(1, [species()], 2, [[1, "horns"]]), player(2, [species()])], 0, REST],  # an empty watering hole
    [[player(1, [species("fat-tissue", body=3)])], 0, []],
    [[player(1, [species(food=1)]), player(2, [species()])], 7, REST],  # nobody hungry
    [[player(1, [species("carnivore")]), player(2, [species("climbing")])], 7, REST],  # no prey
    [[player(1, [species("carnivore"), species(food=1)])], 7, []],  # own boards are no prey
    [[player(1)], 7, []],  # no boards
]


@pytest.mark.parametrize("situation", CALM)
def test_xstep_changes_nothing_when_the_hole_is_empty_or_there_is_no_option(situation: Json) -> None:
    assert same(run_harness("xstep", situation), situation)


def test_xstep_tells_players_with_the_same_id_apart_and_prints_their_ids_back() -> None:
    hunter = species("carnivore")
    assert same(
        run_harness(
            "xstep", [[player(12, [hunter]), player(12, [species("climbing")]), player(12, [species()])], 2, []]
        ),
        [[player(12, [species("carnivore", food=1)]), player(12, [species("climbing")]), player(12)], 1, []],
    )


def test_xstep_takes_repeated_cards_and_more_than_eight_players() -> None:
    crowd: list[Json] = [player(1, [species()]), *[player(2, [species(food=1)], cards=[[0, "horns"]] * 2)] * 9]
    after = run_harness("xstep", [crowd, 1, [[0, "horns"]] * 3])
    assert same(after, [[player(1, [species(food=1)]), *crowd[1:]], 0, [[0, "horns"]] * 3])


def test_an_explicit_0_of_fat_and_an_explicit_empty_hand_are_not_printed_back() -> None:
    long: Json = [
        ["id", 1],
        ["species", [[["food", 1], ["body", 0], ["population", 1], ["traits", []], ["fat-food", 0]]]],
        ["bag", 0],
        ["cards", []],
    ]
    assert same(run_harness("xstep", [[long], 1, []]), [[player(1, [species(food=1)])], 1, []])


def test_xstep_and_xstep4_refuse_what_is_no_configuration() -> None:
    rows: list[tuple[Json, str]] = [
        ([[], 1, []], "0 items, not 1 or more"),
        ([[player(1)], -1, []], "the watering hole is -1"),
        ([[player(1)], True, []], "the watering hole is true"),
        ([[player(1)], 1.0, []], "the watering hole is 1.0"),
        ([[player(1)], 1], "2 items, not 3"),
        ([[player(1)], 1, [], []], "4 items, not 3"),
        ([[player(1)], 1, [[4, "ambush"]]], '[4, "ambush"]'),
        ([[player(1)], 1, 3], "3, not an array"),
        ([player(1), 1, []], "a player"),
        ("x", '"x", not an array'),
    ]
    for situation, part in rows:
        with case(situation, part):
            assert part in refused("xstep", situation)
            assert part in refused("xstep4", [situation, [NO_PLAY]])


# xstep4: [configuration, card plays].


def three(*, watering_hole: int = 0) -> Json:
    """Three players with one board and two cards each."""
    return [
        [
            player(1, [species()], cards=[[1, "horns"], [2, "fertile"]]),
            player(2, [species(population=2)], 4, [[2, "horns"], [0, "herding"]]),
            player(3, [species("carnivore")], cards=[[-1, "horns"], [3, "climbing"]]),
        ],
        watering_hole,
        REST,
    ]


def test_xstep4_executes_the_plays_and_feeds_until_nobody_can() -> None:
    # 1 + 2 - 1 = 2 tokens: the first player's board eats one, the second player's the other.
    assert same(
        run_harness("xstep4", [three(), [NO_PLAY] * 3]),
        [
            [
                player(1, [species(food=1)], cards=[[2, "fertile"]]),
                player(2, [species(population=2, food=1)], 4, [[0, "herding"]]),
                player(3, [species("carnivore")], cards=[[3, "climbing"]]),
            ],
            0,
            REST,
        ],
    )


def test_xstep4_lets_everybody_grow_and_a_fertile_board_breed_before_the_feeding() -> None:
    first = player(5, [species("fertile", population=2)], cards=[[3, "horns"], [0, "horns"], [0, "herding"]])
    plays: Json = [[0, [["population", 0, 1]], [[0, 2]], [], []]]
    after = species("fertile", population=4, body=1, food=3)
    assert same(run_harness("xstep4", [[[first], 0, []], plays]), [[player(5, [after])], 0, []])


def test_xstep4_clamps_the_watering_hole_after_every_card() -> None:
    sated: Json = [player(1, [species(food=1)], cards=[[-3, "horns"]]), player(2, cards=[[2, "horns"]])]
    assert same(
        run_harness("xstep4", [[sated, 1, []], [NO_PLAY] * 2]), [[player(1, [species(food=1)]), player(2)], 2, []]
    )


WITHOUT_THE_SECOND: Json = [
    # 1 - 1 = 0 tokens: the second player's card does not count, its board does not eat, its cards do not return.
    [
        player(1, [species()], cards=[[2, "fertile"]]),
        player(3, [species("carnivore")], cards=[[3, "climbing"]]),
    ],
    0,
    REST,
]


@pytest.mark.parametrize(
    "illegal",
    [
        [2, [], [], [], []],  # a card it does not hold
        [0, [[0, 0]], [], [], []],  # a card twice
        [0, [[1, 1]], [], [], []],  # a board it does not have
        [0, [], [], [], [[0, 0, 1]]],  # a slot that is not there
    ],
)
def test_xstep4_expels_a_player_with_an_illegal_play_and_goes_on(illegal: Json) -> None:
    assert same(run_harness("xstep4", [three(), [NO_PLAY, illegal, NO_PLAY]]), WITHOUT_THE_SECOND)


def test_xstep4_expels_a_player_with_a_wrongly_shaped_play_and_goes_on() -> None:
    rows: list[Json] = [
        False,
        None,
        0,
        {},
        "no",
        [],
        [0],
        [0, [], [], []],
        [True, [], [], [], []],
        [1.0, [], [], [], []],
        [-1, [], [], [], []],
        [10**30, [], [], [], []],
        [0, [["body", 0, 1]], [], [], []],
        [0, [], [["population", 0, 1]], [], []],
        [0, [], [], [[]], []],
        [0, [], [], [1], []],
        [0, [], [], [], [[0, 0]]],
    ]
    for misshapen in rows:
        with case(misshapen):
            assert same(run_harness("xstep4", [three(), [NO_PLAY, misshapen, NO_PLAY]]), WITHOUT_THE_SECOND)


def test_xstep4_goes_on_when_everybody_is_expelled() -> None:
    assert same(run_harness("xstep4", [three(watering_hole=3), [None] * 3]), [[], 3, REST])


def test_xstep4_expels_the_right_one_of_players_with_the_same_id() -> None:
    twins: Json = [player(1, [species(food=1)], bag, [[1, "horns"]]) for bag in (1, 2, 3)]
    assert same(
        run_harness("xstep4", [[twins, 0, []], [NO_PLAY, None, NO_PLAY]]),
        [[player(1, [species(food=1)], 1), player(1, [species(food=1)], 3)], 2, []],
    )


def test_xstep4_counts_an_attack_as_if_the_expelled_player_had_never_been_there() -> None:
    hunter = player(1, [species("carnivore", population=2)], cards=[[2, "horns"]])
    prey = [player(number, [species(population=number)], cards=[[0, "herding"]]) for number in (2, 3)]
    after = run_harness("xstep4", [[[hunter, *prey], 0, REST], [NO_PLAY, None, NO_PLAY]])
    # The hunter eats once from the third player, whose board then eats the second token.
    assert same(
        after,
        [
            [player(1, [species("carnivore", population=2, food=1)]), player(3, [species(population=2, food=1)])],
            0,
            REST,
        ],
    )


@pytest.mark.parametrize("plays", [[], [NO_PLAY], [NO_PLAY] * 2, [NO_PLAY] * 4])
def test_xstep4_refuses_a_list_that_has_not_one_play_for_each_player(plays: list[Json]) -> None:
    message = refused("xstep4", [three(), plays])
    assert f"{len(plays)} items, not 3" in message


@pytest.mark.parametrize("value", [[three()], [three(), [NO_PLAY] * 3, []], [three(), {}], [three(), False], three()])
def test_xstep4_refuses_what_is_no_situation(value: Json) -> None:
    assert refused("xstep4", value)


# What is read.


def test_a_situation_is_refused_by_the_first_thing_that_its_harness_would_refuse() -> None:
    holding = player(1, cards=HAND[:2])
    rows: list[tuple[str, Json, str]] = [
        ("xattack", [False, 1, 2, 3], "a species is false, not an array"),
        ("xattack", [species(), 1, 2, 3], "a species is 1, not an array"),
        ("xfeed", [player(1), 0, 0], "the watering hole is 0, not a whole number, 1 or more"),
        ("xsilly", [holding, [], []], "the player holds 2 cards, below 3"),
        ("xsilly", [holding, 1, 2], "the players before is 1, not an array"),
        ("xsilly", [holding, [], 2], "the players after is 2, not an array"),
        ("xstep", [[], -1, []], "the list of players has 0 items, not 1 or more: []"),
        ("xstep", [[player(1)], -1, [1]], "the watering hole is -1, not a whole number, 0 or more"),
        ("xstep4", [[[], 0, []], []], "the list of players has 0 items, not 1 or more: []"),
    ]
    for harness, value, why in rows:
        for read in (situation_in, run_harness):
            with case(harness, value), pytest.raises(ShapeError) as error:
                read(harness, value)
            assert str(error.value) == why


# The trace.


def test_a_trace_tells_each_turns_end_in_that_turns_order_and_then_the_scores() -> None:
    result = play([Rash(n) for n in range(4)], shuffled("trace"), watering_hole=9)
    *turns, scores = trace(result.record)
    events = replay(result.record, listen=True).told
    assert events is not None
    began = [event for event in events if isinstance(event, TurnStarted)]
    ended = [event for event in events if isinstance(event, TurnEnded)]
    assert len(turns) == len(began) == len(ended) > 2
    for turn, start, end in zip(turns, began, ended, strict=True):
        at_end = situation_in("xstep", turn)
        assert [side.number for side in at_end.sides] == list(start.order)
        assert at_end.watering_hole == end.watering_hole
        assert all(board.food == 0 for side in at_end.sides for board in side.boards)
    assert scores == {"scores": [[row.seat, row.score] for row in result.ranking]}
    last = situation_in("xstep", turns[-1])
    assert sorted((side.number, side.player(0).score) for side in last.sides) == sorted(
        (row.seat, row.score) for row in result.ranking
    )


def test_a_trace_drops_the_expelled_from_the_turn_and_from_the_scores() -> None:
    result = play([Silly(), Bad("card-twice"), Silly()], DECK)
    *turns, scores = trace(result.record)
    assert [row.fault.rule for row in result.ranking if row.fault] == [rulebook.PLAY_ONCE]
    assert [side.number for side in situation_in("xstep", turns[0]).sides] == [1, 3]
    assert scores == {"scores": [[row.seat, row.score] for row in result.ranking if row.score is not None]}


def test_a_trace_of_the_first_steps_tells_the_turns_that_they_end() -> None:
    record = play([Silly()] * 3, DECK).record
    whole = list(trace(record))
    assert list(trace(record, 0)) == [{"scores": [[1, 1], [2, 1], [3, 1]]}]
    lengths = [len(list(trace(record, steps))) for steps in range(len(record.replies) + 1)]
    assert lengths == sorted(lengths)
    assert lengths[-1] == len(whole)
    assert list(trace(record, len(record.replies) - 1))[:-1] == whole[: lengths[-2] - 1]
