"""The doctor's scripted turns: each defence against each hunter, fat, chains of meals, full boards, no boards."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from wateringhole.cards import Card
from wateringhole.game import Game
from wateringhole.player import Player
from wateringhole.rules import turn
from wateringhole.species import MAX_BODY, MAX_POPULATION, Species
from wateringhole.traits import DEFENCES, Defence, Trait


class Scene(Struct, frozen=True):
    """The boards of the agent and of each of the others, the watering hole, and cards kept from earlier turns."""

    name: str
    mine: tuple[Species, ...]
    theirs: tuple[Species, ...]
    watering_hole: int
    others: int = 2
    held: int = 0


def _board(population: int, body: int = 0, *traits: Trait, food: int = 0, fat: int = 0) -> Species:
    return Species(population, body, food, fat, traits)


_T = Trait
_PLAIN: Final = _board(3, 1)
_HUNTERS: Final = (
    _board(4, 3, _T.CARNIVORE),
    _board(3, 2, _T.CARNIVORE, _T.AMBUSH),
    _board(5, 1, _T.CARNIVORE, _T.PACK_HUNTING),
    _board(2, 4, _T.CARNIVORE, _T.CLIMBING),
)


def _shown(defence: Defence) -> tuple[Species, ...]:
    """Boards with this defence; if it protects neighbours, with one between them."""
    boards = [_board(population, body, defence.trait, food=food) for population, body, food in defence.examples]
    return (boards[0], _PLAIN, *boards[1:]) if defence.for_neighbours else (*boards, _PLAIN)


_FULL: Final = _board(MAX_POPULATION, MAX_BODY, _T.FORAGING, _T.COOPERATION, _T.LONG_NECK)

SCENES: Final = (
    Scene("fat-tissue with room", (_board(3, 5, _T.FAT_TISSUE, food=3, fat=2), _PLAIN), (_PLAIN,), 9),
    Scene("several kinds of fat", (_board(2, 4, _T.FAT_TISSUE), _board(3, 7, _T.FAT_TISSUE, fat=1)), (_PLAIN,), 12),
    Scene("more fat than food", (_board(1, 7, _T.FAT_TISSUE, food=1), _board(2, 6, _T.FAT_TISSUE)), (_PLAIN,), 2),
    Scene("prey with no defence", _HUNTERS, (_PLAIN, _board(2, 3)), 20),
    *[Scene(f"prey with {defence.trait}", _HUNTERS, _shown(defence), 20) for defence in DEFENCES],
    Scene(
        "horns that kill the last animal",
        (_board(1, 3, _T.CARNIVORE), _board(2, 4, _T.CARNIVORE)),
        (_board(3, 1, _T.HORNS),),
        20,
    ),
    Scene(
        "only carnivores, no prey to attack",
        (_board(3, 2, _T.CARNIVORE), _PLAIN),
        (_board(5, 7, _T.CLIMBING, _T.HARD_SHELL, _T.HERDING),),
        6,
    ),
    Scene("a chain of cooperation", tuple(_board(4, 1, _T.COOPERATION, _T.FORAGING) for _ in range(4)), (_PLAIN,), 5),
    Scene(
        "scavengers of every seat",
        (*_HUNTERS[:2], _board(5, 1, _T.SCAVENGER)),
        (_PLAIN, _board(6, 1, _T.SCAVENGER)),
        15,
    ),
    Scene(
        "long necks and fertile boards",
        (_board(2, 1, _T.LONG_NECK, _T.FERTILE), _board(7, 1, _T.FERTILE), _PLAIN),
        (_PLAIN,),
        4,
    ),
    Scene("full boards", (_FULL,) * 7, (_FULL, _FULL), 100),
    Scene("full boards in need of nothing but cards", (_FULL,) * 2, (_PLAIN,), 30, held=25),
    Scene("no boards", (), (_PLAIN,), 8),
    Scene("no boards, and a hand full of cards", (), (), 0, held=20),
    Scene("an empty watering hole, every board starves", (_PLAIN, _PLAIN), (_PLAIN,), 0),
    Scene("one token for many", (_PLAIN, _PLAIN, _PLAIN), (_PLAIN, _PLAIN), 1),
    Scene("hunters among eight", _HUNTERS, (_PLAIN, _board(2, 2, _T.HORNS)), 40, others=7),
    Scene(
        "every trait at once",
        tuple(_board(3, 3, trait, food=0) for trait in Trait if trait is not _T.CARNIVORE),
        _HUNTERS,
        60,
    ),
)


def staged(scene: Scene, shuffled: Sequence[Card], names: Sequence[str], listen: bool) -> Game:
    """The game of a scene: one turn, for which the deck is just enough. The agent sits on seat 1, and is the first."""
    cards = iter(shuffled)
    hand = tuple(next(cards) for _ in range(scene.held))
    players = {1: Player(1, list(scene.mine), hand, 0)}
    players |= {seat: Player(seat, list(scene.theirs), (), 0) for seat in range(2, scene.others + 2)}
    needed = sum(3 + max(1, len(player.species)) for player in players.values())
    deck: tuple[Card, ...] = tuple(cards)[:needed]
    game = Game(tuple(names), players, deck, scene.watering_hole)
    if listen:
        game.told = []
    turn.begin(game)
    return game
