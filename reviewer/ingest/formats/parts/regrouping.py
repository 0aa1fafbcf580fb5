"""Records of one conversation that stand apart in their file, put together without holding the whole file.

Owns the keys under which records are gathered and which of these belong together; the texts themselves wait in a spool.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

from reviewer.ingest.source import compact, parsed
from reviewer.store.spool import Spool


class Regrouping:
    """JSON values under keys, as a context manager."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._into: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._spool.__exit__(kind, error, tb)

    def put(self, key: str, value: Any) -> bool:
        """Keep one more value under a key; False when it is nested too deeply to be kept."""
        try:
            self._spool.put(key, compact(value))
        except RecursionError:
            return False
        return True

    def join(self, key: str, into: str) -> None:
        """Let all that is under a key belong to another."""
        self._into[key] = into

    def groups(self) -> Iterator[tuple[str, list[Any]]]:
        """Each key with its values, in the order in which they came; nothing is put in after this."""
        if not self._into:
            for key, texts in self._spool.groups():
                yield key, [parsed(text.encode(), key) for text in texts]
            return
        with Spool() as together:
            for key, texts in self._spool.groups():
                whole = self._whole(key)
                for text in texts:
                    together.put(whole, text)
            for key, texts in together.groups():
                yield key, [parsed(text.encode(), key) for text in texts]

    def _whole(self, key: str) -> str:
        """Where what is under a key belongs in the end."""
        seen: set[str] = set()
        while key in self._into and key not in seen:
            seen.add(key)
            key = self._into[key]
        return key
