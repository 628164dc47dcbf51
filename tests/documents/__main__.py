"""Write the generated parts of the documents, and the rule book for the browser, anew."""

from tests.documents import PAGE, SCHEMA, page, schema_text
from tests.documents.catalogues import CATALOGUES, in_order
from tests.documents.learning import LEARNING, learning_page
from tests.documents.page_types import MESSAGE_TYPES, PAGE_SCHEMA, message_types, page_schema_text
from tests.documents.rulebook import (
    RULEBOOK,
    RULES_CONTENTS,
    RULES_TEXT,
    rulebook_text,
    rules_contents,
    rules_text,
)

PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
SCHEMA.write_text(schema_text(), encoding="utf-8")
RULES_TEXT.write_text(rules_text(), encoding="utf-8")
RULES_CONTENTS.write_text(rules_contents(), encoding="utf-8")
RULEBOOK.write_text(rulebook_text(), encoding="utf-8")
PAGE_SCHEMA.write_text(page_schema_text(), encoding="utf-8")
MESSAGE_TYPES.write_text(message_types(), encoding="utf-8")
for catalogue in CATALOGUES.values():
    catalogue.write_text(in_order(catalogue.read_text(encoding="utf-8")), encoding="utf-8")
LEARNING.write_text(learning_page(LEARNING.read_text(encoding="utf-8")), encoding="utf-8")
