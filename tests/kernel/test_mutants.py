"""The differential finds a mistake in every rule of the kernel, and in the decisions of its bots."""

import marshal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.kernel import replaying
from tests.kernel.build import PARTS, SOURCE, compile_part, link, mutated
from tests.kernel.mutants import BOT_MUTANTS, MUTANTS, NOT_IN_THE_KERNEL
from tests.kernel.recording import trace
from wateringhole.rulebook import ALL

TRACES = 160


def found(kernel: Path, traces: Path) -> bool:
    """Whether replaying the traces shows that this kernel is wrong; that it crashes or hangs shows it, too."""
    command = [sys.executable, "-I", "-S", replaying.__file__, str(kernel), str(traces)]
    return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode != 0


def test_every_rule_has_a_mutant() -> None:
    assert {rule for rule, _, _ in MUTANTS} == set(ALL) - NOT_IN_THE_KERNEL


@pytest.mark.long
def test_the_differential_finds_every_mutant(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    recorded = [marshal.dumps(plain(trace(number))) for number in range(TRACES)]
    traces.write_bytes(b"".join([marshal.dumps(TRACES), *recorded]))
    objects = {part: compile_part(part, SOURCE / f"{part}.c", tmp_path, "-O1") for part in PARTS}
    mutants = [("kernel", *row) for row in MUTANTS] + [("policies", *row) for row in BOT_MUTANTS]

    def survives(number: int) -> bool:
        part, _, old, new = mutants[number]
        others = [made for name, made in objects.items() if name != part]
        return not found(mutated(tmp_path / str(number), others, part, old, new), traces)

    assert not found(link(list(objects.values()), tmp_path), traces)
    with ThreadPoolExecutor(2) as pool:
        surviving = list(pool.map(survives, range(len(mutants))))
    assert [mutants[number] for number, survived in enumerate(surviving) if survived] == []


def plain(value: Any) -> Any:
    """With tuples in the place of named ones, which marshal does not take."""
    if isinstance(value, tuple):
        return tuple([plain(item) for item in value])
    return [plain(item) for item in value] if isinstance(value, list) else value
