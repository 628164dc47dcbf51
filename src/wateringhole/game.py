"""The whole state of a game.

Laws: only the rules and the dealer change it; a clone shares nothing that can change.
"""

from enum import Enum

from wateringhole.cards import Card
from wateringhole.events import Event
from wateringhole.moves import CardPlay, Fault
from wateringhole.player import Player


class Phase(Enum):
    """Where a game stands: everybody chooses, one seat feeds, feeding is over, the turn is over, all is over."""

    CHOOSE = "choose"
    FEED = "feed"
    FED = "fed"
    TURN_OVER = "turn over"
    OVER = "over"


class Game:
    """A game between two answers.

    `players` sit in turn order, the starting player first; `deck[dealt:]` is what is left to deal. `plays` holds this
    turn's answers to choose, `queue` the seats that still feed, `leaving` the faults that wait for another's answer.
    `told` collects events while somebody listens.
    """

    __slots__ = (
        "dealt",
        "deck",
        "expelled",
        "leaving",
        "names",
        "phase",
        "players",
        "plays",
        "queue",
        "told",
        "turn",
        "watering_hole",
    )

    def __init__(
        self, names: tuple[str, ...], players: list[Player], deck: tuple[Card, ...], watering_hole: int
    ) -> None:
        self.names = names
        self.players = players
        self.deck = deck
        self.dealt = 0
        self.watering_hole = watering_hole
        self.turn = 0
        self.phase = Phase.TURN_OVER
        self.plays: dict[int, CardPlay | Fault] = {}
        self.queue: list[int] = []
        self.leaving: list[tuple[int, Fault]] = []
        self.expelled: list[tuple[int, Fault]] = []
        self.told: list[Event] | None = None

    def player(self, seat: int) -> Player:
        for player in self.players:
            if player.seat == seat:
                return player
        raise KeyError(f"seat {seat} is not at the table")

    def others(self, seat: int) -> list[Player]:
        """The other players in turn order, from the one after this seat on: the order of an attack's p."""
        at = 0
        while self.players[at].seat != seat:
            at += 1
        return self.players[at + 1 :] + self.players[:at]

    def name(self, seat: int) -> str:
        return self.names[seat - 1]

    def hear(self) -> list[Event]:
        """What was told since the last time; nothing when nobody listens."""
        if self.told is None:
            return []
        told, self.told = self.told, []
        return told

    def clone(self) -> "Game":
        """A game of its own in the same state, with nobody listening."""
        twin = Game(self.names, [player.clone() for player in self.players], self.deck, self.watering_hole)
        twin.dealt = self.dealt
        twin.turn = self.turn
        twin.phase = self.phase
        twin.plays = self.plays.copy()
        twin.queue = self.queue[:]
        twin.leaving = self.leaving[:]
        twin.expelled = self.expelled[:]
        return twin

    def __eq__(self, other: object) -> bool:
        """Whether both games are in the same state; who listens does not count."""
        return isinstance(other, Game) and self._state() == other._state()

    def _state(self) -> tuple[object, ...]:
        return (
            self.names,
            self.players,
            self.deck[self.dealt :],
            self.watering_hole,
            self.turn,
            self.phase,
            self.plays,
            self.queue,
            self.leaving,
            self.expelled,
        )
