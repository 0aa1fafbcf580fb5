"""No log makes it slow: what a file holds may stand there thousands of times, in one conversation or in many."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from reviewer.ingest.importer import Wishes, import_files
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
