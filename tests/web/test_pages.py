"""The pages as templates make them: one head, one navigation, and nothing that is given to them becomes markup."""

import re

import pytest
from jinja2 import UndefinedError

from tests.cases import case
from wateringhole.web.pages import PAGES, pages, rendered
from wateringhole.web.static_files import static_files

HTML = {template: page.data.decode() for template, page in pages().items()}
HOSTILE = '"><script>alert(1)</script>'


def test_a_page_loads_its_script_and_its_style_sheets_in_order_and_all_of_them_exist() -> None:
    served = static_files()
    for template, files in PAGES.items():
        with case(template):
            html = HTML[template]
            assert re.findall(r'<script type="module" src="/static/(.+?)"></script>', html) == [files.script]
            assert re.findall(r'<link rel="stylesheet" href="/static/(.+?)">', html) == list(files.styles)
            assert {files.script, *files.styles, "icon.svg"} <= served.keys()


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


def test_the_navigation_marks_the_page_that_is_shown() -> None:
    marked = {
        template: re.findall(r'<a href="([^"]+)" aria-current="page">', html)
        for template, html in HTML.items()
        if "<nav " in html
    }
    own = {"games.html": ["/games"], "ladder.html": ["/ladder"], "tournaments.html": ["/tournaments"]}
    assert {template: links for template, links in marked.items() if links} == own
    assert len(marked) > len(own)


def test_what_a_template_is_given_is_escaped() -> None:
    html = rendered("games.html", script=HOSTILE, styles=[HOSTILE])
    assert "<script>" not in html
    assert html.count("&#34;&gt;&lt;script&gt;") == 2


def test_a_template_that_lacks_a_value_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'styles' is undefined"):
        rendered("games.html", script="x.js")
