"""Named queues: files in `annotations/queues` that hold references in order, and how they were drawn or picked.

Owns the files: the first line says how the queue came about, each further line holds one reference. Rates are printed
only of what was drawn or is exhaustive, so a queue never forgets which it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from reviewer.annotations import folder
from reviewer.annotations.journal import slug
from reviewer.errors import JournalError

How = Literal["drawn", "exhaustive", "picked"]


@dataclass(frozen=True, slots=True)
class Queue:
    """References in order, and how they came together."""

    name: str
    refs: tuple[str, ...]
    how: How = "picked"
    query: str = ""
    seed: int | None = None
    strata: str = ""
    """What a draw was stratified by: `family`."""
    of: int | None = None
    """How many the query let through when it was drawn."""
    by: str = ""
    at: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def gives_rates(self) -> bool:
        """Whether rates may be printed of it; of a picked one only “seen n times”."""
        return self.how != "picked"


def names(annotations: Path) -> list[str]:
    """The queues of a folder."""
    return sorted(path.stem for path in (annotations / "queues").glob("*.jsonl"))


def load(annotations: Path, name: str) -> Queue:
    """Read a queue by its name."""
    path = annotations / "queues" / f"{slug(name)}.jsonl"
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except FileNotFoundError:
        known = ", ".join(names(annotations)) or "none yet"
        raise JournalError(f"There is no queue “{name}”.", f"Queues: {known}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise JournalError(f"{path} cannot be read: {error}.", "Check the file.") from None
    found = [_object(line, path, number) for number, line in enumerate(lines, start=1) if line.strip()]
    head = found[0] if found and "ref" not in found[0] else {}
    refs = tuple(dict.fromkeys(str(each["ref"]) for each in found if "ref" in each))
    how = head.pop("how", "picked")
    known_fields = {key: head.pop(key) for key in ("query", "seed", "strata", "of", "by", "at") if key in head}
    name = str(head.pop("queue", name))
    return Queue(name, refs, how if how in get_args(How) else "picked", **known_fields, extra=head)


def save(annotations: Path, queue: Queue) -> Path:
    """Write a queue; one of that name that holds something else is not overwritten."""
    path = annotations / "queues" / f"{slug(queue.name)}.jsonl"
    if path.exists() and load(annotations, queue.name).refs != queue.refs:
        raise JournalError(f"There is a queue “{queue.name}” already.", "Choose another name, or remove its file.")
    head = {"queue": queue.name, "how": queue.how, "query": queue.query, "seed": queue.seed, "strata": queue.strata,
            "of": queue.of, "by": queue.by, "at": queue.at, **queue.extra}  # fmt: skip
    objects: Iterable[dict[str, Any]] = [
        {key: value for key, value in head.items() if value not in (None, "")},
        *({"ref": ref} for ref in queue.refs),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    folder.write(path, "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects))
    return path


def _object(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise JournalError(f"{path}, line {number}: it is no object.", 'A line looks like {"ref": "MODEL/CASE/RUN"}.')
    return value
