"""The gradebook of a class: points for each part, the total, and why points are missing."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from wateringhole.conformance.grading import Mark
from wateringhole.course.config import BOT_PART, CourseConfig, Part

DIGITS: Final = 2


class PartResult(Struct, frozen=True):
    """What a student got for a part. `passed` and `total` are cases, or games of the class tournament."""

    part: str
    passed: int
    total: int
    points: float
    most: float
    reason: str


class BotResult(Struct, frozen=True):
    """What a student got for the bot, and its place among so many players; no place if it could not enter."""

    part: PartResult
    place: int | None
    players: int


class StudentResult(Struct, frozen=True):
    """A row of the gradebook. `note` says more if there was nothing to run."""

    id: str
    name: str
    parts: tuple[PartResult, ...]
    commit: str = ""
    note: str = ""

    @property
    def total(self) -> float:
        return round(sum(part.points for part in self.parts), DIGITS)

    @property
    def reason(self) -> str:
        """Why points are missing, part by part; one word if it is the same everywhere."""
        lacking = [part for part in self.parts if part.reason]
        reasons = {part.reason for part in lacking}
        if len(reasons) == 1 and len(lacking) == len(self.parts):
            return lacking[0].reason
        return "; ".join(f"{part.part}: {part.reason}" for part in lacking)


def part_result(part: Part, mark: Mark) -> PartResult:
    """The points of a part, by its marks."""
    share = mark.passed / mark.total if part.credit == "cases" else float(mark.passed == mark.total)
    return PartResult(part.name, mark.passed, mark.total, round(part.points * share, DIGITS), part.points, mark.reason)


def columns(config: CourseConfig) -> list[str]:
    """The names of the gradebook's columns."""
    worth = [(part.name, part.points) for part in config.parts]
    if config.bots is not None:
        worth.append((BOT_PART, config.bots.points))
    return ["id", "name", *(f"{name} ({points:g})" for name, points in worth), f"total ({config.points:g})", "reason"]


def gradebook(config: CourseConfig, results: Sequence[StudentResult]) -> Iterable[Sequence[object]]:
    """The rows of the gradebook, the names of its columns first."""
    yield columns(config)
    for row in results:
        yield [row.id, row.name, *(f"{part.points:g}" for part in row.parts), f"{row.total:g}", row.reason]
