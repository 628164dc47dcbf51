"""HTTP middleware: Host and Origin checks, security headers, size limits.

Laws: a request for a host that we are not is refused, so that no foreign name leads here; one that changes something,
or opens a WebSocket, must come from a page of ours. No page may run or load anything that we did not serve.
"""

import re
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

OWN_HEADER: Final = "x-wateringhole"
"""No form and no link can set it, so no foreign page can make a browser change something here."""
MAX_BODY_BYTES: Final = 65_536

_HOST: Final = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Lets pass what may pass; `hosts` are the names and addresses that we go by, in small letters, without a port.

    Those in `proxied` may be reached through a proxy that speaks TLS for us.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], proxied: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts
        self._proxied = proxied

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        if scope["type"] == "websocket":
            await (WebSocketClose(1008, refused) if refused else self._app)(scope, receive, send)
            return
        answer = JSONResponse({"text": refused}, 403) if refused else self._app
        await answer(scope, receive, _armed(send))

    def _refused(self, scope: Scope, headers: Headers) -> str | None:
        """Why this request is none of ours, or None."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or _name(hosts[0]) not in self._hosts:
            return "This server does not go by that name."
        changes = scope["type"] == "websocket" or scope["method"] not in {"GET", "HEAD"}
        if changes and not self._own_page(scope, hosts[0], headers.getlist("origin")):
            return "Only a page of this server may do that."
        if changes and scope["type"] == "http" and headers.get(OWN_HEADER) != "1":
            return f"The header {OWN_HEADER}: 1 is missing."
        return None

    def _own_page(self, scope: Scope, host: str, origins: list[str]) -> bool:
        """Whether the one origin that a request names is a page of this host."""
        tls = scope["scheme"] in {"https", "wss"}
        schemes = ["https"] if tls else ["http", "https"] if _name(host) in self._proxied else ["http"]
        return len(origins) == 1 and origins[0] in {f"{scheme}://{host}" for scheme in schemes}


def origin_of(request: Request, proxied: frozenset[str]) -> str:
    """The scheme and the host of a request that the Guard has let pass; a proxy may say that it speaks TLS for us."""
    host = request.headers["host"]
    forwarded = _name(host) in proxied and request.headers.get("x-forwarded-proto") == "https"
    return f"{'https' if forwarded else request.url.scheme}://{host}"


def _name(host: str) -> str | None:
    """The name in a Host header, without its port; None when it is no such thing."""
    try:
        return urlsplit(f"//{host}").hostname if _HOST.fullmatch(host) else None
    except ValueError:
        return None


def _armed(send: Send) -> Send:
    async def armed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return armed
