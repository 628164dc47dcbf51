"""A process that keeps adding games to a store, and asks for the ladder now and then."""

import sys

from tests.store.paper import paper
from wateringhole.store.games import opened

GAMES = 20


def main(place: str, remainder: int) -> None:
    """Every second game, from this one on."""
    with opened(place) as store:
        for number in range(remainder, 2 * GAMES, 2):
            store.add([paper(number, "Ann", "Bob", "Cem")])
            if number % 5 == 0:
                store.ladder()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
