"""Random situations and smaller ones: legal, rich, the same for the same seed; and how small they get."""

import itertools
import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from tests.cases import case
from wateringhole import rulebook
from wateringhole.cards import DECK, card
from wateringhole.conformance.generator import situations
from wateringhole.conformance.harness import HARNESSES, played_turn, run_harness
from wateringhole.conformance.shrinker import shrunk
from wateringhole.conformance.situations import Misshapen, Side, Situation, situation_in, situation_out
from wateringhole.events import AnimalLost, Ate, Attacked, Bred, Event, Extinct, FatMoved, FatStored
from wateringhole.game import PlayOutcome
from wateringhole.moves import CardPlay, Growth, NewBoard, Replacement
from wateringhole.rules.cardplay import outcome
from wateringhole.species import Species
from wateringhole.traits import Trait
from wateringhole.wire.framing import Json

ENOUGH = 200
"""As many as `diff` takes unless it is told otherwise."""

TABLES = ["xfeed", "xstep", "xstep4"]


@cache
def some(harness: str) -> tuple[Situation, ...]:
    return tuple(itertools.islice(situations(harness, "0"), ENOUGH))


def boards(situation: Situation) -> list[Species]:
    return [board for side in situation.sides for board in side.boards]


def rows(harness: str) -> list[tuple[Species, ...]]:
    return [side.boards for situation in some(harness) for side in situation.sides]


# Random situations are legal.


@pytest.mark.parametrize("harness", HARNESSES)
def test_a_situation_is_accepted_by_our_harness_and_survives_the_way_through_json(harness: str) -> None:
    for situation in some(harness):
        value = situation_out(situation)
        run_harness(harness, value)
        assert situation_in(harness, json.loads(json.dumps(value))) == situation


@pytest.mark.parametrize("harness", HARNESSES)
def test_each_card_is_there_once_in_a_hand_in_the_deck_or_as_a_trait(harness: str) -> None:
    there_are = Counter(card.trait for card in DECK)
    for situation in some(harness):
        cards = [*situation.deck, *[card for side in situation.sides for card in side.hand]]
        assert len(set(cards)) == len(cards)
        used = Counter(card.trait for card in cards) + Counter(t for board in boards(situation) for t in board.traits)
        assert used <= there_are


def test_every_play_is_legal() -> None:
    for situation in some("xstep4"):
        for side in situation.sides:
            assert isinstance(side.play, CardPlay)
            assert isinstance(outcome(side.play, side.boards, side.hand), PlayOutcome)


@pytest.mark.parametrize("harness", HARNESSES)
def test_the_seed_decides_and_nothing_else(harness: str) -> None:
    again = tuple(itertools.islice(situations(harness, "0"), 10))
    assert again == some(harness)[:10]
    assert next(situations(harness, "1")) not in again


# Random situations are rich.


@pytest.mark.parametrize("harness", HARNESSES)
def test_every_trait_occurs(harness: str) -> None:
    assert {trait for row in rows(harness) for board in row for trait in board.traits} == set(Trait)


@pytest.mark.parametrize("harness", TABLES)
def test_tables_small_and_large_occur(harness: str) -> None:
    assert {len(situation.sides) for situation in some(harness)} == {3, 4, 5, 6, 7, 8}
    assert {0, 1, 2, 3, 4, 6} <= {len(row) for row in rows(harness)}
    assert {1, 2, 3, 40} <= {situation.watering_hole for situation in some(harness)}
    if harness != "xfeed":
        assert {0, 1, 2, 3, 30} <= {len(situation.deck) for situation in some(harness)}


@pytest.mark.parametrize("harness", HARNESSES)
def test_full_boards_bare_ones_and_stored_fat_occur(harness: str) -> None:
    found = [board for row in rows(harness) for board in row]
    assert any((board.population, board.body) == (7, 7) for board in found)
    assert any((board.population, board.food) == (7, 7) for board in found)
    assert any((board.population, board.body, board.traits) == (1, 0, ()) for board in found)
    assert any(board.fat_food == board.body > 0 for board in found)
    assert any(0 < board.fat_food < board.body for board in found)
    assert {len(board.traits) for board in found} == {0, 1, 2, 3}


@pytest.mark.parametrize("harness", TABLES)
def test_neighbours_that_matter_to_each_other_occur(harness: str) -> None:
    assert any(
        Trait.WARNING_CALL in left.traits and Trait.WARNING_CALL in right.traits
        for row in rows(harness)
        for left, right in zip(row, row[2:], strict=False)
    )
    assert any(
        all(Trait.COOPERATION in board.traits for board in chain)
        for row in rows(harness)
        for chain in zip(row, row[1:], row[2:], strict=False)
    )


def test_both_verdicts_occur_with_every_trait_on_either_side() -> None:
    seen = set()
    for situation in some("xattack"):
        verdict = HARNESSES["xattack"](situation)
        attacker, defender = situation.sides[0].boards[0], situation.sides[1].boards[situation.at]
        seen |= {("attacker", trait, verdict) for trait in attacker.traits}
        seen |= {("defender", trait, verdict) for trait in defender.traits}
    assert {(trait, verdict) for side, trait, verdict in seen if side == "defender"} == {
        (trait, verdict) for trait in Trait for verdict in (True, False)
    }
    assert {trait for side, trait, verdict in seen if side == "attacker" and verdict} == set(Trait)


def test_every_kind_of_feeding_is_chosen() -> None:
    kinds = set()
    for situation in some("xfeed"):
        choice = HARNESSES["xfeed"](situation)
        kinds.add((type(choice).__name__, len(choice) if isinstance(choice, list) else 0))
    assert kinds == {("bool", 0), ("int", 0), ("list", 2), ("list", 3)}


def happened(situation: Situation) -> list[Event]:
    """All that is told while `xstep4` works on this."""
    return played_turn(situation, listen=True).hear()


def test_everything_that_may_happen_in_a_turn_happens() -> None:
    events = [event for situation in some("xstep4") for event in happened(situation)]
    assert {type(event) for event in events} >= {Ate, AnimalLost, Attacked, Bred, Extinct, FatMoved, FatStored}
    meals = {event.rule for event in events if isinstance(event, Ate)}
    assert meals >= {rulebook.COOPERATION, rulebook.SCAVENGER, rulebook.LONG_NECK, rulebook.ATTACK, rulebook.GRAZE}
    assert {event.rule for event in events if isinstance(event, AnimalLost)} == {rulebook.ANIMAL, rulebook.HORNS}
    assert {event.cards for event in events if isinstance(event, Extinct)} == {0, 1, 2}


def test_every_part_of_a_card_play_occurs() -> None:
    plays = [side.play for situation in some("xstep4") for side in situation.sides]
    for part in ("population", "body", "boards", "traits"):
        sizes = {len(getattr(play, part)) for play in plays}
        assert {0, 1, 2} <= sizes, part


# Smaller situations.


def smallest(situation: Situation, holds: Callable[[Situation], bool]) -> Situation:
    """What is left when everything goes that this does not need; every try is checked for what it must be."""

    def first(tries: Sequence[Situation]) -> int | None:
        for at, smaller in enumerate(tries):
            HARNESSES[smaller.harness](smaller)
            assert situation_in(smaller.harness, situation_out(smaller)) == smaller
            if holds(smaller):
                return at
        return None

    return shrunk(situation, first)


@pytest.mark.parametrize("harness", HARNESSES)
def test_without_a_need_nothing_is_left_but_what_the_harness_insists_on(harness: str) -> None:
    left = {
        "xattack": [plain(), plain(), False, False],
        "xfeed": [player(), 1, []],
        "xsilly": [player(3), [], []],
        "xstep": [[player()], 0, []],
        "xstep4": [[[player(1)], 0, []], [[0, [], [], [], []]]],
    }[harness]
    for situation in some(harness)[:40]:
        value = situation_out(smallest(situation, lambda _: True))
        assert without_names(value) == left


def plain() -> Json:
    return [["food", 0], ["body", 0], ["population", 1], ["traits", []]]


def player(cards: int = 0) -> Json:
    return ["player", 0, *["card"] * cards]


def without_names(value: Json) -> Json:
    """The value with players and cards that look all the same."""
    match value:
        case [["id", int()], ["species", []], ["bag", int(bag)]]:
            return ["player", bag]
        case [["id", int()], ["species", []], ["bag", int(bag)], ["cards", list(cards)]]:
            return ["player", bag, *["card"] * len(cards)]
        case list():
            return [without_names(part) for part in value]
    return value


@pytest.mark.parametrize("harness", HARNESSES)
def test_what_is_needed_stays_and_nothing_else(harness: str) -> None:
    for trait in (Trait.HORNS, Trait.FAT_TISSUE, Trait.CARNIVORE):
        with case(trait):

            def needed(situation: Situation, trait: Trait = trait) -> bool:
                return any(trait in board.traits and board.population > 2 for board in boards(situation))

            situation = next(filter(needed, some(harness)))
            left = smallest(situation, needed)
            found = boards(left)
            assert len(found) in ({2, 3} if harness == "xattack" else {1})  # the bearer may be a neighbour
            assert Species(3, traits=(trait,)) in found


def test_a_play_keeps_its_meaning_when_cards_boards_and_traits_before_it_go() -> None:
    hand = tuple(card(food, "horns") for food in range(-3, 4)) + tuple(card(food, "fertile") for food in range(-3, 4))
    herd = Species(2, 2, 0, 1, (Trait.AMBUSH, Trait.FAT_TISSUE, Trait.SCAVENGER))
    play = CardPlay(
        food=13,
        population=(Growth(0, 1), Growth(4, 2)),
        body=(Growth(2, 3), Growth(4, 4)),
        boards=(NewBoard(5, (6,)), NewBoard(7, (8, 0))),
        traits=(Replacement(0, 0, 9), Replacement(2, 2, 10), Replacement(4, 0, 11)),
    )
    side = Side((herd, herd, herd), 1, 5, hand, play)

    def needed(situation: Situation) -> bool:
        """Whether a new board with horns grows twice, and horns take the place of a scavenger."""
        [it] = situation.sides
        assert isinstance(it.play, CardPlay)
        after = outcome(it.play, it.boards, it.hand)
        assert isinstance(after, PlayOutcome)
        swaps = [swap for swap in it.play.traits if swap.board < len(it.boards)]
        return (
            any(it.boards[swap.board].traits[swap.slot] is Trait.SCAVENGER for swap in swaps)
            and len(it.play.boards) > 0
            and after.species[-1].population == after.species[-1].body + 1 == 2
            and Trait.HORNS in after.species[-1].traits
        )

    [left] = smallest(Situation("xstep4", (side,), 7, DECK[9:30]), needed).sides
    assert left.boards == (Species(traits=(Trait.SCAVENGER,)),)
    assert left.play == CardPlay(5, (Growth(1, 1),), (Growth(1, 2),), (NewBoard(3, (0,)),), (Replacement(0, 0, 4),))
    assert left.hand == (hand[0], hand[2], hand[4], hand[7], hand[10], card(0, "ambush"))


def test_a_play_that_could_as_well_be_done_already_is_done() -> None:
    play = CardPlay(0, population=(Growth(0, 1), Growth(1, 2)), boards=(NewBoard(3, (4,)),))

    def grown(situation: Situation) -> bool:
        """Whether a board that has a trait has two animals when the cards are played."""
        [it] = situation.sides
        assert isinstance(it.play, CardPlay)
        after = outcome(it.play, it.boards, it.hand)
        assert isinstance(after, PlayOutcome)
        return any(board.population == 2 and board.traits for board in after.species)

    [left] = smallest(Situation("xstep4", (Side((Species(),), 1, 0, DECK[:6], play),)), grown).sides
    assert left == Side((Species(2, traits=(Trait.AMBUSH,)),), 1, 0, (card(0, "burrowing"),), CardPlay(0))


def test_players_before_and_after_stay_where_they_are() -> None:
    def flanked(situation: Situation) -> bool:
        others = situation.sides[1:]
        return any(side.boards for side in others[: situation.at]) and any(
            len(side.boards) > 1 for side in others[situation.at :]
        )

    value = situation_out(smallest(next(filter(flanked, some("xsilly"))), flanked))
    assert isinstance(value, list)
    assert value[1:] == [[[plain()]], [[plain(), plain()]]]


@pytest.mark.parametrize(("left", "right"), [(True, False), (False, True), (True, True)])
def test_the_neighbours_of_the_defender_stay_on_their_sides(left: bool, right: bool) -> None:
    def guarded(situation: Situation) -> bool:
        _, _, one, other = items(situation_out(situation))
        return (not left or one is not False) and (not right or other is not False)

    value = situation_out(smallest(next(filter(guarded, some("xattack"))), guarded))
    assert value == [plain(), plain(), plain() if left else False, plain() if right else False]


def items(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value


def test_a_misshapen_play_is_kept_as_it_is() -> None:
    side = Side((Species(3, 2),), 1, 5, DECK[:3], Misshapen({"no": "play"}))
    left = smallest(Situation("xstep4", (side, side), 7, DECK[9:]), lambda _: True)
    assert situation_out(left) == [[[[["id", 1], ["species", []], ["bag", 0]]], 0, []], [{"no": "play"}]]


def test_who_never_agrees_gets_back_what_came() -> None:
    for harness in HARNESSES:
        situation = next(situations(harness, "0"))
        assert shrunk(situation, lambda _: None) == situation
