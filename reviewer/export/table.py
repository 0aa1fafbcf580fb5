"""CSV: a row a tag, safe to open in a spreadsheet: no cell is taken for a formula, no control character stays one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from reviewer.export.collection import ExcerptCollection
from reviewer.export.excerpts import Excerpt
from reviewer.text.clean import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_COLUMNS = (
    "store", "synthetic", "section", "code", "title", "polarity", "ref", "model", "case", "run", "family", "bucket",
    "speaker", "quote", "clause", "evidence", "stance", "cause", "exemplar", "reviewer", "at", "id", "runs",
    "family_score", "simulated",
)  # fmt: skip


def lines(gathering: ExcerptCollection, notes: bool = False) -> Iterator[str]:
    """The heading, then a row an excerpt."""
    yield _row([*_COLUMNS, *(["note"] if notes else [])])
    for excerpt in gathering.excerpts():
        yield _row([*_cells(excerpt, gathering.store), *([excerpt.tag.note] if notes else [])])


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
        "yes" if excerpt.simulated else "no",
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
    """A cell that no spreadsheet computes: an apostrophe goes before what would start a formula."""
    text = printable(cell, joined=True)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) or cell.startswith(_FORMULA) else text
