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

from reviewer.basics.conflicts import REMEDY, conflict_line
from reviewer.basics.errors import JournalError
from reviewer.marks import folder
from reviewer.marks.journal import slug
from reviewer.transcripts.query.selection import alike

How = Literal["drawn", "exhaustive", "picked"]
_FIELDS = ("queue", "how", "query", "seed", "strata", "of", "by", "at")


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
    trouble: str = ""
    """What was wrong in its file, in a sentence; the rest of it stands."""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def gives_rates(self) -> bool:
        """True if rates may be printed of it; of a picked one only “seen n times”."""
        return self.how != "picked"

    @property
    def population(self) -> str:
        """The conversations that it was made from: `115 of “verdict:fail”`."""
        of = len(self.refs) if self.of is None and self.how == "exhaustive" else self.of
        if of is None:
            return f"“{self.query}” (its file does not count these)" if self.query else "conversations nobody recorded"
        return f"{of:,} of “{self.query}”" if self.query else f"all {of:,} in its store"

    @property
    def frame(self) -> str:
        """How it came about, as it is printed next to a rate: `20 drawn by family from 115 of “verdict:fail”`."""
        if self.how == "picked":
            return "picked"
        if self.how == "exhaustive":
            return f"holding all {self.population.removeprefix('all ')}"
        return f"{len(self.refs):,} drawn{f' by {self.strata}' if self.strata else ''} from {self.population}"


def names(annotations: Path) -> list[str]:
    """The queues of a folder."""
    return sorted(path.stem for path in (annotations / "queues").glob("*.jsonl"))


def by_name(annotations: Path) -> dict[str, Queue]:
    """The queues of a folder, by the names that reviews call them by and by those of their files."""
    folder.plain(annotations, annotations / "queues")
    named: dict[str, Queue] = {}
    for stem in names(annotations):
        queue = load(annotations, stem)
        named |= {stem: queue, queue.name: queue}
    return named


def load(annotations: Path, name: str) -> Queue:
    """Read a queue by its name, in which blank, hyphen and underscore are one.

    Lines that cannot be used are left out, and the queue's trouble names them.
    """
    path = annotations / "queues" / f"{slug(name)}.jsonl"
    if not path.exists():
        path = next((path.with_stem(each) for each in names(annotations) if alike(each) == alike(name)), path)
    folder.plain(annotations, path)
    try:
        text = path.read_text("utf-8-sig", errors="replace")
    except FileNotFoundError:
        known = ", ".join(names(annotations)) or "none yet"
        raise JournalError(f"There is no queue “{name}”.", f"Queues: {known}.") from None
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {error.strerror}.", "Check the file.") from None
    read = {number: _object(line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()}
    objects = [each for each in read.values() if each is not None]
    head = objects.pop(0) if objects and "ref" not in objects[0] else {}
    refs = tuple(dict.fromkeys(each["ref"] for each in objects if isinstance(each.get("ref"), str)))
    wrong = [number for number, each in read.items() if each is None or not _says(each, each is head)]
    return Queue(
        _text(head, "queue") or name,
        refs,
        next((how for how in get_args(How) if how == head.get("how")), "picked"),
        _text(head, "query"),
        _number(head, "seed"),
        _text(head, "strata"),
        _number(head, "of"),
        _text(head, "by"),
        _text(head, "at"),
        _trouble(path, wrong, conflict_line(text)),
        {key: value for key, value in head.items() if key not in _FIELDS},
    )


def save(annotations: Path, queue: Queue) -> Path:
    """Write a queue; one of that name that holds the same stays as it is, and with anything else it is refused."""
    path = folder.plain(annotations, annotations / "queues" / f"{slug(queue.name)}.jsonl")
    if path.exists():
        if load(annotations, queue.name).refs == queue.refs:
            return path
        raise JournalError(
            f"There is another queue “{queue.name}” already.",
            f":queue {slug(queue.name)} opens it; choose another name, or remove its file.",
        )
    head = {"queue": queue.name, "how": queue.how, "query": queue.query, "seed": queue.seed, "strata": queue.strata,
            "of": queue.of, "by": queue.by, "at": queue.at, **queue.extra}  # fmt: skip
    objects: Iterable[dict[str, Any]] = [
        {key: value for key, value in head.items() if value not in (None, "")},
        *({"ref": ref} for ref in queue.refs),
    ]
    folder.write(path, "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects))
    return path


def _object(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _says(line: dict[str, Any], head: bool) -> bool:
    return head or isinstance(line.get("ref"), str)


def _text(head: dict[str, Any], key: str) -> str:
    value = head.get(key)
    return value if isinstance(value, str) else ""


def _number(head: dict[str, Any], key: str) -> int | None:
    value = head.get(key)
    return value if isinstance(value, int) else None


def _trouble(path: Path, wrong: list[int], conflict: int | None) -> str:
    if conflict is not None:
        return f"{path.name}, line {conflict}: git could not merge two versions of this file. {REMEDY}"
    if not wrong:
        return ""
    if len(wrong) == 1:
        return f"{path.name}, line {wrong[0]} is not a reference and was left out."
    return f"{path.name}, line {wrong[0]} and {len(wrong) - 1:,} more are not references and were left out."
