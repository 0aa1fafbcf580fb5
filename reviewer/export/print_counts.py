"""The counts of an export: what is printed, of how much that was read, and whether that makes a rate.

Owns the sentences with numbers in them. A rate is only printed of conversations that were drawn, or when all of them
were reviewed; of what somebody picked it is only said how often it was seen. Plain text, which each format escapes.
"""

from __future__ import annotations

from reviewer.export.collection import ExcerptCollection


def in_all(gathering: ExcerptCollection) -> str:
    """Say how much the export holds, from how many conversations, and how these were read."""
    plan, tally = gathering.plan, gathering.plan.tally()
    across = plan.across()
    of = number(gathering.conversations, "conversation")
    where = f"{number(tally.tags, 'tag')} in {tally.conversations:,} of {of}"
    more = f" and on {number(across, 'case')} across runs" if across else ""
    gone = len(plan.left_out)
    out = f"; {gone:,} more left out" if gone else ""
    return f"{where}{more}{out}. {_read(gathering)}"


def _read(gathering: ExcerptCollection) -> str:
    plan = gathering.plan
    reviewed = plan.reviewed()
    if not reviewed:
        return "None reviewed to the end."
    queues = [
        f"{plan.reviewed(name):,} in {gathering.mask.text(name)} ({gathering.queues.get(name, 'picked')})"
        for name in plan.queues()
    ]
    return f"{reviewed:,} reviewed{': ' if queues else ''}{', '.join(queues)}."


def of_mode(gathering: ExcerptCollection, code: str) -> str:
    """Say how often a mode was seen, and its rate where there is one."""
    plan = gathering.plan
    tally = plan.tally(code)
    on = f" on {number(tally.cases, 'case')}" if tally.cases else ""
    where = f" in {number(tally.conversations, 'conversation')}" if tally.conversations else ""
    seen = f"{number(tally.tags, 'tag')}{where}{on}"
    if not tally.conversations:
        return f"{seen}, across {'its' if tally.cases == 1 else 'their'} runs."
    rates = _rates(gathering, code)
    if rates:
        return f"{seen}; {', '.join(rates)}."
    reviewed = plan.reviewed()
    times = "once" if tally.tags == 1 else f"{tally.tags:,} times"
    of = f"{number(reviewed, 'conversation')} reviewed, not drawn" if reviewed else "none reviewed"
    return f"Seen {times}{where}{on}; {of}: no rate."


def _rates(gathering: ExcerptCollection, code: str) -> list[str]:
    """How often a mode is, in words: for each drawn queue; else of all when everything was reviewed."""
    plan = gathering.plan
    rates = []
    for name in plan.queues():
        how, whole = gathering.queues.get(name, "picked"), plan.reviewed(name)
        if how != "picked":
            part = plan.with_mode(code, name)
            rates.append(
                f"{part:,} of the {whole:,} reviewed in {gathering.mask.text(name)}, {how} ({part / whole:.0%})"
            )
    reviewed = plan.reviewed()
    if not rates and reviewed and reviewed == gathering.conversations:
        part = plan.with_mode(code)
        return [f"{part:,} of all {reviewed:,}, each of them reviewed ({part / reviewed:.0%})"]
    return rates


def whose_scores(gathering: ExcerptCollection) -> str:
    """Say what the number behind a family is, and who judged it; empty where none is printed."""
    families = gathering.families
    judge = f", judged by {gathering.mask.text(families.judge)}" if families.judge else ""
    what = "In brackets: the family's instruction-following for the model, 0 to 1, median over runs"
    return f"{what}{judge}." if families.following and gathering.plan.tally().conversations else ""


def number(count: int, noun: str) -> str:
    """`1 tag`, `1,200 tags`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
