"""Meals, attacks and the feeding cycle.

`feedings` is what is legal; `refusal` says why anything else is not. A player's boards and the other players are passed
as they are seen, so that the dealer asks about its game and an agent about its view with the same words.
"""

from typing import Final

from wateringhole import rulebook
from wateringhole.events import Ate, Attacked, Declined, FatStored, OutOfOptions, counted, from_zero
from wateringhole.fault import Fault, Reason
from wateringhole.game import Game
from wateringhole.moves import Attack, Decline, Feeding, Graze, StoreFat
from wateringhole.player import Other, Player
from wateringhole.rules.attack import blocked_by, why_blocked
from wateringhole.rules.deal import kill
from wateringhole.species import Species
from wateringhole.traits import CARNIVORE, COOPERATION, FAT_TISSUE, FORAGING, HORNS, SCAVENGER

MAX_OPTIONS: Final = 1 << 60
"""More than there can be."""


def feedings(
    species: tuple[Species, ...], watering_hole: int, others: tuple[Other, ...], enough: int = MAX_OPTIONS
) -> list[Feeding]:
    """Every option but to decline, board by board: fat to the max, a meal, attacks in the order of p.

    A caller that wants to know only whether there is one, or another, says how many are enough.
    """
    options: list[Feeding] = []
    if watering_hole == 0:
        return options
    for at, board in enumerate(species):
        if len(options) >= enough:
            break
        if board.mask & FAT_TISSUE and board.fat_food < board.body:
            options.append(StoreFat(at, min(board.fat_need, watering_hole)))
        if board.food < board.population:
            if board.mask & CARNIVORE:
                for seat, target in targets(board, others, enough):
                    options.append(Attack(at, seat, target))
            else:
                options.append(Graze(at))
    return options


def prospects(boards: list[Species]) -> tuple[int, bool]:
    """How many options need no look at the others, counted up to two, and whether hungry carnivores may have more.

    That settles most questions, and quickly.
    """
    sure = 0
    hunting = False
    for board in boards:
        mask = board.mask
        if board.food < board.population:
            if mask & CARNIVORE:
                hunting = True
            else:
                sure += 1
        if mask & FAT_TISSUE and board.fat_food < board.body:
            sure += 1
        if sure > 1:
            break
    return sure, hunting


def targets(attacker: Species, others: tuple[Other, ...], enough: int = MAX_OPTIONS) -> list[tuple[int, int]]:
    """Seat and board number of everything this carnivore may attack, or of the first few if they are enough."""
    found: list[tuple[int, int]] = []
    for other in others:
        if len(found) >= enough:
            break
        for target in targets_among(attacker, other.species):
            found.append((other.seat, target))
    return found


def targets_among(attacker: Species, boards: tuple[Species, ...]) -> list[int]:
    """The numbers of those of one player's boards that this carnivore may attack."""
    found: list[int] = []
    left = None
    for target, board in enumerate(boards):
        right = boards[target + 1] if target + 1 < len(boards) else None
        if blocked_by(attacker, board, left, right) is None:
            found.append(target)
        left = board
    return found


def refusal(move: Feeding, species: tuple[Species, ...], watering_hole: int, others: tuple[Other, ...]) -> Fault | None:
    """Why this move is illegal, or None when it may be made. Less fat than the max and declining are legal, too."""
    if type(move) is Decline:
        return None
    if move.board >= len(species):
        has = counted(len(species), "board")
        return _illegal(rulebook.OPTIONS, f"feeds {from_zero('board', move.board)} but has only {has}")
    board = species[move.board]
    if type(move) is StoreFat:
        return _fat_refusal(move, board, watering_hole)
    if board.food >= board.population:
        rule = rulebook.GRAZE if type(move) is Graze else rulebook.ATTACK_CHOICE
        fed = f"food {board.food} for population {board.population}"
        return _illegal(rule, f"feeds board {move.board}, which is sated with {fed}")
    if type(move) is Attack:
        return _attack_refusal(move, board, others)
    if board.mask & CARNIVORE:
        return _illegal(rulebook.GRAZE, f"grazes with board {move.board}, which is a carnivore")
    return None


def _fat_refusal(move: StoreFat, board: Species, watering_hole: int) -> Fault | None:
    need = board.fat_need
    if not 1 <= move.tokens <= need:
        return _illegal(
            rulebook.STORE_FAT,
            f"stores {move.tokens} on board {move.board}, which can store 1 to {need}"
            if need
            else f"stores fat on board {move.board}, which has no room for any",
        )
    if move.tokens > watering_hole:
        return _illegal(rulebook.STORE_FAT, f"stores {move.tokens} but the watering hole holds only {watering_hole}")
    return None


def _attack_refusal(move: Attack, board: Species, others: tuple[Other, ...]) -> Fault | None:
    for other in others:
        if other.seat == move.seat:
            if move.target >= len(other.species):
                has = counted(len(other.species), "board")
                text = f"attacks {from_zero('board', move.target)} of player {move.seat}, who has only {has}"
                return _illegal(rulebook.ATTACK_CHOICE, text)
            blocked = why_blocked(board, other.species, move.target)
            if blocked is None:
                return None
            rule, why = blocked
            return _illegal(
                rule, f"attacks board {move.target} of player {move.seat} with board {move.board}, but {why}"
            )
    return _illegal(rulebook.ATTACK_CHOICE, f"attacks player {move.seat}, who is not one of the others")


def _illegal(rule: str, text: str) -> Fault:
    return Fault(Reason.ILLEGAL, text, rule, "feed")


def meal(game: Game, player: Player, at: int, rule: str) -> None:
    """One meal of this board; with cooperation, as many whole meals of its right neighbour as it ate tokens."""
    if player.boards[at].mask & COOPERATION:
        cooperate(game, player, at, rule)
    else:
        eat(game, player, at, rule)


def eat(game: Game, player: Player, at: int, rule: str) -> int:
    """A token, two with foraging, as far as there is food and hunger; how many it ate."""
    board = player.boards[at]
    tokens = 2 if board.mask & FORAGING else 1
    if tokens > board.population - board.food:
        tokens = board.population - board.food
    if tokens > game.watering_hole:
        tokens = game.watering_hole
    if tokens:
        player.put(at, board.having_eaten(tokens))
        game.watering_hole -= tokens
        if game.told is not None:
            game.told.append(Ate(player.seat, at, tokens, rule))
    return tokens


def cooperate(game: Game, player: Player, at: int, rule: str) -> None:
    """The meal of a cooperating board, and what runs on to the right; a stack, because a row may be long."""
    due = [at]
    while due:
        at = due.pop()
        tokens = eat(game, player, at, rule)
        rule = rulebook.COOPERATION
        if player.boards[at].mask & COOPERATION and at + 1 < len(player.boards):
            due += [at + 1] * tokens


def scavenge(game: Game, attacker: Player) -> None:
    """After a kill every scavenger has a meal, the attacking player's first."""
    for player in [attacker, *game.others(attacker.seat)]:
        for at, board in enumerate(player.boards):
            if board.mask & SCAVENGER:
                meal(game, player, at, rulebook.SCAVENGER)


def store_fat(game: Game, player: Player, move: StoreFat, rule: str) -> None:
    """Tokens go from the watering hole to a board's fat."""
    player.put(move.board, player.boards[move.board].having_stored(move.tokens))
    game.watering_hole -= move.tokens
    if game.told is not None:
        game.told.append(FatStored(player.seat, move.board, move.tokens, rule))


def strike(game: Game, player: Player, move: Attack, rule: str) -> None:
    """The prey loses an animal; its horns take one in return; who survives that eats, and then the scavengers."""
    if game.told is not None:
        game.told.append(Attacked(player.seat, move.board, move.seat, move.target, rule))
    prey = game.players[move.seat]
    horned = prey.boards[move.target].mask & HORNS
    kill(game, prey, move.target, rulebook.ANIMAL)
    if horned and not kill(game, player, move.board, rulebook.HORNS):
        return
    meal(game, player, move.board, rulebook.ATTACK)
    scavenge(game, player)


def feed(game: Game, player: Player, move: Feeding, automatic: bool = False) -> None:
    """Carry out one feeding step of the first player in the queue, who goes to its end or, declining, leaves it."""
    game.queue.append(game.queue.pop(0))
    if type(move) is Graze:
        meal(game, player, move.board, rulebook.AUTOMATIC if automatic else rulebook.GRAZE)
    elif type(move) is StoreFat:
        store_fat(game, player, move, rulebook.AUTOMATIC if automatic else rulebook.STORE_FAT)
    elif type(move) is Attack:
        strike(game, player, move, rulebook.AUTOMATIC if automatic else rulebook.ATTACK_CHOICE)
    else:
        game.queue.pop()
        if game.told is not None:
            game.told.append(Declined(player.seat))


def next_to_ask(game: Game) -> Player | None:
    """The next player with a real choice, once those with one option or none are dealt with; None: feeding is over."""
    queue = game.queue
    while game.watering_hole and queue:
        player = game.players[queue[0]]
        sure, hunting = prospects(player.boards)
        if sure > 1:
            return player
        if sure or hunting:
            others = game.seen(player.seat) if hunting else ()
            options = feedings(player.species, game.watering_hole, others, enough=2)
            if len(options) > 1:
                return player
            if options:
                feed(game, player, options[0], automatic=True)
                continue
        queue.pop(0)
        if game.told is not None:
            game.told.append(OutOfOptions(player.seat))
    return None
