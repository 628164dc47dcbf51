"""A player for the dialect `requests`: it buys boards for good traits and brings the food for them itself.

Run it to see it play against three rash players: python examples/requests_agent.py [SEED]
"""

# A question tells more than this player looks at.
# ruff: noqa: ARG002

import sys
from typing import Final

from wateringhole import Card, Rash, Result, Species, Trait, play, shuffled
from wateringhole.species import MAX_POPULATION, MAX_TRAITS
from wateringhole.wire.requests import boards_in, card_out, cards_in
from wateringhole.wire.respondent import Respondent, RespondentAgent, Values

# The best first. No carnivore: it needs prey that it may attack, and this dialect does not tell who is sated.
GOOD: Final = [
    Trait.LONG_NECK,
    Trait.FORAGING,
    Trait.COOPERATION,
    Trait.FERTILE,
    Trait.SCAVENGER,
    Trait.CLIMBING,
    Trait.HARD_SHELL,
    Trait.BURROWING,
    Trait.WARNING_CALL,
    Trait.HORNS,
    Trait.HERDING,
    Trait.SYMBIOSIS,
]
MAX_BOARDS: Final = 4


class Gardener(Respondent):
    """Spends every card but the one with the most food.

    The lowest card that is left goes to the watering hole: an agent that wants to choose that card must leave no other.
    """

    def __init__(self) -> None:
        self._old_boards = 0

    def trade_cards_for_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        """A new board for every three cards: the worst of them pay, the best will be the traits."""
        self._old_boards = len(boards)
        spare = spendable(cards)
        new = max(0, min(MAX_BOARDS - len(boards), len(spare) // 3))
        return [card_out(card) for card in spare[len(spare) - new :]]

    def place_cards_on_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        """Every good card for which a new board has a place; each will go to the last board that can take it."""
        new = [set(board.traits) for board in boards_in(boards)[self._old_boards :]]
        placed = []
        for card in spendable(cards):
            rooms = [traits for traits in new if card.trait not in traits and len(traits) < MAX_TRAITS]
            if card.trait in GOOD and rooms:
                rooms[-1].add(card.trait)
                placed.append(card_out(card))
        return placed

    def trade_cards_for_population(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        """All that is left, as far as there is room for animals."""
        room = sum(MAX_POPULATION - board.population for board in boards_in(boards))
        return [card_out(card) for card in spendable(cards)[:room]]

    def select_board_to_give_population(self, boards: Values, player: Values, opponents: Values) -> int:
        """The board with the fewest animals, and of those the best."""
        row = boards_in(boards)
        return min(range(len(row)), key=lambda at: (row[at].population, -worth(row[at])))

    def select_species_order(self, boards: Values, player: Values, opponents: Values) -> list[int]:
        """The best board first."""
        row = boards_in(boards)
        return sorted(range(len(row)), key=lambda at: -worth(row[at]))


def spendable(cards: Values) -> list[Card]:
    """The cards without the one with the most food, the best traits first."""
    *spare, _ = sorted(cards_in(cards), key=lambda card: card.food)
    return sorted(spare, key=lambda card: -quality(card.trait))


def quality(trait: Trait) -> int:
    return len(GOOD) - GOOD.index(trait) if trait in GOOD else 0


def worth(board: Species) -> int:
    return sum(quality(trait) for trait in board.traits)


def game(seed: str) -> Result:
    """A game of the gardener against three rash players."""
    rash = [Rash(f"{seed}:{number}") for number in range(3)]
    return play([RespondentAgent(Gardener()), *rash], shuffled(seed), ["gardener", "rash 1", "rash 2", "rash 3"])


def main(seed: str = "garden") -> None:
    rows = [f"{row.rank or '-'}. {row.name}: {row.score}" for row in game(seed).ranking]
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
