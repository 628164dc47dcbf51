"""What dialects leave untold: the true numbers are in the bounds, and an agent is shown the guesses."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import case
from tests.laws.replies import MANNERS
from tests.scenario import board
from tests.wire.test_client_ends import Far, Spy, across
from wateringhole.agents import Agent
from wateringhole.agents.bad import GALLERY, Bad
from wateringhole.agents.house import named
from wateringhole.agents.playout_sage import PlayoutSage
from wateringhole.agents.rash import Rash
from wateringhole.cards import DECK, shuffled
from wateringhole.fault import Fault
from wateringhole.moves import CardPlay, Feeding
from wateringhole.player import Other
from wateringhole.rules.cardplay import cards_used
from wateringhole.species import Species
from wateringhole.table import play
from wateringhole.view import Choose, Feed, Request
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import cards_out
from wateringhole.wire.tagged import TaggedClient
from wateringhole.wire.unseen import Estimate, Unseen

HOUSE = ["silly", "greedy", "rash", "hunter", "shepherd"]


def exactly(number: int) -> Estimate:
    return Estimate(number, number, number)


# The laws, over whole games.


class Followed:
    """An agent that is told all numbers, beside an `Unseen` that is not; the differences of each guess are kept."""

    def __init__(self, agent: Agent) -> None:
        self.misses: list[int] = []
        self._agent = agent
        self._unseen = Unseen()

    def choose(self, request: Choose) -> CardPlay | Fault:
        others = request.after + request.before
        self._unseen.choosing(len(request.me.hand), [other.species for other in others])
        self._check(request, others)
        play = self._agent.choose(request)
        assert isinstance(play, CardPlay)
        self._unseen.played(len(cards_used(play)))
        return play

    def feed(self, request: Feed) -> Feeding | Fault:
        self._unseen.feeding(len(request.me.hand), [other.species for other in request.others])
        self._check(request, request.others)
        return self._agent.feed(request)

    def _check(self, request: Request, others: tuple[Other, ...]) -> None:
        numbers = [*self._unseen.hands, self._unseen.deck]
        truth = [*[other.cards for other in others], request.deck]
        for number, true in zip(numbers, truth, strict=True):
            assert 0 <= number.least <= number.guess <= number.most
            assert number.least <= true <= number.most, (number, true, request)
        assert sum(number.guess for number in numbers) <= len(DECK) - len(request.me.hand)
        self.misses += [abs(hand.guess - other.cards) for hand, other in zip(self._unseen.hands, others, strict=True)]


def followed_game(seed: int, cast: list[str], troubled: bool) -> list[int]:
    """How far each guess of a hand was off in a game of such players, some of whom get expelled."""
    dice = Random(seed)
    players = dice.randint(3, 8)
    followed = [Followed(_agent(dice.choice(cast), f"{seed}:{seat}")) for seat in range(players)]
    agents: list[Agent] = [*followed]
    for at in dice.sample(range(players), dice.randint(1, players - 1) if troubled else 0):
        agents[at] = Bad(dice.choice([*GALLERY]))
    result = play(agents, shuffled(f"unseen {seed}"), watering_hole=dice.choice([0, 0, 20, 60]))
    for row, agent in zip(sorted(result.ranking, key=lambda row: row.seat), agents, strict=True):
        assert row.fault is None or not isinstance(agent, Followed), row
    return [miss for agent in followed for miss in agent.misses]


def _agent(name: str, seed: str) -> Agent:
    return MANNERS[name](seed) if name in MANNERS else named(name, seed)


@given(st.integers(0, 10**6), st.lists(st.sampled_from([*MANNERS, *HOUSE]), min_size=1), st.booleans())
def test_the_true_numbers_are_always_in_the_bounds(seed: int, cast: list[str], troubled: bool) -> None:
    followed_game(seed, cast, troubled)


def test_most_guesses_of_hands_are_exact() -> None:
    misses = [miss for seed in range(20) for miss in followed_game(seed, HOUSE, troubled=False)]
    assert misses.count(0) > 0.7 * len(misses)
    assert sum(misses) < 0.5 * len(misses)


# By hand.


def test_the_first_turn_leaves_nothing_open_but_who_left_before_it() -> None:
    for others in range(2, 8):
        with case(others):
            unseen = Unseen()
            unseen.choosing(4, [(board(),)] * others)
            assert unseen.hands == [exactly(4)] * others
            dealt = 4 * (others + 1)
            assert unseen.deck == Estimate(122 - 4 * 8, 122 - dealt, 122 - dealt)


BEFORE = (board("horns", population=3, body=2), board())
"""The others' boards, with 4 cards in each hand."""
LATER: list[tuple[str, tuple[Species, ...], Estimate]] = [
    ("the food card, and no more than all cards", BEFORE, Estimate(0, 3, 6)),
    ("a blank board", (*BEFORE, board()), Estimate(0, 2, 4)),
    ("a board with a trait", (*BEFORE, board("ambush")), Estimate(0, 1, 2)),
    ("all cards for a board with two traits", (*BEFORE, board("ambush", "horns")), Estimate(0, 0, 0)),
    ("a body size", (BEFORE[0], board(body=1)), Estimate(0, 2, 4)),
    ("two animals", (BEFORE[0], board(population=3)), Estimate(0, 1, 2)),
    ("fewer animals tell nothing", (board("horns", population=1, body=2), board()), Estimate(0, 3, 6)),
    ("a replacement", (board("ambush", population=3, body=2), board()), Estimate(0, 2, 4)),
    ("a fertile board breeds by itself", (board("fertile", population=4, body=2), board()), Estimate(0, 2, 4)),
    ("a board died out", (BEFORE[0],), Estimate(2, 5, 8)),
    ("a smaller body is another board", (BEFORE[0], board(), board(body=1)), Estimate(0, 1, 2)),
    ("both died out, and one was bought", (board("ambush", "horns"),), Estimate(4, 4, 4)),
]


def test_what_boards_show_of_the_cards_used() -> None:
    for what, boards, hand in LATER:
        with case(what):
            unseen = Unseen()
            unseen.choosing(10, [BEFORE, BEFORE])
            unseen.told([4, 4], 80)
            unseen.played(10)
            unseen.feeding(0, [boards, BEFORE])
            assert unseen.hands == [hand, Estimate(0, 3, 6)]


def test_once_all_have_played_only_deaths_and_deals_change_a_hand() -> None:
    unseen = Unseen()
    unseen.choosing(10, [BEFORE, BEFORE])
    unseen.played(1)
    unseen.feeding(9, [BEFORE, BEFORE])
    unseen.told([3, 2], 80)
    unseen.feeding(9, [BEFORE[:1], BEFORE])
    assert (unseen.hands, unseen.deck) == ([exactly(5), exactly(2)], exactly(78))
    hungry = board("horns", population=2, body=2)
    unseen.choosing(13, [(hungry,), (hungry,)])
    assert (unseen.hands, unseen.deck) == ([exactly(5 + 4), exactly(2 + 2 + 4)], exactly(78 - 4 - 2 - 4 - 4))


def test_a_given_board_tells_that_all_others_have_died_out() -> None:
    unseen = Unseen()
    unseen.choosing(10, [BEFORE, BEFORE[:1]])
    unseen.told([0, 0], 80)
    unseen.choosing(10, [(board(),), (board(),)])
    assert unseen.hands == [Estimate(2 + 4, 2 + 4, 4 + 4), exactly(2 + 4)]
    assert unseen.deck == Estimate(80 - 8 - 4 - 2, 80 - 8 - 2 - 2, 80 - 8 - 2 - 2)


def test_when_a_player_has_left_each_place_may_be_the_next_ones() -> None:
    unseen = Unseen()
    unseen.choosing(4, [BEFORE, BEFORE, BEFORE])
    unseen.told([1, 5, 9], 80)
    unseen.feeding(4, [BEFORE, BEFORE])
    assert [(hand.least, hand.most) for hand in unseen.hands] == [(1, 5), (5, 9)]


def test_a_server_that_keeps_other_rules_gets_numbers_to_play_with() -> None:
    rich = (board("ambush", "horns", "climbing", body=7, population=7),) * 6
    unseen = Unseen()
    for others in ([rich] * 3, [()] * 9, [rich] * 7, [], [rich], [()], [BEFORE] * 4):
        with case(others):
            unseen.choosing(8, others)
            unseen.played(3)
            for number, boards in zip(unseen.hands, others, strict=True):
                assert 3 + len(boards) <= number.least <= number.guess <= number.most
            unseen.feeding(5, others)
            for number in (*unseen.hands, unseen.deck):
                assert 0 <= number.least <= number.guess <= number.most


# What an agent is shown.


def test_an_agent_is_shown_the_guesses() -> None:
    for dialect in ("s16", "hello", "tagged"):
        with case(dialect):
            spy = Spy()
            play([Far(spy, dialect), Rash(1), Rash(2)], shuffled(3), list("abc"), watering_hole=30)
            [first, *_] = [seen for seen in spy.seen if isinstance(seen, Choose)]
            assert [other.cards for other in first.before + first.after] == [4, 4]
            assert first.deck == 122 - 12
            for seen in spy.seen:
                if isinstance(seen, Choose):
                    assert all(other.cards >= 3 + len(other.species) for other in seen.before + seen.after)


def test_a_tagged_server_that_tells_hands_and_deck_is_believed() -> None:
    spy = Spy()
    visitor = TaggedClient(spy)
    visitor.hear("ok")
    players: list[Json] = [
        [["id", seat], ["species", []], ["bag", 0], ["cards", cards_out(DECK[at : at + number])]]
        for seat, at, number in ((1, 0, 4), (2, 4, 6), (3, 10, 0))
    ]
    visitor.hear(across(["pick-feeding", [players, 5, cards_out(DECK[20:50])]]))
    visitor.hear(across(["start-round", players[0]]))
    visitor.hear(across(["choce-actions", [players[0], [], [[], []]]]))
    feed, _, choose = spy.seen
    assert isinstance(feed, Feed)
    assert ([other.cards for other in feed.others], feed.deck) == ([6, 0], 30)
    assert isinstance(choose, Choose)
    assert ([other.cards for other in choose.after], choose.deck) == ([6 + 3, 0 + 3], 30 - 6)


def test_the_sage_plays_by_guesses_also_when_it_is_left_alone() -> None:
    for dialect, company in (("s16", "raises-in-start"), ("hello", "card-twice"), ("tagged", "missing-feeding-board")):
        with case(dialect, company):
            agents: list[Agent] = [Far(PlayoutSage(1, iterations=25), dialect), Bad(company), Bad(company)]
            [first, *rest] = play(agents, shuffled(1), list("abc"), watering_hole=30).ranking
            assert (first.name, first.fault) == ("a", None)
            assert None not in [row.fault for row in rest]
