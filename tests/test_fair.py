"""A deal that nobody can have arranged."""

from collections.abc import Callable
from hashlib import sha256

import pytest
from msgspec.structs import replace

from wateringhole import Rash, play
from wateringhole.cards import DECK, shuffled
from wateringhole.fair import Deal, after, before, dealt, objection, seal, sealed, seed
from wateringhole.record import Record


def record(deal: Deal, finished: bool = True) -> Record:
    """A game that was dealt so."""
    told = (*before(deal), *(after(deal) if finished else []))
    return replace(play([Rash(1), Rash(2), Rash(3)], deal.deck).record, notes=told)


def test_ten_thousand_deals_have_ten_thousand_seeds_of_128_bits() -> None:
    seeds = {dealt().seed for _ in range(10_000)}
    assert len(seeds) == 10_000
    assert {len(bytes.fromhex(found or "")) for found in seeds} == {16}


def test_the_seal_is_the_sha256_of_the_seed_as_any_tool_computes_it() -> None:
    assert seal("0123") == sha256(b"0123").hexdigest()


def test_a_game_that_was_dealt_by_lot_can_be_checked() -> None:
    deal = dealt()
    game = record(deal)
    assert sealed(game) == deal.seal
    assert seed(game) == deal.seed
    assert objection(game) is None
    assert objection(game, deal.seal) is None
    assert objection(game, deal.seal.upper()) is None


def test_what_is_told_before_the_game_does_not_tell_the_seed() -> None:
    deal = dealt()
    assert deal.seed is not None
    assert deal.seed not in str(before(deal))


def test_a_deck_that_somebody_chose_bears_no_seal() -> None:
    assert objection(record(Deal(shuffled("chosen")))) == "it bears no seal: its deck was chosen by a person"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda game: replace(game, deck=DECK), "gives another deck"),
        (lambda game: replace(game, watering_hole=1), "begins with 1 token at"),
        (lambda game: replace(game, notes=(game.notes[0], {"seed": "another"})), "has the seal"),
        (lambda game: replace(game, notes=({"sealed": seal("another")}, game.notes[1])), "but it bears"),
        (lambda game: replace(game, notes=game.notes[:1]), "was not shown"),
    ],
)
def test_whoever_changes_deck_seed_or_seal_is_found_out(change: Callable[[Record], Record], why: str) -> None:
    assert why in (objection(change(record(dealt()))) or "")


def test_a_whole_other_game_is_found_out_by_whoever_saw_the_seal() -> None:
    shown = dealt().seal
    assert objection(record(dealt()), shown) is not None
