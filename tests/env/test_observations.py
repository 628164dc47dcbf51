"""Observations: exactly what a seat may know, and the same however the rest is."""

from random import Random

from tests.cases import case
from wateringhole import Species, Trait, shuffled
from wateringhole.cards import DECK
from wateringhole.dealer import MAX_PLAYERS
from wateringhole.env import observations
from wateringhole.env.actions import MAX_BOARDS, begin, legal, mask
from wateringhole.env.drafted_game import DraftedGame
from wateringhole.env.observations import (
    BAG,
    BEFORE,
    BOARD_SIZE,
    DECK_LEFT,
    HAND,
    OTHER_SIZE,
    OTHERS,
    OWN,
    PLAYERS,
    TURN,
    WATERING_HOLE,
    encode,
    limits,
    size,
    table,
)
from wateringhole.fault import Fault
from wateringhole.game import Game, PlayOutcome
from wateringhole.moves import CardPlay
from wateringhole.player import Other
from wateringhole.rules.cardplay import outcome
from wateringhole.view import Choose, Feed, Own

TRAITS = [None, *sorted(Trait)]


def boards_in(row: bytearray, at: int, count: int) -> tuple[Species, ...]:
    """The boards that are written there, read back."""
    boards = []
    for first in range(at, at + count * BOARD_SIZE, BOARD_SIZE):
        population, body, food, fat, *traits = row[first : first + BOARD_SIZE]
        named = tuple(trait for number in traits if (trait := TRAITS[number]) is not None)
        boards.append(Species(population, body, food, fat, named))
    return tuple(boards)


def reshuffled(table: DraftedGame, dice: Random) -> Game:
    """The same game with all that the asked seat cannot see put together anew."""
    game = table.game.clone()
    mine = game.players[table.seat]
    others = [player for player in game.row if player is not mine]
    hidden = [card for player in others for card in player.hand] + list(game.deck[game.dealt :])
    # What the others have chosen is hidden, too, with the cards that they have chosen.
    dice.shuffle(hidden)
    for player in others:
        player.hand = tuple(hidden[: len(player.hand)])
        del hidden[: len(player.hand)]
        player.bag = dice.randrange(100)
        planned = game.plays.get(player.seat)
        if isinstance(planned, PlayOutcome):
            other = outcome(CardPlay(dice.randrange(len(player.hand))), player.species, player.hand)
            assert not isinstance(other, Fault)
            game.plays[player.seat] = other
    game.deck = game.deck[: game.dealt] + tuple(hidden)
    return game


def test_an_observation_and_its_mask_do_not_change_when_what_is_hidden_is_reshuffled() -> None:
    dice = Random("hidden")
    differed = 0
    for seed in range(12):
        table = DraftedGame.dealt(3 + seed % 6, seed)
        while table.draft is not None:
            twin = DraftedGame(reshuffled(table, dice))
            for action in table.steps:
                twin.step(action)
            with case(seed, table.steps):
                assert twin.seat == table.seat
                assert twin.observation(twin.seat) == table.observation(table.seat)
                assert twin.mask(twin.seat) == table.mask(table.seat)
                differed += sum(
                    twin.observation(seat) != table.observation(seat)
                    for seat in table.game.players
                    if seat != table.seat
                )
            table.step(dice.choice(legal(table.draft)))
    assert differed > 100, "the others see their own cards"


def test_an_observation_has_all_that_the_request_has() -> None:
    dice = Random("complete")
    for seed in range(12):
        players = 3 + seed % 6
        table = DraftedGame.dealt(players, f"complete {seed}")
        while table.draft is not None:
            request = table.draft.request
            row = encode(begin(request), players)
            with case(request):
                assert len(row) == size(players)
                others = request.others if isinstance(request, Feed) else request.after + request.before
                assert row[BEFORE] == (0 if isinstance(request, Feed) else len(request.before))
                assert row[WATERING_HOLE] == request.watering_hole
                assert (row[TURN], row[DECK_LEFT], row[PLAYERS]) == (request.turn, request.deck, 1 + len(others))
                assert row[BAG] == request.me.bag
                held = {card for card, bit in zip(DECK, row[HAND:OWN], strict=True) if bit}
                assert held == set(request.me.hand)
                assert boards_in(row, OWN, len(request.me.species)) == request.me.species
                for at, other in zip(range(OTHERS, len(row), OTHER_SIZE), others, strict=True):
                    assert row[at] == other.cards
                    assert boards_in(row, at + 2, row[at + 1]) == other.species
                assert all(value <= most for value, most in zip(row, limits(players), strict=True))
            table.step(dice.choice(legal(table.draft)))


def test_opponents_are_blocks_that_change_places_and_a_small_table_is_the_beginning_of_a_large_one() -> None:
    hunted = (Species(3, 2, 1, 0, (Trait.HORNS,)), Species())
    others = (Other(2, hunted, 5), Other(3, (), 1), Other(4, (Species(7, 7),), 9))
    me = Own(1, (Species(2, 0, 0, 0, (Trait.CARNIVORE,)),), shuffled(1)[:3], 4)

    def row(seen: tuple[Other, ...], players: int) -> bytes:
        return bytes(encode(begin(Feed(me, 6, seen, 2, 30)), players))

    def blocks(written: bytes) -> list[bytes]:
        return [written[at : at + OTHER_SIZE] for at in range(OTHERS, len(written), OTHER_SIZE)]

    whole = row(others, 4)
    turned = row((others[2], others[0], others[1]), 4)
    assert turned[:OTHERS] == whole[:OTHERS]
    assert blocks(turned) == [blocks(whole)[2], blocks(whole)[0], blocks(whole)[1]]
    assert len(set(blocks(whole))) == 3
    assert row(others, MAX_PLAYERS).startswith(whole)
    assert set(row(others, MAX_PLAYERS)[len(whole) :]) == {0}
    assert row(others, 3) == whole[: size(3)], "an opponent more than there is room for"


def test_what_does_not_fit_is_cut_and_nothing_else_moves() -> None:
    many = tuple([Species(2)] * (MAX_BOARDS + 3))
    me = Own(1, (Species(),), shuffled(1)[:3], 1_000)
    row = encode(begin(Choose(me, 700, (), (Other(2, many, 4), Other(3, (Species(5),), 1)))), 3)
    assert (row[WATERING_HOLE], row[BAG]) == (255, 255)
    assert row[OTHERS + 1] == len(many)
    assert boards_in(row, OTHERS + 2, MAX_BOARDS) == many[:MAX_BOARDS]
    assert row[OTHERS + OTHER_SIZE : OTHERS + OTHER_SIZE + 3] == bytes((1, 1, 5))


def test_the_table_has_every_byte_of_a_board_and_of_the_head_once() -> None:
    assert size(3) < size(MAX_PLAYERS) == len(limits(MAX_PLAYERS))
    at = 0
    for row in table():
        with case(row):
            assert row.first == at or (row.first in {OWN, OTHERS} and at <= row.first)
            at = row.first + row.size
    assert at == OTHERS + 2 + BOARD_SIZE
    assert set(range(HAND + 1)) <= {row.first for row in table()}


def test_a_draft_is_shown_as_it_leaves_boards_and_hand() -> None:
    dice = Random("draft")
    for seed in range(8):
        table = DraftedGame.dealt(4, f"draft {seed}")
        while table.draft is not None:
            draft = table.draft
            row = encode(draft, 4)
            with case(draft):
                assert row[observations.STAGE] == draft.stage
                assert row[observations.VERB] == draft.verb
                assert row[observations.CARDS] == len(draft.free) == sum(row[HAND:OWN])
                assert boards_in(row, OWN, row[observations.BOARDS]) == draft.boards
                if isinstance(draft.request, Choose):
                    used = len(draft.request.me.hand) - len(draft.free)
                    uses = [action for action in table.steps if action >= len(DECK)]
                    assert used == len(table.steps) - len(uses)
            assert mask(draft) == table.mask(table.seat)
            table.step(dice.choice(legal(draft)))
