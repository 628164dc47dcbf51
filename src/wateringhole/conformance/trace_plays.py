"""Traces card plays: what each part does, which limit it reaches, and by which rule an illegal one is refused."""

from wateringhole import rulebook
from wateringhole.conformance.coverage import Trace
from wateringhole.conformance.situations import Misshapen, Side
from wateringhole.fault import Fault, shown
from wateringhole.game import PlayOutcome
from wateringhole.moves import CardPlay
from wateringhole.rules.cardplay import outcome
from wateringhole.species import MAX_BODY, MAX_POPULATION, MAX_TRAITS
from wateringhole.traits import Trait


def trace_play(trace: Trace, side: Side) -> PlayOutcome | None:
    """Trace the play of one player, and say what it does; None if it expels the player."""
    play = side.play
    if isinstance(play, Misshapen):
        trace.edge(rulebook.PLAY_SHAPE, f"refused: {shown(play.value)}")
        return None
    assert play is not None
    planned = outcome(play, side.boards, side.hand)
    if isinstance(planned, Fault):
        trace.edge(planned.rule, f"refused: {_parts(play, side, planned.rule)}")
        return None
    _trace_parts(trace, play, side, planned)
    _trace_limits(trace, play, side, planned)
    return planned


def _parts(play: CardPlay, side: Side, rule: str) -> str:
    """Which parts of an illegal play break the rule; all for rules that have one part only."""
    boards = len(side.boards) + len(play.boards)
    cards = len(side.hand)
    match rule:
        case rulebook.PLAY_BOARDS:
            parts = {
                "population": any(growth.board >= boards for growth in play.population),
                "body": any(growth.board >= boards for growth in play.body),
                "replacement": any(swap.board >= boards for swap in play.traits),
            }
        case rulebook.PLAY_CARDS:
            parts = {
                "food": play.food >= cards,
                "population": any(growth.card >= cards for growth in play.population),
                "body": any(growth.card >= cards for growth in play.body),
                "payment": any(new.pay >= cards for new in play.boards),
                "trait": any(card >= cards for new in play.boards for card in new.traits),
                "replacement": any(swap.card >= cards for swap in play.traits),
            }
        case rulebook.PLAY_ONCE:
            parts = {
                "population": bool(play.population),
                "body": bool(play.body),
                "board": bool(play.boards),
                "replacement": bool(play.traits),
            }
        case _:
            return "a new board" if play.boards else "an old board"
    return ", ".join(part for part, breaks in parts.items() if breaks)


def _trace_parts(trace: Trace, play: CardPlay, side: Side, planned: PlayOutcome) -> None:
    rule, old = rulebook.PLAY_EXECUTION, len(side.boards)
    trace.rules |= {rule, rulebook.PLAY_SHAPE, rulebook.PLAY_CARDS}
    used = len(side.hand) - len(planned.hand)
    if len(planned.hand) > 1 and planned.hand != side.hand[used:]:
        trace.edge(rule, "the other cards keep their order")
    for new in play.boards:
        trace.edge(rulebook.PLAY_NEW_TRAITS, f"a new board with {len(new.traits)} traits")
    if len(play.boards) > 1:
        trace.edge(rule, "several new boards")
    for part, growths in (("population", play.population), ("body", play.body)):
        for growth in growths:
            trace.edge(rule, f"{part} of {'a new' if growth.board >= old else 'an old'} board")
            trace.edge(rulebook.PLAY_BOARDS, f"{part} of {'a new' if growth.board >= old else 'an old'} board")
    slots = [(swap.board, swap.slot) for swap in play.traits]
    for swap in play.traits:
        trace.edge(rule, f"a replacement on {'a new' if swap.board >= old else 'an old'} board")
        trace.edge(rulebook.PLAY_TRAITS, "different after each replacement")
        if slots.count((swap.board, swap.slot)) > 1:
            trace.edge(rulebook.PLAY_TRAITS, "one slot twice")
        if swap.board < old and slots.count((swap.board, swap.slot)) == 1:
            board, card = side.boards[swap.board], side.hand[swap.card]
            replaced = board.traits[swap.slot]
            if card.trait is replaced:
                trace.edge(rulebook.PLAY_TRAITS, "by the same trait")
            if replaced is Trait.FAT_TISSUE and board.fat_food:
                again = "by fat-tissue" if card.trait is Trait.FAT_TISSUE else "by another trait"
                trace.edge(rule, f"fat is lost when it is replaced {again}")
            elif board.fat_food:
                trace.edge(rule, "fat stays when another trait is replaced")


def _trace_limits(trace: Trace, play: CardPlay, side: Side, planned: PlayOutcome) -> None:
    for growth in play.population:
        if planned.species[growth.board].population == MAX_POPULATION:
            trace.edge(rulebook.PLAY_POPULATION, "up to the limit")
    for growth in play.body:
        if planned.species[growth.board].body == MAX_BODY:
            trace.edge(rulebook.PLAY_BODY, "up to the limit")
    if play.food == len(side.hand) - 1 > 0:
        trace.edge(rulebook.PLAY_CARDS, "the last card")
    for swap in play.traits:
        if swap.slot == len(planned.species[swap.board].traits) - 1:
            trace.edge(rulebook.PLAY_SLOTS, f"the last slot of {swap.slot + 1} of {MAX_TRAITS}")


def trace_food(trace: Trace, watering_hole: int, foods: list[int]) -> None:
    """Trace the food cards of all players, in turn order."""
    clamped = False
    for food in foods:
        sign = "a negative" if food < 0 else "a positive" if food else "no"
        trace.edge(rulebook.PLAY_FOOD, f"{sign} number")
        if clamped and food > 0:
            trace.edge(rulebook.PLAY_FOOD, "more food after it was cut to 0")
        if watering_hole + food < 0:
            trace.edge(rulebook.PLAY_FOOD, "cut to 0")
            clamped = True
        watering_hole = max(0, watering_hole + food)
