"""The methods of a game, and the strict table."""

import pytest

from wateringhole import (
    Game,
    Greedy,
    Hunter,
    Sage,
    Shepherd,
    Silly,
    answer,
    new_game,
    pending,
    play,
    ranking,
    request,
    shuffled,
)
from wateringhole.moves import CardPlay, Feeding
from wateringhole.view import Choose, Feed


def began() -> Game:
    return new_game(["Ann", "Bob", "Cem"], shuffled(7), listen=True)


def test_the_methods_of_a_game_do_what_the_functions_do() -> None:
    one, other = began(), began()
    while seats := one.pending():
        assert seats == pending(other)
        asked = one.request(seats[0])
        assert asked == request(other, seats[0])
        move = Silly().choose(asked) if isinstance(asked, Choose) else Silly().feed(asked)
        assert one.answer(seats[0], move) == answer(other, seats[0], move)
        assert one.ranking() == ranking(other)
    assert one.phase == "over"


def test_a_game_says_where_it_stands() -> None:
    game = began()
    assert repr(game) == "<Game of 3: turn 1, choose, Ann, Bob, Cem, 110 cards left>"
    game.answer(2, Silly().choose(game.request(2)))  # type: ignore[arg-type]
    assert repr(game) == "<Game of 3: turn 1, choose, Ann, Cem, 110 cards left>"


def test_the_house_bots_are_at_the_front_door() -> None:
    result = play([Greedy(), Hunter(), Shepherd(), Sage("7", iterations=2)], shuffled(7))
    assert [row.fault for row in result.ranking] == [None] * 4


class ForgetfulError(Exception):
    pass


class Forgetful(Silly):
    """Raises at one of the calls."""

    def __init__(self, at: str) -> None:
        self.at = at

    def start(self, request: object) -> None:  # noqa: ARG002
        self._maybe("start")

    def choose(self, request: Choose) -> CardPlay:
        self._maybe("choose")
        return super().choose(request)

    def feed(self, request: Feed) -> Feeding:
        self._maybe("feed")
        return super().feed(request)

    def over(self, result: object) -> None:  # noqa: ARG002
        self._maybe("over")

    def _maybe(self, at: str) -> None:
        if at == self.at:
            raise ForgetfulError(at)


def test_a_strict_table_raises_what_an_agent_raises_with_its_traceback() -> None:
    for at in ("start", "choose", "feed", "over"):
        with pytest.raises(ForgetfulError, match=at) as raised:
            play([Silly(), Silly(), Forgetful(at)], shuffled(1), strict=True)
        assert raised.traceback[-1].name == "_maybe"
        rows = play([Silly(), Silly(), Forgetful(at)], shuffled(1)).ranking
        assert [row.seat for row in rows if row.fault is not None] == ([] if at == "over" else [3])
