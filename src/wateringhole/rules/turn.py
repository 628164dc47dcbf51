"""How a turn begins and ends, what happens by itself at the reveal, and the score."""

from wateringhole import rulebook
from wateringhole.cards import FAT_TISSUE, FERTILE, LONG_NECK
from wateringhole.events import Bred, FatMoved, Standing, Starved, TurnEnded, TurnStarted
from wateringhole.game import Game
from wateringhole.rules.deal import cards_needed, die_out, hand_out
from wateringhole.rules.feeding import meal
from wateringhole.species import MOST_POPULATION


def over(game: Game) -> bool:
    """Whether nobody is left or the deck is too small for another turn. Just enough is enough."""
    return not game.players or game.cards_left < cards_needed(game)


def begin(game: Game) -> None:
    """Hand out boards and cards; everybody may choose."""
    game.turn += 1
    if game.told is not None:
        order = tuple(game.players)
        game.told.append(TurnStarted(game.turn, order, game.watering_hole, game.cards_left))
    hand_out(game)
    game.phase = "choose"


def unfold(game: Game) -> None:
    """What the traits do by themselves once all cards are revealed, pass by pass."""
    fertile(game)
    long_neck(game)
    fat_tissue(game)


def fertile(game: Game) -> None:
    for player in game.players.values():
        for at, board in enumerate(player.species):
            if board.mask & FERTILE and board.population < MOST_POPULATION:
                player.species[at] = board.with_population(board.population + 1)
                if game.told is not None:
                    game.told.append(Bred(player.seat, at, board.population + 1))


def long_neck(game: Game) -> None:
    for player in game.players.values():
        for at, board in enumerate(player.species):
            if board.mask & LONG_NECK:
                meal(game, player, at, rulebook.LONG_NECK)


def fat_tissue(game: Game) -> None:
    for player in game.players.values():
        for at, board in enumerate(player.species):
            if board.mask & FAT_TISSUE:
                player.species[at] = moved = board.having_moved_fat()
                if game.told is not None and moved.food > board.food:
                    game.told.append(FatMoved(player.seat, at, moved.food - board.food))


def open_feeding(game: Game) -> None:
    """Everybody queues up, in turn order."""
    game.phase = "feed"
    game.queue = list(game.players)


def end(game: Game) -> None:
    """Unfed animals go, boards without animals die out, food goes to the bags."""
    game.phase = "turn over"
    for player in game.players.values():
        species = player.species
        at = 0
        while at < len(species):
            board = species[at]
            food = board.food
            if game.told is not None and food < board.population:
                game.told.append(Starved(player.seat, at, food))
            if food:
                player.bag += food
                species[at] = board.after_turn()
                at += 1
            else:
                die_out(game, player, at)
    if game.told is not None:
        game.told.append(TurnEnded(game.turn, game.watering_hole))


def ranking(game: Game) -> tuple[Standing, ...]:
    """Everybody by descending score, equal scores by seat on a shared rank; then the expelled, by seat."""
    scores = sorted((-player.score, player.seat) for player in game.players.values())
    rows: list[Standing] = []
    for at, (minus, seat) in enumerate(scores):
        rank = rows[-1].rank if at and scores[at - 1][0] == minus else at + 1
        rows.append(Standing(seat, game.name(seat), rank, -minus))
    for seat, fault in sorted(game.expelled, key=lambda row: row[0]):
        rows.append(Standing(seat, game.name(seat), None, None, fault))
    return tuple(rows)
