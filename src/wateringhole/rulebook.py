"""The id of every rule: what a refusal, an event or a tooltip cites.

Laws: docs/rules.md has one heading for each id and no other; an id, once released, keeps its meaning.
"""

from enum import StrEnum


class Rule(StrEnum):
    PLAYERS = "game.players"
    DECK = "game.deck"
    SHUFFLE = "game.shuffle"
    SECRECY = "game.secrecy"
    GAME_OVER = "game.over"

    START_BOARD = "start.board"
    START_CARDS = "start.cards"

    PLAY_ASKED = "cardplay.asked"
    PLAY_SHAPE = "cardplay.shape"
    PLAY_CARDS = "cardplay.cards"
    PLAY_ONCE = "cardplay.once"
    PLAY_BOARDS = "cardplay.boards"
    PLAY_POPULATION = "cardplay.population"
    PLAY_BODY = "cardplay.body"
    PLAY_NEW_TRAITS = "cardplay.new-traits"
    PLAY_SLOTS = "cardplay.slots"
    PLAY_TRAITS = "cardplay.traits"
    PLAY_EXECUTION = "cardplay.execution"
    PLAY_FOOD = "cardplay.food"

    FERTILE = "reveal.fertile"
    LONG_NECK = "reveal.long-neck"
    FAT_MOVES = "reveal.fat-tissue"

    CARNIVORE = "attack.carnivore"
    WARNING_CALL = "attack.warning-call"
    BURROWING = "attack.burrowing"
    CLIMBING = "attack.climbing"
    HARD_SHELL = "attack.hard-shell"
    HERDING = "attack.herding"
    SYMBIOSIS = "attack.symbiosis"
    ATTACK = "attack.course"
    HORNS = "attack.horns"

    MEAL = "meal.tokens"
    FORAGING = "meal.foraging"
    COOPERATION = "meal.cooperation"
    SCAVENGER = "meal.scavenger"

    ANIMAL = "loss.animal"
    EXTINCTION = "loss.extinction"

    QUEUE = "feeding.queue"
    OPTIONS = "feeding.options"
    AUTOMATIC = "feeding.automatic"
    GRAZE = "feeding.graze"
    STORE_FAT = "feeding.fat"
    ATTACK_CHOICE = "feeding.attack"
    DECLINE = "feeding.decline"
    NO_OPTION = "feeding.no-option"
    LEFT_OVER = "feeding.left-over"

    STARVATION = "end.starvation"
    BAG = "end.bag"
    ORDER = "end.order"
    SCORE = "end.score"
    RANKING = "end.ranking"

    EXPULSION = "expulsion.reasons"
    REMOVAL = "expulsion.removal"
