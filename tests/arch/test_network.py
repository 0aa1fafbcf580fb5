"""Nothing leaves the machine but by the room that asks models: no other module can reach a network."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.arch.code_base import PACKAGE, ROOT, nodes

DOCS = ROOT / "docs"
NETWORK = {
    *("socket", "ssl", "http", "urllib.request", "ftplib", "smtplib", "imaplib", "poplib", "telnetlib", "xmlrpc"),
    *("requests", "httpx", "aiohttp", "urllib3", "websockets", "openai", "inspect_ai", "webbrowser", "socketserver"),
}
ASKING = "reviewer/benchmark/live/"


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, inside its functions too."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def reaching(path: Path) -> list[str]:
    return [name for name in imported(path) if any(f"{name}.".startswith(f"{each}.") for each in NETWORK)]


def test_only_the_room_that_asks_models_can_reach_a_network() -> None:
    found = {path.relative_to(ROOT).as_posix(): reaching(path) for path in sorted(PACKAGE.rglob("*.py"))}
    told = {name: names for name, names in found.items() if names}
    assert any(name.startswith(ASKING) for name in told)  # the test can tell
    assert [name for name in told if not name.startswith(ASKING)] == []


def test_every_promise_names_tests_that_there_are() -> None:
    page = (DOCS / "trust.md").read_text(encoding="utf-8")
    named = re.findall(r"\]\(([^)#]+)\)", page)
    assert len([each for each in named if "tests/" in each]) > 20
    assert [each for each in named if not (DOCS / each).is_file()] == []
    rows = [line for line in page.splitlines() if line.startswith("| **")]
    assert len(rows) > 10
    assert [row for row in rows if "../tests/" not in row] == []
