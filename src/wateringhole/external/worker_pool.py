"""A pool of worker processes that are kept between the games of a run, because starting Python takes longer than a
game.

Laws: no process gets two games of one deal: after the first its agent has seen the deck. A kept process that is not
ready at once is replaced by a new one, so that a failure in an earlier game does not count against an agent.
"""

import asyncio
from collections import defaultdict
from typing import Final

from wateringhole.external.program import Program

MAX_GAMES: Final = 500
"""How many games one process plays, so that their number alone does not bring it near its limits of CPU and memory."""
MAX_IDLE: Final = 8
"""Idle workers of one agent: each deal is played once for each seat."""


class Pool:
    """The idle workers of each agent, which is known by its specification. With `fresh`, none is kept."""

    def __init__(self, fresh: bool = False) -> None:
        self._fresh = fresh
        self._idle: dict[str, list[Program]] = defaultdict(list)
        self._unready: set[str] = set()

    def of_deal(self, deal: int) -> "Workers":
        """The workers for a game of this deal."""
        return Workers(self, deal)

    def take(self, agent: str, deal: int) -> Program | None:
        """An idle worker of this agent that has played no game of this deal, if there is one."""
        idle = self._idle[agent]
        found = next((program for program in idle if deal not in program.deals), None)
        if found is not None:
            idle.remove(found)
            found.deals.add(deal)
        return found

    async def give_back(self, agent: str, program: Program) -> None:
        """Keep a worker for other games, or end it."""
        idle = self._idle[agent]
        kept = not self._fresh and agent not in self._unready
        able = program.idle and len(program.deals) < MAX_GAMES
        if kept and able and len(idle) < MAX_IDLE:
            idle.append(program)
        else:
            await program.end()

    async def replace(self, agent: str, program: Program) -> None:
        """End a kept worker that was not ready for a game; from now on each game of this agent has a new one."""
        self._unready.add(agent)
        await program.end()

    async def end(self) -> None:
        """End all idle workers."""
        idle = [program for programs in self._idle.values() for program in programs]
        self._idle.clear()
        await asyncio.gather(*(program.end() for program in idle))


class Workers:
    """The workers that may play a game of one deal."""

    def __init__(self, pool: Pool, deal: int) -> None:
        self._pool = pool
        self._deal = deal

    def take(self, agent: str) -> Program | None:
        return self._pool.take(agent, self._deal)

    def begin(self, program: Program) -> None:
        """This new worker gets a game of the deal."""
        program.deals.add(self._deal)

    async def give_back(self, agent: str, program: Program) -> None:
        await self._pool.give_back(agent, program)

    async def replace(self, agent: str, program: Program) -> None:
        await self._pool.replace(agent, program)
