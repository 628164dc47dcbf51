"""A recorded game as numpy arrays: what each seat observed, what it might do and what it did, action by action."""

from io import BytesIO
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wateringhole.dealer import MAX_PLAYERS, answer, new_game
from wateringhole.env.actions import ACTIONS, Draft, begin, drafted, mask, step
from wateringhole.env.observations import encode, size
from wateringhole.fault import Fault
from wateringhole.moves import Move
from wateringhole.record import Record
from wateringhole.view import Request, request

EXPELLED: Final = -1
"""In place of the score of a seat that was expelled."""


class Trajectory(NamedTuple):
    """The steps of a game in the order in which they were made, a row for each, and the `scores` by seat.

    Observations have room for eight players in every game, so that those of several games can be joined.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int32]
    seats: NDArray[np.uint8]
    scores: NDArray[np.int32]

    def npz(self) -> bytes:
        """The content of an npz file with these arrays; the same for the same game."""
        file = BytesIO()
        np.savez_compressed(
            file,
            observations=self.observations,
            masks=self.masks,
            actions=self.actions,
            seats=self.seats,
            scores=self.scores,
        )
        return file.getvalue()


def trajectory(record: Record) -> Trajectory:
    """What was observed and done in a game. Faults and illegal moves are left out, and so are moves that name a board
    beyond those that an action can name.
    """
    game = new_game(record.names, record.deck, record.watering_hole)
    drafts: list[tuple[Draft, int]] = []
    for seat, reply in record.replies:
        if not isinstance(reply, Fault):
            drafts += _drafts(request(game, seat), reply)
        answer(game, seat, reply)
    players = game.players
    scores = [players[seat].score if seat in players else EXPELLED for seat in range(1, len(record.names) + 1)]
    observations = b"".join([encode(draft, MAX_PLAYERS) for draft, _ in drafts])
    masks = b"".join([mask(draft) for draft, _ in drafts])
    return Trajectory(
        np.frombuffer(observations, np.uint8).reshape(len(drafts), size(MAX_PLAYERS)),
        np.frombuffer(masks, np.uint8).reshape(len(drafts), ACTIONS),
        np.array([action for _, action in drafts], np.int32),
        np.array([draft.request.me.seat for draft, _ in drafts], np.uint8),
        np.array(scores, np.int32),
    )


def _drafts(asked: Request, move: Move) -> list[tuple[Draft, int]]:
    """The states of a draft of this move, each with the action that was taken; none if it cannot be drafted."""
    if asked.why_not(move) is not None:
        return []
    draft = begin(asked)
    found: list[tuple[Draft, int]] = []
    try:
        actions = drafted(asked, move)
    except ValueError:
        return []
    for action in actions:
        found.append((draft, action))
        draft = step(draft, action)
    return found
