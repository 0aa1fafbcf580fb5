"""Whatever was read can leave a store as our interchange and come back equal; what leaves fits the printed schema."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from reviewer.figures.export.conversations import lines
from reviewer.imports.formats.interchange import schema
from reviewer.imports.importer import Wishes, import_files
from reviewer.transcripts.store.reader import Reader
from tests import variants
from tests.mutations import spoilt_values

FILES = variants.files()
SCHEMA = schema()
TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "object": dict,
    "array": list,
    "null": type(None),
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def misfits(value: Any, rule: dict[str, Any], at: str = "line") -> list[str]:
    """Where a value is not as the schema says; the words of JSON Schema that ours uses, and no more."""
    unknown = rule.keys() - {
        *("$ref", "$defs", "$schema", "anyOf", "type", "enum", "items", "properties", "required", "title", "default"),
        *("additionalProperties", "description", "minimum", "exclusiveMaximum"),
    }
    assert not unknown
    if "$ref" in rule:
        return misfits(value, SCHEMA["$defs"][rule["$ref"].rpartition("/")[2]], at)
    if "anyOf" in rule:
        return [] if any(not misfits(value, each, at) for each in rule["anyOf"]) else [f"{at}: none of several"]
    kind = TYPES[rule["type"]] if "type" in rule else object
    if not isinstance(value, kind) or (isinstance(value, bool) and rule.get("type") in ("integer", "number")):
        return [f"{at}: {value!r} is no {rule['type']}"]
    found = [f"{at}: {value!r} is none of them"] if value not in rule.get("enum", [value]) else []
    found += [f"{at}: too large"] if "exclusiveMaximum" in rule and value >= rule["exclusiveMaximum"] else []
    if isinstance(value, list) and "items" in rule:
        found += [each for index, one in enumerate(value) for each in misfits(one, rule["items"], f"{at}[{index}]")]
    if isinstance(value, dict) and "properties" in rule:
        found += [f"{at}: lacks {name}" for name in rule.get("required", ()) if name not in value]
        for name, one in value.items():
            inner = rule["properties"].get(name)
            found += misfits(one, inner, f"{at}.{name}") if inner else [f"{at}.{name}: not foreseen"]
    return found


def exported(store: Path) -> list[str]:
    with Reader(store) as reader:
        return [re.sub(r', "source": "[^"]*"', "", line) for line in lines(reader)]


def goes_round(folder: Path, name: str, held: bytes) -> int:
    """Import a file, export it, import that, export it again: nothing has changed; how many conversations it held."""
    (folder / name).write_bytes(held)
    import_files([folder / name], folder / "first.db", Wishes())
    if not (folder / "first.db").exists():
        return 0  # nothing came of it
    first = exported(folder / "first.db")
    (folder / "ours.jsonl").write_text("".join(first), encoding="utf-8")
    report = import_files([folder / "ours.jsonl"], folder / "second.db", Wishes())
    assert report.total("rejected") == 0
    assert report.sources[0].format == "interchange"
    assert exported(folder / "second.db") == first
    objects = [json.loads(line, parse_constant=pytest.fail) for line in first]
    assert [misfit for each in objects for misfit in misfits(each, SCHEMA)] == []
    return len(first)


@pytest.mark.parametrize("name", FILES)
def test_every_shape_goes_round(tmp_path: Path, name: str) -> None:
    assert goes_round(tmp_path, name, FILES[name]) > 0


def test_a_score_without_a_name_goes_round(tmp_path: Path) -> None:
    assert goes_round(tmp_path, "x.json", b'{"messages":[{"role":"user","content":"Hi."}],"scores":{"":1}}') == 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(file=spoilt_values())
def test_what_is_left_of_a_spoilt_file_goes_round(file: tuple[str, bytes]) -> None:
    with TemporaryDirectory() as folder:
        goes_round(Path(folder), *file)
