"""Card plays: what one does, or why it must not. Legal is what can be carried out, so one function says both."""

from typing import final

from mypy_extensions import mypyc_attr

from wateringhole import rulebook
from wateringhole.cards import Card
from wateringhole.events import Revealed, counted, from_zero
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game, PlayOutcome
from wateringhole.moves import CardPlay
from wateringhole.player import Player
from wateringhole.species import MAX_BODY, MAX_POPULATION, Species
from wateringhole.traits import BIT, FAT_TISSUE, Trait


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class _Draft:
    """A board while a play works on it: so every board that a play changes is made only once."""

    __slots__ = ("body", "fat_food", "food", "mask", "population", "traits")

    def __init__(self, population: int, body: int, food: int, fat_food: int, traits: list[Trait], mask: int) -> None:
        self.population = population
        self.body = body
        self.food = food
        self.fat_food = fat_food
        self.traits = traits
        self.mask = mask


def outcome(play: CardPlay, species: tuple[Species, ...], hand: tuple[Card, ...]) -> PlayOutcome | Fault:
    """What this play makes of these boards and this hand, or why it is illegal: new boards, replacements, growth."""
    used = _cards(play, len(hand))
    if used < 0:
        return _misuse(play, hand)
    boards: list[Species | _Draft] = list(species)
    fault = (
        (_add_boards(play, boards, hand) if play.boards else None)
        or (_replace_traits(play, boards, hand) if play.traits else None)
        or (_grow_populations(play, boards) if play.population else None)
        or (_grow_bodies(play, boards) if play.body else None)
    )
    if fault is not None:
        return fault
    done = tuple([board if type(board) is Species else _board(board) for board in boards])
    rest = tuple([card for number, card in enumerate(hand) if not used >> number & 1])
    return PlayOutcome(play, done, rest, hand[play.food])


def _cards(play: CardPlay, held: int) -> int:
    """A bit for each card that this play names; -1 when it names one that is not held, or one twice."""
    used = _with(play.food, 0, held)
    for growth in play.population:
        used = _with(growth.card, used, held)
    for growth in play.body:
        used = _with(growth.card, used, held)
    for new in play.boards:
        used = _with(new.pay, used, held)
        for card in new.traits:
            used = _with(card, used, held)
    for swap in play.traits:
        used = _with(swap.card, used, held)
    return used


def _with(card: int, used: int, held: int) -> int:
    return -1 if used < 0 or card >= held or used >> card & 1 else used | 1 << card


def _misuse(play: CardPlay, hand: tuple[Card, ...]) -> Fault:
    """Why these cards cannot be played."""
    used = cards_used(play)
    most = max(used)
    if most >= len(hand):
        return _illegal(rulebook.PLAY_CARDS, f"plays {from_zero('card', most)} but holds only {len(hand)}")
    twice = next(number for number in used if used.count(number) > 1)
    return _illegal(rulebook.PLAY_ONCE, f"plays card {twice} twice")


def cards_used(play: CardPlay) -> list[int]:
    """The number of every card that this play names."""
    used = [play.food]
    used += [growth.card for growth in play.population + play.body]
    for new in play.boards:
        used += [new.pay, *new.traits]
    return used + [swap.card for swap in play.traits]


def _add_boards(play: CardPlay, boards: list[Species | _Draft], hand: tuple[Card, ...]) -> Fault | None:
    for new in play.boards:
        traits = [hand[number].trait for number in new.traits]
        mask = 0
        for number in new.traits:
            bit = hand[number].bit
            if mask & bit:
                text = f"puts one trait twice on new board {len(boards)}: {', '.join(traits)}"
                return _illegal(rulebook.PLAY_NEW_TRAITS, text)
            mask |= bit
        boards.append(_Draft(1, 0, 0, 0, traits, mask))
    return None


def _replace_traits(play: CardPlay, boards: list[Species | _Draft], hand: tuple[Card, ...]) -> Fault | None:
    for swap in play.traits:
        if swap.board >= len(boards):
            return _no_board(swap.board, len(boards))
        draft = _drafted(swap.board, boards)
        if swap.slot >= len(draft.traits):
            has = counted(len(draft.traits), "trait")
            text = f"replaces {from_zero('slot', swap.slot)} of board {swap.board}, which has only {has}"
            return _illegal(rulebook.PLAY_SLOTS, text)
        card = hand[swap.card]
        replaced = BIT[draft.traits[swap.slot]]
        draft.traits[swap.slot] = card.trait
        if draft.mask & ~replaced & card.bit:
            text = f"puts one trait twice on board {swap.board}: {', '.join(draft.traits)}"
            return _illegal(rulebook.PLAY_TRAITS, text)
        draft.mask = draft.mask & ~replaced | card.bit
        if replaced == FAT_TISSUE:  # and the fat on it is lost
            draft.fat_food = 0
    return None


def _grow_populations(play: CardPlay, boards: list[Species | _Draft]) -> Fault | None:
    for growth in play.population:
        if growth.board >= len(boards):
            return _no_board(growth.board, len(boards))
        draft = _drafted(growth.board, boards)
        draft.population += 1
        if draft.population > MAX_POPULATION:
            text = f"grows the population of board {growth.board} to {draft.population}, above {MAX_POPULATION}"
            return _illegal(rulebook.PLAY_POPULATION, text)
    return None


def _grow_bodies(play: CardPlay, boards: list[Species | _Draft]) -> Fault | None:
    for growth in play.body:
        if growth.board >= len(boards):
            return _no_board(growth.board, len(boards))
        draft = _drafted(growth.board, boards)
        draft.body += 1
        if draft.body > MAX_BODY:
            text = f"grows the body of board {growth.board} to {draft.body}, above {MAX_BODY}"
            return _illegal(rulebook.PLAY_BODY, text)
    return None


def _drafted(at: int, boards: list[Species | _Draft]) -> _Draft:
    """The draft of this board, begun if there is none yet."""
    board = boards[at]
    if type(board) is Species:
        board = _Draft(board.population, board.body, board.food, board.fat_food, list(board.traits), board.mask)
        boards[at] = board
    return board


def _board(draft: _Draft) -> Species:
    return Species(draft.population, draft.body, draft.food, draft.fat_food, tuple(draft.traits), draft.mask)


def _no_board(number: int, boards: int) -> Fault:
    return _illegal(
        rulebook.PLAY_BOARDS, f"changes {from_zero('board', number)} but has only {counted(boards, 'board')}"
    )


def _illegal(rule: str, text: str) -> Fault:
    return Fault(Reason.ILLEGAL, text, rule, "choose")


def execute(game: Game, player: Player, planned: PlayOutcome) -> None:
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
