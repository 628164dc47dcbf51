"""Games as lists of small numbers: the form in which they enter and leave the kernel.

The phase, the turn, the watering hole; the cards left; the queue; for each player in turn order its seat, bag, boards,
hand, and its play if it has chosen. Lists begin with their length; cards, traits and plays are as packed.py has them.

Laws: a game that is restored from its own numbers is equal to what it was.
"""

from typing import Final

from wateringhole.cards import DECK
from wateringhole.game import Game, Phase, PlayOutcome
from wateringhole.moves import CardPlay
from wateringhole.packed import NumberReader, pack_play, unpack_play
from wateringhole.player import Player
from wateringhole.rules.cardplay import outcome
from wateringhole.species import Species
from wateringhole.traits import Trait

PHASES: Final[tuple[Phase, ...]] = ("choose", "feed", "fed", "turn over", "over")
_TRAITS: Final = tuple(sorted(Trait))
_NUMBERS: Final = {trait: number for number, trait in enumerate(_TRAITS)}


def position(game: Game) -> list[int]:
    """The numbers of this game; ValueError when it has expelled a player or is about to, which they cannot tell."""
    if game.expelled or game.leaving:
        raise ValueError("the game has expelled a player, and the kernel knows no expulsions")
    out: list[int] = [PHASES.index(game.phase), game.turn, game.watering_hole, game.cards_left]
    for at in range(game.dealt, len(game.deck)):
        out.append(game.deck[at].order)
    out.append(len(game.queue))
    for seat in game.queue:
        out.append(seat)
    out.append(len(game.row))
    for player in game.row:
        _put_player(player, out)
        planned = game.plays.get(player.seat)
        if planned is None:
            out.append(0)
        elif type(planned) is PlayOutcome:
            out.append(1)
            pack_play(planned.play, out)
        else:
            raise ValueError(f"seat {player.seat} is about to be expelled, and the kernel knows no expulsions")
    return out


def _put_player(player: Player, out: list[int]) -> None:
    out.append(player.seat)
    out.append(player.bag)
    out.append(len(player.boards))
    for board in player.boards:
        out.append(board.population)
        out.append(board.body)
        out.append(board.food)
        out.append(board.fat_food)
        out.append(len(board.traits))
        for trait in board.traits:
            out.append(_NUMBERS[trait])
    out.append(len(player.hand))
    for card in player.hand:
        out.append(card.order)


def restore(game: Game, numbers: list[int]) -> None:
    """Put this game into the position that the numbers tell: of the same table, dealt from the same deck."""
    reader = NumberReader(numbers)
    phase = PHASES[reader.number()]
    turn, watering_hole, left = reader.number(), reader.number(), reader.number()
    if [reader.number() for _ in range(left)] != [card.order for card in game.deck[len(game.deck) - left :]]:
        raise ValueError("the numbers tell of another deck")
    game.phase, game.turn, game.watering_hole = phase, turn, watering_hole
    game.dealt = len(game.deck) - left
    game.queue = [reader.number() for _ in range(reader.number())]
    row: list[Player] = []
    plays: list[tuple[int, CardPlay]] = []
    for _ in range(reader.number()):
        player = game.players[reader.number()]
        row.append(player)
        player.bag = reader.number()
        player.settle([_board(reader) for _ in range(reader.number())])
        player.hand = tuple([DECK[reader.number()] for _ in range(reader.number())])
        if reader.number():
            plays.append((player.seat, unpack_play(reader)))
    game.row = row
    game.players = {player.seat: player for player in row}
    game.plays = {seat: _planned(game.players[seat], play) for seat, play in plays}


def _board(reader: NumberReader) -> Species:
    population, body, food, fat_food = reader.number(), reader.number(), reader.number(), reader.number()
    traits = tuple([_TRAITS[reader.number()] for _ in range(reader.number())])
    return Species(population, body, food, fat_food, traits)


def _planned(player: Player, play: CardPlay) -> PlayOutcome:
    planned = outcome(play, player.species, player.hand)
    if type(planned) is not PlayOutcome:
        raise ValueError(f"the numbers tell of an illegal play of seat {player.seat}")
    return planned
