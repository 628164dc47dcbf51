"""Suites that are made: what they cover, what a trace says, and that they find a mistake in every rule."""

import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

from tests.cases import case
from tests.conformance.rule_mutants import MUTANTS, mutated
from tests.scenario import board
from wateringhole import rulebook
from wateringhole.cards import DECK
from wateringhole.conformance.coverage import PAIRS, REACHABLE, TRAIT_PAIRS, UNREACHABLE, coverage
from wateringhole.conformance.generator import situations
from wateringhole.conformance.harness import played_turn, run_harness
from wateringhole.conformance.situations import Misshapen, Side, Situation
from wateringhole.conformance.suite_maker import HALVES, MAX_CASES, MIN_CASES, SHARES, MadeCase, make_suite, shares
from wateringhole.conformance.trace_events import TracedTable
from wateringhole.conformance.tracing import traced
from wateringhole.game import PlayOutcome
from wateringhole.moves import CardPlay, Growth, Replacement
from wateringhole.rules.cardplay import outcome
from wateringhole.traits import Trait

TIMES: Final = int(os.environ.get("TIMES", "1"))
"""How many suites must find all mutants: `make suites TIMES=10`."""
CASES = 500
RULES = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()


@pytest.mark.long
@pytest.mark.parametrize("number", range(TIMES))
def test_a_suite_of_two_halves_covers_all_and_each_half_finds_every_mutant(number: int, tmp_path: Path) -> None:
    """One test, because making the suite takes longer than all that is done with it."""
    suite = make_suite(CASES, str(number), lambda _: None)
    check_halves(suite)
    check_outputs(suite)
    halves = {name: [made for made in suite if made.half == name] for name in HALVES}
    for cases in halves.values():
        check_coverage(cases)
    check_mutants(halves, tmp_path)


# What a suite is.


def check_halves(suite: list[MadeCase]) -> None:
    """Each half has its share of each harness, and nothing in common with the other."""
    counts = Counter((made.half, made.harness) for made in suite)
    assert sum(counts.values()) == CASES
    for harness, number in shares(CASES).items():
        assert abs(counts["public", harness] - number / 2) <= 0.5
        assert abs(counts["hidden", harness] - number / 2) <= 0.5
    assert sum(number for (half, _), number in counts.items() if half == "public") == CASES // 2
    inputs = [json.dumps(made.given) for made in suite]
    assert len(set(inputs)) == len(inputs)
    assert len({made.id for made in suite}) == CASES
    assert all(made.id.startswith(f"{made.harness}-") for made in suite)


def check_outputs(suite: list[MadeCase]) -> None:
    """A case expects what our harness prints."""
    for made in suite:
        with case(made.id):
            line = json.loads(made.line())
            assert (line["in"], line["out"]) == (made.given, run_harness(made.harness, made.given))
            assert set(line["rules"]) <= set(REACHABLE)


def test_the_cases_are_divided_without_a_rest() -> None:
    for cases in (MIN_CASES, MIN_CASES + 1, 333, MAX_CASES):
        assert sum(shares(cases).values()) == cases
        assert all(number >= 4 for number in shares(cases).values())
    assert shares(sum(SHARES.values())) == SHARES


# What it covers.


def test_every_rule_can_be_reached_or_there_is_a_reason() -> None:
    assert set(UNREACHABLE) | set(REACHABLE) == set(rulebook.ALL)


def check_coverage(cases: list[MadeCase]) -> None:
    """A half covers every rule and every pair."""
    covered = coverage(made.trace for made in cases)
    assert covered.missing == []
    assert list(covered.rules) == list(REACHABLE)
    assert list(covered.pairs) == list(PAIRS)


def test_the_traits_that_the_rule_book_names_together_are_pairs() -> None:
    """A rule that names a trait beside its own one has a row for it."""
    sections = dict(re.findall(r"^### ([a-z.-]+)\n(.*?)(?=^##)", RULES, re.MULTILINE | re.DOTALL))
    words = re.compile(rf"(?<![\w.#-])({'|'.join(Trait)})s?(?![\w-])")
    looked_at = 0
    for rule in REACHABLE:
        if rule.startswith(("game.", "cardplay.")) or rule == rulebook.DECLINE:
            continue  # traits are examples there, and a silly player that could feed never declines
        text = re.sub(r"\*\*Ruling:\*\*.*?(?=\n\n|\Z)|\(#.*?\)", "", sections[rule], flags=re.DOTALL)
        named = {Trait(word) for word in words.findall(text.lower())}
        if len(named) > 1:
            looked_at += 1
            with case(rule, named):
                own, others = TRAIT_PAIRS[rule]
                assert named <= {own, *others}
    assert looked_at > 5


# What a trace says.

HUNTER = board("carnivore", population=3, body=4)


def test_a_trace_names_what_decides_an_attack() -> None:
    def trace(attacker: object, *row: object, at: int = 0) -> tuple[set[str], set[str]]:
        found = traced(Situation("xattack", (Side((attacker,)), Side(row)), at=at))  # type: ignore[arg-type]
        return found.edges, found.pairs

    edges, pairs = trace(HUNTER, board("herding", population=3))
    assert "attack.herding: the attacker's population one below a limit decides, it must not attack" in edges
    assert pairs == {"attack.herding: herding + carnivore"}
    edges, pairs = trace(HUNTER, board("hard-shell", body=1))
    assert "attack.hard-shell: the attacker's body one below a limit decides, it must not attack" in edges
    edges, pairs = trace(board("carnivore", "climbing"), board("climbing"))
    assert pairs == {"attack.climbing: climbing + climbing"}
    edges, pairs = trace(HUNTER, board("climbing", "herding", population=3))
    assert pairs == set(), "of two defences none decides"
    edges, pairs = trace(HUNTER, board("warning-call"))
    assert "attack.warning-call: on a board that it does not protect" in edges


def test_a_trace_tells_by_which_rule_a_play_is_refused() -> None:
    grown, hand = board("horns", population=7), DECK[:2]
    for play, rule in (
        (Misshapen([0]), "cardplay.shape"),
        (CardPlay(2), "cardplay.cards"),
        (CardPlay(0, population=(Growth(0, 0),)), "cardplay.once"),
        (CardPlay(0, body=(Growth(1, 1),)), "cardplay.boards"),
        (CardPlay(0, population=(Growth(0, 1),)), "cardplay.population"),
        (CardPlay(0, traits=(Replacement(0, 1, 1),)), "cardplay.slots"),
    ):
        with case(play):
            found = traced(Situation("xstep4", (Side((grown,), hand=hand, play=play),)))
            assert {rule, rulebook.EXPULSION, rulebook.REMOVAL} <= found.rules
            assert [edge for edge in found.edges if edge.startswith(f"{rule}: refused")] != []


def test_the_boards_that_a_trace_follows_end_as_those_of_the_game() -> None:
    for number, situation in enumerate(itertools.islice(situations("xstep4", "trace", drafted=(1,)), 60)):
        with case(number):
            game = played_turn(situation, listen=True)
            rows, hands = {}, {}
            for seat, side in enumerate(situation.sides, 1):
                assert isinstance(side.play, CardPlay)
                planned = outcome(side.play, side.boards, side.hand)
                assert isinstance(planned, PlayOutcome)
                rows[seat], hands[seat] = planned.species, len(planned.hand)
            table = TracedTable(rows, hands, situation.watering_hole)
            for event in game.hear():
                table.happen(event)
            assert table.watering_hole == game.watering_hole
            assert table.rows == {seat: player.boards for seat, player in game.players.items()}
            assert table.hands == {seat: len(player.hand) for seat, player in game.players.items()}


# What it finds.


def finds(cases: Iterable[MadeCase]) -> bool:
    """Whether one of these cases comes out in another way than expected; that a harness breaks is another way."""
    for made in cases:
        try:
            if run_harness(made.harness, made.given) != made.expected:
                return True
        except Exception:
            return True
    return False


def test_there_is_a_mutant_of_every_rule_that_a_harness_can_show() -> None:
    assert len(MUTANTS) >= 60
    assert len(set(MUTANTS)) == len(MUTANTS)
    assert set(REACHABLE) - {rule for rule, *_ in MUTANTS} == {rulebook.LEFT_OVER, rulebook.EXPULSION}


def check_mutants(halves: dict[str, list[MadeCase]], folder: Path) -> None:
    """Each half finds every mutant."""
    missed = []
    for mutant in MUTANTS:
        with mutated(mutant, folder):
            for name, cases in halves.items():
                first = [made for made in cases if mutant[0] in made.trace.rules]
                if not (finds(first) or finds(cases)):
                    missed.append((name, *mutant))
    assert missed == []
    assert not any(finds(cases) for cases in halves.values()), "a mutant is still there"
