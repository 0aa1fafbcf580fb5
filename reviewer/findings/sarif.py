"""SARIF, the form in which linters report, as records of suggestions: the rule is the mode, the tool is the source.

A result is about the conversation that its location names: a reference of ours, an identifier of the source, or the
file and line that it was imported from. What a tool passed or suppressed says that it looked and suggests nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

_NAMES = ("ref", "conversation", "conversation_id", "transcript_id", "trace_id", "session_id", "run_id")
_KNOWN = {
    *("ruleId", "ruleIndex", "rule", "message", "locations", "kind", "suppressions", "baselineState", "properties"),
    *("guid", "correlationGuid", "fingerprints", "partialFingerprints", "occurrenceCount", "provenance"),
    *("hostedViewerUri", "workItemUris", "analysisTarget"),
}
"""What a result holds that is taken, or that says nothing of a conversation."""
_NOTHING = ("pass", "notApplicable", "informational")


def is_sarif(value: Any) -> bool:
    """True for a log of SARIF."""
    return (
        isinstance(value, dict) and isinstance(value.get("runs"), list) and ("version" in value or "$schema" in value)
    )


def records(log: Mapping[str, Any], dropped: Counter[str]) -> Iterator[tuple[str, Mapping[str, Any] | str]]:
    """Each result with its place; the fields that are dropped are counted."""
    runs = log["runs"]
    for at, run in enumerate(map(_mapping, runs), start=1):
        driver = _mapping(_mapping(run.get("tool")).get("driver"))
        rules = [_mapping(each) for each in _list(driver.get("rules"))]
        for number, result in enumerate(_list(run.get("results")), start=1):
            place = f"result {number}" if len(runs) == 1 else f"run {at}, result {number}"
            yield place, _record(result, driver, rules, dropped) if isinstance(result, dict) else "it is not an object."


def _record(
    result: Mapping[str, Any], driver: Mapping[str, Any], rules: list[Mapping[str, Any]], dropped: Counter[str]
) -> Mapping[str, Any] | str:
    rule = _rule(result, rules)
    identifier = _text(result.get("ruleId")) or _text(rule.get("id"))
    properties = _mapping(result.get("properties"))
    names = [_text(rule.get("name")), _text(properties.get("finding_type")), identifier]
    locations = [_mapping(each) for each in _list(result.get("locations"))]
    suppressed = any(_mapping(each).get("status") != "rejected" for each in _list(result.get("suppressions")))
    dropped.update(f"properties.{name}" for name in properties.keys() - {*_NAMES, "finding_type"})
    dropped.update(name for name in result.keys() - _KNOWN)
    dropped.update(["further locations"] if len(locations) > 1 else [])
    record: dict[str, Any] = {
        "by": _text(driver.get("name")) or None,
        "mode": next(filter(None, names), ""),
        "modes": names,
        "reason": _message(result.get("message"), rule),
        "at": _place(locations[0] if locations else {}, properties),
    }
    if suppressed or result.get("kind") in _NOTHING or result.get("baselineState") == "absent":
        record["value"] = False
    return record


def _rule(result: Mapping[str, Any], rules: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    index = result.get("ruleIndex", _mapping(result.get("rule")).get("index"))
    if type(index) is int and 0 <= index < len(rules):
        return rules[index]
    named = (rule for rule in rules if rule.get("id") == result.get("ruleId"))
    return next(named, _mapping(result.get("rule")))


def _message(message: Any, rule: Mapping[str, Any]) -> str:
    """What a result says: its own words, else those that its rule has for it."""
    said = _mapping(message)
    held = _mapping(_mapping(rule.get("messageStrings")).get(_text(said.get("id"))))
    text = _text(said.get("text")) or _text(said.get("markdown")) or _text(held.get("text"))
    for number, argument in enumerate(_list(said.get("arguments"))):
        text = text.replace(f"{{{number}}}", str(argument))
    return text or _text(_mapping(rule.get("shortDescription")).get("text"))


def _place(location: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """What names the conversation: names, a file and a line, and the words that stand there."""
    logical = [_mapping(each) for each in _list(location.get("logicalLocations"))]
    physical = _mapping(location.get("physicalLocation"))
    region = _mapping(physical.get("region"))
    file = unquote(_text(_mapping(physical.get("artifactLocation")).get("uri"))).replace("\\", "/")
    names = [_text(properties.get(name)) for name in _NAMES]
    names += [_text(each.get(name)) for each in logical for name in ("fullyQualifiedName", "name")]
    return {
        "names": [*filter(None, names), *([file] if file else [])],
        "file": file.removeprefix("file://"),
        "line": region.get("startLine"),
        "words": _text(_mapping(region.get("snippet")).get("text")),
    }


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
