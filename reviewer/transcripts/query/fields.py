"""The table of fields: what each is called, takes and means.

One table, from which parsing, completion and `reviewer help query` are made. Data only; what a field becomes in SQL
stands in `reviewer.transcripts.query.conditions`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reviewer.transcripts.model import BUCKETS, ENDINGS
from reviewer.transcripts.query.selection import OF_REVIEWS, PLACES, WRITERS

FieldKind = Literal["name", "number", "date", "choice", "either"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the language."""

    name: str
    kind: FieldKind
    meaning: str
    examples: tuple[str, ...]
    choices: tuple[str, ...] = ()
    """The only values there are (`choice`), or those worth offering first."""
    keyed: bool = False
    """Takes a key behind a dot, as `meta.KEY:`."""

    @property
    def ledger(self) -> bool:
        """True if it is answered from the reviewers' journals, not from the store."""
        return self.name in OF_REVIEWS

    @property
    def usage(self) -> str:
        """Its name as people type it: `meta.KEY:`."""
        return f"{self.name}.{'NAME' if self.name == 'score' else 'KEY'}:" if self.keyed else f"{self.name}:"


YES_NO = ("yes", "no")
_DID = (
    Field(
        "wrote",
        "name",
        "the kind of write that succeeded; yes for any, no for none",
        ("wrote:cancel", "wrote:no role:agent cancelled"),
        YES_NO,
    ),
    Field(
        "attempted",
        "name",
        "the kind of act that the agent attempted and the tool refused; yes for any, no for none",
        ("attempted:cancel", "attempted:yes wrote:no"),
        YES_NO,
    ),
    Field(
        "handover",
        "choice",
        "whether the agent handed over to a person",
        ("handover:yes", "handover:no bucket:must-escalate"),
        YES_NO,
    ),
    Field(
        "forbidden",
        "name",
        "whether the agent did or attempted what the case forbids, or which act of that",
        ("forbidden:yes", "forbidden:replace,reship"),
        YES_NO,
    ),
    Field(
        "flips",
        "choice",
        "whether the runs of one model on a case differ: in acts, in passing by the deciding score, in either",
        ("flips:acts", "flips:score -flips:acts", "flips:no forbidden:yes"),
        ("acts", "score", *YES_NO),
    ),
    Field("tool", "name", "a tool that was called", ("tool:cancel*", "-tool:get_policy")),
    Field("error", "choice", "whether a call failed or the conversation broke off in an error", ("error:yes",), YES_NO),
    Field("ended", "name", "how it ended, where the source says so", ("ended:turn-limit", "ended:none"), ENDINGS),
)
_IS = (
    Field("model", "name", "the model, or the configuration it ran in", ("model:kimi*", "model:kimi*,gpt-4o")),
    Field("case", "name", "the case", ("case:cancel-before-ship-3", "case:cancel-*", "case:none")),
    Field("run", "number", "the number of the run", ("run:2", "run:1,3", "run:none")),
    Field("suite", "name", "the suite the case belongs to", ("suite:northline",)),
    Field("family", "name", "the family of the case", ('family:"used item"', "family:cancel*")),
    Field("bucket", "name", "the bucket of the case", ("bucket:must-escalate",), BUCKETS),
    Field("label", "name", "a label of the case, or the label of the run", ("label:price-match",)),
    Field("id", "name", "the source's own identifier of the conversation", ("id:kimi*-1",)),
    Field(
        "source",
        "name",
        "the file it was imported from, by path or by its last part",
        ("source:run-2", "source:*kimi*"),
    ),
    Field("date", "date", "when it started (ended, where only that is known)", ("date:2026-06", "date:>2026-06-01")),
    Field("messages", "number", "how many messages it has", ("messages:>10", "messages:4..8")),
    Field("calls", "number", "how many tool calls it has", ("calls:1",)),
    Field(
        "score",
        "either",
        "a score it was given; @JUDGE names another judge than the run's own",
        ("score.instruction-following:<0.6", "score.reward@gpt-5:1", "score.reward:none"),
        keyed=True,
    ),
    Field(
        "meta",
        "either",
        "a value the source gave beside the conversation",
        ("meta.channel:chat", "meta.task.attempt:>1"),
        keyed=True,
    ),
)
_WHERE = (
    Field(
        "role", "choice", "who speaks; beside words, who wrote them", ("role:colleague", "role:agent refund"), WRITERS
    ),
    Field(
        "in",
        "choice",
        "where words are looked for; in judges' notes only when asked for",
        ("in:reasoning policy", "in:result,arguments shipped", "in:judge policy"),
        PLACES,
    ),
)
_REVIEWS = (
    Field("tag", "name", "a tag a reviewer gave it", ("tag:phantom-action", "tag:none")),
    Field("by", "name", "the reviewer who marked it", ("by:ana",)),
    Field("verdict", "name", "the verdict a reviewer gave", ("verdict:fail", "verdict:none")),
    Field(
        "reviewed",
        "name",
        "whether it was reviewed, how far somebody read (end, part, unknown), or by whom",
        ("reviewed:yes",),
        (*YES_NO, "end", "part", "unknown"),
    ),
    Field("stance", "name", "the stance of a tag", ("stance:debatable",)),
    Field("exemplar", "choice", "whether a tag in it is an exemplar", ("exemplar:yes",), YES_NO),
    Field("queue", "name", "a named queue it is in", ("queue:week-23",)),
    Field("note", "name", "words of a reviewer's note", ('note:"ask the desk"', "note:*refund*")),
)
_SUGGESTED = (
    Field(
        "finding",
        "name",
        "the mode of what reads suggest; yes for any, no for none",
        ("finding:phantom-action", "finding:no handover:yes"),
        YES_NO,
    ),
    Field(
        "certain",
        "choice",
        "whether a suggestion is certain",
        ("certain:yes", "finding:acts-before-confirming certain:no"),
        YES_NO,
    ),
    Field("read", "name", "the read, or the other source, that suggests", ("read:leaked-*",)),
)
SECTIONS = {"did": _DID, "is": _IS, "where": _WHERE, "reviews": _REVIEWS, "suggested": _SUGGESTED}
"""The fields by what they are about, as the page about the language has them."""

_ORDER = (_IS[:2], _DID, _WHERE, _IS, _REVIEWS, _SUGGESTED)
FIELDS: dict[str, Field] = {each.name: each for section in _ORDER for each in section}
"""Every field by its name, those that are asked for most first."""
