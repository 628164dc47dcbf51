"""The interface of agents in this process. The house bots are the modules beside this one; house.py lists them."""

from typing import Protocol

from wateringhole.fault import Fault
from wateringhole.moves import CardPlay, Feeding
from wateringhole.view import Choose, Feed


class Agent(Protocol):
    """What a seat needs. If there, `start(Start)` is called when a turn begins and `over(Result)` at the end.

    An agent that speaks for a client answers with a Fault when the client has failed. One that thinks for more than
    a moment says with `thinks` about how many seconds; one that can explain its last move does so in `why`.
    """

    def choose(self, request: Choose) -> CardPlay | Fault: ...

    def feed(self, request: Feed) -> Feeding | Fault: ...
