"""Traces which rules, pairs of traits and edges a situation exercises."""

from wateringhole import events, rulebook
from wateringhole.conformance.coverage import Trace
from wateringhole.conformance.harness import fed_once, feed_request, played_turn
from wateringhole.conformance.situations import Situation
from wateringhole.conformance.trace_attacks import trace_attack
from wateringhole.conformance.trace_choices import trace_choosing, trace_feeding
from wateringhole.conformance.trace_events import EventTracer, TracedTable
from wateringhole.conformance.trace_plays import trace_food, trace_play
from wateringhole.species import MAX_POPULATION
from wateringhole.traits import Trait
from wateringhole.view import Feed, Own


def traced(situation: Situation) -> Trace:
    """What this situation exercises."""
    trace = Trace()
    sides = situation.sides
    match situation.harness:
        case "xattack":
            trace_attack(trace, sides[0].boards[0], sides[1].boards, situation.at)
        case "xfeed":
            trace_feeding(trace, feed_request(situation))
        case "xsilly":
            me = Own(1, sides[0].boards, sides[0].hand, sides[0].bag)
            trace_choosing(trace, me, sides[1 : 1 + situation.at], sides[1 + situation.at :])
        case "xstep":
            _trace_step(trace, situation)
        case _:
            _trace_turn(trace, situation)
    return trace


def _trace_step(trace: Trace, situation: Situation) -> None:
    first = situation.sides[0]
    table = TracedTable(
        {seat: side.boards for seat, side in enumerate(situation.sides, 1)},
        {seat: len(side.hand) for seat, side in enumerate(situation.sides, 1)},
        situation.watering_hole,
    )
    if not situation.watering_hole:
        trace.edge(rulebook.OPTIONS, "the watering hole is empty")
        return
    me = Own(1, first.boards, first.hand, first.bag)
    trace_feeding(trace, Feed(me, situation.watering_hole, table.others(1)))
    EventTracer(trace, table).run(fed_once(situation, listen=True).hear())


def _trace_turn(trace: Trace, situation: Situation) -> None:
    planned = {seat: trace_play(trace, side) for seat, side in enumerate(situation.sides, 1)}
    ready = {seat: plan for seat, plan in planned.items() if plan is not None}
    if len(ready) < len(planned):
        trace.rules |= {rulebook.EXPULSION, rulebook.REMOVAL}
        gone = [seat for seat in planned if seat not in ready]
        words = "all players" if not ready else "the first player" if 1 in gone else "a later player"
        trace.edge(rulebook.REMOVAL, words)
    trace_food(trace, situation.watering_hole, [plan.food.food for plan in ready.values()])
    table = TracedTable(
        {seat: plan.species for seat, plan in ready.items()},
        {seat: len(plan.hand) for seat, plan in ready.items()},
        situation.watering_hole,
    )
    for row in table.rows.values():
        for board in row:
            if Trait.FERTILE in board.traits and board.population == MAX_POPULATION:
                trace.edge(rulebook.FERTILE, "not above the limit")
    told = played_turn(situation, listen=True).hear()
    tracer = EventTracer(trace, table)
    tracer.run(told)
    tracer.end()
    trace.variety.add(f"{sum(isinstance(event, events.Attacked) for event in told)} attacks in a turn")
