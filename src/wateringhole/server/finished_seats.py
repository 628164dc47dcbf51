"""Keeps the results of finished games for native clients that return with their token.

Laws: of a token only its hash is kept. A result is found for RETURN_SECONDS after the end of its game or longer: in
this process, and in the store if the server that played it has ended.
"""

import asyncio
import zlib
from collections import deque
from collections.abc import Iterable
from typing import Final

import msgspec

from wateringhole.record import Result, parsed, replay
from wateringhole.rules.turn import ranking
from wateringhole.store.archiver import Archiver
from wateringhole.store.finished_game import RETURN_SECONDS
from wateringhole.wire.framing import Json
from wateringhole.wire.native_messages import VERSION, Welcome, over_of, token_hash, value_of

MAX_GAMES: Final = 20_000
"""How many are kept in memory, at 3 KB each; the store has more."""


class FinishedSeats:
    """Finds the end of a game by the token of one of its seats."""

    def __init__(self, archiver: Archiver | None) -> None:
        self._archiver = archiver
        self._ends: dict[str, bytes] = {}  # by token_hash: the message, packed
        self._games: deque[tuple[float, frozenset[str]]] = deque()

    def add(self, token_hashes: Iterable[str], result: Result) -> None:
        """Keep the result of a game for the clients with these token hashes."""
        known = frozenset(token_hashes)
        if not known:
            return
        now = asyncio.get_running_loop().time()
        packed = zlib.compress(msgspec.json.encode(value_of(over_of(result))), 1)
        self._ends |= dict.fromkeys(known, packed)
        self._games.append((now, known))
        while len(self._games) > MAX_GAMES or self._games[0][0] < now - RETURN_SECONDS:
            for old in self._games.popleft()[1]:
                self._ends.pop(old, None)

    async def messages(self, token: str) -> list[Json]:
        """The messages for a client that returns with this token after the end of its game; none if the token is not
        known. StoreError if the store cannot be read.
        """
        known = token_hash(token)
        over: Json = None
        if known in self._ends:
            over = msgspec.json.decode(zlib.decompress(self._ends[known]))
        elif self._archiver is not None and (data := await self._archiver.game_of_token(known)) is not None:
            record = parsed(data)
            over = value_of(over_of(Result(ranking(replay(record)), record)))
        # The same token: it is as good as a new one, and is good if this message never arrives.
        return [] if over is None else [value_of(Welcome(VERSION, token)), over]
