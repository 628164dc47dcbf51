"""The table: agents that play, agents that fail, and what neither can do."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import cast

import pytest

from tests.cases import case
from wateringhole import rulebook
from wateringhole.agents import Agent
from wateringhole.agents.bad import GALLERY, Bad
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK, Card, shuffled
from wateringhole.dealer import answer, new_game
from wateringhole.events import Expelled, TurnEnded
from wateringhole.fault import Fault, Reason
from wateringhole.moves import CardPlay, Feeding, Graze, Growth, NewBoard, StoreFat
from wateringhole.record import Record, Result, read, replay, write
from wateringhole.rules.turn import ranking
from wateringhole.table import play, play_on
from wateringhole.value import COMPILED
from wateringhole.view import Choose, Feed, Start


def fault_of(result: Result, seat: int = 1) -> Fault | None:
    return next(row.fault for row in result.ranking if row.seat == seat)


def expulsions(record: Record) -> list[Expelled]:
    told = replay(record, listen=True).told
    assert told is not None
    return [event for event in told if isinstance(event, Expelled)]


def turns(record: Record) -> int:
    told = replay(record, listen=True).told
    assert told is not None
    return sum(isinstance(event, TurnEnded) for event in told)


# The gallery of misdeeds.


def committed(name: str) -> Result:
    """A game in which the first player finds the occasion for this misdeed."""
    for seed in range(200):
        for watering_hole in (0, 6, 30):
            agents: list[Agent] = [Bad(name), Silly(), Rash(seed), Silly()]
            result = play(agents, shuffled(seed), watering_hole=watering_hole)
            if fault_of(result) is not None:
                return result
    pytest.fail(f"{name} finds no occasion in 600 games")


def test_each_misdeed_is_expelled_for_its_reason_and_the_others_play_on() -> None:
    for name, misdeed in GALLERY.items():
        with case(name):
            result = committed(name)
            fault = fault_of(result)
            assert fault is not None
            assert (fault.reason, fault.rule) == (misdeed.reason, misdeed.rule)
            due = "start" if misdeed.start else "feed" if misdeed.feed else "choose"
            assert fault.during == due
            assert fault.text.isprintable()
            assert expulsions(result.record) == [Expelled(1, fault)]
            assert [row.seat for row in result.ranking][-1] == 1
            assert all(row.fault is None and row.score is not None for row in result.ranking[:-1])
            assert turns(result.record) > 1
            assert replay(result.record).phase == "over"


def test_the_gallery_has_a_misdeed_for_each_rule_that_refuses_a_reply() -> None:
    rules = {
        rule
        for rule in rulebook.ALL
        if rule.startswith(("cardplay.", "attack.")) or rule in {rulebook.GRAZE, rulebook.STORE_FAT, rulebook.OPTIONS}
    }
    told_only = {
        rulebook.PLAY_ASKED,
        rulebook.PLAY_EXECUTION,
        rulebook.PLAY_FOOD,
        rulebook.ATTACK,
        rulebook.HORNS,
    }
    assert rules - told_only <= {misdeed.rule for misdeed in GALLERY.values()}


# A game.


def test_agents_play_a_game_to_its_end() -> None:
    result = play([Silly(), Rash(1), Rash(2)], shuffled(1))
    game = replay(result.record)
    assert game.phase == "over"
    assert ranking(game) == result.ranking
    assert sorted(row.seat for row in result.ranking) == [1, 2, 3]
    assert expulsions(result.record) == []


def test_the_same_agents_on_the_same_deck_play_the_same_game() -> None:
    games = [play([Silly(), Rash(1), Rash(2)], shuffled(1)).record for _ in range(2)]
    assert games[0] == games[1]
    assert play([Silly(), Rash(1), Rash(3)], shuffled(1)).record != games[0]


class Robot(Silly):
    """Another class, for its name."""


def test_names_default_to_the_class_and_the_seat() -> None:
    assert play([Silly(), Robot(), Rash(1)], DECK).record.names == ("silly 1", "robot 2", "rash 3")
    assert play([Silly()] * 3, DECK, ["x", "y", "x"]).record.names == ("x", "y", "x")


@pytest.mark.parametrize("number", [0, 1, 2, 9])
def test_a_game_takes_3_to_8_agents(number: int) -> None:
    with pytest.raises(ValueError, match=f"{number} players, but a game takes 3 to 8"):
        play([Silly() for _ in range(number)], DECK)


@pytest.mark.parametrize("names", [["a", "b", "c"], ["a", "b", "c", "d", "e"], []])
def test_there_must_be_as_many_names_as_agents(names: list[str]) -> None:
    with pytest.raises(ValueError, match=str(len(names))):
        play([Silly()] * 4, DECK, names)


def test_a_deck_too_small_for_a_turn_ends_the_game_at_once() -> None:
    result = play([Silly()] * 3, DECK[:11])
    assert result.record.replies == ()
    assert [row.score for row in result.ranking] == [0, 0, 0]


# What is told besides the questions.


class Listener(Silly):
    """Remembers everything it is told."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def start(self, request: Start) -> None:
        self.heard.append(request)

    def choose(self, request: Choose) -> CardPlay:
        self.heard.append(request)
        return super().choose(request)

    def over(self, result: Result) -> None:
        self.heard.append(result)


def test_start_and_over_are_optional() -> None:
    assert not hasattr(Silly(), "start")
    assert not hasattr(Silly(), "over")
    assert expulsions(play([Silly()] * 3, DECK).record) == []


def test_start_is_told_before_each_choose_with_the_same_state_and_over_at_the_end() -> None:
    listener = Listener()
    result = play([Silly(), listener, Silly()], shuffled(3), watering_hole=5)
    starts = [item for item in listener.heard if isinstance(item, Start)]
    chooses = [item for item in listener.heard if isinstance(item, Choose)]
    assert [(told.me, told.watering_hole, told.turn) for told in starts] == [
        (asked.me, asked.watering_hole, asked.turn) for asked in chooses
    ]
    assert [told.turn for told in starts] == list(range(1, turns(result.record) + 1))
    assert listener.heard[::2][:-1] == starts
    assert listener.heard[-1] == result


class Sulker(Listener):
    """Fails in `over`."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def over(self, result: Result) -> None:
        super().over(result)
        raise self.error


@pytest.mark.parametrize("error", [ValueError("too late"), SystemExit(3)], ids=repr)
def test_a_failure_in_over_is_swallowed_and_the_others_are_told_all_the_same(error: BaseException) -> None:
    sulker, last = Sulker(error), Listener()
    result = play([Silly(), sulker, last], shuffled(3))
    assert sulker.heard[-1] == last.heard[-1] == result
    assert fault_of(result, 2) is None


def test_who_was_expelled_is_not_told_the_end() -> None:
    class Quitter(Listener):
        def choose(self, _: Choose) -> CardPlay:
            raise ValueError("enough")

    quitter = Quitter()
    play([quitter, Silly(), Silly()], shuffled(3))
    assert [type(item) for item in quitter.heard] == [Start]


def test_a_fault_in_start_keeps_the_player_out_of_the_others_choose_requests_of_that_turn() -> None:
    first, last = Listener(), Listener()
    result = play([first, Bad("raises-in-start"), last], shuffled(3))
    asked = [next(item for item in listener.heard if isinstance(item, Choose)) for listener in (first, last)]
    assert [[other.seat for other in (*choose.before, *choose.after)] for choose in asked] == [[3], [1]]
    assert result.record.replies[0] == (2, fault_of(result, 2))


def test_a_fault_in_choose_is_seen_by_nobody_before_all_have_chosen() -> None:
    first, last = Listener(), Listener()
    play([first, Bad("raises-in-choose"), last], shuffled(3))
    asked = [[item for item in listener.heard if isinstance(item, Choose)] for listener in (first, last)]
    seen = [[[other.seat for other in (*choose.before, *choose.after)] for choose in chooses] for chooses in asked]
    assert [row[0] for row in seen] == [[2, 3], [1, 2]]
    assert [row[1] for row in seen] == [[3], [1]]


@pytest.mark.parametrize("name", ["raises-in-start", "raises-in-choose", "raises-in-feed"])
def test_a_game_from_which_everybody_is_expelled_ends(name: str) -> None:
    result = play([Bad(name) for _ in range(4)], shuffled(3), watering_hole=20)
    assert [event.seat for event in expulsions(result.record)] == [1, 2, 3, 4]
    assert [row.score for row in result.ranking] == [None] * 4
    assert replay(result.record).phase == "over"


# Agents that fail in ways of their own.


class Answering(Silly):
    """Answers choose, or feed, with whatever this gives."""

    def __init__(self, answer: Callable[[], object], to: str = "choose") -> None:
        self.answer = answer
        self.to = to

    def choose(self, request: Choose) -> CardPlay:
        return cast(CardPlay, self.answer()) if self.to == "choose" else super().choose(request)

    def feed(self, request: Feed) -> Feeding:
        return cast(Feeding, self.answer()) if self.to == "feed" else super().feed(request)


class SpeechlessError(Exception):
    """Cannot be put into words."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class HauntedError(Exception):
    """Has notes that cannot be read."""

    @property
    def __notes__(self) -> list[str]:  # type: ignore[override]
        raise RuntimeError("no notes")


class Nameless:
    """Its name cannot be said, and the failure neither."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __repr__(self) -> str:
        raise self.error


class Ugly:
    def __repr__(self) -> str:
        return "two\nlines, \x1b[31mred, \ud800"


def raising(error: BaseException) -> Callable[[], object]:
    def fail() -> object:
        raise error

    return fail


def noted() -> Exception:
    error = ValueError("the cause")
    error.add_note("a note")
    return error


FAILURES: dict[str, Callable[[], object]] = {
    "an exception without words": raising(SpeechlessError()),
    "an exception with unreadable notes": raising(HauntedError("x")),
    "an exception of many lines": raising(ValueError("one\ntwo\n\x1b[31mthree")),
    "an exception of many words": raising(ValueError("word " * 10_000)),
    "an exception with a lone surrogate": raising(ValueError("\ud800")),
    "an exception group": raising(ExceptionGroup("all at once", [ValueError("one"), TypeError("two")])),
    "a syntax error": raising(SyntaxError("bad", ("file.py", 1, 2, "code = ="))),
    "an assertion": raising(AssertionError()),
    "a stop iteration": raising(StopIteration(3)),
    "an exit": raising(SystemExit("bye")),
    "an exit without words": raising(SystemExit()),
    "a memory error": raising(MemoryError()),
    "an answer that cannot be shown": lambda: Nameless(RuntimeError("no name")),
    "an answer that cannot be shown for reasons that cannot be told": lambda: Nameless(SpeechlessError()),
    "an answer that exits when shown": lambda: Nameless(SystemExit(1)),
    "an answer of many lines": Ugly,
    "a move with a part that cannot be shown": lambda: Graze(cast(int, Nameless(RuntimeError("no name")))),
    "a move with an ugly part": lambda: CardPlay(cast(int, Ugly())),
    "a class for a move": lambda: CardPlay,
    "a generator": lambda: (number for number in range(3)),
    "a dictionary": lambda: {"move": "play", "food": 0},
    "a list": lambda: [0, [], [], [], []],
    "a huge card number": lambda: CardPlay(10**30),
    "a card number beyond all printing": lambda: CardPlay(10**5_000),
    "a huge number of traits": lambda: CardPlay(0, boards=(NewBoard(1, tuple(range(10_000))),)),
    "a huge number of growths": lambda: CardPlay(0, population=(Growth(0, 1),) * 10_000),
    "text for a number": lambda: StoreFat(0, cast(int, "1")),
    "NaN for a number": lambda: Graze(cast(int, float("nan"))),
}


def outlasting(failure: str, to: str = "choose") -> Result:
    """A game in which the first player fails like this."""
    broken: str | None = None
    try:
        return play([Answering(FAILURES[failure], to), Silly(), Silly()], shuffled(3), watering_hole=20)
    except BaseException as error:  # some of these would break the test's own report as well
        broken = type(error).__name__
    pytest.fail(f"the table broke with {broken}")


def test_whatever_an_agent_answers_or_raises_only_it_leaves() -> None:
    for to, failure in product(("choose", "feed"), FAILURES):
        with case(to, failure):
            result = outlasting(failure, to)
            fault = fault_of(result)
            assert fault is not None
            assert fault.during == to
            assert expulsions(result.record) == [Expelled(1, fault)]
            assert all(row.fault is None for row in result.ranking[:-1])


def test_whatever_an_agent_answers_or_raises_fits_into_one_line_and_a_record(tmp_path: Path) -> None:
    for failure in FAILURES:
        with case(failure):
            result = outlasting(failure)
            fault = fault_of(result)
            assert fault is not None
            assert fault.text.isprintable(), "it fits behind a player's name and cannot move a cursor"
            assert len(fault.text) < 400
            write(result.record, tmp_path / "game")
            assert read(tmp_path / "game") == result.record


def test_a_fault_tells_what_was_raised_and_not_only_its_note() -> None:
    fault = fault_of(play([Answering(raising(noted())), Silly(), Silly()], DECK))
    assert fault is not None
    assert fault.reason is Reason.EXCEPTION
    assert "ValueError: the cause" in fault.text


class Unready(Silly):
    """Has a `start` and an `over` that cannot even be looked up."""

    @property
    def start(self) -> Callable[[Start], None]:
        raise RuntimeError("no start")


class Unending(Silly):
    @property
    def over(self) -> Callable[[Result], None]:
        raise RuntimeError("no end")


def test_an_agent_whose_start_cannot_be_looked_up_is_expelled() -> None:
    fault = fault_of(play([Unready(), Silly(), Silly()], DECK))
    assert fault is not None
    assert (fault.reason, fault.during) == (Reason.EXCEPTION, "start")


def test_an_agent_whose_over_cannot_be_looked_up_harms_nobody() -> None:
    listener = Listener()
    result = play([Unending(), Silly(), listener], DECK)
    assert listener.heard[-1] == result


def test_an_object_that_is_no_agent_is_expelled() -> None:
    fault = fault_of(play([cast(Agent, object()), Silly(), Silly()], DECK))
    assert fault is not None
    assert fault.reason is Reason.EXCEPTION
    assert "choose" in fault.text


def test_an_interrupt_by_the_user_is_not_taken_for_a_fault() -> None:
    with pytest.raises(KeyboardInterrupt):
        play([Answering(raising(KeyboardInterrupt())), Silly(), Silly()], DECK)


# What an agent is shown cannot be changed: compiled, nothing of it; in plain Python, cards and tuples.


class Vandal(Silly):
    """Tries to change all that it is shown and that its core protects."""

    def __init__(self) -> None:
        self.survived: list[str] = []
        self.tried = 0

    def start(self, request: Start) -> None:
        self.deface("start", request, ["me", "watering_hole", "turn"])
        self.deface("me", request.me, ["species", "hand", "bag", "seat"])

    def choose(self, request: Choose) -> CardPlay:
        self.deface("choose", request, ["me", "watering_hole", "before", "after", "turn", "deck"])
        self.deface("me", request.me, ["species", "hand", "bag", "seat"])
        for card in request.me.hand:
            self.deface("card", card, ["food", "trait", "order"])
        for other in request.before + request.after:
            self.deface("other", other, ["species", "cards", "seat"])
            self.deface("board", other.species[0], ["food", "population", "body", "fat_food", "traits", "mask"])
        self.insist_on_tuples(request.before, request.after, request.me.hand, request.me.species)
        return super().choose(request)

    def feed(self, request: Feed) -> Feeding:
        self.deface("feed", request, ["me", "watering_hole", "others", "turn", "deck"])
        for board in request.me.species:
            self.deface("board", board, ["food", "population", "body", "fat_food", "traits", "mask"])
            self.insist_on_tuples(board.traits)
        self.insist_on_tuples(request.others, request.me.hand, request.me.species)
        request.options.clear()
        return super().feed(request)

    def insist_on_tuples(self, *parts: object) -> None:
        self.survived += [repr(part) for part in parts if not isinstance(part, tuple)]

    def deface(self, what: str, value: object, fields: list[str]) -> None:
        for field in fields if COMPILED or isinstance(value, Card) else ():
            self.tried += 1
            assert hasattr(value, field)
            try:
                setattr(value, field, 7)
                self.survived.append(f"{what}.{field} can be set")
            except AttributeError:
                pass
            try:
                delattr(value, field)
                self.survived.append(f"{what}.{field} can be deleted")
            except AttributeError:
                pass


def test_an_agent_cannot_change_the_game_by_changing_what_it_is_shown() -> None:
    vandal = Vandal()
    vandalised = play([vandal, Rash(1), Silly()], shuffled(3), ["a", "b", "c"], 12)
    assert vandal.survived == []
    assert vandal.tried > 100
    assert vandalised == play([Silly(), Rash(1), Silly()], shuffled(3), ["a", "b", "c"], 12)


class Restless(Silly):
    """Fails as soon as a turn begins."""

    def start(self, _: Start) -> None:
        raise RuntimeError("not again")


def test_nobody_is_asked_twice_when_the_last_who_had_not_chosen_fail_at_the_start() -> None:
    for seed in range(30):
        game = new_game(["Ann", "Bob", "Cleo"], shuffled(seed), watering_hole=9)
        answer(game, 1, CardPlay(0))
        play_on(game, [Silly(), Restless(), Restless()])
        assert game.phase == "over"
        assert [seat for seat, _ in game.expelled] == [2, 3]
        assert list(game.players) == [1]
