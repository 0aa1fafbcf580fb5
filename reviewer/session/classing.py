"""Saying what a tool is, while reading: the desk of the conversations that share one, with that tool classed.

Owns what is told about it. The store is written the way `reviewer attach --as desk` writes it, in one short
transaction; what is read meanwhile stays open.
"""

from __future__ import annotations

from pathlib import Path

from reviewer import deskedit
from reviewer.desk import kept
from reviewer.errors import StoreError
from reviewer.store.desks import put_desk


def class_tool(store: Path, text: str | None, tool: str, act: str) -> str:
    """Class a tool in the desk of that text (or a new one, where there is none); what to tell the reviewer."""
    if not store.exists():
        raise StoreError(f"{store} is no longer there.", "Put it back, then repeat.")
    before = kept(text)
    after = deskedit.classed(text or "", tool, act, store.stem)
    if after.text == text:
        return f"{tool} is {act} already."
    changed, _ = put_desk(store, after, lambda attached: attached.of_desk(text))
    if not changed:
        raise StoreError("The desk was changed by somebody else meanwhile.", "Open the conversation again, and repeat.")
    was = before.tools[tool].act if tool in before.tools else deskedit.NOTHING
    now = f"is {act} now" if act != deskedit.NOTHING else "is in no class now"
    return f"{tool} {now} in {changed:,} conversation{'' if changed == 1 else 's'}; :class {was} {tool} takes it back."
