"""Everything that a command prints or asks goes through one module, which makes it printable."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from pathlib import Path

import pytest

from reviewer.cli import output
from reviewer.cli.progress import ShareProgress
from tests import hostile
from tests.arch.code_base import PACKAGE, modules, nodes

PRINTING = {"echo", "secho", "echo_via_pager", "confirm", "prompt", "style", "launch", "progressbar"}
"""What typer prints and asks with."""
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
OUTPUT, EXPORTED = Path("cli/output.py"), Path("cli/output_file.py")


def printers(code: Iterable[ast.AST]) -> Iterator[int]:
    """The lines that print or ask by any other way than the functions of the one module."""
    for node in code:
        match node:
            case ast.Call(func=ast.Name(id="print" | "input")):
                yield node.lineno
            case ast.Attribute(value=ast.Name(id="typer" | "click"), attr=attr) if attr in PRINTING:
                yield node.lineno
            case ast.ImportFrom(module="typer" | "click", names=names) if PRINTING & {each.name for each in names}:
                yield node.lineno
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id="sys"), attr=stream), attr=attr) if (
                stream in STREAMS and attr in {"write", "writelines", "buffer"}
            ):
                yield node.lineno


def test_only_one_module_prints_and_asks() -> None:
    places = {
        (str(path.relative_to(PACKAGE)), line)
        for path in modules()
        if path.relative_to(PACKAGE) != OUTPUT
        for line in printers(nodes(path))
    }
    screen = {name for name, _ in places if name == "cli/open.py"}  # what the app is painted through
    assert {name for name, _ in places} == screen, places
    assert len(places) <= 1


@pytest.mark.parametrize(
    "code",
    [
        "print(1)", "typer.echo(1)", "typer.confirm(1)", "from typer import echo", "import sys\nsys.stdout.write('')",
        "x = input()", "say = typer.echo", "click.secho(1)",
    ],
)  # fmt: skip
def test_each_way_of_printing_is_seen(code: str) -> None:
    assert list(printers(ast.walk(ast.parse(code))))


def test_only_exports_are_printed_as_they_are() -> None:
    uses = {
        path.relative_to(PACKAGE)
        for path in modules()
        for node in nodes(path)
        if isinstance(node, ast.Name) and node.id == output.print_escaped.__name__
    }
    assert uses == {EXPORTED}


def _asked(text: str) -> None:
    with pytest.raises(KeyboardInterrupt):  # nobody answers
        output.confirmed(text)


def _in_progress(text: str) -> None:
    progress = ShareProgress(text)
    progress._next = 0
    progress.beat()


@pytest.mark.parametrize(
    "printed",
    [
        output.say,
        lambda text: output.say(text, err=True),
        output.say_text,
        lambda text: output.say_hit(text, text, text),
        output.say_json,
        lambda text: output.say_json({text: [text]}, indent=2),
        _asked,
        _in_progress,
    ],
)
def test_what_is_printed_or_asked_is_printable(
    printed: Callable[[str], object], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO())
    printed(hostile.EVIL)
    shown = "".join(capsys.readouterr())
    assert "red" in shown
    assert not hostile.HIDDEN.search(shown), shown
