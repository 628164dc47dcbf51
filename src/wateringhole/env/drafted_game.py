"""A game whose moves are drafted: one action at a time, seat after seat.

Laws: seats are asked in the order of `pending`; each drafts its whole move before the next one is asked. What a seat
has chosen is hidden from the others until the reveal, as at any table.
"""

from collections.abc import Sequence
from typing import Final

from wateringhole.cards import shuffled
from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS, answer, new_game, pending
from wateringhole.env.actions import ACTIONS, Draft, advance, begin, mask, refusal
from wateringhole.env.observations import encode, size
from wateringhole.game import Game
from wateringhole.moves import Reply
from wateringhole.notation import position_from, position_text
from wateringhole.view import request

NOTHING_ALLOWED: Final = bytearray(ACTIONS)


def checked_players(players: int) -> int:
    """This number of players; ValueError if no game takes so many."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"{players} players, but a game takes {MIN_PLAYERS} to {MAX_PLAYERS}")
    return players


def seat_names(players: int) -> list[str]:
    return [f"player_{seat}" for seat in range(1, players + 1)]


class DraftedGame:
    """A game that goes on by one action at a time. `seat` is the one that is asked, 0 when the game is over; `draft` is
    its move in the making, `steps` are the actions of that draft.
    """

    __slots__ = ("_mask", "draft", "game", "players", "seat", "steps")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.players = len(game.names)
        self.ask()

    @classmethod
    def dealt(cls, players: int, seed: str | int) -> "DraftedGame":
        """A new game with the deck of this seed."""
        return cls(new_game(seat_names(players), shuffled(seed)))

    def ask(self) -> None:
        """Begin the draft of the seat that is asked next."""
        seats = pending(self.game)
        self.seat = seats[0] if seats else 0
        self.draft: Draft | None = begin(request(self.game, self.seat)) if seats else None
        self._mask = NOTHING_ALLOWED if self.draft is None else mask(self.draft)
        self.steps: list[int] = []

    def step(self, action: int) -> None:
        """Go on by one action; ValueError when the mask does not allow it."""
        if self.draft is None:
            raise ValueError(f"action {action}, but the game is over")
        if not (0 <= action < ACTIONS and self._mask[action]):
            raise refusal(self.draft, action)
        draft = advance(self.draft, action)
        if draft.move is None:
            self.draft = draft
            self._mask = mask(draft)
            self.steps.append(action)
        else:
            self.answer(draft.move)

    def answer(self, reply: Reply) -> None:
        """Go on by a whole move of the seat that is asked."""
        answer(self.game, self.seat, reply)
        self.ask()

    def allows(self, action: int) -> bool:
        """Whether this action, one of the table, may come next."""
        return bool(self._mask[action])

    def observation(self, seat: int) -> bytearray:
        """What this seat may know; of its draft, if it makes one. All 0 for a seat that has left the game."""
        if seat == self.seat and self.draft is not None:
            return encode(self.draft, self.players)
        if seat not in self.game.players:
            return bytearray(size(self.players))
        return encode(begin(request(self.game, seat)), self.players)

    def mask(self, seat: int) -> bytearray:
        """What this seat may do next; all 0 for a seat that is not asked."""
        return (self._mask if seat == self.seat else NOTHING_ALLOWED).copy()

    @property
    def scores(self) -> list[int]:
        """By seat; 0 for a seat that has left the game."""
        players = self.game.players
        return [players[seat].score if seat in players else 0 for seat in range(1, self.players + 1)]

    def save(self) -> str:
        """All of it as text: the position, as docs/notation.md describes it, and the actions of the draft."""
        return "\n".join([position_text(self.game), ",".join(map(str, self.steps))])

    @classmethod
    def restored(cls, text: str) -> "DraftedGame":
        """The game that was saved so; ValueError when this is none."""
        position, _, steps = text.partition("\n")
        drafted = cls(position_from(position))
        drafted.go_on([int(action) for action in steps.split(",") if action])
        return drafted

    def go_on(self, actions: Sequence[int]) -> None:
        for action in actions:
            self.step(action)
