"""Send queue and rate limit of one browser tab's WebSocket.

Laws: code that sends a message to a tab never waits for it. What a tab has not taken is bounded. What it says is slowed
down when it says too much.
"""

import asyncio
from collections import deque
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from wateringhole.web.page_messages import OwnHand, ServerSays, encoded

MAX_MESSAGE_BYTES: Final = 65_536
MAX_UNSENT_BYTES: Final = 262_144
SIGN_UP_SECONDS: Final = 5.0
MESSAGES_A_SECOND: Final = 40
MAX_AT_ONCE: Final = 80

OTHER_TAB: Final = 4001
NONSENSE: Final = 4002
REFUSED: Final = 4003
NO_TABLE: Final = 4404
SLOW_READER: Final = 4008
RESTART: Final = 1012


class GoneError(Exception):
    """The page is not there any more."""


class Tab:
    """`heard` counts the events that it was told, and is None until it was sent the whole table; `own` is the hand and
    the bag that it was sent last.
    """

    def __init__(self, socket: WebSocket) -> None:
        self.heard: int | None = None
        self.own: OwnHand | None = None
        self._states: dict[type, object] = {}
        self._socket = socket
        self._unsent: deque[str] = deque()
        self._size = 0
        self._more = asyncio.Event()
        self._code: int | None = None
        self._allowed = float(MAX_AT_ONCE)
        self._last = 0.0

    @property
    def behind(self) -> bool:
        """Whether there is something that it has not taken yet."""
        return bool(self._unsent)

    def update(self, message: ServerSays, state: object) -> None:
        """Send a message on this state, unless the last message of its kind was on the same one."""
        if self._states.get(type(message)) != state:
            self._states[type(message)] = state
            self.say(message)

    def say(self, message: ServerSays) -> None:
        text = encoded(message)
        self._unsent.append(text)
        self._size += len(text)
        if self._size > MAX_UNSENT_BYTES:
            self.shut(SLOW_READER)
        self._more.set()

    def shut(self, code: int) -> None:
        """Close it once everything is sent; the first code counts."""
        if self._code is None:
            self._code = code
        if code == SLOW_READER:
            self._unsent.clear()
        self._more.set()

    async def write(self) -> None:
        """Send what there is, until the tab is shut or gone."""
        try:
            while True:
                await self._more.wait()
                self._more.clear()
                await self._send_all()
                if self._code is not None:
                    await self._socket.close(self._code)
                    return
        except (WebSocketDisconnect, RuntimeError, OSError):
            return  # it has left in the middle of it

    async def _send_all(self) -> None:
        while self._unsent:
            await self._socket.send_text(self._unsent[0])
            if self._unsent:  # it may have been given up meanwhile
                self._size -= len(self._unsent.popleft())

    async def read(self) -> bytes:
        """What the page says next; GoneError when it is gone or talks in bytes."""
        await self._slow_down()
        message = await self._socket.receive()
        text = message.get("text") if message["type"] == "websocket.receive" else None
        if text is None:
            raise GoneError
        data: bytes = text.encode(errors="replace")
        return data

    async def _slow_down(self) -> None:
        now = asyncio.get_running_loop().time()
        self._allowed = min(MAX_AT_ONCE, self._allowed + (now - self._last) * MESSAGES_A_SECOND) - 1
        self._last = now
        if self._allowed < 0:
            await asyncio.sleep(-self._allowed / MESSAGES_A_SECOND)
