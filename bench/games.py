"""Complete games of silly players per CPU-second, with each core.

"shuffled" starts with an empty watering hole; "rich" with 100 tokens, so that feeding and attacks really happen.
Five ways: `table.play`, with a request for every answer, and a record; `simulate`, which the kernel plays where it is
built, with decks of cards and with decks packed beforehand; the same by the rules in Python, with house bots that need
no requests; and `table.play` with agents in plain Python, which is what most people write. All of them play the same
games, which is checked before anything is measured.

The decks are shuffled beforehand. A pass plays each of them once; the quickest counts.
"""

from collections.abc import Callable, Sequence
from functools import partial

from both import Figure, per_second, run

from wateringhole.agents import Agent
from wateringhole.agents.playout import play_by_rules, scores_by_seat, simulate
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import new_game
from wateringhole.moves import Attack, CardPlay, Decline, Feeding, Graze, Growth, NewBoard, Replacement, StoreFat
from wateringhole.packed import packed_deck
from wateringhole.species import Species
from wateringhole.table import play
from wateringhole.traits import Trait
from wateringhole.view import Choose, Feed

DECKS = [shuffled(seed) for seed in range(40)]
PACKED = [bytes(packed_deck(deck)) for deck in DECKS]
PLAYERS = (3, 5, 8)
FOOD = {"shuffled": 0, "rich": 100}
MORE_FOOD = (25, 50, 200, 400)


class Homemade:
    """The silly player as an agent in plain Python, from what the request shows."""

    def choose(self, request: Choose) -> CardPlay:
        hand = request.me.hand
        cards = sorted(range(len(hand)), key=lambda at: hand[at].order)
        new = len(request.me.species)
        return CardPlay(
            food=cards[0],
            boards=(NewBoard(cards[1], (cards[2],)),),
            population=tuple([Growth(new, card) for card in cards[3:4]]),
            body=tuple([Growth(new, card) for card in cards[4:5]]),
            traits=tuple([Replacement(new, 0, card) for card in cards[5:6]]),
        )

    def feed(self, request: Feed) -> Feeding:
        boards = request.me.species
        if fat := [at for at, board in enumerate(boards) if board.fat_need]:
            neediest = max(fat, key=lambda at: (boards[at].fat_need, size(boards[at])))
            return StoreFat(neediest, min(boards[neediest].fat_need, request.watering_hole))
        if grazers := [at for at, board in enumerate(boards) if board.hungry and Trait.CARNIVORE not in board.traits]:
            return Graze(max(grazers, key=lambda at: size(boards[at])))
        seen = {other.seat: other.species for other in request.others}
        attacks = [option for option in request.options if isinstance(option, Attack)]
        return max(
            attacks,
            key=lambda attack: (size(boards[attack.board]), -attack.board, size(seen[attack.seat][attack.target])),
            default=Decline(),
        )


def size(board: Species) -> tuple[int, int, int]:
    return board.population, board.food, board.body


def check() -> None:
    """Agents in plain Python must play the very games that silly players play, or nothing is compared."""
    for players in PLAYERS:
        for food in FOOD.values():
            for deck in DECKS[:8]:
                names = [f"seat {seat}" for seat in range(1, players + 1)]
                ours = play([Silly() for _ in names], deck, names, food)
                assert play([Homemade() for _ in names], deck, names, food) == ours
            silly = [Silly()] * players
            assert simulate(DECKS, silly, food) == simulate(PACKED, silly, food) == by_rules(silly, food)


def play_all(agents: Sequence[Agent], food: int) -> None:
    for deck in DECKS:
        play(agents, deck, watering_hole=food)


def by_rules(agents: Sequence[Agent], food: int) -> list[tuple[int, ...]]:
    names = [f"seat {seat}" for seat in range(1, len(agents) + 1)]
    scores = []
    for deck in DECKS:
        game = new_game(names, deck, food)
        play_by_rules(game, agents)
        scores.append(scores_by_seat(game))
    return scores


def figures() -> list[Figure]:
    def figure(name: str, players: int, once: Callable[[], object]) -> Figure:
        return Figure(f"{name}, {players} players", len(DECKS), once)

    found: list[Figure] = []
    for kind, food in FOOD.items():
        for players in PLAYERS:
            silly = [Silly() for _ in range(players)]
            homemade = [Homemade() for _ in range(players)]
            found += [
                figure(f"play, {kind}", players, partial(play_all, silly, food)),
                figure(f"simulate, {kind}", players, partial(simulate, DECKS, silly, food)),
                figure(f"simulate, packed decks, {kind}", players, partial(simulate, PACKED, silly, food)),
                figure(f"simulate by the rules, {kind}", players, partial(by_rules, silly, food)),
                figure(f"play, agents in plain Python, {kind}", players, partial(play_all, homemade, food)),
            ]
    found.sort(key=lambda one: one.name.rsplit(", ", 2)[0])
    for food in MORE_FOOD:
        found.append(figure(f"simulate by the rules, {food} tokens", 5, partial(by_rules, [Silly()] * 5, food)))
    return found


def main() -> None:
    check()
    run(__file__, __doc__, per_second("complete silly games"), figures())


if __name__ == "__main__":
    main()
