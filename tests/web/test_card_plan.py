"""What the page is told about plans and meals is what the rules say about the moves: laws over random games."""

from collections.abc import Callable, Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from wateringhole import rulebook
from wateringhole.agents import Agent
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.moves import Attack, CardPlay, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.species import MAX_TRAITS, Species
from wateringhole.table import ask
from wateringhole.traits import CARNIVORE
from wateringhole.view import Choose, Feed, Request, request
from wateringhole.web.card_plan import checked, feed_request
from wateringhole.web.page_messages import CardPlan, PlanChecked, PlanVerdict, PreyVerdict, SpotVerdict
from wateringhole.wire.native_messages import boards_of

AGENTS: dict[str, Callable[[str], Agent]] = {"rash": Rash, "silly": lambda _: Silly()}

tables = st.lists(st.sampled_from(sorted(AGENTS)), min_size=3, max_size=8)
seeds = st.integers(0, 1 << 30)


def requests(manners: list[str], seed: int) -> Iterator[Request]:
    """Everything that is asked in a game of such agents."""
    agents = [AGENTS[manner](f"{seed}:{seat}") for seat, manner in enumerate(manners)]
    game = new_game([f"player {seat}" for seat in range(len(agents))], shuffled(str(seed)))
    while asked := pending(game):
        question = request(game, asked[0])
        yield question
        answer(game, asked[0], ask(agents[asked[0] - 1], question))


def choices(manners: list[str], seed: int) -> list[Choose]:
    """A few of the card plays that are asked for in a game."""
    asked = [question for question in requests(manners, seed) if isinstance(question, Choose)]
    return Random(seed).sample(asked, min(4, len(asked)))


def play_of(draft: CardPlan, food: int) -> CardPlay:
    """The move that this draft is with that food card."""
    return CardPlay(food, draft.population, draft.body, draft.boards, draft.traits)


def foods(request: Choose, draft: CardPlan) -> list[int]:
    """The food card of this draft or, if it has none yet, every card that could be it."""
    if draft.food is not None:
        return [draft.food]
    used = {growth.card for growth in draft.population + draft.body} | {swap.card for swap in draft.traits}
    used |= {card for new in draft.boards for card in (new.pay, *new.traits)}
    return [card for card in range(len(request.me.hand)) if card not in used]


def extended(draft: CardPlan, spot: SpotVerdict, card: int, old: int) -> CardPlan:
    """The draft with this card in that spot."""
    food, population, body, boards, traits = draft.food, draft.population, draft.body, draft.boards, draft.traits
    board, slot = spot.board, spot.slot
    match spot.use:
        case "food":
            food = card
        case "board":
            boards += (NewBoard(card),)
        case "population" if isinstance(board, int):
            population += (Growth(board, card),)
        case "body" if isinstance(board, int):
            body += (Growth(board, card),)
        case "trait" if isinstance(board, int) and isinstance(slot, int):
            traits += (Replacement(board, slot, card),)
        case "new-trait" if isinstance(board, int):
            at = board - old
            boards = (*boards[:at], NewBoard(boards[at].pay, (*boards[at].traits, card)), *boards[at + 1 :])
        case other:
            raise AssertionError(other)
    return CardPlan(food, population, body, boards, traits)


def objections(request: Choose, draft: CardPlan) -> set[tuple[str, str]]:
    """What the rules have against the move, for every food card that it may be completed with."""
    faults = [request.why_not(play_of(draft, food)) for food in foods(request, draft)]
    return {("", "") if fault is None else (fault.rule, f"This {fault.text}.") for fault in faults}


def blamed(verdict: PlanVerdict | PlanChecked | PreyVerdict | SpotVerdict) -> tuple[str, str]:
    """Why not; two empty words when nothing is wrong, and a known rule with a sentence otherwise."""
    rule, text = verdict.rule, verdict.text
    if rule is None:
        assert text is None
        return "", ""
    assert rule in rulebook.ALL
    assert text is not None
    assert text.startswith("This ")
    assert text.endswith(".")
    assert text.isprintable()
    return rule, text


def drafts(request: Choose, random: Random) -> Iterator[tuple[CardPlan, int]]:
    """Longer and longer legal plans, each with a card that is still free; every card goes to some legal spot."""
    draft, old = CardPlan(), len(request.me.species)
    for card in random.sample(range(len(request.me.hand)), len(request.me.hand)):
        yield draft, card
        legal = [spot for spot in checked(request, draft, card, 0).places if spot.rule is None]
        if legal:
            draft = extended(draft, random.choice(legal), card, old)


@settings(max_examples=25)
@given(tables, seeds)
def test_a_spot_is_legal_just_when_the_rules_accept_the_move_with_the_card_there(table: list[str], seed: int) -> None:
    for asked in choices(table, seed):
        for draft, card in drafts(asked, Random(seed)):
            for spot in checked(asked, draft, card, 0).places:
                blame = blamed(spot)
                if blame[0] == rulebook.PLAY_SHAPE:
                    continue  # no such move can be built: the next test is about these
                longer = extended(draft, spot, card, len(asked.me.species))
                assert objections(asked, longer) == {blame}, (draft, spot)


@settings(max_examples=25)
@given(tables, seeds)
def test_a_spot_without_a_move_leaves_no_food_card_or_is_a_fourth_trait(table: list[str], seed: int) -> None:
    for asked in choices(table, seed):
        old = len(asked.me.species)
        for draft, card in drafts(asked, Random(seed)):
            for spot in checked(asked, draft, card, 0).places:
                crowded = (
                    spot.use == "new-trait"
                    and isinstance(spot.board, int)
                    and len(draft.boards[spot.board - old].traits) == MAX_TRAITS
                )
                hopeless = crowded or not foods(asked, extended(draft, spot, card, old))
                assert (spot.rule == rulebook.PLAY_SHAPE) == hopeless, (draft, spot)


@settings(max_examples=25)
@given(tables, seeds)
def test_every_spot_that_there_is_is_named_once(table: list[str], seed: int) -> None:
    for asked in choices(table, seed):
        old = len(asked.me.species)
        for draft, card in drafts(asked, Random(seed)):
            boards = asked.preview(play_of(draft, foods(asked, draft)[0]))
            named = [(spot.use, spot.board, spot.slot) for spot in checked(asked, draft, card, 0).places]
            assert sorted(named, key=str) == sorted(_all_spots(boards, old), key=str)


def _all_spots(boards: tuple[Species, ...], old: int) -> Iterator[tuple[str, int | UnsetType, int | UnsetType]]:
    yield "food", UNSET, UNSET
    yield "board", UNSET, UNSET
    for number, board in enumerate(boards):
        yield "population", number, UNSET
        yield "body", number, UNSET
        if number >= old:
            yield "new-trait", number, UNSET
        for slot in range(min(len(board.traits) + 1, MAX_TRAITS)):
            yield "trait", number, slot


numbers = st.integers(0, 9)
wild_drafts = st.builds(
    CardPlan,
    food=st.none() | numbers,
    population=st.lists(st.builds(Growth, numbers, numbers), max_size=3).map(tuple),
    body=st.lists(st.builds(Growth, numbers, numbers), max_size=3).map(tuple),
    boards=st.lists(st.builds(NewBoard, numbers, st.lists(numbers, max_size=3).map(tuple)), max_size=2).map(tuple),
    traits=st.lists(st.builds(Replacement, numbers, st.integers(0, 3), numbers), max_size=2).map(tuple),
)


@settings(max_examples=50)
@given(tables, seeds, wild_drafts)
def test_an_incomplete_plan_is_judged_as_every_complete_one_would_be(
    table: list[str], seed: int, draft: CardPlan
) -> None:
    for asked in choices(table, seed):
        verdict = checked(asked, draft, None, 0)
        assert verdict.places == ()
        judged = objections(asked, draft)
        if not judged:
            assert blamed(verdict) == (rulebook.PLAY_SHAPE, "This leaves no card for the watering hole.")
            continue
        blame = blamed(verdict)
        assert blame in judged
        assert (("", "") in judged) == (judged == {("", "")}), "which card becomes the food never makes it legal"
        boards = asked.preview(play_of(draft, foods(asked, draft)[0]))
        assert verdict.boards == boards_of(boards if blame == ("", "") else asked.me.species)


@settings(max_examples=30)
@given(tables, seeds)
def test_a_plan_that_is_not_legal_has_no_spots_for_a_card(table: list[str], seed: int) -> None:
    for asked in choices(table, seed):
        twice = CardPlan(food=0, body=(Growth(0, 0),))
        verdict = checked(asked, twice, 1, 0)
        assert (blamed(verdict)[0], verdict.places) == (rulebook.PLAY_ONCE, ())


@settings(max_examples=30)
@given(tables, seeds)
def test_meals_are_the_options_of_the_request_and_the_rest_has_its_reason(table: list[str], seed: int) -> None:
    for asked in requests(table, seed):
        if not isinstance(asked, Feed):
            continue
        told, mine = feed_request(asked, 1, None, 0.0), range(len(asked.me.species))
        options = asked.options
        assert [why is None for why in told.grazing] == [Graze(board) in options for board in mine]
        assert all(blamed(why) != ("", "") for why in told.grazing if why is not None)
        storing = {option.board: option.tokens for option in options if isinstance(option, StoreFat)}
        assert told.storing == tuple(storing.get(board, 0) for board in mine)
        attacks = [(Attack(one.board, one.seat, one.target), blamed(one) == ("", "")) for one in told.attacks]
        hunters = [number for number in mine if asked.me.species[number].mask & CARNIVORE]
        assert [attack for attack, _ in attacks] == [
            Attack(hunter, other.seat, target)
            for hunter in hunters
            for other in asked.others
            for target in range(len(other.species))
        ]
        assert [attack for attack, legal in attacks if legal] == [move for move in options if isinstance(move, Attack)]
        assert [asked.why_not(attack) is None for attack, _ in attacks] == [legal for _, legal in attacks]
