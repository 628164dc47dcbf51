"""Explains a test case in words: the situation, what happens in it, and the rules by which it happens."""

from collections.abc import Iterator, Sequence
from typing import Final

from wateringhole import events, rulebook
from wateringhole.agents.silly import Silly
from wateringhole.cards import Card
from wateringhole.conformance.harness import fed_once, feed_request, played_turn
from wateringhole.conformance.situations import Misshapen, Side, Situation, situation_in
from wateringhole.course.rule_texts import SILLY
from wateringhole.events import Event, counted, described, sentence
from wateringhole.fault import shown
from wateringhole.moves import Attack, Graze, StoreFat
from wateringhole.rules.attack import why_blocked
from wateringhole.species import Species
from wateringhole.traits import DEFENCES
from wateringhole.wire.framing import Json


class Explanation:
    """A case in words: `situation` and `story` are sentences, `rules` the ids of rules, or the silly player."""

    def __init__(self, harness: str, given: Json) -> None:
        """ShapeError if our harness would not read this input."""
        found = situation_in(harness, given)
        self.situation: Final = [*_situation(found)]
        story, rules = _story(found)
        self.story: Final = story
        self.rules: Final = list(dict.fromkeys(rules))


# The situation.


def _situation(found: Situation) -> Iterator[str]:
    if found.harness == "xattack":
        attacker, row = found.sides[0].boards[0], found.sides[1].boards
        yield f"The attacker: {described(attacker)}."
        yield f"The defender: {described(row[found.at])}."
        for at, word in ((found.at - 1, "left"), (found.at + 1, "right")):
            yield f"Its {word} neighbour: {described(row[at])}." if 0 <= at < len(row) else f"No {word} neighbour."
        return
    for at, side in enumerate(found.sides):
        yield _side(side, _name(found, at))
    if found.harness != "xsilly":
        yield f"The watering hole holds {counted(found.watering_hole, 'token')}."
    if found.deck:
        yield f"The deck, its top first: {_cards(found.deck)}."


def _name(found: Situation, at: int) -> str:
    if found.harness in {"xstep", "xstep4"}:
        return f"Player {found.sides[at].number}"
    if at == 0:
        return "The player"
    if found.harness == "xfeed":
        return f"Other player {at}"
    return f"A player {'before' if at <= found.at else 'after'} it"


def _side(side: Side, name: str) -> str:
    boards = "; ".join(f"board {at}: {described(board)}" for at, board in enumerate(side.boards))
    parts = [f"{name} has {boards or 'no boards'}"]
    if side.hand:
        parts.append(f"the hand {_cards(side.hand)}")
    if isinstance(side.play, Misshapen):
        parts.append(f"and a card play of no known shape, {shown(side.play.value)}")
    return "; ".join(parts) + "."


def _cards(cards: Sequence[Card]) -> str:
    return ", ".join(f"{card.food:+d} {card.trait}" for card in cards)


# What happens.


def _story(found: Situation) -> tuple[list[str], list[str]]:
    """What happens, sentence by sentence, and the rules by which it does."""
    match found.harness:
        case "xattack":
            return _attack(found)
        case "xfeed":
            return _feeding(found)
        case "xsilly":
            return ["The silly player uses the cards of its hand in their order."], [SILLY]
        case "xstep":
            game = fed_once(found, listen=True)
        case _:
            game = played_turn(found, listen=True)
    happened = game.hear()
    story = [capitalized(sentence(event, game.name)) for event in happened]
    return story or ["Nothing happens."], [rule for event in happened for rule in _rules(event)] or [rulebook.OPTIONS]


def capitalized(words: str) -> str:
    """These words as the beginning of a sentence; the others stay as they are."""
    return words[:1].upper() + words[1:]


def _rules(event: Event) -> list[str]:
    match event:
        case events.Expelled(_, fault):
            return [*([fault.rule] if fault.rule else []), rulebook.REMOVAL]
        case events.TurnStarted():
            return []
        case _:
            return [event.rule]


def _attack(found: Situation) -> tuple[list[str], list[str]]:
    attacker, row = found.sides[0].boards[0], found.sides[1].boards
    stopped = why_blocked(attacker, row, found.at)
    if stopped is not None:
        rule, why = stopped
        return [f"The attack is stopped: {why}."], [rule]
    return ["Nothing stops the attack."], [rulebook.CARNIVORE, *_defences(row, found.at)]


def _defences(row: Sequence[Species], at: int) -> list[str]:
    """The rules of the defences that are there, though they do not stop the attack."""
    beside = {trait for board in (*row[max(0, at - 1) : at], *row[at + 1 : at + 2]) for trait in board.traits}
    return [
        defence.rule for defence in DEFENCES if defence.trait in (beside if defence.for_neighbours else row[at].traits)
    ]


def _feeding(found: Situation) -> tuple[list[str], list[str]]:
    match Silly().feed(feed_request(found)):
        case Graze(board):
            return [f"The silly player grazes with board {board}."], [SILLY, rulebook.GRAZE]
        case StoreFat(board, tokens):
            return [f"The silly player stores {tokens} as fat on board {board}."], [SILLY, rulebook.STORE_FAT]
        case Attack(board, seat, target):
            words = f"The silly player attacks board {target} of other player {seat} with board {board}."
            return [words], [SILLY, rulebook.ATTACK_CHOICE, *_defences(found.sides[seat].boards, target)]
        case _:
            return ["The silly player declines."], [SILLY, rulebook.DECLINE]
