"""The house bots: always legal, the same again with the same seed, and the better ones better."""

from itertools import product
from random import Random

import pytest

from tests.cases import case
from tests.times import TIMES
from wateringhole.agents import Agent
from wateringhole.agents.bad import Bad
from wateringhole.agents.house import HOUSE, named
from wateringhole.agents.playout_sage import PlayoutSage
from wateringhole.cards import Card, shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.fault import Fault
from wateringhole.game import Game
from wateringhole.notation import move_text
from wateringhole.record import Result
from wateringhole.table import ask, play
from wateringhole.view import request

QUICK = {"iterations": "12", "version": "1"}
"""tests/kernel/test_sage.py has version 2, which takes its time in plain Python."""
GAMES = {"sage": 1, "hard": 1, "champion": 1}
CARDS = {"sage": 80, "hard": 80, "champion": 60}
"""How many games, with how many cards of the deck, for those that take their time in plain Python."""
VERSION_1 = """
    play:0;boards=2,1 graze:0 graze:1
    play:1;boards=0.5,3.2,6,4 graze:0 graze:1 graze:2 graze:3
    play:1;boards=3.4.5.12,6.2.0.9,7,8,10,11 attack:4.2.0
"""


def made(name: str, seed: str) -> Agent:
    return named(name, seed, QUICK if name in {"sage", "hard"} else {})


@pytest.mark.parametrize("name", HOUSE)
def test_nobody_of_the_house_is_ever_expelled(name: str) -> None:
    for players, seed in product(range(3, 9), range(GAMES.get(name, 8))):
        with case(players, seed):
            deck = shuffled(f"house {seed}")[: CARDS.get(name)]
            result = play([made(name, f"{seed}:{seat}") for seat in range(players)], deck)
            assert [row.fault for row in result.ranking] == [None] * players


def test_the_same_seed_plays_the_same_game() -> None:
    def once(name: str) -> Result:
        return play([made(name, f"{seat}") for seat in range(4)], shuffled("again")[: CARDS.get(name)])

    assert HOUSE
    for name in HOUSE:
        with case(name):
            assert once(name).record == once(name).record


@pytest.mark.parametrize(("better", "worse"), [("greedy", "silly"), ("hunter", "silly"), ("shepherd", "silly")])
def test_a_better_bot_wins_more_than_its_share(better: str, worse: str) -> None:
    won = 0.0
    for deal in range(25):
        for seat in range(4):
            agents = [made(worse, f"{deal}") for _ in range(3)]
            agents.insert(seat, made(better, f"{deal}"))
            first = [row.seat for row in play(agents, shuffled(f"better {deal}")).ranking if row.rank == 1]
            won += (seat + 1 in first) / len(first)
    assert won > 60, "of 100 games, where 25 would be its share"


def positions(seed: int) -> list[tuple[Game, int]]:
    """Moments of a game at which a seat is asked."""
    game = new_game(["a", "b", "c", "d"], shuffled(f"moments {seed}"))
    found = []
    while seats := pending(game):
        seat = seats[0]
        found.append((game.clone(), seat))
        answer(game, seat, ask(named("greedy", ""), request(game, seat)))
    return found


def reshuffled(game: Game, seat: int, seed: int) -> Game:
    """The same game to this seat: the others' hands and the deck are dealt anew of the cards that it cannot see."""
    twin = game.clone()
    others = [player for player in twin.row if player.seat != seat]
    hidden: list[Card] = [card for player in others for card in player.hand] + list(twin.deck[twin.dealt :])
    Random(seed).shuffle(hidden)
    for player in others:
        player.hand, hidden = tuple(hidden[: len(player.hand)]), hidden[len(player.hand) :]
    twin.deck = (*twin.deck[: twin.dealt], *hidden)
    for player in others:
        player.bag += 3  # nor can it see the bags
    return twin


def test_what_the_sage_does_depends_on_nothing_that_is_hidden_from_it() -> None:
    tried = 0
    for seed in range(TIMES):
        for game, seat in positions(seed):
            if game.phase == "choose" and game.plays:
                continue  # what others have planned is hidden, too, but it would not fit other hands
            tried += 1
            moves = [
                ask(PlayoutSage("7", iterations=40), request(twin, seat))
                for twin in (game, *(reshuffled(game, seat, k) for k in range(2)))
            ]
            assert moves == [moves[0]] * 3
    assert tried > 10


def test_the_sage_plays_on_when_it_is_left_alone() -> None:
    agents: list[Agent] = [PlayoutSage(1, iterations=25), Bad("raises-in-start"), Bad("raises-in-choose")]
    assert [row.fault is None for row in play(agents, shuffled("alone")).ranking] == [True, False, False]


def test_the_sage_says_why() -> None:
    game = new_game(["a", "b", "c"], shuffled("why"))
    sage = PlayoutSage(iterations=30)
    sage.choose(request(game, 1))  # type: ignore[arg-type]
    assert sage.why.startswith("wins ")


def test_version_1_of_the_sage_decides_as_it_always_did() -> None:
    sage = named("sage", "1", {"iterations": "60", "version": "1"})
    greedy = [named("greedy", "") for _ in range(3)]
    record = play([sage, *greedy], shuffled("version 1"), watering_hole=12).record
    assert [move_text(move) for seat, move in record.replies if seat == 1 and not isinstance(move, Fault)] == (
        VERSION_1.split()
    )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"iterations": "0"}, "iterations=0 is not a number from 1 to 1000000"),
        ({"iterations": "many"}, "iterations=many is not a number from 1 to 1000000"),
        ({"ms": "9999999"}, "ms=9999999 is not a number from 1 to 60000"),
        ({"version": "3"}, "version=3 is not 1 or 2"),
        ({"ms": "50", "iterations": "5"}, "iterations and ms contradict each other; give one of them"),
    ],
)
def test_what_the_sage_cannot_be_told_is_one_sentence(options: dict[str, str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        named("sage", "", options)
