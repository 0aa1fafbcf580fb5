"""Files that hold no conversations, and the word that says what they hold instead: an index, labels, prompts.

Knows shapes and names only; a file that is passed over is not read further and is never an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from reviewer.errors import SourceError
from reviewer.ingest.source import Source

_PAPERS = re.compile(r"^(?:origin-)?(readme|licen[cs]e|notice|changelog|citation|manifest|copying)\b", re.IGNORECASE)
_INDEX = re.compile(r"(?:^|[-_./])(?:index|runs|progress|summary|summaries|metrics|config|results_summary)\.jsonl?$")
_INDEX_KEYS = ({"tasks", "run_timestamp"}, {"runs"}, {"completed_tasks"}, {"submissions"}, {"results", "summary"})
_LABELS = re.compile(r"label|annotation|ground_truth|fault|failure|judg|error_class|categor|rationale|verdict")


def paper(name: str) -> str:
    """What a file that only tells about the logs beside it is called: a readme, a licence; else nothing."""
    found = _PAPERS.match(name.rsplit("/", 1)[-1])
    return f"a {found[1].lower()}" if found else ""


def word(source: Source) -> str:
    """What a file holds that no format claims."""
    if b"\0" in source.head:
        return "neither JSON nor a log: a binary file"
    try:
        record = source.record
    except SourceError:
        record = {}
    if not record:
        return "no conversations recognised in it"
    keys = set(map(str, record))
    if "messages_display" in keys:
        return "few-shot prompts, written as text"
    if _INDEX.search(source.name) or any(shape <= keys for shape in _INDEX_KEYS):
        return "an index or summary"
    if _LABELS.search(" ".join((source.name.rsplit("/", 1)[-1], *_words(record)))):
        return "labels; reviewer attach puts scores beside conversations"
    return "no conversations recognised in it"


def _words(record: Mapping[str, object]) -> list[str]:
    found = list(map(str, record))
    for value in record.values():
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, Mapping):
            found += map(str, first)
    return found
