"""Taking conversations out of a store again, in batches that are whole when the program is stopped between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reviewer.transcripts.store.writer import Writer

BATCH = 500


def removed(store: Path, ids: Sequence[int], import_id: int | None = None) -> int:
    """Delete these conversations with everything that belongs to them; returns how many there were.

    Of an import, what it added to conversations of others is taken back as well.
    """
    gone = 0
    with Writer(store) as writer:
        if import_id is not None:
            writer.begin()
            writer.updates.take_back(import_id)
            writer.commit()
        for start in range(0, len(ids), BATCH):
            gone += writer.delete(ids[start : start + BATCH])
            writer.commit()
        writer.begin()
        writer.catalogue.forget_unused()
        writer.commit()
    return gone
