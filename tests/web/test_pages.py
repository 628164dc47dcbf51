"""The pages as templates make them: one head, one navigation, and nothing that is given to them becomes markup."""

import json
import re
from html import unescape

import pytest
from jinja2 import UndefinedError

from tests.cases import case
from wateringhole.web.page_text import LANGUAGES, catalogue, keys_in, text, text_module
from wateringhole.web.pages import ENGLISH, HEADER, MISSING, PAGES, Preview, Site, rendered, spoken_bundle
from wateringhole.web.static_files import static_files

SITE = Site()
HTML = {name: page.data.decode() for (language, name), page in (SITE.pages | SITE.missing).items() if language == "en"}
HOSTILE = '"><script>alert(1)</script>'


def test_a_page_loads_one_script_and_one_style_sheet_under_lasting_names() -> None:
    for template, files in PAGES.items():
        if template in HTML:
            with case(template):
                html = HTML[template]
                [script] = re.findall(r'<script type="module" src="/static/(.+?)"></script>', html)
                [style] = re.findall(r'<link rel="stylesheet" href="/static/(.+?)">', html)
                assert SITE.lasting[script].data.decode() == spoken_bundle(SITE.sources, "en", files.script, HEADER)
                assert SITE.lasting[style].data == b"".join(SITE.sources[path] for path in files.styles)


def test_whatever_a_page_names_below_static_has_a_lasting_name_and_exists() -> None:
    for template, html in HTML.items():
        with case(template):
            named = re.findall(r"/static/([\w./-]+)", html)
            assert len(named) > 4
            assert set(named) <= SITE.lasting.keys()


def test_every_style_sheet_is_loaded_by_some_page() -> None:
    loaded = {path for files in PAGES.values() for path in files.styles}
    assert loaded == {path for path in static_files() if path.endswith(".css")}


def test_a_page_has_one_head_and_a_title() -> None:
    for template, html in HTML.items():
        with case(template):
            assert html.startswith("<!doctype html>\n<html lang")
            assert [html.count(tag) for tag in ("<head>", '<meta charset="utf-8">', "<body", "</html>")] == [1] * 4
            assert re.search(r"<title>([\w ]+ - )?wateringhole</title>", html)
            assert not re.search(r"\{[{%#]|[}%#]\}", html), "marks of a template"


def test_a_page_for_a_wrong_address_has_a_heading_a_sentence_and_ways_on() -> None:
    assert SITE.missing.keys() == {(language, what) for language in LANGUAGES for what in MISSING}
    for what in MISSING:
        with case(what):
            html = HTML[what]
            [main] = re.findall(r"<main>(.+?)</main>", html, re.DOTALL)
            [navigation] = re.findall(r"<nav .+?</nav>", html, re.DOTALL)
            assert f'<h1 id="title">{text("en", f"missing.{what}.heading")}</h1>' in html
            assert f"<p>{text('en', f'missing.{what}.text')}</p>" in main
            assert re.findall(r'<a href="(.+?)">', main) == ["/", "/games", "/ladder", "/tournaments"]
            assert 'href="/tournaments"' in navigation


def test_the_navigation_marks_the_page_that_is_shown() -> None:
    marked = {
        template: re.findall(r'<a href="([^"]+)" aria-current="page">', html)
        for template, html in HTML.items()
        if "<nav " in html
    }
    own = {"games.html": ["/games"], "ladder.html": ["/ladder"], "tournaments.html": ["/tournaments"]}
    assert {template: links for template, links in marked.items() if links} == own
    assert len(marked) > len(own)


def test_a_link_preview_is_text_and_its_picture_has_a_whole_address() -> None:
    for template in ("lobby.html", "table.html", "replay.html"):
        with case(template):
            preview = Preview("https://play.example", HOSTILE, f"{HOSTILE}, again")
            html = SITE.previewed("en", template, preview).data.decode()
            assert "<script>" not in html
            shown = {
                name: unescape(text) for name, text in re.findall(r'<meta property="og:(.+?)" content="(.*?)">', html)
            }
            assert (shown["title"], shown["description"]) == (HOSTILE, f"{HOSTILE}, again")
            base, _, path = shown["image"].partition("/static/")
            assert base == "https://play.example"
            assert SITE.lasting[path].data == SITE.sources["preview.png"]
            size = [int.from_bytes(SITE.sources["preview.png"][at : at + 4]) for at in (16, 20)]
            assert [int(shown["image:width"]), int(shown["image:height"])] == size


def test_a_name_that_no_encoding_knows_is_shown_with_a_question_mark() -> None:
    assert b"A?B" in SITE.previewed("en", "table.html", Preview("http://localhost", "A\ud800B", "")).data


def test_a_page_without_a_preview_has_none_and_one_with_it_is_rendered_once() -> None:
    assert not [template for template, html in HTML.items() if "og:" in html]
    preview = Preview("http://localhost:8420", "Once", "")
    assert SITE.previewed("en", "table.html", preview) is SITE.previewed("en", "table.html", preview)


def test_what_a_template_is_given_is_escaped() -> None:
    given = {"rules/rulebook.json": "", "icon.svg": "", "icon-192.png": "", "app.webmanifest": "", "x": HOSTILE}
    html = rendered("games.html", address=given, language="en", text=str, script="x", style="x")
    assert "<script>" not in html
    assert html.count("&#34;&gt;&lt;script&gt;") == 2


def test_a_template_that_lacks_a_value_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'style' is undefined"):
        rendered("games.html", address=dict.fromkeys(SITE.files, ""), language="en", text=str, script="icon.svg")


def test_a_page_is_in_its_language_and_its_script_has_no_other() -> None:
    for (language, template), page in SITE.pages.items():
        with case(language, template):
            html = page.data.decode()
            assert f'<html lang="{language}"' in html
            [script] = re.findall(r'<script type="module" src="/static/(.+?)"></script>', html)
            assert script.startswith(f"pages/{language}/")
            spoken = SITE.lasting[script].data.decode()
            assert re.findall(r'^useTexts\("(\w\w)", ', spoken, re.MULTILINE) == [language]
    assert {template for language, template in SITE.pages if language == "de"} == {*PAGES} - {
        *ENGLISH,
        "not_found.html",
    }


def test_a_script_gets_the_texts_that_its_modules_may_show_and_no_others() -> None:
    whole = keys_in(SITE.files["pages/en/lobby.js"].data.decode())
    assert {"lobby.join", "settings.theme.dark", "how.key.food.text", "ordinal"} <= whole
    assert not [key for key in whole if key.startswith(("lesson.", "tournament.standings"))]
    texts = catalogue("fr")
    for key in ("lobby.join", "tokens"):
        with case(key):
            module = text_module("fr", f'show(text("{key}"))').decode()
            [shown] = re.findall(r'useTexts\("fr", (\{.*\}), \{"en":', module)
            assert json.loads(shown) == {"ordinal": texts["ordinal"], key: texts[key]}
    assert keys_in("text(`lesson.${name}.title`)") == {"ordinal", *(key for key in texts if key.startswith("lesson."))}
    assert text_module("en", "", switch=False).decode().endswith(", {});\n")
