"""Files that hold no conversations, and the word that says what they hold instead: an index, labels, prompts.

Knows shapes and names only; a file that is passed over is not read further and is never an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from reviewer.basics.errors import SourceError
from reviewer.imports.maps import table_rows
from reviewer.imports.source import Source

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
_SPEECH = re.compile(
    r"messages?|content|text|transcript|turns?|dialog(?:ue)?|conversations?|chat|utterances?|body|said"
    r"|input|output|prompt|questions?|answers?|responses?|completions?|repl(?:y|ies)",
    re.IGNORECASE,
)
"""Names of fields that hold what somebody said."""
_ANSWERS = re.compile(r"output|answers?|responses?|completions?|repl(?:y|ies)|messages?|content", re.IGNORECASE)
_LABELS = re.compile(r"label|annotation|ground_truth|fault|failure|judg|error_class|categor|rationale|verdict")

UNKNOWN = "of no known format"
COPY = "the same bytes as "
SPREADSHEETS = (".xlsx", ".xls", ".ods")
_OF_LABELS = "labels; reviewer attach puts scores beside conversations"
_OF_PROMPTS = "a dataset: prompts without answers"
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
    if source.suffix in SPREADSHEETS:
        return "a table in a spreadsheet; save it as CSV, then draft a map with: reviewer map FILE"
    if source.suffix == ".qdpx":
        return "a project for qualitative analysis, which is only written; tags come in from CSV or JSON Lines"
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
    return _of_record(source.name, record) if record else f"{UNKNOWN} (JSON without an object in it)"


def _of_record(name: str, record: Mapping[str, object]) -> str:
    """The word for a file of JSON, by its first record."""
    keys, names = set(map(str, record)), _names(record)
    if "messages_display" in keys:
        return "few-shot prompts, written as text"
    if {"input", "target"} <= keys and not any(map(_ANSWERS.fullmatch, keys)):
        return _OF_PROMPTS
    if called := _called(name):
        return called
    if not any(map(_SPEECH.fullmatch, names)):
        if any(shape <= keys for shape in _INDEX_KEYS) or _INDEX.search(name):
            return "an index or summary"
        if _LABELS.search(" ".join((name.rpartition("/")[-1], *names))):
            return _OF_LABELS
    return f"{UNKNOWN} ({_seen(record)})"


def may_be_table(word: str) -> bool:
    """True if a file that this word was said of may be a table of messages, which a map could read."""
    return word.startswith((UNKNOWN, *table_rows.WORDS)) or word in (_OF_LABELS, _OF_PROMPTS)


def _seen(record: Mapping[str, object]) -> str:
    """The first fields of a record, to show what the file is."""
    names = [str(key)[:_LONGEST] for key in record]
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return f"an object with {', '.join(names[:_FEW])}{more}"


def _names(record: Mapping[str, object]) -> list[str]:
    """The names of the fields of a record, and of those in the objects that it holds."""
    names = list(map(str, record))
    for value in record.values():
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, Mapping):
            names += map(str, first)
    return names
