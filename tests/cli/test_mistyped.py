"""Mistyped words on the command line."""

from tests.cases import case
from tests.cli import command, complained


def test_a_mistyped_command_option_or_agent_gets_the_one_that_was_probably_meant() -> None:
    for words, says in (
        (["tournamnt"], 'no command "tournamnt" (did you mean tournament?); wateringhole --help lists all'),
        (["zzz"], 'no command "zzz"; wateringhole --help lists all'),
        (["tournament", "rn"], "Did you mean 'run'?"),
        (["game", "3", "--jsn"], "Did you mean '--json'?"),
        (["game", "gredy", "silly", "silly"], 'unknown agent "gredy" (did you mean greedy?); known: easy,'),
        (["game", "bad:card-twise", "silly", "silly"], 'no misdeed "card-twise" (did you mean card-twice?)'),
    ):
        with case(words):
            assert complained(command(*words), says)


def test_a_name_that_is_too_long_for_the_system_is_named_in_the_complaint() -> None:
    name = "x" * 300
    for words in (["serve", "--port", "0", "--record", name], ["games", "import", name]):
        with case(words):
            ended = command(*words)
            assert complained(ended, f"{name}: File name too long")
            assert "cannot write the output" not in ended.err
