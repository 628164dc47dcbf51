"""Feedback for a student, as Markdown: what failed, the smallest case, what is expected in words, and the rules.

Laws: names and output of programs are text of others: no character of them is Markdown. Nothing of the suite is shown
but the ids of failed cases; the smallest case is one of our own making.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from wateringhole.conformance.grading import WRONG, Difference, Mark
from wateringhole.conformance.programs import Failure
from wateringhole.course.collecting import Collected
from wateringhole.course.config import CourseConfig
from wateringhole.course.explaining import Explanation, capitalized
from wateringhole.course.gradebook import BotResult, PartResult, StudentResult
from wateringhole.course.rule_texts import SILLY, rule_texts
from wateringhole.course.smallest_cases import SmallestCase
from wateringhole.events import counted
from wateringhole.wire.names import markdown_text, printable

MAX_IDS: Final = 8
MAX_RULES: Final = 6
MAX_STORY: Final = 20
MAX_SHOWN_CHARS: Final = 4_000

ADVICE: Final = {
    Failure.MISSING: "The file must have just this name, without an ending, in the top folder of the submission.",
    Failure.NOT_EXECUTABLE: "Make it executable with `chmod +x NAME`; in a repository with `git add --chmod=+x NAME`.",
    Failure.NO_START: "The first line of a script must name the program that runs it, as in `#!/usr/bin/env python3`.",
    Failure.NOT_BUILT: "The build must work on a machine without a network, and write only to its own folder.",
    Failure.TIMEOUT: "The program ran on its own, too, and was late again. Does it wait for more input than it gets?",
    Failure.CRASH: "The exit code must be 0.",
    Failure.MEMORY: "The program used more memory than it may.",
    Failure.PROCESSES: "The program started more processes than it may.",
    Failure.FLOOD: "The program must print one JSON value, and nothing else.",
    Failure.NO_JSON: "The program must print one JSON value, and nothing else, also no greeting and no log.",
}


class PartFeedback(Struct):
    """What is known of one part: the result, the mark, and the smallest case if there is one."""

    result: PartResult
    mark: Mark
    smallest: SmallestCase | None = None


class StudentFeedback(Struct):
    """All that is told to a student. `home` is the folder in which the programs ran; no path shows it."""

    row: StudentResult
    collected: Collected
    parts: Sequence[PartFeedback]
    home: str
    bot: BotResult | None = None


def feedback(config: CourseConfig, student: StudentFeedback) -> str:
    """The feedback, a page of Markdown."""
    return "\n".join([*_head(config, student), *_parts(student), ""]).replace(f"{student.home}/", "")


def _head(config: CourseConfig, student: StudentFeedback) -> Iterator[str]:
    row = student.row
    yield f"# {markdown_text(config.title)}: {markdown_text(row.name)}"
    yield ""
    yield f"**{row.total:g} of {config.points:g} points.**"
    if student.collected.commit:
        yield f"This is about commit `{student.collected.commit[:12]}`."
    yield ""
    yield "| part | passed | points | reason |"
    yield "|---|---|---|---|"
    for part in row.parts:
        passed, points = f"{part.passed} of {part.total}", f"{part.points:g} of {part.most:g}"
        yield f"| {markdown_text(part.part)} | {passed} | {points} | {part.reason} |"
    if student.collected.failure is not None:
        yield from ("", f"Nothing could be run: {markdown_text(student.collected.why)}.")
        if student.collected.failure is Failure.NOT_BUILT:
            yield ADVICE[Failure.NOT_BUILT]
        yield from _block(student.collected.said)


def _parts(student: StudentFeedback) -> Iterator[str]:
    if student.collected.failure is None:
        for part in student.parts:
            if part.mark.differences:
                yield from _part(part)
        if student.bot is not None:
            yield from _bot(student.bot)


def _bot(bot: BotResult) -> Iterator[str]:
    yield from ("", "## The bot", "")
    yield f"Place {bot.place} of {bot.players} in the class tournament."
    yield f"It played {bot.part.passed} of {bot.part.total} games to their end."
    if bot.part.reason:
        yield f"In the others it was expelled; the reason is mostly: {markdown_text(bot.part.reason)}."
        yield "`wateringhole check` shows where and why."


def _part(part: PartFeedback) -> Iterator[str]:
    mark = part.mark
    yield from ("", f"## {markdown_text(part.result.part)}: {mark.passed} of {mark.total} cases", "")
    first = mark.differences[0]
    if first.failure is not None and first.failure.before_start:
        yield f"Not run: {markdown_text(_error(first))}. {ADVICE[first.failure]}"
        return
    for failure, listed in _by_failure(mark).items():
        yield from _reason(failure, listed)
    if part.smallest is not None:
        yield from _smallest(mark.harness, part.smallest)


def _by_failure(mark: Mark) -> Mapping[Failure | None, list[Difference]]:
    found: dict[Failure | None, list[Difference]] = {}
    for difference in mark.differences:
        found.setdefault(difference.failure, []).append(difference)
    return found


def _reason(failure: Failure | None, listed: Sequence[Difference]) -> Iterator[str]:
    """One kind of failure: how many cases, which, and what helps."""
    word, cases = WRONG if failure is None else failure.value, counted(len(listed), "case")
    if failure is Failure.NOT_RUN:
        yield f"* **{word}**, {cases}, because cases before used too much time, memory or processes."
        return
    names = ", ".join(f"`{_code(difference.id)}`" for difference in listed[:MAX_IDS])
    more = f" and {len(listed) - MAX_IDS} more" if len(listed) > MAX_IDS else ""
    yield f"* **{word}**, {cases}: {names}{more}."
    if failure is None:
        return
    yield f"  The first: {markdown_text(_error(listed[0]))}. {ADVICE[failure]}"
    if listed[0].stderr.strip():
        yield "  What the program wrote to standard error:"
        yield from _block(listed[0].stderr, margin="  ")


def _smallest(harness: str, case: SmallestCase) -> Iterator[str]:
    explained = Explanation(harness, case.given)
    yield from ("", "### A small case that fails", "")
    yield "This is the smallest that we found." if case.smallest else "There may be a smaller one."
    yield ""
    yield from (f"* {markdown_text(sentence)}" for sentence in explained.situation)
    yield from ("", "What happens by the rules:", "")
    yield from (f"* {markdown_text(sentence)}" for sentence in explained.story[:MAX_STORY])
    if len(explained.story) > MAX_STORY:
        yield f"* and {counted(len(explained.story) - MAX_STORY, 'more step')}."
    yield from ("", "" if case.failure else f"**{capitalized(markdown_text(case.differs))}.**", "")
    yield f"To try it, give this line to `{harness}`:"
    yield from _block(json.dumps(case.given), language="json")
    yield from ("", "Expected:")
    yield from _block(json.dumps(case.expected), language="json")
    if case.failure:
        yield from ("", f"Got no answer: {markdown_text(case.failure)}.")
    else:
        yield from ("", "Got:")
        yield from _block(json.dumps(case.got), language="json")
    yield from ("", "The rules that matter here:")
    for rule in explained.rules[:MAX_RULES]:
        yield from ("", f"**{rule}**" if rule == SILLY else f"**Rule `{rule}`**", "")
        yield from (f"> {line}".rstrip() for line in rule_texts()[rule].splitlines())
    if len(explained.rules) > MAX_RULES:
        yield from ("", "Also: " + ", ".join(f"`{rule}`" for rule in explained.rules[MAX_RULES:]) + ".")


def _error(difference: Difference) -> str:
    """Why a program gave no answer."""
    return str(difference.got["error"]) if isinstance(difference.got, dict) else ""


def _code(text: str) -> str:
    """Text of others between two backticks."""
    return " ".join(printable(text).split()).replace("`", "'")


def _block(text: str, margin: str = "", language: str = "") -> Iterator[str]:
    """Text of others as a block of code, whose fence is longer than any in it; nothing for nothing."""
    shown = printable(text.strip(), kept="\n")
    if not shown:
        return
    if len(shown) > MAX_SHOWN_CHARS:
        shown = shown[:MAX_SHOWN_CHARS] + " ..."
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    yield from ("", f"{margin}{fence}{language}")
    yield from (f"{margin}{line}" for line in shown.splitlines())
    yield f"{margin}{fence}"
