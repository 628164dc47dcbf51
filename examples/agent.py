"""A player with the four methods start, choose, feed and over: it tries things out before it answers.

Run it to see it play against three rash players: python examples/agent.py [SEED]
Or let it meet others: wateringhole match py:examples/agent.py:Thrifty silly rash
"""

import sys
from typing import Final

from wateringhole import (
    CardPlay,
    Choose,
    Decline,
    Feed,
    Feeding,
    Growth,
    NewBoard,
    Own,
    Rash,
    Result,
    Start,
    Trait,
    play,
    shuffled,
)

GOOD: Final = [Trait.LONG_NECK, Trait.FORAGING, Trait.COOPERATION, Trait.FERTILE, Trait.CLIMBING, Trait.SCAVENGER]


class Thrifty:
    """Brings the food that its animals need, keeps few boards, and takes the meal that leaves it best off."""

    def __init__(self) -> None:
        self.turns = 0
        self.places: list[int | None] = []

    def start(self, request: Start) -> None:
        """A turn begins; nothing is asked."""
        self.turns = request.turn

    def choose(self, request: Choose) -> CardPlay:
        """The most food into the watering hole; a new board if there is none that will be fed; then animals."""
        hand = request.me.hand
        food = max(range(len(hand)), key=lambda card: hand[card].food)
        spare = sorted((card for card in range(len(hand)) if card != food), key=lambda card: _worth(hand[card].trait))
        best = CardPlay(food)
        while spare:
            draft = self._longer(request, best, spare)
            # You need not know the rules by heart: ask before you play.
            if draft is None or request.why_not(draft) is not None:
                break
            best = draft
        return best

    def feed(self, request: Feed) -> Feeding:
        """The option after which our boards hold the most."""
        return max(request.options, key=lambda move: _tokens(request.what_if(move).me), default=Decline())

    def over(self, result: Result) -> None:
        """The game is over, and all of it may be seen."""
        self.places = [row.rank for row in result.ranking]

    def _longer(self, request: Choose, play: CardPlay, spare: list[int]) -> CardPlay | None:
        """The play with one thing more; what it costs is taken from the spare cards."""
        boards = request.preview(play)
        if len(boards) < 3 and len(spare) >= 2:
            pay, trait = spare.pop(0), spare.pop()
            return CardPlay(play.food, play.population, boards=(*play.boards, NewBoard(pay, (trait,))))
        smallest = min(range(len(boards)), key=lambda at: boards[at].population)
        return CardPlay(play.food, (*play.population, Growth(smallest, spare.pop(0))), boards=play.boards)


def _worth(trait: Trait) -> int:
    return len(GOOD) - GOOD.index(trait) if trait in GOOD else 0


def _tokens(me: Own) -> int:
    return sum(2 * board.food + board.fat_food for board in me.species)


def game(seed: str) -> Result:
    """A game of the thrifty player against three rash ones."""
    rash = [Rash(f"{seed}:{number}") for number in range(3)]
    return play([Thrifty(), *rash], shuffled(seed), ["thrifty", "rash 1", "rash 2", "rash 3"])


def main(seed: str = "thrift") -> None:
    rows = [f"{row.rank or '-'}. {row.name}: {row.score}" for row in game(seed).ranking]
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
