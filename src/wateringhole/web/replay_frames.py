"""A game as a sequence of frames, for the replay in the browser.

Laws: everything is read off the engine's own state after each reply, no rule is worked out here. All values are plain
JSON in the shapes of static/shared/types.js. A replay shows every hand and every bag: it is for games that are over.
"""

from collections import Counter
from collections.abc import Sequence

from wateringhole import rulebook
from wateringhole.cards import Card
from wateringhole.dealer import pending
from wateringhole.events import Event, Expelled, GameOver, TurnEnded, TurnStarted, sentence
from wateringhole.fair import objection, sealed, seed
from wateringhole.fault import Fault
from wateringhole.game import Game
from wateringhole.move_json import written
from wateringhole.moves import Reply
from wateringhole.player import Player
from wateringhole.record import Record, replay, walk
from wateringhole.rules.turn import ranking
from wateringhole.species import Species
from wateringhole.wire.framing import Json


def replay_of(record: Record, game: str) -> dict[str, Json]:
    """The whole game under this id: frame 0 is its start, frame i what reply i made of it."""
    state = replay(record, steps=0, listen=True)
    film = _Film(state)
    whys = {(note["seat"], note["reply"]): note["why"] for note in record.notes if "why" in note}
    answered: Counter[int] = Counter()
    for seat, reply in record.replies:
        for moment in walk(state, [(seat, reply)]):
            if moment.phase in {"fed", "turn over"}:
                film.stop()
        answered[seat] += 1
        film.shoot({"seat": seat, "move": reply_value(reply), "why": whys.get((seat, answered[seat]), "")})
    return {
        "id": game,
        "names": list(record.names),
        "ranking": standings(state),
        "turns": turn_ends(record),
        "frames": film.frames,
        "fair": fairness(record),
    }


def fairness(record: Record) -> dict[str, Json]:
    """What was shown of the deck's seed before and after the game, and what is wrong with it, if anything is."""
    return {"sealed": sealed(record), "seed": seed(record), "objection": objection(record)}


class _Film:
    """The frames of a game that the caller moves on; it begins with the state as it is.

    A reply that ends a turn leads on to the next one at once. So that the end can be seen as well, its frame has the
    stops on the way: when all have fed, and when the turn is over.
    """

    def __init__(self, game: Game) -> None:
        self.frames: list[Json] = []
        self._game = game
        self._last: dict[int, Player] = {}
        self._lines: list[Json] = []
        self._stops: list[Json] = []
        self.shoot(None)

    def shoot(self, reply: Json) -> None:
        """One more frame: the state now."""
        picture = self._picture()
        lines, stops = self._lines, self._stops
        self.frames.append(picture | {"lines": lines, "stops": stops, "reply": reply})
        self._last = {player.seat: player.clone() for player in self._game.row}
        self._lines, self._stops = [], []

    def stop(self) -> None:
        """The state now as a stop on the way to the next frame, with the number of lines told by then."""
        picture = self._picture()
        self._stops.append(picture | {"told": len(self._lines)})

    def _picture(self) -> dict[str, Json]:
        """The state now; of the players those who are not as they were in the last frame."""
        game = self._game
        self._lines += lines_of(game.hear(), game.names)
        changed = [player for player in game.row if player != self._last.get(player.seat)]
        return {
            "turn": game.turn,
            "phase": game.phase,
            "watering_hole": game.watering_hole,
            "deck": game.cards_left,
            "order": list(game.players),
            "asked": list(pending(game)),
            "players": [player_value(player, game.name(player.seat)) for player in changed],
        }


def lines_of(events: Sequence[Event], names: Sequence[str]) -> list[Json]:
    """What happened, in words, each with the rule it happened by."""
    return [_line(event, names) for event in events]


def standings(game: Game) -> list[Json]:
    """The ranking with the parts of each score; who was expelled has nothing left to count."""
    rows: list[Json] = []
    for row in ranking(game):
        player = game.players.get(row.seat)
        parts = {"bag": 0, "population": 0, "traits": 0} if player is None else _parts(player)
        standing: dict[str, Json] = {"seat": row.seat, "name": row.name, "rank": row.rank, "score": row.score}
        rows.append(standing | parts | {"fault": None if row.fault is None else _fault(row.fault)})
    return rows


def holdings(game: Game) -> list[Json]:
    """What each player at the table would score now, in its parts, by seat."""
    return [{"seat": seat} | _parts(game.players[seat]) for seat in sorted(game.players)]


def turn_ends(record: Record) -> list[Json]:
    """What each player had at the end of each turn."""
    return [turn_end(game) for game in walk(replay(record, steps=0), record.replies) if game.phase == "turn over"]


def turn_end(game: Game) -> dict[str, Json]:
    """What each player has at the end of this turn."""
    return {"turn": game.turn, "players": holdings(game)}


def player_value(player: Player, name: str) -> dict[str, Json]:
    """A player with everything that lies before it, also what the others may not see."""
    return {
        "seat": player.seat,
        "name": name,
        "boards": boards_value(player.species),
        "cards": len(player.hand),
        "hand": hand_value(player.hand),
        "bag": player.bag,
    }


def boards_value(species: Sequence[Species]) -> list[Json]:
    """These boards from left to right."""
    return [
        {
            "population": board.population,
            "body": board.body,
            "food": board.food,
            "fat_food": board.fat_food,
            "traits": [trait.value for trait in board.traits],
        }
        for board in species
    ]


def hand_value(hand: Sequence[Card]) -> list[Json]:
    """These cards in their order."""
    return [[card.food, card.trait.value] for card in hand]


def reply_value(reply: Reply) -> dict[str, Json]:
    """A move as JSON, or the fault that came in its place."""
    if isinstance(reply, Fault):
        return {"type": "fault"} | _fault(reply)
    return written(reply)


def _line(event: Event, names: Sequence[str]) -> dict[str, Json]:
    rule = _rule(event)
    return {
        "text": sentence(event, lambda seat: names[seat - 1]),
        "rule": rule,
        "kind": type(event).__name__,
        "seat": None if isinstance(event, TurnStarted | TurnEnded | GameOver) else event.seat,
        "automatic": rule == rulebook.AUTOMATIC,
    }


def _rule(event: Event) -> str:
    match event:
        case TurnStarted():
            return rulebook.ORDER  # it announces the order of the turn
        case Expelled():
            return event.fault.rule
        case _:
            return event.rule


def _parts(player: Player) -> dict[str, Json]:
    """What a score is made of: the three add up to the player's score."""
    return {
        "bag": player.bag,
        "population": sum(board.population for board in player.boards),
        "traits": sum(len(board.traits) for board in player.boards),
    }


def _fault(fault: Fault) -> dict[str, Json]:
    return {"reason": fault.reason.value, "text": fault.text, "rule": fault.rule}
