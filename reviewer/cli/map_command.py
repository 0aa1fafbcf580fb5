"""`reviewer map`: draft a map of a table, and show its first conversation as it would come in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.basics.shell import shell_line
from reviewer.cli.output import say, say_in_file, say_text

if TYPE_CHECKING:
    from reviewer.imports.maps.draft import Draft, Glimpse
    from reviewer.imports.source import Source
    from reviewer.transcripts.model import Message

_MESSAGES = 12
_CHARACTERS = 160
_FEW = 5


def map_(
    file: Annotated[
        Path | None, typer.Argument(help="CSV, JSON, JSON Lines, Parquet or SQLite.", show_default=False)
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write the map to this file.")] = None,
    by: Annotated[str | None, typer.Option("--map", help="Draft none; show what this map makes of the file.")] = None,
    table: Annotated[str | None, typer.Option("--table", help="The table of a SQLite file.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the maps that come with the program.")] = False,
) -> None:
    """Draft a map of a table, for import --map.

    Shows the first conversation as it would come in.
    """
    from reviewer.basics.errors import ReviewerError
    from reviewer.imports.maps import draft, mapkeys
    from reviewer.imports.source import Source

    if listed:
        for name in mapkeys.shipped():
            say(f"{name}: {mapkeys.load(name).title}")
        return
    if file is None:
        raise ReviewerError("Say which file.", "The maps that come with the program: reviewer map --list")
    if not file.is_file():
        raise ReviewerError(f"There is no file {file}.", "Check the name.")
    source = Source(file, file.name, alone=True)
    if by is not None:
        _show(draft.glimpse(source, mapkeys.load(by)), "")
        return
    made = draft.draft(source, table)
    source.release()
    seen, reason = _seen(source, made)
    notes = made.notes or ((reason,) if reason else ())
    if output is None:
        say_text(made.text)
        mark = "# "
    else:
        say_in_file(output, made.text)
        mark = ""
    if seen is not None:
        _show(seen, mark)
    for note in notes:
        say(f"{mark}- {note}")
    if output is not None:
        by_it = shell_line(["reviewer", "import", file, "--map", output])
        say(f"The map is in {output}. Correct it there, then: {by_it}")


def _seen(source: Source, made: Draft) -> tuple[Glimpse | None, str]:
    """The first conversation by a draft, or why there is none."""
    from reviewer.basics.errors import SourceError
    from reviewer.imports.maps import draft

    try:
        return draft.glimpse(source, draft.parsed(made, "the draft")), ""
    except SourceError as error:
        return None, str(error)


def _show(seen: Glimpse, mark: str) -> None:
    """Print the first conversation, a message a line."""
    it = seen.conversation
    if it is None:
        say(f"{mark}No conversation comes of the first rows.")
    else:
        about = [
            f"id {it.id}" if it.id else "",
            f"model {it.model}" if it.model else "",
            f"case {it.case}" if it.case else "",
            f"run {it.run}" if it.case and it.run is not None else "",
            f"{len(it.messages):,} messages",
        ]
        about += [f"{score.scorer} {score.value if score.raw is None else score.raw}" for score in it.scores]
        about += [f"{name}: {value}" for name, value in (it.meta or {}).items()]
        more = "" if seen.whole else " in the first rows"
        say(f"{mark}The first conversation{more} ({', '.join(_short(each) for each in about if each)}):")
        for message in it.messages[:_MESSAGES]:
            for line in _lines(message):
                say(f"{mark}  {line}")
        if len(it.messages) > _MESSAGES:
            say(f"{mark}  … and {len(it.messages) - _MESSAGES:,} more messages")
    for bad in seen.bad[:_FEW]:
        say(f"{mark}rejected, {bad.position}: {bad.reason}")
    if len(seen.bad) > _FEW:
        say(f"{mark}… and {len(seen.bad) - _FEW:,} more rejected of the first rows")


def _lines(message: Message) -> list[str]:
    called = [
        f"          calls {_short(call.name)}({_short(call.arguments or '')}) = {_short(call.result or '?')}"
        for call in message.calls
    ]
    return [f"{message.role:<9} {_short(message.text)}".rstrip(), *called]


def _short(text: str) -> str:
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]}…"
