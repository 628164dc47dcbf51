"""What the scores of a game are made of, at its end and at the end of each turn, as the page shows them."""

from wateringhole.fault import Fault
from wateringhole.game import Game
from wateringhole.player import Player
from wateringhole.record import Record, replay, walk
from wateringhole.rules.turn import ranking
from wateringhole.web.page_messages import FaultShown, Holding, ScoreRow, TurnEnd


def standings(game: Game) -> tuple[ScoreRow, ...]:
    """The ranking with the parts of each score; who was expelled has nothing left to count."""
    rows = []
    for row in ranking(game):
        player = game.players.get(row.seat)
        parts = (0, 0, 0) if player is None else _parts(player)
        rows.append(ScoreRow(row.seat, row.name, row.rank, row.score, *parts, _shown(row.fault)))
    return tuple(rows)


def turn_ends(record: Record) -> tuple[TurnEnd, ...]:
    """What each player had at the end of each turn."""
    moments = walk(replay(record, steps=0), record.replies)
    return tuple([turn_end(game) for game in moments if game.phase == "turn over"])


def turn_end(game: Game) -> TurnEnd:
    """What each player at the table would score at the end of this turn, in its parts, by seat."""
    return TurnEnd(game.turn, tuple(Holding(seat, *_parts(game.players[seat])) for seat in sorted(game.players)))


def _parts(player: Player) -> tuple[int, int, int]:
    """Bag, animals and traits: the three add up to the player's score."""
    boards = player.boards
    return player.bag, sum(board.population for board in boards), sum(len(board.traits) for board in boards)


def _shown(fault: Fault | None) -> FaultShown | None:
    return None if fault is None else FaultShown(fault.reason, fault.text, fault.rule)
