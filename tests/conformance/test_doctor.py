"""The doctor finds what is wrong with a bot, names the rule, and finds nothing wrong with a good one."""

import asyncio
import json
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import command
from tests.external import PATIENT
from wateringhole.agents.bad import GALLERY
from wateringhole.agents.silly import Silly
from wateringhole.cards import shuffled
from wateringhole.cli.kit import KITS
from wateringhole.conformance.doctor import LAST_LINES, MAX_ALIKE, Report, asked_again, examined
from wateringhole.conformance.doctor_scenes import SCENES, staged
from wateringhole.dealer import pending
from wateringhole.external.program import Bounds
from wateringhole.external.recorded_questions import judged
from wateringhole.external.seating import SeatingTerms
from wateringhole.external.spec import spec
from wateringhole.fault import Reason
from wateringhole.server.clock import TimeControl
from wateringhole.table import ask
from wateringhole.view import choices
from wateringhole.wire.json_codec import ShapeError

USUAL = SeatingTerms()


def report(agent: str, games: int = 24, terms: SeatingTerms = USUAL) -> Report:
    found = Report()
    asyncio.run(examined(spec(agent), terms, games, "tests", found, lambda _: None))
    return found


def test_a_scene_is_one_turn_in_which_everybody_has_something_to_choose() -> None:
    assert SCENES
    for scene in SCENES:
        with case(scene.name):
            game = staged(scene, shuffled(1), [f"{seat}" for seat in range(scene.others + 1)], listen=False)
            assert game.phase == "choose"
            assert pending(game) == list(range(1, scene.others + 2))
            assert game.cards_left == 0
            assert len({*game.deck, *game.players[1].hand}) == len(game.deck) + scene.held
            for asked in choices(game):
                assert judged(asked, ask(Silly(), asked)) is None


@pytest.mark.parametrize("agent", ["silly", "rash"])
def test_house_bots_are_healthy(agent: str) -> None:
    found = report(agent)
    assert found.healthy
    assert found.games == len(SCENES) + 24
    assert found.broken == {}
    assert min(found.kept[rule] for rule in ("feeding.fat", "feeding.attack", "feeding.graze", "cardplay.body")) > 0


@pytest.mark.parametrize("name", GALLERY)
def test_every_misdeed_is_found_with_its_rule(name: str) -> None:
    found = report(f"bad:{name}")
    assert {finding.reason for finding in found.findings} == {GALLERY[name].reason.value}
    assert set(found.broken) == {GALLERY[name].rule}


@pytest.mark.parametrize("language", KITS)
def test_the_kits_are_healthy(language: str, tmp_path: Path) -> None:
    assert command("kit", language, str(tmp_path)).code == 0
    kit = KITS[language]
    if kit.build:
        subprocess.run(shlex.split(kit.build), cwd=tmp_path, check=True)
    unhurried = SeatingTerms(TimeControl(60), Bounds(start_seconds=60, last_moment=60))
    # Each scene is a new process, and these flags make it start in half the time.
    runs = {
        "python": f"python3 -I -S {tmp_path / kit.bot}",
        "java": f"java -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {tmp_path} Bot",
        "c": f"{tmp_path}/bot",
    }
    found = report(f"cmd:{runs.get(language) or f'{kit.run.split()[0]} {tmp_path / kit.bot}'}", 2, unhurried)
    assert found.findings == []
    assert found.kept["feeding.attack"] > 0


def test_a_bot_that_is_too_slow_is_found_and_its_request_can_be_sent_again(tmp_path: Path) -> None:
    bot = tmp_path / "slow.py"
    lines = ["import time", "from wateringhole import Silly", "class Slow(Silly):"]
    bot.write_text("\n".join([*lines, "    def feed(self, request):", "        time.sleep(60)", ""]))
    terms = SeatingTerms(TimeControl(0.5), PATIENT.bounds)  # it has no more time to end than to answer
    found = report(f"py:{bot}:Slow", 1, terms)
    assert {finding.reason for finding in found.findings} == {"timeout"}
    requests = [finding.request for finding in found.findings]  # on a busy machine it may be too slow to choose, too
    request = next(asked for asked in requests if isinstance(asked, dict) and asked["type"] == "feed")
    slow = asyncio.run(asked_again(spec(f"py:{bot}:Slow"), terms, request))
    assert slow.fault is not None
    assert slow.fault.reason == Reason.TIMEOUT
    assert asyncio.run(asked_again(spec("silly"), terms, request)).fault is None


def test_the_last_lines_of_a_crashing_bot_are_in_the_finding(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    lines = ["from wateringhole import Silly", "class Bot(Silly):", "    def choose(self, request):"]
    path.write_text("\n".join([*lines, "        print(*range(100), sep='\\n')", "        return self.nothing", ""]))
    saved = tmp_path / "failed.json"
    words = ["check", f"py:{path}:Bot", "--games", "0", "--save", str(saved)]
    last = "AttributeError: 'Bot' object has no attribute 'nothing'"

    findings = json.loads(command(*words, "--json").out)["findings"]
    assert [len(finding["stderr"].splitlines()) for finding in findings] == [LAST_LINES] * MAX_ALIKE
    assert all(finding["stderr"].endswith(f"\n{last}") for finding in findings)

    again = command("check", f"py:{path}:Bot", "--request", str(saved))
    for out in (command(*words).out, again.out):
        assert f"  | {last}\n" in out
        assert "  |     return self.nothing\n" in out
        assert "  | 0\n" not in out
    assert "stderr" in json.loads(command("check", "silly", "--request", str(saved), "--json").out)


@pytest.mark.parametrize("value", [None, 3, [], {"type": "over", "ranking": []}, {"type": "choose"}])
def test_what_is_no_request_cannot_be_sent_again(value: None) -> None:
    with pytest.raises(ShapeError):
        asyncio.run(asked_again(spec("silly"), USUAL, value))


def test_the_command_saves_the_failed_request_and_sends_it_again(tmp_path: Path) -> None:
    saved = tmp_path / "failed.json"
    checked = command("check", "bad:card-twice", "--save", str(saved), "--json")
    assert checked.code == 1
    told = json.loads(checked.out)
    assert (told["healthy"], told["rules"]["cardplay.once"]["kept"], told["saved"]) == (False, 0, str(saved))
    assert told["expelled"] == {"illegal": told["games"]}
    again = command("check", "bad:card-twice", "--request", str(saved))
    assert again.code == 1
    assert "illegal (cardplay.once): it plays card 1 twice" in again.out
    healed = command("check", "silly", "--request", str(saved), "--json")
    assert healed.code == 0
    assert json.loads(healed.out)["fault"] is None


def test_the_line_that_sends_the_failed_request_again_can_be_given_to_a_shell(tmp_path: Path) -> None:
    agent, saved = "bad:card-twice?name=Ann's $HOME", tmp_path / f"it's {'long' * 20} and has blanks.json"
    checked = command("check", agent, "--games", "0", "--save", str(saved))
    [line] = [line for line in checked.out.splitlines() if line.startswith("  wateringhole check ")]
    assert shlex.split(line) == ["wateringhole", "check", agent, "--request", str(saved)]


def test_the_command_shows_rules_and_times(tmp_path: Path) -> None:
    checked = command("check", "silly", "--games", "2", "--save", str(tmp_path / "none"))
    assert checked.code == 0
    assert "feeding.attack" in checked.out
    assert "the limit is 10 s" in checked.out
    assert checked.out.endswith("healthy\n")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nobody"], 'unknown agent "nobody"'),
        (["human"], "a person cannot be checked"),
        (["silly", "--games", "-1"], "--games -1: not a number from 0 to 100000"),
        (["silly", "--time", "0"], "the time control 0 is outside 1 to 3600"),
        (["silly", "--limit-memory", "1"], "--limit-memory 1: not a number of megabytes from 16"),
        (["silly", "--request", "nowhere.json"], "nowhere.json: No such file"),
    ],
)
def test_a_mistake_in_the_arguments_is_a_sentence(arguments: list[str], says: str) -> None:
    checked = command("check", *arguments)
    assert checked.code == 2
    assert says in checked.err
