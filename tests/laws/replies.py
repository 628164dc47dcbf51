"""Replies of every kind for the laws: legal ones in several manners, illegal ones of each kind, and bad agents."""

from collections.abc import Callable, Sequence
from random import Random

from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK, Card
from wateringhole.fault import During, Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard, Replacement, Reply, StoreFat
from wateringhole.player import Other, Player
from wateringhole.species import Species
from wateringhole.table import ask
from wateringhole.traits import Trait
from wateringhole.value import replace
from wateringhole.view import Choose, Feed, Request

from . import naive


class Miser(Rash):
    """Keeps all cards but the one that it must give."""

    def choose(self, request: Choose) -> CardPlay:
        return CardPlay(self._random.randrange(len(request.me.hand)))


class Breeder(Rash):
    """Puts all cards into the growth of one board, and what does not fit into another."""

    def choose(self, request: Choose) -> CardPlay:
        food, *rest = self._random.sample(range(len(request.me.hand)), len(request.me.hand))
        play = CardPlay(food)
        for card in rest:
            for board in range(len(request.me.species)):
                growth = (Growth(board, card),)
                wish = (
                    replace(play, population=play.population + growth)
                    if self._random.random() < 0.5
                    else replace(play, body=play.body + growth)
                )
                if request.why_not(wish) is None:
                    play = wish
                    break
        return play


class Collector(Rash):
    """Spreads its cards as traits over new boards."""

    def choose(self, request: Choose) -> CardPlay:
        food, *rest = self._random.sample(range(len(request.me.hand)), len(request.me.hand))
        play = CardPlay(food)
        while len(rest) > 1:
            traits = tuple(rest[1 : self._random.randint(2, 4)])
            wish = replace(play, boards=(*play.boards, NewBoard(rest[0], traits)))
            rest = rest[1 + len(traits) :]
            if request.why_not(wish) is None:
                play = wish
        return play


class Fool:
    """Plays like another agent until it fails once, at some request, in some way."""

    def __init__(self, seed: str | int, sane: Agent) -> None:
        self._random = Random(f"fool {seed}")
        self._sane = sane
        self._patience = self._random.randrange(12)

    def choose(self, request: Choose) -> CardPlay | Fault:
        play = self._fails(request)
        return play if isinstance(play, CardPlay) else self._sane.choose(request)

    def feed(self, request: Feed) -> Feeding | Fault:
        move = self._fails(request)
        return move if isinstance(move, Graze | StoreFat | Attack | Decline) else self._sane.feed(request)

    def _fails(self, request: Request) -> Reply | None:
        self._patience -= 1
        if self._patience >= 0:
            return None
        if self._random.random() < 0.3:
            raise RuntimeError("a fool")
        return illegal(request, self._random)


INTERPLAY = (
    Trait.CARNIVORE,
    Trait.COOPERATION,
    Trait.FAT_TISSUE,
    Trait.FERTILE,
    Trait.FORAGING,
    Trait.HORNS,
    Trait.LONG_NECK,
    Trait.SCAVENGER,
)
"""The traits that do something by themselves."""

DURING: tuple[During, ...] = ("start", "choose", "feed", "")

MANNERS: dict[str, Callable[[str], Agent]] = {
    "rash": Rash,
    "silly": lambda _: Silly(),
    "miser": Miser,
    "breeder": Breeder,
    "collector": Collector,
}


def legal(request: Request, manner: str, seed: str) -> Reply:
    """What an agent of this manner answers."""
    return ask(MANNERS[manner](seed), request)


def free_cards(play: CardPlay, hand: Sequence[Card]) -> list[int]:
    """The cards of the hand that this play leaves there."""
    used = naive.used_cards(play)
    return [number for number in range(len(hand)) if number not in used]


def _some_play(request: Choose, random: Random) -> CardPlay:
    """A legal play that leaves a card, so that a flaw can be built on it."""
    play = Rash(random.randrange(1 << 30)).choose(request)
    return play if free_cards(play, request.me.hand) else CardPlay(0)


def _free(play: CardPlay, request: Choose, random: Random) -> int:
    return random.choice(free_cards(play, request.me.hand))


def bad_card(request: Choose, random: Random) -> Reply:
    play, bad = _some_play(request, random), len(request.me.hand) + random.randrange(3)
    return random.choice(
        [
            replace(play, food=bad),
            replace(play, population=(*play.population, Growth(0, bad))),
            replace(play, body=(*play.body, Growth(0, bad))),
            replace(play, boards=(*play.boards, NewBoard(bad))),
            replace(play, boards=(*play.boards, NewBoard(_free(play, request, random), (bad,)))),
            replace(play, traits=(*play.traits, Replacement(0, 0, bad))),
        ]
    )


def card_twice(request: Choose, random: Random) -> Reply:
    play = _some_play(request, random)
    again = random.choice(naive.used_cards(play))
    return random.choice(
        [
            replace(play, population=(*play.population, Growth(0, again))),
            replace(play, body=(*play.body, Growth(0, again))),
            replace(play, boards=(*play.boards, NewBoard(again))),
            replace(play, boards=(*play.boards, NewBoard(_free(play, request, random), (again,)))),
        ]
    )


def bad_board(request: Choose, random: Random) -> Reply:
    play = _some_play(request, random)
    bad = len(request.me.species) + len(play.boards) + random.randrange(3)
    card = _free(play, request, random)
    return random.choice(
        [
            replace(play, population=(*play.population, Growth(bad, card))),
            replace(play, body=(*play.body, Growth(bad, card))),
            replace(play, traits=(*play.traits, Replacement(bad, 0, card))),
        ]
    )


def too_many_animals(request: Choose, random: Random) -> Reply:
    at = max(range(len(request.me.species)), key=lambda at: request.me.species[at].population)
    food, *rest = random.sample(range(len(request.me.hand)), len(request.me.hand))
    return CardPlay(food, population=tuple(Growth(at, card) for card in rest))


def too_large_a_body(request: Choose, random: Random) -> Reply:
    at = max(range(len(request.me.species)), key=lambda at: request.me.species[at].body)
    food, *rest = random.sample(range(len(request.me.hand)), len(request.me.hand))
    return CardPlay(food, body=tuple(Growth(at, card) for card in rest))


def repeated_new_traits(request: Choose, random: Random) -> Reply:
    """A new board that bears one trait twice, if the hand allows it."""
    by_trait: dict[Trait, list[int]] = {}
    for number, card in enumerate(request.me.hand):
        by_trait.setdefault(card.trait, []).append(number)
    pairs = [numbers[:2] for numbers in by_trait.values() if len(numbers) > 1]
    first, second = random.choice(pairs) if pairs else (0, 0)
    food, pay = [number for number in range(len(request.me.hand)) if number not in (first, second)][:2]
    return CardPlay(food, boards=(NewBoard(pay, (first, second)),))


def bad_slot(request: Choose, random: Random) -> Reply:
    play = _some_play(request, random)
    at = random.randrange(len(request.me.species))
    slot = len(request.me.species[at].traits) + random.randrange(3)
    return replace(play, traits=(*play.traits, Replacement(at, slot, _free(play, request, random))))


def repeated_traits(request: Choose, random: Random) -> Reply:
    """A replacement that puts a trait on a board that bears it in another slot, if hand and boards allow it."""
    found = [
        Replacement(at, slot, number)
        for number, card in enumerate(request.me.hand)
        for at, board in enumerate(request.me.species)
        for slot in range(len(board.traits))
        if card.trait in board.traits and board.traits[slot] is not card.trait
    ]
    swap = random.choice(found) if found else Replacement(0, 3, 1)
    return CardPlay(1 if swap.card == 0 else 0, traits=(swap,))


def feeding_for_a_play(_: Choose, random: Random) -> Reply:
    moves: list[Reply] = [Decline(), Graze(0), StoreFat(0, 1), Attack(0, 1, 0)]
    return random.choice(moves)


def feed_bad_board(request: Feed, random: Random) -> Reply:
    bad = len(request.me.species) + random.randrange(3)
    moves: list[Reply] = [Graze(bad), StoreFat(bad, 1), Attack(bad, absent_seat(request), 0)]
    moves += [Attack(bad, other.seat, 0) for other in request.others]
    return random.choice(moves)


def any_graze(request: Feed, random: Random) -> Reply:
    return Graze(random.randrange(len(request.me.species)))


def any_fat(request: Feed, random: Random) -> Reply:
    return StoreFat(random.randrange(len(request.me.species)), random.randrange(9))


def no_fat(request: Feed, random: Random) -> Reply:
    return StoreFat(random.randrange(len(request.me.species)), 0)


def too_much_fat(request: Feed, random: Random) -> Reply:
    at = random.randrange(len(request.me.species))
    return StoreFat(at, min(request.me.species[at].fat_need, request.watering_hole) + 1)


def own_prey(request: Feed, random: Random) -> Reply:
    boards = range(len(request.me.species))
    return Attack(random.choice(boards), request.me.seat, random.choice(boards))


def absent_seat(request: Feed) -> int:
    """The first seat number at which nobody sits any more, or ever did."""
    here = {request.me.seat, *(other.seat for other in request.others)}
    return next(seat for seat in range(1, 10) if seat not in here)


def absent_prey(request: Feed, random: Random) -> Reply:
    absent = random.choice((0, absent_seat(request), 99))
    return Attack(random.randrange(len(request.me.species)), absent, 0)


def bad_prey(request: Feed, random: Random) -> Reply:
    if not request.others:
        return Attack(0, 0, 0)
    other = random.choice(request.others)
    return Attack(random.randrange(len(request.me.species)), other.seat, len(other.species) + random.randrange(3))


def any_attack(request: Feed, random: Random) -> Reply:
    if not request.others:
        return Attack(0, 0, 0)
    other = random.choice(request.others)
    return Attack(random.randrange(len(request.me.species)), other.seat, random.randrange(len(other.species) + 1))


def play_for_a_feeding(_: Feed, random: Random) -> Reply:
    return CardPlay(random.randrange(4))


ILLEGAL_PLAYS: tuple[Callable[[Choose, Random], Reply], ...] = (
    bad_card,
    card_twice,
    bad_board,
    too_many_animals,
    too_large_a_body,
    repeated_new_traits,
    bad_slot,
    repeated_traits,
    feeding_for_a_play,
)

ILLEGAL_FEEDINGS: tuple[Callable[[Feed, Random], Reply], ...] = (
    feed_bad_board,
    any_graze,
    any_fat,
    no_fat,
    too_much_fat,
    own_prey,
    absent_prey,
    bad_prey,
    any_attack,
    play_for_a_feeding,
)


def is_legal(request: Request, reply: Reply) -> bool:
    """Whether the naive rules allow this reply."""
    if isinstance(request, Choose):
        return isinstance(reply, CardPlay) and naive.flaw(reply, request.me.species, request.me.hand) is None
    if isinstance(reply, CardPlay | Fault):
        return False
    return naive.legal_feeding(reply, naive.options(request.me.species, request.watering_hole, request.others))


def illegal(request: Request, random: Random, kind: int | None = None) -> Reply:
    """An illegal reply, of this kind if the situation has one."""
    for _ in range(8):
        reply: Reply
        if isinstance(request, Choose):
            at = random.randrange(len(ILLEGAL_PLAYS)) if kind is None else kind % len(ILLEGAL_PLAYS)
            reply = ILLEGAL_PLAYS[at](request, random)
        else:
            at = random.randrange(len(ILLEGAL_FEEDINGS)) if kind is None else kind % len(ILLEGAL_FEEDINGS)
            reply = ILLEGAL_FEEDINGS[at](request, random)
        if not is_legal(request, reply):
            return reply
        kind = None
    return CardPlay(99) if isinstance(request, Choose) else Graze(99)


def some_fault(random: Random) -> Fault:
    """Any fault that an agent's driver may report."""
    during = random.choice(DURING)
    return Fault(random.choice(list(Reason)), "does something wrong", during=during)


def some_board(random: Random) -> Species:
    """Any board that the rules allow, the limits more often than their share."""
    population = random.choice((1, 2, 3, 4, 7, random.randint(1, 7)))
    body = random.choice((0, 1, 4, 7, random.randint(0, 7)))
    traits = tuple(random.sample(list(Trait), random.randint(0, 3)))
    if random.random() < 0.3 and Trait.CARNIVORE not in traits:
        traits = (Trait.CARNIVORE, *traits[:2])
    food = random.choice((0, population, random.randint(0, population)))
    fat = random.choice((0, body, random.randint(0, body))) if Trait.FAT_TISSUE in traits else 0
    return Species(population, body, food, fat, traits)


def some_table(random: Random) -> Game:
    """A game between two turns, with any boards, hands and bags that the rules allow, the limits more often."""
    deck = random.sample(DECK, len(DECK))
    players: dict[int, Player] = {}
    for seat in random.sample(range(1, 9), random.randint(2, 5)):
        species = [_board_from(deck, random) for _ in range(random.randint(0, 4))]
        hand = tuple(deck.pop() for _ in range(random.randint(0, 5)))
        players[seat] = Player(seat, species, hand, random.randint(0, 40))
    game = Game(("player",) * 8, players, tuple(deck), random.choice((0, 5, 15, 40)))
    # Who does not sit here has been expelled before.
    game.expelled = [(seat, Fault(Reason.EXITED, "left")) for seat in range(1, 9) if seat not in players]
    return game


def _board_from(deck: list[Card], random: Random) -> Species:
    """A board as a turn leaves it: its traits are taken from the deck."""
    wanted = some_board(random)
    traits: list[Trait] = []
    for trait in dict.fromkeys([*wanted.traits, *random.sample(INTERPLAY, 2)]):
        at = next((at for at, card in enumerate(deck) if card.trait is trait), None)
        if at is not None and len(traits) < 3:
            deck.pop(at)
            traits.append(trait)
    fat = random.randint(0, wanted.body) if Trait.FAT_TISSUE in traits else 0
    return Species(wanted.population, wanted.body, 0, fat, tuple(traits))


def some_others(random: Random, me: int) -> list[Other]:
    """Other players with any boards."""
    seats = random.sample([seat for seat in range(1, 9) if seat != me], random.randint(0, 3))
    return [
        Other(seat, tuple(some_board(random) for _ in range(random.randint(0, 3))), random.randint(0, 9))
        for seat in seats
    ]
