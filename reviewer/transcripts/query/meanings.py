"""What people call what the language has under another name: data for suggestions, and asking it.

A word leads to fields (`by:`), to a key's usage (`score.NAME:`) or to a whole term (`handover:yes`). What is near in
letters is offered where nothing is near in meaning.
"""

from __future__ import annotations

from difflib import get_close_matches

from reviewer.transcripts.query.fields import FIELDS

_MEANT = {
    "status": "ended: verdict:",
    "state": "ended: verdict: reviewed:",
    "outcome": "wrote: handover:yes score.NAME:",
    "result": "in:result score.NAME: verdict:",
    "results": "in:result score.NAME:",
    "end": "ended:",
    "ending": "ended:",
    "reason": "in:reasoning ended:",
    "thinking": "in:reasoning",
    "thought": "in:reasoning",
    "reviewer": "by:",
    "annotator": "by:",
    "author": "by: role:",
    "user": "role:customer by:",
    "who": "by: role:",
    "from": "role: date:",
    "speaker": "role:",
    "customer": "role:customer",
    "agent": "role:agent model:",
    "assistant": "role:agent",
    "bot": "role:agent model:",
    "llm": "model:",
    "rating": "score.NAME: verdict:",
    "reward": "score.reward:",
    "judge": "score.NAME@JUDGE:",
    "grade": "score.NAME: verdict:",
    "pass": "verdict:pass score.NAME:",
    "passed": "verdict:pass score.NAME:",
    "fail": "verdict:fail error:yes",
    "failed": "verdict:fail error:yes",
    "mode": "tag: finding:",
    "failure": "tag: finding: error:yes",
    "findings": "finding:",
    "suggestion": "finding:",
    "suggestions": "finding:",
    "suggested": "finding:",
    "detected": "finding:",
    "detector": "read:",
    "scanner": "read:",
    "likely": "certain:no",
    "certainty": "certain:",
    "sure": "certain:yes stance:",
    "code": "tag:",
    "comment": "note:",
    "notes": "note:",
    "unread": "reviewed:no",
    "glanced": "reviewed:part",
    "done": "reviewed:yes",
    "refund": "wrote:refund",
    "refunded": "wrote:refund",
    "cancel": "wrote:cancel",
    "cancelled": "wrote:cancel",
    "canceled": "wrote:cancel",
    "write": "wrote:",
    "writes": "wrote:",
    "did": "wrote:",
    "act": "wrote:",
    "action": "wrote: tool:",
    "called": "tool:",
    "function": "tool:",
    "escalate": "handover:yes",
    "escalated": "handover:yes",
    "escalation": "handover:yes",
    "handoff": "handover:yes",
    "transfer": "handover:yes",
    "transferred": "handover:yes",
    "human": "handover:yes role:colleague",
    "unsafe": "forbidden:yes",
    "forbids": "forbidden:yes",
    "violation": "forbidden:yes",
    "flip": "flips:yes",
    "flipped": "flips:yes",
    "consistent": "flips:no",
    "task": "case:",
    "scenario": "case: family:",
    "dataset": "suite: source:",
    "domain": "suite:",
    "benchmark": "suite:",
    "category": "family: bucket: label:",
    "type": "family: bucket:",
    "trial": "run:",
    "attempt": "run:",
    "file": "source:",
    "path": "source:",
    "length": "messages:",
    "turns": "messages:",
    "size": "messages:",
    "time": "date:",
    "day": "date:",
    "started": "date:",
    "text": "in:text",
    "say": "role:",
    "said": "role:",
}  # fmt: skip
_CHOSEN = {
    "true": "yes", "y": "yes", "1": "yes", "any": "yes", "false": "no", "n": "no", "0": "no", "none": "no",
    "assistant": "agent", "ai": "agent", "bot": "agent", "model": "agent", "user": "customer", "client": "customer",
    "human": "customer", "function": "tool", "thinking": "reasoning", "thoughts": "reasoning", "results": "result",
    "output": "result", "input": "arguments", "args": "arguments", "message": "text", "messages": "text",
}  # fmt: skip
_MEANT_WRITES = ("handover:", "forbidden:", "flips:")


def fields_meant(word: str) -> list[str]:
    """What may have been meant by a name that no field has, as it is typed; the nearest in meaning first."""
    word = word.lower()
    meant = get_close_matches(word, _MEANT, 1, 0.9)
    if not meant and (near := get_close_matches(word, FIELDS, 1, 0.6)):
        return [FIELDS[near[0]].usage]
    return [each for other in meant or get_close_matches(word, _MEANT, 1, 0.8) for each in _MEANT[other].split()]


def choice_meant(word: str, choices: tuple[str, ...]) -> str | None:
    """The choice of a field that may have been meant by another word."""
    word = word.lower()
    if _CHOSEN.get(word) in choices:
        return _CHOSEN[word]
    return next(iter(get_close_matches(word, choices, 1, 0.6)), None)


def act_meant(word: str) -> str | None:
    """The term that asks for what somebody took for a kind of write: `wrote:escalated` is `handover:yes`."""
    if word.lower() == "handover":
        return "handover:yes"
    meant = _MEANT.get(word.lower(), "").split()
    return next((term for term in meant if term.startswith(_MEANT_WRITES)), None)
