"""Recorded games as arrays."""

from io import BytesIO

import numpy as np

from wateringhole.agents.house import named
from wateringhole.cards import shuffled
from wateringhole.dealer import MAX_PLAYERS, new_game
from wateringhole.env.actions import begin, mask, step
from wateringhole.env.observations import encode
from wateringhole.env.trajectories import EXPELLED, trajectory
from wateringhole.fault import Fault
from wateringhole.moves import CardPlay
from wateringhole.rules.cardplay import outcome
from wateringhole.table import play


def test_the_steps_are_those_of_the_drafts_of_all_replies() -> None:
    agents = [named(name, "1") for name in ("greedy", "rash", "hunter", "bad:card-twice")]
    result = play(agents, shuffled("trajectory"))
    found = trajectory(result.record)
    game = new_game(result.record.names, result.record.deck)
    at = 0
    expelled = 0
    for seat, reply in result.record.replies:
        request = game.request(seat) if seat in game.pending() else None
        if request is not None and not isinstance(reply, Fault) and request.why_not(reply) is None:
            draft = begin(request)
            while draft.move is None:
                assert found.seats[at] == seat
                assert found.observations[at].tobytes() == encode(draft, MAX_PLAYERS)
                assert found.masks[at].tobytes() == mask(draft)
                draft = step(draft, int(found.actions[at]))
                at += 1
            if isinstance(reply, CardPlay):
                assert isinstance(draft.move, CardPlay)
                done = outcome(draft.move, request.me.species, request.me.hand)
                wanted = outcome(reply, request.me.species, request.me.hand)
                assert not isinstance(done, Fault)
                assert not isinstance(wanted, Fault)
                assert (done.species, done.hand, done.food) == (wanted.species, wanted.hand, wanted.food)
            else:
                assert draft.move == reply
        else:
            expelled += 1
        game.answer(seat, reply)
    assert (at, expelled) == (len(found.actions), 1)
    assert {row.seat: EXPELLED if row.score is None else row.score for row in result.ranking} == dict(
        enumerate(found.scores.tolist(), 1)
    )
    with np.load(BytesIO(found.npz())) as arrays:
        assert {name: arrays[name].tolist() for name in arrays} == {
            name: values.tolist() for name, values in found._asdict().items()
        }
