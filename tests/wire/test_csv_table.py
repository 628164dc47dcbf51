"""CSV for spreadsheets: text stays text, numbers stay numbers."""

import io
from datetime import UTC, datetime

from tests.cases import case
from wateringhole.wire.csv_table import write_csv

CELLS: list[tuple[object, str]] = [
    ("Ann", "Ann"),
    ("=1+1", "'=1+1"),
    ("+1", "'+1"),
    ("-1", "'-1"),
    ("@SUM(1)", "'@SUM(1)"),
    ("\t=1", "'\t=1"),
    ("\r=1", '"\'\n=1"'),
    ("Ann\r=1", '"Ann\n=1"'),
    ("\n=1", '"\'\n=1"'),
    ("a=1", "a=1"),
    ('=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'),
    (-1, "-1"),
    (-0.5, "-0.5"),
    (None, ""),
    (datetime(2026, 11, 16, 18, 30, tzinfo=UTC), "2026-11-16T18:30:00Z"),
]


def test_no_cell_is_a_formula_and_numbers_are_numbers() -> None:
    for value, cell in CELLS:
        with case(value):
            text = io.StringIO()
            write_csv(text, [["first", value]])
            assert text.getvalue() == f"first,{cell}\n"
