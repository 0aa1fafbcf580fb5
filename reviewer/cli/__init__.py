"""The command line: arguments in, one call, words out. Heavy imports stand inside the functions.

This module composes the commands and is one of the two edges where a `ReviewerError` becomes words. Each command's
module stays light, because all of them load for `--help`.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer
from typer._click.exceptions import ClickException  # typer carries its own click and exports only some of it

from reviewer import __version__
from reviewer.cli import attaching, check, codebook, export, importing, listing, queries, search, tags, upkeep
from reviewer.cli import help as pages
from reviewer.cli.board import board
from reviewer.cli.open import open_
from reviewer.cli.sample import sample
from reviewer.errors import QueryError, ReviewerError

_STOPPED = 130

app = typer.Typer(
    name="reviewer",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"reviewer {__version__}")
        raise typer.Exit


@app.callback()
def root(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Read support-agent transcripts message by message, beside the tool calls, and tag what went wrong."""


app.command("open", cls=queries.QueryCommand)(open_)
app.command("import")(importing.import_)
app.command("schema")(importing.schema)
app.command("info")(listing.info)
app.command("list", cls=queries.QueryCommand)(listing.list_)
app.command("show")(listing.show)
app.command("board", cls=queries.QueryCommand)(board)
app.command("sample")(sample)
app.command("search", cls=queries.QueryCommand)(search.search)
app.command("help")(pages.help_)
app.command("attach")(attaching.attach)
app.command("desk")(attaching.desk)
app.command("remove", cls=queries.QueryCommand)(attaching.remove)
app.command("imports")(attaching.imports)
app.command("upgrade")(upkeep.upgrade)
app.command("init")(codebook.init)
app.add_typer(codebook.app, name="codebook")
app.command("tag")(tags.tag)
app.command("untag")(tags.untag)
app.command("tags", cls=queries.QueryCommand)(tags.tags)
app.command("verdict")(tags.verdict)
app.command("reviewed")(tags.reviewed)
app.command("check")(check.check)
app.command("export", cls=queries.QueryCommand)(export.export)


def main() -> None:
    """Run the program; what a person should read goes to stderr as one sentence, never as a traceback."""
    sys.exit(_run())


def _run() -> int:
    try:
        code = int(app(standalone_mode=False) or 0)
        if code == _STOPPED:  # what typer makes of Ctrl-C, without a word
            typer.echo("reviewer: stopped.", err=True)
        return code
    except ClickException as error:
        error.show()
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        typer.echo("reviewer: stopped.", err=True)
        return _STOPPED
    except ReviewerError as error:
        typer.echo(f"reviewer: {_plain(error.message)}", err=True)
        if isinstance(error, QueryError) and error.position is not None:
            for line in pages.pointed(error.text, error.position):
                typer.echo(f"    {line}", err=True)
        if error.hint:
            typer.echo(f"  {_plain(error.hint)}", err=True)
        return error.exit_code
    except BrokenPipeError:
        # Whoever read our output has gone; writing the rest to nowhere keeps Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _plain(text: str) -> str:
    from reviewer.clean import printable_line

    return printable_line(text)
