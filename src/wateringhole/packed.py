"""Replies and decks as lists of small numbers: the form in which a run keeps its games.

A reply begins with a number for its kind and its seat; its own numbers follow. Faults are texts, and kept beside the
list, in the order in which they come.

Laws: what is unpacked is equal to what was packed. Whatever is not packed by us is a ValueError.
"""

from collections.abc import Sequence
from typing import Final

from wateringhole.cards import DECK, Card
from wateringhole.fault import Fault
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Growth, NewBoard, Replacement, Reply, StoreFat

SEATS: Final = 16
"""The kinds are multiples of this; what is left is the seat."""
PLAY: Final = 0 * SEATS
GRAZE: Final = 1 * SEATS
STORE: Final = 2 * SEATS
ATTACK: Final = 3 * SEATS
DECLINE: Final = 4 * SEATS
FAULT: Final = 5 * SEATS


def packed_deck(deck: tuple[Card, ...]) -> list[int]:
    """Each card as its place in the sorted deck."""
    return [held.order for held in deck]


def unpacked_deck(orders: list[int]) -> tuple[Card, ...]:
    """The deck again."""
    for order in orders:
        if not 0 <= order < len(DECK):
            raise ValueError(f"a card in the deck is {order}, not one of the {len(DECK)}")
    return tuple([DECK[order] for order in orders])


def packed_replies(replies: tuple[tuple[int, Reply], ...]) -> tuple[list[int], list[Fault]]:
    """All replies but for what faults say, and the faults."""
    out: list[int] = []
    faults: list[Fault] = []
    for seat, reply in replies:
        if type(reply) is CardPlay:
            out.append(PLAY + seat)
            pack_play(reply, out)
        elif type(reply) is Graze:
            out.append(GRAZE + seat)
            out.append(reply.board)
        elif type(reply) is Attack:
            out.append(ATTACK + seat)
            out.append(reply.board)
            out.append(reply.seat)
            out.append(reply.target)
        elif type(reply) is StoreFat:
            out.append(STORE + seat)
            out.append(reply.board)
            out.append(reply.tokens)
        elif type(reply) is Decline:
            out.append(DECLINE + seat)
        else:
            out.append(FAULT + seat)
            faults.append(reply)
    return out, faults


def pack_play(play: CardPlay, out: list[int]) -> None:
    """The play behind what is there: each list of it with its length before it."""
    out.append(play.food)
    out.append(len(play.population))
    for growth in play.population:
        out.append(growth.board)
        out.append(growth.card)
    out.append(len(play.body))
    for growth in play.body:
        out.append(growth.board)
        out.append(growth.card)
    out.append(len(play.boards))
    for new in play.boards:
        out.append(new.pay)
        out.append(len(new.traits))
        for card in new.traits:
            out.append(card)  # extend takes compiled code longer
    out.append(len(play.traits))
    for swap in play.traits:
        out.append(swap.board)
        out.append(swap.slot)
        out.append(swap.card)


def unpacked_replies(numbers: list[int], faults: Sequence[Fault]) -> tuple[tuple[int, Reply], ...]:
    """The replies again, with these faults in their places."""
    reader = NumberReader(numbers)
    replies: list[tuple[int, Reply]] = []
    said = 0
    while reader.at < len(numbers):
        head = reader.number()
        kind, seat = head - head % SEATS, head % SEATS
        if kind == FAULT:
            if said == len(faults):
                raise ValueError("a fault is missing")
            replies.append((seat, faults[said]))
            said += 1
        else:
            replies.append((seat, _move_in(kind, reader)))
    if said < len(faults):
        raise ValueError("there are more faults than replies that are one")
    return tuple(replies)


class NumberReader:
    """The numbers, and how far they are read."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers: Final = numbers
        self.at = 0

    def number(self) -> int:
        """The next one; ValueError when there is none."""
        if self.at == len(self.numbers):
            raise ValueError("the replies end in the middle of one")
        self.at += 1
        return self.numbers[self.at - 1]


def unpack_play(reader: NumberReader) -> CardPlay:
    """The play that comes next."""
    return CardPlay(
        reader.number(),
        tuple([Growth(reader.number(), reader.number()) for _ in range(reader.number())]),
        tuple([Growth(reader.number(), reader.number()) for _ in range(reader.number())]),
        tuple([_new_board(reader) for _ in range(reader.number())]),
        tuple([Replacement(reader.number(), reader.number(), reader.number()) for _ in range(reader.number())]),
    )


def _move_in(kind: int, reader: NumberReader) -> Reply:
    if kind == PLAY:
        return unpack_play(reader)
    if kind == GRAZE:
        return Graze(reader.number())
    if kind == STORE:
        return StoreFat(reader.number(), reader.number())
    if kind == ATTACK:
        return Attack(reader.number(), reader.number(), reader.number())
    if kind == DECLINE:
        return Decline()
    raise ValueError(f"there is no kind of reply {kind // SEATS}")


def _new_board(reader: NumberReader) -> NewBoard:
    return NewBoard(reader.number(), tuple([reader.number() for _ in range(reader.number())]))
