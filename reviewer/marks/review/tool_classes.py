"""Saying what a tool is, while reading: the desk of the conversations that share one, with that tool classed.

Owns what is remembered of it, so that it can be taken back. The store is written the way `reviewer attach --as desk`
writes it, in one short transaction; what is read meanwhile stays open. It may wait for another writer, so the journal's
line about it is the caller's, on the thread to which the session belongs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from reviewer.basics.errors import DeskError, JournalError, StoreError
from reviewer.marks import codebook_text
from reviewer.transcripts.desk import change as deskedit
from reviewer.transcripts.desk import kept, parse
from reviewer.transcripts.store.desks import desk_of, put_desk

Way = Literal["undo", "redo"]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a desk: the lines, and the hash of the whole, which is empty where there was no desk."""

    said: str
    was: str
    now: str
    before: str
    after: str
    changed: int
    """How many conversations it was."""


def class_tool(store: Path, text: str | None, tool: str, act: str) -> Change:
    """Class a tool in the desk of that text, or in a new one where there is none."""
    if not store.exists():
        raise StoreError(f"{store} is no longer there.", "Put it back, then repeat.")
    before = kept(text)
    after = deskedit.classed(text or "", tool, act, store.stem)
    if after.text == text:
        raise DeskError(f"{tool} is {act} already.")
    changed, _ = put_desk(store, after, lambda attached: attached.of_desk(text))
    if not changed:
        raise StoreError("The desk was changed by somebody else meanwhile.", "Open the conversation again, and repeat.")
    said = f"{tool} is {act}" if act != deskedit.NOTHING else f"{tool} is in no class"
    return Change(said, *codebook_text.difference(text or "", after.text), before.hash, after.hash, changed)


def turn(store: Path, fields: Mapping[str, Any], way: Way) -> None:
    """Put a desk as it was before a change, or once more as it was after it; only the very desk that is meant."""
    lines = ("now", "was") if way == "undo" else ("was", "now")
    there, wanted = (str(fields.get(name, "")) for name in lines)
    text = desk_of(store, str(fields.get("after" if way == "undo" else "before")))
    if fields.get("store") != store.name or text is None:
        where = f"in {fields.get('store')}, which is not open here" if fields.get("store") != store.name else "since"
        raise JournalError(f"The desk was changed {where}.", ":class names a class; u goes on with what was before.")
    edited = codebook_text.swapped(text, there, wanted)
    put_desk(store, parse(edited) if edited else None, lambda attached: attached.of_desk(text or None))
