"""CSV tables that are safe to open in a spreadsheet.

Laws: every CSV of ours is written here. Names and titles come from outside: text that a spreadsheet would take for a
formula gets an apostrophe, which spreadsheets take for "this is text". Numbers stay numbers.
"""

import csv
from collections.abc import Iterable
from datetime import datetime
from typing import Final, TextIO

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\n")


def write_csv(file: TextIO, rows: Iterable[Iterable[object]]) -> None:
    """Write these rows, the first of which has the names of the columns."""
    writer = csv.writer(file, lineterminator="\n")
    for row in rows:
        writer.writerow([_cell(value) for value in row])


def _cell(value: object) -> object:
    """A value that a spreadsheet takes for nothing but itself."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M:%SZ}"
    if not isinstance(value, str):
        return value
    text = value.replace("\r", "\n")  # which csv puts into quotes; a lone CR, which it does not, would end the row
    return f"'{text}" if text.startswith(FORMULAS) else text
