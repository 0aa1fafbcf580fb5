"""Taking conversations out of a store again, in batches that are whole when the program is stopped between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reviewer.store.writer import Writer

BATCH = 500


def removed(store: Path, ids: Sequence[int]) -> int:
    """Remove these conversations with all that belongs to them; how many there were."""
    gone = 0
    with Writer(store) as writer:
        for start in range(0, len(ids), BATCH):
            gone += writer.delete(ids[start : start + BATCH])
            writer.commit()
        writer.begin()
        writer.catalogue.forget_unused()
        writer.commit()
    return gone
