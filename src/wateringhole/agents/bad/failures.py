"""Misdeeds that need no occasion: exceptions, and answers that are no moves."""

from collections.abc import Callable
from typing import Final, NoReturn

from wateringhole import rulebook
from wateringhole.agents.bad.misdeed import Misdeed
from wateringhole.fault import Reason
from wateringhole.moves import CardPlay, Decline, Graze, Growth, NewBoard
from wateringhole.view import Choose


class TantrumError(Exception):
    """What a bad agent raises."""


def _raise(_: object) -> NoReturn:
    raise TantrumError("I do not want to")


def _exit(_: object) -> NoReturn:
    raise SystemExit("I am leaving")


def _recurse(request: object) -> object:
    return _recurse(request)


def _choose(name: str, answer: object, reason: Reason = Reason.SHAPE) -> Misdeed:
    return Misdeed(name, reason, rulebook.PLAY_SHAPE, choose=lambda _: answer)


def _feed(name: str, answer: object, reason: Reason = Reason.SHAPE) -> Misdeed:
    return Misdeed(name, reason, rulebook.OPTIONS, feed=lambda _: answer)


def _cannot_be_built(name: str, choose: Callable[[Choose], object]) -> Misdeed:
    """A play with a number or a part that no move has: it fails while it is made."""
    return Misdeed(name, Reason.EXCEPTION, choose=choose)


_FLOAT: Final = 1.0

FAILURES: Final = (
    Misdeed("raises-in-start", Reason.EXCEPTION, start=_raise),
    Misdeed("raises-in-choose", Reason.EXCEPTION, choose=_raise),
    Misdeed("raises-in-feed", Reason.EXCEPTION, feed=_raise),
    Misdeed("exits-in-start", Reason.EXCEPTION, start=_exit),
    Misdeed("exits-in-choose", Reason.EXCEPTION, choose=_exit),
    Misdeed("exits-in-feed", Reason.EXCEPTION, feed=_exit),
    Misdeed("recurses-in-choose", Reason.EXCEPTION, choose=_recurse),
    _choose("no-play", None),
    _choose("text-for-play", "all my cards"),
    _choose("feeding-for-play", Decline(), Reason.ILLEGAL),
    _cannot_be_built("float-for-card", lambda _: CardPlay(food=_FLOAT)),  # type: ignore[arg-type]
    _cannot_be_built("negative-card", lambda _: CardPlay(food=-1)),
    _cannot_be_built("negative-board", lambda _: CardPlay(0, population=(Growth(-1, 1),))),
    _cannot_be_built("number-for-growth", lambda _: CardPlay(0, body=(1,))),  # type: ignore[arg-type]
    _cannot_be_built("four-traits", lambda _: CardPlay(0, boards=(NewBoard(1, (2, 3, 4, 5)),))),
    _feed("no-feeding", None),
    _feed("false-for-decline", False),
    _feed("play-for-feeding", CardPlay(0), Reason.ILLEGAL),
    Misdeed("negative-feeding-board", Reason.EXCEPTION, feed=lambda _: Graze(-1)),
)
