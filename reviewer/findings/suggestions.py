"""Suggestions: what reads suggest about the open store and nobody has decided about.

A suggestion is open until somebody accepts it, rejects it, or puts its mode on its words by hand. Owns that rule, and
what a read suggested of a conversation that was read without seeing it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from reviewer.basics.errors import JournalError, RefError
from reviewer.findings.finding_store import FindingRow
from reviewer.findings.kept_findings import FindingBrief, KeptFindings
from reviewer.marks.codebook import Codebook
from reviewer.marks.ledger import Ledger, State
from reviewer.marks.review.marks import Mark, case_of, in_reading_order, suggested
from reviewer.marks.review.shares import share_of
from reviewer.marks.review.sight import Sight
from reviewer.marks.shapes import finding_identity, finding_of, reference
from reviewer.transcripts.model import Finding, Stored, Tag
from reviewer.transcripts.refs import Ref


class Suggestions(KeptFindings):
    """The findings of the open store, less what people said about them."""

    def of_conversation(self, stored: Stored, state: Callable[[str], State], codebook: Codebook) -> tuple[Mark, ...]:
        """The open suggestions about a conversation and its case, in reading order."""
        refs = dict.fromkeys(ref for ref in (stored.ref, case_of(stored)) if ref is not None)
        rows = [row for ref in refs for row in self.open_ones(ref, state(ref), codebook)]
        findings = ((row.identity, kept_finding(row.body)) for row in rows)
        return in_reading_order(suggested(each, identity, stored) for identity, each in findings if each is not None)

    def open_ones(self, ref: str, state: State, codebook: Codebook) -> list[FindingRow]:
        """The findings about one conversation or case that nobody decided about."""
        rows = self.of(ref)
        if not rows:
            return []
        settled = decided(state)
        return [
            row
            for row in rows
            if row.identity not in settled and not any(same(row, tag, codebook) for tag in state.tags)
        ]

    def survey(self, ledger: Ledger, sight: Sight, codebook: Codebook) -> list[ModeSuggestions]:
        """The open suggestions of the whole store by mode, the most first, with what people said of others."""
        by_mode: defaultdict[str, list[FindingBrief]] = defaultdict(list)
        marked, waiting = set(ledger.conversations()), self._waiting(ledger, codebook)
        for brief in self.briefs():
            state = ledger.state(brief.ref) if brief.ref in marked else State()
            if sight.shows_suggestions(state) and (brief.ref not in marked or brief.identity in waiting(brief.ref)):
                by_mode[brief.mode].append(brief)
        decisions = Counter(each for ref in marked for each in _decisions(ledger.state(ref)))
        modes = {*by_mode, *(mode for mode, _ in decisions)}
        told = [
            ModeSuggestions(mode, tuple(by_mode[mode]), decisions[mode, True], decisions[mode, False]) for mode in modes
        ]
        return sorted(told, key=lambda each: (-len(each.waiting), each.mode))

    def _waiting(self, ledger: Ledger, codebook: Codebook) -> Callable[[str], set[str]]:
        known: dict[str, set[str]] = {}

        def waiting(ref: str) -> set[str]:
            if ref not in known:
                known[ref] = {row.identity for row in self.open_ones(ref, ledger.state(ref), codebook)}
            return known[ref]

        return waiting

    def met(self, tag: Tag, codebook: Codebook) -> bool:
        """True if a read suggests what a tag says."""
        return any(same(row, tag, codebook) for row in self.of(tag.ref.conversation))


@dataclass(frozen=True, slots=True)
class ModeSuggestions:
    """What reads suggest of one mode across a store, and what people decided about it so far."""

    mode: str
    waiting: tuple[FindingBrief, ...]
    """Those that nobody has decided about."""
    accepted: int
    rejected: int

    @property
    def certain(self) -> int:
        """How many of those that wait are certain."""
        return sum(each.certain for each in self.waiting)

    @property
    def record(self) -> str:
        """What people decided: `12 of 15 accepted (80%, 55–93%)`; empty while nobody decided anything."""
        share = share_of(self.accepted, self.accepted + self.rejected)
        if share is None:
            return ""
        of = f"{self.accepted:,} of {self.accepted + self.rejected:,} accepted"
        return f"{of} ({share[0]:.0%}, {100 * share[1]:.0f}–{share[2]:.0%})"


def _decisions(state: State) -> Iterator[tuple[str, bool]]:
    """The mode of each finding that was decided about, and whether it was accepted."""
    for finding, accepted in _findings_of(state):
        mode: Any = finding.get("mode") if isinstance(finding, dict) else None
        if isinstance(mode, str):
            yield mode, accepted


def _findings_of(state: State) -> Iterator[tuple[Any, bool]]:
    """The findings that stand in what was said of a conversation, and whether they were accepted."""
    yield from ((event.fields.get("finding"), False) for event in state.rejected)
    yield from ((tag.extra["finding"], True) for tag in state.tags if tag.extra and "finding" in tag.extra)


def decided(state: State) -> set[str]:
    """The findings that were accepted or rejected, by their identity."""
    return {finding_identity(finding) for finding, _ in _findings_of(state)} - {""}


def same(row: FindingRow, tag: Tag, codebook: Codebook) -> bool:
    """True if a tag says what a finding says: its mode, at its place."""
    claim = _claim(row) if _same_mode(tag.code, row.mode, codebook) else None
    return claim is not None and any(_overlap(piece.ref, claim) for piece in tag.pieces)


def _same_mode(one: str, other: str, codebook: Codebook) -> bool:
    known = codebook.mode(one)
    return one == other or (known is not None and known == codebook.mode(other))


def _overlap(one: Ref, other: Ref) -> bool:
    """True if two places of one conversation are the same message, or its words overlap."""
    if one.message is None or other.message is None or one.message != other.message:
        return one.message == other.message
    if one.span is None or other.span is None or (one.call, one.part) != (other.call, other.part):
        return True
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]


def _claim(row: FindingRow) -> Ref | None:
    try:
        return reference(json.loads(row.body)["claim"]["ref"])
    except (ValueError, KeyError, TypeError, RecursionError, RefError):
        return None


def kept_finding(body: str) -> Finding | None:
    """What a finding's text says; nothing where somebody else wrote what cannot be read."""
    try:
        return finding_of(json.loads(body))
    except (ValueError, TypeError, AttributeError, RecursionError, JournalError, RefError):
        return None
