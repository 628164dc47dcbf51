"""Estimates what a dialect does not tell: the sizes of the other hands, and of the deck.

s16, hello and tagged show all boards and our own hand. With these, the rules leave little room:

- A game has 122 cards and at most 8 players. Each turn deals 3 cards and 1 per board to every player, and every board
  that dies out brings its owner 2 more; nothing returns to the deck. Our own hand and plays tell exactly what we drew.
- A player uses at least the food card, and a card for each board, trait, body size and animal that its boards have
  gained; a fertile board gains one animal by itself. New boards are on the right, boards keep their order, a body never
  shrinks, and a board never has more or fewer traits than it was bought with.
- A player can have used all its cards, also for boards that were bought and died out unseen.
- The others are shown in turn order from the one after us, so when one is missing, each place shows a player that was
  as many places further on, or fewer, the last time.

Laws: if the server keeps the rules, every number is in its bounds; always `least <= guess <= most`. The guess is what
the boards show with the fewest cards and deaths. The guesses never add up to more cards than are left for them, so
that a whole game can be made up of them.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from wateringhole.cards import DECK
from wateringhole.dealer import MAX_PLAYERS
from wateringhole.rules.deal import CARDS_PER_BOARD, CARDS_PER_EXTINCTION, CARDS_PER_PLAYER
from wateringhole.species import Species
from wateringhole.traits import FERTILE

Boards: TypeAlias = tuple[Species, ...]

FRESH: Final[Boards] = (Species(),)
"""What a player without a board is given."""


class Estimate(Struct, frozen=True):
    """A number that is not told: its bounds, and the best guess."""

    least: int
    guess: int
    most: int

    def plus(self, number: int) -> "Estimate":
        return Estimate(self.least + number, self.guess + number, self.most + number)


class _Place(Struct, frozen=True):
    """One of the others, as last seen."""

    boards: Boards = ()
    hand: Estimate = Estimate(0, 0, 0)

    def mortal(self, played: bool) -> int:
        """How many boards can have died out since: those seen, and those bought with all cards but the food card."""
        return len(self.boards) + (max(0, self.hand.most - 1) if played else 0)


class _Since(Struct, frozen=True):
    """What can have become of a player since it was seen: its hand before any deal, its boards that died out, and how
    much the guess supposes.
    """

    hand: Estimate
    died: Estimate
    supposes: int


class Unseen:
    """Follows a game by what its messages show."""

    def __init__(self) -> None:
        self.deck = Estimate(len(DECK), len(DECK), len(DECK))
        self._places = [_Place()] * (MAX_PLAYERS - 1)
        self._held = 0
        self._spent = 0
        self._played = False

    @property
    def hands(self) -> list[Estimate]:
        """The others' hands, in turn order from the player after us."""
        return [place.hand for place in self._places]

    def choosing(self, held: int, others: Sequence[Boards]) -> None:
        """A turn has begun: we hold so many cards, and these are the others' boards."""
        self._see(held, others, dealt=True)

    def feeding(self, held: int, others: Sequence[Boards]) -> None:
        """We are asked to feed: we hold so many cards, and these are the others' boards."""
        self._see(held, others, dealt=False)

    def played(self, cards: int) -> None:
        """We use so many cards, and so do the others."""
        self._held -= cards
        self._spent += cards
        self._played = True

    def told(self, hands: Sequence[int], deck: int) -> None:
        """Take the numbers that the server tells."""
        self.deck = Estimate(deck, deck, deck)
        self._places = [
            _Place(place.boards, Estimate(cards, cards, cards))
            for place, cards in zip(self._places, hands, strict=True)
        ]

    def _see(self, held: int, others: Sequence[Boards], dealt: bool) -> None:
        before = self._places + [_Place()] * (len(others) - len(self._places))
        gone = len(before) - len(others)
        played, self._played = self._played, False
        drawn, self._held = max(0, held - self._held), held
        mortal = [place.mortal(played) for place in before]
        # A deck that was dealt from had enough for all that died out before; otherwise it may have run short.
        enough = dealt or self.deck.least >= drawn + CARDS_PER_EXTINCTION * sum(mortal)
        found = [
            _one_of([_since(place, now, played, dealt, enough) for place in before[at : at + gone + 1]])
            for at, now in enumerate(others)
        ]
        given = [_dealt(now) if dealt else 0 for now in others]
        # A player that is gone may have lost all its boards and got one and its cards for a new turn before it left.
        to_the_gone = gone * (CARDS_PER_EXTINCTION * max(mortal, default=0) + (_dealt(FRESH) if dealt else 0))
        left = self.deck.plus(-drawn - sum(given))
        deck = Estimate(
            left.least - to_the_gone - CARDS_PER_EXTINCTION * sum(since.died.most for since in found),
            left.guess - CARDS_PER_EXTINCTION * sum(since.died.guess for since in found),
            left.most - CARDS_PER_EXTINCTION * sum(since.died.least for since in found),
        )
        hands = [since.hand.plus(cards) for since, cards in zip(found, given, strict=True)]
        on_boards = sum(len(board.traits) for boards in others for board in boards)
        self.deck, *hands = _fitted([deck, *hands], len(DECK) - held - self._spent - on_boards)
        self._places = [_Place(boards, hand) for boards, hand in zip(others, hands, strict=True)]


def _dealt(boards: Boards) -> int:
    """What the start of a turn brings a player with these boards."""
    return CARDS_PER_PLAYER + CARDS_PER_BOARD * len(boards)


def _fitted(numbers: Sequence[Estimate], room: int) -> list[Estimate]:
    """The same numbers of cards, none below 0 and no more in all than there is room for. Too high guesses shrink from
    the last one on, so the deck's last.
    """
    bounds = [(max(0, number.least), max(0, number.least, number.most)) for number in numbers]
    spare = max(0, room - sum(least for least, _ in bounds))
    bounds = [(least, min(most, least + spare)) for least, most in bounds]
    guesses = [min(max(number.guess, least), most) for number, (least, most) in zip(numbers, bounds, strict=True)]
    for at in reversed(range(len(guesses))):
        guesses[at] = max(bounds[at][0], guesses[at] - max(0, sum(guesses) - room))
    return [Estimate(least, guess, most) for (least, most), guess in zip(bounds, guesses, strict=True)]


def _one_of(players: Sequence[_Since]) -> _Since:
    """The bounds of all these, and the guess of the one that supposes least."""
    likely = min(players, key=lambda since: since.supposes)
    return _Since(
        _around([since.hand for since in players], likely.hand.guess),
        _around([since.died for since in players], likely.died.guess),
        likely.supposes,
    )


def _around(numbers: Sequence[Estimate], guess: int) -> Estimate:
    return Estimate(min(number.least for number in numbers), guess, max(number.most for number in numbers))


def _since(place: _Place, now: Boards, played: bool, dealt: bool, enough: bool) -> _Since:
    """What can have become of this player, whose boards are these now. `enough`: the deck had 2 cards for each board
    that died out.
    """
    hand = place.hand
    ways = _ways(place.boards, now)
    if dealt and now == FRESH:
        ways |= _ways(place.boards, ())
    able = {way for way in ways if (way.spent < hand.most if played else way.spent == 0)}
    able = able or {_Way(0, max(0, len(place.boards) - len(now)))}  # not by our rules
    likely = min(able, key=lambda way: (way.spent + way.died, way))
    supposes = likely.spent + likely.died
    died_least = min(way.died for way in able)
    sure = CARDS_PER_EXTINCTION * died_least if enough else 0
    if not played:
        died = Estimate(died_least, likely.died, max(way.died for way in able))
        guess, most = (CARDS_PER_EXTINCTION * number for number in (died.guess, died.most))
        return _Since(Estimate(hand.least + sure, hand.guess + guess, hand.most + most), died, supposes)
    # At most, every card that nothing shows has bought a board that died out.
    most = hand.most - 1 - min(way.spent - way.died for way in able)
    guess = hand.guess - 1 - likely.spent + CARDS_PER_EXTINCTION * likely.died
    return _Since(Estimate(sure, guess, CARDS_PER_EXTINCTION * most), Estimate(died_least, likely.died, most), supposes)


class _Way(NamedTuple):
    """How boards became others: so many cards spent on what is seen, and so many boards died out."""

    spent: int
    died: int


def _ways(before: Boards, now: Boards) -> set[_Way]:
    """How these boards can have become those. What was bought and died out in between is not counted."""
    by_kept = {0: {_Way(0, 0)}}
    for board in before:
        further: defaultdict[int, set[_Way]] = defaultdict(set)
        for kept, ways in by_kept.items():
            further[kept] |= {_Way(spent, died + 1) for spent, died in ways}
            cards = _grown(board, now[kept]) if kept < len(now) else None
            if cards is not None:
                further[kept + 1] |= {_Way(spent + cards, died) for spent, died in ways}
        by_kept = further
    bought = {kept: sum(_bought(board) for board in now[kept:]) for kept in by_kept}
    return {_Way(spent + bought[kept], died) for kept, ways in by_kept.items() for spent, died in ways}


def _grown(before: Species, now: Species) -> int | None:
    """How many cards, at least, make the one board of the other; None if they are not the same."""
    if len(before.traits) != len(now.traits) or now.body < before.body:
        return None
    replaced = sum(old != new for old, new in zip(before.traits, now.traits, strict=True))
    return replaced + now.body - before.body + _animals(before.population, now)


def _bought(now: Species) -> int:
    """How many cards, at least, this new board took."""
    return 1 + len(now.traits) + now.body + _animals(1, now)


def _animals(before: int, now: Species) -> int:
    """How many animals, at least, were bought for this board."""
    return max(0, now.population - before - (1 if now.mask & FERTILE else 0))
