"""Drafted actions: a move is made in small steps, each the number of an action; a mask says which ones may come next.

A card play is drafted as its food card, then use by use, each with its card; a feeding as what to do, then the details.
docs/learning.md has the table of the ids and the reasons.

Laws: every mask allows at least one action; every draft ends in a legal move; every outcome of a card play can be
drafted if it leaves at most MAX_BOARDS boards. A draft never changes: `step` makes a new one.
"""

from enum import IntEnum
from typing import Final, NamedTuple

from wateringhole.cards import DECK, Card
from wateringhole.dealer import MAX_PLAYERS
from wateringhole.game import PlayOutcome
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, Move, NewBoard, Replacement, StoreFat
from wateringhole.rules.cardplay import outcome
from wateringhole.species import MAX_BODY, MAX_POPULATION, MAX_TRAITS, Species
from wateringhole.traits import BIT
from wateringhole.view import Choose, Feed, Request

MAX_BOARDS: Final = 12
"""Boards of one player that an action can name and an observation shows; a draft makes no more."""
MAX_OPPONENTS: Final = MAX_PLAYERS - 1

CARD: Final = 0
DONE: Final = CARD + len(DECK)
NEW_BOARD: Final = DONE + 1
TRAIT: Final = NEW_BOARD + 1
REPLACE: Final = TRAIT + 1
POPULATION: Final = REPLACE + MAX_BOARDS * MAX_TRAITS
BODY: Final = POPULATION + MAX_BOARDS
DECLINE: Final = BODY + MAX_BOARDS
GRAZE: Final = DECLINE + 1
STORE: Final = GRAZE + MAX_BOARDS
ATTACK: Final = STORE + MAX_BOARDS
TOKENS: Final = ATTACK + MAX_BOARDS
OPPONENT: Final = TOKENS + MAX_BODY
TARGET: Final = OPPONENT + MAX_OPPONENTS
ACTIONS: Final = TARGET + MAX_BOARDS
"""How many ids there are."""


class Stage(IntEnum):
    """What the next action of a draft says."""

    FOOD = 0
    USE = 1
    CARD = 2
    FEEDING = 3
    TOKENS = 4
    OPPONENT = 5
    TARGET = 6


class ActionRow(NamedTuple):
    """A row of the table of actions: the ids from `first` on, one for each value of what `counts` tells."""

    first: int
    size: int
    name: str
    stages: tuple[Stage, ...]
    counts: str


TABLE: Final = (
    ActionRow(CARD, len(DECK), "card", (Stage.FOOD, Stage.CARD), "this card, by its place in the sorted deck"),
    ActionRow(DONE, 1, "done", (Stage.USE,), "the card play is complete; all other cards are kept"),
    ActionRow(NEW_BOARD, 1, "new board", (Stage.USE,), "a new board on the right; the card pays for it"),
    ActionRow(TRAIT, 1, "trait", (Stage.USE,), "the card is a trait of the newest board, right of its others"),
    ActionRow(
        REPLACE, MAX_BOARDS * MAX_TRAITS, "replace", (Stage.USE,), "3 times the board + place of the trait replaced"
    ),
    ActionRow(POPULATION, MAX_BOARDS, "population", (Stage.USE,), "one more population of this board"),
    ActionRow(BODY, MAX_BOARDS, "body", (Stage.USE,), "one more body of this board"),
    ActionRow(DECLINE, 1, "decline", (Stage.FEEDING,), "feed no more in this turn"),
    ActionRow(GRAZE, MAX_BOARDS, "graze", (Stage.FEEDING,), "this board grazes"),
    ActionRow(STORE, MAX_BOARDS, "store fat", (Stage.FEEDING,), "this board stores fat; the tokens come next"),
    ActionRow(ATTACK, MAX_BOARDS, "attack", (Stage.FEEDING,), "this board attacks; the opponent comes next"),
    ActionRow(TOKENS, MAX_BODY, "tokens", (Stage.TOKENS,), "tokens to store, less 1"),
    ActionRow(OPPONENT, MAX_OPPONENTS, "opponent", (Stage.OPPONENT,), "the owner of the prey, in the order of p"),
    ActionRow(TARGET, MAX_BOARDS, "target", (Stage.TARGET,), "the board that is attacked"),
)


class Draft(NamedTuple):
    """A move in the making. `outcome`: what the card play does so far, from the food card on. `options`: the feedings
    that are still possible. `verb`: the use or feeding whose details are missing, 0 if none. `opponent`: the place of
    the attacked player, from 1; 0 if none. `paid`: the last card that paid, from 1; 0 if none. `latest`: the last
    complete use, 0 if none. `move`: the complete move.
    """

    request: Request
    stage: Stage
    outcome: PlayOutcome | None = None
    options: tuple[Feeding, ...] = ()
    verb: int = 0
    opponent: int = 0
    paid: int = 0
    latest: int = 0
    move: Move | None = None

    @property
    def boards(self) -> tuple[Species, ...]:
        """The own boards as the draft leaves them so far."""
        return self.request.me.species if self.outcome is None else self.outcome.species

    @property
    def free(self) -> tuple[Card, ...]:
        """The cards of the hand that the draft does not use so far."""
        return self.request.me.hand if self.outcome is None else self.outcome.hand


def begin(request: Request) -> Draft:
    """The draft of an answer to this request before its first action."""
    if isinstance(request, Feed):
        return Draft(request, Stage.FEEDING, options=tuple(request.options))
    return Draft(request, Stage.FOOD)


def mask(draft: Draft) -> bytearray:
    """A byte for each action: 1 if it may come next."""
    allowed = bytearray(ACTIONS)
    for action in legal(draft):
        allowed[action] = 1
    return allowed


def legal(draft: Draft) -> list[int]:
    """The actions that may come next; several times where several options begin with one."""
    if draft.move is not None:
        return []
    stage = draft.stage
    if stage is Stage.FOOD:
        return [card.order for card in draft.free]
    if stage is Stage.USE:
        return _uses(draft)
    if stage is Stage.CARD:
        return _cards(draft)
    if stage is Stage.FEEDING:
        return [DECLINE, *[_first(option) for option in draft.options if _nameable(option)]]
    if stage is Stage.TOKENS:
        (fat,) = draft.options
        assert isinstance(fat, StoreFat)
        return [TOKENS + less for less in range(fat.tokens)]
    attacks = [option for option in draft.options if isinstance(option, Attack) and _nameable(option)]
    if stage is Stage.OPPONENT:
        places = _places(draft.request)
        return [OPPONENT + places[attack.seat] for attack in attacks]
    return [TARGET + attack.target for attack in attacks]


def step(draft: Draft, action: int) -> Draft:
    """The draft after this action; ValueError when the mask does not allow it."""
    if action not in legal(draft):
        raise refusal(draft, action)
    return advance(draft, action)


def refusal(draft: Draft, action: int) -> ValueError:
    """Says that the mask does not allow this action."""
    return ValueError(f"action {action} ({words(action)}) may not follow at the stage {draft.stage.name.lower()}")


def advance(draft: Draft, action: int) -> Draft:
    """The draft after this action, which the mask allows; that is not checked."""
    stage = draft.stage
    request = draft.request
    if stage is Stage.FOOD:
        assert isinstance(request, Choose)
        return draft._replace(stage=Stage.USE, outcome=_outcome(request, CardPlay(_place(request, action))))
    if stage is Stage.USE:
        if action == DONE:
            assert draft.outcome is not None
            return draft._replace(move=draft.outcome.play)
        return draft._replace(stage=Stage.CARD, verb=action)
    if stage is Stage.CARD:
        return _with_card(draft, action)
    if stage is Stage.FEEDING:
        return _with_feeding(draft, action)
    (*_, last) = draft.options
    if stage is Stage.TOKENS:
        assert isinstance(last, StoreFat)
        return draft._replace(verb=0, move=StoreFat(last.board, action - TOKENS + 1))
    if stage is Stage.OPPONENT:
        places = _places(request)
        theirs = [each for each in draft.options if isinstance(each, Attack) and places[each.seat] == action - OPPONENT]
        return draft._replace(stage=Stage.TARGET, options=tuple(theirs), opponent=action - OPPONENT + 1)
    assert isinstance(last, Attack)
    return draft._replace(verb=0, opponent=0, move=Attack(last.board, last.seat, action - TARGET))


def rank(use: int) -> int:
    """The place of a use in the order in which uses are drafted: never less than that of the one before.

    New boards with their traits, then replacements, population and body, each from the left board to the right.
    """
    if use < REPLACE:
        return 0
    if use < POPULATION:
        return 1 + (use - REPLACE) // MAX_TRAITS
    return 1 + MAX_BOARDS + use - POPULATION


def pays(use: int) -> bool:
    """Whether any card will do: those cards are drafted in ascending order, because only the set of them matters."""
    return use == NEW_BOARD or use >= POPULATION


def _uses(draft: Draft) -> list[int]:
    """The uses that may follow, for each of which there is a card."""
    found = [DONE]
    boards = draft.boards
    end = min(len(boards), MAX_BOARDS)
    traits = 0
    payable = False
    for card in draft.free:
        traits |= card.bit
        payable = payable or card.order >= draft.paid
    least = rank(draft.latest)
    if least == 0:
        if payable and len(boards) < MAX_BOARDS:
            found.append(NEW_BOARD)
        if draft.latest and len(boards[-1].traits) < MAX_TRAITS and traits & ~boards[-1].mask:
            found.append(TRAIT)
    for at in range(max(0, least - rank(REPLACE)), end):
        for place, trait in enumerate(boards[at].traits):
            if traits & ~(boards[at].mask & ~BIT[trait]):
                found.append(REPLACE + at * MAX_TRAITS + place)
    if payable:
        for at in range(max(0, least - rank(POPULATION)), end):
            if boards[at].population < MAX_POPULATION:
                found.append(POPULATION + at)
        for at in range(max(0, least - rank(BODY)), end):
            if boards[at].body < MAX_BODY:
                found.append(BODY + at)
    return found


def _cards(draft: Draft) -> list[int]:
    """The cards that the use may take."""
    if pays(draft.verb):
        return [card.order for card in draft.free if card.order >= draft.paid]
    if draft.verb == TRAIT:
        taken = draft.boards[-1].mask
    else:
        at, place = divmod(draft.verb - REPLACE, MAX_TRAITS)
        board = draft.boards[at]
        taken = board.mask & ~BIT[board.traits[place]]
    return [card.order for card in draft.free if not card.bit & taken]


def _with_card(draft: Draft, order: int) -> Draft:
    """The draft whose last use takes this card."""
    assert isinstance(draft.request, Choose)
    assert draft.outcome is not None
    play = draft.outcome.play
    verb = draft.verb
    card = _place(draft.request, order)
    food, population, body, boards, traits = play.food, play.population, play.body, play.boards, play.traits
    if verb == NEW_BOARD:
        boards = (*boards, NewBoard(card))
    elif verb == TRAIT:
        newest = boards[-1]
        boards = (*boards[:-1], NewBoard(newest.pay, (*newest.traits, card)))
    elif verb < POPULATION:
        at, place = divmod(verb - REPLACE, MAX_TRAITS)
        traits = (*traits, Replacement(at, place, card))
    elif verb < BODY:
        population = (*population, Growth(verb - POPULATION, card))
    else:
        body = (*body, Growth(verb - BODY, card))
    return draft._replace(
        stage=Stage.USE,
        outcome=_outcome(draft.request, CardPlay(food, population, body, boards, traits)),
        verb=0,
        paid=order + 1 if pays(verb) else draft.paid,
        latest=verb,
    )


def _with_feeding(draft: Draft, action: int) -> Draft:
    """The draft of this feeding, complete if it has no details."""
    if action == DECLINE:
        return draft._replace(move=Decline())
    options = tuple([option for option in draft.options if _first(option) == action])
    if action < STORE:
        return draft._replace(move=options[0])
    return draft._replace(stage=Stage.TOKENS if action < ATTACK else Stage.OPPONENT, options=options, verb=action)


def _first(option: Feeding) -> int:
    """The action with which the draft of this option begins."""
    if isinstance(option, Graze):
        return GRAZE + option.board
    if isinstance(option, StoreFat):
        return STORE + option.board
    return ATTACK + option.board if isinstance(option, Attack) else DECLINE


def _nameable(option: Feeding) -> bool:
    """Whether there are ids for the boards of this option; house bots may have more boards than a draft makes."""
    if isinstance(option, Attack) and option.target >= MAX_BOARDS:
        return False
    return isinstance(option, Decline) or option.board < MAX_BOARDS


def _places(request: Request) -> dict[int, int]:
    """The place of each other seat in the order of p."""
    assert isinstance(request, Feed)
    return {other.seat: place for place, other in enumerate(request.others)}


def _place(request: Request, order: int) -> int:
    """Where this card is in the hand."""
    return request.me.hand.index(DECK[order])


def _outcome(request: Choose, play: CardPlay) -> PlayOutcome:
    """What the play does so far; the rules allow every play whose steps the masks allow."""
    result = outcome(play, request.me.species, request.me.hand)
    assert isinstance(result, PlayOutcome), result.text
    return result


def drafted(request: Request, move: Move) -> list[int]:
    """The actions that draft this legal move, or a card play with the same outcome; ValueError when no id names one of
    its boards.
    """
    if isinstance(move, CardPlay):
        actions = _play_drafted(request.me.hand, move)
    elif isinstance(move, Attack):
        actions = [ATTACK + move.board, OPPONENT + _places(request)[move.seat], TARGET + move.target]
    elif isinstance(move, StoreFat):
        actions = [STORE + move.board, TOKENS + move.tokens - 1]
    else:
        actions = [_first(move)]
    draft = begin(request)
    for action in actions:
        draft = step(draft, action)
    return actions


def _play_drafted(hand: tuple[Card, ...], play: CardPlay) -> list[int]:
    """The uses in the order of their ranks, the cards that pay in ascending order."""
    named = [swap.board for swap in play.traits] + [growth.board for growth in play.population + play.body]
    if any(board >= MAX_BOARDS for board in named):
        raise ValueError(f"actions name {MAX_BOARDS} boards at most")
    uses: list[tuple[int, int]] = []
    for new in play.boards:
        uses.append((NEW_BOARD, new.pay))
        uses += [(TRAIT, card) for card in new.traits]
    for swap in sorted(play.traits, key=lambda swap: swap.board):
        uses.append((REPLACE + swap.board * MAX_TRAITS + swap.slot, swap.card))
    uses += sorted([(POPULATION + growth.board, growth.card) for growth in play.population])
    uses += sorted([(BODY + growth.board, growth.card) for growth in play.body])
    payments = iter(sorted([hand[card].order for use, card in uses if pays(use)]))
    actions = [hand[play.food].order]
    for use, card in uses:
        actions += [use, next(payments) if pays(use) else hand[card].order]
    return [*actions, DONE]


def words(action: int) -> str:
    """What this action is, in words: the row of the table and the number within it."""
    for row in TABLE:
        if row.first <= action < row.first + row.size:
            if row.first == CARD:
                card = DECK[action]
                return f"card {card.trait} {card.food}"
            return row.name if row.size == 1 else f"{row.name} {action - row.first}"
    return "no action"
