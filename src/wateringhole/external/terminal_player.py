"""A player at this terminal: prints the view of one seat, reads short commands, and explains illegal ones at once.

Laws: a conversation yields and receives texts; the participant prints and reads them. Only legal moves leave a
conversation.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Generator, Sequence
from typing import Final, TextIO, TypeAlias

from wateringhole.agents.silly import Silly
from wateringhole.events import Event, described, sentence
from wateringhole.fault import Fault, Reason
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard, Replacement, Reply, StoreFat
from wateringhole.player import Other
from wateringhole.record import Note, Result
from wateringhole.species import Species
from wateringhole.store.log_entries import SeatTicket
from wateringhole.value import replace
from wateringhole.view import Choose, Feed, Own, Request, Start

CHOOSE_HELP: Final = """\
  food CARD              this card goes to the watering hole (every play needs one)
  pop BOARD CARD         one more animal          body BOARD CARD      one more body
  new CARD [CARD...]     the first card pays for a board, the others are its traits
  trait BOARD SLOT CARD  the card takes the place of that trait
  undo  clear  hint      'hint' shows what a silly player would do
  done                   play it"""
FEED_HELP: Final = """\
  NUMBER                 one of the options       NUMBER TOKENS        store so much fat, not all
  no                     feed no more this turn   hint                 what a silly player would do"""

Conversation: TypeAlias = Generator[str, str, CardPlay | Feeding]
"""Yields a text, receives a line, and returns a legal move."""


def choosing(request: Choose, name: Callable[[int], str]) -> Conversation:
    """Builds a card play, card by card."""
    drafts: list[CardPlay | None] = [None]
    heard = yield f"{question_words(request, name)}\n{CHOOSE_HELP}\nplay> "
    while True:
        draft = drafts[-1]
        match heard.split():
            case ["done"] if draft is not None and request.why_not(draft) is None:
                return draft
            case ["done"]:
                objection = request.why_not(draft) if draft is not None else None
                said = (
                    f"  Not allowed ({objection.rule}): it {objection.text}."
                    if objection
                    else "  First choose a food card."
                )
            case ["undo"]:
                drafts = drafts[:-1] or [None]
                said = _plan(request, drafts[-1])
            case ["clear"]:
                drafts = [None]
                said = _plan(request, None)
            case ["hint"]:
                said = f"  A silly player would: {play_words(request, Silly().choose(request))}"
            case [] | ["?"] | ["help"]:
                said = CHOOSE_HELP
            case words:
                longer = _longer(draft, words)
                if isinstance(longer, str):
                    said = longer
                else:
                    drafts.append(longer)
                    said = _plan(request, longer)
        heard = yield f"{said}\nplay> "


def _longer(draft: CardPlay | None, words: list[str]) -> CardPlay | str:
    """The draft with one more part; or what is wrong with the words."""
    command, *given = words
    if not all(_is_number(word) for word in given):
        return f"  {' '.join(words):.60} is no command; 'help' lists them."
    numbers = [int(word) for word in given]
    match command, numbers:
        case "food", [card]:
            return replace(draft, food=card) if draft else CardPlay(card)
        case _ if draft is None:
            return "  First choose a food card: food CARD."
        case "pop", [board, card]:
            return replace(draft, population=(*draft.population, Growth(board, card)))
        case "body", [board, card]:
            return replace(draft, body=(*draft.body, Growth(board, card)))
        case "new", [pay, *traits] if len(traits) <= 3:
            return replace(draft, boards=(*draft.boards, NewBoard(pay, tuple(traits))))
        case "trait", [board, slot, card]:
            return replace(draft, traits=(*draft.traits, Replacement(board, slot, card)))
        case _:
            return f"  {' '.join(words):.60} is no command; 'help' lists them."


def feeding(request: Feed, name: Callable[[int], str]) -> Conversation:
    """One of the options, by its number."""
    options = request.options
    listed = "\n".join(f"  {number}. {feeding_words(move, name)}" for number, move in enumerate(options, 1))
    heard = yield f"{question_words(request, name)}\nYou may:\n{listed}\n{FEED_HELP}\nfeed> "
    while True:
        match heard.split():
            case ["no"]:
                return Decline()
            case ["hint"]:
                said = f"  A silly player would: {feeding_words(Silly().feed(request), name)}"
            case [number, *tokens] if _is_number(number) and 1 <= int(number) <= len(options):
                move = _less(options[int(number) - 1], tokens)
                if isinstance(move, str):
                    said = move
                else:
                    refused = request.why_not(move)
                    if refused is None:
                        return move
                    said = f"  Not allowed ({refused.rule}): it {refused.text}."
            case _:
                said = f"{listed}\n{FEED_HELP}"
        heard = yield f"{said}\nfeed> "


def _less(option: Feeding, tokens: list[str]) -> Feeding | str:
    """The option, with fewer tokens if that is said."""
    match option, tokens:
        case _, []:
            return option
        case StoreFat(board), [number] if _is_number(number):
            return StoreFat(board, int(number))
        case _:
            return "  Only fat is stored by the token: NUMBER TOKENS."


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


# Texts on the screen.


def question_words(request: Request, name: Callable[[int], str]) -> str:
    """What a seat sees when it is asked."""
    others: Sequence[Other] = (
        request.others if isinstance(request, Feed) else sorted((*request.before, *request.after), key=lambda o: o.seat)
    )
    lines = [f"Turn {request.turn}. Watering hole: {request.watering_hole}. Cards in the deck: {request.deck}."]
    lines += [line for other in others for line in _boards(name(other.seat), other.species, f"{other.cards} cards")]
    lines += _boards("You", request.me.species, f"bag {request.me.bag}")
    return "\n".join([*lines, *_hand(request.me)])


def _boards(who: str, species: Sequence[Species], more: str) -> list[str]:
    rows = [f"    {at}  {described(board)}" for at, board in enumerate(species)]
    return [f"{who} ({more}):", *(rows or ["    no boards"])]


def _hand(me: Own) -> list[str]:
    return ["Your hand:", *(f"    {at}  {held.trait} {held.food:+d}" for at, held in enumerate(me.hand))]


def _plan(request: Choose, draft: CardPlay | None) -> str:
    if draft is None:
        return "  Your plan is empty."
    objection = request.why_not(draft)
    if objection is not None:
        return f"  {play_words(request, draft)}\n  Not allowed ({objection.rule}): it {objection.text}. Try undo."
    after = "\n".join(f"    {at}  {described(board)}" for at, board in enumerate(request.preview(draft)))
    return f"  {play_words(request, draft)}\n  Then your boards are:\n{after}"


def play_words(request: Request, draft: CardPlay) -> str:
    """A card play, in words."""

    def held(card: int) -> str:
        return f"{request.me.hand[card].trait}" if card < len(request.me.hand) else f"card {card}"

    parts = [f"food {held(draft.food)}"]
    parts += [f"board for {held(new.pay)}" + "".join(f" +{held(card)}" for card in new.traits) for new in draft.boards]
    parts += [f"{held(swap.card)} into slot {swap.slot} of board {swap.board}" for swap in draft.traits]
    parts += [f"population of board {growth.board} for {held(growth.card)}" for growth in draft.population]
    parts += [f"body of board {growth.board} for {held(growth.card)}" for growth in draft.body]
    return "; ".join(parts)


def feeding_words(move: Feeding, name: Callable[[int], str]) -> str:
    """A feeding, in words."""
    match move:
        case Graze(board):
            return f"feed board {board}"
        case StoreFat(board, tokens):
            return f"store {tokens} on board {board}"
        case Attack(board, seat, target):
            return f"board {board} attacks board {target} of {name(seat)}"
        case Decline():
            return "feed no more this turn"


class TerminalParticipant:
    """A player at this terminal, without a time limit."""

    def __init__(self, name: str, hears: int = 0, says: TextIO = sys.stdout) -> None:
        """Read from this file descriptor: for a line in a buffer of Python the event loop would not be woken."""
        self.name = name
        self.listens = True
        self.deadline: float | None = None
        self.why = ""
        self.names: Sequence[str] = ()
        self._hears = hears
        self._says = says
        self._typed = b""

    def ticket(self) -> SeatTicket:
        return SeatTicket("person", self.name)

    def watch(self, broke: Callable[[Fault], None]) -> None:
        pass

    def start(self, request: Start) -> None:
        pass

    def told(self, events: Sequence[Event]) -> None:
        for event in events:
            self._say(f"{sentence(event, self._name)}\n")

    async def reply(self, request: Request) -> Reply:
        talk = feeding(request, self._name) if isinstance(request, Feed) else choosing(request, self._name)
        said = next(talk)
        while True:
            self._say(said)
            line = await self._line()
            if not line:
                return Fault(Reason.DISCONNECTED, "left the table")
            try:
                said = talk.send(line)
            except StopIteration as end:
                reply: Reply = end.value
                return reply

    async def recall(self, request: Request) -> None:
        pass

    def evidence(self) -> Note:
        return {}

    def expel(self, fault: Fault) -> None:
        self._say(f"You are expelled ({fault.reason}): this seat {fault.text}.\n")

    def over(self, seat: int, result: Result) -> None:
        pass

    def _name(self, seat: int) -> str:
        return self.names[seat - 1] if seat <= len(self.names) else f"player {seat}"

    def _say(self, text: str) -> None:
        self._says.write(text)
        self._says.flush()

    async def _line(self) -> str:
        """The next line; an empty text at the end. The event loop runs meanwhile."""
        while b"\n" not in self._typed:
            await self._readable()
            typed = os.read(self._hears, 4_096)
            if not typed and not self._typed:
                return ""
            self._typed += typed or b"\n"
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace") + "\n"

    async def _readable(self) -> None:
        loop = asyncio.get_running_loop()
        ready = loop.create_future()
        try:
            loop.add_reader(self._hears, ready.set_result, None)
        except PermissionError:
            return  # a file is always ready
        try:
            await ready
        finally:
            loop.remove_reader(self._hears)
