"""Inspect Scout's scan results as they lie on disk -> the lines that bring suggestions in.

A scan is a folder with `_scan.json` and a Parquet file for each scanner, a row for each transcript that it looked at
(or for each result). What Scout counts as positive is a suggestion of the scanner; a result set is several; all else
says that the scanner looked and suggests nothing. Messages are cited by identifiers that a store does not keep, so what
they say and which of their role they are is handed on. A scanner that was given one message has a row for each message,
and what it suggests is about that message. Read without Scout's own package.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports.maps import parquet
from reviewer.imports.messages import chat
from reviewer.imports.messages.content import first_of, listed, mapping, number_of, text_of
from reviewer.imports.source import BadRecord, Source
from reviewer.transcripts.model import Message

SPEC = "_scan.json"
_COLUMNS = (
    *("transcript_id", "transcript_task_set", "transcript_task_id", "transcript_task_repeat", "transcript_model"),
    *("task_name", "id", "epoch", "model", "scanner_key", "scanner_name", "scanner_version", "input", "label", "value"),
    "input_type",
    *("value_type", "answer", "explanation", "message_references", "scan_error", "scan_id"),
)
_NEEDED = ("transcript_id", "scanner_name", "value")
Line = tuple[str, Mapping[str, Any] | str]
"""Where it stands, and what it says; a sentence in the place of what cannot be read."""


def is_scan(path: Path) -> bool:
    """True for a folder, and for a Parquet file by itself."""
    if path.is_dir():
        return True
    try:
        with path.open("rb") as file:
            return file.read(len(parquet.MAGIC)) == parquet.MAGIC
    except OSError:
        return False  # whoever reads it as lines says what is wrong


def lines(path: Path) -> Iterator[Line]:
    """What the scan of a folder says, or what the scans in it say, the oldest first; or one scanner's file."""
    for file in _files(path):
        source = Source(file, file.name)
        missing = [name for name in _NEEDED if name not in parquet.columns(source)]
        if missing:
            hint = "A scan's folder holds _scan.json and a Parquet file for each scanner."
            raise SourceError(f"{file} holds no results of a scanner: it has no column {missing[0]}.", hint)
        for place, row in parquet.rows(source, _COLUMNS):
            where = f"{file.name}, {place}"
            if isinstance(row, BadRecord):
                yield where, row.reason
            else:
                yield from ((where, line) for line in _of_row(row))


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    inner = [] if (path / SPEC).is_file() else sorted(path.glob(f"*/{SPEC}"), key=_made)
    folders = [spec.parent for spec in inner] or [path]
    files = [file for folder in folders for file in sorted(folder.glob("*.parquet"))]
    if not files:
        raise SourceError(f"{path} holds no results of Inspect Scout.", f"Name a folder with {SPEC} and Parquet files.")
    return files


def _made(spec: Path) -> tuple[str, str]:
    """When a scan was made, for the order in which one takes the place of another."""
    try:
        return text_of(mapping(json.loads(spec.read_text("utf-8"))).get("timestamp")), str(spec)
    except (OSError, ValueError, RecursionError):
        return "", str(spec)


def _of_row(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any] | str]:
    if row.get("scan_error"):
        yield f"the scanner failed there ({text_of(row['scan_error']).strip().partition(chr(10))[0][:200]})."
        return
    about = {
        "by": text_of(first_of(row, "scanner_key", "scanner_name")),
        "version": number_of(row.get("scanner_version")) or 0,
        "scan": text_of(row.get("scan_id")),
        "transcript": {
            "id": text_of(row.get("transcript_id")),
            "suite": text_of(first_of(row, "transcript_task_set", "task_name")),
            "case": text_of(first_of(row, "transcript_task_id", "id")),
            "run": number_of(first_of(row, "transcript_task_repeat", "epoch")),
            "model": text_of(first_of(row, "transcript_model", "model")),
        },
    }
    results = _results(row)
    suggested = [each for each in results if _is_positive(each["value"])]
    of_message = row.get("input_type") == "message"
    messages = _messages(row.get("input"), of_message) if of_message or any(each["cited"] for each in suggested) else {}
    for each in suggested:
        names = each["cited"] or (list(messages) if of_message else [])
        cited = [messages[name] for name in names if name in messages]
        lost = len(names) - len(cited)
        yield {**about, **each["modes"], "reason": each["reason"], "messages": cited, "lost": lost}
    if not suggested:
        yield {**about, "value": False}


def _results(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every result of a row: what it values, in which mode, why, and which messages it cites."""
    kind, value = row.get("value_type"), row.get("value")
    name = text_of(row.get("scanner_name"))
    if kind != "resultset":
        cited = _parsed(row.get("message_references"))
        return [_result({**row, "value": _valued(value, kind), "references": cited}, name)]
    return [_result(each, name) for each in map(mapping, listed(_parsed(value))) if each]


def _result(told: Mapping[str, Any], name: str) -> dict[str, Any]:
    value, answer = told.get("value"), text_of(told.get("answer"))
    said = value if isinstance(value, str) else answer
    label = text_of(told.get("label")).strip()
    modes = {
        "mode": label or name,
        "modes": [label, answer.strip(), value.strip() if isinstance(value, str) else "", name],
    }
    reason = text_of(told.get("explanation")).strip() or (f"{name}: {said}" if said else "")
    references = map(mapping, listed(told.get("references")))
    cited = [text_of(each.get("id")) for each in references if each.get("type", "message") == "message"]
    return {"value": value, "modes": modes, "reason": reason, "cited": cited}


def _valued(value: Any, kind: Any) -> Any:
    """A value of any type, which a column of text holds where scanners return several."""
    if not isinstance(value, str) or kind in ("string", None):
        return value
    if kind == "null":
        return None
    return value.lower() == "true" if kind == "boolean" else _parsed(value)


def _is_positive(value: Any) -> bool:
    """True for what Scout counts: all but nothing, false, zero, what is empty, and the word none."""
    return bool(value) and not (isinstance(value, str) and value.lower() == "none")


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return None


def _messages(told: Any, alone: bool) -> dict[str, dict[str, Any]]:
    """The messages that a scanner was given, by identifier: who spoke, what was said, and which of theirs it was.

    Of a message alone it is not known which of theirs it was.
    """
    given = _parsed(told)
    items = listed(given.get("messages")) if isinstance(given, Mapping) and "messages" in given else given
    by_key: dict[str, dict[str, Any]] = {}
    numbers: dict[str, int] = {}
    for item in map(mapping, listed(items) if isinstance(items, list) else [items]):
        for read in chat.read_item(item) if item.get("role") else ():
            role = read.role if isinstance(read, Message) else "tool"
            text = read.text if isinstance(read, Message) else read.result or read.error or ""
            numbers[role] = numbers.get(role, 0) + 1
            by_key.setdefault(
                text_of(item.get("id")), {"role": role, "text": text, "nth": 0 if alone else numbers[role]}
            )
    return by_key
