"""Mistakes in the rules, one line each, that a suite must find: the rule, the module, a text of it, what it becomes.

A mutant is made by compiling the module's changed source and giving the functions that run their new code. So all that
has imported them runs the mutant, and nothing is imported anew.
"""

import importlib.util
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, ModuleType

Mutant = tuple[str, str, str, str]

FERTILE_FIRST = (
    "    if on_the_table & FERTILE:\n        fertile(game)\n    if on_the_table & LONG_NECK:\n        long_neck(game)\n"
)
LONG_NECK_FIRST = "    long_neck(game)\n    fertile(game)\n"
LONG_NECK_THEN_FAT = "        long_neck(game)\n    if on_the_table & FAT_TISSUE:\n        fat_tissue(game)\n"
FAT_THEN_LONG_NECK = "        pass\n    fat_tissue(game)\n    long_neck(game)\n"

MUTANTS: list[Mutant] = [
    ("game.deck", "agents.silly", "cards.sort()", "cards.sort(reverse=True)"),
    ("cardplay.cards", "rules.cardplay", "card >= held or", "card > held or"),
    ("cardplay.once", "rules.cardplay", "or used >> card & 1 else", "or False else"),
    ("cardplay.once", "rules.cardplay", "used = _with(new.pay, used, held)", "used |= 1 << new.pay"),
    (
        "cardplay.boards",
        "rules.cardplay",
        "if swap.board >= len(boards):",
        "if swap.board >= len(boards) - len(play.boards):",
    ),
    (
        "cardplay.population",
        "rules.cardplay",
        "draft.population > MAX_POPULATION",
        "draft.population >= MAX_POPULATION",
    ),
    ("cardplay.population", "rules.cardplay", "draft.population > MAX_POPULATION", "draft.population > 8"),
    ("cardplay.population", "rules.cardplay", "_Draft(1, 0, 0, 0, traits, mask)", "_Draft(2, 0, 0, 0, traits, mask)"),
    ("cardplay.body", "rules.cardplay", "draft.body > MAX_BODY", "draft.body >= MAX_BODY"),
    ("cardplay.body", "rules.cardplay", "draft.body > MAX_BODY", "draft.body > 8"),
    ("cardplay.new-traits", "rules.cardplay", "if mask & bit:", "if False:"),
    ("cardplay.slots", "rules.cardplay", "swap.slot >= len(draft.traits)", "swap.slot > len(draft.traits)"),
    ("cardplay.traits", "rules.cardplay", "if draft.mask & ~replaced & card.bit:", "if draft.mask & card.bit:"),
    ("cardplay.traits", "rules.cardplay", "if draft.mask & ~replaced & card.bit:", "if False:"),
    ("cardplay.execution", "rules.cardplay", "if replaced == FAT_TISSUE:", "if False:"),
    (
        "cardplay.execution",
        "rules.cardplay",
        "if replaced == FAT_TISSUE:",
        "if replaced == FAT_TISSUE and card.trait != 'fat-tissue':",
    ),
    ("cardplay.execution", "rules.cardplay", "if not used >> number & 1])", "if not used >> number & 1][::-1])"),
    ("cardplay.execution", "rules.cardplay", "boards.append(_Draft(", "boards.insert(0, _Draft("),
    (
        "cardplay.food",
        "rules.cardplay",
        "max(0, game.watering_hole + planned.food.food)",
        "game.watering_hole + planned.food.food",
    ),
    (
        "cardplay.food",
        "rules.cardplay",
        "max(0, game.watering_hole + planned.food.food)",
        "max(0, game.watering_hole + abs(planned.food.food))",
    ),
    ("reveal.fertile", "rules.turn", "board.population < MAX_POPULATION", "board.population < 8"),
    ("reveal.fertile", "rules.turn", "board.with_population(board.population + 1)", "board.having_eaten(0)"),
    (
        "reveal.long-neck",
        "rules.turn",
        "if board.mask & LONG_NECK:",
        "if board.mask & LONG_NECK and not board.mask & 4:",
    ),
    ("reveal.long-neck", "rules.turn", "if on_the_table & LONG_NECK:", "if on_the_table & FERTILE:"),
    (
        "reveal.fat-tissue",
        "species",
        "tokens = min(self.fat_food, self.population - self.food)",
        "tokens = self.fat_food",
    ),
    ("reveal.fat-tissue", "rules.turn", "moved = board.having_moved_fat()", "moved = board"),
    ("attack.carnivore", "rules.attack", "return Trait.CARNIVORE", "return None"),
    ("attack.warning-call", "rules.attack", "beside |= right.mask\n    if not", "pass\n    if not"),
    ("attack.warning-call", "rules.attack", "beside = 0 if left is None else left.mask", "beside = 0"),
    (
        "attack.warning-call",
        "rules.attack",
        "beside = 0 if left is None else left.mask",
        "beside = defender.mask if left is None else left.mask | defender.mask",
    ),
    ("attack.warning-call", "traits", "return not attacker.mask & AMBUSH", "return True"),
    ("attack.burrowing", "traits", "return defender.food == defender.population", "return defender.food > 0"),
    ("attack.climbing", "traits", "return not attacker.mask & CLIMBING", "return True"),
    ("attack.hard-shell", "traits", "HARD_SHELL_MARGIN: Final = 4", "HARD_SHELL_MARGIN: Final = 3"),
    ("attack.hard-shell", "traits", "strength(attacker) < defender", "strength(attacker) <= defender"),
    ("attack.hard-shell", "traits", "return attacker.body + attacker.population if", "return attacker.body if"),
    ("attack.hard-shell", "traits", "if attacker.mask & PACK_HUNTING else attacker.body", ""),
    (
        "attack.herding",
        "traits",
        "attacker.population <= defender.population",
        "attacker.population < defender.population",
    ),
    ("attack.symbiosis", "traits", "right.body > defender.body", "right.body >= defender.body"),
    ("attack.symbiosis", "traits", "right.body > defender.body", "right.population > defender.population"),
    ("attack.course", "rules.feeding", "    scavenge(game, player)\n", "    pass\n"),
    (
        "attack.course",
        "rules.feeding",
        "    meal(game, player, move.board, rulebook.ATTACK)\n    scavenge(game, player)",
        "    scavenge(game, player)\n    meal(game, player, move.board, rulebook.ATTACK)",
    ),
    ("attack.horns", "rules.feeding", "if horned and not kill(", "if False and not kill("),
    (
        "attack.horns",
        "rules.feeding",
        "if horned and not kill(game, player, move.board, rulebook.HORNS):\n        return",
        "if horned and not kill(game, player, move.board, rulebook.HORNS):\n        return scavenge(game, player)",
    ),
    ("meal.tokens", "rules.feeding", "if tokens > board.population - board.food:", "if False:"),
    ("meal.tokens", "rules.feeding", "if tokens > game.watering_hole:", "if False:"),
    ("meal.foraging", "rules.feeding", "tokens = 2 if board.mask & FORAGING else 1", "tokens = 1"),
    (
        "meal.foraging",
        "rules.feeding",
        "2 if board.mask & FORAGING",
        "2 if board.mask & FORAGING and rule != rulebook.SCAVENGER",
    ),
    ("meal.cooperation", "rules.feeding", "due += [at + 1] * tokens", "due += [at + 1] * min(tokens, 1)"),
    ("meal.cooperation", "rules.feeding", "due += [at + 1] * tokens", "eat(game, player, at + 1, rule)"),
    ("meal.cooperation", "rules.feeding", "due += [at + 1] * tokens", "due += [at + 1]"),
    (
        "meal.scavenger",
        "rules.feeding",
        "for player in [attacker, *game.others(attacker.seat)]:",
        "for player in game.row:",
    ),
    (
        "meal.scavenger",
        "rules.feeding",
        "for player in [attacker, *game.others(attacker.seat)]:",
        "for player in game.others(attacker.seat):",
    ),
    ("loss.animal", "species", "food = min(self.food, population)", "food = self.food"),
    ("loss.extinction", "rules.deal", "CARDS_PER_EXTINCTION: Final = 2", "CARDS_PER_EXTINCTION: Final = 1"),
    ("loss.extinction", "rules.deal", "player.hand = cards + player.hand", "player.hand = player.hand + cards"),
    ("feeding.queue", "rules.feeding", "game.queue.append(game.queue.pop(0))", "pass"),
    (
        "feeding.options",
        "agents.silly",
        "if board.food < population:\n            if not mask",
        "if True:\n            if not mask",
    ),
    ("feeding.automatic", "rules.feeding", "if options:\n", "if options and not hunting:\n"),
    ("feeding.graze", "agents.silly", "if not mask & CARNIVORE and", "if"),
    ("feeding.fat", "rules.feeding", "game.watering_hole -= move.tokens", "game.watering_hole -= 1"),
    (
        "feeding.fat",
        "agents.silly",
        "StoreFat(fattest, min(species[fattest].fat_need, watering_hole))",
        "StoreFat(fattest, 1)",
    ),
    ("feeding.fat", "agents.silly", "return board.fat_need > other.fat_need or", "return"),
    ("feeding.attack", "agents.silly", "key=lambda at: (species[at].population, species", "key=lambda at: (0, species"),
    ("feeding.attack", "agents.silly", "if prey is None or larger(", "if prey is None or not larger("),
    ("feeding.no-option", "rules.feeding", "        queue.pop(0)\n", "        queue.clear()\n"),
    (
        "feeding.decline",
        "agents.silly",
        "            return Attack(hunter, whose, at)\n",
        "            return Attack(hunter, whose, at)\n        break\n",
    ),
    ("cardplay.shape", "wire.json_codec", "if tag and tag != [label]:", "if False:"),
    ("cardplay.shape", "wire.json_codec", "type(value) is not int or", "not isinstance(value, int) or"),
    ("cardplay.shape", "wire.json_codec", "type(value) is not int or value < least", "type(value) is not int"),
    (
        "expulsion.removal",
        "dealer",
        "            _expel(game, player, planned)\n",
        "            ready.append(PlayOutcome(CardPlay(0), player.species, player.hand, player.hand[0]))\n",
    ),
    ("cardplay.boards", "agents.silly", "new = len(species)", "new = 0"),
    ("reveal.long-neck", "rules.turn", FERTILE_FIRST, LONG_NECK_FIRST),
    ("reveal.fat-tissue", "rules.turn", LONG_NECK_THEN_FAT, FAT_THEN_LONG_NECK),
    (
        "attack.horns",
        "rules.feeding",
        "kill(game, prey, move.target, rulebook.ANIMAL)",
        "horned or kill(game, prey, move.target, '')",
    ),
    (
        "meal.scavenger",
        "rules.feeding",
        "meal(game, player, at, rulebook.SCAVENGER)",
        "eat(game, player, at, rulebook.SCAVENGER)",
    ),
    (
        "meal.scavenger",
        "rules.feeding",
        "if board.mask & SCAVENGER:",
        "if board.mask & SCAVENGER and not board.mask & CARNIVORE:",
    ),
    ("loss.extinction", "rules.deal", "    player.lose(at)\n    compensate(game, player, at)", "    player.lose(at)"),
    ("feeding.fat", "species", "self.food, self.fat_food + tokens,", "self.food + tokens, self.fat_food,"),
    ("feeding.fat", "agents.silly", "if fattest >= 0:", "if fattest >= 0 and grazer < 0:"),
    ("feeding.graze", "agents.silly", "return board.food > other.food", "return board.food < other.food"),
    ("feeding.graze", "agents.silly", "return board.body > other.body", "return board.body < other.body"),
    ("feeding.graze", "agents.silly", "return board.body > other.body", "return board.body >= other.body"),
    ("feeding.graze", "agents.silly", "population > most or (", "population >= most or ("),
    ("feeding.attack", "agents.silly", "species[at].body), reverse=True)", "species[at].body))"),
    (
        "feeding.attack",
        "agents.silly",
        "for at, board in enumerate(species) if board.food < board.population and",
        "for at, board in enumerate(species) if",
    ),
    (
        "feeding.automatic",
        "rules.feeding",
        "                sure += 1\n        if mask & FAT",
        "                pass\n        if mask & FAT",
    ),
]


@contextmanager
def mutated(mutant: Mutant, folder: Path) -> Iterator[None]:
    """Run with this mistake in the rules; the folder is for the changed source."""
    _, name, old, new = mutant
    module = importlib.import_module(f"wateringhole.{name}")
    source = Path(inspect.getsourcefile(module) or "").read_text()
    assert source.count(old) == 1, f"{old!r} stands in {name} {source.count(old)} times"
    other = _module(module.__name__, source.replace(old, new), folder)
    functions = [(mine, theirs) for mine, theirs in _functions(module, other) if mine.__code__ != theirs.__code__]
    constants = [
        (where, key, value)
        for key, value in vars(module).items()
        if key.isupper() and isinstance(value, int) and value != getattr(other, key)
        for where in [it for label, it in list(sys.modules.items()) if label.startswith("wateringhole")]
        if getattr(where, key, None) == value
    ]
    assert functions or constants, f"{new!r} changes nothing"
    codes = [(mine, mine.__code__) for mine, _ in functions]
    try:
        for mine, theirs in functions:
            mine.__code__ = theirs.__code__
        for where, key, _ in constants:
            setattr(where, key, getattr(other, key))
        yield
    finally:
        for mine, code in codes:
            mine.__code__ = code
        for where, key, value in constants:
            setattr(where, key, value)


def _module(name: str, source: str, folder: Path) -> ModuleType:
    """A module of this source, which other modules do not see."""
    path = folder / f"mutant{len(list(folder.iterdir()))}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _functions(module: ModuleType, other: ModuleType) -> Iterator[tuple[FunctionType, FunctionType]]:
    """The functions and methods of the module, each with its namesake in the other one."""
    for key, mine in vars(module).items():
        theirs = getattr(other, key, None)
        if isinstance(mine, FunctionType) and isinstance(theirs, FunctionType):
            if mine.__module__ == module.__name__:
                yield mine, theirs
        elif isinstance(mine, type) and isinstance(theirs, type) and mine.__module__ == module.__name__:
            for name, method in vars(mine).items():
                namesake = vars(theirs).get(name)
                if isinstance(method, FunctionType) and isinstance(namesake, FunctionType):
                    yield method, namesake
