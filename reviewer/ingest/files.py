"""Which files a command names: folders recursively, in an order that does not depend on how they were typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from reviewer.errors import SourceError
from reviewer.ingest.source import Source

LOGS = {".json", ".jsonl", ".ndjson", ".eval", ".log", ".txt", ""}
_NUMBERS = re.compile(r"(\d+)")


def sources(paths: Sequence[Path]) -> list[Source]:
    """The files to look at, each once, ordered by name with numbers counted as numbers."""
    found: dict[tuple[int, int], Source] = {}
    for path in paths:
        if not path.exists():
            raise SourceError(f"There is no {path}.", "Check the name.")
        for file in _files(path):
            name = file.relative_to(path.parent).as_posix() if path.is_dir() else file.name
            status = file.stat()
            found.setdefault((status.st_dev, status.st_ino), Source(file, _spelled(name)))
    if not found:
        raise SourceError(f"No file in {', '.join(map(str, paths))}.", "Name log files, or a folder that holds some.")
    return sorted(found.values(), key=lambda source: _natural(source.name))


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for each in sorted(path.rglob("*")):
        hidden = any(part.startswith(".") for part in each.relative_to(path).parts)
        if each.is_file() and not hidden and each.suffix.lower() in LOGS:
            yield each


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in _NUMBERS.split(name)]


def _spelled(name: str) -> str:
    """The name with bytes that are no UTF-8 written out, so that it can be stored."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
