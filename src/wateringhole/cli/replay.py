"""`replay`: a record again."""

import json
from pathlib import Path

import click

from wateringhole.cli import Complaint, one_of
from wateringhole.cli.agent_options import checked_seed, house_names, named_agents, settled, treatment_options
from wateringhole.cli.game import check_place, display, keep, rows
from wateringhole.conformance.harness import configuration_out, trace
from wateringhole.dealer import pending
from wateringhole.external.play_specs import Treatment, agents_of
from wateringhole.record import NotReproducedError, Record, RecordError, digest, read
from wateringhole.record import replay as replayed
from wateringhole.rules.turn import ranking
from wateringhole.seeds import agent_seeds
from wateringhole.table import play_on
from wateringhole.tournament.runfile import RunFile, is_run_file
from wateringhole.wire.json_codec import card_out


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("agents", nargs=-1, metavar="[AGENT]...", shell_complete=house_names)
@click.option("--game", "number", type=click.IntRange(0), metavar="N", help="Of a run's file, the game of this number.")
@click.option("--to", "to_step", type=click.IntRange(0), metavar="STEP", help="Stop after this many replies.")
@click.option("--fork", type=click.IntRange(0), metavar="STEP", help="After this many replies let the AGENTs play on.")
@click.option("--ask", "seat", type=int, metavar="SEAT", help="Put the questions of this seat to the AGENT.")
@click.option("--seed", help="The dice of the AGENTs that play on, or of the one that is asked.")
@click.option(
    "--record", "record_file", type=click.Path(path_type=Path), help="Keep the forked game, or that of --game, here."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object: steps, deck, state, ranking.")
@click.option("--trace", "as_trace", is_flag=True, help="One JSON line a turn: the state at its end; then the scores.")
@click.option("--story", is_flag=True, help="Show every event, also each meal and each deal.")
@click.option("--quiet", is_flag=True, help="Show only the ranking.")
@treatment_options
def replay(
    file: Path,
    agents: tuple[str, ...],
    number: int | None,
    to_step: int | None,
    fork: int | None,
    seat: int | None,
    seed: str | None,
    record_file: Path | None,
    as_json: bool,
    as_trace: bool,
    story: bool,
    quiet: bool,
    treated: Treatment,
) -> None:
    """Replay the record in FILE, check that it reproduces its game, and show it.

    \b
    wateringhole replay game.jsonl
    wateringhole replay game.jsonl --to 12               the table after 12 replies
    wateringhole replay game.jsonl rash rash rash --fork 12 --record other.jsonl
    wateringhole replay game.jsonl --ask 2 py:bot.py:Bot     where the bot would answer otherwise on seat 2, or raise
    wateringhole replay results/games.run --game 17      one game of a match or a tournament
    wateringhole replay results/games.run --game 17 --record game-17.jsonl

    Exit code 1: the replies do not lead to the state that the record ends in, or with --ask the agent raised or
    answered illegally. Exit code 2: not a record.
    """
    one_of(json=as_json, trace=as_trace, story=story, quiet=quiet)
    one_of(to=to_step is not None, fork=fork is not None, ask=seat is not None)
    if seat is not None:
        one_of(ask=True, trace=as_trace, story=story, quiet=quiet, record=record_file is not None)
        if len(agents) != 1:
            raise Complaint(f"--ask {seat} puts the questions to one agent, not to {len(agents)}")
    elif (fork is None) != (not agents):
        raise Complaint("agents play on only with --fork STEP, and --fork needs them; --ask SEAT asks one")
    elif fork is None and seed is not None:
        raise Complaint("--seed is for a game that is played on; it needs --fork STEP, or --ask SEAT")
    if fork is None and number is None and record_file is not None:
        raise Complaint("--record keeps a game that is played on, or one of a run; it needs --fork STEP or --game N")
    record = _read(file) if number is None else _of_run(file, number)
    if seat is not None:
        from wateringhole.cli.replay_ask import put_questions  # noqa: PLC0415

        [found] = named_agents(agents)
        put_questions(record, seat, found, None if seed is None else checked_seed(seed), treated, as_json)
        return
    steps = _step(fork if to_step is None else to_step, record)
    if record_file is not None:
        check_place(record_file)
    if fork is not None:
        record, steps = _forked(record, fork, agents, checked_seed(seed or "0"), treated), None
    if record_file is not None:
        keep(record, record_file)
    if as_json:
        print(json.dumps(_data(record, steps)))
    elif as_trace:
        for line in trace(record, steps):
            print(json.dumps(line))
    else:
        display(record, story, quiet, steps)
        if steps is not None and steps < len(record.replies):
            print(f"replies: {steps} of {len(record.replies)}")
        elif fork is None:
            over = replayed(record).phase == "over"
            print(f"replies: {len(record.replies)}; the game {'reproduces' if over else 'was not finished'}.")


def _read(path: Path) -> Record:
    try:
        if is_run_file(path):
            raise Complaint(f"{path} holds the games of a run; --game N says which")
        return read(path)
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None
    except NotReproducedError as error:
        raise Complaint(f"{path}: {error}", code=1) from None
    except RecordError as error:
        raise Complaint(f"{path}: {error}") from None


def _of_run(path: Path, number: int) -> Record:
    try:
        return RunFile(path).record(number)
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise Complaint(f"{path}: {error}") from None


def _step(step: int | None, record: Record) -> int | None:
    if step is not None and step > len(record.replies):
        raise Complaint(f"step {step} is beyond the record's {len(record.replies)} replies")
    return step


def _forked(record: Record, step: int, names: tuple[str, ...], seed: str, treated: Treatment) -> Record:
    """The record's first replies, then those of these agents."""
    if len(names) != len(record.names):
        raise Complaint(f"{len(names)} agents for {len(record.names)} seats")
    specs = named_agents(names)
    treated = settled(treated, specs)
    game = replayed(record, step)
    seeds = agent_seeds(seed, 0, range(1, len(names) + 1))
    try:
        with agents_of(specs, seeds, treated) as agents:
            replies = (*record.replies[:step], *play_on(game, agents))
    except ValueError as error:
        raise Complaint(str(error)) from None
    seats = tuple(found.label(seat) for seat, found in enumerate(specs, 1))
    return Record(seats, record.deck, replies, record.watering_hole, notes=({"forked at": step, "seed": seed},))


def _data(record: Record, steps: int | None) -> dict[str, object]:
    game = replayed(record, steps)
    return {
        "steps": len(record.replies) if steps is None else steps,
        "deck": [card_out(card) for card in record.deck],
        "turn": game.turn,
        "phase": game.phase,
        "pending": pending(game),
        "state": configuration_out(list(range(1, len(record.names) + 1)), game),
        "digest": digest(game),
        "ranking": rows(ranking(game)),
    }
