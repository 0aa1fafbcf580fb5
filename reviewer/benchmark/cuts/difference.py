"""What was replaced, as lines for a person to read: the text around every change, before and after. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewer.basics.glyphs import glyph
from reviewer.benchmark.cuts.disguise import ChangedPiece
from reviewer.benchmark.cuts.proposal import Proposal

_AROUND = 24
"""Characters shown before and after a change."""
_PLACES = 6


def summary(proposal: Proposal) -> Iterator[str]:
    """What it is, what was replaced how often, what is left to look at, what is to be filled in."""
    case = proposal.case
    expected = ", ".join(case.facts.expected) or "no act"
    yield f"{proposal.name}: {proposal.point.ref}, {len(case.past):,} messages before the cut; expected: {expected}."
    total = sum(times for _, times in proposal.pairs)
    yield f"  replaced: {len(proposal.pairs):,} particulars in {total:,} places."
    if proposal.leftovers:
        yield f"  not replaced, look at these ({len(proposal.leftovers):,}):"
        for each in proposal.leftovers:
            more = f" and {len(each.places) - _PLACES:,} more" if len(each.places) > _PLACES else ""
            yield f"    “{each.text}” ({each.why}): {', '.join(each.places[:_PLACES])}{more}"
    if proposal.to_fill_in:
        yield f"  a person has to fill in before it can be played: {' and '.join(proposal.to_fill_in)}."


def lines(proposal: Proposal) -> Iterator[str]:
    """Every pair of words, then every place with the words around it."""
    width = max((len(pair.kind) for pair, _ in proposal.pairs), default=0)
    for pair, times in proposal.pairs:
        often = "once" if times == 1 else f"{times:,} times"
        yield f"  {pair.kind:<{width}}  {pair.text}  {glyph('then')}  {pair.stand_in}  ({often})"
    for change in proposal.changes:
        for before, after in excerpts(change.pieces):
            yield f"  {change.place}"
            yield f"    - {before}"
            yield f"    + {after}"


def excerpts(pieces: Sequence[ChangedPiece]) -> Iterator[tuple[str, str]]:
    """The stretches that differ, each with what stands around it; those that nearly touch are one."""
    before, after = "", ""
    lead = ""
    for piece in pieces:
        if piece.before != piece.after:
            before, after = (before or lead) + piece.before, (after or lead) + piece.after
        elif not before:
            lead = _end(piece.before)
        elif len(piece.before) <= 2 * _AROUND:
            before, after = before + piece.before, after + piece.after
        else:
            yield before + _start(piece.before), after + _start(piece.after)
            before, after, lead = "", "", _end(piece.before)
    if before:
        yield before, after


def _start(text: str) -> str:
    return text if len(text) <= _AROUND else f"{text[:_AROUND]}…"


def _end(text: str) -> str:
    return text if len(text) <= _AROUND else f"…{text[-_AROUND:]}"
