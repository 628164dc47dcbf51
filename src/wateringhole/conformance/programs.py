"""External harness programs: how the user names them, and what comes of a run."""

import os
import shlex
import shutil
from enum import StrEnum
from pathlib import Path

import msgspec

from wateringhole.fault import shown
from wateringhole.wire.framing import Json


class InputError(ValueError):
    """A program, a suite or a limit that the user named and that cannot be used; a sentence."""


class Failure(StrEnum):
    """Why a program gave no answer."""

    MISSING = "missing"
    NOT_EXECUTABLE = "not executable"
    NO_START = "cannot be started"
    NOT_BUILT = "build failed"
    TIMEOUT = "time-out"
    CRASH = "crashed"
    MEMORY = "too much memory"
    PROCESSES = "too many processes"
    FLOOD = "too much output"
    NO_JSON = "no JSON"
    NOT_RUN = "not run"

    @property
    def before_start(self) -> bool:
        """Whether the program was never started, so that all its cases fail in the same way."""
        return self in {Failure.MISSING, Failure.NOT_EXECUTABLE, Failure.NO_START, Failure.NOT_BUILT}

    @property
    def exhausting(self) -> bool:
        """Whether the program used up what it may use of the machine, so that many such runs would hurt the others."""
        return self in {Failure.TIMEOUT, Failure.MEMORY, Failure.PROCESSES}


class ProgramAnswer(msgspec.Struct, frozen=True):
    """The value that a program printed, or an object that says why there is none."""

    value: Json
    failure: Failure | None = None
    stderr: str = ""

    @property
    def why(self) -> str:
        """Why the program gave no answer; empty if it gave one."""
        if self.failure is None:
            return ""
        assert isinstance(self.value, dict)  # from `failed`
        return str(self.value["error"])


def failed(failure: Failure, why: str, stderr: str = "") -> ProgramAnswer:
    """The answer of a program that gave none."""
    return ProgramAnswer({"error": why}, failure, stderr)


class Command(msgspec.Struct, frozen=True):
    """A command and the folder that it runs in; or the answer that stands for all of its own, if it cannot be run."""

    words: tuple[str, ...]
    folder: Path | None = None
    lacking: ProgramAnswer | None = None


def program(command: str) -> Command:
    """The program that the user named; InputError if it is not there."""
    words = command_words(command)
    if shutil.which(words[0]) is None:
        raise InputError(f"{shown(words[0])}: no such program, or it is not executable")
    return Command(words)


def command_words(command: str) -> tuple[str, ...]:
    """The words of a command line; InputError if it is none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{shown(command)} is no command: {error}") from None
    if not words:
        raise InputError(f"{shown(command)} is no command")
    return tuple(words)


def program_in(folder: Path, name: str) -> Command:
    """The program of this name in a folder, to be run there; it may be missing."""
    path = folder.resolve() / name
    try:
        there = path.is_file()
    except OSError as error:
        return Command((), lacking=failed(Failure.MISSING, f"{name}: {error.strerror}"))
    if not there:
        return Command((), lacking=failed(Failure.MISSING, f"there is no file {name}"))
    if not os.access(path, os.X_OK):
        return Command((), lacking=failed(Failure.NOT_EXECUTABLE, f"{name} is not executable"))
    return Command((str(path),), path.parent)
