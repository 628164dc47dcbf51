"""A helper process that runs fsync and SQL off the event loop, one call after the other.

Laws: what it is asked for may be done twice, so that its death costs no more than a moment. It ends when we do, however
we end, but never in the middle of something.
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
"""How often in a row it may die until we give up all that it was to do."""
POLITE: Final = 10
"""How much whoever plays goes before it."""
MAX_END_SECONDS: Final = 10.0
"""Seconds for it to end what it has begun."""


class HelperProcess:
    """A process that is started when there is something to do."""

    def __init__(self) -> None:
        self._asked: deque[tuple[bytes, asyncio.Future[object]]] = deque()
        self._line: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = False
        self._deaths = 0  # since it has last answered

    async def call(self, function: Callable[..., T], *args: object) -> T:
        """What this function, which it must be able to import, says there; its OSError or, of any other, a StoreError.

        Whoever does not wait for that any more does not keep it from being done.
        """
        question = pickle.dumps((function, args))
        before, self._loop = self._loop, asyncio.get_running_loop()
        if self._line is not None and self._loop is not before:
            self._loop.add_reader(self._line.fileno(), self._heard)
        answer: asyncio.Future[object] = self._loop.create_future()
        self._asked.append((question, answer))
        if self._line is None:
            self._start()
        elif self._ready and len(self._asked) == 1:
            self._ask()
        return cast(T, await answer)

    def _start(self) -> None:
        """A new process, which has to do all that is still to be done."""
        assert self._loop is not None
        try:
            ours, theirs = socket.socketpair()
            with ours, theirs:
                handle = theirs.fileno()
                # In a group of its own: an interrupt at the terminal is for us, and we still need it then. And it finds
                # what we find, not what happens to lie in the current folder.
                self._process = subprocess.Popen(  # noqa: S603
                    [sys.executable, "-P", "-m", __spec__.name, str(handle)],
                    stdin=subprocess.DEVNULL,
                    pass_fds=(handle,),
                    process_group=0,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
                )
                self._line = Connection(ours.detach())
        except OSError as error:
            self._give_up(error)
            return
        self._loop.add_reader(self._line.fileno(), self._heard)

    def _ask(self) -> None:
        """One question at a time, and none before it is ready: whoever does not listen would keep us waiting."""
        assert self._line is not None
        question, _ = self._asked[0]
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # we hear of its death when we listen
            self._line.send_bytes(question)

    def _heard(self) -> None:
        assert self._line is not None
        try:
            done, said = self._line.recv()
        except Exception:  # it was killed, be it in the middle of an answer, or says what nobody understands
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
        if answer.done():  # nobody waits for it any more
            return
        if done:
            answer.set_result(said)
        else:
            answer.set_exception(said)

    def _died(self) -> None:
        self._let_go()
        self._deaths += 1
        if self._deaths >= MAX_DEATHS:
            self._give_up(OSError(None, "the helper process dies again and again"))
        elif self._asked:
            self._start()

    def _give_up(self, error: OSError) -> None:
        """Nothing of all this can be done."""
        self._deaths = 0
        while self._asked:
            _, answer = self._asked.popleft()
            if not answer.done():
                answer.set_exception(error)

    def end(self) -> None:
        """Let it end what it has begun."""
        self._asked.clear()
        self._let_go()

    def _let_go(self) -> None:
        line, self._line = self._line, None
        self._ready = False
        process, self._process = self._process, None
        if line is not None:
            if self._loop is not None and not self._loop.is_closed():
                self._loop.remove_reader(line.fileno())
            line.close()
        if process is not None:
            try:
                process.wait(MAX_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def work(line: Connection) -> None:
    """Do what is asked for until nobody is left who asks."""
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        line.send((True, None))  # we are ready
        while True:
            function, args = line.recv()
            try:
                answer = True, function(*args)
            except OSError as error:
                answer = False, error
            except Exception as error:  # it may be one that only makes sense here
                answer = False, StoreError(str(error) or repr(error))
            line.send(answer)


if __name__ == "__main__":
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)  # whoever ends the server ends us, too, when there is nothing left to do
    os.nice(POLITE)
    work(Connection(int(sys.argv[1])))
