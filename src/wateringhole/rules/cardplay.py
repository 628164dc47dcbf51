"""Card plays: what one does, or why it must not. Legal is what can be carried out, so one function says both."""

from wateringhole import rulebook
from wateringhole.cards import Card
from wateringhole.events import Revealed, counted
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game, Outcome
from wateringhole.moves import CardPlay
from wateringhole.player import Player
from wateringhole.species import MOST_BODY, MOST_POPULATION, Species


def outcome(play: CardPlay, species: tuple[Species, ...], hand: tuple[Card, ...]) -> Outcome | Fault:
    """What this play makes of these boards and this hand, or why it is illegal: new boards, replacements, growth."""
    used = 0  # a bit for each card
    twice = -1
    numbers = cards_used(play)
    for number in numbers:
        if number >= len(hand):
            return _illegal(rulebook.PLAY_CARDS, f"plays card {max(numbers)} but holds only {len(hand)}")
        if used >> number & 1:
            twice = number
        used |= 1 << number
    if twice >= 0:
        return _illegal(rulebook.PLAY_ONCE, f"plays card {twice} twice")
    boards = list(species)
    fault = (
        (_add_boards(play, boards, hand) if play.boards else None)
        or (_replace_traits(play, boards, hand) if play.traits else None)
        or (_grow_populations(play, boards) if play.population else None)
        or (_grow_bodies(play, boards) if play.body else None)
    )
    if fault is not None:
        return fault
    rest = tuple([card for number, card in enumerate(hand) if not used >> number & 1])
    return Outcome(play, tuple(boards), rest, hand[play.food])


def cards_used(play: CardPlay) -> list[int]:
    """The number of every card that this play names."""
    used = [play.food]
    for growth in play.population:
        used.append(growth.card)
    for growth in play.body:
        used.append(growth.card)
    for new in play.boards:
        used.append(new.pay)
        used.extend(new.traits)
    for swap in play.traits:
        used.append(swap.card)
    return used


def _add_boards(play: CardPlay, boards: list[Species], hand: tuple[Card, ...]) -> Fault | None:
    for new in play.boards:
        traits = tuple([hand[number].trait for number in new.traits])
        mask = 0
        for number in new.traits:
            bit = hand[number].bit
            if mask & bit:
                text = f"puts one trait twice on new board {len(boards)}: {', '.join(traits)}"
                return _illegal(rulebook.PLAY_NEW_TRAITS, text)
            mask |= bit
        boards.append(Species(1, 0, 0, 0, traits, mask))
    return None


def _replace_traits(play: CardPlay, boards: list[Species], hand: tuple[Card, ...]) -> Fault | None:
    for swap in play.traits:
        if swap.board >= len(boards):
            return _no_board(swap.board, boards)
        board = boards[swap.board]
        if swap.slot >= len(board.traits):
            has = counted(len(board.traits), "trait")
            return _illegal(
                rulebook.PLAY_SLOTS, f"replaces slot {swap.slot} of board {swap.board}, which has only {has}"
            )
        card = hand[swap.card]
        changed = board.with_trait(swap.slot, card.trait)
        if board.mask & card.bit and board.traits[swap.slot] is not card.trait:
            text = f"puts one trait twice on board {swap.board}: {', '.join(changed.traits)}"
            return _illegal(rulebook.PLAY_TRAITS, text)
        boards[swap.board] = changed
    return None


def _grow_populations(play: CardPlay, boards: list[Species]) -> Fault | None:
    for growth in play.population:
        if growth.board >= len(boards):
            return _no_board(growth.board, boards)
        board = boards[growth.board]
        if board.population == MOST_POPULATION:
            text = f"grows the population of board {growth.board} to {board.population + 1}, above {MOST_POPULATION}"
            return _illegal(rulebook.PLAY_POPULATION, text)
        boards[growth.board] = board.with_population(board.population + 1)
    return None


def _grow_bodies(play: CardPlay, boards: list[Species]) -> Fault | None:
    for growth in play.body:
        if growth.board >= len(boards):
            return _no_board(growth.board, boards)
        board = boards[growth.board]
        if board.body == MOST_BODY:
            text = f"grows the body of board {growth.board} to {board.body + 1}, above {MOST_BODY}"
            return _illegal(rulebook.PLAY_BODY, text)
        boards[growth.board] = board.with_body(board.body + 1)
    return None


def _no_board(number: int, boards: list[Species]) -> Fault:
    return _illegal(rulebook.PLAY_BOARDS, f"changes board {number} but has only {counted(len(boards), 'board')}")


def _illegal(rule: str, text: str) -> Fault:
    return Fault(Reason.ILLEGAL, text, rule, "choose")


def execute(game: Game, player: Player, planned: Outcome) -> None:
    """Carry out what was planned, and reveal the food card."""
    hand = player.hand
    player.species = planned.species
    player.hand = planned.hand
    # Clamped after every card, not after all: what a card would take beyond an empty hole is not owed by the next.
    game.watering_hole = max(0, game.watering_hole + planned.food.food)
    if game.told is not None:
        game.told.append(_revealed(game, player, planned.play, hand))


def _revealed(game: Game, player: Player, play: CardPlay, hand: tuple[Card, ...]) -> Revealed:
    return Revealed(
        player.seat,
        hand[play.food],
        game.watering_hole,
        boards=tuple(tuple(hand[number].trait for number in new.traits) for new in play.boards),
        replaced=tuple((swap.board, swap.slot, hand[swap.card].trait) for swap in play.traits),
        population=tuple(growth.board for growth in play.population),
        body=tuple(growth.board for growth in play.body),
    )
