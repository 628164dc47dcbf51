"""Notation: one line of text for a position, for a request and for a move, written and read back exactly.

docs/notation.md describes it. A position has all cards; a request has what one seat knows.

Laws: what is read is equal to what was written. Anything else is a ValueError, a sentence with the part that is wrong.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

import msgspec

from wateringhole.cards import Card, card
from wateringhole.fault import Fault, shown
from wateringhole.game import Game, Phase, PlayOutcome
from wateringhole.moves import Attack, CardPlay, Decline, Graze, Growth, Move, NewBoard, Replacement, StoreFat
from wateringhole.player import Other, Player
from wateringhole.rules.cardplay import outcome
from wateringhole.species import Species
from wateringhole.traits import Trait
from wateringhole.view import Choose, Feed, Own, Request

T = TypeVar("T")


def _codes() -> dict[Trait, str]:
    """The first two letters of each trait, or the first and another one if an earlier trait has those."""
    codes: dict[Trait, str] = {}
    for trait in Trait:
        ways = (trait.value[0] + letter for letter in trait.value[1:])
        codes[trait] = next(code for code in ways if code not in codes.values())
    return codes


CODES: Final = _codes()
_TRAITS: Final = {code: trait for trait, code in CODES.items()}

_CARD: Final = re.compile(r"([a-z]{2})(-?\d{1,2})", re.ASCII)
_BOARD: Final = re.compile(r"(\d)/(\d)/(\d)(?:\+(\d))?((?:\.[a-z]{2})*)", re.ASCII)
_PHASES: Final[tuple[Phase, ...]] = ("choose", "feed", "fed", "turn over", "over")
MAX_NUMBER_DIGITS: Final = 9


def position_text(game: Game) -> str:
    """This position as one line, with all its cards, the hidden ones too."""
    fields = [
        *_head(game.turn, game.phase, game.watering_hole),
        f"deck={_cards(game.deck[game.dealt :])}",
        f"feeds={','.join(map(str, game.queue))}",
        *(f"{each.seat}={each.bag};{_boards(each.species)};{_cards(each.hand)}" for each in game.players.values()),
        f"names={_json(game.names)}",
    ]
    plays = [[seat, _planned(planned)] for seat, planned in game.plays.items()]
    for name, value in (("plays", plays), ("leaving", game.leaving), ("expelled", game.expelled)):
        if value:
            fields.append(f"{name}={_json(value)}")
    return " ".join(fields)


def position_from(text: str) -> Game:
    """The position that was written as this line; ValueError when it is none."""
    fields = _fields(text)
    names = _value(fields, "names", tuple[str, ...])
    players = {}
    for seat, field in _seats(fields):
        if not 1 <= seat <= len(names):
            raise ValueError(f"seat {seat} has no name among {len(names)}")
        bag, boards, hand = _split(field, 3)
        players[seat] = Player(seat, _boards_from(boards), _cards_from(hand), _number(bag))
    game = Game(names, players, _cards_from(_field(fields, "deck")), _number(_field(fields, "hole")))
    game.turn, game.phase = _number(_field(fields, "turn")), _phase(fields)
    game.queue = [_number(seat) for seat in _field(fields, "feeds").split(",") if seat]
    game.leaving = _value(fields, "leaving", list[tuple[int, Fault]], [])
    game.expelled = _value(fields, "expelled", list[tuple[int, Fault]], [])
    for seat, planned in _value(fields, "plays", list[tuple[int, str | Fault]], []):
        if seat not in players:
            raise ValueError(f"seat {seat} has chosen, but is not at the table")
        game.plays[seat] = _planned_from(planned, players[seat]) if isinstance(planned, str) else planned
    return game


def request_text(request: Request) -> str:
    """This request as one line, with all that its seat knows."""
    me = request.me
    mine = f"{me.seat}={me.bag};{_boards(me.species)};{_cards(me.hand)}"
    phase: Phase = "choose" if isinstance(request, Choose) else "feed"
    before, after = (request.before, request.after) if isinstance(request, Choose) else ((), request.others)
    fields = [*_head(request.turn, phase, request.watering_hole), f"deck={request.deck}", f"asked={me.seat}"]
    return " ".join([*fields, *map(_other, before), mine, *map(_other, after)])


def request_from(text: str) -> Request:
    """The request that was written as this line; ValueError when it is none."""
    fields = _fields(text)
    asked = _number(_field(fields, "asked"))
    before: list[Other] = []
    after: list[Other] = []
    me: Own | None = None
    for seat, field in _seats(fields):
        bag, boards, cards = _split(field, 3)
        if seat == asked:
            me = Own(seat, _boards_from(boards), _cards_from(cards), _number(bag))
        elif bag != "?":
            raise ValueError(f"the bag of seat {seat} is {shown(bag)}, but only its own seat knows it: ?")
        else:
            (before if me is None else after).append(Other(seat, _boards_from(boards), _number(cards)))
    if me is None:
        raise ValueError(f"seat {asked} is asked, but not at the table")
    hole, turn, deck = (_number(_field(fields, name)) for name in ("hole", "turn", "deck"))
    phase = _phase(fields)
    if phase == "choose":
        return Choose(me, hole, tuple(before), tuple(after), turn, deck)
    if phase != "feed" or before:
        raise ValueError(f"phase={phase} with {len(before)} before the asked seat is no request")
    return Feed(me, hole, tuple(after), turn, deck)


def move_text(move: Move) -> str:
    """This move as one word."""
    match move:
        case Graze(board):
            return f"graze:{board}"
        case StoreFat(board, tokens):
            return f"fat:{board}.{tokens}"
        case Attack(board, seat, target):
            return f"attack:{board}.{seat}.{target}"
        case Decline():
            return "decline"
        case CardPlay():
            parts = {
                "population": [f"{growth.board}.{growth.card}" for growth in move.population],
                "body": [f"{growth.board}.{growth.card}" for growth in move.body],
                "boards": [".".join(map(str, (new.pay, *new.traits))) for new in move.boards],
                "traits": [f"{swap.board}.{swap.slot}.{swap.card}" for swap in move.traits],
            }
            return ";".join([f"play:{move.food}", *(f"{use}={','.join(each)}" for use, each in parts.items() if each)])


def move_from(text: str) -> Move:
    """The move that was written so; ValueError when it is none."""
    kind, _, rest = text.partition(":")
    match kind:
        case "graze":
            return Graze(*_numbers(rest, 1))
        case "fat":
            return StoreFat(*_numbers(rest, 2))
        case "attack":
            return Attack(*_numbers(rest, 3))
        case "decline" if text == "decline":
            return Decline()
        case "play":
            return _play_from(rest)
        case _:
            raise ValueError(f"{shown(text)} is no move: play, graze, fat, attack or decline")


def _play_from(text: str) -> CardPlay:
    food, *parts = text.split(";")
    uses: dict[str, list[str]] = {"population": [], "body": [], "boards": [], "traits": []}
    for part in parts:
        use, equals, each = part.partition("=")
        if use not in uses or uses[use] or not equals:
            raise ValueError(f"{shown(part)} is no part of a play, or comes twice: {', '.join(uses)}")
        uses[use] = each.split(",")
    boards = [[_number(number) for number in new.split(".")] for new in uses["boards"]]
    return CardPlay(
        _number(food),
        tuple([Growth(*_numbers(each, 2)) for each in uses["population"]]),
        tuple([Growth(*_numbers(each, 2)) for each in uses["body"]]),
        tuple([NewBoard(pay, tuple(traits)) for pay, *traits in boards]),
        tuple([Replacement(*_numbers(each, 3)) for each in uses["traits"]]),
    )


# The parts, written.


def _head(turn: int, phase: Phase, watering_hole: int) -> list[str]:
    return [f"turn={turn}", f"phase={phase.replace(' ', '-')}", f"hole={watering_hole}"]


def _other(other: Other) -> str:
    return f"{other.seat}=?;{_boards(other.species)};{other.cards}"


def _boards(species: Iterable[Species]) -> str:
    return ",".join([_board(board) for board in species])


def _board(board: Species) -> str:
    fat = f"+{board.fat_food}" if board.fat_food else ""
    traits = "".join([f".{CODES[trait]}" for trait in board.traits])
    return f"{board.population}/{board.body}/{board.food}{fat}{traits}"


def _cards(cards: Iterable[Card]) -> str:
    return ",".join([f"{CODES[each.trait]}{each.food}" for each in cards])


def _planned(planned: PlayOutcome | Fault) -> str | Fault:
    return move_text(planned.play) if isinstance(planned, PlayOutcome) else planned


def _json(value: object) -> str:
    """JSON in ASCII without a space: what else is in texts is escaped."""
    return json.dumps(msgspec.to_builtins(value), separators=(",", ":")).replace(" ", "\\u0020")


# The parts, read.


def _fields(text: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in text.strip(" \n").split(" "):
        name, equals, field = part.partition("=")
        if not equals or name in fields:
            raise ValueError(f"{shown(part)} is not NAME=VALUE, or comes twice")
        fields[name] = field
    return fields


def _field(fields: Mapping[str, str], name: str) -> str:
    if name not in fields:
        raise ValueError(f"{name}= is missing")
    return fields[name]


def _seats(fields: Mapping[str, str]) -> list[tuple[int, str]]:
    """The fields of seats, in their order."""
    return [(_number(name), field) for name, field in fields.items() if name.isdigit()]


def _value(fields: Mapping[str, str], name: str, kind: type[T], default: T | None = None) -> T:
    if name not in fields and default is not None:
        return default
    try:
        return msgspec.convert(json.loads(_field(fields, name)), kind)
    except (msgspec.ValidationError, json.JSONDecodeError) as error:
        raise ValueError(f"{name}={fields[name]:.80}: {error}") from None


def _phase(fields: Mapping[str, str]) -> Phase:
    text = _field(fields, "phase").replace("-", " ")
    for phase in _PHASES:
        if phase == text:
            return phase
    raise ValueError(f"phase={text:.40} is none of {', '.join(_PHASES)}")


def _split(field: str, count: int) -> list[str]:
    parts = field.split(";")
    if len(parts) != count:
        raise ValueError(f"{shown(field)} is not BAG;BOARDS;CARDS")
    return parts


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER_DIGITS):
        raise ValueError(f"{shown(text)} is not a number of up to {MAX_NUMBER_DIGITS} digits")
    return int(text)


def _numbers(text: str, count: int) -> list[int]:
    numbers = [_number(part) for part in text.split(".")]
    if len(numbers) != count:
        raise ValueError(f"{shown(text)} has {len(numbers)} numbers, not {count}")
    return numbers


def _each(text: str, read: Callable[[str], T]) -> tuple[T, ...]:
    return tuple([read(part) for part in text.split(",")]) if text else ()


def _boards_from(text: str) -> tuple[Species, ...]:
    return _each(text, _board_from)


def _board_from(text: str) -> Species:
    found = _BOARD.fullmatch(text)
    if found is None:
        raise ValueError(f"{shown(text)} is no board, as 3/0/2+1.fa.ho")
    population, body, food, fat = (int(found[at] or 0) for at in range(1, 5))
    return Species(population, body, food, fat, tuple([_trait(code) for code in found[5].split(".")[1:]]))


def _cards_from(text: str) -> tuple[Card, ...]:
    return _each(text, _card_from)


def _card_from(text: str) -> Card:
    found = _CARD.fullmatch(text)
    if found is None:
        raise ValueError(f"{shown(text)} is no card, as ca-8 or fo3")
    try:
        return card(int(found[2]), _trait(found[1]))
    except KeyError:
        raise ValueError(f"{text} is none of the 122 cards") from None


def _trait(code: str) -> Trait:
    if code not in _TRAITS:
        raise ValueError(f"{shown(code)} is no trait: {', '.join(_TRAITS)}")
    return _TRAITS[code]


def _planned_from(text: str, player: Player) -> PlayOutcome:
    play = move_from(text)
    planned = outcome(play, player.species, player.hand) if isinstance(play, CardPlay) else None
    if not isinstance(planned, PlayOutcome):
        raise ValueError(f"seat {player.seat} has chosen {text:.80}, which is illegal")
    return planned
