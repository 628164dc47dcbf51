"""Strengths of the entries from all games, the cross table, and what seats and deals contribute.

Laws: pure; the order in which games were finished does not matter, not even in the last digit. Two at one table have
met once: the better rank has beaten the other, a tie is half a win for both, and an expelled agent is last. The games
of one deal belong together, so intervals are taken over deals, not over games.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, permutations
from math import exp, inf, log, sqrt
from typing import Final

from msgspec import Struct

from wateringhole.tournament.interval import MIN_DEALS, Mean, estimate, mean, mean_above, student
from wateringhole.tournament.outcomes import GameOutcome, SeatOutcome

Wins = dict[tuple[int, int], float]
"""How often the first has beaten the second; two that met are in it both ways round."""

TIES: Final = 0.5
"""A prior: so many ties of every agent with an average opponent; else the strength of an undefeated agent would be
infinite.
"""
STRIDE: Final = 0.75
"""The longest step: up to it, Newton's method cannot miss the maximum of such a likelihood (Bach 2010)."""
ROUNDS: Final = 1_000
"""So many steps at most; a maximum that is further away than 750 is as good as reached."""


class Rating(Struct, frozen=True):
    """How strong an agent is, and between what at 95 %; None if there is too little to tell.

    A strength higher by d beats the other e^d times as often as it is beaten. The mean of all agents that played is 0.
    """

    agent: int
    strength: float
    low: float | None
    high: float | None
    games: int

    @property
    def elo(self) -> float:
        """The strength as chess players count it."""
        return elo(self.strength)

    @property
    def points(self) -> Mean:
        """The Elo number with its interval."""
        return estimate(self.strength, self.low, self.high).each(elo)


class Pair(Struct, frozen=True):
    """What share of its games with another an agent has won, ties as halves; None if they have not met."""

    share: Mean | None
    games: int


class Luck(Struct, frozen=True):
    """What scores differ by: the shares of their variance, which add up to 1."""

    agent: float
    seat: float
    deal: float
    rest: float


def elo(strength: float) -> float:
    """The same strength with 1500 for the mean, and 400 for ten times as many wins as defeats."""
    return 1500 + 400 / log(10) * strength


def ratings(outcomes: Iterable[GameOutcome], agents: int) -> list[Rating]:
    """The Bradley-Terry strength of each agent, in their order, most likely for all that happened between two.

    Found by Newton's method. Hunter's (2004) minorise-maximise climbs to the same strengths, but takes 30 000 rounds
    after 100 games that all have the same winner, and ten times as many after 1 000.

    The interval is that of the sandwich estimator: what each deal pulls at a strength, squared and added, with
    Student's distribution for as many deals as the agent has played. Games of a deal may depend on each other in any
    way, and so may the pairs within a game. Resampling deals and taking the percentiles covers less than it says when
    deals are few (82 % with 5 deals, 89 % with 10, 94 % with 150), and takes 30 times as long. This covers 94 to 96 %
    from MIN_DEALS of every agent up, and 91 % for one that loses once in a thousand games.
    """
    played = _in_order(outcomes)
    deals = list(_met(played).values())
    strengths = _likeliest(_all_together(deals), agents)
    games = Counter(place.agent for outcome in played for place in outcome.places)
    known = [agent for agent in range(agents) if games[agent]]
    middle = sum(strengths[agent] for agent in known) / len(known) if known else 0.0
    margins = _margins(deals, strengths, known)
    found = []
    for agent in range(agents):
        strength = strengths[agent] - middle if games[agent] else 0.0
        margin = margins.get(agent)
        low, high = (None, None) if margin is None else (strength - margin, strength + margin)
        found.append(Rating(agent, strength, low, high, games[agent]))
    return found


def cross_table(outcomes: Iterable[GameOutcome], agents: int) -> list[list[Pair]]:
    """A row for each agent, with a pair for each other one, in their order."""
    met: dict[tuple[int, int], list[tuple[int, float]]] = {}
    for outcome in _in_order(outcomes):
        for one, other in combinations(sorted(outcome.places, key=lambda place: place.agent), 2):
            if one.agent != other.agent:
                won = _won(_rank(one), _rank(other))
                met.setdefault((one.agent, other.agent), []).append((outcome.deal, won))
    table = [[Pair(None, 0)] * agents for _ in range(agents)]
    for (first, second), games in met.items():
        share = mean(games, 0, 1)
        table[first][second] = Pair(share, len(games))
        table[second][first] = Pair(share.each(lambda won: 1 - won), len(games))
    return table


def seat_bias(outcomes: Iterable[GameOutcome]) -> list[Mean]:
    """How much more often than its turn each seat is first, from the seat that begins on."""
    seats: list[list[tuple[int, float, float]]] = []
    for outcome in _in_order(outcomes):
        size = len(outcome.places)
        seats += [[] for _ in range(size - len(seats))]
        for seat, place in zip(seats, outcome.places, strict=False):
            seat.append((outcome.deal, place.won, 1 / size))
    return [mean_above(seat) for seat in seats]


def deck_luck(outcomes: Iterable[GameOutcome], agents: int) -> Luck:
    """What the scores differ by: first the agent, of the rest the seat, of the rest the deal.

    If each deal has a table of its own, the opponents count as the deal. Nothing is taken off for chance: a deal
    of few games explains something even where the cards do not matter.
    """
    played = _in_order(outcomes)
    numbers = {deal: number for number, deal in enumerate(dict.fromkeys(outcome.deal for outcome in played))}
    places = [(outcome, seat, place) for outcome in played for seat, place in enumerate(outcome.places)]
    mean = sum(place.score for _, _, place in places) / len(places) if places else 0.0
    off = [place.score - mean for _, _, place in places]
    left = [_squares(off)]
    if not left[0]:
        return Luck(0.0, 0.0, 0.0, 1.0)
    for groups, count in (
        ([place.agent for _, _, place in places], agents),
        ([seat for _, seat, _ in places], max(seat for _, seat, _ in places) + 1),
        ([numbers[outcome.deal] for outcome, _, _ in places], len(numbers)),
    ):
        off = _off_the_mean(off, groups, count)
        left.append(_squares(off))
    agent, seat, deal = (max(0.0, before - after) / left[0] for before, after in pairwise(left))
    return Luck(agent, seat, deal, left[-1] / left[0])


# Wins between pairs of agents.


def _in_order(outcomes: Iterable[GameOutcome]) -> list[GameOutcome]:
    return sorted(outcomes, key=lambda outcome: outcome.number)


def _met(played: Iterable[GameOutcome]) -> dict[int, Wins]:
    """The wins of each deal."""
    deals: dict[int, Wins] = {}
    for outcome in played:
        wins = deals.setdefault(outcome.deal, {})
        for one, other in permutations(outcome.places, 2):
            if one.agent != other.agent:
                between = one.agent, other.agent
                wins[between] = wins.get(between, 0.0) + _won(_rank(one), _rank(other))
    return deals


def _rank(place: SeatOutcome) -> float:
    return inf if place.expelled else place.rank


def _won(rank: float, other: float) -> float:
    return 0.5 if rank == other else float(rank < other)


def _all_together(deals: Iterable[Wins]) -> Wins:
    total: Wins = {}
    for wins in deals:
        for between, won in wins.items():
            total[between] = total.get(between, 0.0) + won
    return total


# The strengths.


def _likeliest(wins: Wins, agents: int) -> list[float]:
    """The strengths that make all this most likely, against the average opponent's 0."""
    strengths = [0.0] * agents
    for _ in range(ROUNDS):
        pull = [TIES * (0.5 - _chance(strength)) for strength in strengths]
        for agent, part in _pull(wins, strengths).items():
            pull[agent] += part
        way = [row[0] for row in _solved(_information(wins, strengths), [[part] for part in pull])]
        step = max(map(abs, way), default=0.0)
        part = STRIDE / max(step, STRIDE)
        strengths = [strength + part * by for strength, by in zip(strengths, way, strict=True)]
        if step < 1e-8:
            break  # so near to the maximum, a step leaves about its square
    return strengths


def _chance(ahead: float) -> float:
    """That of winning, so much stronger than the other."""
    odds = exp(-abs(ahead))
    return (1 if ahead > 0 else odds) / (1 + odds)


def _pull(wins: Wins, strengths: Sequence[float]) -> dict[int, float]:
    """How far the wins of each agent are above those that its strength predicts."""
    pull = {agent: 0.0 for agent, _ in wins}
    for (winner, loser), won in wins.items():
        surprise = won * _chance(strengths[loser] - strengths[winner])
        pull[winner] += surprise
        pull[loser] -= surprise
    return pull


def _information(wins: Wins, strengths: Sequence[float]) -> list[list[float]]:
    """Fisher's, with the ties with the average opponent."""
    table = [[0.0] * len(strengths) for _ in strengths]
    for agent, strength in enumerate(strengths):
        table[agent][agent] = TIES * _chance(strength) * _chance(-strength)
    for (one, other), won in wins.items():
        ahead = strengths[one] - strengths[other]
        weight = won * _chance(ahead) * _chance(-ahead)
        table[one][one] += weight
        table[other][other] += weight
        table[one][other] -= weight
        table[other][one] -= weight
    return table


def _margins(deals: Sequence[Wins], strengths: Sequence[float], known: Sequence[int]) -> dict[int, float]:
    """How far off the strengths above the mean of the known may be, at 95 %; for those with enough deals."""
    count = Counter(agent for wins in deals for agent in {agent for agent, _ in wins})
    # With one deal the pull is 0 at the maximum, with few it is too near to it: as when a variance is taken.
    wider = {agent: sqrt(of / (of - 1)) if of > 1 else 1.0 for agent, of in count.items()}
    effects = _effects(_information(_all_together(deals), strengths), known)
    # The average opponent might have won: each tie with it has the variance of a toss.
    squares = {agent: TIES / 4 * _squares(effects[agent]) for agent in known if count[agent] >= MIN_DEALS}
    for wins in deals:
        pulls = [(agent, part * wider[agent]) for agent, part in _pull(wins, strengths).items()]
        for agent in squares:
            effect = effects[agent]
            squares[agent] += sum([effect[other] * part for other, part in pulls]) ** 2
    return {agent: student(count[agent] - 1) * sqrt(square) for agent, square in squares.items()}


def _effects(information: list[list[float]], known: Sequence[int]) -> list[list[float]]:
    """How far a pull at each agent moves each one's strength above the mean of the known."""
    agents = range(len(information))
    inverse = _solved(information, [[float(row == column) for column in agents] for row in agents])
    mean = [sum(inverse[agent][other] for agent in known) / max(1, len(known)) for other in agents]
    return [[part - off for part, off in zip(row, mean, strict=True)] for row in inverse]


def _solved(table: list[list[float]], right: list[list[float]]) -> list[list[float]]:
    """What the table, which is positive definite, must be multiplied by to give the right-hand side."""
    size = len(table)
    lines = [[*line, *end] for line, end in zip(table, right, strict=True)]
    for at, pivot in enumerate(lines):
        tail = [part / pivot[at] for part in pivot[at:]]
        pivot[at:] = tail
        for line in lines[at + 1 :]:
            if by := line[at]:
                line[at:] = [part - by * above for part, above in zip(line[at:], tail, strict=True)]
    for at in reversed(range(size)):
        end = lines[at][size:]
        for line in lines[:at]:
            if by := line[at]:
                line[size:] = [part - by * below for part, below in zip(line[size:], end, strict=True)]
    return [line[size:] for line in lines]


# Scores.


def _squares(values: Iterable[float]) -> float:
    return sum([value * value for value in values])


def _off_the_mean(values: Sequence[float], groups: Sequence[int], count: int) -> list[float]:
    """Each value without the mean of its group."""
    sums, sizes = [0.0] * count, [0] * count
    for value, group in zip(values, groups, strict=True):
        sums[group] += value
        sizes[group] += 1
    return [value - sums[group] / sizes[group] for value, group in zip(values, groups, strict=True)]
