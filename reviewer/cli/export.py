"""`reviewer export`: what reviewers marked, in the form that somebody else reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.cli.listing import Store
from reviewer.cli.queries import Annotations, Words, joined

if TYPE_CHECKING:
    from reviewer.export.gathering import Gathering
    from reviewer.store.reader import Reader

EXCERPTS = ("md", "jsonl", "csv", "html", "qdpx")
FORMATS = (*EXCERPTS, "conversations")
_CONTEXT = {"html": 2}
"""Messages on either side that a format shows when nobody says how many."""


def export(
    store: Store,
    query: Words = None,
    format: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "md",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
    context: Annotated[
        int | None, typer.Option("--context", min=0, help="Messages before and after the marked one.")
    ] = None,
    notes: Annotated[bool, typer.Option("--notes", help="Print the reviewers' private notes too.")] = False,
    mask_models: Annotated[bool, typer.Option("--mask-models", help="Give models aliases.")] = False,
    mask_customers: Annotated[bool, typer.Option("--mask-customers", help="Hide customers' particulars.")] = False,
    annotations: Annotations = None,
) -> None:
    """Print tags as excerpts: quote, speaker, evidence, reference, reviewer; or conversations whole."""
    from reviewer.annotations import folder
    from reviewer.errors import ReviewerError
    from reviewer.export.masking import Mask
    from reviewer.store.reader import Reader

    if format not in FORMATS:
        raise ReviewerError(f"There is no format “{format}”.", f"Formats: {', '.join(FORMATS)}.")
    if format == "qdpx" and output is None:
        raise ReviewerError("A qdpx project is no text to print.", "Say where it goes: -o project.qdpx")
    if format == "conversations" and (mask_models or mask_customers):
        raise ReviewerError("Conversations are exported as they are stored, unmasked.", "Masks are for excerpts.")
    with Reader(store) as reader:
        gathering = _gathered(reader, joined(query), annotations or folder.usual(store))
        if format == "conversations":
            from reviewer.export import conversations

            _write_lines(conversations.lines(reader, gathering.selection), output)
            return
        gathering.mask = Mask(reader.info()["models"], mask_models, mask_customers)
        _write(gathering, format, output, context if context is not None else _CONTEXT.get(format, 0), notes)
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
    from reviewer.export import jsonl, markdown, page, table

    if format == "jsonl":
        return jsonl.lines(gathering, context)
    if format == "csv":
        return table.lines(gathering, notes)
    if format == "html":
        return page.lines(gathering, context, notes)
    return markdown.lines(gathering, markdown.Options(notes, context))


def _write(gathering: Gathering, format: str, output: Path | None, context: int, notes: bool) -> None:
    if format == "qdpx" and output is not None:
        from reviewer.export import qdpx

        with _whole(output) as beside:
            qdpx.write(gathering, beside, notes)
    else:
        _write_lines(_lines(gathering, format, context, notes), output)


def _write_lines(lines: Iterator[str], output: Path | None) -> None:
    if output is None:
        for line in lines:
            typer.echo(line, nl=False)
        return
    with _whole(output) as beside, beside.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)


@contextmanager
def _whole(output: Path) -> Iterator[Path]:
    """A file beside the one that is meant, which takes its place when all of it is there."""
    from reviewer.errors import ReviewerError

    beside = output.with_name(f".{output.name}.part")
    try:
        yield beside
        beside.replace(output)
    except OSError as error:
        raise ReviewerError(f"{output} cannot be written: {error.strerror}.", "Name another place with -o.") from error
    finally:
        beside.unlink(missing_ok=True)


def _say(text: str) -> None:
    from reviewer.clean import printable_line

    typer.echo(printable_line(text), err=True)
