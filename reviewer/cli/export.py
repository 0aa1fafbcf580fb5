"""`reviewer export`: what reviewers marked, in the form that somebody else reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.cli.list_command import Store
from reviewer.cli.output import say
from reviewer.cli.output_file import checked_place, whole, write_lines
from reviewer.cli.queries import Annotations, Words, chosen, joined, say_unknown

if TYPE_CHECKING:
    from reviewer.figures.export.collection import ExcerptCollection
    from reviewer.transcripts.query import Query
    from reviewer.transcripts.store.reader import Reader

EXCERPTS = ("md", "jsonl", "csv", "html", "qdpx")
FORMATS = (*EXCERPTS, "conversations")
_CONTEXT = {"html": 2}
"""Messages on either side that a format shows when nobody says how many."""
Context = Annotated[
    int | None,
    typer.Option("--context", min=0, help="Messages before and after the marked one: md, jsonl, html (2 there)."),
]
Notes = Annotated[bool, typer.Option("--notes", help="Print the reviewers' private notes too; jsonl always has them.")]
MaskCustomers = Annotated[
    bool,
    typer.Option(
        "--mask-customers",
        help="Hide customers' names, mail, telephones, addresses and accounts, as far as rules find them: 271 of 289"
        " test items in six languages that made no rule, 0 of 42 ordinary texts changed. See docs/trust.md.",
    ),
]


def export(
    store: Store,
    query: Words = None,
    format: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "md",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
    context: Context = None,
    notes: Notes = False,
    mask_models: Annotated[bool, typer.Option("--mask-models", help="Give models aliases, in texts too.")] = False,
    mask_customers: MaskCustomers = False,
    everything: Annotated[bool, typer.Option("--all", help="Conversations without tags too: qdpx.")] = False,
    titles: Annotated[bool, typer.Option("--titles", help="Call codes by their modes' titles: qdpx.")] = False,
    annotations: Annotations = None,
) -> None:
    """Print tags as excerpts, or conversations whole.

    An excerpt has quote, speaker, clause, evidence, reference and reviewer.
    """
    from reviewer.marks import folder
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.reader import Reader

    _check(format, output, everything, titles, mask_models or mask_customers)
    where = annotations or folder.usual(store)
    replaced = checked_place(output, store, where)
    wanted = parse(joined(query))
    with Reader(store) as reader:
        if format == "conversations":
            from reviewer.figures.export import conversations

            selection = chosen(reader, wanted, store, where)
            written = write_lines(conversations.lines(reader, selection), output)
            _told(written, "conversation", output, replaced)
        else:
            gathering = _gathered(reader, wanted, where, (mask_models, mask_customers))
            if format == "qdpx" and output is not None:
                written = _write_project(gathering, output, replaced, notes, everything, titles)
            else:
                lines = _lines(gathering, format, _CONTEXT.get(format, 0) if context is None else context, notes)
                # Without its mark a spreadsheet takes a file of UTF-8 for one of another alphabet.
                write_lines(lines, output, "utf-8-sig" if format == "csv" else "utf-8")
                written = gathering.plan.tally().tags
                _told(written, "excerpt", output, replaced)
            _tell_left_out(gathering)
        if not written:
            say_unknown(wanted, reader, annotations)


def _check(format: str, output: Path | None, everything: bool, titles: bool, masked: bool) -> None:
    """Refuse what a format cannot do."""
    from reviewer.basics.errors import ReviewerError

    if format not in FORMATS:
        raise ReviewerError(f"There is no format “{format}”.", f"Formats: {', '.join(FORMATS)}.")
    if format == "qdpx" and output is None:
        raise ReviewerError("A qdpx project cannot be printed as text.", "Say where it goes: -o project.qdpx")
    if (everything or titles) and format != "qdpx":
        hint = "All conversations whole: --format conversations."
        raise ReviewerError(f"{'--all' if everything else '--titles'} is for qdpx.", hint)
    if format == "conversations" and masked:
        raise ReviewerError("Conversations are exported as they are stored, unmasked.", "Masks are for excerpts.")


def _told(count: int, what: str, output: Path | None, replaced: bool) -> None:
    from reviewer.figures.export.print_counts import number

    if output is not None:
        say(f"{number(count, what)} in {output}{', which was replaced' if replaced else ''}.", err=True)


def _tell_left_out(gathering: ExcerptCollection) -> None:
    missing = 0
    for state, ref, code, by in gathering.left_out():
        missing += 1
        say(f"left out, {state}: {ref} {code} by {by}", err=True)
    if missing:
        say("Look at them with: reviewer check", err=True)


def _gathered(reader: Reader, query: Query, annotations: Path, masked: tuple[bool, bool]) -> ExcerptCollection:
    from reviewer.figures.export.collection import ExcerptCollection, asked
    from reviewer.figures.export.masks import Mask
    from reviewer.findings.questions import Question, marked_in
    from reviewer.marks import folder, queues
    from reviewer.marks.review import recall

    ledger, codebook = recall.opened(annotations).ledger, folder.load(annotations)
    for line in Question(query, annotations, ledger, codebook).remarks(reader):
        say(line, err=True)
    wanted = asked(query, marked_in(annotations, ledger, codebook, reader))
    return ExcerptCollection(
        reader,
        ledger,
        codebook,
        wanted,
        Mask(reader.info()["models"], *masked),
        queues.by_name(annotations),
    )


def _lines(gathering: ExcerptCollection, format: str, context: int, notes: bool) -> Iterator[str]:
    from reviewer.figures.export import jsonl, markdown, page, table

    if format == "jsonl":
        return jsonl.lines(gathering, context)
    if format == "csv":
        return table.lines(gathering, notes)
    if format == "html":
        return page.lines(gathering, context, notes)
    return markdown.lines(gathering, markdown.Options(notes, context))


def _write_project(
    gathering: ExcerptCollection, output: Path, replaced: bool, notes: bool, everything: bool, titles: bool
) -> int:
    """Write a project; returns how much is in it."""
    from reviewer.figures.export import qdpx

    with whole(output) as beside:
        conversations = qdpx.write(gathering, beside, qdpx.ProjectOptions(notes, everything, titles))
    excerpts = gathering.plan.tally().tags
    _told(excerpts, "excerpt", output, replaced)
    if everything:
        _told(conversations, "conversation", output, False)
    return conversations if everything else excerpts
