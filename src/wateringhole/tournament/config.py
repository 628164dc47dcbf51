"""The config of a tournament: a TOML file with the entries and the format.

Laws: every mistake in it is a ConfigError, one sentence with the file, the key, the value and the limit; it lists all
entries with a mistake. An agent whose file or program is missing is no mistake: it loses its games. Files are looked
for in the config's folder, wherever it is read from.
"""

import contextlib
from collections.abc import Mapping
from math import ceil, comb, log2
from pathlib import Path
from typing import Final, Literal, cast, get_args

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.dealer import MAX_PLAYERS, MIN_PLAYERS
from wateringhole.external.play_specs import MAX_MEMORY_MB, MIN_MEMORY_MB, Mode, Treatment, shareable
from wateringhole.external.spec import Spec, spec
from wateringhole.fault import shown
from wateringhole.server.clock import time_control
from wateringhole.wire.names import MAX_NAME_CHARS, cleaned
from wateringhole.wire.toml_values import (
    ConfigError,
    flag,
    known_keys,
    number,
    one_of,
    read_toml,
    shown_value,
    text,
    texts,
)

Format = Literal["round-robin", "gauntlet", "swiss", "knock-out"]

MAX_ENTRIES: Final = 256
MAX_DEALS: Final = 1_000_000
MAX_ROUNDS: Final = 1_000
MAX_TABLES: Final = 100_000
MAX_GAMES: Final = 10_000_000

KEYS: Final = (
    *("title", "seed", "format", "table", "deals", "rounds", "challenger"),
    *("time", "in-process", "fresh", "memory", "sandbox", "share", "stop", "entries"),
)
ENTRY_KEYS: Final = ("name", "agent", "author")
STOP_KEYS: Final = ("better", "than", "confidence")


class Entry(Struct, frozen=True):
    """A participant of the tournament: a name, and the agent that plays under it."""

    name: str
    agent: str
    author: str = ""


class Stop(Struct, frozen=True):
    """The stopping rule: play until it is known, with this confidence, which of two entries is better."""

    better: int
    than: int
    confidence: float


class TournamentConfig(Struct, frozen=True):
    """A tournament before its first game. So many `deals` are dealt at each table, each once for each seat. Decks, lots
    and agents' seeds come from the `secret`: the `seed`, if there is one, else a random one of the run.
    """

    title: str
    seed: str | None
    entries: tuple[Entry, ...]
    specs: tuple[Spec, ...]
    treatment: Treatment
    format: Format = "round-robin"
    table: int = 4
    deals: int = 1
    rounds: int = 0
    challenger: int = 0
    stop: Stop | None = None
    secret: str = ""

    @property
    def in_rounds(self) -> bool:
        """Whether the pairings depend on earlier results."""
        return self.format in {"swiss", "knock-out"}

    @property
    def names(self) -> list[str]:
        return [entry.name for entry in self.entries]

    @property
    def alone(self) -> bool:
        """Whether an entry can play only one game at a time."""
        return any(found.alone for found in self.specs)

    @property
    def schedule(self) -> str:
        """What fixes the numbers of the games. More deals or Swiss rounds only add games."""
        match self.format:
            case "gauntlet":
                return f"gauntlet of {self.table}, challenger {self.challenger + 1}"
            case "swiss" | "knock-out":
                return f"{self.format} of {self.table}, {self.deals} deals"
            case _:
                return f"{self.format} of {self.table}"


def read(path: Path) -> TournamentConfig:
    """The config in this file."""
    found = read_toml(path)
    try:
        with contextlib.chdir(path.parent):
            return config_from(found, path.stem)
    except (ValueError, OSError) as error:
        raise ConfigError(f"{path}: {error}") from None


def config_from(data: Mapping[str, object], title: str) -> TournamentConfig:
    """The config of these keys and values; ValueError with the key, the value and the limit for a mistake in them."""
    known_keys(data, KEYS)
    entries, specs = _entries(data)
    names = [entry.name for entry in entries]
    kind = one_of(data, "format", get_args(Format), "round-robin")
    for key, formats in (("rounds", {"swiss"}), ("challenger", {"gauntlet"}), ("stop", {"round-robin", "gauntlet"})):
        if key in data and kind not in formats:
            raise ValueError(f"{key} is for {' and '.join(sorted(formats))}, but format = {shown(kind)}")
    config = TournamentConfig(
        text(data, "title", title),
        _seed(data),
        entries,
        specs,
        _treatment(data),
        cast(Format, kind),
        number(data, "table", MIN_PLAYERS, MAX_PLAYERS, 4),
        number(data, "deals", 1, MAX_DEALS, 1),
        number(data, "rounds", 1, MAX_ROUNDS, max(3, ceil(log2(len(entries))))) if kind == "swiss" else 0,
        _which(data, "challenger", names) if "challenger" in data else 0,
        _stop(data["stop"], names) if "stop" in data else None,
    )
    _check_size(config)
    return config


def _seed(data: Mapping[str, object]) -> str | None:
    if "seed" not in data:
        return None
    return text({"seed": str(data["seed"]) if type(data["seed"]) is int else data["seed"]}, "seed", "")


def _check_size(config: TournamentConfig) -> None:
    """Complain if there are too few entries for a table, or more games than can be played."""
    entries = len(config.entries)
    if entries < config.table:
        raise ValueError(f"{entries} entries, but table = {config.table}: a table must be full")
    if sum(found.kind == "human" for found in config.specs) > 1:
        raise ValueError("more than 1 entry is human, but there is room for 1 at this terminal")
    tables = 1
    if not config.in_rounds:
        tables = comb(entries, config.table) if config.format == "round-robin" else comb(entries - 1, config.table - 1)
    if tables > MAX_TABLES:
        raise ValueError(f"{entries} entries at tables of {config.table} make {tables} tables, above {MAX_TABLES}")
    games = entries * config.deals * max(1, config.rounds) if config.in_rounds else tables * config.table * config.deals
    if games > MAX_GAMES:
        raise ValueError(f"deals = {config.deals} makes {games} games, above {MAX_GAMES}")


def _treatment(data: Mapping[str, object]) -> Treatment:
    time = data.get("time", "10")
    time = str(time) if type(time) in {int, float} else time
    if not isinstance(time, str):
        raise ValueError(f"time = {shown_value(time)} is not SECONDS, BANK+INCREMENT or none")
    try:
        time_control(time)
    except ValueError as error:
        raise ValueError(f"time: {error}") from None
    in_process, fresh = flag(data, "in-process"), flag(data, "fresh")
    sandbox = cast(Mode, one_of(data, "sandbox", get_args(Mode), "auto"))
    if in_process and sandbox == "on":
        raise ValueError('in-process = true and sandbox = "on" contradict each other')
    memory = number(data, "memory", MIN_MEMORY_MB, MAX_MEMORY_MB, 1_024)
    return Treatment(time, in_process, memory, sandbox, _share(data), fresh=fresh)


def _share(data: Mapping[str, object]) -> tuple[str, ...]:
    paths = texts(data, "share", 'paths, as in ["weights"]')
    try:
        return tuple(shareable(path) for path in paths)
    except ValueError as error:
        raise ValueError(f"share: {error}") from None


def _entries(data: Mapping[str, object]) -> tuple[tuple[Entry, ...], tuple[Spec, ...]]:
    found = data.get("entries", [])
    if not isinstance(found, list):
        raise ValueError("entries is not a list of tables; each begins with a line [[entries]]")
    if not MIN_PLAYERS <= len(found) <= MAX_ENTRIES:
        raise ValueError(f"{len(found)} [[entries]], not {MIN_PLAYERS} to {MAX_ENTRIES}")
    entries: list[Entry] = []
    specs: list[Spec] = []
    taken: dict[str, int] = {}
    mistakes: list[str] = []
    for place, item in enumerate(found, 1):
        try:
            entry, agent = _entry(item)
            if entry.name in taken:
                raise ValueError(f"name = {shown(entry.name)} is that of entry {taken[entry.name]} too")
        except ValueError as error:
            mistakes.append(f"entry {place}: {error}")
            continue
        taken[entry.name] = place
        entries.append(entry)
        specs.append(agent)
    if mistakes:
        raise ValueError("; ".join(mistakes))
    return tuple(entries), tuple(specs)


def _entry(item: object) -> tuple[Entry, Spec]:
    if not isinstance(item, dict):
        raise ValueError(f"{shown_value(item)} is not a table with name and agent")
    known_keys(item, ENTRY_KEYS)
    for key in ("name", "agent"):
        if key not in item:
            raise ValueError(f"{key} is missing")
    name = text(item, "name", "", MAX_NAME_CHARS)
    if not name or cleaned(name) != name:
        raise ValueError(f"name = {shown_value(name)} is not a printable text without spaces around it")
    agent = text(item, "agent", "")
    try:
        found = spec(agent)
    except ValueError as error:
        raise ValueError(f"agent = {shown_value(agent)}: {error}") from None
    return Entry(name, found.written_out, text(item, "author", "")), replace(
        found, options={**found.options, "name": name}
    )


def _stop(item: object, names: list[str]) -> Stop:
    if not isinstance(item, dict):
        raise ValueError(f'stop = {shown_value(item)} is not {{better = "A", than = "B", confidence = 0.95}}')
    known_keys(item, STOP_KEYS, "stop.")
    better, than = _which(item, "better", names, "stop."), _which(item, "than", names, "stop.")
    if better == than:
        raise ValueError(f"stop.better and stop.than are both {shown(names[than])}; no entry is better than itself")
    confidence = item.get("confidence", 0.95)
    if type(confidence) is not float or not 0.5 <= confidence <= 0.999999:
        raise ValueError(f"stop.confidence = {shown_value(confidence)} is not a number from 0.5 to 0.999999")
    return Stop(better, than, confidence)


def _which(data: Mapping[str, object], key: str, names: list[str], of: str = "") -> int:
    """The place of the entry that is named here."""
    if key not in data:
        raise ValueError(f"{of}{key} is missing; it names an entry")
    name = data[key]
    if not isinstance(name, str) or name not in names:
        raise ValueError(f"{of}{key} = {shown_value(name)} is not the name of an entry")
    return names.index(name)
