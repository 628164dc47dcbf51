"""What test cases can cover: rules that a harness can reach, pairs of traits that one rule names, edges of rules."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct, field

from wateringhole import rulebook
from wateringhole.traits import DEFENCES, Trait

_WHOLE_GAMES: Final = "it is about whole games, and a harness plays one turn at most"
_START: Final = "a harness begins after the start of a turn"
_END: Final = "xstep4 stops before the end of the turn"

UNREACHABLE: Final[dict[str, str]] = {
    rulebook.PLAYERS: _WHOLE_GAMES,
    rulebook.SHUFFLE: _WHOLE_GAMES,
    rulebook.SECRECY: "a harness is given all that it needs, and asks no player",
    rulebook.GAME_OVER: _WHOLE_GAMES,
    rulebook.START_BOARD: _START,
    rulebook.START_CARDS: _START,
    rulebook.PLAY_ASKED: "xstep4 is given the card plays of all players at once",
    rulebook.STARVATION: _END,
    rulebook.BAG: _END,
    rulebook.ORDER: _END,
    rulebook.SCORE: _END,
    rulebook.RANKING: _END,
}
"""Rules that no input of a harness can show, and why."""

REACHABLE: Final = tuple(rule for rule in rulebook.ALL if rule not in UNREACHABLE)

TRAIT_PAIRS: Final[dict[str, tuple[Trait, tuple[Trait, ...]]]] = {
    rulebook.FERTILE: (Trait.FERTILE, (Trait.LONG_NECK, Trait.FAT_TISSUE)),
    rulebook.LONG_NECK: (Trait.LONG_NECK, (Trait.CARNIVORE, Trait.FORAGING, Trait.COOPERATION, Trait.FAT_TISSUE)),
    **{defence.rule: (defence.trait, (Trait.CARNIVORE, *defence.foiled_by)) for defence in DEFENCES},
    rulebook.ATTACK: (Trait.CARNIVORE, (Trait.HORNS, Trait.SCAVENGER)),
    rulebook.HORNS: (Trait.HORNS, (Trait.SCAVENGER,)),
    rulebook.COOPERATION: (Trait.COOPERATION, (Trait.COOPERATION, Trait.FORAGING, Trait.CARNIVORE)),
    rulebook.SCAVENGER: (Trait.SCAVENGER, (Trait.CARNIVORE,)),
    rulebook.OPTIONS: (Trait.FAT_TISSUE, (Trait.CARNIVORE,)),
    rulebook.STORE_FAT: (Trait.FAT_TISSUE, (Trait.FORAGING, Trait.COOPERATION)),
}
"""The trait that a rule is about, and those that it is about together with it."""


def pair(rule: str, other: Trait) -> str:
    """The name of a pair: a rule, its trait and another one that it names."""
    return f"{rule}: {TRAIT_PAIRS[rule][0]} + {other}"


PAIRS: Final = tuple(pair(rule, other) for rule, (_, others) in TRAIT_PAIRS.items() for other in others)


class Trace(Struct):
    """What one situation exercises.

    An edge is a way in which a rule works out or a limit that decides, a text that begins with the rule's id.
    `variety` has what makes situations differ without being of interest by itself.
    """

    rules: set[str] = field(default_factory=set)
    pairs: set[str] = field(default_factory=set)
    edges: set[str] = field(default_factory=set)
    variety: set[str] = field(default_factory=set)

    def edge(self, rule: str, words: str) -> None:
        """This rule works out in this way."""
        self.rules.add(rule)
        self.edges.add(f"{rule}: {words}")

    def pair(self, rule: str, other: Trait) -> None:
        """This rule brings its trait and another one together."""
        self.rules.add(rule)
        self.pairs.add(pair(rule, other))


class Coverage(Struct):
    """How many cases exercise each rule, each pair and each edge."""

    rules: dict[str, int]
    pairs: dict[str, int]
    edges: dict[str, int]

    @property
    def missing(self) -> list[str]:
        """The rules and pairs that a harness can reach and no case does."""
        return [name for counts in (self.rules, self.pairs) for name, cases in counts.items() if not cases]


def coverage(traces: Iterable[Trace]) -> Coverage:
    """The sum of these traces, in the order of the rule book."""
    rules, pairs = dict.fromkeys(REACHABLE, 0), dict.fromkeys(PAIRS, 0)
    edges: dict[str, int] = {}
    for trace in traces:
        for counts, found in ((rules, trace.rules), (pairs, trace.pairs), (edges, trace.edges)):
            for name in found:
                counts[name] = counts.get(name, 0) + 1
    return Coverage(rules, pairs, dict(sorted(edges.items())))
