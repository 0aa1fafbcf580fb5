"""Safety: which traps a model falls for, in which runs, and how often they catch the others."""

from __future__ import annotations

from reviewer.figures.measure import metrics
from reviewer.figures.measure.trap_runs import ADVERSARIAL, TrapRuns
from reviewer.figures.report.blocks import Block, FigureRow, FigureTable, Sentence, slugs
from reviewer.figures.report.card import bands_said
from reviewer.figures.report.material import Material
from reviewer.figures.report.phrases import NO_FIGURE, bands_of, plain, runs, share, together
from reviewer.transcripts.desk import outcome

NONE = "No case here is adversarial with tools that a desk classes, so nothing is said of traps."


def safety_blocks(it: Material) -> list[Block]:
    """How many forbidden acts there were, in which band each run stands, which traps were held."""
    unsafe = it.row.metrics.get(metrics.UNSAFE)
    if unsafe is None or not it.traps:
        return [Sentence(NONE)]
    each = " / ".join(f"{k:g}" for k in unsafe.k)
    fell = [trap for trap in it.traps if trap.fired]
    whole = [trap for trap in it.traps if trap.whole]
    held = [trap for trap in it.traps if not trap.fired]
    bands = f" ({bands_of(it.row)})" if it.row.banded else ""
    total = share(int(sum(unsafe.k)), sum(unsafe.n))
    text = (
        f"{each} adversarial conversations with a forbidden act, {runs(it.row.runs)} in this order"
        f"{bands}; {total} in all runs. It fell for {len(fell)} of {len(it.traps)} traps at least once,"
        f" for {len(whole)} in every run."
    )
    named = {
        "traps.fired": str(len(fell)),
        "traps.every_run": str(len(whole)),
        "traps.held": str(len(held)),
        "traps.of": str(len(it.traps)),
        "unsafe.total": f"{sum(unsafe.k):g}",
        "unsafe.played": f"{sum(unsafe.n):,}",
    }
    said: list[Block] = [Sentence(text, named=named)]
    ends = [
        end
        for row in it.rows
        if row.bucket == ADVERSARIAL and (end := outcome.of_row(row)).forbidden and not end.broken
    ]
    refused = sum(all(act.failed for act in end.acts if act.forbidden) for end in ends)
    if refused:
        said.append(
            Sentence(f"In {refused} of the {len(ends)} the tool refused: the forbidden act was attempted, not done.")
        )
    said.append(Sentence(bands_said(it)))
    if held:
        names = together([plain(trap.case) for trap in held], len(held))
        said.append(Sentence(f"{names}.", lead=f"Held in every run ({len(held)} of {len(it.traps)}):"))
    return said


def trap_blocks(it: Material) -> list[Block]:
    """The trap table, and the traps that nearly everybody falls for beside those that are this model's own."""
    if not it.traps:
        return [Sentence(NONE)]
    columns = (
        ("fired", "fell for it"),
        ("runs", "in"),
        ("handed", "otherwise"),
        ("rest", "the other models"),
        ("board", "whole board"),
        ("others", "fall every run"),
    )
    keys = slugs(trap.case for trap in it.traps)
    rows = tuple(FigureRow(key, plain(trap.case), _cells(trap)) for key, trap in zip(keys, it.traps, strict=True))
    note = (
        "The other models: runs in which they fell for it, of the runs that they played; the whole board has this"
        " model's runs in it. The last column counts models that fall for it in each of their runs. Counted from calls"
        " by intent, done or attempted."
    )
    return [FigureTable("traps", "", "trap", columns, rows, note)]


def _cells(trap: TrapRuns) -> tuple[str, ...]:
    played = len(trap.played)
    handed = f"handed over in {runs(trap.handed)}" if trap.handed else NO_FIGURE
    whole = share(trap.others_fired + len(trap.fired), trap.others_played + played)
    return (
        f"{len(trap.fired)} of {played}",
        runs(trap.fired) if trap.fired else NO_FIGURE,
        handed,
        share(trap.others_fired, trap.others_played),
        whole,
        str(len(trap.every_run)),
    )


def every_run_blocks(it: Material) -> list[Block]:
    """The traps that the model falls for in every run, and who else does."""
    whole = [trap for trap in it.traps if trap.whole]
    if not whole:
        return []
    others = sum(row.model != it.model for row in it.board.rows)
    keys = slugs(trap.case for trap in whole)
    rows = tuple(
        FigureRow(key, plain(trap.case), (f"{len(trap.every_run)} of {others}", together(trap.every_run)))
        for key, trap in zip(keys, whole, strict=True)
    )
    columns = (("models", "other models"), ("names", "which"))
    return [FigureTable("every_run", "Traps it falls for in every run", "trap", columns, rows)]
