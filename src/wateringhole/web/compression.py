"""Compression of answers by gzip, for clients that take it.

Laws: what never changes is compressed once; what is made for a request is compressed outside the event loop when it is
large. An answer that is secret, such as the key of a new table, is too small to be compressed, so its length tells
nothing of it.
"""

import asyncio
import gzip
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

MIN_COMPRESSED_BYTES: Final = 1_024
MAX_INLINE_BYTES: Final = 16_384
"""Compressing so much takes less time than a thread needs to begin."""
STATIC_LEVEL: Final = 9
RESPONSE_LEVEL: Final = 5


def compressed(data: bytes, level: int = STATIC_LEVEL) -> bytes | None:
    """The data by gzip; None when that would gain nothing."""
    if len(data) < MIN_COMPRESSED_BYTES:
        return None
    packed = gzip.compress(data, level, mtime=0)
    return packed if len(packed) < len(data) else None


def takes_gzip(request: Request) -> bool:
    """Whether the client says that it understands gzip."""
    for coding in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = coding.replace(" ", "").partition(";q=")
        if name in {"gzip", "*"}:
            return weight.strip("0.") != "" if weight else True
    return False


async def compressed_response(
    request: Request, data: bytes, kind: str, headers: Mapping[str, str], status: int = 200
) -> Response:
    """An answer that was made for this request alone, compressed when it is worth it."""
    packed = None
    if takes_gzip(request) and len(data) <= MAX_INLINE_BYTES:
        packed = compressed(data, RESPONSE_LEVEL)
    elif takes_gzip(request):
        packed = await asyncio.to_thread(compressed, data, RESPONSE_LEVEL)
    coding = {} if packed is None else {"content-encoding": "gzip"}
    body = data if packed is None else packed
    return Response(body, status, {**headers, "vary": "accept-encoding", **coding}, kind)
