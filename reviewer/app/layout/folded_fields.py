"""A JSON text as it is looked at: its fields, without the empty ones until it is opened, or itself, indented."""

from __future__ import annotations

from functools import partial

from reviewer.app.layout.folds import folded
from reviewer.app.layout.json_fields import field_rows, hidden_fields, json_flow
from reviewer.app.layout.slices import Block
from reviewer.app.layout.text_lines import Frame, StoredText
from reviewer.app.layout.view import View


def folded_fields(
    text: str, place: StoredText, frame: Frame, view: View, fold: str, as_json: str
) -> tuple[list[Block], bool] | None:
    """The blocks that show a JSON text, and if it can be folded; None for raw text, and for what is no JSON."""
    if view.raw:
        return None
    opened, hidden = view.turned(fold, False), partial(hidden_fields, text)
    if view.turned(as_json, view.json):
        flow = json_flow(text, place, frame)
        return folded(flow, fold, opened, frame, hidden) if flow else None
    rows = field_rows(text, place, frame, all_of_them=opened)
    if rows is None:
        return None
    left_out = [leaf.begins for leaf in rows.left_out]
    blocks, folds = folded(rows.flow, fold, opened, frame, hidden, left_out=left_out)
    return blocks, folds or bool(rows.empty)
