"""What a model's conversations cost, as a report says it: a row of its card, and a sentence with what stands beside it.

Nothing is said of synthetic conversations: nobody was billed for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reviewer.figures.export.print_counts import number
from reviewer.figures.measure.board_counts import BoardCounts
from reviewer.figures.measure.costs import ModelCost, RoleCost, known_of, model_costs, role_costs, run_costs
from reviewer.figures.measure.suites import within
from reviewer.figures.report.blocks import FigureRow, Sentence
from reviewer.figures.report.phrases import NO_FIGURE, together
from reviewer.transcripts.prices import PriceList
from reviewer.transcripts.query import EVERYTHING
from reviewer.transcripts.store.reader import Reader

_THOUSAND = 1_000
_ROLES = {"customer": "the customer", "judge": "the judge", "second_judge": "the second judge"}


@dataclass(frozen=True, slots=True)
class ReportCosts:
    """What is known of the cost of a model and of those beside it."""

    own: ModelCost | None
    """None where its sources told neither costs nor tokens, or nobody was billed."""
    per_run: tuple[float | None, ...]
    """Dollars for 1,000 conversations, in the order in which runs are printed."""
    conversations: int
    """Of how many there are: neither empty nor ended by an error."""
    others: tuple[ModelCost, ...]
    """Other models of which it is known."""
    beside: tuple[RoleCost, ...]
    prices: PriceList

    @property
    def known(self) -> bool:
        """True if a cost of the model can be told."""
        return self.own is not None and self.own.per_thousand is not None


def report_costs(
    reader: Reader, read: BoardCounts, model: str, runs: Sequence[int], conversations: Sequence[int], prices: PriceList
) -> ReportCosts:
    """Read what the conversations of a model's runs cost."""
    of_suite = EVERYTHING if read.suite is None else within(EVERYTHING, read.suite)
    synthetic = read.synthetic
    rows = [] if synthetic else reader.tallies.costs(of_suite)
    own = [row for row in rows if row.run in runs]
    by_run = run_costs(own, prices)
    each = (by_run.get(run, (0.0, 0)) for run in runs)
    costs = model_costs((row for row in rows if row.model != model), prices)
    return ReportCosts(
        next(iter(model_costs(own, prices)), None),
        tuple(dollars / of * _THOUSAND if of else None for dollars, of in each),
        sum(row.conversations for row in own),
        tuple(other for other in costs if other.per_thousand is not None),
        () if synthetic else tuple(role_costs(reader.tallies.beside(conversations), prices)),
        prices,
    )


def cost_row(it: ReportCosts) -> FigureRow | None:
    """The row of the card; None where no cost is known."""
    own = it.own
    if own is None or own.per_thousand is None:
        return None
    per_run = " / ".join(NO_FIGURE if each is None else f"{each:,.2f}" for each in it.per_run)
    of = f"{own.told + own.reckoned:,} of {number(it.conversations, 'conversation')}"
    cheaper = sum(other.per_thousand < own.per_thousand for other in it.others if other.per_thousand is not None)
    place = f"{cheaper} cheaper of {len(it.others) + 1}" if it.others else NO_FIGURE
    cells = (f"${own.per_thousand:,.2f} {own.tier}", per_run, of, place)
    return FigureRow("cost", "Cost of 1,000 conversations, over all runs", cells)


def cost_sentences(it: ReportCosts) -> list[Sentence]:
    """Of what the cost is, which tier it makes, and what stands beside it; nothing where nobody was billed."""
    own = it.own
    if own is None:
        return []
    if own.per_thousand is None:
        why = f"There is no price for it in {it.prices.name}" if own.unpriced else "Its source says nothing but 0"
        return [Sentence(f"{why}, so that nothing is said of what it costs.")]
    text = (
        f"${own.per_thousand:,.2f} over all runs, from the agent's own tokens, hidden reasoning included, which is"
        f" {own.tier} ({it.prices.cut_offs}). Of {number(it.conversations, 'conversation')}: {known_of(own)}."
        f"{_beside(it)}"
    )
    named = {"cost.per_thousand": f"{own.per_thousand:,.2f}", "cost.tier": str(own.tier)}
    named |= {f"cost.{each.role}": f"{each.per_thousand:,.2f}" for each in it.beside}
    return [Sentence(text, "Cost of 1,000 conversations:", named)]


def _beside(it: ReportCosts) -> str:
    """What the customer and the judges cost, which is nobody's who pays for the agent alone."""
    said = []
    for each in it.beside:
        who = f"{_ROLES.get(each.role, each.role)}{f' ({each.model})' if each.model else ''}"
        said.append(f"{who} ${each.per_thousand:,.2f}, of {each.of:,}")
    return f" Beside it, and not in it: {together(said, len(said))}." if said else ""
