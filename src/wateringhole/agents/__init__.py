"""Who decides, in this process."""

from typing import Protocol

from wateringhole.moves import CardPlay, Feeding
from wateringhole.view import Choose, Feed


class Agent(Protocol):
    """What a seat needs. If there, `start(Start)` is called when a turn begins and `over(Result)` at the end."""

    def choose(self, request: Choose) -> CardPlay: ...

    def feed(self, request: Feed) -> Feeding: ...
