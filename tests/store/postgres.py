"""A PostgreSQL server for the tests: started from what the machine has, on a socket in a folder of its own."""

import contextlib
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psycopg
import pytest

MISSING: Final = (
    "The store is tested on a real PostgreSQL, and none is found in PATH, /usr/lib/postgresql/*/bin or /usr/local/bin."
    " On Debian: sudo apt-get install postgresql"
)
USER: Final = "tester"
PATIENCE: Final = 60.0
QUICKLY: Final = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "16MB",
    "max_connections": "50",
    "listen_addresses": "",
}

WATCHED: Final = '"$@" & cat > /dev/null; kill -QUIT $!; wait; rm -rf "$0"'
"""Lets the server run until nobody holds the other end of the standard input: also a test process that is killed leaves
nothing behind. SIGQUIT ends the server at once, with all its processes.
"""


class Postgres:
    """A running server; it makes a new database for whoever needs one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count(1)

    def url(self, schema: str = "public") -> str:
        return f"postgresql://{USER}@/postgres?host={self._folder}&options=-csearch_path%3D{schema}"

    @contextlib.contextmanager
    def database(self) -> Iterator[str]:
        """The URL of a new, empty database, which then goes away. In truth it is a schema: those are made faster."""
        schema = f"store{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}".encode())
            yield self.url(schema)
            connection.execute(f"DROP SCHEMA {schema} CASCADE".encode())


@contextlib.contextmanager
def running() -> Iterator[Postgres]:
    """A server that nobody else knows of."""
    programs = _programs()
    # The path of a socket has 107 bytes at most, and pytest's own folders are closed to the user that the server needs.
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    nobody = pwd.getpwnam("nobody") if os.geteuid() == 0 else None  # it refuses to be run by root
    user, group = (nobody.pw_uid, nobody.pw_gid) if nobody else (None, None)
    if user is not None and group is not None:
        os.chown(folder, user, group)
    try:
        data = folder / "data"
        made = [str(programs / "initdb"), f"--pgdata={data}", f"--username={USER}", "--auth=trust", "--encoding=UTF8"]
        subprocess.run(
            [*made, "--no-locale", "--no-sync"], check=True, capture_output=True, user=user, group=group, cwd=folder
        )
        settings = [part for name, value in QUICKLY.items() for part in ("-c", f"{name}={value}")]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [
                    "sh",
                    "-c",
                    WATCHED,
                    str(folder),
                    str(programs / "postgres"),
                    "-D",
                    str(data),
                    "-k",
                    str(folder),
                    *settings,
                ],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                user=user,
                group=group,
                cwd=folder,
            )
        try:
            postgres = Postgres(folder)
            _wait(postgres, server, folder / "log")
            yield postgres
        finally:
            assert server.stdin is not None
            server.stdin.close()
            server.wait(PATIENCE)
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # the shell may have done it


def _programs() -> Path:
    """The folder with the server's programs, of the newest version."""
    found = shutil.which("postgres")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)
    places.append(Path("/usr/local/bin"))
    for place in places:
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    pytest.fail(MISSING, pytrace=False)


def _wait(postgres: Postgres, server: subprocess.Popen[bytes], log: Path) -> None:
    """Until it takes connections."""
    latest = time.monotonic() + PATIENCE
    while True:
        try:
            psycopg.connect(postgres.url()).close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > latest:
                pytest.fail(f"PostgreSQL does not start:\n{log.read_text(errors='replace')}", pytrace=False)
        time.sleep(0.02)
