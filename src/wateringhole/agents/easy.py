"""The easy player: silly, but generous with food, so that a beginner's first games are no famines."""

from mypy_extensions import mypyc_attr

from wateringhole.agents.playout import PlayoutRequest
from wateringhole.agents.silly import Silly, card_play
from wateringhole.moves import CardPlay
from wateringhole.view import Choose


@mypyc_attr(allow_interpreted_subclasses=True)
class Easy(Silly):
    """Exchanges the silly player's food card for the one in its hand that brings the most food."""

    def card_play(self, request: Choose | PlayoutRequest) -> CardPlay:
        me = request.me
        hand = list(me.hand)
        given = card_play(me.species, me.hand).food
        best = max(range(len(hand)), key=lambda at: hand[at].food)
        hand[given], hand[best] = hand[best], hand[given]
        return card_play(me.species, tuple(hand))
