"""The messages from a tab's WebSocket, as types.

Laws: each message has a `type`, and is checked field by field.
"""

from typing import TypeAlias

from msgspec import Struct

from wateringhole.move_json import MoveJson
from wateringhole.web.page_messages import CardPlan, Chair, Natural


class _Said(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class TabSignUp(_Said, frozen=True, tag="sign_up"):
    """The first message: a name for a free seat (and the host's key), the token of a seat, or the wish to watch."""

    wateringhole: int
    name: str = ""
    key: str = ""
    token: str = ""
    watch: bool = False


class TokenSeen(_Said, frozen=True, tag="seen"):
    """The new token has arrived, the old one is void."""


class MoveAnswer(_Said, frozen=True, tag="answer"):
    """The move that answers the request of this id."""

    id: Natural
    answer: MoveJson


class CheckPlan(_Said, frozen=True, tag="check"):
    """Is this plan legal, and where could this card go?"""

    plan: CardPlan
    card: Natural | None = None
    ref: Natural = 0


class HintWanted(_Said, frozen=True, tag="hint"):
    """What would a bot answer to this request?"""

    id: Natural


class SeatBack(_Said, frozen=True, tag="back"):
    """The player plays again in place of the stand-in."""


class BeginGame(_Said, frozen=True, tag="begin"):
    """Host: begin now. After the end also the first who wants another game; bots play for those who do not."""


class ChangeSeat(_Said, frozen=True, tag="change"):
    """Host, before the game: this free seat is for a bot, or for a person."""

    seat: Natural
    chair: Chair


class LeaveTable(_Said, frozen=True, tag="leave"):
    """Before the game: the seat is free again."""


class StandIn(_Said, frozen=True, tag="stand_in"):
    """Host: let a bot play for this seat."""

    seat: Natural


class Rematch(_Said, frozen=True, tag="rematch"):
    """After the end: the player wants another game."""


PageSays: TypeAlias = (
    TabSignUp
    | TokenSeen
    | MoveAnswer
    | CheckPlan
    | HintWanted
    | SeatBack
    | BeginGame
    | ChangeSeat
    | LeaveTable
    | StandIn
    | Rematch
)
