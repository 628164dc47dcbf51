"""A finished game as the replay in the browser gets it: the deck, and step by step the reply and the events.

Laws: everything is read off the engine, no rule is worked out here. A replay has the deck and every reply, so its page
can show each hand and each bag: it is for games that are over. docs/page.schema.json and static/shared/messages.js have
these types, too.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from wateringhole.dealer import pending
from wateringhole.events import Event
from wateringhole.fair import objection, sealed, seed
from wateringhole.game import Game
from wateringhole.move_json import ReplyJson
from wateringhole.record import Record, replay, walk
from wateringhole.web.page_messages import ScoreRow, TurnEnd
from wateringhole.web.score_parts import standings, turn_end
from wateringhole.wire.native_messages import Face, faces_of


class ReplayReply(Struct, frozen=True, omit_defaults=True):
    """What a seat answered, and in its own words why, if it said so."""

    seat: int
    move: ReplyJson
    why: str = ""


class ReplayStep(Struct, frozen=True):
    """One reply, its events, and the seats that must answer next. The first step has no reply: the game begins."""

    reply: ReplayReply | None
    events: tuple[Event, ...]
    asked: tuple[int, ...]


class FairDeal(Struct, frozen=True):
    """What was shown of the deck's seed before and after the game, and what is wrong with it, if anything is."""

    sealed: str | None
    seed: str | None
    objection: str | None


class Replay(Struct, frozen=True):
    """A whole game, and who played it; `watering_hole` and `deck`, top first, are those before the first step."""

    id: str
    title: str
    names: tuple[str, ...]
    identities: tuple[str, ...]
    watering_hole: int
    deck: tuple[Face, ...]
    steps: tuple[ReplayStep, ...]
    ranking: tuple[ScoreRow, ...]
    turns: tuple[TurnEnd, ...]
    fair: FairDeal


def replay_of(record: Record, game: str, title: str = "", identities: Sequence[str] = ()) -> Replay:
    """The whole game under this id: step 0 is its start, step i what reply i led to."""
    state = replay(record, steps=0, listen=True)
    whys = {(note["seat"], note["reply"]): str(note["why"]) for note in record.notes if "why" in note}
    answered: Counter[int] = Counter()
    steps = [_step(state, None)]
    turns = []
    for seat, reply in record.replies:
        turns += [turn_end(moment) for moment in walk(state, [(seat, reply)]) if moment.phase == "turn over"]
        answered[seat] += 1
        steps.append(_step(state, ReplayReply(seat, ReplyJson(reply), whys.get((seat, answered[seat]), ""))))
    return Replay(
        game,
        title,
        record.names,
        tuple(identities),
        record.watering_hole,
        faces_of(record.deck),
        tuple(steps),
        standings(state),
        tuple(turns),
        FairDeal(sealed(record), seed(record), objection(record)),
    )


def _step(game: Game, reply: ReplayReply | None) -> ReplayStep:
    return ReplayStep(reply, tuple(game.hear()), tuple(pending(game)))
