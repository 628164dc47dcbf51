"""What the page asks about a move before it is made: is this plan legal so far, where could this card go, what may
each board eat, and why not.

Laws: pure; every answer comes from the rules' own verdict on a complete move. The page works out nothing of that.
"""

from collections.abc import Iterator
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from wateringhole import rulebook
from wateringhole.fault import Fault
from wateringhole.moves import MAX_NUMBER, CardPlay, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.rules.cardplay import cards_used
from wateringhole.species import MAX_TRAITS, Species
from wateringhole.traits import CARNIVORE
from wateringhole.value import replace
from wateringhole.view import Choose, Feed
from wateringhole.web.replay_frames import boards_value
from wateringhole.wire.framing import Json

NO_FOOD: Final = "leaves no card for the watering hole"
FOURTH_TRAIT: Final = f"puts more than {MAX_TRAITS} traits on new board"


Natural: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]


class CardPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A card play that may still lack its food card."""

    food: Natural | None = None
    population: tuple[Growth, ...] = ()
    body: tuple[Growth, ...] = ()
    boards: tuple[NewBoard, ...] = ()
    traits: tuple[Replacement, ...] = ()


class PlanVerdict(Struct, frozen=True):
    """Why something must not be, by which rule; both None when it may."""

    rule: str | None = None
    text: str | None = None

    def value(self) -> dict[str, Json]:
        return {"rule": self.rule, "text": self.text}


def checked(request: Choose, draft: CardPlan, card: int | None) -> dict[str, Json]:
    """What the rules say to this draft; its boards; and, if it is legal, every spot for one card more."""
    play = _play(request, draft)
    verdict = play if isinstance(play, PlanVerdict) else _verdict(request.why_not(play))
    legal = not isinstance(play, PlanVerdict) and verdict.rule is None
    boards = request.preview(play) if legal and not isinstance(play, PlanVerdict) else request.me.species
    spots = _spots(request, draft, boards, card) if legal and card is not None else ()
    return {**verdict.value(), "boards": boards_value(boards), "places": list(spots)}


def _play(request: Choose, draft: CardPlan) -> CardPlay | PlanVerdict:
    """The draft as a play. A card that is not used stands in for the food card that is yet to be chosen."""
    food = len(request.me.hand) if draft.food is None else draft.food
    play = CardPlay(food, draft.population, draft.body, draft.boards, draft.traits)
    if draft.food is not None:
        return play
    used = set(cards_used(play))
    free = next((number for number in range(len(request.me.hand)) if number not in used), None)
    return PlanVerdict(rulebook.PLAY_SHAPE, f"This {NO_FOOD}.") if free is None else replace(play, food=free)


def _spots(request: Choose, draft: CardPlan, boards: tuple[Species, ...], card: int) -> Iterator[Json]:
    """Everything that could be done with this card, on top of the draft."""
    for spot, longer in _longer(draft, len(request.me.species), boards, card):
        play = longer if isinstance(longer, PlanVerdict) else _play(request, longer)
        verdict = play if isinstance(play, PlanVerdict) else _verdict(request.why_not(play))
        yield spot | verdict.value()


def _longer(
    draft: CardPlan, old: int, boards: tuple[Species, ...], card: int
) -> Iterator[tuple[dict[str, Json], CardPlan | PlanVerdict]]:
    food, population, body, new, traits = draft.food, draft.population, draft.body, draft.boards, draft.traits
    yield {"use": "food"}, CardPlan(card, population, body, new, traits)
    yield {"use": "board"}, CardPlan(food, population, body, (*new, NewBoard(card)), traits)
    for number, board in enumerate(boards):
        grown = Growth(number, card)
        yield {"use": "population", "board": number}, CardPlan(food, (*population, grown), body, new, traits)
        yield {"use": "body", "board": number}, CardPlan(food, population, (*body, grown), new, traits)
        if number >= old:
            yield {"use": "new-trait", "board": number}, _with_trait(draft, number - old, number, card)
        for slot in range(min(len(board.traits) + 1, MAX_TRAITS)):  # an empty slot, too: it says why not
            swap = Replacement(number, slot, card)
            longer = CardPlan(food, population, body, new, (*traits, swap))
            yield {"use": "trait", "board": number, "slot": slot}, longer


def _with_trait(draft: CardPlan, at: int, number: int, card: int) -> CardPlan | PlanVerdict:
    founded = draft.boards[at]
    if len(founded.traits) == MAX_TRAITS:
        return PlanVerdict(rulebook.PLAY_SHAPE, f"This {FOURTH_TRAIT} {number}.")
    longer = NewBoard(founded.pay, (*founded.traits, card))
    boards = (*draft.boards[:at], longer, *draft.boards[at + 1 :])
    return CardPlan(draft.food, draft.population, draft.body, boards, draft.traits)


def meals(request: Feed) -> dict[str, Json]:
    """What each own board may do, or why not: graze, store fat, attack which board of whom."""
    mine = range(len(request.me.species))
    hunters = [number for number in mine if request.me.species[number].mask & CARNIVORE]
    return {
        "grazing": [_verdict(request.why_not(Graze(number))).value() for number in mine],
        "storing": [_verdict(request.why_not(StoreFat(number, 1))).value() for number in mine],
        "attacks": [
            {"board": attack.board, "seat": attack.seat, "target": attack.target, **_verdict(fault).value()}
            for hunter in hunters
            for attack, fault in request.targets(hunter)
        ],
    }


def said(fault: Fault) -> str:
    """A fault as a sentence to the one who is about to commit it."""
    return f"This {fault.text}."


def _verdict(fault: Fault | None) -> PlanVerdict:
    return PlanVerdict() if fault is None else PlanVerdict(fault.rule, said(fault))
