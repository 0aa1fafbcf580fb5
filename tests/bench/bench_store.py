"""A store of 100,000 conversations beside one of 1,000: what is shown first must not know the difference."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from reviewer.transcripts.store.reader import Reader
from tests.bench.bigstore import shared
from tests.bench.rows import Row, timed

LARGE, SMALL = 100_000, 1_000
PAGE = "50"


def run() -> Iterator[Row]:
    """The commands as they are typed, and the same without starting a program."""
    large, small = shared(LARGE), shared(SMALL)
    yield timed("reviewer info", _command("info", large), _command("info", small), 1.5)
    first = [_command("list", path, "--limit", PAGE) for path in (large, small)]
    yield timed("reviewer list, first page", first[0], first[1], 1.5)
    page = ("--limit", PAGE, "--offset")
    middle = [_command("list", path, *page, str(size // 2)) for path, size in ((large, LARGE), (small, SMALL))]
    yield timed("reviewer list, a page in the middle", middle[0], middle[1], 1.5)
    yield timed("info, within the program", _info(large), _info(small), 1.5, 40)
    yield timed("first page, within the program", _page(large, 0), _page(small, 0), 1.5, 40)
    inner = _page(large, LARGE // 2), _page(small, SMALL // 2)
    yield timed("a page in the middle, within the program", inner[0], inner[1], None, 40)


def _command(name: str, store: Path, *words: str) -> Callable[[], object]:
    program = Path(sys.executable).with_name("reviewer")
    return lambda: subprocess.run([program, name, store, *words], check=True, capture_output=True)


def _info(path: Path) -> Callable[[], object]:
    def info() -> object:
        with Reader(path) as reader:
            return reader.info()

    return info


def _page(path: Path, offset: int) -> Callable[[], object]:
    def page() -> object:
        with Reader(path) as reader:
            return reader.rows(reader.first_ids(limit=int(PAGE), offset=offset))

    return page
