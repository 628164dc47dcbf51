"""Reads TOML files of the user, and the values in them.

Laws: every mistake is one sentence with the key, the value and the limit: a ValueError for a value, a ConfigError, with
the file, for the whole.
"""

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from wateringhole.fault import shown
from wateringhole.wire.names import printable

MAX_FILE_BYTES: Final = 1_000_000
MAX_TEXT_CHARS: Final = 1_000


class ConfigError(ValueError):
    """A config with a mistake; the sentence says where and why."""


def read_toml(path: Path) -> dict[str, object]:
    """What is in this file."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise ConfigError(f"{path}: more than {MAX_FILE_BYTES} bytes")
        return tomllib.loads(data.decode())
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None


def known_keys(data: Mapping[str, object], keys: Collection[str], of: str = "") -> None:
    """Complain of a key that is none of these."""
    for key in data:
        if key not in keys:
            raise ValueError(f"no key {of}{key:.40}; known: {', '.join(keys)}")


def number(data: Mapping[str, object], key: str, least: int, most: int, default: int) -> int:
    value = data.get(key, default)
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{key} = {shown_value(value)} is not a whole number from {least} to {most}")
    return value


def text(data: Mapping[str, object], key: str, default: str, longest: int = MAX_TEXT_CHARS) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        raise ValueError(f"{key} = {shown_value(value)} is not a text")
    if len(value) > longest:
        raise ValueError(f"{key} has {len(value)} characters, above {longest}")
    return value


def texts(data: Mapping[str, object], key: str, example: str) -> list[str]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{key} = {shown_value(value)} is not a list of {example}")
    return value


def one_of(data: Mapping[str, object], key: str, values: Collection[str], default: str) -> str:
    value = data.get(key, default)
    if not isinstance(value, str) or value not in values:
        raise ValueError(f"{key} = {shown_value(value)} is not one of {', '.join(values)}")
    return value


def flag(data: Mapping[str, object], key: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{key} = {shown_value(value)} is neither true nor false")
    return value


def shown_value(value: object) -> str:
    """A value of the file; a date is none of JSON's."""
    return shown(value if value is None or isinstance(value, bool | int | float | str | list | dict) else str(value))


def toml_text(value: str) -> str:
    """A text as TOML writes it."""
    return '"' + printable(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
