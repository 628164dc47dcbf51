"""How a turn begins and ends, what happens by itself at the reveal, and the score."""

from wateringhole import rulebook
from wateringhole.events import Bred, FatMoved, Standing, Starved, TurnEnded, TurnStarted
from wateringhole.game import Game
from wateringhole.rules.deal import cards_needed, compensate, hand_out
from wateringhole.rules.feeding import meal
from wateringhole.species import MAX_POPULATION, Species
from wateringhole.traits import FAT_TISSUE, FERTILE, LONG_NECK


def over(game: Game) -> bool:
    """Whether no player is left or the deck is too small for another turn. Just enough is enough."""
    return not game.players or game.cards_left < cards_needed(game)


def begin(game: Game) -> None:
    """Hand out boards and cards; all players may choose."""
    game.turn += 1
    if game.told is not None:
        order = tuple(game.players)
        game.told.append(TurnStarted(game.turn, order, game.watering_hole, game.cards_left))
    hand_out(game)
    game.phase = "choose"


def unfold(game: Game) -> None:
    """What the traits do by themselves once all cards are revealed, pass by pass."""
    on_the_table = 0
    for player in game.row:
        for board in player.boards:
            on_the_table |= board.mask
    if on_the_table & FERTILE:
        fertile(game)
    if on_the_table & LONG_NECK:
        long_neck(game)
    if on_the_table & FAT_TISSUE:
        fat_tissue(game)


def fertile(game: Game) -> None:
    for player in game.row:
        for at, board in enumerate(player.boards):
            if board.mask & FERTILE and board.population < MAX_POPULATION:
                player.put(at, board.with_population(board.population + 1))
                if game.told is not None:
                    game.told.append(Bred(player.seat, at, board.population + 1))


def long_neck(game: Game) -> None:
    for player in game.row:
        for at, board in enumerate(player.boards):
            if board.mask & LONG_NECK:
                meal(game, player, at, rulebook.LONG_NECK)


def fat_tissue(game: Game) -> None:
    for player in game.row:
        for at, board in enumerate(player.boards):
            if board.mask & FAT_TISSUE:
                moved = board.having_moved_fat()
                player.put(at, moved)
                if game.told is not None and moved.food > board.food:
                    game.told.append(FatMoved(player.seat, at, moved.food - board.food))


def open_feeding(game: Game) -> None:
    """All players queue up, in turn order."""
    game.phase = "feed"
    game.queue = [player.seat for player in game.row]


def end(game: Game) -> None:
    """Unfed animals go, boards without animals die out, food goes to the bags."""
    game.phase = "turn over"
    for player in game.row:
        alive: list[Species] = []
        for board in player.boards:
            food = board.food
            if game.told is not None and food < board.population:
                game.told.append(Starved(player.seat, len(alive), food))
            if food:
                player.bag += food
                alive.append(board.after_turn())
            else:
                compensate(game, player, len(alive))
        player.settle(alive)
    if game.told is not None:
        game.told.append(TurnEnded(game.turn, game.watering_hole))


def ranking(game: Game) -> tuple[Standing, ...]:
    """All players by descending score, equal scores by seat on a shared rank; then the expelled, by seat."""
    scores = sorted([(-player.score, player.seat) for player in game.row])
    rows: list[Standing] = []
    rank = 0
    last = 1
    for minus, seat in scores:
        if minus != last:
            rank = len(rows) + 1
            last = minus
        rows.append(Standing(seat, game.name(seat), rank, -minus))
    for seat, fault in sorted(game.expelled, key=lambda row: row[0]):
        rows.append(Standing(seat, game.name(seat), None, None, fault))
    return tuple(rows)
