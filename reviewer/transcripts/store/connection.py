"""Opening the store's file: who may, in which mode, and the sentence when it cannot be.

Owns connections and their pragmas, the version check, and the wording of what SQLite says. Loads nothing heavy, so
that the app can open a store without sqlite-utils.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from reviewer.basics.errors import StoreError
from reviewer.basics.shell import shell_word

VERSION = 4
SQLITE = sqlite3.sqlite_version
"""The version of the library."""
_PATIENCE = 5.0
"""Seconds to wait for a writer."""
PAGE_SIZE = 16_384
"""Bytes a page of a new store: texts are long, and the log is written and folded in by the page."""
_LOG = 64 << 20
"""Bytes of write-ahead log after which SQLite folds it into the file."""
RESTORE = "Restore a copy, or import the logs again."
_DAMAGED = (
    "not a database",
    "malformed",
    "no such table",
    "no such column",
    "has no column named",
    "datatype mismatch",
)
"""What SQLite says of a file that is not what a store has to be."""
_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite appends to the name of a store for the files that it keeps beside it."""
_opened: dict[Path, None] = {}
APPLICATION_ID = 0x52565752  # "RVWR", so that a store is told from any other SQLite file


def is_sqlite(path: Path) -> bool:
    """True when the file starts as SQLite files do."""
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def opened_stores() -> tuple[Path, ...]:
    """The stores that this program has opened, the last one first."""
    return (*reversed(_opened),)


_of_thread = threading.local()


@contextmanager
def waiting_at_most(seconds: float) -> Iterator[None]:
    """Within the `with` block connections that this thread opens give up after so long: somebody waits for it."""
    before = _usual_patience()
    _of_thread.patience = seconds
    try:
        yield
    finally:
        _of_thread.patience = before


def _usual_patience() -> float:
    return float(getattr(_of_thread, "patience", _PATIENCE))


def connect_reading(path: Path, patience: float | None = None) -> sqlite3.Connection:
    """Open a read-only connection to a store of this version; undo what a writer that was killed left half done."""
    _must_be_store_file(path)
    patience = _usual_patience() if patience is None else patience
    with speaking_plainly(path):
        try:
            return _connected(path, patience)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
                raise
        _undo_half_a_write(path, patience)
        return _connected(path, patience)


def _connected(path: Path, patience: float) -> sqlite3.Connection:
    connection = _open(path, "ro", patience)
    try:
        _must_be_current(connection, path)
        connection.create_function("acts", 1, _acts, deterministic=True)
    except BaseException:
        connection.close()
        raise
    return connection


def _undo_half_a_write(path: Path, patience: float) -> None:
    """Let SQLite roll back what stands in a journal beside the store, which it does for whoever may write alone."""
    try:
        with closing(_open(path, "rw", patience)) as connection:
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise
        raise StoreError(
            f"{path} was being written when a program was killed, and mending it needs permission to write.",
            "Open it once where it and its folder can be written.",
        ) from error


def _acts(text: str) -> str | None:
    """The tools of a desk with their classes, as a JSON object; None for one that classes none or cannot be read."""
    from reviewer.transcripts.desk import kept

    return json.dumps({tool.name: tool.act for tool in kept(text).tools.values()}) if kept(text).tools else None


def connect_writing(path: Path, making: bool = True) -> sqlite3.Connection:
    """Open the connection of the one writer; `making` creates the file if there is none."""
    if path.exists() or not making:
        _must_be_store_file(path, allow_empty=making)
    elif not path.parent.is_dir():
        raise StoreError(f"The folder {path.parent} is not there.", "Make it first, or name another place with --into.")
    else:
        _must_be_alone(path)
    try:
        connection = _open(path, "rwc")
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA cache_size = -16384")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG // PAGE_SIZE}")
    except sqlite3.Error as error:
        raise explained(error, path) from error
    return connection


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the store, 0 for an empty file; raises a sentence for other programs' files and newer stores."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    ours = application == APPLICATION_ID
    if not ours and (version or connection.execute("SELECT 1 FROM sqlite_master").fetchone()):
        raise StoreError(f"{path} is a SQLite file, but no transcript store.", "Name one that `reviewer import` made.")
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer reviewer (store version {version}; this one knows {VERSION}).",
            "Upgrade reviewer itself.",
        )
    return version


@contextmanager
def speaking_plainly(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into a sentence that names the store, within a `with` block."""
    try:
        yield
    except sqlite3.Error as error:
        raise explained(error, path) from error


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only connection for the length of a `with` block."""
    with speaking_plainly(path), closing(connect_reading(path)) as connection:
        yield connection


@contextmanager
def forgotten_when_empty(path: Path) -> Iterator[None]:
    """Delete a store that was created within the `with` block if no conversation came into it."""
    there = path.exists()
    try:
        yield
    finally:
        if not there and path.exists() and not _holds_any(path):
            for end in (*_BESIDE, ""):
                path.with_name(path.name + end).unlink(missing_ok=True)


def _holds_any(path: Path) -> bool:
    try:
        with closing(_open(path, "ro")) as connection:
            return connection.execute("SELECT 1 FROM conversations LIMIT 1").fetchone() is not None
    except sqlite3.OperationalError as error:
        return "no such table" not in str(error)
    except sqlite3.Error:
        return True


def explained(error: sqlite3.Error, path: Path) -> StoreError:
    """The error to show to a person for an error of SQLite's."""
    said = str(error)
    if "locked" in said or "busy" in said:
        return StoreError(f"{path} is being written by another program.", "Wait until it has finished, then try again.")
    if "readonly" in said or "read-only" in said:
        return StoreError(f"{path} cannot be written: it is read-only.", "Change its permissions or copy it elsewhere.")
    if "full" in said:
        return StoreError(
            f"The disk is full; {path} holds what was written before, and nothing in part.",
            "Free some room and run the command again.",
        )
    if "disk I/O" in said or "unable to open" in said:
        odd = next((each for each in _beside(path) if not each.is_file()), None)
        if odd is not None:
            told = f"{path} cannot be opened: SQLite keeps a file at {odd}, and something else is there."
            return StoreError(told, f"Move {odd} away, and run the command again.")
    if "disk I/O" in said:
        beside = ", ".join(str(each) for each in _beside(path))
        other = f", or what stands beside it belongs to another store: {beside}" if beside else ""
        return StoreError(f"{path}: the disk failed ({said}){other}.", "Check it, and run the command again.")
    if "unable to open" in said:
        return StoreError(
            f"{path} cannot be opened.",
            "Check its permissions; a store left in write-ahead mode also needs a folder that can be written.",
        )
    if any(words in said for words in _DAMAGED):
        return StoreError(f"{path} is damaged or no SQLite file ({said}).", RESTORE)
    if "user-defined function" in said:  # one of ours, and SQLite keeps back what it stumbled over
        from reviewer.transcripts.store.soundness import damaged_store

        if damage := damaged_store(path):
            return damage
    return StoreError(f"{path}: SQLite says “{said}”.", "")


def _open(path: Path, mode: str, patience: float = _PATIENCE) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=patience, isolation_level=None, check_same_thread=False)
    be_patient(connection, patience)
    return connection


def be_patient(connection: sqlite3.Connection, seconds: float) -> None:
    """Wait so long at most for a program that keeps others out."""
    connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def _must_be_store_file(path: Path, allow_empty: bool = False) -> None:
    if not path.exists():
        raise StoreError(f"There is no {path}.", f"Make it with: reviewer import LOGS --into {shell_word(path)}")
    if path.is_dir():
        raise StoreError(f"{path} is a folder, not a store.", "Name the store's file, such as runs.db.")
    if not path.is_file():
        raise StoreError(f"{path} is not a file.", "Name a store, such as runs.db.")
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error
    if not head and not allow_empty:
        raise StoreError(f"{path} is an empty file.", f"Fill it with: reviewer import LOGS --into {shell_word(path)}")
    if head and head != b"SQLite format 3\0":
        raise StoreError(
            f"{path} is not a transcript store.",
            f"If it is a log, import it: reviewer import {shell_word(path)} --into runs.db",
        )
    _opened[path] = _opened.pop(path, None)


def _must_be_alone(path: Path) -> None:
    """Raise a sentence if files of an older store are beside a new one, which SQLite would delete or fail on."""
    left = ", ".join(str(each) for each in _beside(path))
    if left:
        told = f"{path} is not there, but what SQLite kept beside it is: {left}."
        hint = f"If {path} was moved or renamed, put it back: they may hold its last changes. If not, delete them."
        raise StoreError(told, hint)


def _beside(path: Path) -> list[Path]:
    """The files beside a store that SQLite keeps for it, as far as they are there."""
    named = (path.with_name(path.name + end) for end in _BESIDE)
    return [each for each in named if each.exists() or each.is_symlink()]


def _must_be_current(connection: sqlite3.Connection, path: Path) -> None:
    version = version_of(connection, path)
    if version < VERSION:
        raise StoreError(
            f"{path} is of an older version ({version}).", f"Bring it up to date: reviewer upgrade {shell_word(path)}"
        )
