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
from tests.kernel.recording import long_hand, trace
from wateringhole.rulebook import ALL

TRACES = 160


def found(kernels: list[Path], traces: Path) -> list[bool]:
    """Whether replaying the traces shows that each kernel is wrong; that it crashes or hangs shows it, too."""
    command = [sys.executable, "-I", "-S", replaying.__file__, str(traces)]
    lines = "".join([f"{kernel}\n" for kernel in kernels])
    codes = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    assert len(codes) == len(kernels)
    return [code != "0" for code in codes]


def test_every_rule_has_a_mutant() -> None:
    assert {rule for rule, _, _ in MUTANTS} == set(ALL) - NOT_IN_THE_KERNEL


@pytest.mark.long
def test_the_differential_finds_every_mutant(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    recorded = [long_hand(), *[trace(number) for number in range(TRACES)]]
    traces.write_bytes(marshal.dumps([plain(each) for each in recorded]))
    objects = {part: compile_part(part, SOURCE / f"{part}.c", tmp_path, "-O1") for part in PARTS}
    mutants = [("kernel", *row) for row in MUTANTS] + [("policies", *row) for row in BOT_MUTANTS]

    def made(number: int) -> Path:
        part, _, old, new = mutants[number]
        others = [made for name, made in objects.items() if name != part]
        return mutated(tmp_path / str(number), others, part, old, new)

    with ThreadPoolExecutor(2) as pool:
        kernels = [link(list(objects.values()), tmp_path), *pool.map(made, range(len(mutants)))]
    right, *wrong = found(kernels, traces)
    assert not right, "the kernel itself"
    assert [mutant for mutant, seen in zip(mutants, wrong, strict=True) if not seen] == []


def plain(value: Any) -> Any:
    """With tuples in the place of named ones, which marshal does not take."""
    if isinstance(value, tuple):
        return tuple([plain(item) for item in value])
    return [plain(item) for item in value] if isinstance(value, list) else value
