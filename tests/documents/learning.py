"""docs/learning.md: the tables of actions and observations, and the example."""

import re
from typing import Final

from tests.documents import DOCS
from wateringhole.env import actions, observations

LEARNING: Final = DOCS / "learning.md"
EXAMPLE: Final = DOCS.parent / "examples" / "learn.py"
PART: Final = re.compile(r"(<!-- (actions|observations|learn\.py) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def learning_page(written: str) -> str:
    """The page with its tables written anew."""
    parts = {"actions": action_table, "observations": observation_table, "learn.py": example}
    return PART.sub(lambda part: f"{part[1]}{parts[part[2]]()}{part[3]}", written)


def example() -> str:
    return f"```python\n# learn.py\n{EXAMPLE.read_text(encoding='utf-8')}```\n"


def action_table() -> str:
    lines = ["| ids | name | stage | id less the first one |", "|---|---|---|---|"]
    for row in actions.TABLE:
        stages = ", ".join(stage.name.lower() for stage in row.stages)
        lines.append(f"| {_span(row.first, row.size)} | {row.name} | {stages} | {row.counts} |")
    return "\n".join([*lines, f"\nThere are {actions.ACTIONS} ids.\n"])


def observation_table() -> str:
    lines = ["| bytes | name | up to | meaning |", "|---|---|---|---|"]
    for row in observations.table():
        lines.append(f"| {_span(row.first, row.size)} | {row.name} | {row.most} | {row.meaning} |")
    board, boards, other = observations.BOARD_SIZE, actions.MAX_BOARDS, observations.OTHER_SIZE
    text = f"\nThe other boards of a row of {boards} follow at distances of {board}, "
    text += f"the other opponents at distances of {other}.\n"
    stages = ", ".join(f"{stage.value} {stage.name.lower()}" for stage in actions.Stage)
    return "\n".join([*lines, text, f"Stages: {stages}.\n"])


def _span(first: int, size: int) -> str:
    return str(first) if size == 1 else f"{first} to {first + size - 1}"
