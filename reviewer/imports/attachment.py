"""`attach`: what makes a board possible often comes later and from elsewhere; cases, scores, models, a desk.

Owns what the columns of an attached table mean and which conversations a row is about. A key that matches nothing, or
more than one conversation where one is needed, is listed and changes nothing; attaching the same again changes nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from reviewer.basics.errors import SourceError
from reviewer.basics.shell import shell_word
from reviewer.imports import attachment_rows
from reviewer.imports.attachment_rows import TableRow
from reviewer.imports.messages.content import first_of, score_of, text_of
from reviewer.transcripts import desk
from reviewer.transcripts.model import BUCKETS, Case, Score
from reviewer.transcripts.store.desks import put_desk
from reviewer.transcripts.store.writer import Writer

Kind = Literal["cases", "scores", "models", "desk"]
KINDS: tuple[Kind, ...] = ("cases", "scores", "models", "desk")

_MODEL = {"vendor", "tier", "badges"}
_LISTS = {"forbidden", "labels", "expected"}
_KEYS = ("ref", "model", "case", "run", "id")
_LONG = ("scorer", "name", "metric")
_BESIDE = ("judge", "note", "raw")
_KNOWN = {*_KEYS, *_LONG, *_BESIDE, *_MODEL, *_LISTS, *(each.name for each in fields(Case)), "value", "score"}
"""Columns that mean something whatever the case they are written in."""


@dataclass
class Attachment:
    """The result of attaching one table."""

    changed: int = 0
    unchanged: int = 0
    unmatched: list[str] = field(default_factory=list)
    """Rows whose key matched nothing, too much, or what another row said otherwise, as a person reads them."""
    said: dict[Hashable, tuple[Any, str]] = field(default_factory=dict)
    """What the rows so far said about what, and where."""

    def contradicts(self, what: Hashable, value: Any, place: str, name: str) -> bool:
        """True if an earlier row says otherwise; the first one counts, so that attaching again changes nothing."""
        before, where = self.said.setdefault(what, (value, place))
        if before == value:
            return False
        self.unmatched.append(f"{place}: {name} says something else at {where}; the first one counts")
        return True

    def take(self, changed: bool) -> None:
        """Count one more row as attached."""
        self.changed += changed
        self.unchanged += not changed


def attach(store: Path, path: Path, kind: Kind, chosen: Sequence[int] | None = None) -> Attachment:
    """Attach a file to a store; `chosen` limits a desk to some conversations."""
    attachment = Attachment()
    if not store.exists():
        raise SourceError(f"There is no {store}.", f"Make it with: reviewer import LOGS --into {shell_word(store)}")
    if kind == "desk":
        return _attach_desk(store, path, chosen)
    rows = [TableRow(row.place, _named(row.cells)) for row in attachment_rows.rows(path, kind)]
    if not rows:
        raise SourceError(f"{path} holds no rows.", "Write a line of column names and a row below it.")
    with Writer(store) as writer:
        writer.begin()
        for row in rows:
            try:
                {"cases": _case, "scores": _scores, "models": _model}[kind](writer, row, attachment)
            except SourceError as error:
                raise SourceError(f"{path}, {error.message}", error.hint) from None
        writer.commit()
    return attachment


def _named(cells: Mapping[str, Any]) -> dict[str, Any]:
    """The cells, with known columns renamed to the names used here: `Case` becomes `case`."""
    return {key.lower() if key.lower() in _KNOWN else key: value for key, value in cells.items()}


def _lacking(row: TableRow, what: str) -> SourceError:
    return SourceError(f"{row.place}: {what}; its columns are {', '.join(row.cells) or 'empty'}.", "Add that column.")


def _attach_desk(store: Path, path: Path, chosen: Sequence[int] | None) -> Attachment:
    wanted = desk.load(str(path))
    changed, meant = put_desk(store, wanted, lambda attached: attached.all_ids() if chosen is None else chosen)
    return Attachment(changed, meant - changed)


def _case(writer: Writer, row: TableRow, attachment: Attachment) -> None:
    name = text_of(first_of(row.cells, "case", "id"))
    if not name:
        raise _lacking(row, "no `case` (or `id`) that names the case")
    if attachment.contradicts(("case", name), row.cells, row.place, name):
        return
    known = {each.name for each in fields(Case)} - {"id", "extra"}
    bucket = row.cells.get("bucket")
    if bucket is not None and bucket not in BUCKETS:
        raise SourceError(f"{row.place}: “{bucket}” is not a bucket.", f"Buckets: {', '.join(BUCKETS)}.")
    values: dict[str, Any] = {key: _listed(value) for key, value in row.cells.items() if key in _LISTS}
    for key in known - _LISTS - {"order"}:
        if row.cells.get(key) is not None:
            values[key] = text_of(row.cells[key])
    if row.cells.get("order") is not None:
        values["order"] = _object(row.cells["order"])
    extra = {key: value for key, value in row.cells.items() if key not in {*known, "case", "id"}}
    changed = writer.catalogue.describe_case(Case(name, **values, extra=extra or None))
    if changed is None:
        attachment.unmatched.append(f"{row.place}: no conversation is of case {name}")
    else:
        attachment.take(changed)


def _scores(writer: Writer, row: TableRow, attachment: Attachment) -> None:
    matched, key = _conversations(writer, row)
    if len(matched) != 1:
        why = "matches nothing" if not matched else f"matches {len(matched)} conversations; say model and run, or ref"
        attachment.unmatched.append(f"{row.place}: {key} {why}")
        return
    marks = _marks(row)
    if not marks:
        raise SourceError(f"{row.place}: no score in it.", "Give a column a scorer's name, or `scorer` and `value`.")
    for mark in marks:
        what = (matched[0], mark.scorer, mark.judge)
        if not attachment.contradicts(what, mark, row.place, f"{mark.scorer} of {key}"):
            attachment.take(writer.attached.score(matched[0], mark))


def _conversations(writer: Writer, row: TableRow) -> tuple[list[int], str]:
    cells = row.cells
    if cells.get("ref"):
        ref = text_of(cells["ref"]).partition("#")[0]
        return writer.attached.find(ref), ref
    case, model = first_of(cells, "case", "id"), cells.get("model")
    if case is None:
        raise _lacking(row, "neither `ref` nor `case` says what it is about")
    run = text_of(cells["run"]).removesuffix(".0") if "run" in cells else None
    if run is not None and not re.fullmatch(r"\d{1,9}", run):
        raise SourceError(f"{row.place}: “{run}” is not a run's number.", "Runs are whole numbers, such as 2.")
    key = "/".join(text_of(part) for part in (model, case, run) if part is not None)
    number = int(run) if run is not None else None
    return writer.attached.of_case(text_of(case), text_of(model) or None, number), key


def _marks(row: TableRow) -> list[Score]:
    """The scores of a row: one in `scorer` and `value`, or one per column."""
    judge, note = (text_of(row.cells.get(name)) or None for name in ("judge", "note"))
    scorer = next((text_of(row.cells[name]) for name in _LONG if row.cells.get(name)), None)
    if scorer is not None:
        stated = row.cells.get("value", row.cells.get("score", row.cells.get("raw")))
        return [] if stated is None else [_mark(scorer, stated, judge, note)]
    return [
        _mark(name, value, judge, note) for name, value in row.cells.items() if name not in (*_KEYS, *_LONG, *_BESIDE)
    ]


def _mark(scorer: str, stated: Any, judge: str | None, note: str | None) -> Score:
    value, words = score_of(_number(stated) if isinstance(stated, str) else stated)
    return Score(scorer, value, judge, note, words)


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _model(writer: Writer, row: TableRow, attachment: Attachment) -> None:
    name = text_of(first_of(row.cells, "name", "model", "id"))
    if not name:
        raise _lacking(row, "no `name` (or `model`)")
    if not writer.attached.has_model(name):
        attachment.unmatched.append(f"{row.place}: no conversation is of model {name}")
        return
    if attachment.contradicts(("model", name), row.cells, row.place, name):
        return
    extra = {key: value for key, value in row.cells.items() if key not in {*_MODEL, "name", "model", "id"}}
    attachment.take(
        writer.catalogue.describe_model(
            name,
            text_of(row.cells.get("vendor")) or None,
            text_of(row.cells.get("tier")) or None,
            _listed(row.cells.get("badges")),
            extra or None,
        )
    )


def _listed(value: Any) -> tuple[str, ...]:
    """A list as TOML and JSON write it, or separated by `;` (or `|`) within a cell."""
    if isinstance(value, list):
        return tuple(text_of(each) for each in value)
    return tuple(part.strip() for part in re.split(r"[;|]", text_of(value)) if part.strip())


def _object(value: Any) -> Mapping[str, Any]:
    """An order as an object, as JSON in a cell, or as its number alone."""
    if isinstance(value, Mapping):
        return value
    try:
        held = json.loads(text_of(value))
    except (ValueError, RecursionError):
        return {"number": text_of(value)}
    return held if isinstance(held, Mapping) else {"number": text_of(value)}
