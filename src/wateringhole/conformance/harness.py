"""The five test harnesses: a situation in, one JSON value out.

Laws: seats are positions; the ids that came in are only printed back. Bad input is a ShapeError of `situation_in`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from wateringhole import rulebook
from wateringhole.agents.silly import Silly, card_play
from wateringhole.conformance.situations import Misshapen, Side, Situation, situation_in
from wateringhole.dealer import new_game, take
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import CardPlay, Decline, Feeding
from wateringhole.record import Record, walk
from wateringhole.rules.attack import blocked_by
from wateringhole.rules.feeding import feed
from wateringhole.rules.turn import open_feeding, ranking
from wateringhole.view import Feed, Own, request
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import action4_out, card_out, feeding_out, player_out


def xattack(situation: Situation) -> Json:
    """`[defender, attacker, left or false, right or false]`: may it attack?"""
    attacker, row, at = situation.sides[0].boards[0], situation.sides[1].boards, situation.at
    left, right = row[at - 1] if at else None, row[at + 1] if at + 1 < len(row) else None
    return blocked_by(attacker, row[at], left, right) is None


def xfeed(situation: Situation) -> Json:
    """`[player, watering hole, [other player, ...]]`: what does the silly player feed?"""
    asked = feed_request(situation)
    return feeding_out(Silly().feed(asked), [other.seat for other in asked.others])


def feed_request(situation: Situation) -> Feed:
    """What `xfeed` asks the silly player; the others sit on the seats from 1 on."""
    me, *others = [side.player(seat) for seat, side in enumerate(situation.sides)]
    own = Own(me.seat, me.species, me.hand, me.bag)
    return Feed(own, situation.watering_hole, tuple([other.seen() for other in others]))


def xsilly(situation: Situation) -> Json:
    """`[player, [boards, ...] before, [boards, ...] after]`: which cards does the silly player play?"""
    chooser = situation.sides[0]
    return action4_out(card_play(chooser.boards, chooser.hand), tagged=True)


def xstep(situation: Situation) -> Json:
    """A configuration after one feeding step of its first player, with silly players."""
    return configuration_out(_ids(situation), fed_once(situation))


def fed_once(situation: Situation, listen: bool = False) -> Game:
    """The game after what `xstep` does. With `listen` it tells what happened."""
    game = configured_game(situation)
    if listen:
        game.told = []
    open_feeding(game)
    move = _silly_feeding(game, 1)
    if game.watering_hole and not isinstance(move, Decline):
        feed(game, game.players[1], move)
    return game


def xstep4(situation: Situation) -> Json:
    """`[configuration, [card play, ...]]`: the configuration after the turn's cards and feeding, with silly players."""
    return configuration_out(_ids(situation), played_turn(situation))


def played_turn(situation: Situation, listen: bool = False) -> Game:
    """The game after what `xstep4` does. With `listen` it tells what happened."""
    game = configured_game(situation)
    if listen:
        game.told = []
    feeder = None
    for seat, side in enumerate(situation.sides, 1):
        feeder = take(game, game.players[seat], _reply(side))
    while feeder is not None:
        feeder = take(game, feeder, _silly_feeding(game, feeder.seat))
    return game


def _silly_feeding(game: Game, seat: int) -> Feeding:
    asked = request(game, seat)
    assert isinstance(asked, Feed)
    return Silly().feed(asked)


def _reply(side: Side) -> CardPlay | Fault:
    assert side.play is not None
    if isinstance(side.play, Misshapen):
        return Fault(Reason.SHAPE, f"answers badly: {side.play.why}", rulebook.PLAY_SHAPE, "choose")
    return side.play


def configured_game(situation: Situation) -> Game:
    """A game in which the players of this configuration may choose; seats are their positions in it."""
    game = Game(
        tuple([f"player {side.number}" for side in situation.sides]),
        {seat: side.player(seat) for seat, side in enumerate(situation.sides, 1)},
        situation.deck,
        situation.watering_hole,
    )
    game.phase = "choose"
    return game


def _ids(situation: Situation) -> list[int]:
    return [side.number for side in situation.sides]


def configuration_out(ids: Sequence[int], game: Game) -> Json:
    """The game as a configuration, its players in turn order under their own ids."""
    players = [player_out(ids[player.seat - 1], player) for player in game.players.values()]
    return [players, game.watering_hole, [card_out(held) for held in game.deck[game.dealt :]]]


def trace(record: Record, steps: int | None = None) -> Iterator[Json]:
    """A configuration for each turn, at its end, in that turn's order; then the scores, the best first."""
    game = new_game(record.names, record.deck, record.watering_hole)
    ids = list(game.players)
    for moment in walk(game, record.replies[:steps]):
        if moment.phase == "turn over":
            yield configuration_out(ids, moment)
    yield {"scores": [[row.seat, row.score] for row in ranking(game) if row.score is not None]}


HARNESSES: Final[dict[str, Callable[[Situation], Json]]] = {
    "xattack": xattack,
    "xfeed": xfeed,
    "xsilly": xsilly,
    "xstep": xstep,
    "xstep4": xstep4,
}


def run_harness(harness: str, value: Json) -> Json:
    """What our harness of this name prints for a JSON value; ShapeError if it refuses the value."""
    return HARNESSES[harness](situation_in(harness, value))
