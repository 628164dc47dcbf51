"""A second set of books: what must lie on the table if all that was told is true, and nothing else happened.

Laws: bookkeeping only. The ledger follows the events and judges none; the invariants do that.
"""

from collections.abc import Sequence

from wateringhole import rulebook
from wateringhole.cards import Card
from wateringhole.events import (
    AnimalLost,
    Ate,
    Attacked,
    BoardGiven,
    Bred,
    CardsDealt,
    Declined,
    Event,
    Expelled,
    Extinct,
    FatMoved,
    FatStored,
    GameOver,
    OutOfOptions,
    Revealed,
    Starved,
    TurnEnded,
    TurnStarted,
)
from wateringhole.fault import Fault
from wateringhole.game import Game
from wateringhole.moves import CardPlay, Feeding
from wateringhole.species import Species
from wateringhole.traits import Trait

from .naive import used_cards

BEGIN, PLAY, BREED, REACH, MOVE_FAT, FEED, END, OVER = range(8)
"""The stages of a turn, in their order."""


class Board:
    """A board that changes in place."""

    __slots__ = ("body", "fat_food", "food", "population", "traits")

    def __init__(self, traits: Sequence[Trait] = ()) -> None:
        self.population = 1
        self.body = 0
        self.food = 0
        self.fat_food = 0
        self.traits = list(traits)

    @classmethod
    def of(cls, species: Species) -> "Board":
        board = cls(species.traits)
        board.population, board.body = species.population, species.body
        board.food, board.fat_food = species.food, species.fat_food
        return board

    @property
    def hungry(self) -> bool:
        return self.food < self.population


class Seat:
    """What one seat must have."""

    __slots__ = ("bag", "hand", "seat", "species")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.species: list[Board] = []
        self.hand: tuple[Card, ...] = ()
        self.bag = 0


class Hunt:
    """The attack that is under way."""

    __slots__ = ("ate", "attacked", "horned", "killed", "lived", "scavenged", "struck_back")

    def __init__(self, attacked: Attacked, horned: bool) -> None:
        self.attacked = attacked
        self.horned = horned
        self.killed = False
        self.struck_back = False
        self.lived = True
        self.ate = False
        self.scavenged: list[tuple[int, int]] = []


class Ledger:
    """The books of one game."""

    def __init__(self, seats: int, deck: tuple[Card, ...], watering_hole: int) -> None:
        self.seats = {seat: Seat(seat) for seat in range(1, seats + 1)}
        self.deck = deck
        self.dealt = 0
        self.watering_hole = watering_hole
        self.turn = 0
        self.stage = OVER
        self.queue: list[int] = []
        self.plans: dict[int, CardPlay | None] = {}  # None: this seat failed and leaves at the reveal
        self.leaving: list[int] = []
        self.failed: dict[int, list[Fault | None]] = {}  # None: the fault is for the dealer to find
        self.expelled: dict[int, Fault] = {}
        self.given: Feeding | None = None  # the feeding that was answered and not carried out yet
        self.owed: list[tuple[int, int]] = []  # meals by cooperation, the next one last
        self.served = 0  # how many seats got their cards this turn, and how many plays were revealed
        self.revealed = 0
        self.bred: set[tuple[int, int]] = set()
        self.reached: list[tuple[int, int]] = []
        self.hunt: Hunt | None = None
        self.retired: set[int] = set()
        self.feeding_steps = 0
        self.most_feeding_steps = 0
        self.first = dict.fromkeys(Trait, 0)
        for card in deck:
            self.first[card.trait] += 1
        self.out_of_play = dict.fromkeys(Trait, 0)
        self.gained = 0
        self.lost = 0

    @classmethod
    def of(cls, game: Game) -> "Ledger":
        """The books of a game that stands between two turns."""
        ledger = cls(0, game.deck, game.watering_hole)
        ledger.expelled = dict(game.expelled)
        for player in game.players.values():
            ledger.seats[player.seat] = seat = Seat(player.seat)
            seat.hand, seat.bag = player.hand, player.bag
            seat.species = [Board.of(board) for board in player.species]
            for trait in [card.trait for card in seat.hand] + [t for board in seat.species for t in board.traits]:
                ledger.first[trait] += 1
        return ledger

    def board(self, seat: int, at: int) -> Board:
        return self.seats[seat].species[at]

    def others(self, seat: int) -> list[Seat]:
        """The other seats in turn order, from the one after this seat on."""
        order = list(self.seats)
        at = order.index(seat)
        return [self.seats[other] for other in order[at + 1 :] + order[:at]]

    @property
    def cards_left(self) -> int:
        return len(self.deck) - self.dealt

    @property
    def cards_needed(self) -> int:
        """What the start of a turn takes now."""
        return sum(3 + max(1, len(seat.species)) for seat in self.seats.values())

    def enter(self, event: Event) -> None:
        """Open the stage of the turn to which this event belongs."""
        stage = self.stage_of(event)
        if stage == FEED and self.stage != FEED:
            population = sum(board.population for seat in self.seats.values() for board in seat.species)
            self.most_feeding_steps = self.watering_hole + len(self.seats) + population
            self.feeding_steps = 0
        self.stage = stage

    def stage_of(self, event: Event) -> int:
        match event:
            case TurnStarted() | BoardGiven() | CardsDealt():
                return BEGIN
            case Revealed():
                return PLAY
            case Bred():
                return BREED
            case Ate(rule=rulebook.LONG_NECK):
                return REACH
            case FatMoved():
                return MOVE_FAT
            case Expelled() | Extinct() | Ate(rule=rulebook.COOPERATION):
                return self.stage
            case Starved():
                return END
            case TurnEnded() | GameOver():
                return OVER
            case _:
                return FEED

    def apply(self, event: Event) -> None:
        """Enter this event into the books."""
        match event:
            case TurnStarted():
                self.turn += 1
                self.plans = {}
                self.served = self.revealed = 0
                self.bred = set()
                self.reached = []
                self.retired = set()
                self.queue = []
            case BoardGiven(seat):
                self.seats[seat].species.append(Board())
            case CardsDealt(seat, cards):
                self.deal(seat, cards)
                self.served += 1
            case Revealed(seat):
                self.revealed += 1
                self._play(self.seats[seat], self.plans.get(seat))
                self.queue = list(self.seats)
            case Bred(seat, at):
                self.board(seat, at).population += 1
                self.bred.add((seat, at))
            case FatMoved(seat, at, tokens):
                self.board(seat, at).food += tokens
                self.board(seat, at).fat_food -= tokens
            case FatStored(seat, at, tokens):
                self._step(seat)
                self.board(seat, at).fat_food += tokens
                self.watering_hole -= tokens
            case Ate(seat, at, tokens, rule):
                self._eat(seat, at, tokens, rule)
            case Attacked(seat, _, target_seat, target):
                self._step(seat)
                self.hunt = Hunt(event, Trait.HORNS in self.board(target_seat, target).traits)
            case AnimalLost(seat, at, _, rule):
                self._lose_animal(self.board(seat, at), rule)
            case Starved(seat, at):
                self.board(seat, at).population = self.board(seat, at).food
            case Extinct(seat, at, cards):
                self._lose_board(seat, at)
                self.deal(seat, cards)
            case Declined(seat) | OutOfOptions(seat):
                self._step(seat)
                self.queue.remove(seat)
                self.retired.add(seat)
            case TurnEnded():
                self._end_turn()
            case Expelled(seat, fault):
                self._expel(seat, fault)
            case GameOver():
                pass

    def deal(self, seat: int, cards: int) -> None:
        self.seats[seat].hand = self.deck[self.dealt : self.dealt + cards] + self.seats[seat].hand
        self.dealt += cards

    def _play(self, seat: Seat, play: CardPlay | None) -> None:
        assert play is not None, f"seat {seat.seat} gave no legal play, but one is revealed"
        hand = seat.hand
        used = used_cards(play)
        for number in used:
            self.out_of_play[hand[number].trait] += 1
        for new in play.boards:
            seat.species.append(Board([hand[number].trait for number in new.traits]))
            for number in new.traits:
                self.out_of_play[hand[number].trait] -= 1
        for swap in play.traits:
            board = seat.species[swap.board]
            if board.traits[swap.slot] is Trait.FAT_TISSUE:
                self.lost += board.fat_food
                board.fat_food = 0
            self.out_of_play[board.traits[swap.slot]] += 1
            self.out_of_play[hand[swap.card].trait] -= 1
            board.traits[swap.slot] = hand[swap.card].trait
        for growth in play.population:
            seat.species[growth.board].population += 1
        for growth in play.body:
            seat.species[growth.board].body += 1
        seat.hand = tuple(card for number, card in enumerate(hand) if number not in used)
        left = max(0, self.watering_hole + hand[play.food].food)
        self.gained += left - self.watering_hole
        self.watering_hole = left

    def _step(self, seat: int) -> None:
        """One feeding step: its seat goes to the end of the queue."""
        self.given = None
        self.feeding_steps += 1
        self.queue.remove(seat)
        self.queue.append(seat)

    def _eat(self, seat: int, at: int, tokens: int, rule: str) -> None:
        if rule in {rulebook.GRAZE, rulebook.AUTOMATIC}:
            self._step(seat)
        if rule == rulebook.LONG_NECK:
            self.reached.append((seat, at))
        if self.hunt and rule == rulebook.ATTACK:
            self.hunt.ate = True
        if self.hunt and rule == rulebook.SCAVENGER:
            self.hunt.scavenged.append((seat, at))
        if rule == rulebook.COOPERATION and self.owed:
            self.owed.pop()
        board = self.board(seat, at)
        board.food += tokens
        self.watering_hole -= tokens
        if Trait.COOPERATION in board.traits and at + 1 < len(self.seats[seat].species):
            self.owed += [(seat, at + 1)] * tokens

    def _lose_animal(self, board: Board, rule: str) -> None:
        if self.hunt and rule == rulebook.HORNS:
            self.hunt.struck_back = True
            self.hunt.lived = board.population > 1
        elif self.hunt:
            self.hunt.killed = True
        board.population -= 1
        left = min(board.food, board.population)
        self.lost += board.food - left
        board.food = left

    def _lose_board(self, seat: int, at: int) -> None:
        board = self.seats[seat].species.pop(at)
        self.lost += board.food + board.fat_food
        for trait in board.traits:
            self.out_of_play[trait] += 1

    def _end_turn(self) -> None:
        for seat in self.seats.values():
            for board in seat.species:
                seat.bag += board.food
                board.food = 0
        self.pass_on()

    def pass_on(self) -> None:
        """The first seat moves to the end of the order."""
        for first in list(self.seats)[:1]:
            self.seats[first] = self.seats.pop(first)

    def _expel(self, seat: int, fault: Fault) -> None:
        gone = self.seats.pop(seat)
        self.lost += gone.bag
        for board in gone.species:
            self.lost += board.food + board.fat_food
            for trait in board.traits:
                self.out_of_play[trait] += 1
        for card in gone.hand:
            self.out_of_play[card.trait] += 1
        self.plans.pop(seat, None)
        self.leaving = [other for other in self.leaving if other != seat]
        if seat in self.queue:
            self.queue.remove(seat)
        self.expelled[seat] = fault
