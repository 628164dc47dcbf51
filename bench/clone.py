"""The time of a clone, and of a clone that then takes one answer, with each core.

The game is rich (100 tokens at the start) and in the feeding of its second turn. The answer is the silly player's; the
dealer checks it, carries it out, and goes on to the next player with a real choice.
"""

from functools import partial

from both import Figure, microseconds, run

from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.game import Game
from wateringhole.moves import Reply
from wateringhole.view import Feed, request

DECK = shuffled(0)
TIMES = 500


def silly_answer(game: Game) -> tuple[int, Reply]:
    """The next seat that must answer, and what a silly player answers there."""
    seat = pending(game)[0]
    asked = request(game, seat)
    return seat, Silly().feed(asked) if isinstance(asked, Feed) else Silly().choose(asked)


def game_in_mid_turn(players: int) -> Game:
    """A rich game in the feeding of its second turn."""
    game = new_game(["silly"] * players, DECK, watering_hole=100)
    while not (game.turn == 2 and game.phase == "feed"):
        answer(game, *silly_answer(game))
    return game


def clones(game: Game) -> None:
    for _ in range(TIMES):
        game.clone()


def answered_clones(game: Game, seat: int, reply: Reply) -> None:
    for _ in range(TIMES):
        answer(game.clone(), seat, reply)


def main() -> None:
    figures: list[Figure] = []
    for players in (3, 5, 8):
        game = game_in_mid_turn(players)
        boards = sum(len(player.boards) for player in game.row)
        table = f"{players} players, {boards} boards"
        figures.append(Figure(f"clone, {table}", TIMES, partial(clones, game)))
        figures.append(Figure(f"clone and answer, {table}", TIMES, partial(answered_clones, game, *silly_answer(game))))
    run(__file__, __doc__, microseconds("a clone"), figures)


if __name__ == "__main__":
    main()
