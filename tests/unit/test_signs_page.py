"""docs/signs.md holds every sign, column, metric and table of figures, and nothing that does not exist."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from reviewer.basics.glyphs import GLYPHS
from reviewer.figures.export import table
from reviewer.figures.measure.metrics import BESIDE, METRICS
from reviewer.figures.measure.row_columns import COLUMNS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "signs.md"
REPORT = ROOT / "reviewer" / "figures" / "report"
PLAIN = ("·", "…", "–", "—")
"""Signs that are punctuation in sentences, too."""
NO_SIGNS = {"reviewer/app/queue/filter.py", "reviewer/app/layout/wrap.py"}
"""Where arrows name keys, or characters are told apart by their width."""


@cache
def tables() -> dict[str, list[list[str]]]:
    """The rows of every table on the page, by the headings of their columns; tables with the same ones together."""
    by_heading: dict[str, list[list[str]]] = {}
    lines = iter(PAGE.read_text("utf-8").splitlines())
    for line in lines:
        if line.startswith("| "):
            rows = by_heading.setdefault(" | ".join(_cells(line)), [])
            assert set(next(lines)) <= set("|-")
            for row in lines:
                if not row.startswith("| "):
                    break
                rows.append(_cells(row))
    return by_heading


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def named(heading: str) -> list[str]:
    """What the first column of a table names, without the quotes of code."""
    return [row[0].strip("`") for row in tables()[heading]]


def test_the_page_holds_every_sign_with_its_plain_twin() -> None:
    rows = tables()["sign | plain | name | what it says"]
    assert {name: (sign, plain) for sign, plain, name, _ in rows} == GLYPHS
    assert len(rows) == len(GLYPHS)
    assert all(meaning for *_, meaning in rows)


def test_signs_are_drawn_from_the_table() -> None:
    """A sign that stands as a literal where it is drawn would be missing on the page and in plain mode.

    The room of the keys draws none: it names keys, and explains signs.
    """
    signs = {sign for sign, _ in GLYPHS.values() if len(sign) == 1 and not sign.isascii()} - set(PLAIN)
    rooms = ("app", "figures", "transcripts/query", "marks/review", "findings", "cli", "benchmark/cuts")
    files = [path for room in rooms for path in (ROOT / "reviewer" / room).rglob("*.py")]
    paths = [path for path in files if path.parent.name not in ("keys", "reads")]  # names of keys, and patterns
    drawn = {
        f"{name}: {text}"
        for path in paths
        if (name := str(path.relative_to(ROOT))) not in NO_SIGNS
        for text in _texts(ast.parse(path.read_text("utf-8")))
        if signs.intersection(text)
    }
    assert not drawn


def _texts(tree: ast.Module) -> Iterator[str]:
    """Every text in a module but those that only explain it."""
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield node.value


def test_the_page_holds_every_column_of_the_queue() -> None:
    assert named("column | what it says")[: len(COLUMNS)] == list(COLUMNS)


def test_the_page_holds_every_column_of_a_table_of_tags() -> None:
    columns = [*table._COLUMNS, "note", *table._KEPT]
    assert sorted(named("column | what it holds")) == sorted(columns)


def test_golden_page_has_the_table_of_figures() -> None:
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition("<!-- figures -->\n")
    _, _, after = rest.partition("<!-- /figures -->")
    rows = [(f"`{each.name}`", each.short, each.meaning) for each in (*METRICS.values(), *BESIDE.values())]
    listed = [("figure", "on the board", "what was counted, of what"), ("---",) * 3, *rows]
    table = "\n".join(f"| {' | '.join(row)} |" for row in listed).replace("| --- | --- | --- |", "|---|---|---|")
    printed = f"{before}<!-- figures -->\n{table}\n<!-- /figures -->{after}"
    if os.environ.get("REVIEWER_GOLDEN") == "write":
        PAGE.write_text(printed, encoding="utf-8")
    assert text == printed


def test_the_page_holds_every_table_of_a_report() -> None:
    listed = named("table | what its rows are, and what was counted")
    assert sorted(listed) == sorted({name or "(card)" for name in report_tables()})


def test_the_page_holds_every_column_of_those_tables() -> None:
    written = set(named("column | what it says")[len(COLUMNS) :])
    metrics = {each.key.replace("_", "-") for each in METRICS.values()}
    assert report_columns() <= written <= report_columns() | metrics


def report_tables() -> set[str]:
    """The names of all tables of figures that reports print, as their calls give them; `…` for what varies."""
    trees = [ast.parse(path.read_text("utf-8")) for path in REPORT.glob("*.py")]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    names: set[str] = set()
    for function in functions:
        for call in _calls(function, "FigureTable"):
            name = call.args[0]
            if isinstance(name, ast.Name):
                names |= _given(function, name.id, functions)
            else:
                names.add(_literal(name))
    return names


def _given(function: ast.FunctionDef, parameter: str, functions: list[ast.FunctionDef]) -> set[str]:
    """What the callers of a function give for a parameter."""
    parameters = [each.arg for each in function.args.args]
    at = parameters.index(parameter)
    defaults = dict(zip(reversed(parameters), reversed(function.args.defaults), strict=False))
    names: set[str] = set()
    for caller in functions:
        for call in _calls(caller, function.name):
            value = call.args[at] if at < len(call.args) else defaults[parameter]
            if isinstance(value, ast.Name):
                names |= _looped(caller, value.id)
            else:
                names.add(_literal(value))
    return names


def _looped(function: ast.FunctionDef, name: str) -> set[str]:
    """What a name stands for in turn, where a loop goes over tuples of texts."""
    loops = [node for node in ast.walk(function) if isinstance(node, ast.For) and isinstance(node.target, ast.Tuple)]
    for loop in loops:
        targets = [each.id for each in loop.target.elts if isinstance(each, ast.Name)]  # type: ignore[attr-defined]
        if name in targets:
            return {each[targets.index(name)] for each in ast.literal_eval(loop.iter)}
    raise AssertionError(f"{function.name}: nobody can say what {name} is; name the table by a text")


def _literal(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_literal(each) if isinstance(each, ast.Constant) else "…" for each in node.values)
    assert isinstance(node, ast.Constant), ast.unparse(node)
    return str(node.value)


def _calls(function: ast.FunctionDef, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == name:
            yield node


def report_columns() -> set[str]:
    """The headings of the columns of those tables."""
    headings: set[str] = set()
    for path in REPORT.glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        if not any(isinstance(node, ast.Call) and ast.unparse(node.func) == "FigureTable" for node in ast.walk(tree)):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AugAssign):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if ast.unparse(target).strip("_").lower() == "columns":
                    headings |= set(_headings(node.value))
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "FigureTable" and len(node.args) > 3:
                headings |= set(_headings(node.args[3]))
    return headings


def _headings(node: ast.AST) -> Iterator[str]:
    """The second of each pair of texts."""
    for each in ast.walk(node):
        pair = each.elts if isinstance(each, ast.Tuple) else []
        if len(pair) == 2 and all(isinstance(text, ast.Constant | ast.JoinedStr) for text in pair):
            yield _literal(pair[1])


@pytest.mark.parametrize("heading", ["sign | plain | name | what it says", "column | what it holds"])
def test_nothing_is_listed_twice(heading: str) -> None:
    rows = [tuple(row) for row in tables()[heading]]
    assert len(rows) == len(set(rows))


def test_the_readme_leads_there() -> None:
    assert "(docs/signs.md)" in (ROOT / "README.md").read_text("utf-8")
