"""What a conversation is called: its model and its run, from the data, from the file's path, or from the command.

Owns the order in which these are believed. A number that is the same in all of a file or folder is a trial of one run,
so that a path that names the run is believed before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from reviewer.ingest import names
from reviewer.ingest.source import Extract, Item, Source
from reviewer.ingest.summary import SourceReport
from reviewer.model import Conversation


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

    def spoken(self) -> dict[str, Any]:
        """The wishes that were expressed, for the record of the import."""
        spoken = {"format": self.format, "model": self.model, "run": self.run, "label": self.label}
        spoken |= {"replace": self.replacing or None, "desk": self.desk, "map": self.map}
        return {key: value for key, value in spoken.items() if value is not None}


class NamedConversation(NamedTuple):
    """A conversation with its model and run filled in."""

    item: Conversation
    overruled: int | None = None
    """The number that the data states, where the path names another run."""
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

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
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

    def named(self, extract: Extract, source: Source, path: str, group: str, report: SourceReport) -> NamedConversation:
        """Fill in model and run; `path` is the source's in the store, `group` what may share its run with it."""
        model, item = self._model(extract, source, report), extract.conversation
        if item.case is None:
            return NamedConversation(replace(item, model=model) if model != item.model else item)
        run, overruled = item.run, None
        if self._wished is not None:
            run = self._wished[run]
        elif run is None:
            run = source.where.run
        elif source.where.run is not None and not extract.names_run:
            numbers = self._numbers.setdefault(group, _Numbers())
            numbers.stated.add(run)
            if len(numbers.stated) == 1:
                numbers.overruled.add(path)
                run, overruled = source.where.run, run
            elif numbers.overruled:
                again = frozenset((*numbers.overruled, path))
                numbers.overruled.clear()
                return NamedConversation(item, again=again)
        return NamedConversation(
            item if (model, run) == (item.model, item.run) else replace(item, model=model, run=run), overruled
        )

    def _model(self, extract: Extract, source: Source, report: SourceReport) -> str:
        """The model, with the label that was wished: from the command, the data or the file's name."""
        wishes, item = self._wishes, extract.conversation
        by_name = names.model_beside(source.where.speaking, extract.run.harness if extract.run else None)
        model = wishes.model or item.model or by_name or "unknown"
        if wishes.model and item.model and not names.same_model(wishes.model, item.model):
            report.remark(f"the data says {item.model}; filed under {wishes.model}, as told")
        elif not wishes.model and item.model and by_name and not names.same_model(item.model, by_name):
            report.remark(f"the data says {item.model}, the file's name {by_name}: filed under {item.model}")
        elif model == "unknown":
            report.remark("no model named in the data or the file's name: filed under unknown; say --model NAME")
        elif not item.model and not wishes.model:
            report.remark(f"model {model}, from the file's name")
        return f"{model}+{wishes.label}" if wishes.label else model
