"""request.plays(): every legal card play, one for each outcome."""

from collections.abc import Iterator
from itertools import islice, permutations, product
from random import Random

from tests.cases import case
from wateringhole import CardPlay, Growth, NewBoard, Replacement, Silly, Species, Trait, card, new_game, shuffled
from wateringhole.cards import Card
from wateringhole.game import PlayOutcome
from wateringhole.plays import plays
from wateringhole.rules.cardplay import cards_used, outcome
from wateringhole.species import MAX_BODY, MAX_POPULATION, MAX_TRAITS
from wateringhole.view import Choose

Outcome = tuple[Card, tuple[Species, ...], tuple[Card, ...]]


def outcome_of(play: CardPlay, species: tuple[Species, ...], hand: tuple[Card, ...]) -> Outcome | None:
    """None for an illegal play."""
    found = outcome(play, species, hand)
    return (found.food, found.species, found.hand) if isinstance(found, PlayOutcome) else None


def brute_force(species: tuple[Species, ...], hand: tuple[Card, ...]) -> set[Outcome]:
    """The outcomes of all plays that can be written down, card by card in every order, with every use of a card."""
    boards = range(len(species) + len(hand) - 1)
    uses = [("board", 0, 0), ("trait", 0, 0)]
    uses += [(use, board, 0) for use in ("population", "body") for board in boards]
    uses += [("replace", board, slot) for board in boards for slot in range(MAX_TRAITS)]
    found = set()
    for food, count in product(range(len(hand)), range(len(hand))):
        others = [number for number in range(len(hand)) if number != food]
        for cards in permutations(others, count):
            for chosen in product(uses, repeat=count):
                play = written_down(food, cards, chosen)
                result = None if play is None else outcome_of(play, species, hand)
                if result is not None:
                    found.add(result)
    return found


def written_down(food: int, cards: tuple[int, ...], uses: tuple[tuple[str, int, int], ...]) -> CardPlay | None:
    boards: list[NewBoard] = []
    population: list[Growth] = []
    body: list[Growth] = []
    swaps: list[Replacement] = []
    for number, (use, board, slot) in zip(cards, uses, strict=True):
        match use:
            case "board":
                boards.append(NewBoard(number))
            case "trait":
                if not boards or len(boards[-1].traits) == MAX_TRAITS:
                    return None
                boards[-1] = NewBoard(boards[-1].pay, (*boards[-1].traits, number))
            case "population":
                population.append(Growth(board, number))
            case "body":
                body.append(Growth(board, number))
            case _:
                swaps.append(Replacement(board, slot, number))
    return CardPlay(food, tuple(population), tuple(body), tuple(boards), tuple(swaps))


FAT = Species(2, 3, 0, 2, (Trait.FAT_TISSUE, Trait.HORNS))
TABLES = [
    ((), 3),
    ((Species(),), 4),
    ((Species(MAX_POPULATION, MAX_BODY),), 3),
    ((FAT,), 3),
    ((Species(traits=(Trait.CARNIVORE, Trait.CLIMBING, Trait.HORNS)), Species(6, 6)), 3),
    ((FAT, Species(traits=(Trait.FORAGING,))), 3),
]


def test_the_outcomes_are_those_of_all_plays_that_can_be_written_down_each_once() -> None:
    for number, (species, cards) in enumerate(TABLES):
        for hand in (shuffled(number)[:cards], *twins(cards)):
            with case((species, hand)):
                made = [outcome_of(play, species, hand) for play in plays(species, hand)]
                assert None not in made
                assert len(set(made)) == len(made)
                assert set(made) == brute_force(species, hand)


def twins(cards: int) -> Iterator[tuple[Card, ...]]:
    """Hands with one trait twice, which cannot lie on one board, and with what replaces itself."""
    yield (card(1, Trait.HORNS), card(2, Trait.HORNS), card(0, Trait.FAT_TISSUE), card(0, Trait.FORAGING))[:cards]


def test_they_come_by_food_card_then_by_the_number_of_cards_then_by_which() -> None:
    hand = shuffled("order")[:5]
    keys = []
    for play in plays((Species(),), hand):
        used = sorted(set(cards_used(play)) - {play.food})
        keys.append((play.food, len(used), used))
    assert keys == sorted(keys)


def test_they_are_made_one_by_one_even_of_a_whole_deck() -> None:
    hand = shuffled("long")
    first = list(islice(plays((FAT, Species()), hand), 200))
    assert len(first) == 200
    assert {play.food for play in first} == {0}


def test_a_request_generates_them_and_allows_each() -> None:
    dice = Random("plays")
    for seed in range(5):
        game = new_game(["a", "b", "c"], shuffled(seed))
        for seat in (1, 2, 3):
            asked = game.request(seat)
            assert isinstance(asked, Choose)
            every = list(asked.plays())
            assert all(asked.why_not(play) is None for play in every)
            assert CardPlay(0) in every
            silly = asked.preview(Silly().choose(asked))
            assert silly in [asked.preview(play) for play in every]
            game.answer(seat, dice.choice(every))
