"""The parts of a score add up to it, at the end of a game and of each turn."""

from tests.cases import case
from tests.web.test_replay_messages import GAMES, played
from wateringhole.record import replay
from wateringhole.rules.turn import ranking
from wateringhole.web.page_messages import Holding, ScoreRow
from wateringhole.web.replay_messages import replay_of
from wateringhole.web.score_parts import standings, turn_end, turn_ends


def total(row: ScoreRow | Holding) -> int:
    return row.bag + row.population + row.traits


def test_the_parts_of_every_score_add_up_to_it() -> None:
    for agents, tokens, seed in GAMES:
        with case(agents, tokens, seed):
            game = replay(played(agents, tokens, seed))
            rows = standings(game)
            assert [(row.seat, row.rank, row.score) for row in rows] == [
                (row.seat, row.rank, row.score) for row in ranking(game)
            ]
            assert [total(row) for row in rows] == [row.score or 0 for row in rows]
            assert [total(row) for row in turn_end(game).players] == [
                game.players[seat].score for seat in sorted(game.players)
            ]


def test_the_last_turn_ends_with_the_final_scores() -> None:
    for agents, tokens, seed in GAMES:
        with case(agents, tokens, seed):
            record = played(agents, tokens, seed)
            whole = replay_of(record, "id")
            assert whole.turns == turn_ends(record)
            assert [turn.turn for turn in whole.turns] == list(range(1, len(whole.turns) + 1))
            left = {row.seat: row.score for row in whole.ranking if row.fault is None}
            assert {row.seat: total(row) for row in whole.turns[-1].players} == left
