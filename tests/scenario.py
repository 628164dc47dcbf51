"""The words of the scenarios: a board, a player, a game in the middle of a turn, and what a reply changes.

Laws: a scenario names only what changes. `changes` lists every player that is not as before, and the watering hole, the
deck, the order and the turn if they moved; so whatever a scenario leaves out is checked to be equal.
"""

from collections.abc import Callable, Sequence

from wateringhole import dealer
from wateringhole.cards import DECK, Card
from wateringhole.events import Event
from wateringhole.fault import During, Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import CardPlay, Reply
from wateringhole.player import Player
from wateringhole.species import Species
from wateringhole.traits import Trait

NAMES = ("Ada", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal")


def board(*traits: str, population: int = 1, body: int = 0, food: int = 0, fat_food: int = 0) -> Species:
    return Species(population, body, food, fat_food, tuple(Trait(trait) for trait in traits))


def player(seat: int, boards: Sequence[Species] = (), hand: Sequence[Card] = (), bag: int = 0) -> Player:
    return Player(seat, list(boards), tuple(hand), bag)


def table_of(*players: Player, watering_hole: int, deck: Sequence[Card] = DECK) -> Game:
    """A game of these players, in this order, in its first turn."""
    game = Game(NAMES, {one.seat: one for one in players}, tuple(deck), watering_hole)
    game.turn = 1
    return game


def choosing_game(*players: Player, watering_hole: int = 0, deck: Sequence[Card] = DECK) -> Game:
    """A game in which these players must choose."""
    game = table_of(*players, watering_hole=watering_hole, deck=deck)
    game.phase = "choose"
    return game


def feeding_game(
    *boards: Sequence[Species], watering_hole: int, deck: Sequence[Card] = DECK, hands: Sequence[Card] = ()
) -> Game:
    """A game in which the seats 1, 2, ... with these boards feed; seat 1 is asked, however few options it has.

    With `hands`, seat n holds the nth of these cards.
    """
    players = [player(seat, row, hands[seat - 1 : seat]) for seat, row in enumerate(boards, 1)]
    game = table_of(*players, watering_hole=watering_hole, deck=deck)
    game.phase = "feed"
    game.queue = list(game.players)
    return game


BUSY = (board(population=7), board(population=7))
"""Two hungry vegetarians: their owner has a choice, so the dealer asks it and does not feed on by itself."""


def changed(game: Game, what: Callable[[Game], object]) -> dict[int | str, object]:
    """All that this does to a copy of the game, and the same whether or not somebody listens.

    A seat that is still at the table is listed with its new state, one that was expelled with its fault.
    """
    after, heard = game.clone(), game.clone()
    heard.told = []
    what(after)
    what(heard)
    assert after == heard
    return difference(game, after)


def difference(before: Game, after: Game) -> dict[int | str, object]:
    """What is different between two moments of one game."""
    listed: dict[int | str, object] = {}
    faults = dict(after.expelled)
    for seat, old in before.players.items():
        new = after.players.get(seat, faults.get(seat))
        if new != old:
            listed[seat] = new
    if list(after.players) != [seat for seat in before.players if seat in after.players]:
        listed["order"] = list(after.players)
    if after.watering_hole != before.watering_hole:
        listed["watering_hole"] = after.watering_hole
    if after.deck[after.dealt :] != before.deck[before.dealt :]:
        listed["deck"] = after.deck[after.dealt :]
    if after.turn != before.turn:
        listed["turn"] = after.turn
    assert after.names == before.names
    assert after.expelled[: len(before.expelled)] == before.expelled
    return listed


def take(game: Game, seat: int, reply: Reply) -> None:
    """This seat's reply, up to the next question or the end of feeding."""
    dealer.take(game, game.players[seat], reply)


def changes(game: Game, seat: int, reply: Reply) -> dict[int | str, object]:
    """All that this reply changes, up to the next question or the end of feeding."""
    return changed(game, lambda twin: take(twin, seat, reply))


def changes_by_plays(game: Game, *plays: CardPlay | Fault) -> dict[int | str, object]:
    """All that changes when everybody, in turn order, answers choose like this."""
    return changed(game, lambda twin: take_all(twin, *plays))


def take_all(game: Game, *plays: CardPlay | Fault) -> None:
    for seat, play in zip(list(game.players), plays, strict=True):
        take(game, seat, play)


def told(game: Game, what: Callable[[Game], object]) -> list[Event]:
    """What a listener hears when this is done to a copy of the game."""
    twin = game.clone()
    twin.told = []
    what(twin)
    return twin.hear()


def phase(game: Game) -> str:
    """Where the game stands; a function, because a checker takes it that a field it has seen stays as it is."""
    return game.phase


def illegal(rule: str, text: str, during: During = "feed") -> Fault:
    return Fault(Reason.ILLEGAL, text, rule, during)
