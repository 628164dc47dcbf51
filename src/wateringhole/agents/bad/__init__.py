"""Agents that misbehave, one misdeed each, to show and test what gets a player expelled.

Until its misdeed becomes possible, such an agent plays like silly, or hoards its cards if the misdeed needs them.
"""

from typing import Final, cast

from wateringhole.agents.bad.failures import FAILURES
from wateringhole.agents.bad.feedings import FEEDINGS
from wateringhole.agents.bad.misdeed import NOT_YET, Misdeed
from wateringhole.agents.bad.plays import PLAYS
from wateringhole.agents.silly import Silly
from wateringhole.moves import CardPlay, Feeding
from wateringhole.view import Choose, Feed, Start

GALLERY: Final[dict[str, Misdeed]] = {misdeed.name: misdeed for misdeed in (*FAILURES, *PLAYS, *FEEDINGS)}


class Bad:
    """Commits this misdeed of the gallery at the first occasion."""

    def __init__(self, name: str) -> None:
        self.misdeed = GALLERY[name]
        self._silly = Silly()

    def start(self, request: Start) -> None:
        if self.misdeed.start is not None:
            self.misdeed.start(request)

    def choose(self, request: Choose) -> CardPlay:
        if self.misdeed.choose is None:
            return self._silly.choose(request)
        answer = self.misdeed.choose(request)
        # A lie to the type checker: answers of the wrong type are some of the misdeeds.
        return CardPlay(food=0) if answer is NOT_YET else cast(CardPlay, answer)

    def feed(self, request: Feed) -> Feeding:
        answer = self.misdeed.feed(request) if self.misdeed.feed is not None else NOT_YET
        return self._silly.feed(request) if answer is NOT_YET else cast(Feeding, answer)
