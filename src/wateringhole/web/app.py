"""The page over HTTP, and a line for each tab.

Laws: files come from a list that was read at the start, ids are looked up: nothing in an address becomes a path. What a
request asks for wrongly is answered with a sentence.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from importlib import resources
from typing import Final, TypeVar

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from wateringhole.agents.house import HOUSE
from wateringhole.forms import Move, Natural
from wateringhole.web.frames import replay_of
from wateringhole.web.guard import LONGEST_BODY, Guard
from wateringhole.web.offline import page
from wateringhole.web.plan import Draft
from wateringhole.web.room import Chair, Plan, Room
from wateringhole.web.rooms import TIMES, Refusal, Rooms, is_here
from wateringhole.web.seat import Seat
from wateringhole.web.tab import LONGEST_MESSAGE, NO_TABLE, NONSENSE, REFUSED, SIGN_UP_SECONDS, GoneError, Tab
from wateringhole.wire.native import VERSION
from wateringhole.wire.signup import cleaned
from wateringhole.wire.stream import Json, JsonError, parse

T = TypeVar("T")

MOST_TABS: Final = 1_000
MOST_TABS_FROM_ONE: Final = 64
CROWDED: Final = 1013
LAST_WORDS_SECONDS: Final = 1.0

TYPES: Final = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
}


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as the page asks for it."""

    places: tuple[Chair, ...]
    title: str = ""
    private: bool = False
    time: str = ""
    pace: float = 0.5


class Fork(Struct, frozen=True, forbid_unknown_fields=True):
    """Play on after so many replies, on this seat."""

    step: int
    seat: int


class Hello(Struct, frozen=True, forbid_unknown_fields=True):
    """The first message of a tab: a name for a seat, the token of one, or the wish to look on."""

    wateringhole: int
    name: str = ""
    key: str = ""
    token: str = ""
    watch: bool = False


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """Any later message of a tab; exactly one thing is meant by it."""

    id: Natural | None = None
    answer: Move | None = None
    check: Draft | None = None
    card: Natural | None = None
    ref: Natural = 0
    hint: Natural | None = None
    stand_in: Natural | None = None
    seen: bool = False
    back: bool = False
    begin: bool = False
    rematch: bool = False


class File(Struct, frozen=True):
    data: bytes
    kind: str
    tag: str


def app(rooms: Rooms, hosts: frozenset[str], proxied: frozenset[str], port: int | None) -> ASGIApp:
    """The whole site, for requests to these names; `port` is where programs sign up."""
    site = Site(rooms, port)
    routed = Starlette(
        routes=[
            Route("/", site.file("index.html")),
            Route("/table/{id}", site.table),
            Route("/game/{id}", site.game),
            Route("/rules", site.file("rules.html")),
            Route("/favicon.ico", site.file("icon.svg")),
            Route("/static/{name}", site.static),
            Route("/api/lobby", site.lobby),
            Route("/api/tables", site.create, methods=["POST"]),
            Route("/api/games/{id}", site.replay),
            Route("/api/games/{id}/record", site.record),
            Route("/api/games/{id}/page", site.offline),
            Route("/api/games/{id}/fork", site.fork, methods=["POST"]),
            WebSocketRoute("/table/{id}/line", site.line),
        ],
        exception_handlers={HTTPException: _sentence},
    )
    routed.router.redirect_slashes = False  # an address is right or it is not
    return Guard(routed, hosts, proxied)


class Site:
    """The endpoints."""

    def __init__(self, rooms: Rooms, port: int | None) -> None:
        self._rooms = rooms
        self._port = port
        self._files = _files()
        self._tabs: Counter[str] = Counter()

    def file(self, name: str) -> Callable[[Request], Coroutine[object, object, Response]]:
        """An endpoint that serves this file."""
        found = self._files[name]

        async def served(request: Request) -> Response:
            return _served(found, request)

        return served

    async def static(self, request: Request) -> Response:
        found = self._files.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404, "There is no such file.")
        return _served(found, request)

    async def table(self, request: Request) -> Response:
        return _served(self._files["table.html"], request, request.path_params["id"] in self._rooms)

    async def game(self, request: Request) -> Response:
        return _served(self._files["replay.html"], request, request.path_params["id"] in self._rooms.archive)

    async def lobby(self, request: Request) -> Response:  # noqa: ARG002
        return _json(
            {
                "tables": self._rooms.listed(),
                "games": self._rooms.archive.listed(),
                "bots": list(HOUSE),
                "port": self._port,
                "times": list(TIMES),
            }
        )

    async def create(self, request: Request) -> Response:
        wanted = await _body(request, Wanted)
        plan = Plan(wanted.places, wanted.title, wanted.private, wanted.time, wanted.pace)
        return self._made(lambda: self._rooms.create(plan, _address(request)))

    async def fork(self, request: Request) -> Response:
        wanted = await _body(request, Fork)
        self._data(request)
        record = self._rooms.archive.record(request.path_params["id"])
        return self._made(lambda: self._rooms.fork(record, wanted.step, wanted.seat, _address(request)))

    async def replay(self, request: Request) -> Response:
        return _json(self._replay(request))

    async def record(self, request: Request) -> Response:
        data = self._data(request)
        return Response(data, media_type="application/jsonl", headers=_download("game.jsonl"))

    async def offline(self, request: Request) -> Response:
        data = page(self._replay(request), {name: file.data for name, file in self._files.items()})
        return Response(data, media_type="text/html", headers=_download("game.html"))

    async def line(self, socket: WebSocket) -> None:
        """One tab, from its first message to its last."""
        address = _address(socket)
        if self._tabs.total() >= MOST_TABS or (self._tabs[address] >= MOST_TABS_FROM_ONE and not is_here(address)):
            await socket.close(CROWDED)
            return
        await socket.accept()
        self._tabs[address] += 1
        tab = Tab(socket)
        writing = asyncio.ensure_future(tab.write())
        try:
            await self._talk(tab, socket.path_params["id"])
        except GoneError:
            pass
        finally:
            self._tabs[address] -= 1
            self._tabs += Counter()  # without those who have gone
            await asyncio.wait([writing], timeout=LAST_WORDS_SECONDS)
            writing.cancel()

    async def _talk(self, tab: Tab, known: str) -> None:
        try:
            room = self._rooms[known]
        except KeyError:
            tab.shut(NO_TABLE)
            return
        seat, code = None, REFUSED
        try:
            async with asyncio.timeout(SIGN_UP_SECONDS):
                hello = _value(await tab.read(), Hello)
            seat = _seated(room, tab, hello)
            code = NONSENSE  # from now on, whoever says it keeps the seat and may come again
            while True:
                self._hear(room, tab, seat, _value(await tab.read(), Said))
        except TimeoutError:
            tab.shut(NONSENSE)
        except Refusal as refusal:
            tab.say({"type": "refused", "text": str(refusal)})
            tab.shut(code)
        finally:
            room.leave(tab, seat)

    def _hear(self, room: Room, tab: Tab, seat: Seat | None, said: Said) -> None:
        if seat is None:
            raise Refusal("Who looks on has nothing to say.")
        if seat.tab is not tab:
            return  # the seat was opened elsewhere meanwhile
        if said.answer is not None:
            seat.answer(said.id or 0, said.answer)
        elif said.check is not None:
            seat.check(said.check, said.card, said.ref)
        elif said.hint is not None:
            seat.hint(said.hint)
        elif said.seen:
            seat.seen()
        elif said.back:
            seat.back()
        elif said.rematch and room.stage == "over":
            self._rooms.again(room)
            room.changed()
        elif said.begin and room.commands(seat):
            room.begin()
        elif said.stand_in is not None:
            room.rest(said.stand_in, seat)

    def _data(self, request: Request) -> bytes:
        try:
            return self._rooms.archive.data(request.path_params["id"])
        except KeyError:
            raise HTTPException(404, "There is no such game.") from None

    def _replay(self, request: Request) -> dict[str, Json]:
        self._data(request)
        known = request.path_params["id"]
        return replay_of(self._rooms.archive.record(known), known)

    def _made(self, make: Callable[[], Room]) -> Response:
        try:
            room = make()
        except Refusal as refusal:
            raise HTTPException(400, f"{refusal}.") from None
        return _json({"table": room.id, "key": room.key}, 201)


def _seated(room: Room, tab: Tab, hello: Hello) -> Seat | None:
    """The seat that this first message leads to; None for somebody who looks on."""
    if hello.wateringhole != VERSION:
        raise Refusal(f"Version {hello.wateringhole} is not spoken here, only {VERSION}.")
    if hello.watch:
        room.watch(tab)
        return None
    if hello.token:
        seat = room.returning(hello.token)
        if seat is None:
            raise Refusal("This seat was taken up elsewhere, or never was one.")
        room.open(tab, seat, hello.token)
        return seat
    seat = room.join(tab, cleaned(hello.name), hello.key)
    if seat is None:
        raise Refusal("No place is free any more.")
    return seat


def _value(data: bytes, kind: type[T]) -> T:
    """What these bytes mean; Refusal when they mean nothing."""
    if len(data) > LONGEST_MESSAGE:
        raise Refusal(f"A message of {len(data)} bytes is longer than {LONGEST_MESSAGE}.")
    try:
        return msgspec.convert(parse(data), kind)
    except (JsonError, msgspec.ValidationError) as error:
        raise Refusal(f"What you say means nothing here: {error}.") from None


async def _body(request: Request, kind: type[T]) -> T:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "Only application/json is understood here.")
    data = b""
    try:
        async with asyncio.timeout(SIGN_UP_SECONDS):
            async for piece in request.stream():
                data += piece
                if len(data) > LONGEST_BODY:
                    raise HTTPException(413, f"That is longer than {LONGEST_BODY} bytes.")
        return _value(data, kind)
    except TimeoutError:
        raise HTTPException(408, f"That took longer than {SIGN_UP_SECONDS:.0f} seconds to say.") from None
    except ClientDisconnect:
        raise HTTPException(400, "That broke off in the middle.") from None
    except Refusal as refusal:
        raise HTTPException(400, str(refusal)) from None


def _files() -> Mapping[str, File]:
    """All that may be served, by name."""
    files = {}
    for found in resources.files("wateringhole.web").joinpath("static").iterdir():
        kind = TYPES.get(found.name.rpartition(".")[2])
        if kind is not None:
            data = found.read_bytes()
            files[found.name] = File(data, kind, f'"{hashlib.sha256(data).hexdigest()[:24]}"')
    return files


def _served(file: File, request: Request, there: bool = True) -> Response:
    """The file, or that it has not changed since the browser asked last; a page of nothing tells so itself."""
    headers = {"etag": file.tag, "cache-control": "no-cache"}
    if there and request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.data, 200 if there else 404, media_type=file.kind, headers=headers)


def _json(value: Json, status: int = 200) -> Response:
    return Response(
        msgspec.json.encode(value), status, media_type="application/json", headers={"cache-control": "no-store"}
    )


def _download(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}


def _address(request: HTTPConnection) -> str:
    return request.client.host if request.client else ""


async def _sentence(request: Request, error: Exception) -> Response:  # noqa: ARG001
    assert isinstance(error, HTTPException)
    return JSONResponse({"text": error.detail}, error.status_code, headers=error.headers)
