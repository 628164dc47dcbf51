"""A helper process that runs fsync and SQL off the event loop, one call after the other.

Laws: a call may be made twice, so that the death of the process costs no more than a moment. It ends with its parent,
also with a killed one, but never in the middle of a call.
"""

import asyncio
import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Final, TypeVar, cast

from wateringhole.store.error import StoreError

T = TypeVar("T")

MAX_DEATHS: Final = 3
"""How often in a row it may die until all waiting calls fail."""
NICENESS: Final = 10
"""Its niceness: the event loop goes first."""
MAX_END_SECONDS: Final = 10.0
"""Seconds for it to end the call that runs."""


class HelperProcess:
    """A child process that is started at the first call."""

    def __init__(self) -> None:
        self._asked: deque[tuple[bytes, asyncio.Future[object]]] = deque()
        self._pipe: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = False
        self._deaths = 0  # since its last answer

    async def call(self, function: Callable[..., T], *args: object) -> T:
        """The result of this importable function in the helper process; its OSError or, for any other error, a
        StoreError.

        A caller that is cancelled does not keep the call from being made.
        """
        question = pickle.dumps((function, args))
        before, self._loop = self._loop, asyncio.get_running_loop()
        if self._pipe is not None and self._loop is not before:
            self._loop.add_reader(self._pipe.fileno(), self._heard)
        answer: asyncio.Future[object] = self._loop.create_future()
        self._asked.append((question, answer))
        if self._pipe is None:
            self._start()
        elif self._ready and len(self._asked) == 1:
            self._ask()
        return cast(T, await answer)

    def _start(self) -> None:
        """Start a new process, which makes all waiting calls."""
        assert self._loop is not None
        try:
            ours, theirs = socket.socketpair()
            with ours, theirs:
                handle = theirs.fileno()
                # In a process group of its own: an interrupt at the terminal is for the server, which still needs it
                # then. And it imports by the path of this process, not from the current folder.
                self._process = subprocess.Popen(  # noqa: S603
                    [sys.executable, "-P", "-m", __spec__.name, str(handle)],
                    stdin=subprocess.DEVNULL,
                    pass_fds=(handle,),
                    process_group=0,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
                )
                self._pipe = Connection(ours.detach())
        except OSError as error:
            self._give_up(error)
            return
        self._loop.add_reader(self._pipe.fileno(), self._heard)

    def _ask(self) -> None:
        """Send one call at a time, and none before the process is ready: a full pipe would block the event loop."""
        assert self._pipe is not None
        question, _ = self._asked[0]
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # `_heard` notices its death
            self._pipe.send_bytes(question)

    def _heard(self) -> None:
        assert self._pipe is not None
        try:
            done, said = self._pipe.recv()
        except Exception:  # it was killed, perhaps in the middle of an answer, or its answer cannot be unpickled
            self._died()
            return
        if not self._ready:
            self._ready = True
            self._ask()
            return
        self._deaths = 0
        _, answer = self._asked.popleft()
        if self._asked:
            self._ask()
        if answer.done():  # the caller was cancelled
            return
        if done:
            answer.set_result(said)
        else:
            answer.set_exception(said)

    def _died(self) -> None:
        self._disconnect()
        self._deaths += 1
        if self._deaths >= MAX_DEATHS:
            self._give_up(OSError(None, "the helper process dies again and again"))
        elif self._asked:
            self._start()

    def _give_up(self, error: OSError) -> None:
        """All waiting calls fail with this error."""
        self._deaths = 0
        while self._asked:
            _, answer = self._asked.popleft()
            if not answer.done():
                answer.set_exception(error)

    def end(self) -> None:
        """Drop the waiting calls, and end the process after the call that runs."""
        self._asked.clear()
        self._disconnect()

    def _disconnect(self) -> None:
        pipe, self._pipe = self._pipe, None
        self._ready = False
        process, self._process = self._process, None
        if pipe is not None:
            if self._loop is not None and not self._loop.is_closed():
                self._loop.remove_reader(pipe.fileno())
            pipe.close()
        if process is not None:
            try:
                process.wait(MAX_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def work(pipe: Connection) -> None:
    """Make the calls that arrive until the parent closes the pipe."""
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        pipe.send((True, None))  # ready
        while True:
            function, args = pipe.recv()
            try:
                answer = True, function(*args)
            except OSError as error:
                answer = False, error
            except Exception as error:  # its class may not be importable in the parent
                answer = False, StoreError(str(error) or repr(error))
            pipe.send(answer)


if __name__ == "__main__":
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)  # it ends with the pipe of the server, after the last call
    os.nice(NICENESS)
    work(Connection(int(sys.argv[1])))
