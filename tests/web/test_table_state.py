"""A page that applies events has the same table as one that gets a snapshot: whole games, applied by node."""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, get_args

from tests.times import TIMES
from wateringhole import rulebook
from wateringhole.agents import Agent
from wateringhole.agents.greedy import Greedy
from wateringhole.agents.rash import Rash
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.dealer import answer, new_game, pending
from wateringhole.events import Event
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import CardPlay, Decline, Feeding, Growth, NewBoard, Replacement, Reply, StoreFat
from wateringhole.table import ask
from wateringhole.traits import Trait
from wateringhole.view import Choose, Feed, request
from wateringhole.web.page_messages import encoded
from wateringhole.web.room_messages import events_told, own_hand, snapshot
from wateringhole.wire.framing import Json

SCRIPT: Final = Path(__file__).with_name("table_state.mjs")
GAMES_OF_EACH_SIZE: Final = 40 * TIMES
SIZES: Final = range(3, 9)


def test_events_lead_to_the_state_of_a_snapshot_with_the_same_letters() -> None:
    told: Counter[str] = Counter()
    lines, steps = [], 0
    for size in SIZES:
        for number in range(GAMES_OF_EACH_SIZE):
            game = game_messages(size, Random(f"{size}:{number}"), told)
            lines.append(json.dumps(game))
            steps += len(game["steps"]) if isinstance(game["steps"], list) else 0
    node = subprocess.run(["node", SCRIPT], input="\n".join(lines), capture_output=True, text=True, check=False)
    assert (node.stderr, node.stdout) == ("", f"{steps}\n")
    assert told.keys() == {kind.__name__ for kind in get_args(Event)}, "all kinds of events have been applied"


class Fickle:
    """Stores fat where it can, and then replaces the fat-tissue under it."""

    def choose(self, request: Choose) -> CardPlay:
        hand = request.me.hand
        for at, board in enumerate(request.me.species):
            if board.fat_food:
                swap = Replacement(at, board.traits.index(Trait.FAT_TISSUE), 1)
                if request.why_not(play := CardPlay(0, traits=(swap,))) is None:
                    return play
        fat = next((card for card, held in enumerate(hand) if held.trait == Trait.FAT_TISSUE), None)
        if fat is None or len(hand) < 4:
            return Silly().choose(request)
        food, pay, body = [card for card in range(len(hand)) if card != fat][:3]
        return CardPlay(food, (), (Growth(len(request.me.species), body),), (NewBoard(pay, (fat,)),))

    def feed(self, request: Feed) -> Feeding:
        return next((move for move in request.options if isinstance(move, StoreFat)), request.options[0])


def game_messages(size: int, random: Random, told: Counter[str]) -> dict[str, Json]:
    """A game as one tab hears it, a seat's or a spectator's: the first snapshot, and each step in both ways."""
    kinds: list[Agent] = [Silly(), Rash(random.getrandbits(32)), Greedy(), Fickle()]
    agents = random.choices(kinds, k=size)
    game = new_game([f"player <{seat}>" for seat in range(size)], shuffled(str(random.random())), listen=True)
    seat = random.choice([None, *game.players])
    own = own_hand(game, seat)
    first = json.loads(encoded(snapshot(game, own, game.hear())))
    steps: list[Json] = []
    for reply in replies(game, agents, random):
        before, events = own, answer(game, *reply)
        own = own_hand(game, seat)
        told.update(type(event).__name__ for event in events)
        if events:
            message = json.loads(encoded(events_told(events, before, own)))
            now = json.loads(encoded(snapshot(game, own, ())))
            steps.append({"told": message, "snapshot": now})
    assert game.phase == "over"
    return {"first": first, "steps": steps}


def replies(game: Game, agents: list[Agent], random: Random) -> Iterator[tuple[int, Reply]]:
    """What the agents reply until the game is over; now and then one fails, asked or not, and is expelled."""
    while asked := pending(game):
        seat = random.choice(asked)
        question = request(game, seat)
        if random.random() < 0.005:
            yield random.choice(list(game.players)), Fault(Reason.DISCONNECTED, "leaves", rulebook.EXPULSION)
        elif random.random() < 0.005 and game.phase == "choose":
            yield seat, Fault(Reason.TIMEOUT, "is silent", rulebook.EXPULSION, "start")
        elif isinstance(question, Feed) and random.random() < 0.05:
            yield seat, Decline()
        else:
            yield seat, ask(agents[seat - 1], question)
