"""CSV: a row a tag, safe to open in a spreadsheet: no cell is taken for a formula, no control character stays one.

A spreadsheet may split the cells at `;` or at tabs (those of some countries do), so what stands behind one is guarded.

The last columns hold what `reviewer tags --import` needs to make the same tag again, as JSON in ASCII: the anchors of
its pieces and evidence, and each text that its cell does not show exactly. A masked table leaves them empty.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from typing import Any

from reviewer.basics.clean import printable
from reviewer.basics.plainjson import dumped
from reviewer.figures.export.collection import ExcerptCollection
from reviewer.figures.export.excerpts import Excerpt, cited
from reviewer.marks.shapes import evidence_fields, tag_fields
from reviewer.transcripts.model import Tag

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_BEHIND_BLANKS = re.compile(r"(?<![\s;\"])([\s;\"]++)([=+@-])")
_SEPARATORS = frozenset(";\t\r\n")
"""Where a spreadsheet may split a cell that is quoted for commas."""
_COLUMNS = (
    "store", "synthetic", "section", "code", "title", "polarity", "ref", "model", "case", "run", "family", "bucket",
    "speaker", "quote", "clause", "evidence", "stance", "cause", "exemplar", "reviewer", "at", "id", "runs",
    "family_score", "simulated", "citations", "masked",
)  # fmt: skip
_KEPT = ("digest", "pieces", "evidence_anchors", "exact")


def lines(gathering: ExcerptCollection, notes: bool = False) -> Iterator[str]:
    """The heading, then a row an excerpt."""
    names = [*_COLUMNS, *(["note"] if notes else []), *_KEPT]
    yield _row(names)
    masked = "yes" if gathering.mask.hides else "no"
    for excerpt in gathering.excerpts():
        cells = dict(zip(_COLUMNS, [*_cells(excerpt, gathering.store), masked], strict=True))
        cells |= {"note": excerpt.tag.note} if notes else {}
        kept = {} if gathering.mask.hides else _kept(excerpt.tag, cells)
        yield _row([{**cells, **kept}.get(name, "") for name in names])


def _kept(tag: Tag, cells: dict[str, str]) -> dict[str, str]:
    """What the tag is made of again: its anchors, and the texts that differ from their cells."""
    extra = dict(tag.extra or {})
    texts = {
        "store": extra.pop("store", cells["store"]), "ref": str(tag.ref), "code": tag.code, "reviewer": tag.by,
        "at": tag.at, "id": tag.id, "clause": tag.clause, "stance": tag.stance, "cause": tag.cause, "note": tag.note,
    }  # fmt: skip
    exact = {
        name: text
        for name, text in texts.items()
        if name in cells and (text != cells[name] or text != _safe(text) or text.startswith("'"))
    }
    kept = {**exact, **({"extra": extra} if extra else {})}
    return {
        "digest": tag.digest,
        "pieces": _json(tag_fields(tag)["pieces"]),
        "evidence_anchors": _json(evidence_fields(tag.evidence)) if tag.evidence else "",
        "exact": _json(kept) if kept else "",
    }


def _json(value: Any) -> str:
    """A value as JSON in which nothing starts a formula: a sign behind a separator is written as its number."""
    return _with_signs(dumped(value), lambda sign: f"\\u{ord(sign):04x}")


def _with_signs(text: str, guarded: Callable[[str], str]) -> str:
    """The text with the signs guarded that would start a formula behind a separator."""

    def kept(at: re.Match[str]) -> str:
        return at[1] + (at[2] if _SEPARATORS.isdisjoint(at[1]) else guarded(at[2]))

    return _BEHIND_BLANKS.sub(kept, text)


def _cells(excerpt: Excerpt, store: str) -> list[str]:
    tag, mode = excerpt.tag, excerpt.mode
    conversation = excerpt.stored.conversation if excerpt.stored else None
    facts = conversation.facts if conversation else None
    where = [excerpt.model, excerpt.case, conversation.run if conversation else None]
    known = [facts.family, facts.bucket] if facts else ["", ""]
    cells = [
        store, "yes" if excerpt.synthetic else "no", excerpt.heading, mode.code, mode.title, mode.polarity, excerpt.ref,
        *where, *known, excerpt.speaker, excerpt.quote, tag.clause, _evidence(excerpt), tag.stance, tag.cause,
        "yes" if tag.exemplar else "no", tag.by, tag.at, tag.id, excerpt.runs, excerpt.score,
        "yes" if excerpt.simulated else "no", "; ".join(map(cited, excerpt.citations)),
    ]  # fmt: skip
    return ["" if cell is None else str(cell) for cell in cells]


def _evidence(excerpt: Excerpt) -> str:
    """All evidence with its places: `get_order #2.1 · status: in transit; no handover before #5`."""
    return "; ".join(proof.where for proof in excerpt.proofs)


def _row(cells: list[str]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow([_safe(cell) for cell in cells])
    return file.getvalue()


def _safe(cell: str) -> str:
    """A cell that no spreadsheet computes: an apostrophe goes before what would start a formula.

    That is also what stands behind a semicolon, a tab or a line end, at which a spreadsheet may split the cell.
    """
    shown = printable(cell, joined=True)
    text = _with_signs(shown, lambda sign: f"'{sign}")
    return f"'{text}" if shown.lstrip().startswith(_FORMULA) or cell.startswith(_FORMULA) else text
