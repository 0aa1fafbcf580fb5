"""Configurations that only their paths tell apart: which part of the path becomes a part of the model's label.

Owns the folders in which the files of one model part, and those whose files their own names tell apart, for one
import; `names` says which names mean something.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reviewer.imports import names
from reviewer.transcripts.model import Conversation
from reviewer.transcripts.refs import conversation_ref
from reviewer.transcripts.store.writer import Writer

LONGEST_REF = 120
"""Characters of the reference of a conversation that no case names."""


class Labels:
    """The labels that an import gives to models whose configurations differ only by path."""

    def __init__(self, writer: Writer, called: Mapping[str, str]) -> None:
        self._writer = writer
        self._called = called
        """What the files of this command are called in it, by their stored paths: only such names can be compared."""
        self._splits: dict[str, dict[names.Folder, None]] = {}
        """Folders below which each folder is a configuration of its own, by model."""
        self._files: dict[str, dict[names.Folder, None]] = {}
        """Folders in which the files' own names are."""
        self._before = frozenset(called)
        """The files that are stored already."""
        self._earlier: dict[str, tuple[dict[names.Folder, None], dict[names.Folder, None]]] = {}
        """What told them apart when they were stored, by model: newcomers among them follow suit."""
        for model, label, path in writer.places.labelled(self._before):
            self._recall(model, label, called[path])
        self._source = 0
        self._noted: str | None = None
        """The label of the source that is read, as the store has it."""

    def begin_source(self, source_id: int, label: str | None) -> None:
        """Start on a source, which an earlier import may have labelled."""
        self._source, self._noted = source_id, label

    def applied(self, item: Conversation, source: str) -> Conversation:
        """The conversation with the label added to its model; unchanged if none is needed."""
        labels = [self._noted] if self._noted else []
        model = "+".join((item.model, *labels))
        while (label := self._label_of(model, source)) is not None:
            labels.append(label)
            model = f"{model}+{label}"
        if not labels:
            return item
        told = "+".join(labels)
        if told != self._noted:
            self._writer.sources.label(self._source, told)
        return replace(item, model=model)

    def tell_apart(self, model: str, source: str, other: str) -> names.Folder | None:
        """The folder below which two files of a model are of different configurations, if that was not known yet."""
        one, another = (self._called.get(each, each) for each in (source, other))
        for known, apart in ((self._splits, names.configurations_below), (self._files, names.files_apart)):
            split = apart(one, another, model)
            if split is not None and split not in known.get(model, ()):
                known.setdefault(model, {})[split] = None
                return split
        return None

    def below(self, folder: names.Folder) -> list[str]:
        """The stored paths of this command's files below a folder."""
        start = "/".join((*folder, ""))
        return [path for path, called in self._called.items() if called.startswith(start)]

    def put_on_stored(self, model: str, below: names.Folder) -> dict[str, str] | None:
        """Label what this import stored of a model from below a folder; the labels by source, None without a place."""
        moves: list[tuple[int, str, str, int | None]] = []
        labels: dict[str, str] = {}
        for rowid, source, number, case, key in self._writer.places.of_model(model, self.below(below)):
            label = self._label_of(model, source)
            if label is not None:
                labels[source] = label
                labelled = f"{model}+{label}"
                ref = conversation_ref(labelled, case, number) if case else short_ref(labelled, key)
                moves.append((rowid, ref, labelled, number))
        if any(self._writer.places.at(ref) is not None for _, ref, _, _ in moves):
            return None
        for move in moves:
            self._writer.move(*move)
        for source, label in labels.items():
            self._writer.sources.add_label(source, label)
        return labels

    def _label_of(self, model: str, source: str) -> str | None:
        """The label of a file: from the outermost folder that distinguishes, else from its own name."""
        called = self._called.get(source, source)
        folder = names.Folder(called.split("/")[:-1])
        splits, files = self._splits.get(model, {}), self._files.get(model, {})
        if source not in self._before and model in self._earlier:
            splits, files = (
                {**known, **more} for known, more in zip((splits, files), self._earlier[model], strict=True)
            )
        for depth in range(len(folder) + 1 if splits else 0):
            if folder[:depth] in splits and (label := names.configuration(called, folder[:depth], model)) is not None:
                return label
        return names.told_by_name(called, model) if folder in files else None

    def _recall(self, model: str, label: str, called: str) -> None:
        """Work out again which folders or names gave a stored file its label."""
        model = model.removesuffix(f"+{label}")
        folder = names.Folder(called.split("/")[:-1])
        for part in label.split("+"):
            splits, files = self._earlier.setdefault(model, ({}, {}))
            told = (folder[:n] for n in range(len(folder)) if names.configuration(called, folder[:n], model) == part)
            if (split := next(told, None)) is not None:
                splits[split] = None
            elif names.told_by_name(called, model) == part:
                files[folder] = None
            model = f"{model}+{part}"


def short_ref(model: str, key: str, end: str = "") -> str:
    """The reference of a conversation without a case; a long key gives way to its beginning and a hash of it."""
    ref = conversation_ref(model, None, None, key + end)
    shown = len(key)
    while len(ref) > LONGEST_REF and shown > 0:
        shown = max(0, min(shown - 1, shown - (len(ref) - LONGEST_REF) // 3))
        ref = conversation_ref(model, None, None, names.shortened(key, shown) + end)
    return ref
