"""Moments of games, found by playing until they come, from which a person plays on in the browser."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from tests.web.server import Server
from wateringhole.agents.rash import Rash
from wateringhole.cards import shuffled
from wateringhole.dealer import pending
from wateringhole.moves import Attack, Graze, StoreFat
from wateringhole.record import Record, replay, write
from wateringhole.table import play
from wateringhole.view import Choose, Feed, Request, request
from wateringhole.wire.framing import Json


class Moment(NamedTuple):
    """After so many replies of this game the seat is asked what we are after."""

    name: str
    record: Record
    step: int
    seat: int


def _can_attack(asked: Request) -> bool:
    """One board may attack some of the others', but not all, and another board may graze."""
    if not isinstance(asked, Feed):
        return False
    hunters = {option.board for option in asked.options if isinstance(option, Attack)}
    verdicts = [fault is None for hunter in hunters for _, fault in asked.targets(hunter)]
    return any(verdicts) and not all(verdicts) and any(isinstance(option, Graze) for option in asked.options)


def _can_store(asked: Request) -> bool:
    """One board may store three tokens, there is something else to do, and food enough to be asked again."""
    if not isinstance(asked, Feed) or len(asked.options) < 2 or asked.watering_hole < 12:
        return False
    return any(isinstance(option, StoreFat) and option.tokens == 3 for option in asked.options)


def _can_graze(asked: Request) -> bool:
    """Two boards may graze, one cannot feed."""
    if not isinstance(asked, Feed):
        return False
    grazing = {option.board for option in asked.options if isinstance(option, Graze)}
    busy = {option.board for option in asked.options if isinstance(option, Graze | StoreFat | Attack)}
    return len(grazing) > 1 and len(busy) < len(asked.me.species)


def _can_choose(asked: Request) -> bool:
    """In a later turn, with two boards, the first with a trait."""
    return (
        isinstance(asked, Choose) and asked.turn > 1 and len(asked.me.species) == 2 and bool(asked.me.species[0].mask)
    )


def _has_history(asked: Request) -> bool:
    """In the third turn, with two boards."""
    return isinstance(asked, Choose) and asked.turn == 3 and len(asked.me.species) > 1


def _holds(cards: int) -> Callable[[Request], bool]:
    """Cards are to be chosen from a hand of so many."""
    return lambda asked: isinstance(asked, Choose) and len(asked.me.hand) == cards


def _feeds(boards: int) -> Callable[[Request], bool]:
    """One of so many boards is to be fed."""
    return lambda asked: isinstance(asked, Feed) and len(asked.me.species) == boards


HANDS: Final = (4, 9, 14)
HERDS: Final = (1, 3, 6)
WANTED: Final[dict[str, Callable[[Request], bool]]] = {
    "attack": _can_attack,
    "store": _can_store,
    "graze": _can_graze,
    "choose": _can_choose,
    "history": _has_history,
    **{f"{cards} cards": _holds(cards) for cards in HANDS},
    **{f"{boards} boards": _feeds(boards) for boards in HERDS},
}

WATERING_HOLES: Final = {"store": 60}
"""With how much food the games begin in which one looks for a moment; none if it is not here."""


@cache
def moments() -> tuple[Moment, ...]:
    """One of each kind, always the same."""
    return (*(_found(name, wanted) for name, wanted in WANTED.items()), _last())


def _found(name: str, wanted: Callable[[Request], bool]) -> Moment:
    for seed in range(1_000):
        record = _played(name, seed)
        for step in range(len(record.replies)):
            game = replay(record, steps=step)
            for seat in pending(game)[:1]:
                if wanted(request(game, seat)):
                    return Moment(name, record, step, seat)
    raise AssertionError(f"{name} never comes")


def _last() -> Moment:
    """The last question of a game."""
    record = _played("last", 0)
    return Moment("last", record, len(record.replies) - 1, record.replies[-1][0])


def _played(name: str, seed: int) -> Record:
    agents = [Rash(f"{name}:{seed}:{seat}") for seat in range(4)]
    names = ["Ida", "Jon", "Kim", "Lea"]
    return play(agents, shuffled(f"{name}:{seed}"), names, WATERING_HOLES.get(name, 0)).record


class Stage:
    """A server whose archive holds the games of these moments."""

    def __init__(self, server: Server, games: dict[str, str]) -> None:
        self.server = server
        self._games = games

    def game(self, name: str) -> str:
        """The id of the game that has this moment."""
        return self._games[name]

    def table(self, name: str) -> tuple[str, str]:
        """The id and the host's key of a table that is at this moment."""
        moment = next(moment for moment in moments() if moment.name == name)
        order: dict[str, Json] = {"step": moment.step, "seat": moment.seat}
        status, made = self.server.post(f"/api/games/{self._games[name]}/fork", order)
        assert status == 201, made
        return str(made["table"]), str(made["key"])


def keep_moments(folder: Path) -> None:
    for number, moment in enumerate(moments(), 1):
        write(moment.record, folder / f"game-{number}.jsonl")


def staged(server: Server) -> Stage:
    """The stage on a server that has these games in its archive."""
    listed = json.loads(json.dumps(server.asked("/api/games")["games"]))
    kept = {server.get(f"/api/games/{game['id']}/record")[1]: str(game["id"]) for game in listed}
    games = {}
    for moment in moments():
        for data, known in kept.items():
            if json.loads(data.splitlines()[0])["deck"] == [
                [card.food, card.trait.value] for card in moment.record.deck
            ]:
                games[moment.name] = known
    return Stage(server, games)
