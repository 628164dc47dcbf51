"""What the tests of the dialect `requests` share: its questions, small situations, and strategies for any."""

from collections.abc import Sequence

from hypothesis import strategies as st

from tests.scenario import board
from wateringhole.cards import DECK, Card, card
from wateringhole.player import Other
from wateringhole.species import MAX_BODY, MAX_POPULATION, Species
from wateringhole.traits import Trait
from wateringhole.view import Choose, Feed, Own
from wateringhole.wire.dialect import Ask
from wateringhole.wire.framing import Json
from wateringhole.wire.requests import ARGUMENTS, OPTIONAL

BOARDS = "trade_cards_for_boards"
PLACE = "place_cards_on_boards"
HOME = "select_board_for_card"
SLOTS = "select_species_discarded_cards"
BODY = "trade_cards_for_body_size"
BODY_OF = "select_board_to_give_body_size"
POPULATION = "trade_cards_for_population"
POPULATION_OF = "select_board_to_give_population"
ORDER = "select_species_order"
ATTACK = "select_attack"
FOOD = "select_food_card"

AMBUSH, BURROWING, CLIMBING, FERTILE, HORNS = (
    card(food, trait)
    for food, trait in [(1, "ambush"), (-2, "burrowing"), (3, "climbing"), (0, "fertile"), (2, "horns")]
)
HAND = (HORNS, BURROWING, AMBUSH, FERTILE, CLIMBING)
"""Not in card order: ambush, the third, is the lowest."""

SHELLED = board("hard-shell", "herding", population=2, body=3, food=1)
HUNTER = board("carnivore", "scavenger", population=2)
FAT = board("fat-tissue", body=3, fat_food=1, food=1)


def choosing(*boards: Species, hand: Sequence[Card] = HAND) -> Choose:
    """Seat 2 of 3 chooses."""
    before, after = Other(1, (board("horns"),), 4), Other(3, (board(population=4), board("climbing")), 6)
    return Choose(Own(2, boards, tuple(hand), 5), 9, (before,), (after,))


def feeding(*boards: Species, watering_hole: int = 9, others: Sequence[Sequence[Species]] | None = None) -> Feed:
    """Seat 2 feeds; the others sit on the seats 3, 1, ..."""
    rows = [[board(population=4), board("climbing")], [board("horns")]] if others is None else others
    seats = (3, 1, 5, 4)
    return Feed(
        Own(2, boards, HAND, 5), watering_hole, tuple(Other(seats[n], tuple(row), 4) for n, row in enumerate(rows))
    )


def named(question: Ask) -> tuple[str, dict[str, Json]]:
    """The question's name and arguments."""
    assert isinstance(question.value, list)
    name, arguments = question.value
    assert isinstance(name, str)
    assert isinstance(arguments, dict)
    assert tuple(arguments) == (ARGUMENTS | OPTIONAL)[name]
    return name, arguments


SPECIES = st.builds(
    lambda traits, population, body, food: Species(population, body, min(food, population), 0, tuple(traits)),
    st.lists(st.sampled_from(Trait), max_size=3, unique=True),
    st.integers(1, MAX_POPULATION),
    st.integers(0, MAX_BODY),
    st.integers(0, MAX_POPULATION),
)
ROWS = st.lists(SPECIES, max_size=3).map(tuple)
HANDS = st.lists(st.sampled_from(DECK), min_size=1, max_size=9, unique=True).map(tuple)
OTHERS = st.lists(ROWS, min_size=1, max_size=3).map(
    lambda rows: tuple(Other(seat, row, 3) for seat, row in enumerate(rows, 2))
)
CHOICES = st.builds(lambda row, hand, others: Choose(Own(1, row, hand, 4), 9, (), others), ROWS, HANDS, OTHERS)
FEEDS = st.builds(lambda row, hole, others: Feed(Own(1, row, (), 4), hole, others), ROWS, st.integers(1, 9), OTHERS)
