"""Runs one game on the server: sends each request at its time, and writes every reply to the game log.

Laws: only the dealer removes a seat that fails; one that fails at choose is disconnected at once. The other seats wait
at most for its time limit. Every reply is in the
game log before any participant is told of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from wateringhole.cards import Card
from wateringhole.dealer import answer, new_game, pending
from wateringhole.events import Event
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import Reply
from wateringhole.record import Note, Record, Result, expulsion, pace, reason, replay
from wateringhole.rules.turn import ranking
from wateringhole.server.participants import Participant
from wateringhole.view import Choose, Request, choices, request, start


class Audience(Protocol):
    """Receives the events of a game for spectators and pages. It must not keep the players waiting."""

    def told(self, game: Game, events: Sequence[Event]) -> None:
        """This happened, and this is how the game stands now."""

    def asked(self, seat: int) -> None:
        """This seat must answer now."""

    def answered(self, seat: int) -> None:
        """It has answered; the answer itself is not public yet."""

    def ended(self, result: Result | None) -> None:
        """The game is over; None: it could not be finished."""


class GameLogWriter(Protocol):
    """The write-ahead log of one game. What it is given is written when the call returns."""

    def replied(self, replies: Sequence[tuple[int, Reply]]) -> None:
        """These replies go to the dealer now."""

    def noted(self, note: Note) -> None:
        """This note belongs into the record."""

    def expelled_early(self, seat: int, fault: Fault) -> None:
        """This seat is expelled before its reply goes to the dealer."""

    def asked(self, turn: int) -> None:
        """All seats are asked to choose now, about the same situation."""

    def token_hashes_changed(self, seat: int, token_hashes: tuple[str, ...]) -> None:
        """The tokens of this seat now have these hashes."""

    async def over(self, notes: Sequence[Note]) -> None:
        """The game is over; these are its last notes."""


class NullGameLog:
    """The log of a game that ends with the server: it writes nothing."""

    def replied(self, replies: Sequence[tuple[int, Reply]]) -> None:
        pass

    def noted(self, note: Note) -> None:
        pass

    def expelled_early(self, seat: int, fault: Fault) -> None:
        pass

    def asked(self, turn: int) -> None:
        pass

    def token_hashes_changed(self, seat: int, token_hashes: tuple[str, ...]) -> None:
        pass

    async def over(self, notes: Sequence[Note]) -> None:
        pass


class ResumeState(Struct, frozen=True):
    """The state of a game that is resumed after a restart: `asked` maps each turn to the number of replies before its
    choose requests; `gathered` waits for the clients.
    """

    asked: Mapping[int, int]
    gathered: Callable[[], Awaitable[None]]


class GameSession:
    """Runs one game; `expelled` gets the note on each seat that is expelled. `gap` is the time in seconds before the
    first start and from each start to its choose, for clients that take one read for one message.
    """

    def __init__(
        self,
        participants: Sequence[Participant],
        deck: Sequence[Card],
        expelled: Callable[[Note], None] = lambda _: None,
        gap: float = 0.0,
        notes: Sequence[Note] = (),
        game: Game | None = None,
        begun: Record | None = None,
        audience: Audience | None = None,
        game_log: GameLogWriter | None = None,
        seed: Sequence[Note] = (),
        memory: ResumeState | None = None,
    ) -> None:
        """With a record, play on from its end. With a `game`, play on from there; such a record is not the whole.

        With a `memory`, these participants have played the record themselves, and recall it. What `seed` tells is
        secret until the game is over.
        """
        self._participants = dict(enumerate(participants, 1))
        self._deck = tuple(deck)
        self._expelled = expelled
        self._gap = gap
        # Without a listener the dealer need not make events.
        self._wants_events = audience is not None or any(participant.listens for participant in participants)
        self._audience = audience
        self._names = tuple(participant.name for participant in participants)
        self._begun = Record(self._names, self._deck, ()) if begun is None else replace(begun, names=self._names)
        self._replies: list[tuple[int, Reply]] = list(self._begun.replies)
        self._notes = list(notes)
        self._game_log = NullGameLog() if game_log is None else game_log
        self._seed = seed
        self._end_notes: list[Note] = []
        self._memory = memory
        self._open_questions: list[Choose] | None = None  # what all seats were asked when the earlier server ended
        self._expelled_early: set[int] = set()
        self._paces: dict[int, tuple[int, float]] = {}
        self.game = game
        self._failure: Exception | None = None

    @property
    def record(self) -> Record:
        """The game so far, also when it could not be finished."""
        return replace(self._begun, replies=tuple(self._replies), notes=(*self._notes, *self.last_notes))

    @property
    def last_notes(self) -> list[Note]:
        """What is known only at the end: why it came early, if it did, and how long each seat took."""
        return [*self._end_notes, *(pace(seat, *spent) for seat, spent in sorted(self._paces.items()))]

    def token_hashes_changed(self, seat: int, token_hashes: tuple[str, ...]) -> None:
        """This seat has new tokens."""
        self._game_log.token_hashes_changed(seat, token_hashes)

    def note(self, note: Note) -> None:
        """A note for readers of the record, with the number of the last reply."""
        self._write({**note, "after reply": len(self._replies)})

    def _write(self, note: Note) -> None:
        self._game_log.noted(note)
        self._notes.append(note)

    async def play(self) -> Result:
        """Play the whole game, from the first turn to the message that it is over."""
        result = None
        try:
            result = await self._play()
            return result
        except asyncio.CancelledError:
            if self._failure is None:
                self._end_notes.append({"ended": "stopped"})
                raise
        except Exception as error:
            # The first error of a group is the one to report.
            self._failure = error.exceptions[0] if isinstance(error, ExceptionGroup) else error
        finally:
            # Participants refer to the session and the session to its participants: in that cycle a whole game would
            # stay in memory until the garbage collector runs, and its runs are pauses in all other games.
            self._participants.clear()
            if self._audience is not None:
                self._audience.ended(result)
        self._end_notes.append({"ended": Reason.SERVER_ERROR.value, "text": f"{self._failure!r:.200}"})
        raise self._failure

    async def _play(self) -> Result:
        task = asyncio.current_task()
        assert task is not None
        if self._memory is not None:
            game = self.game = await self._replay_to_participants(self._memory)
            await self._memory.gathered()
        else:
            game = self.game = self.game or replay(self._begun, listen=self._wants_events)
        for seat, participant in self._participants.items():
            participant.watch(partial(self._seat_failed, task, game, seat))
        if self._gap and self._memory is None:
            await asyncio.sleep(self._gap)  # the last client was welcomed a moment ago
        self._tell(game, game.hear())
        while game.phase != "over":
            if game.phase == "choose":
                await self._choose(game)
            else:
                seat = game.queue[0]
                self._answer(game, seat, await self._reply(seat, request(game, seat)))
        if not game.players:
            self._write({"ended": "abandoned"})
        self._end_notes += self._seed
        result = Result(ranking(game), self.record)
        await self._game_log.over(self.last_notes)
        for seat in game.players:
            self._participants[seat].over(seat, result)
        return result

    def _seat_failed(self, task: "asyncio.Task[object]", game: Game, seat: int, fault: Fault) -> None:
        """A seat failed while it was not asked. An error here cancels the task, which waits for another seat."""
        if not self._participants or task.cancelling():
            return  # the game is over, or is being stopped: its requests are withdrawn, so a missing answer is no fault
        try:
            self._answer(game, seat, fault)
        except Exception as error:
            self._failure = error
            task.cancel()

    async def _choose(self, game: Game) -> None:
        """Tell all seats that the turn begins; then ask all at once about the same situation.

        The dealer gets the answers in turn order, so that a record does not depend on which was quicker.
        """
        if self._open_questions is None:
            for seat in pending(game):
                self._participants[seat].start(start(game, seat))
            await asyncio.sleep(self._gap)
            self._game_log.asked(game.turn)
            asked = choices(game)
        else:
            asked, self._open_questions = self._open_questions, None
        questions = {question.me.seat: question for question in asked if question.me.seat in pending(game)}
        async with asyncio.TaskGroup() as group:
            choosers = {seat: group.create_task(self._choice(seat, asked)) for seat, asked in questions.items()}
        chosen = [(seat, chooser.result()) for seat, chooser in choosers.items() if seat in pending(game)]
        self._game_log.replied(chosen)  # all or none, so that a resumed game asks all or none
        for seat, reply in chosen:
            self._give(game, seat, reply)

    async def _choice(self, seat: int, asked: Request) -> Reply:
        reply = await self._reply(seat, asked)
        if isinstance(reply, Fault):
            self._expelled_early.add(seat)
            self._game_log.expelled_early(seat, reply)
            self._participants[seat].expel(reply)  # it need not wait for the others, nor keep its connection
        return reply

    async def _reply(self, seat: int, asked: Request) -> Reply:
        """Ask a seat, and note how long its reply took."""
        begun = asyncio.get_running_loop().time()
        if self._audience is not None:
            self._audience.asked(seat)
        reply = await self._participants[seat].reply(asked)
        if self._audience is not None:
            self._audience.answered(seat)
        replies, seconds = self._paces.get(seat, (0, 0.0))
        why = self._participants[seat].why if seat in self._participants else ""
        if why:
            self._write(reason(seat, replies + 1, why))
        self._paces[seat] = replies + 1, seconds + asyncio.get_running_loop().time() - begun
        return reply

    def _answer(self, game: Game, seat: int, reply: Reply) -> None:
        """Write a reply to the game log and give it to the dealer."""
        if seat in game.players and game.phase != "over":
            self._game_log.replied([(seat, reply)])
            self._give(game, seat, reply)

    def _give(self, game: Game, seat: int, reply: Reply) -> None:
        """Give a reply to the dealer, tell the events, and disconnect the seats that were expelled."""
        self._replies.append((seat, reply))
        gone = len(game.expelled)
        self._tell(game, answer(game, seat, reply))
        for expelled, fault in game.expelled[gone:]:
            participant = self._participants[expelled]
            why = expulsion(expelled, fault) | participant.evidence()
            self._write(why)
            self._expelled(why)
            if expelled not in self._expelled_early:
                participant.expel(fault)

    async def _replay_to_participants(self, memory: ResumeState) -> Game:
        """The game as it stood; each participant gets its old events and requests again, but sends nothing to its
        client.
        """
        begun = self._begun
        game = new_game(begun.names, begun.deck, begun.watering_hole, self._wants_events)
        end = replay(begun)
        self._tell(game, game.hear())
        for step in range(len(begun.replies) + 1):
            if game.phase == "choose" and memory.asked.get(game.turn) == step:
                for seat in pending(game):
                    self._participants[seat].start(start(game, seat))
                asked = choices(game)
                if end.phase == "choose" and end.turn == game.turn:
                    self._open_questions = asked
                else:
                    for question in asked:
                        await self._participants[question.me.seat].recall(question)
            if step < len(begun.replies):
                seat, reply = begun.replies[step]
                unasked = isinstance(reply, Fault) and not reply.during
                if game.phase == "feed" and game.queue[0] == seat and not unasked:
                    await self._participants[seat].recall(request(game, seat))
                self._tell(game, answer(game, seat, reply))
        told = {note["expelled"] for note in self._notes if "expelled" in note}
        for seat, fault in game.expelled:
            if seat not in told:
                self._write(expulsion(seat, fault))
        return game

    def _tell(self, game: Game, events: list[Event]) -> None:
        """Tell all seats and the audience what happened."""
        for seat in game.players if events else ():
            self._participants[seat].told(events)
        if self._audience is not None:
            self._audience.told(game, events)
