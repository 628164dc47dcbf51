"""Card plays at the limits of the rules: the last that is legal, and the first that is not."""

from collections.abc import Callable
from random import Random
from typing import Final

from msgspec.structs import replace

from wateringhole.cards import DECK
from wateringhole.conformance.situations import Misshapen, Side, Situation, with_body, with_item, with_side
from wateringhole.moves import CardPlay, Growth, NewBoard, Replacement
from wateringhole.species import MAX_BODY, MAX_POPULATION, MAX_TRAITS, Species
from wateringhole.traits import Trait
from wateringhole.wire.framing import Json

SHAPES: Final[tuple[Json, ...]] = (
    False,
    [0, [], [], []],
    [-1, [], [], [], []],
    [True, [], [], [], []],
    [0.0, [], [], [], []],
    [0, [["body", 0, 1]], [], [], []],
    [0, [[0]], [], [], []],
    [0, [], [["population", 0, 1]], [], []],
    [0, [], [], [[]], []],
    [0, [], [], [[1, 2, 3, 4, 5]], []],
    [0, [], [], [], [[0, 0]]],
)
"""JSON values that are no card plays."""
SHARE_OF_FAT: Final = 0.1
MIN_HAND: Final = 3
"""With as many cards a program that reads one of them as a card play would carry it out."""


def with_limit_play(random: Random, situation: Situation) -> Situation:
    """The same turn, with plays at a limit for one player or two."""
    if random.random() < SHARE_OF_FAT:
        return _replaced_fat(random, situation, random.randrange(len(situation.sides)))
    for number in random.sample(range(len(situation.sides)), min(random.randint(1, 2), len(situation.sides))):
        made = [make(random, situation.sides[number]) for make in random.sample(_MAKERS, len(_MAKERS))]
        situation = with_side(situation, number, next(side for side in made if side is not None))
    return situation


def _replaced_fat(random: Random, situation: Situation, number: int) -> Situation:
    """The same turn, in which a player replaces a fat-tissue card with tokens on it, if it can by another one."""
    side = situation.sides[number]
    held = {*situation.deck, *[card for one in situation.sides for card in one.hand]}
    spare = [card for card in DECK if card.trait is Trait.FAT_TISSUE and card not in held]
    new = random.choice(spare) if spare and random.random() < 0.6 else side.hand[0]
    hand = (new, *side.hand[1:], *([] if side.hand[1:] else situation.deck[:1]))
    deck = situation.deck if side.hand[1:] else situation.deck[1:]
    if len(hand) < 2:  # the food card is a must
        return situation
    body, traits = random.randint(1, MAX_BODY), (Trait.FAT_TISSUE, Trait.HERDING)
    board = Species(random.randint(1, 4), body, 0, random.randint(1, body), traits)
    play = CardPlay(1, traits=(Replacement(0, random.choice((0, 0, 1)), 0),))
    side = replace(side, boards=(board, *side.boards[1:]), hand=hand, play=play)
    return replace(with_side(situation, number, side), deck=deck)


def _shape(random: Random, side: Side) -> Side | None:
    """No card play, for a player who could make the play that looks like it."""
    if not side.boards or len(side.hand) < MIN_HAND:
        return None
    return replace(side, play=Misshapen(random.choice(SHAPES)))


def _cards(random: Random, side: Side) -> Side | None:
    """A card just within or just beyond the hand."""
    last = len(side.hand) - random.choice((0, 1))
    food = 0
    plays = [CardPlay(last)]
    if last > 0:
        plays.append(CardPlay(food, boards=(NewBoard(last),)))
        if side.boards:
            at = random.randrange(len(side.boards))
            plays += [CardPlay(food, population=(Growth(at, last),)), CardPlay(food, body=(Growth(at, last),))]
    if last > 1:
        plays.append(CardPlay(food, boards=(NewBoard(1, (last,)),)))
    return replace(side, play=random.choice(plays))


def _once(random: Random, side: Side) -> Side | None:
    """One card for two purposes."""
    card = random.randrange(len(side.hand))
    plays = [CardPlay(card, boards=(NewBoard(card),))]
    if len(side.hand) > 1:
        plays.append(CardPlay(card, boards=(NewBoard(1 - min(card, 1), (card,)),)))
    for at, board in enumerate(side.boards):
        plays += [CardPlay(card, population=(Growth(at, card),)), CardPlay(card, body=(Growth(at, card),))]
        if board.traits:
            plays.append(CardPlay(card, traits=(Replacement(at, 0, card),)))
    return replace(side, play=random.choice(plays))


def _boards(random: Random, side: Side) -> Side | None:
    """A board just within or just beyond the row, with a new board or without one."""
    food, *rest = random.sample(range(len(side.hand)), len(side.hand))
    new = (NewBoard(rest.pop()),) if len(rest) > 1 and random.random() < 0.5 else ()
    at = len(side.boards) + len(new) - random.choice((0, 1))
    if not rest or at < 0:
        return None
    plays = [
        CardPlay(food, population=(Growth(at, rest[0]),), boards=new),
        CardPlay(food, body=(Growth(at, rest[0]),), boards=new),
        CardPlay(food, boards=new, traits=(Replacement(at, 0, rest[0]),)),
    ]
    return replace(side, play=random.choice(plays))


def _population(random: Random, side: Side) -> Side | None:
    """Growth of a board to the limit, or one beyond it."""
    food, *rest = random.sample(range(len(side.hand)), len(side.hand))
    if not side.boards or not rest:
        return None
    at, cards = random.randrange(len(side.boards)), rest[: random.randint(1, 2)]
    grown = MAX_POPULATION - len(cards) + random.choice((0, 1))
    return replace(
        side,
        boards=with_item(side.boards, at, side.boards[at].with_population(grown)),
        play=CardPlay(food, population=tuple(Growth(at, card) for card in cards)),
    )


def _body(random: Random, side: Side) -> Side | None:
    """Growth of a board's body to the limit, or one beyond it."""
    food, *rest = random.sample(range(len(side.hand)), len(side.hand))
    if not side.boards or not rest:
        return None
    at, cards = random.randrange(len(side.boards)), rest[: random.randint(1, 2)]
    grown = MAX_BODY - len(cards) + random.choice((0, 1))
    return replace(
        side,
        boards=with_item(side.boards, at, with_body(side.boards[at], grown)),
        play=CardPlay(food, body=tuple(Growth(at, card) for card in cards)),
    )


def _new_traits(random: Random, side: Side) -> Side | None:
    """A new board with as many traits as there may be, some of them perhaps the same."""
    cards = _same_first(random, side) if random.random() < 0.6 else random.sample(range(len(side.hand)), len(side.hand))
    if len(cards) < 4:
        return None
    traits = tuple(cards[: random.randint(2, min(MAX_TRAITS, len(cards) - 2))])
    return replace(side, play=CardPlay(cards[-1], boards=(NewBoard(cards[-2], traits),)))


def _slots(random: Random, side: Side) -> Side | None:
    """The last slot of a board, or one beyond it."""
    food, *rest = random.sample(range(len(side.hand)), len(side.hand))
    if not side.boards or not rest:
        return None
    at = random.randrange(len(side.boards))
    slot = len(side.boards[at].traits) - random.choice((0, 1))
    return None if slot < 0 else replace(side, play=CardPlay(food, traits=(Replacement(at, slot, rest[0]),)))


def _traits(random: Random, side: Side) -> Side | None:
    """Replacements by a trait that the board has, in the same slot or another one, or two of one slot."""
    options = []
    for at, board in enumerate(side.boards):
        for number, card in enumerate(side.hand):
            if len(side.hand) > 1 and card.trait in board.traits:
                food = 0 if number else 1
                options += [
                    CardPlay(food, traits=(Replacement(at, slot, number),)) for slot in range(len(board.traits))
                ]
        if board.traits and len(side.hand) > 2:
            food, *rest = random.sample(range(len(side.hand)), 3)
            options.append(CardPlay(food, traits=tuple(Replacement(at, 0, card) for card in rest)))
    return replace(side, play=random.choice(options)) if options else None


def _busy(random: Random, side: Side) -> Side | None:
    """A new board that also grows and gets another trait in the same play."""
    food, *rest = random.sample(range(len(side.hand)), len(side.hand))
    if len(rest) < 5:
        return None
    at = len(side.boards)
    new = NewBoard(rest[0], (rest[1],))
    growths = (Growth(at, rest[2]),), (Growth(at, rest[3]),)
    return replace(side, play=CardPlay(food, *growths, boards=(new,), traits=(Replacement(at, 0, rest[4]),)))


def _same_first(random: Random, side: Side) -> list[int]:
    """All cards in any order, but with two of one trait at the beginning, if there are two."""
    cards = random.sample(range(len(side.hand)), len(side.hand))
    for one in cards:
        for other in cards:
            if one != other and side.hand[one].trait is side.hand[other].trait:
                return [one, other, *[card for card in cards if card not in (one, other)]]
    return cards


_MAKERS: Final[tuple[Callable[[Random, Side], Side | None], ...]] = (
    *[_shape] * 3,  # there are many of them
    _cards,
    _once,
    _boards,
    _population,
    _body,
    _new_traits,
    _slots,
    _traits,
    _busy,
)
