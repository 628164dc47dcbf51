"""A cable between a browser and the server that can be pulled out and put back, or held up."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self


class Cable:
    """Passes bytes on in both directions, on a port of its own; while it is cut nobody gets through."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._whole = True
        self._flows = threading.Event()
        self._flows.set()
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
        self.cut()
        self.resume()

    def cut(self) -> None:
        """Whoever talks is interrupted, whoever calls is turned away."""
        with self._lock:
            self._whole = False
            ends, self._ends = self._ends, set()
        for end in ends:
            _close(end)

    def mend(self) -> None:
        with self._lock:
            self._whole = True

    def stall(self) -> None:
        """From now on nothing arrives, and neither end is told; it is kept until `resume`."""
        self._flows.clear()

    def resume(self) -> None:
        self._flows.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                self._connect(near)

    def _connect(self, near: socket.socket) -> None:
        with self._lock:
            if not self._whole:
                near.close()
                return
            far = socket.create_connection(("127.0.0.1", self._to))
            self._ends |= {near, far}
        for source, sink in ((near, far), (far, near)):
            threading.Thread(target=_pass_on, args=(source, sink, self._flows), daemon=True).start()


def _pass_on(source: socket.socket, sink: socket.socket, flows: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            flows.wait()
            sink.sendall(data)
    _close(source)
    _close(sink)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
