"""The modules of a page as one script: each once, behind those it needs, and its names its own."""

import subprocess

import pytest

from tests.cases import case
from wateringhole.web.bundle import bundle
from wateringhole.web.pages import HEADER, PAGES
from wateringhole.web.static_files import static_files


def said(files: dict[str, bytes]) -> list[str]:
    """What the bundle of a/entry.js prints when it runs."""
    done = subprocess.run(["node", "-e", bundle(files, "a/entry.js")], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_a_module_runs_once_and_behind_those_it_needs() -> None:
    files = {
        "a/entry.js": b'import { b } from "./b.js";\nimport { C, c } from "../d/c.js";\nb(c, new C());\n',
        "a/b.js": b'/** B. */\nimport {\n  c,\n} from "../d/c.js";\nexport async function b(given, { two }) {'
        b" console.log(given === c, two); }\n",
        "d/c.js": b"console.log('once');\nexport const c = 1;\nexport class C { two = 2; }\n",
    }
    assert said(files) == ["once", "true 2"]


def test_modules_may_use_the_same_name_for_different_things() -> None:
    files = {
        "a/entry.js": b'import { b } from "./b.js";\nconst own = "entry";\nfunction same() { return own; }\n'
        b"console.log(same(), b());\n",
        "a/b.js": b'const own = "b";\nfunction same() { return own; }\nexport function b() { return same(); }\n',
    }
    assert said(files) == ["entry b"]


def test_comments_on_lines_of_their_own_are_left_out() -> None:
    files = {
        "a/entry.js": b"/**\n * Two.\n */\n// One.\nconst text = 'a // b /* c';\nconst cast =\n"
        b"  /** @type {string} */ (text);\n  /* one */\nconsole.log(cast); // two\n",
    }
    assert said(files) == ["a // b /* c"]
    assert [word for word in ("One.", "Two.", "/* one */") if word in bundle(files, "a/entry.js")] == []


def test_another_form_of_import_or_export_is_refused() -> None:
    lines = (
        'import "./b.js";',
        'import b from "./b.js";',
        'import * as b from "./b.js";',
        'import { b as c } from "b";',
        "export default 1;",
        "export { b };",
    )
    for line in lines:
        with case(line), pytest.raises(ValueError, match=r"a\.js has a line that cannot go into one script"):
            bundle({"a.js": f"{line}\n".encode(), "b.js": b""}, "a.js")


def test_a_circle_of_imports_is_refused() -> None:
    files = {"r/a.js": b'import { b } from "../b.js";\n', "b.js": b'import { a } from "./r/a.js";\n'}
    with pytest.raises(ValueError, match=r"in a circle: r/a\.js, b\.js, r/a\.js"):
        bundle(files, "r/a.js")


def test_the_script_of_every_page_is_one_that_a_browser_can_read() -> None:
    files = {path: file.data for path, file in static_files().items()}
    for template, page in PAGES.items():
        with case(template):
            script = bundle(files, page.script, HEADER)
            subprocess.run(["node", "--check", "-"], input=script, text=True, check=True)
            assert script.count("const $shared_settings = ") == 1
