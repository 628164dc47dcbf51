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
