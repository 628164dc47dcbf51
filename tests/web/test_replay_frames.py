"""A replay shows exactly what the engine played."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Final

from tests.cases import case
from wateringhole import rulebook
from wateringhole.agents.house import named
from wateringhole.cards import DECK, shuffled
from wateringhole.dealer import new_game, pending
from wateringhole.events import Ate, sentence
from wateringhole.external import play_specs
from wateringhole.external.spec import spec
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import CardPlay
from wateringhole.player import Player
from wateringhole.record import Record, replay, walk
from wateringhole.rules.turn import ranking
from wateringhole.table import play
from wateringhole.web.replay_frames import holdings, lines_of, replay_of, standings
from wateringhole.wire.framing import Json

TABLES: Final = (
    ("silly silly silly", 0),
    ("rash silly rash", 25),
    ("rash rash rash rash rash rash rash rash", 0),
    ("silly bad:card-twice rash bad:raises-in-feed", 12),
    ("bad:raises-in-start silly rash silly bad:attack-through-climbing", 4),
    ("bad:raises-in-start bad:no-play bad:missing-card", 0),
)
"""Who plays, and what the watering hole holds at the start."""

ALIKE: Final = ("turn", "phase", "watering_hole", "deck", "order", "asked")
"""What every frame says anew."""

GAMES: Final = [(agents, tokens, seed) for agents, tokens in TABLES for seed in ("1", "2", "3")]


@cache
def played(agents: str, tokens: int, seed: str) -> Record:
    players = [named(name, f"{seed} {seat}") for seat, name in enumerate(agents.split())]
    return play(players, shuffled(seed), watering_hole=tokens).record


def state_of(game: Game) -> dict[str, Json]:
    """What a frame must show of this game."""
    return {
        "turn": game.turn,
        "phase": game.phase,
        "watering_hole": game.watering_hole,
        "deck": game.cards_left,
        "order": list(game.players),
        "asked": list(pending(game)),
        "players": {str(seat): seen(player) for seat, player in game.players.items()},
    }


def seen(player: Player) -> Json:
    return [
        [[b.population, b.body, b.food, b.fat_food, list(map(str, b.traits))] for b in player.species],
        [[card.food, str(card.trait)] for card in player.hand],
        player.bag,
    ]


def folded(frames: list[dict[str, Json]]) -> Iterator[dict[str, Json]]:
    """The state at each frame, as a page puts it together."""
    players: dict[str, Json] = {}
    for frame in frames:
        for player in rows(frame["players"]):
            hand = player["hand"]
            assert isinstance(hand, list)
            assert player["cards"] == len(hand)
            boards: list[Json] = [list(board.values()) for board in rows(player["boards"])]
            players[str(player["seat"])] = [boards, hand, player["bag"]]
        present: dict[str, Json] = {str(seat): players[str(seat)] for seat in seats(frame["order"])}
        yield {name: frame[name] for name in ALIKE} | {"players": present}


def frames_of(record: Record) -> list[dict[str, Json]]:
    return rows(replay_of(record, "id")["frames"])


def test_the_frames_put_together_are_the_game_after_each_reply() -> None:
    for agents, tokens, seed in GAMES:
        with case(agents, tokens, seed):
            record = played(agents, tokens, seed)
            frames = frames_of(record)
            assert len(frames) == len(record.replies) + 1
            for steps, state in enumerate(folded(frames)):
                assert state == state_of(replay(record, steps)), steps


def test_a_frame_has_only_players_that_changed() -> None:
    for agents, tokens, seed in GAMES:
        with case(agents, tokens, seed):
            shown: dict[int, Json] = {}
            for frame in frames_of(played(agents, tokens, seed)):
                for player in rows(frame["players"]):
                    seat = number(player["seat"])
                    assert shown.get(seat) != player
                    shown[seat] = player


def test_the_stops_of_a_frame_are_the_moments_at_the_end_of_its_turn() -> None:
    for agents, tokens, seed in GAMES:
        with case(agents, tokens, seed):
            record = played(agents, tokens, seed)
            game = replay(record, steps=0)
            frames = frames_of(record)
            for steps, reply in enumerate(record.replies, 1):
                moments = [state_of(moment) for moment in walk(game, [reply]) if moment.phase in {"fed", "turn over"}]
                stops = rows(frames[steps]["stops"])
                assert [list(folded([*frames[:steps], stop]))[-1] for stop in stops] == moments
                told = [number(stop["told"]) for stop in stops]
                assert told == sorted(told)
                assert all(rows(frames[steps]["lines"])[at - 1]["kind"] == "TurnEnded" for at in told[1:])


def test_the_lines_of_all_frames_tell_the_whole_story_once() -> None:
    for agents, tokens, seed in GAMES:
        with case(agents, tokens, seed):
            record = played(agents, tokens, seed)
            game = replay(record, listen=True)
            told = [sentence(event, game.name) for event in game.hear()]
            lines = [line for frame in frames_of(record) for line in rows(frame["lines"])]
            assert [line["text"] for line in lines] == told
            assert {line["rule"] for line in lines} <= set(rulebook.ALL)


def test_the_parts_of_every_score_add_up_to_it() -> None:
    for agents, tokens, seed in GAMES:
        with case(agents, tokens, seed):
            game = replay(played(agents, tokens, seed))
            scores = {row.seat: row.score for row in ranking(game)}
            for standing in rows(standings(game)):
                assert standing["score"] == scores[number(standing["seat"])]
                assert total(standing) == (standing["score"] or 0)
            for holding in rows(holdings(game)):
                assert total(holding) == game.players[number(holding["seat"])].score


def test_the_last_turn_ends_with_the_final_scores() -> None:
    for agents, tokens, seed in GAMES:
        with case(agents, tokens, seed):
            value = replay_of(played(agents, tokens, seed), "id")
            turns, ranks = rows(value["turns"]), rows(value["ranking"])
            assert [turn["turn"] for turn in turns] == list(range(1, len(turns) + 1))
            left = {number(row["seat"]): row["score"] for row in ranks if row["fault"] is None}
            assert {number(row["seat"]): total(row) for row in rows(turns[-1]["players"])} == left


def test_a_replay_is_plain_json_with_its_id_and_names() -> None:
    value = replay_of(played(*GAMES[0]), "abc")
    assert json.loads(json.dumps(value)) == value
    assert value["id"] == "abc"
    assert value["names"] == ["silly 1", "silly 2", "silly 3"]


def test_an_expelled_seat_leaves_the_order_with_its_reason() -> None:
    record = played("silly bad:card-twice rash bad:raises-in-feed", 12, "1")
    value = replay_of(record, "id")
    [expelled] = [row for row in rows(value["ranking"]) if row["seat"] == 2]
    fault = expelled["fault"]
    assert isinstance(fault, dict)
    assert (fault["reason"], fault["rule"]) == ("illegal", rulebook.PLAY_ONCE)
    assert expelled["rank"] is None
    assert total(expelled) == 0
    assert 2 not in seats(rows(value["frames"])[-1]["order"])
    told = [line for frame in rows(value["frames"]) for line in rows(frame["lines"]) if line["kind"] == "Expelled"]
    assert (2, rulebook.PLAY_ONCE) in [(line["seat"], line["rule"]) for line in told]


def test_a_frame_says_what_was_answered() -> None:
    record = played("silly bad:raises-in-choose rash", 0, "1")
    answers = [frame["reply"] for frame in frames_of(record)]
    assert answers[0] is None
    first = answers[1]
    assert isinstance(first, dict)
    assert first["seat"] == 1
    assert isinstance(first["move"], dict)
    assert first["move"]["move"] == "play"
    assert isinstance(record.replies[1][1], Fault)
    assert answers[2] == {
        "seat": 2,
        "move": {
            "type": "fault",
            "reason": Reason.EXCEPTION.value,
            "text": record.replies[1][1].text,
            "rule": rulebook.EXPULSION,
        },
        "why": "",
    }


def test_a_frame_says_why_if_the_player_did() -> None:
    specs = [spec("silly"), spec("sage?iterations=5"), spec("silly")]
    treated = play_specs.Treatment("10", in_process=True, memory=64)
    record = play_specs.played(specs, shuffled("why"), ["1", "2", "3"], treated).record
    replies = [frame["reply"] for frame in frames_of(record)[1:]]
    assert all(isinstance(reply, dict) and bool(reply["why"]) == (reply["seat"] == 2) for reply in replies)


def test_an_unfinished_record_has_frames_as_far_as_it_goes() -> None:
    record = Record(("a", "b", "c"), DECK, ((1, CardPlay(0)),))
    assert [frame["asked"] for frame in frames_of(record)] == [[1, 2, 3], [2, 3]]


def test_a_line_has_the_name_of_its_event_and_whether_it_went_by_itself() -> None:
    game = new_game(("Ann", "Bob", "<b>"), DECK, listen=True)
    started, given, *_ = rows(lines_of(game.hear(), game.names))
    assert (started["kind"], started["seat"], started["automatic"]) == ("TurnStarted", None, False)
    assert (given["kind"], given["seat"], given["rule"]) == ("BoardGiven", 1, rulebook.START_BOARD)
    [ate] = rows(lines_of([Ate(3, 0, 1, rulebook.AUTOMATIC)], game.names))
    assert ate == {
        "text": "<b>'s board 0 grazes, its only option: 1 token.",
        "rule": rulebook.AUTOMATIC,
        "kind": "Ate",
        "seat": 3,
        "automatic": True,
    }


def rows(value: Json) -> list[dict[str, Json]]:
    """The objects in this list."""
    assert isinstance(value, list)
    objects = [row for row in value if isinstance(row, dict)]
    assert len(objects) == len(value)
    return objects


def number(value: Json) -> int:
    assert isinstance(value, int)
    return value


def seats(value: Json) -> list[int]:
    assert isinstance(value, list)
    return [number(seat) for seat in value]


def total(row: dict[str, Json]) -> int:
    return sum(number(row[part]) for part in ("bag", "population", "traits"))
