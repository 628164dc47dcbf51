"""The dealer: asks, checks, and moves the game on.

Laws: no IO, no clock, no randomness. Only this module expels a player. What an agent did wrong arrives as a Fault; what
the caller does wrong (a seat that was not asked, a finished game) is a ValueError.
"""

from collections.abc import Sequence
from typing import Final

from wateringhole.cards import Card
from wateringhole.events import Event, Expelled, GameOver
from wateringhole.game import Game, Phase
from wateringhole.moves import CardPlay, Fault, Reason, Reply
from wateringhole.player import Player
from wateringhole.rulebook import Rule
from wateringhole.rules import turn
from wateringhole.rules.cardplay import execute, objection
from wateringhole.rules.feeding import feed, next_to_ask, refusal

FEWEST_PLAYERS: Final = 3
MOST_PLAYERS: Final = 8


def new_game(names: Sequence[str], deck: Sequence[Card], watering_hole: int = 0, listen: bool = False) -> Game:
    """A game whose first turn has begun. With `listen` it tells what happens."""
    if not FEWEST_PLAYERS <= len(names) <= MOST_PLAYERS:
        raise ValueError(f"{len(names)} players, but a game takes {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    if len(set(deck)) < len(deck):
        raise ValueError("the deck holds a card twice")
    if watering_hole < 0:
        raise ValueError(f"the watering hole starts with {watering_hole}, below 0")
    players = [Player(seat, [], (), 0) for seat in range(1, len(names) + 1)]
    game = Game(tuple(names), players, tuple(deck), watering_hole)
    if listen:
        game.told = []
    _next_turn(game)
    return game


def pending(game: Game) -> list[int]:
    """The seats that must answer: all that have not chosen yet, or the one that feeds."""
    if game.phase is Phase.CHOOSE:
        return [player.seat for player in game.players if player.seat not in game.plays]
    return game.queue[:1] if game.phase is Phase.FEED else []


def answer(game: Game, seat: int, reply: Reply) -> list[Event]:
    """Move the game on by one seat's reply; what happened, if somebody listens."""
    take(game, seat, reply)
    go_on(game)
    return game.hear()


def take(game: Game, seat: int, reply: Reply) -> None:
    """Like `answer`, but pause when the turn's feeding is over."""
    if game.phase is Phase.CHOOSE:
        _take_play(game, game.player(seat), reply)
    elif game.phase is Phase.FEED:
        _take_feeding(game, game.player(seat), reply)
    else:
        raise ValueError(f"seat {seat} answers, but nobody is asked: {game.phase.value}")


def go_on(game: Game) -> None:
    """If feeding is over, end the turn and begin the next, or end the game."""
    if game.phase is Phase.FED:
        turn.end(game)
    if game.phase is Phase.TURN_OVER:
        turn.pass_on(game)
        _next_turn(game)


def _next_turn(game: Game) -> None:
    if not turn.over(game):
        turn.begin(game)
        return
    game.phase = Phase.OVER
    if game.told is not None:
        game.told.append(GameOver(turn.ranking(game)))


def _take_play(game: Game, player: Player, reply: Reply) -> None:
    if isinstance(reply, Fault):
        if reply.during == "start":
            _expel(game, player, reply)
        else:
            game.plays[player.seat] = reply
    elif player.seat in game.plays:
        raise ValueError(f"seat {player.seat} has chosen already")
    elif isinstance(reply, CardPlay):
        game.plays[player.seat] = objection(reply, player.species, player.hand) or reply
    else:
        text = f"answers choose with {type(reply).__name__}"
        game.plays[player.seat] = Fault(Reason.ILLEGAL, text, Rule.PLAY_SHAPE, "choose")
    if len(game.plays) == len(game.players):
        _reveal(game)


def _reveal(game: Game) -> None:
    """Everybody has answered: who failed leaves, the plays are carried out, feeding opens."""
    for player in game.players[:]:
        fault = game.plays[player.seat]
        if isinstance(fault, Fault):
            _expel(game, player, fault)
    for player in game.players:
        play = game.plays[player.seat]
        assert isinstance(play, CardPlay)
        execute(game, player, play)
    game.plays.clear()
    turn.unfold(game)
    turn.open_feeding(game)
    _feed_on(game)


def _take_feeding(game: Game, player: Player, reply: Reply) -> None:
    if player.seat != game.queue[0]:
        if not isinstance(reply, Fault):
            raise ValueError(f"seat {player.seat} answers, but seat {game.queue[0]} is asked")
        # The asked seat must not be blamed for naming a player who left meanwhile: the fault waits for its answer.
        game.leaving.append((player.seat, reply))
        return
    if isinstance(reply, CardPlay):
        reply = Fault(Reason.ILLEGAL, "answers feed with CardPlay", Rule.OPTIONS, "feed")
    if not isinstance(reply, Fault):
        fault = refusal(reply, player.species, game.watering_hole, game.others(player.seat))
        if fault is None:
            feed(game, player, reply)
        else:
            reply = fault
    if isinstance(reply, Fault):
        _expel(game, player, reply)
    for seat, fault in game.leaving:
        if seat in [player.seat for player in game.players]:
            _expel(game, game.player(seat), fault)
    game.leaving.clear()
    _feed_on(game)


def _feed_on(game: Game) -> None:
    """Feed on until somebody has a choice; if nobody has, feeding is over."""
    if next_to_ask(game) is None:
        game.phase = Phase.FED


def _expel(game: Game, player: Player, fault: Fault) -> None:
    """The player and all that lies before it leave the game for good."""
    game.players.remove(player)
    game.plays.pop(player.seat, None)
    if player.seat in game.queue:
        game.queue.remove(player.seat)
    game.expelled.append((player.seat, fault))
    if game.told is not None:
        game.told.append(Expelled(player.seat, fault))
