"""Adds a defensive trait to a copy of the source: camouflage, which hides a board from packs of one or two animals.

    python docs/recipes/add_trait.py PATH/TO/THE/COPY/OF/src/wateringhole

The marked lines in traits.py are all that a defence needs. Its drawing (web/static) and its rule (docs/rules.md, under
the heading `attack.camouflage`) come beside.
"""

import sys
from pathlib import Path

DEFENCE = '''\
class _Camouflage(Defence):
    """Fewer than three animals do not find it."""

    def stops(self, attacker: Species, defender: Species, right: Species | None) -> bool:
        return attacker.population < 3

    def words(self, attacker: Species, defender: Species, right: Species | None) -> str:
        return f"its population of {attacker.population} does not find a camouflaged prey, which takes 3"


'''
LINES = {
    "    # Recipe: a new trait goes here.\n": '    CAMOUFLAGE = "camouflage"\n',
    "# Recipe: a new defence goes here.\n": DEFENCE,
    "    # Recipe: its row goes here.\n": "    _Camouflage(Trait.CAMOUFLAGE, ((3, 1, 0), (1, 1, 0))),\n",
}


def main(package: Path) -> None:
    """Put the lines before their marks."""
    path = package / "traits.py"
    text = path.read_text()
    for mark, lines in LINES.items():
        if text.count(mark) != 1:
            sys.exit(f"{path}: the mark {mark.strip()!r} is there {text.count(mark)} times, not once")
        text = text.replace(mark, lines + mark)
    path.write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
