"""What a replay shows at a moment, read off the page, and what the engine says it should be."""

import re
from typing import Final, NamedTuple

from playwright.sync_api import Page, expect

from wateringhole.game import Game

# Animals and fat are counted by their drawings, everything else is read.
_READ: Final = """() => {
  const words = (root, selector) => root.querySelector(selector)?.textContent ?? "";
  const boards = (root) => [...root.querySelectorAll("wh-board")].map((board) => ({
    population: board.querySelectorAll(".pips-animal .pip").length,
    food: board.querySelectorAll(".pips-animal .pip-full").length,
    fat: board.querySelectorAll(".pips-drop .pip-full").length,
    room: board.querySelectorAll(".pips-drop .pip").length,
    body: words(board, ".board-body"),
    traits: [...board.querySelectorAll("wh-trait")].map((trait) => trait.textContent),
    spoken: board.ariaLabel,
  }));
  return {
    step: document.body.dataset.step,
    turn: words(document, "#game [data-turn]"),
    deck: words(document, "#game [data-deck]"),
    hole: words(document, "#game wh-hole strong"),
    seats: [...document.querySelectorAll("#game .stage-seat")].map((seat) => ({
      seat: seat.dataset.seat,
      name: words(seat, ".player-name"),
      facts: [...seat.querySelectorAll(".player-facts .fact")].map((fact) => words(fact, ".visually-hidden")),
      asked: seat.querySelector("wh-player").hasAttribute("data-asked"),
      boards: boards(seat),
      hand: [...seat.querySelectorAll(".stage-hand li")].map((card) =>
        [words(card, ".trait-name"), (card.querySelector(".card-food") ?? card.lastElementChild).textContent]),
    })),
  };
}"""


class Board(NamedTuple):
    population: int
    food: int
    fat: int
    body: int
    traits: tuple[str, ...]


class Seat(NamedTuple):
    name: str
    cards: int
    bag: int | None
    hand: tuple[tuple[int, str], ...] | None
    boards: tuple[Board, ...]


class Scene(NamedTuple):
    step: int
    turn: int
    hole: int
    deck: int
    seats: dict[int, Seat]


def scene_of(game: Game, step: int, viewer: int | None = None) -> Scene:
    """The state in the words of a page that shows everything, or all that a viewer on this seat may see."""
    seats = {}
    for player in game.row:
        seen = viewer in {None, player.seat}
        boards = tuple(
            Board(board.population, board.food, board.fat_food, board.body, tuple(str(trait) for trait in board.traits))
            for board in player.species
        )
        hand = tuple((card.food, str(card.trait)) for card in player.hand)
        seats[player.seat] = Seat(
            game.name(player.seat), len(hand), player.bag if seen else None, hand if seen else None, boards
        )
    return Scene(step, game.turn, game.watering_hole, game.cards_left, seats)


def scene_on(page: Page, step: int | None = None) -> Scene:
    """What the page shows now or, if a step is given, when it has come there."""
    if step is not None:
        expect(page.locator("body")).to_have_attribute("data-step", str(step))
    value = page.evaluate(_READ)
    return Scene(
        int(value["step"]),
        _number(value["turn"]),
        _number(value["hole"]),
        _number(value["deck"]),
        {int(seat["seat"]): _seat(seat) for seat in value["seats"]},
    )


def _seat(value: dict[str, object]) -> Seat:
    facts, boards, hand = value["facts"], value["boards"], value["hand"]
    assert isinstance(facts, list)
    assert isinstance(boards, list)
    assert isinstance(hand, list)
    bags = [_number(fact) for fact in facts if "in the bag" in fact]
    [cards] = [_number(fact) for fact in facts if re.search(r"\bcards?$", fact)]
    bag = bags[0] if bags else None
    # An empty hand is not drawn, whoever looks; that the bag is there tells that it may be seen.
    faces = None if bag is None else tuple(_face(card) for card in hand)
    assert bag is not None or hand == []
    return Seat(str(value["name"]), cards, bag, faces, tuple(_board(board) for board in boards))


def _board(value: dict[str, object]) -> Board:
    """A board as it is drawn; and what is said to those who do not see it is the same."""
    traits = value["traits"]
    assert isinstance(traits, list)
    numbers = {part: value[part] for part in ("population", "food", "fat")}
    body = _number(str(value["body"]))
    population, food, fat = (number for number in numbers.values() if isinstance(number, int))
    spoken = str(value["spoken"])
    animals = f"{population} animal{'' if population == 1 else 's'}, {food} fed, body {body}"
    stored = f", fat {fat} of {body}" if "fat-tissue" in traits else ""
    assert f": {animals}{stored}, {', '.join(traits) or 'no traits'}" in spoken
    assert value["room"] == (body if stored else 0)
    return Board(population, food, fat, body, tuple(traits))


def _face(card: list[str]) -> tuple[int, str]:
    """A card of a hand, large or small, by the words for its trait and its food."""
    trait, food = card
    return int(food.replace("\u2212", "-")), trait


def _number(text: str) -> int:
    return int(re.findall(r"\d+", text)[0])
