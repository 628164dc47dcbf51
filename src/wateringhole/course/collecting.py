"""Collects the submissions of a class: copies folders, clones repositories, and builds each in a folder of its own.

Laws: what a student handed in is not changed; the copy is. A submission that cannot be had or built is a failure of
that student and stops nothing. What has not changed since the last time is neither copied nor built again. No code of a
student runs outside of the proctor's limits: git runs no hooks.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from wateringhole.conformance.kept_results import digest, folder_digest
from wateringhole.conformance.proctor import Proctor
from wateringhole.conformance.programs import Command, Failure, InputError, failed, program_in
from wateringhole.course.config import CourseConfig
from wateringhole.course.roster import Student

GIT: Final = ("git", "-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never", "-c", "core.symlinks=true")
GIT_SECONDS: Final = 600
HEAD: Final = re.compile(r"ref: (refs/heads/\S+)\tHEAD\n")
MAX_SAID_CHARS: Final = 2_000
COPIES: Final = "submissions"
CLONES: Final = "clones"


class Collected(Struct, frozen=True):
    """The submission of a student, ready to be graded, or why it is not. `digest` is that of all that it depends on."""

    digest: str
    commit: str = ""
    failure: Failure | None = None
    why: str = ""
    said: str = ""

    def program(self, home: Path, name: str) -> Command:
        """The program of this name, or the answer that stands for it."""
        if self.failure is None:
            return program_in(home, name)
        return Command((), lacking=failed(self.failure, self.why, self.said))


class _NoCommitError(Exception):
    """A repository without a commit to grade; the sentence says why."""


class Collector:
    """Copies and builds submissions into a folder."""

    def __init__(self, config: CourseConfig, folder: Path, proctor: Proctor) -> None:
        self._config = config
        self._folder = folder.resolve()  # git runs in other folders than ours
        self._proctor = proctor
        shared = None if proctor.sandbox is None else proctor.sandbox.share
        self._build_terms = (config.build, config.build_seconds, shared) if config.build else ()
        """What the result of a build depends on, besides the submission."""

    def home(self, student: Student) -> Path:
        """The folder in which the programs of this student run."""
        return self._folder / COPIES / student.id

    def collect(self, students: Sequence[Student], step_done: Callable[[str], None]) -> dict[str, Collected]:
        """The submission of each student, by id; `step_done` gets each."""
        repositories = any(student.repository is not None for student in students)
        if repositories and shutil.which("git") is None:
            raise InputError("the roster has repositories, but git is not installed")
        for name in (COPIES, CLONES) if repositories else (COPIES,):  # if they cannot be made, no student is to blame
            (self._folder / name).mkdir(parents=True, exist_ok=True)
        found: dict[str, Collected] = {}
        to_build: list[tuple[Student, Collected]] = []
        for student in students:
            source = self._source(student)
            known = self._known(student, source)
            if source.failure is not None or known is not None:
                found[student.id] = known or source
                step_done(student.id)
                continue
            try:
                self._copy(student, source)
            except (OSError, subprocess.SubprocessError) as error:
                found[student.id] = _missing("the submission cannot be copied", _first_cause(error))
                step_done(student.id)
                continue
            to_build.append((student, source))
        with closing(self._proctor.each(self._built, to_build)) as built:
            for (student, _), result in zip(to_build, built, strict=True):
                found[student.id] = result
                self._state(student).write_bytes(msgspec.json.encode(result))
                step_done(student.id)
        return found

    def _source(self, student: Student) -> Collected:
        """What is handed in, before it is copied."""
        try:
            return self._handed_in(student)
        except _NoCommitError as error:
            return _missing(str(error))
        except subprocess.TimeoutExpired:
            return _missing(f"the repository was not cloned in {GIT_SECONDS} s")
        except subprocess.CalledProcessError as error:
            return _missing("the repository cannot be cloned", _first_cause(error))
        except OSError as error:
            return _missing("the submission cannot be read", _first_cause(error))

    def _handed_in(self, student: Student) -> Collected:
        if student.folder is not None:
            if not student.folder.is_dir():
                return _missing(f"there is no folder {student.folder.name}")
            return self._to_build("folder", folder_digest(student.folder))
        assert student.repository is not None
        commit = self._last_commit(self._fetched(student.id, student.repository))
        return self._to_build("commit", commit, commit)

    def _to_build(self, kind: str, content: str, commit: str = "") -> Collected:
        """What is to be copied and built, unless it was already with the same content and terms."""
        return Collected(digest(kind, content, self._build_terms), commit)

    def _fetched(self, name: str, repository: str) -> Path:
        """The clone of this repository, as it is now."""
        clone = self._folder / CLONES / f"{name}.git"
        # Another repository than the last time gets another clone.
        if not clone.is_dir() or _git(clone, "config", "remote.origin.url").strip() != repository:
            shutil.rmtree(clone, ignore_errors=True)
            made = clone.with_suffix(".new")
            shutil.rmtree(made, ignore_errors=True)
            _git(clone.parent, "clone", "--quiet", "--mirror", "--", repository, str(made))
            made.rename(clone)
        else:
            _git(clone, "remote", "update", "--prune")
            main = HEAD.match(_git(clone, "ls-remote", "--symref", "origin", "HEAD"))
            if main is not None:  # an update leaves HEAD where it was when the repository was cloned
                _git(clone, "symbolic-ref", "HEAD", main[1])
        return clone

    def _last_commit(self, clone: Path) -> str:
        """The last commit before the deadline, on the main branch; _NoCommitError if there is none."""
        if not _git(clone, "rev-list", "-1", "--all").strip():
            raise _NoCommitError("the repository has no commit")
        if not _git(clone, "rev-parse", "--revs-only", "HEAD").strip():
            raise _NoCommitError("the main branch of the repository has no commit")
        deadline = self._config.deadline
        if deadline is None:
            return _git(clone, "rev-list", "-1", "HEAD").strip()
        found = _git(clone, "rev-list", "-1", f"--before={deadline.isoformat()}", "HEAD").strip()
        if not found:
            raise _NoCommitError(f"the repository has no commit before {deadline:%Y-%m-%d %H:%M %Z}")
        return found

    def _copy(self, student: Student, source: Collected) -> None:
        """Put a fresh copy into the student's folder."""
        home = self.home(student)
        self._state(student).unlink(missing_ok=True)
        shutil.rmtree(home, ignore_errors=True)
        if student.folder is not None:
            shutil.copytree(student.folder, home, symlinks=True, ignore=_left_out)
            return
        home.mkdir()
        clone = self._folder / CLONES / f"{student.id}.git"
        _git(clone, f"--work-tree={home}", "checkout", "--force", source.commit, "--", ".")

    def _state(self, student: Student) -> Path:
        return self._folder / COPIES / f"{student.id}.json"

    def _known(self, student: Student, source: Collected) -> Collected | None:
        """What came of the copy that is there, if it is one of this source."""
        try:
            known = msgspec.json.decode(self._state(student).read_bytes(), type=Collected)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None
        return known if known.digest == source.digest and self.home(student).is_dir() else None

    def _built(self, task: tuple[Student, Collected]) -> Collected:
        """The result of the build in the student's folder."""
        student, source = task
        words = self._config.build
        if not words:
            return source
        home = self.home(student)
        try:
            ran = self._proctor.run(Command(words, home), b"", self._config.build_seconds, writes=(str(home),))
        except OSError as error:
            return _unbuilt(source, f"the build cannot be started: {error.strerror}", "")
        said = "\n".join(filter(None, (ran.out.decode(errors="replace").strip(), ran.stderr.strip())))[-MAX_SAID_CHARS:]
        if ran.ended is not None:
            return _unbuilt(source, f"the build: {ran.ended.why}", said)
        if ran.code:
            return _unbuilt(source, f"the build ends with code {ran.code}", said)
        return source


def _first_cause(error: OSError | subprocess.SubprocessError) -> str:
    """What went wrong, in the words of the system or of git."""
    if isinstance(error, subprocess.CalledProcessError):
        return str(error.stderr.decode(errors="replace").strip().rpartition("\n")[2])[:MAX_SAID_CHARS]
    if isinstance(error, shutil.Error):  # a list of files, each with its error
        return str(error.args[0][0][-1])[:MAX_SAID_CHARS]
    if isinstance(error, OSError) and error.strerror:  # without the path, which is the instructor's
        return error.strerror
    return str(error)[:MAX_SAID_CHARS]


def _missing(why: str, said: str = "") -> Collected:
    return Collected(digest("missing", why), failure=Failure.MISSING, why=why, said=said)


def _unbuilt(source: Collected, why: str, said: str) -> Collected:
    return Collected(source.digest, source.commit, Failure.NOT_BUILT, why, said)


def _left_out(folder: str, names: list[str]) -> list[str]:
    """What a copy leaves out: the history, and what is neither a file nor a folder, such as a pipe."""
    odd = [
        name
        for name in names
        if not (path := Path(folder, name)).is_symlink() and not path.is_file() and not path.is_dir()
    ]
    return [*odd, ".git"]


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(  # noqa: S603
        [*GIT, *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=GIT_SECONDS,
        check=True,
        env=os.environ | {"GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"},
    )
    return done.stdout.decode(errors="replace")
