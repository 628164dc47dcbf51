"""Decides which games count for the ladder, which of their seats are rated, and why the others are not.

Laws: a game counts if it is public, finished, more than one person against house bots, and between at least two players
whom the ladder tells apart. A seat is not rated if a stand-in has played for it, or if another person at the table had
its name first.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from wateringhole.store.finished_game import FinishedGame, Kind, Status, identity

MIN_RATED: Final = 2

Uncounted: TypeAlias = Literal["private", "unfinished", "alone", "same"]
"""Why a game does not count."""
Unrated: TypeAlias = Literal["stand-in", "namesake"]
"""Why a seat is not rated."""

_UNCOUNTED: Final[Mapping[Uncounted, str]] = {
    "private": "it is private",
    "unfinished": "it was not finished",
    "alone": "one person has played against house bots only",
    "same": f"it takes {MIN_RATED} players whom the ladder tells apart",
}
_UNRATED: Final[Mapping[Unrated, str]] = {
    "stand-in": "a stand-in played for it",
    "namesake": "another person at the table had that name first",
}


class Contender(Struct, frozen=True):
    """A seat of a game, as far as the ladder is concerned; `unrated` is why it is not rated, if it is not."""

    name: str
    kind: Kind | None
    identity: str
    unrated: Unrated | None = None


def contenders_of(game: FinishedGame) -> list[Contender]:
    """The seats of this game, in order."""
    return contenders(game.names, game.kinds, game.agents, game.stood_in, game.namesakes)


def contenders(
    names: Sequence[str],
    kinds: Sequence[Kind],
    agents: Sequence[str],
    stood_in: Collection[int],
    namesakes: Collection[int],
) -> list[Contender]:
    """The same without a whole FinishedGame; `kinds` and `agents` may be empty, as in one."""
    found = []
    for seat, name in enumerate(names, 1):
        kind = kinds[seat - 1] if kinds else None
        agent = agents[seat - 1] if agents else ""
        why: Unrated | None = "stand-in" if seat in stood_in else "namesake" if seat in namesakes else None
        found.append(Contender(name, kind, identity(name, kind, agent), why))
    return found


def uncounted(private: bool, status: Status, seats: Sequence[Contender]) -> Uncounted | None:
    """Why a game with these seats does not count for the ladder; None if it does."""
    if private:
        return "private"
    if status != "finished":
        return "unfinished"
    if [seat.kind for seat in seats if seat.kind != "bot"] == ["person"]:
        return "alone"
    if len({seat.identity for seat in seats if not seat.unrated}) < MIN_RATED:
        return "same"
    return None


def explained(private: bool, status: Status, seats: Sequence[Contender]) -> str:
    """Which seats of such a game are rated, and why others are not, in plain sentences."""
    if why := uncounted(private, status, seats):
        return f"This game does not count for the ladder: {_UNCOUNTED[why]}."
    others = [f"{seat.name} is not rated: {_UNRATED[seat.unrated]}." for seat in seats if seat.unrated]
    return " ".join(["This game counts for the ladder.", *others])
