"""Every command that the program prints for somebody to type has its words quoted for a shell."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

import pytest

from reviewer.cli import COMMANDS
from tests.arch.code_base import PACKAGE, modules, nodes

BEGINS = re.compile(rf"(?<!How )reviewer (?:{'|'.join(COMMANDS)})\b|\bpip install\b|-m pytest\b")
ENDS = re.compile(r"[.:;`)](?:\s|$)|,\s")
QUOTED = {"shell_word", "shell_line"}


def unquoted(code: Collection[ast.AST]) -> Iterator[int]:
    """The lines of commands with a value in them that is not quoted."""
    quoted = {
        target.id
        for node in code
        if isinstance(node, ast.Assign) and _is_quoted(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in code:
        if not isinstance(node, ast.JoinedStr):
            continue
        text = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value)
            elif isinstance(part, ast.FormattedValue):
                begun = list(BEGINS.finditer(text))
                named = isinstance(part.value, ast.Name) and part.value.id in quoted
                within = begun and text.endswith((" ", "=")) and not ENDS.search(text, begun[-1].end())
                if within and not named and not _is_quoted(part.value):
                    yield node.lineno
                text += "X"


def _is_quoted(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in QUOTED


def test_every_command_that_is_printed_is_quoted() -> None:
    places = [f"{path.relative_to(PACKAGE)}:{line}" for path in modules() for line in unquoted(nodes(path))]
    assert not places


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ('f"See: reviewer list {store}"', [1]),
        ('f"See: reviewer list {shell_word(store)}"', []),
        ('f"reviewer map {shell_word(file)} -o {output}"', [1]),
        ('said = shell_word(folder)\nf"reviewer run {said} --model M"', []),
        ('f"{store} has no import. See: reviewer imports, and {store}"', []),
    ],
)
def test_a_command_that_is_not_quoted_is_seen(code: str, lines: list[int]) -> None:
    assert list(unquoted(list(ast.walk(ast.parse(code))))) == lines
