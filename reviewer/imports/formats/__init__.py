"""The formats, one module each: is this file mine, and what conversations does it hold?

A format is a module with `NAME` (what `--format` takes), `TITLE` (what people call it), `mine(source) -> bool` and
`read(source) -> Iterator[Item]`. It reads through `Source` and yields values; it never writes, prints or raises for one
bad record (`each` turns that into a `BadRecord`). Formats are asked in the order of `NAMES`, the most particular first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from reviewer.basics.errors import SourceError
from reviewer.imports.source import KEPT, LEADING, BadRecord, Extract, Item, Remark, Source, compact

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


def known() -> list[str]:
    """The names that `--format` accepts."""
    return [name.replace("_", "-") for name in NAMES]


@cache
def named(name: str) -> Format:
    """The format that `--format` names."""
    module = name.replace("-", "_")
    if module not in NAMES:
        raise SourceError(f"There is no format “{name}”.", f"Formats: {', '.join(known())}.")
    return cast("Format", import_module(f"reviewer.imports.formats.{module}"))


def recognised(source: Source) -> Format | None:
    """The format whose content this is; None when no format claims the file."""
    return next((each for each in map(named, NAMES) if each.mine(source)), None)


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
