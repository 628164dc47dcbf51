"""The HTTP application: the pages and the JSON API.

Laws: files come from a list that was read at the start, ids are looked up: nothing in an address becomes a path. What a
request asks for wrongly is answered with a sentence.
"""

from collections.abc import Callable, Coroutine
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from wateringhole.agents.house import HOUSE
from wateringhole.record import RecordError
from wateringhole.server.games import NotKept
from wateringhole.store.error import StoreError
from wateringhole.web.archive import MAX_RUNGS, PAGE, game_value, profile_value, rung_value, tournament_value
from wateringhole.web.compression import compressed_response
from wateringhole.web.http_input import (
    Fork,
    Problem,
    SeatClaims,
    T,
    Wanted,
    cursor_of,
    cursor_text,
    filter_of,
    lesson_try,
    value_of_body,
)
from wateringhole.web.lessons import LESSONS, judged, lesson_shown
from wateringhole.web.middleware import Guard, origin_of
from wateringhole.web.page_text import LANGUAGES, language_of, text
from wateringhole.web.pages import Preview, Site, languages_of
from wateringhole.web.replay_file import replay_file
from wateringhole.web.room import Room
from wateringhole.web.room_seats import TablePlan
from wateringhole.web.rooms import TIMES, Refusal, Rooms
from wateringhole.web.share_link import qr_picture
from wateringhole.web.static_files import CACHE_BRIEFLY, CACHE_IMMUTABLE, StaticFile, served
from wateringhole.web.table_socket import TableSocket, address_of
from wateringhole.wire.framing import Json
from wateringhole.wire.native_messages import value_of

UNABLE: Final = 503
NOT_STORED: Final = {"cache-control": "no-store"}


def app(rooms: Rooms, hosts: frozenset[str], proxied: frozenset[str], port: int | None) -> ASGIApp:
    """The whole site, for requests to these names; `port` is where programs sign up."""
    site = PageApp(rooms, proxied, port)
    routed = Starlette(
        routes=[
            Route("/", site.front),
            Route("/quick", site.quick),
            Route("/table/{id}", site.table),
            Route("/table/{id}/qr.svg", site.qr),
            Route("/game/{id}", site.game),
            Route("/games", site.page("games.html")),
            Route("/ladder", site.page("ladder.html")),
            Route("/player/{identity:path}", site.player_page),
            Route("/tournaments", site.page("tournaments.html")),
            Route("/tournament/{id}", site.tournament_page),
            Route("/rules", site.page("rules.html")),
            Route("/learn", site.page("learn.html")),
            Route("/favicon.ico", site.icon),
            Route("/static/{path:path}", site.static),
            Route("/api/lobby", site.lobby),
            Route("/api/tables", site.create, methods=["POST"]),
            Route("/api/seats", site.seats, methods=["POST"]),
            Route("/api/lessons", site.lessons),
            Route("/api/lessons/{number:int}", site.lesson, methods=["POST"]),
            Route("/api/games", site.games),
            Route("/api/players/{identity:path}", site.player),
            Route("/api/ladder", site.ladder),
            Route("/api/tournaments", site.tournaments),
            Route("/api/tournaments/{id}", site.tournament),
            Route("/api/games/{id}", site.replay),
            Route("/api/games/{id}/record", site.record),
            Route("/api/games/{id}/page", site.offline),
            Route("/api/games/{id}/fork", site.fork, methods=["POST"]),
            WebSocketRoute("/table/{id}/line", TableSocket(rooms).line),
        ],
        exception_handlers={HTTPException: site.refuse, StoreError: _unreadable},
    )
    routed.router.redirect_slashes = False  # an address is right or it is not
    return Guard(routed, hosts, proxied)


class PageApp:
    """The endpoints."""

    def __init__(self, rooms: Rooms, proxied: frozenset[str], port: int | None) -> None:
        self._rooms = rooms
        self._archive = rooms.archive
        self._proxied = proxied
        self._port = port
        self._site = Site()

    def page(self, template: str) -> Callable[[Request], Coroutine[object, object, Response]]:
        """An endpoint that serves this page."""

        async def endpoint(request: Request) -> Response:
            return self._page(template, request)

        return endpoint

    async def refuse(self, request: Request, error: Exception) -> Response:
        """A sentence; a browser that follows a link to a wrong address gets a page."""
        assert isinstance(error, HTTPException)
        wants_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
        if error.status_code == 404 and wants_page:
            return self._missing("page", request)
        said = error.sentence(language_of(request)) if isinstance(error, Problem) else error.detail
        return JSONResponse({"text": said}, error.status_code, headers=error.headers)

    async def icon(self, request: Request) -> Response:
        return served(self._site.files["icon.svg"], request)

    async def static(self, request: Request) -> Response:
        path = request.path_params["path"]
        if path in self._site.lasting:
            return served(self._site.lasting[path], request, caching=CACHE_IMMUTABLE)
        if path in self._site.files:
            return served(self._site.files[path], request)
        raise Problem(404, "problem.no-file")

    async def front(self, request: Request) -> Response:
        return self._previewed("lobby.html", request, "wateringhole", text(language_of(request), "preview.lobby"))

    async def quick(self, request: Request) -> Response:
        """The page of a table that it sets up itself; kept for a while, because the lobby fetches it beforehand."""
        response = self._page("table.html", request)
        response.headers["cache-control"] = CACHE_BRIEFLY
        return response

    async def table(self, request: Request) -> Response:
        try:
            room = self._rooms[request.path_params["id"]]
        except KeyError:
            return self._missing("table", request)
        title, description = room.plan.title or "wateringhole", text(language_of(request), "preview.table")
        return self._previewed("table.html", request, title, description)

    async def qr(self, request: Request) -> Response:
        """The link to this table as a QR code; the page says whether it was reached by TLS, which a proxy may speak."""
        known = request.path_params["id"]
        if known not in self._rooms:
            raise Problem(404, "problem.no-table")
        scheme = "https" if "tls" in request.query_params else "http"
        link = f"{scheme}://{request.headers['host']}/table/{known}"
        return Response(qr_picture(link), media_type="image/svg+xml", headers=NOT_STORED)

    async def game(self, request: Request) -> Response:
        try:
            game = await self._archive.about(request.path_params["id"])
        except KeyError:
            return self._missing("game", request)
        except StoreError:
            return self._page("replay.html", request, UNABLE)  # the page says so itself
        # Who won is not for a chat in which others have not seen the game.
        names = ", ".join(game.names)
        description = text(language_of(request), "preview.game", names=names, count=game.turns)
        return self._previewed("replay.html", request, game.title or names, description)

    async def player_page(self, request: Request) -> Response:
        return await self._known("player", request, self._archive.player, _identity(request))

    async def tournament_page(self, request: Request) -> Response:
        return await self._known("tournament", request, self._archive.tournament, request.path_params["id"])

    async def _known(
        self, what: str, request: Request, read: Callable[[str], Coroutine[object, object, object]], known: str
    ) -> Response:
        """The page of what the archive knows by this word."""
        status = 200
        try:
            await read(known)
        except KeyError:
            return self._missing(what, request)
        except StoreError:
            status = UNABLE  # the page says so itself
        return self._page(f"{what}.html", request, status)

    def _previewed(self, template: str, request: Request, title: str, description: str) -> Response:
        preview = Preview(origin_of(request, self._proxied), title, description)
        language = language_of(request)
        return _spoken(self._site.previewed(language, template, preview), language, request)

    def _page(self, template: str, request: Request, status: int = 200) -> Response:
        language = language_of(request, languages_of(template))
        return _spoken(self._site.pages[language, template], language, request, status)

    def _missing(self, what: str, request: Request) -> Response:
        language = language_of(request)
        return _spoken(self._site.missing[language, what], language, request, 404)

    async def lobby(self, request: Request) -> Response:
        try:
            games: Json = [game_value(game) for game in await self._archive.latest()]
        except StoreError:
            games = None  # there is still something to play
        return await _json(
            request,
            {
                "tables": self._rooms.listed(),
                "games": games,
                "bots": list(HOUSE),
                "port": self._port,
                "times": list(TIMES),
            },
        )

    async def create(self, request: Request) -> Response:
        wanted = await value_of_body(request, Wanted)
        plan = TablePlan(wanted.places, wanted.title, wanted.private, wanted.time, wanted.pace)
        return self._made(request, lambda: self._rooms.create(plan, address_of(request)))

    async def seats(self, request: Request) -> Response:
        """Which of these seats still exist; a claim that is not answered can be forgotten."""
        claims = await value_of_body(request, SeatClaims)
        held = (self._rooms[claim.table].held(claim.token) for claim in claims.seats if claim.table in self._rooms)
        return await _json(request, {"seats": [seat for seat in held if seat is not None]})

    async def lessons(self, request: Request) -> Response:
        return await _json(request, {"lessons": [value_of(lesson_shown(lesson)) for lesson in LESSONS]})

    async def lesson(self, request: Request) -> Response:
        number = request.path_params["number"]
        if not 0 <= number < len(LESSONS):
            raise Problem(404, "problem.no-lesson", number=number, last=len(LESSONS) - 1)
        return await _json(request, value_of(judged(LESSONS[number], await lesson_try(request))))

    async def fork(self, request: Request) -> Response:
        wanted = await value_of_body(request, Fork)
        record = await self._found(request, self._archive.record)
        title, address = text(language_of(request), "fork.title"), address_of(request)
        return self._made(request, lambda: self._rooms.fork(record, wanted.step, wanted.seat, title, address))

    async def games(self, request: Request) -> Response:
        where, before = filter_of(request), cursor_of(request)
        found = await self._archive.listed(where, PAGE + 1, before)
        shown = found[:PAGE]
        older = cursor_text(shown[-1]) if len(found) > PAGE else None
        return await _json(request, {"games": [game_value(game) for game in shown], "older": older})

    async def player(self, request: Request) -> Response:
        try:
            return await _json(request, profile_value(await self._archive.player(_identity(request))))
        except KeyError:
            raise Problem(404, "missing.player.text") from None

    async def ladder(self, request: Request) -> Response:
        limit = request.query_params.get("limit", str(MAX_RUNGS))
        if not (limit.isascii() and limit.isdigit() and len(limit) < 10 and 1 <= int(limit) <= MAX_RUNGS):
            raise Problem(400, "problem.limit", limit=f"{limit:.20}", most=MAX_RUNGS)
        rungs = (await self._archive.ladder())[: int(limit)]
        return await _json(request, {"ladder": [rung_value(place, rung) for place, rung in enumerate(rungs, 1)]})

    async def tournaments(self, request: Request) -> Response:
        return await _json(
            request, {"tournaments": [tournament_value(one) for one in await self._archive.tournaments()]}
        )

    async def tournament(self, request: Request) -> Response:
        try:
            return await _json(request, tournament_value(await self._archive.tournament(request.path_params["id"])))
        except KeyError:
            raise Problem(404, "problem.no-tournament") from None

    async def replay(self, request: Request) -> Response:
        return await _json(request, await self._found(request, self._archive.replay))

    async def record(self, request: Request) -> Response:
        data = await self._found(request, self._archive.data)
        return await compressed_response(request, data, "application/jsonl", _download("game.jsonl"))

    async def offline(self, request: Request) -> Response:
        replay = await self._found(request, self._archive.replay)
        wanted = request.query_params.get("lang", "")
        data = replay_file(replay, self._site.sources, wanted if wanted in LANGUAGES else language_of(request))
        return await compressed_response(request, data, "text/html", _download("game.html"))

    async def _found(self, request: Request, read: Callable[[str], Coroutine[object, object, T]]) -> T:
        try:
            return await read(request.path_params["id"])
        except KeyError:
            raise Problem(404, "problem.no-game") from None
        except RecordError:
            raise Problem(404, "problem.other-rules") from None

    def _made(self, request: Request, make: Callable[[], Room]) -> Response:
        try:
            room = make()
        except Refusal as refusal:
            said = refusal.said(language_of(request)) if refusal.key else f"{refusal}."
            raise HTTPException(400, said) from None
        except NotKept as unkept:
            raise Problem(UNABLE, "trouble.unkept", why=unkept.why) from None
        return JSONResponse({"table": room.id, "key": room.key}, 201, NOT_STORED)


async def _json(request: Request, value: Json) -> Response:
    return await compressed_response(request, msgspec.json.encode(value), "application/json", NOT_STORED)


def _download(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', **NOT_STORED}


def _identity(request: Request) -> str:
    """Which player is meant; an identity of nothing but dots would not stay in a path."""
    return request.query_params.get("of", str(request.path_params["identity"]))


async def _unreadable(request: Request, error: Exception) -> Response:  # noqa: ARG001
    return JSONResponse({"text": text(language_of(request), "problem.unreadable")}, UNABLE)


def _spoken(file: StaticFile, language: str, request: Request, status: int = 200) -> Response:
    """A page that depends on the visitor's language."""
    response = served(file, request, status)
    response.headers["vary"] += ", accept-language, cookie"
    response.headers["content-language"] = language
    return response
