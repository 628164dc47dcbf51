"""The dealer: who is asked, who is expelled and when, and how the game moves on."""

import pickle
from typing import cast

import pytest

from tests.scenario import (
    BUSY,
    NAMES,
    board,
    changed,
    changes,
    changes_by_plays,
    choosing_game,
    feeding_game,
    illegal,
    phase,
    player,
    take,
    take_all,
    told,
)
from wateringhole import dealer, rulebook
from wateringhole.cards import DECK, Card, card, shuffled
from wateringhole.dealer import answer, go_on, new_game, pending
from wateringhole.events import CardsDealt, Expelled, GameOver, Standing, TurnEnded, TurnStarted
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Growth, Move, Reply
from wateringhole.player import Player
from wateringhole.record import digest

FED = board(food=1)
HUNTER = board("carnivore")
FED_HUNTER = board("carnivore", food=1)
NOTHING = card(0, "ambush")

LATE = Fault(Reason.TIMEOUT, "silent for 5.0 s")
GONE = Fault(Reason.DISCONNECTED, "hung up")
LOUD = Fault(Reason.EXCEPTION, "raised KeyError in start", during="start")


def three(*hand: Card, watering_hole: int = 0) -> Game:
    """Three players, all busy and with this hand, must choose."""
    return choosing_game(*[player(seat, BUSY, hand) for seat in (1, 2, 3)], watering_hole=watering_hole)


def busy(seat: int) -> Player:
    return player(seat, BUSY)


# Choosing.


def test_everybody_is_asked_to_choose_until_it_has() -> None:
    game = three(NOTHING)
    assert pending(game) == [1, 2, 3]
    take(game, 2, CardPlay(0))
    assert pending(game) == [1, 3]


def test_a_choice_changes_nothing_before_all_have_chosen() -> None:
    game = three(card(3, "horns"), NOTHING)
    assert changes(game, 2, CardPlay(0, population=(Growth(0, 1),))) == {}


def test_the_order_of_the_answers_does_not_matter() -> None:
    plays = {1: CardPlay(0), 2: CardPlay(1, body=(Growth(0, 0),)), 3: CardPlay(2, boards=())}
    outcomes = []
    for order in ([1, 2, 3], [3, 1, 2], [2, 3, 1], [3, 2, 1]):
        game = three(card(-3, "horns"), card(2, "horns"), NOTHING, watering_hole=1)
        for seat in order:
            take(game, seat, plays[seat])
        outcomes.append(game)
    assert outcomes[0] == outcomes[1] == outcomes[2] == outcomes[3]
    assert (outcomes[0].watering_hole, pending(outcomes[0])) == (2, [1])


def test_when_all_have_chosen_the_first_player_is_asked_to_feed() -> None:
    game = three(card(3, "horns"))
    take_all(game, CardPlay(0), CardPlay(0), CardPlay(0))
    assert (phase(game), pending(game), game.plays) == ("feed", [1], {})


def test_without_food_the_feeding_is_over_at_once() -> None:
    game = three(NOTHING)
    take_all(game, CardPlay(0), CardPlay(0), CardPlay(0))
    assert (phase(game), pending(game)) == ("fed", [])


# Faults while all choose.


def test_a_fault_in_choose_waits_until_all_have_answered() -> None:
    game = three(NOTHING, watering_hole=1)
    assert changes(game, 2, LATE) == {}
    take(game, 2, LATE)
    assert pending(game) == [1, 3]
    take(game, 1, CardPlay(0))
    assert changes(game, 3, CardPlay(0)) == {1: busy(1), 2: LATE, 3: busy(3)}


def test_a_fault_in_start_removes_the_player_at_once() -> None:
    game = three(NOTHING)
    assert changes(game, 2, LOUD) == {2: LOUD}
    take(game, 2, LOUD)
    assert pending(game) == [1, 3]


def test_a_fault_takes_the_place_of_a_play_that_was_chosen_before() -> None:
    game = three(card(3, "horns"), watering_hole=1)
    take(game, 2, CardPlay(0))
    take(game, 2, GONE)
    take(game, 1, CardPlay(0))
    assert changes(game, 3, CardPlay(0)) == {1: busy(1), 2: GONE, 3: busy(3), "watering_hole": 7}


def test_a_player_leaves_for_the_first_thing_that_it_did_wrong() -> None:
    game = three(NOTHING, watering_hole=1)
    take(game, 1, LATE)
    take(game, 1, GONE)
    take(game, 2, CardPlay(1))
    take(game, 2, GONE)
    assert changes(game, 3, CardPlay(0)) == {
        1: LATE,
        2: illegal(rulebook.PLAY_CARDS, "plays card 1, counted from 0, but holds only 1", "choose"),
        3: busy(3),
    }


def test_a_fault_in_start_takes_the_chosen_play_with_it() -> None:
    game = three(card(3, "horns"), watering_hole=1)
    take(game, 2, CardPlay(0))
    assert changes(game, 2, LOUD) == {2: LOUD}
    take(game, 2, LOUD)
    take(game, 1, CardPlay(0))
    assert changes(game, 3, CardPlay(0)) == {1: busy(1), 3: busy(3), "watering_hole": 7}


def test_an_illegal_play_changes_nothing_but_its_player() -> None:
    game = three(NOTHING, watering_hole=1)
    fault = illegal(rulebook.PLAY_CARDS, "plays card 1, counted from 0, but holds only 1", "choose")
    assert changes_by_plays(game, CardPlay(0), CardPlay(1), CardPlay(0)) == {1: busy(1), 2: fault, 3: busy(3)}


@pytest.mark.parametrize("move", [Graze(0), Attack(0, 1, 0), Decline()])
def test_a_feeding_is_no_answer_to_choose(move: Move) -> None:
    game = three(NOTHING, watering_hole=1)
    take(game, 1, CardPlay(0))
    take(game, 2, move)
    fault = illegal(rulebook.PLAY_SHAPE, f"answers choose with {type(move).__name__}", "choose")
    assert changes(game, 3, CardPlay(0)) == {1: busy(1), 2: fault, 3: busy(3)}


def test_the_players_leave_in_turn_order_before_any_play_is_carried_out() -> None:
    game = choosing_game(*[player(seat, BUSY, [NOTHING]) for seat in (3, 1, 2)], watering_hole=1)
    heard = told(game, lambda twin: take_all(twin, LATE, CardPlay(0), GONE))
    assert heard[:2] == [Expelled(3, LATE), Expelled(2, GONE)]
    assert len(heard) == 3


def test_when_the_last_player_to_choose_is_expelled_the_game_moves_on() -> None:
    game = three(NOTHING, watering_hole=1)
    take(game, 1, CardPlay(0))
    take(game, 3, CardPlay(0))
    assert changes(game, 2, LATE) == {1: busy(1), 2: LATE, 3: busy(3)}
    assert changes(game, 2, LOUD) == {1: busy(1), 2: LOUD, 3: busy(3)}
    take(game, 2, LOUD)
    assert (phase(game), pending(game)) == ("feed", [1])


def test_a_game_ends_when_everybody_is_expelled_in_start() -> None:
    game = three(NOTHING, watering_hole=1)
    for seat in (2, 1, 3):
        assert changes(game, seat, LOUD) == {seat: LOUD}
        answer(game, seat, LOUD)
    assert (phase(game), pending(game), game.players, game.turn) == ("over", [], {}, 1)


def test_a_game_ends_when_everybody_is_expelled_in_choose() -> None:
    game = three(NOTHING, watering_hole=1)
    assert changes_by_plays(game, LATE, LATE, GONE) == {1: LATE, 2: LATE, 3: GONE}
    for seat in (1, 2, 3):
        answer(game, seat, LATE)
    assert (phase(game), pending(game)) == ("over", [])


def test_a_game_goes_on_with_a_single_player() -> None:
    game = three(card(3, "horns"))
    answer(game, 1, LATE)
    answer(game, 2, LATE)
    answer(game, 3, CardPlay(0))
    assert (phase(game), pending(game)) == ("feed", [3])
    answer(game, 3, Decline())
    assert (phase(game), pending(game), game.turn) == ("choose", [3], 2)


# Faults while one feeds.


def test_a_fault_in_feed_removes_the_player_at_once() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    assert changes(game, 1, LATE) == {1: LATE}
    take(game, 1, LATE)
    assert (pending(game), game.queue) == ([2], [2, 3])


def test_a_card_play_is_no_answer_to_feed() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9, hands=DECK[:3])
    assert changes(game, 1, CardPlay(0)) == {1: illegal(rulebook.OPTIONS, "answers feed with CardPlay")}


def test_who_fails_while_another_is_asked_leaves_after_its_answer() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    assert changes(game, 2, GONE) == {}
    take(game, 2, GONE)
    assert pending(game) == [1]
    assert changes(game, 1, Graze(0)) == {
        1: player(1, [board(population=7, food=1), board(population=7)]),
        2: GONE,
        "watering_hole": 8,
    }
    take(game, 1, Graze(0))
    assert (pending(game), game.queue, game.leaving) == ([3], [3, 1], [])


def test_an_attack_on_a_player_who_is_leaving_is_legal() -> None:
    game = feeding_game([board("carnivore", population=3), FED], [FED], BUSY, watering_hole=9)
    take(game, 2, GONE)
    assert changes(game, 1, Attack(0, seat=2, target=0)) == {
        1: player(1, [board("carnivore", population=3, food=1), FED]),
        2: GONE,
        "watering_hole": 8,
        "deck": DECK[2:],
    }


def test_all_who_failed_meanwhile_leave_and_only_once_each() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, BUSY, watering_hole=9)
    take(game, 3, GONE)
    take(game, 2, LATE)
    take(game, 3, LATE)
    assert changes(game, 1, Decline()) == {2: LATE, 3: GONE}
    take(game, 1, Decline())
    assert (pending(game), game.expelled) == ([4], [(3, GONE), (2, LATE)])


def test_who_fails_meanwhile_leaves_too_when_the_asked_player_is_expelled() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    take(game, 2, GONE)
    assert changes(game, 1, Graze(2)) == {
        1: illegal(rulebook.OPTIONS, "feeds board 2, counted from 0, but has only 2 boards"),
        2: GONE,
    }


def test_when_the_asked_player_is_expelled_the_dealer_feeds_on() -> None:
    game = feeding_game(BUSY, [board()], [FED], watering_hole=9)
    assert changes(game, 1, LATE) == {1: LATE, 2: player(2, [FED]), "watering_hole": 8}
    take(game, 1, LATE)
    assert phase(game) == "fed"


def test_who_left_is_no_prey() -> None:
    game = feeding_game(BUSY, [HUNTER], [FED], [FED], watering_hole=9)
    take(game, 3, GONE)
    assert changes(game, 1, Decline()) == {3: GONE}
    take(game, 1, Decline())
    assert changes(game, 2, Attack(0, seat=3, target=0)) == {
        2: illegal(rulebook.ATTACK_CHOICE, "attacks player 3, who is not one of the others")
    }


def test_a_game_ends_when_everybody_is_expelled_in_feed() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    take(game, 3, GONE)
    take(game, 2, GONE)
    answer(game, 1, LATE)
    assert (phase(game), pending(game), game.players) == ("over", [], {})


# The turn's end.


def test_take_pauses_when_feeding_is_over_and_go_on_ends_the_turn() -> None:
    game = feeding_game([board(population=2), board()], [FED], [FED], watering_hole=1)
    take(game, 1, Graze(0))
    assert (phase(game), pending(game)) == ("fed", [])
    assert changed(game, go_on) == {
        1: player(1, [board()], [*DECK[10:14], *DECK[:2]], bag=1),
        2: player(2, [board()], DECK[2:6], bag=1),
        3: player(3, [board()], DECK[6:10], bag=1),
        "deck": DECK[14:],
        "order": [2, 3, 1],
        "turn": 2,
    }
    go_on(game)
    assert (phase(game), pending(game)) == ("choose", [2, 3, 1])


def test_take_returns_the_player_who_feeds_next() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=3)
    first, second, third = game.row
    assert dealer.take(game, first, Graze(0)) is second
    assert dealer.take(game, third, GONE) is second, "the fault waits for the answer of the asked seat"
    assert dealer.take(game, second, Graze(0)) is first
    assert dealer.take(game, first, Graze(0)) is None
    assert phase(game) == "fed"


def test_take_returns_no_player_until_all_have_chosen() -> None:
    game = choosing_game(player(1, BUSY, DECK[40:41]), player(2, BUSY, DECK[41:42]), watering_hole=90)
    first, second = game.row
    assert dealer.take(game, first, CardPlay(0)) is None
    assert dealer.take(game, second, CardPlay(0)) is first


def test_answer_does_not_pause() -> None:
    paused = feeding_game([board(population=2), board()], [FED], [FED], watering_hole=1)
    answered = paused.clone()
    take(paused, 1, Graze(0))
    go_on(paused)
    answer(answered, 1, Graze(0))
    assert answered == paused


def test_go_on_does_nothing_while_somebody_is_asked() -> None:
    assert changed(three(NOTHING), go_on) == {}
    assert changed(feeding_game(BUSY, BUSY, BUSY, watering_hole=1), go_on) == {}


def test_go_on_does_nothing_when_the_game_is_over() -> None:
    game = new_game(NAMES[:3], DECK[:3])
    assert changed(game, go_on) == {}
    go_on(game)
    assert phase(game) == "over"


# A whole game.


def test_a_game_without_food_goes_on_until_the_cards_run_out() -> None:
    game = new_game(NAMES[:3], [one for one in DECK if one.food <= 0], listen=True)
    heard = game.hear()
    while phase(game) != "over":
        for seat in pending(game):
            heard += answer(game, seat, CardPlay(0))
    # Each turn takes 4 cards a player; a board that starves brings 2, as long as there are cards.
    assert [event for event in heard if isinstance(event, TurnStarted)] == [
        TurnStarted(1, (1, 2, 3), 0, 69),
        TurnStarted(2, (2, 3, 1), 0, 51),
        TurnStarted(3, (3, 1, 2), 0, 33),
        TurnStarted(4, (1, 2, 3), 0, 15),
    ]
    assert heard[-1] == GameOver(tuple(Standing(seat, NAMES[seat - 1], 1, 0) for seat in (1, 2, 3)))


# Mistakes of the caller.


def test_a_seat_that_is_not_asked_must_not_answer() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    with pytest.raises(ValueError, match=r"^seat 2 answers, but seat 1 is asked$"):
        answer(game, 2, Graze(0))


def test_a_seat_must_not_choose_twice() -> None:
    game = three(NOTHING)
    take(game, 2, CardPlay(0))
    with pytest.raises(ValueError, match=r"^seat 2 has chosen already$"):
        take(game, 2, CardPlay(0))


def test_a_seat_that_is_not_at_the_table_must_not_answer() -> None:
    game = three(NOTHING)
    take(game, 2, LOUD)
    for seat in (0, 2, 4):
        with pytest.raises(ValueError, match=rf"^seat {seat} answers, but is not at the table$"):
            answer(game, seat, CardPlay(0))


def test_nobody_answers_when_the_game_is_over_or_paused() -> None:
    with pytest.raises(ValueError, match=r"^seat 1 answers, but no seat is asked: over$"):
        answer(new_game(NAMES[:3], DECK[:3]), 1, CardPlay(0))
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=1)
    take(game, 1, Graze(0))
    with pytest.raises(ValueError, match=r"^seat 2 answers, but no seat is asked: fed$"):
        take(game, 2, LATE)


def test_a_mistake_of_the_caller_changes_nothing() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    before = game.clone()
    with pytest.raises(ValueError, match="seat 2 answers"):
        answer(game, 2, Graze(0))
    assert game == before


@pytest.mark.parametrize("number", [0, 2, 9])
def test_a_game_takes_three_to_eight_players(number: int) -> None:
    with pytest.raises(ValueError, match=rf"^{number} players, but a game takes 3 to 8$"):
        new_game((*NAMES, "Ida")[:number], DECK)


@pytest.mark.parametrize("number", [3, 8])
def test_a_game_begins_with_three_and_with_eight_players(number: int) -> None:
    game = new_game(NAMES[:number], DECK)
    assert (pending(game), game.names) == (list(range(1, number + 1)), NAMES[:number])


def test_a_name_has_a_thousand_characters_at_most() -> None:
    new_game((*NAMES[:2], "x" * 1_000), DECK)
    with pytest.raises(ValueError, match=r"^the name of seat 3 has 1001 characters, above 1000$"):
        new_game((*NAMES[:2], "x" * 1_001), DECK)


def test_a_deck_holds_no_card_twice() -> None:
    with pytest.raises(ValueError, match=r"^the deck holds a card twice: -3 burrowing$"):
        new_game(NAMES[:3], (*DECK[:20], DECK[7]))


def test_a_watering_hole_does_not_start_below_zero() -> None:
    with pytest.raises(ValueError, match=r"^the watering hole starts with -1, below 0$"):
        new_game(NAMES[:3], DECK, watering_hole=-1)
    assert new_game(NAMES[:3], DECK).watering_hole == 0
    assert new_game(NAMES[:3], DECK, watering_hole=100).watering_hole == 100


# Listening and cloning.


def test_a_listener_hears_each_thing_once() -> None:
    game = new_game(NAMES[:3], DECK, listen=True)
    assert game.hear()[0] == TurnStarted(1, (1, 2, 3), 0, 122)
    assert game.hear() == []
    assert answer(game, 1, LOUD) == [Expelled(1, LOUD)]
    assert game.hear() == []


def test_nothing_is_told_when_nobody_listens() -> None:
    game = new_game(NAMES[:3], DECK)
    assert game.hear() == []
    assert answer(game, 1, LOUD) == []
    assert game.told is None


def test_answer_returns_what_happened_up_to_the_next_question() -> None:
    game = feeding_game([FED], [FED], BUSY, watering_hole=1)
    game.queue = [3]
    game.told = []
    heard = answer(game, 3, Decline())
    assert TurnEnded(1, 1) in heard
    assert heard[-1] == CardsDealt(1, 4)


def test_a_clone_shares_nothing_that_changes() -> None:
    game = feeding_game([HUNTER], BUSY, BUSY, watering_hole=9, hands=DECK[:3])
    game.expelled = [(4, LATE)]
    take(game, 2, GONE)
    twin, kept = game.clone(), pickle.dumps(game.clone()._state())
    assert twin == game
    take(twin, 1, Attack(0, seat=3, target=0))
    answer(twin, 3, LATE)
    assert twin != game
    assert pickle.dumps(game._state()) == kept


def test_a_clone_of_a_choosing_game_keeps_the_plays_and_has_no_listener() -> None:
    game = three(NOTHING)
    game.told = []
    take(game, 1, CardPlay(0))
    twin = game.clone()
    take(twin, 2, CardPlay(0))
    assert (pending(game), pending(twin), twin.told) == ([2, 3], [3], None)


def test_games_that_differ_in_anything_are_not_equal() -> None:
    game = feeding_game(BUSY, BUSY, BUSY, watering_hole=9)
    others = [feeding_game(BUSY, BUSY, BUSY, watering_hole=8), feeding_game(BUSY, BUSY, watering_hole=9)]
    others += [feeding_game(BUSY, BUSY, BUSY, watering_hole=9, deck=DECK[1:])]
    for change in (
        lambda twin: twin.queue.pop(),
        lambda twin: twin.leaving.append((2, GONE)),
        lambda twin: twin.expelled.append((4, GONE)),
        Game.pass_on,
    ):
        others.append(game.clone())
        change(others[-1])
    assert game == game.clone()
    assert [other for other in others if other == game] == []


@pytest.mark.parametrize("junk", [None, "hello", 7, Growth(0, 1)])
def test_what_is_no_reply_is_a_mistake_of_the_caller(junk: object) -> None:
    choosing = new_game(["Ann", "Bob", "Cleo"], shuffled(5))
    feeding = feeding_game([board(), board()], [board()], [board()], watering_hole=9)
    for game in (choosing, feeding):
        before = digest(game)
        with pytest.raises(TypeError):
            answer(game, 1, cast(Reply, junk))
        assert digest(game) == before
