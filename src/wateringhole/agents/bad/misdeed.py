"""The type of a misdeed."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from wateringhole import rulebook
from wateringhole.fault import Reason
from wateringhole.view import Choose, Feed, Start

NOT_YET: Final = object()
"""What a misdeed answers as long as it has no occasion."""


class Misdeed(Struct, frozen=True):
    """One way to be expelled: what is done when, and the reason and the rule that it earns."""

    name: str
    reason: Reason
    rule: str = rulebook.EXPULSION
    start: Callable[[Start], object] | None = None
    choose: Callable[[Choose], object] | None = None
    feed: Callable[[Feed], object] | None = None
