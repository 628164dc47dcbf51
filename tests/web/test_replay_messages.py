"""A replay has exactly what the engine played, and its page makes the engine's states of it."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from tests.cases import case
from wateringhole import rulebook
from wateringhole.agents.house import named
from wateringhole.cards import DECK, shuffled
from wateringhole.dealer import pending
from wateringhole.events import Expelled
from wateringhole.external import play_specs
from wateringhole.external.spec import spec
from wateringhole.fault import Fault
from wateringhole.game import Game
from wateringhole.moves import CardPlay
from wateringhole.record import Record, replay
from wateringhole.table import play
from wateringhole.web.replay_messages import ReplayStep, replay_of
from wateringhole.wire.framing import Json
from wateringhole.wire.native_messages import boards_of, faces_of, value_of

SCRIPT: Final = Path(__file__).with_name("open_table.mjs")

TABLES: Final = (
    ("silly silly silly", 0),
    ("rash silly rash", 25),
    ("rash rash rash rash rash rash rash rash", 0),
    ("silly bad:card-twice rash bad:raises-in-feed", 12),
    ("bad:raises-in-start silly rash silly bad:attack-through-climbing", 4),
    ("bad:raises-in-start bad:no-play bad:missing-card", 0),
)
"""Who plays, and what the watering hole holds at the start."""

GAMES: Final = [(agents, tokens, seed) for agents, tokens in TABLES for seed in ("1", "2", "3")]


@cache
def played(agents: str, tokens: int, seed: str) -> Record:
    players = [named(name, f"{seed} {seat}") for seat, name in enumerate(agents.split())]
    return play(players, shuffled(seed), watering_hole=tokens).record


def steps_of(record: Record) -> tuple[ReplayStep, ...]:
    return replay_of(record, "id").steps


def state_of(game: Game) -> dict[str, Json]:
    """What the page must know of this game, in its shapes; players in turn order."""
    value: dict[str, Json] = msgspec.to_builtins(
        {
            "turn": game.turn,
            "phase": game.phase,
            "watering_hole": game.watering_hole,
            "deck": game.cards_left,
            "players": [
                {
                    "seat": player.seat,
                    "boards": boards_of(player.species),
                    "cards": len(player.hand),
                    "name": game.name(player.seat),
                    "hand": faces_of(player.hand),
                    "bag": player.bag,
                }
                for player in game.row
            ],
        }
    )
    return value


def test_the_page_makes_the_state_of_the_engine_of_every_step() -> None:
    lines, steps = [], 0
    for agents, tokens, seed in GAMES:
        record = played(agents, tokens, seed)
        states: list[Json] = [state_of(replay(record, at)) for at in range(len(record.replies) + 1)]
        lines.append(json.dumps({"game": value_of(replay_of(record, "id")), "states": states}))
        steps += len(states)
    node = subprocess.run(["node", SCRIPT], input="\n".join(lines), capture_output=True, text=True, check=False)
    assert (node.stderr, node.stdout) == ("", f"{steps}\n")


def test_the_steps_tell_the_whole_story_once_and_who_is_asked() -> None:
    for agents, tokens, seed in GAMES:
        with case(agents, tokens, seed):
            record = played(agents, tokens, seed)
            steps = steps_of(record)
            assert [event for step in steps for event in step.events] == replay(record, listen=True).hear()
            assert [step.asked for step in steps] == [
                tuple(pending(replay(record, at))) for at in range(len(record.replies) + 1)
            ]


def test_a_replay_is_plain_json_with_its_names() -> None:
    identities = ["Ann", "bot:silly", "bot:silly"]
    value = json.loads(json.dumps(value_of(replay_of(played(*GAMES[0]), "abc", "Final", identities))))
    assert (value["id"], value["title"], value["identities"]) == ("abc", "Final", identities)
    assert value["names"] == ["silly 1", "silly 2", "silly 3"]


def test_an_expelled_seat_is_in_the_story_and_last_in_the_ranking() -> None:
    whole = replay_of(played("silly bad:card-twice rash bad:raises-in-feed", 12, "1"), "id")
    [row] = [row for row in whole.ranking if row.seat == 2]
    assert row.fault is not None
    assert (row.rank, row.fault.reason, row.fault.rule) == (None, "illegal", rulebook.PLAY_ONCE)
    told = [event for step in whole.steps for event in step.events if isinstance(event, Expelled)]
    assert (2, rulebook.PLAY_ONCE) in [(event.seat, event.fault.rule) for event in told]


def test_a_step_says_what_was_answered() -> None:
    record = played("silly bad:raises-in-choose rash", 0, "1")
    first, *steps = steps_of(record)
    assert first.reply is None
    assert [(step.reply.seat, step.reply.move.value) for step in steps if step.reply] == list(record.replies)
    assert isinstance(record.replies[1][1], Fault)
    assert {step.reply.why for step in steps if step.reply} == {""}


def test_a_step_says_why_if_the_player_did() -> None:
    specs = [spec("silly"), spec("sage?iterations=5"), spec("silly")]
    treated = play_specs.Treatment("10", in_process=True, memory=64)
    record = play_specs.played(specs, shuffled("why"), ["1", "2", "3"], treated).record
    replies = [step.reply for step in steps_of(record)[1:]]
    assert all(reply is not None and bool(reply.why) == (reply.seat == 2) for reply in replies)


def test_an_unfinished_record_has_steps_as_far_as_it_goes() -> None:
    record = Record(("a", "b", "c"), DECK, ((1, CardPlay(0)),))
    assert [step.asked for step in steps_of(record)] == [(1, 2, 3), (2, 3)]
