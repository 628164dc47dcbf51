"""The tutorial: positions with a task each, judged and played on by the real rules.

Laws: pure and stateless. A lesson begins from its position each time; a move that the rules forbid gets their sentence.
The other seats are played by `Silly`, so the same move always has the same end. The texts of a lesson are in the
catalogues of the page, under its name.
"""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from wateringhole.agents.silly import Silly
from wateringhole.dealer import go_on, pending, take
from wateringhole.game import Game
from wateringhole.moves import Attack, CardPlay, Graze, Move
from wateringhole.notation import position_from
from wateringhole.rules import turn
from wateringhole.table import ask
from wateringhole.view import Choose, request
from wateringhole.web.card_plan import checked, feed_request, said
from wateringhole.web.page_messages import ChooseCards, FeedBoards, MoveObjection, PlanChecked, ScoreRow, Snapshot
from wateringhole.web.room_messages import own_hand, snapshot
from wateringhole.web.score_parts import standings
from wateringhole.web.tab_messages import CheckPlan, MoveAnswer

LEARNER: Final = 1
REQUEST: Final = 1
"""The id of a lesson's only request."""

LessonTry: TypeAlias = MoveAnswer | CheckPlan
"""What the page of the tutorial sends: what it would say at a table."""


class LessonShown(Struct, frozen=True):
    """A lesson as the page shows it: its name, and what a table would send in its position."""

    name: str
    snapshot: Snapshot
    request: ChooseCards | FeedBoards


class TaskMissed(Struct, frozen=True, tag="missed"):
    """The move is legal, but not what the lesson asks for."""


class Judgement(Struct, frozen=True):
    """The answer to a try. When the task is fulfilled, `reply` is the table after it, and `ranking` is that of a game
    that is over.
    """

    reply: PlanChecked | MoveObjection | TaskMissed | Snapshot
    ranking: tuple[ScoreRow, ...] = ()


class Lesson(Struct, frozen=True):
    """A position, and whether a legal move in it fulfils the task.

    `ends` is how far the game goes on by itself once the learner has moved.
    """

    name: str
    position: str
    fulfils: Callable[[Game, Move], bool]
    ends: Literal["feeding", "turn", "game"] = "feeding"


def _gives_food(game: Game, move: Move) -> bool:
    return isinstance(move, CardPlay) and game.players[LEARNER].hand[move.food].food > 0


def _grows(game: Game, move: Move) -> bool:  # noqa: ARG001
    return isinstance(move, CardPlay) and bool(move.population or move.body)


def _adds_a_trait(game: Game, move: Move) -> bool:  # noqa: ARG001
    return isinstance(move, CardPlay) and any(new.traits for new in move.boards)


def _grazes(game: Game, move: Move) -> bool:  # noqa: ARG001
    return isinstance(move, Graze)


def _attacks(game: Game, move: Move) -> bool:  # noqa: ARG001
    return isinstance(move, Attack)


_NAMES: Final = 'names=["Ann","Ida","Otto"]'
_CHOSEN: Final = 'plays=[[2,"play:0"],[3,"play:0"]]'

LESSONS: Final = (
    Lesson(
        "food",
        "turn=1 phase=choose hole=0 deck=fe1,sc2,am0,wa1 feeds= 1=0;2/0/0,1/0/0;lo3,he-1,bu2,ca-2 "
        f"2=0;2/1/0.ho;cl1,fo0,sy1 3=0;2/0/0;co1,ha0,pa1 {_NAMES} {_CHOSEN}",
        _gives_food,
    ),
    Lesson(
        "grow",
        "turn=2 phase=choose hole=1 deck=fe1,sc2,am0,wa1 feeds= 1=3;2/0/0,1/1/0;bu2,he1,ca-2,co0 "
        f"2=2;2/1/0.ho;cl1,fo0,sy1 3=2;2/0/0;lo1,ha0,pa1 {_NAMES} {_CHOSEN}",
        _grows,
    ),
    Lesson(
        "trait",
        "turn=3 phase=choose hole=2 deck=fe1,sc2,am0,wa1 feeds= 1=5;3/0/0;bu2,he-1,lo1,ca-2,cl0 "
        f"2=4;2/1/0.ho;fo1,pa0,sy1 3=3;2/0/0;co1,ha0,fe2 {_NAMES} {_CHOSEN}",
        _adds_a_trait,
    ),
    Lesson(
        "graze",
        "turn=3 phase=feed hole=9 deck=fe1,sc2,am0,wa1 feeds=1,2,3 1=5;3/0/1,2/1/0.lo;bu2,he-1 "
        f"2=4;3/1/0.ho;fo1 3=3;3/0/0;co1 {_NAMES}",
        _grazes,
    ),
    Lesson(
        "attack",
        "turn=4 phase=feed hole=6 deck=fe1,sc2,am0,wa1 feeds=1,2,3 1=7;3/3/0.ca,2/1/1.lo;bu2,he-1 "
        f"2=6;2/1/0;fo1 3=5;3/0/1;co1 {_NAMES}",
        _attacks,
    ),
    Lesson(
        "defence",
        "turn=5 phase=feed hole=4 deck=fe1,sc2,am0,wa1 feeds=1,2,3 1=9;2/3/0.ca,2/1/1.lo;bu2,he-1 "
        f"2=8;3/1/1.cl;fo1 3=7;3/2/1.he,2/0/0;co1 {_NAMES}",
        _attacks,
    ),
    Lesson(
        "starve",
        "turn=6 phase=feed hole=1 deck=fe1,sc2,am0,wa1 feeds=1,2,3 1=9;3/1/2.lo,2/0/0;bu2 "
        f"2=8;2/1/2.cl;fo1 3=7;2/2/2.he;co1 {_NAMES}",
        _grazes,
        "turn",
    ),
    Lesson(
        "score",
        "turn=7 phase=feed hole=1 deck= feeds=1,2,3 1=12;3/1/2.lo.fo,2/1/1.cl;bu2 "
        f"2=11;3/1/3.cl;fo1 3=9;2/2/2.he;co1 {_NAMES}",
        _grazes,
        "game",
    ),
)


def lesson_shown(lesson: Lesson) -> LessonShown:
    """The lesson before the first try."""
    game = position_from(lesson.position)
    question = request(game, LEARNER)
    asked = (
        ChooseCards(REQUEST, None, 0.0) if isinstance(question, Choose) else feed_request(question, REQUEST, None, 0.0)
    )
    return LessonShown(lesson.name, snapshot(game, own_hand(game, LEARNER), ()), asked)


def judged(lesson: Lesson, tried: LessonTry) -> Judgement:
    """What the rules, and then the lesson, say to this try."""
    game = position_from(lesson.position)
    question = request(game, LEARNER)
    if isinstance(tried, CheckPlan):
        if not isinstance(question, Choose):
            return Judgement(MoveObjection(REQUEST, "", "Only a card play can be checked as a plan."))
        return Judgement(checked(question, tried.plan, tried.card, tried.ref))
    move = tried.answer.value
    fault = question.why_not(move)
    if fault is not None:
        return Judgement(MoveObjection(REQUEST, fault.rule, said(fault)))
    if not lesson.fulfils(game, move):
        return Judgement(TaskMissed())
    return _played(lesson, game, move)


def _played(lesson: Lesson, game: Game, move: Move) -> Judgement:
    """The position after this move, as far as the lesson goes."""
    game.told = []
    take(game, game.players[LEARNER], move)
    while game.phase == "feed" and (asked := pending(game)[0]) != LEARNER:
        take(game, game.players[asked], ask(Silly(), request(game, asked)))
    if lesson.ends == "turn":
        turn.end(game)
    elif lesson.ends == "game":
        go_on(game)
    after = snapshot(game, own_hand(game, LEARNER), game.hear())
    return Judgement(after, standings(game) if game.phase == "over" else ())
