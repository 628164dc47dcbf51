"""Well-shaped feedings that the rules forbid. They wait for the boards that they need."""

from collections.abc import Callable, Iterator
from typing import Final

from wateringhole import rulebook
from wateringhole.agents.bad.misdeed import NOT_YET, Misdeed
from wateringhole.fault import Reason
from wateringhole.moves import Attack, CardPlay, Feeding, Graze, Growth, NewBoard, StoreFat
from wateringhole.species import MAX_BODY, Species
from wateringhole.traits import CARNIVORE, DEFENCES, Trait
from wateringhole.view import Choose, Feed


def _board(request: Feed, fits: Callable[[Species], bool]) -> int | None:
    """The first own board that fits."""
    return next((at for at, board in enumerate(request.me.species) if fits(board)), None)


def _carnivore(board: Species) -> bool:
    return bool(board.mask & CARNIVORE)


def _missing_board(request: Feed) -> object:
    return Graze(len(request.me.species))


def _grazing_carnivore(request: Feed) -> object:
    at = _board(request, lambda board: _carnivore(board) and board.hungry)
    return NOT_YET if at is None else Graze(at)


def _sated_grazer(request: Feed) -> object:
    at = _board(request, lambda board: not board.hungry and not _carnivore(board))
    return NOT_YET if at is None else Graze(at)


def _fat_without_tissue(request: Feed) -> object:
    at = _board(request, lambda board: Trait.FAT_TISSUE not in board.traits)
    return NOT_YET if at is None else StoreFat(at, 1)


def _fat_board(request: Feed) -> int | None:
    return _board(request, lambda board: board.fat_need > 0)


def _too_much_fat(request: Feed) -> object:
    at = _fat_board(request)
    return NOT_YET if at is None else StoreFat(at, request.me.species[at].fat_need + 1)


def _no_fat(request: Feed) -> object:
    at = _fat_board(request)
    return NOT_YET if at is None else StoreFat(at, 0)


def _fatten(request: Choose) -> object:
    """A board with fat-tissue and a body that can store more than a small watering hole holds."""
    hand = request.me.hand
    fat = next((card for card in range(len(hand)) if hand[card].trait is Trait.FAT_TISSUE), None)
    if fat is None:
        return NOT_YET
    food, pay, *rest = [card for card in range(len(hand)) if card != fat]
    new = len(request.me.species)
    growths = tuple(Growth(new, card) for card in rest[:MAX_BODY])
    return CardPlay(food, body=growths, boards=(NewBoard(pay, (fat,)),))


def _more_than_the_watering_hole(request: Feed) -> object:
    at = _board(request, lambda board: board.fat_need > request.watering_hole)
    return NOT_YET if at is None else StoreFat(at, request.watering_hole + 1)


def _prey(request: Feed) -> Iterator[tuple[int, int]]:
    for other in request.others:
        for target in range(len(other.species)):
            yield other.seat, target


def _attack(request: Feed, fits: Callable[[Species], bool]) -> Feeding | None:
    """An attack by the first own board that fits on whatever comes first."""
    at = _board(request, fits)
    prey = next(_prey(request), None)
    return None if at is None or prey is None else Attack(at, *prey)


def _vegetarian_attack(request: Feed) -> object:
    return _attack(request, lambda board: board.hungry and not _carnivore(board)) or NOT_YET


def _sated_attack(request: Feed) -> object:
    return _attack(request, lambda board: not board.hungry and _carnivore(board)) or NOT_YET


def _hunter(request: Feed) -> int | None:
    return _board(request, lambda board: board.hungry and _carnivore(board))


def _attack_on_oneself(request: Feed) -> object:
    at = _hunter(request)
    return NOT_YET if at is None else Attack(at, request.me.seat, 0)


def _attack_on_nobody(request: Feed) -> object:
    at = _hunter(request)
    return NOT_YET if at is None else Attack(at, 99, 0)


def _attack_on_missing_board(request: Feed) -> object:
    at = _hunter(request)
    return NOT_YET if at is None else Attack(at, request.others[0].seat, len(request.others[0].species))


def _attack_through(rule: str) -> Callable[[Feed], object]:
    """An attack that is refused by the rule of this defence."""

    def attack(request: Feed) -> object:
        at = _hunter(request)
        refused = [] if at is None else request.targets(at)
        return next((attack for attack, fault in refused if fault is not None and fault.rule == rule), NOT_YET)

    return attack


FEEDINGS: Final = (
    Misdeed("missing-feeding-board", Reason.ILLEGAL, rulebook.OPTIONS, feed=_missing_board),
    Misdeed("grazing-carnivore", Reason.ILLEGAL, rulebook.GRAZE, feed=_grazing_carnivore),
    Misdeed("sated-grazer", Reason.ILLEGAL, rulebook.GRAZE, feed=_sated_grazer),
    Misdeed("fat-without-tissue", Reason.ILLEGAL, rulebook.STORE_FAT, feed=_fat_without_tissue),
    Misdeed("too-much-fat", Reason.ILLEGAL, rulebook.STORE_FAT, feed=_too_much_fat),
    Misdeed("no-fat", Reason.ILLEGAL, rulebook.STORE_FAT, feed=_no_fat),
    Misdeed(
        "more-than-the-watering-hole",
        Reason.ILLEGAL,
        rulebook.STORE_FAT,
        choose=_fatten,
        feed=_more_than_the_watering_hole,
    ),
    Misdeed("vegetarian-attack", Reason.ILLEGAL, rulebook.CARNIVORE, feed=_vegetarian_attack),
    Misdeed("sated-attack", Reason.ILLEGAL, rulebook.ATTACK_CHOICE, feed=_sated_attack),
    Misdeed("attack-on-oneself", Reason.ILLEGAL, rulebook.ATTACK_CHOICE, feed=_attack_on_oneself),
    Misdeed("attack-on-nobody", Reason.ILLEGAL, rulebook.ATTACK_CHOICE, feed=_attack_on_nobody),
    Misdeed("attack-on-missing-board", Reason.ILLEGAL, rulebook.ATTACK_CHOICE, feed=_attack_on_missing_board),
    *(
        Misdeed(f"attack-through-{each.trait}", Reason.ILLEGAL, each.rule, feed=_attack_through(each.rule))
        for each in DEFENCES
    ),
)
