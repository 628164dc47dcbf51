"""Turns a tournament into rows for the store: its games under their entries' names, and its standings.

Laws: the same tournament has the same id, however often it is kept. A game whose record is gone or broken is left out.
"""

import hashlib
from datetime import datetime

import msgspec
from msgspec.structs import replace

from wateringhole.agents.house import HOUSE
from wateringhole.record import RecordError
from wateringhole.store.finished_game import FinishedGame, finished_record
from wateringhole.store.tournaments import Tournament
from wateringhole.tournament.config import TournamentConfig
from wateringhole.tournament.contest import TournamentProgress, plan
from wateringhole.tournament.outcomes import GameOutcome
from wateringhole.tournament.runfile import RunFile
from wateringhole.tournament.standings import as_json, standings


def tournament_id(config: TournamentConfig) -> str:
    """The fingerprint of what is played."""
    return hashlib.sha256(msgspec.json.encode((plan(config), config.secret, config.entries))).hexdigest()[:24]


def kept_tournament(config: TournamentConfig, progress: TournamentProgress, text: str, ended: datetime) -> Tournament:
    """What the store keeps of it, but for the games."""
    told = msgspec.json.decode(as_json(standings(config, progress)))
    known = tournament_id(config)
    return Tournament(known, config.title, config.seed or "", config.format, config.table, ended, told, text)


def kept_game(config: TournamentConfig, ended: GameOutcome, games: RunFile) -> FinishedGame | None:
    """One of its games; None if the record cannot be read."""
    try:
        game = finished_record(games.record(ended.number), games.ended(ended.number))
    except RecordError:
        return None
    entries = [config.entries[place.agent] for place in ended.places]
    bots = tuple(entry.agent if entry.agent.partition("?")[0] in HOUSE else "" for entry in entries)
    return replace(
        game,
        names=tuple(entry.name for entry in entries),
        kinds=tuple("bot" if bot else "client" for bot in bots),
        agents=bots,
        title=config.title,
        tournament=tournament_id(config),
    )
