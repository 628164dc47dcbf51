"""`verify`: was a game dealt fairly?"""

import json
import re
import sys
from pathlib import Path
from typing import Final

import click
from msgspec import Struct, to_builtins

from wateringhole.cli import Complaint
from wateringhole.cli.terminal import plain
from wateringhole.fair import UNSEALED, objection, sealed, seed
from wateringhole.record import NotReproducedError, Record, RecordError, parsed, replay, whole
from wateringhole.store.finished_game import game_id

STANDARD_INPUT: Final = "-"


class DealVerdict(Struct, frozen=True):
    """The verdict on a record; `error` says why it is none, `objection` why its game was not dealt fairly. `shown`: the
    seal is the one that the user gave.
    """

    record: str
    fair: bool
    shown: bool = False
    game: str | None = None
    sealed: str | None = None
    seed: str | None = None
    objection: str | None = None
    error: str | None = None


@click.command()
@click.argument("records", nargs=-1, required=True, metavar="RECORD...")
@click.option("--sealed", "shown", metavar="SEAL", help="The seal that you saw before the game: 64 hexadecimal digits.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def verify(records: tuple[str, ...], shown: str | None, as_json: bool) -> None:
    """Check that each RECORD replays to its end, and that its deck comes from the seed that was sealed.

    \b
    wateringhole verify game.jsonl
    wateringhole verify game.jsonl --sealed 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef
    wateringhole verify games/*.jsonl --json
    curl -f http://localhost:8420/api/games/ID/record | wateringhole verify -

    The deck comes from a random seed. Its seal, which is the SHA-256 of the seed's text, is shown before the
    first card is dealt, the seed itself when the game is over. So write the seal down, and give it as SEAL: then the
    deck was the same from the beginning. By hand:

    \b
    printf %s SEED | sha256sum

    docs/rules.md tells, byte by byte, how a deck comes from its seed.

    Only games of a server that were dealt from a secret seed have a seal. Exit code 0: all are in order. 1: some are
    not, with the reason. 2: some cannot be read.
    """
    if shown is not None and not re.fullmatch(r"[0-9A-Fa-f]{64}", shown):
        raise Complaint(f"--sealed {shown:.70} is not a seal: those have 64 digits, from 0 to f")
    if shown is not None and len(records) > 1:
        raise Complaint(f"--sealed is the seal of one game, but there are {len(records)} records")
    verdicts = [_verdict(name, shown) for name in records]
    for verdict in verdicts:
        if as_json:
            print(json.dumps(to_builtins(verdict)))
        elif verdict.error is None:
            print(plain(_line(verdict)))
        else:
            print(plain(f"wateringhole: {verdict.record}: {verdict.error}"), file=sys.stderr)
    code = 2 if any(verdict.error for verdict in verdicts) else 0 if all(verdict.fair for verdict in verdicts) else 1
    raise click.exceptions.Exit(code)


def _verdict(name: str, shown: str | None) -> DealVerdict:
    try:
        data = _read(name)
        record = parsed(data)
        over = replay(record).phase == "over"
    except OSError as error:
        return DealVerdict(name, False, error=error.strerror or str(error))
    except NotReproducedError as error:
        return DealVerdict(name, False, objection=str(error))
    except RecordError as error:
        return DealVerdict(name, False, error=str(error))
    why = objection(record, shown) if over else _broken_off(record)
    return DealVerdict(name, why is None, shown is not None, game_id(data), sealed(record), seed(record), why)


def _read(name: str) -> bytes:
    if name == STANDARD_INPUT:
        return whole(sys.stdin.buffer)
    with Path(name).open("rb") as file:
        return whole(file)


def _broken_off(record: Record) -> str:
    return f"it ends after {len(record.replies)} replies, in the middle of the game"


def _line(verdict: DealVerdict) -> str:
    if not verdict.fair:
        told = "cannot be told" if verdict.objection == UNSEALED else "not fair"
        return f"{verdict.record}: {told}: {verdict.objection}"
    comes = f"its deck comes from the seed {verdict.seed}, which has the seal"
    if verdict.shown:
        return f"{verdict.record}: fair; {comes} that you saw before the game"
    return f"{verdict.record}: in order; {comes} {verdict.sealed}; if that was shown before the game, it is fair"
