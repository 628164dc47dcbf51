"""Drafted actions: every legal move can be drafted, and nothing else."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from tests.cases import case
from tests.test_plays import TABLES, outcome_of, twins
from tests.times import TIMES
from wateringhole import (
    Attack,
    CardPlay,
    Decline,
    Graze,
    Growth,
    NewBoard,
    Species,
    StoreFat,
    Trait,
    new_game,
    shuffled,
)
from wateringhole.agents.house import named
from wateringhole.agents.playout import asked
from wateringhole.cards import Card
from wateringhole.env.actions import (
    ACTIONS,
    ATTACK,
    BODY,
    DECLINE,
    DONE,
    GRAZE,
    MAX_BOARDS,
    NEW_BOARD,
    OPPONENT,
    POPULATION,
    STORE,
    TABLE,
    TARGET,
    TOKENS,
    Draft,
    begin,
    drafted,
    legal,
    mask,
    step,
    words,
)
from wateringhole.env.drafted_game import DraftedGame
from wateringhole.fault import Fault
from wateringhole.moves import Move
from wateringhole.player import Other
from wateringhole.plays import plays
from wateringhole.view import Choose, Feed, Own, Request

GAMES = 1_000 * TIMES if TIMES > 1 else 300


def moves_of(draft: Draft) -> Iterator[Move]:
    """The moves of all drafts that go on from this one."""
    if draft.move is not None:
        yield draft.move
        return
    allowed = sorted(set(legal(draft)))
    assert allowed, "a dead end"
    assert [action for action, bit in enumerate(mask(draft)) if bit] == allowed
    for action in allowed:
        yield from moves_of(step(draft, action))


def choose(species: tuple[Species, ...], hand: tuple[Card, ...]) -> Choose:
    return Choose(Own(1, species, hand, 0), 0, (), ())


def feed(species: tuple[Species, ...], watering_hole: int, *others: tuple[Species, ...]) -> Feed:
    seen = tuple(Other(seat, boards, 4) for seat, boards in enumerate(others, 2))
    return Feed(Own(1, species, (), 0), watering_hole, seen)


def test_the_drafts_of_small_hands_have_the_outcomes_of_all_plays_and_few_orders_of_each() -> None:
    for number, (species, cards) in enumerate(TABLES):
        for hand in (shuffled(number)[:cards], *twins(cards)):
            with case(species, hand):
                made: Counter[object] = Counter()
                for move in moves_of(begin(choose(species, hand))):
                    assert isinstance(move, CardPlay)
                    made[outcome_of(move, species, hand)] += 1
                assert set(made) == {outcome_of(play, species, hand) for play in plays(species, hand)}
                assert made.total() <= 1.15 * len(made)


HUNTER = Species(3, 4, 0, 0, (Trait.CARNIVORE,))
FAT = Species(2, 3, 1, 1, (Trait.FAT_TISSUE,))
SHELL = Species(2, 7, 0, 0, (Trait.HARD_SHELL,))


def test_the_drafts_of_a_feeding_are_all_legal_feedings() -> None:
    requests = [
        feed((FAT, HUNTER), 1, (SHELL, FAT), (), (FAT,)),
        feed((HUNTER, HUNTER), 9, (FAT, FAT), (FAT,)),
        feed((FAT, FAT, Species()), 5, (), ()),
    ]
    for request in requests:
        with case(request):
            less = [
                StoreFat(fat.board, tokens)
                for fat in request.options
                if isinstance(fat, StoreFat)
                for tokens in range(1, fat.tokens)
            ]
            made = list(moves_of(begin(request)))
            assert sorted(map(repr, made)) == sorted(map(repr, [Decline(), *request.options, *less]))


def test_a_feeding_is_drafted_as_the_table_says() -> None:
    request = feed((FAT, HUNTER, Species()), 5, (), (SHELL, FAT))
    rows: list[tuple[Move, list[int]]] = [
        (Decline(), [DECLINE]),
        (Graze(2), [GRAZE + 2]),
        (StoreFat(0, 2), [STORE, TOKENS + 1]),
        (Attack(1, 3, 1), [ATTACK + 1, OPPONENT + 1, TARGET + 1]),
    ]
    for move, actions in rows:
        with case(move):
            assert drafted(request, move) == actions
            draft = begin(request)
            for action in actions:
                assert draft.move is None
                draft = step(draft, action)
            assert draft.move == move


def test_every_move_of_house_bots_can_be_drafted_to_the_same_effect() -> None:
    for seed, name in enumerate(("silly", "rash", "greedy", "hunter", "shepherd")):
        agents = [named(name, f"{seed}:{seat}") for seat in range(3)]
        game = new_game(["a", "b", "c"], shuffled(seed))
        twin = DraftedGame(game.clone())
        while seats := game.pending():
            request = game.request(seats[0])
            move = asked(agents[seats[0] - 1], request)
            assert not isinstance(move, Fault)
            with case(name, request, move):
                for action in drafted(request, move):
                    twin.step(action)
                game.answer(seats[0], move)
                # The cards that paid may have other places in the play, but nothing else.
                assert [player.species for player in twin.game.row] == [player.species for player in game.row]
                assert [player.hand for player in twin.game.row] == [player.hand for player in game.row]
                assert twin.game.watering_hole == game.watering_hole
        assert twin.seat == 0


def test_what_the_mask_does_not_allow_is_refused() -> None:
    hand = shuffled(3)[:4]
    request = choose((Species(),), hand)
    draft = begin(request)
    allowed = set(legal(draft))
    assert allowed == {card.order for card in hand}
    for action in {*range(-1, ACTIONS + 1)} - allowed:
        with case(action), pytest.raises(ValueError, match=r"may not follow at the stage food"):
            step(draft, action)


def test_a_draft_stops_at_the_boards_that_an_action_can_name() -> None:
    boards = tuple([Species()] * (MAX_BOARDS - 1))
    hand = shuffled(1)[:4]
    request = choose(boards, hand)
    (least, middle, most) = sorted(card.order for card in hand[1:])
    draft = step(begin(request), hand[0].order)
    assert NEW_BOARD in legal(draft)
    draft = step(step(draft, NEW_BOARD), least)
    assert len(draft.boards) == MAX_BOARDS
    assert NEW_BOARD not in legal(draft)
    assert BODY + MAX_BOARDS - 1 in legal(draft)
    with pytest.raises(ValueError, match="may not follow"):
        drafted(request, CardPlay(0, boards=(NewBoard(1), NewBoard(2))))
    crowded = choose(tuple([Species()] * (MAX_BOARDS + 1)), hand)
    draft = step(begin(crowded), hand[0].order)
    assert legal(draft) == [DONE, *range(POPULATION, POPULATION + MAX_BOARDS), *range(BODY, BODY + MAX_BOARDS)]
    with pytest.raises(ValueError, match="12 boards at most"):
        drafted(crowded, CardPlay(0, population=(Growth(MAX_BOARDS, 1),)))
    many = tuple([FAT] * (MAX_BOARDS + 1))
    attacks = [move for move in moves_of(begin(feed((HUNTER,), 3, many))) if isinstance(move, Attack)]
    assert [attack.target for attack in attacks] == list(range(MAX_BOARDS))
    assert middle < most


def test_cards_that_pay_come_in_ascending_order_and_a_move_is_drafted_so() -> None:
    hand = tuple(sorted(shuffled(1)[:4], key=lambda card: -card.order))
    request = choose((Species(),), hand)
    play = CardPlay(0, population=(Growth(0, 1),), body=(Growth(0, 2), Growth(0, 3)))
    actions = drafted(request, play)
    paid = [action for action in actions[1:] if action < DONE]
    assert paid == sorted(card.order for card in hand[1:])
    draft = begin(request)
    for action in (hand[0].order, BODY, hand[1].order):
        draft = step(draft, action)
    assert legal(draft) == [DONE], "the greatest card has paid"


def test_the_table_names_every_action_once() -> None:
    assert [row.first for row in TABLE] == [sum(row.size for row in TABLE[:at]) for at in range(len(TABLE))]
    assert TABLE[-1].first + TABLE[-1].size == ACTIONS
    names = [words(action) for action in range(ACTIONS)]
    assert len(set(names)) == ACTIONS
    assert "no action" not in names
    assert words(ACTIONS) == "no action"


def test_masked_random_play_gets_no_player_expelled_and_makes_every_kind_of_move() -> None:
    kinds: Counter[str] = Counter()
    dice = Random("kinds")
    for seed in range(GAMES):
        table = DraftedGame.dealt(3 + seed % 6, seed)
        while table.draft is not None:
            action = dice.choice(legal(table.draft))
            kinds[words(action).rstrip(" 0123456789") if action >= DONE else "card"] += 1
            table.step(action)
        with case(seed):
            assert table.game.phase == "over"
            assert table.game.expelled == []
    assert set(kinds) == {row.name for row in TABLE}


def test_a_request_is_never_changed_by_its_drafts() -> None:
    def figures(request: Request) -> str:
        return repr((request.me.species, request.me.hand))

    request = choose((FAT, HUNTER), shuffled(2)[:3])
    before = figures(request)
    assert sum(1 for _ in moves_of(begin(request))) > 100
    assert figures(request) == before
