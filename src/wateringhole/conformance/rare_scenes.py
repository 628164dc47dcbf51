"""Rewrites a situation so that rare combinations of traits meet.

The boards of some players are replaced by others, in an order and with numbers in which the combination matters.

Laws: the situation stays one that our harness accepts, and the card plays of the players concerned stay legal.
"""

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

from msgspec.structs import replace

from wateringhole.cards import Card
from wateringhole.conformance.situations import Situation, with_side
from wateringhole.moves import CardPlay
from wateringhole.species import MAX_POPULATION, Species
from wateringhole.traits import DEFENCES, HARD_SHELL_MARGIN, Trait

Rows: TypeAlias = dict[int, tuple[Species, ...]]
"""The new boards of some players, by their places."""


def with_rare_scene(random: Random, situation: Situation) -> Situation:
    """The same situation with the boards of some players exchanged; it needs two players."""
    scenes = _SCENES[situation.harness]
    first = random.randrange(len(situation.sides)) if situation.harness == "xstep4" else 0
    places = [*range(first, len(situation.sides)), *range(first)]
    rows, tokens = random.choice(scenes)(random, places)
    for number, boards in rows.items():
        side = situation.sides[number]
        play = CardPlay(_small_food(side.hand)) if situation.harness == "xstep4" else None
        situation = with_side(situation, number, replace(side, boards=boards, play=play))
    return replace(situation, watering_hole=tokens)


def _small_food(hand: tuple[Card, ...]) -> int:
    """The card that changes the watering hole least, so that the food stays short where it is meant to be."""
    return min(range(len(hand)), key=lambda at: abs(hand[at].food))


def _foiled_hunter(random: Random, places: list[int]) -> tuple[Rows, int]:
    """Two carnivores, of which only the smaller one gets through the defence of all prey."""
    defence = random.choice([defence for defence in DEFENCES if defence.foiled_by])
    body = random.randint(0, 3)
    large, small = sorted(random.sample(range(2, MAX_POPULATION + 1), 2), reverse=True)
    hunters = [
        Species(large, body, random.randrange(large), 0, (Trait.CARNIVORE,)),
        Species(small, body, random.randrange(small), 0, (*defence.foiled_by, Trait.CARNIVORE)),
    ]
    random.shuffle(hunters)
    prey = Species(random.randint(1, 3), random.randint(0, HARD_SHELL_MARGIN), 0, 0, (defence.trait,))
    rows: Rows = {places[0]: tuple(hunters)}
    for place in places[1:]:
        rows[place] = (prey,) * random.choice((0, 2, 3))  # one alone has no neighbour that could call
    return rows, random.randint(1, 9)


def _horns_and_scavengers(random: Random, places: list[int]) -> tuple[Rows, int]:
    """An attack that may cost the attacker its last animal, with scavengers on all sides and little food."""
    population = random.choice((1, 1, 2, 3))
    aid = random.choice((Trait.FORAGING, Trait.COOPERATION, Trait.SCAVENGER, Trait.AMBUSH))
    hunter = Species(population, random.randint(0, 3), random.randrange(population), 0, (Trait.CARNIVORE, aid))
    horned = random.choice(((Trait.HORNS,), (Trait.HORNS, Trait.SCAVENGER), (Trait.FERTILE,)))
    animals = random.randint(1, 3)
    prey = Species(animals, random.randint(0, 3), animals, 0, horned)
    rows: Rows = {places[0]: (hunter,), places[1]: (prey,)}
    if random.random() < 0.5:
        rows[places[0]] += (Species(random.randint(2, 4), 0, 0, 0, (Trait.SCAVENGER, Trait.CARNIVORE)),)
    for place in places[2:]:
        traits = random.choice(
            ((Trait.SCAVENGER, Trait.FORAGING), (Trait.COOPERATION, Trait.SCAVENGER), (Trait.SCAVENGER,))
        )
        # Carnivores without prey of their own: they do not empty the watering hole before the attack.
        scavenger = Species(random.randint(2, 4), 0, 0, 0, (*traits, Trait.CARNIVORE))
        rows[place] = (scavenger, Species(random.randint(1, 3), 0, 0, 0, (Trait.CARNIVORE,)))
    return rows, random.randint(1, 6)


def _scavengers_in_order(random: Random, places: list[int]) -> tuple[Rows, int]:
    """One attack and too little food for all scavengers, none of which can attack or be attacked."""
    scavenger = Species(4, 0, random.randint(0, 2), 0, (Trait.SCAVENGER, Trait.HERDING, Trait.CARNIVORE))
    hunter = Species(random.randint(1, 3), random.randint(0, 3), 0, 0, (Trait.CARNIVORE, Trait.CLIMBING))
    horns = random.choice(((), (), (Trait.HORNS,)))
    prey = Species(2, random.randint(0, 3), 2, 0, (Trait.CLIMBING, *horns))
    rows: Rows = dict.fromkeys(places, (scavenger,))
    rows[places[0]] = random.choice(((hunter,), (hunter, scavenger), (scavenger, hunter)))
    rows[places[1]] = (prey,)
    return rows, random.randint(2, len(places))


def _sharing(random: Random, places: list[int]) -> tuple[Rows, int]:
    """A row along which food may run, once or twice."""
    first = Species(random.randint(3, 7), random.randint(0, 3), 0, 0, (Trait.FORAGING, Trait.COOPERATION))
    row = [first]
    for _ in range(random.randint(1, 2)):
        traits = random.choice(((), (Trait.FORAGING,), (Trait.COOPERATION,), (Trait.CARNIVORE, Trait.COOPERATION)))
        population = random.randint(1, 4)
        row.append(Species(population, 0, random.choice((0, 0, population - 1)), 0, traits))
    return {places[0]: tuple(row)}, random.randint(2, 9)


def _reveal(random: Random, places: list[int]) -> tuple[Rows, int]:
    """Boards on which two or three traits work by themselves, one after the other, and nearly sated."""
    row = []
    for _ in range(random.randint(1, 2)):
        passes = (Trait.FERTILE, Trait.LONG_NECK, Trait.FAT_TISSUE)
        aid = random.choice((Trait.FORAGING, Trait.COOPERATION, Trait.CARNIVORE))
        traits = random.choice((passes, (*random.sample(passes, 2), aid), (*passes[:2], Trait.CARNIVORE)))
        population, body = random.randint(2, MAX_POPULATION), random.randint(1, 4)
        fat_food = random.randint(1, body) if Trait.FAT_TISSUE in traits else 0
        row.append(Species(population, body, population - random.randint(0, 2), fat_food, traits))
    return {places[0]: tuple(row)}, random.choice((1, 1, 2, 3, 9))


Scene: TypeAlias = Callable[[Random, list[int]], tuple[Rows, int]]

_SCENES: Final[dict[str, tuple[Scene, ...]]] = {
    "xfeed": (_foiled_hunter,),
    "xstep": (_foiled_hunter, _horns_and_scavengers, _scavengers_in_order, _sharing),
    "xstep4": (_horns_and_scavengers, _scavengers_in_order, _sharing, _reveal),
}
