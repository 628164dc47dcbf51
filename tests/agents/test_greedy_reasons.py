"""The reasons of a hint: what each says comes true when the move is made, and every kind of reason occurs."""

from typing import get_args

from tests.cases import case
from tests.scenario import board, feeding_game
from wateringhole.agents import Agent
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.greedy_reasons import (
    AttacksCostMore,
    BestTraits,
    BoardsBringCards,
    EatsMost,
    EatsTokens,
    HasBegun,
    HunterDiesOut,
    HunterLosesAnimal,
    HunterLosesNothing,
    MostFood,
    MoveReason,
    NoMealLeft,
    PreyDiesOut,
    PreyLosesAnimal,
    SpareAnimals,
    TraitSpared,
    reasons,
)
from wateringhole.agents.silly import Silly
from wateringhole.agents.styles import Hunter, Shepherd
from wateringhole.cards import shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.events import AnimalLost, Ate, Event, Extinct
from wateringhole.game import Game
from wateringhole.moves import Attack, CardPlay, Graze, Move
from wateringhole.species import Species
from wateringhole.table import ask
from wateringhole.view import Feed, Request, request

GAMES = 40
RICH = 30
"""Tokens at the start, so that there is much to feed."""


def asked(agents: list[Agent], seed: int) -> list[tuple[Game, int, Request, Move]]:
    """Every request of a rich game with the move that its seat made, and the game before it."""
    game = new_game([f"player {at}" for at in range(len(agents))], shuffled(f"reasons {seed}"), RICH)
    found = []
    while seats := pending(game):
        seat = seats[0]
        question = request(game, seat)
        move = ask(agents[seat - 1], question)
        assert not hasattr(move, "text"), move
        found.append((game.clone(), seat, question, move))
        answer(game, seat, move)
    return found


def step(game: Game, seat: int, move: Move) -> list[Event]:
    """What a listener hears until the next request, when this move is made."""
    game.told = []
    return list(answer(game, seat, move))


def test_what_a_reason_says_is_what_the_move_does() -> None:
    seen: set[type] = set()
    for seed in range(GAMES):
        agents: list[Agent] = [Greedy(), Hunter(), Hunter(), Shepherd()]
        for game, seat, question, move in asked(agents, seed):
            why = reasons(agents[seat - 1], question, move)
            seen |= {type(reason) for reason in why}
            with case(seed, seat, move, why):
                assert why
                for reason in why:
                    if isinstance(move, CardPlay):
                        assert true_of_play(reason, question, move)
                    else:
                        assert isinstance(question, Feed)
                        assert true_of_feeding(reason, question, move, step(game.clone(), seat, move))
    rare = {AttacksCostMore, HunterDiesOut, HunterLosesAnimal, NoMealLeft}
    assert set(get_args(MoveReason)) - rare <= seen


def true_of_play(reason: MoveReason, question: Request, play: CardPlay) -> bool:
    hand = question.me.hand
    most = max(card.food for card in hand)
    match reason:
        case MostFood(card, food):
            return card == play.food and food == hand[card].food == most
        case TraitSpared(card, food, trait):
            better = [one for one in hand if one.food > food and one.trait == trait]
            return card == play.food and food == hand[card].food < most and bool(better)
        case BoardsBringCards(boards):
            return boards == len(play.boards) > 0
        case BestTraits(traits):
            return traits == tuple(hand[card].trait for board in play.boards for card in board.traits) != ()
        case SpareAnimals(animals):
            return animals == len(play.population) > 0
    return False


def true_of_feeding(reason: MoveReason, question: Feed, move: Move, told: list[Event]) -> bool:
    """Whether the events after a feeding say the same as this reason of it."""
    me = question.me
    meals = [option for option in question.options if isinstance(option, Graze | Attack)]
    if not isinstance(move, Graze | Attack):
        return isinstance(reason, AttacksCostMore if meals else NoMealLeft)
    first = next((event for event in told if isinstance(event, Ate)), None)
    others = [me.species[meal.board] for meal in meals if meal.board != move.board]
    lost = [(event.seat, event.board) for event in told[:4] if isinstance(event, AnimalLost)]
    gone = [event.seat for event in told[:6] if isinstance(event, Extinct)]
    match reason:
        case EatsTokens(tokens) | EatsMost(tokens):
            assert first is not None
            return (first.seat, first.board, first.tokens) == (me.seat, move.board, tokens)
        case HasBegun():
            return me.species[move.board].food > 0 and any(other.food == 0 for other in others)
        case PreyLosesAnimal() if isinstance(move, Attack):
            return (move.seat, move.target) in lost and move.seat not in gone[:1]
        case PreyDiesOut() if isinstance(move, Attack):
            return gone[:1] == [move.seat]
        case HunterLosesNothing():
            return (me.seat, move.board) not in lost[1:]
        case HunterLosesAnimal() | HunterDiesOut():
            return (me.seat, move.board) in lost[1:]
    return False


def test_rare_reasons_of_a_feeding() -> None:
    hunter, horned = board("carnivore", population=3), board("horns", population=2)
    last = board("carnivore", "fat-tissue", body=2)
    fat = board("fat-tissue", body=2, food=1)
    rows: list[tuple[list[Species], list[Species], tuple[type, ...]]] = [
        ([hunter], [horned, horned], (EatsTokens, PreyLosesAnimal, HunterLosesAnimal)),
        ([hunter], [board("horns"), horned], (EatsTokens, PreyDiesOut, HunterLosesAnimal)),
        ([board("carnivore")], [horned, horned], (PreyLosesAnimal, HunterDiesOut)),
        ([last], [horned], (AttacksCostMore,)),
        ([fat, fat], [board()], (NoMealLeft,)),
    ]
    for mine, theirs, kinds in rows:
        with case(mine, theirs):
            game = feeding_game(mine, theirs, [], watering_hole=5)
            question = request(game, 1)
            assert isinstance(question, Feed)
            move = Greedy().feed(question)
            why = reasons(Greedy(), question, move)
            assert tuple(type(reason) for reason in why) == kinds
            told = step(game.clone(), 1, move)
            assert all(true_of_feeding(reason, question, move, told) for reason in why)


def test_an_agent_that_weighs_in_another_way_gives_no_reasons() -> None:
    [(_, _, question, move), *_] = asked([Silly(), Silly(), Silly()], 1)
    assert reasons(Silly(), question, move) == ()
