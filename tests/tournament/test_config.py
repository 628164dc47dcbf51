"""The config of a tournament."""

from pathlib import Path

import pytest

from tests.cases import case
from wateringhole.agents.sage import ITERATIONS
from wateringhole.external.play_specs import Treatment
from wateringhole.tournament.config import Entry, Stop, read
from wateringhole.wire.toml_values import ConfigError

FOUR = "".join(f'[[entries]]\nname = "{name}"\nagent = "silly"\n' for name in ("Ann", "Bob", "Cem", "Dora"))


def written(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text)
    return path


def test_a_config_says_everything_about_a_tournament(tmp_path: Path) -> None:
    config = read(
        written(
            tmp_path,
            """
            title = "Spring"
            seed = 7
            format = "gauntlet"
            table = 3
            deals = 12
            challenger = "Bob"
            time = "60+1"
            in-process = true
            memory = 64
            stop = {better = "Bob", than = "Ann", confidence = 0.99}
            entries = [
                {name = "Ann", agent = "silly", author = "A. Author"},
                {name = "Bob", agent = "rash?name=nobody"},
                {name = "Cem", agent = "silly"},
            ]
            """,
        )
    )
    assert (config.title, config.seed, config.format, config.table, config.deals) == ("Spring", "7", "gauntlet", 3, 12)
    assert (config.challenger, config.stop) == (1, Stop(1, 0, 0.99))
    assert config.treatment == Treatment("60+1", True, 64)
    assert config.entries[:2] == (Entry("Ann", "silly", "A. Author"), Entry("Bob", "rash?name=nobody"))
    assert [spec.label(seat) for seat, spec in enumerate(config.specs, 1)] == ["Ann", "Bob", "Cem"]


def test_what_is_not_said_is_as_one_would_expect(tmp_path: Path) -> None:
    config = read(written(tmp_path, f'seed = "s"\n{FOUR}'))
    assert (config.title, config.format, config.table, config.deals, config.stop) == ("cup", "round-robin", 4, 1, None)
    assert config.treatment == Treatment("10", False, 1_024)
    assert read(written(tmp_path, f'seed = 1\nformat = "swiss"\n{FOUR}')).rounds == 3


def entry(name: str, agent: str) -> str:
    return f'seed = 1\n{FOUR}[[entries]]\nname = "{name}"\nagent = "{agent}"\n'


def test_an_entry_whose_iterations_depend_on_the_machine_is_written_out(tmp_path: Path) -> None:
    config = read(written(tmp_path, entry("Sue", "sage")))
    assert config.entries[-1] == Entry("Sue", f"sage?iterations={ITERATIONS}")


MISTAKES = [
    ("seed = ", "is not TOML: Invalid value (at end of document)"),
    (f"seed = 1.5\n{FOUR}", "seed = 1.5 is not a text"),
    (f'seed = "{"s" * 1_001}"\n{FOUR}', "seed has 1001 characters, above 1000"),
    ("seed = 1", "0 [[entries]], not 3 to 256"),
    ("seed = 1\nentries = 4", "entries is not a list"),
    ("seed = 1\nentries = [1, 2, 3]", "entry 1: 1 is not a table with name and agent"),
    (f"seed = 1\ndeal = 4\n{FOUR}", "no key deal; known: title, seed,"),
    (f"seed = 1\ntable = 9\n{FOUR}", "table = 9 is not a whole number from 3 to 8"),
    (f"seed = 1\ntable = true\n{FOUR}", "table = true is not a whole number from 3 to 8"),
    (f"seed = 1\ntable = 5\n{FOUR}", "4 entries, but table = 5"),
    (f"seed = 1\ndeals = 0\n{FOUR}", "deals = 0 is not a whole number from 1 to 1000000"),
    (f"seed = 1\ntitle = 3\n{FOUR}", "title = 3 is not a text"),
    (f'seed = 1\nformat = "cup"\n{FOUR}', 'format = "cup" is not one of round-robin, gauntlet, swiss, knock-out'),
    (f'seed = 1\ntime = "soon"\n{FOUR}', 'time: the time control "soon" is not SECONDS'),
    (f"seed = 1\ntime = [1]\n{FOUR}", "time = [1] is not SECONDS"),
    (f"seed = 1\ntime = 0\n{FOUR}", "the time control 0 is outside 1 to 3600 seconds"),
    (f"seed = 1\nmemory = 1\n{FOUR}", "memory = 1 is not a whole number from 16 to 1048576"),
    (f'seed = 1\nin-process = "yes"\n{FOUR}', 'in-process = "yes" is neither true nor false'),
    (f"seed = 1\nrounds = 4\n{FOUR}", 'rounds is for swiss, but format = "round-robin"'),
    (f'seed = 1\nformat = "swiss"\nrounds = 0\n{FOUR}', "rounds = 0 is not a whole number from 1 to 1000"),
    (f'seed = 1\nchallenger = "Ann"\n{FOUR}', 'challenger is for gauntlet, but format = "round-robin"'),
    (f'seed = 1\nformat = "gauntlet"\nchallenger = "Eve"\n{FOUR}', 'challenger = "Eve" is not the name'),
    (f"seed = 1\nstop = true\n{FOUR}", "stop = true is not {better ="),
    (f'seed = 1\nstop = {{better = "Ann"}}\n{FOUR}', "stop.than is missing"),
    (f'seed = 1\nstop = {{better = "Ann", than = "Eve"}}\n{FOUR}', 'stop.than = "Eve" is not the name'),
    (f'seed = 1\nstop = {{better = "Ann", than = "Ann"}}\n{FOUR}', 'both "Ann"'),
    (f'seed = 1\nstop = {{better = "Ann", than = "Bob", confidence = 1}}\n{FOUR}', "stop.confidence = 1 is not"),
    (f'seed = 1\nstop = {{better = "Ann", than = "Bob", odds = 1}}\n{FOUR}', "no key stop.odds; known: better"),
    (
        f'seed = 1\nformat = "swiss"\nstop = {{better = "Ann", than = "Bob"}}\n{FOUR}',
        "stop is for gauntlet and rou",
    ),
    (entry("Ann", "silly"), 'entry 5: name = "Ann" is that of entry 1 too'),
    (entry("", "silly"), 'entry 5: name = "" is not a printable text'),
    (entry("a\\nb", "silly"), 'entry 5: name = "a\\nb" is not a printable text'),
    (entry("x" * 65, "silly"), "entry 5: name has 65 characters, above 64"),
    (entry("Eve", "sily"), 'entry 5: agent = "sily": unknown agent "sily"'),
    (
        entry("Eve", "py:bot.py") + '[[entries]]\nname = "Flo"\nagent = "rash?depth=3"\n',
        'or without; entry 6: agent = "rash?depth=3": "rash?depth=3": no option "depth"',
    ),
    (f'seed = 1\n{FOUR}[[entries]]\nname = "Eve"\n', "entry 5: agent is missing"),
    (f"seed = 1\n{FOUR}[[entries]]\nage = 3\n", "entry 5: no key age; known: name, agent, author"),
    (entry("Eve", "human") + '[[entries]]\nname = "Flo"\nagent = "human"\n', "more than 1 entry is human"),
    (f"seed = 1\ndeals = 1000000\ntable = 3\n{FOUR}", "deals = 1000000 makes 12000000 games, above 10000000"),
]


def test_every_mistake_is_a_sentence_with_the_file_the_key_the_value_and_the_limit(tmp_path: Path) -> None:
    for text, says in MISTAKES:
        with case(text, says):
            path = written(tmp_path, text)
            with pytest.raises(ConfigError) as mistake:
                read(path)
            assert str(mistake.value).startswith(str(path))
            assert says in str(mistake.value)


def test_more_tables_than_can_be_played_are_refused_at_once(tmp_path: Path) -> None:
    many = "".join(f'[[entries]]\nname = "e{number}"\nagent = "silly"\n' for number in range(100))
    with pytest.raises(ConfigError, match="100 entries at tables of 4 make 3921225 tables, above 100000"):
        read(written(tmp_path, f"seed = 1\n{many}"))
    assert len(read(written(tmp_path, f'seed = 1\nformat = "swiss"\n{many}')).entries) == 100


@pytest.mark.parametrize(("data", "says"), [(b"\xff", "is not TOML"), (b"#" * 1_000_001, "more than 1000000 bytes")])
def test_a_file_that_is_no_config_is_a_sentence(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "cup.toml"
    with pytest.raises(ConfigError, match=r"cup\.toml: No such file"):
        read(path)
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=says):
        read(path)
