"""The counts of an export: what is printed, of how much that was read, and whether that makes a rate.

Owns the sentences with numbers in them. A rate is only printed of conversations that were drawn, or when all of them
were reviewed; of what somebody picked it is only said how often it was seen. Plain text, which each format escapes.
"""

from __future__ import annotations

from dataclasses import replace

from reviewer.figures.export.collection import ExcerptCollection


def in_all(gathering: ExcerptCollection) -> str:
    """Say how much the export holds, from how many conversations, and how far these were read."""
    plan, tally = gathering.plan, gathering.plan.tally()
    across = plan.across()
    of = f"{number(gathering.conversations, 'conversation')}{_population(gathering)}"
    where = f"{number(tally.tags, 'tag')} in {tally.conversations:,} of {of}"
    more = f" and on {number(across, 'case')} across runs" if across else ""
    gone = len(plan.left_out)
    out = f"; {gone:,} more left out" if gone else ""
    return f"{where}{more}{out}. {_read(gathering)}"


def _population(gathering: ExcerptCollection) -> str:
    """The query that names the conversations that counts are of; empty where they are all of a store."""
    query = gathering.mask.query(gathering.asked.population)
    return f" of “{query}”" if query else ""


def _read(gathering: ExcerptCollection) -> str:
    plan = gathering.plan
    reviewed = plan.reviewed()
    if not reviewed.reviewed:
        return "None reviewed."
    queues = [
        f"{plan.reviewed(name).reviewed:,} in {gathering.mask.text(name)} ({_frame(gathering, name)})"
        for name in plan.queues()
    ]
    return f"{reviewed.words()}{': ' if queues else ''}{', '.join(queues)}."


def draw(gathering: ExcerptCollection, name: str) -> str:
    """A queue, and what it was drawn from, which a rate is nothing without."""
    within = f" within{_population(gathering).removeprefix(' of')}" if name in gathering.narrowed else ""
    return f"{gathering.mask.text(name)}{within}, {_frame(gathering, name)}"


def _frame(gathering: ExcerptCollection, name: str) -> str:
    """How the queue of a name came about; one whose file is not there gives no rates, so it counts as picked."""
    queue = gathering.queues.get(name)
    return replace(queue, query=gathering.mask.query(queue.query)).frame if queue is not None else "picked"


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
    noun = "conversation" if reviewed.reviewed == 1 else "conversations"
    of = f"{reviewed.words(noun)}, not drawn" if reviewed.reviewed else "none reviewed"
    return f"Seen {times}{where}{on}; {of}: no rate."


def _rates(gathering: ExcerptCollection, code: str) -> list[str]:
    """How often a mode is, in words: for each drawn queue; else of all when everything was reviewed."""
    plan = gathering.plan
    rates = []
    for name in plan.queues():
        queue, whole = gathering.queues.get(name), plan.reviewed(name)
        if queue is not None and queue.gives_rates:
            part = plan.with_mode(code, name)
            of = f"{part:,} of the {whole.words()} in {draw(gathering, name)}"
            rates.append(f"{of} ({part / whole.reviewed:.0%})")
    reviewed = plan.reviewed()
    if not rates and reviewed.reviewed and reviewed.reviewed == gathering.conversations:
        part = plan.with_mode(code)
        of = _population(gathering).strip() or "of the store"
        return [f"{part:,} of all: {reviewed.words(of)} ({part / reviewed.reviewed:.0%})"]
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
