"""Whole games in one call, for search and learning: policies decide over the game itself, and no request is made.

Laws: a policy sees everything, so whoever searches hands in a game whose hidden part it has made up itself. The dealer
checks every move; an illegal one is a mistake in the policy, and a ValueError.
"""

from collections.abc import Iterable, Sequence

from mypy_extensions import mypyc_attr

from wateringhole.cards import Card
from wateringhole.core import breathe
from wateringhole.dealer import go_on, new_game, take_feeding, take_play
from wateringhole.game import Game
from wateringhole.moves import CardPlay, Feeding
from wateringhole.player import Player


@mypyc_attr(allow_interpreted_subclasses=True)
class Policy:
    """What a seat needs in a playout. The player is the one who decides; both are to be read, not changed."""

    def card_play(self, game: Game, player: Player) -> CardPlay:
        raise NotImplementedError

    def feeding(self, game: Game, player: Player) -> Feeding:
        raise NotImplementedError


def play_out(game: Game, policies: Sequence[Policy]) -> None:
    """Play this game to its end, from wherever it stands; the policies sit on seats 1, 2, ..."""
    seated = list(policies)
    if len(seated) != len(game.names):
        raise ValueError(f"{len(seated)} policies for {len(game.names)} seats")
    gone = len(game.expelled)
    go_on(game)
    while game.phase != "over":
        if game.phase == "feed":
            player = game.players[game.queue[0]]
            take_feeding(game, player, seated[player.seat - 1].feeding(game, player))
            if len(game.expelled) > gone:
                gone = _none_of_these(game, [player])
        else:
            asked = [player for player in game.row if player.seat not in game.plays] if game.plays else game.row[:]
            for player in asked:
                take_play(game, player, seated[player.seat - 1].card_play(game, player))
            if len(game.expelled) > gone:
                gone = _none_of_these(game, asked)
        if game.phase == "fed":
            go_on(game)


def _none_of_these(game: Game, asked: list[Player]) -> int:
    """How many have been expelled: faults from before, or it is a mistake in the policy of one who was asked."""
    seats = [player.seat for player in asked]
    for seat, fault in game.expelled:
        if seat in seats:
            raise ValueError(f"the policy of seat {seat} {fault.text}")
    return len(game.expelled)


def simulate(
    decks: Iterable[Sequence[Card]], policies: Sequence[Policy], watering_hole: int = 0
) -> list[tuple[int, ...]]:
    """The scores of one game for each deck, by seat."""
    names = [f"seat {seat}" for seat in range(1, len(policies) + 1)]
    scores: list[tuple[int, ...]] = []
    for deck in decks:
        breathe()
        game = new_game(names, deck, watering_hole)
        play_out(game, policies)
        scores.append(tuple([game.players[seat].score for seat in range(1, len(names) + 1)]))
    return scores
