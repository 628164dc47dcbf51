"""Pictures of a whole game, as text and as pixels (Pillow), for people who watch an environment. Hands are shown."""

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from wateringhole.game import Game
from wateringhole.player import Player
from wateringhole.species import Species

RenderMode = Literal["ansi", "rgb_array"]
RENDER_MODES: Final[tuple[RenderMode, ...]] = get_args(RenderMode)
FRAMES_PER_SECOND: Final = 4

WIDTH: Final = 960
LINE: Final = 14
HEAD: Final = 26
BOARD_WIDTH: Final = 112
BOARD_HEIGHT: Final = 5 * LINE + 8
ROW: Final = HEAD + BOARD_HEIGHT + 10
BOARDS_IN_A_ROW: Final = (WIDTH - 16) // (BOARD_WIDTH + 8)

GROUND: Final = (247, 243, 232)
BOARD: Final = (255, 255, 255)
INK: Final = (38, 34, 28)
WATER: Final = (86, 142, 176)
FED: Final = (104, 150, 74)
HUNGRY: Final = (216, 206, 184)
ASKED: Final = (240, 208, 128)


def checked_mode(mode: str | None) -> RenderMode | None:
    """This render mode; ValueError when there is none of this name."""
    for known in RENDER_MODES:
        if mode == known:
            return known
    if mode is None:
        return None
    raise ValueError(f"no render mode {mode!r:.40}; there are {', '.join(RENDER_MODES)}")


def render(mode: RenderMode | None, game: Game, seat: int) -> str | NDArray[np.uint8] | None:
    """The game in this mode; `seat` is the one that is asked."""
    if mode == "ansi":
        return str(game)
    return picture(game, seat) if mode == "rgb_array" else None


def picture(game: Game, seat: int) -> NDArray[np.uint8]:
    """Height, width and the three colours. The height is the same for every state of a game."""
    image = Image.new("RGB", (WIDTH, HEAD + ROW * len(game.names)), GROUND)
    canvas = ImageDraw.Draw(image)
    canvas.font = ImageFont.load_default()
    canvas.rectangle((0, 0, WIDTH, HEAD - 4), fill=WATER)
    text = f"turn {game.turn}   {game.phase}   watering hole {game.watering_hole}   deck {game.cards_left}"
    canvas.text((8, 5), text, fill=BOARD)
    for place, player in enumerate(game.row):
        _draw_player(canvas, HEAD + ROW * place, game.name(player.seat), player, player.seat == seat)
    return np.asarray(image, dtype=np.uint8).copy()


def _draw_player(canvas: ImageDraw.ImageDraw, top: int, name: str, player: Player, asked: bool) -> None:
    if asked:
        canvas.rectangle((0, top, WIDTH, top + ROW - 4), fill=ASKED)
    cards = ", ".join([f"{card.trait} {card.food}" for card in player.hand])
    title = f"{name:.40}   score {player.score}   bag {player.bag}   hand: "
    canvas.text((8, top + 4), _fitting(canvas, title + cards, WIDTH - 16), fill=INK)
    for at, board in enumerate(player.boards[:BOARDS_IN_A_ROW]):
        _draw_board(canvas, 8 + at * (BOARD_WIDTH + 8), top + HEAD, board)
    hidden = len(player.boards) - BOARDS_IN_A_ROW
    if hidden > 0:
        canvas.text((WIDTH - 60, top + HEAD + BOARD_HEIGHT), f"{hidden} more", fill=INK)


def _draw_board(canvas: ImageDraw.ImageDraw, left: int, top: int, board: Species) -> None:
    canvas.rectangle((left, top, left + BOARD_WIDTH, top + BOARD_HEIGHT), fill=BOARD, outline=INK)
    for animal in range(board.population):
        x = left + 6 + animal * 15
        canvas.ellipse((x, top + 5, x + 10, top + 15), fill=FED if animal < board.food else HUNGRY, outline=INK)
    fat = f"   fat {board.fat_food}" if board.fat_food else ""
    for line, text in enumerate((f"body {board.body}{fat}", *board.traits)):
        canvas.text((left + 6, top + 18 + line * LINE), text, fill=INK)


def _fitting(canvas: ImageDraw.ImageDraw, text: str, width: int) -> str:
    """As much of this text as fits."""
    if canvas.textlength(text) <= width:
        return text
    while canvas.textlength(text + "...") > width:
        text = text[:-1]
    return text + "..."
