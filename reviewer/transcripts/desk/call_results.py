"""Whether a call succeeded, and what it was called with, as its stored texts show. Pure.

A source marks a failed call only when it knows of one. Many write the failure into the result instead: `Error: order
not found`, `{"error": "not allowed"}`, `# var_6 = "Error: …"`. This module recognises these when a conversation is
read.
Nothing here is ever stored as the call's `error`, because the digest of a conversation covers that field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from reviewer.basics.python_literals import literal
from reviewer.transcripts.model import ToolCall

LONGEST = 200_000
"""Characters of arguments or of a result that are parsed; of a longer text only the beginning is looked at."""
_DEPTH = 3
"""Objects in objects and texts in texts that are opened."""
_ASSIGNED = r"(?:\#\s{0,8})?(?:[A-Za-z_]\w{0,40}\s{0,8}=\s{0,8})?[\"']?"
_WRITTEN = re.compile(
    rf"\s{{0,40}}{_ASSIGNED}(?:"
    r"error(?=\s{0,4}(?:[:\-–(]|(?:execut|call|invok|runn|process|retriev|fetch|creat|updat|validat|pars)ing\b|occurred"
    r"|while)|[\"'.!]?\s{0,8}$)"
    r"|<(?:tool_use_)?error>"
    r"|(?:[A-Za-z_.]{0,40}(?:Error|Exception)):\s"
    r"|Traceback \(most recent call last\)"
    r")",
    re.IGNORECASE,
)
_CARRIERS = frozenset(("observation", "output", "result", "content", "text", "response", "message"))
"""Keys of an object whose only value is the result itself."""
_NO_ERROR = frozenset(("", "none", "null", "false", "no", "0", "ok", "no error"))


def failed(call: ToolCall, refusals: tuple[str, ...] = ()) -> bool:
    """True if the call came back with an error, whether its source marked the error or wrote it into the result.

    `refusals` are the beginnings of results with which this desk refuses.
    """
    if call.error is not None:
        return True
    return call.result is not None and reports_failure(call.result, refusals)


def reports_failure(result: str, refusals: tuple[str, ...] = ()) -> bool:
    """True if a result reports that the call failed."""
    if refusals and result[: max(map(len, refusals)) + 8].lstrip(" \t\r\n\"'").casefold().startswith(
        tuple(each.casefold() for each in refusals)
    ):
        return True
    if result.lstrip()[:1] in "{[" and len(result) <= LONGEST and _may_report(result):
        try:
            return _object_reports(json.loads(result), _DEPTH)
        except (ValueError, RecursionError):
            pass
    return _WRITTEN.match(result) is not None


def _may_report(result: str) -> bool:
    """False if no key or text in it could report a failure: nearly all results need not be parsed."""
    return re.search(r"(?i)error|exception|traceback|\"(?:success|succeeded|ok|status)\"", result) is not None


def _object_reports(value: Any, depth: int) -> bool:
    if isinstance(value, str):
        return depth > 0 and (_WRITTEN.match(value) is not None)
    if isinstance(value, list):
        return len(value) == 1 and depth > 0 and _object_reports(value[0], depth - 1)
    if not isinstance(value, dict):
        return False
    if any(_states_error(value.get(key)) for key in ("error", "errors", "is_error", "isError")):
        return True
    if any(value.get(key) in (False, "false", "False") and key in value for key in ("success", "succeeded", "ok")):
        return True
    if value.get("status") in ("error", "Error", "ERROR"):
        return True
    told = [each for key, each in value.items() if key in _CARRIERS]
    return len(told) == 1 and len(value) <= 2 and depth > 0 and _object_reports(told[0], depth - 1)


def _states_error(value: Any) -> bool:
    return value.strip().casefold() not in _NO_ERROR if isinstance(value, str) else bool(value)


def arguments_of(call: ToolCall) -> Mapping[str, Any] | None:
    """What a call was called with, written as JSON or as a Python literal; None if that is no object."""
    value = parsed(call.arguments or "{}")
    return value if isinstance(value, dict) else None


def parsed(text: str) -> Any:
    """The value that a text spells in JSON or in Python notation; None if it spells none or is too long to parse."""
    if len(text) > LONGEST:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return literal(text, None)
