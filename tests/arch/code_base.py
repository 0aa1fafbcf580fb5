"""The modules of the package, each read and parsed once for all tests of the architecture."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "reviewer"


@cache
def modules() -> list[Path]:
    """Every module of the package, without its data."""
    return sorted(path for path in PACKAGE.rglob("*.py") if "_data" not in path.parts)


@cache
def tree(path: Path) -> ast.Module:
    """A module, parsed."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Every node of a module, from the outside in."""
    return list(ast.walk(tree(path)))
