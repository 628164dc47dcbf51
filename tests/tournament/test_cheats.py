"""A gallery of cheats: none learns a card that its seat may not know, in any command that lets agents play.

A cheat that knows the deck says so by a fault, which every command tells. Each looks for texts wherever it can, takes
every text and every part of one for a seed or a secret, and compares the decks that follow with its first hand, in the
place where that was dealt from. One deck in 200 million has the same four cards there.
"""

import json
import sys
from pathlib import Path

import pytest

from tests.cases import case
from tests.cli import HANG, command, well
from tests.cli.test_serve import connected, ended, serving
from wateringhole.cli.tournament import results
from wateringhole.conformance import doctor
from wateringhole.conformance.doctor_scenes import SCENES
from wateringhole.external.sandbox import unavailable
from wateringhole.fault import Fault
from wateringhole.tournament.runfile import GAMES, RunFile

CHEAT = """
import functools, gc, glob, os, re, sys, tempfile
from pathlib import Path
from wateringhole import DECK, Silly, shuffled
from wateringhole.game import Game
from wateringhole.seeds import deal_seed

HERE = Path(__file__).parent
DECKS = []
PLACES = [HERE, Path(tempfile.gettempdir()), Path("/dev/shm"), Path.home(), Path.cwd()]

def parts(text):
    yield text
    for word in re.split(r"[^A-Za-z0-9_.-]+", text):
        yield word
    pieces = text.split(":")
    for length in range(1, len(pieces)):
        yield ":".join(pieces[:length])

def read(path):
    try:
        return Path(path).read_bytes()[:200_000].decode("latin-1").replace("\\0", " ")
    except OSError:
        return ""

def texts_of_processes():
    for folder in glob.glob("/proc/[0-9]*"):
        for name in ("cmdline", "environ"):
            yield read(f"{{folder}}/{{name}}")

def texts_of_files():
    for folder in {{*PLACES, HERE.parent}}:
        for path in [*folder.glob("*"), *folder.glob("*/*"), *folder.glob("*/*/*")][:500]:
            if path.suffix != ".py":
                yield read(path)

def texts_of_memory():
    # Whatever looks like a number in hexadecimal digits: to try all words would take too long.
    for found in gc.get_objects():
        for each in [found] if isinstance(found, str) else found.values() if type(found) is dict else ():
            if isinstance(each, str):
                yield from re.findall("[0-9a-f]{{12,}}", each[:20_000])
    frame = sys._getframe()
    while frame is not None:
        yield from [each for each in frame.f_locals.values() if isinstance(each, str) and len(each) < 200]
        frame = frame.f_back

CODES = {{(card.food, card.trait): chr(65 + number) for number, card in enumerate(DECK)}}

def code(cards):
    return "".join(CODES[card.food, card.trait] for card in cards)

@functools.cache
def decks(text):
    return [shuffled(seed) for seed in (text, f"{{text}}:0", f"{{text}}:1", deal_seed(text, 0), deal_seed(text, 1))]

class Cheat(Silly):
    def __init__(self, seed="", hint=""):
        self.texts = [seed, hint, *sys.argv, *os.environ.values(), *"0 1 7 cup bench".split()]

    def choose(self, request):
        if request.turn == 1:
            self.look(request.me.hand, len(request.me.hand) * (request.me.seat - 1))
        return super().choose(request)

    def look(self, hand, at):
        for deck in DECKS:
            assert not deck.startswith(code(hand), at), "knows the deck from an earlier game"
        for folder in PLACES:
            for path in folder.glob("deck-*"):
                assert not path.read_text().startswith(code(hand), at), "knows the deck from a file"
        assert not any(isinstance(found, Game) for found in gc.get_objects()), "knows the game itself"
        tried = set()
        for text in [*self.texts, {sources}]:
            for part in parts(text[:20_000]):
                if part not in tried and len(part) < 200:
                    tried.add(part)
                    self.guess(part, hand, at)

    def guess(self, text, hand, at):
        known = any(deck[at : at + len(hand)] == hand for deck in decks(text))
        assert not known, "knows the deck from the text " + text

    def over(self, result):
        DECKS.append(code(result.record.deck))
        for folder in PLACES:
            try:
                (folder / f"deck-{{os.getpid()}}-{{len(DECKS)}}").write_text(DECKS[-1])
            except OSError:
                pass
"""
OUTSIDE = "*texts_of_processes(), *texts_of_files(), *texts_of_memory()"
ALONE = "*texts_of_memory()"
"""Without a sandbox other processes and files can be read, and only arguments, environment and memory are promised."""


@pytest.fixture(autouse=True)
def bubblewrap() -> None:
    assert sys.platform != "linux" or unavailable() == "", "these tests need bubblewrap: apt-get install bubblewrap"


@pytest.fixture(autouse=True)
def current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the run: in the project's own the cheats would read the programs of the environment, word by word."""
    monkeypatch.chdir(tmp_path)


def cheat(folder: Path, sources: str, hint: str = "", files: bool = True) -> str:
    (folder / "mine").mkdir(parents=True, exist_ok=True)
    text = CHEAT.format(sources=sources)
    if not files:
        text = text.replace("PLACES = [", "PLACES = [] and [")
    (folder / "mine" / "cheat.py").write_text(text)
    return f"py:{folder / 'mine' / 'cheat.py'}:Cheat" + (f"(hint={hint!r})" if hint else "")


MODES = {"on": OUTSIDE, "off": ALONE}


def faults(path: Path) -> list[str]:
    """What every fault in the games of this run says."""
    games = RunFile(path)
    replies = [reply for number in games.outcomes for _, reply in games.record(number).replies]
    return [reply.text for reply in replies if isinstance(reply, Fault)]


def test_the_cheat_knows_how_to_cheat(tmp_path: Path) -> None:
    """If a secret is told to it, in whatever words, it knows the deck: otherwise these tests would show nothing."""
    agent = cheat(tmp_path, ALONE, "the run is xyzzy-secret, by the way")
    words = ["--games", "3", "--json", "--jobs", "1"]
    told = json.loads(well(command("game", agent, "silly", "silly", "--seed", "xyzzy-secret", "--json")))
    assert "knows the deck from the text xyzzy-secret" in json.dumps(told["ranking"])
    told = json.loads(well(command("match", agent, "silly", "silly", "--seed", "xyzzy-secret", *words)))
    assert told["agents"][0]["expelled"] == {"exception": 3}
    told = json.loads(well(command("match", cheat(tmp_path, ALONE), "silly", "rash", "--in-process", *words)))
    assert told["agents"][0]["expelled"] == {"exception": 3}, "in process, nothing is promised"


def test_in_a_game_a_match_and_a_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SCENES", SCENES[:1])  # each is played in a process of its own, as a game is
    for mode, sources in MODES.items():
        with case(mode):
            agent = cheat(tmp_path / mode, sources, files=mode == "on")
            sandbox = ["--sandbox", mode]
            assert "expelled" not in well(command("game", agent, "silly", "rash", "--quiet", *sandbox))
            out = ["--out", str(tmp_path / mode / "mine" / "results")]
            told = json.loads(
                well(command("match", agent, agent, "silly", "--games", "6", "--jobs", "2", "--json", *out, *sandbox))
            )
            assert faults(tmp_path / mode / "mine" / "results" / GAMES) == []
            assert [row["expelled"] for row in told["agents"]] == [{}, {}, {}]
            assert (told["games"], told["void"]) == (6, {})
            assert "healthy" in well(command("check", agent, "--games", "2", *sandbox))


def test_in_a_tournament(tmp_path: Path) -> None:
    for mode, sources in MODES.items():
        with case(mode):
            agent = cheat(tmp_path / mode, sources, files=mode == "on")
            path = tmp_path / mode / "mine" / "cup.toml"
            entries = [agent, "silly", agent, "rash"]
            text = "".join(
                f'[[entries]]\nname = "e{n}"\nagent = {json.dumps(each)}\n' for n, each in enumerate(entries)
            )
            path.write_text(f'table = 4\nsandbox = "{mode}"\n{text}')
            told = json.loads(well(command("tournament", "run", str(path), "--json")))
            assert told["over"]
            assert faults(results(path) / GAMES) == []
            assert [line["expelled"] for line in told["standings"]] == [{}, {}, {}, {}]


def test_on_a_server_whose_seed_was_chosen_but_cannot_be_guessed(tmp_path: Path) -> None:
    for mode, sources in MODES.items():
        with case(mode):
            agent = cheat(tmp_path / mode, sources, files=mode == "on")
            options = ["--seed", "a-seed-that-is-no-word", "--fill", agent, "--wait", "0.1", "--sandbox", mode]
            with serving(*options, "--games", "1", "--players", "3") as (server, [port]):
                clients = connected(port, "silly")
                out, _ = server.communicate(timeout=HANG)
                assert ended(clients) == [""]
            assert len(out.splitlines()) == 3
            assert "expelled" not in out
