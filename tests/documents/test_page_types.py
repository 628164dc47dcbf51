"""docs/page.schema.json and static/shared/messages.js are those of web/page_messages.py and web/tab_messages.py."""

from typing import Final

from tests.documents import COMMAND
from tests.documents.page_types import MESSAGE_TYPES, PAGE_SCHEMA, message_types, page_schema_text

ADVICE: Final = f"If this is meant to have changed, write it anew with `{COMMAND}` and read the diff."


def test_the_schema_of_the_page_is_that_of_its_messages() -> None:
    assert PAGE_SCHEMA.read_text(encoding="utf-8") == page_schema_text(), ADVICE


def test_the_javascript_types_of_the_page_are_those_of_its_messages() -> None:
    assert MESSAGE_TYPES.read_text(encoding="utf-8") == message_types(), ADVICE
