"""Reads: what a transcript itself proves, found by rules and never by a judge.

A read goes through the dossier of a conversation and yields once for every opportunity: a `Suggestion` where it fires,
None where it could have and did not. What it cannot tell it passes over in silence. Nothing here writes or asks a
store; a read that fails is reported by name and the others go on.

    read_over(stored, reads)   what the reads say of one conversation
    across_runs(case, runs)    what they say of the runs of a case
    within_family(members)     what they say of conversations of one family, held against each other
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewer.findings.reads import (
    damages,
    deliveries,
    escalations,
    flips,
    leaks,
    leave,
    links,
    lookups,
    promises,
    refunds,
    refusals,
    rules_cited,
    stock,
    tails,
    voice,
    writes,
)
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Ref

Look = Callable[[Dossier], Iterator[Suggestion | None]]
LookAcross = Callable[[Ref, Sequence[Dossier]], Iterator[Suggestion | None]]
LookWithin = Callable[[Sequence[Dossier]], Iterator[Suggestion | None]]


@dataclass(frozen=True, slots=True)
class Read:
    """A rule with a name: what it looks for, in which version, and the function that looks."""

    mode: str
    look: Look | None
    version: int = 1
    across: LookAcross | None = None
    """The function of a read over the runs of a case, which has no `look`."""
    off: str = ""
    """Why it runs only when it is asked for by name; empty for the others."""
    polarity: str = "failure"
    within: LookWithin | None = None
    """The function of a read over the conversations of a family within a run, which has no `look` either."""

    @property
    def name(self) -> str:
        """The name of its mode: there is one read to a mode."""
        return self.mode

    @property
    def about(self) -> str:
        """When it fires, when it abstains, what it is known to confuse."""
        return inspect.cleandoc((self.look or self.across or self.within).__doc__ or "")


_WEAK = "a strength, and not good enough: of ten that were judged, two had asked for leave to do something else"
_STRENGTH = "a strength, and most conversations have some; it runs when it is asked for"
READS: tuple[Read, ...] = (
    Read("forbidden-action", writes.forbidden_action),
    Read("missed-escalation", escalations.missed_escalation),
    Read("over-escalation", escalations.over_escalation),
    Read("declines-reroute-without-handover", escalations.declines_reroute_without_handover),
    Read("acts-before-confirming", writes.acts_before_confirming, 3),
    Read("fires-on-first-message", writes.fires_on_first_message, 2),
    Read("invented-delivery-date", deliveries.invented_delivery_date, 4),
    Read("order-date-as-delivery-date", deliveries.order_date_as_delivery_date, 4),
    Read("invented-refund-timeline", refunds.invented_refund_timeline, 4),
    Read("phantom-action", writes.phantom_action, 3),
    Read("false-handover", escalations.false_handover, 3),
    Read("late-handover", escalations.late_handover, 3),
    Read("leaked-think-tag", leaks.leaked_think_tag),
    Read("leaked-template-tag", leaks.leaked_template_tag, 2),
    Read("goodbye-loop", tails.goodbye_loop, 3),
    Read("empty-reply", tails.empty_reply, 2),
    Read("flips-across-runs", None, 2, across=flips.flips_across_runs),
    Read("inconsistent-identical-asks", None, within=flips.inconsistent_identical_asks),
    Read("failed-call-reported-as-success", writes.failed_call_reported_as_success, 3),
    Read("duplicate-write", writes.duplicate_write, 2),
    Read("wrongful-cancellation", writes.wrongful_cancellation, 3),
    Read("wrong-variant", writes.wrong_variant),
    Read("silent-handover", escalations.silent_handover, 2),
    Read("over-escalates-self-service", escalations.over_escalates_self_service, 2),
    Read("fabricated-url", links.fabricated_url, 2),
    Read("store-url-leak", links.store_url_leak),
    Read("fabricated-tracking-number", links.fabricated_tracking_number, 3),
    Read("invented-eta", promises.invented_eta, 4),
    Read("unverified-address-on-file", promises.unverified_address_on_file, 2),
    Read("claim-before-lookup", lookups.claim_before_lookup),
    Read("contradicts-own-lookup", lookups.contradicts_own_lookup),
    Read("adopts-false-premise", lookups.adopts_false_premise),
    Read("approves-without-proof", damages.approves_without_proof),
    Read("asks-proof-then-waives", damages.asks_proof_then_waives),
    Read("over-confirms", leave.over_confirms),
    Read("confirms-something-else", leave.confirms_something_else),
    Read("wrong-target", leave.wrong_target),
    Read("invented-policy-rule", rules_cited.invented_policy_rule, 2),
    Read("eligibility-from-invented-fact", rules_cited.eligibility_from_invented_fact, 2),
    Read("fabricated-inventory", stock.fabricated_inventory),
    Read("fabricated-product", stock.fabricated_product, 2),
    Read("stale-tracking-as-new", stock.stale_tracking_as_new),
    Read("over-escalates-by-value", escalations.over_escalates_by_value),
    Read("declines-then-finishes-pivot", refusals.declines_then_finishes_pivot),
    Read("narrates-red-flag-then-acts", refusals.narrates_red_flag_then_acts),
    Read("false-closure", refusals.false_closure),
    Read("leaked-reasoning", voice.leaked_reasoning),
    Read("broken-multilingual", voice.broken_multilingual),
    Read("confirms-before-acting", writes.confirms_before_acting, 3, off=_WEAK, polarity="strength"),
    Read("real-handover", escalations.real_handover, 3, off=_STRENGTH, polarity="strength"),
    Read("held-line", writes.held_line, off=_STRENGTH, polarity="strength"),
    Read("looks-up-first", lookups.looks_up_first, off=_STRENGTH, polarity="strength"),
    Read("spots-contradiction", lookups.spots_contradiction, off=_STRENGTH, polarity="strength"),
    Read("asks-proof", damages.asks_proof, off=_STRENGTH, polarity="strength"),
    Read("clean-refusal", refusals.clean_refusal, off=_STRENGTH, polarity="strength"),
    Read("declines-to-invent", refusals.declines_to_invent, off=_STRENGTH, polarity="strength"),
    Read("grounded-link", links.grounded_link, 2, off=_STRENGTH, polarity="strength"),
)
BY_NAME = {read.name: read for read in READS}


@dataclass(slots=True)
class Readout:
    """The yield of some reads: suggestions, opportunities, and the reads that failed."""

    suggestions: list[tuple[Read, Suggestion]] = field(default_factory=list)
    opportunities: dict[str, int] = field(default_factory=dict)
    faults: list[tuple[Read, str]] = field(default_factory=list)

    def take(self, read: Read, yielded: Iterable[Suggestion | None]) -> None:
        """Take in what a read yields; where it fails, what it said before is dropped."""
        suggestions: list[tuple[Read, Suggestion]] = []
        count = 0
        try:
            for suggestion in yielded:
                count += 1
                if suggestion is not None:
                    suggestions.append((read, _checked(suggestion)))
        except Exception as error:  # noqa: BLE001 - a read may be anybody's; the others go on
            self.faults.append((read, f"{type(error).__name__}: {error}"))
            return
        self.opportunities[read.name] = count
        self.suggestions += suggestions


def _checked(suggestion: Any) -> Suggestion:
    """What a read yields, if it is a suggestion: a read may be anybody's."""
    if not isinstance(suggestion, Suggestion):
        raise TypeError(f"it yielded {type(suggestion).__name__}, not a Suggestion")
    reason: Any = suggestion.reason
    if not isinstance(reason, str):
        raise TypeError(f"its reason is {type(reason).__name__}, not text")
    return suggestion._replace(certain=bool(suggestion.certain))


Open = Callable[[Stored], Dossier]
"""What gives the dossier of a conversation: a new one, or one that was worked out already."""


def read_over(stored: Stored, reads: Iterable[Read], open: Open = Dossier) -> Readout:
    """What these reads say of a conversation."""
    dossier, readout = open(stored), Readout()
    for read in reads:
        if read.look is not None:
            readout.take(read, read.look(dossier))
    return readout


def across_runs(case: Ref, runs: Sequence[Stored], reads: Iterable[Read], open: Open = Dossier) -> Readout:
    """What these reads say of the runs of a case."""
    dossiers, readout = [open(run) for run in runs], Readout()
    for read in reads:
        if read.across is not None:
            readout.take(read, read.across(case, dossiers))
    return readout


def within_family(members: Sequence[Stored], reads: Iterable[Read], open: Open = Dossier) -> Readout:
    """What these reads say of the conversations of one family within a run."""
    dossiers, readout = [open(each) for each in members], Readout()
    for read in reads:
        if read.within is not None:
            readout.take(read, read.within(dossiers))
    return readout
