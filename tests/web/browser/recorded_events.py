"""Events of games as the page gets them: every kind has come.

Laws: no event is made up. One player raises an exception in its second turn, so that there is an expulsion, too.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from tests.times import TIMES
from wateringhole import rulebook
from wateringhole.agents.rash import Rash
from wateringhole.cards import Card, shuffled
from wateringhole.events import Ate, Event, Extinct
from wateringhole.moves import CardPlay
from wateringhole.record import replay
from wateringhole.table import play
from wateringhole.view import Choose
from wateringhole.wire.framing import Json

NAMES: Final = ("Ida", "Jon", "<b>Kim</b>", "Lea")
# Plenty of food from the start: boards that live long do more.
FOOD: Final = 24

WANTED: Final = frozenset(
    [kind.__name__ for kind in Event.__args__ if kind is not Ate]
    + [f"Ate {rule}" for rule in (rulebook.GRAZE, rulebook.COOPERATION, rulebook.SCAVENGER, rulebook.LONG_NECK)]
    + [f"AnimalLost {rulebook.HORNS}"]
)
"""The kinds of events, with the rule where it changes what is shown."""

SEEDS: Final = (316, 1603)
"""Two games with few events that have every kind between them."""


SHOWN: Final = 2 * TIMES
"""How many events of a kind are shown where it is dear to show one."""


class RecordedGame(NamedTuple):
    """Events, and the kind of each."""

    events: list[Json]
    kinds: list[str]


class Breaking(Rash):
    """Raises an exception in its second turn."""

    def choose(self, request: Choose) -> CardPlay:
        if request.turn == 2:
            raise RuntimeError("out of order")
        return super().choose(request)


def recorded_games() -> Iterator[RecordedGame]:
    """Games that together show every kind of event."""
    return map(recorded_game, SEEDS)


def recorded_game(seed: int) -> RecordedGame:
    agents = [Rash(f"{seed}:{seat}") for seat in range(3)]
    last = Breaking(f"{seed}:3") if seed % 2 == 0 else Rash(f"{seed}:3")
    record = play([*agents, last], shuffled(f"motions:{seed}"), NAMES, watering_hole=FOOD).record
    told = replay(record, listen=True).told or []
    return RecordedGame([_value(event) for event in told], [_kind(event) for event in told])


def telling(game: RecordedGame, you: int) -> list[bool]:
    """Which of the events have something new to show: the first of each kind that are about oneself, and about others.
    Whatever dies out is among them.
    """
    seen: Counter[tuple[str, bool]] = Counter()
    shown = []
    for event, kind in zip(game.events, game.kinds, strict=True):
        row = (kind, isinstance(event, dict) and event.get("seat") == you)
        seen[row] += 1
        shown.append(seen[row] <= SHOWN or kind == Extinct.__name__)
    return shown


def _kind(event: Any) -> str:
    name = type(event).__name__
    rule = getattr(event, "rule", "")
    return f"{name} {rule}" if name == "Ate" or rule == rulebook.HORNS else name


def _value(event: Event) -> Json:
    value: Json = msgspec.json.decode(msgspec.json.encode(event, enc_hook=_face))
    return value


def _face(card: Card) -> Json:
    return [card.food, card.trait.value]
