"""The texts that models are given, as files under `data/northline/prompts/`, and what says which they were.

A desk that has such a file in its own `prompts/` is played with that one. Pure: fills places such as `{policy}` and
hashes files. Whoever changes a file changes the hash that stands with a run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from reviewer.basics import toml
from reviewer.basics.errors import SourceError
from reviewer.benchmark.live.desk_kit import DeskKit, kit
from reviewer.transcripts.model import Case

STOP = "###END###"
"""What the simulated customer writes when it is done."""
AGENT, CUSTOMER, JUDGE, ASK, RECORD = "agent.md", "customer.md", "judge.md", "ask.md", "record.md"
STYLES = "styles.toml"
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
    RECORD: frozenset({"mark", "record"}),
}
"""What a file must have a place for; whatever else stands in braces is text."""


def prompt(name: str, played: DeskKit | None = None) -> str:
    """The text of a prompt file, the desk's own where it has one; refused where it lacks a place to be filled."""
    return _text(_path(name, played))


@cache
def _text(path: Path) -> str:
    name = path.name
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"prompts/{name} cannot be read: {error}.", "Put the file back.") from error
    absent = sorted(place for place in _PLACES.get(name, ()) if f"{{{place}}}" not in text)
    if absent or not text:
        lacking = f"no place for {{{absent[0]}}}" if absent else "nothing in it"
        raise SourceError(f"prompts/{name} has {lacking}.", "The file as it was shipped shows all places.")
    return text


def hashes(played: DeskKit | None = None) -> dict[str, str]:
    """The first twelve digits of the SHA-256 of every prompt file, of the policy, of what the tools answer from."""
    played = played or kit()
    texts = {name: prompt(name, played) for name in (AGENT, CUSTOMER, JUDGE, *RUBRICS.values(), STYLES)}
    texts |= {"policy.md": policy(played), RECORD: prompt(RECORD)}
    return {**{name: digest(text) for name, text in texts.items()}, **played.digests}


def check(played: DeskKit) -> None:
    """Refuse a desk whose own prompts cannot be used, or would not be: before anything is paid."""
    names = {AGENT, CUSTOMER, JUDGE, *RUBRICS.values(), STYLES}
    own = [path for path in sorted(played.prompts.glob("*")) if path.suffix in (".md", ".toml")]
    for path in own if played is not kit() else ():
        if path.name not in names:
            raise SourceError(f"Nothing takes {path} for a prompt.", f"Prompts of a desk: {', '.join(sorted(names))}.")
        if not path.resolve().is_relative_to(played.prompts.parent.resolve()):
            raise SourceError(f"{path} is outside the desk's folder.", "Put the file itself there.")
    for name in sorted(names):
        prompt(name, played)
    _styles(_path(STYLES, played))


def digest(text: str) -> str:
    """What a prompt is known by: the first twelve digits of its SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def policy(played: DeskKit | None = None) -> str:
    """The policy of a desk."""
    return (played or kit()).desk.policy.strip()


def today(played: DeskKit | None = None) -> str:
    """The day that a desk takes for today."""
    return (played or kit()).desk.clock or ""


def for_agent(played: DeskKit | None = None) -> str:
    """The system prompt of the agent: at which desk it is, the day, the policy."""
    played = played or kit()
    told = {"desk": played.desk.title, "today": today(played), "policy": policy(played)}
    return _filled(prompt(AGENT, played), told)


def for_customer(case: Case, style: str, played: DeskKit | None = None) -> str:
    """The system prompt of the simulated customer; it never holds the policy, what is forbidden or what is expected."""
    played = played or kit()
    style = _styles(_path(STYLES, played)).get(style, style)
    told = {"persona": case.persona, "goal": case.goal, "style": style, "opening": case.opening}
    filled = {name: text or "" for name, text in told.items()}
    return _filled(prompt(CUSTOMER, played), {"desk": played.desk.title, "stop": STOP, **filled})


def for_judge(rubric: str, transcript: str, case: Case | None, policy_text: str, played: DeskKit | None = None) -> str:
    """The question to a judge: policy, case, conversation, and what is judged how."""
    resolves = (case.extra or {}).get("resolves") if case else None
    told = {
        "policy": policy_text or _NO_POLICY,
        "goal": (case.goal if case else None) or "Not stated: see what the customer writes.",
        "resolves": str(resolves or "Not stated: judge by the policy."),
        "rubric": rubric,
        "transcript": transcript,  # last, so that nothing in it is filled
    }
    return _filled(prompt(JUDGE, played), told)


def for_reader(modes: str, transcript: str, policy_text: str) -> str:
    """The question to a model that looks for failure modes: policy, modes, conversation."""
    told = {"policy": policy_text or _NO_POLICY, "modes": modes, "transcript": transcript}
    return _filled(prompt(ASK), told)


def record(mark: str, text: str) -> str:
    """A conversation as a model reads it, with what tells it where a message ends; no desk has its own."""
    return _filled(prompt(RECORD), {"mark": mark, "record": text})


def judge_version(rubric: str, played: DeskKit | None = None) -> str:
    """The version of the question to a judge: another one when the prompt, the rubric or the record's form changes."""
    return digest("\n".join((prompt(JUDGE, played), prompt(RECORD), rubric)))


def reader_version() -> str:
    """The version of the question to a model that looks for failure modes, without the modes."""
    return digest(f"{prompt(ASK)}\n{prompt(RECORD)}")


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
def _styles(path: Path) -> dict[str, str]:
    try:
        table = toml.table_of(_text(path))
    except toml.NotTomlError as error:
        raise SourceError(f"prompts/styles.toml cannot be read as TOML: {error}.", "Mend it.") from error
    return {name: str(text) for name, text in table.items()}


def _path(name: str, played: DeskKit | None) -> Path:
    own = (played or kit()).prompts / name
    return own if own.is_file() else kit().prompts / name
