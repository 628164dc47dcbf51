"""Statistics of a tournament's records: which traits win, which entries play them, why entries were expelled.

Laws: a function of the games and their records. A record that is gone or cannot be read is named and left out; it stops
nothing. Of very many games a part is read, drawn by the seed of the tournament.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from random import Random
from typing import Final

from msgspec import Struct

from wateringhole.events import Revealed
from wateringhole.record import Record, RecordError, replay
from wateringhole.rules.turn import ranking
from wateringhole.tournament.interval import Mean, mean_above
from wateringhole.tournament.outcomes import GameOutcome, SeatOutcome, rows
from wateringhole.traits import Trait

MAX_RECORDS_READ: Final = 4_000
"""So many games tell a win share to a point; to read 100,000 takes minutes."""
MAX_EXPULSIONS: Final = 1_000


class Expulsion(Struct, frozen=True):
    """An expulsion: the entry, the game and the reason; the sentence is the record's, if that can be read."""

    game: int
    entry: int
    reason: str
    sentence: str | None


class Lost(Struct, frozen=True):
    """A game whose record is gone, or cannot be read, and why."""

    game: int
    why: str


class TraitRow(Struct, frozen=True):
    """One trait in all the games that were read; `seats` counts the seats that played it, once for each game.

    `winners` and `others`: what share of each played it. `above`: how much more often than its turn a seat won that
    played it, and `own`: than the same entry wins on average, so that it matters less which entries prefer the trait.
    """

    trait: Trait
    cards: float
    seats: int
    winners: float
    others: float
    above: Mean
    own: Mean


class RecordStats(Struct, frozen=True):
    """What was read of so many chosen games, and what it tells.

    `likings`: how many cards of each trait each entry plays in a game.
    """

    games: int
    chosen: int
    read: int
    lost: tuple[Lost, ...]
    traits: tuple[TraitRow, ...]
    likings: tuple[tuple[float, ...] | None, ...]
    expelled: int
    expulsions: tuple[Expulsion, ...]


class _Seen(Struct, frozen=True):
    """A game, with what each seat played and why it was expelled."""

    outcome: GameOutcome
    cards: tuple[Counter[Trait], ...]
    faults: tuple[str | None, ...]


def wanted(outcomes: Sequence[GameOutcome], seed: str, most: int = MAX_RECORDS_READ) -> list[GameOutcome]:
    """The games to be read, drawn by lot: every tenth, say, would be the same tables and seats over and over."""
    if len(outcomes) <= most:
        return list(outcomes)
    return [outcomes[at] for at in sorted(Random(f"{seed}:records").sample(range(len(outcomes)), most))]


def study(
    outcomes: Sequence[GameOutcome],
    entries: int,
    chosen: Iterable[GameOutcome],
    record: Callable[[int], Record],
    heard: Callable[[], None] = lambda: None,
) -> RecordStats:
    """What the records of the chosen games tell, and those of all expulsions; `record` gives that of a game, or raises
    RecordError, and `heard` gets each.
    """
    faulty = [(ended, seat) for ended in outcomes for seat, place in enumerate(ended.places) if place.expelled]
    named = faulty[:MAX_EXPULSIONS]
    sample = {ended.number: ended for ended in chosen}
    todo = sample | {ended.number: ended for ended, _ in named}
    seen: dict[int, _Seen] = {}
    lost = []
    for number in sorted(todo):
        try:
            seen[number] = _seen(todo[number], record(number))
        except RecordError as error:
            lost.append(Lost(number, str(error)))
        heard()
    games = [seen[number] for number in sorted(sample) if number in seen]
    expulsions = [_expulsion(ended, seat, seen.get(ended.number)) for ended, seat in named]
    return RecordStats(
        len(outcomes),
        len(sample),
        len(games),
        tuple(lost),
        tuple(_traits(games, entries)),
        tuple(_likings(games, entries)),
        len(faulty),
        tuple(expulsions),
    )


def _seen(ended: GameOutcome, record: Record) -> _Seen:
    """What this record tells; RecordError if it is not of this game."""
    game = replay(record, listen=True)
    standing = sorted(ranking(game), key=lambda row: row.seat)
    if [row.score or 0 for row in standing] != [place.score for place in ended.places]:
        raise RecordError("it tells of another game")
    cards: tuple[Counter[Trait], ...] = tuple(Counter() for _ in standing)
    for event in game.hear():
        if isinstance(event, Revealed):
            cards[event.seat - 1].update(chain(*event.boards, (trait for _, _, trait in event.replaced)))
    return _Seen(ended, cards, tuple(row.fault.text if row.fault else None for row in standing))


def _expulsion(ended: GameOutcome, seat: int, seen: _Seen | None) -> Expulsion:
    place = ended.places[seat]
    assert place.expelled is not None
    return Expulsion(ended.number, place.agent, place.expelled, seen.faults[seat] if seen else None)


def _traits(games: Sequence[_Seen], entries: int) -> list[TraitRow]:
    usual = [row.wins.value for row in rows([seen.outcome for seen in games], entries)]
    above = _by_trait(games, lambda _, seats: 1 / seats)
    own = _by_trait(games, lambda place, _: usual[place.agent])
    seats = [(place, cards) for seen in games for place, cards in zip(seen.outcome.places, seen.cards, strict=True)]
    found = []
    for at, trait in enumerate(Trait):
        with_it = [place.won for place, cards in seats if cards[trait]]
        found.append(
            TraitRow(
                trait,
                _share(sum(cards[trait] for _, cards in seats), len(seats)),
                len(with_it),
                _share(sum(with_it), sum(place.won for place, _ in seats)),
                _share(sum(1 - won for won in with_it), sum(1 - place.won for place, _ in seats)),
                above[at],
                own[at],
            )
        )
    return found


def _by_trait(games: Iterable[_Seen], expected: Callable[[SeatOutcome, int], float]) -> list[Mean]:
    """For each trait, how much more often than expected the seats won that played it."""
    played: dict[Trait, list[tuple[int, float, float]]] = {trait: [] for trait in Trait}
    for seen in games:
        for place, cards in zip(seen.outcome.places, seen.cards, strict=True):
            for trait in cards:
                played[trait].append((seen.outcome.deal, place.won, expected(place, len(seen.cards))))
    return [mean_above(values) for values in played.values()]


def _likings(games: Iterable[_Seen], entries: int) -> list[tuple[float, ...] | None]:
    """For each entry that was seen, how many cards of each trait it plays in a game."""
    cards: list[Counter[Trait]] = [Counter() for _ in range(entries)]
    seats = [0] * entries
    for seen in games:
        for place, played in zip(seen.outcome.places, seen.cards, strict=True):
            cards[place.agent].update(played)
            seats[place.agent] += 1
    return [
        tuple(cards[entry][trait] / count for trait in Trait) if count else None for entry, count in enumerate(seats)
    ]


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
