"""`reviewer help`: pages that are too long for `--help`, and the mark under the place where a query went wrong."""

from __future__ import annotations

from typing import Annotated

import typer

from reviewer.cli.output import say, say_text

_AROUND = 60


def help_(
    context: typer.Context,
    topic: Annotated[str, typer.Argument(help="query, keys, or the name of a command.", show_default=False)] = "",
) -> None:
    """Explain the query language, the keys, or a command."""
    from reviewer.basics.errors import ReviewerError
    from reviewer.transcripts.query import documentation

    if topic == "keys":
        from reviewer.app.keys.key_table import plain_table
        from reviewer.app.keys.keymap import KeysError, load, usual_path

        path = usual_path()
        try:
            say_text(plain_table(load(path)))
        except KeysError as error:
            say_text(plain_table())
            say(str(error), err=True)
        say("")
        say(f"To use other keys, write them in {path}:")
        say_text('\n    [keys]\n    "find" = ["/", "ctrl+f"]')
        return
    if topic == "query":
        say_text(documentation.text())
        return
    program = context.find_root()
    commands = getattr(program.command, "commands", {})
    if topic and topic not in commands:
        raise ReviewerError(
            f"There is no page about “{topic}”.", "There is one about query, one about keys, and one for each command."
        )
    if topic:
        command = commands[topic]
        with typer.Context(command, info_name=topic, parent=program) as own:
            say_text(command.get_help(own))
    else:
        say_text(program.get_help())
        say_text("\nThe query language: reviewer help query\nThe keys of `reviewer open`: reviewer help keys")


def pointed(query: str, position: int) -> tuple[str, str]:
    """The query around a position, and a caret that stands right below it on a terminal."""
    from unicodedata import east_asian_width

    from reviewer.basics.clean import printable_line

    start = max(0, position - _AROUND)
    before = ("…" if start else "") + printable_line(query[start:position])
    after = printable_line(query[position : position + _AROUND])
    width = sum(2 if east_asian_width(character) in "WF" else 1 for character in before)
    return before + after, " " * width + "^"
