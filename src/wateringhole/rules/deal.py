"""Cards and boards that a player gets, and animals and boards that it loses."""

from typing import Final

from wateringhole.cards import Card
from wateringhole.events import AnimalLost, BoardGiven, CardsDealt, Extinct
from wateringhole.game import Game
from wateringhole.player import Player
from wateringhole.species import Species

CARDS_PER_PLAYER: Final = 3
CARDS_PER_BOARD: Final = 1
CARDS_PER_EXTINCTION: Final = 2


def cards_needed(game: Game) -> int:
    """How many cards the start of the next turn takes."""
    needed = 0
    for player in game.row:
        needed += CARDS_PER_PLAYER + CARDS_PER_BOARD * max(1, len(player.boards))
    return needed


def hand_out(game: Game) -> None:
    """Step 1 of a turn: a board for each player without one, then each player's cards."""
    for player in game.row:
        if not player.boards:
            player.settle([Species()])
            if game.told is not None:
                game.told.append(BoardGiven(player.seat))
    for player in game.row:
        cards = deal(game, player, CARDS_PER_PLAYER + CARDS_PER_BOARD * len(player.boards))
        if game.told is not None:
            game.told.append(CardsDealt(player.seat, cards))


def deal(game: Game, player: Player, number: int) -> int:
    """Cards from the top of the deck, as a block in front of the hand; how many there were, up to this number."""
    cards: tuple[Card, ...] = game.deck[game.dealt : game.dealt + number]
    game.dealt += len(cards)
    player.hand = cards + player.hand
    return len(cards)


def kill(game: Game, player: Player, at: int, rule: str) -> bool:
    """One animal of this board is lost; whether the board lives on."""
    board = player.boards[at]
    left = board.population - 1
    if game.told is not None:
        game.told.append(AnimalLost(player.seat, at, left, rule))
    if left == 0:
        die_out(game, player, at)
        return False
    player.put(at, board.with_population(left))
    return True


def die_out(game: Game, player: Player, at: int) -> None:
    """The board with all that lies on it leaves the game; its owner gets cards at once."""
    player.lose(at)
    compensate(game, player, at)


def compensate(game: Game, player: Player, at: int) -> None:
    """The cards for a board that has died out."""
    cards = deal(game, player, CARDS_PER_EXTINCTION)
    if game.told is not None:
        game.told.append(Extinct(player.seat, at, cards))
