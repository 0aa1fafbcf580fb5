"""The formats, one module each: is this file mine, and what conversations does it hold?

A format is a module with `NAME` (what `--format` takes), `TITLE` (what people call it), `mine(source) -> bool` and
`read(source) -> Iterator[Item]`. It reads through `Source` and yields values; it never writes, prints or raises for one
bad record (`each` turns that into a `BadRecord`).

Our own formats are the modules beside this one, and are asked in the order of `NAMES`, the most particular first. They
need no entry point, so that a checkout whose installed metadata is old loses none. Formats of other packages (entry
points of the group `reviewer.formats`) are asked before ours. A format is loaded when it is asked for the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Protocol, cast

from reviewer.basics import packages
from reviewer.basics.errors import SourceError
from reviewer.basics.packages import Brought
from reviewer.imports.brought_formats import BroughtFormat, BroughtFormatError, checked
from reviewer.imports.source import KEPT, LEADING, BadRecord, Extract, Item, Remark, Source, compact

GROUP = "reviewer.formats"

NAMES = (
    "interchange",
    "tau_bench",
    "tau2",
    "mini_swe",
    "swe_agent",
    "openhands",
    "atif",
    "agentdojo",
    "inspect",
    "autogen",
    "adk",
    "pydantic_ai",
    "dialogues",
    "langsmith",
    "langchain",
    "openai_agents",
    "assistants",
    "realtime",
    "promptfoo",
    "lm_eval",
    "helm",
    "deepeval",
    "mlflow",
    "braintrust",
    "bedrock",
    "gateways",
    "langfuse",
    "otel",
    "claude_code",
    "codex",
    "gemini",
    "chat_exports",
    "crewai",
    "autogen_chat",
    "responses",
    "sharegpt",
    "openai_chat",
    "mapped",
)

SURPRISES = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What reading a record raises when its shape is none that the format knows."""


class Format(Protocol):
    """The interface of a format module."""

    NAME: str
    TITLE: str

    def mine(self, source: Source) -> bool:
        """True if the file's content is of this format."""

    def read(self, source: Source) -> Iterator[Item]:
        """Yield the file's conversations one at a time, and what could not be read."""


@cache
def own() -> tuple[str, ...]:
    """The names of our own formats that are installed, in the order in which they are asked."""
    present = {module.name for module in iter_modules(__path__)}
    return tuple(name.replace("_", "-") for name in NAMES if name in present)


@cache
def brought() -> Brought[Format]:
    """The formats that other packages bring, loaded once."""
    loaded = packages.brought(GROUP, "format", {name.replace("_", "-") for name in NAMES}, checked)
    guarded = {name: (BroughtFormat(format, package), package) for name, (format, package) in loaded.by_name.items()}
    return Brought(guarded, loaded.troubles)


def known() -> list[str]:
    """The names that `--format` accepts."""
    return [*own(), *brought().by_name]


@cache
def named(name: str) -> Format:
    """The format that `--format` names."""
    hyphened = name.replace("_", "-")
    if hyphened in own():
        return cast("Format", import_module(f"reviewer.imports.formats.{name.replace('-', '_')}"))
    if hyphened in brought().by_name:
        return brought().by_name[hyphened][0]
    raise SourceError(f"There is no format “{name}”.", f"Formats: {', '.join(known())}.")


def recognised(source: Source, remark: Callable[[str], None] = lambda _: None) -> Format | None:
    """The format whose content this is; None when no format claims the file.

    Where a format of another package fails to look at the file, the others are asked. `remark` is given its sentence;
    where no format claims the file, the failure is raised.
    """
    failed: BroughtFormatError | None = None
    for name in (*brought().by_name, *own()):
        try:
            if (format := named(name)).mine(source):
                if failed is not None:
                    remark(failed.message)
                return format
        except BroughtFormatError as error:
            failed = failed or error
    if failed is not None:
        raise failed
    return None


def each(position: str, record: Any, convert: Callable[[Mapping[str, Any]], Extract | None]) -> Iterator[Item]:
    """One record converted; kept as a `BadRecord` when it is none, or has a shape that nobody foresaw."""
    if isinstance(record, BadRecord | Remark):
        yield record
        return
    try:
        if not isinstance(record, Mapping):
            raise TypeError("it is not an object")
        extract = convert(record)
    except SURPRISES as error:
        yield BadRecord(position, f"not shaped as this format is ({told(error)})", kept(record))
        return
    if extract is not None:
        yield extract


def behind_headers(source: Source, known: Callable[[Any], bool], kept: bool = False) -> Iterator[tuple[str, Any]]:
    """The records of a file, with a remark for each before the first known that only says something of them all.

    `kept` is as with `Source.records`.
    """
    headers: list[tuple[str, Any]] = []
    records = source.records(kept)
    for position, record in records:
        if known(record):
            yield from ((place, Remark(f"{place}: passed over, it holds no conversation")) for place, _ in headers)
            yield position, record
            yield from records
            return
        if len(headers) == LEADING or not _is_header(record):
            yield from headers
            yield position, record
            yield from records
            return
        headers.append((position, record))
    yield from headers


def _is_header(record: Any) -> bool:
    """True if no list in a record could be its messages."""
    lists = [value for value in record.values() if isinstance(value, list)] if isinstance(record, Mapping) else [[{}]]
    return not any(isinstance(value, Mapping) for each in lists for value in each[:3])


def told(error: Exception) -> str:
    """Describe an unexpected error in a record in words."""
    if isinstance(error, KeyError) and error.args:
        return f"it has no “{error.args[0]}”"
    return str(error) or type(error).__name__


def kept(record: Any) -> str:
    """A record that could not be read, as text, so that it is not lost."""
    try:
        return compact(record)[:KEPT]
    except RecursionError:
        return "(nested too deeply to write)"
