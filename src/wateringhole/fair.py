"""Provably fair deals: the deck comes from a seed, and the SHA-256 of the seed (the seal) is published before the game.

Laws: a seed that no person chose has 128 bits. The seal tells nothing about the seed, and no other seed has it; a
player who saw the seal can check, once the seed is shown, that the deck was fixed before the first card was dealt.
"""

import hashlib
import secrets
from typing import Final

from msgspec import Struct

from wateringhole.cards import Card, shuffled
from wateringhole.events import counted
from wateringhole.record import Note, Record
from wateringhole.seeds import deal_seed

SEALED: Final = "sealed"
SEED: Final = "seed"
UNSEALED: Final = "it bears no seal: its deck was chosen by a person"


class Deal(Struct, frozen=True):
    """A deck, and the seed that it comes from if no person chose it."""

    deck: tuple[Card, ...]
    seed: str | None = None

    @property
    def seal(self) -> str:
        """What may be shown before the game; nothing if there is nothing to check."""
        return "" if self.seed is None else seal(self.seed)


def dealt(seed: str | None = None, number: int = 0) -> Deal:
    """A deal that no player can foresee; or, for experiments, the deal of this number from a person's seed."""
    if seed is not None:
        return Deal(shuffled(deal_seed(seed, number)))
    secret = secrets.token_hex(16)
    return Deal(shuffled(secret), secret)


def seal(secret: str) -> str:
    """The fingerprint of a seed: SHA-256 of its text, in hexadecimal digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def before(deal: Deal) -> list[Note]:
    """The notes on its deal that a record has from the beginning: the seal."""
    return [{SEALED: deal.seal}] if deal.seal else []


def after(deal: Deal) -> list[Note]:
    """The notes on its deal that a record gets when the game is over: the seed."""
    return [] if deal.seed is None else [{SEED: deal.seed}]


def sealed(record: Record) -> str | None:
    """The seal that this record was begun with; None if there is none."""
    return _noted(record, SEALED)


def seed(record: Record) -> str | None:
    """The seed that was shown when this game was over; None if none was."""
    return _noted(record, SEED)


def objection(record: Record, shown: str | None = None) -> str | None:
    """Why this game was not dealt as it should have been; None if it was. `shown` is the seal that a player saw."""
    known, shown_later = sealed(record), seed(record)
    if known is None:
        return UNSEALED
    if shown is not None and shown.lower() != known:
        return f"it bears the seal {known}, not {shown}"
    if shown_later is None:
        return "its seed was not shown: the game was not finished"
    if seal(shown_later) != known:
        return f"its seed {shown_later} has the seal {seal(shown_later)}, but it bears {known}"
    if record.watering_hole:
        return f"it begins with {counted(record.watering_hole, 'token')} at the watering hole"
    if shuffled(shown_later) != record.deck:
        return f"its seed {shown_later} gives another deck"
    return None


def _noted(record: Record, what: str) -> str | None:
    return next((str(note[what]) for note in record.notes if what in note), None)
