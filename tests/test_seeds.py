"""Seeds of decks and agents: the same secret gives the same, and no two of them are related in any visible way."""

import hashlib
import hmac

from wateringhole.cards import shuffled
from wateringhole.fair import dealt
from wateringhole.seeds import agent_seed, agent_seeds, deal_seed, drawn_secret, lots_seed


def test_a_derived_seed_is_an_hmac_of_its_label_so_any_language_can_repeat_it() -> None:
    assert deal_seed("7", 3) == hmac.new(b"7", b"deal:3", hashlib.sha256).hexdigest()
    assert agent_seed("7", 3, 2) == hmac.new(b"7", b"agent:3:2", hashlib.sha256).hexdigest()
    assert lots_seed("7") == hmac.new(b"7", b"lots", hashlib.sha256).hexdigest()


def test_no_two_labels_give_the_same_seed_and_none_contains_the_secret() -> None:
    secret = drawn_secret()
    seeds = [deal_seed(secret, deal) for deal in range(500)]
    seeds += [seed for game in range(500) for seed in agent_seeds(secret, game, range(1, 9))]
    seeds.append(lots_seed(secret))
    assert len({*seeds}) == len(seeds)
    assert not any(secret in seed or seed in secret for seed in seeds)


def test_a_drawn_secret_is_another_one_each_time_and_has_256_bits() -> None:
    drawn = {drawn_secret() for _ in range(100)}
    assert len(drawn) == 100
    assert {len(bytes.fromhex(secret)) for secret in drawn} == {32}


def test_a_chosen_seed_deals_by_number_and_bears_no_seal() -> None:
    deal = dealt("7", 3)
    assert (deal.deck, deal.seal) == (shuffled(deal_seed("7", 3)), "")
    assert dealt("7", 4).deck != deal.deck
