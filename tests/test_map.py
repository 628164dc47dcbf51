"""The tree is as docs/map.md draws it: a module imports only from lines above its own."""

import ast
import re
import tomllib
from pathlib import Path

import wateringhole
from tests.cases import case

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "wateringhole"
MAX_GLOSSARY_WORDS = 60
EXCEPTIONS = {"game": {"dealer", "view", "rules.turn"}, "traits": {"species"}}
"""People look for pending, request, answer and ranking at the game itself. The defences name boards, as types only."""
MAX_MODULE_LINES = 400

# In import order; a folder stands for all that is in it. Modules on one line of the picture may not import each other.
ORDER = [
    "core",
    "value",
    "traits",
    "cards",
    "seeds",
    "species",
    "player",
    "rulebook",
    "fault",
    "moves",
    "move_json",
    "packed",
    "events",
    "game",
    "rules.attack",
    "rules.deal",
    "rules.feeding",
    "rules.cardplay",
    "rules.turn",
    "plays",
    "worlds",
    "view",
    "dealer",
    "notation",
    "record",
    "fair",
    "kernel._kernel",
    "kernel.native",
    "kernel.policy",
    "kernel.positions",
    "kernel.playouts",
    "env.actions",
    "env.observations",
    "env.agent",
    "learned.layout",
    "learned.weights",
    "learned.decision",
    "learned.agent",
    "agents",
    "table",
    "env.drafted_game",
    "env.rewards",
    "env.render",
    "env.spaces",
    "env.pettingzoo_env",
    "env.gym_env",
    "env.batches",
    "env.vector_env",
    "env.features",
    "learned.network",
    "env.trajectories",
    "wire.framing",
    "wire.json_codec",
    "wire.names",
    "wire.dialect",
    "wire.unseen",
    "wire.client_end",
    "wire.s16",
    "wire.hello",
    "wire.tagged",
    "wire.requests",
    "wire.respondent",
    "wire.native_messages",
    "wire.native",
    "wire.dialects",
    "wire.signup",
    "wire.growth",
    "wire.csv_table",
    "wire.toml_values",
    "store.error",
    "store.inflate",
    "store.file_modes",
    "store.folder_lock",
    "store.helper_process",
    "store.append_files",
    "store.log_entries",
    "store.game_log",
    "store.ladder",
    "store.finished_game",
    "store.counting",
    "store.finished_from_log",
    "store.tables",
    "store.migrations",
    "store.database",
    "store.rows",
    "store.queries",
    "store.ladder_update",
    "store.players",
    "store.tournaments",
    "store.games",
    "store.backup",
    "store.archiver",
    "store.data_folder",
    "server.clock",
    "server.connection",
    "server.listening",
    "server.event_loop",
    "server.participants",
    "server.game_session",
    "server.finished_seats",
    "server.lobby",
    "server.monitor",
    "server.games",
    "server.service",
    "server.client",
    "external.python_class",
    "external.spec",
    "external.agent_log",
    "external.tracebacks",
    "external.worker",
    "external.process_cleanup",
    "external.process_usage",
    "external.sandbox",
    "external.program",
    "external.worker_pool",
    "external.terminal_player",
    "external.seating",
    "external.sync_bridge",
    "external.play_specs",
    "external.recorded_questions",
    "conformance.programs",
    "conformance.first_difference",
    "conformance.situations",
    "conformance.harness",
    "conformance.suites",
    "conformance.proctor",
    "conformance.kept_results",
    "conformance.grading",
    "conformance.generator",
    "conformance.coverage",
    "conformance.trace_attacks",
    "conformance.trace_choices",
    "conformance.trace_events",
    "conformance.trace_plays",
    "conformance.tracing",
    "conformance.limit_plays",
    "conformance.rare_scenes",
    "conformance.candidates",
    "conformance.suite_maker",
    "conformance.shrink_plays",
    "conformance.shrink_steps",
    "conformance.shrinker",
    "conformance.comparing",
    "conformance.scripted_client",
    "conformance.rogue_acts",
    "conformance.rogue_clients",
    "conformance.rogue",
    "conformance.doctor_scenes",
    "conformance.doctor",
    "web.share_link",
    "web.page_messages",
    "web.score_parts",
    "web.replay_messages",
    "web.compression",
    "web.static_files",
    "web.bundle",
    "web.page_text",
    "web.pages",
    "web.replay_file",
    "web.tab_messages",
    "web.card_plan",
    "web.tab",
    "web.browser_participant",
    "web.play_again",
    "web.archive",
    "web.room_seats",
    "web.spectators",
    "web.room_messages",
    "web.lessons",
    "web.room",
    "web.room_restart",
    "web.rooms",
    "web.middleware",
    "web.http_input",
    "web.table_socket",
    "web.app",
    "web.http_server",
    "tournament.schedule",
    "tournament.interval",
    "tournament.outcomes",
    "tournament.runfile",
    "tournament.ratings",
    "tournament.run_journal",
    "tournament.game_worker",
    "tournament.worker_processes",
    "tournament.ray_cluster",
    "tournament.run",
    "tournament.config",
    "tournament.entries",
    "tournament.formats",
    "tournament.stopping",
    "tournament.contest",
    "tournament.standings",
    "tournament.store_tournament",
    "tournament.record_stats",
    "tournament.report.figures",
    "tournament.report.svg",
    "tournament.report.charts",
    "tournament.report.data",
    "tournament.report.build",
    "course.roster",
    "course.config",
    "course.collecting",
    "course.rule_texts",
    "course.explaining",
    "course.smallest_cases",
    "course.gradebook",
    "course.class_tournament",
    "course.feedback",
    "course.run",
    "cli",
]
# The package's front door, and folders that hold only a docstring.
PACKAGES = (
    "kernel",
    "learned",
    "env",
    "wire",
    "store",
    "server",
    "external",
    "conformance",
    "web",
    "tournament",
    "course",
)
NOT_IN_THE_ORDER = {"", "__main__", "rules", "tournament.report", *PACKAGES}

# The actor has a name: client, player, agent, operator, caller. Part of a hyphenated name, such as a case, is allowed.
NAMELESS = re.compile(r"(?<![-\w])(whoever|somebody|nobody|anybody|everybody)(?![-\w])", re.IGNORECASE)
# The rule book has its own sentences, and what was released is not rewritten.
NAMELESS_PAGES = {"rules.md", "CHANGELOG.md"}


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
                if imported in EXCEPTIONS.get(name, ()):
                    continue
                within = ORDER[place(name)] in {"agents", "cli"} and place(imported) == place(name)
                assert within or place(imported) < place(name), f"{name} imports {imported}"


def test_the_picture_names_every_module_once() -> None:
    picture = re.findall(r"```\n(.*?)```", (ROOT / "docs" / "map.md").read_text(), re.DOTALL)[0]
    words = re.findall(r"^\s*(?:rules/\s+)?(\w+)/?", picture, re.MULTILINE)
    top = {entry.split(".")[-1] for entry in ORDER if not entry.startswith(PACKAGES)} | set(PACKAGES)
    assert sorted(word for word in words if word != "rules") == sorted(top - {"core", "value", "rulebook"})


def test_no_module_is_long() -> None:
    long = {module(path): lines for path in SOURCES if (lines := path.read_text().count("\n")) > MAX_MODULE_LINES}
    assert long == {}, f"split by meaning what has more than {MAX_MODULE_LINES} lines"


def test_no_script_or_style_sheet_of_the_page_is_long() -> None:
    static = SOURCE / "web" / "static"
    lines = {path: path.read_text().count("\n") for kind in ("js", "css") for path in static.rglob(f"*.{kind}")}
    assert len(lines) > 50
    long = {path.relative_to(static).as_posix(): count for path, count in lines.items() if count > MAX_MODULE_LINES}
    assert long == {}, f"split by meaning what has more than {MAX_MODULE_LINES} lines"


def test_a_public_class_name_is_defined_in_one_module_only() -> None:
    defined: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                defined.setdefault(node.name, []).append(module(path))
    assert len(defined) > 100
    assert {name: modules for name, modules in defined.items() if len(modules) > 1} == {}


def test_sentences_name_the_actor() -> None:
    """In docstrings, comments and texts of the source, and on the pages for readers."""
    kinds = ("*.py", "*.js", "*.html", "*.jinja", "*.css", "*.md", "bot.*")
    sources = [path for kind in kinds for path in SOURCE.rglob(kind)]
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").iterdir()]
    pages = [path for path in texts if path.is_file() and path.name not in NAMELESS_PAGES]
    assert len(sources) > 100
    assert len(pages) > 10
    for path in {*sources, *pages} - {SOURCE / "web/templates/rules_text.html"}:
        with case(str(path.relative_to(ROOT))):
            assert [line for line in path.read_text().splitlines() if NAMELESS.search(line)] == []


def test_the_glossary_has_few_words_each_once_and_says_where_they_are() -> None:
    text = (ROOT / "docs" / "map.md").read_text().partition("## Glossary")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([a-z ]+) \| .+ \| `(.+)` \|$", text, re.MULTILINE)
    words = [word for word, _ in rows]
    assert 0 < len(words) <= MAX_GLOSSARY_WORDS
    assert words == sorted(set(words))
    assert [where for _, where in rows if not (SOURCE / where).exists()] == []


def test_each_dependency_has_its_reason() -> None:
    text = (ROOT / "docs" / "map.md").read_text().partition("## Dependencies")[2].partition("\n## ")[0]
    told = re.findall(r"^\| ([a-z0-9-]+) \| .+ \|$", text, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [re.split(r"[^a-z0-9-]", line)[0] for line in project["dependencies"]]
    assert sorted(word for word in told if word != "package") == sorted(needed)


def test_the_front_door_leads_to_all_that_it_names() -> None:
    assert [name for name in wateringhole.__all__ if not hasattr(wateringhole, name)] == []
