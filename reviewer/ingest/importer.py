"""One import: files in, a store and a summary out.

Owns the order of things: recognise, read, name, place, write, say. Knows formats only through their protocol and the
store only through its writer. One bad file or record never stops the good beside it.
"""

from __future__ import annotations

import gc
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reviewer import desk
from reviewer.errors import SourceError
from reviewer.ingest import formats, names, passed_over
from reviewer.ingest.files import sources
from reviewer.ingest.formats import mapped
from reviewer.ingest.numbering import Numbering, Outcome
from reviewer.ingest.source import Bad, Found, Remark, Source
from reviewer.ingest.summary import Coverage, Report, SourceReport
from reviewer.model import Conversation, Run
from reviewer.store.writer import Writer

BATCH = 500
"""Conversations a commit: few enough that a kill loses little, many enough that commits cost nothing."""
BATCH_BYTES = 16 << 20
"""A file of so many bytes is committed at its end, however few conversations it holds."""
_OBJECTS = 500_000
"""New objects after which Python looks for cycles."""


@dataclass(frozen=True, slots=True)
class Step:
    """How far an import is."""

    name: str
    file: int
    files: int
    read: int
    """Conversations so far."""
    done: float
    """The part of all bytes that is behind it."""


Progress = Callable[[Step], None]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person said about the files."""

    format: str | None = None
    model: str | None = None
    run: int | None = None
    label: str | None = None
    replacing: bool = False
    desk: str | None = None
    map: str | None = None


def import_files(paths: Sequence[Path], store: Path, wishes: Wishes, progress: Progress | None = None) -> Report:
    """Read the files into the store."""
    found = sources(paths)
    wished = desk.load(wishes.desk) if wishes.desk else None
    only = formats.named(wishes.format) if wishes.format else None
    if wishes.map and only:
        raise SourceError("--format and --map both say how to read the files.", "Leave one of them out.")
    if wishes.map:
        only = mapped.by_map(wishes.map, found)
    report = Report()
    with _collecting_rarely(), Writer(store) as writer:
        import_id = writer.begin_import({"paths": [str(path) for path in paths], **_spoken(wishes)})
        numbering = Numbering(writer, import_id, [source.name for source in found], wishes.replacing)
        one = _Import(writer, import_id, numbering, wishes, wished, only, found, progress)
        for source in found:
            report.sources.append(one.read(source))
            source.release()
        one.finish(report)
        writer.catalogue.forget_unused()
        writer.commit()
        writer.end_import(import_id, {key: report.total(key) for key in ("new", "unchanged", "replaced", "rejected")})
    return report


@contextmanager
def _collecting_rarely() -> Iterator[None]:
    """JSON and the values made of it hold no cycles: looking for some after every 700 objects only takes time."""
    before = gc.get_threshold()
    gc.set_threshold(_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class _Import:
    """The state of one import while its files go by."""

    def __init__(
        self,
        writer: Writer,
        import_id: int,
        numbering: Numbering,
        wishes: Wishes,
        wished_desk: desk.Desk | None,
        only: formats.Format | None,
        found: Sequence[Source],
        progress: Progress | None,
    ) -> None:
        self._writer, self._id, self._numbering, self._wishes = writer, import_id, numbering, wishes
        self._desk, self._only, self._progress = wished_desk, only, progress
        self._files, self._bytes, self._behind = len(found), sum(source.size for source in found) or 1, 0
        self._unsettled = 0
        self._sizes = Counter(source.size for source in found)
        self._hashes: dict[str, str] = {}
        self._runs: dict[tuple[str, int | None, str], Run] = {}
        """What sources say of their runs, by model, stated number and group."""
        self._told: dict[tuple[str, int | None, str], Run] = {}
        """The same of the one that is read: a source that is refused has no say."""
        self._number = self._read = 0

    def read(self, source: Source) -> SourceReport:
        """One file; whatever is wrong with it ends up in its report."""
        report = SourceReport(source.name)
        self._number += 1
        self._tell(source)
        try:
            format = self._format_of(source, report)
            if format is not None:
                report.format = format.NAME
                self._take(source, format, report)
        except SourceError as error:
            self._give_up(source, report, error.message, str(error))
        except formats.SURPRISES as error:
            reason = f"not shaped as a known format is ({str(error) or type(error).__name__})"
            self._give_up(source, report, reason, f"{source.name}: {reason}")
        except MemoryError:
            reason = "too large for this machine's memory"
            self._give_up(source, report, reason, f"{source.name}: {reason}")
        except OSError as error:
            self._give_up(source, report, str(error.strerror), f"{source.name} cannot be read: {error.strerror}.")
        self._behind += source.size
        self._unsettled += source.size // BATCH_BYTES * BATCH
        return report

    def _settle(self) -> None:
        """Commit when enough was read; a commit a file would cost more than the files."""
        self._unsettled += 1
        if self._unsettled >= BATCH:
            self._writer.commit()
            self._unsettled = 0

    def _give_up(self, source: Source, report: SourceReport, reason: str, said: str) -> None:
        report.rejected += 1
        report.remark(said)
        self._writer.reject(self._id, source.name, "file", reason, "")

    def finish(self, report: Report) -> None:
        """Once all runs have their numbers: keep what was said of them, and name them in the report."""
        told: dict[tuple[str, int | None], Run] = {}
        for (model, stated, group), run in self._runs.items():
            number = self._numbering.given(model, stated, group)
            before = told.get((model, number), run)
            meant = dict.fromkeys((*before.meant, *run.meant))
            told[model, number] = replace(run, model=model, number=number, meant=tuple(meant))
        for run in told.values():
            self._writer.catalogue.describe_run(run)
        rows = {source.path: source for source in report.sources if not source.refused}
        for path, model, number in self._writer.places.runs_by_source(self._id):
            if path in rows:
                rows[path].models.setdefault(model, set()).add(number)
        models = sorted({model for source in rows.values() for model in source.models})
        absent = self._writer.places.missing(models)
        report.coverage = [
            Coverage(*row, missing=absent.get((row[0], row[1]))) for row in self._writer.places.coverage(models)
        ]

    def _format_of(self, source: Source, report: SourceReport) -> formats.Format | None:
        if not source.head.strip():
            raise SourceError(f"{source.name} is empty.", "Was it cut off?")
        report.passed_over = passed_over.paper(source.name)
        if report.passed_over:
            return None
        twin = self._twin(source)
        if twin:
            report.passed_over = f"the same bytes as {twin}"
            return None
        format = self._only or formats.recognised(source)
        if self._only is not None and not self._only.mine(source):
            claims = formats.recognised(source)
            like = f"that of {claims.NAME}" if claims is not None else "of no known format"
            report.remark(f"read as {self._only.NAME}, as told; its content is {like}")
        if format is None:
            report.passed_over = passed_over.word(source)
        return format

    def _twin(self, source: Source) -> str | None:
        """The file of this import that holds the same bytes; only files of one size are compared."""
        if self._sizes[source.size] < 2:
            return None
        with source.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        first = self._hashes.setdefault(digest, source.name)
        return first if first != source.name else None

    def _take(self, source: Source, format: formats.Format, report: SourceReport) -> None:
        told = _numbers(source, format, self._wishes.run) if self._wishes.run is not None else None
        row = self._writer.source(source.name, format.NAME, source.size, self._id)
        self._numbering.begin_source(row)
        self._writer.catalogue.begin_source()
        self._told.clear()
        clashes: list[str] = []
        tools: set[str] = set()
        suites: set[str | None] = set()
        for item in format.read(source):
            if isinstance(item, Remark):
                report.remark(item.text)
            elif isinstance(item, Bad):
                report.rejected += 1
                report.remark(f"{item.position}: {item.reason}")
                self._writer.reject(self._id, source.name, item.position, item.reason, item.raw)
            else:
                self._one(item, source, row, told, report, clashes)
                tools.update(call.name for message in item.conversation.messages for call in message.calls)
                suites.add(item.conversation.facts.suite if item.conversation.facts else None)
        if clashes:
            self._refuse(row, report, clashes)
        else:
            self._runs |= self._told
        self._class_tools(row, tools, suites, report)
        for text in self._numbering.said:
            report.remark(text)
        self._numbering.said.clear()

    def _one(
        self,
        found: Found,
        source: Source,
        row: int,
        told: dict[int | None, int] | None,
        report: SourceReport,
        clashes: list[str],
    ) -> None:
        item = self._named(found.conversation, source, told, report)
        if found.synthetic:
            self._writer.catalogue.mark_synthetic(row)
        group = source.name.rpartition("/")[0] + "/" if found.alone else source.name
        placed = self._numbering.place(item, source.name, row, group, found.position, found.whole)
        self._read += 1
        if placed.outcome is Outcome.CLASH:
            clashes.append(placed.ref)
            return
        report.count(placed.outcome.value)
        if placed.outcome is Outcome.UNCHANGED:
            report.models.setdefault(item.model, set()).add(placed.number)
        if found.run is not None or self._wishes.label:
            told_run = found.run or Run(item.model, None)
            self._told[item.model, item.run, group] = replace(told_run, label=self._wishes.label or told_run.label)
        self._settle()
        self._tell(source)

    def _tell(self, source: Source) -> None:
        if self._progress is not None:
            done = (self._behind + source.passed) / self._bytes
            self._progress(Step(source.name, self._number, self._files, self._read, min(done, 1.0)))

    def _named(
        self, item: Conversation, source: Source, told: dict[int | None, int] | None, report: SourceReport
    ) -> Conversation:
        """The conversation under its model and run, from the data, else the file's name, else what was told."""
        wishes = self._wishes
        by_name = names.model_in(source.whereabouts)
        model = wishes.model or item.model or by_name or "unknown"
        if wishes.model and item.model and not names.same_model(wishes.model, item.model):
            report.remark(f"the data says {item.model}; filed under {wishes.model}, as told")
        elif not wishes.model and item.model and by_name and not names.same_model(item.model, by_name):
            report.remark(f"the data says {item.model}, the file's name {by_name}: filed under {item.model}")
        elif model == "unknown":
            report.remark("no model named in the data or the file's name: filed under unknown; say --model NAME")
        elif not item.model and not wishes.model:
            report.remark(f"model {model}, from the file's name")
        if wishes.label:
            model = f"{model}+{wishes.label}"
        run = item.run
        if item.case is not None:
            run = told[run] if told is not None else names.run_in(source.name) if run is None else run
        return item if (model, run) == (item.model, item.run) else replace(item, model=model, run=run)

    def _refuse(self, row: int, report: SourceReport, clashes: list[str]) -> None:
        """Other conversations stand where these would go: take back what this file brought, and say the choice."""
        self._writer.delete(self._writer.places.of_source_in_import(row, self._id))
        self._writer.catalogue.take_back()
        total = report.new + report.unchanged + report.replaced + len(clashes)
        report.refused = (
            f"{len(clashes)} of its {total} conversations would stand where others do (first: {clashes[0]}); choose"
            " --run N (another run), --label NAME (another configuration) or --replace (newer copies of these)"
        )
        report.new = 0

    def _class_tools(self, row: int, tools: set[str], suites: set[str | None], report: SourceReport) -> None:
        """Let the desk that was named, else the shipped one of this suite or of these tools, class them."""
        chosen = self._desk
        if chosen is None and tools:
            suite = (suites.pop() or "").removeprefix("tau2-") if len(suites) == 1 else ""
            name = suite if suite in desk.shipped() else desk.recognised(tools)
            if name is not None:
                chosen = desk.load(name)
                report.remark(f"tools classed by the {name} desk")
        if chosen is not None:
            self._writer.set_desk([row], self._writer.desk(chosen.name, chosen.text, chosen.hash))


def _numbers(source: Source, format: formats.Format, first: int) -> dict[int | None, int]:
    """`--run N`: the runs of the source count from N, in the order of their own numbers."""
    stated = {item.conversation.run for item in format.read(source) if isinstance(item, Found)}
    in_order = sorted(stated, key=lambda n: -1 if n is None else n)
    return {number: first + index for index, number in enumerate(in_order)}


def _spoken(wishes: Wishes) -> dict[str, Any]:
    spoken = {"format": wishes.format, "model": wishes.model, "run": wishes.run, "label": wishes.label}
    spoken |= {"replace": wishes.replacing or None, "desk": wishes.desk, "map": wishes.map}
    return {key: value for key, value in spoken.items() if value is not None}
