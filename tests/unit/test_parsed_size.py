"""What a value takes once it is parsed is bounded before it is built, in every container."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet as arrow

from reviewer.basics import toml
from reviewer.basics.errors import SourceError
from reviewer.imports import parsed_size
from reviewer.imports.containers import yaml_values
from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.maps import csv_rows, parquet, table_rows
from reviewer.imports.maps.mapfile import FileWishes
from reviewer.imports.source import BadRecord, Source, parsed, parsed_together

SMALL = 1 << 20
GOOD = {"messages": [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]}
LINE = json.dumps(GOOD).encode() + b"\n"
DENSE = {
    "lists": b"[" + b"[]," * 20_000 + b"[]]",
    "objects": b"[" + b'{"a":{}},' * 20_000 + b"{}]",
    "lists within lists": b"[" + b"[[[[[[]]]]]]," * 5_000 + b"[]]",
    "keys": b"{" + b",".join(b'"%d":0' % n for n in range(20_000)) + b"}",
    "one field": b"[" + b'{"a":0},' * 20_000 + b"{}]",
    "texts": b"[" + b'"ab",' * 20_000 + b'""]',
    "wide texts": b"[" + '"ab😀",'.encode() * 20_000 + b'""]',
    "escaped texts": b"[" + rb'"\ud83d\ude00aaaaaaaaaaaa",' * 20_000 + b'""]',
    "numbers": b"[" + b"1e9," * 20_000 + b"0]",
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed_size, "MOST", SMALL)
    monkeypatch.setattr(parsed_size, "LOOKED_AT", SMALL // 4)


@pytest.mark.parametrize("name", DENSE)
@pytest.mark.parametrize("closely", [False, True])
def test_no_value_takes_more_than_was_counted(name: str, closely: bool) -> None:
    data = DENSE[name]
    tracemalloc.start()
    value = json.loads(data)
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    counted = parsed_size._closely(data) if closely else parsed_size.of_json(data)
    assert value
    assert taken <= counted <= 10 * taken


def test_a_text_of_brackets_and_commas_counts_as_a_text() -> None:
    data = json.dumps({"content": "[[],[],{}]," * 10_000}).encode()
    assert parsed_size._closely(data) < 2 * len(data) < parsed_size.of_json(data)


@pytest.mark.parametrize("name", ["lists", "objects", "one field"])
@pytest.mark.usefixtures("small")
def test_what_would_grow_beyond_the_bound_is_a_sentence(name: str) -> None:
    with pytest.raises(SourceError, match=r"x\.json would take more than .* of memory once parsed\. Split it"):
        parsed(DENSE[name], "x.json")
    with pytest.raises(SourceError, match="would take more than"):
        parsed_together([json.dumps(GOOD)] * 10_000, "thread a")


def zipped(path: Path, data: bytes, method: int) -> None:
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("x.json", data)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("x.json", lambda path, data: path.write_bytes(data)),
        ("x.jsonl", lambda path, data: path.write_bytes(LINE + data + b"\n")),
        ("x.json.gz", lambda path, data: path.write_bytes(gzip.compress(data))),
        ("x.jsonl.gz", lambda path, data: path.write_bytes(gzip.compress(LINE + data + b"\n"))),
        ("x.yaml", lambda path, data: path.write_bytes(data)),
        ("deflated.zip", lambda path, data: zipped(path, data, zipfile.ZIP_DEFLATED)),
        ("bz2.zip", lambda path, data: zipped(path, data, zipfile.ZIP_BZIP2)),
        ("wide.json", lambda path, data: path.write_bytes(data.decode().encode("utf-16"))),
    ],
)
@pytest.mark.usefixtures("small")
def test_every_container_is_bounded_and_the_file_beside_it_comes_in(
    tmp_path: Path, name: str, write: Callable[[Path, bytes], object]
) -> None:
    write(tmp_path / name, DENSE["objects"])
    (tmp_path / "good.jsonl").write_text(json.dumps(GOOD) + "\n")
    report = import_files([tmp_path / name, tmp_path / "good.jsonl"], tmp_path / "runs.db", Wishes())
    said = [remark for source in report.sources for remark in source.remarks]
    assert (report.total("new"), report.total("rejected")) == (2 if "jsonl" in name else 1, 1), said
    assert any("of memory once parsed" in remark for remark in said), said


@pytest.mark.usefixtures("small")
def test_lines_that_a_format_keeps_together_are_bounded_together(tmp_path: Path) -> None:
    line = json.dumps({"role": "user", "content": "Hi."})
    (tmp_path / "long.jsonl").write_text(f"{line}\n" * 10_000)
    (tmp_path / "good.jsonl").write_text(json.dumps(GOOD) + "\n")
    report = import_files([tmp_path / "long.jsonl", tmp_path / "good.jsonl"], tmp_path / "runs.db", Wishes())
    assert (report.total("new"), report.total("rejected")) == (1, 1)


@pytest.mark.usefixtures("small")
def test_lines_that_stand_alone_are_not(tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text(f"{json.dumps(GOOD)}\n" * 3_000)
    assert import_files([tmp_path / "many.jsonl"], tmp_path / "runs.db", Wishes()).total("new") == 3_000


@pytest.mark.usefixtures("small")
def test_a_look_at_the_first_rows_ends_when_they_are_large(tmp_path: Path) -> None:
    row = json.dumps({"id": 1, "text": "x" * 50_000})
    (tmp_path / "x.jsonl").write_text(f"{row}\n" * 100)
    assert len(list(table_rows.first(Source(tmp_path / "x.jsonl", "x.jsonl"), FileWishes(), 50))) == 6


def columns_of(folder: Path, name: str, column: Any, **options: Any) -> Source:
    path = folder / f"{name}.parquet"
    arrow.write_table(pa.table({"messages": column}), path, **options)
    return Source(path, path.name)


@pytest.mark.usefixtures("small")
def test_rows_of_parquet_that_repeat_a_text_are_read_a_few_at_a_time(tmp_path: Path) -> None:
    source = columns_of(tmp_path, "x", pa.array(["x" * 100_000] * 500))
    assert source.size < 10_000
    rows = parquet.rows(source)
    assert next(rows)[1] == {"messages": "x" * 100_000}
    assert source.weighed < SMALL
    assert sum(1 for _ in rows) == 499


@pytest.mark.parametrize(
    "inner",
    [pa.array([0] * 50_000, pa.int8()), pa.array(["y" * 100] * 50_000), pa.array([{"a": 1}] * 50_000)],
    ids=["numbers", "texts", "objects"],
)
@pytest.mark.usefixtures("small")
def test_a_row_of_parquet_that_is_a_list_without_end_is_a_sentence(tmp_path: Path, inner: Any) -> None:
    offsets = pa.array([0, 1, len(inner)], pa.int32())
    source = columns_of(tmp_path, "x", pa.ListArray.from_arrays(offsets, inner))
    first, second = (row for _, row in parquet.rows(source))
    assert isinstance(first, dict)
    assert isinstance(second, BadRecord)
    assert "of memory" in second.reason


def test_parquet_that_states_more_values_than_are_held_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = columns_of(tmp_path, "x", pa.array([[0] * 1_000] * 100))
    monkeypatch.setattr(parquet, "_MOST_INNER", 99_999)
    with pytest.raises(SourceError, match="has lists of 100,000 values in one group of rows"):
        next(parquet.rows(source))
    monkeypatch.setattr(parquet, "FAR", 10)
    source = columns_of(tmp_path, "y", pa.array(["x" * 1_000_000]), compression="zstd")
    with pytest.raises(SourceError, match=r"unpacks to [0-9,]+ bytes, out of"):
        next(parquet.rows(source))


@pytest.mark.usefixtures("small")
def test_a_row_of_csv_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,text\n1,fine\n2" + "," * 50_000 + "\n3,fine\n")
    rows = [row for _, row in csv_rows.rows(Source(tmp_path / "x.csv", "x.csv"), FileWishes())]
    assert [isinstance(row, BadRecord) for row in rows] == [False, True, False]
    (tmp_path / "y.csv").write_text(",".join(f"c{n}" for n in range(50_000)) + "\n")
    with pytest.raises(SourceError, match="a row would take more than"):
        csv_rows.columns(Source(tmp_path / "y.csv", "y.csv"), FileWishes())


@pytest.mark.usefixtures("small")
def test_yaml_and_toml_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError, match="of memory once parsed"):
        yaml_values.parsed(b"- []\n" * 20_000, "x.yaml")
    monkeypatch.setattr(toml, "LONGEST", 1 << 10)
    with pytest.raises(toml.NotTomlError, match="it is longer than"):
        toml.table_of("a = [" + "[]," * 1_000 + "]")
