"""The page on writing a bot: every command on it runs, in its order, in an empty folder."""

import re
from pathlib import Path

import pytest

from tests.documents.shell import run_as_printed
from tests.web.server import port_that_stays

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"


@pytest.mark.long
def test_a_newcomer_gets_from_an_empty_folder_to_a_match_in_another_language(tmp_path: Path) -> None:
    blocks: list[tuple[str, str]] = re.findall(r"```(sh|python)\n(.*?)```", PAGE.read_text(), re.DOTALL)
    script = []
    for language, text in blocks:
        if language == "python":
            name = re.match(r"# (\w+\.py)\n", text)
            assert name is not None
            script.append(f"cat > {name[1]} <<'END OF FILE'\n{text}END OF FILE")
        else:
            script.append(text)
    assert len(blocks) >= 7
    # The port is another one, as that of the page may be taken, by a second run of the tests for example. The doctor
    # plays its scenes alone, each in a new process, and no games.
    lines = "\n".join(script).replace("45700", str(port_that_stays()))
    assert "check py:mybot.py:Careful\n" in lines
    lines = lines.replace("check py:mybot.py:Careful\n", "check py:mybot.py:Careful --games 0\n")
    assert "check 'cmd:python3 starter/bot.py' --games 6\n" in lines
    lines = lines.replace("--games 6\n", "--games 0\n").replace("--games 12 ", "--games 3 ")
    told = run_as_printed(lines, tmp_path)
    assert "healthy" in told
    assert "something is wrong, as it should be" in told
    assert "expelled (" not in told
    assert (tmp_path / "bots" / "results" / "games.run").exists()


def test_the_page_names_every_option_of_an_agent() -> None:
    from wateringhole.external.spec import OPTIONS  # noqa: PLC0415

    page = PAGE.read_text()
    for option in {option for options in OPTIONS.values() for option in options}:
        assert f"| `{option}` |" in page
