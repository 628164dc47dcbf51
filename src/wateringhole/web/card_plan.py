"""Checks card plans and feedings before the page sends them: is this plan legal so far, where could this card go,
what may each board eat, and why not.

Laws: pure; every answer comes from the rules' own verdict on a complete move. The page works out nothing of that.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import structs

from wateringhole import rulebook
from wateringhole.fault import Fault
from wateringhole.moves import Attack, CardPlay, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.rules.cardplay import cards_used
from wateringhole.species import MAX_TRAITS, Species
from wateringhole.traits import CARNIVORE
from wateringhole.value import replace
from wateringhole.view import Choose, Feed
from wateringhole.web.page_messages import CardPlan, FeedBoards, PlanChecked, PlanVerdict, PreyVerdict, SpotVerdict
from wateringhole.wire.native_messages import boards_of

NO_FOOD: Final = "leaves no card for the watering hole"
FOURTH_TRAIT: Final = f"puts more than {MAX_TRAITS} traits on new board"


def checked(request: Choose, draft: CardPlan, card: int | None, ref: int) -> PlanChecked:
    """What the rules say to this draft; its boards; and, if it is legal, every spot for one card more."""
    play = _play(request, draft)
    verdict = play if isinstance(play, PlanVerdict) else _verdict(request.why_not(play))
    legal = not isinstance(play, PlanVerdict) and verdict.rule is None
    boards = request.preview(play) if legal and not isinstance(play, PlanVerdict) else request.me.species
    spots = _spots(request, draft, boards, card) if legal and card is not None else ()
    return PlanChecked(ref, verdict.rule, verdict.text, boards_of(boards), tuple(spots))


def _play(request: Choose, draft: CardPlan) -> CardPlay | PlanVerdict:
    """The draft as a play. A card that is not used stands in for the food card that is yet to be chosen."""
    food = len(request.me.hand) if draft.food is None else draft.food
    play = CardPlay(food, draft.population, draft.body, draft.boards, draft.traits)
    if draft.food is not None:
        return play
    used = set(cards_used(play))
    free = next((number for number in range(len(request.me.hand)) if number not in used), None)
    return PlanVerdict(rulebook.PLAY_SHAPE, f"This {NO_FOOD}.") if free is None else replace(play, food=free)


def _spots(request: Choose, draft: CardPlan, boards: tuple[Species, ...], card: int) -> Iterator[SpotVerdict]:
    """Everything that could be done with this card, on top of the draft."""
    for spot, longer in _longer(draft, len(request.me.species), boards, card):
        play = longer if isinstance(longer, PlanVerdict) else _play(request, longer)
        verdict = play if isinstance(play, PlanVerdict) else _verdict(request.why_not(play))
        yield structs.replace(spot, rule=verdict.rule, text=verdict.text)


def _longer(
    draft: CardPlan, old: int, boards: tuple[Species, ...], card: int
) -> Iterator[tuple[SpotVerdict, CardPlan | PlanVerdict]]:
    food, population, body, new, traits = draft.food, draft.population, draft.body, draft.boards, draft.traits
    yield SpotVerdict("food"), CardPlan(card, population, body, new, traits)
    yield SpotVerdict("board"), CardPlan(food, population, body, (*new, NewBoard(card)), traits)
    for number, board in enumerate(boards):
        grown = Growth(number, card)
        yield SpotVerdict("population", number), CardPlan(food, (*population, grown), body, new, traits)
        yield SpotVerdict("body", number), CardPlan(food, population, (*body, grown), new, traits)
        if number >= old:
            yield SpotVerdict("new-trait", number), _with_trait(draft, number - old, number, card)
        for slot in range(min(len(board.traits) + 1, MAX_TRAITS)):  # an empty slot, too: it says why not
            swap = Replacement(number, slot, card)
            longer = CardPlan(food, population, body, new, (*traits, swap))
            yield SpotVerdict("trait", number, slot), longer


def _with_trait(draft: CardPlan, at: int, number: int, card: int) -> CardPlan | PlanVerdict:
    founded = draft.boards[at]
    if len(founded.traits) == MAX_TRAITS:
        return PlanVerdict(rulebook.PLAY_SHAPE, f"This {FOURTH_TRAIT} {number}.")
    longer = NewBoard(founded.pay, (*founded.traits, card))
    boards = (*draft.boards[:at], longer, *draft.boards[at + 1 :])
    return CardPlan(draft.food, draft.population, draft.body, boards, draft.traits)


def feed_request(request: Feed, number: int, seconds: float | None, showing: float) -> FeedBoards:
    """The request to feed: what each own board may do, or why not."""
    mine = range(len(request.me.species))
    fat = {move.board: move.tokens for move in request.options if isinstance(move, StoreFat)}
    hunters = [board for board in mine if request.me.species[board].mask & CARNIVORE]
    attacks = [found for hunter in hunters for found in request.targets(hunter)]
    return FeedBoards(
        number,
        seconds,
        showing,
        grazing=tuple(None if (why := request.why_not(Graze(board))) is None else _verdict(why) for board in mine),
        storing=tuple(fat.get(board, 0) for board in mine),
        attacks=tuple(_prey(attack, fault) for attack, fault in attacks),
    )


def _prey(attack: Attack, fault: Fault | None) -> PreyVerdict:
    verdict = _verdict(fault)
    return PreyVerdict(attack.board, attack.seat, attack.target, verdict.rule, verdict.text)


def said(fault: Fault) -> str:
    """A fault as a sentence to the one who is about to commit it."""
    return f"This {fault.text}."


def _verdict(fault: Fault | None) -> PlanVerdict:
    return PlanVerdict() if fault is None else PlanVerdict(fault.rule, said(fault))
