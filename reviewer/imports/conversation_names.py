"""What a conversation is called: its model, case and run, from the data, from the file's path, or from the command.

Owns the order in which these are believed. A number that is the same in all of a file or folder is a trial of one run,
so that a path that names the run is believed before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from reviewer.imports import names
from reviewer.imports.path_patterns import PathNames
from reviewer.imports.source import Extract, Item, Source
from reviewer.imports.summary import SourceReport
from reviewer.transcripts.model import Conversation

_NOTHING = PathNames()
_NO_CASE = (
    "its path names a run, but nothing names a case, so that the run is not kept; "
    "--path-pattern says where both are, as in '{model}/{run}/{case}.json'"
)


@dataclass(frozen=True, slots=True)
class Wishes:
    """The user's wishes: format, model, run, label and so on."""

    format: str | None = None
    model: str | None = None
    run: int | None = None
    label: str | None = None
    replacing: bool = False
    desk: str | None = None
    map: str | None = None
    path_pattern: str | None = None
    updating: bool = False
    """Put conversations that go on from stored ones in their places; `replacing` does it as well."""
    following_links: bool = False
    """Follow links out of the folders that are named."""

    def spoken(self) -> dict[str, Any]:
        """The wishes that were expressed, for the record of the import."""
        spoken = {"format": self.format, "model": self.model, "run": self.run, "label": self.label}
        spoken |= {"replace": self.replacing or None, "desk": self.desk, "map": self.map}
        spoken |= {
            "path_pattern": self.path_pattern,
            "update": self.updating or None,
            "follow_links": self.following_links or None,
        }
        return {key: value for key, value in spoken.items() if value is not None}


class NamedConversation(NamedTuple):
    """A conversation with its model, case and run filled in."""

    item: Conversation
    group: str
    """What may share its run with it: the file, or the folder of a file with one conversation."""
    before: Conversation | None = None
    """What it would be called if its path named nothing, where that differs and nobody asked for it."""
    again: frozenset[str] = frozenset()
    """Sources to read once more: their number was taken for that of a single trial, and is one of several."""


@dataclass
class _Numbers:
    """The run numbers that the data of one file or folder states."""

    stated: set[int] = field(default_factory=set)
    overruled: set[str] = field(default_factory=set)
    """The sources whose number gave way to that of their path."""


class ConversationNames:
    """Names the conversations of one import, source by source."""

    def __init__(self, wishes: Wishes, paths: Mapping[str, PathNames]) -> None:
        self._wishes = wishes
        self._paths = paths
        """What paths name, by the names of the sources."""
        self._numbers: dict[str, _Numbers] = {}
        """By file, or by folder where a file holds one conversation."""
        self._wished: dict[int | None, int] | None = None
        """With `--run N`: the number that each stated number of the source becomes."""

    def begin_source(self, items: Iterable[Item]) -> None:
        """Start on a source; with `--run N` its runs count from N, in the order of their own numbers."""
        if self._wishes.run is not None:
            stated = {item.conversation.run for item in items if isinstance(item, Extract)}
            in_order = sorted(stated, key=lambda n: -1 if n is None else n)
            self._wished = {number: self._wishes.run + index for index, number in enumerate(in_order)}

    def of_path(self, source: Source) -> PathNames:
        """What the path of a source names: by a pattern or a layout, else a model and a run in its words."""
        told = self._paths.get(source.name)
        return told or PathNames(names.model_in(source.name), run=source.where.run, guessed=True)

    def named(self, extract: Extract, source: Source, path: str, report: SourceReport) -> NamedConversation:
        """Fill in model, case and run; `path` is the source's in the store."""
        told, item = self._paths.get(source.name, _NOTHING), extract.conversation
        sole = extract.position.startswith("the ")
        case = told.case if item.case is None and (sole or not told.guessed) else None
        group = path.rpartition("/")[0] + "/" if extract.alone or (case is not None and sole) else path
        model = self._model(extract, source, told, report)
        if item.case is None and case is None:
            if source.where.run is not None or told.run is not None:
                report.remark(_NO_CASE)
            return NamedConversation(item if model == item.model else replace(item, model=model), group)
        by_path = source.where.run
        if told.run is not None and (case is not None or not told.guessed):
            by_path = told.run
        run = item.run
        if self._wished is not None:
            run = self._wished[run]
        elif run is None:
            run = by_path
        elif by_path is not None and not extract.names_run:
            numbers = self._numbers.setdefault(group, _Numbers())
            numbers.stated.add(run)
            if len(numbers.stated) == 1:
                numbers.overruled.add(path)
                run = by_path
            elif numbers.overruled:
                again = frozenset((*numbers.overruled, path))
                numbers.overruled.clear()
                return NamedConversation(item, group, again=again)
        before = None
        if self._wished is None and (told.guessed or told is _NOTHING):
            plain = self._model(extract, source, _NOTHING, None)
            stated = item.run if item.run is not None or item.case is None else source.where.run
            if (plain, item.case, stated) != (model, item.case or case, run):
                before = replace(item, model=plain, run=stated)
        if (model, item.case or case, run) != (item.model, item.case, item.run):
            item = replace(item, model=model, case=item.case or case, run=run)
        return NamedConversation(item, group, before)

    def _model(self, extract: Extract, source: Source, told: PathNames, report: SourceReport | None) -> str:
        """The model, with its label: from the command, a pattern, the data, or words in the file's path."""
        wishes, item = self._wishes, extract.conversation
        wished = wishes.model or (None if told.guessed else told.model)
        by_name = names.model_beside(source.where.speaking, extract.run.harness if extract.run else None)
        model = wished or item.model or by_name or told.model or "unknown"
        remark = ""
        if wished and item.model and not names.same_model(wished, item.model):
            why = "as told" if wishes.model else "which its path names"
            remark = f"the data says {item.model}; filed under {wished}, {why}"
        elif not wished and item.model and by_name and not names.same_model(item.model, by_name):
            remark = f"the data says {item.model}, the file's name {by_name}: filed under {item.model}"
        elif model == "unknown":
            remark = "no model named in the data or the file's name: filed under unknown; say --model NAME"
        elif not item.model and not wished:
            remark = f"model {model}, from the file's name"
        if remark and report is not None:
            report.remark(remark)
        label = wishes.label or told.label
        return f"{model}+{label}" if label else model
