"""The recipes in docs/recipes: each changes a copy of the source, and the copy plays."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "wateringhole"
MAX_SOURCE_FILES = 2


def changed_by(recipe: str, folder: Path) -> list[str]:
    """Run this recipe on a copy of the source in this folder; the files that it has changed or made."""
    copy = folder / "wateringhole"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("static"))
    subprocess.run([sys.executable, str(ROOT / "docs" / "recipes" / recipe), str(copy)], check=True)
    files = [path.relative_to(copy) for path in copy.rglob("*.py")]
    old = {file: (SOURCE / file).read_bytes() for file in files if (SOURCE / file).exists()}
    return sorted(str(file) for file in files if old.get(file) != (copy / file).read_bytes())


def run_in(folder: Path, script: str) -> str:
    """What this script prints with the copy in this folder."""
    surroundings = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, "-c", script], env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


TRAIT = """
import wateringhole
from wateringhole import DECK, Rash, Trait, play, rulebook, shuffled
from wateringhole.agents.bad import GALLERY
from wateringhole.conformance import doctor_scenes, generator
from wateringhole.species import Species
from wateringhole.traits import BIT, CARNIVORE

assert wateringhole.__file__.startswith({folder!r}), wateringhole.__file__
assert len(DECK) == 122 + 7
assert len(set(BIT.values())) == 17
assert Species(traits=(Trait.CARNIVORE,)).mask & CARNIVORE
assert not Species(traits=(Trait.CAMOUFLAGE,)).mask & CARNIVORE
assert "attack-through-camouflage" in GALLERY
assert "attack.camouflage" in rulebook.ALL
assert any(scene.name == "prey with camouflage" for scene in doctor_scenes.SCENES)
assert ((), (Trait.CAMOUFLAGE,)) in generator.SCENES
refused = []

class Watcher(Rash):
    def feed(self, request):
        for at in range(len(request.me.species)):
            refused.extend(why for _, why in request.targets(at) if why is not None)
        return super().feed(request)

for seed in range(40):
    result = play([Watcher(f"{{seed}}:{{seat}}") for seat in range(4)], shuffled(seed), strict=True)
    assert all(row.fault is None for row in result.ranking)
print(*{{why.text for why in refused if why.rule == "attack.camouflage"}}, sep="\\n")
"""


def test_a_defensive_trait_takes_one_source_file_and_blocks_attacks(tmp_path: Path) -> None:
    files = changed_by("add_trait.py", tmp_path)
    assert len(files) <= MAX_SOURCE_FILES
    said = run_in(tmp_path, TRAIT.format(folder=str(tmp_path)))
    assert "does not find a camouflaged prey, which takes 3" in said


DIALECT = """
import re
import subprocess
import sys

import wateringhole

assert wateringhole.__file__.startswith({folder!r}), wateringhole.__file__
command = [sys.executable, "-m", "wateringhole"]
serve = [*command, "serve", "--port", "0", "--games", "1", "--players", "3", "--fill", "silly", "--wait", "0.1"]
with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
    try:
        [port] = re.findall(r":(\\d+),", server.stderr.readline())
        connect = [*command, "connect", "greedy", f"tcp:127.0.0.1:{{port}}", "--dialect", "brief", "--name", "Ann"]
        subprocess.run(connect, check=True, stdout=subprocess.DEVNULL)
        print(server.communicate()[0])
    finally:
        server.kill()
"""


def test_a_dialect_takes_one_new_file_and_a_row_of_the_list_and_plays_over_tcp(tmp_path: Path) -> None:
    assert changed_by("add_dialect.py", tmp_path) == ["wire/brief.py", "wire/dialects.py"]
    said = run_in(tmp_path, DIALECT.format(folder=str(tmp_path)))
    assert "Ann" in said
    assert "expelled" not in said
