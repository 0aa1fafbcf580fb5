"""The program made of its commands, and one of the two edges where a `ReviewerError` becomes words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Annotated

import typer
from typer.core import TyperCommand
from typer.exceptions import TyperException

from reviewer import __version__
from reviewer.basics.errors import QueryError, ReviewerError
from reviewer.cli import COMMANDS
from reviewer.cli.output import say, say_text

_STOPPED = 130


def _print_version(asked: bool) -> None:
    if asked:
        say(f"reviewer {__version__}")
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


def run() -> int:
    """Run the program and return its exit code."""
    try:
        words = sys.argv[1:]
        program = composed(_asked(words), listed=words in (["-h"], ["--help"], ["--version"]))
        code = program(prog_name="reviewer", standalone_mode=False)
        return _stopped() if code == _STOPPED else code or 0  # what typer makes of Ctrl-C, without a word
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except TyperException as error:
        return _misused(error)
    except KeyboardInterrupt:
        return _stopped()
    except ReviewerError as error:
        return _told(error)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"reviewer: {where}{error.strerror or error}.", err=True)
        return ReviewerError.exit_code
    except UnicodeEncodeError as error:
        if error.encoding.startswith("utf"):
            raise
        name = Path(error.object).name
        say(f"reviewer: This locale ({error.encoding}) has no file name “{name}”.", err=True)
        say("  Set PYTHONUTF8=1, or a locale of UTF-8, and do it again.", err=True)
        return ReviewerError.exit_code
    except MemoryError:
        say("reviewer: This machine's memory does not suffice for that.", err=True)
        return ReviewerError.exit_code
    except Exception as error:
        from reviewer.findings.damaged_findings import damaged_findings
        from reviewer.transcripts.store.soundness import reason

        because = reason(error, damaged_findings)
        if because is None:
            raise
        return _told(because)


def _misused(error: TyperException) -> int:
    """Say what typer finds wrong with the words themselves; returns the exit code."""
    if not (hasattr(error, "show") and hasattr(error, "exit_code")):
        return _stopped()  # somebody ended a question
    words = StringIO()
    error.show(words)
    say_text(words.getvalue(), err=True)
    return int(error.exit_code)


def _stopped() -> int:
    """Say so; returns the exit code."""
    # Python ends `python -m` as if it were killed once a Ctrl-C came in the middle of a text that is executed, as every
    # dataclass is made by one; another such text makes it forget.
    exec("")  # noqa: S102 -- nothing is in it
    say("reviewer: stopped.", err=True)
    return _STOPPED


def _told(error: ReviewerError) -> int:
    """Say what went wrong and what to do about it; returns the exit code."""
    say(f"reviewer: {error.message}", err=True)
    if isinstance(error, QueryError) and error.position is not None:
        from reviewer.cli.help import pointed

        for line in pointed(error.text, error.position):
            say(f"    {line}", err=True)
    if error.hint:
        say(f"  {error.hint}", err=True)
    return error.exit_code
