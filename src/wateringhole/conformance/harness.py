"""The five test harnesses: one JSON value in, one out.

Laws: seats are positions; the ids that came in are only printed back. Bad input is a ShapeError.
"""

from collections.abc import Callable, Iterator
from typing import Final

from wateringhole import rulebook
from wateringhole.agents.silly import MIN_CARDS, Silly, card_play
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
from wateringhole.wire.json_codec import (
    ShapeError,
    action4_in,
    action4_out,
    boards_in,
    card_in,
    card_out,
    each,
    feeding_out,
    items,
    natural,
    player_in,
    player_out,
    species_in,
)


def xattack(value: Json) -> Json:
    """`[defender, attacker, left or false, right or false]`: may it attack?"""
    defender, attacker, left, right = items(value, "a situation", 4, 4)
    defended = species_in(defender)
    return (
        blocked_by(
            species_in(attacker),
            defended,
            None if left is False else species_in(left),
            None if right is False else species_in(right),
        )
        is None
    )


def xfeed(value: Json) -> Json:
    """`[player, watering hole, [other player, ...]]`: what does the silly player feed?"""
    asked = feed_request(value)
    return feeding_out(Silly().feed(asked), [other.seat for other in asked.others])


def feed_request(value: Json) -> Feed:
    """What `xfeed` asks the silly player; the others sit on the seats from 1 on."""
    feeder, tokens, rest = items(value, "a situation", 3, 3)
    _, me = player_in(feeder, 0)
    watering_hole = natural(tokens, "the watering hole", least=1)
    others = [player_in(item, seat)[1].seen() for seat, item in enumerate(items(rest, "the other players"), 1)]
    return Feed(Own(me.seat, me.species, me.hand, me.bag), watering_hole, tuple(others))


def xsilly(value: Json) -> Json:
    """`[player, [boards, ...] before, [boards, ...] after]`: which cards does the silly player play?"""
    chooser, before, after = items(value, "a situation", 3, 3)
    _, me = player_in(chooser, 0)
    each(before, "the players before", boards_in)
    each(after, "the players after", boards_in)
    if len(me.hand) < MIN_CARDS:
        raise ShapeError(f"the player holds {len(me.hand)} cards, below {MIN_CARDS}")
    return action4_out(card_play(me.species, me.hand), tagged=True)


def xstep(value: Json) -> Json:
    """A configuration after one feeding step of its first player, with silly players."""
    return configuration_out(*fed_once(value))


def fed_once(value: Json, listen: bool = False) -> tuple[list[int], Game]:
    """The players' ids and the game after what `xstep` does. With `listen` it tells what happened."""
    ids, game = configuration_in(value)
    if listen:
        game.told = []
    open_feeding(game)
    move = _silly_feeding(game, 1)
    if game.watering_hole and not isinstance(move, Decline):
        feed(game, game.players[1], move)
    return ids, game


def xstep4(value: Json) -> Json:
    """`[configuration, [card play, ...]]`: the configuration after the turn's cards and feeding, with silly players."""
    return configuration_out(*played_turn(value))


def played_turn(value: Json, listen: bool = False) -> tuple[list[int], Game]:
    """The players' ids and the game after what `xstep4` does. With `listen` it tells what happened."""
    situation, plays = items(value, "a situation", 2, 2)
    ids, game = configuration_in(situation)
    if listen:
        game.told = []
    feeder = None
    for seat, play in enumerate(items(plays, "the list of card plays", len(ids), len(ids)), 1):
        feeder = take(game, game.players[seat], _play_in(play))
    while feeder is not None:
        feeder = take(game, feeder, _silly_feeding(game, feeder.seat))
    return ids, game


def _silly_feeding(game: Game, seat: int) -> Feeding:
    asked = request(game, seat)
    assert isinstance(asked, Feed)
    return Silly().feed(asked)


def _play_in(value: Json) -> CardPlay | Fault:
    try:
        return action4_in(value)
    except ShapeError as error:
        return Fault(Reason.SHAPE, f"answers badly: {error}", rulebook.PLAY_SHAPE, "choose")


def configuration_in(value: Json) -> tuple[list[int], Game]:
    """The players' ids and a game in which they may choose; seats are the positions in the list."""
    listed, tokens, cards = items(value, "a configuration", 3, 3)
    numbered = [player_in(item, seat) for seat, item in enumerate(items(listed, "the list of players", 1), 1)]
    watering_hole = natural(tokens, "the watering hole")
    deck = tuple(each(cards, "the deck", card_in))
    ids = [number for number, _ in numbered]
    game = Game(
        tuple([f"player {number}" for number in ids]),
        {player.seat: player for _, player in numbered},
        deck,
        watering_hole,
    )
    game.phase = "choose"
    return ids, game


def configuration_out(ids: list[int], game: Game) -> Json:
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


HARNESSES: Final[dict[str, Callable[[Json], Json]]] = {
    "xattack": xattack,
    "xfeed": xfeed,
    "xsilly": xsilly,
    "xstep": xstep,
    "xstep4": xstep4,
}
