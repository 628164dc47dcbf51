"""Everything an agent may answer.

Laws: boards and cards are named by their index, seats absolutely. A move holds only naturals, or it cannot be built;
whether it is legal is for the rules to say.
"""

from typing import Final, TypeAlias, TypeVar, final

from mypy_extensions import mypyc_attr

from wateringhole import rulebook
from wateringhole.fault import Asked, Fault, Reason, shown
from wateringhole.species import MAX_TRAITS
from wateringhole.value import COMPILED, Value

MAX_NUMBER: Final = 2**31 - 1
"""All ones: so `a | b` is a natural up to this just when a and b are.

Types are checked below in plain Python only: in compiled code the signature is checked before, and setup.py makes that
say the same.
"""

T = TypeVar("T")


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Growth(Value):
    """Pay this card for one more animal, or one more body size, of this board."""

    __slots__ = ("board", "card")
    __match_args__ = ("board", "card")

    def __init__(self, board: int, card: int) -> None:
        typed = COMPILED or type(board) is type(card) is int
        if not (typed and 0 <= board | card <= MAX_NUMBER):
            raise _refusal("Growth", board=board, card=card)
        self.board: Final = board
        self.card: Final = card


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class NewBoard(Value):
    """Pay the card `pay` for a new board at the right end; the cards `traits`, 3 at most, become its traits."""

    __slots__ = ("pay", "traits")
    __match_args__ = ("pay", "traits")

    def __init__(self, pay: int, traits: tuple[int, ...] = ()) -> None:
        typed = COMPILED or type(pay) is int
        if not (typed and 0 <= pay <= MAX_NUMBER):
            raise _refusal("NewBoard", pay=pay)
        self.pay: Final = pay
        self.traits: Final = _tuple_of(int, traits, "NewBoard.traits")
        for card in self.traits:
            if not 0 <= card <= MAX_NUMBER:
                raise ValueError(f"NewBoard.traits has {shown(card)}, not from 0 to {MAX_NUMBER}")
        if len(self.traits) > MAX_TRAITS:
            raise ValueError(f"NewBoard.traits has {len(self.traits)} cards, above {MAX_TRAITS}: {self.traits!r:.80}")


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Replacement(Value):
    """Put this card in the place of the trait in this slot of this board."""

    __slots__ = ("board", "card", "slot")
    __match_args__ = ("board", "slot", "card")

    def __init__(self, board: int, slot: int, card: int) -> None:
        typed = COMPILED or type(board) is type(slot) is type(card) is int
        if not (typed and 0 <= board | slot | card <= MAX_NUMBER):
            raise _refusal("Replacement", board=board, slot=slot, card=card)
        self.board: Final = board
        self.slot: Final = slot
        self.card: Final = card


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class CardPlay(Value):
    """The answer to `choose`: the food card and the uses of others. New boards are numbered behind the old ones."""

    __slots__ = ("boards", "body", "food", "population", "traits")
    __match_args__ = ("food", "population", "body", "boards", "traits")

    def __init__(
        self,
        food: int,
        population: tuple[Growth, ...] = (),
        body: tuple[Growth, ...] = (),
        boards: tuple[NewBoard, ...] = (),
        traits: tuple[Replacement, ...] = (),
    ) -> None:
        typed = COMPILED or type(food) is int
        if not (typed and 0 <= food <= MAX_NUMBER):
            raise _refusal("CardPlay", food=food)
        self.food: Final = food
        self.population: Final = _tuple_of(Growth, population, "CardPlay.population")
        self.body: Final = _tuple_of(Growth, body, "CardPlay.body")
        self.boards: Final = _tuple_of(NewBoard, boards, "CardPlay.boards")
        self.traits: Final = _tuple_of(Replacement, traits, "CardPlay.traits")


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Graze(Value):
    """Let this hungry vegetarian eat from the watering hole."""

    __slots__ = ("board",)
    __match_args__ = ("board",)

    def __init__(self, board: int) -> None:
        typed = COMPILED or type(board) is int
        if not (typed and 0 <= board <= MAX_NUMBER):
            raise _refusal("Graze", board=board)
        self.board: Final = board


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class StoreFat(Value):
    """Store so many tokens of the watering hole as fat of this board, which has fat-tissue."""

    __slots__ = ("board", "tokens")
    __match_args__ = ("board", "tokens")

    def __init__(self, board: int, tokens: int) -> None:
        typed = COMPILED or type(board) is type(tokens) is int
        if not (typed and 0 <= board | tokens <= MAX_NUMBER):
            raise _refusal("StoreFat", board=board, tokens=tokens)
        self.board: Final = board
        self.tokens: Final = tokens


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Attack(Value):
    """Let this hungry carnivore attack the board `target` of the player on another seat."""

    __slots__ = ("board", "seat", "target")
    __match_args__ = ("board", "seat", "target")

    def __init__(self, board: int, seat: int, target: int) -> None:
        typed = COMPILED or type(board) is type(seat) is type(target) is int
        if not (typed and 0 <= board | seat | target <= MAX_NUMBER):
            raise _refusal("Attack", board=board, seat=seat, target=target)
        self.board: Final = board
        self.seat: Final = seat
        self.target: Final = target


@mypyc_attr(acyclic=True)
@final
class Decline(Value):
    """Feed no more in this turn."""

    __slots__ = ()

    def __init__(self) -> None:
        pass


def _tuple_of(kind: type[T], items: tuple[T, ...], field: str) -> tuple[T, ...]:
    """These items, if they are a tuple of this class."""
    if not COMPILED and not isinstance(items, tuple):
        raise TypeError(f"{field} is {items!r:.80}, not of the type tuple")
    for item in items:
        if type(item) is not kind:
            raise TypeError(f"{field} has {item!r:.80}, not of the type {kind.__name__}")
    return items


def _refusal(kind: str, **fields: object) -> TypeError | ValueError:
    """Says which of these fields is no natural up to the limit."""
    field, number = next((field, number) for field, number in fields.items() if not _is_natural(number))
    if type(number) is int:
        return ValueError(f"{kind}.{field} is {shown(number)}, not from 0 to {MAX_NUMBER}")
    return TypeError(f"{kind}.{field} is {number!r:.80}, not of the type int")


def _is_natural(number: object) -> bool:
    return type(number) is int and 0 <= number <= MAX_NUMBER


Feeding: TypeAlias = Graze | StoreFat | Attack | Decline
"""An answer to `feed`."""
Move: TypeAlias = CardPlay | Feeding
"""What a seat may do."""
Reply: TypeAlias = Move | Fault
"""An answer of an agent, or its failure."""

ASKED_BY: Final = {"choose": rulebook.PLAY_SHAPE, "feed": rulebook.OPTIONS}


def reply_in(answer: object, during: Asked) -> Reply:
    """What was answered, or the fault of answering with anything else: types alone bind no agent."""
    if type(answer) is CardPlay or type(answer) is Graze or type(answer) is StoreFat or type(answer) is Attack:
        return answer
    if type(answer) is Decline:
        return answer
    if type(answer) is Fault:
        return Fault(answer.reason, answer.text, answer.rule, during)
    return Fault(Reason.SHAPE, f"answers {during} with {shown(answer)}: not a move", ASKED_BY[during], during)


def misplaced(move: Move, during: Asked) -> Fault:
    """The fault of answering with a move of the wrong kind."""
    return Fault(Reason.ILLEGAL, f"answers {during} with {type(move).__name__}", ASKED_BY[during], during)
