"""The JSON shapes: one row for each mistake, the leniencies, and reading as the inverse of writing."""

import copy
import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import case
from tests.scenario import board
from wateringhole.cards import DECK, Card
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.player import Player
from wateringhole.species import Species
from wateringhole.traits import Trait
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import (
    ShapeError,
    action4_in,
    action4_out,
    boards_in,
    boards_out,
    card_in,
    card_out,
    feeding_out,
    player_in,
    player_out,
    species_in,
    species_out,
    trait_in,
)

BIG = 10**30
NO_NATURALS: list[Json] = [True, False, 1.0, -1, "1", "", None, {}, {"n": 1}, [], [1]]
"""What is no natural number, however much some of it looks like one."""


def said(error: pytest.ExceptionInfo[ShapeError]) -> str:
    message = str(error.value)
    assert message.isprintable(), "one line"
    assert len(message) < 300, "a sentence"
    return message


def grown(population: Json = 3, body: Json = 2, food: Json = 1, traits: Json = None) -> list[Json]:
    """A species as it comes in."""
    return [
        ["food", food],
        ["body", body],
        ["population", population],
        ["traits", [] if traits is None else traits],
    ]


def fat(fat_food: Json, body: Json = 3, traits: Json = None) -> list[Json]:
    """A species with a fifth field."""
    return [*grown(body=body, traits=["fat-tissue"] if traits is None else traits), ["fat-food", fat_food]]


def seated(number: Json = 1, species: Json = None, bag: Json = 0) -> list[Json]:
    """A player without cards as it comes in."""
    return [["id", number], ["species", [] if species is None else species], ["bag", bag]]


# Species.


def test_a_species_is_read_field_by_field() -> None:
    value: Json = [["food", 2], ["body", 3], ["population", 4], ["traits", ["horns", "fat-tissue"]], ["fat-food", 1]]
    assert species_in(value) == Species(4, 3, 2, 1, (Trait.HORNS, Trait.FAT_TISSUE))


SPECIES_MISTAKES: dict[str, tuple[Json, list[str]]] = {
    "a number": (1, ["1", "array"]),
    "a text": ("species", ['"species"', "array"]),
    "nothing": (None, ["null", "array"]),
    "true": (True, ["true", "array"]),
    "false": (False, ["false", "array"]),
    "an object": ({"food": 1}, ['{"food": 1}', "array"]),
    "no fields": ([], ["0 items", "4 to 5"]),
    "three fields": (grown()[:3], ["3 items", "4 to 5"]),
    "six fields": ([*fat(1), ["bag", 0]], ["6 items", "4 to 5"]),
    "food and body swapped": ([grown()[n] for n in (1, 0, 2, 3)], ['["body", 2]', '"food"']),
    "traits before population": ([grown()[n] for n in (0, 1, 3, 2)], ['["traits", []]', '"population"']),
    "fat-food first": ([["fat-food", 0], *grown()], ['["body", 2]', '"population"']),
    "a label in capitals": ([["Food", 1], *grown()[1:]], ['["Food", 1]', '"food"']),
    "a label that is a number": ([[0, 1], *grown()[1:]], ["[0, 1]", '"food"']),
    "a label that is an array": ([[[], 1], *grown()[1:]], ["[[], 1]", '"food"']),
    "a wrong fifth label": ([*grown(), ["fatfood", 1]], ['["fatfood", 1]', '"fat-food"']),
    "a field without a value": ([["food"], *grown()[1:]], ['["food"]', "1 items", "2"]),
    "a field with two values": ([["food", 1, 1], *grown()[1:]], ['["food", 1, 1]', "3 items", "2"]),
    "a field that is a number": ([1, *grown()[1:]], ["1", "array"]),
    "a field that is an object": ([{"food": 1}, *grown()[1:]], ['{"food": 1}', "array"]),
    "population 0": (grown(population=0, food=0), ["population is 0", "1 to 7"]),
    "population 8": (grown(population=8), ["population is 8", "1 to 7"]),
    "population huge": (grown(population=BIG), [str(BIG), "1 to 7"]),
    "body 8": (grown(body=8), ["body is 8", "0 to 7"]),
    "body huge": (grown(body=BIG), [str(BIG), "0 to 7"]),
    "food above population": (grown(population=2, food=3), ["food is 3", "population of 2"]),
    "food huge": (grown(food=BIG), [str(BIG), "population of 3"]),
    "traits that are no array": (grown(traits="horns"), ['"horns"', "array"]),
    "traits that are a number": (grown(traits=0), ["traits is 0", "array"]),
    "traits that are an object": (grown(traits={"horns": 1}), ['{"horns": 1}', "array"]),
    "an unknown trait": (grown(traits=["wings"]), ['"wings"', "16 traits"]),
    "a trait in capitals": (grown(traits=["Horns"]), ['"Horns"', "16 traits"]),
    "a trait by its other name": (grown(traits=["fat_tissue"]), ['"fat_tissue"', "16 traits"]),
    "an empty trait": (grown(traits=[""]), ['""', "16 traits"]),
    "a number for a trait": (grown(traits=[3]), ["3", "16 traits"]),
    "null for a trait": (grown(traits=[None]), ["null", "16 traits"]),
    "an array for a trait": (grown(traits=[["horns"]]), ['["horns"]', "16 traits"]),
    "an object for a trait": (grown(traits=[{}]), ["{}", "16 traits"]),
    "a card for a trait": (grown(traits=[[1, "horns"]]), ['[1, "horns"]', "16 traits"]),
    "a trait twice": (grown(traits=["horns", "fertile", "horns"]), ["horns, fertile, horns", "twice"]),
    "four traits": (grown(traits=["ambush", "climbing", "fertile", "horns"]), ["4 traits", "above 3"]),
    "fat-food without fat-tissue": (fat(1, traits=["horns"]), ["fat-food is 1", "without fat-tissue"]),
    "fat-food above the body": (fat(4, body=3), ["fat-food is 4", "body of 3"]),
    "fat-food on a body of 0": (fat(1, body=0), ["fat-food is 1", "body of 0"]),
    "fat-food huge": (fat(BIG), [str(BIG), "body of 3"]),
}


def test_a_species_with_a_mistake_is_refused() -> None:
    for mistake, (value, parts) in SPECIES_MISTAKES.items():
        with case(mistake):
            with pytest.raises(ShapeError) as error:
                species_in(value)
            message = said(error)
            assert [part for part in parts if part not in message] == []


def test_a_number_of_a_species_must_be_a_natural_number() -> None:
    for wrong, label in product(NO_NATURALS, ("food", "body", "population", "fat-food")):
        with case(wrong, label):
            value = fat(1)
            at = ["food", "body", "population", "traits", "fat-food"].index(label)
            value[at] = [label, wrong]
            with pytest.raises(ShapeError) as error:
                species_in(value)
            assert said(error).startswith(f"{label} is {json.dumps(wrong)}, not a whole number")


def test_the_limits_themselves_are_allowed() -> None:
    assert species_in(grown(population=7, body=7, food=7)) == Species(7, 7, 7)
    assert species_in(grown(population=1, body=0, food=0)) == Species(1, 0, 0)
    assert species_in(fat(3, body=3)).fat_food == 3
    assert len(species_in(grown(traits=["ambush", "climbing", "horns"])).traits) == 3


def test_an_explicit_fat_food_of_0_is_accepted_on_any_species() -> None:
    assert species_in([*grown(traits=["horns"]), ["fat-food", 0]]) == species_in(grown(traits=["horns"]))


def test_the_order_of_traits_is_kept() -> None:
    assert species_in(grown(traits=["horns", "ambush"])) == board("horns", "ambush", population=3, body=2, food=1)


def test_each_trait_is_known_by_its_name() -> None:
    for trait in Trait:
        with case(trait):
            assert trait_in(trait.value) is trait


# Cards.


def test_a_card_that_is_not_among_the_122_is_refused() -> None:
    rows: list[tuple[Json, str]] = [
        ([4, "ambush"], '[4, "ambush"]'),
        ([-4, "horns"], '[-4, "horns"]'),
        ([9, "carnivore"], '[9, "carnivore"]'),
        ([-9, "carnivore"], '[-9, "carnivore"]'),
        ([BIG, "carnivore"], str(BIG)),
        ([1, "wings"], '"wings"'),
        ([1, "Ambush"], '"Ambush"'),
        ([1, ""], '""'),
        ([True, "ambush"], "true"),
        ([1.0, "ambush"], "1.0"),
        ([None, "ambush"], "null"),
        (["1", "ambush"], '["1", "ambush"]'),
        (["ambush", 1], '["ambush", 1]'),
        ([1, 1], "[1, 1]"),
        ([1, None], "null"),
        ([1, ["ambush"]], '[1, ["ambush"]]'),
        ([[1], "ambush"], '[[1], "ambush"]'),
        ([{}, {}], "[{}, {}]"),
    ]
    for value, part in rows:
        with case(value, part):
            with pytest.raises(ShapeError) as error:
                card_in(value)
            assert part in said(error)
            assert "122" in said(error)


def test_a_card_that_is_no_pair_is_refused() -> None:
    rows: list[Json] = [[], [1], [1, "ambush", 1], "ambush", 1, None, {"food": 1}, True]
    for value in rows:
        with case(value):
            with pytest.raises(ShapeError) as error:
                card_in(value)
            assert json.dumps(value) in said(error)
            assert "not 2" in said(error) or "not an array" in said(error)


def test_the_122_cards_and_no_others_are_read() -> None:
    faces = {(food, trait.value) for food in range(-12, 13) for trait in Trait}
    read = set()
    for food, trait in faces:
        try:
            read.add(card_in([food, trait]))
        except ShapeError:
            continue
    assert read == set(DECK)
    assert all(card_in(card_out(card)) is card for card in DECK)


# Players.


def test_a_player_is_read_with_its_id_beside_it() -> None:
    value: Json = [*seated(12, [grown()], 5), ["cards", [[3, "ambush"], [-8, "carnivore"]]]]
    number, player = player_in(value, 2)
    assert number == 12
    assert player == Player(2, [Species(3, 2, 1)], (card_in([3, "ambush"]), card_in([-8, "carnivore"])), 5)


PLAYER_MISTAKES: dict[str, tuple[Json, list[str]]] = {
    "a number": (3, ["3", "array"]),
    "an object": ({"id": 1}, ['{"id": 1}', "array"]),
    "two fields": (seated()[:2], ["2 items", "3 to 4"]),
    "five fields": ([*seated(), ["cards", []], ["name", "x"]], ["5 items", "3 to 4"]),
    "bag before species": ([seated()[n] for n in (0, 2, 1)], ['["bag", 0]', '"species"']),
    "a wrong first label": ([["seat", 1], *seated()[1:]], ['["seat", 1]', '"id"']),
    "a wrong fourth label": ([*seated(), ["hand", []]], ['["hand", []]', '"cards"']),
    "id 0": (seated(number=0), ["id is 0", "1 or more"]),
    "a species that is none": (seated(species=[3]), ["3", "array"]),
    "species that are no array": (seated(species={}), ["{}", "array"]),
    "a mistake in the second species": (seated(species=[grown(), grown(body=8)]), ["body is 8", "0 to 7"]),
    "cards that are no array": ([*seated(), ["cards", 3]], ["cards is 3", "array"]),
    "a card that is none": ([*seated(), ["cards", [[0, "ambush"], [4, "ambush"]]]], ['[4, "ambush"]', "122"]),
}


def test_a_player_with_a_mistake_is_refused() -> None:
    for mistake, (value, parts) in PLAYER_MISTAKES.items():
        with case(mistake):
            with pytest.raises(ShapeError) as error:
                player_in(value, 1)
            message = said(error)
            assert [part for part in parts if part not in message] == []


def test_a_number_of_a_player_must_be_a_natural_number() -> None:
    for wrong, label in product(NO_NATURALS, ("id", "bag")):
        with case(wrong, label):
            value = seated(number=wrong) if label == "id" else seated(bag=wrong)
            with pytest.raises(ShapeError) as error:
                player_in(value, 1)
            assert said(error).startswith(f"{label} is {json.dumps(wrong)}, not a whole number")


def test_an_explicit_empty_hand_is_accepted() -> None:
    assert player_in([*seated(), ["cards", []]], 1) == player_in(seated(), 1)


def test_the_same_card_twice_in_a_hand_is_accepted() -> None:
    _, player = player_in([*seated(), ["cards", [[1, "horns"], [1, "horns"]]]], 1)
    assert player.hand == (card_in([1, "horns"]),) * 2


def test_an_id_and_a_bag_may_be_as_large_as_they_like() -> None:
    number, player = player_in(seated(number=BIG, bag=BIG), 1)
    assert (number, player.bag, player.seat) == (BIG, BIG, 1)


# Card plays.


def test_a_card_play_is_read_in_both_spellings_of_growth() -> None:
    play = CardPlay(0, (Growth(1, 2),), (Growth(0, 3), Growth(1, 4)), (NewBoard(5, (6,)),), (Replacement(0, 1, 7),))
    bare: Json = [0, [[1, 2]], [[0, 3], [1, 4]], [[5, 6]], [[0, 1, 7]]]
    tagged: Json = [0, [["population", 1, 2]], [["body", 0, 3], ["body", 1, 4]], [[5, 6]], [[0, 1, 7]]]
    mixed: Json = [0, [["population", 1, 2]], [["body", 0, 3], [1, 4]], [[5, 6]], [[0, 1, 7]]]
    assert [action4_in(copy.deepcopy(value)) for value in (bare, tagged, mixed)] == [play] * 3
    assert action4_out(play) == bare
    assert action4_out(play, tagged=True) == tagged


def test_reading_a_card_play_leaves_the_value_as_it_was() -> None:
    value: Json = [0, [["population", 1, 2]], [["body", 0, 3]], [[5, 6]], [[0, 1, 7]]]
    before = copy.deepcopy(value)
    action4_in(value)
    assert value == before


def test_a_new_board_has_none_to_three_traits() -> None:
    assert action4_in([0, [], [], [[1]], []]).boards == (NewBoard(1),)
    assert action4_in([0, [], [], [[1, 2, 3, 4]], []]).boards == (NewBoard(1, (2, 3, 4)),)


PLAY_MISTAKES: dict[str, tuple[Json, list[str]]] = {
    "false": (False, ["false", "array"]),
    "a number": (0, ["0", "array"]),
    "an object": ({"food": 0}, ['{"food": 0}', "array"]),
    "nothing in it": ([], ["0 items", "5"]),
    "four parts": ([0, [], [], []], ["4 items", "5"]),
    "six parts": ([0, [], [], [], [], []], ["6 items", "5"]),
    "growths that are no array": ([0, 1, [], [], []], ["1", "array"]),
    "growths that are an object": ([0, {}, [], [], []], ["{}", "array"]),
    "bodies that are null": ([0, [], None, [], []], ["null", "array"]),
    "boards that are a text": ([0, [], [], "1", []], ['"1"', "array"]),
    "replacements that are false": ([0, [], [], [], False], ["false", "array"]),
    "a growth that is a number": ([0, [1], [], [], []], ["1", "array"]),
    "a growth of one number": ([0, [[1]], [], [], []], ["[1]", "1 items", "2 to 3"]),
    "a growth of four parts": ([0, [["population", 0, 1, 2]], [], [], []], ["4 items", "2 to 3"]),
    "body among the populations": ([0, [["body", 0, 1]], [], [], []], ['["body", 0, 1]', '"population"']),
    "population among the bodies": ([0, [], [["population", 0, 1]], [], []], ['["population", 0, 1]', '"body"']),
    "a tag that is a number": ([0, [[9, 0, 1]], [], [], []], ["[9, 0, 1]", '"population"']),
    "a tag that is null": ([0, [], [[None, 0, 1]], [], []], ["[null, 0, 1]", '"body"']),
    "a tag alone": ([0, [["population", 1]], [], [], []], ['"population"', "whole number"]),
    "a new board without payment": ([0, [], [], [[]], []], ["0 items", "1 to 4"]),
    "a new board with four traits": ([0, [], [], [[1, 2, 3, 4, 5]], []], ["5 items", "1 to 4"]),
    "a new board that is a number": ([0, [], [], [1], []], ["1", "array"]),
    "a replacement of two numbers": ([0, [], [], [], [[0, 1]]], ["2 items", "3"]),
    "a replacement of four numbers": ([0, [], [], [], [[0, 1, 2, 3]]], ["4 items", "3"]),
    "a replacement that is an object": ([0, [], [], [], [{}]], ["{}", "array"]),
}


def test_a_card_play_with_a_mistake_is_refused() -> None:
    for mistake, (value, parts) in PLAY_MISTAKES.items():
        with case(mistake):
            with pytest.raises(ShapeError) as error:
                action4_in(value)
            message = said(error)
            assert [part for part in parts if part not in message] == []


def test_a_number_of_a_card_play_must_be_a_natural_number() -> None:
    for wrong, place in product(NO_NATURALS, ("food", "population", "body", "board", "trait", "slot", "swap")):
        with case(wrong, place):
            value: Json = [
                wrong if place == "food" else 0,
                [[0, wrong]] if place == "population" else [],
                [["body", wrong, 1]] if place == "body" else [],
                [[wrong]] if place == "board" else [[1, wrong]] if place == "trait" else [],
                [[0, wrong, 1]] if place == "slot" else [[0, 0, wrong]] if place == "swap" else [],
            ]
            with pytest.raises(ShapeError) as error:
                action4_in(value)
            assert f"is {json.dumps(wrong)}, not a whole number, 0 or more" in said(error)


def test_a_message_shows_at_most_a_sentence_of_a_long_value() -> None:
    with pytest.raises(ShapeError) as error:
        species_in([["wings"] * 10_000])
    assert '["wings"' in said(error)


@pytest.mark.parametrize("label", ["food", "fat-food", "body", "population"])
def test_a_message_shows_at_most_a_sentence_of_a_long_number(label: str) -> None:
    value = fat(1)
    value[["food", "body", "population", "traits", "fat-food"].index(label)] = [label, 10**3_000]
    with pytest.raises(ShapeError) as error:
        species_in(value)
    assert f"{label} is 1000" in said(error)


# Feedings.


@pytest.mark.parametrize(
    ("move", "value"),
    [
        (Decline(), False),
        (Graze(0), 0),
        (Graze(3), 3),
        (StoreFat(0, 2), [0, 2]),
        (Attack(1, 4, 2), [1, 1, 2]),
        (Attack(0, 7, 0), [0, 0, 0]),
    ],
)
def test_a_feeding_is_written_with_its_prey_counted_among_the_others(move: Feeding, value: Json) -> None:
    written = feeding_out(move, [7, 4, 2])
    assert json.dumps(written) == json.dumps(value), "0 is not false"


# Reading and writing are inverse.


@st.composite
def any_species(draw: st.DrawFn) -> Species:
    population, body = draw(st.integers(1, 7)), draw(st.integers(0, 7))
    traits = draw(st.lists(st.sampled_from(list(Trait)), max_size=3, unique=True))
    fat_food = draw(st.integers(0, body)) if Trait.FAT_TISSUE in traits else 0
    return Species(population, body, draw(st.integers(0, population)), fat_food, tuple(traits))


NATURALS = st.integers(0, 200)
GROWTHS = st.lists(st.builds(Growth, NATURALS, NATURALS), max_size=3).map(tuple)
PLAYS = st.builds(
    CardPlay,
    NATURALS,
    GROWTHS,
    GROWTHS,
    st.lists(st.builds(NewBoard, NATURALS, st.lists(NATURALS, max_size=3).map(tuple)), max_size=3).map(tuple),
    st.lists(st.builds(Replacement, NATURALS, NATURALS, NATURALS), max_size=3).map(tuple),
)


def over_the_wire(value: Json) -> Json:
    sent: Json = json.loads(json.dumps(value))
    return sent


@given(st.lists(any_species(), max_size=3))
def test_species_come_back_as_they_went_out(species: list[Species]) -> None:
    assert boards_in(over_the_wire(boards_out(species))) == tuple(species)


@given(any_species())
def test_fat_food_is_written_only_if_there_is_any(species: Species) -> None:
    written = species_out(species)
    assert isinstance(written, list)
    assert len(written) == (5 if species.fat_food else 4)


@given(
    st.integers(1, 99),
    st.lists(any_species(), max_size=3),
    st.lists(st.sampled_from(DECK), max_size=4),
    st.integers(0, 99),
)
def test_players_come_back_as_they_went_out(number: int, species: list[Species], hand: list[Card], bag: int) -> None:
    player = Player(3, species, tuple(hand), bag)
    written = player_out(number, player)
    assert player_in(over_the_wire(written), 3) == (number, player)
    assert isinstance(written, list)
    assert len(written) == (4 if hand else 3)


@given(PLAYS, st.booleans())
def test_card_plays_come_back_as_they_went_out(play: CardPlay, tagged: bool) -> None:
    assert action4_in(over_the_wire(action4_out(play, tagged))) == play


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 9) | st.floats(0, 3) | st.sampled_from(["food", "horns", "population"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=20,
)


@given(ANYTHING)
def test_anything_else_is_a_shape_error_of_one_line(value: Json) -> None:
    for read in (species_in, card_in, action4_in, boards_in, trait_in, lambda given: player_in(given, 1)):
        message = ""
        try:
            read(value)
        except ShapeError as error:
            message = str(error)
        assert message == "" or message.isprintable()
