"""The id of every rule: what a refusal, an event or a tooltip cites.

Laws: docs/rules.md has one heading for each id and no other; an id, once released, keeps its meaning.
"""

from typing import Final

from wateringhole.traits import DEFENCES

PLAYERS: Final = "game.players"
DECK: Final = "game.deck"
SHUFFLE: Final = "game.shuffle"
SECRECY: Final = "game.secrecy"
GAME_OVER: Final = "game.over"

START_BOARD: Final = "start.board"
START_CARDS: Final = "start.cards"

PLAY_ASKED: Final = "cardplay.asked"
PLAY_SHAPE: Final = "cardplay.shape"
PLAY_CARDS: Final = "cardplay.cards"
PLAY_ONCE: Final = "cardplay.once"
PLAY_BOARDS: Final = "cardplay.boards"
PLAY_POPULATION: Final = "cardplay.population"
PLAY_BODY: Final = "cardplay.body"
PLAY_NEW_TRAITS: Final = "cardplay.new-traits"
PLAY_SLOTS: Final = "cardplay.slots"
PLAY_TRAITS: Final = "cardplay.traits"
PLAY_EXECUTION: Final = "cardplay.execution"
PLAY_FOOD: Final = "cardplay.food"

FERTILE: Final = "reveal.fertile"
LONG_NECK: Final = "reveal.long-neck"
FAT_MOVES: Final = "reveal.fat-tissue"

CARNIVORE: Final = "attack.carnivore"
# Here are those of the defences, which traits.py gives.
ATTACK: Final = "attack.course"
HORNS: Final = "attack.horns"

MEAL: Final = "meal.tokens"
FORAGING: Final = "meal.foraging"
COOPERATION: Final = "meal.cooperation"
SCAVENGER: Final = "meal.scavenger"

ANIMAL: Final = "loss.animal"
EXTINCTION: Final = "loss.extinction"

QUEUE: Final = "feeding.queue"
OPTIONS: Final = "feeding.options"
AUTOMATIC: Final = "feeding.automatic"
GRAZE: Final = "feeding.graze"
STORE_FAT: Final = "feeding.fat"
ATTACK_CHOICE: Final = "feeding.attack"
DECLINE: Final = "feeding.decline"
NO_OPTION: Final = "feeding.no-option"
LEFT_OVER: Final = "feeding.left-over"

STARVATION: Final = "end.starvation"
BAG: Final = "end.bag"
ORDER: Final = "end.order"
SCORE: Final = "end.score"
RANKING: Final = "end.ranking"

EXPULSION: Final = "expulsion.reasons"
REMOVAL: Final = "expulsion.removal"


def _all(constants: dict[str, object]) -> tuple[str, ...]:
    rules = [value for name, value in constants.items() if name.isupper() and isinstance(value, str)]
    at = rules.index(ATTACK)
    return (*rules[:at], *[defence.rule for defence in DEFENCES], *rules[at:])


ALL: Final = _all(dict(globals()))
"""Every id, in the order of the rule book."""
