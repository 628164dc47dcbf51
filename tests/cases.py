"""Tables of cases: a loop in one test, which names the row that failed.

Collecting and reporting a test costs more than most rows take, and every worker collects all tests.
"""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def case(*values: object) -> Iterator[None]:
    """The row of a table with these values: whatever fails inside is reported with them."""
    try:
        yield
    except BaseException as error:  # pytest's own outcomes, such as a time limit, are no Exceptions
        error.add_note(f"failing row: {', '.join(f'{value!r:.200}' for value in values)}")
        raise
