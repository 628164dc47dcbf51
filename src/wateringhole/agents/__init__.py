"""The interface of agents in this process. The house bots are the modules beside this one; house.py lists them."""

from typing import Protocol

from wateringhole.fault import Fault
from wateringhole.moves import CardPlay, Feeding
from wateringhole.view import Choose, Feed


class Agent(Protocol):
    """Decides for one seat. A class need not inherit from this: any object with `choose` and `feed` is an agent.

    It may have more: `start(Start)` is called when a turn begins, `over(Result)` when the game is over. `thinks` says
    about how many seconds it takes for a reply, `why` explains its last move. An agent that passes on the replies of a
    client answers with a Fault when the client has failed.
    """

    def choose(self, request: Choose) -> CardPlay | Fault: ...

    def feed(self, request: Feed) -> Feeding | Fault: ...
