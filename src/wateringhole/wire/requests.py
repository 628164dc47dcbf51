"""The dialect `requests`: eleven small questions with named arguments, whose answers add up to one move.

Laws: a card is named by its value, because a hand holds each card once; once named, it is gone for the rest of the
move, unless no board can take it or it is the last one. Every question shows the player as the answers so far leave it,
and what is chosen from what it offers is legal. An answer of another kind than its question asks for is a wrong shape;
one of the right kind that cannot be carried out is illegal. Before the end no player is shown another's hand or bag.
"""

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final, NoReturn

from wateringhole import rulebook
from wateringhole.cards import Card, card
from wateringhole.events import counted, from_zero
from wateringhole.fault import Reason, shown
from wateringhole.game import Game
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Growth, NewBoard, Replacement
from wateringhole.player import Other, Player
from wateringhole.record import Result, replay
from wateringhole.rules.turn import ranking
from wateringhole.species import MAX_BODY, MAX_POPULATION, MAX_TRAITS, Species
from wateringhole.traits import Trait
from wateringhole.value import replace
from wateringhole.view import Choose, Feed, Start
from wateringhole.wire.dialect import Ask, Dialect
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError, each, items, natural, ordinal

ARGUMENTS: Final = {
    "trade_cards_for_boards": ("cards", "boards", "player", "opponents"),
    "place_cards_on_boards": ("cards", "boards", "player", "opponents"),
    "select_board_for_card": ("card", "boards", "player", "opponents"),
    "select_species_discarded_cards": ("old_cards", "new_cards", "board", "player", "opponents"),
    "trade_cards_for_body_size": ("cards", "boards", "player", "opponents"),
    "select_board_to_give_body_size": ("boards", "player", "opponents"),
    "trade_cards_for_population": ("cards", "boards", "player", "opponents"),
    "select_board_to_give_population": ("boards", "player", "opponents"),
    "select_species_order": ("boards", "player", "opponents"),
    "select_attack": ("board", "player", "opponents"),
    "game_over": ("players", "me"),
}
"""Every question and its arguments, in the order in which a game asks them; the last wants no answer."""

FIRST_QUESTION: Final = "trade_cards_for_boards"
"""What each turn begins with."""

LAST_QUESTION: Final = "game_over"

FOOD_CARD: Final = "select_food_card"
OPTIONAL: Final = {FOOD_CARD: ("cards", "boards", "player", "opponents")}
"""The question that only players get which ask for it: the last one about cards."""

TITLES: Final = {trait: trait.value.replace("-", " ").title() for trait in Trait}
"""The name of a trait in this dialect: Fat Tissue."""

_TRAITS: Final = {title: trait for trait, title in TITLES.items()}


class Requests(Dialect):
    """With `food_card` the player chooses the card for the watering hole itself."""

    name = "requests"
    dealer_first = True

    def __init__(self, food_card: bool = False) -> None:
        self._food_card = food_card

    def welcome(self, seat: int) -> list[Json]:
        return ["ok"]

    def start(self, request: Start) -> list[Json]:
        return []

    def choose(self, request: Choose) -> Generator[Ask, Json, CardPlay]:
        """Payments, traits, growth; then the lowest card that is left, or a chosen one, goes to the watering hole."""
        draft = _Draft(request)
        yield from _buying(draft)
        yield from _placing(draft)
        yield from _growing(draft, "body", "body_size", MAX_BODY)
        yield from _growing(draft, "population", "population", MAX_POPULATION)
        if self._food_card:
            yield from _giving(draft)
        return draft.play

    def feed(self, request: Feed) -> Generator[Ask, Json, Feeding]:
        """The first board of the answered order that has an option acts: fat, else grazing, else an attack."""
        me, options = request.me, request.options
        order = yield _feeding_ask(request, "select_species_order", boards=boards_out(me.species))
        for at in _order_in(order, len(me.species)):
            # Per board the options come in this very order: fat to the max, a meal, attacks.
            first = next((move for move in options if not isinstance(move, Decline) and move.board == at), None)
            if isinstance(first, Attack):
                answer = yield _feeding_ask(request, "select_attack", board=species_out(me.species[at]))
                return _attack_in(answer, at, request.others)
            if first is not None:
                return first
        return Decline()

    def over(self, seat: int, result: Result) -> list[Json]:
        return farewell(seat, replay(result.record))


def farewell(seat: int, game: Game) -> list[Json]:
    """The last messages to this seat: how the game ended."""
    by_rank = [game.players[row.seat] for row in ranking(game) if row.seat in game.players]
    places = [player.seat for player in by_rank]
    return [game_over(by_rank, places.index(seat))] if seat in places else []


def game_over(players: Sequence[Player], me: int) -> Json:
    """The last message to the player at place `me` in this ranking: bags and hands are no longer secret."""
    states: list[Json] = [player_out(player.species, player.hand, player.bag) for player in players]
    return [LAST_QUESTION, {"players": states, "me": me}]


# Building a move.


class _Draft:
    """A card play as it grows from answer to answer: legal at every moment, with `left` to choose from."""

    def __init__(self, request: Choose) -> None:
        self.request = request
        self.left = list(request.me.hand)
        if not self.left:
            _illegal(rulebook.PLAY_SHAPE, "the hand has no card for the watering hole")
        self.play = CardPlay(self._lowest())

    @property
    def boards(self) -> tuple[Species, ...]:
        return self.request.preview(self.play)

    def ask(self, question: str, most: int | None = None, **named: Json) -> Ask:
        request, boards = self.request, self.boards
        # The others in the order of p, as in feeding: from the one after this player on.
        state = _state(boards, self.left, request.me.bag, request.after + request.before)
        return Ask([question, {**named, **state}], most)

    def trade(self, question: str) -> Generator[Ask, Json, list[int]]:
        """Ask for cards; their numbers in the hand, which are spent from now on. One is always left."""
        answer = yield self.ask(question, cards=cards_out(self.left), boards=boards_out(self.boards))
        traded: list[int] = []
        for value in items(answer, question):
            traded.append(self.held(value, question))
            self.left.remove(self.request.me.hand[traded[-1]])
        if not self.left:
            spared = min(traded, key=lambda number: self.request.me.hand[number].order)
            traded.remove(spared)
            self.keep(spared)
        self.amend(food=self._lowest())
        return traded

    def held(self, value: Json, question: str) -> int:
        """The number in the hand of the card that this answer names and that is left."""
        named, hand = card_in(value), self.request.me.hand
        if named not in hand:
            _illegal(rulebook.PLAY_CARDS, f"{question} names {shown(value)}, which is not in the hand")
        if named not in self.left:
            _illegal(rulebook.PLAY_ONCE, f"{question} names {shown(value)}, which was named before")
        return hand.index(named)

    def keep(self, number: int) -> None:
        """This card, which was named, stays in the hand after all."""
        kept = {*self.left, self.request.me.hand[number]}
        self.left = [held for held in self.request.me.hand if held in kept]
        self.amend(food=self._lowest())

    def select(
        self, question: str, number: int, places: Sequence[int], **named: Json
    ) -> Generator[Ask, Json, int | None]:
        """Offer these boards to this card; the number of the chosen one. If there is none, the card is kept."""
        if not places:
            self.keep(number)
            return None
        offered = boards_out([self.boards[at] for at in places])
        at = ordinal((yield self.ask(question, len(places) - 1, **named, boards=offered)), question)
        if at >= len(places):
            text = f"{question} names {from_zero('board', at)} but is offered only {counted(len(places), 'board')}"
            _illegal(rulebook.PLAY_BOARDS, text)
        return places[at]

    def amend(self, **parts: Any) -> None:
        self.play = replace(self.play, **parts)

    def _lowest(self) -> int:
        return self.request.me.hand.index(min(self.left, key=lambda held: held.order))


def _buying(draft: _Draft) -> Generator[Ask, Json, None]:
    payments = yield from draft.trade("trade_cards_for_boards")
    draft.amend(boards=tuple(NewBoard(pay) for pay in payments))


def _placing(draft: _Draft) -> Generator[Ask, Json, None]:
    """Cards become traits: on a new board they are added, on an old one each takes another's place."""
    hand, old = draft.request.me.hand, len(draft.request.me.species)
    replacing: dict[int, list[int]] = {}
    for number in (yield from draft.trade("place_cards_on_boards")):
        places = _places(draft, number, replacing)
        at = yield from draft.select("select_board_for_card", number, places, card=card_out(hand[number]))
        if at is not None and at >= old:
            _add_trait(draft, at - old, number)
        elif at is not None:
            replacing.setdefault(at, []).append(number)
    for at in sorted(replacing):
        yield from _replacing(draft, at, replacing[at])


def _places(draft: _Draft, number: int, replacing: Mapping[int, Sequence[int]]) -> list[int]:
    """The boards that can take this card: new ones with a slot left and old ones with a trait left to replace, but none
    that has the card's trait or is about to get it.
    """
    hand, old = draft.request.me.hand, len(draft.request.me.species)
    places = []
    for at, board in enumerate(draft.boards):
        coming = replacing.get(at, ())
        room = len(board.traits) - len(coming) if at < old else MAX_TRAITS - len(board.traits)
        if room and hand[number].trait not in {*board.traits, *(hand[other].trait for other in coming)}:
            places.append(at)
    return places


def _add_trait(draft: _Draft, new: int, number: int) -> None:
    boards = list(draft.play.boards)
    boards[new] = replace(boards[new], traits=(*boards[new].traits, number))
    draft.amend(boards=tuple(boards))


def _replacing(draft: _Draft, at: int, numbers: list[int]) -> Generator[Ask, Json, None]:
    """Ask which traits go; the first card takes the place of the first of them, and so on."""
    question = "select_species_discarded_cards"
    board = draft.boards[at]
    answer = yield draft.ask(
        question,
        old_cards=_traits_out(board),
        new_cards=[card_out(draft.request.me.hand[number]) for number in numbers],
        board=species_out(board),
    )
    slots = each(answer, question, lambda slot: ordinal(slot, question))
    if len(set(slots)) < len(slots) or len(slots) != len(numbers) or max(slots) >= len(board.traits):
        due = f"{len(numbers)} different of the {counted(len(board.traits), 'slot')} of board {at}"
        _illegal(rulebook.PLAY_SLOTS, f"{question} is {shown(answer)}, not {due}")
    swaps = tuple(Replacement(at, slot, number) for slot, number in zip(slots, numbers, strict=True))
    draft.amend(traits=draft.play.traits + swaps)


def _growing(draft: _Draft, part: str, thing: str, most: int) -> Generator[Ask, Json, None]:
    for number in (yield from draft.trade(f"trade_cards_for_{thing}")):
        places = [at for at, board in enumerate(draft.boards) if getattr(board, part) < most]
        at = yield from draft.select(f"select_board_to_give_{thing}", number, places)
        if at is not None:
            draft.amend(**{part: (*getattr(draft.play, part), Growth(at, number))})


def _giving(draft: _Draft) -> Generator[Ask, Json, None]:
    answer = yield draft.ask(FOOD_CARD, cards=cards_out(draft.left), boards=boards_out(draft.boards))
    draft.amend(food=draft.held(answer, FOOD_CARD))


def _feeding_ask(request: Feed, question: str, **named: Json) -> Ask:
    me = request.me
    return Ask([question, {**named, **_state(me.species, me.hand, me.bag, request.others)}])


def _order_in(value: Json, boards: int) -> list[int]:
    question = "select_species_order"
    order = each(value, question, lambda at: ordinal(at, question))
    if len(set(order)) < len(order) or max(order, default=0) >= boards:
        text = f"{question} is {shown(value)}, not some of {counted(boards, 'board')}, each once"
        _illegal(rulebook.OPTIONS, text)
    return order


def _attack_in(value: Json, board: int, others: Sequence[Other]) -> Attack:
    place, target = [ordinal(at, "select_attack") for at in items(value, "select_attack", 2, 2)]
    if place >= len(others):
        text = f"select_attack names {from_zero('opponent', place)} but the player has only "
        _illegal(rulebook.ATTACK_CHOICE, text + counted(len(others), "opponent"))
    prey = others[place]
    if target >= len(prey.species):
        text = f"select_attack names {from_zero('board', target)} of opponent {place}, who has only "
        _illegal(rulebook.ATTACK_CHOICE, text + counted(len(prey.species), "board"))
    return Attack(board, prey.seat, target)


def _illegal(rule: str, text: str) -> NoReturn:
    raise ShapeError(text, Reason.ILLEGAL, rule)


# The values.


def card_in(value: Json) -> Card:
    tokens, title = items(value, "a Trait", 2, 2)
    if not isinstance(title, str) or title not in _TRAITS:
        raise ShapeError(f"{shown(title)} is not one of the {len(Trait)} traits")
    trait = _TRAITS[title]
    most = 8 if trait is Trait.CARNIVORE else 3
    return card(natural(tokens, f"the tokens of {title}", most, -most), trait.value)


def card_out(held: Card) -> Json:
    return [held.food, TITLES[held.trait]]


def cards_in(value: Json) -> tuple[Card, ...]:
    cards = tuple(each(value, "a list of Traits", card_in))
    if len(set(cards)) < len(cards):
        raise ShapeError(f"a card is there twice: {shown(value)}")
    return cards


def cards_out(hand: Sequence[Card]) -> Json:
    return [card_out(held) for held in hand]


def species_in(value: Json) -> Species:
    """The board, without the food and fat that this dialect does not tell of."""
    traits, body, population = items(value, "a Species", 3, 3)
    bears = tuple(_trait_in(item) for item in items(traits, "SpeciesTraits", most=MAX_TRAITS))
    if len(set(bears)) < len(bears):
        raise ShapeError(f"a Species has a trait twice: {shown(traits)}")
    size = natural(body, "BodySize", MAX_BODY)
    return Species(natural(population, "Population", MAX_POPULATION, 1), size, traits=bears)


def _trait_in(value: Json) -> Trait:
    """The trait on a board; the food value of its card is gone."""
    held = card_in(value)
    if held.food:
        raise ShapeError(f"a trait on a board is {shown(value)}, not with 0 tokens")
    return held.trait


def species_out(board: Species) -> Json:
    return [_traits_out(board), board.body, board.population]


def _traits_out(board: Species) -> Json:
    return [[0, TITLES[trait]] for trait in board.traits]


def boards_in(value: Json) -> tuple[Species, ...]:
    return tuple(each(value, "a list of Species", species_in))


def boards_out(boards: Sequence[Species]) -> Json:
    return [species_out(board) for board in boards]


def player_in(value: Json, seat: int) -> Player:
    """The player, at this seat: the value does not name one."""
    species, cards, bag = items(value, "a Player", 3, 3)
    return Player(seat, list(boards_in(species)), cards_in(cards), natural(bag, "FoodBag"))


def score_in(value: Json) -> int:
    """The score of a player at the end of a game. The traits on its boards are only counted: a server may tell their
    cards' tokens.
    """
    boards, _, bag = items(value, "a Player", 3, 3)
    score = natural(bag, "FoodBag")
    for board in items(boards, "a list of Species"):
        traits, _, population = items(board, "a Species", 3, 3)
        score += natural(population, "Population", MAX_POPULATION) + len(items(traits, "SpeciesTraits"))
    return score


def player_out(species: Sequence[Species], hand: Sequence[Card], bag: int) -> Json:
    return [boards_out(species), cards_out(hand), bag]


def _state(species: Sequence[Species], hand: Sequence[Card], bag: int, others: Sequence[Other]) -> dict[str, Json]:
    """The arguments that every question has: the player, and the others without what is theirs alone."""
    blanked: list[Json] = [player_out(other.species, (), 0) for other in others]
    return {"player": player_out(species, hand, bag), "opponents": blanked}
