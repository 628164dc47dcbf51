"""The whole state of a game.

Laws: only the rules and the dealer change it; a clone shares nothing that can change.
"""

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, final

from mypy_extensions import mypyc_attr

from wateringhole.cards import Card
from wateringhole.events import Event, Standing
from wateringhole.fault import Fault
from wateringhole.moves import CardPlay, Reply
from wateringhole.player import Other, Player
from wateringhole.species import Species
from wateringhole.value import Value

if TYPE_CHECKING:
    from wateringhole.view import Request

Phase: TypeAlias = Literal["choose", "feed", "fed", "turn over", "over"]
"""Where a game stands: all players choose, one seat feeds, feeding is over, the turn is over, all is over.

Plain strings: to ask an Enum class for a member takes 110 ns, and the dealer compares phases at every step."""


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class PlayOutcome(Value):
    """What a legal card play makes of its player: the boards, the hand, and the food card that it reveals."""

    __slots__ = ("food", "hand", "play", "species")
    __match_args__ = ("play", "species", "hand", "food")

    def __init__(self, play: CardPlay, species: tuple[Species, ...], hand: tuple[Card, ...], food: Card) -> None:
        self.play: Final = play
        self.species: Final = species
        self.hand: Final = hand
        self.food: Final = food


class Game:
    """The whole state of a game between two answers. `new_game` makes one.

    `players` has the players that are in the game, by seat, in turn order, the starting player first; `names` has the
    names of all seats. `watering_hole` counts the tokens there; `deck[dealt:]` is what is left to deal. `turn` counts
    from 1; `phase` is "choose", "feed" or "over", and "fed" or "turn over" in between.

    `plays` holds what this turn's answers to choose will do, `queue` the seats that still feed, `leaving` the faults
    that wait for another's answer, `expelled` the seats that have left with their faults. `told` collects events if
    the game listens. `row` has the players in a list, through which compiled code goes ten times as fast as through a
    dict.
    """

    __slots__ = (
        "_others",
        "dealt",
        "deck",
        "expelled",
        "leaving",
        "names",
        "phase",
        "players",
        "plays",
        "queue",
        "row",
        "told",
        "turn",
        "watering_hole",
    )

    def __init__(
        self, names: tuple[str, ...], players: dict[int, Player], deck: tuple[Card, ...], watering_hole: int
    ) -> None:
        self.names = names
        self.players = players
        self.row = list(players.values())
        self.deck = deck
        self.dealt = 0
        self.watering_hole = watering_hole
        self.turn = 0
        self.phase: Phase = "turn over"
        self.plays: dict[int, PlayOutcome | Fault] = {}
        self.queue: list[int] = []
        self.leaving: list[tuple[int, Fault]] = []
        self.expelled: list[tuple[int, Fault]] = []
        self.told: list[Event] | None = None
        self._others: list[list[Player]] = []  # by seat; empty where it is not known yet

    def others(self, seat: int) -> list[Player]:
        """The other players in turn order, from the one after this seat on: the order of an attack's p."""
        while seat >= len(self._others):
            self._others.append([])
        others = self._others[seat]
        if not others:
            before: list[Player] = []
            me: Player | None = None
            for player in self.row:
                if player.seat == seat:
                    me = player
                elif me is None:
                    before.append(player)
                else:
                    others.append(player)
            others.extend(before)
        return others

    def seen(self, seat: int) -> tuple[Other, ...]:
        """The others as this seat sees them, in the same order."""
        return tuple([player.seen() for player in self.others(seat)])

    def pass_on(self) -> None:
        """The first of the remaining players moves to the end of the order."""
        if self.row:
            first = self.row.pop(0)
            self.row.append(first)
            del self.players[first.seat]
            self.players[first.seat] = first

    def remove(self, seat: int) -> None:
        """The player and all that lies before it leave the game."""
        self.row.remove(self.players.pop(seat))
        self.plays.pop(seat, None)
        if seat in self.queue:
            self.queue.remove(seat)
        self._others.clear()

    @property
    def cards_left(self) -> int:
        """How many cards are left in the deck."""
        return len(self.deck) - self.dealt

    def name(self, seat: int) -> str:
        """The name of the player on this seat."""
        return self.names[seat - 1]

    def hear(self) -> list[Event]:
        """The events since the last call; none when the game does not listen."""
        if self.told is None:
            return []
        told, self.told = self.told, []
        return told

    def clone(self) -> "Game":
        """An independent copy in the same state; the copy does not listen."""
        twin = Game(self.names, {player.seat: player.clone() for player in self.row}, self.deck, self.watering_hole)
        twin.dealt = self.dealt
        twin.turn = self.turn
        twin.phase = self.phase
        twin.plays = self.plays.copy()
        twin.queue = self.queue[:]
        twin.leaving = self.leaving[:]
        twin.expelled = self.expelled[:]
        return twin

    # What people look for here; the dealer and the views do it. Imported late: they stand above the game.

    def pending(self) -> list[int]:
        """The seats that must answer."""
        from wateringhole.dealer import pending  # noqa: PLC0415

        return pending(self)

    def request(self, seat: int) -> "Request":
        """What this seat is asked; it must be one of `pending`."""
        from wateringhole.view import request  # noqa: PLC0415

        return request(self, seat)

    def answer(self, seat: int, reply: Reply) -> list[Event]:
        """Move the game on by one seat's reply; the events, if it listens."""
        from wateringhole.dealer import answer  # noqa: PLC0415

        return answer(self, seat, reply)

    def ranking(self) -> tuple[Standing, ...]:
        """The ranking by the scores of this moment, the expelled last."""
        from wateringhole.rules.turn import ranking  # noqa: PLC0415

        return ranking(self)

    def __repr__(self) -> str:
        cards = f"{self.cards_left} cards left"
        asked = ", ".join([self.names[seat - 1] for seat in self.pending()])
        return f"<Game of {len(self.names)}: turn {self.turn}, {self.phase}{f', {asked}' if asked else ''}, {cards}>"

    def __str__(self) -> str:
        """All of it, for people."""
        lines = [f"{self!r}, watering hole {self.watering_hole}"]
        for player in self.row:
            cards = ", ".join([f"{card.trait} {card.food}" for card in player.hand]) or "no cards"
            lines.append(f"  seat {player.seat}, {self.name(player.seat)}, bag {player.bag}: {cards}")
            for at, board in enumerate(player.boards):
                fat = f", fat {board.fat_food}" if board.fat_food else ""
                figures = f"population {board.population}, body {board.body}, food {board.food}{fat}"
                lines.append(f"    board {at}: {figures}; {', '.join(board.traits) or 'no traits'}")
        for seat, fault in self.expelled:
            lines.append(f"  seat {seat}, {self.name(seat)}, expelled: {fault.text}")
        return "\n".join(lines)

    def __copy__(self) -> "Game":
        return self.clone()

    def __reduce__(self) -> tuple[object, tuple[object, ...], dict[str, object]]:
        """For pickle: like a clone, but in another process, if need be."""
        rest = {name: getattr(self, name) for name in _REST}
        return Game, (self.names, self.players, self.deck, self.watering_hole), rest

    def __setstate__(self, rest: dict[str, object]) -> None:
        for name, value in rest.items():
            setattr(self, name, value)

    def __eq__(self, other: object) -> bool:
        """Whether both games are in the same state; who listens does not count."""
        return isinstance(other, Game) and self._state() == other._state()

    def _state(self) -> tuple[object, ...]:
        return (
            self.names,
            list(self.players.values()),  # their order counts
            self.deck[self.dealt :],
            self.watering_hole,
            self.turn,
            self.phase,
            self.plays,
            self.queue,
            self.leaving,
            self.expelled,
        )


_REST: Final = ("dealt", "turn", "phase", "plays", "queue", "leaving", "expelled")
