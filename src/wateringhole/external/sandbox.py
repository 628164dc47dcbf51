"""Runs a program in a sandbox (bubblewrap): namespaces of its own, and a read-only view of the files that it needs.

Laws: inside there is no network, no process but the program's own, and no file but the system's programs and
libraries, our interpreter, the agent's own folder and what the user shares. A program that should run in a sandbox
never runs outside of one: if it cannot, that is a ValueError.
"""

import errno
import os
import pwd
import shutil
import site
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from wateringhole.external.process_cleanup import MARK
from wateringhole.external.spec import Spec

TMP: Final = "/tmp"  # noqa: S108  # inside, it is the program's own
MAX_TMP_BYTES: Final = 64 << 20
MAX_SHM_BYTES: Final = 16 << 20
"""What a program may write to /tmp and to /dev/shm. It is memory, and is counted nowhere else."""

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS: Final = ("alternatives", "ld.so.cache", "java-*")
"""What programs in /usr need of /etc."""

VARIABLES: Final = ("PATH", "LANG", "LANGUAGE", "TZ", "PYTHONPATH", "WATERINGHOLE_PURE")
"""The variables that a program gets of our environment, besides LC_*: the others may hold secrets."""

NAMESPACES: Final = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--disable-userns", "--cap-drop", "ALL", "--die-with-parent"),
)
EXTRA_PROCESSES: Final = 2
"""bwrap outside, and bwrap as process 1 inside."""


class Sandbox(Struct, frozen=True):
    """What a program sees besides the system and the interpreter: what is its own, what the user shares, and of that
    not what is hidden; `writes` are folders that it may change. Paths may be relative to the current folder.
    """

    own: tuple[str, ...] = ()
    share: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()

    def command(self, words: Sequence[str], folder: Path | None = None) -> list[str]:
        """The command line that runs these words inside, in this folder or the current one."""
        if why := unavailable():
            raise ValueError(f"there is no sandbox: {why}")
        here = os.path.abspath(folder or Path.cwd())
        _check_format(Path(here, shutil.which(words[0]) or words[0]))
        visible = _outermost((*_interpreter(), *self.own, *self.share))
        return [
            *_bare(),
            *(word for path in visible for word in ("--ro-bind", path, path)),
            *(word for path in map(os.path.realpath, self.writes) for word in ("--bind", path, path)),
            *self._hidden(visible),
            *(() if any(_within(here, path) for path in (*SYSTEM, *visible)) else ("--dir", here)),
            *_sealed(),
            *("--setenv", "HOME", TMP, "--setenv", "TMPDIR", TMP, "--chdir", here, "--"),
            *words,
        ]

    def _hidden(self, visible: Iterable[str]) -> Iterator[str]:
        """Covers what is hidden, under each of the names by which it could be reached."""
        own = {os.path.realpath(path) for path in self.own}
        for path in map(os.path.realpath, self.hide):
            if path in own:
                raise ValueError(
                    f"the sandbox hides {path}, but an agent has its files there; keep them in a folder of their own"
                )
            for place in (*(folder for folder in SYSTEM if not os.path.islink(folder)), *visible):
                real = os.path.realpath(place)
                if _within(path, real) and os.path.exists(path):
                    there = os.path.join(place, os.path.relpath(path, real))
                    yield from (
                        ("--size", "4096", "--tmpfs", there, "--remount-ro", there)
                        if os.path.isdir(path)
                        else ("--ro-bind", os.devnull, there)
                    )


def environment(mark: str) -> dict[str, str]:
    """The environment for a program in a sandbox with this mark. HOME is for bwrap, and another one inside."""
    kept = {name: value for name, value in os.environ.items() if name in (*VARIABLES, "HOME") or name[:3] == "LC_"}
    base = {"PYTHONUSERBASE": site.getuserbase()} if site.ENABLE_USER_SITE else {}
    return kept | base | {MARK: mark}


def ended_by(code: int) -> int:
    """The exit code of a program, as subprocess has it, by that of bwrap, which adds 128 to the number of a signal."""
    return 128 - code if 128 < code <= 192 else code


def not_started(stderr: str) -> str:
    """Why bwrap could not start the program, by the end of its standard error; empty if it could."""
    last = stderr.strip().rpartition("\n")[2]
    return last.rpartition(": ")[2] if last.startswith("bwrap: execvp ") else ""


@cache
def unavailable() -> str:
    """Why no program can be sandboxed on this machine, and what helps; empty if it can."""
    if sys.platform != "linux":
        return f"it needs Linux, and this is {sys.platform}"
    if shutil.which("bwrap") is None:
        return "bwrap is not installed; on Debian: apt-get install bubblewrap"
    try:
        words = [*_bare(), *_sealed(), "true"]
        tried = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bwrap cannot be run: {error}"
    if tried.returncode == 0:
        return ""
    said = tried.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    return f"bwrap does not work here ({said:.200}); it takes bubblewrap 0.8 and user namespaces"


def package_files() -> tuple[str, ...]:
    """This package, which may be installed by a link to its source, and the compiled files beside it."""
    package = Path(__file__).parent.parent
    return (str(package), *map(str, package.parent.glob("wateringhole__mypyc*")))


# The agent's own folders.


def sandbox_of(found: Spec, sandbox: Sandbox | None) -> Sandbox | None:
    """The sandbox for this agent, if it should run in one."""
    if sandbox is None or "sandbox" in found.options:
        return None
    return replace(sandbox, own=_of_python(found.module) if found.kind == "py" else of_command(found.words))


def of_command(words: Sequence[str], folder: Path | None = None) -> tuple[str, ...]:
    """The own folders of a command: of each word that is a file, or is a folder, and of the program, unless it is the
    system's. If there are none, it is the folder in which it runs, as for `java Bot`.
    """
    here = folder or Path.cwd()
    program = shutil.which(words[0])
    named = [part for word in words[1:] for part in (word, word.partition("=")[2], *word.split(":")) if part]
    own = [place for part in named for place in _place(here / part)]
    if program is not None and "/" in words[0]:
        own += _place(here / program)
    tools = [] if program is None else [here / program, *_interpreters(here / program)]
    return (*(own or _narrow(here)), *(place for tool in tools for place in _installation(tool)))


def _of_python(module: str) -> tuple[str, ...]:
    """The own folder of a Python class: that of its file, or this one if its module is here."""
    if module.endswith(".py"):
        return tuple(_place(Path(module)))
    top = module.partition(".")[0]
    return tuple(place for here in (Path(f"{top}.py"), Path(top)) if here.exists() for place in _beside(here))


def _place(path: Path) -> list[str]:
    """What a file or a folder that is named shows."""
    if not _there(path) or any(_within(os.path.realpath(path), system) for system in SYSTEM):
        return []
    return _narrow(path) if path.is_dir() else _beside(path)


def _there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a word that can be no name of a file
        return False


def _beside(path: Path) -> list[str]:
    """The folder of a file, or only the file in a folder that holds more than a bot."""
    return _narrow(path.absolute().parent) or [str(path.absolute())]


def _narrow(folder: Path) -> list[str]:
    """This folder, unless it is broad."""
    return [] if {os.path.abspath(folder), os.path.realpath(folder)} & _broad() else [str(folder.absolute())]


def _broad() -> set[str]:
    """The folders that hold more than a bot: the home folder, all that it is in, and the temporary ones."""
    homes = [Path(place) for home in (Path.home(), _login_home()) for place in (home, os.path.realpath(home))]
    return {str(folder) for home in homes for folder in (home, *home.parents)} | {
        os.path.realpath(folder) for folder in (tempfile.gettempdir(), TMP, f"/var{TMP}")
    }


def _login_home() -> Path:
    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return Path.home()


def _installation(program: Path) -> Iterator[str]:
    """Where a program outside the system is installed: in PREFIX/bin with PREFIX/lib, or as a version manager's shim.
    Hidden folders of the home folder, such as ~/.local, are not shown as a whole: there are keys in them.
    """
    for path in map(Path, {os.path.abspath(program), os.path.realpath(program)}):
        if not path.exists() or any(_within(str(path), system) for system in SYSTEM):
            continue
        prefix = path.parent.parent
        shim = path.parent.name == "shims"
        installed = path.parent.name == "bin" and (prefix / "lib").is_dir()
        private = prefix.name.startswith(".") and prefix.parent == Path.home()
        yield from (_narrow(prefix) if shim or (installed and not private) else []) or [str(path)]


def _first_line(program: Path) -> bytes:
    """Where a script says what runs it; empty if it cannot be read."""
    try:
        with program.open("rb") as file:
            return file.readline(256)
    except OSError:
        return b""


def _check_format(program: Path) -> None:
    """OSError, as outside, for what is no program: bwrap would take it for a shell script."""
    first = _first_line(program)
    if first and not first.startswith((b"\x7fELF", b"#!")):
        raise OSError(errno.ENOEXEC, os.strerror(errno.ENOEXEC))


def _interpreters(program: Path) -> list[Path]:
    """The program that runs a script, by its first line."""
    first = _first_line(program)
    words = first[2:].decode(errors="replace").split() if first[:2] == b"#!" else []
    if words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if word[:1] != "-" and "=" not in word]
    found = shutil.which(words[0]) if words else None
    return [] if found is None else [Path(found)]


# The arguments of bwrap.


def _bare() -> list[str]:
    """bwrap with the system's programs and libraries, and with folders of its own to write to."""
    words = [shutil.which("bwrap") or "bwrap", *NAMESPACES]
    for path in filter(os.path.exists, SYSTEM):
        words += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind", path, path]
    for pattern in SETTINGS:
        for setting in map(str, Path("/etc").glob(pattern)):
            words += ["--ro-bind", setting, setting]
    words += ["--proc", "/proc", "--dev", "/dev", "--size", str(MAX_SHM_BYTES), "--tmpfs", "/dev/shm"]  # noqa: S108
    return [*words, "--size", str(MAX_TMP_BYTES), "--tmpfs", TMP]


def _sealed() -> list[str]:
    """Makes the rest read-only: root could change the machine's settings in /proc/sys, even without capabilities."""
    return [word for path in ("/proc", "/dev", "/") for word in ("--remount-ro", path)]


@cache
def _interpreter() -> tuple[str, ...]:
    """Our Python, this package, and what it needs."""
    needed = str(Path(msgspec.__file__).parent.parent)
    prefixes = (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    return (*prefixes, *package_files(), needed)


def _outermost(paths: Iterable[str]) -> list[str]:
    """These paths, by the names that they have and as they are without links, but none that is in another."""
    kept: list[str] = []
    names = {name for path in paths for name in (os.path.abspath(path), os.path.realpath(path))}
    for path in sorted(names, key=lambda name: (len(name), name)):
        if os.path.exists(path) and not any(_within(path, other) for other in (*SYSTEM, *kept)):
            kept.append(path)
    return kept


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
