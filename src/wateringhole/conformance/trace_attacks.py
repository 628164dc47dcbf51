"""Traces attacks: which trait, and which number at its limit, decides whether a board may be attacked."""

from collections.abc import Iterator
from typing import Final

from wateringhole import rulebook
from wateringhole.conformance.coverage import Trace
from wateringhole.conformance.situations import with_item
from wateringhole.rules.attack import why_blocked
from wateringhole.species import MAX_BODY, MAX_POPULATION, Species
from wateringhole.traits import DEFENCES, Trait

RULE_OF: Final[dict[Trait, str]] = (
    {Trait.CARNIVORE: rulebook.CARNIVORE}
    | {trait: defence.rule for defence in DEFENCES for trait in defence.foiled_by}
    | {defence.trait: defence.rule for defence in DEFENCES}
)
"""The rule by which a trait matters to who may attack whom."""


def trace_attack(trace: Trace, attacker: Species, row: tuple[Species, ...], at: int) -> None:
    """Trace whether this board may attack that one of a row."""
    stopping = _rule(attacker, row, at)
    verdict = "may attack" if stopping is None else "must not attack"
    if stopping is not None:
        trace.edge(stopping, "stops")
    roles = _roles(row, at)
    for slot in range(len(attacker.traits)):
        decisive = _deciding(stopping, _rule(without(attacker, slot), row, at))
        if decisive is not None:
            _count(trace, decisive, "the attacker", attacker.traits[slot], verdict)
    for place, role in roles.items():
        for slot in range(len(row[place].traits)):
            other = with_item(row, place, without(row[place], slot))
            decisive = _deciding(stopping, _rule(attacker, other, at))
            if decisive is not None:
                _count(trace, decisive, role, row[place].traits[slot], verdict)
    for changed, quantity in _next_to(attacker):
        decisive = _deciding(stopping, _rule(changed, row, at))
        if decisive is not None:
            trace.edge(decisive, f"the attacker's {quantity} decides, it {verdict}")
    for place, role in roles.items():
        for changed, quantity in _next_to(row[place]):
            decisive = _deciding(stopping, _rule(attacker, with_item(row, place, changed), at))
            if decisive is not None:
                trace.edge(decisive, f"{role}'s {quantity} decides, it {verdict}")
    if stopping is None:
        _trace_idle(trace, row, at)
    _trace_variety(trace, attacker, row, at, verdict)


def _roles(row: tuple[Species, ...], at: int) -> dict[int, str]:
    """The boards that have a part in the attack, by their places."""
    roles = {at - 1: "the left neighbour", at: "the defender", at + 1: "the right neighbour"}
    return {place: role for place, role in roles.items() if 0 <= place < len(row)}


def _rule(attacker: Species, row: tuple[Species, ...], at: int) -> str | None:
    """The rule that stops this attack, if any."""
    blocked = why_blocked(attacker, row, at)
    return None if blocked is None else blocked[0]


def _deciding(before: str | None, after: str | None) -> str | None:
    """The rule that is decisive if a change turns one verdict into another; None if the verdict stays."""
    return (before or after) if (before is None) != (after is None) else None


def _count(trace: Trace, rule: str, role: str, trait: Trait, verdict: str) -> None:
    trace.edge(rule, f"{role}'s {trait} decides, it {verdict}")
    for defence in DEFENCES:
        if defence.rule == rule:
            if trait in defence.foiled_by:
                trace.pair(rule, trait)
            if trait is defence.trait and verdict == "must not attack":
                trace.pair(rule, Trait.CARNIVORE)


def _next_to(board: Species) -> Iterator[tuple[Species, str]]:
    """The boards that differ from this one by one in a number."""
    population, body, food, fat_food, traits = board.population, board.body, board.food, board.fat_food, board.traits
    for step, words in ((1, "one below a limit"), (-1, "at a limit")):
        if food <= population + step <= MAX_POPULATION and population + step:
            yield Species(population + step, body, food, fat_food, traits), f"population {words}"
        if fat_food <= body + step <= MAX_BODY:
            yield Species(population, body + step, food, fat_food, traits), f"body {words}"
        if 0 <= food + step <= population:
            yield Species(population, body, food + step, fat_food, traits), f"food {words}"


def without(board: Species, slot: int) -> Species:
    """The same board without the trait in this slot."""
    traits = board.traits[:slot] + board.traits[slot + 1 :]
    fat_food = board.fat_food if Trait.FAT_TISSUE in traits else 0
    return Species(board.population, board.body, board.food, fat_food, traits)


def _trace_idle(trace: Trace, row: tuple[Species, ...], at: int) -> None:
    """Trace defences that are there and stop nothing."""
    defender = row[at]
    beside = {trait for place in _roles(row, at) if place != at for trait in row[place].traits}
    for defence in DEFENCES:
        if defence.trait in defender.traits:
            own = "on a board that it does not protect" if defence.for_neighbours else "does not stop"
            trace.edge(defence.rule, own)
            for trait in defence.foiled_by:
                if trait in defender.traits and trait is not defence.trait:
                    trace.edge(defence.rule, f"the defender's {trait} plays no part")
        if defence.trait in beside:
            other = "does not stop" if defence.for_neighbours else "on a neighbour, which it does not protect"
            trace.edge(defence.rule, other)
    if Trait.SYMBIOSIS in defender.traits:
        if at and row[at - 1].body > defender.body:
            trace.edge(RULE_OF[Trait.SYMBIOSIS], "a larger left neighbour plays no part")
        if at + 1 == len(row):
            trace.edge(RULE_OF[Trait.SYMBIOSIS], "no right neighbour")


def _trace_variety(trace: Trace, attacker: Species, row: tuple[Species, ...], at: int, verdict: str) -> None:
    for theirs in (None, *row[at].traits):
        for ours in attacker.traits:
            trace.variety.add(f"{ours} against {theirs}: {verdict}")
        for place, role in _roles(row, at).items():
            for trait in row[place].traits:
                trace.variety.add(f"{trait} of {role} with {theirs}: {verdict}")
