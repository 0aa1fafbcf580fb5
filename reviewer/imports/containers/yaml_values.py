"""YAML -> the values that JSON would have: texts, numbers, true, false, null, lists, objects; never what a tag makes.

Reads the events of PyYAML's C parser and builds the values itself, so that depth, size and what aliases stand for are
bounded while they are read. Words are YAML 1.2's: `no` and `2024-05-15` and `12:30` are texts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import yaml

from reviewer.basics.errors import SourceError
from reviewer.imports import parsed_size
from reviewer.imports.source import compact

LARGEST = 64 << 20
DEEPEST = 500
"""Lists and objects within each other."""
MOST = 20
"""Times its own size that a large document may be with its aliases written out."""
_SUSPECT = 16 << 20
_NODE = 16
"""Characters that a value counts for beside its own."""
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?[0-9]{1,4000}|0x[0-9a-fA-F]{1,4000}|0o[0-7]{1,4000}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_ODD = {".inf": "inf", "+.inf": "inf", "-.inf": "-inf", ".nan": "nan"}
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parsed(data: bytes, name: str) -> Any:
    """The one value of a YAML file, or the list of those of its documents; raises a sentence that names the place."""
    if len(data) > LARGEST:
        raise SourceError(f"{name} is YAML of more than {LARGEST >> 20} MiB.", "Write it as JSON or JSON Lines.")
    try:
        data.decode("utf-8")
        values = _documents(yaml.parse(data.removeprefix(b"\xef\xbb\xbf"), Loader=_LOADER), name, len(data))
    except UnicodeDecodeError as error:
        raise SourceError(f"{name}: byte {error.start} is not UTF-8.", "Save it as UTF-8 and import again.") from None
    except yaml.YAMLError as error:
        raise SourceError(f"{name}: not YAML{_place(error)} ({_problem(error)}).", "Was the file cut off?") from None
    except MemoryError:
        raise SourceError(f"{name}: too large for this machine's memory.", "Write it as JSON Lines.") from None
    return values[0] if len(values) == 1 else values


@dataclass(slots=True)
class _OpenNode:
    """A list or object on its way, with the anchor that names it and all that it holds counted."""

    value: Any
    anchor: str | None = None
    weight: int = _NODE
    key: Any = None
    keyed: bool = False
    """Whether the next value of an object is one, and no key."""

    def take(self, value: Any, weight: int) -> None:
        self.weight += weight
        if isinstance(self.value, list):
            self.value.append(value)
        elif self.keyed:
            self.value[self.key], self.keyed = value, False
        else:
            self.key, self.keyed = value if isinstance(value, str) else compact(value), True


@dataclass(slots=True)
class _DocumentBuilder:
    """Puts one document together from its events."""

    name: str
    most: int
    anchors: dict[str, tuple[Any, int] | None] = field(default_factory=dict)
    """What an anchor names and how much that is; nothing as long as it is open."""
    open: list[_OpenNode] = field(default_factory=list)

    def begin(self, value: Any, anchor: str | None) -> None:
        if len(self.open) > DEEPEST:
            raise SourceError(f"{self.name}: nested too deeply to read.", "No log needs that; check the file.")
        if anchor is not None:
            self.anchors[anchor] = None
        self.open.append(_OpenNode(value, anchor))

    def end(self) -> None:
        done = self.open.pop()
        self.take(done.value, done.weight, done.anchor)

    def take(self, value: Any, weight: int, anchor: str | None = None) -> None:
        if anchor is not None:
            self.anchors[anchor] = value, weight
        self.open[-1].take(value, weight)
        if self.open[-1].weight > self.most:
            told = f"{self.name}: its aliases stand for more than {self.most:,} characters."
            raise SourceError(told, "No log is like that; check it.")

    def repeat(self, anchor: str | None) -> None:
        held = self.anchors.get(anchor or "")
        if held is None:
            raise SourceError(f"{self.name}: the alias *{anchor} names nothing, or itself.", "Check the file.")
        self.take(*held)


def _documents(events: Iterable[Any], name: str, size: int) -> list[Any]:
    documents = _OpenNode([])
    most = max(_SUSPECT, MOST * size)
    build = _DocumentBuilder(name, most, open=[documents])
    size = 0
    for event in events:
        size += _size(event)
        parsed_size.check(size, name)
        if isinstance(event, yaml.ScalarEvent):
            value = _scalar(event)
            build.take(value, _NODE + len(event.value), event.anchor)
        elif isinstance(event, yaml.MappingStartEvent):
            build.begin({}, event.anchor)
        elif isinstance(event, yaml.SequenceStartEvent):
            build.begin([], event.anchor)
        elif isinstance(event, yaml.CollectionEndEvent):
            build.end()
        elif isinstance(event, yaml.AliasEvent):
            build.repeat(event.anchor)
        elif isinstance(event, yaml.DocumentStartEvent):
            build.anchors.clear()
    made: list[Any] = documents.value
    return made


def _size(event: Any) -> int:
    """The bytes of memory that what an event begins takes."""
    if isinstance(event, yaml.ScalarEvent):
        return parsed_size.TEXT + parsed_size.ITEM + 4 * len(event.value)
    return parsed_size.OBJECT + parsed_size.ITEM if isinstance(event, yaml.CollectionStartEvent) else 0


def _scalar(event: Any) -> Any:
    """The value of a scalar: what a plain word means; the text of one that is quoted or tagged."""
    text: str = event.value
    if not event.implicit[0] or event.style not in (None, ""):
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text, 0 if text[:2] in ("0x", "0o") else 10)
    if _FLOAT.fullmatch(text):
        value = float(text)
        return value if math.isfinite(value) else text
    return float(_ODD[text.lower()]) if text.lower() in _ODD else text


def _place(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""


def _problem(error: yaml.YAMLError) -> str:
    return str(getattr(error, "problem", None) or getattr(error, "reason", None) or str(error).partition("\n")[0])
