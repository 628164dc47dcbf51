"""Pairings of the tournament formats: round robin, gauntlet, Swiss, knock-out.

Laws: pure; a round depends on the config and on the outcomes of the rounds before, not on the order in which those
ended. At every table each deal is played once for every seat. No entry sits out a round of a Swiss tournament: where
the entries do not fill the tables, some are smaller, or larger if they would have fewer than three seats.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

from wateringhole.dealer import MIN_PLAYERS
from wateringhole.seeds import lots_seed
from wateringhole.tournament.config import TournamentConfig
from wateringhole.tournament.outcomes import GameOutcome, counted
from wateringhole.tournament.schedule import Fixture, laps

Rounds = Generator[Sequence[Fixture], Sequence[GameOutcome], None]
"""Yields the games of a round and receives their outcomes, until the tournament is over."""

Table = tuple[int, ...]


def rounds(config: TournamentConfig) -> Rounds:
    """The rounds of this tournament."""
    match config.format:
        case "swiss":
            return _swiss(config)
        case "knock-out":
            return _knock_out(config)
        case _:
            return _once(laps(lap(config), config.deals))


def planned(config: TournamentConfig) -> int:
    """How many games there are, if nothing stops it earlier."""
    entries = len(config.entries)
    match config.format:
        case "swiss":
            return entries * config.deals * config.rounds
        case "knock-out":
            games = entries
            while len(seats := sizes(entries, config.table)) > 1:
                entries = sum(map(_half, seats))
                games += entries
            return games * config.deals
        case _:
            return sum(map(len, lap(config))) * config.deals


def lap(config: TournamentConfig) -> list[Table]:
    """All the tables of a round robin or a gauntlet."""
    entries = range(len(config.entries))
    if config.format == "round-robin":
        return list(combinations(entries, config.table))
    others = [entry for entry in entries if entry != config.challenger]
    return [(config.challenger, *table) for table in combinations(others, config.table - 1)]


def sizes(entries: int, table: int) -> list[int]:
    """The sizes of the tables, so that every entry has a seat and the tables are as even as possible."""
    tables = -(-entries // table)
    if entries // tables < MIN_PLAYERS:
        tables = entries // table
    small, larger = divmod(entries, tables)
    return [small + 1] * larger + [small] * (tables - larger)


def merits(outcomes: Iterable[GameOutcome]) -> dict[int, tuple[Fraction, Fraction]]:
    """The result of each agent in the games that count: the share of others it was ahead of, a tie half, and its mean
    score.
    """
    ahead: dict[int, list[Fraction]] = defaultdict(list)
    scores: dict[int, list[int]] = defaultdict(list)
    for ended in counted(outcomes):
        for place in ended.places:
            beaten = sum(2 * (place.rank < other.rank) + (place.rank == other.rank) for other in ended.places) - 1
            ahead[place.agent].append(Fraction(beaten, 2 * (len(ended.places) - 1)))
            scores[place.agent].append(place.score)
    return {
        agent: (sum(ahead[agent], Fraction()) / len(ahead[agent]), Fraction(sum(scores[agent]), len(scores[agent])))
        for agent in sorted(ahead)
    }


def lots(config: TournamentConfig) -> list[int]:
    """The entries in a random order, which decides where nothing else does."""
    drawn = list(range(len(config.entries)))
    Random(lots_seed(config.secret)).shuffle(drawn)
    return drawn


def best(outcomes: Collection[GameOutcome], drawn: Sequence[int]) -> list[int]:
    """The agents that played, the best first: by the share of others it was ahead of, then by score, then by lot. An
    agent without a game that counts comes last.
    """
    merit = merits(outcomes)
    none = Fraction(-1), Fraction(-1)
    played = {place.agent for ended in outcomes for place in ended.places}
    return sorted(played, key=lambda agent: (*(-part for part in merit.get(agent, none)), drawn.index(agent)))


def _half(seats: int) -> int:
    return -(-seats // 2)


def _once(fixtures: Sequence[Fixture]) -> Rounds:
    yield fixtures


def _swiss(config: TournamentConfig) -> Rounds:
    drawn = lots(config)
    points = dict.fromkeys(drawn, Fraction())
    met: Counter[tuple[int, int]] = Counter()
    number = deal = 0
    for _ in range(config.rounds):
        order = sorted(drawn, key=lambda entry: -points[entry])
        tables = seated(order, sizes(len(order), config.table), met)
        fixtures = laps(tables, config.deals, number, deal)
        outcomes = yield fixtures
        for entry, (share, _) in merits(outcomes).items():
            points[entry] += share
        met.update((one, other) for table in tables for one in table for other in table if one != other)
        number += len(fixtures)
        deal += len(tables) * config.deals


def seated(order: Sequence[int], seats: Sequence[int], met: Counter[tuple[int, int]]) -> list[Table]:
    """Seat neighbours in this order at one table; entries that have met change places if that avoids a meeting."""
    place = {entry: at for at, entry in enumerate(order)}
    begins = [sum(seats[:at]) for at in range(len(seats))]
    tables = [list(order[begin : begin + size]) for begin, size in zip(begins, seats, strict=True)]
    where = {entry: at for at, table in enumerate(tables) for entry in table}

    def costs(entry: int, at: int, instead: int) -> tuple[int, int]:
        """The cost of this entry at that table instead of another: repeated meetings, then distance in the order."""
        others = [other for other in tables[at] if other not in {entry, instead}]
        return sum(met[entry, other] for other in others), sum(abs(place[entry] - place[other]) for other in others)

    def gain(one: int, other: int) -> tuple[int, int]:
        """The change of the cost if these two change places."""
        mine, theirs = costs(one, where[one], one), costs(other, where[other], other)
        would, they_would = costs(one, where[other], other), costs(other, where[one], one)
        return would[0] + they_would[0] - mine[0] - theirs[0], would[1] + they_would[1] - mine[1] - theirs[1]

    again = len(tables) > 1
    while again:
        again = False
        for one in order:
            if not costs(one, where[one], one)[0]:
                continue
            change, other = min((gain(one, entry), entry) for entry in order if where[entry] != where[one])
            if change[0] < 0:
                mine, theirs = where[one], where[other]
                tables[mine][tables[mine].index(one)] = other
                tables[theirs][tables[theirs].index(other)] = one
                where[one], where[other] = theirs, mine
                again = True
    return [tuple(sorted(table, key=lambda entry: place[entry])) for table in tables]


def _knock_out(config: TournamentConfig) -> Rounds:
    drawn = lots(config)
    left = drawn
    number = deal = 0
    while True:
        count = len(sizes(len(left), config.table))
        tables = [tuple(left[at::count]) for at in range(count)]
        fixtures = laps(tables, config.deals, number, deal)
        outcomes = yield fixtures
        if count == 1:
            return
        left = _through(outcomes, drawn)
        number += len(fixtures)
        deal += count * config.deals


def _through(outcomes: Sequence[GameOutcome], drawn: Sequence[int]) -> list[int]:
    """The entries that go on, the better half of each table: all winners, the best first, then all seconds..."""
    places = {entry: at for table in _tables(outcomes, drawn) for at, entry in enumerate(table[: _half(len(table))])}
    return sorted((entry for entry in best(outcomes, drawn) if entry in places), key=lambda entry: places[entry])


def _tables(outcomes: Sequence[GameOutcome], drawn: Sequence[int]) -> list[list[int]]:
    """The entries of each table, the best first."""
    tables: dict[Table, list[GameOutcome]] = defaultdict(list)
    for ended in outcomes:
        tables[tuple(sorted(place.agent for place in ended.places))].append(ended)
    return [best(table, drawn) for table in tables.values()]
