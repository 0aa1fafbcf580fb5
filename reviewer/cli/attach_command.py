"""`reviewer attach`, `remove` and `imports`: what is put beside what is stored, and what is taken out again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reviewer.basics.shell import shell_word
from reviewer.cli.list_command import AsJson, Store
from reviewer.cli.output import confirmed, say, say_json
from reviewer.cli.queries import Words, joined

if TYPE_CHECKING:
    from reviewer.imports.attachment import Attachment
    from reviewer.transcripts.store.imports import Import

_KINDS = ("cases", "scores", "models", "desk")
_FEW = 20


def attach(
    store: Store,
    file: Annotated[Path, typer.Argument(help="CSV, JSON Lines or TOML; or a desk's name.", show_default=False)],
    kind: Annotated[str, typer.Option("--as", help=f"What it holds: {', '.join(_KINDS)}.", show_default=False)],
    on: Annotated[str, typer.Option("--on", help="A query: the conversations whose tools this desk classes.")] = "",
    as_json: AsJson = False,
) -> None:
    """Attach cases, scores, models or a desk to what is stored.

    Attaching the same again changes nothing.
    """
    from reviewer.basics.errors import ReviewerError
    from reviewer.imports.attachment import KINDS
    from reviewer.imports.attachment import attach as attach_file

    wanted = next((each for each in KINDS if each == kind), None)
    if wanted is None:
        raise ReviewerError(f"There is nothing called “{kind}” to attach.", f"--as {', '.join(_KINDS)}.")
    if on and wanted != "desk":
        raise ReviewerError("--on says whose tools a desk classes.", "Leave it out, or say --as desk.")
    attachment = attach_file(store, file, wanted, _chosen(store, on) if on else None)
    if as_json:
        told = {"changed": attachment.changed, "unchanged": attachment.unchanged, "unmatched": attachment.unmatched}
        say_json(told, indent=2)
    else:
        for line in _lines(attachment, kind):
            say(line)
    raise typer.Exit(1 if attachment.unmatched else 0)


def _lines(attachment: Attachment, kind: str) -> list[str]:
    what = "conversations" if kind == "desk" else kind
    shown = attachment.unmatched[:_FEW]
    lines = (
        [*shown, f"… and {len(attachment.unmatched) - _FEW:,} more (all with --json)"]
        if len(shown) < len(attachment.unmatched)
        else shown
    )
    missed = f", {len(attachment.unmatched):,} not attached" if attachment.unmatched else ""
    return [*lines, f"{_count(attachment.changed, what)} attached, {attachment.unchanged:,} unchanged{missed}."]


def _count(n: int, what: str) -> str:
    return f"{n:,} {what.removesuffix('s') if n == 1 else what}"


def remove(
    store: Store,
    query: Words = None,
    number: Annotated[
        int | None, typer.Option("--import", help="All that this import wrote; see: reviewer imports")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Take conversations out of a store; journals stay as they are."""
    from reviewer.basics.errors import ReviewerError
    from reviewer.imports.removal import removed
    from reviewer.transcripts.store.imports import of_import, updates_of

    text = joined(query)
    if bool(text) == (number is not None):
        raise ReviewerError(
            "Say which conversations: a query, or --import N.", f"See: reviewer imports {shell_word(store)}"
        )
    ids = of_import(store, number) if number is not None else _chosen(store, text)
    updated = updates_of(store, number) if number is not None else 0
    if not ids and not updated:
        say("No conversation is meant; nothing was removed.")
        return
    for line in _meant(store, ids):
        say(line)
    if updated:
        say(f"what it added to {_count(updated, 'conversations')} of other imports is taken back")
    if not yes:
        if not sys.stdin.isatty():
            raise ReviewerError(f"{_count(len(ids), 'conversations')} would be removed.", "Say --yes to do it.")
        if not confirmed(f"Remove {_count(len(ids), 'conversations')} from {store}?"):
            say("Nothing was removed.")
            raise typer.Exit(1)
    gone = _count(removed(store, ids, number), "conversations")
    restored = f", {_count(updated, 'conversations')} as before" if updated else ""
    say(f"{gone} removed from {store}{restored}.")


def _meant(store: Path, ids: list[int]) -> list[str]:
    """List what is to be removed: conversations by model and run."""
    from reviewer.transcripts.store.imports import runs_of

    counts = runs_of(store, ids)
    lines = [f"{model}{'' if run is None else f' run {run}'}: {n:,}" for model, run, n in counts[:_FEW]]
    return [*lines, f"… and {len(counts) - _FEW:,} more runs"] if len(counts) > _FEW else lines


def imports(store: Store, as_json: AsJson = False) -> None:
    """List what was imported: when, from where, what is left."""
    from reviewer.transcripts.store.imports import imports as past

    all_imports = past(store)
    if as_json:
        say_json([_object(each) for each in all_imports], indent=2)
        return
    for each in all_imports:
        paths = ", ".join(map(str, each.command.get("paths") or ())) or ("" if each.command else "?")
        options = " ".join(_option(key, value) for key, value in each.command.items() if key != "paths")
        state = "" if each.ended else " · not finished"
        models = ", ".join(each.models[:5]) + (f" and {len(each.models) - 5} more" if len(each.models) > 5 else "")
        say(f"{each.number}  {each.started}  {' '.join((paths, options)).strip()}{state}")
        say(f"     {each.present:,} conversations of it are here{': ' + models if models else ''}")
    if all_imports:
        say(f"Take one out again: reviewer remove {shell_word(store)} --import {shell_word(all_imports[-1].number)}")


def _option(name: str, value: object) -> str:
    said = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"--{name}" if value is True else f"--{name} {said}"


def _object(each: Import) -> dict[str, object]:
    return {name: getattr(each, name) for name in each.__slots__}


def _chosen(store: Path, query: str) -> list[int]:
    from reviewer.cli.queries import chosen, say_unknown
    from reviewer.transcripts.query import parse
    from reviewer.transcripts.store.reader import Reader

    wanted = parse(query)
    with Reader(store) as reader:
        ids = list(reader.ids(chosen(reader, wanted, store, None)))
        if not ids:
            say_unknown(wanted, reader, None)
        return ids
