"""All single steps by which the shrinker can make a situation smaller."""

import itertools
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.cards import DECK, Card
from wateringhole.conformance.shrink_plays import Edit, forget_board, forget_card, forget_slot, parts, without
from wateringhole.conformance.situations import Side, Situation, with_board, with_body, with_item, with_side
from wateringhole.fault import Fault
from wateringhole.moves import CardPlay
from wateringhole.rules.cardplay import cards_used, outcome
from wateringhole.species import MAX_POPULATION, Species
from wateringhole.traits import Trait

Step: TypeAlias = Callable[[Situation], Situation]
"""Takes one thing away."""

Steps: TypeAlias = Callable[[Situation], list[Step]]
"""All the steps of one kind, from left to right."""


# Players, boards, traits.


def _players(situation: Situation) -> list[Step]:
    if situation.harness == "xattack":
        return []
    first = 1 if situation.harness in {"xfeed", "xsilly"} else 0  # the player that is asked
    return [partial(_without_player, number=number) for number in range(first, len(situation.sides))]


def _without_player(situation: Situation, number: int) -> Situation:
    before = situation.harness == "xsilly" and number <= situation.at
    return replace(situation, sides=without(situation.sides, number), at=situation.at - 1 if before else situation.at)


def _boards(situation: Situation) -> list[Step]:
    return [
        partial(_without_board, number=number, at=at)
        for number, side in enumerate(situation.sides)
        for at in range(len(side.boards))
        if situation.harness != "xattack" or (number == 1 and at != situation.at)
    ]


def _without_board(situation: Situation, number: int, at: int) -> Situation:
    if situation.harness == "xattack" and at < situation.at:
        situation = replace(situation, at=situation.at - 1)
    side = _with_play(situation.sides[number], partial(forget_board, gone=at))
    return with_side(situation, number, replace(side, boards=without(side.boards, at)))


def _traits(situation: Situation) -> list[Step]:
    return [
        partial(_without_trait, number=number, at=at, slot=slot)
        for number, side in enumerate(situation.sides)
        for at, board in enumerate(side.boards)
        for slot in range(len(board.traits))
    ]


def _without_trait(situation: Situation, number: int, at: int, slot: int) -> Situation:
    side = _with_play(situation.sides[number], partial(forget_slot, board=at, gone=slot))
    board = side.boards[at]
    fat_food = 0 if board.traits[slot] is Trait.FAT_TISSUE else board.fat_food
    bare = Species(board.population, board.body, board.food, fat_food, without(board.traits, slot))
    return with_board(with_side(situation, number, side), number, at, bare)


# Cards in the deck and in hands.


def _deck(situation: Situation) -> list[Step]:
    return [partial(_without_card, at=at) for at in range(len(situation.deck))]


def _without_card(situation: Situation, at: int) -> Situation:
    return replace(situation, deck=without(situation.deck, at))


def _hands(situation: Situation) -> list[Step]:
    """The cards that their holder does not play."""
    return [
        partial(_without_held, number=number, at=at)
        for number, side in enumerate(situation.sides)
        for at in range(len(side.hand))
        if not isinstance(side.play, CardPlay) or at not in cards_used(side.play)
    ]


def _without_held(situation: Situation, number: int, at: int) -> Situation:
    side = _with_play(situation.sides[number], partial(forget_card, gone=at))
    return with_side(situation, number, replace(side, hand=without(side.hand, at)))


# Card plays.


def _effects(situation: Situation) -> list[Step]:
    """Plays that could as well have been carried out already, but for the food card."""
    return [partial(_with_effect, number=number) for number in _beyond_food(situation)]


def _with_effect(situation: Situation, number: int) -> Situation:
    side = situation.sides[number]
    assert isinstance(side.play, CardPlay)
    planned = outcome(side.play, side.boards, side.hand)
    if isinstance(planned, Fault):
        return situation
    done = replace(side, boards=planned.species, hand=(planned.food, *planned.hand), play=CardPlay(0))
    return with_side(situation, number, done)


def _plays(situation: Situation) -> list[Step]:
    """Everything in a play but the food card."""
    return [partial(_with_food_alone, number=number) for number in _beyond_food(situation)]


def _with_food_alone(situation: Situation, number: int) -> Situation:
    return with_side(situation, number, _with_play(situation.sides[number], lambda play: CardPlay(play.food)))


def _beyond_food(situation: Situation) -> list[int]:
    """The players that play more than a food card."""
    return [
        number
        for number, side in enumerate(situation.sides)
        if isinstance(side.play, CardPlay) and len(cards_used(side.play)) > 1
    ]


def _parts_of_plays(situation: Situation) -> list[Step]:
    return [
        partial(_edited, number=number, edit=edit)
        for number, side in enumerate(situation.sides)
        if isinstance(side.play, CardPlay)
        for edit in parts(side.play, len(side.boards))
    ]


def _edited(situation: Situation, number: int, edit: Edit) -> Situation:
    return with_side(situation, number, _with_play(situation.sides[number], edit))


def _with_play(side: Side, edit: Edit) -> Side:
    return replace(side, play=edit(side.play)) if isinstance(side.play, CardPlay) else side


# Numbers.


class Number(Struct, frozen=True):
    """A number that may become smaller, and how."""

    value: int
    least: int
    put: Callable[[Situation, int], Situation]


def _numbers(situation: Situation) -> list[Number]:
    """All that could be less."""
    numbers = [Number(situation.watering_hole, 1 if situation.harness == "xfeed" else 0, _with_tokens)]
    for at, side in enumerate(situation.sides):
        numbers.append(Number(side.bag, 0, partial(_with_bag, at)))
        for place, board in enumerate(side.boards):
            numbers += [
                Number(board.food, 0, partial(_with_changed, at, place, _with_food)),
                Number(board.fat_food, 0, partial(_with_changed, at, place, _with_fat)),
                Number(board.body, 0, partial(_with_changed, at, place, with_body)),
                Number(board.population, 1, partial(_with_changed, at, place, Species.with_population)),
            ]
    return [number for number in numbers if number.value > number.least]


def _with_tokens(situation: Situation, value: int) -> Situation:
    return replace(situation, watering_hole=value)


def _with_bag(at: int, situation: Situation, value: int) -> Situation:
    return with_side(situation, at, replace(situation.sides[at], bag=value))


def _with_changed(
    at: int, place: int, change: Callable[[Species, int], Species], situation: Situation, value: int
) -> Situation:
    return with_board(situation, at, place, change(situation.sides[at].boards[place], value))


def _with_food(board: Species, food: int) -> Species:
    return Species(board.population, board.body, food, board.fat_food, board.traits)


def _with_fat(board: Species, fat_food: int) -> Species:
    return Species(board.population, board.body, board.food, fat_food, board.traits)


def _with_number(situation: Situation, number: Number, value: int) -> Situation:
    return number.put(situation, value)


def _to_the_least(situation: Situation) -> list[Step]:
    return [partial(_with_number, number=number, value=number.least) for number in _numbers(situation)]


def _halfway(situation: Situation) -> list[Step]:
    numbers = [number for number in _numbers(situation) if number.value > number.least + 2]
    return [partial(_with_number, number=number, value=(number.value + number.least) // 2) for number in numbers]


def _one_less(situation: Situation) -> list[Step]:
    return [partial(_with_number, number=number, value=number.value - 1) for number in _numbers(situation)]


def _food_cards(situation: Situation) -> list[Step]:
    """Food cards whose tokens could as well lie in the watering hole, or not be there, already."""
    return [
        partial(_with_tokens_given, number=number)
        for number, side in enumerate(situation.sides)
        if isinstance(side.play, CardPlay) and side.play.food < len(side.hand) and side.hand[side.play.food].food
    ]


def _with_tokens_given(situation: Situation, number: int) -> Situation:
    side = situation.sides[number]
    assert isinstance(side.play, CardPlay)
    at = side.play.food
    tokens = max(0, situation.watering_hole + side.hand[at].food)
    blank = _blank_card(situation)
    if blank is None:
        return situation
    held = replace(side, hand=with_item(side.hand, at, blank))
    return with_side(replace(situation, watering_hole=tokens), number, held)


def _blank_card(situation: Situation) -> Card | None:
    """A card without food that is nowhere yet, not as a trait either."""
    used = {*situation.deck, *[card for side in situation.sides for card in side.hand]}
    borne = {trait for side in situation.sides for board in side.boards for trait in board.traits}
    return next((card for card in DECK if card.food == 0 and card not in used and card.trait not in borne), None)


# What goes only together.

MAX_MEALS: Final = 8
SMALL: Final = 3
MIDDLING: Final = 8


def _boards_and_tokens(situation: Situation) -> list[Step]:
    """Boards together with what they might eat, which would otherwise be left for another board."""
    return [
        partial(_with_less, step=step, tokens=tokens)
        for step in _boards(situation)
        for tokens in range(1, min(situation.watering_hole, MAX_MEALS) + 1)
    ]


def _animals_and_tokens(situation: Situation) -> list[Step]:
    """Animals together with their meals."""
    return [
        partial(_with_less, step=partial(_with_number, number=number, value=number.value - 1), tokens=1)
        for number in _numbers(situation)
        if situation.watering_hole and number.least == 1
    ]


def _several_boards(situation: Situation) -> list[Step]:
    """Two or three boards at once, and what they might eat."""
    single = _boards(situation) if _worth_much_work(situation) else []
    sets = [*itertools.combinations(single, 2), *itertools.combinations(single, 3)]
    return [
        partial(_with_less, step=partial(_all, steps=steps), tokens=tokens)
        for steps in sets
        for tokens in range(min(situation.watering_hole, SMALL) + 1)
    ]


def _boards_for_animals(situation: Situation) -> list[Step]:
    """A board, if another one has an animal more instead: it may have been there only to be larger, or smaller."""
    if not _worth_much_work(situation):
        return []
    return [
        partial(_all, steps=(gone, partial(_with_one_more, number=number, at=at)))
        for gone in _boards(situation)
        for number, side in enumerate(situation.sides)
        for at, board in enumerate(side.boards)
        if board.population < MAX_POPULATION
    ]


def _worth_much_work(situation: Situation) -> bool:
    """Whether it is not small yet, and not so large that there would be no end of combinations."""
    return SMALL < sum(len(side.boards) for side in situation.sides) <= MIDDLING


def _with_one_more(situation: Situation, number: int, at: int) -> Situation:
    board = situation.sides[number].boards[at]
    return with_board(situation, number, at, board.with_population(board.population + 1))


def _with_less(situation: Situation, step: Step, tokens: int) -> Situation:
    return step(_with_tokens(situation, situation.watering_hole - tokens))


def _all(situation: Situation, steps: tuple[Step, ...]) -> Situation:
    for step in reversed(steps):
        situation = step(situation)
    return situation


REMOVALS: Final[tuple[Steps, ...]] = (
    _players,
    _effects,
    _plays,
    _boards,
    _deck,
    _hands,
    _traits,
    _parts_of_plays,
    _to_the_least,
    _food_cards,
    _halfway,
    _one_less,
)
"""What is likely to take away the most comes first. Several steps of one kind can be taken at once, the last first."""

COMBINATIONS: Final[tuple[Steps, ...]] = (
    _boards_and_tokens,
    _animals_and_tokens,
    _several_boards,
    _boards_for_animals,
)
"""Steps that leave less only as a whole; one at a time."""
