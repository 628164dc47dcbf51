"""What a seat is sent depends on nothing that is hidden from it: the others' cards, bags and plays, and the deck.

A dialect that is added to the list is held to the same.
"""

import json
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Final

import pytest

from tests.cases import case
from tests.laws.replies import MANNERS, legal, some_table
from tests.times import TIMES
from wateringhole.cards import Card, card, shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.player import Player
from wateringhole.traits import Trait
from wateringhole.view import request, start
from wateringhole.wire.dialect import Ask, Dialect, hold, talk
from wateringhole.wire.framing import Json
from wateringhole.wire.hello import Hello
from wateringhole.wire.native import Native
from wateringhole.wire.requests import Requests
from wateringhole.wire.s16 import S16
from wateringhole.wire.tagged import Tagged


def native() -> Dialect:
    """The native dialect with a token that is always the same: a token is the seat's own secret, not the game's."""
    dialect = Native()
    dialect.token = dialect.name
    return dialect


DIALECTS: Final[list[Callable[[], Dialect]]] = [S16, Hello, Tagged, Requests, native]

CHUNKS: Final = 3 * TIMES
TABLES: Final = 100
MOMENTS: Final = 100
"""So many chunks of so many random tables and moments of games: 600 states."""

SOME_FAULT: Final = Fault(Reason.TIMEOUT, "is silent for 5.0 s", during="choose")


def messages(dialect: Dialect, game: Game, seat: int) -> Iterator[Json]:
    """All that this seat could be sent in this state. Nothing is secret any more when the game is over."""
    yield from dialect.welcome(seat)
    yield from dialect.start(start(game, seat))
    yield from questions(dialect, game, seat)
    yield from dialect.expelled(SOME_FAULT)


def questions(dialect: Dialect, game: Game, seat: int) -> list[Json]:
    """What the seat is asked when it answers as little as it can."""
    asked, sent = request(game, seat), list[Json]()

    def nothing(question: Ask) -> Json:
        sent.append(question.value)
        return []

    hold(talk(dialect, asked), asked, nothing)
    return sent


def bytes_to(dialect: Dialect, game: Game, seat: int) -> bytes:
    return b"\n".join(json.dumps(message).encode() for message in messages(dialect, game, seat))


def reshuffled(game: Game, seat: int, random: Random) -> Game:
    """The same game to this seat's eyes: all that is hidden from it is different."""
    twin = game.clone()
    others = [player for player in twin.players.values() if player.seat != seat]
    unknown = [held for player in others for held in player.hand] + list(twin.deck[twin.dealt :])
    random.shuffle(unknown)
    for player in others:
        player.hand = tuple(unknown.pop() for _ in player.hand)
        player.bag = random.randrange(60)
    gone = random.sample(twin.deck[: twin.dealt], twin.dealt)
    twin.deck = (*gone, *unknown)
    twin.plays = {}
    twin.leaving = [(player.seat, SOME_FAULT) for player in others if random.random() < 0.2]
    return twin


def tables(random: Random) -> Iterator[Game]:
    """Random tables in the middle of a turn."""
    for _ in range(TABLES):
        game = some_table(random)
        game.turn = random.randint(1, 9)
        game.phase = random.choice(("choose", "feed"))
        game.queue = list(game.players)
        yield game


def moments(random: Random) -> Iterator[Game]:
    """Games of agents of every manner, looked at now and then."""
    left = MOMENTS
    while left:
        seats = random.randint(3, 8)
        game = new_game([f"player {seat}" for seat in range(seats)], shuffled(random.randrange(1 << 30)))
        while pending(game) and left:
            if random.random() < 0.2:
                left -= 1
                yield game
            seat = random.choice(pending(game))
            answer(game, seat, legal(request(game, seat), random.choice(list(MANNERS)), str(random.random())))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_message_depends_on_what_is_hidden_from_its_seat(chunk: int) -> None:
    random, states, told_apart = Random(f"hidden {chunk}"), 0, 0
    for source in (tables, moments):
        for game in source(random):
            states += 1
            for seat in game.players:
                twin = reshuffled(game, seat, random)
                for speak in DIALECTS:
                    assert bytes_to(speak(), twin, seat) == bytes_to(speak(), game, seat), (speak, game.phase, seat)
                told_apart += twin != game
    assert states == TABLES + MOMENTS
    assert told_apart > states, "something was hidden, and changed"


@pytest.mark.parametrize("speak", DIALECTS)
def test_a_seat_sees_its_own_cards_and_bag_and_everybodys_boards(speak: Callable[[], Dialect]) -> None:
    """So that the law above does not hold for want of anything said."""
    random, differences = Random("seen"), dict.fromkeys(("hand", "bag", "boards", "others' boards"), 0)
    for game in tables(random):
        for seat, me in game.players.items():
            before = bytes_to(speak(), game, seat)
            for what, change in CHANGES.items():
                twin = game.clone()
                for player in twin.players.values():
                    if (player.seat == me.seat) == (what != "others' boards"):
                        change(player)
                differences[what] += bytes_to(speak(), twin, seat) != before
    assert min(differences.values()) > TABLES, differences


def _play_a_card(player: Player) -> None:
    player.hand = player.hand[1:]


def _fill_the_bag(player: Player) -> None:
    player.bag += 1


def _lose_a_board(player: Player) -> None:
    player.species = player.species[1:]


CHANGES: Final[dict[str, Callable[[Player], None]]] = {
    "hand": _play_a_card,
    "bag": _fill_the_bag,
    "boards": _lose_a_board,
    "others' boards": _lose_a_board,
}


# Canaries.

TRAITS: Final = list(Trait)


def cards_in(message: Json) -> Iterator[Card]:
    """Every card in this message: a food value and a trait side by side."""
    if isinstance(message, dict):
        message = list(message.values())
    if not isinstance(message, list):
        return
    if len(message) == 2 and type(message[0]) is int and message[1] in TRAITS:
        assert isinstance(message[1], str)
        yield card(message[0], message[1])
    for part in message:
        yield from cards_in(part)


def test_in_whole_games_nobody_is_shown_a_card_that_it_does_not_hold() -> None:
    for players, number in product(range(3, 9), range(3)):
        with case(players, number):
            random = Random(f"canary {players} {number}")
            game = new_game([f"player {seat}" for seat in range(players)], shuffled(f"canary {players} {number}"))
            manners = [random.choice(list(MANNERS)) for _ in range(players)]
            while pending(game):
                for seat, speak in product(pending(game), DIALECTS):
                    found = {held for message in messages(speak(), game, seat) for held in cards_in(message)}
                    assert found <= set(game.players[seat].hand), speak
                seat = pending(game)[0]
                answer(game, seat, legal(request(game, seat), manners[seat - 1], str(random.random())))
            assert game.expelled == []


@pytest.mark.parametrize("speak", [S16, Hello, Tagged])
def test_a_turn_begins_with_the_own_cards_and_no_others(speak: Callable[[], Dialect]) -> None:
    for game in tables(Random("hands")):
        for seat, me in game.players.items():
            found = [held for message in speak().start(start(game, seat)) for held in cards_in(message)]
            assert found == list(me.hand)


def test_a_card_is_found_wherever_it_hides() -> None:
    horns, ambush = card(-1, "horns"), card(3, "ambush")
    message: Json = ["start", [["id", 1], ["traits", ["horns"]], {"deep": [["cards", [[-1, "horns"]]], [3, "ambush"]]}]]
    assert list(cards_in(message)) == [horns, ambush]
    assert list(cards_in([["food", 1], ["traits", ["horns", "ambush"]], [1, 2], ["horns", 1]])) == []
