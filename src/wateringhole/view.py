"""What one seat may know, and what everybody may.

Laws: a view is built field by field from what its reader may see; there is no field for what is hidden.
"""

from typing import TypeAlias

from msgspec import Struct

from wateringhole.cards import Card
from wateringhole.game import Game, Phase
from wateringhole.moves import CardPlay, Fault, Feeding
from wateringhole.player import Player
from wateringhole.rules.cardplay import objection
from wateringhole.rules.feeding import feedings, refusal
from wateringhole.species import Species


class Own(Struct, frozen=True, gc=False):
    """All that lies before the seat that looks."""

    seat: int
    species: tuple[Species, ...]
    hand: tuple[Card, ...]
    bag: int


class Other(Struct, frozen=True, gc=False):
    """Another player: the boards, and how many cards it holds."""

    seat: int
    species: tuple[Species, ...]
    cards: int


class Start(Struct, frozen=True, gc=False):
    """A turn begins; nothing is asked."""

    me: Own
    watering_hole: int
    turn: int


class Choose(Struct, frozen=True, gc=False):
    """How do you use your cards? The others as they sit before and after you in this turn's order."""

    me: Own
    watering_hole: int
    before: tuple[Other, ...]
    after: tuple[Other, ...]
    turn: int = 1
    deck: int = 0

    def objection(self, play: CardPlay) -> Fault | None:
        """Why this play would be refused, or None."""
        return objection(play, self.me.species, self.me.hand)


class Feed(Struct, frozen=True, gc=False):
    """What do you feed next? The others in turn order from the one after you on."""

    me: Own
    watering_hole: int
    others: tuple[Other, ...]
    turn: int = 1
    deck: int = 0

    @property
    def options(self) -> list[Feeding]:
        """Every feeding that may be chosen; less fat, and Decline, may be chosen too."""
        return list(feedings(self.me.species, self.watering_hole, self.others))

    def refusal(self, move: Feeding) -> Fault | None:
        """Why this feeding would be refused, or None."""
        return refusal(move, self.me.species, self.watering_hole, self.others)


Request: TypeAlias = Choose | Feed


class Table(Struct, frozen=True, gc=False):
    """The table as everybody sees it, players in turn order."""

    turn: int
    phase: Phase
    watering_hole: int
    players: tuple[Other, ...]
    deck: int


def table(game: Game) -> Table:
    players = tuple([_other(player) for player in game.players])
    return Table(game.turn, game.phase, game.watering_hole, players, len(game.deck) - game.dealt)


def start(game: Game, seat: int) -> Start:
    return Start(_own(game.player(seat)), game.watering_hole, game.turn)


def request(game: Game, seat: int) -> Request:
    """What this pending seat is asked."""
    left = len(game.deck) - game.dealt
    if game.phase is Phase.FEED:
        others = tuple([_other(player) for player in game.others(seat)])
        return Feed(_own(game.player(seat)), game.watering_hole, others, game.turn, left)
    at = [player.seat for player in game.players].index(seat)
    before = tuple([_other(player) for player in game.players[:at]])
    after = tuple([_other(player) for player in game.players[at + 1 :]])
    return Choose(_own(game.players[at]), game.watering_hole, before, after, game.turn, left)


def _own(player: Player) -> Own:
    return Own(player.seat, tuple(player.species), player.hand, player.bag)


def _other(player: Player) -> Other:
    return Other(player.seat, tuple(player.species), len(player.hand))
