"""The far end of three dialects: an agent decides the same across a wire as when it is asked directly."""

import contextlib
import json
from collections.abc import Callable, Sequence
from itertools import product
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import case
from tests.laws.replies import MANNERS
from tests.scenario import board
from tests.wire.requesting import CHOICES, FEEDS, HAND, HUNTER, SHELLED, choosing, feeding
from wateringhole.agents import Agent
from wateringhole.agents.bad import GALLERY, Bad
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.fault import Fault, Reason
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, Reply, StoreFat
from wateringhole.player import Other
from wateringhole.species import Species
from wateringhole.table import ask, play
from wateringhole.view import Choose, Feed, Own, Request, Start
from wateringhole.wire.client_end import AgentError, ClientEnd
from wateringhole.wire.dialect import Ask, Dialect, hold, talk
from wateringhole.wire.dialects import CLIENT_ENDS
from wateringhole.wire.framing import Json, Reader, parse
from wateringhole.wire.hello import Hello, HelloClient
from wateringhole.wire.json_codec import ShapeError, boards_out, cards_out, player_out
from wateringhole.wire.native import Native
from wateringhole.wire.s16 import S16, S16Client
from wateringhole.wire.tagged import Tagged, TaggedClient

DIALECTS: dict[str, Callable[[], Dialect]] = {"s16": S16, "hello": Hello, "tagged": Tagged, "native": Native}
BY_PLACE = ["s16", "hello", "tagged"]  # whom one attacks is said by a place among the others
WAYS = [("s16", False), ("s16", True), ("hello", False), ("tagged", True), ("native", False)]
"""The dialects, with bare or with tagged growth."""


def across(value: Json, most: int | None = None) -> Json:
    """The value as it arrives at the other end of a stream that knows no separators; a server's are nested deeper."""
    reader = Reader(most_depth=16)
    reader.feed(json.dumps(value).encode(), 0.0)
    text = reader.take(1.0, most)
    assert text is not None
    assert reader.held == 0
    return parse(text)


class Far:
    """An agent at the other end of a wire: a seat that the server's dialect talks to, and a visitor who answers."""

    def __init__(self, agent: Agent, dialect: str, tagged_growth: bool = False) -> None:
        self.dialect = DIALECTS[dialect]()
        self.visitor = CLIENT_ENDS[dialect](agent, tagged_growth)
        for message in self.dialect.welcome(1):
            assert self.visitor.hear(across(message)) == []

    def start(self, request: Start) -> None:
        for message in self.dialect.start(request):
            assert self.visitor.hear(across(message)) == []

    def choose(self, request: Choose) -> CardPlay:
        return cast(CardPlay, self.reply(request))

    def feed(self, request: Feed) -> Feeding:
        return cast(Feeding, self.reply(request))

    def reply(self, request: Request) -> Reply:
        return hold(talk(self.dialect, request), request, self.answered)

    def answered(self, question: Ask) -> Json:
        [answer] = self.visitor.hear(across(question.value))
        return across(answer, question.most)


def far_reply(agent: Agent, request: Request, dialect: str, tagged_growth: bool = False) -> Reply:
    """What comes back when the agent is asked this at the other end of a wire."""
    far = Far(agent, dialect, tagged_growth)
    far.start(Start(request.me, request.watering_hole, 1))
    return far.reply(request)


class Spy:
    """Keeps what it is shown, and does as little as it may."""

    def __init__(self) -> None:
        self.seen: list[Start | Request] = []

    def start(self, request: Start) -> None:
        self.seen.append(request)

    def choose(self, request: Choose) -> CardPlay:
        self.seen.append(request)
        return CardPlay(0)

    def feed(self, request: Feed) -> Feeding:
        self.seen.append(request)
        return Decline()


class Says:
    """Answers this, whatever it is asked."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, _: Choose) -> CardPlay:
        return cast(CardPlay, self.answer)

    def feed(self, _: Feed) -> Feeding:
        return cast(Feeding, self.answer)


# The law: a request, and whole games.


def same(agent: Callable[[], Agent], asked: Request, way: tuple[str, bool]) -> bool:
    """Whether both ways give the same move; an agent that cannot answer must not be able to in either."""
    near = ask(agent(), asked)
    try:
        return far_reply(agent(), asked, *way) == near
    except AgentError as error:
        return isinstance(near, Fault) and str(error) == near.text


@given(CHOICES, st.sampled_from([*MANNERS]), st.integers(0, 10**6), st.sampled_from(WAYS))
def test_a_card_play_is_the_same_across_a_wire(asked: Choose, manner: str, seed: int, way: tuple[str, bool]) -> None:
    assert same(lambda: MANNERS[manner](str(seed)), asked, way)


@given(FEEDS, st.integers(0, 10**6), st.sampled_from(WAYS))
def test_a_feeding_is_the_same_across_a_wire(asked: Feed, seed: int, way: tuple[str, bool]) -> None:
    assert same(Silly, asked, way)
    assert same(lambda: Rash(seed), asked, way)


@given(FEEDS, st.sampled_from(WAYS))
def test_every_option_can_be_said(asked: Feed, way: tuple[str, bool]) -> None:
    class Nth:
        """Chooses by place in the list, so that it does not matter how the seats are numbered."""

        def __init__(self, number: int) -> None:
            self.number = number

        def choose(self, request: Choose) -> CardPlay:
            raise AssertionError(request)

        def feed(self, request: Feed) -> Feeding:
            return request.options[self.number]

    for number, option in enumerate(asked.options):
        assert far_reply(Nth(number), asked, *way) == option


CASTS: dict[str, Callable[[int, int], Agent]] = {
    "silly": lambda _, __: Silly(),
    "rash": lambda seed, seat: Rash(f"{seed}:{seat}"),
    "both": lambda seed, seat: Rash(f"{seed}:{seat}") if seat % 2 else Silly(),
}


@pytest.mark.parametrize("way", [*WAYS, None], ids=str)
def test_a_game_across_wires_has_the_same_record(way: tuple[str, bool] | None) -> None:
    for at, (number, cast_) in enumerate(product(range(3, 9), CASTS)):
        hole = (0, 60)[at % 2]
        with case(number, cast_, hole):
            names = [f"player {seat}" for seat in range(1, number + 1)]
            near = [CASTS[cast_](number, seat) for seat in range(number)]
            ways = [way or WAYS[seat % len(WAYS)] for seat in range(number)]
            far = [Far(CASTS[cast_](number, seat), *ways[seat]) for seat in range(number)]
            here, there = (play(agents, shuffled(number), names, hole) for agents in (near, far))
            assert here == there
            assert {row.fault for row in here.ranking} == {None}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_games_across_wires_say_every_kind_of_move(dialect: str) -> None:
    said = set()
    for seed in range(6):
        agents = [Far(agent, dialect) for agent in (Rash(1), Silly(), Rash(2), Silly())]
        said |= {type(reply) for _, reply in play(agents, shuffled(seed), list("abcd"), 100).record.replies}
    assert said == {CardPlay, Graze, StoreFat, Attack, Decline}


# What the agent is shown.


def rows(others: Sequence[Other]) -> list[tuple[Species, ...]]:
    return [other.species for other in others]


@pytest.mark.parametrize("dialect", DIALECTS)
@given(asked=CHOICES)
def test_whoever_chooses_sees_what_the_server_tells(dialect: str, asked: Choose) -> None:
    spy = Spy()
    far_reply(spy, asked, dialect)
    started, seen = spy.seen
    assert isinstance(started, Start)
    assert isinstance(seen, Choose)
    assert started.me == seen.me
    assert (seen.me.species, seen.me.hand, seen.me.bag) == (asked.me.species, asked.me.hand, asked.me.bag)
    assert (rows(seen.before), rows(seen.after)) == (rows(asked.before), rows(asked.after))
    assert seen.me.seat == (1 if dialect == "s16" else asked.me.seat)
    assert seen.watering_hole == started.watering_hole == (asked.watering_hole if dialect in {"s16", "native"} else 0)
    assert (started.turn, seen.turn) == (1, 1)


@pytest.mark.parametrize("dialect", DIALECTS)
@given(asked=FEEDS)
def test_whoever_feeds_sees_what_the_server_tells(dialect: str, asked: Feed) -> None:
    spy = Spy()
    Far(spy, dialect).reply(asked)
    [seen] = spy.seen
    assert isinstance(seen, Feed)
    assert (seen.me.species, seen.me.hand, seen.me.bag) == (asked.me.species, asked.me.hand, asked.me.bag)
    assert (rows(seen.others), seen.watering_hole) == (rows(asked.others), asked.watering_hole)
    assert [other.seat - seen.me.seat for other in seen.others] == [*range(1, len(asked.others) + 1)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_others_keep_their_numbers_from_choosing_to_feeding(dialect: str) -> None:
    marked = [board("horns", body=number) for number in range(1, 5)]
    own = Own(3, (board(), board()), HAND, 0)
    one, two, four, five = (Other(seat, (row,), 4) for seat, row in zip((1, 2, 4, 5), marked, strict=True))
    spy = Spy()
    far = Far(spy, dialect)
    far.start(Start(own, 5, 1))
    far.reply(Choose(own, 5, (one, two), (four, five)))
    far.reply(Feed(own, 5, (four, five, one, two)))
    _, choose, feed = spy.seen
    assert isinstance(choose, Choose)
    assert isinstance(feed, Feed)
    assert {(other.seat, other.species) for other in (*choose.before, *choose.after)} == {
        (other.seat, other.species) for other in feed.others
    }
    assert feed.me.seat not in {other.seat for other in feed.others}


def test_a_turn_is_counted_with_each_start() -> None:
    spy = Spy()
    play([Far(spy, "s16"), Rash(1), Rash(2)], shuffled(3), list("abc"), watering_hole=30)
    turns = [seen.turn for seen in spy.seen]
    assert turns == sorted(turns)
    assert [seen.turn for seen in spy.seen if isinstance(seen, Start)] == [*range(1, turns[-1] + 1)]


# Sign-up, and the end.


def test_the_sign_up_is_the_name_but_in_hello() -> None:
    assert S16Client(Silly()).sign_up("Ada") == TaggedClient(Silly()).sign_up("Ada") == "Ada"
    assert HelloClient(Silly()).sign_up("Ada") == "Hello"


@pytest.mark.parametrize(("dialect", "due"), [("s16", "ok"), ("hello", "ack"), ("tagged", "ok")])
def test_the_first_message_greets(dialect: str, due: str) -> None:
    values: list[Json] = ["game over", None, 1]
    if dialect != "tagged":  # where a dealer may speak first
        values.append([0, 0, [], []])
    for value in values:
        with pytest.raises(ShapeError, match=f'not with "{due}"'):
            CLIENT_ENDS[dialect](Silly()).hear(value)
    visitor = CLIENT_ENDS[dialect](Silly())
    assert visitor.hear(due) == []
    with pytest.raises(ShapeError, match=f'a message is "{due}"'):
        visitor.hear(due)


def test_the_scores_of_hello_are_kept() -> None:
    visitor = greeted(HelloClient)
    assert visitor.missing == "the server closed the connection before the first turn"
    visitor.hear(["start", player_out(2, Own(2, (), HAND, 0))])
    assert visitor.missing == "the server closed the connection before it told the scores"
    assert visitor.hear([[2, 31], [1, 30], [3, 0]]) == []
    assert (visitor.scores, visitor.seat, visitor.missing) == (((2, 31), (1, 30), (3, 0)), 2, "")
    with pytest.raises(ShapeError, match="although nothing can follow"):
        visitor.hear([[2, 31]])


def test_the_scores_are_as_our_own_server_sends_them() -> None:
    visitor = greeted(HelloClient)
    for message in Hello().over(1, play([Silly()] * 3, shuffled(1))):
        visitor.hear(across(message))
    assert visitor.scores is not None
    assert sorted(seat for seat, _ in visitor.scores) == [1, 2, 3]


@pytest.mark.parametrize("dialect", ["s16", "tagged"])
def test_where_no_scores_are_told_the_second_turn_may_be_the_last(dialect: str) -> None:
    far = Far(Silly(), dialect)
    assert far.visitor.missing == "the server closed the connection before the first turn"
    far.start(Start(Own(1, (), HAND, 0), 0, 1))
    assert far.visitor.missing == "the server closed the connection in turn 1, too early for the end of a game"
    far.start(Start(Own(1, (), HAND, 0), 0, 2))
    assert (far.visitor.missing, far.visitor.scores) == ("", None)


def test_a_full_table_is_told() -> None:
    visitor = HelloClient(Silly())
    assert visitor.hear("game full") == []
    assert visitor.missing == "the game is full"
    with pytest.raises(ShapeError, match="although nothing can follow"):
        visitor.hear("ack")


# What the servers of others do.


def test_a_server_may_count_ourselves_among_those_after_us() -> None:
    visitor = greeted(S16Client)
    me, other = boards_out([SHELLED]), boards_out([HUNTER])
    visitor.hear([0, 0, me, cards_out(HAND)])
    with_us, without = visitor.hear([[other], [me, other]]), visitor.hear([[other], [other]])
    assert with_us == without
    assert far_reply(Silly(), choosing(SHELLED), "s16") == ask(Silly(), choosing(SHELLED))


def test_the_state_to_choose_by_is_the_last_start() -> None:
    visitor = greeted(S16Client)
    visitor.hear([0, 0, boards_out([SHELLED]), cards_out(HAND[:4])])
    visitor.hear([0, 0, boards_out([SHELLED, SHELLED]), cards_out(HAND[:3])])
    assert visitor.hear([[], []]) == [[2, [], [], [[1, 0]], []]]


# Messages that are none.

BARE = boards_out([board()])
PLAYER = player_out(1, Own(1, (board(),), HAND, 0))


def test_a_message_of_no_known_shape_is_refused_with_its_value() -> None:
    rows: list[tuple[type[ClientEnd], Json, str]] = [
        (S16Client, 5, "a message is 5, not an array"),
        (S16Client, {"a": 1}, 'a message is {"a": 1}, not an array'),
        (S16Client, [], "a message has 0 items, not 4 (start), 2 (choose) or 5 (feed): []"),
        (S16Client, [1, 2, 3], "a message has 3 items"),
        (S16Client, [[], []], "choose comes before the first start"),
        (S16Client, [True, 0, [], []], "the watering hole is true"),
        (S16Client, [0, -1, [], []], "bag is -1"),
        (S16Client, [0, 0, [[]], []], "a species has 0 items"),
        (S16Client, [0, 0, [], [[9, "horns"]]], '[9, "horns"] is not one of the 122 cards'),
        (S16Client, [0, BARE, [], 1.0, []], "the watering hole is 1.0"),
        (S16Client, [0, BARE, [], 1, 2], "the other players is 2, not an array"),
        (HelloClient, ["begin", PLAYER], "not a start, choose or feed, nor the scores"),
        (HelloClient, ["start", PLAYER, PLAYER], "not a start, choose or feed, nor the scores"),
        (HelloClient, ["start", []], "a player has 0 items"),
        (HelloClient, ["choose", [[], [], []]], "the situation has 3 items"),
        (HelloClient, ["choose", [[], []]], "choose comes before the first start"),
        (HelloClient, ["feed", "1", [], PLAYER], 'the watering hole is "1"'),
        (HelloClient, [[1, 2, 3]], "a score has 3 items"),
        (HelloClient, [[0, 2]], "id is 0"),
        (HelloClient, [[1, 2.5]], "score is 2.5"),
        (TaggedClient, ["start", PLAYER], "not a start-round, choce-actions or pick-feeding"),
        (TaggedClient, ["choce-actions", [[], []]], "the choice has 2 items"),
        (TaggedClient, ["pick-feeding", [[], 1, []]], "the players has 0 items"),
        (TaggedClient, ["pick-feeding", [[PLAYER], 1, [[0, "x"]]]], "is not one of the 122 cards"),
        (TaggedClient, [[1, 2]], "not a start-round"),
    ]
    for kind, value, says in rows:
        with case(kind, value, says):
            with pytest.raises(ShapeError) as error:
                greeted(kind).hear(value)
            assert says in str(error.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(["start", "choose", "feed", "pick-feeding", "ok"]),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=30,
)


@given(st.sampled_from([*DIALECTS]), st.lists(JSON, max_size=4))
def test_whatever_is_said_only_shape_errors_come_out(dialect: str, values: list[Json]) -> None:
    visitor = CLIENT_ENDS[dialect](Says(Decline()))
    visitor.hear(visitor.greeting)
    for value in values:
        with contextlib.suppress(ShapeError):
            assert len(visitor.hear(value)) <= 1


# Agents that misbehave.


def test_an_illegal_move_is_said_and_left_for_the_server_to_judge() -> None:
    rows: list[CardPlay | Feeding] = [
        CardPlay(99, (Growth(7, 0), Growth(7, 0)), (Growth(9, 9),)),
        Graze(99),
        StoreFat(0, 10**9),
        Attack(5, 4, 17),
    ]
    ways = [way for way in WAYS if way[0] in BY_PLACE]
    assert ways
    for way, answer in product(ways, rows):
        with case(way, answer):
            asked = (
                choosing(SHELLED) if isinstance(answer, CardPlay) else feeding(HUNTER, others=[[], [], [], [board()]])
            )
            said = answer
            if isinstance(answer, Attack):
                # Seat 4 is the fourth of the others, numbered on from our own seat, which s16 does not tell.
                said = Attack(answer.board, 4 + (1 if way[0] == "s16" else asked.me.seat), answer.target)
            assert far_reply(Says(said), asked, *way) == answer


def test_an_attack_on_nobody_is_a_fault_at_the_server() -> None:
    for dialect, away in product(BY_PLACE, (-1, 0, 2, 99)):
        with case(dialect, away):
            asked = feeding(HUNTER, others=[[board()]])
            seat = away + (1 if dialect == "s16" else asked.me.seat)
            if seat >= 0:
                reply = far_reply(Says(Attack(0, seat, 0)), asked, dialect)
                assert isinstance(reply, Fault)
                assert reply.reason in {Reason.ILLEGAL, Reason.SHAPE}


@pytest.mark.parametrize("dialect", BY_PLACE)
def test_a_move_of_the_wrong_kind_is_said_too(dialect: str) -> None:
    for request, answer in ((choosing(SHELLED), Decline()), (feeding(board(), board()), CardPlay(0))):
        reply = far_reply(Says(answer), request, dialect)
        assert isinstance(reply, Fault)
        assert reply.reason == Reason.SHAPE


def test_an_agent_that_raises_has_no_answer() -> None:
    raising = {name: misdeed for name, misdeed in GALLERY.items() if misdeed.reason == Reason.EXCEPTION}
    assert raising
    for name, misdeed in raising.items():
        with case(name):
            due = "start" if misdeed.start else "feed" if misdeed.feed else "choose"
            request = feeding(board(), board()) if due == "feed" else choosing(SHELLED)
            with pytest.raises(AgentError, match=rf"^raised in {due}: \w+"):
                far_reply(Bad(name), request, "s16")


@pytest.mark.parametrize("answer", [None, "all my cards", False, Growth(0, 1)])
def test_what_is_no_move_is_not_sent(answer: object) -> None:
    with pytest.raises(AgentError, match=r"^answers feed with"):
        far_reply(Says(answer), feeding(board(), board()), "s16")


def test_the_users_interrupt_is_not_the_agents_fault() -> None:
    class Interrupted(Spy):
        def start(self, request: Start) -> None:
            raise KeyboardInterrupt(request)

    with pytest.raises(KeyboardInterrupt):
        Far(Interrupted(), "s16").start(Start(Own(1, (), HAND, 0), 0, 1))


# Growth in both spellings.


@pytest.mark.parametrize(
    ("dialect", "tagged_growth", "due"),
    [
        ("s16", False, [0, [[0, 1]], [[0, 2]], [], []]),
        ("s16", True, [0, [["population", 0, 1]], [["body", 0, 2]], [], []]),
        ("hello", False, [0, [[0, 1]], [[0, 2]], [], []]),
        ("hello", True, [0, [["population", 0, 1]], [["body", 0, 2]], [], []]),
        ("tagged", False, ["play", [0, [["population", 0, 1]], [["body", 0, 2]], [], []]]),
        ("tagged", True, ["play", [0, [["population", 0, 1]], [["body", 0, 2]], [], []]]),
    ],
)
def test_growth_is_bare_or_tagged_as_wanted(dialect: str, tagged_growth: bool, due: Json) -> None:
    asked = choosing(SHELLED)
    far = Far(Says(CardPlay(0, (Growth(0, 1),), (Growth(0, 2),))), dialect, tagged_growth)
    far.start(Start(asked.me, 0, 1))
    assert far.answered(next(far.dialect.choose(asked))) == due


def test_false_and_zero_are_different_answers() -> None:
    question = next(S16().feed(feeding(board(), board()))).value
    [declined], [first] = (
        greeted(S16Client, Says(Decline())).hear(question),
        greeted(S16Client, Says(Graze(0))).hear(question),
    )
    assert declined is False
    assert (first, type(first)) == (0, int)


def greeted(kind: type[ClientEnd], agent: Agent | None = None) -> ClientEnd:
    visitor = kind(agent or Silly())
    visitor.hear(visitor.greeting)
    return visitor
