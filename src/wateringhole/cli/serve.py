"""`serve`: the table server."""

import contextlib
import gc
import json
import re
import resource
import socket
import ssl
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click
from msgspec.structs import replace

from wateringhole.cards import DECK
from wateringhole.cli import Complaint, checked_wait, given_place, one_of, range_of_players, stopped
from wateringhole.cli.agent_options import checked_seed, house_names, named_agents, settled, treatment_options
from wateringhole.cli.game import rows
from wateringhole.external.play_specs import Treatment
from wateringhole.external.seating import seated
from wateringhole.external.spec import made
from wateringhole.fair import Deal, dealt
from wateringhole.fault import shown
from wateringhole.record import Result
from wateringhole.seeds import drawn_secret
from wateringhole.server import event_loop
from wateringhole.server.connection import Limits
from wateringhole.server.games import Games, Service
from wateringhole.server.listening import ListenError, joined_address
from wateringhole.server.lobby import Lobby, Tables
from wateringhole.server.monitor import LogForm, Monitor
from wateringhole.server.participants import Participant
from wateringhole.server.service import serve as served
from wateringhole.store.error import StoreError
from wateringhole.web.share_link import PORT, lan_address, qr_code
from wateringhole.wire.dialects import DIALECTS

if TYPE_CHECKING:
    from wateringhole.web.rooms import Rooms

LOOPBACK: Final = "127.0.0.1"


@click.command()
@click.option("--host", default=LOOPBACK, show_default=True, help="The address to listen on; 0.0.0.0 for all.")
@click.option(
    "--port",
    "ports",
    multiple=True,
    default=["45678"],
    show_default=True,
    metavar="PORT[:DIALECT]",
    help=f"Repeatable; all ports lead to one lobby. With a DIALECT ({', '.join(DIALECTS)}) the port speaks only that.",
)
@click.option("--players", default="3-8", show_default=True, metavar="MIN[-MAX]", help="How many make a table.")
@click.option("--wait", default=10.0, show_default=True, help="Seconds to wait for more after the MIN-th sign-up.")
@click.option("--games", type=click.IntRange(1), help="Stop after so many games; else go on for ever.")
@click.option("--tables", type=click.IntRange(1), help="At most so many games at once.")
@click.option(
    "--fill",
    metavar="AGENT",
    shell_complete=house_names,
    help="Such agents take the seats left empty, named as in 'game'; then one client begins the wait.",
)
@click.option("--seed", help="For experiments: fixes the decks and the dice of the bots that fill seats.")
@click.option("--sorted", "sorted_deck", is_flag=True, help="The sorted deck for every game.")
@click.option(
    "--gap",
    default=0,
    show_default=True,
    type=click.IntRange(0, 10_000),
    help="ms from 'ok' to the first start, and from each start to choose.",
)
@click.option(
    "--silent",
    default=Limits().silent_seconds,
    show_default=True,
    metavar="SECONDS",
    help="On ports bound to tagged or requests a client that says nothing for so long gets a seat; 0: never.",
)
@click.option("--record", "records", type=click.Path(path_type=Path), help="Keep a record of each game in this folder.")
@click.option(
    "--data",
    type=lambda text: Path(given_place(text)),
    metavar="DIR",
    help="Keep all games in this folder: running ones go on after a restart, finished ones are found by 'games'.",
)
@click.option("--database", metavar="URL", help="Keep finished games there instead: postgresql://... With --data.")
@click.option(
    "--on-restart",
    type=click.Choice(["expel", "bot"]),
    default="expel",
    show_default=True,
    help="What happens to a seat whose player cannot come back after a restart.",
)
@click.option(
    "--on-disk-error",
    type=click.Choice(["go-on", "stop"]),
    default="go-on",
    show_default=True,
    help="What happens to running games that cannot be written to disk; new ones are refused.",
)
@click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate chain, for TLS.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Its private key.")
@click.option("--grace", default=10.0, show_default=True, help="Seconds that running games have after a SIGTERM.")
@click.option("--rejoin", default=30.0, show_default=True, help="Seconds that a native client has to come back.")
@click.option(
    "--web",
    type=click.IntRange(0, 65_535),
    is_flag=False,
    flag_value=PORT,
    metavar="[PORT]",
    help=f"The page for people, on this port or on {PORT}.",
)
@click.option("--lan", is_flag=True, help="Listen on all addresses, serve the page, and print its link and a QR code.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="Another name that the page is reached by.")
@click.option(
    "--metrics",
    metavar="[HOST:]PORT",
    help=f"Port for /metrics (Prometheus) and /healthz, on {LOOPBACK} unless you give another address.",
)
@click.option("--log", "log", type=click.Choice(["json", "console"]), help="One line an event on standard error.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each finished game.")
@treatment_options
def serve(
    host: str,
    ports: tuple[str, ...],
    players: str,
    wait: float,
    games: int | None,
    tables: int | None,
    fill: str | None,
    seed: str | None,
    sorted_deck: bool,
    gap: int,
    silent: float,
    records: Path | None,
    data: Path | None,
    database: str | None,
    on_restart: Literal["expel", "bot"],
    on_disk_error: Literal["go-on", "stop"],
    tls_cert: Path | None,
    tls_key: Path | None,
    grace: float,
    rejoin: float,
    web: int | None,
    lan: bool,
    names: tuple[str, ...],
    metrics: str | None,
    log: LogForm | None,
    as_json: bool,
    treated: Treatment,
) -> None:
    """Deal games to clients over TCP, and to people in a browser.

    Every port for programs takes all dialects and tells them apart by the first value, unless it is bound to one.
    docs/wire.md has all messages of these dialects:

    \b
    s16        a name, answered with "ok"; bare arrays, as existing clients speak
    hello      "Hello", answered with "ack"; messages with names, scores at the end
    tagged     tags on everything; on a bound port a client may just wait
    requests   many small questions; on a bound port a client may just wait
    native     an object with "wateringhole"; everything there is to know

    \b
    wateringhole serve --web                         and a page for people on port 8420
    wateringhole serve --lan                         the same for the whole network, with a QR code
    wateringhole serve                               port 45678, 3 to 8 players
    wateringhole serve --games 1 --players 3-3       one game of three, then stop
    wateringhole serve --fill silly --wait 2         house bots fill up the table
    wateringhole serve --fill 'cmd:./bot'            or a program of yours, once for each empty seat
    wateringhole serve --port 45678 --port 45679:tagged
    wateringhole serve --web --data ours             nothing is lost; see also 'games' and 'ladder'

    Unless you give a --seed, every game is dealt from a secret one: its seal is shown before, the seed after the game,
    and 'wateringhole verify' checks a record of it.

    The ranking of each finished game goes to standard output, everything else to standard error.
    """
    one_of(seed=seed is not None, sorted=sorted_deck)
    drawn = checked_seed(drawn_secret() if seed is None else seed)
    fewest, most = range_of_players(players)
    if records is not None and not records.is_dir():
        raise Complaint(f"{records}: not a folder")
    if database is not None and data is None:
        raise Complaint("--database needs --data, for the games that are running")
    if database is not None and "://" not in database:
        raise Complaint(f"--database {database:.60}: not a URL such as postgresql://user@host/name")
    monitor = Monitor(log)
    service = Service(
        deal=partial(_deal, seed, sorted_deck),
        finished=lambda number, result: _report(number, result, as_json),
        listening=_listening,
        host="0.0.0.0" if lan else host,  # noqa: S104  # --lan asks for it
        ports=tuple(_port(text) for text in ports),
        # Bots fill the table, so the wait for more begins with one client.
        tables=Tables(fewest if fill is None else 1, most, checked_wait("--wait", wait), games, tables),
        control=treated.control,
        gap=gap / 1_000,
        fill=None if fill is None else _filling(fill, treated, [records, data]),
        seed=drawn,
        records=records,
        grace=checked_wait("--grace", grace),
        rejoin=checked_wait("--rejoin", rejoin),
        metrics=None if metrics is None else _metrics(metrics),
        monitor=monitor,
        on_restart=on_restart,
        name=socket.gethostname(),
        tls=_tls(tls_cert, tls_key),
        limits=_limits(silent),
        page=None if web is None and not lan else _page(host, web, lan, names, records, _tls(tls_cert, tls_key)),
    )
    # What is loaded by now stays, so the garbage collector need not scan it again; and it runs seldom, because each of
    # its runs is a pause in every game (bench/server.py, run A: p99 of the added latency 85 ms without these two
    # lines).
    gc.freeze()
    gc.set_threshold(50_000)
    try:
        if data is None and service.page is None:
            event_loop.run(served(service))
            return
        from wateringhole.store.data_folder import open_data_folder  # noqa: PLC0415  # a database takes a while to load

        with open_data_folder(data, database, on_disk_error == "stop", monitor.trouble, service.name) as kept:
            event_loop.run(served(replace(service, game_logs=kept.game_logs, archiver=kept.archiver)))
    except StoreError as error:
        raise Complaint(f"games cannot be kept: {error}") from None
    except ListenError as error:
        raise Complaint(str(error)) from None
    except OSError as error:
        raise stopped(error) from None


def _page(
    host: str, web: int | None, lan: bool, names: tuple[str, ...], records: Path | None, tls: ssl.SSLContext | None
) -> Callable[[Games, Lobby], AbstractAsyncContextManager[None]]:
    """The page, as a context manager for `serve`."""
    from wateringhole.web.http_server import Settings, page  # noqa: PLC0415  # and so does a web server

    scheme = "http" if tls is None else "https"
    shown = lan_address() if lan else "localhost" if host == LOOPBACK else host

    def opened(_: "Rooms", port: int) -> None:
        link = f"{scheme}://{shown}:{port}/"
        print(f"open {link} in a browser", file=sys.stderr, flush=True)
        if lan:
            print(qr_code(link), file=sys.stderr, flush=True)

    known = frozenset(name.lower() for name in (shown, *([socket.gethostname()] if lan else [])))
    place = "0.0.0.0" if lan else host  # noqa: S104
    given = frozenset(name.lower() for name in names)
    settings = Settings(opened, place, PORT if web is None else web, known | given, given, records, tls)
    return partial(page, settings)


def _limits(silent: float) -> Limits:
    """The limits, with no more connections than file descriptors; some of those are for other things."""
    if not 0 <= silent < Limits().sign_up_seconds:
        raise Complaint(f"--silent is {silent}, not 0 or a number of seconds below {Limits().sign_up_seconds:g}")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    limits, room = Limits(silent_seconds=silent), most - 32
    return replace(limits, connections=min(limits.connections, room), strangers=min(limits.strangers, room * 3 // 5))


def _port(text: str) -> tuple[int, str | None]:
    form = re.fullmatch(r"(\d{1,5})(?::([a-z0-9]+))?", text)
    if form is None or int(form[1]) > 65_535:
        raise Complaint(f"--port {text}: not PORT or PORT:DIALECT with a port from 0 to 65535")
    if form[2] is not None and form[2] not in DIALECTS:
        raise Complaint(f"--port {text}: no dialect {shown(form[2])}; known: {', '.join(DIALECTS)}")
    return int(form[1]), form[2]


def _metrics(text: str) -> tuple[str, int]:
    """The address of the figures. They are the operator's, so --host and --lan do not make them public."""
    form = re.fullmatch(r"(?:([^\s:\[\]]+|\[[^\s\[\]]+\]):)?(\d{1,5})", text, re.ASCII)
    if form is None or int(form[2]) > 65_535:
        raise Complaint(f"--metrics {text:.60}: not PORT or HOST:PORT with a port from 0 to 65535")
    return (form[1] or LOOPBACK).strip("[]"), int(form[2])


def _filling(
    text: str, treated: Treatment, hide: Sequence[Path | None]
) -> Callable[[AsyncExitStack, int, str], Coroutine[object, object, Participant]]:
    """The agent that takes empty seats."""
    [found] = named_agents([text])
    treated = settled(treated, [found], hide)
    if found.alone:
        raise Complaint(f"--fill {text}: several seats cannot be taken by it; clients sign up at the port")
    if found.at_hand(treated.in_process):
        try:
            made(found, "")  # to report a mistake in it before the first game
        except ValueError as error:
            raise Complaint(f"--fill {error}") from None
    terms = treated.terms
    terms = replace(terms, bounds=replace(terms.bounds, last_moment=0.2))  # others play here, too
    return lambda stack, seat, seed: seated(stack, found, seat, seed, terms)


def _tls(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    if certificate is None:
        if key is not None:
            raise Complaint("--tls-key needs --tls-cert")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise Complaint(f"--tls-cert {certificate}: {error.strerror or error}") from None
    return context


def _deal(seed: str | None, sorted_deck: bool, number: int) -> Deal:
    if sorted_deck:
        return Deal(DECK)
    return dealt(seed, number)


def _listening(host: str, port: int, dialect: str | None) -> None:
    print(f"listening on {joined_address(host, port)}, {dialect or 'all dialects'}", file=sys.stderr, flush=True)


def _report(number: int, result: Result, as_json: bool) -> None:
    with contextlib.suppress(OSError):  # its reader has gone, or its disk is full: games go on
        _print(number, result, as_json)


def _print(number: int, result: Result, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"game": number, "ranking": rows(result.ranking)}), flush=True)
        return
    for row in result.ranking:
        if row.fault is None:
            print(f"{row.rank} player id: {row.seat} name: {row.name} score: {row.score}")
        else:
            print(f"- player id: {row.seat} name: {row.name} expelled ({row.fault.reason}): {row.fault.text}")
    sys.stdout.flush()
