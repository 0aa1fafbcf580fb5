"""Bringing an older store to this version, with a copy kept beside it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from reviewer.transcripts.store.connection import VERSION, connect_writing, speaking_plainly, version_of
from reviewer.transcripts.store.writer import migrate


def upgraded(store: Path) -> Path | None:
    """Migrate a store in place; returns the path of the copy that is kept, None if nothing had to be done."""
    connection = connect_writing(store, making=False)
    try:
        with speaking_plainly(store):
            version = version_of(connection, store)
            if version == VERSION:
                return None
            copy = _free(store.with_name(f"{store.stem}.v{version}{store.suffix}"))
            _copy(connection, copy)
            migrate(connection)
            return copy
    finally:
        connection.close()


def _copy(connection: sqlite3.Connection, to: Path) -> None:
    kept = sqlite3.connect(to)
    try:
        connection.backup(kept)
    finally:
        kept.close()


def _free(path: Path) -> Path:
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free
