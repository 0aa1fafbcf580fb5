"""What the path of a file names: model, label, run and case, by a pattern that a person gave or by a regular layout.

A pattern such as `{model}/{run}/{case}.json` is matched with the end of a path, folder by folder. A layout is
recognised only where the same cases are below several runs or models: one folder alone proves nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reviewer.basics.errors import SourceError
from reviewer.imports import names
from reviewer.imports.source import Source

FIELDS = ("model", "label", "run", "case")
_EXAMPLE = "Write it as in '{model}/{run}/{case}.json'; * stands for any other name."
_VARIABLE = re.compile(r"(\{[^{}]*\}|\*)")
_LAST_NUMBER = re.compile(r"(\d{1,9})\D*$")
_FEW_DIGITS = 3


class PathNames(NamedTuple):
    """What one path names."""

    model: str | None = None
    label: str | None = None
    run: int | None = None
    case: str | None = None
    guessed: bool = False
    """True when a layout was recognised: what the data names is then believed before it."""


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A pattern of paths: for each folder from the last on, fixed text and fields in turn."""

    text: str
    where: str
    """The option or the key of a map that has it."""
    steps: tuple[tuple[str, ...], ...]
    """For each folder, and at last for the file: fixed text and variables in turn, beginning and ending with text."""

    def names(self, source: Source) -> PathNames | None:
        """What the path of a source names; None where the pattern does not fit it."""
        path = source.where.steps
        plain = (*path[:-1], path[-1].removesuffix(".gz"))
        return next(
            (told for each in (path, plain) if (told := self._names(each[-len(self.steps) :])) is not None), None
        )

    def _names(self, steps: Sequence[str]) -> PathNames | None:
        if len(steps) < len(self.steps):
            return None
        values: dict[str, str] = {}
        for parts, step in zip(self.steps, steps, strict=True):
            told = _values(parts, step)
            if told is None:
                return None
            values |= told
        run = _number(values["{run}"]) if "{run}" in values else None
        if "{run}" in values and run is None:
            return None
        return PathNames(values.get("{model}"), values.get("{label}"), run, values.get("{case}"))


def pattern(text: str, where: str = "--path-pattern") -> PathPattern:
    """Read a pattern; one sentence, which begins with where it stands, for what is wrong with it."""
    steps = tuple(tuple(_VARIABLE.split(step)) for step in text.split("/"))
    fields = [part[1:-1] for parts in steps for part in parts[1::2] if part != "*"]
    reason = ""
    if any(brace in literal for parts in steps for literal in parts[::2] for brace in "{}"):
        reason = "a brace of “{}” has no other"
    elif unknown := [name for name in fields if name not in FIELDS]:
        listed = ", ".join(f"{{{name}}}" for name in FIELDS)
        raise SourceError(f"{where}: there is no field “{{{unknown[0]}}}”.", f"Fields: {listed}; * is any other name.")
    elif not fields:
        reason = "“{}” names no field"
    elif len(set(fields)) < len(fields):
        reason = "“{}” has a field more than once"
    elif ("",) in steps:
        reason = "“{}” has a folder without a name"
    if reason:
        raise SourceError(f"{where}: {reason.replace('{}', text)}.", _EXAMPLE)
    return PathPattern(text, where, steps)


@dataclass(frozen=True, slots=True)
class PathIndex:
    """What the paths of one import name, and how that was read."""

    named: Mapping[str, PathNames]
    """What each names, by the name of the source."""
    texts: Mapping[str, str]
    """The layout by which it was read, as a pattern; of a pattern that a person gave nothing is told."""
    unfit: frozenset[str] = frozenset()
    """The sources that a person's pattern does not fit."""

    def sentences(self, used: Iterable[str]) -> list[str]:
        """For each layout, how many of the files that got their case from it, and what they name."""
        by_text: dict[str, list[PathNames]] = {}
        for name in used:
            if name in self.texts:
                by_text.setdefault(self.texts[name], []).append(self.named[name])
        otherwise = "--path-pattern reads them otherwise"
        return [f"Paths are read as {text} ({_counted(told)}); {otherwise}." for text, told in by_text.items()]


def by_pattern(of: PathPattern, sources: Sequence[Source]) -> PathIndex:
    """Read paths by a pattern; one sentence when it fits none of them."""
    named = {source.name: told for source in sources if (told := of.names(source)) is not None}
    if not named:
        path = "/".join(sources[0].where.steps[-len(of.steps) :])
        more = f" or any of the {len(sources) - 1:,} other files" if len(sources) > 1 else ""
        raise SourceError(f"{of.where}: “{of.text}” does not fit {path}{more}.", _EXAMPLE)
    return PathIndex(named, {}, frozenset(source.name for source in sources) - named.keys())


def by_layouts(sources: Iterable[Source]) -> PathIndex:
    """Read paths by the regular layouts among them: of files that are equally deep and have one ending."""
    groups: dict[tuple[int, str], dict[str, tuple[str, ...]]] = {}
    for source in sources:
        *folders, file = source.name.split("/")
        stem = names.stem(file)
        groups.setdefault((len(folders), file[len(stem) :]), {})[source.name] = (*folders, stem)
    named: dict[str, PathNames] = {}
    texts: dict[str, str] = {}
    for (_, ending), paths in groups.items():
        text, told = _layout(paths)
        named |= told
        texts |= dict.fromkeys(told, text + ending)
    return PathIndex(named, texts)


def _counted(told: Sequence[PathNames]) -> str:
    """How many files, and how many different models, runs and cases they name."""
    parts = [_plural(len(told), "file")]
    for field in ("model", "run", "case"):
        n = len({value for each in told if (value := getattr(each, field)) is not None})
        parts += [_plural(n, field)] if n else []
    return ", ".join(parts)


def _plural(n: int, word: str) -> str:
    return f"{n:,} {word}{'s' * (n != 1)}"


def _values(parts: Sequence[str], name: str) -> dict[str, str] | None:
    """The values of the fields in what a folder or file is called; None if its name does not fit."""
    if len(parts) == 1:
        return {} if name == parts[0] else None
    first, *literals, last = parts[::2]
    if not (name.startswith(first) and name.endswith(last)):
        return None
    values: dict[str, str] = {}
    *variables, end_variable = parts[1::2]
    at, end = len(first), len(name) - len(last)
    for variable, literal in zip(variables, literals, strict=True):
        until = name.find(literal, at + 1, end)
        if until < 0:
            return None
        values[variable] = name[at:until]
        at = until + len(literal)
    return {**values, end_variable: name[at:end]} if at < end else None


def _number(text: str) -> int | None:
    """The run that a name stands for: its number as a run's, else the last number in it."""
    stated = names.run_in(text)
    last = _LAST_NUMBER.search(text)
    return stated if stated is not None else int(last[1]) if last else None


def _layout(paths: Mapping[str, tuple[str, ...]]) -> tuple[str, dict[str, PathNames]]:
    """The layout of some paths as a pattern, and what they name; nothing where there is none."""
    values = [set(level) for level in zip(*paths.values(), strict=True)]
    varying = [n for n, level in enumerate(values) if len(level) > 1]
    run = _run_level(values, varying)
    others = [n for n in varying if n != run]
    models = [n for n in others if all(names.model_in(value) is not None for value in values[n])]
    model = None
    if len(others) == 2 and len(models) < 2 and (models or run is not None):
        model = models[0] if models else others[0]
    elif len(others) != 1 or models or run is None:
        return "", {}
    case = next(n for n in others if n != model)
    if not _recurs([(tuple(path[n] for n in varying if n != case), path[case]) for path in paths.values()]):
        return "", {}
    fields = {level: name for level, name in ((model, "model"), (run, "run"), (case, "case")) if level is not None}
    shown = [f"{{{fields[n]}}}" if n in fields else "*" for n in range(len(values))]
    named = {}
    for name, path in paths.items():
        told = {field: path[level] for level, field in fields.items()}
        number = _number(told["run"]) if "run" in told else None
        named[name] = PathNames(told.get("model"), None, number, told["case"], guessed=True)
    return "/".join(shown[min(fields) :]), named


def _run_level(values: Sequence[set[str]], varying: Sequence[int]) -> int | None:
    """The level whose names are those of runs, else the only one whose names are small numbers."""
    called = [n for n, level in enumerate(values) if all(names.is_run_folder(value) for value in level)]
    if called:
        return called[0] if len(called) == 1 else None
    counted = [
        n
        for n in varying
        if all(value.isascii() and value.isdigit() and len(value) <= _FEW_DIGITS for value in values[n])
    ]
    return counted[0] if len(counted) == 1 else None


def _recurs(placed: Sequence[tuple[tuple[str, ...], str]]) -> bool:
    """True if most cases stand below several runs or models, and most of these hold most cases."""
    below = Counter(case for _, case in placed)
    cells = {cell for cell, _ in placed}
    several = sum(n > 1 for n in below.values())
    return (
        len(cells) > 1 and len(below) > 1 and 2 * several >= len(below) and 2 * len(placed) >= len(cells) * len(below)
    )
