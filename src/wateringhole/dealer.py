"""The dealer: asks, checks, and moves the game on.

Laws: no IO, no clock, no randomness. Only this module expels a player, and for the first thing that it did wrong. A
reply is a move or the Fault that an agent's failure became; a mistake of the caller's (a seat that was not asked,
a finished game) is a ValueError.
"""

from collections.abc import Sequence
from typing import Final

from wateringhole.cards import Card, any_twice
from wateringhole.events import Event, Expelled, GameOver
from wateringhole.fault import Fault
from wateringhole.game import Game, PlayOutcome
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Reply, StoreFat, misplaced
from wateringhole.player import Player
from wateringhole.rules import turn
from wateringhole.rules.cardplay import execute, outcome
from wateringhole.rules.feeding import feed, next_to_ask, refusal

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 8
MAX_NAME_CHARS: Final = 1_000
"""Far more than any page or terminal shows; records of other programs may have longer names than ours."""


def new_game(names: Sequence[str], deck: Sequence[Card], watering_hole: int = 0, listen: bool = False) -> Game:
    """A game whose first turn has begun. With `listen` it collects events: `answer` and `Game.hear` return them."""
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        raise ValueError(f"{len(names)} players, but a game takes {MIN_PLAYERS} to {MAX_PLAYERS}")
    for seat, name in enumerate(names, 1):
        if len(name) > MAX_NAME_CHARS:
            raise ValueError(f"the name of seat {seat} has {len(name)} characters, above {MAX_NAME_CHARS}")
    cards = tuple(deck)
    if any_twice(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise ValueError(f"the deck holds a card twice: {twice.food} {twice.trait}")
    if watering_hole < 0:
        raise ValueError(f"the watering hole starts with {watering_hole}, below 0")
    players = {seat: Player(seat, [], (), 0) for seat in range(1, len(names) + 1)}
    game = Game(tuple(names), players, cards, watering_hole)
    if listen:
        game.told = []
    _next_turn(game)
    return game


def pending(game: Game) -> list[int]:
    """The seats that must answer: all that have not chosen yet, or the one that feeds."""
    if game.phase == "choose":
        return [seat for seat in game.players if seat not in game.plays]
    return game.queue[:1] if game.phase == "feed" else []


def answer(game: Game, seat: int, reply: Reply) -> list[Event]:
    """Move the game on by one seat's reply; the events, if the game listens.

    A fault, or a move that the rules refuse, expels the player. ValueError for a move of a seat that is not asked.
    """
    player = game.players.get(seat)
    if player is None:
        raise ValueError(f"seat {seat} answers, but is not at the table")
    take(game, player, reply)
    if game.phase == "fed":
        go_on(game)
    return [] if game.told is None else game.hear()


def take(game: Game, player: Player, reply: Reply) -> Player | None:
    """The part of `answer` up to the end of a turn's feeding, which `go_on` completes; the player who feeds next. The
    player must be one of `game.row`; that is not checked.

    It is for callers that look at the game in this pause, as the harnesses and replays do, and for playouts, which have
    the player at hand: to find it by its seat at each step would take 3 % of their time.
    """
    if game.phase == "feed":
        return _take_feeding(game, player, reply)
    if game.phase == "choose":
        return _take_play(game, player, reply)
    raise ValueError(f"seat {player.seat} answers, but no seat is asked: {game.phase}")


def go_on(game: Game) -> None:
    """If feeding is over, end the turn and begin the next, or end the game; else nothing."""
    if game.phase == "fed":
        turn.end(game)
    if game.phase == "turn over":
        game.pass_on()
        _next_turn(game)


def _next_turn(game: Game) -> None:
    if not turn.over(game):
        turn.begin(game)
        return
    game.phase = "over"
    if game.told is not None:
        game.told.append(GameOver(turn.ranking(game)))


def _take_play(game: Game, player: Player, reply: Reply) -> Player | None:
    """An answer to choose; the last one reveals them all."""
    planned = game.plays.get(player.seat)
    if type(reply) is CardPlay and planned is None:
        game.plays[player.seat] = outcome(reply, player.species, player.hand)
    elif type(reply) is Fault:
        if type(planned) is Fault:
            pass  # the first fault counts
        elif reply.during == "start":
            _expel(game, player, reply)
        else:
            game.plays[player.seat] = reply
    elif planned is not None:
        raise ValueError(f"seat {player.seat} has chosen already")
    elif isinstance(reply, (Graze, StoreFat, Attack, Decline)):
        game.plays[player.seat] = misplaced(reply, "choose")
    else:
        raise _no_reply(reply)
    return _reveal(game) if len(game.plays) == len(game.players) else None


def _reveal(game: Game) -> Player | None:
    """All have answered: those that failed leave, the plays are carried out, feeding opens; who feeds first."""
    plays, game.plays = game.plays, {}
    ready: list[PlayOutcome] = []
    for player in game.row[:]:
        planned = plays[player.seat]
        if type(planned) is PlayOutcome:
            ready.append(planned)
        else:
            _expel(game, player, planned)
    for at, player in enumerate(game.row):
        execute(game, player, ready[at])
    turn.unfold(game)
    turn.open_feeding(game)
    return _next_feeder(game)


def _next_feeder(game: Game) -> Player | None:
    feeder = next_to_ask(game)
    if feeder is None:
        game.phase = "fed"
    return feeder


def _take_feeding(game: Game, player: Player, reply: Reply) -> Player | None:
    """An answer to feed."""
    if player.seat != game.queue[0]:
        if type(reply) is not Fault:
            raise ValueError(f"seat {player.seat} answers, but seat {game.queue[0]} is asked")
        # The asked seat must not be blamed for naming a player who left meanwhile: the fault waits for its answer.
        game.leaving.append((player.seat, reply))
        return game.players[game.queue[0]]
    fault: Fault | None
    if isinstance(reply, (Graze, StoreFat, Attack, Decline)):
        others = game.seen(player.seat) if type(reply) is Attack else ()
        fault = refusal(reply, player.species, game.watering_hole, others)
        if fault is None:
            feed(game, player, reply)
    elif type(reply) is CardPlay:
        fault = misplaced(reply, "feed")
    elif type(reply) is Fault:
        fault = reply
    else:
        raise _no_reply(reply)
    if fault is not None:
        _expel(game, player, fault)
    if game.leaving:
        _let_go(game)
    return _next_feeder(game)


def _no_reply(reply: object) -> TypeError:
    return TypeError(f"{reply!r:.80} is neither a move nor a fault")


def _let_go(game: Game) -> None:
    """Those who failed while another was asked leave now."""
    for seat, fault in game.leaving:
        if seat in game.players:
            _expel(game, game.players[seat], fault)
    game.leaving.clear()


def _expel(game: Game, player: Player, fault: Fault) -> None:
    """The player leaves the game for good."""
    game.remove(player.seat)
    game.expelled.append((player.seat, fault))
    if game.told is not None:
        game.told.append(Expelled(player.seat, fault))
