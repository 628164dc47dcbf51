"""Whole games in one call, for search and learning: policies decide over the game itself, and no request is made.

Laws: a policy sees everything, so whoever searches hands in a game whose hidden part it has made up itself. The dealer
checks every move; an illegal one is a mistake in the policy, and a ValueError.
"""

from collections.abc import Iterable, Sequence

from mypy_extensions import mypyc_attr

from wateringhole.cards import Card
from wateringhole.dealer import answer, new_game
from wateringhole.game import Game
from wateringhole.moves import CardPlay, Feeding, Move
from wateringhole.player import Player


@mypyc_attr(allow_interpreted_subclasses=True)
class Policy:
    """What a seat needs in a playout. The player is the one who decides; both are to be read, not changed."""

    def card_play(self, game: Game, player: Player) -> CardPlay:
        raise NotImplementedError

    def feeding(self, game: Game, player: Player) -> Feeding:
        raise NotImplementedError


def playout(game: Game, policies: Sequence[Policy]) -> None:
    """Play this game to its end, from wherever it stands; the policies sit on seats 1, 2, ..."""
    seated = list(policies)
    while game.phase != "over":
        if game.phase == "feed":
            player = game.players[game.queue[0]]
            _answer(game, player.seat, seated[player.seat - 1].feeding(game, player))
        else:
            for player in list(game.players.values()):
                if player.seat not in game.plays:
                    _answer(game, player.seat, seated[player.seat - 1].card_play(game, player))


def simulate(
    decks: Iterable[Sequence[Card]], policies: Sequence[Policy], watering_hole: int = 0
) -> list[tuple[int, ...]]:
    """The scores of one game for each deck, by seat."""
    names = [f"seat {seat}" for seat in range(1, len(policies) + 1)]
    scores: list[tuple[int, ...]] = []
    for deck in decks:
        game = new_game(names, deck, watering_hole)
        playout(game, policies)
        scores.append(tuple([game.players[seat].score for seat in range(1, len(names) + 1)]))
    return scores


def _answer(game: Game, seat: int, move: Move) -> None:
    answer(game, seat, move)
    if game.expelled and game.expelled[-1][0] == seat:
        raise ValueError(f"the policy of seat {seat} {game.expelled[-1][1].text}")
