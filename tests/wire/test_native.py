"""The native dialect: what is said, what is taken for an answer, and what a client that comes back hears."""

import json
from collections.abc import Callable

import pytest

from tests.cases import case
from tests.scenario import board, feeding_game
from wateringhole import rulebook
from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import DECK, card, shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.move_json import FeedingJson, written
from wateringhole.moves import CardPlay, Graze, Move, Reply
from wateringhole.record import Record
from wateringhole.table import ask, play
from wateringhole.view import Request, choices, request, start
from wateringhole.wire.dialect import Ask, hold, talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError
from wateringhole.wire.native import Native
from wateringhole.wire.native_messages import (
    VERSION,
    ChooseAsked,
    FeedAsked,
    Out,
    Over,
    Refused,
    Story,
    Turn,
    Welcome,
    server_message_in,
    sign_up_in,
    value_of,
)


def across_a_wire(value: Json) -> Json:
    """The value as it arrives at the other end."""
    arrived: Json = json.loads(json.dumps(value))
    return arrived


def answered(native: Native, asked: Request, answer_to: Callable[[int], Json]) -> Reply:
    """What the dealer hears when a client answers the request of this id like that."""

    def reply(question: Ask) -> Json:
        message = server_message_in(across_a_wire(question.value))
        assert isinstance(message, ChooseAsked | FeedAsked)
        return across_a_wire(answer_to(message.id))

    return hold(talk(native, asked), asked, reply)


def spoken(move: Move) -> Json:
    return written(move)


CHOOSING = request(new_game(["A", "B", "C"], DECK), 1)
FEEDING = request(feeding_game([board(), board()], [board()], [], watering_hole=3), 1)


def test_an_answer_with_the_id_of_its_request_is_a_move() -> None:
    native = Native()
    assert answered(native, CHOOSING, lambda id_: {"id": id_, "answer": {"move": "play", "food": 0}}) == CardPlay(0)
    assert answered(native, FEEDING, lambda id_: {"id": id_, "answer": {"move": "graze", "board": 1}}) == Graze(1)


@pytest.mark.parametrize("off", [-1, 1, 100])
def test_an_answer_to_another_request_is_unsolicited(off: int) -> None:
    native = Native()
    reply = answered(native, FEEDING, lambda id_: {"id": id_ + off, "answer": {"move": "graze", "board": 1}})
    assert isinstance(reply, Fault)
    assert (reply.reason, reply.rule, reply.during) == (Reason.UNSOLICITED, rulebook.EXPULSION, "feed")


BAD_ANSWERS: dict[str, Json] = {
    "no object": [0],
    "no id": {"answer": {"move": "decline"}},
    "no answer": {"id": 1},
    "true for 1": {"id": True, "answer": {"move": "decline"}},
    "a float": {"id": 1, "answer": {"move": "graze", "board": 1.0}},
    "a negative board": {"id": 1, "answer": {"move": "graze", "board": -1}},
    "a huge board": {"id": 1, "answer": {"move": "graze", "board": 2**31}},
    "true for a board": {"id": 1, "answer": {"move": "graze", "board": True}},
    "no such move": {"id": 1, "answer": {"move": "sleep"}},
    "an extra word": {"id": 1, "answer": {"move": "graze", "board": 1, "please": 1}},
    "an extra word outside": {"id": 1, "answer": {"move": "graze", "board": 1}, "n": 1},
    "four traits": {"id": 1, "answer": {"move": "play", "food": 0, "boards": [{"pay": 1, "traits": [2, 3, 4, 5]}]}},
    "a fault": {"id": 1, "answer": {"move": "fault", "reason": "timeout", "text": "me"}},
}


def always(value: Json) -> Callable[[int], Json]:
    return lambda _: value


def test_what_is_no_answer_is_a_wrong_shape() -> None:
    for name, value in BAD_ANSWERS.items():
        with case(name):
            reply = answered(Native(), FEEDING, always(value))
            assert isinstance(reply, Fault)
            assert (reply.reason, reply.rule) == (Reason.SHAPE, rulebook.OPTIONS)


def test_a_request_tells_the_time_the_options_and_what_the_seat_may_know() -> None:
    native = Native()
    native.allow(7.5, None)
    message = server_message_in(across_a_wire(next(native.feed(FEEDING)).value))  # type: ignore[arg-type]
    assert isinstance(message, FeedAsked)
    assert (message.id, message.seconds, message.watering_hole) == (1, 7.5, 3)
    assert message.options == (FeedingJson(Graze(0)), FeedingJson(Graze(1)))
    assert [them.seat for them in message.others] == [2, 3]


def test_messages_are_numbered_from_1_on() -> None:
    native = Native()
    game = new_game(["A", "B", "C"], DECK, listen=True)
    said = [*native.welcome(1), *native.story(game.hear()), *native.start(start(game, 1))]
    said.append(next(native.choose(CHOOSING)).value)  # type: ignore[arg-type]
    assert [message["n"] for message in said if isinstance(message, dict)] == [1, 2, 3, 4]
    kinds = [type(server_message_in(across_a_wire(message))) for message in said]
    assert kinds == [Welcome, Story, Turn, ChooseAsked]


def test_a_client_that_comes_back_hears_all_it_missed_and_gets_a_new_token() -> None:
    native = Native()
    game = new_game(["A", "B", "C"], DECK)
    [welcome] = native.welcome(1)
    turns = [native.start(start(game, 1))[0] for _ in range(3)]
    first = native.token
    back = native.welcome_back(since=2)
    assert isinstance(welcome, dict)
    assert welcome["token"] == first != native.token
    assert back[1:] == turns[1:]
    assert back[0] == {"type": "welcome", "version": VERSION, "token": native.token, "answered": 0}


def test_who_comes_back_learns_which_request_is_open_and_how_much_time_is_left_for_it() -> None:
    native = Native()
    native.allow(12.0, 12.0)
    game = new_game(["A", "B", "C"], DECK)
    native.welcome(1)
    conversation = talk(native, request(game, 1))
    asked = next(conversation).value
    assert isinstance(asked, dict)
    assert (asked["seconds"], asked["bank"]) == (12.0, 12.0)
    assert native.welcome_back(since=1, left=7.5) == [
        {"type": "welcome", "version": VERSION, "token": native.token, "answered": 0},
        asked | {"seconds": 7.5},
    ]
    with pytest.raises(StopIteration):
        conversation.send({"id": 1, "answer": written(Silly().choose(choices(game)[0]))})
    assert native.welcome_back(since=1, left=7.5) == [
        {"type": "welcome", "version": VERSION, "token": native.token, "answered": 1},
        asked,
    ]


def test_who_is_expelled_is_told_why_and_who_stays_how_it_ended() -> None:
    native = Native()
    [out] = native.expelled(
        Fault(Reason.ILLEGAL, "plays card 9, counted from 0, but holds only 6", rulebook.PLAY_CARDS)
    )
    assert server_message_in(across_a_wire(out)) == Out(
        Reason.ILLEGAL, "plays card 9, counted from 0, but holds only 6", "cardplay.cards"
    )
    result = play([Silly(), Silly(), Silly()], shuffled(3))
    [over] = native.over(1, result)
    message = server_message_in(across_a_wire(over))
    assert isinstance(message, Over)
    assert message.ranking == result.ranking
    whole = message.game
    replies = tuple((seat, reply.value) for seat, reply in whole.replies)
    assert Record(whole.names, tuple(card(*face) for face in whole.deck), replies) == result.record


def test_a_sign_up_may_name_a_dialect_a_token_and_where_it_left() -> None:
    hello = sign_up_in({"wateringhole": 1, "name": "Ann", "dialect": "tagged"})
    assert (hello.name, hello.dialect, hello.token, hello.since) == ("Ann", "tagged", "", 0)
    back = sign_up_in({"wateringhole": 1, "token": "t", "since": 4})
    assert (back.token, back.since, back.dialect) == ("t", 4, "native")


@pytest.mark.parametrize(
    "value", [{}, {"wateringhole": "1"}, {"wateringhole": True}, {"wateringhole": 1, "since": -1}, []]
)
def test_what_is_no_sign_up_is_refused(value: Json) -> None:
    with pytest.raises(ShapeError, match="is no sign-up"):
        sign_up_in(value)


def test_a_refusal_names_the_versions_that_are_spoken() -> None:
    assert across_a_wire(value_of(Refused("version 9 is not spoken here"))) == {
        "type": "refused",
        "text": "version 9 is not spoken here",
        "versions": [VERSION],
    }


def played(game: Game, agents: list[Agent]) -> Record:
    """A game in which every seat is asked across a wire in the native dialect."""
    natives = {seat: Native() for seat in game.players}
    deck, names = game.deck, game.names
    replies: list[tuple[int, Reply]] = []
    while seats := pending(game):
        for seat, asked in [(seat, request(game, seat)) for seat in seats]:
            move = ask(agents[seat - 1], asked)
            assert not isinstance(move, Fault)
            told = spoken(move)
            reply = answered(natives[seat], asked, lambda id_, told=told: {"id": id_, "answer": told})  # type: ignore[misc]
            replies.append((seat, reply))
            answer(game, seat, reply)
    return Record(names, deck, tuple(replies))


@pytest.mark.parametrize("players", range(3, 9))
def test_a_game_across_wires_has_the_same_record(players: int) -> None:
    names = [f"player {seat}" for seat in range(1, players + 1)]

    def agents() -> list[Agent]:
        return [Silly() if seat % 2 else Rash(seat) for seat in range(players)]

    local = play(agents(), shuffled(players), names)
    assert played(new_game(names, shuffled(players)), agents()) == local.record


def test_every_event_survives_the_wire() -> None:
    told = set()
    for seed in range(12):
        game = new_game(["A", "B", "C"], shuffled(seed), watering_hole=seed * 5, listen=True)
        agents = [Rash(f"{seed}:{seat}") for seat in range(3)]
        while seats := pending(game):
            reply: Reply = ask(agents[seats[0] - 1], request(game, seats[0]))
            if seed == 11 and game.turn == 2:
                reply = Fault(Reason.TIMEOUT, "is silent for 5.0 s", during="choose")
            events = answer(game, seats[0], reply)
            message = server_message_in(across_a_wire(value_of(Story(tuple(events)))))
            assert message == Story(tuple(events))
            told |= {type(event).__name__ for event in events}
    assert {"Revealed", "Expelled", "GameOver", "Attacked", "Extinct", "FatStored", "Ate"} <= told
