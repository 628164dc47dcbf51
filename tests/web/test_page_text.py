"""The catalogues of the page's texts: complete, used, alike in every language."""

import json
import re
import subprocess
from collections.abc import Iterator
from typing import Final

from tests.cases import case
from tests.documents.catalogues import CATALOGUES, FOLDER, in_order
from wateringhole.web.page_text import LANGUAGES, catalogue, plural_form, preferred_language, text

ENGLISH: Final = catalogue("en")
PLURAL_FORMS: Final = {"en": {"one", "other"}, "de": {"one", "other"}, "es": {"one", "other"}, "fr": {"one", "other"}}
"""Of cardinal numbers below a million; Spanish and French know one more, for millions."""
ORDINAL: Final = "ordinal"
"""Has the forms of ordinal numbers."""
PARAMETER: Final = re.compile(r"\{(\w+)\}")
USED: Final = re.compile(
    r"""(?:\bkey=|\b(?:text|hasText|Problem)\((?:\s*[\w()]+,)?\s*)(?:["']([\w.-]+)["']|(?:f"|`)([\w.-]+\.)\$?\{)"""
)
"""A key in JavaScript, Python or a template; of a key made of parts, its beginning."""
SOURCES: Final = [*FOLDER.parents[1].rglob("*.js"), *FOLDER.parents[1].rglob("*.html"), *FOLDER.parents[1].glob("*.py")]


def forms(entry: str | dict[str, str]) -> dict[str, str]:
    return {"other": entry} if isinstance(entry, str) else entry


def used() -> Iterator[tuple[str, str]]:
    """The keys and the beginnings of keys that sources name."""
    for path in SOURCES:
        yield from USED.findall(path.read_text(encoding="utf-8"))


def test_every_language_has_the_same_keys_and_parameters() -> None:
    for language in LANGUAGES:
        with case(language):
            texts = catalogue(language)
            assert texts.keys() == ENGLISH.keys()
            for key, entry in texts.items():
                wanted = set(PARAMETER.findall(forms(ENGLISH[key])["other"]))
                assert {*PARAMETER.findall(forms(entry)["other"])} == wanted, key
                for form in forms(entry).values():
                    assert form.strip(), key
                    assert {*PARAMETER.findall(form)} <= wanted, key


def test_a_text_with_plural_forms_has_those_of_its_language() -> None:
    for language in LANGUAGES:
        for key, entry in catalogue(language).items():
            if key != ORDINAL and not isinstance(entry, str):
                with case(f"{language} {key}"):
                    assert entry.keys() == PLURAL_FORMS[language]


def test_the_server_and_the_browser_choose_the_same_plural_form() -> None:
    counts = [*range(1_000), 10_000, 999_999]
    chosen = "([languages, counts]) => languages.map((one) => counts.map((n) => new Intl.PluralRules(one).select(n)))"
    given = json.dumps([[*LANGUAGES], counts])
    script = f"console.log(JSON.stringify(({chosen})({given})))"
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    for language, found in zip(LANGUAGES, json.loads(done.stdout), strict=True):
        with case(language):
            assert [plural_form(language, count) for count in counts] == found
            assert {*found} == PLURAL_FORMS[language]


def test_no_key_is_missing_and_none_is_unused() -> None:
    keys = {key for key, _ in used() if key}
    beginnings = tuple(beginning for _, beginning in used() if beginning)
    assert not keys - ENGLISH.keys()
    assert not {beginning for beginning in beginnings if not any(key.startswith(beginning) for key in ENGLISH)}
    assert not {key for key in ENGLISH if key not in {*keys, ORDINAL} and not key.startswith(beginnings or " ")}


def test_a_catalogue_is_in_order() -> None:
    for language, path in CATALOGUES.items():
        with case(language):
            written = path.read_text(encoding="utf-8")
            assert written == in_order(written), "run: python -m tests.documents"


def test_a_visitor_gets_the_chosen_language_or_the_first_known_of_the_browser() -> None:
    for chosen, accepted, wanted in [
        (None, "", "en"),
        (None, "de-CH,de;q=0.9,en;q=0.8", "de"),
        (None, "it, fr;q=0.2, es;q=0.7", "es"),
        (None, "de;q=0, fr", "fr"),
        (None, "fr;q=x, *;q=0.5", "en"),
        (None, ";;q=,,\x00" * 999, "en"),
        (None, "FR-ca", "fr"),
        ("fr", "de", "fr"),
        ("xx", "de", "de"),
        ("../../etc", "", "en"),
    ]:
        with case(f"{chosen} {accepted[:40]}"):
            assert preferred_language(chosen, accepted) == wanted


def test_the_server_has_the_same_texts_as_the_page() -> None:
    assert text("en", "tokens", count=1) == "1 token"
    assert text("fr", "tokens", count=0) == "0 jeton"
    assert text("de", "tokens", count=2) == "2 Futtermarken"
