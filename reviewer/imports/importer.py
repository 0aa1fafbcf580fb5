"""One import: files in, a store and a summary out.

Owns the order of things: recognise, read, name, place, write, say. Knows formats only through their protocol and the
store only through its writer. One bad file or record never stops the good beside it.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from reviewer.basics.errors import SourceError
from reviewer.imports import bystanders, formats, path_patterns
from reviewer.imports.conversation_names import ConversationNames
from reviewer.imports.conversation_names import Wishes as Wishes
from reviewer.imports.filed_conversations import FiledConversation, FilingResult
from reviewer.imports.inputs import sources
from reviewer.imports.path_patterns import PathIndex, PathPattern
from reviewer.imports.run_numbers import RunNumbers
from reviewer.imports.source import BadRecord, Extract, Remark, Source
from reviewer.imports.summary import COUNTED, Coverage, ImportReport, SourceReport
from reviewer.transcripts import desk
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.model import Run
from reviewer.transcripts.store.catalogue import together
from reviewer.transcripts.store.connection import forgotten_when_empty
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.soundness import damage_met
from reviewer.transcripts.store.sources import LogFile
from reviewer.transcripts.store.writer import Writer

BATCH = 500
"""Conversations a commit: few enough that a kill loses little, many enough that commits cost nothing."""
BATCH_BYTES = 16 << 20
"""A file of so many bytes is committed at its end, however few conversations it holds."""
_OBJECTS = 500_000
"""New objects after which Python looks for cycles."""


@dataclass(frozen=True, slots=True)
class Step:
    """The progress of an import."""

    name: str
    file: int
    files: int
    read: int
    """Conversations so far."""
    done: float
    """The part of all bytes that is behind it."""


Progress = Callable[[Step], None]


def import_files(paths: Sequence[Path], store: Path, wishes: Wishes, progress: Progress | None = None) -> ImportReport:
    """Import files into a store; a store that would be new is not created if nothing came in."""
    chosen = sources(paths, wishes.following_links)
    wished = desk.load(wishes.desk) if wishes.desk else None
    only = formats.named(wishes.format) if wishes.format else None
    if wishes.map and only:
        raise SourceError("--format and --map both say how to read the files.", "Leave one of them out.")
    pattern = None
    if wishes.map:
        from reviewer.imports.formats import mapped  # brings all that reads maps

        only = by_map = mapped.by_map(wishes.map, chosen.sources)
        pattern = by_map.by.file.path_pattern
    path_index = _path_index(wishes, pattern, chosen.sources)
    report = ImportReport(unread=chosen.unread, links=chosen.links)
    with forgotten_when_empty(store), _collecting_rarely(), Writer(store) as writer:
        intake = Intake(writer, {"paths": [str(path) for path in paths], **wishes.spoken()})
        known = ((writer.sources.at(source.where.place), source.name) for source in chosen.sources)
        stored = {row.path: name for row, name in known if row is not None}
        run_numbers = RunNumbers(intake, stored, wishes.replacing, wishes.updating)
        one = _Import(intake, run_numbers, wishes, wished, only, chosen.sources, path_index, progress)
        report.sources = one.read_all()
        one.finish(report)
        writer.catalogue.forget_unused()
        writer.commit()
        intake.end({key: report.total(key) for key in COUNTED})
    return report


def _path_index(wishes: Wishes, of_map: PathPattern | None, files: Sequence[Source]) -> PathIndex:
    """How the paths of this command are read: by its pattern, by that of its map, else by the layouts among them."""
    if wishes.path_pattern:
        return path_patterns.by_pattern(path_patterns.pattern(wishes.path_pattern), files)
    if of_map is not None:
        return path_patterns.by_pattern(of_map, files)
    return path_patterns.by_layouts(files)


@contextmanager
def _collecting_rarely() -> Iterator[None]:
    """Collect garbage rarely within the `with` block: what is parsed from JSON holds no cycles."""
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
        intake: Intake,
        run_numbers: RunNumbers,
        wishes: Wishes,
        wished_desk: Desk | None,
        only: formats.Format | None,
        files: Sequence[Source],
        paths: PathIndex,
        progress: Progress | None,
    ) -> None:
        self._intake, self._writer = intake, intake.writer
        self._run_numbers, self._wishes = run_numbers, wishes
        self._conversation_names = ConversationNames(wishes, paths.named)
        self._path_index = paths
        self._desk, self._only, self._progress = wished_desk, only, progress
        self._by_name = {source.name: source for source in files}
        self._files, self._bytes, self._behind = len(files), sum(source.size for source in files) or 1, 0
        self._reports: dict[str, SourceReport] = {}
        self._rows: set[int] = set()
        self._stored: dict[str, str] = {}
        """The name of a source of this command, by the path under which the store knows it."""
        self._unsettled = 0
        self._sizes = Counter(source.size for source in files)
        self._hashes: dict[str, str] = {}
        self._copies: dict[tuple[str, str], bool] = {}
        """Whether all files of one folder have copies in another."""
        self._runs: dict[tuple[str, int | None, str], Run] = {}
        """What sources say of their runs, by model, stated number and group."""
        self._told: dict[tuple[str, int | None, str], Run] = {}
        """The same of the one that is read: a source that is refused has no say."""
        self._named_by_path: set[str] = set()
        """Files whose case is their path's."""
        self._number = self._read = 0

    def read_all(self) -> list[SourceReport]:
        """Read all files; one that turns out to be another run than it seemed is undone and read again."""
        waiting = list(reversed(self._by_name.values()))
        while waiting:
            source = waiting.pop()
            again = self._read_one(source)
            source.release()
            if again:
                names_again = {self._stored[path] for path in again}
                once_more = [each for each in self._by_name.values() if each.name in names_again]
                for each in once_more:
                    self._take_back(each)
                waiting += reversed(once_more)
        return [self._reports[name] for name in self._by_name]

    def _read_one(self, source: Source) -> frozenset[str]:
        """Read one file, noting errors in its report; returns the stored paths of files to read again."""
        report = self._reports[source.name] = SourceReport(source.name)
        self._number = min(self._number + 1, self._files)
        self._tell(source)
        try:
            format = self._format_of(source, report)
            if format is not None:
                report.format = format.NAME
                return self._take(source, format, report)
        except SourceError as error:
            self._give_up(source, report, error.message, str(error))
        except formats.SURPRISES as error:
            if damage := damage_met(error):
                raise damage from error
            self._give_up(source, report, f"not shaped as a known format is ({str(error) or type(error).__name__})")
        except MemoryError:
            self._give_up(source, report, "too large for this machine's memory")
        except OSError as error:
            self._give_up(source, report, str(error.strerror), f"{source.name} cannot be read: {error.strerror}.")
        finally:
            self._behind += source.size
            self._unsettled += source.size // BATCH_BYTES * BATCH
        return frozenset()

    def _take_back(self, source: Source) -> None:
        """Undo everything that this file brought into the store."""
        path = next((path for path, name in self._stored.items() if name == source.name), None)
        row = self._writer.sources.at(source.where.place, path or source.name)
        if path is not None and row is not None:
            self._undo(row.id, path)

    def _undo(self, row: int, path: str) -> None:
        self._writer.delete(gone := self._writer.places.of_source(row))
        for import_id in self._writer.places.imports:
            self._writer.updates.take_back(import_id, row)
        self._run_numbers.forget(path, gone)

    def _settle(self) -> None:
        """Commit if enough was read; a commit for each file would take longer than reading it."""
        self._unsettled += 1
        if self._unsettled >= BATCH:
            self._writer.commit()
            self._unsettled = 0

    def _give_up(self, source: Source, report: SourceReport, reason: str, said: str = "") -> None:
        report.rejected += 1
        report.remark(said or f"{source.name}: {reason}")
        self._writer.reject(self._intake.import_id, source.name, "file", reason, "")

    def finish(self, report: ImportReport) -> None:
        """Store what was said about runs, once all have their numbers, and list them in the report."""
        told: dict[tuple[str, int | None], Run] = {}
        for (model, stated, group), run in self._runs.items():
            model, number = self._run_numbers.given(model, stated, group)
            told[model, number] = replace(together(told.get((model, number), run), run), model=model, number=number)
        for run in told.values():
            self._intake.describe_run(run)
        rows = {source.path: source for source in report.sources if not source.refused}
        rows = {path: rows[name] for path, name in self._stored.items() if name in rows}
        for path, model, number in self._writer.places.runs_by_source(self._intake.import_id):
            if path in rows:
                rows[path].models.setdefault(model, set()).add(number)
        report.paths = self._path_index.sentences(self._named_by_path & {row.path for row in rows.values()})
        models = sorted({model for source in rows.values() for model in source.models})
        absent = self._writer.places.missing(models)
        report.coverage = [
            Coverage(*row, missing=absent.get((row[0], row[1]))) for row in self._writer.places.coverage(models)
        ]

    def _format_of(self, source: Source, report: SourceReport) -> formats.Format | None:
        if not source.head.strip():
            raise SourceError(f"{source.name} is empty.", "Was it cut off?")
        report.passed_over = bystanders.paper(source)
        if report.passed_over:
            return None
        twin = self._twin(source)
        if twin:
            report.passed_over = f"{bystanders.COPY}{twin}"
            return None
        format = self._only or formats.recognised(source, report.remark)
        if self._only is not None and not self._only.mine(source):
            claims = formats.recognised(source)
            like = f"that of {claims.NAME}" if claims is not None else "of no known format"
            report.remark(f"read as {self._only.NAME}, as told; its content is {like}")
        if format is None:
            report.passed_over = bystanders.word(source)
        return format

    def _twin(self, source: Source) -> str | None:
        """An earlier file of this import with the same bytes; only files of the same size are compared."""
        if self._sizes[source.size] < 2:
            return None
        first = self._hashes.setdefault(source.where.digest, source.name)
        return first if first != source.name and self._is_copy(source, self._by_name[first]) else None

    def _is_copy(self, source: Source, first: Source) -> bool:
        """True if equal bytes are a copy, not another run with the same outcome: its path would say so, or the
        other files of its folder."""
        if self._conversation_names.of_path(first) != self._conversation_names.of_path(source):
            return False
        mine, theirs = source.name.rpartition("/")[0], first.name.rpartition("/")[0]
        if (mine, theirs) not in self._copies:
            self._copies[mine, theirs] = mine == theirs or self._bytes_in(mine) <= self._bytes_in(theirs)
        return self._copies[mine, theirs]

    def _bytes_in(self, folder: str) -> set[str]:
        return {each.where.fingerprint for each in self._by_name.values() if each.name.rpartition("/")[0] == folder}

    def _take(self, source: Source, format: formats.Format, report: SourceReport) -> frozenset[str]:
        """Store the file's conversations; returns the sources that have to be read again, if any."""
        self._conversation_names.begin_source(format.read(source))
        if source.name in self._path_index.unfit:
            report.remark("the path pattern does not fit its path")
        self._writer.begin()
        file = LogFile(
            *(source.name, format.NAME, source.size, source.where.place, source.where.fingerprint),
            longer=source.where.longer_names,
        )
        row, path, label = self._writer.sources.take(file, self._intake.import_id, self._rows)
        self._rows.add(row)
        self._stored[path] = source.name
        self._run_numbers.begin_source(row, path, source.name, label)
        self._writer.catalogue.begin_source()
        self._told.clear()
        clashes: list[FiledConversation] = []
        tools: set[str] = set()
        suites, brought = set[str | None](), None
        for item in format.read(source):
            if isinstance(item, Remark):
                report.remark(item.text)
            elif isinstance(item, BadRecord):
                report.rejected += 1
                report.remark(f"{item.position}: {item.reason}")
                self._writer.reject(self._intake.import_id, path, item.position, item.reason, item.raw)
            else:
                filing = self._one(item, source, (row, path), report)
                if filing.outcome is FilingResult.AGAIN:
                    return filing.again
                if filing.outcome is FilingResult.CLASH:
                    clashes.append(filing)
                tools.update(call.name for message in item.conversation.messages for call in message.calls)
                suites.add(item.conversation.facts.suite if item.conversation.facts else None)
                brought = item.desk
        if clashes:
            self._refuse(row, path, report, clashes)
        else:
            self._runs |= self._told
        if not (report.read or report.rejected or report.refused or report.remarks):
            report.remark("no conversation in it")
        self._class_tools(row, tools, suites, desk.kept(brought), report)
        for text in (*self._run_numbers.said, *report.unread_blocks):
            report.remark(text)
        self._run_numbers.said.clear()
        return frozenset()

    def _one(
        self,
        extract: Extract,
        source: Source,
        stored: tuple[int, str],
        report: SourceReport,
    ) -> FiledConversation:
        row, path = stored
        item, group, before, again = self._conversation_names.named(extract, source, path, report)
        if again:
            return FiledConversation(FilingResult.AGAIN, item.run, "", item.model, again)
        if extract.synthetic:
            self._writer.catalogue.mark_synthetic(row)
        filing = self._run_numbers.place(item, path, row, group, extract.position, extract.whole, before)
        self._read += 1
        if filing.outcome in (FilingResult.CLASH, FilingResult.AGAIN):
            return filing
        report.count(filing.outcome.value, item.messages)
        stated = extract.conversation.run
        if self._wishes.run is None and stated not in (None, item.run) and filing.number == item.run:
            report.remark(f"trial {stated} throughout: filed under run {item.run}, which the path names")
        if item.case != extract.conversation.case and filing.outcome is FilingResult.NEW:
            self._named_by_path.add(source.name)
        if filing.outcome in (FilingResult.UNCHANGED, FilingResult.UPDATED, FilingResult.CONTINUED):
            report.models.setdefault(filing.model, set()).add(filing.number)
        if extract.run is not None or self._wishes.label:
            told_run = extract.run or Run(item.model, None)
            told_run = replace(told_run, label=self._wishes.label or told_run.label)
            key = (filing.model, item.run, group)
            self._told[key] = together(self._told.get(key, told_run), told_run)
        self._settle()
        self._tell(source)
        return filing

    def _tell(self, source: Source) -> None:
        if self._progress is not None:
            done = (self._behind + source.passed) / self._bytes
            self._progress(Step(source.name, self._number, self._files, self._read, min(done, 1.0)))

    def _refuse(self, row: int, path: str, report: SourceReport, clashes: Sequence[FiledConversation]) -> None:
        """Undo a file whose conversations would take others' references, and report what the user can do."""
        self._undo(row, path)
        self._writer.catalogue.take_back()
        total = report.read + len(clashes)
        equal = sum(filing.equal for filing in clashes)
        same = f", {equal} of them with the same words," if equal else ""
        report.refused = (
            f"{len(clashes)} of its {total} conversations{same} would stand where others do (first: {clashes[0].ref});"
            " choose --run N (another run), --label NAME (another configuration) or --replace (newer copies of these)"
        )
        report.new = report.updated = report.continued = 0

    def _class_tools(
        self, row: int, tools: set[str], suites: set[str | None], told: Desk, report: SourceReport
    ) -> None:
        """Set the desk: the one that was named or that the file brings, else the shipped one for suite or tools."""
        chosen = self._desk or (told if told.tools else None)
        if chosen is None and tools:
            suite = (suites.pop() or "").removeprefix("tau2-") if len(suites) == 1 else ""
            name = suite if suite in desk.shipped() else desk.recognised(tools)
            if name is not None:
                chosen = desk.load(name)
                report.remark(f"tools classed by the {name} desk")
        if chosen is not None:
            self._intake.set_desk([row], chosen)
