"""The messages on a game that a room sends to its tabs."""

from collections.abc import Sequence

from wateringhole.game import Game
from wateringhole.record import Record
from wateringhole.store.counting import Contender, explained
from wateringhole.view import start, table
from wateringhole.web.replay_frames import boards_value, hand_value, standings, turn_ends
from wateringhole.wire.framing import Json


def table_message(
    game: Game, seat: int | None, asked: Sequence[tuple[int, float | None]], lines: Sequence[Json], whole: bool
) -> dict[str, Json]:
    """The table as it is now, for this seat or for a spectator, with these lines of the story; `whole`: these are all
    of them. `asked`: the seats that are asked, with the seconds that each has left.
    """
    seen = table(game)
    return {
        "type": "table",
        "turn": seen.turn,
        "phase": seen.phase,
        "watering_hole": seen.watering_hole,
        "deck": seen.deck,
        "players": [
            {
                "seat": other.seat,
                "name": game.name(other.seat),
                "boards": boards_value(other.species),
                "cards": other.cards,
            }
            for other in seen.players
        ],
        "asked": [{"seat": number, "seconds": seconds} for number, seconds in asked],
        "me": _me(game, seat) if seat is not None and seat in game.players else None,
        "lines": list(lines),
        "whole": whole,
    }


def _me(game: Game, seat: int) -> dict[str, Json]:
    """What lies before this seat, and only it may see."""
    me = start(game, seat).me
    return {"seat": me.seat, "boards": boards_value(me.species), "hand": hand_value(me.hand), "bag": me.bag}


def end_message(
    game: Game, record: Record, known_as: str, seats: Sequence[Contender], private: bool
) -> dict[str, Json]:
    """The ranking, and what the ladder makes of it."""
    return {
        "type": "end",
        "game": known_as,
        "ranking": standings(game),
        "identities": [seat.identity for seat in seats],
        "ladder": explained(private, "finished" if game.players else "abandoned", seats),
        "turns": turn_ends(record),
    }
