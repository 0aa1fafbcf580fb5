"""Names say what a thing is: what a stranger could not guess is no name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.arch.test_directions import PACKAGE, modules, room

FOUND_STAYS = {"annotations", "cli", "export", "measure", "session", "ui"}
"""Rooms in which a thing may still be called `found`; each leaves this set once it is done."""


def _names_in(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every name that is given or used, and its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno


def test_nothing_is_called_found_that_has_a_name() -> None:
    """What was found is a conversation, a hit, a span: it is called so."""
    vague = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in modules()
        if room(path) not in FOUND_STAYS
        for name, line in _names_in(ast.parse(path.read_text("utf-8")))
        if name.lower().strip("_") == "found"
    ]
    assert not vague


def test_rooms_that_are_rid_of_found_stay_so() -> None:
    vague = {
        room(path)
        for path in modules()
        if any(name.lower().strip("_") == "found" for name, _ in _names_in(ast.parse(path.read_text("utf-8"))))
    }
    assert vague >= FOUND_STAYS, f"take {sorted(FOUND_STAYS - vague)} out of FOUND_STAYS: nothing is called so there"
