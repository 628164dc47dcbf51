"""The other end of `requests`: one implementation plays the same here and across a wire, and sees no secrets."""

# A question tells more than a respondent looks at.
# ruff: noqa: ARG002

import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.cases import case
from tests.scenario import board, player
from tests.wire.requesting import CHOICES, HUNTER, SHELLED, choosing, feeding, named
from wateringhole import rulebook
from wateringhole.agents.rash import Rash
from wateringhole.cards import DECK, shuffled
from wateringhole.dealer import new_game
from wateringhole.fault import Fault, Reason
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Growth, NewBoard, StoreFat
from wateringhole.record import Result, replay
from wateringhole.rules.cardplay import cards_used, outcome
from wateringhole.species import MAX_BODY, MAX_POPULATION, MAX_TRAITS, Species
from wateringhole.table import ask, play
from wateringhole.traits import Trait
from wateringhole.value import replace
from wateringhole.view import Choose, Feed, Request, request
from wateringhole.wire.dialect import Ask, hold, talk
from wateringhole.wire.framing import Json, Reader, parse
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.requests import (
    ARGUMENTS,
    Requests,
    boards_in,
    card_in,
    card_out,
    cards_in,
    game_over,
    player_in,
    player_out,
)
from wateringhole.wire.respondent import Respondent, RespondentAgent, Values, respond

EXAMPLE = Path(__file__).parents[2] / "examples" / "requests_agent.py"


class Whim(Respondent):
    """Chooses at random from what it is offered; of the rules it knows none but how many slots are due."""

    def __init__(self, seed: str | int) -> None:
        self.random = Random(str(seed))
        self.seen: list[list[Json]] = []

    def some(self, cards: Values, most: int = 2) -> Values:
        number = self.random.randint(0, min(most, len(cards)))
        return self.random.sample(cards, number)

    def trade_cards_for_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        return self.some(cards)

    def place_cards_on_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        return self.some(cards, 4)

    def select_board_for_card(self, card: Values, boards: Values, player: Values, opponents: Values) -> int:
        return self.random.randrange(len(boards))

    def select_species_discarded_cards(
        self, old_cards: Values, new_cards: Values, board: Values, player: Values, opponents: Values
    ) -> list[int]:
        return self.random.sample(range(len(old_cards)), len(new_cards))

    def trade_cards_for_body_size(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        return self.some(cards)

    def select_board_to_give_body_size(self, boards: Values, player: Values, opponents: Values) -> int:
        return self.random.randrange(len(boards))

    def trade_cards_for_population(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        return self.some(cards)

    def select_board_to_give_population(self, boards: Values, player: Values, opponents: Values) -> int:
        return self.random.randrange(len(boards))

    def select_species_order(self, boards: Values, player: Values, opponents: Values) -> list[int]:
        return self.random.sample(range(len(boards)), len(boards))

    def select_attack(self, board: Values, player: Values, opponents: Values) -> list[int]:
        prey = [(p, d) for p, other in enumerate(opponents) for d in range(len(player_in(other, p + 1).species))]
        return list(self.random.choice(prey))

    def game_over(self, players: Values, me: int) -> None:
        self.seen.append([players, me])


class Far(RespondentAgent):
    """The same, but every message goes through the bytes of a wire, and the dealer's end carries on the talk."""

    def __init__(self, respondent: Respondent) -> None:
        super().__init__(respondent)
        self.messages: list[Json] = []

    def choose(self, request: Choose) -> CardPlay:
        self._seat = request.me.seat
        move = self.held(request)
        assert isinstance(move, CardPlay)
        return move

    def feed(self, request: Feed) -> Graze | StoreFat | Attack | Decline:
        move = self.held(request)
        assert isinstance(move, Graze | StoreFat | Attack | Decline)
        return move

    def held(self, request: Request) -> object:
        return hold(talk(Requests(), request), request, self.asked)

    def asked(self, question: Ask) -> Json:
        self.messages.append(question.value)
        return across(respond(self.respondent, across(question.value)))


def across(value: Json) -> Json:
    """The value as it arrives at the other end of a stream, within the limits that hold there."""
    reader = Reader()
    reader.feed(json.dumps(value).encode() + b" ", 0.0)
    text = reader.take(0.0)
    assert text is not None
    return parse(text)


def games(seed: int, make: Callable[[], Respondent]) -> tuple[Result, Result, list[Respondent], list[Far]]:
    """One game of two respondents in this process and two rash players, and the same one across wires."""
    near, far = [RespondentAgent(make()) for _ in range(2)], [Far(make()) for _ in range(2)]
    first = play([*near, Rash(1), Rash(2)], shuffled(seed), list("abcd"), watering_hole=40)
    second = play([*far, Rash(1), Rash(2)], shuffled(seed), list("abcd"), watering_hole=40)
    return first, second, [agent.respondent for agent in near], far


@cache
def whims(seed: int) -> tuple[Result, Result, list[Respondent], list[Far]]:
    """Games of random respondents, played once for all tests that look at them."""
    return games(seed, partial(Whim, seed))


def test_a_game_here_equals_the_game_across_a_wire() -> None:
    for seed in range(12):
        with case(seed):
            here, there, near, far = whims(seed)
            assert here == there
            for one, other in zip(near, far, strict=True):
                assert isinstance(one, Whim)
                assert isinstance(other.respondent, Whim)
                assert one.seen == other.respondent.seen


def test_games_of_random_respondents_ask_every_question() -> None:
    questions = set()
    for seed in range(12):
        for agent in whims(seed)[3]:
            questions |= {str(value[0]) for value in agent.messages if isinstance(value, list)}
            assert isinstance(agent.respondent, Whim)
            questions |= {"game_over"} if agent.respondent.seen else set()
    assert questions == set(ARGUMENTS)


def test_a_respondent_is_told_the_end_as_the_ranking_has_it() -> None:
    whims = [Whim(seed) for seed in range(3)]
    result = play([RespondentAgent(whim) for whim in whims], shuffled(5), list("abc"), watering_hole=20)
    for seat, whim in enumerate(whims, 1):
        [row] = [row for row in result.ranking if row.seat == seat]
        if row.fault is not None:
            assert whim.seen == []
            continue
        [[players, me]] = whim.seen
        assert isinstance(players, list)
        assert isinstance(me, int)
        told = [player_in(value, place + 1) for place, value in enumerate(players)]
        assert [one.score for one in told] == [row.score for row in result.ranking if row.fault is None]
        assert told[me].hand == replay(result.record).players[seat].hand


def test_a_respondent_that_was_never_asked_is_told_nothing() -> None:
    whims = [Whim(seed) for seed in range(3)]
    play([RespondentAgent(whim) for whim in whims], DECK[:5], list("abc"))
    assert [whim.seen for whim in whims] == [[], [], []]


def test_whoever_overrides_nothing_survives_a_game_doing_nothing() -> None:
    result = play([RespondentAgent(Respondent()) for _ in range(3)], shuffled(1), list("abc"), watering_hole=9)
    assert [row.fault for row in result.ranking] == [None, None, None]


def test_the_defaults_of_the_questions_for_boards_are_answers() -> None:
    class Willing(Respondent):
        def trade_cards_for_boards(self, cards: Values, *_: object, **__: object) -> Values:
            return cards[:1]

        place_cards_on_boards = trade_cards_for_body_size = trade_cards_for_population = trade_cards_for_boards

    assert RespondentAgent(Willing()).choose(choosing()) == CardPlay(
        4, population=(Growth(0, 3),), body=(Growth(0, 2),), boards=(NewBoard(0, (1,)),)
    )
    default = Respondent()
    assert default.select_species_discarded_cards([[0, "Horns"]], [[1, "Ambush"]], [], [], []) == [0]
    assert default.select_attack([], [], []) == [0, 0]


def test_a_wrong_answer_in_this_process_is_the_same_fault_as_over_a_wire() -> None:
    class Doubling(Respondent):
        def trade_cards_for_boards(self, cards: Values, *_: object, **__: object) -> Values:
            return cards[:1] * 2

    fault = RespondentAgent(Doubling()).choose(choosing())
    assert isinstance(fault, Fault)
    assert (fault.reason, fault.rule, fault.during) == (Reason.ILLEGAL, rulebook.PLAY_ONCE, "choose")


def test_a_class_with_a_method_for_it_chooses_its_food_card() -> None:
    class Choosy(Respondent):
        def select_food_card(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Json:
            assert cards == player[1]
            return cards[-1]

    assert RespondentAgent(Respondent()).choose(choosing()) == CardPlay(2)
    assert RespondentAgent(Choosy()).choose(choosing()) == CardPlay(4)
    *_, question = asked_by(Requests(food_card=True), choosing())
    assert respond(Choosy(), question) == card_out(choosing().me.hand[-1])
    with pytest.raises(ShapeError, match='"select_food_card" is not one of the 11 requests'):
        respond(Respondent(), question)


def asked_by(dialect: Requests, request: Request) -> list[Json]:
    """What a player that wants nothing is asked."""
    asked: list[Json] = []

    def note(question: Ask) -> Json:
        asked.append(question.value)
        return []

    hold(talk(dialect, request), request, note)
    return asked


def test_a_stop_iteration_of_a_respondent_is_a_crash_and_no_move() -> None:
    class Stopping(Respondent):
        def trade_cards_for_boards(self, *_: object, **__: object) -> Values:
            raise StopIteration(CardPlay(0))

    fault = ask(RespondentAgent(Stopping()), choosing())
    assert isinstance(fault, Fault)
    assert fault.reason == Reason.EXCEPTION


def test_a_respondent_may_do_what_it_likes_with_the_values_that_it_is_given() -> None:
    class Vandal(Far):
        def asked(self, question: Ask) -> Json:
            spoken = super().asked(question)
            self.messages[-1] = across(question.value)
            for value in named(question)[1].values():
                if isinstance(value, list):
                    value.clear()
            return spoken

    situations: list[Request] = [choosing(SHELLED), feeding(HUNTER, others=[[board()]])]
    gentle, vandal = Far(Whim(1)), Vandal(Whim(1))
    for situation in situations:
        assert vandal.held(situation) == gentle.held(situation)
    assert vandal.messages == gentle.messages


def test_a_tuple_is_as_good_as_a_list() -> None:
    class Tupled(Respondent):
        def select_species_order(self, *_: object, **__: object) -> list[int]:
            return (1, 0)  # type: ignore[return-value]

    assert RespondentAgent(Tupled()).feed(feeding(board(), board())) == Graze(1)


def test_the_client_answers_each_question_with_the_method_of_its_name() -> None:
    first = next(Requests().choose(choosing(SHELLED)))

    class Buyer(Respondent):
        def trade_cards_for_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
            assert (boards, opponents[1]) == (player[0], player_out([board("horns")], (), 0))
            return cards[:2]

    assert respond(Buyer(), first.value) == [[2, "Horns"], [-2, "Burrowing"]]
    assert respond(Buyer(), next(Requests().feed(feeding(board()))).value) == []


def test_the_client_has_nothing_to_send_after_the_end() -> None:
    whim = Whim(1)
    assert respond(whim, game_over([player(1)], 0)) is None
    assert whim.seen == [[[[[], [], 0]], 0]]


BAD_REQUESTS: dict[str, tuple[Json, str]] = {
    "no list": ("game_over", 'a request is "game_over", not an array'),
    "no arguments": (["game_over"], 'a request has 1 items, not 2: ["game_over"]'),
    "no name": ([1, {}], "1 is not one of the 11 requests"),
    "a list for a name": ([[], {}], "[] is not one of the 11 requests"),
    "another method": (["__init__", {}], '"__init__" is not one of the 11 requests'),
    "arguments in a list": (["game_over", [[], 0]], "game_over comes with [[], 0], not with players, me"),
    "an argument too few": (["game_over", {"me": 0}], 'game_over comes with {"me": 0}, not with players, me'),
    "an argument too many": (
        ["game_over", {"me": 0, "players": [], "self": 1}],
        'game_over comes with {"me": 0, "players": [], "self": 1}, not with players, me',
    ),
}


def test_the_client_refuses_what_is_no_request() -> None:
    for name, (value, text) in BAD_REQUESTS.items():
        with case(name):
            with pytest.raises(ShapeError) as error:
                respond(Respondent(), value)
            assert str(error.value) == text


def test_a_method_without_an_answer_is_no_answer() -> None:
    class Silent(Respondent):
        def select_species_order(self, *_: object, **__: object) -> list[int]:
            return None  # type: ignore[return-value]

    with pytest.raises(ShapeError, match="select_species_order has no answer"):
        respond(Silent(), next(Requests().feed(feeding(board()))).value)


# Secrecy.


def test_no_question_ever_shows_the_cards_or_the_bag_of_an_opponent() -> None:
    for seed in range(6):
        for agent in whims(seed)[3]:
            for message in agent.messages:
                opponents = named(Ask(message))[1]["opponents"]
                assert isinstance(opponents, list)
                for opponent in opponents:
                    assert isinstance(opponent, list)
                    assert opponent[1:] == [[], 0]


def test_what_a_seat_is_asked_does_not_depend_on_what_is_hidden_from_it() -> None:
    game = new_game(["A", "B", "C"], shuffled(2), watering_hole=9)
    other = game.clone()
    for seat in (2, 3):
        other.players[seat].bag = 17
        other.players[seat].hand = other.deck[100 : 100 + len(other.players[seat].hand)]
    other.deck = other.deck[: other.dealt] + other.deck[other.dealt :][::-1]
    far = Far(Whim(3)), Far(Whim(3))
    for agent, one in zip(far, (game, other), strict=True):
        asked = request(one, 1)
        assert isinstance(asked, Choose)
        agent.choose(asked)
    assert far[0].messages == far[1].messages


@given(CHOICES, st.integers(0, 10**6))
def test_what_is_chosen_from_what_is_offered_always_adds_up_to_a_legal_play(asked: Choose, seed: int) -> None:
    play = RespondentAgent(Whim(seed)).choose(asked)
    assert isinstance(play, CardPlay)
    assert asked.why_not(play) is None


class Uttering(Respondent):
    """Says a given play in the words of this dialect."""

    def __init__(self, asked: Choose, meant: CardPlay) -> None:
        hand = asked.me.hand
        self.old = old = len(asked.me.species)
        self.coming: dict[int, list[Trait]] = {}
        self.pays: Values = [card_out(hand[new.pay]) for new in meant.boards]
        self.homes = {hand[n]: old + at for at, new in enumerate(meant.boards) for n in new.traits}
        self.homes |= {hand[swap.card]: swap.board for swap in meant.traits}
        self.slots = {hand[swap.card]: swap.slot for swap in meant.traits}
        self.body = [(card_out(hand[growth.card]), growth.board) for growth in meant.body]
        self.population = [(card_out(hand[growth.card]), growth.board) for growth in meant.population]

    def trade_cards_for_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        return self.pays

    def place_cards_on_boards(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        return [card_out(held) for held in self.homes]

    def select_board_for_card(self, card: Values, boards: Values, player: Values, opponents: Values) -> int:
        held = card_in(card)
        offered = [at for at, row in enumerate(boards_in(player[0])) if self.takes(held.trait, at, row)]
        assert boards_in(boards) == tuple(boards_in(player[0])[at] for at in offered)
        self.coming.setdefault(self.homes[held], []).append(held.trait)
        return offered.index(self.homes[held])

    def takes(self, trait: Trait, at: int, row: Species) -> bool:
        """Whether this board can take a card of this trait, by what docs/wire.md says."""
        coming = self.coming.get(at, [])
        if trait in row.traits or trait in coming:
            return False
        return len(row.traits) < MAX_TRAITS if at >= self.old else len(coming) < len(row.traits)

    def select_species_discarded_cards(
        self, old_cards: Values, new_cards: Values, board: Values, player: Values, opponents: Values
    ) -> list[int]:
        return [self.slots[held] for held in cards_in(new_cards)]

    def trade_cards_for_body_size(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        return [value for value, _ in self.body]

    def select_board_to_give_body_size(self, boards: Values, player: Values, opponents: Values) -> int:
        return self.growing(self.body.pop(0)[1], boards, player, [row.body < MAX_BODY for row in boards_in(player[0])])

    def trade_cards_for_population(self, cards: Values, boards: Values, player: Values, opponents: Values) -> Values:
        return [value for value, _ in self.population]

    def select_board_to_give_population(self, boards: Values, player: Values, opponents: Values) -> int:
        room = [row.population < MAX_POPULATION for row in boards_in(player[0])]
        return self.growing(self.population.pop(0)[1], boards, player, room)

    def growing(self, at: int, boards: Values, player: Values, room: list[bool]) -> int:
        offered = [place for place, free in enumerate(room) if free]
        assert boards_in(boards) == tuple(boards_in(player[0])[place] for place in offered)
        return offered.index(at)


def sayable(meant: CardPlay, asked: Choose) -> CardPlay:
    """The play without what this dialect has no words for.

    That is a trait of a new board, or one slot, replaced twice in a turn, a trait that the board has already, and a
    food card that is not the lowest left.
    """
    rows, hand = asked.me.species, asked.me.hand
    swaps = {
        (swap.board, swap.slot): swap
        for swap in meant.traits
        if swap.board < len(rows) and hand[swap.card].trait not in rows[swap.board].traits
    }
    meant = replace(meant, traits=tuple(swaps.values()))
    used = set(cards_used(meant)) - {meant.food}
    unused = [number for number in range(len(asked.me.hand)) if number not in used]
    return replace(meant, food=min(unused, key=lambda number: asked.me.hand[number].order))


@given(CHOICES, st.integers(0, 10**6))
def test_every_play_can_be_said_but_for_the_known_exceptions(asked: Choose, seed: int) -> None:
    assume(asked.me.species)
    meant = sayable(Rash(seed).choose(asked), asked)
    assume(asked.why_not(meant) is None)
    reply = RespondentAgent(Uttering(asked, meant)).choose(asked)
    assert isinstance(reply, CardPlay)
    assert reply == replace(meant, traits=reply.traits)
    wanted, got = (outcome(move, asked.me.species, asked.me.hand) for move in (meant, reply))
    assert not isinstance(wanted, Fault)
    assert not isinstance(got, Fault)
    assert (got.species, got.hand, got.food) == (wanted.species, wanted.hand, wanted.food)


# The example.


def test_the_example_runs_and_prints_the_ranking() -> None:
    done = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 4
    assert "gardener" in done.stdout


def test_the_example_beats_three_rash_players_in_most_games() -> None:
    game: Callable[[str], Result] = runpy.run_path(str(EXAMPLE))["game"]
    results = [game(str(seed)) for seed in range(30)]
    assert all(row.fault is None for result in results for row in result.ranking)
    wins = sum(result.ranking[0].name == "gardener" for result in results)
    assert wins >= 24


def test_the_example_plays_the_same_across_a_wire() -> None:
    gardener: Callable[[], Respondent] = runpy.run_path(str(EXAMPLE))["Gardener"]
    for seed in range(5):
        here, there, _, _ = games(seed, gardener)
        assert here == there
        assert {row.fault for row in here.ranking} == {None}
