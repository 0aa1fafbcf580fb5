"""Imports point one way: what each room may know is written here, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.arch.code_base import PACKAGE, ROOT, modules, nodes, tree

# Room -> rooms that it may import, for types too. `cli` may import all of them.
MAY: dict[str, set[str]] = {
    "basics": set(),
    "transcripts": {"basics"},
    "imports": {"basics", "transcripts"},
    "marks": {"basics", "transcripts"},
    "findings": {"basics", "transcripts", "marks"},
    "figures": {"basics", "transcripts", "marks", "findings"},
    "benchmark": {"basics", "transcripts", "imports", "marks", "findings", "figures"},
    "app": {"basics", "transcripts", "marks", "findings", "figures"},
}

# Part of a room -> all that it may import besides itself: rooms, and parts of its own room.
PARTS: dict[str, set[str]] = {
    "transcripts.desk": {"basics", "transcripts.model", "transcripts.refs", "transcripts.digests"},
    "transcripts.particulars": {"basics", "transcripts.model", "transcripts.desk"},
    "transcripts.query": {"basics", "transcripts.model", "transcripts.refs", "transcripts.desk"},
    "findings.reads": {"basics", "transcripts.model", "transcripts.refs", "transcripts.digests", "transcripts.desk"},
    "figures.measure": {"basics", "transcripts"},
    "figures.export": {"basics", "transcripts", "marks", "findings", "figures.measure"},
    "benchmark.desks": {"basics", "transcripts"},
    "benchmark.northline": {"basics", "transcripts"},
    "benchmark.live": {
        "basics",
        "transcripts",
        "imports",
        "marks",
        "findings",
        "benchmark.desks",
        "benchmark.northline",
    },
    "app.keys": {"basics"},
    "app.layout": {"basics", "transcripts.model", "transcripts.refs", "transcripts.desk", "transcripts.prices"},
}


def room(path: Path) -> str:
    part = path.relative_to(PACKAGE).parts[0]
    return part.removesuffix(".py")


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Every module that a file imports, inside functions too."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            named = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if _is_module(name) else node.module for name in named)


def _is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def rooms_of(path: Path) -> set[str]:
    """The rooms that a file imports."""
    return {name.split(".")[1] for name in imported(path) if name.startswith("reviewer.")}


def dotted(path: Path) -> str:
    """A module's name without `reviewer.`."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def within(name: str, places: set[str]) -> bool:
    """True if a module is one of these rooms, parts or modules, or inside one."""
    return any(name == place or name.startswith(f"{place}.") for place in places)


def test_imports_point_one_way() -> None:
    assert {room(path) for path in modules()} - {"__init__", "__main__", "cli"} == MAY.keys(), "a room has no row"
    wrong = []
    for path in modules():
        own = dotted(path)
        part = next((part for part in PARTS if within(own, {part})), None)
        if room(path) in MAY:
            allowed = PARTS[part] | {part} if part else MAY[room(path)] | {room(path)}
            used = {name.removeprefix("reviewer.") for name in imported(path) if name.startswith("reviewer.")}
            wrong += [f"{own} imports {name}" for name in sorted(used) if not within(name, allowed | {"__version__"})]
    assert not wrong


def test_every_room_says_what_it_owns_in_ten_lines() -> None:
    for name in (*MAY, "cli"):
        words = ast.get_docstring(ast.parse((PACKAGE / name / "__init__.py").read_text("utf-8"))) or ""
        assert words.count("\n") < 10, name
        assert "Owns" in words, name
        assert "must not" in words, name
        for first in re.findall(r"`([^`]+)`", words.partition("Read first:")[2]):
            path = PACKAGE / name / first.replace(".", "/")
            assert path.with_suffix(".py").exists() or path.is_dir(), f"{name}: {first}"


def test_the_architecture_names_every_room() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## Rooms")[2].partition("## Directions")[0]
    first_cells = "".join(line.split("|")[1] for line in page.splitlines() if line.count("|") > 2)
    assert set(re.findall(r"`(\w+)/`", first_cells)) == {*MAY, "cli"}


FINDING_FILES = {
    f"findings.{name}" for name in ("finding_store", "finding_lookup", "kept_findings", "damaged_findings")
}
"""The SQL of the file of findings beside a store."""


@pytest.mark.parametrize(
    ("library", "allowed"),
    [
        ("sqlite3", {"transcripts.store", *FINDING_FILES}),
        ("textual", {"app"}),
        ("sqlite_utils", {"transcripts.store"}),
        ("pydantic", {"imports", "figures.export"}),
        ("typer", {"cli"}),
        ("yaml", {"imports"}),
        ("jinja2", {"figures.report"}),
        ("markdown_it", {"figures.report"}),
        ("tomllib", {"basics"}),
        ("tomlkit", {"marks", "transcripts.desk", "basics"}),
        ("backports", {"imports"}),
        ("inspect_ai", {"benchmark.live"}),
        ("dotenv", {"benchmark.live"}),
        ("faker", {"benchmark.cuts"}),
        ("phonenumbers", {"transcripts.particulars"}),
    ],
)
def test_a_library_stays_in_its_room(library: str, allowed: set[str]) -> None:
    users = {dotted(path) for path in modules() if any(name.split(".")[0] == library for name in imported(path))}
    assert not [user for user in sorted(users) if not within(user, allowed)]


def test_nothing_private_of_a_library_is_imported() -> None:
    """Any version may take it away; only of Textual is one version pinned."""
    private = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules()
        for name in imported(path)
        if room(path) != "app" and re.search(r"\._(?!_)", name)
    ]
    assert not private


def test_nothing_imports_the_screens_but_the_command_line() -> None:
    users = {room(path) for path in modules() if "app" in rooms_of(path)}
    assert users <= {"app", "cli"}


# The features of the app, and which of them each may import when it runs; types are another matter.
APP_MAY: dict[str, set[str]] = {
    "keys": set(),
    "layout": set(),
    "shared": {"keys", "layout"},
    "queue": {"keys", "layout", "shared"},
    "marking": {"keys", "layout", "shared"},
    "reading": {"keys", "layout", "shared", "queue", "marking", "routes"},
    "compare": {"keys", "layout", "shared", "marking", "reading", "routes"},
    "grid": {"keys", "layout", "shared", "marking", "routes"},
    "board": {"keys", "layout", "shared", "marking", "grid", "routes"},
    "suggestions": {"keys", "layout", "shared", "marking", "reading"},
    "report": {"keys", "layout", "shared"},
    "routes": {"keys", "layout", "shared", "compare", "grid", "board", "suggestions", "report"},
    "app": {"keys", "layout", "shared", "reading"},
}


def runtime_imports(node: ast.AST) -> Iterator[str]:
    """Every module that is imported when something runs, inside functions too."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.If) and isinstance(each.test, ast.Name) and each.test.id == "TYPE_CHECKING":
            continue
        if isinstance(each, ast.ImportFrom) and each.module:
            names = [alias.name for alias in each.names]
            yield from (f"{each.module}.{name}" for name in names) if each.module == "reviewer.app" else [each.module]
        yield from runtime_imports(each)


def test_features_of_the_app_point_one_way() -> None:
    wrong = []
    for path in sorted((PACKAGE / "app").rglob("*.py")):
        own = path.relative_to(PACKAGE / "app").parts[0].removesuffix(".py")
        if own != "__init__":
            used = (name.split(".") for name in runtime_imports(ast.parse(path.read_text("utf-8"))))
            extra = {name[2] for name in used if name[:2] == ["reviewer", "app"]} - APP_MAY[own] - {own}
            wrong += [f"{path.relative_to(ROOT)} imports {name}" for name in sorted(extra)]
    assert not wrong


WIDGETS = (
    *("shared/line_widgets.py", "shared/scroll.py", "shared/sheet_widgets.py", "shared/prompt.py", "queue/list.py"),
    *("reading/transcript.py", "reading/tool_layer.py", "grid/grid.py", "board/standings.py"),
)


@pytest.mark.parametrize("name", WIDGETS)
def test_widgets_never_see_the_store_the_journal_or_the_session(name: str) -> None:
    used = runtime_imports(ast.parse((PACKAGE / "app" / name).read_text("utf-8")))
    hidden = {"reviewer.transcripts.store", "reviewer.transcripts.query", "reviewer.marks", "reviewer.findings"}
    assert not [module for module in used if within(module, hidden)], name


def test_functions_and_classes_stay_readable() -> None:
    """A function over 50 lines or a class over 30 methods is worth splitting."""
    long: list[str] = []
    for path in modules():
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > 50:
                    long.append(f"{path.relative_to(ROOT)}: {node.name} has {lines} lines")
            elif isinstance(node, ast.ClassDef):
                methods = sum(isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) for each in node.body)
                if methods > 30:
                    long.append(f"{path.relative_to(ROOT)}: class {node.name} has {methods} methods")
    assert not long


def test_nothing_is_bound_to_what_a_worker_runs() -> None:
    """Textual describes a worker by all that is bound to its function, on the key that starts it."""
    wrong = [
        f"{path.relative_to(ROOT)}: {ast.unparse(given)}"
        for path in modules()
        if room(path) == "app"
        for given in _bound_to_workers(path)
    ]
    assert not wrong


def _bound_to_workers(path: Path) -> Iterator[ast.expr]:
    """What a module hands to a worker that is a call itself, or the name of one."""
    workers = [
        node.args[0]
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "run_worker"
    ]
    bound = {
        ast.unparse(node.targets[0])
        for node in nodes(path)
        if workers and isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("partial(")
    }
    return (each for each in workers if isinstance(each, ast.Call) or ast.unparse(each) in bound)


def test_every_module_says_what_it_owns() -> None:
    bare = [
        str(path.relative_to(ROOT))
        for path in modules()
        if path.read_text("utf-8").strip() and not ast.get_docstring(tree(path))
    ]
    assert not bare
