"""`reviewer export`: what reviewers marked, in the form that somebody else reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.cli.listing import Store
from reviewer.cli.queries import Annotations, Words, joined

if TYPE_CHECKING:
    from reviewer.export.gathering import Gathering
    from reviewer.store.reader import Reader

FORMATS = ("md", "jsonl")


def export(
    store: Store,
    query: Words = None,
    format: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "md",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
    context: Annotated[int, typer.Option("--context", min=0, help="Messages before and after the marked one.")] = 0,
    notes: Annotated[bool, typer.Option("--notes", help="Print the reviewers' private notes too.")] = False,
    annotations: Annotations = None,
) -> None:
    """Print tags as excerpts: quote, speaker, evidence, reference, reviewer."""
    from reviewer.annotations import folder
    from reviewer.errors import ReviewerError
    from reviewer.store.reader import Reader

    if format not in FORMATS:
        raise ReviewerError(f"There is no format “{format}”.", f"Formats: {', '.join(FORMATS)}.")
    with Reader(store) as reader:
        gathering = _gathered(reader, joined(query), annotations or folder.usual(store))
        _write(_lines(gathering, format, context, notes), output)
    if output is not None:
        typer.echo(f"{len(gathering.entries) - len(gathering.left_out):,} excerpts in {output}.", err=True)
    for state, tag in gathering.left_out:
        _say(f"left out, {state}: {tag.ref} {tag.code} by {tag.by}")
    if gathering.left_out:
        _say("Look at them with: reviewer check")


def _gathered(reader: Reader, query: str, annotations: Path) -> Gathering:
    from reviewer.annotations import folder
    from reviewer.annotations.terms import narrowed, tag_is_meant
    from reviewer.export.gathering import Gathering
    from reviewer.query import parse
    from reviewer.session import recall
    from reviewer.session.asking import marked_in

    parsed, book, codebook = parse(query), recall.opened(annotations), folder.load(annotations)
    selection = narrowed(parsed, marked_in(annotations, book.ledger, codebook, reader))
    return Gathering(reader, book.ledger, codebook, selection, lambda tag: tag_is_meant(parsed.ledger, tag, codebook))


def _lines(gathering: Gathering, format: str, context: int, notes: bool) -> Iterator[str]:
    if format == "jsonl":
        from reviewer.export import jsonl

        return jsonl.lines(gathering, context)
    from reviewer.export import markdown

    return markdown.lines(gathering, markdown.Options(notes, context))


def _write(lines: Iterator[str], output: Path | None) -> None:
    from reviewer.errors import ReviewerError

    if output is None:
        for line in lines:
            typer.echo(line, nl=False)
        return
    try:
        with output.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
    except OSError as error:
        raise ReviewerError(f"{output} cannot be written: {error.strerror}.", "Name another place with -o.") from error


def _say(text: str) -> None:
    from reviewer.clean import printable_line

    typer.echo(printable_line(text), err=True)
