"""An agent that drafts its moves with a policy: what was learned in an environment plays at any table."""

from collections.abc import Callable
from typing import Final

from wateringhole.env.actions import begin, mask, step
from wateringhole.env.observations import encode
from wateringhole.moves import CardPlay, Feeding, Move
from wateringhole.view import Choose, Feed, Request

ActionPolicy = Callable[[bytearray, bytearray], int]
"""An action for an observation and its mask."""


class DraftingAgent:
    """Asks the policy for each action of a draft. The policy sees tables of any size as one for `players`."""

    def __init__(self, policy: ActionPolicy, players: int) -> None:
        self._policy: Final = policy
        self._players: Final = players

    def choose(self, request: Choose) -> CardPlay:
        move = self._move(request)
        assert isinstance(move, CardPlay)
        return move

    def feed(self, request: Feed) -> Feeding:
        move = self._move(request)
        assert not isinstance(move, CardPlay)
        return move

    def _move(self, request: Request) -> Move:
        draft = begin(request)
        while draft.move is None:
            draft = step(draft, int(self._policy(encode(draft, self._players), mask(draft))))
        return draft.move
