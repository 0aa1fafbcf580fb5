"""No log makes it slow: what a file holds may stand there thousands of times, in one conversation or in many."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.messages import traces
from reviewer.imports.messages.prompts import Said
from reviewer.imports.messages.trace_tree import TraceSpan
from reviewer.transcripts.model import ToolCall
from tests import variants
from tests.bench.bench_formats import _values
from tests.pumping import MOST, cost

FEW, MANY = 400, 1_600
"""How often the objects of a file stand in it."""
LITTLE = 0.05
"""Seconds below which importing a file says little."""
PARTS = 8


def lists(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The lists of objects in a value: how long each is, and where it stands."""
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        yield len(value), path
    inner = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, each in inner:
        yield from lists(each, (*path, key))


def others(value: Any, number: int, key: str = "") -> Any:
    """The same with other identifiers."""
    if isinstance(value, list):
        return [others(each, number, key) for each in value]
    if isinstance(value, dict):
        return {name: others(each, number, name) for name, each in value.items()}
    is_id = isinstance(value, str) and "id" in key.lower() and len(value) < 80
    return f"{value}-{number}" if is_id else value


def repeated(held: bytes, times: int, alike: bool) -> bytes | None:
    """The file with its longest list so long; its objects are called alike, or each otherwise."""
    values = _values(held)
    whole = deepcopy(values if len(values) > 1 else values[:1])
    several = len(values) > 1
    found = max(lists(whole if several else whole[0]), default=None, key=lambda each: each[0]) if whole else None
    if found is None:
        return None
    filled: Any = whole if several else whole[0]
    for key in found[1]:
        filled = filled[key]
    base = list(filled)
    while len(filled) < times:
        filled += deepcopy(base) if alike else others(base, len(filled))
    return b"\n".join(json.dumps(each).encode() for each in whole)


def span(kind: str, n: int) -> TraceSpan:
    """A span of a trace in which there are thousands of its kind."""
    asked = [{"role": "user", "content": "Where is it?"}]
    answered: list[Said] = [{"role": "assistant", "content": "Coming."}]
    made = TraceSpan(f"s{n}", None, "t", "call", "llm", f"{n:06}", asked=asked, answered=answered)
    tool = replace(
        made, kind="tool", asked=[], answered=[], tool=ToolCall("look", json.dumps({"n": n}), "{}", id=f"c{n}")
    )
    match kind:
        case "a tool":
            return tool
        case "a tool within the one before":
            return replace(tool, parent=f"s{n - 1}")
        case "a tool within the first":
            return replace(tool, parent="s1")
        case "a call within the one before":
            return replace(made, parent=f"s{n - 1}", usage={"input_tokens": n})
    call = {"id": f"{'fc_' if n % 2 else 'c'}{n}", "function": {"name": "look", "arguments": "{}"}}
    return replace(made, asked=[{"role": "assistant", "content": "", "tool_calls": [call]}])


@pytest.mark.parametrize(
    "kind",
    [
        "a tool",
        "a tool within the one before",
        "a tool within the first",
        "a call within the one before",
        "a call under an id of another kind",
    ],
)
def test_merging_a_trace_takes_a_time_that_grows_with_its_spans(kind: str) -> None:
    traces_of = {count: [span("", 0), *(span(kind, n) for n in range(1, count))] for count in (1_000, 4_000)}

    def merged(count: str) -> None:
        assert traces.conversation(deepcopy(traces_of[int(count)])) is not None

    few = min(cost(merged, "1000", 60.0) for _ in range(2))
    many = min(cost(merged, "4000", 60.0) for _ in range(2))
    assert many <= MOST * max(few, LITTLE), (few, many)


@pytest.mark.parametrize("part", range(PARTS))
def test_importing_a_log_takes_a_time_that_grows_with_what_it_holds(part: int, tmp_path: Path) -> None:
    def imported(place: str) -> None:
        store = Path(place).with_suffix(".db")
        store.unlink(missing_ok=True)
        import_files([Path(place)], store, Wishes())

    slow, tried = {}, 0
    for number, name in enumerate(sorted(variants.every())[part::PARTS]):
        took = []
        for times in (FEW, MANY):
            log = repeated(variants.files()[name], times, alike=number % 2 == 0)
            if log is None:
                break
            path = tmp_path / str(times) / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(log)
            took.append(min(cost(imported, str(path), 60.0) for _ in range(2 if times == FEW else 1)))
        tried += len(took) == 2
        if len(took) == 2 and took[1] > MOST * max(took[0], LITTLE):
            took[1] = min(took[1], cost(imported, str(tmp_path / str(MANY) / name), 60.0))
            if took[1] > MOST * max(took[0], LITTLE):
                slow[name] = took
    assert tried > 10
    assert not slow
