"""Why a greedy player makes a move: what it weighed, as data that a page puts into words.

Laws: a reason is true of the move, and is something that the player's taste weighs. Nothing here decides a move: the
reasons of one are worked out afterwards, when a hint asks for them.
"""

from typing import Final, TypeAlias

from msgspec import Struct

from wateringhole.agents import Agent
from wateringhole.agents.greedy import Greedy, Taste
from wateringhole.cards import Card
from wateringhole.moves import Attack, CardPlay, Feeding, Graze, Move, StoreFat
from wateringhole.player import Other
from wateringhole.rules.feeding import feedings
from wateringhole.species import Species
from wateringhole.traits import FORAGING, HORNS, Trait
from wateringhole.view import Choose, Feed, Request


class _Because(Struct, frozen=True, tag_field="reason"):
    pass


# Of a card play.


class MostFood(_Because, frozen=True, tag="most-food"):
    """No card of the hand brings more food than the one that is given."""

    card: int
    food: int


class TraitSpared(_Because, frozen=True, tag="trait-spared"):
    """The card that brings more food than the given one is worth more as a trait."""

    card: int
    food: int
    trait: Trait


class BoardsBringCards(_Because, frozen=True, tag="boards-bring-cards"):
    """Each of so many new boards brings one card more in every turn."""

    boards: int


class BestTraits(_Because, frozen=True, tag="best-traits"):
    """These traits, which go on the new boards, are worth more than the cards would be as payment."""

    traits: tuple[Trait, ...]


class SpareAnimals(_Because, frozen=True, tag="spare-animals"):
    """So many cards have no better use than one more animal each."""

    animals: int


# Of a feeding.


class EatsTokens(_Because, frozen=True, tag="eats-tokens"):
    """The board gets so many tokens."""

    tokens: int


class EatsMost(_Because, frozen=True, tag="eats-most"):
    """The board gets so many tokens, and no other board would get as many."""

    tokens: int


class HasBegun(_Because, frozen=True, tag="has-begun"):
    """The board has eaten before, and one that would get as many tokens has not."""


class PreyLosesAnimal(_Because, frozen=True, tag="prey-loses-animal"):
    """The prey loses an animal and lives on."""


class PreyDiesOut(_Because, frozen=True, tag="prey-dies-out"):
    """The prey loses its last animal."""


class HunterLosesNothing(_Because, frozen=True, tag="hunter-loses-nothing"):
    """The prey has no horns."""


class HunterLosesAnimal(_Because, frozen=True, tag="hunter-loses-animal"):
    """The horns of the prey kill an animal of the hunter: what the move costs."""


class HunterDiesOut(_Because, frozen=True, tag="hunter-dies-out"):
    """The horns of the prey kill the last animal of the hunter: what the move costs."""


class NoMealLeft(_Because, frozen=True, tag="no-meal-left"):
    """No board can eat now, so the tokens become fat."""


class AttacksCostMore(_Because, frozen=True, tag="attacks-cost-more"):
    """Every meal that there is would be an attack that costs more than it brings."""


MoveReason: TypeAlias = (
    MostFood
    | TraitSpared
    | BoardsBringCards
    | BestTraits
    | SpareAnimals
    | EatsTokens
    | EatsMost
    | HasBegun
    | PreyLosesAnimal
    | PreyDiesOut
    | HunterLosesNothing
    | HunterLosesAnimal
    | HunterDiesOut
    | NoMealLeft
    | AttacksCostMore
)

NO_REASONS: Final[tuple[MoveReason, ...]] = ()


def reasons(agent: Agent, request: Request, move: Move) -> tuple[MoveReason, ...]:
    """Why this agent answered this request with this move; nothing if it weighs moves in another way."""
    if not isinstance(agent, Greedy):
        return NO_REASONS
    if isinstance(request, Choose) and isinstance(move, CardPlay):
        return _of_card_play(request.me.hand, move)
    if isinstance(request, Feed) and not isinstance(move, CardPlay):
        return _of_feeding(request, move, agent.taste)
    return NO_REASONS


def _of_card_play(hand: tuple[Card, ...], play: CardPlay) -> tuple[MoveReason, ...]:
    given = hand[play.food]
    richest = max(hand, key=lambda card: card.food)
    traits = tuple(hand[card].trait for board in play.boards for card in board.traits)
    spared = given.food < richest.food
    food = TraitSpared(play.food, given.food, richest.trait) if spared else MostFood(play.food, given.food)
    return (
        food,
        *([BoardsBringCards(len(play.boards))] if play.boards else []),
        *([BestTraits(traits)] if traits else []),
        *([SpareAnimals(len(play.population))] if play.population else []),
    )


def _of_feeding(request: Feed, move: Feeding, taste: Taste) -> tuple[MoveReason, ...]:
    species, hole = request.me.species, request.watering_hole
    options = feedings(species, hole, request.others)
    meals = [option for option in options if isinstance(option, Graze | Attack)]
    match move:
        case StoreFat():
            return (AttacksCostMore(),) if meals else (NoMealLeft(),)
        case Graze(at):
            return _of_meal(species, at, _tokens(species[at], hole), meals, hole)
        case Attack(at, seat, target):
            prey = _board_of(request.others, seat, target)
            left = species[at].with_population(species[at].population - 1) if prey.mask & HORNS else species[at]
            eaten = _of_meal(species, at, _tokens(left, hole), meals, hole)
            return (*eaten, *_of_prey(prey, species[at], taste))
    return NO_REASONS


def _of_meal(
    species: tuple[Species, ...], at: int, tokens: int, meals: list[Graze | Attack], hole: int
) -> tuple[MoveReason, ...]:
    """What this board gets, beside what the others would get instead."""
    if tokens == 0:
        return NO_REASONS
    others = [species[number] for number in {meal.board for meal in meals} - {at}]
    if others and all(_tokens(other, hole) < tokens for other in others):
        return (EatsMost(tokens),)
    begun = species[at].food > 0 and any(other.food == 0 and _tokens(other, hole) == tokens for other in others)
    return (EatsTokens(tokens), HasBegun()) if begun else (EatsTokens(tokens),)


def _of_prey(prey: Species, hunter: Species, taste: Taste) -> tuple[MoveReason, ...]:
    horns = bool(prey.mask & HORNS)
    found: list[MoveReason] = [] if horns else [HunterLosesNothing()]
    if prey.population == 1:
        found.append(PreyDiesOut())
    elif taste.kill > 0:
        found.append(PreyLosesAnimal())
    if horns:
        found.append(HunterDiesOut() if hunter.population == 1 else HunterLosesAnimal())
    return tuple(found)


def _tokens(board: Species, hole: int) -> int:
    """How many tokens a meal of this board brings it."""
    return max(0, min(2 if board.mask & FORAGING else 1, board.population - board.food, hole))


def _board_of(others: tuple[Other, ...], seat: int, target: int) -> Species:
    return next(other for other in others if other.seat == seat).species[target]
