"""Playing again at a table whose game is over: who wants to, and the seats at the new table.

Laws: the game begins when all people of the table want it, or when the first of them or the host says so; a bot plays
for those who do not. Each player moves one seat up, so that another one begins.
"""

from collections.abc import Container, Mapping, Sequence

from wateringhole.web.browser_participant import BrowserParticipant
from wateringhole.web.page_messages import Chair, NewTable
from wateringhole.web.tab import Tab


class PlayAgain:
    """`ready` are the seats that want another game, in the order in which they said so; `table` is where it is, and
    `successors` are their seats there, by the old number.
    """

    def __init__(self) -> None:
        self.ready: list[int] = []
        self.table: str | None = None
        self.successors: dict[int, BrowserParticipant] = {}

    def want(self, number: int) -> None:
        """The person on this seat wants another game."""
        if number not in self.ready:
            self.ready.append(number)

    def undecided(self, seats: Mapping[int, BrowserParticipant]) -> list[int]:
        """The people who have not said so yet; those for whom a bot plays because they are gone are not waited for."""
        return [
            number
            for number, seat in seats.items()
            if number not in self.ready and (seat.tab is not None or not seat.standing_in)
        ]

    def may_begin(self, number: int, host: bool) -> bool:
        """Whether the person on this seat may begin without those who are undecided."""
        return number in self.ready and (host or number == self.ready[0])

    def invite(self, number: int, tab: Tab) -> None:
        """Lead this tab to its seat at the new table, unless it has found it already."""
        successor = self.successors.get(number)
        if self.table is not None and successor is not None and successor.tab is None:
            tab.say(NewTable(self.table, successor.invitation()))


def moved_up(number: int, seats: int) -> int:
    """The seat at the new table of the player who has this one."""
    return number - 1 or seats


def next_chairs(chairs: Sequence[Chair], ready: Container[int]) -> tuple[Chair, ...]:
    """The chairs of the new table: those of people who are not `ready` are for bots."""
    first, *others = (
        chair if chair.kind != "person" or number in ready else Chair("bot", chair.bot)
        for number, chair in enumerate(chairs, 1)
    )
    return (*others, first)
