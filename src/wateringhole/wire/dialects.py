"""The list of dialects, with the server's and the client's end of each.

Of several dialects that recognise a first value, the last one counts: any text signs up in s16.
"""

from typing import Final

from wateringhole.wire.client_end import ClientEnd
from wateringhole.wire.dialect import Dialect
from wateringhole.wire.hello import Hello, HelloClient
from wateringhole.wire.native import Native, NativeClient
from wateringhole.wire.requests import Requests
from wateringhole.wire.respondent import RequestsClient
from wateringhole.wire.s16 import S16, S16Client
from wateringhole.wire.tagged import Tagged, TaggedClient

# Recipe: the import of a new dialect goes here.

_ENDS: Final[tuple[tuple[type[Dialect], type[ClientEnd]], ...]] = (
    (S16, S16Client),
    (Hello, HelloClient),
    (Tagged, TaggedClient),
    (Requests, RequestsClient),
    (Native, NativeClient),
    # Recipe: its row goes here.
)

DIALECTS: Final[dict[str, type[Dialect]]] = {dialect.name: dialect for dialect, _ in _ENDS}
CLIENT_ENDS: Final[dict[str, type[ClientEnd]]] = {dialect.name: client for dialect, client in _ENDS}
