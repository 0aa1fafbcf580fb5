"""Imports point one way: what each room may know is written here, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.arch.code_base import PACKAGE, ROOT, modules, nodes, tree

VALUES = {"model", "errors", "refs", "digests", "values"}
PURE = VALUES | {"text", "resources", "prices"}

# Room -> rooms it may import. `cli` may import anything and is left out; nothing may import `ui` but `cli`.
MAY: dict[str, set[str]] = {
    "errors": set(),
    "values": set(),
    "model": {"refs", "values"},
    "resources": set(),
    "prices": {"errors", "model", "resources", "text", "values"},
    "disk": set(),
    "collector": set(),
    "text": {"values"},
    "digests": {"model"},
    "refs": {"errors", "values"},
    "conversation_json": {"model"},
    "desk": PURE,
    "keys": {"errors", "text"},
    "layout": PURE,
    "query": PURE,
    "reads": VALUES | {"text", "desk"},
    "store": PURE | {"query", "desk"},
    "ingest": PURE | {"store", "desk", "conversation_json"},
    "northline": PURE | {"desk", "store"},
    "benchmark": PURE | {"desk"},
    "run": PURE
    | {"annotations", "benchmark", "conversation_json", "desk", "ingest", "northline", "query", "reads", "session"}
    | {"store"},
    "particulars": PURE | {"desk"},
    "cuts": PURE | {"desk", "particulars", "run"},
    "measure": PURE | {"desk", "store", "query"},
    "annotations": PURE | {"collector", "desk", "disk", "keys", "query"},
    "session": PURE | {"annotations", "desk", "keys", "query", "reads", "store"},
    "export": PURE | {"annotations", "desk", "conversation_json", "layout", "measure", "particulars", "query", "store"},
    "report": PURE | {"annotations", "collector", "desk", "export", "layout", "measure", "query", "store"},
    "ui": PURE
    | {
        "annotations",
        "desk",
        "disk",
        "export",
        "keys",
        "layout",
        "measure",
        "query",
        "reads",
        "report",
        "session",
        "store",
    },
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
            yield node.module
            if node.module == "reviewer":
                yield from (f"reviewer.{alias.name}" for alias in node.names)


def rooms_of(path: Path) -> set[str]:
    parts = (name.split(".") for name in imported(path) if name.startswith("reviewer."))
    return {each[1] for each in parts}


def test_imports_point_one_way() -> None:
    wrong: list[str] = []
    for path in modules():
        own = room(path)
        if own in ("cli", "__init__", "__main__"):
            continue
        assert own in MAY, f"{own} is a new room: say in tests/arch and docs/architecture.md what it may import"
        extra = rooms_of(path) - MAY[own] - {own, "__init__", "__version__"}
        if extra:
            wrong.append(f"{path.relative_to(ROOT)} must not import {sorted(extra)}")
    assert not wrong


def test_the_architecture_names_every_room() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## Rooms")[2].partition("## Directions")[0]
    told = "".join(line.split("|")[1] for line in page.splitlines() if line.count("|") > 2)
    named = {name.strip("/").removesuffix(".py") for name in re.findall(r"`([\w./]+)`", told)}
    assert named == {room(path) for path in modules()} - {"__init__", "__main__"}


@pytest.mark.parametrize(
    ("library", "allowed"),
    [
        ("sqlite3", {"store"}),
        ("textual", {"ui"}),
        ("sqlite_utils", {"store"}),
        ("pydantic", {"ingest", "export"}),
        ("typer", {"cli"}),
        ("yaml", {"ingest"}),
        ("jinja2", {"report"}),
        ("markdown_it", {"report"}),
        ("tomllib", {"text"}),
        ("tomlkit", {"annotations", "desk", "text"}),
        ("backports", {"ingest"}),
        ("inspect_ai", {"run"}),
        ("dotenv", {"run"}),
        ("faker", {"cuts"}),
        ("phonenumbers", {"particulars"}),
    ],
)
def test_a_library_stays_in_its_room(library: str, allowed: set[str]) -> None:
    users = {room(path) for path in modules() if any(name.split(".")[0] == library for name in imported(path))}
    assert users <= allowed


def test_nothing_private_of_a_library_is_imported() -> None:
    """Any version may take it away; only of Textual is one version pinned."""
    private = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules()
        for name in imported(path)
        if room(path) != "ui" and re.search(r"\._(?!_)", name)
    ]
    assert not private


def test_nothing_imports_the_screens_but_the_command_line() -> None:
    users = {room(path) for path in modules() if "ui" in rooms_of(path)}
    assert users <= {"ui", "cli"}


# The rooms of the ui, and which of them each may import; types are another matter.
UI_MAY: dict[str, set[str]] = {
    "shared": set(),
    "queue": {"shared"},
    "marking": {"shared"},
    "reading": {"shared", "queue", "marking", "routes"},
    "compare": {"shared", "marking", "reading", "routes"},
    "grid": {"shared", "marking", "routes"},
    "board": {"shared", "marking", "grid", "routes"},
    "suggestions": {"shared", "marking", "reading"},
    "report": {"shared"},
    "routes": {"shared", "compare", "grid", "board", "suggestions", "report"},
    "app": {"shared", "reading"},
}


def runtime_imports(node: ast.AST) -> Iterator[str]:
    """Every module that is imported when something runs, inside functions too."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.If) and isinstance(each.test, ast.Name) and each.test.id == "TYPE_CHECKING":
            continue
        if isinstance(each, ast.ImportFrom) and each.module:
            names = [alias.name for alias in each.names]
            yield from (f"{each.module}.{name}" for name in names) if each.module == "reviewer.ui" else [each.module]
        yield from runtime_imports(each)


def test_rooms_of_the_ui_point_one_way() -> None:
    wrong: list[str] = []
    for path in sorted((PACKAGE / "ui").rglob("*.py")):
        own = path.relative_to(PACKAGE / "ui").parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        used = (name.split(".") for name in runtime_imports(tree(path)))
        extra = {each[2] for each in used if each[:2] == ["reviewer", "ui"]} - UI_MAY[own] - {own}
        if extra:
            wrong.append(f"{path.relative_to(ROOT)} must not import {sorted(extra)}")
    assert not wrong


WIDGETS = (
    *("shared/line_widgets.py", "shared/scroll.py", "shared/sheet_widgets.py", "shared/prompt.py", "queue/list.py"),
    *("reading/transcript.py", "reading/tool_layer.py", "grid/grid.py", "board/standings.py"),
)


@pytest.mark.parametrize("name", WIDGETS)
def test_widgets_never_see_the_store_the_journal_or_the_session(name: str) -> None:
    used = runtime_imports(tree(PACKAGE / "ui" / name))
    rooms = {each.split(".")[1] for each in used if each.startswith("reviewer.")}
    assert not rooms & {"store", "annotations", "session", "query"}, name


def test_files_and_functions_stay_readable() -> None:
    """A file over 400 lines, a function over 50 or a class over 30 methods is worth splitting."""
    long: list[str] = []
    for path in modules():
        count = path.read_bytes().count(b"\n")
        if count > 400:
            long.append(f"{path.relative_to(ROOT)}: {count} lines")
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
        if room(path) == "ui"
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
