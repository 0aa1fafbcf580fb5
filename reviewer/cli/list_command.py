"""`reviewer info`, `list` and `show`: what a store holds, as words or JSON."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reviewer.basics.shell import shell_word
from reviewer.cli.output import say, say_json, say_text
from reviewer.cli.queries import Annotations, Words, chosen, joined, say_nothing_found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reviewer.transcripts.desk import Desk
    from reviewer.transcripts.model import Message, QueueRow, Stored
    from reviewer.transcripts.refs import Ref
    from reviewer.transcripts.store.reader import Reader

Store = Annotated[Path, typer.Argument(help="The store, such as runs.db.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
_PAGE = 500


def info(
    store: Store,
    as_json: AsJson = False,
    rejected: Annotated[bool, typer.Option("--rejected", help="List what could not be read, and why.")] = False,
) -> None:
    """Say what a store holds.

    With the runs of each model, and what each source told: tokens, cost, times, scores.
    """
    from reviewer.cli.contents import as_object, lines
    from reviewer.transcripts.store.imports import brought, run_totals
    from reviewer.transcripts.store.reader import Reader

    with Reader(store) as reader:
        totals = reader.info()
        reasons = reader.rejected() if rejected else []
    runs, sources = run_totals(store), brought(store)
    if as_json:
        if rejected:
            totals["rejected_records"] = [{"path": p, "position": at, "reason": why} for p, at, why in reasons]
        say_json({**totals, **as_object(runs, sources)}, indent=2)
        return
    for line in lines(totals, runs, sources):
        say(line)
    for path, position, reason in reasons:
        say(f"  {path}, {position}: {reason}")


def list_(
    store: Store,
    query: Words = None,
    as_json: AsJson = False,
    limit: Annotated[int | None, typer.Option("--limit", min=0, help="Stop after this many.")] = None,
    offset: Annotated[int, typer.Option("--offset", min=0, help="Leave out this many first.")] = 0,
    columns: Annotated[
        str | None,
        typer.Option("--columns", help="Which, in order: ref,score.NAME,opening; a wrong name lists them all."),
    ] = None,
    annotations: Annotations = None,
) -> None:
    """List conversations, a line each.

    With what happened, a score and how long they were, as far as the store says; a terminal gets a heading, a pipe only
    the lines. --json has every score.
    """
    from reviewer.cli.row_table import RowTable
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.reader import Reader

    wanted = parse(joined(query))
    listed = 0
    with Reader(store) as reader:
        table = RowTable(reader, columns)
        for row in _rows(reader, chosen(reader, wanted, store, annotations), limit, offset):
            listed += 1
            if as_json:
                say_json(_row_object(reader, row))
            else:
                if listed == 1 and sys.stdout.isatty():
                    say(table.heading)
                say(table.line(row))
        if not listed and not offset and limit != 0:
            say_nothing_found("No conversation matches.", wanted, reader, annotations)


def show(
    store: Store,
    ref: Annotated[str, typer.Argument(help="MODEL/CASE/RUN, with #4 for one message.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Print a conversation, message by message.

    With reasoning and tool calls; of a reference with #4 that message alone.
    """
    from reviewer.basics.errors import RefError
    from reviewer.transcripts import refs
    from reviewer.transcripts.conversation_json import as_object, message_object
    from reviewer.transcripts.store.reader import Reader

    wanted = refs.parse(ref)
    with Reader(store) as reader:
        ids = reader.find(wanted.conversation)
        if not ids:
            raise RefError(f"Nothing stands at {ref} in {store}.", f"See what does: reviewer list {shell_word(store)}")
        for rowid in ids:
            stored = reader.stored(rowid)
            if wanted.judge is not None:
                _print_note(stored, wanted, as_json)
                continue
            if wanted.message is not None and wanted.message > len(stored.conversation.messages):
                raise RefError(f"{stored.ref} has {len(stored.conversation.messages)} messages, no #{wanted.message}.")
            if as_json and wanted.message is not None:
                message = stored.conversation.messages[wanted.message - 1]
                say_json({"ref": f"{stored.ref}#{wanted.message}", **message_object(message)})
            elif as_json:
                say_json(as_object(stored))
            else:
                _print(stored, wanted.message)


def _rows(reader: Reader, chosen: Any, limit: int | None, offset: int) -> Iterator[QueueRow]:
    if limit is not None:
        yield from reader.rows(reader.first_ids(chosen, limit, offset), scored=True)
        return
    ids = reader.ids(chosen)
    for start in range(offset, len(ids), _PAGE):
        yield from reader.rows(ids[start : start + _PAGE], scored=True)


def _row_object(reader: Reader, row: QueueRow) -> dict[str, Any]:
    from reviewer.figures.measure.row_columns import reckoned

    return {
        "ref": row.ref,
        "model": row.model,
        "case": row.case,
        "run": row.run,
        "family": row.family,
        "bucket": row.bucket,
        "messages": row.messages,
        "agent_messages": row.agent_messages,
        "tool_calls": row.tool_calls,
        "tokens": row.tokens,
        "cost": row.cost,
        "cost_reckoned": reckoned(row),
        "ended_by": row.ended_by,
        "error": row.error,
        "scores": reader.score_names([row.rowid])[row.rowid],
    }


def _print(stored: Stored, only: int | None) -> None:
    from reviewer.transcripts.desk import kept

    say(f"{stored.ref}{f' · {stored.mark}' if stored.mark else ''} · {stored.source}")
    for score in stored.conversation.scores:
        judge = f" by {score.by}" if score.by else ""
        given = score.raw if score.value is None else f"{score.value:g}"
        say(f"  {score.scorer}{judge}: {'no number' if str(given).lower() == 'nan' else given}")
    if stored.conversation.error:
        say(f"  error: {stored.conversation.error}")
    if not stored.conversation.messages:
        say("  no messages")
    for number, message in enumerate(stored.conversation.messages, start=1):
        if only is None or number == only:
            _print_message(number, message, kept(stored.desk))


def _print_note(stored: Stored, wanted: Ref, as_json: bool) -> None:
    from dataclasses import replace

    from reviewer.marks.anchors import words

    ref = replace(wanted, conversation=stored.ref)
    if as_json:
        say_json({"ref": str(ref), "note": words(stored, ref)})
    else:
        say_text(words(stored, ref))


def _print_message(number: int, message: Message, desk: Desk) -> None:
    from reviewer.basics.clean import printable
    from reviewer.figures.export.excerpts import cited
    from reviewer.transcripts.desk.call_results import failed

    say("")
    name = f" ({message.name})" if message.name else ""
    say(f"#{number} {message.role}{name}  {message.at or ''}".rstrip())
    for label, text in (("reasoning: ", message.reasoning), ("", message.text)):
        for line in printable(label + text).split("\n") if text else ():
            say(f"  {line}")
    for citation in message.citations:
        say(f"  cites {cited(citation)}")
    for index, call in enumerate(message.calls, start=1):
        state = (" · attempted" if desk.act(call.name) else " · error") if failed(call, desk.refusals) else ""
        say(f"  #{number}.{index} {call.name or '(result without a call)'}{state}")
        told = None if call.error in ("error", call.result) else call.error
        for label, value in (("arguments", call.arguments), ("result", call.result), ("error", told)):
            if value is not None:
                say(f"      {label}: {value}")
