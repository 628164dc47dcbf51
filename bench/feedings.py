"""Enumerations of the feeding options per CPU-second, by players and boards, with each core.

`feedings` is the rule; `Feed.options` the same as an agent asks for it; `refusal` the check of one option that was
chosen, the last of those listed, which is all that the dealer does. Everybody has the same number of boards, all of
them hungry, every other one a carnivore, with traits by the dice. A pass goes over twenty such tables.
"""

import random
from collections.abc import Callable, Sequence
from functools import partial

from both import Figure, per_second, run

from wateringhole.moves import Feeding
from wateringhole.player import Other
from wateringhole.rules.feeding import feedings, refusal
from wateringhole.species import Species
from wateringhole.traits import Trait
from wateringhole.view import Feed, Own

TABLES = 20
FOOD = 100
QUIET = [trait for trait in Trait if trait is not Trait.CARNIVORE]


def boards(dice: random.Random, number: int) -> tuple[Species, ...]:
    """Hungry boards with two traits each beside the carnivores'."""
    return tuple(
        Species(dice.randint(2, 7), dice.randint(0, 7), 0, 0, (*[Trait.CARNIVORE][at % 2 :], *dice.sample(QUIET, 2)))
        for at in range(number)
    )


def tables(players: int, number: int) -> list[Feed]:
    """What the first of so many players, with so many boards each, is asked."""
    dice = random.Random(f"{players} {number}")
    return [
        Feed(
            Own(1, boards(dice, number), (), 0),
            FOOD,
            tuple(Other(seat, boards(dice, number), 0) for seat in range(2, players + 1)),
        )
        for _ in range(TABLES)
    ]


def enumerate_all(asked: Sequence[Feed]) -> None:
    for feed in asked:
        feedings(feed.me.species, FOOD, feed.others)


def ask_for_options(asked: Sequence[Feed]) -> None:
    for feed in asked:
        feed.options  # noqa: B018


def check_chosen(chosen: Sequence[tuple[Feed, Feeding]]) -> None:
    for feed, move in chosen:
        refusal(move, feed.me.species, FOOD, feed.others)


def main() -> None:
    figures: list[Figure] = []
    for players in (3, 5, 8):
        for number in (1, 5, 15):
            asked = tables(players, number)
            listed = [feed.options for feed in asked]
            chosen = [(feed, options[-1]) for feed, options in zip(asked, listed, strict=True) if options]
            average = sum(len(options) for options in listed) / TABLES
            table = f"{players} players, boards each: {number:2}, options: {average:5.1f}"
            passes: list[tuple[str, int, Callable[[], object]]] = [
                ("feedings", TABLES, partial(enumerate_all, asked)),
                ("Feed.options", TABLES, partial(ask_for_options, asked)),
                ("refusal", len(chosen), partial(check_chosen, chosen)),
            ]
            figures += [Figure(f"{name:12}  {table}", things, once) for name, things, once in passes]
    run(__file__, __doc__, per_second("enumerations, or checks,"), figures, seconds=1.0)


if __name__ == "__main__":
    main()
