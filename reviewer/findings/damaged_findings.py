"""What is wrong with the findings beside a store, where another program wrote into their file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from reviewer.basics.errors import StoreError
from reviewer.findings.finding_store import FINDING_TABLES, SCAN_AGAIN, findings_file
from reviewer.transcripts.store import soundness
from reviewer.transcripts.store.connection import explained


def damaged_findings(store: Path) -> StoreError | None:
    """The sentence about the findings beside a store, where another program wrote into their file."""
    path = findings_file(store)
    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)) as db:
            fault = next(_finding_faults(db), None)
    except sqlite3.Error as other:
        return explained(other, path)
    return StoreError(f"{path} is damaged: {fault}.", SCAN_AGAIN) if fault else None


def _finding_faults(db: sqlite3.Connection) -> Iterator[str]:
    """What a file of findings holds that it cannot hold, in words."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(FINDING_TABLES)
        shape = soundness.columns_of(empty)
    yield from soundness.missing_columns(db, shape)
    for table, columns in shape.items():
        yield from soundness.wrong_kinds(db, table, columns)
    for table, name in (("findings", "body"), ("scanned", "reads")):
        yield from soundness.wrong_json(db, table, name, is_list=False)
    places = (("$.claim.ref", "text"), ("$.reason", "text"), ("$.evidence", "array"))
    sound = " AND ".join(f"json_type(body, '{place}') = '{kind}'" for place, kind in places)
    if db.execute(f"SELECT 1 FROM findings WHERE ({sound}) IS NOT 1 LIMIT 1").fetchone():
        yield "findings.body holds no finding"
    if db.execute("SELECT 1 FROM scanned, json_each(reads) AS each WHERE each.type <> 'array' LIMIT 1").fetchone():
        yield "scanned.reads holds no counts"
