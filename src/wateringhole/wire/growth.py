"""The two spellings of growth in an Action4: tagged, `["population", 0, 1]`, and bare, `[0, 1]`.

Laws: both are read everywhere; this is for programs that read or print only one. What is no Action4 stays as it is.
"""

from typing import Literal, TypeAlias

from wateringhole.wire.framing import Json
from wateringhole.wire.json_codec import ShapeError, action4_in, action4_out

Spelling: TypeAlias = Literal["tagged", "bare"]


def spelt_input(harness: str, value: Json, growth: Spelling | None) -> Json:
    """The same input of this harness with growth in this spelling; None leaves it as it is."""
    match harness, value:
        case "xstep4", [configuration, list() as plays] if growth is not None:
            return [configuration, [_spelt(play, growth) for play in plays]]
    return value


def spelt_output(harness: str, value: Json, growth: Spelling | None) -> Json:
    """The same output of this harness with growth in this spelling; None leaves it as it is."""
    return _spelt(value, growth) if harness == "xsilly" and growth is not None else value


def _spelt(play: Json, growth: Spelling) -> Json:
    try:
        return action4_out(action4_in(play), tagged=growth == "tagged")
    except ShapeError:
        return play
