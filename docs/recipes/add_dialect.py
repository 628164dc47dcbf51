"""Adds a dialect to a copy of the source: `brief`, the shapes of s16 under one-letter tags.

    python docs/recipes/add_dialect.py PATH/TO/THE/COPY/OF/src/wateringhole

A dialect is one module with both ends, and a row in wire/dialects.py with its import. A server recognises its clients
by their sign-up, ["brief", NAME].
"""

import sys
from pathlib import Path

MODULE = '''\
"""The dialect `brief`: the shapes of s16 under one-letter tags."""

from wateringhole.fault import shown
from wateringhole.view import Choose, Feed, Start
from wateringhole.wire.client_end import ClientEnd, own_in, rows_in
from wateringhole.wire.dialect import Ask, Dialect, Talk
from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import (
    ShapeError,
    action4_in,
    boards_out,
    cards_out,
    feeding_in,
    items,
    natural,
    rows_out,
)
from wateringhole.wire.names import cleaned


class Brief(Dialect):
    name = "brief"

    @classmethod
    def recognises(cls, value: Json, bound: bool) -> bool:
        return isinstance(value, list) and len(value) == 2 and value[0] == "brief" and isinstance(value[1], str)

    @classmethod
    def name_in(cls, value: Json) -> str:
        return cleaned(str(items(value, "a sign-up")[1]))

    def welcome(self, seat: int) -> list[Json]:
        return [["w", seat]]

    def start(self, request: Start) -> list[Json]:
        me = request.me
        return [["s", request.watering_hole, me.bag, boards_out(me.species), cards_out(me.hand)]]

    def choose(self, request: Choose) -> Talk:
        answer = yield Ask(["c", rows_out(request.before), rows_out(request.after)])
        return action4_in(answer)

    def feed(self, request: Feed) -> Talk:
        me = request.me
        state: list[Json] = [me.bag, boards_out(me.species), cards_out(me.hand)]
        answer = yield Ask(["f", *state, request.watering_hole, rows_out(request.others)], most=len(me.species) - 1)
        return feeding_in(answer, [other.seat for other in request.others])


class BriefClient(ClientEnd):
    def sign_up(self, name: str) -> Json:
        return ["brief", name]

    def hear(self, value: Json) -> list[Json]:
        match items(value, "a message"):
            case ["w", seat]:
                self.seat = natural(seat, "the seat")
                return []
            case ["s", watering_hole, bag, boards, hand]:
                return self._start(own_in(bag, boards, hand), natural(watering_hole, "the watering hole"))
            case ["c", before, after]:
                return [self._choose(self._at_start(), before, after)]
            case ["f", bag, boards, hand, watering_hole, others]:
                return [self._feed(own_in(bag, boards, hand), watering_hole, rows_in(others))]
        raise ShapeError(f"a message is {shown(value)}, not a welcome, start, choose or feed")
'''
LINES = {
    "# Recipe: the import of a new dialect goes here.\n": "from wateringhole.wire.brief import Brief, BriefClient\n",
    "    # Recipe: its row goes here.\n": "    (Brief, BriefClient),\n",
}


def main(package: Path) -> None:
    """Make the module, and put the lines before their marks."""
    (package / "wire" / "brief.py").write_text(MODULE)
    path = package / "wire" / "dialects.py"
    text = path.read_text()
    for mark, lines in LINES.items():
        if text.count(mark) != 1:
            sys.exit(f"{path}: the mark {mark.strip()!r} is there {text.count(mark)} times, not once")
        text = text.replace(mark, lines + mark)
    path.write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
