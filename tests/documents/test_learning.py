"""docs/learning.md is written from the tables of the source."""

from tests.documents import COMMAND
from tests.documents.learning import LEARNING, PART, learning_page


def test_the_tables_are_those_of_the_source() -> None:
    written = LEARNING.read_text(encoding="utf-8")
    assert len(PART.findall(written)) == 2
    assert learning_page(written) == written, f"If this is meant to have changed, write it anew with `{COMMAND}`."
