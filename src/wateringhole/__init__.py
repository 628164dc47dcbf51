"""wateringhole: a card-and-board game of species around a watering hole, for people and programs."""

from typing import TYPE_CHECKING

import wateringhole.core  # noqa: F401  first, because it decides where the others are found

# isort: split
from wateringhole.agents import Agent
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.playout import play_out, simulate
from wateringhole.agents.rash import Rash
from wateringhole.agents.sage import Sage
from wateringhole.agents.silly import Silly
from wateringhole.agents.styles import Hunter, Shepherd
from wateringhole.cards import DECK, Card, card, shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.events import Event, Standing, sentence
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard, Replacement, Reply, StoreFat
from wateringhole.notation import move_from, move_text, position_from, position_text, request_from, request_text
from wateringhole.player import Other, Player
from wateringhole.record import Record, RecordError, Result, replay
from wateringhole.rules.turn import ranking
from wateringhole.species import Species
from wateringhole.table import play
from wateringhole.traits import Trait
from wateringhole.view import Choose, Feed, Own, Start, request, start, table

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name):
        """`__version__`, from pyproject.toml by way of the installed package; read late, for it takes 20 ms."""
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib.metadata import version  # noqa: PLC0415

        return version(__name__)


__all__ = [
    "DECK",
    "Agent",
    "Attack",
    "Card",
    "CardPlay",
    "Choose",
    "Decline",
    "Event",
    "Fault",
    "Feed",
    "Feeding",
    "Game",
    "Graze",
    "Greedy",
    "Growth",
    "Hunter",
    "NewBoard",
    "Other",
    "Own",
    "Player",
    "Rash",
    "Reason",
    "Record",
    "RecordError",
    "Replacement",
    "Reply",
    "Result",
    "Sage",
    "Shepherd",
    "Silly",
    "Species",
    "Standing",
    "Start",
    "StoreFat",
    "Trait",
    "answer",
    "card",
    "move_from",
    "move_text",
    "new_game",
    "pending",
    "play",
    "play_out",
    "position_from",
    "position_text",
    "ranking",
    "replay",
    "request",
    "request_from",
    "request_text",
    "sentence",
    "shuffled",
    "simulate",
    "start",
    "table",
]
