"""The requests to a seat, with all that it may know, and the public view of a game.

Laws: a view is built field by field from what its reader may see; there is no field for what is hidden. What can be
worked out of a view is worked out when an agent asks for it.
"""

from collections.abc import Collection, Iterator, Mapping
from random import Random
from typing import Final, TypeAlias, final

from mypy_extensions import mypyc_attr

from wateringhole.cards import Card
from wateringhole.fault import Fault
from wateringhole.game import Game, Phase, PlayOutcome
from wateringhole.moves import Attack, CardPlay, Feeding, Move, misplaced
from wateringhole.player import Other, Player
from wateringhole.plays import plays
from wateringhole.rules.cardplay import outcome
from wateringhole.rules.feeding import feed, feedings, refusal
from wateringhole.species import Species
from wateringhole.value import Value
from wateringhole.worlds import world


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Own(Value):
    """A player as it sees itself: its seat, its boards from left to right, its hand, the food in its bag."""

    __slots__ = ("bag", "hand", "seat", "species")
    __match_args__ = ("seat", "species", "hand", "bag")

    def __init__(self, seat: int, species: tuple[Species, ...], hand: tuple[Card, ...], bag: int) -> None:
        self.seat: Final = seat
        self.species: Final = species
        self.hand: Final = hand
        self.bag: Final = bag


@mypyc_attr(acyclic=True)
@final
class Start(Value):
    """What a seat is told when a turn begins and its cards are dealt. No answer is wanted."""

    __slots__ = ("me", "turn", "watering_hole")
    __match_args__ = ("me", "watering_hole", "turn")

    def __init__(self, me: Own, watering_hole: int, turn: int) -> None:
        self.me: Final = me
        self.watering_hole: Final = watering_hole
        self.turn: Final = turn


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Choose(Value):
    """The request to use cards, with all that the seat may know. The answer is a CardPlay.

    `before` and `after` are the other players, as they come before and after this seat in the order of the turn.
    `watering_hole` counts the tokens there, `deck` the cards that are left.
    """

    __slots__ = ("after", "before", "deck", "me", "turn", "watering_hole")
    __match_args__ = ("me", "watering_hole", "before", "after", "turn", "deck")

    def __init__(
        self,
        me: Own,
        watering_hole: int,
        before: tuple[Other, ...],
        after: tuple[Other, ...],
        turn: int = 1,
        deck: int = 0,
    ) -> None:
        self.me: Final = me
        self.watering_hole: Final = watering_hole
        self.before: Final = before
        self.after: Final = after
        self.turn: Final = turn
        self.deck: Final = deck

    def why_not(self, move: Move) -> Fault | None:
        """Why this play would be refused, or None."""
        result = self._outcome(move)
        return None if type(result) is PlayOutcome else result

    def worlds(
        self, random: Random, spent: Collection[Card] | None = None, bags: Mapping[int, int] | None = None
    ) -> Iterator[Game]:
        """Games that look like this from here, without end: what this seat cannot see is dealt at random. `spent`: the
        cards that it has played, `bags`: the tokens in the others' bags, by seat, if it remembers them.
        """
        while True:
            me = Player(self.me.seat, self.me.species, self.me.hand, self.me.bag)
            game = world(random, me, self.before, self.after, self.deck, spent, bags)
            game.watering_hole, game.turn, game.phase = self.watering_hole, self.turn, "choose"
            yield game

    def plays(self) -> Iterator[CardPlay]:
        """Every legal play, one for each distinct outcome (food card, boards, cards left); see docs/bots.md."""
        return plays(self.me.species, self.me.hand)

    def preview(self, play: Move) -> tuple[Species, ...]:
        """The own boards as this play would leave them; unchanged when it would be refused."""
        result = self._outcome(play)
        return result.species if type(result) is PlayOutcome else self.me.species

    def _outcome(self, play: Move) -> PlayOutcome | Fault:
        if type(play) is CardPlay:
            return outcome(play, self.me.species, self.me.hand)
        return misplaced(play, "choose")


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Feed(Value):
    """The request to feed, with all that the seat may know. The answer is a Graze, an Attack, a StoreFat or a Decline.

    `others` are the other players in turn order, from the one after this seat on. `watering_hole` counts the tokens
    there, `deck` the cards that are left.
    """

    __slots__ = ("deck", "me", "others", "turn", "watering_hole")
    __match_args__ = ("me", "watering_hole", "others", "turn", "deck")

    def __init__(self, me: Own, watering_hole: int, others: tuple[Other, ...], turn: int = 1, deck: int = 0) -> None:
        self.me: Final = me
        self.watering_hole: Final = watering_hole
        self.others: Final = others
        self.turn: Final = turn
        self.deck: Final = deck

    @property
    def options(self) -> list[Feeding]:
        """Every feeding that may be chosen, with as much fat as possible; less fat and Decline are legal, too."""
        return feedings(self.me.species, self.watering_hole, self.others)

    def why_not(self, move: Move) -> Fault | None:
        """Why this feeding would be refused, or None."""
        if type(move) is CardPlay:
            return misplaced(move, "feed")
        return refusal(move, self.me.species, self.watering_hole, self.others)

    def worlds(
        self, random: Random, spent: Collection[Card] | None = None, bags: Mapping[int, int] | None = None
    ) -> Iterator[Game]:
        """Games that look like this from here, without end: what this seat cannot see is dealt at random, and all
        others still feed. `spent`: the cards that it has played, `bags`: the tokens in the others' bags, by seat, if it
        remembers them.
        """
        while True:
            me = Player(self.me.seat, self.me.species, self.me.hand, self.me.bag)
            game = world(random, me, (), self.others, self.deck, spent, bags)
            game.watering_hole, game.turn, game.phase = self.watering_hole, self.turn, "feed"
            game.queue = list(game.players)
            yield game

    def targets(self, board: int) -> list[tuple[Attack, Fault | None]]:
        """Every board of the others as prey of this own board, each with the reason why not, or None."""
        attacks = [Attack(board, other.seat, at) for other in self.others for at in range(len(other.species))]
        return [(attack, self.why_not(attack)) for attack in attacks]

    def what_if(self, move: Feeding) -> "Feed":
        """The same view once this feeding is done; unchanged when it would be refused.

        What a board that dies out brings its owner is not known yet: the cards are not counted.
        """
        if self.why_not(move) is not None:
            return self
        me = Player(self.me.seat, self.me.species, self.me.hand, self.me.bag)
        players = {me.seat: me} | {other.seat: Player(other.seat, other.species, (), 0) for other in self.others}
        game = Game((), players, (), self.watering_hole)
        game.queue = [me.seat]
        feed(game, me, move)
        others = tuple([Other(other.seat, players[other.seat].species, other.cards) for other in self.others])
        return Feed(_own(me), game.watering_hole, others, self.turn, self.deck)


Request: TypeAlias = Choose | Feed
"""What a seat is asked."""


@mypyc_attr(acyclic=True)
@final
class Table(Value):
    """The table as all players see it, players in turn order."""

    __slots__ = ("deck", "phase", "players", "turn", "watering_hole")
    __match_args__ = ("turn", "phase", "watering_hole", "players", "deck")

    def __init__(self, turn: int, phase: Phase, watering_hole: int, players: tuple[Other, ...], deck: int) -> None:
        self.turn: Final = turn
        self.phase: Final = phase
        self.watering_hole: Final = watering_hole
        self.players: Final = players
        self.deck: Final = deck


def table(game: Game) -> Table:
    """What all players and spectators may see of this game."""
    return Table(game.turn, game.phase, game.watering_hole, _all_seen(game), game.cards_left)


def start(game: Game, seat: int) -> Start:
    """What this seat is told when a turn begins."""
    return Start(_own(game.players[seat]), game.watering_hole, game.turn)


def request(game: Game, seat: int) -> Request:
    """What this seat is asked: a Choose or a Feed. The seat must be one of `pending`."""
    player = game.players[seat]
    if game.phase == "feed":
        return Feed(_own(player), game.watering_hole, game.seen(seat), game.turn, game.cards_left)
    return _choose(game, player, list(game.players).index(seat), _all_seen(game))


def choices(game: Game) -> list[Choose]:
    """What all seats that have not chosen yet are asked, about one and the same situation."""
    seen = _all_seen(game)
    asked: list[Choose] = []
    for at, player in enumerate(game.row):
        if player.seat not in game.plays:
            asked.append(_choose(game, player, at, seen))
    return asked


def _choose(game: Game, player: Player, at: int, seen: tuple[Other, ...]) -> Choose:
    before, after = seen[:at], seen[at + 1 :]
    return Choose(_own(player), game.watering_hole, before, after, game.turn, game.cards_left)


def _all_seen(game: Game) -> tuple[Other, ...]:
    return tuple([player.seen() for player in game.row])


def _own(player: Player) -> Own:
    return Own(player.seat, player.species, player.hand, player.bag)
