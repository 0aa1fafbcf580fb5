"""Files that hold no conversations, and the word that says what they hold instead: an index, labels, prompts.

Knows shapes and names only; a file that is passed over is not read further and is never an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from reviewer.errors import SourceError
from reviewer.ingest.maps import table_rows
from reviewer.ingest.source import Source

_PAPERS = re.compile(r"^(?:origin-)?(readme|licen[cs]e|notice|changelog|citation|manifest|copying)\b", re.IGNORECASE)
_INDEX = re.compile(r"(?:^|[-_./])(?:index|runs|progress|summary|summaries|metrics|config|results_summary)\.jsonl?$")
_INDEX_KEYS = (
    {"tasks", "run_timestamp"},
    {"runs"},
    {"completed_tasks"},
    {"submissions"},
    {"results", "summary"},
    {"simulation_index"},
    {"timestamp", "info", "tasks"},
)
_SPOKEN = frozenset(
    ("messages", "message", "content", "text", "input", "output", "prompt", "response", "transcript", "turns", "dialog")
)
"""Fields that hold words: what has one may be a log whatever it is called."""
_TOLD = frozenset(("messages", "transcript", "turns", "dialog", "conversation"))
"""Fields that hold a conversation: a list of objects with one is no index."""
_LABELS = re.compile(r"label|annotation|ground_truth|fault|failure|judg|error_class|categor|rationale|verdict")

UNKNOWN = "of no known format"
COPY = "the same bytes as "
_BLANK = b"\xef\xbb\xbf \t\r\n"
_FEW, _LONGEST = 5, 40


def paper(source: Source) -> str:
    """The word for a text that only accompanies logs (a readme, a licence), by its name; empty for other files."""
    return "" if source.head.lstrip(_BLANK)[:1] in (b"{", b"[") else _called(source.name)


def _called(name: str) -> str:
    match = _PAPERS.match(name.rsplit("/", 1)[-1])
    return f"a {match[1].lower()}" if match else ""


def word(source: Source) -> str:
    """The word for what a file holds that no format recognises."""
    if source.head.startswith(b"PK"):
        return "a zip with no log in it" if source.suffix == ".zip" else "a zip: unpack it and import the folder"
    if told := table_rows.word(source):
        return told
    if b"\0" in source.head:
        return "neither JSON nor a log: a binary file"
    if source.head.lstrip(_BLANK)[:1] not in (b"{", b"["):
        return f"{UNKNOWN} (no JSON)"
    try:
        record = source.record
    except SourceError:
        record = {}
    if not record:
        return f"{UNKNOWN} (JSON without an object in it)"
    keys = set(map(str, record))
    if "messages_display" in keys:
        return "few-shot prompts, written as text"
    if {"input", "target"} <= keys:
        return "a dataset: prompts without answers"
    if called := _called(source.name):
        return called
    listed = any(shape <= keys for shape in _INDEX_KEYS) and _TOLD.isdisjoint(_words(record))
    if listed or (_INDEX.search(source.name) and not _SPOKEN & keys):
        return "an index or summary"
    if _LABELS.search(" ".join((source.name.rsplit("/", 1)[-1], *_words(record)))):
        return "labels; reviewer attach puts scores beside conversations"
    return f"{UNKNOWN} ({_seen(record)})"


def _seen(record: Mapping[str, object]) -> str:
    """The first fields of a record, to show what the file is."""
    names = [str(key)[:_LONGEST] for key in record]
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return f"an object with {', '.join(names[:_FEW])}{more}"


def _words(record: Mapping[str, object]) -> list[str]:
    words = list(map(str, record))
    for value in record.values():
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, Mapping):
            words += map(str, first)
    return words
