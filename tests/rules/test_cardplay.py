"""Card plays: what each check refuses, what is just legal, and what a play does."""

import pytest

from tests.cases import case
from tests.scenario import board, changes, changes_by_plays, choosing_game, illegal, player
from wateringhole import rulebook
from wateringhole.cards import DECK, card
from wateringhole.moves import CardPlay, Growth, NewBoard, Replacement
from wateringhole.species import Species

HAND = (
    card(0, "ambush"),
    card(1, "carnivore"),
    card(2, "carnivore"),
    card(-3, "fat-tissue"),
    card(-1, "horns"),
    card(3, "climbing"),
)
AMBUSH, CARNIVORE, CARNIVORE_TOO, FAT_TISSUE, HORNS, CLIMBING = range(6)


def play(what: CardPlay, *boards: Species) -> dict[int | str, object]:
    """What changes when the only player left, with these boards, plays this from HAND; nothing is there to feed."""
    return changes(choosing_game(player(1, boards, HAND)), 1, what)


def refused(rule: str, text: str) -> dict[int | str, object]:
    return {1: illegal(rule, text, "choose")}


# Check 2: cards that are not there.


@pytest.mark.parametrize(
    "what",
    [
        CardPlay(6),
        CardPlay(0, population=(Growth(0, 6),)),
        CardPlay(0, body=(Growth(0, 1), Growth(0, 6))),
        CardPlay(0, boards=(NewBoard(6),)),
        CardPlay(0, boards=(NewBoard(1, (2, 6)),)),
        CardPlay(0, traits=(Replacement(0, 0, 6),)),
    ],
)
def test_a_card_beyond_the_hand_is_refused_wherever_it_is_named(what: CardPlay) -> None:
    assert play(what, board("horns")) == refused(rulebook.PLAY_CARDS, "plays card 6, counted from 0, but holds only 6")


def test_the_last_card_of_the_hand_may_be_played() -> None:
    assert play(CardPlay(AMBUSH, boards=(NewBoard(5),)), board()) == {1: player(1, [board(), board()], HAND[1:5])}


# Check 3: cards that are named twice.


def test_no_card_is_played_twice() -> None:
    rows: list[CardPlay] = [
        CardPlay(2, population=(Growth(0, 2),)),
        CardPlay(2, body=(Growth(0, 2),)),
        CardPlay(2, boards=(NewBoard(2),)),
        CardPlay(2, boards=(NewBoard(1, (3, 2)),)),
        CardPlay(2, traits=(Replacement(0, 0, 2),)),
        CardPlay(0, population=(Growth(0, 2), Growth(0, 2))),
        CardPlay(0, body=(Growth(0, 2), Growth(0, 2))),
        CardPlay(0, population=(Growth(0, 2),), body=(Growth(0, 2),)),
        CardPlay(0, boards=(NewBoard(2), NewBoard(2))),
        CardPlay(0, boards=(NewBoard(2, (2,)),)),
        CardPlay(0, boards=(NewBoard(1, (2,)), NewBoard(3, (2,)))),
        CardPlay(0, boards=(NewBoard(1, (2,)),), traits=(Replacement(0, 0, 2),)),
    ]
    for what in rows:
        with case(what):
            assert play(what, board("horns")) == refused(rulebook.PLAY_ONCE, "plays card 2 twice")


# Check 4: boards that are not there.


@pytest.mark.parametrize(
    "what",
    [
        CardPlay(0, population=(Growth(2, 1),)),
        CardPlay(0, body=(Growth(2, 1),)),
        CardPlay(0, traits=(Replacement(2, 0, 1),)),
    ],
)
def test_a_board_beyond_the_last_is_refused(what: CardPlay) -> None:
    text = "changes board 2, counted from 0, but has only 2 boards"
    assert play(what, board(), board()) == refused(rulebook.PLAY_BOARDS, text)


def test_new_boards_count_behind_the_old_ones() -> None:
    new = (NewBoard(1), NewBoard(2))
    assert play(CardPlay(0, population=(Growth(2, 3),), boards=new), board()) == {
        1: player(1, [board(), board(), board(population=2)], HAND[4:])
    }
    assert play(CardPlay(0, population=(Growth(3, 3),), boards=new), board()) == refused(
        rulebook.PLAY_BOARDS, "changes board 3, counted from 0, but has only 3 boards"
    )


def test_a_player_with_a_single_board_is_told_so() -> None:
    assert play(CardPlay(0, body=(Growth(1, 1),)), board()) == refused(
        rulebook.PLAY_BOARDS, "changes board 1, counted from 0, but has only 1 board"
    )


# Check 5: population.


def test_a_population_grows_to_seven_and_no_further() -> None:
    grown = (Growth(0, 1), Growth(0, 2))
    assert play(CardPlay(0, population=grown), board(population=5)) == {1: player(1, [board(population=7)], HAND[3:])}
    assert play(CardPlay(0, population=grown), board(population=6)) == refused(
        rulebook.PLAY_POPULATION, "grows the population of board 0 to 8, above 7"
    )


def test_a_new_board_has_one_animal_to_begin_with() -> None:
    hand = DECK[:10]
    growths = tuple(Growth(1, number) for number in range(2, 8))
    game = choosing_game(player(1, [board()], hand))
    assert changes(game, 1, CardPlay(0, population=growths, boards=(NewBoard(1),))) == {
        1: player(1, [board(), board(population=7)], hand[8:])
    }
    too_many = (*growths, Growth(1, 8))
    assert changes(game, 1, CardPlay(0, population=too_many, boards=(NewBoard(1),))) == refused(
        rulebook.PLAY_POPULATION, "grows the population of board 1 to 8, above 7"
    )


# Check 6: body.


def test_a_body_grows_to_seven_and_no_further() -> None:
    grown = (Growth(1, 1), Growth(1, 2))
    assert play(CardPlay(0, body=grown), board(), board(body=5)) == {1: player(1, [board(), board(body=7)], HAND[3:])}
    assert play(CardPlay(0, body=grown), board(), board(body=6)) == refused(
        rulebook.PLAY_BODY, "grows the body of board 1 to 8, above 7"
    )


def test_a_new_board_has_no_body_to_begin_with() -> None:
    hand = DECK[:10]
    growths = tuple(Growth(0, number) for number in range(2, 9))
    game = choosing_game(player(1, [], hand))
    assert changes(game, 1, CardPlay(0, body=growths, boards=(NewBoard(1),))) == {
        1: player(1, [board(body=7)], hand[9:])
    }
    too_many = (*growths, Growth(0, 9))
    assert changes(game, 1, CardPlay(0, body=too_many, boards=(NewBoard(1),))) == refused(
        rulebook.PLAY_BODY, "grows the body of board 0 to 8, above 7"
    )


# Check 7: the traits of a new board.


def test_a_new_board_bears_no_trait_twice() -> None:
    new = NewBoard(CLIMBING, (CARNIVORE, HORNS, CARNIVORE_TOO))
    assert play(CardPlay(FAT_TISSUE, boards=(NewBoard(AMBUSH), new)), board()) == refused(
        rulebook.PLAY_NEW_TRAITS, "puts one trait twice on new board 2: carnivore, horns, carnivore"
    )


def test_a_new_board_bears_up_to_three_traits_in_the_given_order() -> None:
    new = (NewBoard(CARNIVORE, (CLIMBING, HORNS, CARNIVORE_TOO)),)
    assert play(CardPlay(FAT_TISSUE, boards=new), board("horns")) == {
        1: player(1, [board("horns"), board("climbing", "horns", "carnivore")], HAND[:1])
    }


def test_two_new_boards_may_bear_the_same_trait() -> None:
    new = (NewBoard(HORNS, (CARNIVORE,)), NewBoard(CLIMBING, (CARNIVORE_TOO,)))
    assert play(CardPlay(FAT_TISSUE, boards=new)) == {1: player(1, [board("carnivore"), board("carnivore")], HAND[:1])}


# Check 8: slots.


@pytest.mark.parametrize(
    ("swap", "text"),
    [
        (Replacement(0, 0, 1), "replaces slot 0, counted from 0, of board 0, which has only 0 traits"),
        (Replacement(1, 1, 1), "replaces slot 1, counted from 0, of board 1, which has only 1 trait"),
        (Replacement(2, 2, 1), "replaces slot 2, counted from 0, of board 2, which has only 2 traits"),
    ],
)
def test_only_a_slot_with_a_trait_in_it_is_replaced(swap: Replacement, text: str) -> None:
    boards = [board(), board("horns"), board("horns", "climbing")]
    assert play(CardPlay(0, traits=(swap,)), *boards) == refused(rulebook.PLAY_SLOTS, text)


def test_the_traits_of_a_new_board_are_slots_too() -> None:
    new = (NewBoard(FAT_TISSUE, (HORNS,)),)
    assert play(CardPlay(0, boards=new, traits=(Replacement(1, 0, CLIMBING),)), board()) == {
        1: player(1, [board(), board("climbing")], HAND[1:3])
    }
    assert play(CardPlay(0, boards=new, traits=(Replacement(1, 1, CLIMBING),)), board()) == refused(
        rulebook.PLAY_SLOTS, "replaces slot 1, counted from 0, of board 1, which has only 1 trait"
    )


# Check 9: replacements.


def test_a_replacement_puts_no_trait_twice_on_a_board() -> None:
    swap = Replacement(0, 2, CARNIVORE)
    assert play(CardPlay(0, traits=(swap,)), board("carnivore", "fertile", "horns")) == refused(
        rulebook.PLAY_TRAITS, "puts one trait twice on board 0: carnivore, fertile, carnivore"
    )


def test_replacements_are_checked_one_after_the_other() -> None:
    before = board("carnivore", "horns")
    first, second = Replacement(0, 0, CLIMBING), Replacement(0, 1, CARNIVORE)
    assert play(CardPlay(0, traits=(first, second)), before) == {
        1: player(1, [board("climbing", "carnivore")], (HAND[2], HAND[3], HAND[4]))
    }
    assert play(CardPlay(0, traits=(second, first)), before) == refused(
        rulebook.PLAY_TRAITS, "puts one trait twice on board 0: carnivore, carnivore"
    )


def test_a_trait_may_be_replaced_by_the_same_trait() -> None:
    assert play(CardPlay(0, traits=(Replacement(0, 1, CARNIVORE),)), board("horns", "carnivore")) == {
        1: player(1, [board("horns", "carnivore")], HAND[2:])
    }


def test_two_replacements_may_hit_the_same_slot() -> None:
    swaps = (Replacement(0, 1, CARNIVORE), Replacement(0, 1, CLIMBING))
    assert play(CardPlay(0, traits=swaps), board("horns", "fertile", "ambush")) == {
        1: player(1, [board("horns", "climbing", "ambush")], HAND[2:5])
    }


def test_a_replaced_trait_no_longer_works() -> None:
    before = board("fertile", "long-neck", population=2, food=1)
    swaps = (Replacement(0, 0, CARNIVORE), Replacement(0, 1, HORNS))
    game = choosing_game(player(1, [before], HAND), watering_hole=5)
    assert changes(game, 1, CardPlay(0, traits=swaps)) == {
        1: player(1, [board("carnivore", "horns", population=2, food=1)], (HAND[2], HAND[3], HAND[5]))
    }


# What a play does.


def test_a_play_may_be_a_food_card_alone() -> None:
    assert play(CardPlay(HORNS), board("horns", population=3)) == {
        1: player(1, [board("horns", population=3)], (*HAND[:4], HAND[5]))
    }


def test_the_cards_that_were_not_used_stay_in_their_order() -> None:
    hand = (HAND[5], HAND[0], HAND[4], HAND[1], HAND[3])
    game = choosing_game(player(1, [board()], hand))
    assert changes(game, 1, CardPlay(2, body=(Growth(0, 1),))) == {
        1: player(1, [board(body=1)], (HAND[5], HAND[1], HAND[3]))
    }


def test_growth_reaches_the_board_that_the_same_play_bought() -> None:
    what = CardPlay(
        FAT_TISSUE,
        population=(Growth(1, CARNIVORE),),
        body=(Growth(1, CARNIVORE_TOO), Growth(0, HORNS)),
        boards=(NewBoard(CLIMBING, (AMBUSH,)),),
    )
    assert play(what, board("herding")) == {
        1: player(1, [board("herding", body=1), board("ambush", population=2, body=1)])
    }


def test_growth_takes_nothing_from_a_board() -> None:
    before = board("fat-tissue", population=2, body=3, food=1, fat_food=0)
    what = CardPlay(0, population=(Growth(0, 1),), body=(Growth(0, 2),))
    assert play(what, before) == {1: player(1, [board("fat-tissue", population=3, body=4, food=1)], HAND[3:])}


FAT = board("horns", "fat-tissue", body=5, food=1, fat_food=4)


def test_fat_stays_when_another_trait_is_replaced() -> None:
    assert play(CardPlay(0, traits=(Replacement(0, 0, CARNIVORE),)), FAT) == {
        1: player(1, [board("carnivore", "fat-tissue", body=5, food=1, fat_food=4)], HAND[2:])
    }


def test_fat_is_lost_when_its_fat_tissue_is_replaced() -> None:
    assert play(CardPlay(0, traits=(Replacement(0, 1, CARNIVORE),)), FAT) == {
        1: player(1, [board("horns", "carnivore", body=5, food=1)], HAND[2:])
    }


def test_fat_is_lost_even_when_fat_tissue_replaces_fat_tissue() -> None:
    assert play(CardPlay(0, traits=(Replacement(0, 1, FAT_TISSUE),)), FAT) == {
        1: player(1, [board("horns", "fat-tissue", body=5, food=1)], (HAND[1], HAND[2], *HAND[4:]))
    }


# Food cards.


def test_the_food_cards_fill_the_watering_hole() -> None:
    game = choosing_game(player(1, hand=HAND), player(2, hand=HAND), player(3, hand=HAND), watering_hole=1)
    assert changes_by_plays(game, CardPlay(CLIMBING), CardPlay(HORNS), CardPlay(CARNIVORE_TOO)) == {
        1: player(1, hand=HAND[:5]),
        2: player(2, hand=(*HAND[:4], HAND[5])),
        3: player(3, hand=(*HAND[:2], *HAND[3:])),
        "watering_hole": 5,
    }


def test_the_watering_hole_is_clamped_at_zero_after_every_card() -> None:
    game = choosing_game(player(3, hand=HAND), player(1, hand=HAND), player(2, hand=HAND), watering_hole=1)
    three, minus_three, two = CardPlay(CLIMBING), CardPlay(FAT_TISSUE), CardPlay(CARNIVORE_TOO)
    assert changes_by_plays(game, minus_three, three, two)["watering_hole"] == 5
    assert "watering_hole" not in changes_by_plays(game, three, minus_three, CardPlay(AMBUSH))
    assert changes_by_plays(game, minus_three, two, minus_three)["watering_hole"] == 0


def test_an_illegal_play_puts_no_food_into_the_watering_hole() -> None:
    game = choosing_game(player(1, hand=HAND), player(2, hand=HAND), player(3, hand=HAND), watering_hole=1)
    assert changes_by_plays(game, CardPlay(HORNS), CardPlay(CLIMBING, body=(Growth(0, 0),)), CardPlay(CARNIVORE)) == {
        1: player(1, hand=(*HAND[:4], HAND[5])),
        2: illegal(rulebook.PLAY_BOARDS, "changes board 0, counted from 0, but has only 0 boards", "choose"),
        3: player(3, hand=(HAND[0], *HAND[2:])),
    }
