"""Rogue clients of the dialect `s16`, one misdeed each, with the threat that each stands for.

Laws: every misdeed is bounded in time and in bytes. Before its moment a rogue plays by the rules; afterwards it plays
on, if the server lets it.
"""

import json
from collections.abc import Callable
from enum import Enum
from typing import Final

from msgspec import Struct

from wateringhole.agents.bad import GALLERY
from wateringhole.agents.bad.misdeed import NOT_YET
from wateringhole.conformance.rogue_acts import (
    CROWD,
    DRIP_BYTES,
    Act,
    answer_and_blanks,
    answer_and_chat,
    answer_by_bytes,
    answer_twice,
    answers,
    drips,
    half_an_answer_and_leave,
    half_an_answer_and_reset,
    half_close,
    half_close_behind_the_answer,
    leave,
    reset,
    says,
    says_then,
    silence,
    silent_crowd,
    sleep,
    stream,
    torn_crowd,
)
from wateringhole.conformance.scripted_client import SILLY, Plays, ScriptedClient
from wateringhole.moves import CardPlay, NewBoard
from wateringhole.view import Choose, Feed, Request


class Moment(Enum):
    """When a misdeed is done."""

    CALL = "before sign-up"
    SEAT = "after sign-up"
    START = "when a turn begins"
    CHOOSE = "when asked for a card play"
    FEED = "when asked for a feeding"


class RogueCase(Struct, frozen=True):
    """One rogue: what it does and when, what it stands for, and how many good clients sign up before it.

    It waits for a question that `fits`.
    """

    name: str
    does: str
    threat: str
    moment: Moment
    act: Act
    before: int = 1
    fits: Callable[[Request], bool] = lambda _: True

    @property
    def plays(self) -> Plays:
        """How it plays its cards so that its moment may come."""
        return _feast if self.moment is Moment.FEED else SILLY


def _feast(request: Choose) -> CardPlay:
    """Much food and some small boards: the likeliest way to be asked for a feeding soon."""
    hand = request.me.hand
    food = max(range(len(hand)), key=lambda card: hand[card].food)
    rest = [card for card in range(len(hand)) if card != food]
    return CardPlay(food, boards=tuple(NewBoard(card) for card in rest[:3]))


async def wait_for(case: RogueCase, caller: ScriptedClient) -> None:
    """Play like silly up to the misdeed's moment; Hangup if it never comes."""
    if case.moment is Moment.CALL:
        return
    await caller.sign_up(f"rogue {case.name}")
    if case.moment is Moment.SEAT:
        return
    while True:
        await caller.listen()
        match case.moment, caller.asked:
            case Moment.START, None:
                return
            case (Moment.CHOOSE, Choose() as asked) | (Moment.FEED, Feed() as asked) if case.fits(asked):
                return
        await caller.answer()


async def play_on(caller: ScriptedClient) -> None:
    """Play like silly to the end, which is a Hangup."""
    if not caller.seated:
        await caller.welcome()
    while True:
        await caller.listen()
        await caller.answer()


# Misdeeds.


# The gallery. Each sentence of what a rogue does goes on where its name ends.

_NAME: Final = "A name is the only text that a stranger puts into a server, its log and every player's screen."
_SIGN_UP: Final = "An open port is called by clients that want something else."
_WAITING: Final = (
    "A server that waits for one client without a limit, or one after the other, keeps all of them waiting."
)
_SIZE: Final = "Bytes cost the server memory and time before it knows whether they mean anything."
_PARSER: Final = "A parser has limits of its own, and fails at them in its own way."
_TYPE: Final = "What a language takes for a number is not always what the game means by one."
_ORDER: Final = "An answer that is taken for another question's answer makes a move that no client chose."
_CONNECTION: Final = "A connection can end at any moment and in more than one way."
_RULES: Final = "What can be read can still be against the rules; only the player that sends it may lose by it."
_CROWD: Final = "Each connection costs the server something, even if its client never says a word."


def _name(name: str, does: str, spelling: str) -> RogueCase:
    return RogueCase(f"name-{name}", does, _NAME, Moment.CALL, says(json.dumps(spelling).encode() + b"\n"))


def _call(name: str, does: str, act: Act, threat: str = _SIGN_UP) -> RogueCase:
    return RogueCase(name, does, threat, Moment.CALL, act, before=0)


def _play(name: str, does: str, data: bytes, threat: str) -> RogueCase:
    return RogueCase(name, does, threat, Moment.CHOOSE, says(data + b"\n"))


def _feed(name: str, does: str, data: bytes, threat: str) -> RogueCase:
    return RogueCase(name, does, threat, Moment.FEED, says(data + b"\n"))


def _types(name: str, spelling: bytes, what: str) -> tuple[RogueCase, RogueCase]:
    """The same wrong value as a card number and as a board number."""
    return (
        _play(f"{name}-for-card", f"plays the food card {what}", b"[" + spelling + b",[],[],[],[]]", _TYPE),
        _feed(f"{name}-for-board", f"feeds the board {what}", spelling, _TYPE),
    )


def _illegal(name: str, does: str) -> RogueCase:
    """A misdeed of the bad agents, over the wire."""
    misdeed = GALLERY[name]
    make = misdeed.choose or misdeed.feed
    assert make is not None
    moment = Moment.CHOOSE if misdeed.choose is not None else Moment.FEED
    answer: Callable[[Request], object] = make  # type: ignore[assignment]  # it gets only requests of its kind
    return RogueCase(name, does, _RULES, moment, answers(answer), fits=lambda request: answer(request) is not NOT_YET)


_PLAY: Final = b"[0,[],[],[],[]]"

CASES: Final = (
    # Sign-up.
    _call("silent-sign-up", "connects and says nothing", silence, _WAITING),
    _call(
        "drip-fed-sign-up", "says its name a byte at a time, and never ends", drips(b'"' + b"d" * DRIP_BYTES), _WAITING
    ),
    _call("number-for-name", "signs up with a number", says(b"42\n")),
    _call("object-for-name", "signs up with an object", says(b'{"name":"rogue"}\n')),
    _call("browser", "asks for a web page", says(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")),
    _call("sign-up-bad-utf8", "has a name that is no UTF-8", says(b'"\xff\xfe\xc0\x80"\n')),
    _call("sign-up-stream", "says a name of 10 MB", stream, _SIZE),
    _name("empty", "has an empty name", ""),
    _name("10-kb", "has a name of 10,000 letters", "n" * 10_000),
    _name("huge", "has a name of 500,000 letters", "N" * 500_000),
    _name("control", "has a name that clears the screen and rings the bell", "\x1b[2J\x07\x00\x7f"),
    _name("newline", "has a name that looks like two lines of a log", "rogue\n1 player id: 1 score: 999\r\n"),
    _name("rtl", "has a name that turns the direction of writing", "\u202eeugor\u202d\u2066"),
    _name("emoji", "has a name of emoji and combining marks", "\U0001f995\U0001f3fd\u200d\U0001f996" + "\u0301" * 30),
    _name("surrogate", "has half a surrogate pair for a name", "\ud800"),
    _name("markup", "has a name that is a script", "<script>alert(1)</script>'; DROP TABLE games; --"),
    _name("borrowed", "has the name of a good client", "good 1"),
    _call("leaves-before-sign-up", "connects and leaves", leave, _CONNECTION),
    _call("resets-before-sign-up", "connects and resets the connection", reset, _CONNECTION),
    _call("leaves-in-sign-up", "leaves in the middle of its name", says_then(b'"rog', leave), _CONNECTION),
    _call(
        "resets-in-sign-up", "resets the connection in the middle of its name", says_then(b'"rog', reset), _CONNECTION
    ),
    _call(
        "half-close-in-sign-up",
        "ends in the middle of its name, but listens on",
        says_then(b'"rog', half_close),
        _CONNECTION,
    ),
    _call("silent-crowd", f"opens {CROWD} more connections and says nothing", silent_crowd, _CROWD),
    _call("torn-crowd", f"opens {CROWD} more connections and resets each at once", torn_crowd, _CROWD),
    # Between sign-up and the first question.
    RogueCase("leaves-after-sign-up", "leaves before the game begins", _CONNECTION, Moment.SEAT, leave, before=0),
    RogueCase(
        "resets-after-sign-up",
        "resets the connection before the game begins",
        _CONNECTION,
        Moment.SEAT,
        reset,
        before=0,
    ),
    RogueCase(
        "half-close-after-sign-up",
        "ends its side of the connection, but listens on",
        _CONNECTION,
        Moment.SEAT,
        half_close,
    ),
    RogueCase("early-answer", "answers before the game begins", _ORDER, Moment.SEAT, says(_PLAY + b"\n"), before=0),
    RogueCase("not-reading", "reads nothing after its sign-up", _WAITING, Moment.SEAT, sleep),
    RogueCase("leaves-at-start", "leaves when the turn begins", _CONNECTION, Moment.START, leave),
    RogueCase("resets-at-start", "resets the connection when the turn begins", _CONNECTION, Moment.START, reset),
    # Time.
    RogueCase("silent-at-choose", "never says what it plays", _WAITING, Moment.CHOOSE, silence),
    RogueCase("silent-at-feed", "never says what it feeds", _WAITING, Moment.FEED, silence),
    RogueCase(
        "drip-fed-play",
        "says its play a byte at a time, and never ends",
        _WAITING,
        Moment.CHOOSE,
        drips(b"[0," + b" " * DRIP_BYTES),
    ),
    RogueCase(
        "drip-fed-feeding",
        "says its feeding a byte at a time, and never ends",
        _WAITING,
        Moment.FEED,
        drips(b"[0," + b" " * DRIP_BYTES),
    ),
    RogueCase("play-in-single-bytes", "says a legal play in single bytes", _WAITING, Moment.CHOOSE, answer_by_bytes),
    # Bytes.
    _play("too-big", "answers with 64 KiB and a little more", b'"' + b"x" * 65_536 + b'"', _SIZE),
    RogueCase("stream", "answers with 10 MB", _SIZE, Moment.CHOOSE, stream),
    RogueCase("stream-at-feed", "answers a feeding with 10 MB", _SIZE, Moment.FEED, stream),
    RogueCase("blanks", "says 1 MB of white space behind its play", _SIZE, Moment.CHOOSE, answer_and_blanks),
    _play("nested-9", "answers with brackets 9 deep", b"[" * 9 + b"]" * 9, _PARSER),
    _play("nested-200", "answers with brackets 200 deep", b"[" * 200 + b"]" * 200, _PARSER),
    _play("nested-100000", "answers with 100,000 open brackets", b"[" * 100_000, _PARSER),
    _play("bad-json", "answers with brackets that do not match", b"[0,[},[],[],[]]", _PARSER),
    _play("bad-utf8", "answers with bytes that are no UTF-8", b'["\xff\xfe\xc0\x80"]', _PARSER),
    _play("utf16", "answers in UTF-16", _PLAY.decode().encode("utf-16"), _PARSER),
    _play("nul", "answers with NUL bytes", b"\x00" * 100, _PARSER),
    _play("nan", "answers with NaN", b"[NaN,[],[],[],[]]", _PARSER),
    _feed("nan-at-feed", "answers a feeding with NaN", b"NaN", _PARSER),
    _play("infinite", "plays a card number that is too large to be finite", b"[1e400,[],[],[],[]]", _PARSER),
    _play("5000-digits", "plays a card number of 5,000 digits", b"[" + b"9" * 5_000 + b",[],[],[],[]]", _PARSER),
    _feed("5000-digits-at-feed", "feeds a board number of 5,000 digits", b"9" * 5_000, _PARSER),
    # Types and shapes.
    *_types("true", b"true", "true, which some take for 1"),
    *_types("minus-1", b"-1", "-1, which some take for the last"),
    *_types("float", b"1.0", "1.0"),
    *_types("text", b'"0"', 'called "0"'),
    *_types("null", b"null", "null"),
    *_types("object", b"{}", "{}"),
    _play("false-for-play", "answers choose with false", b"false", _TYPE),
    _play("too-few-parts", "leaves a part of its play out", b"[0,[],[],[]]", _TYPE),
    _play("too-many-parts", "adds a part to its play", b"[0,[],[],[],[],[]]", _TYPE),
    _play("four-traits", "buys a board with four traits", b"[0,[],[],[[1,2,3,4,5]],[]]", _TYPE),
    # Order.
    RogueCase("plays-twice", "says its play twice", _ORDER, Moment.CHOOSE, answer_twice),
    RogueCase("feeds-twice", "says its feeding twice", _ORDER, Moment.FEED, answer_twice),
    RogueCase("chatter", "says something between two questions", _ORDER, Moment.CHOOSE, answer_and_chat),
    RogueCase("chatter-at-feed", "says something behind its feeding", _ORDER, Moment.FEED, answer_and_chat),
    _play("feeding-for-play", "answers choose with a feeding", b"[0,0,0]", _ORDER),
    _feed("play-for-feeding", "answers a feeding with a card play", _PLAY, _ORDER),
    # Rules.
    _illegal("missing-card", "plays a card that it does not hold"),
    _illegal("card-twice", "plays one card twice"),
    _illegal("missing-board", "grows a board that it does not have"),
    _illegal("missing-board-for-trait", "puts a trait on a board that it does not have"),
    _illegal("missing-slot", "replaces a trait that is not there"),
    _illegal("trait-twice-on-new-board", "buys a board with one trait twice"),
    _illegal("missing-feeding-board", "feeds a board that it does not have"),
    _illegal("sated-grazer", "feeds a board that has eaten enough"),
    _illegal("vegetarian-attack", "attacks with a vegetarian"),
    _illegal("fat-without-tissue", "stores fat on a board without fat-tissue"),
    _feed("too-much-fat", "stores a million tokens", b"[0,1000000]", _RULES),
    _feed("attack-on-nobody", "attacks a player that is not there", b"[0,99,0]", _RULES),
    _feed("attack-on-missing-board", "attacks a board that is not there", b"[0,0,99]", _RULES),
    # The end of a connection within the game.
    RogueCase("leaves-at-choose", "leaves instead of playing", _CONNECTION, Moment.CHOOSE, leave),
    RogueCase("resets-at-choose", "resets the connection instead of playing", _CONNECTION, Moment.CHOOSE, reset),
    RogueCase(
        "leaves-in-play", "leaves in the middle of its play", _CONNECTION, Moment.CHOOSE, half_an_answer_and_leave
    ),
    RogueCase(
        "resets-in-play",
        "resets the connection in the middle of its play",
        _CONNECTION,
        Moment.CHOOSE,
        half_an_answer_and_reset,
    ),
    RogueCase(
        "half-close-after-play",
        "ends its side behind its play",
        _CONNECTION,
        Moment.CHOOSE,
        half_close_behind_the_answer,
    ),
    RogueCase("leaves-at-feed", "leaves instead of feeding", _CONNECTION, Moment.FEED, leave),
    RogueCase("resets-at-feed", "resets the connection instead of feeding", _CONNECTION, Moment.FEED, reset),
    RogueCase("half-close-at-feed", "ends its side instead of feeding", _CONNECTION, Moment.FEED, half_close),
)
