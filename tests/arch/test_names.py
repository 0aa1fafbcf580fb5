"""Names say what a thing is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arch.code_base import PACKAGE, ROOT, modules, nodes

NOUNS = {"setting", "ending", "finding", "listing", "reply", "tally"}
"""Words that end like a verb or an adverb and are nouns."""

IN_THE_GLOSSARY = {"Stored"}
"""Classes called by a word that is no noun and that the glossary explains."""


def _names_in(path: Path) -> Iterator[tuple[str, int]]:
    """Every name that is given or used, and its line."""
    for node in nodes(path):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno


def _classes() -> Iterator[tuple[Path, ast.ClassDef]]:
    for path in modules():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                yield path, node


def test_nothing_is_called_found_that_has_a_name() -> None:
    """What was found is a conversation, a hit, a span: it is called so."""
    places = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in modules()
        for name, line in _names_in(path)
        if name.lower().strip("_") == "found"
    ]
    assert not places


def test_modules_are_called_by_nouns() -> None:
    """A module says what is inside, not what is done there or how."""
    assert not [path for path in modules() if path.stem.endswith(("ing", "ly")) and path.stem not in NOUNS]


def test_classes_are_called_by_nouns() -> None:
    """A class says what it is; only a message, which tells what happened, may end like a participle."""
    wrong = {
        node.name: path
        for path, node in _classes()
        if not _is_noun(node.name) and not (node.name.endswith("ed") and _is_message(node))
    }
    assert not [f"{path.relative_to(PACKAGE)}: {name}" for name, path in wrong.items() if name not in IN_THE_GLOSSARY]
    done = IN_THE_GLOSSARY - wrong.keys()
    assert not done, f"take {sorted(done)} out of IN_THE_GLOSSARY"
    glossary = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert all(f"*{name.lower()}*" in glossary for name in IN_THE_GLOSSARY)


def _is_noun(name: str) -> bool:
    last = re.findall(r"[A-Z]?[a-z0-9]+", name)[-1].lower()
    return last in NOUNS or not last.endswith(("ing", "ly", "ed"))


def _is_message(node: ast.ClassDef) -> bool:
    return any(isinstance(base, ast.Name) and base.id == "Message" for base in node.bases)


DECISIONS = [path.name for path in (ROOT / "docs" / "decisions").glob("*.md")]
PLACES = re.compile(r"`([\w/]+\.py|\w+\.\w+)[`(]")
"""What the pages for developers name: files, and what stands in a room."""


@pytest.mark.parametrize(
    "page", ["docs/architecture.md", "CONTRIBUTING.md", *(f"docs/decisions/{n}" for n in sorted(DECISIONS))]
)
def test_pages_for_developers_name_what_is_there(page: str) -> None:
    gone = [name for name in PLACES.findall((ROOT / page).read_text("utf-8")) if not _is_there(name)]
    assert not gone


def _is_there(name: str) -> bool:
    if name.endswith(".py"):
        return (ROOT / name).exists() or any(str(path).endswith(f"/{name}") for path in PACKAGE.rglob("*.py"))
    where, what = name.split(".")
    holders = [path for folder in PACKAGE.rglob(where) if folder.is_dir() for path in folder.glob("*.py")]
    holders = holders or list(PACKAGE.rglob(f"{where}.py"))
    named = re.compile(rf"\b{what}\b")
    return not holders or any(path.stem == what or named.search(path.read_text("utf-8")) for path in holders)
