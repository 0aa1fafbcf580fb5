"""Files of other people's suggestions -> records: JSON Lines, an array, an object that holds one list, or SARIF.

Owns what others call the fields of a suggestion. A field that has no place in one is counted by its name, so that a
person can be told what was dropped.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.findings import sarif

_OURS = (
    "ref",
    "claim",
    "quote",
    "span",
    "mode",
    "reason",
    "by",
    "read",
    "version",
    "certain",
    "evidence",
    "transcript",
)
_OTHERS = {
    "mode": ("label", "category", "failure_mode", "issue", "rule", "rule_id", "code"),
    "reason": ("explanation", "rationale", "justification", "comment", "description"),
    "quote": ("excerpt", "snippet"),
    "by": ("judge", "annotator", "evaluator", "scanner", "author"),
}
"""What others call a field; ours counts where it is there."""
_PLACES = ("reference", "conversation", "conversation_id", "transcript_id", "trace_id", "session_id")
_BESIDES = ("message", "identity", "confidence", "start", "end")
"""Fields that are taken in another way, or that repeat what others hold."""
_LISTS = ("findings", "suggestions", "results", "issues", "annotations", "records")
Line = tuple[str, Mapping[str, Any] | str]
"""Where a record stands, and the record; a sentence in the place of one that cannot be read."""


def lines_of(name: str, held: bytes, dropped: Counter[str]) -> Iterator[Line]:
    """The records of a file with their places; the fields that are dropped are counted."""
    whole = _value(held)
    if sarif.is_sarif(whole):
        for place, record in sarif.records(whole, dropped):
            yield f"{name}, {place}", record
        return
    if isinstance(whole, dict) and not whole.keys() & {"ref", "mode"}:
        whole = next((whole[key] for key in _LISTS if isinstance(whole.get(key), list)), whole)
    if isinstance(whole, dict) and b"\n" in held.strip():
        whole = [whole]
    if isinstance(whole, list):
        for number, value in enumerate(whole, start=1):
            yield f"{name}, entry {number}", _record(value, dropped)
        return
    for number, line in enumerate(held.split(b"\n"), start=1):
        if line.strip(b"\xef\xbb\xbf \t\r"):
            yield f"{name}, line {number}", _line(line, dropped)


def _value(held: bytes) -> Any:
    """The value of a file that holds one; None for lines, and for what is no JSON."""
    try:
        return json.loads(held.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def _line(line: bytes, dropped: Counter[str]) -> Mapping[str, Any] | str:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "it is not UTF-8."
    except (ValueError, RecursionError):
        return "it is not JSON."
    return _record(value, dropped)


def _record(value: Any, dropped: Counter[str]) -> Mapping[str, Any] | str:
    """A record under our names."""
    if not isinstance(value, dict):
        return "it is not an object."
    record = {name: value[name] for name in _OURS if name in value}
    taken = {*record, *_BESIDES}
    for name, others in _OTHERS.items():
        other = next((each for each in others if value.get(each) not in (None, "")), None)
        if other is not None and name not in record and not (name == "by" and "read" in record):
            record[name] = value[other]
            taken.add(other)
    names = [each for each in _PLACES if isinstance(value.get(each), str)]
    if names and not record.keys() & {"ref", "claim", "transcript"}:
        record["at"] = {"names": [value[each] for each in names]}
        taken |= {*names}
    number = value.get("message")
    if type(number) is int and not isinstance(record.get("claim"), dict):
        record["message"] = number
    if record.get("span") is None and type(value.get("start")) is int and type(value.get("end")) is int:
        record["span"] = [value["start"], value["end"]]
    if value.get("confidence") not in (None, ""):
        record["confidence"] = value["confidence"]
    dropped.update(name for name, held in value.items() if name not in taken and held not in (None, "", [], {}))
    return record
