"""Looks ahead with a network: drafts moves of a seat, and tells what each is worth at the end of the turn.

Laws: the kernel and Python draft the same moves and find the same values, to the last bit.
"""

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

from wateringhole.agents import Agent
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.halving import POINT, win_share
from wateringhole.agents.playout import asked, play_by_rules, scores_by_seat
from wateringhole.agents.silly import Silly
from wateringhole.dealer import MAX_PLAYERS, answer, pending
from wateringhole.env.actions import begin, mask, step
from wateringhole.env.agent import DraftingAgent
from wateringhole.env.observations import encode
from wateringhole.fault import Fault
from wateringhole.game import Game
from wateringhole.kernel.playouts import KernelPlayouts, kernel_playouts, packed_move
from wateringhole.kernel.policy import Policy
from wateringhole.learned.decision import Decider
from wateringhole.learned.weights import Network
from wateringhole.moves import Move
from wateringhole.packed import unpacked_replies
from wateringhole.view import Request, request

MODELS: Final = range(3)
NETWORK, GREEDY, SILLY = MODELS
"""The bots that may play for the others."""


class _Table(NamedTuple):
    """Who plays on, by seat, and the same by the kernel."""

    agents: list[Agent]
    quick: KernelPlayouts | None


class Lookahead:
    """Tries moves of one seat in one world after the other. Then the network plays for this seat to the end of the
    turn, and bots for the others. The kernel plays if it can.
    """

    def __init__(self, network: Network, asked: Request) -> None:
        self._asked: Final = asked
        self._seat: Final = asked.me.seat
        self._decider: Final = Decider(network)
        greedy, silly = Greedy(), Silly()
        self._bots: Final[list[tuple[Agent, Policy | None]]] = [
            (DraftingAgent(self._decider.action, MAX_PLAYERS), network.policy),
            (greedy, greedy.kernel_policy()),
            (silly, silly.kernel_policy()),
        ]
        self._tables: Final[dict[tuple[int, ...], _Table]] = {}

    def _table(self, models: Sequence[int]) -> _Table:
        seated = tuple([NETWORK if seat == self._seat else model for seat, model in enumerate(models, 1)])
        if seated not in self._tables:
            agents = [self._bots[model][0] for model in seated]
            self._tables[seated] = _Table(agents, kernel_playouts([self._bots[model][1] for model in seated]))
        return self._tables[seated]

    def enter(self, game: Game, models: Sequence[int]) -> None:
        """The world in which moves are tried from now on, and the bots that play for the others, by seat. Where all
        choose cards, the others do so now, once for all moves.
        """
        self._game = game
        self._agents, quick = self._table(models)
        self._quick = quick if quick is not None and quick.load(game) else None
        if self._quick is not None:
            self._quick.choose_others(self._seat)
        elif game.phase == "choose":
            self._game = game.clone()
            for seat in pending(game):
                if seat != self._seat:
                    answer(self._game, seat, asked(self._agents[seat - 1], request(self._game, seat)))

    def draft(self, temperature: float, draws: Sequence[float]) -> tuple[float, Move]:
        """A move that the network drafts with these numbers from 0 to 1, without them the best one; and how probable it
        was.
        """
        if self._quick is not None:
            probability, numbers = self._quick.draft(self._seat, temperature, array("d", draws))
            ((_, move),) = unpacked_replies(numbers, ())
            assert not isinstance(move, Fault)
            return probability, move
        draft, probability, left = begin(self._asked), 1.0, iter(draws)
        while draft.move is None:
            seen, allowed = encode(draft, MAX_PLAYERS), mask(draft)
            action, share = self._decider.drawn(seen, allowed, temperature, next(left, None))
            probability *= share
            draft = step(draft, action)
        return probability, draft.move

    def value(self, move: Move) -> float:
        """What the game is worth after this move, as the network was taught to tell: the share of a win above that of
        an equal player, and a little for each point ahead of the others' mean.
        """
        if self._quick is not None:
            found = self._quick.turn_after(packed_move(self._seat, move), self._seat)
        else:
            found = self._by_rules(move)
        if isinstance(found, float):
            return found
        mine, others = found[self._seat - 1], [found[seat - 1] for seat in self._game.players if seat != self._seat]
        return win_share(mine, others) - 1 / (1 + len(others)) + POINT * (mine - sum(others) / max(1, len(others)))

    def after(self, move: Move) -> Game:
        """The game at the end of the turn after this move."""
        twin = self._game.clone()
        if self._quick is not None:
            self._quick.turn_after(packed_move(self._seat, move), self._seat)
            self._quick.restore(twin)
        else:
            answer(twin, self._seat, move)
            play_by_rules(twin, self._agents[: len(twin.names)], self._game.turn)
        return twin

    def _by_rules(self, move: Move) -> tuple[int, ...] | float:
        twin = self.after(move)
        if twin.phase == "over":
            return scores_by_seat(twin)
        draft = begin(request(twin, self._seat))
        return self._decider.scores(encode(draft, MAX_PLAYERS), mask(draft))[-1]
