"""Importing every format: its variants with texts as long as real ones, beside parsing and writing alone.

The floor is that of `bench_importing`: `json.loads` of the same bytes and `executemany` of as many rows. Formats whose
variants are no JSON (zips, YAML, tables) are measured by `bench_importing` and `bench_tables`.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from reviewer.imports.importer import Wishes, import_files
from tests import variants
from tests.bench.bench_importing import _rows as rows_of
from tests.bench.bench_importing import _written as written
from tests.bench.rows import Row, timed

SIZE = 25_000_000
"""Bytes of each format: so many that opening and closing the store count for little."""
FILE = 125_000
"""Bytes that each file is lengthened to, about: in public repositories 405 sessions, traces and results were 51 MB."""
OLDER = {
    *("interchange", "tau-bench", "tau2", "mini-swe", "atif", "dialogues"),
    *("inspect", "langfuse", "openai-chat", "otel", "responses"),
}
"""Formats whose real transcripts `bench_importing` reads."""


def run() -> Iterator[Row]:
    """A row a format."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name, variant in variants.every().items():
        names[variant.format].append(name)
    for format, held in sorted((format, held) for format, held in names.items() if format not in OLDER):
        with TemporaryDirectory() as folder:
            row = _format(format, held, Path(folder))
        if row is not None:
            yield row


def _format(format: str, names: list[str], folder: Path) -> Row | None:
    chance = random.Random(7)
    texts: list[bytes] = []
    every = {name: values for name in names if (values := _values(variants.files()[name]))}
    copy = size = 0
    while every and size < SIZE:
        copy += 1
        for name, values in every.items():
            words = FILE // (_WORD * max(1, sum(map(_sentences, values))))
            made = [json.dumps(_lengthened(value, words, chance)).encode() for value in values]
            path = folder / "logs" / Path(name).stem / f"run{copy}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"\n".join(made))
            texts += made
            size += sum(map(len, made))
    store = folder / "runs.db"

    def ours() -> None:
        store.unlink(missing_ok=True)
        import_files([folder / "logs"], store, Wishes(format=format))

    if not texts:
        return None
    ours()
    if not store.exists():
        return None
    rows, shapes = rows_of(store)
    rows = {table: held for table, held in rows.items() if held}

    def floor() -> None:
        for text in texts:
            json.loads(text)
        written(folder / "floor.db", rows, shapes)

    return timed(f"{format} ({len(rows.get('conversations', ())):,} conversations)", ours, floor, 4.0, rounds=3)


def _values(held: bytes) -> list[Any]:
    """The JSON values of a file; none when it is no JSON."""
    try:
        return [json.loads(held)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in held.splitlines() if line.strip()]
    except ValueError:
        return []


def _said(text: str) -> bool:
    return " " in text and len(text) > 5 and text[:1] not in "{[<"


def _sentences(value: Any) -> int:
    """How many texts in a value are what somebody said."""
    if isinstance(value, str):
        return _said(value)
    inner = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return sum(map(_sentences, inner))


def _lengthened(value: Any, words: int, chance: random.Random) -> Any:
    """The value with so many words more in every sentence."""
    if isinstance(value, str):
        return f"{value} {' '.join(chance.choices(_VOCABULARY, k=words))}" if _said(value) else value
    if isinstance(value, list):
        return [_lengthened(each, words, chance) for each in value]
    if isinstance(value, dict):
        return {key: _lengthened(each, words, chance) for key, each in value.items()}
    return value


_VOCABULARY = [f"{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}{n}" for n in range(500)]
_WORD = 6
"""Bytes of one of them, and of the blank before it."""
