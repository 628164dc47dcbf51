"""A ladder that goes on after every game, for as long as there are games.

Laws: what a game changes depends on who came where and on what was known of them before, not on who sat where. Later
games count more than earlier ones, so a tournament that is over takes `ratings`, and this is for one that has no end.
"""

from collections.abc import Sequence
from math import isfinite
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

SEATS: Final = 8
"""With a window of fewer than a whole table, those who share a rank would not get the same."""


class Rung(Struct, frozen=True):
    """Where somebody stands: what they are rated, how sure that is, and what they are worth almost surely."""

    name: str
    games: int
    mu: float
    sigma: float
    ordinal: float


class Known(Struct, frozen=True, forbid_unknown_fields=True):
    """What a ladder has to remember of somebody."""

    games: Annotated[int, Meta(ge=0)]
    mu: float
    sigma: Annotated[float, Meta(gt=0)]


class Ladder:
    """Who stands where, by the partial Bradley-Terry model of Weng and Lin (2011).

    Of their models it is one that gives a shared first rank its due: after a game in which six share it, Plackett and
    Luce's rates the seventh above them.
    """

    def __init__(self) -> None:
        from openskill.models import BradleyTerryPart  # noqa: PLC0415  # only a ladder needs it

        self._model = BradleyTerryPart(window_size=SEATS)
        self._known: dict[str, Known] = {}

    @classmethod
    def from_data(cls, data: object) -> "Ladder":
        """The ladder that gave this; ValueError if none can have."""
        ladder = cls()
        try:
            ladder._known = msgspec.convert(data, dict[str, Known])
        except msgspec.ValidationError as error:
            raise ValueError(f"not a ladder: {error}") from None
        for name, known in ladder._known.items():
            if not isfinite(known.mu + known.sigma):
                raise ValueError(f"not a ladder: {name} has a rating that is no number")
        return ladder

    def as_data(self) -> dict[str, dict[str, float]]:
        """All of it, fit for JSON."""
        return {
            name: {"games": known.games, "mu": known.mu, "sigma": known.sigma}
            for name, known in sorted(self._known.items())
        }

    def played(self, names: Sequence[str], ranks: Sequence[int]) -> None:
        """A game is over: who played, and what rank each of them has; 1 is the best, and ranks may be shared."""
        _check(names, ranks)
        places = sorted(zip(names, ranks, strict=True))  # as sums depend on their order, in the last digit
        known = [self._of(name) for name, _ in places]
        before = [[self._model.rating(of.mu, of.sigma)] for of in known]
        after = self._model.rate(before, [float(rank) for _, rank in places])
        for (name, _), of, [now] in zip(places, known, after, strict=True):
            self._known[name] = Known(of.games + 1, now.mu, now.sigma)

    def table(self) -> list[Rung]:
        """Everybody who has played, from the top, which is the highest ordinal."""
        rungs = [
            Rung(name, of.games, of.mu, of.sigma, self._model.rating(of.mu, of.sigma).ordinal())
            for name, of in self._known.items()
        ]
        return sorted(rungs, key=lambda rung: (-rung.ordinal, rung.name))

    def _of(self, name: str) -> Known:
        return self._known.get(name) or Known(0, self._model.mu, self._model.sigma)


def _check(names: Sequence[str], ranks: Sequence[int]) -> None:
    """ValueError unless this is a game between at least two, each of them once."""
    if len(names) != len(ranks):
        raise ValueError(f"{len(names)} names, but {len(ranks)} ranks")
    if not 2 <= len(names) <= SEATS:
        raise ValueError(f"{len(names)} at a table, but a ladder takes 2 to {SEATS}")
    for at, name in enumerate(names):
        if name in names[:at]:
            raise ValueError(f"{name} sits twice at one table")
