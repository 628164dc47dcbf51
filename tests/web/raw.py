"""What no browser and no library would send: HTTP and WebSocket frames byte by byte."""

import base64
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from typing import Final, NamedTuple

from tests.web.server import PATIENCE, Server

HERE: Final = "127.0.0.1"

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
"""The kinds of frames."""


class Answer(NamedTuple):
    """What came back; the names of the headers in small letters."""

    status: int
    headers: dict[str, str]
    body: bytes


def at(server: Server) -> str:
    """The line that says whom we ask."""
    return f"Host: localhost:{server.port}"


def own(server: Server) -> list[str]:
    """The lines that our own page sends with what it wants changed."""
    return [at(server), f"Origin: {server.base}", "X-Wateringhole: 1", "Content-Type: application/json"]


def request(target: str, *lines: str, method: str = "GET", body: bytes = b"") -> bytes:
    """One request as bytes, with these lines in its head."""
    head = [f"{method} {target} HTTP/1.1", "Connection: close", *lines]
    head += [f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([*head, "", ""]).encode("latin-1") + body


def handshake(target: str, *lines: str) -> bytes:
    """The request that opens a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    head = [f"GET {target} HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket"]
    head += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
    return "\r\n".join([*head, *lines, "", ""]).encode("latin-1")


@contextmanager
def connected(server: Server, *said: bytes) -> Iterator[socket.socket]:
    """A connection over which this has been said."""
    with socket.create_connection((HERE, server.port), PATIENCE) as end:
        for data in said:
            end.sendall(data)
        yield end


def answered(server: Server, *said: bytes) -> Answer:
    """The first answer to these bytes."""
    with connected(server, *said) as end:
        return answer(end, bodiless=said[0].startswith(b"HEAD "))


def answer(end: socket.socket, bodiless: bool = False) -> Answer:
    """The next answer on this connection; it may have no body, whatever its length says."""
    response = HTTPResponse(end, method="HEAD" if bodiless else None)
    try:
        response.begin()
        body = response.read()
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, body)
    finally:
        response.close()


def closed(end: socket.socket) -> bytes:
    """What still comes until the other side closes the connection, which it must."""
    came = b""
    try:
        while data := end.recv(65_536):
            came += data
    except (ConnectionResetError, BrokenPipeError):
        pass
    return came


def frame(kind: int, data: bytes, final: bool = True, masked: bool = True, bits: int = 0) -> bytes:
    """One frame of a client; `bits` are those that are reserved."""
    length = len(data)
    first, mask = bool(final) << 7 | bits << 4 | kind, bool(masked) << 7
    if length < 126:
        head = struct.pack("!BB", first, mask | length)
    elif length < 65_536:
        head = struct.pack("!BBH", first, mask | 126, length)
    else:
        head = struct.pack("!BBQ", first, mask | 127, length)
    return head + bytes(4) * masked + data  # a mask of zeros leaves the data as it is


class Frames:
    """A WebSocket whose frames are read one by one."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self._file = end.makefile("rb")

    def say(self, *frames: bytes) -> None:
        self.end.sendall(b"".join(frames))

    def hear(self) -> tuple[int, bytes]:
        """The next frame; a close of its own kind when there is none any more."""
        try:
            head = self._file.read(2)
            if len(head) < 2:
                return CLOSE, b""
            length = head[1] & 127
            if length == 126:
                length = int(struct.unpack("!H", self._file.read(2))[0])
            elif length == 127:
                length = int(struct.unpack("!Q", self._file.read(8))[0])
            return head[0] & 15, self._file.read(length)
        except ConnectionResetError:
            return CLOSE, b""

    def next(self, kind: int) -> bytes:
        """The data of the next frame of this kind; nothing else ends the conversation before."""
        while True:
            heard, data = self.hear()
            if heard == kind:
                return data
            assert heard != CLOSE, data

    def code(self) -> int | None:
        """The code with which the other side closes the line, which it must; None if it gives none."""
        while True:
            kind, data = self.hear()
            if kind == CLOSE:
                return int(struct.unpack("!H", data[:2])[0]) if data else None

    def close(self) -> None:
        self._file.close()


@contextmanager
def line(server: Server, table: str) -> Iterator[Frames]:
    """An open line to this table over which nothing has been said."""
    with connected(server, handshake(f"/table/{table}/line", at(server), f"Origin: {server.base}")) as end:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += end.recv(1)
        assert head.startswith(b"HTTP/1.1 101 "), head
        frames = Frames(end)
        try:
            yield frames
        finally:
            frames.close()
