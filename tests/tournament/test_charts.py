"""The charts of a report: what is drawn is where its figures are, and round numbers stand below."""

from collections.abc import Iterable
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import case
from wateringhole.tournament.interval import Mean, estimate
from wateringhole.tournament.record_stats import TraitRow
from wateringhole.tournament.report.charts import Chart, scores, strengths, traits
from wateringhole.tournament.report.figures import MINUS
from wateringhole.tournament.report.svg import MAX_STEPS, Axis, axis_for
from wateringhole.tournament.standings import StandingsRow
from wateringhole.traits import Trait

HOSTILE = "</title><script>alert(1)</script> & \"'"
NUMBERS = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


def line(name: str, strength: Mean) -> StandingsRow:
    """An entry with this strength; the chart needs nothing else of it."""
    none = Mean(0.0)
    return StandingsRow(
        1, name, "silly", "", 1, 1, strength.value, strength.low, strength.high, 0.0, none, none, none, {}
    )


def parsed(chart: Chart) -> ET.Element:
    return ET.fromstring(chart.drawing)  # noqa: S314  # it is our own


def rows(chart: Chart) -> list[ET.Element]:
    return [part for part in parsed(chart).findall("svg") if part.find("title") is not None]


def share(text: str | None) -> float:
    """A length in per cent."""
    assert text is not None
    assert text.endswith("%")
    return float(text[:-1])


def positions(parts: Iterable[ET.Element], *keys: str) -> list[float]:
    return [share(part.get(key)) for part in parts for key in keys]


def test_the_numbers_of_an_axis_are_round() -> None:
    for low, high, texts in (
        (0.0, 10.0, "0 2 4 6 8 10"),
        (990.0, 1810.0, "1000 1200 1400 1600 1800"),
        (-27.0, 18.0, f"{MINUS}20 {MINUS}10 0 10"),
        (0.0, 0.5, "0.0 0.1 0.2 0.3 0.4 0.5"),
        (-1.0, 2.0, f"{MINUS}1 0 1 2"),
        (0.01, 0.043, "0.01 0.02 0.03 0.04"),
    ):
        with case(low, high):
            assert " ".join(text for _, text in Axis(low, high).ticks) == texts


@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_every_axis_has_room_for_its_values_and_some_numbers(values: list[float]) -> None:
    axis = axis_for(values)
    assert all(0 < float(axis.at(value)) < 100 for value in values)
    ticks = axis.ticks
    assert 2 <= len(ticks) <= MAX_STEPS + 1
    assert all(axis.low <= value <= axis.high for value, _ in ticks)
    assert [float(text.replace(MINUS, "-")) for _, text in ticks] == pytest.approx([value for value, _ in ticks])


def test_a_strength_is_a_dot_and_its_interval_a_line() -> None:
    chart = strengths([line("a", estimate(1600, 1500, 1700)), line("b", Mean(1400))])
    assert chart.names == ("a", "b")
    axis = axis_for([1400, 1700])
    first, second = rows(chart)
    assert positions(first.findall("circle"), "cx") == [float(axis.at(1600))]
    assert positions(first.findall("line"), "x1", "x2") == [float(axis.at(1500)), float(axis.at(1700))]
    assert positions(second.findall("circle"), "cx") == [float(axis.at(1400))]
    assert second.findall("line") == [], "it has no interval"
    assert [row.findtext("title") for row in (first, second)] == ["a: 1600 (1500 to 1700)", "b: 1400"]
    [mark] = [part for part in parsed(chart).findall("line") if part.get("class") == "mark"]
    assert share(mark.get("x1")) == float(axis.at(1500))


def test_equal_strengths_and_no_games_have_an_axis_too() -> None:
    for chart in (strengths([line("a", Mean(1500))]), scores(["a", "b"], [[], [0, 0]]), scores(["a"], [[7]])):
        assert "nan" not in chart.drawing
        assert len(rows(chart)) == len(chart.names)


def test_the_hill_of_an_entry_is_as_high_as_its_scores_are_frequent() -> None:
    [row, _] = rows(scores(["a", "b"], [[0, 1, 1, 1, 1, 3], [4]]))
    path = row.find("svg/path")
    assert path is not None
    steps = [part.split("H") for part in path.get("d", "").split("V")[1:-1]]
    assert [float(top) for top, _ in steps] == [75.0, 0.0, 100.0, 75.0, 100.0], "from above; the most frequent fills it"
    axis = Axis(-1, 6)
    assert [float(right) for _, right in steps] == [float(axis.at(edge)) for edge in (1, 2, 3, 4, 5)]
    assert row.findtext("title") == "a: median 1, middle half 1 to 1"


def test_a_trait_has_two_dots_in_percentage_points() -> None:
    above, own = estimate(-0.25, -0.3, -0.2), estimate(0.1, 0.05, 0.15)
    [row] = rows(traits([TraitRow(Trait.HORNS, 1.0, 1, 0.5, 0.5, above, own)]))
    axis = axis_for([-30, 15])
    assert positions(row.findall("circle"), "cx") == [float(axis.at(-25)), float(axis.at(10))]
    assert row.findtext("title") == (
        f"horns: {MINUS}25.0 ({MINUS}30.0 to {MINUS}20.0) above its turn, +10.0 (+5.0 to +15.0) above its entry's mean"
    )


def test_a_name_is_text_in_a_drawing_whatever_it_is() -> None:
    for chart in (strengths([line(f"{HOSTILE}\x1b", Mean(1500))]), scores([f"{HOSTILE}\x1b"], [[1, 2]])):
        [row] = rows(chart)
        text = row.findtext("title")
        assert text is not None
        assert text.startswith(f"{HOSTILE}?: ")
        assert {part.tag for part in parsed(chart).iter()} <= {"svg", "line", "text", "title", "rect", "circle", "path"}
