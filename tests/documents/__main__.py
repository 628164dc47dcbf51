"""Write the generated parts of the documents anew."""

from tests.documents import PAGE, SCHEMA, page, schema_text

PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
SCHEMA.write_text(schema_text(), encoding="utf-8")
