"""The config of a course: a TOML file with the roster, the parts and their points.

Laws: every mistake in it is a ConfigError, one sentence with the file, the key, the value and the limit. Files are
looked for in the config's folder.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, cast, get_args

from msgspec import Struct

from wateringhole.conformance.grading import CASE_SECONDS, GIVE_UP, MAX_GIVE_UP
from wateringhole.conformance.harness import HARNESSES
from wateringhole.conformance.proctor import MAX_CASE_SECONDS
from wateringhole.conformance.programs import InputError, command_words
from wateringhole.course.roster import Student, read_roster
from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS
from wateringhole.external.play_specs import Mode, shareable
from wateringhole.external.spec import spec
from wateringhole.tournament.config import MAX_ENTRIES, config_from
from wateringhole.wire.growth import Spelling
from wateringhole.wire.names import cleaned
from wateringhole.wire.toml_values import (
    ConfigError,
    known_keys,
    number,
    one_of,
    read_toml,
    shown_value,
    text,
    texts,
)

Credit = Literal["cases", "all"]
"""How many of a part's points a program gets: by the share of the cases that pass, or only if all pass."""

MAX_POINTS: Final = 1_000_000
MAX_PARTS: Final = 100
MAX_SHRINK_RUNS: Final = 10_000
MAX_BUILD_SECONDS: Final = MAX_CASE_SECONDS
MAX_PART_NAME_CHARS: Final = 60
FOLDER: Final = "{folder}"
"""Stands for the folder of a student in the agent of the class tournament."""

BOT_PART: Final = "bot"
"""The name of the class tournament among the parts."""

KEYS: Final = (
    *("title", "roster", "deadline", "build", "build-seconds", "suite", "growth", "seconds", "give-up"),
    *("shrink", "sandbox", "share", "parts", "bots"),
)
PART_KEYS: Final = ("name", "harness", "suite", "points", "credit")
TERM_KEYS: Final = ("format", "deals", "rounds", "time", "memory")
BOT_KEYS: Final = ("agent", "points", "table", *TERM_KEYS, "house")
DEFAULT_TERMS: Final[dict[str, object]] = {"format": "swiss", "deals": 2}


class Part(Struct, frozen=True):
    """A part of the course: the cases of one harness, and the points for them."""

    name: str
    harness: str
    suite: Path
    points: float
    credit: Credit


class ClassBots(Struct, frozen=True):
    """The class tournament: the agent of each student, the house bots beside them, and how they meet. `terms` are keys
    of the tournament's config with their values.
    """

    agent: str
    points: float
    table: int
    terms: dict[str, object]
    house: tuple[str, ...]


class CourseConfig(Struct, frozen=True):
    """A course before it is graded."""

    title: str
    students: tuple[Student, ...]
    deadline: datetime | None
    build: tuple[str, ...]
    build_seconds: int
    growth: Spelling | None
    seconds: float
    give_up: int
    shrink_runs: int
    sandbox: Mode
    share: tuple[str, ...]
    parts: tuple[Part, ...]
    bots: ClassBots | None

    @property
    def points(self) -> float:
        """The points that can be had."""
        return sum(part.points for part in self.parts) + (0 if self.bots is None else self.bots.points)


def read_course(path: Path) -> CourseConfig:
    """The config in this file."""
    data = read_toml(path)
    try:
        return _course(data, path)
    except ConfigError:
        raise
    except (ValueError, OSError) as error:
        raise ConfigError(f"{path}: {error}") from None


def _course(data: Mapping[str, object], path: Path) -> CourseConfig:
    known_keys(data, KEYS)
    if "roster" not in data:
        raise ValueError("roster is missing; it is a CSV file with id, name and folder or repository of each student")
    build = text(data, "build", "")
    growth = one_of(data, "growth", get_args(Spelling), "tagged") if "growth" in data else None
    config = CourseConfig(
        text(data, "title", path.name.removesuffix(".toml")),
        read_roster(path.parent / text(data, "roster", "")),
        _deadline(data),
        _words("build", build) if build.strip() else (),
        number(data, "build-seconds", 1, MAX_BUILD_SECONDS, 120),
        cast(Spelling | None, growth),
        _positive(data, "seconds", MAX_CASE_SECONDS, CASE_SECONDS),
        number(data, "give-up", 1, MAX_GIVE_UP, GIVE_UP),
        number(data, "shrink", 0, MAX_SHRINK_RUNS, 200),
        cast(Mode, one_of(data, "sandbox", get_args(Mode), "auto")),
        tuple(_shared(path.parent, shared) for shared in texts(data, "share", 'paths, as in ["data"]')),
        _parts(data, path.parent),
        _bots(data["bots"]) if "bots" in data else None,
    )
    if config.bots is not None:
        _check_tournament(config, config.bots)
    return config


def _deadline(data: Mapping[str, object]) -> datetime | None:
    value = data.get("deadline")
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise ValueError(
            f"deadline = {shown_value(value)} is not a time, as in 2026-12-01T23:59:00+01:00, without quotes"
        )
    return value if value.tzinfo is not None else value.astimezone()  # without a zone: that of this machine


def _words(key: str, command: str) -> tuple[str, ...]:
    try:
        return command_words(command)
    except InputError as error:
        raise ValueError(f"{key}: {error}") from None


def _shared(beside: Path, path: str) -> str:
    try:
        return shareable(str((beside / path).absolute()))
    except ValueError as error:
        raise ValueError(f"share = {shown_value([path])}: {error}") from None


def _positive(data: Mapping[str, object], key: str, most: int, default: float, zero: bool = False) -> float:
    value = data.get(key, default)
    if type(value) not in {int, float} or not (0 < cast(float, value) <= most or (zero and value == 0)):
        least = "from 0" if zero else "above 0 and"
        raise ValueError(f"{key} = {shown_value(value)} is not a number {least} up to {most}")
    return cast(float, value)


def _parts(data: Mapping[str, object], beside: Path) -> tuple[Part, ...]:
    found = data.get("parts", [])
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise ValueError("parts is not a list of tables; each begins with a line [[parts]]")
    if len(found) > MAX_PARTS or not (found or "bots" in data):
        raise ValueError(f"{len(found)} [[parts]], not 1 to {MAX_PARTS}")
    parts: list[Part] = []
    for place, item in enumerate(found, 1):
        try:
            part = _part(item, data, beside)
            if part.name in [other.name for other in parts]:
                raise ValueError(f"name = {shown_value(part.name)} is that of another part")
            if part.name == BOT_PART and "bots" in data:
                raise ValueError(f"name = {shown_value(part.name)} is that of the class tournament, [bots]")
            parts.append(part)
        except ValueError as error:
            raise ValueError(f"part {place}: {error}") from None
    return tuple(parts)


def _part(item: Mapping[str, object], data: Mapping[str, object], beside: Path) -> Part:
    known_keys(item, PART_KEYS)
    harness = one_of(item, "harness", HARNESSES, "")
    suite = text(item, "suite", text(data, "suite", ""))
    if not suite:
        raise ValueError("suite is missing, here and for all parts; it is a folder of .jsonl files")
    name = text(item, "name", harness, MAX_PART_NAME_CHARS)
    if not name or cleaned(name) != name:
        raise ValueError(f"name = {shown_value(name)} is not a printable text without spaces around it")
    points = _positive(item, "points", MAX_POINTS, 10.0, zero=True)
    return Part(name, harness, beside / suite, points, cast(Credit, one_of(item, "credit", get_args(Credit), "cases")))


def _bots(item: object) -> ClassBots:
    if not isinstance(item, dict):
        raise ValueError(f"bots = {shown_value(item)} is not a table; it begins with a line [bots]")
    try:
        known_keys(item, BOT_KEYS)
        agent = text(item, "agent", "")
        if FOLDER not in agent:
            raise ValueError(f'agent = {shown_value(agent)} has no {FOLDER} in it, as "py:{FOLDER}/bot.py:Bot" has')
        spec(agent.replace(FOLDER, "folder"))
        house = texts(item, "house", 'house bots, as in ["silly"]')
        for name in house:
            spec(name)
        if item.get("format") == "gauntlet":
            raise ValueError('format = "gauntlet" has one challenger, and a class has none')
        return ClassBots(
            agent,
            _positive(item, "points", MAX_POINTS, 0.0, zero=True),
            number(item, "table", MIN_PLAYERS, MAX_PLAYERS, 4),
            DEFAULT_TERMS | {key: item[key] for key in TERM_KEYS if key in item},
            tuple(house),
        )
    except ValueError as error:
        raise ValueError(f"bots: {error}") from None


def tournament_data(
    config: CourseConfig, bots: ClassBots, entered: Sequence[Student], copies: str, sandbox: Mode, share: Sequence[str]
) -> dict[str, object]:
    """The config of the tournament of these students, whose folders are in `copies`; house bots fill a table."""
    entries = [
        {"name": each.id, "agent": bots.agent.replace(FOLDER, f"{copies}/{each.id}"), "author": each.name}
        for each in entered
    ]
    house = [*bots.house, *["silly"] * (bots.table - len(entries) - len(bots.house))]
    entries += [
        {"name": cleaned(f"house {place}: {agent}"), "agent": agent, "author": "the house"}
        for place, agent in enumerate(house, 1)
    ]
    limits = {"sandbox": sandbox, "share": [*share]}
    return {"title": config.title, "table": bots.table, **bots.terms, **limits, "entries": entries}


def _check_tournament(config: CourseConfig, bots: ClassBots) -> None:
    """Complain if the class tournament cannot be played. A student who hands in nothing only makes it smaller."""
    students, house = len(config.students), len(bots.house)
    if students + house > MAX_ENTRIES:
        raise ValueError(f"bots: {students} students and {house} house bots are more than {MAX_ENTRIES} entries")
    try:
        data = tournament_data(config, bots, config.students, "copies", config.sandbox, config.share)
        config_from(data, config.title)
    except ValueError as error:
        raise ValueError(f"bots: {error}") from None
