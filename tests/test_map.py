"""The tree is as docs/map.md draws it: a module imports only from lines above its own."""

import ast
import re
from pathlib import Path

import wateringhole
from tests.cases import case

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "wateringhole"

# In import order; a folder stands for all that is in it. Modules on one line of the picture may not import each other.
ORDER = [
    "core",
    "value",
    "cards",
    "seeds",
    "species",
    "player",
    "rulebook",
    "fault",
    "moves",
    "forms",
    "packed",
    "events",
    "game",
    "rules.attack",
    "rules.deal",
    "rules.feeding",
    "rules.cardplay",
    "rules.turn",
    "view",
    "dealer",
    "record",
    "fair",
    "playout",
    "agents",
    "table",
    "wire.stream",
    "wire.shapes",
    "wire.talk",
    "wire.s16",
    "wire.hello",
    "wire.tagged",
    "wire.requests",
    "wire.respondent",
    "wire.native",
    "wire.signup",
    "wire.unseen",
    "wire.visitor",
    "wire.growth",
    "wire.first_difference",
    "wire.harness",
    "wire.situations",
    "wire.scenes",
    "wire.edits",
    "wire.steps",
    "wire.shrink",
    "wire.spreadsheet",
    "store.error",
    "store.inflate",
    "store.rights",
    "store.lock",
    "store.beside",
    "store.disk",
    "store.journal",
    "store.ladder",
    "store.finished",
    "store.counting",
    "store.conclusion",
    "store.tables",
    "store.migrations",
    "store.database",
    "store.entry",
    "store.listing",
    "store.rating",
    "store.players",
    "store.tournaments",
    "store.games",
    "store.backup",
    "store.keeper",
    "store.keeping",
    "server.clock",
    "server.line",
    "server.listening",
    "server.loop",
    "server.sitter",
    "server.host",
    "server.finished_seats",
    "server.lobby",
    "server.monitor",
    "server.service",
    "server.client",
    "server.caller",
    "server.gallery",
    "server.rogue",
    "outside.spec",
    "outside.observer",
    "outside.traced",
    "outside.worker",
    "outside.leftovers",
    "outside.sandbox",
    "outside.program",
    "outside.pool",
    "outside.human",
    "outside.seating",
    "outside.aside",
    "outside.staged",
    "outside.anyone",
    "outside.asking",
    "outside.doctor",
    "web.link",
    "web.frames",
    "web.offline",
    "web.plan",
    "web.tab",
    "web.seat",
    "web.archive",
    "web.room",
    "web.rooms",
    "web.guard",
    "web.app",
    "web.site",
    "tournament.schedule",
    "tournament.interval",
    "tournament.tally",
    "tournament.runfile",
    "tournament.ratings",
    "tournament.journal",
    "tournament.single",
    "tournament.engine",
    "tournament.cluster",
    "tournament.run",
    "tournament.brief",
    "tournament.entries",
    "tournament.formats",
    "tournament.stopping",
    "tournament.contest",
    "tournament.standings",
    "tournament.keep",
    "tournament.study",
    "tournament.charts",
    "tournament.findings",
    "tournament.page",
    "tournament.sections",
    "tournament.report",
    "cli",
]
# The package's front door, and folders that hold only a docstring.
NOT_IN_THE_ORDER = {"", "__main__", "rules", "outside", "server", "store", "tournament", "web", "wire"}


def module(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix("__init__").removesuffix(".")


def place(name: str) -> int:
    for at, entry in enumerate(ORDER):
        if name == entry or name.startswith(f"{entry}."):
            return at
    raise AssertionError(f"{name} has no place in the order")


def imports(path: Path) -> set[str]:
    """The modules of ours that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            base = node.module or ""
            folder = SOURCE.parent.joinpath(*base.split("."))
            found |= {f"{base}.{a.name}" if (folder / f"{a.name}.py").exists() else base for a in node.names}
    return {name.removeprefix("wateringhole.") for name in found if name.startswith("wateringhole.")}


SOURCES = [path for path in SOURCE.rglob("*.py") if module(path) not in NOT_IN_THE_ORDER]


def test_a_module_imports_only_from_lines_above_its_own() -> None:
    assert SOURCES
    for path in SOURCES:
        name = module(path)
        with case(name):
            for imported in imports(path):
                within = ORDER[place(name)] in {"agents", "cli"} and place(imported) == place(name)
                assert within or place(imported) < place(name), f"{name} imports {imported}"


def test_the_picture_names_every_module_once() -> None:
    picture = re.findall(r"```\n(.*?)```", (ROOT / "docs" / "map.md").read_text(), re.DOTALL)[0]
    words = re.findall(r"^\s*(?:rules/\s+)?(\w+)/?", picture, re.MULTILINE)
    folders = ("wire", "store", "server", "outside", "web", "tournament")
    top = {entry.split(".")[-1] for entry in ORDER if not entry.startswith(folders)} | set(folders)
    assert sorted(word for word in words if word != "rules") == sorted(top - {"core", "value", "rulebook"})


def test_the_front_door_leads_to_all_that_it_names() -> None:
    assert [name for name in wateringhole.__all__ if not hasattr(wateringhole, name)] == []
