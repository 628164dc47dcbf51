"""What is told, in which order and with which rule; and that every event reads as a sentence."""

from typing import get_args

from tests.cases import case
from tests.scenario import (
    BUSY,
    NAMES,
    board,
    choosing_game,
    feeding_game,
    illegal,
    player,
    table_of,
    take,
    take_all,
    told,
)
from wateringhole import rulebook
from wateringhole.cards import DECK, card
from wateringhole.dealer import go_on, new_game
from wateringhole.events import (
    AnimalLost,
    Ate,
    Attacked,
    BoardGiven,
    Bred,
    CardsDealt,
    Declined,
    Event,
    Expelled,
    Extinct,
    FatMoved,
    FatStored,
    GameOver,
    OutOfOptions,
    Revealed,
    Standing,
    Starved,
    TurnEnded,
    TurnStarted,
    sentence,
)
from wateringhole.game import Game
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Growth, NewBoard, Replacement, Reply, StoreFat
from wateringhole.rules import turn
from wateringhole.traits import Trait

FED = board(food=1)
FAULT = illegal(rulebook.GRAZE, "grazes with board 2, which is a carnivore")


def after(game: Game, seat: int, reply: Reply) -> list[Event]:
    """What is told when this seat answers, up to the next question."""
    return told(game, lambda twin: take(twin, seat, reply))


# What is told.


def test_a_beginning_turn_tells_its_order_the_boards_and_the_cards() -> None:
    game = table_of(player(2), player(3, BUSY), player(1), watering_hole=7)
    assert told(game, turn.begin) == [
        TurnStarted(2, (2, 3, 1), 7, 122),
        BoardGiven(2),
        BoardGiven(1),
        CardsDealt(2, 4),
        CardsDealt(3, 5),
        CardsDealt(1, 4),
    ]


def test_the_reveal_tells_the_food_cards_and_what_is_public_of_each_play() -> None:
    first = CardPlay(
        0,
        (Growth(0, 1), Growth(2, 2)),
        (Growth(1, 3),),
        (NewBoard(4), NewBoard(5, (11, 21))),
        (Replacement(0, 0, 31), Replacement(2, 1, 41)),
    )
    game = choosing_game(player(2, [board("horns")], DECK), player(1, hand=DECK), watering_hole=4)
    assert told(game, lambda twin: take_all(twin, first, CardPlay(30)))[:2] == [
        Revealed(
            2,
            card(-3, "ambush"),
            1,
            boards=((), (Trait.BURROWING, Trait.CARNIVORE)),
            replaced=((0, 0, Trait.CLIMBING), (2, 1, Trait.COOPERATION)),
            population=(0, 2),
            body=(1,),
        ),
        Revealed(1, card(8, "carnivore"), 9, (), (), (), ()),
    ]


def test_the_traits_at_the_reveal_are_told_pass_by_pass() -> None:
    game = table_of(
        player(2, [board("long-neck", "foraging", population=3), board("fertile", population=7)]),
        player(
            1,
            [
                board("fertile", population=2),
                board("fat-tissue", body=3, fat_food=3, population=3, food=1),
                board("fat-tissue", body=3, food=1, fat_food=3),
                board("long-neck", "cooperation"),
            ],
        ),
        watering_hole=9,
    )
    assert told(game, turn.unfold) == [
        Bred(1, 0, 3),
        Ate(2, 0, 2, rulebook.LONG_NECK),
        Ate(1, 3, 1, rulebook.LONG_NECK),
        FatMoved(1, 1, 2),
    ]


def test_a_meal_that_was_chosen_is_told_with_those_that_follow_from_it() -> None:
    game = feeding_game(
        [board("cooperation", "foraging", population=3), board(population=3), FED], BUSY, watering_hole=9
    )
    assert after(game, 1, Graze(0)) == [
        Ate(1, 0, 2, rulebook.GRAZE),
        Ate(1, 1, 1, rulebook.COOPERATION),
        Ate(1, 1, 1, rulebook.COOPERATION),
    ]


def test_an_attack_is_told_blow_by_blow() -> None:
    game = feeding_game(
        [FED, board("carnivore", population=3)],
        [FED, board("horns", population=2, food=2)],
        [board("scavenger", population=7), board(population=7)],
        watering_hole=9,
    )
    assert after(game, 1, Attack(1, seat=2, target=1)) == [
        Attacked(1, 1, 2, 1, rulebook.ATTACK_CHOICE),
        AnimalLost(2, 1, 1, rulebook.ANIMAL),
        AnimalLost(1, 1, 2, rulebook.HORNS),
        Ate(1, 1, 1, rulebook.ATTACK),
        Ate(3, 0, 1, rulebook.SCAVENGER),
        OutOfOptions(2),
    ]


def test_an_attack_that_ends_both_boards_tells_the_cards_they_bring() -> None:
    game = feeding_game([board("carnivore")], [FED, board("horns", food=1)], [FED], watering_hole=9, deck=DECK[:3])
    assert after(game, 1, Attack(0, seat=2, target=1)) == [
        Attacked(1, 0, 2, 1, rulebook.ATTACK_CHOICE),
        AnimalLost(2, 1, 0, rulebook.ANIMAL),
        Extinct(2, 1, 2),
        AnimalLost(1, 0, 0, rulebook.HORNS),
        Extinct(1, 0, 1),
        OutOfOptions(2),
        OutOfOptions(3),
        OutOfOptions(1),
    ]


def test_what_the_dealer_does_by_itself_is_told_as_the_only_option() -> None:
    game = feeding_game(
        [board("climbing", population=2), board("climbing", population=2)],
        [board()],
        [board("fat-tissue", "climbing", body=2, food=1)],
        [board("carnivore")],
        watering_hole=5,
    )
    assert after(game, 1, Graze(1)) == [
        Ate(1, 1, 1, rulebook.GRAZE),
        Ate(2, 0, 1, rulebook.AUTOMATIC),
        FatStored(3, 0, 2, rulebook.AUTOMATIC),
        Attacked(4, 0, 2, 0, rulebook.AUTOMATIC),
        AnimalLost(2, 0, 0, rulebook.ANIMAL),
        Extinct(2, 0, 2),
        Ate(4, 0, 1, rulebook.ATTACK),
    ]


def test_stored_fat_and_a_refusal_to_feed_are_told() -> None:
    game = feeding_game([board("fat-tissue", body=4)], BUSY, watering_hole=9)
    assert after(game, 1, StoreFat(0, 3)) == [FatStored(1, 0, 3, rulebook.STORE_FAT)]
    assert after(game, 1, Decline()) == [Declined(1)]


def test_the_end_of_a_turn_tells_who_starves_and_what_is_left() -> None:
    boards = [board(population=3), board(population=4, food=1), FED, board()]
    assert told(table_of(player(2, boards), player(1, [FED]), watering_hole=6), turn.end) == [
        Starved(2, 0, 0),
        Extinct(2, 0, 2),
        Starved(2, 0, 1),
        Starved(2, 2, 0),
        Extinct(2, 2, 2),
        TurnEnded(1, 6),
    ]


def test_the_end_of_the_game_tells_the_ranking() -> None:
    game = table_of(player(1, [FED]), player(2, bag=5), watering_hole=0, deck=DECK[:7])
    game.phase = "fed"
    game.expelled = [(3, FAULT)]
    assert told(game, go_on) == [
        TurnEnded(1, 0),
        GameOver((Standing(2, "Bob", 1, 5), Standing(1, "Ada", 2, 2), Standing(3, "Cyd", None, None, FAULT))),
    ]


def test_a_game_that_cannot_begin_is_told_to_be_over() -> None:
    game = new_game(NAMES[:3], DECK[:11], listen=True)
    assert game.hear() == [GameOver(tuple(Standing(seat, NAMES[seat - 1], 1, 0) for seat in (1, 2, 3)))]


# How it reads.

SENTENCES: list[tuple[Event, str]] = [
    (TurnStarted(2, (2, 1), 1, 80), "Turn 2 begins: 1 token in the watering hole, 80 cards in the deck; Bob, Ada."),
    (BoardGiven(1), "Ada gets a new board."),
    (CardsDealt(1, 4), "Ada gets 4 cards."),
    (
        Revealed(1, card(3, "horns"), 5, (), (), (), ()),
        "Ada puts +3 (horns) into the watering hole, which holds 5.",
    ),
    (
        Revealed(
            2, card(-8, "carnivore"), 0, ((), (Trait.HORNS, Trait.AMBUSH)), ((1, 0, Trait.FERTILE),), (0, 2), (1,)
        ),
        (
            "Bob puts -8 (carnivore) into the watering hole, which holds 0; adds a bare board; "
            "adds a board with horns, ambush; puts fertile into slot 0 of board 1; grows the population of board 0; "
            "grows the population of board 2; grows the body of board 1."
        ),
    ),
    (Bred(1, 2, 5), "Ada's board 2 is fertile and grows to 5."),
    (FatMoved(1, 2, 3), "Ada's board 2 eats 3 of its fat."),
    (FatStored(1, 2, 3, rulebook.STORE_FAT), "Ada's board 2 stores 3 as fat."),
    (FatStored(1, 2, 3, rulebook.AUTOMATIC), "Ada's board 2 stores 3 as fat, its only option."),
    (Ate(1, 0, 1, rulebook.GRAZE), "Ada's board 0 grazes: 1 token."),
    (Ate(1, 0, 2, rulebook.AUTOMATIC), "Ada's board 0 grazes, its only option: 2 tokens."),
    (Ate(1, 0, 1, rulebook.ATTACK), "Ada's board 0 eats from its prey: 1 token."),
    (Ate(1, 0, 1, rulebook.LONG_NECK), "Ada's board 0 reaches up with its long neck: 1 token."),
    (Ate(1, 0, 1, rulebook.COOPERATION), "Ada's board 0 is fed by its neighbour: 1 token."),
    (Ate(1, 0, 1, rulebook.SCAVENGER), "Ada's board 0 scavenges: 1 token."),
    (Attacked(1, 0, 2, 3, rulebook.ATTACK_CHOICE), "Ada's board 0 attacks Bob's board 3."),
    (Attacked(1, 0, 2, 3, rulebook.AUTOMATIC), "Ada's board 0 attacks Bob's board 3, its only option."),
    (AnimalLost(2, 3, 1, rulebook.ANIMAL), "Bob's board 3 loses an animal; 1 left."),
    (AnimalLost(1, 0, 0, rulebook.HORNS), "Ada's board 0 loses an animal to the horns; 0 left."),
    (Starved(1, 0, 2), "Ada's board 0 starves to 2."),
    (Extinct(1, 0, 1), "Ada's board 0 is extinct; 1 card in return."),
    (Declined(1), "Ada feeds no more this turn."),
    (OutOfOptions(1), "Ada can feed no more this turn."),
    (TurnEnded(3, 0), "Turn 3 ends; 0 tokens left in the watering hole."),
    (Expelled(2, FAULT), "Bob is expelled (illegal): it grazes with board 2, which is a carnivore."),
    (
        GameOver((Standing(2, "Bob", 1, 17), Standing(1, "Ada", 2, 1), Standing(3, "Cyd", None, None, FAULT))),
        "The game is over. 1. Bob, 17 points. 2. Ada, 1 point. Cyd was expelled.",
    ),
    (GameOver(()), "The game is over. No player took part."),
]


def test_an_event_reads_as_a_sentence() -> None:
    for event, text in SENTENCES:
        with case(event, text):
            assert sentence(event, lambda seat: NAMES[seat - 1]) == text


def test_every_kind_of_event_has_its_sentence_here() -> None:
    assert {type(event) for event, _ in SENTENCES} == set(get_args(Event))
