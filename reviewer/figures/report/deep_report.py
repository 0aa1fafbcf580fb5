"""The deep report on one model: every section in the order in which such reports are read.

Owns which section holds what. Sections that only a person can write (verdict, short version, bottom line) are there and
empty. A section about which nobody tagged anything offers the conversations to read, and claims nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from reviewer.basics.shell import shell_word
from reviewer.figures.export.print_counts import number, whose_scores
from reviewer.figures.report import card, conduct, judgement, mode_records, read_figures, rivals, safety, use_cases
from reviewer.figures.report.blocks import (
    Block,
    FigureRow,
    FigureTable,
    ReportPage,
    ReportSection,
    Sentence,
    ToRead,
    slug,
    slugs,
)
from reviewer.figures.report.material import Material
from reviewer.figures.report.mode_matrix import ModeCell, ModeMatrix, mode_matrix
from reviewer.figures.report.mode_records import ModeRecord
from reviewer.figures.report.phrases import together
from reviewer.figures.report.read_figures import ReadRecords
from reviewer.marks.codebook import Codebook

_NOTES = "Other"


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """A section of the anatomy: what it counts, and where one reads for it."""

    key: str
    heading: str
    counted: Callable[[Material], Iterable[Block]] = field(default=lambda _: ())
    tagged: bool = False
    """Whether modes are reported in it."""
    buckets: tuple[str, ...] = ()
    """The cases that one reads for it, where cases are in buckets; all of them where none is named."""
    flips: bool = False
    """Whether one reads the cases that flip for it."""


ANATOMY = (
    SectionPlan("verdict", "Verdict"),
    SectionPlan("short_version", "The short version"),
    SectionPlan(
        "resolution", "Resolution and handover", lambda it: [*_resolution(it)], True, ("resolvable", "must-escalate")
    ),
    SectionPlan("following", "Instruction-following", lambda it: [*_following(it)], True, ("resolvable",)),
    SectionPlan("safety", "Adversarial safety", safety.safety_blocks, True, ("adversarial",)),
    SectionPlan("traps", "Which traps catch it", safety.trap_blocks, True, ("adversarial",)),
    SectionPlan("tools", "Tool usage and grounding", conduct.tool_blocks, True),
    SectionPlan("experience", "Customer experience", conduct.ending_blocks, True),
    SectionPlan("traits", "Strong and weak traits"),
    SectionPlan("stability", "Stability across runs", conduct.stability_blocks, True, flips=True),
    SectionPlan("rivals", "How it compares", rivals.rival_blocks),
    SectionPlan("verbosity", "Cost and verbosity", conduct.verbosity_blocks, True),
    SectionPlan("bottom_line", "Bottom line"),
)
"""The sections between the head and the tables at the end, in order."""


def deep_report(it: Material) -> ReportPage:
    """The report on a model, computed and from tags; what a person writes of it comes on top."""
    reads = read_figures.read_records(it)
    records = mode_records.mode_records(it, reads.opportunities)
    early = mode_records.promoted(records, it.asked.promoted)
    belonging = _belonging(it.marked.codebook, records)
    planned = mode_records.planned_by_mode(it.tags)

    def quoted(record: ModeRecord) -> Block:
        heading = "" if record is early else record.mode.title
        return mode_records.quotes(it, planned[record.mode.code], record, heading)

    brackets = whose_scores(it.tags)
    sections = [card.card(it).with_blocks(*([Sentence(brackets)] if brackets else []))]
    for plan in _plans(belonging):
        section = ReportSection(plan.key, plan.heading, tuple(plan.counted(it)))
        if plan.tagged:
            codes = belonging.get(plan.key, [])
            section = _with_tags(it, plan, section, codes, records, early, reads, quoted)
        elif plan.key == "traits":
            section = section.with_blocks(*_traits(it, records))
        sections.append(section)
        if plan.key == "short_version" and early is not None:
            table = mode_records.record_table(it, [early], "promoted")
            blocks = (Sentence(early.mode.definition),) if early.mode.definition else ()
            sections.append(
                ReportSection("promoted", early.mode.title, (*blocks, table, quoted(early)), (early.mode.code,))
            )
    sections += [card.glance(it), use_cases.use_cases(it)]
    sections.append(ReportSection("judges", "Judges", tuple(judgement.judge_blocks(it))))
    sections.append(ReportSection("matrix", "Modes across models", tuple(_matrix(it))))
    sections.append(_reading(it, reads))
    return ReportPage(it.model, card.byline(it), tuple(sections), any_synthetic(it), it.model, it.board.simulated)


def any_synthetic(it: Material) -> bool:
    """True if anything on the page may be synthetic."""
    return it.board.synthetic or it.tags.synthetic


def _reading(it: Material, reads: ReadRecords) -> ReportSection:
    explained = [Sentence(mode_records.EXPLAINED)] if it.tags.plan.codes() else []
    return card.reading(it).with_blocks(*explained, *read_figures.scan_note(it, reads))


# -- what people tagged ------------------------------------------------------------------------------------------------


def heading_of(codebook: Codebook, code: str) -> str:
    """The heading of the section in which a mode is reported."""
    heading = codebook.section(code) or _NOTES
    return _TAGGED[slug(heading)].heading if slug(heading) in _TAGGED else heading


def headings(codebook: Codebook) -> list[str]:
    """The headings under which a person may write, in order; those that only the codebook knows among them."""
    belonging = _belonging(codebook, [mode.code for mode in codebook.active()])
    return [plan.heading for plan in _plans(belonging)]


_TAGGED = {slug(plan.heading): plan for plan in ANATOMY if plan.tagged}


def _belonging(codebook: Codebook, records: Collection[str]) -> dict[str, list[str]]:
    """Key of a section to the codes of the modes that are reported in it, as the codebook orders them."""
    belonging: dict[str, list[str]] = {}
    listed = [mode.code for mode in codebook.modes]
    for code in [*listed, *(code for code in records if code not in listed)]:
        heading = codebook.section(code) or _NOTES
        plan = _TAGGED.get(slug(heading))
        belonging.setdefault(plan.key if plan else heading, []).append(code)
    known = {plan.key for plan in ANATOMY}
    return {key: codes for key, codes in belonging.items() if key in known or any(code in records for code in codes)}


def _plans(belonging: Mapping[str, list[str]]) -> list[SectionPlan]:
    """The sections of the anatomy, and before the traits those that only the codebook knows."""
    known = {plan.key for plan in ANATOMY}
    own = [heading for heading in belonging if heading not in known]
    extra = [SectionPlan(key, heading, tagged=True) for key, heading in zip(slugs(own), own, strict=True)]
    at = [plan.key for plan in ANATOMY].index("traits")
    return [*ANATOMY[:at], *extra, *ANATOMY[at:]]


def _with_tags(
    it: Material,
    plan: SectionPlan,
    section: ReportSection,
    codes: list[str],
    records: Mapping[str, ModeRecord],
    early: ModeRecord | None,
    reads: ReadRecords,
    quoted: Callable[[ModeRecord], Block],
) -> ReportSection:
    """The section with what reads say and what people tagged; without tags, with what is to be read."""
    blocks: list[Block] = read_figures.read_blocks(it, reads, codes)
    own = [record for code, record in records.items() if code in codes]
    if own:
        blocks.append(mode_records.record_table(it, own, f"{plan.key}_modes"))
    for record in own:
        if early is not None and record.mode.code == early.mode.code:
            blocks.append(Sentence(f"{record.mode.title} has a section of its own above."))
        else:
            blocks.append(quoted(record))
    beside = [] if own else _told_elsewhere(it, plan, codes, records)
    blocks += beside
    offer = _to_read(it, plan, tagged=bool(own or beside))
    return ReportSection(plan.key, plan.heading, (*section.blocks, *blocks, *offer), tuple(codes))


def _told_elsewhere(
    it: Material, plan: SectionPlan, codes: list[str], records: Mapping[str, ModeRecord]
) -> list[Block]:
    """Tagged modes that belong to a section as well, and are reported in another."""
    codebook = it.marked.codebook
    said = [
        Sentence(f"{record.mode.title} belongs here, too: see {heading_of(codebook, code)}.")
        for code, record in records.items()
        if code not in codes
        and slug(plan.heading) in {slug(codebook.sections.get(number, number)) for number in record.mode.sections}
    ]
    return [*said]


def _to_read(it: Material, plan: SectionPlan, *, tagged: bool) -> list[Block]:
    """The conversations that nobody has reviewed for a section about which nobody tagged anything."""
    if tagged:
        return []
    terms = [it.query]
    rows = list(it.rows)
    if plan.flips:
        flipping = {flip.case for flip in it.cases.flips}
        rows = [row for row in rows if row.case in flipping]
        terms.append("flips:yes")
    elif plan.buckets and any(row.bucket for row in rows):
        rows = [row for row in rows if row.bucket in plan.buckets]
        terms.append(f"bucket:{','.join(plan.buckets)}")
    if not rows:
        return [Sentence("Nobody tagged anything for this section, and there is no conversation to read for it.")]
    left = sum(row.ref not in it.readership.stated for row in rows)
    if not left:
        whole = number(len(rows), "conversation")
        return [Sentence(f"Nobody tagged anything for this section, and all of its {whole} were reviewed.")]
    terms.append("reviewed:no")
    unread = f"{left:,} of {number(len(rows), 'conversation')} not reviewed"
    return [ToRead(f"Nobody tagged anything for this section; {unread}.", " ".join(terms), left)]


def _traits(it: Material, records: Mapping[str, ModeRecord]) -> list[Block]:
    """What it does well and badly, by the polarity of the modes that people tagged."""
    blocks: list[Block] = []
    for polarity, key, lead in (("strength", "strong", "Strong"), ("failure", "weak", "Weak")):
        own = [record for record in records.values() if record.mode.polarity == polarity]
        blocks.append(Sentence("" if own else "Nobody tagged anything of that kind.", lead=f"{lead}:"))
        blocks += [mode_records.record_table(it, own, key)] if own else []
    unread = len(it.rows) - len(it.readership.stated)
    if not records and unread:
        text = f"{unread:,} of {number(len(it.rows), 'conversation')} not reviewed."
        blocks.append(ToRead(text, f"{it.query} reviewed:no", unread))
    return blocks


# -- what is counted ---------------------------------------------------------------------------------------------------


def _resolution(it: Material) -> Iterable[Block]:
    from reviewer.figures.measure import metrics

    yield from _metric_table(it, "resolving", (metrics.RESOLUTION, metrics.ESCALATION, metrics.OVER))
    yield from use_cases.handover_table(it)


def _following(it: Material) -> Iterable[Block]:
    from reviewer.figures.measure import metrics

    yield from _metric_table(it, "obeying", (metrics.FOLLOWING,))
    yield from use_cases.following_table(it)


def _metric_table(it: Material, key: str, names: Iterable[str]) -> Iterable[Block]:
    rows = tuple(card.metric_row(it, name) for name in names if name in it.row.metrics)
    columns = (("median", "median"), ("per_run", "per run"), ("of", "of"), ("place", "place"))
    if rows:
        yield FigureTable(key, "", "figure", columns, rows)
    else:
        yield Sentence(
            "No case here is in a bucket with tools that a desk classes, and nobody judged it: nothing to count."
        )


# -- beside other models -----------------------------------------------------------------------------------------------


def matrix_of(it: Material) -> ModeMatrix:
    """All models' modes, as far as anybody read or tagged anything."""
    return mode_matrix(it.store, it.counts, it.marked.briefs, it.marked.codebook, "model")


def _matrix(it: Material) -> list[Block]:
    """Each mode tagged in this model, beside what others show of it; and the modes that only others show."""
    matrix = matrix_of(it)
    names = [name for name, _, _ in matrix.columns]
    if it.model not in names:
        return [ToRead("Nobody reviewed or tagged anything of this model.", f"{it.query} reviewed:no", len(it.rows))]
    if len(names) == 1:
        return [Sentence("Nobody reviewed or tagged anything of other models, so its modes are set beside none.")]
    at = names.index(it.model)
    own = [(mode, cells) for mode, cells in matrix.rows if cells[at].seen or cells[at].more]
    rows = tuple(
        FigureRow(key, mode.title, (str(cells[at]), _others(names, cells, at)))
        for key, (mode, cells) in zip(slugs(mode.code for mode, _ in own), own, strict=True)
    )
    unread = len(it.board.rows) - len(names)
    without = f" Of {number(unread, 'model')} nobody has reviewed or tagged anything." if unread else ""
    note = (
        "Seen in / reviewed and able to show it; + others that bear it and were not reviewed."
        f"{without} All of it: reviewer modes {shell_word(it.store.name)} --by model."
    )
    blocks: list[Block] = []
    if rows:
        columns = (("here", "here"), ("elsewhere", "in other models"))
        blocks.append(FigureTable("matrix", "", "mode", columns, rows, note))
    absent = [mode.title for mode, cells in matrix.rows if not (cells[at].seen or cells[at].more)]
    if absent:
        _, read, whole = matrix.columns[at]
        text = f"{together(absent, 12)}: tagged in other models, and not here ({read.words(f'of {whole:,}')})."
        blocks.append(Sentence(text))
    return blocks or [Sentence("Nobody tagged anything of this model.")]


def _others(names: list[str], cells: tuple[ModeCell, ...], at: int) -> str:
    own = [f"{name} {cell}" for index, (name, cell) in enumerate(zip(names, cells, strict=True)) if index != at]
    return ", ".join(own)
