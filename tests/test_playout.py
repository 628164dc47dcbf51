"""Whole games in one call."""

import copy
import gc
import pickle
import signal
from collections.abc import Callable
from itertools import product, repeat
from typing import cast

import pytest

from tests.cases import case
from wateringhole import (
    DECK,
    Agent,
    CardPlay,
    Choose,
    Decline,
    Fault,
    Feed,
    Feeding,
    Game,
    Graze,
    Rash,
    Reason,
    Sage,
    Silly,
    answer,
    new_game,
    pending,
    play,
    play_out,
    request,
    shuffled,
    simulate,
)
from wateringhole.agents.bad import Bad
from wateringhole.agents.bad.failures import TantrumError
from wateringhole.agents.playout import PlayoutBot, PlayoutRequest
from wateringhole.record import digest, replay, walk
from wateringhole.table import play_on


def some_bots(number: int, seed: int) -> list[Agent]:
    return [Rash(f"{seed} {seat}") if (seat + seed) % 2 else Silly() for seat in range(number)]


class Relay:
    """An agent that is no house bot, and answers like one: it gets whole requests."""

    def __init__(self, bot: Agent) -> None:
        self._bot = bot

    def choose(self, request: Choose) -> CardPlay | Fault:
        assert type(request) is Choose
        return self._bot.choose(request)

    def feed(self, request: Feed) -> Feeding | Fault:
        assert type(request) is Feed
        return self._bot.feed(request)


def test_a_playout_ends_with_the_scores_of_the_same_agents_at_a_table() -> None:
    for players, watering_hole in product(range(3, 9), (0, 100)):
        with case(players, watering_hole):
            for seed in range(12):
                ranking = play(some_bots(players, seed), shuffled(seed), watering_hole=watering_hole).ranking
                scores = tuple(row.score for row in sorted(ranking, key=lambda row: row.seat))
                assert simulate([shuffled(seed)], some_bots(players, seed), watering_hole) == [scores]
                bots = some_bots(players, seed)
                relays = [Relay(bot) if (seed + seat) % 3 else bot for seat, bot in enumerate(bots)]
                assert simulate([shuffled(seed)], relays, watering_hole) == [scores]


def test_any_agent_may_take_part_in_a_playout() -> None:
    def agents() -> list[Agent]:
        return [Sage(1, iterations=4), Silly(), Rash(2)]

    deck = shuffled(4)[:45]  # of two turns: the sage takes its time in plain Python
    ranking = play(agents(), deck, watering_hole=20).ranking
    scores = tuple(row.score for row in sorted(ranking, key=lambda row: row.seat))
    assert simulate([deck], agents(), 20) == [scores]


def test_many_decks_give_as_many_scores_in_their_order() -> None:
    decks = [shuffled(seed) for seed in range(20)]
    together = simulate(decks, [Silly()] * 4)
    assert together == [simulate([deck], [Silly()] * 4)[0] for deck in decks]
    assert len(set(together)) > 15
    assert simulate([], [Silly()] * 3) == []


def test_a_playout_goes_on_from_wherever_a_game_stands() -> None:
    game = new_game(["Ann", "Bob", "Cleo"], shuffled(5), watering_hole=40)
    stops = 0
    while seats := pending(game):
        ahead, at_a_table = game.clone(), game.clone()
        play_out(ahead, [Silly()] * 3)
        play_on(at_a_table, [Silly()] * 3)
        assert digest(ahead) == digest(at_a_table)
        assert ahead.phase == "over"
        stops += 1
        asked = request(game, seats[0])
        answer(game, seats[0], Silly().feed(asked) if game.phase == "feed" else Silly().choose(asked))  # type: ignore[arg-type]
    assert stops > 20


@pytest.mark.parametrize("again", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])  # noqa: S301  our own
def test_a_game_can_be_sent_to_another_process_at_any_moment(again: Callable[[Game], Game]) -> None:
    game = new_game(["Ann", "Bob", "Cleo"], shuffled(5), watering_hole=40)
    while seats := pending(game):
        twin = again(game)
        assert twin == game
        assert digest(twin) == digest(game)
        play_out(twin, [Silly()] * 3)
        assert twin != game
        asked = request(game, seats[0])
        answer(game, seats[0], Silly().feed(asked) if game.phase == "feed" else Silly().choose(asked))  # type: ignore[arg-type]
    assert again(game) == game


def test_a_game_may_stand_between_two_turns() -> None:
    record = play([Silly()] * 3, shuffled(5), watering_hole=9).record
    phases = set()
    for game in walk(replay(record, 0), record.replies):
        phases.add(game.phase)
        ahead, at_a_table = game.clone(), game.clone()
        play_out(ahead, [Silly()] * 3)
        play_on(at_a_table, [Silly()] * 3)
        assert digest(ahead) == digest(at_a_table) == digest(replay(record))
    assert phases >= {"choose", "feed", "fed", "turn over"}


def test_a_copy_is_a_clone() -> None:
    game = new_game(["Ann", "Bob", "Cleo"], shuffled(5))
    twin = copy.copy(game)
    answer(twin, 2, Fault(Reason.TIMEOUT, "slept", during="start"))
    assert [player.seat for player in game.row] == list(game.players) == [1, 2, 3]
    assert [player.seat for player in twin.row] == list(twin.players) == [1, 3]


def test_an_interrupt_is_heard_between_two_games() -> None:
    class HeardError(Exception):
        pass

    def hear(*_: object) -> None:
        raise HeardError

    def simulate_for_ever() -> None:
        # The time that this process computes: a real alarm may ring before the games begin, and limits a test's time.
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
        simulate(repeat(DECK), [Silly()] * 5)

    before = signal.signal(signal.SIGVTALRM, hear)
    gc.disable()  # Hypothesis has a callback for each collection, and what is raised in a callback is lost
    try:
        with pytest.raises(HeardError):
            simulate_for_ever()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.enable()
        signal.signal(signal.SIGVTALRM, before)


def test_a_game_that_has_lost_a_player_goes_on_without_it() -> None:
    game = new_game(["Ann", "Bob", "Cleo"], shuffled(5))
    answer(game, 2, Fault(Reason.TIMEOUT, "slept"))
    play_out(game, [Silly()] * 3)
    assert (game.phase, sorted(game.players)) == ("over", [1, 3])


def test_a_finished_game_is_left_as_it_is() -> None:
    game = new_game(["Ann", "Bob", "Cleo"], DECK[:5])
    before = digest(game)
    play_out(game, [Silly()] * 3)
    assert digest(game) == before


class Hoarder(PlayoutBot):
    """Plays as little as it may; written in plain Python, as a user would."""

    def card_play(self, request: Choose | PlayoutRequest) -> CardPlay:
        assert type(request) is PlayoutRequest
        return CardPlay(0)

    def feeding(self, request: Feed | PlayoutRequest) -> Feeding:
        assert type(request) is PlayoutRequest
        assert request.others
        return Decline()


def test_a_house_bot_may_be_written_in_plain_python() -> None:
    [scores] = simulate([shuffled(3)], [Hoarder(), Silly(), Silly()], 50)
    assert scores[0] <= min(scores[1:])


class Cheat(Silly):
    def feeding(self, _request: Feed | PlayoutRequest) -> Feeding:
        return Graze(9)


class Careless(Silly):
    def card_play(self, request: Choose | PlayoutRequest) -> CardPlay:
        return CardPlay(len(request.me.hand))


class Wordless(Silly):
    def card_play(self, _request: Choose | PlayoutRequest) -> CardPlay:
        return cast(CardPlay, None)


def test_a_playout_bot_that_returns_no_move_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="None"):
        simulate([shuffled(3)], [Silly(), Wordless(), Silly()])


class Attentive(Silly):
    """A house bot with a `choose` of its own, which reads what only a request has."""

    def choose(self, request: Choose) -> CardPlay:
        assert request.why_not(CardPlay(0)) is None
        return super().choose(request)


def test_a_house_bot_with_a_method_of_its_own_gets_whole_requests() -> None:
    assert simulate([shuffled(3)], [Attentive(), Silly(), Silly()], 9) == simulate([shuffled(3)], [Silly()] * 3, 9)


def test_an_illegal_move_is_a_mistake_in_the_agent() -> None:
    for careless, cheat in ((Careless(), Cheat()), (Relay(Careless()), Relay(Cheat()))):
        with pytest.raises(ValueError, match=r"^the agent of seat 2 plays card 4, counted from 0, but holds only 4$"):
            simulate([shuffled(3)], [Silly(), careless, Silly()])
        with pytest.raises(ValueError, match=r"^the agent of seat 1 feeds board 9, counted from 0, but has only \d b"):
            simulate([shuffled(seed) for seed in range(50)], [cheat, Rash(1), Rash(2)], 100)


def test_an_answer_that_is_no_move_is_a_mistake_in_the_agent() -> None:
    for misdeed, during in (("no-play", "choose"), ("no-feeding", "feed")):
        with pytest.raises(ValueError, match=f"^the agent of seat 3 answers {during} with null: not a move$"):
            simulate([shuffled(seed) for seed in range(50)], [Silly(), Silly(), Bad(misdeed)], 100)


def test_an_agent_for_every_seat_is_wanted() -> None:
    for number in (0, 2, 4):
        with pytest.raises(ValueError, match=f"^{number} agents for 3 seats$"):
            play_out(new_game(["Ann", "Bob", "Cleo"], shuffled(5)), [Silly()] * number)


def test_what_an_agent_raises_comes_out() -> None:
    with pytest.raises(NotImplementedError):
        simulate([shuffled(3)], [PlayoutBot(), Silly(), Silly()])
    with pytest.raises(TantrumError):
        simulate([shuffled(3)], [Silly(), Silly(), Bad("raises-in-choose")])


def test_a_table_of_the_wrong_size_or_deck_is_refused() -> None:
    with pytest.raises(ValueError, match="2 players"):
        simulate([DECK], [Silly()] * 2)
    with pytest.raises(ValueError, match="holds a card twice"):
        simulate([DECK + DECK[:1]], [Silly()] * 3)
