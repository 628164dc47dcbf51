"""Ratings of players after every game (OpenSkill).

Laws: what a game changes depends on the ranks and earlier ratings of its players, not on their seats. Later games count
more than earlier ones; so a tournament that is over uses `tournament.ratings`, and the ladder is for games without end.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

SEATS: Final = 8
"""With a window smaller than a whole table, players that share a rank would not get the same."""
SURELY: Final = 3.0
"""The ordinal is so many sigmas below mu: what a player is worth almost surely."""


class Known(Struct, frozen=True):
    """What the ladder remembers of a player."""

    games: int
    mu: float
    sigma: float


class Rung(Struct, frozen=True):
    """A player on the ladder: the rating, how sure it is, and what the player is worth almost surely."""

    name: str
    games: int
    mu: float
    sigma: float
    ordinal: float


class Ladder:
    """Rates players by the partial Bradley-Terry model of Weng and Lin (2011).

    Of their models it is one that gives a shared first rank its due: after a game in which six share it, Plackett and
    Luce's rates the seventh above them.
    """

    def __init__(self, known: Mapping[str, Known] | None = None) -> None:
        from openskill.models import BradleyTerryPart  # noqa: PLC0415  # only a ladder needs it

        self.known: Final = dict(known or {})
        self._model = BradleyTerryPart(window_size=SEATS)

    def played(self, names: Sequence[str], ranks: Sequence[int]) -> None:
        """Count a game: the names of its players and the rank of each; 1 is the best, and ranks may be shared.

        A player on several seats counts as so many players with the same rating; afterwards it has the mean of their
        ratings, and one game more.
        """
        _check(names, ranks)
        places = sorted(zip(names, ranks, strict=True))  # sums depend on their order, in the last digit
        before = [[self._model.rating(of.mu, of.sigma)] for of in (self._of(name) for name, _ in places)]
        after = self._model.rate(before, [float(rank) for _, rank in places])
        rated: dict[str, list[tuple[float, float]]] = {}
        for (name, _), [now] in zip(places, after, strict=True):
            rated.setdefault(name, []).append((now.mu, now.sigma))
        for name, seats in rated.items():
            mu, sigma = (sum(values) / len(seats) for values in zip(*seats, strict=True))
            self.known[name] = Known(self._of(name).games + 1, mu, sigma)

    def table(self) -> list[Rung]:
        """All players, from the top, which is the highest ordinal."""
        rungs = [rung(name, of) for name, of in self.known.items()]
        return sorted(rungs, key=lambda rung: (-rung.ordinal, rung.name))

    def _of(self, name: str) -> Known:
        return self.known.get(name) or Known(0, self._model.mu, self._model.sigma)


def rung(name: str, of: Known) -> Rung:
    """The place on the ladder of a player with this rating."""
    return Rung(name, of.games, of.mu, of.sigma, of.mu - SURELY * of.sigma)


def _check(names: Sequence[str], ranks: Sequence[int]) -> None:
    """ValueError unless this is a game between at least two."""
    if len(names) != len(ranks):
        raise ValueError(f"{len(names)} names, but {len(ranks)} ranks")
    if not 2 <= len(names) <= SEATS:
        raise ValueError(f"{len(names)} at a table, but a ladder takes 2 to {SEATS}")
