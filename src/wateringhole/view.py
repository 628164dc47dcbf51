"""What one seat may know, and what everybody may.

Laws: a view is built field by field from what its reader may see; there is no field for what is hidden.
"""

from collections.abc import Iterable
from typing import TypeAlias, final

from msgspec import Struct

from wateringhole.cards import Card
from wateringhole.game import Game, Outcome, Phase
from wateringhole.moves import Attack, CardPlay, Fault, Feeding, misplaced, sound
from wateringhole.player import Player
from wateringhole.rules.cardplay import outcome
from wateringhole.rules.feeding import feed, feedings, refusal
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


@final
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
        result = self._outcome(play)
        return result if type(result) is Fault else None

    def preview(self, play: CardPlay) -> tuple[Species, ...]:
        """The own boards as this play would leave them; unchanged when it would be refused."""
        result = self._outcome(play)
        return result.species if type(result) is Outcome else self.me.species

    def _outcome(self, play: CardPlay) -> Outcome | Fault:
        move = sound(play, "choose")
        if type(move) is CardPlay:
            return outcome(move, self.me.species, self.me.hand)
        return move if type(move) is Fault else misplaced(move, "choose")


@final
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
        return feedings(self.me.species, self.watering_hole, self.others)

    def refusal(self, move: Feeding) -> Fault | None:
        """Why this feeding would be refused, or None."""
        checked = sound(move, "feed")
        if type(checked) is CardPlay:
            return misplaced(checked, "feed")
        if type(checked) is Fault:
            return checked
        return refusal(checked, self.me.species, self.watering_hole, self.others)

    def targets(self, board: int) -> list[tuple[Attack, Fault | None]]:
        """Every board of the others as prey of this one, and why it must not be attacked, or None."""
        attacks = [Attack(board, other.seat, at) for other in self.others for at in range(len(other.species))]
        return [(attack, self.refusal(attack)) for attack in attacks]

    def what_if(self, move: Feeding) -> "Feed":
        """The same view once this feeding is done; unchanged when it would be refused.

        What a board that dies out brings its owner is not known yet: the cards are not counted.
        """
        if self.refusal(move) is not None:
            return self
        players = {self.me.seat: Player(self.me.seat, list(self.me.species), self.me.hand, self.me.bag)}
        players |= {other.seat: Player(other.seat, list(other.species), (), 0) for other in self.others}
        game = Game((), players, (), self.watering_hole)
        game.queue = [self.me.seat]
        feed(game, players[self.me.seat], move)
        others = tuple([Other(o.seat, tuple(players[o.seat].species), o.cards) for o in self.others])
        me = Own(self.me.seat, tuple(players[self.me.seat].species), self.me.hand, self.me.bag)
        return Feed(me, game.watering_hole, others, self.turn, self.deck)


Request: TypeAlias = Choose | Feed


class Table(Struct, frozen=True, gc=False):
    """The table as everybody sees it, players in turn order."""

    turn: int
    phase: Phase
    watering_hole: int
    players: tuple[Other, ...]
    deck: int


def table(game: Game) -> Table:
    return Table(game.turn, game.phase, game.watering_hole, _seen(game.players.values()), game.cards_left)


def start(game: Game, seat: int) -> Start:
    player = game.players[seat]
    return Start(Own(seat, tuple(player.species), player.hand, player.bag), game.watering_hole, game.turn)


def request(game: Game, seat: int) -> Request:
    """What this pending seat is asked."""
    if game.phase == "feed":
        player = game.players[seat]
        me = Own(seat, tuple(player.species), player.hand, player.bag)
        others = _seen(game.others(seat))
        return Feed(me, game.watering_hole, others, game.turn, len(game.deck) - game.dealt)
    return _choose(game, list(game.players).index(seat), _seen(game.players.values()))


def choices(game: Game) -> list[Choose]:
    """What all seats that have not chosen yet are asked, about one and the same situation."""
    seen = _seen(game.players.values())
    return [_choose(game, at, seen) for at, seat in enumerate(game.players) if seat not in game.plays]


def _choose(game: Game, at: int, seen: tuple[Other, ...]) -> Choose:
    player = game.players[seen[at].seat]
    me = Own(player.seat, seen[at].species, player.hand, player.bag)
    left = len(game.deck) - game.dealt
    return Choose(me, game.watering_hole, seen[:at], seen[at + 1 :], game.turn, left)


def _seen(players: Iterable[Player]) -> tuple[Other, ...]:
    return tuple([Other(player.seat, tuple(player.species), len(player.hand)) for player in players])
