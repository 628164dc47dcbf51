"""Log lines, Prometheus metrics and health checks for the operator.

Laws: one event is one line, whatever a name contains. Nothing that is hidden from players is told while a game runs.
"""

import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from wateringhole.fault import json_line
from wateringhole.record import Note, Result

LogForm = Literal["json", "console"]

MAX_REQUEST_BYTES: Final = 16_384


class Monitor:
    """Counts and logs; without a form for the log it only counts, and says what the operator has to know."""

    def __init__(self, form: LogForm | None = None) -> None:
        self.registry = CollectorRegistry()
        self._running = Gauge("wateringhole_games_running", "Games that are being played.", registry=self.registry)
        self._games = Counter("wateringhole_games", "Games that were finished.", registry=self.registry)
        self._seats = Counter("wateringhole_seats", "Seats that were taken.", registry=self.registry)
        self._replies = Histogram("wateringhole_reply_seconds", "How long replies took.", registry=self.registry)
        self._expelled = Counter(
            "wateringhole_expulsions", "Seats that were expelled.", ["reason"], registry=self.registry
        )
        self._turned_away = Counter(
            "wateringhole_turned_away", "Clients closed before they had a seat.", ["reason"], registry=self.registry
        )
        self._damaged = Counter("wateringhole_damaged", "Game logs that were found damaged.", registry=self.registry)
        self._failing = Gauge(
            "wateringhole_failing", "Whether the game logs or the store fail.", ["what"], registry=self.registry
        )
        self._log = _Log(form)
        self._has_log = form is not None

    @contextlib.contextmanager
    def errors_logged(self) -> Iterator[None]:
        """Meanwhile, what the server reports by Python's logging (defects, with their traceback) is in the log, too."""
        if not self._has_log:
            yield  # Python writes it to standard error
            return
        handler = _ErrorHandler(self._log)
        logger = logging.getLogger("wateringhole")
        logger.addHandler(handler)
        try:
            yield
        finally:
            logger.removeHandler(handler)

    def _say(self, sentence: str) -> None:
        """A sentence for an operator who reads no log."""
        if not self._has_log:
            with contextlib.suppress(OSError):
                sys.stderr.write(f"wateringhole: {ascii(sentence)[1:-1]}\n")
                sys.stderr.flush()

    def began(self, game: int, names: list[str], sealed: str | None = None) -> None:
        self._running.inc()
        self._seats.inc(len(names))
        self._log.info("game began", game=game, names=names, **({"sealed": sealed} if sealed else {}))

    def resumed(self, game: int, names: list[str]) -> None:
        self._log.info("game goes on", game=game, names=names)

    def ready(self, resumed: int) -> None:
        """The server is open, and resumes so many games of an earlier one."""
        if resumed:
            self._say(f"{resumed} game{' goes' if resumed == 1 else 's go'} on that an earlier server left")

    def damaged(self, game_log: str, damage: str) -> None:
        self._damaged.inc()
        self._log.error("journal damaged", journal=game_log, damage=damage)
        self._say(f"a game is lost: its log {game_log} is damaged: {damage}")

    def trouble(self, what: str, error: Exception | None) -> None:
        """The game logs or the store fail; None: they work again."""
        self._failing.labels(what).set(error is not None)
        if error is None:
            self._log.warning(f"{what} works again")
            self._say(f"the {what} works again")
        else:
            self._log.error(f"{what} fails", error=str(error))
            self._say(f"the {what} fails: {error}")

    def turned_away(self, address: str, reason: str, text: str) -> None:
        """A client was closed before it had a seat."""
        self._turned_away.labels(reason).inc()
        self._log.info("client turned away", address=address, reason=reason, text=text)

    def expelled(self, game: int, why: Note) -> None:
        self._expelled.labels(str(why["reason"])).inc()
        self._log.warning("seat expelled", game=game, **{key.replace(" ", "_"): value for key, value in why.items()})

    def replied(self, seconds: float) -> None:
        self._replies.observe(seconds)

    def unsaved(self, game: int, error: OSError) -> None:
        self._log.error("record not written", game=game, error=str(error))
        self._say(f"the record of game {game} is not written: {error}")

    def ended(self, game: int, result: Result | None) -> None:
        """A game is over, or could not be finished."""
        self._running.dec()
        if result is None:
            self._log.error("game unfinished", game=game)
            return
        self._games.inc()
        self._log.info("game over", game=game, scores=[[row.seat, row.score] for row in result.ranking])

    def connection(self) -> asyncio.StreamReaderProtocol:
        """The protocol of a new connection that asks for figures."""
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(MAX_REQUEST_BYTES), self._answer)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One HTTP request: the figures at /metrics, a word at /healthz."""
        try:
            async with asyncio.timeout(5):
                head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1] if head.startswith(b"GET ") else b""
            status, body = {
                b"/metrics": (b"200 OK", generate_latest(self.registry)),
                b"/healthz": (b"200 OK", b"ok\n"),
            }.get(path, (b"404 Not Found", b"only /metrics and /healthz\n"))
            writer.write(
                b"HTTP/1.1 "
                + status
                + b"\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                + str(len(body)).encode()
                + b"\r\nConnection: close\r\n\r\n"
                + body
            )
            await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, IndexError):
            pass  # a malformed request gets no answer
        finally:
            writer.close()


class _Log:
    """Writes events to standard error, as JSON or for a console; without a form it writes nothing."""

    def __init__(self, form: LogForm | None) -> None:
        self._form = form
        self._stream = sys.stderr

    def info(self, event: str, **values: object) -> None:
        self.write("info", event, values)

    def warning(self, event: str, **values: object) -> None:
        self.write("warning", event, values)

    def error(self, event: str, **values: object) -> None:
        self.write("error", event, values)

    def write(self, level: str, event: str, values: dict[str, object]) -> None:
        if self._form is None:
            return
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        if self._form == "json":
            line = json.dumps(values | {"event": event, "level": level, "timestamp": now})
        else:
            told = " ".join([f"{key}={json_line(value)}" for key, value in sorted(values.items())])
            line = f"{now} [{level:9}] {event:30} {told}".rstrip()
        # A line that cannot be written, as on a full disk, is lost; that is no reason to stop a game.
        with contextlib.suppress(OSError):
            self._stream.write(f"{line}\n")
            self._stream.flush()


class _ErrorHandler(logging.Handler):
    """Writes a record of Python's logging as one event, with the traceback as a value."""

    def __init__(self, log: _Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else None
        self._log.write(record.levelname.lower(), record.getMessage(), {} if trace is None else {"traceback": trace})
