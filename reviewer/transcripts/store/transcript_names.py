"""What others call the conversations of a store: by the source's own identifier, or by case, run and model."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from reviewer.transcripts.store.connection import reading


class TranscriptName(NamedTuple):
    """A conversation as somebody who read the same logs knows it."""

    id: str = ""
    suite: str = ""
    case: str = ""
    run: int | None = None
    model: str = ""


class TranscriptNames:
    """The conversations of one store, looked up by what others call them; the store is read once."""

    def __init__(self, store: Path) -> None:
        self._by_id: defaultdict[str, list[tuple[int, str, int | None]]] = defaultdict(list)
        self._by_case: defaultdict[str, list[tuple[int, str, int | None]]] = defaultdict(list)
        self._by_file: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        with reading(store) as db:
            for rowid, ref, key, model, case, run, file, position in db.execute(
                "SELECT conversations.id, ref, source_key, runs.model, cases.name, runs.number, sources.path, position"
                " FROM conversations JOIN runs ON runs.id = run_id LEFT JOIN cases ON cases.id = case_id"
                " JOIN sources ON sources.id = source_id"
            ):
                self._by_file[file].append((rowid, position or ""))
                for name in {ref, key} - {None}:
                    self._by_id[name].append((rowid, model, run))
                if case is not None:
                    self._by_case[case].append((rowid, model, run))

    def find(self, name: TranscriptName) -> int | None:
        """The one conversation of that name; None where there is none, or several."""
        suite = name.suite.rpartition("/")[2]
        candidates = (
            self._by_id.get(name.id) or self._by_case.get(f"{suite}-{name.case}") or self._by_case.get(name.case)
        )
        for narrower in (lambda each: each[1] == name.model, lambda each: each[2] == name.run):
            if candidates and len(candidates) > 1:
                candidates = list(filter(narrower, candidates)) or candidates
        return candidates[0][0] if candidates and len(candidates) == 1 else None

    def at(self, file: str, line: object) -> int | None:
        """The one conversation that came from a file, or from this line of it; None where that is not to be told."""
        files = [
            held
            for name, held in self._by_file.items()
            if file == name or file.endswith(f"/{name}") or name.endswith(f"/{file.lstrip('/')}")
        ]
        candidates = files[0] if file and len(files) == 1 else []
        if len(candidates) > 1:
            candidates = [each for each in candidates if each[1] == f"line {line}"]
        return candidates[0][0] if len(candidates) == 1 else None
