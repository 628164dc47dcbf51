"""Card plays: what is wrong with one, and what it does."""

from collections.abc import Sequence

from wateringhole.cards import Card, Trait
from wateringhole.events import Revealed, counted
from wateringhole.game import Game
from wateringhole.moves import CardPlay, Fault, Growth, Reason
from wateringhole.player import Player
from wateringhole.rulebook import Rule
from wateringhole.species import MOST_BODY, MOST_POPULATION, Species


def objection(play: CardPlay, species: Sequence[Species], hand: Sequence[Card]) -> Fault | None:
    """Why this play is illegal with these boards and this hand, or None when it may be made."""
    return (
        _bad_cards(play, len(hand))
        or _bad_boards(play, len(species) + len(play.boards))
        or _overgrown(play, species)
        or _repeated_traits(play, species, hand)
    )


def _bad_cards(play: CardPlay, held: int) -> Fault | None:
    used = cards_used(play)
    for number in used:
        if number >= held:
            return _illegal(Rule.PLAY_CARDS, f"plays card {number} but holds only {held}")
    if len(set(used)) < len(used):
        twice = next(number for at, number in enumerate(used) if number in used[:at])
        return _illegal(Rule.PLAY_ONCE, f"plays card {twice} twice")
    return None


def cards_used(play: CardPlay) -> list[int]:
    """The number of every card that this play names."""
    used = [play.food]
    for growth in play.population:
        used.append(growth.card)
    for growth in play.body:
        used.append(growth.card)
    for board in play.boards:
        used.append(board.pay)
        used.extend(board.traits)
    for swap in play.traits:
        used.append(swap.card)
    return used


def _bad_boards(play: CardPlay, boards: int) -> Fault | None:
    for part in (play.population, play.body, play.traits):
        for step in part:
            if step.board >= boards:
                return _illegal(Rule.PLAY_BOARDS, f"changes board {step.board} but has only {counted(boards, 'board')}")
    return None


def _overgrown(play: CardPlay, species: Sequence[Species]) -> Fault | None:
    populations = [board.population for board in species] + [1] * len(play.boards)
    bodies = [board.body for board in species] + [0] * len(play.boards)
    at = _beyond(populations, play.population, MOST_POPULATION)
    if at is not None:
        return _illegal(
            Rule.PLAY_POPULATION, f"grows the population of board {at} to {populations[at]}, above {MOST_POPULATION}"
        )
    at = _beyond(bodies, play.body, MOST_BODY)
    if at is not None:
        return _illegal(Rule.PLAY_BODY, f"grows the body of board {at} to {bodies[at]}, above {MOST_BODY}")
    return None


def _beyond(sizes: list[int], growths: tuple[Growth, ...], most: int) -> int | None:
    """Let the sizes grow; the first board that came out above the most."""
    for growth in growths:
        sizes[growth.board] += 1
    for growth in growths:
        if sizes[growth.board] > most:
            return growth.board
    return None


def _repeated_traits(play: CardPlay, species: Sequence[Species], hand: Sequence[Card]) -> Fault | None:
    rows = [list(board.traits) for board in species]
    for new in play.boards:
        row = [hand[number].trait for number in new.traits]
        twice = _twice(row)
        if twice is not None:
            return _illegal(Rule.PLAY_NEW_TRAITS, f"puts {twice} twice on new board {len(rows)}")
        rows.append(row)
    for swap in play.traits:
        row = rows[swap.board]
        if swap.slot >= len(row):
            return _illegal(
                Rule.PLAY_SLOTS,
                f"replaces slot {swap.slot} of board {swap.board}, which has only {counted(len(row), 'trait')}",
            )
        row[swap.slot] = hand[swap.card].trait
        twice = _twice(row)
        if twice is not None:
            return _illegal(Rule.PLAY_TRAITS, f"puts {twice} a second time on board {swap.board}")
    return None


def _twice(traits: list[Trait]) -> Trait | None:
    for at, trait in enumerate(traits):
        if trait in traits[:at]:
            return trait
    return None


def _illegal(rule: Rule, text: str) -> Fault:
    return Fault(Reason.ILLEGAL, text, rule, "choose")


def execute(game: Game, player: Player, play: CardPlay) -> None:
    """Carry out a legal play: boards, replacements, growth; then the cards leave the hand and the food is added."""
    hand = player.hand
    species = player.species
    for new in play.boards:
        species.append(Species(traits=tuple([hand[number].trait for number in new.traits])))
    for swap in play.traits:
        species[swap.board] = species[swap.board].with_trait(swap.slot, hand[swap.card].trait)
    for growth in play.population:
        board = species[growth.board]
        species[growth.board] = board.with_population(board.population + 1)
    for growth in play.body:
        board = species[growth.board]
        species[growth.board] = board.with_body(board.body + 1)
    used = cards_used(play)
    player.hand = tuple([card for number, card in enumerate(hand) if number not in used])
    # Clamped after every card, not after all: what a card would take beyond an empty hole is not owed by the next.
    game.watering_hole = max(0, game.watering_hole + hand[play.food].food)
    if game.told is not None:
        game.told.append(_revealed(game, player, play, hand))


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
