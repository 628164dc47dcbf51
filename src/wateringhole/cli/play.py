"""`play`: a table in the browser."""

import sys
import threading
import webbrowser
from functools import partial

import click

from wateringhole.agents.house import HOUSE
from wateringhole.cli import Complaint, number_of_players, stopped
from wateringhole.cli.agent_options import checked_seed
from wateringhole.fair import dealt
from wateringhole.server import event_loop
from wateringhole.server.games import Service
from wateringhole.server.listening import ListenError
from wateringhole.server.service import serve as served
from wateringhole.store.data_folder import open_data_folder
from wateringhole.store.error import StoreError
from wateringhole.web.http_server import Settings, page
from wateringhole.web.page_messages import Chair
from wateringhole.web.room_seats import PACE_SECONDS, TablePlan
from wateringhole.web.rooms import Refusal, Rooms
from wateringhole.web.share_link import PORT


@click.command()
@click.option(
    "--bots",
    default="normal",
    show_default=True,
    metavar="NAME[,NAME...]",
    help="The bots on the other seats, in turn.",
)
@click.option("--seats", default="4", show_default=True, metavar="3-8", help="How many play, you among them.")
@click.option("--pace", default=PACE_SECONDS, show_default=True, help="Seconds that a bot takes for a feeding.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65_535), help="0: any that is free.")
@click.option("--seed", help="Deal from this seed, not from a secret one.")
@click.option("--no-browser", is_flag=True, help="Only print the link.")
def play(bots: str, seats: str, pace: float, port: int, seed: str | None, no_browser: bool) -> None:
    """Play in your browser, against bots of the house.

    \b
    wateringhole play                            you and three bots
    wateringhole play --bots hard                three that think ahead
    wateringhole play --seats 5 --bots hunter,shepherd
    wateringhole serve --lan                     for friends: a page for your whole network

    Ctrl-C ends it, and its games are lost unless you downloaded their records; 'serve --web --data FOLDER' keeps them.
    """
    drawn = None if seed is None else checked_seed(seed)
    names = bots.split(",")
    for name in names:
        if name not in HOUSE:
            raise Complaint(f"--bots {bots:.60}: no bot {name:.40}; there are {', '.join(HOUSE)}")
    others = number_of_players(seats) - 1
    chairs = (Chair("person"), *(Chair("bot", names[at % len(names)]) for at in range(others)))
    plan = TablePlan(chairs, private=True, pace=pace)

    def opened(rooms: Rooms, bound: int) -> None:
        try:
            room = rooms.create(plan, "")
        except Refusal as refusal:
            raise Complaint(str(refusal)) from None
        link = f"http://localhost:{bound}/table/{room.id}#key={room.key}"
        print(f"open {link}  (Ctrl-C ends it)", file=sys.stderr, flush=True)
        if not no_browser:
            # In a thread: some browsers return only when they are closed.
            threading.Thread(target=webbrowser.open, args=[link], daemon=True).start()

    try:
        with open_data_folder(None) as kept:
            service = Service(
                deal=partial(dealt, drawn),
                finished=lambda _, __: None,
                listening=lambda _, __, ___: None,
                ports=(),
                archiver=kept.archiver,
                page=partial(page, Settings(opened, port=port)),
            )
            event_loop.run(served(service))
    except StoreError as error:
        raise Complaint(f"games cannot be kept: {error}") from None
    except ListenError as error:
        raise Complaint(f"{error}; try --port 0") from None
    except OSError as error:
        raise stopped(error) from None
