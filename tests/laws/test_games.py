"""Whole games under all invariants, and the laws that tie the engine's answers to each other."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tests.cases import case
from tests.times import TIMES
from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK, Card, shuffled
from wateringhole.dealer import answer, go_on, new_game, pending
from wateringhole.events import AnimalLost, Event, Expelled, Extinct, GameOver
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game, PlayOutcome
from wateringhole.moves import (
    Attack,
    CardPlay,
    Decline,
    Feeding,
    Graze,
    Reply,
    StoreFat,
)
from wateringhole.player import Other, Player
from wateringhole.record import digest, read, replay, write
from wateringhole.rules.cardplay import outcome
from wateringhole.rules.feeding import feed, feedings, next_to_ask, prospects, refusal
from wateringhole.rules.turn import ranking
from wateringhole.species import Species
from wateringhole.table import ask, play
from wateringhole.value import COMPILED
from wateringhole.view import Choose, Feed, Own, request, start, table

from . import naive
from .invariants import Witness
from .replies import (
    ILLEGAL_FEEDINGS,
    ILLEGAL_PLAYS,
    MANNERS,
    Fool,
    illegal,
    is_legal,
    some_board,
    some_fault,
    some_others,
    some_table,
)

Cast = Callable[[int, str], Agent]

CASTS: dict[str, Cast] = {
    "silly": lambda _, __: Silly(),
    "rash": lambda _, seed: Rash(seed),
    "silly and rash": lambda seat, seed: Rash(seed) if seat % 2 else Silly(),
    "one of each manner": lambda seat, seed: list(MANNERS.values())[seat % len(MANNERS)](seed),
    "some fools": lambda seat, seed: Fool(seed, Rash(seed)) if seat % 3 == 0 else Rash(seed),
    "only fools": lambda _, seed: Fool(seed, Rash(seed)),
}
"""Who sits on a seat, given a seed of its own."""

HOLES = {"poor": 0, "middling": 15, "rich": 100}
GAMES = TIMES * (2 if COMPILED else 1)
"""Of each kind. Both cores are held to all laws; the faster one plays more."""


def cast(kind: str, players: int, seed: str) -> list[Agent]:
    return [CASTS[kind](seat, f"{seed} {seat}") for seat in range(1, players + 1)]


def watched(agents: Sequence[Agent], deck: Sequence[Card], watering_hole: int) -> Witness:
    """A whole game, all invariants after every step."""
    witness = Witness.deal([f"player {seat}" for seat in range(1, len(agents) + 1)], deck, watering_hole)
    play_on(witness, agents)
    return witness


def play_on(witness: Witness, agents: Sequence[Agent]) -> None:
    """To the end of the game, all invariants after every step."""
    game = witness.game
    while game.phase != "over":
        seats = pending(game)
        for seat, asked in zip(seats, [request(game, seat) for seat in seats], strict=True):
            witness.answer(seat, ask(agents[seat - 1], asked))


def situations(kind: str, players: int, watering_hole: int, seed: str) -> Iterator[tuple[Game, int]]:
    """Every situation of a game in which a seat is asked, with that seat."""
    agents = cast(kind, players, seed)
    game = new_game([f"player {seat}" for seat in range(1, players + 1)], shuffled(seed), watering_hole, listen=True)
    while game.phase != "over":
        [seat, *_] = pending(game)
        yield game, seat
        answer(game, seat, ask(agents[seat - 1], request(game, seat)))


def expulsions(events: Sequence[Event]) -> list[int]:
    return [event.seat for event in events if isinstance(event, Expelled)]


@pytest.mark.parametrize("kind", CASTS)
def test_every_invariant_holds_after_every_step_of_whole_games(kind: str) -> None:
    for players, hole, number in product(range(3, 9), HOLES, range(GAMES)):
        seed = f"{kind} {players} {hole} {number}"
        with case(seed):
            witness = watched(cast(kind, players, seed), shuffled(seed), HOLES[hole])
            assert isinstance(witness.story[-1], GameOver)
            assert witness.story[-1].ranking == ranking(witness.game)
            if "fools" not in kind:
                assert not expulsions(witness.story), "legal play never gets anybody expelled"


def test_seats_that_fail_at_any_time_leave_the_invariants_alone() -> None:
    for players, number in product(range(3, 9), range(8 * GAMES)):
        with case(players, number):
            random = Random(f"faults {players} {number}")
            seed = f"{players} {number}"
            agents = cast("silly and rash", players, seed)
            witness = Witness.deal(["player"] * players, shuffled(seed), random.choice((0, 15, 100)))
            game = witness.game
            while game.phase != "over":
                if random.random() < 0.03:
                    witness.answer(random.choice(list(game.players)), some_fault(random))
                    continue
                seat = random.choice(pending(game))
                witness.answer(seat, ask(agents[seat - 1], request(game, seat)))
            assert replay(witness.record) == game


def test_short_decks_end_a_game_in_time() -> None:
    for length, players in product((0, 11, 12, 13, 15, 31, 32, 33, 40, 60, 90, 121), range(3, 9)):
        with case(length, players):
            witness = watched(cast("rash", players, "short"), shuffled(f"short {players}")[:length], 30)
            assert (witness.game.turn == 0) == (length < 4 * players)


@pytest.mark.parametrize("players", range(3, 9))
def test_a_game_at_the_table_is_the_same_and_its_record_is_read_as_it_was_written_and_replays_to_it(
    players: int, tmp_path: Path
) -> None:
    for number, kind in enumerate(CASTS):
        seed = f"{players} {kind}"
        witness = watched(cast(kind, players, seed), shuffled(seed), 25 * number)
        result = play(cast(kind, players, seed), shuffled(seed), witness.game.names, 25 * number)
        assert result.record == witness.record
        assert result.ranking == ranking(witness.game)
        path = tmp_path / f"{number}.jsonl"
        write(witness.record, path)
        assert read(path) == witness.record
        again = replay(read(path), listen=True)
        assert again == witness.game
        assert digest(again) == digest(witness.game)
        assert again.told == witness.story
        half = len(witness.replies) // 2
        write(replace(witness.record, replies=witness.record.replies[:half]), path)
        assert replay(read(path)) == replay(witness.record, steps=half)


@pytest.mark.parametrize("players", [3, 5, 8])
def test_a_refused_feeding_changes_nothing_but_the_seat_that_gave_it(players: int) -> None:
    random = Random(f"refused feedings {players}")
    seen = 0
    for number in range(4 * TIMES):
        for game, seat in situations("silly and rash", players, 100, f"{players} {number}"):
            if game.phase != "feed":
                continue
            for kind in range(len(ILLEGAL_FEEDINGS)):
                twin = game.clone()
                twin.told = []
                first, *rest = answer(twin, seat, illegal(request(game, seat), random, kind))
                assert isinstance(first, Expelled)
                assert first.seat == seat
                assert first.fault.reason is Reason.ILLEGAL
                assert [gone for gone, _ in twin.expelled] == [gone for gone, _ in game.expelled] + [seat]
                if rest:
                    continue  # the next seats had no choice, so that the game went on
                seen += 1
                assert twin.players == {other: game.players[other] for other in game.players if other != seat}
                assert list(twin.players) == [other for other in game.players if other != seat]
                assert twin.queue == game.queue[1:]
                assert (twin.watering_hole, twin.dealt, twin.turn, twin.phase, twin.plays) == (
                    game.watering_hole,
                    game.dealt,
                    game.turn,
                    game.phase,
                    game.plays,
                )
    assert seen > 300


@pytest.mark.parametrize("players", [3, 5, 8])
def test_a_refused_play_changes_nothing_but_the_seat_that_gave_it(players: int) -> None:
    random = Random(f"refused plays {players}")
    for number in range(4 * TIMES):
        for game, seat in situations("silly and rash", players, 20, f"{players} {number}"):
            if game.phase != "choose" or len(pending(game)) < 2:
                continue
            for kind in range(len(ILLEGAL_PLAYS)):
                twin = game.clone()
                twin.told = []
                assert answer(twin, seat, illegal(request(game, seat), random, kind)) == []
                planned = twin.plays.pop(seat)
                assert isinstance(planned, Fault)
                assert planned.reason is Reason.ILLEGAL
                assert twin == game


@pytest.mark.parametrize("players", [3, 5, 8])
def test_whoever_played_badly_leaves_at_the_reveal_and_the_others_play_as_if_it_had_never_sat_there(
    players: int,
) -> None:
    for number in range(20):
        deck = shuffled(f"{players} {number}")
        game = new_game(["player"] * players, deck, 30, listen=True)
        bad = 1 + number % players
        for seat in pending(game):
            reply: Reply = CardPlay(99) if seat == bad else Rash(f"{seat}").choose(_choose(game, seat))
            events = answer(game, seat, reply)
        assert expulsions(events) == [bad]
        assert isinstance(events[0], Expelled)
        alone = new_game(["player"] * players, deck, 30, listen=True)
        answer(alone, bad, Fault(Reason.TIMEOUT, "is silent", during="start"))
        for seat in pending(alone):
            events = answer(alone, seat, Rash(f"{seat}").choose(_choose(alone, seat)))
        assert list(game.players.values()) == list(alone.players.values())
        assert (game.watering_hole, game.queue, game.phase) == (alone.watering_hole, alone.queue, alone.phase)


def _choose(game: Game, seat: int) -> Choose:
    asked = request(game, seat)
    assert isinstance(asked, Choose)
    return asked


def _about_to_feed(random: Random) -> Game:
    """A game with any boards, in which only seat 1 still feeds."""
    players = {1: Player(1, [some_board(random) for _ in range(random.randint(1, 2))], (), 0)}
    for other in some_others(random, me=1):
        players[other.seat] = Player(other.seat, list(other.species), (), 0)
    game = Game(("player",) * 8, players, DECK, random.choice((1, 2, 3, 50)))
    game.phase = "feed"
    game.queue = [1]
    game.told = []
    return game


def silly_feeding(boards: tuple[Species, ...], watering_hole: int, others: tuple[Other, ...]) -> Feeding:
    return Silly().feed(Feed(Own(1, boards, (), 0), watering_hole, others))


def test_the_dealer_carries_out_a_single_option_exactly_as_silly_would_choose_it() -> None:
    random = Random("automatic choices")
    kinds: dict[type, int] = {}
    for _ in range(2_500 * TIMES):
        game = _about_to_feed(random)
        by_hand = game.clone()
        by_hand.told = []
        mine, others = by_hand.players[1].species, by_hand.others(1)
        if len(naive.options(mine, by_hand.watering_hole, others)) != 1:
            continue
        move = silly_feeding(mine, by_hand.watering_hole, by_hand.seen(1))
        feed(by_hand, by_hand.players[1], move, automatic=True)
        assert next_to_ask(game) == next_to_ask(by_hand)
        assert game == by_hand
        assert game.told == by_hand.told
        kinds[type(move)] = kinds.get(type(move), 0) + 1
    assert set(kinds) == {Graze, StoreFat, Attack}
    assert min(kinds.values()) > 40


def test_asked_about_a_single_option_silly_answers_exactly_that_option() -> None:
    random = Random("single options")
    kinds: dict[type, int] = {}
    for _ in range(3_000 * TIMES):
        boards = tuple(some_board(random) for _ in range(random.randint(1, 2)))
        others = tuple(some_others(random, me=1))
        hole = random.choice((1, 2, 50))
        options = feedings(boards, hole, others)
        if len(options) == 1:
            assert [silly_feeding(boards, hole, others)] == options
            kinds[type(options[0])] = kinds.get(type(options[0]), 0) + 1
        elif not options:
            assert silly_feeding(boards, hole, others) == Decline()
        else:
            assert silly_feeding(boards, hole, others) in options
    assert set(kinds) == {Graze, StoreFat, Attack}
    assert min(kinds.values()) > 20


def test_a_feeding_is_accepted_exactly_if_it_is_an_option_or_less_fat_or_to_decline() -> None:
    random = Random("feeding box")
    accepted = 0
    for number in range(4_000 * TIMES):
        boards = tuple(some_board(random) for _ in range(random.randint(0, 3)))
        others = tuple(some_others(random, me=1))
        hole = random.choice((1, 2, 3, 50))
        options = feedings(boards, hole, others)
        assert options == sorted(options, key=lambda move: (_place(boards, move), isinstance(move, Attack)))
        assert set(options) == set(naive.options(boards, hole, others))
        assert len(set(options)) == len(options)
        for move in options:
            assert refusal(move, boards, hole, others) is None
        assert refusal(Decline(), boards, hole, others) is None
        for move in _box(len(boards) + 1, others) if number % 20 == 0 else ():
            fault = refusal(move, boards, hole, others)
            assert (fault is None) == naive.legal_feeding(move, options), move
            accepted += fault is None
            assert fault is None or (fault.reason, fault.during) == (Reason.ILLEGAL, "feed")
    assert accepted > 120


def _place(boards: Sequence[object], move: Feeding) -> int:
    return len(boards) if isinstance(move, Decline) else move.board


def _box(boards: int, others: Sequence[naive.SeatLike]) -> Iterator[Feeding]:
    """Every feeding with board, seat, target and tokens up to a little above their limits."""
    for board in range(boards + 1):
        yield Graze(board)
        for tokens in range(10):
            yield StoreFat(board, tokens)
        for seat in range(10):
            for target in range(max([len(other.species) for other in others], default=0) + 1):
                yield Attack(board, seat, target)


def test_an_empty_watering_hole_leaves_no_option() -> None:
    random = Random("empty hole")
    for _ in range(200 * TIMES):
        boards = tuple(some_board(random) for _ in range(random.randint(0, 4)))
        assert feedings(boards, 0, tuple(some_others(random, me=1))) == []


def test_the_obvious_choice_is_two_options_of_ones_own() -> None:
    random = Random("obvious choices")
    found = {True: 0, False: 0}
    for _ in range(4_000 * TIMES):
        boards = tuple(some_board(random) for _ in range(random.randint(0, 3)))
        sure, hunting = prospects(list(boards))
        own = feedings(boards, 9, ())
        assert min(sure, 2) == min(len(own), 2)
        assert hunting or sure > 1 or feedings(boards, 9, tuple(some_others(random, me=1))) == own
        found[sure > 1] += 1
    assert min(found.values()) > 400


def test_a_play_is_legal_exactly_if_every_condition_of_the_rule_book_holds() -> None:
    random = Random("plays")
    flaws: dict[int | None, int] = {}
    for _ in range(5_000 * TIMES):
        boards = tuple(some_board(random) for _ in range(random.randint(1, 4)))
        # Few traits, so that they meet often: climbing, cooperation and fat-tissue.
        hand = tuple(random.sample(DECK[31:52] if random.random() < 0.5 else DECK, random.randint(4, 14)))
        draft = _any_play(random, len(boards), len(hand))
        flaw = naive.flaw(draft, boards, hand)
        if flaw == 1:
            with pytest.raises(ValueError, match=r"not from 0 to|above 3"):
                draft.built()
        else:
            made = draft.built()
            result = outcome(made, boards, hand)
            assert isinstance(result, PlayOutcome if flaw is None else Fault), (made, boards, hand, flaw)
            if isinstance(result, PlayOutcome):
                assert (result.play, result.food) == (made, hand[made.food])
                used = naive.used_cards(made)
                assert list(result.hand) == [card for number, card in enumerate(hand) if number not in used]
                after = [(board.population, board.body, board.fat_food, board.traits) for board in result.species]
                assert after == naive.boards_after(made, boards, hand)
            else:
                assert (result.reason, result.during) == (Reason.ILLEGAL, "choose")
        flaws[flaw] = flaws.get(flaw, 0) + 1
    assert set(flaws) == {None, 1, 2, 3, 4, 5, 6, 7, 8, 9}
    assert min(flaws.values()) >= 5
    assert flaws[None] > 200


def _any_play(random: Random, boards: int, cards: int) -> naive.DraftPlay:
    """A play that is legal about as often as not: numbers in range as a rule, cards once as a rule."""
    deck = random.sample(range(cards), cards)

    def card() -> int:
        if random.random() < 0.01:
            return random.choice((random.randrange(cards), cards + random.randrange(2), -1))
        return deck.pop() if deck else random.randrange(cards)

    food = card()
    budget = random.randint(0, len(deck))
    new: list[naive.DraftBoard] = []
    while budget > 1 and random.random() < 0.5:
        traits = min(random.choice((0, 1, 2, 3, 3, 4)), budget - 1)
        new.append(naive.DraftBoard(card(), tuple(card() for _ in range(traits))))
        budget -= 1 + traits
    every = boards + len(new) + (random.random() < 0.05)
    one = random.randrange(every)
    growths: dict[str, list[naive.DraftGrowth]] = {"population": [], "body": []}
    swaps: list[naive.DraftReplacement] = []
    manner = random.choice(("population", "body", "traits", "all"))
    for _ in range(budget):
        board = one if random.random() < 0.7 else random.randrange(every)
        use = random.choice(("population", "body", "traits")) if manner == "all" else manner
        if use == "traits":
            if random.random() < 0.3:
                swaps.append(naive.DraftReplacement(board, random.choice((0, 0, 0, 1, 1, 2)), card()))
        else:
            growths[use].append(naive.DraftGrowth(board, card()))
    return naive.DraftPlay(food, tuple(growths["population"]), tuple(growths["body"]), tuple(new), tuple(swaps))


@pytest.mark.parametrize("players", range(3, 9))
def test_what_a_seat_sees_depends_on_nothing_that_is_hidden_from_it(players: int) -> None:
    random = Random(f"secrets {players}")
    compared = 0
    for number in range(2 * TIMES):
        kind = ("silly and rash", "one of each manner")[number % 2]
        for game, asked in situations(kind, players, 50, f"secrets {players} {number}"):
            for _ in range(3):
                twin = _with_other_secrets(game, asked, random)
                compared += digest(twin) != digest(game)
                assert request(twin, asked) == request(game, asked)
                assert repr(request(twin, asked)) == repr(request(game, asked))
                assert repr(start(twin, asked)) == repr(start(game, asked))
                assert repr(table(twin)) == repr(table(game))
                seen, true = request(twin, asked), request(game, asked)
                if isinstance(seen, Feed) and isinstance(true, Feed):
                    assert seen.options == true.options
    assert compared > 100, "the reshuffled games are other games"


def _with_other_secrets(game: Game, seat: int, random: Random) -> Game:
    """The same game to the eyes of this seat: other hands, bags, plays and another deck below them."""
    twin = game.clone()
    others = [player for player in twin.players.values() if player.seat != seat]
    pool = [card for player in others for card in player.hand] + list(twin.deck[twin.dealt :])
    random.shuffle(pool)
    for player in others:
        player.hand, pool = tuple(pool[: len(player.hand)]), pool[len(player.hand) :]
        player.bag = random.randrange(100)
    twin.deck = tuple(random.sample(twin.deck[: twin.dealt], twin.dealt)) + tuple(pool)
    for player in others:
        if player.seat in twin.plays:
            twin.plays[player.seat] = outcome(CardPlay(0), player.species, player.hand)
    return twin


@pytest.mark.parametrize("players", [3, 8])
def test_a_choice_is_asked_about_the_same_situation_whoever_has_answered(players: int) -> None:
    for number in range(10):
        game = new_game(["player"] * players, shuffled(f"{players} {number}"), 10)
        first = {seat: request(game, seat) for seat in pending(game)}
        for seat in Random(number).sample(list(first), players - 1):
            answer(game, seat, Rash(seat).choose(_choose(game, seat)))
            assert {other: request(game, other) for other in pending(game)} == {
                other: first[other] for other in pending(game)
            }


def test_rash_sooner_or_later_does_everything() -> None:
    done: set[str] = set()
    for number in range(100 * TIMES):
        game = some_table(Random(f"everything {number}"))
        agents = cast("rash", 8, f"everything {number}")
        go_on(game)
        while game.phase != "over":
            [seat, *_] = pending(game)
            reply = ask(agents[seat - 1], request(game, seat))
            assert is_legal(request(game, seat), reply)
            done |= _deeds(game, seat, reply)
            answer(game, seat, reply)
    assert done == {
        "food alone",
        "population",
        "body",
        "population of a new board",
        "body of a new board",
        "a bare board",
        "several boards",
        "1 trait on a new board",
        "2 traits on a new board",
        "3 traits on a new board",
        "a replacement",
        "a replacement on a new board",
        "a card kept",
        "fat to the max",
        "less fat",
        "graze",
        "attack",
        "decline",
    }


def _deeds(game: Game, seat: int, reply: Reply) -> set[str]:
    """What this reply does, in words."""
    old = len(game.players[seat].species)
    match reply:
        case CardPlay(_, population, body, boards, traits):
            deeds = {"population of a new board" if growth.board >= old else "population" for growth in population}
            deeds |= {"body of a new board" if growth.board >= old else "body" for growth in body}
            deeds |= {
                f"{len(new.traits)} trait{'s' * (len(new.traits) > 1)} on a new board" if new.traits else "a bare board"
                for new in boards
            }
            deeds |= {"a replacement on a new board" if swap.board >= old else "a replacement" for swap in traits}
            if len(boards) > 1:
                deeds.add("several boards")
            if len(naive.used_cards(reply)) < len(game.players[seat].hand):
                deeds.add("a card kept")
            return deeds or {"food alone"} if deeds != {"a card kept"} else {"food alone", "a card kept"}
        case Graze():
            return {"graze"}
        case StoreFat(board, tokens):
            need = game.players[seat].species[board].fat_need
            return {"less fat" if tokens < min(need, game.watering_hole) else "fat to the max"}
        case Attack():
            return {"attack"}
        case Decline():
            return {"decline"}
    return {f"a failure: {reply}"}


def test_every_invariant_holds_from_any_table_on_in_games_that_see_everything_that_the_rules_can_do() -> None:
    told: set[str] = set()
    for number, kind in product(range(20 * GAMES), CASTS):
        with case(number, kind):
            witness = Witness.join(some_table(Random(f"sights {number} {kind}")))
            play_on(witness, cast(kind, 8, f"sights {number}"))
            assert isinstance(witness.story[-1], GameOver)
        for event, after in zip(witness.story, [*witness.story[1:], None], strict=True):
            told.add(f"{type(event).__name__} {getattr(event, 'rule', '')}".strip())
            if isinstance(event, AnimalLost) and isinstance(after, Extinct):
                told.add(f"Extinct by {event.rule}")
    assert told == {
        "TurnStarted",
        "BoardGiven start.board",
        "CardsDealt start.cards",
        "Revealed cardplay.execution",
        "Bred reveal.fertile",
        "FatMoved reveal.fat-tissue",
        "FatStored feeding.fat",
        "FatStored feeding.automatic",
        "Ate feeding.graze",
        "Ate feeding.automatic",
        "Ate attack.course",
        "Ate reveal.long-neck",
        "Ate meal.cooperation",
        "Ate meal.scavenger",
        "Attacked feeding.attack",
        "Attacked feeding.automatic",
        "AnimalLost loss.animal",
        "AnimalLost attack.horns",
        "Extinct by loss.animal",
        "Extinct by attack.horns",
        "Starved end.starvation",
        "Extinct loss.extinction",
        "Declined feeding.decline",
        "OutOfOptions feeding.no-option",
        "TurnEnded feeding.left-over",
        "Expelled",
        "GameOver game.over",
    }
