"""Listening sockets: how a port is opened, and how its queue of new connections is emptied."""

import asyncio
import os
import socket
import ssl
from collections.abc import Callable
from typing import Final

MAX_QUEUE: Final = 1_024
"""How many connections the kernel may hold until we take them."""


class ListenError(Exception):
    """A port cannot be opened; the sentence says which, and why."""

    def __init__(self, host: str, port: int, error: OSError) -> None:
        known = isinstance(error, socket.gaierror) or not error.errno
        why = error.strerror or str(error) if known else os.strerror(error.errno or 0)  # asyncio's repeats the address
        super().__init__(f"cannot listen on {joined_address(host, port)}: {why}")


def joined_address(host: str, port: int) -> str:
    """A host and its port, as they are written together."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def listen(
    protocol: Callable[[], asyncio.BaseProtocol], host: str, port: int, tls: ssl.SSLContext | None = None
) -> asyncio.Server:
    """Take connections on this port from now on; ListenError if that cannot be."""
    loop = asyncio.get_running_loop()
    try:
        # One connection a round: out of descriptors, asyncio would try, fail and log as often as the queue is long.
        server = await loop.create_server(protocol, host, port, ssl=tls, backlog=1)
    except OSError as error:
        raise ListenError(host, port, error) from None
    for listener in server.sockets:
        with listener.dup() as twin:
            twin.listen(MAX_QUEUE)
    return server
