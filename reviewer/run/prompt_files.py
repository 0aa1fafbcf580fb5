"""The texts that models are given, as files under `data/northline/prompts/`, and what says which they were.

Pure: fills places such as `{policy}` and hashes files. Whoever changes a file changes the hash that stands with a run.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from reviewer import desk
from reviewer.errors import SourceError
from reviewer.model import Case
from reviewer.resources import data_dir

NORTHLINE = "northline"
"""The desk that is played."""
STOP = "###END###"
"""What the simulated customer writes when it is done."""
AGENT, CUSTOMER, JUDGE, ASK = "agent.md", "customer.md", "judge.md", "ask.md"
RUBRICS: Mapping[str, str] = {
    "resolution": "resolution.md",
    "instruction_following": "instruction-following.md",
    "sentiment": "sentiment.md",
}
"""What is judged, by the name of the score, and the file that says how."""
_NO_POLICY = "No policy is known."
_PLACES: Mapping[str, frozenset[str]] = {
    AGENT: frozenset({"policy"}),
    CUSTOMER: frozenset({"persona", "goal", "opening", "stop"}),
    JUDGE: frozenset({"transcript", "rubric"}),
    ASK: frozenset({"transcript", "modes"}),
}
"""What a file must have a place for; whatever else stands in braces is text."""


@cache
def prompt(name: str) -> str:
    """The text of a prompt file; refused where it lacks a place that has to be filled."""
    path = _folder() / name
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"prompts/{name} cannot be read: {error}.", "Put the file back.") from error
    absent = sorted(place for place in _PLACES.get(name, ()) if f"{{{place}}}" not in text)
    if absent or not text:
        lacking = f"no place for {{{absent[0]}}}" if absent else "nothing in it"
        raise SourceError(f"prompts/{name} has {lacking}.", "The file as it was shipped shows all places.")
    return text


@cache
def hashes() -> dict[str, str]:
    """The first twelve digits of the SHA-256 of every prompt file, and of the policy."""
    texts = {name: prompt(name) for name in (AGENT, CUSTOMER, JUDGE, *RUBRICS.values())}
    texts |= {"styles.toml": prompt("styles.toml"), "policy.md": policy()}
    return {name: digest(text) for name, text in texts.items()}


def digest(text: str) -> str:
    """What a prompt is known by: the first twelve digits of its SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def policy() -> str:
    """The policy of the Northline desk."""
    return desk.load(NORTHLINE).policy.strip()


def today() -> str:
    """The day that the desk takes for today."""
    return desk.load(NORTHLINE).clock or ""


def for_agent() -> str:
    """The system prompt of the agent: what it is, the day, the policy."""
    return _filled(prompt(AGENT), {"policy": policy(), "today": today()})


def for_customer(case: Case, style: str) -> str:
    """The system prompt of the simulated customer; it never holds the policy, what is forbidden or what is expected."""
    told = {"persona": case.persona, "goal": case.goal, "style": _styles().get(style, style), "opening": case.opening}
    return _filled(prompt(CUSTOMER), {**{name: text or "" for name, text in told.items()}, "stop": STOP})


def for_judge(rubric: str, transcript: str, case: Case | None, policy_text: str) -> str:
    """The question to a judge: policy, case, conversation, and what is judged how."""
    resolves = (case.extra or {}).get("resolves") if case else None
    told = {
        "policy": policy_text or _NO_POLICY,
        "goal": (case.goal if case else None) or "Not stated: see what the customer writes.",
        "resolves": str(resolves or "Not stated: judge by the policy."),
        "rubric": rubric,
        "transcript": transcript,  # last, so that nothing in it is filled
    }
    return _filled(prompt(JUDGE), told)


def for_reader(modes: str, transcript: str, policy_text: str) -> str:
    """The question to a model that looks for failure modes: policy, modes, conversation."""
    told = {"policy": policy_text or _NO_POLICY, "modes": modes, "transcript": transcript}
    return _filled(prompt(ASK), told)


def _filled(text: str, values: Mapping[str, str]) -> str:
    """The text with its places filled, in one pass: what is put in is never looked at again."""
    pieces: list[str] = []
    rest = text
    while True:
        at, name = min(((rest.find(f"{{{name}}}"), name) for name in values if f"{{{name}}}" in rest), default=(-1, ""))
        if at < 0:
            return "".join([*pieces, rest])
        pieces += [rest[:at], values[name]]
        rest = rest[at + len(name) + 2 :]


@cache
def _styles() -> dict[str, str]:
    try:
        table = tomllib.loads(prompt("styles.toml"))
    except tomllib.TOMLDecodeError as error:
        raise SourceError(f"prompts/styles.toml cannot be read as TOML: {error}.", "Mend it.") from error
    return {name: str(text) for name, text in table.items()}


def _folder() -> Path:
    return data_dir() / NORTHLINE / "prompts"
