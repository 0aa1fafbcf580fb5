"""The command line: arguments in, one call, words out. Heavy imports stand inside the functions.

This module composes the commands and is one of the two edges where a `ReviewerError` becomes words. A command loads
its own module alone; `--help` loads all of them, so each stays light.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Annotated, NamedTuple

import typer
from typer.core import TyperCommand

from reviewer import __version__
from reviewer.cli.output import say
from reviewer.errors import QueryError, ReviewerError

_STOPPED = 130


class Command(NamedTuple):
    """The place of a command: its module under `reviewer.cli`, its function, whether it takes a query."""

    module: str
    function: str
    queries: bool = False


# In the order of `reviewer --help`, which prints groups last.
COMMANDS = {
    "open": Command("open", "open_", True),
    "import": Command("import_command", "import_"),
    "map": Command("map_command", "map_"),
    "schema": Command("import_command", "schema"),
    "info": Command("list_command", "info"),
    "list": Command("list_command", "list_", True),
    "show": Command("list_command", "show"),
    "board": Command("board_command", "board", True),
    "run": Command("run_command", "run"),
    "judge": Command("judge_command", "judge", True),
    "sample": Command("sample", "sample"),
    "search": Command("search", "search", True),
    "help": Command("help", "help_"),
    "attach": Command("attach_command", "attach"),
    "desk": Command("attach_command", "desk"),
    "remove": Command("attach_command", "remove", True),
    "imports": Command("attach_command", "imports"),
    "upgrade": Command("upkeep", "upgrade"),
    "init": Command("codebook_command", "init"),
    "tag": Command("tags", "tag"),
    "untag": Command("tags", "untag"),
    "tags": Command("tags", "tags", True),
    "verdict": Command("tags", "verdict"),
    "reviewed": Command("tags", "reviewed"),
    "check": Command("check", "check"),
    "scan": Command("findings_command", "scan", True),
    "findings": Command("findings_command", "findings", True),
    "reads": Command("findings_command", "reads_"),
    "export": Command("export", "export", True),
    "codebook": Command("codebook_command", "app"),
}


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"reviewer {__version__}")
        raise typer.Exit


def root(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Read support-agent transcripts message by message, beside the tool calls, and tag what went wrong."""


def composed(names: Iterable[str] = COMMANDS, listed: bool = False) -> typer.Typer:
    """Build the program with these commands, and load no others; where they are only listed, without their options."""
    app = typer.Typer(
        name="reviewer",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(root)
    for name in names:
        command = COMMANDS[name]
        entry = getattr(import_module(f"reviewer.cli.{command.module}"), command.function)
        if isinstance(entry, typer.Typer):
            app.add_typer(entry, name=name)
        else:
            app.command(name, cls=_query_command() if command.queries else None)(_named(entry) if listed else entry)
    return app


def _named(command: Callable[..., object]) -> Callable[[], None]:
    """A command without its options, whose making takes longer than all the rest of `--help`."""

    def nothing() -> None:
        pass

    nothing.__doc__ = command.__doc__
    return nothing


def _query_command() -> type[TyperCommand]:
    from reviewer.cli.queries import QueryCommand

    return QueryCommand


def _asked(words: Sequence[str]) -> Iterable[str]:
    """The one command that the words name, so that it starts without loading the others; else all."""
    first = next(iter(words), "")
    return [first] if first in COMMANDS and first != "help" else COMMANDS


def main() -> None:
    """Run the program; what a person should read goes to stderr as one sentence, never as a traceback."""
    sys.exit(_run())


def _run() -> int:
    """The exit code. Typer prints what is wrong with the words themselves, and ends the program in any case."""
    try:
        words = sys.argv[1:]
        composed(_asked(words), listed=words in (["-h"], ["--help"], ["--version"]))(prog_name="reviewer")
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 0
        if code == _STOPPED:  # what typer makes of Ctrl-C, without a word
            typer.echo("reviewer: stopped.", err=True)
        return code
    except KeyboardInterrupt:
        typer.echo("reviewer: stopped.", err=True)
        return _STOPPED
    except ReviewerError as error:
        say(f"reviewer: {error.message}", err=True)
        if isinstance(error, QueryError) and error.position is not None:
            from reviewer.cli.help import pointed

            for line in pointed(error.text, error.position):
                typer.echo(f"    {line}", err=True)
        if error.hint:
            say(f"  {error.hint}", err=True)
        return error.exit_code
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"reviewer: {where}{error.strerror or error}.", err=True)
        return ReviewerError.exit_code
    except MemoryError:
        typer.echo("reviewer: This machine's memory does not suffice for that.", err=True)
        return ReviewerError.exit_code
    return 0
