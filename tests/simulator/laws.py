"""What must hold whenever a server has died, and when all is over."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from wateringhole.agents import Agent
from wateringhole.agents.house import STAND_IN, named
from wateringhole.dealer import answer, new_game
from wateringhole.fault import Fault, Reason
from wateringhole.record import Record, parsed, replay, text
from wateringhole.rules.turn import ranking
from wateringhole.seeds import agent_seed
from wateringhole.store.finished_game import PLAYED_BY
from wateringhole.store.log_entries import LogContents, read
from wateringhole.table import ask
from wateringhole.view import Choose, choices, request
from wateringhole.wire.framing import Json

from .clients import NAMELESS, Sitting, agent_of, number
from .transcript import comparable, transcript
from .world import Death, Violation, World


class Kept(Struct, frozen=True):
    """A game as it would be found now, in the store or in a journal; `data` is its record once it is over."""

    record: Record
    over: bool
    early_expulsions: dict[int, Fault]
    data: bytes


class Judge:
    """Watches a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._damaged: set[str] = set()
        world.judged = self.after

    def damage(self) -> None:
        """The server dies, and some byte of a journal changes by itself: nothing is expected of its game any more."""
        self._world.die()
        game_logs = {name: read(name, bytes(self._world.disk.files[name].data)) for name in self._world.game_logs}
        found = game_logs.get(self._world.disk.flip() or "")
        if isinstance(found, LogContents):
            self._damaged |= {_known_by(name) for name in found.opening.names}

    def after(self, death: Death) -> None:
        """A server has died like this."""
        kept = list(self._kept())
        self._results_are_kept(kept)
        self._announced_is_kept(kept, death)

    def at_the_end(self) -> None:
        """Everybody is done, and the last server has ended."""
        world = self._world
        if world.game_logs:
            raise Violation(f"journals are left behind: {world.game_logs}")
        kept = list(self._kept())
        self._results_are_kept(kept)
        self._announced_is_kept(kept, "kill")
        names: set[str] = set()
        for game in kept:
            if not self._is_damaged(game.record):
                self._is_sound(game.record)
            people = {name for name in game.record.names if "of the house" not in name and game.over}
            if people & names and not world.lenient:
                raise Violation(f"{sorted(people & names)} are in two games")
            names |= people
        self._nobody_is_expelled_without_a_cause(kept)
        if world.failures and not world.disk_failed:
            raise Violation(f"the server failed: {world.failures}")

    def _kept(self) -> Iterator[Kept]:
        world = self._world
        for row in world.store.listed(limit=None):
            data = world.store.data(row.id)
            yield Kept(parsed(data), row.status in {"finished", "abandoned"}, {}, data)
        for name in world.game_logs:
            found = read(name, bytes(world.disk.files[name].data))
            if isinstance(found, LogContents) and found.damage is None:
                record, over = found.record, found.end is not None and found.end.status == "finished"
                yield Kept(record, over, found.early_expulsions, text(record, replay(record)) if over else b"")

    # The laws.

    def _results_are_kept(self, kept: list[Kept]) -> None:
        """Nothing that anybody was told to be over is lost or changed."""
        there = {game.data for game in kept}
        for told in self._world.told:
            record = told.result.record
            game = replay(record)
            if ranking(game) != told.result.ranking:
                raise Violation(f"the ranking of {record.names} is not that of the record")
            if told.sure and not self._is_damaged(record) and text(record, game) not in there:
                raise Violation(f"the result of {record.names} was told and is lost")

    def _announced_is_kept(self, kept: list[Kept], death: Death) -> None:
        """What the server has said follows from what is kept. After a power cut a game may have gone back."""
        games = {_known_by(name): game for game in kept for name in game.record.names}
        for client in self._world.clients:
            for sitting in client.sittings:
                self._hear(sitting)
                game = games.get(sitting.known_by)
                if game is None:
                    self._may_have_vanished(sitting, death)
                elif sitting.known_by not in self._damaged:
                    self._compare(sitting, game, death)

    @staticmethod
    def _hear(sitting: Sitting) -> None:
        """Put down what was said by its number; what was said before must be said the same way again."""
        for message in sitting.news():
            if isinstance(message, dict) and message.get("type") == "expelled" and message["reason"] == _FAILED:
                continue
            if isinstance(message, dict) and "n" not in message:
                continue  # the welcome to somebody who returns, or a refusal
            at = number(message["n"]) if isinstance(message, dict) else len(sitting.said) + 1
            said = comparable(message)
            if sitting.said.setdefault(at, said) != said:
                raise Violation(f"{sitting.name} heard {sitting.said[at]} and then {said} as number {at}")

    def _may_have_vanished(self, sitting: Sitting, death: Death) -> None:
        """A game of which nothing is kept."""
        excused = self._may_go_back(sitting, death) or sitting.known_by in self._damaged
        if len(sitting.said) > 1 and not excused:
            raise Violation(f"{sitting.name} was told {sitting.said} of a game of which nothing is kept")
        for at in [at for at in sitting.said if at > 1]:
            del sitting.said[at]

    def _may_go_back(self, sitting: Sitting, death: Death) -> bool:
        """Whether what was said may be forgotten; a result may not, also if the server had no time to report it."""
        told_the_end = any(_is_the_end(said, sitting.dialect) for said in sitting.said.values())
        return self._world.lenient or (death == "power" and not told_the_end)

    def _compare(self, sitting: Sitting, game: Kept, death: Death) -> None:
        seat = 1 + [_known_by(name) for name in game.record.names].index(sitting.known_by)
        told = transcript(game.record, seat, sitting.dialect, game.over, game.early_expulsions.get(seat))
        excused = self._may_go_back(sitting, death)
        for at, said in sorted(sitting.said.items()):
            if at > len(told):
                if not excused:
                    raise Violation(f"{sitting.name} was told {said}, which the record does not know")
                del sitting.said[at]
            elif told[at - 1] != said:
                raise Violation(f"{sitting.name} was told {said}, but by the record it is {told[at - 1]}")

    def _is_damaged(self, record: Record) -> bool:
        return any(_known_by(name) in self._damaged for name in record.names)

    def _is_sound(self, record: Record) -> None:
        """The record says nothing twice, and everybody played as they always do."""
        out = [note["expelled"] for note in record.notes if "expelled" in note]
        if len(set(out)) < len(out):
            raise Violation(f"{record.names}: seats {out} are expelled, some of them twice")
        game = replay(record)
        if sorted(map(str, out)) != sorted(str(seat) for seat, _ in game.expelled):
            raise Violation(f"{record.names}: the notes say that {out} are expelled, the game says {game.expelled}")
        instead = {note["seat"] for note in record.notes if PLAYED_BY in note}
        sent_home = {seat for seat, fault in game.expelled if fault.text.startswith("cannot come back")}
        if instead if self._world.terms.on_restart == "expel" else sent_home:
            raise Violation(f"{record.names}: {instead} were played by a bot, {sent_home} were expelled")
        wrong = misplayed(record, self._world.seed)
        if wrong is not None:
            raise Violation(f"{record.names}: {wrong}")

    def _nobody_is_expelled_without_a_cause(self, kept: list[Kept]) -> None:
        world = self._world
        if "power" in world.deaths or world.disk_failed or self._damaged:
            return
        steady = {sitting.name for client in world.clients if client.steady for sitting in client.sittings}
        for game in kept:
            for seat, fault in replay(game.record).expelled:
                if game.record.names[seat - 1] in steady:
                    raise Violation(f"{game.record.names[seat - 1]} is expelled: {fault.text}")


_FAILED: Final = Reason.SERVER_ERROR.value


def _is_the_end(message: Json, dialect: str) -> bool:
    """Whether this message tells how the game ended."""
    if isinstance(message, dict):
        return message.get("type") == "over"
    return dialect == "hello" and isinstance(message, list) and not isinstance(message[0], str)


def _known_by(name: str) -> str:
    """Whoever has no name is called by the seat; there is only one of those."""
    return NAMELESS if name.startswith("player ") else name


def misplayed(record: Record, seed: str) -> str | None:
    """The first reply in this record that is not what its player always answers to that request, if there is one."""
    game = new_game(record.names, record.deck, record.watering_hole)
    number = next(note["game"] for note in record.notes if "game" in note)
    assert isinstance(number, int)
    agents: dict[int, Agent] = {}
    for seat, name in enumerate(record.names, 1):
        house = " of the house " in name
        agents[seat] = named(name.partition(" ")[0], agent_seed(seed, number, seat)) if house else agent_of(name)
    instead = {note["seat"]: note["after reply"] for note in reversed(record.notes) if PLAYED_BY in note}
    turn = 0
    questions: dict[int, Choose] = {}
    plans: dict[int, object] = {}
    for step, (seat, reply) in enumerate(record.replies):
        if game.phase == "choose" and game.turn != turn:
            turn = game.turn
            questions = {question.me.seat: question for question in choices(game)}
            plans = {chooser: ask(agents[chooser], question) for chooser, question in questions.items()}
        if not isinstance(reply, Fault):
            stands_in = seat in instead and step >= int(str(instead[seat]))
            if game.phase == "choose":
                answered = ask(named(STAND_IN, ""), questions[seat]) if stands_in else plans[seat]
            else:
                own = ask(agents[seat], request(game, seat))
                answered = ask(named(STAND_IN, ""), request(game, seat)) if stands_in else own
            if answered != reply:
                return f"reply {step} of seat {seat} is {reply}, but it always answers {answered}"
        answer(game, seat, reply)
    return None
