"""The dialect `tagged`: tagged messages both ways, and a whole configuration to feed by.

The configuration has the shape that its document gives it, with blanks for what the receiver may not know: the others'
cards and bags, and the deck.
"""

from wateringhole.agents import Agent
from wateringhole.fault import shown
from wateringhole.player import Other
from wateringhole.view import Choose, Feed, Start
from wateringhole.wire.client_end import ClientEnd, player_of
from wateringhole.wire.dialect import Ask, Dialect, Talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import (
    ShapeError,
    action4_in,
    boards_out,
    card_in,
    each,
    feeding_in,
    items,
    player_out,
    rows_out,
)


class Tagged(Dialect):
    name = "tagged"
    dealer_first = True

    def welcome(self, seat: int) -> list[Json]:
        return ["ok"]

    def start(self, request: Start) -> list[Json]:
        return [["start-round", player_out(request.me.seat, request.me, empty_hand=True)]]

    def choose(self, request: Choose) -> Talk:
        me = player_out(request.me.seat, request.me, empty_hand=True)
        answer = yield Ask(["choce-actions", [me, rows_out(request.before), rows_out(request.after)]])
        return action4_in(_under("play", answer))

    def feed(self, request: Feed) -> Talk:
        me = player_out(request.me.seat, request.me, empty_hand=True)
        players: list[Json] = [me, *(_blanked(other) for other in request.others)]
        answer = yield Ask(["pick-feeding", [players, request.watering_hole, []]])
        return feeding_in(_under("feeding", answer), [other.seat for other in request.others])


def _blanked(other: Other) -> Json:
    return [["id", other.seat], ["species", boards_out(other.species)], ["bag", 0], ["cards", []]]


def _under(tag: str, value: Json) -> Json:
    """What is behind this tag."""
    parts = items(value, "an answer", 2, 2)
    if parts[0] != tag:
        raise ShapeError(f'an answer is {shown(value)}, not ["{tag}", ...]')
    return parts[1]


class TaggedClient(ClientEnd):
    """Messages and answers are tagged, and so is growth, wanted or not."""

    dealer_first = Tagged.dealer_first

    def __init__(self, agent: Agent, tagged_growth: bool = True) -> None:
        super().__init__(agent, tagged_growth=True)

    def _answers(self, value: Json) -> list[Json]:
        match items(value, "a message"):
            case ["start-round", player]:
                return self._start(player_of(player))
            case ["choce-actions", choice]:  # spelt like this in the dialect's document
                player, before, after = items(choice, "the choice", 3, 3)
                return [["play", self._choose(player_of(player), before, after)]]
            case ["pick-feeding", configuration]:
                players, watering_hole, deck = items(configuration, "the configuration", 3, 3)
                me, *rest = [player_of(player) for player in items(players, "the players", 1)]
                cards = len(each(deck, "the deck", card_in))
                boards, hands = [own.species for own in rest], [len(own.hand) for own in rest]
                return [["feeding", self._feed(me, watering_hole, boards, hands, cards)]]
        raise ShapeError(f"a message is {shown(value)}, not a start-round, choce-actions or pick-feeding")
