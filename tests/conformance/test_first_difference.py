"""The first difference between two outputs of a harness: its place, in words, and what stands there."""

import copy

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import case
from wateringhole.conformance.first_difference import first_difference, same
from wateringhole.conformance.harness import HARNESSES
from wateringhole.wire.framing import Json

BOARD: Json = [["food", 1], ["body", 2], ["population", 3], ["traits", ["fat-tissue"]]]
FAT: Json = [["food", 1], ["body", 2], ["population", 3], ["traits", ["fat-tissue"]], ["fat-food", 2]]
ANN: Json = [["id", 4], ["species", [BOARD, FAT]], ["bag", 0], ["cards", [[1, "horns"], [2, "horns"]]]]
BOB: list[Json] = [["id", 2], ["species", []], ["bag", 7]]
TABLE: Json = [[ANN, BOB], 3, [[0, "ambush"], [1, "ambush"]]]
PLAY: Json = [0, [["population", 0, 1]], [["body", 0, 2]], [[3, 4]], [[0, 0, 5]]]


def changed(value: Json, path: tuple[int, ...], *put: Json) -> Json:
    """The value with something else, or nothing, at this place."""
    made = copy.deepcopy(value)
    at = made
    for step in path[:-1]:
        assert isinstance(at, list)
        at = at[step]
    assert isinstance(at, list)
    at[path[-1] : path[-1] + 1] = put
    return made


PLACES: list[tuple[str, Json, Json, str]] = [
    ("xattack", True, False, "expected true, got false"),
    ("xfeed", 0, False, "expected 0, got false"),
    ("xfeed", 0, [0, 1, 2], "expected 0, got [0, 1, 2]"),
    ("xfeed", [0, 1, 2], [0, 2, 1], "attacked player: expected 1, got 2"),
    ("xfeed", [0, 1, 2], [0, 1, 1], "attacked board: expected 2, got 1"),
    ("xfeed", [1, 1, 2], [0, 1, 2], "attacking board: expected 1, got 0"),
    ("xfeed", [1, 2], [1, 3], "stored tokens: expected 2, got 3"),
    ("xfeed", [1, 2], [1, 2, 0], "expected [1, 2], got [1, 2, 0]"),
    ("xsilly", PLAY, changed(PLAY, (0,), 1), "food card: expected 0, got 1"),
    ("xsilly", PLAY, changed(PLAY, (0,), 0.0), "food card: expected 0, got 0.0"),
    (
        "xsilly",
        PLAY,
        changed(PLAY, (1, 0), [0, 1]),
        'population growth 0: expected ["population", 0, 1], got [0, 1]',
    ),
    ("xsilly", PLAY, changed(PLAY, (2, 0)), "number of body growths: expected 1, got 0"),
    ("xsilly", PLAY, changed(PLAY, (3, 0), [3]), "new board 0: expected [3, 4], got [3]"),
    ("xsilly", PLAY, changed(PLAY, (4,), False), "replacements: expected [[0, 0, 5]], got false"),
    ("xstep", TABLE, changed(TABLE, (1,), 2), "watering hole: expected 3, got 2"),
    ("xstep", TABLE, changed(TABLE, (2, 0)), "number of deck cards: expected 2, got 1"),
    ("xstep", TABLE, changed(TABLE, (2, 1), [1, "horns"]), 'deck card 1: expected [1, "ambush"], got [1, "horns"]'),
    ("xstep4", TABLE, changed(TABLE, (0, 1)), "ids of the players: expected [4, 2], got [4]"),
    ("xstep4", TABLE, changed(TABLE, (0,), [BOB, ANN]), "ids of the players: expected [4, 2], got [2, 4]"),
    ("xstep4", TABLE, changed(TABLE, (0, 1, 2, 1), 8), "player 2, bag: expected 7, got 8"),
    ("xstep4", TABLE, changed(TABLE, (0, 0, 1, 1, 1)), "player 4, number of boards: expected 2, got 1"),
    ("xstep4", TABLE, changed(TABLE, (0, 0, 1, 1, 1, 0, 1), 2), "player 4, board 1, food: expected 1, got 2"),
    ("xstep4", TABLE, changed(TABLE, (0, 0, 1, 1, 1, 4)), "player 4, board 1, fat-food: expected 2, got nothing"),
    ("xstep4", TABLE, changed(TABLE, (0, 0, 1, 1, 0), FAT), "player 4, board 0, fat-food: expected nothing, got 2"),
    (
        "xstep4",
        TABLE,
        changed(TABLE, (0, 0, 1, 1, 0, 3, 1), []),
        'player 4, board 0, traits: expected ["fat-tissue"], got []',
    ),
    ("xstep4", TABLE, changed(TABLE, (0, 0, 3, 1, 1)), "player 4, number of cards: expected 2, got 1"),
    ("xstep4", TABLE, changed(TABLE, (0, 0, 3, 1, 0), [0, "horns"]), "player 4, card 0: expected [1,"),
    ("xstep4", TABLE, changed(TABLE, (0, 1), [*BOB, ["cards", []]]), "player 2, cards: expected nothing, got []"),
    ("xstep4", TABLE, changed(TABLE, (0, 0, 1, 1, 0), 3), "player 4, board 0: expected [["),
    (
        "xstep4",
        TABLE,
        changed(TABLE, (0, 1), [["species", []], ["id", 2], ["bag", 7]]),
        'player 2, order of the labels: expected ["id", "species", "bag"], got ["species", "id", "bag"]',
    ),
    ("xstep4", TABLE, changed(TABLE, (0, 1), "Bob"), "player 1: expected [["),
    ("xstep4", TABLE, changed(TABLE, (0,), 5), "players: expected [[["),
    ("xstep4", TABLE, {"error": "exits with code 3"}, "expected [[["),
]


def test_a_difference_is_told_by_its_place_in_words() -> None:
    for harness, expected, got, text in PLACES:
        with case(harness, text):
            found = first_difference(harness, expected, got)
            assert found is not None
            assert str(found).startswith(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.floats(0, 2) | st.sampled_from(["id", "food", "species"]),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.sampled_from("ab"), parts, max_size=2),
)


@given(st.sampled_from([*HARNESSES]), st.sampled_from([TABLE, PLAY]), JSON, st.data())
def test_whatever_the_values_are_there_is_a_difference_unless_they_are_the_same(
    harness: str, expected: Json, put: Json, data: st.DataObject
) -> None:
    path: list[int] = []
    at = expected
    while isinstance(at, list) and at and (not path or data.draw(st.booleans())):
        path.append(data.draw(st.integers(0, len(at) - 1)))
        at = at[path[-1]]
    got = changed(expected, tuple(path), put)
    for one, other in ((expected, got), (got, expected), (got, got)):
        found = first_difference(harness, one, other)
        assert (found is None) == same(one, other)
        if found is not None:
            assert found.expected is not found.got
            str(found)
