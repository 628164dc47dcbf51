"""Each rule that can refuse a move has a sentence for players."""

import ast
from pathlib import Path
from typing import Final

import wateringhole
from wateringhole import rulebook
from wateringhole.traits import DEFENCES
from wateringhole.web.page_text import catalogue

SOURCE: Final = Path(wateringhole.__file__).parent
REFUSING: Final = ("rules/cardplay.py", "rules/feeding.py", "rules/attack.py", "web/card_plan.py", "moves.py")
"""The modules that know why a move must not be made."""
EVENTS: Final = frozenset(
    {rulebook.ANIMAL, rulebook.ATTACK, rulebook.AUTOMATIC, rulebook.COOPERATION, rulebook.HORNS, rulebook.SCAVENGER}
)
"""Rules that these modules cite only for what happens."""


def cited(path: Path) -> set[str]:
    """The rules that a module names."""
    names = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Attribute))
    return {
        str(getattr(rulebook, node.attr))
        for node in names
        if isinstance(node.value, ast.Name) and node.value.id == "rulebook"
    }


def test_every_rule_that_refuses_has_a_sentence() -> None:
    rules = {rule for module in REFUSING for rule in cited(SOURCE / module)} - EVENTS
    rules |= {defence.rule for defence in DEFENCES}
    prefix = "refusal."
    assert {key.removeprefix(prefix) for key in catalogue("en") if key.startswith(prefix)} == rules
