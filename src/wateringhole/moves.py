"""Everything an agent may answer.

Laws: boards and cards are named by their index, seats absolutely. A move holds only naturals, or it cannot be built;
whether it is legal is for the rules to say.
"""

from typing import Final, TypeAlias, final

from mypy_extensions import mypyc_attr

from wateringhole import rulebook
from wateringhole.fault import Asked, Fault, Reason, shown
from wateringhole.species import MAX_TRAITS
from wateringhole.value import COMPILED, Value

MAX_NUMBER: Final = 2**31 - 1
"""All ones: so `a | b` is a natural up to this just when a and b are, and one comparison checks all parts of a move."""


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Growth(Value):
    """Trade this card for one more population, or body, of this board."""

    __match_args__ = ("board", "card")

    def __init__(self, board: int, card: int) -> None:
        self.board: Final = board
        self.card: Final = card


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class NewBoard(Value):
    """Trade the card `pay` for a board on the right that bears these cards as traits."""

    __match_args__ = ("pay", "traits")

    def __init__(self, pay: int, traits: tuple[int, ...] = ()) -> None:
        self.pay: Final = pay
        self.traits: Final = traits


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Replacement(Value):
    """Put this card into this trait slot of this board."""

    __match_args__ = ("board", "slot", "card")

    def __init__(self, board: int, slot: int, card: int) -> None:
        self.board: Final = board
        self.slot: Final = slot
        self.card: Final = card


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class CardPlay(Value):
    """The answer to `choose`. New boards are numbered on behind the old ones."""

    __match_args__ = ("food", "population", "body", "boards", "traits")

    def __init__(
        self,
        food: int,
        population: tuple[Growth, ...] = (),
        body: tuple[Growth, ...] = (),
        boards: tuple[NewBoard, ...] = (),
        traits: tuple[Replacement, ...] = (),
    ) -> None:
        self.food: Final = food
        self.population: Final = population
        self.body: Final = body
        self.boards: Final = boards
        self.traits: Final = traits
        self.__post_init__()

    def __post_init__(self) -> None:
        if not COMPILED:  # where nobody has looked at the types: only a tuple can be added to one
            _ = () + self.population + self.body + self.boards + self.traits
        every = self.food | 0
        for growth in self.population:
            if type(growth) is not Growth:
                raise _misplaced_part(growth)
            every |= growth.board | growth.card
        for growth in self.body:
            if type(growth) is not Growth:
                raise _misplaced_part(growth)
            every |= growth.board | growth.card
        for new in self.boards:
            if type(new) is not NewBoard:
                raise _misplaced_part(new)
            every |= new.pay
            for card in () + new.traits:
                every |= card
            if len(new.traits) > MAX_TRAITS:
                raise ValueError(f"{new} has more than {MAX_TRAITS} traits")
        for swap in self.traits:
            if type(swap) is not Replacement:
                raise _misplaced_part(swap)
            every |= swap.board | swap.slot | swap.card
        if not 0 <= every <= MAX_NUMBER or not (COMPILED or type(every) is int):
            raise _not_natural(self, every)


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Graze(Value):
    """Feed this hungry vegetarian."""

    __match_args__ = ("board",)

    def __init__(self, board: int) -> None:
        self.board: Final = board
        self.__post_init__()

    def __post_init__(self) -> None:
        every = self.board | 0
        if not 0 <= every <= MAX_NUMBER or not (COMPILED or type(every) is int):
            raise _not_natural(self, every)


@mypyc_attr(acyclic=True)
@final
class StoreFat(Value):
    """Store tokens on this board's fat-tissue."""

    __match_args__ = ("board", "tokens")

    def __init__(self, board: int, tokens: int) -> None:
        self.board: Final = board
        self.tokens: Final = tokens
        self.__post_init__()

    def __post_init__(self) -> None:
        every = self.board | self.tokens
        if not 0 <= every <= MAX_NUMBER or not (COMPILED or type(every) is int):
            raise _not_natural(self, every)


@mypyc_attr(acyclic=True)
@final
class Attack(Value):
    """Let this carnivore attack board `target` of another seat."""

    __match_args__ = ("board", "seat", "target")

    def __init__(self, board: int, seat: int, target: int) -> None:
        self.board: Final = board
        self.seat: Final = seat
        self.target: Final = target
        self.__post_init__()

    def __post_init__(self) -> None:
        every = self.board | self.seat | self.target
        if not 0 <= every <= MAX_NUMBER or not (COMPILED or type(every) is int):
            raise _not_natural(self, every)


@mypyc_attr(acyclic=True)
@final
class Decline(Value):
    """Feed no more in this turn."""

    def __init__(self) -> None:
        pass


def _not_natural(move: object, every: object) -> ValueError | TypeError:
    if type(every) is not int:  # but something that behaves like one, and that no record could keep
        return TypeError(f"{move} has a number that is a {type(every).__name__}")
    return ValueError(f"{move} has a number that is not from 0 to {MAX_NUMBER}")


def _misplaced_part(part: object) -> TypeError:
    return TypeError(f"a {type(part).__name__} has no place there")


Feeding: TypeAlias = Graze | StoreFat | Attack | Decline
Move: TypeAlias = CardPlay | Feeding
Reply: TypeAlias = Move | Fault

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
