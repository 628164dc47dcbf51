"""`replay --ask`: where an agent would answer otherwise than the record does."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Final, get_args

import msgspec
from rich.console import Console

from wateringhole.cli import Complaint
from wateringhole.cli.agent_options import not_had
from wateringhole.cli.terminal import plain
from wateringhole.external.play_specs import Treatment
from wateringhole.external.recorded_questions import RecordedAnswer, Verdict, answers
from wateringhole.external.spec import Spec
from wateringhole.external.terminal_player import feeding_words, play_words, question_words
from wateringhole.fault import Fault
from wateringhole.move_json import written
from wateringhole.moves import CardPlay, Reply
from wateringhole.record import Record
from wateringhole.seeds import agent_seed
from wateringhole.view import Choose, Request
from wateringhole.wire.native_messages import question_of, value_of

ALWAYS_COUNTED: Final[tuple[Verdict, ...]] = ("as recorded", "otherwise", "raised")


def put_questions(record: Record, seat: int, found: Spec, seed: str | None, treated: Treatment, as_json: bool) -> None:
    """Put the questions of this seat to the agent; exit code 1 if it answers illegally or not at all."""
    if not 1 <= seat <= len(record.names):
        raise Complaint(f"--ask {seat}: not a seat from 1 to {len(record.names)}")
    console = Console(highlight=False)
    counts: Counter[Verdict] = Counter()
    different: list[dict[str, object]] = []
    try:
        for given in answers(record, seat, found, _dice(record, seat, seed), treated):
            counts[given.verdict] += 1
            if given.verdict == "as recorded":
                continue
            if as_json:
                different.append(_data(given))
            else:
                _show(given, console, lambda of: record.names[of - 1])
    except ValueError as error:
        raise not_had(error) from None
    verdicts: tuple[Verdict, ...] = get_args(Verdict)
    if as_json:
        numbers = {each.replace(" ", "_"): counts[each] for each in verdicts}
        print(json.dumps({"questions": counts.total(), **numbers, "answers": different}))
    else:
        told = [f"{counts[each]} {each}" for each in verdicts if counts[each] or each in ALWAYS_COUNTED]
        print(f"{counts.total()} questions, {', '.join(told).replace(' as recorded', ' answered as recorded')}")
    if counts["illegally"] or counts["raised"] or counts["failed"]:
        raise SystemExit(1)


def _dice(record: Record, seat: int, seed: str | None) -> str:
    """The seed that the seat had, if it can be told: by the record's own, or the one given, and the game's number."""
    noted = {key: value for note in record.notes for key, value in note.items() if key in {"seed", "game"}}
    return agent_seed(str(noted.get("seed", "0")) if seed is None else seed, int(noted.get("game") or 0), seat)


def _show(given: RecordedAnswer, console: Console, name: Callable[[int], str]) -> None:
    asked = given.question
    request = asked.request
    kind = "choose" if isinstance(request, Choose) else "feed"
    heading = f"reply {asked.step}, turn {request.turn}, {kind}: {_verdict(given)}"
    console.print(plain(heading, "bold red"), soft_wrap=True)
    for line in question_words(request, name).splitlines():
        console.print(plain(f"  {line}"), soft_wrap=True)
    console.print(plain(f"  recorded: {_words(request, asked.recorded, name)}", "cyan"), soft_wrap=True)
    console.print(plain(f"  now:      {_words(request, given.reply, name)}", "yellow"), soft_wrap=True)
    for line in given.errors.splitlines():
        console.print(plain(f"  | {line}"), soft_wrap=True)
    console.print()


def _verdict(given: RecordedAnswer) -> str:
    if given.verdict == "illegally" and given.fault is not None:
        return f"illegal ({given.fault.rule}): it {given.fault.text}"
    return given.verdict


def _words(request: Request, reply: Reply, name: Callable[[int], str]) -> str:
    if isinstance(reply, Fault):
        return f"{reply.reason}: it {reply.text}"
    return play_words(request, reply) if isinstance(reply, CardPlay) else feeding_words(reply, name)


def _data(given: RecordedAnswer) -> dict[str, object]:
    asked = given.question
    recorded, reply = (written(part) for part in (asked.recorded, given.reply))
    return {
        "step": asked.step,
        "verdict": given.verdict,
        "request": value_of(question_of(asked.request, 1)),
        "recorded": recorded,
        "reply": reply,
        "fault": msgspec.to_builtins(given.fault),
        "stderr": given.errors,
    }
