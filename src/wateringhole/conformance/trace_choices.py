"""Traces the silly player: by which number it prefers a board, and which traits decide what it attacks."""

import itertools
from collections.abc import Sequence
from typing import Final

from wateringhole import rulebook
from wateringhole.agents.silly import MIN_CARDS, Silly, card_play, larger
from wateringhole.conformance.coverage import Trace
from wateringhole.conformance.situations import with_item
from wateringhole.conformance.trace_attacks import RULE_OF, trace_attack, without
from wateringhole.moves import Attack, Feeding, Graze, StoreFat
from wateringhole.player import Other
from wateringhole.species import Species
from wateringhole.traits import DEFENCES, Trait
from wateringhole.view import Feed, Own

SIZE: Final = ("population", "food", "body")


def trace_feeding(trace: Trace, asked: Feed) -> Feeding:
    """Trace what the silly player feeds, and say what it does."""
    species = asked.me.species
    move = Silly().feed(asked)
    trace.rules.add(rulebook.OPTIONS)
    if isinstance(move, StoreFat):
        _trace_fat(trace, species, move, asked.watering_hole)
    elif isinstance(move, Graze):
        grazers = [at for at, board in enumerate(species) if board.hungry and Trait.CARNIVORE not in board.traits]
        _trace_rank(trace, rulebook.GRAZE, SIZE, [_size(species[at]) for at in grazers], grazers.index(move.board))
        if any(board.hungry and Trait.CARNIVORE in board.traits for board in species):
            trace.edge(rulebook.GRAZE, "before an attack")
        if any(board.hungry and larger(board, species[move.board]) for board in species):
            trace.edge(rulebook.GRAZE, "not with a carnivore, which is larger")
        if any(not board.hungry and larger(board, species[move.board]) for board in species):
            trace.edge(rulebook.GRAZE, "not with a sated board, which is larger")
    else:
        _trace_hunt(trace, asked, move)
    return move


def _size(board: Species) -> tuple[int, int, int]:
    return board.population, board.food, board.body


def _trace_fat(trace: Trace, species: tuple[Species, ...], move: StoreFat, tokens: int) -> None:
    rule = rulebook.STORE_FAT
    needy = [at for at, board in enumerate(species) if board.fat_need]
    keys = [(species[at].fat_need, *_size(species[at])) for at in needy]
    _trace_rank(trace, rule, ("need", *SIZE), keys, needy.index(move.board))
    board = species[move.board]
    trace.edge(rule, "as much as the watering hole holds" if board.fat_need > tokens else "as much as there is room")
    if any(key[0] < board.fat_need and key[0] >= tokens and key[1:] > _size(board) for key in keys):
        trace.edge(rule, "the greater need, though the watering hole meets neither")
    if any(other.hungry and Trait.CARNIVORE not in other.traits for other in species):
        trace.edge(rule, "before grazing")
    if board.fat_food:
        trace.edge(rule, "more on what is stored already")
    if not board.hungry:
        trace.edge(rule, "on a sated board")
    if any(Trait.FAT_TISSUE in other.traits and not other.fat_need for other in species):
        trace.edge(rule, "not where there is no room")


def _trace_rank(
    trace: Trace, rule: str, names: Sequence[str], keys: Sequence[tuple[int, ...]], chosen: int, what: str = "board"
) -> None:
    """Trace by which number the chosen one of these is preferred to each other one."""
    for other, key in enumerate(keys):
        if other != chosen:
            levels = [at for at in range(len(names)) if key[at] != keys[chosen][at]]
            level = names[levels[0]] if levels else "place"
            trace.edge(rule, f"the {what} is chosen by its {level}")
            for at in levels[1:]:
                if key[at] > keys[chosen][at]:
                    trace.edge(rule, f"the {what} is chosen by its {level} against its {names[at]}")
            if other < chosen:
                trace.edge(rule, f"the {what} is chosen by its {level}, not the leftmost")


def _trace_hunt(trace: Trace, asked: Feed, move: Feeding) -> None:
    species, others = asked.me.species, asked.others
    hunters = [at for at, board in enumerate(species) if board.hungry and Trait.CARNIVORE in board.traits]
    if not isinstance(move, Attack):
        trace.edge(rulebook.DECLINE, "a hungry carnivore finds no prey" if hunters else "all boards are sated")
        if any(Trait.FAT_TISSUE in board.traits for board in species):
            trace.edge(rulebook.DECLINE, "the fat-tissue is full")
    else:
        able = [at for at in hunters if any(fault is None for _, fault in asked.targets(at))]
        _trace_rank(trace, rulebook.ATTACK_CHOICE, SIZE, [_size(species[at]) for at in able], able.index(move.board))
        if any(larger(species[at], species[move.board]) for at in hunters if at not in able):
            trace.edge(rulebook.ATTACK_CHOICE, "a larger carnivore finds no prey")
        if any(not board.hungry and Trait.CARNIVORE in board.traits for board in species):
            trace.edge(rulebook.ATTACK_CHOICE, "not with a sated carnivore")
        prey = [attack for attack, fault in asked.targets(move.board) if fault is None]
        boards = {other.seat: other.species for other in others}
        sizes = [_size(boards[attack.seat][attack.target]) for attack in prey]
        _trace_rank(trace, rulebook.ATTACK_CHOICE, SIZE, sizes, prey.index(move), what="prey")
        for attack in prey:
            if attack.seat != move.seat and _size(boards[attack.seat][attack.target]) == sizes[prey.index(move)]:
                trace.edge(rulebook.ATTACK_CHOICE, "of equal prey that of the first player")
        hunter, row = species[move.board], boards[move.seat]
        inner = Trace()
        trace_attack(inner, hunter, row, move.target)
        trace.variety |= inner.variety
    _trace_deciding_traits(trace, asked, move, hunters)


def _trace_deciding_traits(trace: Trace, asked: Feed, move: Feeding, hunters: Sequence[int]) -> None:
    """Trace the traits of carnivores and possible prey without which the silly player would do another thing."""
    species = asked.me.species
    for at in hunters:
        for slot, trait in enumerate(species[at].traits):
            if trait in RULE_OF and trait is not Trait.CARNIVORE:
                rest = with_item(species, at, without(species[at], slot))
                changed = Feed(Own(asked.me.seat, rest, asked.me.hand, asked.me.bag), asked.watering_hole, asked.others)
                if Silly().feed(changed) != move:
                    trace.edge(RULE_OF[trait], f"the attacker's {trait} decides the choice")
                    if any(trait in defence.foiled_by for defence in DEFENCES):
                        trace.pair(RULE_OF[trait], trait)
    if hunters:
        for number, other in enumerate(asked.others):
            for at, board in enumerate(other.species):
                for slot, trait in enumerate(board.traits):
                    if any(trait is defence.trait for defence in DEFENCES):
                        row = with_item(other.species, at, without(board, slot))
                        seen = (
                            *asked.others[:number],
                            Other(other.seat, row, other.cards),
                            *asked.others[number + 1 :],
                        )
                        if Silly().feed(Feed(asked.me, asked.watering_hole, seen)) != move:
                            trace.edge(RULE_OF[trait], f"{trait} decides the choice")
                            trace.pair(RULE_OF[trait], Trait.CARNIVORE)


def trace_choosing(trace: Trace, me: Own, before: Sequence[object], after: Sequence[object]) -> None:
    """Trace which cards the silly player plays."""
    play = card_play(me.species, me.hand)
    trace.edge(rulebook.DECK, f"{min(len(me.hand), MIN_CARDS + 4)} cards or more are sorted")
    trace.rules |= {rulebook.PLAY_SHAPE, rulebook.PLAY_CARDS}
    ordered = sorted(range(len(me.hand)), key=lambda at: (me.hand[at].trait, me.hand[at].food))
    for one, next_ in itertools.pairwise(ordered):
        if me.hand[one].trait is me.hand[next_].trait:
            signs = ["below 0" if me.hand[at].food < 0 else "from 0 on" for at in (one, next_)]
            trace.edge(rulebook.DECK, f"one trait twice, with food {' and '.join(signs)}")
    trace.edge(rulebook.PLAY_BOARDS, f"the new board has the number {min(len(me.species), 3)} or more")
    trace.variety |= {f"card {play.food} is food", f"{len(before)} before", f"{len(after)} after"}
    trace.variety |= {f"{len(me.hand)} cards", f"{len(me.species)} boards"}
