"""Small files of every format, spoilt at random: bytes changed, cut and doubled, JSON values put where others stood."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from reviewer.imports.importer import Wishes, import_files
from tests import variants

FILES = variants.files()

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**80), 2**80)
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["\ud800", "{", "[[]]", '{"a":"\\ud800"}', "2024", "x" * 3_000, "\x00", "/#%"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def spoilt_bytes(draw: st.DrawFn) -> tuple[str, bytes]:
    """A file with a few bytes changed, taken out, doubled, or the end cut off."""
    name = draw(st.sampled_from(sorted(FILES)))
    held = bytearray(FILES[name])
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(held)))
        end = min(len(held), start + draw(st.integers(0, 40)))
        held[start:end] = draw(
            st.binary(max_size=8)
            | st.sampled_from([b"", b"\xff", b"\\ud800", b"[" * 2_000, bytes(held[start:end]) * 3])
        )
    return name, bytes(held[: draw(st.integers(0, len(held)) | st.just(len(held)))])


@st.composite
def spoilt_values(draw: st.DrawFn) -> tuple[str, bytes]:
    """A JSON file in which a few values are other values, of any kind."""
    name = draw(st.sampled_from([each for each in sorted(FILES) if each.endswith(".json")]))
    document = json.loads(FILES[name])
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(_paths(document, ()))))
        document = _put(document, path, draw(VALUES))
    return name, json.dumps(document, allow_nan=True).encode()


def _paths(value: Any, at: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    found = [at]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        found += _paths(inner, (*at, key))
    return found


def _put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    value[path[0]] = _put(value[path[0]], path[1:], new)
    return value


def imported(folder: Path, name: str, held: bytes) -> None:
    """Import it, beside what is there, and find the store whole; nothing may be raised."""
    (folder / name).write_bytes(held)
    store = folder / "runs.db"
    report = import_files([folder / name], store, Wishes())
    assert report.exit_code in (0, 1, 2)
    json.dumps(report.as_json())
    if store.exists():
        assert_whole(store)


def assert_whole(store: Path) -> None:
    """Every conversation of the store has all its messages, and the totals are theirs."""
    with sqlite3.connect(store) as db:
        torn = db.execute(
            "SELECT ref FROM conversations WHERE messages <> (SELECT count(*) FROM messages WHERE conversation_id ="
            " conversations.id)"
        ).fetchall()
        n = db.execute("SELECT count(*) FROM conversations").fetchone()[0]
        total = db.execute("SELECT n FROM totals WHERE key = 'conversations'").fetchone()
    assert torn == []
    assert n == (total[0] if total else 0)
