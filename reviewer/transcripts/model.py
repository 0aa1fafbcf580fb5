"""The values everything speaks of: conversations, messages, calls, cases, runs, anchors, tags.

Owns the frozen dataclasses and the words for roles and endings. Knows no file, no database and no screen. Texts are
kept equal to the code point; what has no field of its own goes to `meta` (queryable) or `extra` (kept).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, NamedTuple

from reviewer.basics.values import dataclass
from reviewer.transcripts.refs import Absence, NoteName, Ref

Role = Literal["system", "customer", "agent", "colleague", "other"]
ROLES: tuple[Role, ...] = ("system", "customer", "agent", "colleague", "other")

Bucket = Literal["resolvable", "must-escalate", "adversarial"]
BUCKETS: tuple[Bucket, ...] = ("resolvable", "must-escalate", "adversarial")

# How a conversation ended, where the source says so; anything else is kept in the source's own words.
ENDINGS = ("customer-stop", "agent-stop", "handover", "turn-limit", "error", "cut")

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool and what came back, both as the source wrote them."""

    name: str
    arguments: str | None = None
    """Raw: the source's string, or its object as compact JSON. Parsed when read."""
    result: str | None = None
    """Raw, None when no result was recorded."""
    error: str | None = None
    """What the source says went wrong; `error` where it only says that something did."""
    id: str | None = None
    orphan: bool = False
    """A result without a call: `name` and `arguments` are only what the result carried."""
    result_after: int | None = None
    """Number of the message after which the result arrived, when not right behind the call's own."""
    at: str | None = None
    extra: Json | None = None


class Citation(NamedTuple):
    """A passage of a document or a page that a message cites."""

    passage: str
    """Its words, where the source says them."""
    title: str
    source: str
    """An address, or the name of a file."""
    start: int | None = None
    """The characters of the message's text that cite it, where the source says them."""
    end: int | None = None

    @property
    def named(self) -> str:
        """The title and the source of it, those that are known."""
        return " · ".join(filter(None, (self.title, self.source)))

    @property
    def words(self) -> str:
        """All that it says: the passage, and what it is called."""
        return "\n".join(filter(None, (self.passage, self.title, self.source)))

    def is_cited_by(self, span: tuple[int, int] | None) -> bool:
        """True if these characters of the message cite it, or may: no span is all of them."""
        if span is None or self.start is None or self.end is None:
            return True
        return span[0] < self.end and self.start < span[1]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: who spoke, what was said and thought, which tools it called."""

    role: Role
    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    source_role: str = ""
    name: str | None = None
    at: str | None = None
    tokens_in: int | None = None
    """All that the model read for it, cached ones included."""
    tokens_out: int | None = None
    """All that it wrote, hidden reasoning included."""
    tokens_reasoning: int | None = None
    tokens_cached: int | None = None
    """Of those read, how many came from a cache."""
    cost: float | None = None
    """What the source says it cost, in the source's currency: US dollars nearly always."""
    extra: Json | None = None
    """What has no field of its own; `citations` are the passages that it cites, `blocks` what its content held else."""

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The passages that it cites, in order, each as it is known; other values under that name are none."""
        held = self.extra.get("citations") if self.extra else None
        cited = [_citation(each) for each in held if isinstance(each, Mapping)] if isinstance(held, list) else []
        return tuple(each for each in cited if each.passage or each.title or each.source)


def _citation(held: Json) -> Citation:
    passage, title, source = (
        value if isinstance(value := held.get(name), str) else "" for name in ("passage", "title", "source")
    )
    start, end = (value if type(value := held.get(name)) is int else None for name in ("start", "end"))
    return Citation(passage, title, source, start, end)


@dataclass(frozen=True, slots=True)
class Usage:
    """The usage of a whole conversation: the agent's tokens and their cost, not the simulated customer's."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    tokens_cached: int | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """A number (or a word) somebody else gave the conversation."""

    scorer: str
    value: float | None = None
    judge: str | None = None
    note: str | None = None
    raw: str | None = None
    """The value as the source wrote it, where it is no number: `C`, `true`, `partial`."""
    prompt: str | None = None
    """The version of the question that the judge was asked, where that is known."""

    @property
    def by(self) -> str:
        """Who gave it, with which prompt; empty where no judge is named."""
        return judge_label(self.judge, self.prompt) or ""


def judge_label(judge: str | None, prompt: str | None) -> str | None:
    """A judge as it is named beside its scores: two versions of a prompt are two judges."""
    return judge if prompt is None else f"{judge or 'a judge'} (prompt {prompt})"


class JudgeNote(NamedTuple):
    """What a judge noted beside a score."""

    name: NoteName
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """The set-up of the benchmark: the customer's story, what is right, what is forbidden."""

    id: str
    suite: str | None = None
    family: str | None = None
    bucket: str | None = None
    forbidden: tuple[str, ...] = ()
    """Write classes that this case forbids."""
    lure: str | None = None
    labels: tuple[str, ...] = ()
    order: Json | None = None
    persona: str | None = None
    goal: str | None = None
    expected: tuple[str, ...] = ()
    language: str | None = None
    opening: str | None = None
    context: str | None = None
    """Facts injected outside the tools (a promo); a source for grounding."""
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation as a source gave it. Production logs have neither case nor run."""

    model: str
    messages: tuple[Message, ...]
    case: str | None = None
    run: int | None = None
    id: str | None = None
    """The source's own identifier."""
    started: str | None = None
    ended: str | None = None
    ended_by: str | None = None
    clock: str | None = None
    """The day the conversation takes for today."""
    error: str | None = None
    scores: tuple[Score, ...] = ()
    meta: Json | None = None
    extra: Json | None = None
    facts: Case | None = None
    """What the source says of the case itself."""
    usage: Usage | None = None
    """What the source says it used in all; what it does not say is added up from the messages when it is stored."""

    @property
    def judged(self) -> tuple[JudgeNote, ...]:
        """The judges' notes, in the order of the scores; those of one judge on one score as one."""
        notes: dict[NoteName, list[str]] = {}
        for score in self.scores:
            if score.note:
                notes.setdefault(NoteName(score.scorer, score.judge or ""), []).append(score.note)
        return tuple(JudgeNote(name, "\n".join(texts)) for name, texts in notes.items())


@dataclass(frozen=True, slots=True)
class Run:
    """One pass of one configuration over the cases."""

    model: str
    number: int | None
    label: str | None = None
    prompt: str | None = None
    harness: str | None = None
    judge: str | None = None
    meant: tuple[str, ...] = ()
    """The cases the run was meant to have, where the source says so."""
    tools: tuple[Json, ...] = ()
    """The tools the agent was given, as the source defines them."""
    extra: Json | None = None
    """What else the source says of it: settings, the models of other roles."""


SIMULATED = "simulated customer"
"""What the harness of a run says where a model played the customers, and the mark of what they wrote."""


def mark_of(synthetic: bool, simulated: bool) -> str:
    """What must stand beside words of a conversation that no real customer, or not even a real model, had a part in."""
    return "SYNTHETIC" if synthetic else SIMULATED if simulated else ""


@dataclass(frozen=True, slots=True)
class Stored:
    """A conversation together with where it stands in the store."""

    rowid: int
    ref: str
    digest: str
    conversation: Conversation
    source: str = ""
    synthetic: bool = False
    desk: str | None = None
    """Text of the desk file that classes its tools."""
    simulated: bool = False
    """Whether a model played the customer."""

    @property
    def mark(self) -> str:
        """Whether a script wrote it, or a model played its customer; empty for other conversations."""
        return mark_of(self.synthetic, self.simulated)

    @property
    def formerly(self) -> tuple[str, ...]:
        """Its digests while the same messages of the same source were read as other words."""
        held = self.conversation.extra.get("formerly") if self.conversation.extra else None
        return tuple(each for each in held if isinstance(each, str)) if isinstance(held, list) else ()


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One line of the queue: what is known of a conversation without reading its messages."""

    rowid: int
    ref: str
    model: str
    case: str | None
    run: int | None
    family: str | None
    bucket: str | None
    messages: int
    agent_messages: int
    tool_calls: int
    errors: int
    ended_by: str | None
    error: str | None
    opening: str
    acts: str = ""
    """The agent's acts in order, as `reviewer.transcripts.desk.outcome.kept_acts` writes them."""
    forbidden: tuple[str, ...] = ()
    """Write classes that the case forbids."""
    desk: str | None = None
    """Text of the desk file that classes the tools."""
    tokens: int | None = None
    """In and out, where the source says."""
    cost: float | None = None
    unpriced: Usage | None = None
    """The agent's tokens where the source told these and no cost, and somebody was billed for them."""
    scores: Mapping[str, float | str] = field(default_factory=dict)
    """By scorer, of the run's own judge: a number, else what was written; empty where they were not asked for."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Exact words (or a whole item) with everything needed to find them again, or to see that they are gone."""

    ref: Ref
    digest: str
    message_digest: str = ""
    prefix_digest: str = ""
    quote: str = ""
    before: str = ""
    after: str = ""


Evidence = Anchor | Absence


@dataclass(frozen=True, slots=True)
class Tag:
    """A person's mark: a failure mode on exact words, with what contradicts them."""

    id: str
    at: str
    by: str
    code: str
    ref: Ref
    digest: str
    pieces: tuple[Anchor, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    note: str = ""
    clause: str = ""
    stance: str = ""
    cause: str = ""
    exemplar: bool = False
    extra: Json | None = None

    @property
    def bare(self) -> bool:
        """True when taking the tag back would lose nothing but the tag."""
        return not (self.note or self.clause or self.evidence or self.exemplar or self.stance or self.cause)


@dataclass(frozen=True, slots=True)
class Finding:
    """A machine's suggestion, with its proof; a person decides."""

    read: str
    version: int
    mode: str
    digest: str
    claim: Anchor
    evidence: tuple[Evidence, ...]
    reason: str
    certain: bool
