"""`connect`: let an agent play at another server."""

import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

import click

from wateringhole.agents import Agent
from wateringhole.cli import Complaint, checked_wait
from wateringhole.cli.agent_options import checked_seed, house_names, named_agents, settled, treatment_options
from wateringhole.cli.growth_option import growth_option
from wateringhole.external.play_specs import Treatment, agents_of
from wateringhole.external.spec import Spec, made
from wateringhole.external.spec import address as split_address
from wateringhole.fault import shown
from wateringhole.seeds import drawn_secret
from wateringhole.wire.dialects import CLIENT_ENDS
from wateringhole.wire.growth import Spelling
from wateringhole.wire.names import MAX_NAME_CHARS
from wateringhole.wire.respondent import RespondentAgent

if TYPE_CHECKING:
    from wateringhole.server.client import Ending

SEPARATORS: Final = {"newline": "\n", "space": " ", "none": ""}


@click.command()
@click.argument("agent", shell_complete=house_names)
@click.argument("address", metavar="tcp:HOST:PORT")
@click.option(
    "--dialect", type=click.Choice([*CLIENT_ENDS]), default="s16", show_default=True, help="The dialect of the server."
)
@click.option("--name", help="The name to sign up with; the agent's, if none is given.")
@click.option("--no-name", is_flag=True, help="Send nothing to sign up: the server speaks first (tagged, requests).")
@click.option(
    "--separator",
    type=click.Choice([*SEPARATORS]),
    default="newline",
    show_default=True,
    help="What follows each value: some servers wait for white space, some fail on it.",
)
@growth_option("our agent spells", "bare")
@click.option(
    "--retry",
    type=float,
    default=0,
    metavar="SECONDS",
    help="Keep trying to connect so long, also to come back to a lost seat (native).",
)
@click.option("--tls", is_flag=True, help="Connect by TLS, and check the server's certificate.")
@click.option("--seed", help="A text or number that fixes the agent's dice.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: how it ended.")
@treatment_options
def connect(
    agent: str,
    address: str,
    dialect: str,
    name: str | None,
    no_name: bool,
    separator: str,
    growth: Spelling,
    retry: float,
    tls: bool,
    seed: str | None,
    as_json: bool,
    treated: Treatment,
) -> None:
    """Let AGENT play one game at a server, until the server closes the connection.

    \b
    wateringhole connect silly tcp:localhost:45678
    wateringhole connect rash tcp:localhost:45678 --name Rosa --seed 7
    wateringhole connect silly tcp:10.0.0.5:45678 --dialect hello --retry 30
    wateringhole connect silly tcp:[::1]:45678 --separator none --growth tagged
    wateringhole connect 'cmd:./bot' tcp:localhost:45678 --dialect native
    wateringhole connect py:bot.py:Bot tcp:localhost:45679 --dialect requests --in-process
    wateringhole connect sage tcp:localhost:45679 --dialect tagged --no-name

    AGENT is named as in 'game'. Only a Python class that answers the eleven questions can play in the dialect requests,
    and only with --in-process. Only hello, native and requests tell the scores. In the other dialects a closed
    connection is the end of the game, or of our part in it: the last reply is shown for that. In turn 1 it is a
    failure: that is too early for the end of a game.

    Exit code 0: played until the server closed. 1: no connection, or it broke, or the server closed it in turn 1. 2: a
    mistake in the arguments.
    """
    host, port = server_address(address)
    checked_wait("--retry", retry)
    [found] = named_agents([agent])
    if dialect == "requests":
        _check_questioned(found, treated)
    sign_up = _name(name, no_name, found.name, dialect)
    treated = settled(treated, [found])
    seed = checked_seed(drawn_secret() if seed is None else seed)

    where = address.removeprefix("tcp:")
    if sys.stderr.isatty():
        print(f"{agent} plays at {where}, once the table is full; Ctrl-C leaves.", file=sys.stderr)

    # asyncio takes 50 ms that no other command need spend
    from wateringhole.server import client, event_loop  # noqa: PLC0415

    try:
        with (
            nullcontext([_respondent(found, seed)]) if dialect == "requests" else agents_of([found], [seed], treated)
        ) as [player]:
            tagged = growth == "tagged"
            ending = event_loop.run(
                client.connect(
                    player, host, port, dialect, sign_up, SEPARATORS[separator], tagged, tls=tls, retry=retry
                )
            )
    except client.UnreachableError as error:
        raise Complaint(str(error), 1) from None
    except ValueError as error:
        raise Complaint(str(error)) from None
    if as_json:
        print(json.dumps({"agent": agent, "seed": seed, "dialect": dialect, **_data(ending)}))
    if ending.failure:
        raise Complaint(f"{where}: {ending.failure}{_last_reply(ending)}{_causes(ending, dialect)}", 1)
    if not as_json:
        _show(ending, where)


def server_address(text: str) -> tuple[str, int]:
    """The host and the port; Complaint if these are none."""
    if not text.startswith("tcp:"):
        raise Complaint(f"{shown(text)} is not tcp:HOST:PORT, as in tcp:localhost:45678")
    try:
        return split_address(text.removeprefix("tcp:"))
    except ValueError as error:
        raise Complaint(str(error)) from None


def _check_questioned(found: Spec, treated: Treatment) -> None:
    """Complaint if this agent cannot be asked the questions of the dialect requests."""
    if found.kind != "py":
        questioned = "only a Python class that answers its eleven questions can, as py:FILE.py:CLASS with --in-process"
        raise Complaint(f"{found.text:.80} cannot play in the dialect requests: {questioned}")
    if not treated.in_process:
        raise Complaint(f"{found.text:.80} can play in the dialect requests only with --in-process")


def _respondent(found: Spec, seed: str) -> Agent:
    """The agent for the dialect requests; Complaint if it has no answers to its questions."""
    agent = made(found, seed)
    if not isinstance(agent, RespondentAgent):
        raise Complaint(f"{found.text:.80} does not answer the eleven questions of the dialect requests")
    return agent


def _name(name: str | None, no_name: bool, agent: str, dialect: str) -> str | None:
    """The name to sign up with, if any; Complaint if the dialect has no such sign-up."""
    if no_name and name is not None:
        raise Complaint(f"--no-name and --name {shown(name)} contradict each other; give one of them")
    if no_name and not CLIENT_ENDS[dialect].dealer_first:
        raise Complaint(f"--no-name, but a server of the dialect {dialect} waits for the client to speak first")
    if name is not None and dialect == "hello":
        raise Complaint(f"--name {shown(name)}, but clients have no names in the dialect hello")
    if name == "Hello" and dialect == "s16":
        raise Complaint('--name "Hello" would not sign up in s16: a server takes it for the dialect hello')
    if name is not None and len(name) > MAX_NAME_CHARS:
        raise Complaint(f"--name has {len(name)} characters, above {MAX_NAME_CHARS}")
    return None if no_name else agent if name is None else name


def _data(ending: "Ending") -> dict[str, object]:
    return {
        "failure": ending.failure or None,
        "turns": ending.turns,
        "id": ending.seat or None,
        "rank": None if ending.scores is None or ending.place is None else _rank(ending.scores, ending.place),
        "scores": None
        if ending.scores is None
        else [{"id": seat or None, "score": score} for seat, score in ending.scores],
        "last_received": ending.last_received,
        "last_reply": ending.last_reply or None,
    }


def _last_reply(ending: "Ending") -> str:
    return f"; our last reply was {ending.last_reply}" if ending.last_reply else ""


def _causes(ending: "Ending", dialect: str) -> str:
    """Likely reasons for which a server closed the connection at once; a native server gives its reason itself."""
    if not ending.thrown_out or dialect == "native":
        return ""
    spelling = "how growth is spelt (--growth tagged or bare) and " if dialect in {"s16", "hello"} else ""
    usual = "causes are" if spelling else "cause is"
    return (
        f"; with other servers the usual {usual} {spelling}what follows each value (--separator newline, space or none)"
    )


def _rank(scores: Sequence[tuple[int, int]], place: int) -> int:
    return 1 + sum(score > scores[place][1] for _, score in scores)


def _show(ending: "Ending", server: str) -> None:
    if ending.scores is None:
        print(f"{server} closed the connection in turn {ending.turns}{_last_reply(ending)}")
        return
    for place, (seat, score) in enumerate(ending.scores):
        rank, player = _rank(ending.scores, place), f"player id: {seat}" if seat else "player"
        print(f"{rank} {player} score: {score}{'  (our agent)' if place == ending.place else ''}")
