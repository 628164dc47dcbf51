"""Runs the HTTP server (uvicorn) beside the game server, with limits for slow and large requests.

Laws: it runs in the server's own loop and leaves its signals alone. A connection that does not say in time what it
wants, or takes nothing of what it is told, is closed.
"""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import h11
import uvicorn
from msgspec import Struct
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from wateringhole.server.games import Games
from wateringhole.server.listening import listen
from wateringhole.server.lobby import Lobby
from wateringhole.web.app import app
from wateringhole.web.archive import Archive
from wateringhole.web.rooms import Rooms
from wateringhole.web.share_link import PORT
from wateringhole.web.tab import MAX_MESSAGE_BYTES

HEADER_SECONDS: Final = 10.0
DRAIN_SECONDS: Final = 10.0
CLOSING_SECONDS: Final = 1.0
MAX_HEADER_BYTES: Final = 16_384
MAX_CONNECTIONS: Final = 1_500
MAX_UNREAD_MESSAGES: Final = 64
"""How many messages of a tab may wait until we come to them."""
LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Settings(Struct, frozen=True):
    """`opened` is told the rooms and the port when the page is there; `names` are more hosts that we go by, those in
    `proxied` perhaps through a proxy that speaks TLS for us. `records` is a folder whose games are shown, too, unless
    the server keeps its games elsewhere for good.
    """

    opened: Callable[[Rooms, int], None]
    host: str = "127.0.0.1"
    port: int = PORT
    names: frozenset[str] = frozenset()
    proxied: frozenset[str] = frozenset()
    records: Path | None = None
    tls: ssl.SSLContext | None = None


@asynccontextmanager
async def page(settings: Settings, games: Games, lobby: Lobby) -> AsyncIterator[None]:
    """Serves the page while the block runs."""
    service = games.service
    assert service.archiver is not None, "a page shows the games of a store"
    archive = Archive(service.archiver)
    if settings.records is not None and service.game_logs is None:
        await archive.include(settings.records)
    rooms = Rooms(games, lobby, archive)
    rooms.resume()
    hosts = LOCAL_NAMES | settings.names | {settings.host.lower()}
    config = _config(app(rooms, hosts, settings.proxied, lobby.port or None))
    state = ServerState()
    server = await listen(lambda: TimedHttpProtocol(config, state), settings.host, settings.port, settings.tls)
    sweeping = asyncio.ensure_future(rooms.sweep())
    try:
        settings.opened(rooms, server.port)
        yield
    finally:
        sweeping.cancel()
        server.close()
        await rooms.close()
        for connection in list(state.connections):
            connection.shutdown()
        if state.tasks:
            await asyncio.wait(state.tasks, timeout=CLOSING_SECONDS)
        for connection in list(state.connections):
            connection.transport.abort()  # so that a client that still speaks to it stops
        if state.tasks:
            await asyncio.wait(state.tasks, timeout=CLOSING_SECONDS)
        for task in list(state.tasks):
            task.cancel()


def _config(site: ASGIApp) -> uvicorn.Config:
    config = uvicorn.Config(
        site,
        http="h11",
        ws=BoundedWebSocketProtocol,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        limit_concurrency=MAX_CONNECTIONS,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_ours)
    config.load()
    return config


def _is_ours(entry: logging.LogRecord) -> bool:
    """Whether an entry of the log tells of a mistake of ours: errors that clients cause are not logged."""
    # What was cancelled was cancelled by us, at the end.
    cancelled = entry.exc_info is not None and isinstance(entry.exc_info[1], asyncio.CancelledError)
    return entry.getMessage().startswith("Exception in ASGI application") and not cancelled


class StrictConnection(h11.Connection):
    """HTTP/1.1 parser of a server that refuses a head above the limit, and a request with two lengths.

    h11 itself bounds only a head that is not complete yet: one that arrives in a single read may have any size. With
    both Content-Length and Transfer-Encoding, a proxy may take another part of the bytes for the body than we do.
    """

    def __init__(self) -> None:
        super().__init__(h11.SERVER, MAX_HEADER_BYTES)

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        held = len(self.trailing_data[0]) if self.their_state is h11.IDLE else 0
        event = super().next_event()
        if isinstance(event, h11.Request):
            size = held - len(self.trailing_data[0])
            if size > MAX_HEADER_BYTES:
                raise h11.RemoteProtocolError(f"{size} bytes of headers, more than {MAX_HEADER_BYTES}", 431)
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in event.headers}:
                raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
        return event


class TimedHttpProtocol(H11Protocol):
    """HTTP from a client that has so many seconds to send its request, and to take the answer."""

    _limit: asyncio.TimerHandle | None = None
    _drain: asyncio.TimerHandle | None = None

    def __init__(self, config: uvicorn.Config, state: ServerState) -> None:
        super().__init__(config, state, {})
        self.conn = StrictConnection()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in what it extends
        super().connection_made(transport)
        self._limit = self.loop.call_later(HEADER_SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        idle = self.cycle is None or self.cycle.response_complete
        if self.transport.get_protocol() is not self or not idle:
            self._disarm()
        elif self._limit is None:
            self._limit = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._drain = self.loop.call_later(DRAIN_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._drain is not None:
            self._drain.cancel()

    def send_400_response(self, msg: str) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # its answer would come behind this one
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        if self._drain is not None:
            self._drain.cancel()
        super().connection_lost(exc)

    def _disarm(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket whose client reads nothing is not read either, and is cut off after a while; one that
    says far too much is cut off at once.
    """

    _limit: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.handshake_initiated:
            self.transport.abort()  # the whole request was there, and is none

    def send_receive_event_to_app(self) -> None:
        if self.queue.qsize() < MAX_UNREAD_MESSAGES:
            super().send_receive_event_to_app()
        else:
            self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.pause_reading()
        self._limit = self.loop.call_later(DRAIN_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._disarm()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        super().connection_lost(exc)

    def _disarm(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
