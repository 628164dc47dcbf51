"""Seeds of decks and of agents, derived from one secret by HMAC-SHA256.

Laws: a derived seed leads neither to the secret nor to any other seed derived from it, unless the secret is guessed.
A secret that the system draws has 256 bits; one that a person chose, such as 7 or "cup", can be found by trying.
"""

import hmac
import secrets
from collections.abc import Iterable
from functools import lru_cache


def drawn_secret() -> str:
    """A secret that cannot be guessed."""
    return secrets.token_hex(32)


def deal_seed(secret: str, deal: int) -> str:
    """The seed of the deck of this deal."""
    return _derived(secret, f"deal:{deal}")


def agent_seed(secret: str, game: int, seat: int) -> str:
    """The seed that the agent on this seat gets in this game."""
    return _derived(secret, f"agent:{game}:{seat}")


def agent_seeds(secret: str, game: int, seats: Iterable[int]) -> list[str]:
    """The seeds of the agents on these seats, in their order."""
    return [agent_seed(secret, game, seat) for seat in seats]


def lots_seed(secret: str) -> str:
    """The seed of the lots that a tournament draws."""
    return _derived(secret, "lots")


def _derived(secret: str, label: str) -> str:
    code = _keyed(secret).copy()
    code.update(label.encode())
    return code.hexdigest()


@lru_cache(maxsize=2)
def _keyed(secret: str) -> hmac.HMAC:
    """The HMAC before its first byte: a run derives five seeds for every game."""
    return hmac.new(secret.encode(), digestmod="sha256")
