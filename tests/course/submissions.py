"""Makes a course to try the grading on: submissions of `xattack`, sound ones in five languages and one of each fault.

`python -m tests.course.submissions FOLDER` writes 60 submissions, a suite of 60 cases and course.toml.
"""

import itertools
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from wateringhole.conformance.generator import situations
from wateringhole.conformance.harness import run_harness
from wateringhole.conformance.situations import situation_out

SEED = "a course"

PYTHON = """\
#!/usr/bin/env python3
import json
import sys


def strength(board):
    return board["body"] + (board["population"] if "pack-hunting" in board["traits"] else 0)


def may_attack(prey, hunter, left, right):
    if "carnivore" not in hunter["traits"]:
        return False
    if "ambush" not in hunter["traits"] and any(near and "warning-call" in near["traits"] for near in (left, right)):
        return False
    if "burrowing" in prey["traits"] and prey["food"] == prey["population"]:
        return False
    if "climbing" in prey["traits"] and "climbing" not in hunter["traits"]:
        return False
    if "hard-shell" in prey["traits"] and strength(hunter) < prey["body"] + 4:
        return False
    if "herding" in prey["traits"] and hunter["population"] <= prey["population"]:
        return False
    return not ("symbiosis" in prey["traits"] and right and right["body"] > prey["body"])


boards = [dict(board) if board else None for board in json.load(sys.stdin)]
print(json.dumps(may_attack(*boards)))
"""

JAVASCRIPT = """\
#!/usr/bin/env node
const boards = JSON.parse(require("fs").readFileSync(0, "utf8")).map((board) => board && Object.fromEntries(board));
const [prey, hunter, left, right] = boards;
const has = (board, trait) => Boolean(board) && board.traits.includes(trait);
const strength = hunter.body + (has(hunter, "pack-hunting") ? hunter.population : 0);
const stopped =
  !has(hunter, "carnivore") ||
  (!has(hunter, "ambush") && (has(left, "warning-call") || has(right, "warning-call"))) ||
  (has(prey, "burrowing") && prey.food === prey.population) ||
  (has(prey, "climbing") && !has(hunter, "climbing")) ||
  (has(prey, "hard-shell") && strength < prey.body + 4) ||
  (has(prey, "herding") && hunter.population <= prey.population) ||
  (has(prey, "symbiosis") && Boolean(right) && right.body > prey.body);
console.log(JSON.stringify(!stopped));
"""

C = """\
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

struct board { int there, food, body, population; char traits[256]; };

static char *number(char *at, const char *label, int *value) {
    at = strchr(strstr(at, label), ',') + 1;
    *value = (int)strtol(at, &at, 10);
    return at;
}

/* One board, or false; where it ends. */
static char *read_board(char *at, struct board *found) {
    memset(found, 0, sizeof *found);
    at += strspn(at, "[, \\n");
    if (*at == 'f') return at + 5;
    found->there = 1;
    at = number(number(number(at, "food", &found->food), "body", &found->body), "population", &found->population);
    at = strchr(strstr(at, "traits"), '[');
    size_t length = strcspn(at, "]");
    memcpy(found->traits, at, length);
    at += length + 1;
    int depth = 2; /* the pair of the traits, and the board; fat may follow */
    while (depth) depth += *at == '[' ? 1 : *at == ']' ? -1 : 0, at++;
    return at;
}

static int has(struct board *board, const char *trait) { return board->there && strstr(board->traits, trait) != NULL; }

int main(void) {
    static char text[65536];
    fread(text, 1, sizeof text - 1, stdin);
    struct board prey, hunter, left, right;
    read_board(read_board(read_board(read_board(text, &prey), &hunter), &left), &right);
    int strength = hunter.body + (has(&hunter, "pack-hunting") ? hunter.population : 0);
    int stopped = !has(&hunter, "carnivore")
        || (!has(&hunter, "ambush") && (has(&left, "warning-call") || has(&right, "warning-call")))
        || (has(&prey, "burrowing") && prey.food == prey.population)
        || (has(&prey, "climbing") && !has(&hunter, "climbing"))
        || (has(&prey, "hard-shell") && strength < prey.body + 4)
        || (has(&prey, "herding") && hunter.population <= prey.population)
        || (has(&prey, "symbiosis") && right.there && right.body > prey.body);
    puts(stopped ? "false" : "true");
    return 0;
}
"""

JAVA = """\
import java.util.regex.*;

public class Attack {
    static final String NUMBER = "\\"%s\\",\\\\s*(\\\\d+)";
    static int number(String board, String label) {
        Matcher found = Pattern.compile(String.format(NUMBER, label)).matcher(board);
        found.find();
        return Integer.parseInt(found.group(1));
    }
    static boolean has(String board, String trait) { return board.contains('"' + trait + '"'); }
    public static void main(String[] arguments) throws Exception {
        String text = new String(System.in.readAllBytes());
        // A board ends before the next one, before false, or before the end.
        String board = "\\\\[\\\\[\\"food\\".*?\\\\]\\\\](?=\\\\s*\\\\]|\\\\s*,\\\\s*(?:\\\\[\\\\[|false))";
        Matcher each = Pattern.compile(board + "|false").matcher(text);
        String[] boards = new String[4];
        for (int at = 0; at < 4 && each.find(); at++) boards[at] = each.group();
        String prey = boards[0], hunter = boards[1], left = boards[2], right = boards[3];
        int strength = number(hunter, "body") + (has(hunter, "pack-hunting") ? number(hunter, "population") : 0);
        boolean stopped = !has(hunter, "carnivore")
            || (!has(hunter, "ambush") && (has(left, "warning-call") || has(right, "warning-call")))
            || (has(prey, "burrowing") && number(prey, "food") == number(prey, "population"))
            || (has(prey, "climbing") && !has(hunter, "climbing"))
            || (has(prey, "hard-shell") && strength < number(prey, "body") + 4)
            || (has(prey, "herding") && number(hunter, "population") <= number(prey, "population"))
            || (has(prey, "symbiosis") && !right.equals("false") && number(right, "body") > number(prey, "body"));
        System.out.println(!stopped);
    }
}
"""

SHELL = '#!/bin/sh\nexec python3 "$(dirname "$0")/attack.py"\n'


class Handed(NamedTuple):
    """A submission: its files, of which those in `plain` are not executable, and the reason that it must get."""

    files: dict[str, str]
    reason: str = ""
    plain: Sequence[str] = ()


def _python(old: str, new: str) -> Handed:
    """A Python program with a wrong rule."""
    assert PYTHON.count(old) >= 1, old
    return Handed({"xattack": PYTHON.replace(old, new)}, "wrong")


def _script(line: str, reason: str) -> Handed:
    return Handed({"xattack": f"#!/bin/sh\n{line}\n"}, reason)


def _in_python(lines: str, reason: str) -> Handed:
    return Handed({"xattack": f"#!/usr/bin/env python3\n{lines}\n"}, reason)


SOUND = {
    "python": Handed({"xattack": PYTHON}),
    "shell": Handed({"xattack": SHELL, "attack.py": PYTHON}),
    "c": Handed({"xattack.c": C, "build.sh": "cc -O1 -w -o xattack xattack.c\n"}),
    "javascript": Handed({"xattack": JAVASCRIPT}),
    "java": Handed(
        {
            "Attack.java": JAVA,
            "build.sh": "javac Attack.java\n",
            "xattack": '#!/bin/sh\nexec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$(dirname "$0")" Attack\n',
        }
    ),
}

LANGUAGES = ("python", "shell", "c", "javascript", "java", "python", "shell", "c", "javascript", "c")

FAULTY = {
    "loops": _script("while :; do :; done", "time-out"),
    "fork-bomb": _in_python("import os\nwhile True: os.fork()", "too many processes"),
    "missing": Handed({"xatack": PYTHON}, "missing"),
    "wrong-herding": _python('<= prey["population"]', '< prey["population"]'),
    "crashes": _in_python("import json, sys\njson.load(sys.stdin)[9]", "crashed"),
    "no-build": Handed({"xattack.c": "int main(void) { return ", "build.sh": "cc xattack.c\n"}, "build failed"),
    "not-executable": Handed({"xattack": PYTHON}, "not executable", ("xattack",)),
    "no-json": _script("echo The answer is yes.", "no JSON"),
    "python-words": _in_python("print(True)", "no JSON"),
    "no-start": Handed({"xattack": "no program at all"}, "cannot be started"),
    "no-interpreter": Handed({"xattack": "#!/usr/bin/env no-such-language\n"}, "cannot be started"),
    "sleeps": _script("sleep 1000", "time-out"),
    "waits": _script("mkfifo /tmp/never; cat /tmp/never", "time-out"),
    "hog": _in_python("held = []\nwhile True: held.append(bytes(1 << 28))", "crashed"),
    "hogs": _in_python(
        "import os, time\n[os.fork() for _ in range(2)]\nx = b'x' * (400 << 20)\ntime.sleep(99)", "too much memory"
    ),
    "floods": _script("yes", "too much output"),
    "silent": _script("exit 0", "no JSON"),
    "exit-code": _script("echo true; exit 1", "crashed"),
    "segfault": _script("kill -SEGV $$", "crashed"),
    "build-loops": Handed({"xattack": PYTHON, "build.sh": "while :; do :; done\n"}, "build failed"),
    "build-exit": Handed({"xattack": PYTHON, "build.sh": "echo no compiler >&2; exit 3\n"}, "build failed"),
    "nothing": Handed({"README": "coming soon"}, "missing"),
    "wrong-carnivore": _python('if "carnivore" not in hunter["traits"]', "if False"),
    "wrong-warning-call": _python('"ambush" not in hunter["traits"] and any', "any"),
    "wrong-burrowing": _python('prey["food"] == prey["population"]', "False"),
    "wrong-climbing": _python(' and "climbing" not in hunter["traits"]', ""),
    "wrong-hard-shell": _python("+ 4", "+ 5"),
    "wrong-pack-hunting": _python('"pack-hunting" in board["traits"]', "True"),
    "wrong-symbiosis": _python('right["body"] > prey["body"]', 'right["body"] >= prey["body"]'),
    "always-true": _script("echo true", "wrong"),
}


def write_course(
    folder: Path, submissions: int, cases: int, build_seconds: int = 20, seconds: float = 2
) -> dict[str, str]:
    """Write so many submissions, half of them sound, a suite and course.toml; the reason that each must get."""
    half = submissions // 2
    languages = zip(range(half), itertools.cycle(LANGUAGES), strict=False)
    handed = {f"{name}-{number:02}": SOUND[name] for number, name in languages}
    handed |= dict(itertools.islice(FAULTY.items(), submissions - half))
    for name, each in handed.items():
        home = folder / "submissions" / name
        home.mkdir(parents=True)
        for file, text in ({"build.sh": "true\n", "AUTHOR": name} | each.files).items():  # no two are the same
            (home / file).write_text(text)
            (home / file).chmod(0o644 if file in each.plain else 0o755)
    rows = [f"{name},{name.replace('-', ' ').title()},submissions/{name}\n" for name in handed]
    (folder / "roster.csv").write_text("".join(["id,name,folder\n", *rows]))
    write_suite(folder / "suite", cases)
    (folder / "course.toml").write_text(
        f'title = "Evolution"\nroster = "roster.csv"\nbuild = "sh build.sh"\nbuild-seconds = {build_seconds}\n'
        f'suite = "suite"\nseconds = {seconds}\n\n[[parts]]\nharness = "xattack"\npoints = 100\n'
    )
    return {name: each.reason for name, each in handed.items()}


def write_suite(folder: Path, number: int) -> None:
    """Cases of `xattack` with what our harness prints: both answers, and each faulty rule is found by one of them."""
    folder.mkdir()
    lines = []
    for at, situation in enumerate(itertools.islice(situations("xattack", SEED), number), 1):
        given = situation_out(situation)
        lines.append(json.dumps({"id": f"attack-{at:03}", "in": given, "out": run_harness("xattack", given)}))
    (folder / "xattack.jsonl").write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    reasons = write_course(Path(sys.argv[1]), *map(int, sys.argv[2:] or (60, 60)))
    (Path(sys.argv[1]) / "reasons.json").write_text(json.dumps(reasons, indent=1))
