"""Worlds: games that look to a seat like the one it is asked about, whatever is hidden from it."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from wateringhole import DECK, Game, Greedy, Rash, shuffled
from wateringhole.dealer import new_game
from wateringhole.moves import Move
from wateringhole.view import Choose, Request

GAMES = 12
WORLDS = 3


def moments() -> Iterator[tuple[Game, Request]]:
    """Games at every request, with what is asked there."""
    for number in range(GAMES):
        agents = [Rash(f"{number}:{seat}") if seat % 2 else Greedy() for seat in range(1, 4 + number % 6)]
        game = new_game([f"seat {seat}" for seat in range(1, len(agents) + 1)], shuffled(number))
        while seats := game.pending():
            asked = game.request(seats[0])
            yield game, asked
            agent = agents[seats[0] - 1]
            move: Move = agent.choose(asked) if isinstance(asked, Choose) else agent.feed(asked)
            game.answer(seats[0], move)


def reshuffled(game: Game, seat: int, random: Random) -> Game:
    """The same game for this seat, with other cards in the hands of the others and in the deck."""
    twin = game.clone()
    others = twin.others(seat)
    hidden = [card for other in others for card in other.hand] + list(twin.deck[twin.dealt :])
    random.shuffle(hidden)
    for other in others:
        other.hand = tuple(hidden[: len(other.hand)])
        del hidden[: len(other.hand)]
    twin.deck = (*twin.deck[: twin.dealt], *hidden)
    twin.plays.clear()
    return twin


def test_a_world_looks_to_the_seat_like_the_game_it_is_asked_about() -> None:
    count = 0
    for _, asked in moments():
        for world in islice(asked.worlds(Random(count)), WORLDS):
            assert world.request(asked.me.seat) == asked
            count += 1
    assert count > 100 * WORLDS


def test_no_card_of_a_world_is_in_two_places() -> None:
    for _, asked in moments():
        for world in islice(asked.worlds(Random(1)), WORLDS):
            cards = [card for player in world.row for card in player.hand] + list(world.deck)
            assert len(set(cards)) == len(cards)
            traits = [trait for player in world.row for board in player.species for trait in board.traits]
            for trait in set(traits):
                elsewhere = sum(card.trait is trait for card in cards)
                assert elsewhere + traits.count(trait) <= sum(card.trait is trait for card in DECK)


def test_cards_that_are_spent_are_in_no_world() -> None:
    for _, asked in islice(moments(), 100):
        spent = {card for card in DECK[::9] if card not in asked.me.hand}
        world = next(asked.worlds(Random(2), spent))
        assert spent.isdisjoint([card for player in world.row for card in player.hand] + list(world.deck))


def test_worlds_do_not_depend_on_what_is_hidden() -> None:
    """The same view and the same random numbers give the same worlds, so the same distribution."""
    differ = 0
    for number, (game, asked) in enumerate(moments()):
        twin = reshuffled(game, asked.me.seat, Random(number))
        again = twin.request(asked.me.seat)
        assert again == asked
        differ += twin != game
        for one, other in islice(zip(asked.worlds(Random(3)), again.worlds(Random(3)), strict=True), WORLDS):
            assert one == other
    assert differ > 100


def test_a_world_has_the_bags_that_a_seat_remembers() -> None:
    for game, asked in islice(moments(), 40):
        own = asked.me.seat
        bags = {player.seat: 3 + player.seat for player in game.row if player.seat not in {own, game.row[-1].seat}}
        world = next(asked.worlds(Random(1), None, bags))
        assert {seat: player.bag for seat, player in world.players.items()} == {
            player.seat: asked.me.bag if player.seat == own else bags.get(player.seat, 0) for player in game.row
        }
