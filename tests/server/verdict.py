"""What must hold of every game on the simulated network, whoever misbehaved in it."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from wateringhole.agents.silly import Silly
from wateringhole.dealer import answer, new_game
from wateringhole.fault import Fault, Reason
from wateringhole.record import Result, replay
from wateringhole.rules.turn import ranking
from wateringhole.table import ask
from wateringhole.view import request

from .clients import LENGTHS, Client
from .simulation import Simulation

WHOLE: Final = re.compile(r"o(scf*)+e?")
CUT_SHORT: Final = re.compile(r"(o(scf*)*s?)?")


def faults(result: Result) -> dict[int, Fault]:
    """Why whom was expelled."""
    return {row.seat: row.fault for row in result.ranking if row.fault is not None}


def reasons(result: Result) -> dict[int, Reason]:
    return {seat: fault.reason for seat, fault in faults(result).items()}


def check(simulated: Simulation, seats: Sequence[Client], expelled: Mapping[int, Reason]) -> Result:
    """The one game ended, only these were expelled, it can be replayed, and everybody was talked to in order."""
    assert simulated.left_over() == (0, 0, 0)
    assert simulated.loop.complaints == []
    (result,) = simulated.results
    assert reasons(result) == expelled
    check_record(result, healthy={seat for seat in range(1, len(seats) + 1) if seat not in expelled})
    for seat, client in enumerate(seats, 1):
        check_conversation(client, whole=seat not in expelled)
    return result


def check_record(result: Result, healthy: set[int]) -> None:
    """A replay gives the same ranking, and a healthy seat's moves are those that its agent makes in this process."""
    record = result.record
    assert ranking(replay(record)) == result.ranking
    game = new_game(record.names, record.deck)
    for seat, reply in record.replies:
        if seat in healthy:
            assert reply == ask(Silly(), request(game, seat))
        answer(game, seat, reply)


def check_conversation(client: Client, whole: bool) -> None:
    """The messages come in their order; no request before the last one was answered; nothing after the close."""
    assert (WHOLE if whole else CUT_SHORT).fullmatch(client.kinds)
    wire = client.end.wire
    assert wire.closing_at is not None
    assert wire.lost_at is not None
    assert all(when <= wire.closing_at for when, _ in wire.sent)
    asked = [when for when, data in wire.sent if _is_request(data)]
    said = [when for when, _ in wire.received[1:]]  # the sign-up answers nothing
    if whole:
        assert all(reply <= question for reply, question in zip(said, asked[1:], strict=False))
        assert client.closed_at is not None


def _is_request(data: bytes) -> bool:
    message = json.loads(data)
    if isinstance(message, list) and message and isinstance(message[0], str):
        return message[0] in {"choose", "feed", "choce-actions", "pick-feeding"}
    return isinstance(message, list) and LENGTHS.get(len(message)) in {"c", "f"}
