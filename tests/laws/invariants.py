"""What must hold after every step of a game: cards (K), boards (S), food (F) and the course of the game (G).

A `Witness` deals a game, keeps the ledger beside it, and checks every invariant at every answer. Some are laws of a
moment: they look at one event and at the table just before it. The others are laws of a step: they look at the game
before and after an answer, and at the ledger, which says what must lie there if all that was told is true.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from wateringhole import rulebook
from wateringhole.cards import Card
from wateringhole.dealer import answer, go_on, new_game, pending
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
    Standing,
    Starved,
    TurnEnded,
    TurnStarted,
)
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game, PlayOutcome
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Reply, StoreFat
from wateringhole.record import Record
from wateringhole.traits import Trait

from . import naive
from .ledger import BEGIN, END, FEED, MOVE_FAT, OVER, PLAY, REACH, Ledger

COPIES = {trait: 17 if trait is Trait.CARNIVORE else 7 for trait in Trait}
NONE = dict.fromkeys(Trait, 0)


class Step:
    """One answer: the game before and after it, what was told, and the books after it. Dealing the game is a step."""

    def __init__(self, before: Game | None, after: Game, events: list[Event], ledger: Ledger) -> None:
        self.before = before
        self.after = after
        self.events = events
        self.ledger = ledger
        self._kinds = {type(event) for event in events}
        self.live_cards = _live_cards(after)

    def told(self, *kinds: type) -> bool:
        return not self._kinds.isdisjoint(kinds)


class Witness:
    """A game of its own, its record, and all invariants after every step."""

    def __init__(self, game: Game, ledger: Ledger, watering_hole: int) -> None:
        self.game = game
        self.watering_hole = watering_hole
        self.replies: list[tuple[int, Reply]] = []
        self.story: list[Event] = []
        self.ledger = ledger
        self._check(None, game.hear())

    @classmethod
    def deal(cls, names: Sequence[str], deck: Sequence[Card], watering_hole: int = 0) -> "Witness":
        """A game from its beginning."""
        game = new_game(names, deck, watering_hole, listen=True)
        return cls(game, Ledger(len(names), tuple(deck), watering_hole), watering_hole)

    @classmethod
    def join(cls, game: Game) -> "Witness":
        """A game that stands between two turns, from its next turn on."""
        ledger = Ledger.of(game)
        ledger.pass_on()
        game.told = []
        go_on(game)
        return cls(game, ledger, ledger.watering_hole)

    def answer(self, seat: int, reply: Reply) -> list[Event]:
        """Give this answer and check everything; what was told."""
        before = self.game.clone()
        self.ledger.gained = self.ledger.lost = 0
        waits = self.game.phase == "feed" and seat != self.ledger.queue[0]
        refused = self._expect(seat, reply)
        events = answer(self.game, seat, reply)
        self.replies.append((seat, reply))
        if refused:
            g5_who_fails_while_asked_to_feed_leaves_first(seat, events)
        if waits:
            g5_who_fails_unasked_waits(events)
        self._check(before, events)
        return events

    @property
    def record(self) -> Record:
        """The record of a game that was watched from its beginning."""
        return Record(self.game.names, self.game.deck, tuple(self.replies), self.watering_hole)

    def _expect(self, seat: int, reply: Reply) -> bool:
        """Note in the books what this answer must lead to; whether it expels the asked seat at once."""
        ledger, player = self.ledger, self.ledger.seats[seat]
        if self.game.phase == "choose":
            if isinstance(reply, Fault) and reply.during == "start":
                self._note_failure(seat, reply)
                return False
            legal = isinstance(reply, CardPlay) and naive.flaw(reply, player.species, player.hand) is None
            ledger.plans[seat] = reply if isinstance(reply, CardPlay) and legal else None
            if not legal:
                self._note_failure(seat, reply)
            return False
        if seat != ledger.queue[0]:
            ledger.leaving.append(seat)
            self._note_failure(seat, reply)
            return False
        choices = naive.options(player.species, ledger.watering_hole, ledger.others(seat))
        if isinstance(reply, Fault | CardPlay) or not naive.legal_feeding(reply, choices):
            self._note_failure(seat, reply)
            return True
        ledger.given = reply
        return False

    def _note_failure(self, seat: int, reply: Reply) -> None:
        self.ledger.failed.setdefault(seat, []).append(reply if isinstance(reply, Fault) else None)

    def _check(self, before: Game | None, events: list[Event]) -> None:
        self.story += events
        for event in events:
            witness_moment(self.ledger, event)
        step = Step(before, self.game, events, self.ledger)
        for law in LAWS_OF_A_STEP:
            law(step)


def witness_moment(ledger: Ledger, event: Event) -> None:
    """Check the laws of this moment, then enter the event into the books."""
    f3_cooperation_feeds_the_neighbour_once_for_each_token(ledger, event)
    if not _is_part_of_an_attack(ledger, event):
        f3_an_attack_is_finished_before_anything_else(ledger)
        ledger.hunt = None
    g3_the_stages_of_a_turn_follow_each_other(ledger, event)
    g5_nothing_happens_to_the_expelled(ledger, event)
    ledger.enter(event)
    for law in LAWS_OF_A_MOMENT[type(event)]:
        law(ledger, event)
    ledger.apply(event)


def _is_part_of_an_attack(ledger: Ledger, event: Event) -> bool:
    if isinstance(event, Ate):
        return event.rule in {rulebook.ATTACK, rulebook.SCAVENGER, rulebook.COOPERATION}
    return isinstance(event, AnimalLost) or (isinstance(event, Extinct) and ledger.stage == FEED)


def _is_feeding_step(event: Event) -> bool:
    return isinstance(event, FatStored | Attacked | Declined | OutOfOptions) or (
        isinstance(event, Ate) and event.rule in {rulebook.GRAZE, rulebook.AUTOMATIC}
    )


# Laws of a moment: cards


def k5_a_turn_starts_with_three_cards_and_one_for_each_board(ledger: Ledger, event: Event) -> None:
    """K5: at the start everybody has a board and gets 3 cards and one more for each board."""
    assert isinstance(event, CardsDealt)
    assert all(seat.species for seat in ledger.seats.values())
    assert list(ledger.seats)[ledger.served] == event.seat
    assert event.cards == 3 + len(ledger.seats[event.seat].species)
    assert event.cards <= ledger.cards_left


def k6_a_play_uses_each_card_once(ledger: Ledger, event: Event) -> None:
    """K6: a play uses pairwise different cards of the hand; the ledger takes exactly these away."""
    assert isinstance(event, Revealed)
    play = ledger.plans.get(event.seat)
    assert play is not None
    used = naive.used_cards(play)
    assert len(set(used)) == len(used)
    assert max(used) < len(ledger.seats[event.seat].hand)


def k8_an_extinction_brings_two_cards(ledger: Ledger, event: Event) -> None:
    """K8: an extinct board's owner gets two cards, or what is left."""
    assert isinstance(event, Extinct)
    assert ledger.board(event.seat, event.board).population == 0
    assert event.cards == min(2, ledger.cards_left)


# Laws of a moment: boards


def s2_a_board_is_given_only_to_who_has_none(ledger: Ledger, event: Event) -> None:
    """S2: the start gives a new board, and only to a player without one."""
    assert isinstance(event, BoardGiven)
    assert not ledger.seats[event.seat].species


def s3_a_reveal_shows_what_was_played(ledger: Ledger, event: Event) -> None:
    """S3: boards change by the play that was answered, and the reveal tells its public part."""
    assert isinstance(event, Revealed)
    play, hand = ledger.plans[event.seat], ledger.seats[event.seat].hand
    assert play is not None
    assert event.food is hand[play.food]
    assert event.boards == tuple(tuple(hand[number].trait for number in new.traits) for new in play.boards)
    assert event.replaced == tuple((swap.board, swap.slot, hand[swap.card].trait) for swap in play.traits)
    assert event.population == tuple(growth.board for growth in play.population)
    assert event.body == tuple(growth.board for growth in play.body)


def s3_only_fertile_boards_breed(ledger: Ledger, event: Event) -> None:
    """S3: population grows at the reveal only by fertile, by one and once, not above 7."""
    assert isinstance(event, Bred)
    board = ledger.board(event.seat, event.board)
    assert Trait.FERTILE in board.traits
    assert event.population == board.population + 1 <= 7
    assert (event.seat, event.board) not in ledger.bred


def s3_only_prey_and_who_met_horns_lose_an_animal(ledger: Ledger, event: Event) -> None:
    """S3: while feeding, population falls only by an attack, by one for the prey, and by one for who met horns."""
    assert isinstance(event, AnimalLost)
    hunt = ledger.hunt
    assert hunt is not None
    if event.rule == rulebook.HORNS:
        assert hunt.killed
        assert hunt.horned
        assert not hunt.struck_back
        assert (event.seat, event.board) == (hunt.attacked.seat, hunt.attacked.board)
    else:
        assert not hunt.killed
        assert (event.seat, event.board) == (hunt.attacked.target_seat, hunt.attacked.target)
    assert event.population == ledger.board(event.seat, event.board).population - 1


def s3_only_the_unfed_starve(ledger: Ledger, event: Event) -> None:
    """S3: at the end of the turn population falls to the food."""
    assert isinstance(event, Starved)
    board = ledger.board(event.seat, event.board)
    assert event.population == board.food < board.population


def s3_a_turn_ends_with_as_many_animals_as_were_fed(ledger: Ledger, _: Event) -> None:
    """S3: when a turn ends every board has as many animals as food, and none is empty."""
    for seat in ledger.seats.values():
        for board in seat.species:
            assert board.population == board.food >= 1


# Laws of a moment: food


def f1_the_hole_rises_only_by_a_food_card_and_stops_at_0(ledger: Ledger, event: Event) -> None:
    """F1: a revealed food card changes the watering hole by its value, clamped at 0."""
    assert isinstance(event, Revealed)
    assert event.watering_hole == max(0, ledger.watering_hole + event.food.food)


def f3_fat_moves_as_far_as_hunger_goes(ledger: Ledger, event: Event) -> None:
    """F3: at the reveal fat-tissue feeds its own board."""
    assert isinstance(event, FatMoved)
    board = ledger.board(event.seat, event.board)
    assert Trait.FAT_TISSUE in board.traits
    assert event.tokens == min(board.fat_food, board.population - board.food) > 0


def f3_fat_is_stored_within_the_body_and_the_hole(ledger: Ledger, event: Event) -> None:
    """F3: stored fat comes from the watering hole and fits the body."""
    assert isinstance(event, FatStored)
    board = ledger.board(event.seat, event.board)
    assert Trait.FAT_TISSUE in board.traits
    assert 1 <= event.tokens <= min(board.body - board.fat_food, ledger.watering_hole)


def f3_a_meal_neither_overfeeds_nor_overdraws(ledger: Ledger, event: Event) -> None:
    """F3: a meal is one token, two with foraging, as far as hunger and the watering hole go."""
    assert isinstance(event, Ate)
    board = ledger.board(event.seat, event.board)
    appetite = 2 if Trait.FORAGING in board.traits else 1
    assert event.tokens == min(appetite, board.population - board.food, ledger.watering_hole) > 0


def f3_every_meal_has_its_reason(ledger: Ledger, event: Event) -> None:
    """F3: a board eats by grazing, long neck, an attack, scavenging or cooperation, each as often as it may."""
    assert isinstance(event, Ate)
    board, place, hunt = ledger.board(event.seat, event.board), (event.seat, event.board), ledger.hunt
    match event.rule:
        case rulebook.GRAZE | rulebook.AUTOMATIC:
            assert Trait.CARNIVORE not in board.traits
        case rulebook.LONG_NECK:
            assert Trait.LONG_NECK in board.traits
            order = list(ledger.seats)
            assert all((order.index(seat), at) < (order.index(event.seat), event.board) for seat, at in ledger.reached)
        case rulebook.ATTACK:
            assert hunt is not None
            assert place == (hunt.attacked.seat, hunt.attacked.board)
            assert hunt.killed
            assert hunt.struck_back == hunt.horned
            assert not hunt.ate
            assert not hunt.scavenged
        case rulebook.SCAVENGER:
            assert hunt is not None
            assert Trait.SCAVENGER in board.traits
            f3_the_hunter_eats_before_the_scavengers(ledger)
            order = [hunt.attacked.seat, *(other.seat for other in ledger.others(hunt.attacked.seat))]
            ranks = [(order.index(seat), at) for seat, at in [*hunt.scavenged, place]]
            assert ranks == sorted(set(ranks)), "scavengers eat once each, the attacking player's first"
        case rule:
            assert rule == rulebook.COOPERATION


def f3_the_hunter_eats_before_the_scavengers(ledger: Ledger) -> None:
    """F3: who attacked and lives has eaten, was sated, or found the watering hole empty."""
    hunt = ledger.hunt
    assert hunt is not None
    assert hunt.lived
    board = ledger.board(hunt.attacked.seat, hunt.attacked.board)
    assert hunt.ate or not board.hungry or ledger.watering_hole == 0


def f3_cooperation_feeds_the_neighbour_once_for_each_token(ledger: Ledger, event: Event | None) -> None:
    """F3: for each token that it ate, a cooperating board's right neighbour has a meal, and then all goes on."""
    while ledger.owed and not (ledger.board(*ledger.owed[-1]).hungry and ledger.watering_hole):
        ledger.owed.pop()
    by_cooperation = isinstance(event, Ate) and event.rule == rulebook.COOPERATION
    assert by_cooperation == bool(ledger.owed)
    if isinstance(event, Ate) and by_cooperation:
        assert (event.seat, event.board) == ledger.owed[-1]


def f3_an_attack_is_finished_before_anything_else(ledger: Ledger) -> None:
    """F3: the prey and who met its horns lost an animal; hunter and scavengers ate while they could."""
    hunt = ledger.hunt
    if hunt is None:
        return
    assert hunt.killed
    assert hunt.struck_back == hunt.horned
    if not hunt.lived:
        assert not hunt.ate
        assert not hunt.scavenged
        return
    if ledger.watering_hole == 0:
        return
    if hunt.attacked.seat in ledger.seats:
        f3_the_hunter_eats_before_the_scavengers(ledger)
    for seat in ledger.seats.values():
        for at, board in enumerate(seat.species):
            if Trait.SCAVENGER in board.traits and board.hungry:
                assert (seat.seat, at) in hunt.scavenged


# Laws of a moment: the course of the game


def g1_a_turn_begins_only_with_enough_cards(ledger: Ledger, event: Event) -> None:
    """G1: the deck has a turn's cards, and each turn takes 4 or more for each player."""
    assert isinstance(event, TurnStarted)
    assert ledger.seats
    assert event.deck == ledger.cards_left >= ledger.cards_needed
    assert event.turn == ledger.turn + 1 <= len(ledger.deck) // (4 * len(ledger.seats))
    assert event.watering_hole == ledger.watering_hole


def g2_feeding_is_bounded(ledger: Ledger, _: Event) -> None:
    """G2: each feeding step eats a token, kills an animal or retires a player."""
    assert ledger.feeding_steps + 1 <= ledger.most_feeding_steps


def g3_the_order_passes_on_by_one(ledger: Ledger, event: Event) -> None:
    """G3: the turn order is the last one, moved by one place; who was removed leaves no gap."""
    assert isinstance(event, TurnStarted)
    assert event.order == tuple(ledger.seats)


def g3_the_stages_of_a_turn_follow_each_other(ledger: Ledger, event: Event) -> None:
    """G3: start, cards, fertile, long neck, fat, feeding, the end; no stage is left with something undone."""
    stage = ledger.stage_of(event)
    if isinstance(event, TurnStarted | GameOver):
        assert ledger.stage == OVER
        return
    assert stage >= ledger.stage
    if isinstance(event, Expelled):
        return
    if stage > PLAY and ledger.stage <= PLAY:
        assert ledger.revealed >= len(ledger.seats)
    if stage > REACH and ledger.stage <= REACH:
        g3_everything_bred_and_every_neck_reached(ledger)
    if stage > MOVE_FAT and ledger.stage <= MOVE_FAT:
        g3_no_fat_lies_beside_hunger(ledger)
    if stage == OVER:
        assert ledger.watering_hole == 0 or not ledger.queue, "feeding goes on while there is food and somebody to feed"


def g3_everything_bred_and_every_neck_reached(ledger: Ledger) -> None:
    """G3: after their passes every fertile board has grown or is full, every long neck ate or could not."""
    for seat in ledger.seats.values():
        for at, board in enumerate(seat.species):
            if Trait.FERTILE in board.traits:
                assert (seat.seat, at) in ledger.bred or board.population == 7
            if Trait.LONG_NECK in board.traits and board.hungry and ledger.watering_hole:
                assert (seat.seat, at) in ledger.reached


def g3_no_fat_lies_beside_hunger(ledger: Ledger) -> None:
    """G3: after its pass no board is hungry with fat in store."""
    for seat in ledger.seats.values():
        for board in seat.species:
            assert board.fat_food == 0 or not board.hungry


def g3_plays_are_revealed_in_turn_order(ledger: Ledger, event: Event) -> None:
    """G3: everybody has answered, who failed is gone, and the others' plays are carried out in turn order."""
    assert isinstance(event, Revealed)
    assert set(ledger.plans) == set(ledger.seats)
    assert None not in ledger.plans.values()
    order = list(ledger.seats)
    assert order[ledger.revealed] == event.seat


def g4_a_feeding_step_is_the_answer_or_the_only_option(ledger: Ledger, event: Event) -> None:
    """G4: the first of the queue does what it answered; unasked, what is its only option, or leaves without one."""
    assert ledger.watering_hole > 0
    move: Feeding | None = None
    match event:
        case Ate(seat, board, _, rulebook.GRAZE | rulebook.AUTOMATIC):
            move = Graze(board)
        case FatStored(seat, board, tokens):
            move = StoreFat(board, tokens)
        case Attacked(seat, board, target_seat, target):
            move = Attack(board, target_seat, target)
        case Declined(seat):
            move = Decline()
        case OutOfOptions(seat):
            pass
        case _:
            return
    assert seat == ledger.queue[0]
    asked = not isinstance(event, OutOfOptions) and event.rule != rulebook.AUTOMATIC
    if asked:
        assert move == ledger.given
    else:
        assert ledger.given is None
        choices = naive.options(ledger.seats[seat].species, ledger.watering_hole, ledger.others(seat))
        assert choices == ([] if move is None else [move])


def g4_a_retired_player_feeds_no_more(ledger: Ledger, event: Event) -> None:
    """G4: who declined or had no option makes no feeding step until the turn is over."""
    if isinstance(event, Ate | FatStored | Attacked | Declined | OutOfOptions) and _is_feeding_step(event):
        assert event.seat not in ledger.retired


def g4_an_attack_is_one_that_nothing_stops(ledger: Ledger, event: Event) -> None:
    """G4: a hungry carnivore attacks another player's board that it may attack."""
    assert isinstance(event, Attacked)
    board = ledger.board(event.seat, event.board)
    assert event.seat != event.target_seat
    assert board.hungry
    assert naive.may_attack(board, ledger.seats[event.target_seat].species, event.target)


def g5_nothing_happens_to_the_expelled(ledger: Ledger, event: Event) -> None:
    """G5: a removed player is never listed, attacked, paid or fed again."""
    seats: set[int] = set()
    if isinstance(event, TurnStarted):
        seats.update(event.order)
    elif isinstance(event, Attacked):
        seats.update((event.seat, event.target_seat))
    elif not isinstance(event, TurnEnded | GameOver):
        seats.add(event.seat)
    assert seats <= set(ledger.seats)


def g5_who_is_expelled_has_failed(ledger: Ledger, event: Event) -> None:
    """G5: a seat is removed only for its own failure, and for the first one, unless it fails to start after all."""
    assert isinstance(event, Expelled)
    faults = ledger.failed[event.seat]
    if ledger.stage == BEGIN and event.fault.during == "start":
        assert event.fault == faults[-1]
    else:
        assert ledger.stage != BEGIN or set(ledger.plans) == set(ledger.seats), "who chose badly leaves after all chose"
        assert event.fault.reason is Reason.ILLEGAL if faults[0] is None else event.fault == faults[0]


def g5_who_fails_while_asked_to_feed_leaves_first(seat: int, events: list[Event]) -> None:
    """G5: a refused feeding does nothing but remove the seat that gave it, before anything else happens."""
    assert isinstance(events[0], Expelled)
    assert events[0].seat == seat


def g5_who_fails_unasked_waits(events: list[Event]) -> None:
    """G5: who fails while another is asked to feed stays until that one has answered."""
    assert not events


def g6_the_game_ends_when_no_turn_can_begin(ledger: Ledger, event: Event) -> None:
    """G6: it is over when nobody is left or the cards do not suffice."""
    assert isinstance(event, GameOver)
    assert not ledger.seats or ledger.cards_left < ledger.cards_needed


def f5_the_ranking_follows_the_scores(ledger: Ledger, event: Event) -> None:
    """F5: score = bag + populations + traits; by score, equal ones share a rank; the expelled apart and last."""
    assert isinstance(event, GameOver)
    score = {
        seat.seat: seat.bag + sum(board.population + len(board.traits) for board in seat.species)
        for seat in ledger.seats.values()
    }
    ranked = [row for row in event.ranking if row.fault is None]
    assert [(row.seat, row.score) for row in ranked] == sorted(score.items(), key=lambda item: (-item[1], item[0]))
    assert [row.rank for row in ranked] == [1 + sum(s > score[row.seat] for s in score.values()) for row in ranked]
    apart: list[Standing] = list(event.ranking[len(ranked) :])
    assert [(row.seat, row.fault) for row in apart] == sorted(ledger.expelled.items(), key=lambda item: item[0])
    assert all(row.rank is None and row.score is None for row in apart)


MomentLaw: TypeAlias = Callable[[Ledger, Event], None]

_FEEDING: tuple[MomentLaw, ...] = (
    g2_feeding_is_bounded,
    g4_a_feeding_step_is_the_answer_or_the_only_option,
    g4_a_retired_player_feeds_no_more,
)


def _meal_or_step(ledger: Ledger, event: Event) -> None:
    """Only a meal by grazing is a feeding step of its own."""
    if _is_feeding_step(event):
        for law in _FEEDING:
            law(ledger, event)


LAWS_OF_A_MOMENT: dict[type, tuple[MomentLaw, ...]] = {
    TurnStarted: (g1_a_turn_begins_only_with_enough_cards, g3_the_order_passes_on_by_one),
    BoardGiven: (s2_a_board_is_given_only_to_who_has_none,),
    CardsDealt: (k5_a_turn_starts_with_three_cards_and_one_for_each_board,),
    Revealed: (
        g3_plays_are_revealed_in_turn_order,
        k6_a_play_uses_each_card_once,
        s3_a_reveal_shows_what_was_played,
        f1_the_hole_rises_only_by_a_food_card_and_stops_at_0,
    ),
    Bred: (s3_only_fertile_boards_breed,),
    FatMoved: (f3_fat_moves_as_far_as_hunger_goes,),
    FatStored: (*_FEEDING, f3_fat_is_stored_within_the_body_and_the_hole),
    Ate: (_meal_or_step, f3_a_meal_neither_overfeeds_nor_overdraws, f3_every_meal_has_its_reason),
    Attacked: (*_FEEDING, g4_an_attack_is_one_that_nothing_stops),
    AnimalLost: (s3_only_prey_and_who_met_horns_lose_an_animal,),
    Starved: (s3_only_the_unfed_starve,),
    Extinct: (k8_an_extinction_brings_two_cards,),
    Declined: _FEEDING,
    OutOfOptions: _FEEDING,
    TurnEnded: (s3_a_turn_ends_with_as_many_animals_as_were_fed,),
    Expelled: (g5_who_is_expelled_has_failed,),
    GameOver: (g6_the_game_ends_when_no_turn_can_begin, f5_the_ranking_follows_the_scores),
}


# Laws of a step: cards


def k1_no_card_is_lost_or_made(step: Step) -> None:
    """K1: of each trait as many cards as ever lie in the deck, the hands, on boards and out of play."""
    count = step.ledger.out_of_play.copy()
    for card in step.after.deck[step.after.dealt :]:
        count[card.trait] += 1
    for player in step.after.players.values():
        for card in player.hand:
            count[card.trait] += 1
        for board in player.species:
            for trait in board.traits:
                count[trait] += 1
    assert count == step.ledger.first


def k1_no_card_comes_back(step: Step) -> None:
    """K1: what is in the deck and the hands was there before."""
    if step.before is not None:
        assert step.live_cards <= _live_cards(step.before)


def _live_cards(game: Game) -> set[Card]:
    return set(game.deck[game.dealt :]).union(*[player.hand for player in game.players.values()])


def k2_the_deck_only_shrinks(step: Step) -> None:
    """K2: the deck is a suffix of the first one and is dealt from the front, as told."""
    assert step.after.deck == step.ledger.deck
    assert 0 <= step.after.dealt <= len(step.after.deck)
    assert step.before is None or step.before.dealt <= step.after.dealt
    assert step.after.dealt == step.ledger.dealt


def k3_every_card_lies_in_one_place(step: Step) -> None:
    """K3: hands are disjoint, of each other and of the deck; no hand holds a card twice."""
    number = step.after.cards_left + sum(len(player.hand) for player in step.after.players.values())
    assert len(step.live_cards) == number


def k4_no_trait_is_there_too_often(step: Step) -> None:
    """K4: of each trait at most 7 cards, of carnivore 17, are in the deck, the hands and on boards."""
    count = NONE.copy()
    for card in step.live_cards:
        count[card.trait] += 1
    for player in step.after.players.values():
        for board in player.species:
            for trait in board.traits:
                count[trait] += 1
    for trait, copies in COPIES.items():
        assert count[trait] <= copies


def k5_everybody_can_choose(step: Step) -> None:
    """K5: who is asked to choose has a board and at least 4 cards."""
    if step.after.phase == "choose":
        assert step.ledger.served >= len(step.after.players)
        for player in step.after.players.values():
            assert player.species
            assert len(player.hand) >= 4


def k6_hands_change_only_as_told(step: Step) -> None:
    """K2, K6, K8: a hand loses the cards played, gains the cards dealt in front, and keeps its order."""
    for seat, player in step.after.players.items():
        assert player.hand == step.ledger.seats[seat].hand


def k7_no_hand_changes_before_all_have_chosen(step: Step) -> None:
    """K7: between the start and the reveal hands, boards and the hole stay as they are."""
    if step.before is not None and step.before.phase == "choose" and not step.told(Revealed, TurnEnded):
        assert step.after.watering_hole == step.before.watering_hole
        for seat, player in step.after.players.items():
            assert player == step.before.players[seat]


# Laws of a step: boards


def s1_every_board_is_within_its_limits(step: Step) -> None:
    """S1: food within population within 1 to 7, fat within body within 0 to 7, fat only on fat-tissue, 3 traits."""
    for player in step.after.players.values():
        for board in player.species:
            assert 0 <= board.food <= board.population
            assert 1 <= board.population <= 7
            assert 0 <= board.fat_food <= board.body <= 7
            assert board.fat_food == 0 or Trait.FAT_TISSUE in board.traits
            assert len(set(board.traits)) == len(board.traits) <= 3


def s2_boards_keep_their_order(step: Step) -> None:
    """S2: without extinctions a player's old boards keep their places; new ones lie to the right."""
    if step.before is None or step.told(Extinct):
        return
    revealed = step.told(Revealed)
    for seat, player in step.after.players.items():
        old = step.before.players[seat].species
        assert len(player.species) >= len(old)
        if not revealed:
            for board, was in zip(player.species, old, strict=False):
                assert board is was or board.traits == was.traits


def s3_boards_change_only_as_told(step: Step) -> None:
    """S2, S3: every board is what growth, replacements, meals, fat, attacks and starvation made of it."""
    for seat, player in step.after.players.items():
        books = step.ledger.seats[seat].species
        assert len(player.species) == len(books)
        for board, due in zip(player.species, books, strict=True):
            assert board.population == due.population
            assert board.body == due.body
            assert board.food == due.food
            assert board.fat_food == due.fat_food
            assert list(board.traits) == due.traits


# Laws of a step: food


def f1_the_hole_is_never_below_0(step: Step) -> None:
    """F1: the watering hole holds 0 or more, and more than before only after a reveal."""
    assert step.after.watering_hole >= 0
    if step.before is not None and not step.told(Revealed):
        assert step.after.watering_hole <= step.before.watering_hole


def f2_tokens_are_conserved(step: Step) -> None:
    """F2: hole, boards and bags together change only by food cards and by losses that were told."""
    if step.before is not None:
        assert _tokens(step.after) - _tokens(step.before) == step.ledger.gained - step.ledger.lost


def _tokens(game: Game) -> int:
    tokens = game.watering_hole
    for player in game.players.values():
        tokens += player.bag
        for board in player.species:
            tokens += board.food + board.fat_food
    return tokens


def f3_the_hole_gives_what_was_told(step: Step) -> None:
    """F3: the watering hole holds what the food cards brought less what boards ate and stored."""
    assert step.after.watering_hole == step.ledger.watering_hole


def f3_nobody_is_left_waiting_for_a_meal(step: Step) -> None:
    """F3: between two answers no meal is owed and no attack is half done."""
    f3_cooperation_feeds_the_neighbour_once_for_each_token(step.ledger, None)
    if step.after.phase == "feed":
        f3_an_attack_is_finished_before_anything_else(step.ledger)


def f4_bags_grow_only_at_the_end_of_a_turn(step: Step) -> None:
    """F4: no bag ever falls; it gains its boards' food when the turn ends."""
    for seat, player in step.after.players.items():
        assert player.bag == step.ledger.seats[seat].bag
        if step.before is not None:
            bag = step.before.players[seat].bag
            assert player.bag >= bag if step.told(TurnEnded) else player.bag == bag


def f5_a_score_is_bag_animals_and_traits(step: Step) -> None:
    """F5: score = bag + populations + traits on boards."""
    for player in step.after.players.values():
        boards = sum(board.population + len(board.traits) for board in player.species)
        assert player.score == player.bag + boards


# Laws of a step: the course of the game


def g1_turns_are_counted(step: Step) -> None:
    """G1: the turn is the number of turns that were told to begin."""
    assert step.after.turn == step.ledger.turn


def g3_the_table_is_in_the_order_told(step: Step) -> None:
    """G3: the turn order is the ledger's, and feeding goes on with the ledger's queue."""
    assert list(step.after.players) == list(step.ledger.seats)
    if step.after.phase == "feed":
        assert step.after.queue == step.ledger.queue


def g3_the_reveal_leaves_nothing_undone(step: Step) -> None:
    """G3: when somebody is asked to feed, fertile, long neck and fat have had their passes."""
    ledger = step.ledger
    if step.after.phase == "feed" and step.told(Revealed) and ledger.stage <= MOVE_FAT:
        assert ledger.revealed >= len(ledger.seats)
        if ledger.stage <= REACH:
            g3_everything_bred_and_every_neck_reached(ledger)
        g3_no_fat_lies_beside_hunger(ledger)


def g4_only_who_has_a_choice_is_asked(step: Step) -> None:
    """G4: to feed is asked only who has two options; to choose, everybody who has not."""
    ledger, game = step.ledger, step.after
    asked = pending(game)
    if game.phase == "feed":
        assert ledger.given is None
        assert asked == ledger.queue[:1]
        assert game.watering_hole > 0
        choices = naive.options(ledger.seats[asked[0]].species, ledger.watering_hole, ledger.others(asked[0]))
        assert len(choices) >= 2
    elif game.phase == "choose":
        assert asked == [seat for seat in ledger.seats if seat not in ledger.plans]
        assert asked
    else:
        assert not asked


def g5_a_refused_play_waits_for_the_reveal(step: Step) -> None:
    """G5: what is planned for each seat is its legal play, or the fault that it is."""
    plans = step.ledger.plans if step.after.phase == "choose" else {}
    assert set(step.after.plays) == set(plans)
    for seat, planned in step.after.plays.items():
        play = plans[seat]
        assert isinstance(planned, Fault) if play is None else isinstance(planned, PlayOutcome) and planned.play == play


def g5_the_expelled_are_gone(step: Step) -> None:
    """G5: a removed player is not at the table, not in the queue, not asked; its fault is kept, once."""
    game = step.after
    gone = [seat for seat, _ in game.expelled]
    assert len(set(gone)) == len(gone)
    assert dict(game.expelled) == step.ledger.expelled
    assert sorted([*gone, *game.players]) == list(range(1, len(game.names) + 1))
    for seats in (game.queue, game.plays, pending(game), [seat for seat, _ in game.leaving]):
        assert not set(gone) & set(seats)


def g5_who_fails_unasked_leaves_after_the_next_answer(step: Step) -> None:
    """G5: a fault of a seat that was not asked to feed waits for the answer of the one that was, and not longer."""
    waiting = [seat for seat, _ in step.after.leaving]
    if step.before is not None and step.before.phase == "feed" and step.before.leaving == step.after.leaving:
        assert not waiting
    assert waiting == step.ledger.leaving


def g6_the_game_is_over_when_told(step: Step) -> None:
    """G6: between two answers somebody chooses or somebody feeds, or the game was told to be over."""
    assert step.after.phase in {"choose", "feed", "over"}
    assert (step.after.phase == "over") == (bool(step.events) and isinstance(step.events[-1], GameOver))
    if step.after.phase == "choose":
        assert step.ledger.stage == BEGIN
    if step.after.phase == "feed":
        assert PLAY <= step.ledger.stage < END


LAWS_OF_A_STEP: tuple[Callable[[Step], None], ...] = (
    k1_no_card_is_lost_or_made,
    k1_no_card_comes_back,
    k2_the_deck_only_shrinks,
    k3_every_card_lies_in_one_place,
    k4_no_trait_is_there_too_often,
    k5_everybody_can_choose,
    k6_hands_change_only_as_told,
    k7_no_hand_changes_before_all_have_chosen,
    s1_every_board_is_within_its_limits,
    s2_boards_keep_their_order,
    s3_boards_change_only_as_told,
    f1_the_hole_is_never_below_0,
    f2_tokens_are_conserved,
    f3_the_hole_gives_what_was_told,
    f3_nobody_is_left_waiting_for_a_meal,
    f4_bags_grow_only_at_the_end_of_a_turn,
    f5_a_score_is_bag_animals_and_traits,
    g1_turns_are_counted,
    g3_the_table_is_in_the_order_told,
    g3_the_reveal_leaves_nothing_undone,
    g4_only_who_has_a_choice_is_asked,
    g5_a_refused_play_waits_for_the_reveal,
    g5_the_expelled_are_gone,
    g5_who_fails_unasked_leaves_after_the_next_answer,
    g6_the_game_is_over_when_told,
)
