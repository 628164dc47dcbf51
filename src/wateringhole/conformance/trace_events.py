"""Traces the events of a feeding step or a turn, with the boards as they were before each of them."""

from collections.abc import Sequence
from typing import Final

from wateringhole import events, rulebook
from wateringhole.conformance.coverage import Trace
from wateringhole.events import Event
from wateringhole.player import Other
from wateringhole.rules.attack import why_blocked
from wateringhole.rules.feeding import feedings
from wateringhole.species import Species
from wateringhole.traits import Trait


class TracedTable:
    """The boards of all seats and the watering hole, which events move on.

    Laws: after the events of a turn it has the boards and the tokens that the game has.
    """

    def __init__(self, rows: dict[int, tuple[Species, ...]], hands: dict[int, int], watering_hole: int) -> None:
        self.rows: Final = {seat: list(row) for seat, row in rows.items()}
        self.hands: Final = dict(hands)
        self.watering_hole = watering_hole

    def happen(self, event: Event) -> None:
        """Change what this event changes."""
        match event:
            case events.Revealed():
                self.watering_hole = event.watering_hole
            case events.Bred(seat, at, population) | events.AnimalLost(seat, at, population):
                self.rows[seat][at] = self.rows[seat][at].with_population(population)
            case events.Ate(seat, at, tokens):
                self.rows[seat][at] = self.rows[seat][at].having_eaten(tokens)
                self.watering_hole -= tokens
            case events.FatMoved(seat, at):
                self.rows[seat][at] = self.rows[seat][at].having_moved_fat()
            case events.FatStored(seat, at, tokens):
                self.rows[seat][at] = self.rows[seat][at].having_stored(tokens)
                self.watering_hole -= tokens
            case events.Extinct(seat, at, cards):
                del self.rows[seat][at]
                self.hands[seat] += cards

    def others(self, seat: int) -> tuple[Other, ...]:
        """The others as this seat sees them, in the order of p."""
        seats = list(self.rows)
        at = seats.index(seat)
        return tuple(Other(other, tuple(self.rows[other]), 0) for other in seats[at + 1 :] + seats[:at])


class EventTracer:
    """Traces events one by one."""

    def __init__(self, trace: Trace, table: TracedTable) -> None:
        self.trace: Final = trace
        self.table: Final = table
        self._fed: list[int] = []  # the seat of each step of the feeding, in their order
        self._out: list[int] = []  # the seats that are out of options
        self._bred: dict[tuple[int, int], Species] = {}  # boards before they bred, by seat and place
        self._attack: events.Attacked | None = None  # that of the current step
        self._hunter: Species | None = None  # the board of the last attack, as it was then
        self._horned = False  # whether the prey of the last attack has horns
        self._sharer: int | None = None  # the place of the last board that cooperated in this chain of meals

    def run(self, told: Sequence[Event]) -> None:
        """Trace all of these events."""
        for event in told:
            self._look(event)
            self.table.happen(event)

    def end(self) -> None:
        """Trace what is left at the end of a turn's feeding."""
        table = self.table
        if table.watering_hole:
            self.trace.edge(rulebook.LEFT_OVER, "tokens are left")
            for seat in self._out:
                if feedings(tuple(table.rows[seat]), table.watering_hole, table.others(seat), enough=1):
                    self.trace.edge(rulebook.NO_OPTION, "for good, though there is an option later")
        elif len(self._out) < len(table.rows):
            self.trace.edge(rulebook.QUEUE, "ends when the watering hole is empty")

    def _look(self, event: Event) -> None:
        trace = self.trace
        match event:
            case events.Bred(seat, at):
                trace.rules.add(event.rule)
                self._bred[seat, at] = self.table.rows[seat][at]
            case events.Ate():
                self._look_at_meal(event)
            case events.FatMoved():
                self._look_at_moved_fat(event)
            case events.FatStored():
                self._look_at_stored_fat(event)
            case events.Attacked():
                self._look_at_attack(event)
            case events.AnimalLost():
                self._look_at_loss(event)
            case events.Extinct():
                self._look_at_extinction(event)
            case events.OutOfOptions(seat):
                trace.edge(event.rule, "leaves at once" if seat not in self._fed else "leaves after a step")
                if any(board.hungry for board in self.table.rows[seat]):
                    trace.edge(event.rule, "leaves with a hungry carnivore")
                self._out.append(seat)

    def _step(self, seat: int, rule: str) -> None:
        """Trace that a player takes a step of the feeding cycle."""
        self.trace.edge(rulebook.QUEUE, "a second step" if seat in self._fed else "a first step")
        if self._fed and self._fed[-1] == seat:
            self.trace.edge(rulebook.QUEUE, "a player is alone in it")
        if rule == rulebook.AUTOMATIC:
            self.trace.rules.add(rule)
        self._fed.append(seat)
        self._attack = None

    def _look_at_meal(self, event: events.Ate) -> None:
        trace, table, row = self.trace, self.table, self.table.rows[event.seat]
        eater, right = row[event.board], row[event.board + 1] if event.board + 1 < len(row) else None
        if event.rule in {rulebook.GRAZE, rulebook.AUTOMATIC}:
            self._step(event.seat, event.rule)
            trace.edge(rulebook.GRAZE, "a meal")
        trace.rules |= {event.rule, rulebook.MEAL}
        last = event.tokens == table.watering_hole
        trace.edge(rulebook.MEAL, f"by {event.rule}{', the last token' if last else ''}")
        if Trait.FORAGING in eater.traits:
            limit = "hunger for one" if eater.population - eater.food == 1 else "one token left"
            trace.edge(rulebook.FORAGING, f"two tokens by {event.rule}" if event.tokens == 2 else limit)
        if Trait.COOPERATION in eater.traits:
            self._look_at_sharing(event, eater, right)
        match event.rule:
            case rulebook.LONG_NECK:
                self._look_at_long_neck(event, eater)
            case rulebook.COOPERATION:
                self._look_at_shared(event, eater)
            case rulebook.SCAVENGER:
                self._look_at_scavenger(event, eater)
        if event.rule != rulebook.COOPERATION:
            self._sharer = None
        if Trait.COOPERATION in eater.traits and right is not None:
            self._sharer = event.board

    def _look_at_sharing(self, event: events.Ate, eater: Species, right: Species | None) -> None:
        trace, left = self.trace, self.table.watering_hole - event.tokens
        rule = rulebook.COOPERATION
        if right is None:
            trace.edge(rule, "no right neighbour")
        elif not right.hungry:
            trace.edge(rule, "a sated right neighbour")
        elif not left:
            trace.edge(rule, "nothing left to share")
        else:
            trace.edge(rule, f"{event.tokens} meals by {event.rule}")
            if event.rule == rulebook.LONG_NECK:
                trace.pair(rulebook.LONG_NECK, Trait.COOPERATION)
            if event.tokens == 2 and min(left, right.population - right.food) > 1:
                trace.pair(rule, Trait.FORAGING)
            if event.tokens == 1 and Trait.FORAGING in eater.traits:
                trace.edge(rule, "only for the token that foraging really brought")
            if Trait.COOPERATION in right.traits:
                trace.pair(rule, Trait.COOPERATION)
            if Trait.CARNIVORE in right.traits:
                trace.pair(rule, Trait.CARNIVORE)

    def _look_at_long_neck(self, event: events.Ate, eater: Species) -> None:
        trace, rule = self.trace, rulebook.LONG_NECK
        grown = self._bred.get((event.seat, event.board))
        if grown is not None and not grown.hungry:
            trace.pair(rulebook.FERTILE, Trait.LONG_NECK)
            if Trait.CARNIVORE in eater.traits:
                trace.edge(rulebook.FERTILE, "a sated carnivore grows before its long neck feeds it")
        if Trait.CARNIVORE in eater.traits:
            trace.pair(rule, Trait.CARNIVORE)
        if event.tokens == 2:
            trace.pair(rule, Trait.FORAGING)
        if eater.fat_food > eater.population - eater.food - event.tokens:
            trace.pair(rule, Trait.FAT_TISSUE)
            if event.tokens == self.table.watering_hole and event.seat != next(iter(self.table.rows)):
                trace.edge(rule, "the last token for a later player, who could have eaten its fat")

    def _look_at_shared(self, event: events.Ate, eater: Species) -> None:
        trace, rule = self.trace, rulebook.COOPERATION
        trace.edge(rule, "a meal of the neighbour")
        if event.tokens == 2:
            trace.edge(rule, "a neighbour that forages")
        if self._sharer is not None and self._sharer != event.board - 1:
            trace.edge(rule, "the second meal of a neighbour")
        if Trait.LONG_NECK in eater.traits and not self._fed:
            trace.edge(rule, "at the reveal, to a long neck")

    def _look_at_scavenger(self, event: events.Ate, eater: Species) -> None:
        trace, rule, attack = self.trace, rulebook.SCAVENGER, self._attack
        assert attack is not None
        if event.seat != attack.seat:
            after = list(self.table.rows).index(event.seat) > list(self.table.rows).index(attack.seat)
            whose = "another player's, later in the order" if after else "another player's, earlier in the order"
        else:
            whose = "the attacker's own" if event.board == attack.board else "the attacking player's"
        trace.edge(rule, whose)
        if event.seat in self._out:
            trace.edge(rulebook.NO_OPTION, "its scavenger still eats")
        trace.pair(rulebook.ATTACK, Trait.SCAVENGER)
        if Trait.CARNIVORE in eater.traits:
            trace.pair(rule, Trait.CARNIVORE)
        if self._horned:
            trace.pair(rulebook.HORNS, Trait.SCAVENGER)
            if self._hunter is not None and self._hunter.population - 1 <= self._hunter.food:
                trace.edge(rulebook.HORNS, "scavengers eat though the attacker is sated")
        waiting = self._scavengers()
        if event.tokens == self.table.watering_hole and len(waiting) > 1:
            trace.edge(rule, "the food does not last for all")
            if any(seat < attack.seat <= event.seat for seat, _ in waiting):
                trace.edge(rule, "the food does not last for a player who is earlier in the order")

    def _scavengers(self) -> list[tuple[int, int]]:
        return [
            (seat, at)
            for seat, row in self.table.rows.items()
            for at, board in enumerate(row)
            if board.hungry and Trait.SCAVENGER in board.traits
        ]

    def _look_at_moved_fat(self, event: events.FatMoved) -> None:
        trace, board = self.trace, self.table.rows[event.seat][event.board]
        trace.edge(event.rule, "some fat stays" if event.tokens < board.fat_food else "all the fat")
        if board.hungry and event.tokens < board.population - board.food:
            trace.edge(event.rule, "less than the hunger")
        grown = self._bred.get((event.seat, event.board))
        if grown is not None and event.tokens == board.population - board.food:
            trace.pair(rulebook.FERTILE, Trait.FAT_TISSUE)

    def _look_at_stored_fat(self, event: events.FatStored) -> None:
        trace, row = self.trace, self.table.rows[event.seat]
        board = row[event.board]
        self._step(event.seat, event.rule)
        whole = event.tokens == board.fat_need
        trace.edge(rulebook.STORE_FAT, "up to the body" if whole else "all tokens, and there is room for more")
        if Trait.CARNIVORE in board.traits and board.hungry:
            trace.pair(rulebook.OPTIONS, Trait.CARNIVORE)
        if Trait.FORAGING in board.traits:
            trace.pair(rulebook.STORE_FAT, Trait.FORAGING)
        if Trait.COOPERATION in board.traits and event.board + 1 < len(row) and row[event.board + 1].hungry:
            trace.pair(rulebook.STORE_FAT, Trait.COOPERATION)

    def _look_at_attack(self, event: events.Attacked) -> None:
        trace, table = self.trace, self.table
        self._step(event.seat, event.rule)
        trace.rules |= {rulebook.ATTACK, rulebook.ATTACK_CHOICE, event.rule}
        self._attack, self._hunter = event, table.rows[event.seat][event.board]
        prey = table.rows[event.target_seat][event.target]
        self._horned = Trait.HORNS in prey.traits
        if self._horned:
            trace.pair(rulebook.ATTACK, Trait.HORNS)
        if prey.food == prey.population > 1:
            trace.edge(rulebook.ANIMAL, "its food is lost")
        elif prey.food:
            trace.edge(rulebook.ANIMAL, "its food stays")
        trace.edge(rulebook.ATTACK, "the last animal" if prey.population == 1 else "one of several animals")
        if Trait.HORNS in self._hunter.traits and not self._horned:
            trace.edge(rulebook.HORNS, "the attacker's own play no part")
        for other in table.others(event.seat):
            for at in range(len(other.species)):
                blocked = why_blocked(self._hunter, other.species, at)
                if blocked is not None:
                    trace.variety.add(f"in a turn {blocked[0]} protects")

    def _look_at_loss(self, event: events.AnimalLost) -> None:
        trace, board = self.trace, self.table.rows[event.seat][event.board]
        trace.rules |= {event.rule, rulebook.ANIMAL}
        if event.rule == rulebook.HORNS:
            if not event.population:
                trace.edge(event.rule, "the attacker dies out")
                others = [place for place in self._scavengers() if place != (event.seat, event.board)]
                if others and self.table.watering_hole:
                    trace.pair(event.rule, Trait.SCAVENGER)
                    trace.edge(event.rule, "the attacker dies out, and scavengers go hungry")
            else:
                trace.edge(event.rule, "the attacker is sated" if board.food >= event.population else "and it eats")

    def _look_at_extinction(self, event: events.Extinct) -> None:
        trace, row = self.trace, self.table.rows[event.seat]
        trace.edge(event.rule, f"{event.cards} cards for it")
        if self.table.hands[event.seat] and event.cards:
            trace.edge(event.rule, "cards in front of a hand")
        if event.board + 1 < len(row):
            trace.edge(event.rule, "boards move up")
        if row[event.board].fat_food:
            trace.edge(event.rule, "its fat is lost")
        attack = self._attack
        if attack is not None and event.seat == attack.seat and event.cards:
            trace.edge(event.rule, "the attacker's owner draws second")
