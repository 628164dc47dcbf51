"""A starter bot: it plays one game in the dialect `native`, one JSON object a line.

python3 bot.py                        speaks on standard input and output
python3 bot.py localhost 45678 Ann    plays at a server, under the name Ann

The strategy is in `choose` and `feed`: change them. What is below them only carries messages.
"""

import json
import socket
import sys
from typing import Any, BinaryIO

NAME = "python starter"

# The traits that a new board should bear, the best ones first.
FAVOURITES = [
    "long-neck",
    "foraging",
    "cooperation",
    "scavenger",
    "fertile",
    "carnivore",
    "climbing",
    "hard-shell",
    "burrowing",
    "herding",
    "symbiosis",
    "horns",
    "warning-call",
]
MAX_TRAITS = 3
MAX_POPULATION = 7

Message = dict[str, Any]


def choose(request: Message) -> Message:
    """How to use the cards. Cards and boards are named by their place, counted from 0; a card can be used once."""
    hand = request["me"]["hand"]  # each card is [food, trait]
    populations = [board["population"] for board in request["me"]["boards"]]

    # The watering hole gets the card with the most food.
    food = max(range(len(hand)), key=lambda card: hand[card][0])
    spare = [card for card in range(len(hand)) if card != food]

    # One card pays for a new board, and its traits are our favourites among the others. Each favourite is taken once,
    # so no trait is twice on the board.
    new_boards = []
    if len(spare) >= 3:
        traits: list[int] = []
        for favourite in FAVOURITES:
            bearing = [card for card in spare if hand[card][1] == favourite]
            if bearing and len(traits) < MAX_TRAITS and len(spare) > 1:
                spare.remove(bearing[0])
                traits.append(bearing[0])
        new_boards.append({"pay": spare.pop(0), "traits": traits})
        populations.append(1)  # a new board counts on behind the old ones

    # Every other card buys an animal for the board that has the fewest.
    growth = []
    for card in spare:
        smallest = populations.index(min(populations))
        if populations[smallest] < MAX_POPULATION:
            growth.append({"board": smallest, "card": card})
            populations[smallest] += 1

    return {"move": "play", "food": food, "population": growth, "boards": new_boards}


def feed(request: Message) -> Message:
    """What to feed next: graze if possible, else attack, else store fat. Every option can be sent back as it is."""
    options: list[Message] = request["options"]
    for move in ("graze", "attack", "store"):
        for option in options:
            if option["move"] == move:
                return option
    return {"move": "decline"}


# Plumbing


def play(incoming: BinaryIO, outgoing: BinaryIO, name: str) -> int:
    """Sign up, answer every request until the game is over, and return the exit code."""

    def say(message: Message) -> None:
        outgoing.write(json.dumps(message).encode() + b"\n")
        outgoing.flush()

    say({"wateringhole": 1, "name": name})
    for line in incoming:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "choose":
            say({"id": message["id"], "answer": choose(message)})
        elif kind == "feed":
            say({"id": message["id"], "answer": feed(message)})
        elif kind in ("expelled", "refused"):
            return fail(f"{kind}: {message.get('text')}")
        elif kind == "over":
            break
        # Every other message only tells something; later versions may have more of them.
    return 0


def fail(sentence: str, code: int = 1) -> int:
    sys.stderr.write(f"{sentence}\n")
    return code


def is_port(word: str) -> bool:
    return word.isascii() and word.isdigit() and int(word) <= 65_535


def main(words: list[str]) -> int:
    if len(words) not in (0, 2, 3) or (words and not is_port(words[1])):
        return fail("usage: python3 bot.py [HOST PORT [NAME]]", 2)
    name = words[2] if len(words) == 3 else NAME
    try:
        if not words:
            with open(1, "wb", buffering=0, closefd=False) as outgoing:
                return play(sys.stdin.buffer, outgoing, name)
        with connected(words[0], int(words[1])) as line:
            return play(line.makefile("rb"), line.makefile("wb"), name)
    except (ConnectionError, TimeoutError) as error:  # and no other: an error in the strategy shows its place
        return fail(f"no connection: {error}")


def connected(host: str, port: int) -> socket.socket:
    try:
        return socket.create_connection((host, port))
    except OSError as error:  # an unknown host is none of Python's connection errors
        raise ConnectionError(error) from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
