"""Where memory does not suffice: one sentence, and the next file is read."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

SCARCE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
from reviewer.cli import main
main()
"""


def test_a_document_too_large_for_the_memory_is_said_and_the_next_file_read(tmp_path: Path) -> None:
    record = json.dumps({"messages": [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "x" * 200}]})
    (tmp_path / "large.json").write_text("[" + ",".join([record] * 400_000) + "]")
    (tmp_path / "small.jsonl").write_text(record + "\n")
    names = [str(tmp_path / name) for name in ("large.json", "small.jsonl", "runs.db")]
    done = subprocess.run(
        [sys.executable, "-c", SCARCE, "import", *names[:2], "--into", names[2]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert (done.returncode, "large.json: too large for this machine's memory" in done.stdout) == (1, True), done.stdout
    assert "small.jsonl: 1 new" in done.stdout


BOUNDED = SCARCE.replace("400 << 20, 400 << 20", "4 << 30, 4 << 30")
PAD = random.Random(1).randbytes(3_000_000).hex().encode()
"""What cannot be packed: with it the rest may unpack to 600 MB."""


def dense_gzip(path: Path) -> None:
    with gzip.open(path, "wb", 1) as file:
        file.write(b'{"id":"' + PAD + b'","messages":[{"role":"user","content":"Hi.","x":[')
        for _ in range(100):
            file.write(b'{"a":{}},' * 500_000)
        file.write(b"{}]}]}")


def dense_lines(path: Path) -> None:
    line = b'{"type":"user","sessionId":"s","message":{"role":"user","content":[' + b"{}," * 500_000 + b"{}]}}\n"
    with gzip.open(path, "wb", 1) as file:
        file.write(b'{"type":"user","sessionId":"s","message":{"role":"user","content":"' + PAD + b'"}}\n')
        for _ in range(200):
            file.write(line)


def dense_parquet(path: Path) -> None:
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 1_000_000, pa.int32()), pa.array(["x" * 10_000]))
    lists = pa.LargeListArray.from_arrays(pa.array([0, 1_000_000], pa.int64()), long)
    parquet.write_table(pa.table({"id": ["a"], "messages": lists}), path, compression="zstd")


@pytest.mark.parametrize(
    ("name", "write"),
    [("x.json.gz", dense_gzip), ("x.jsonl.gz", dense_lines), ("x.parquet", dense_parquet)],
)
def test_what_grows_once_it_is_parsed_is_a_sentence_within_a_few_gibibytes(
    tmp_path: Path, name: str, write: Callable[[Path], None]
) -> None:
    write(tmp_path / name)
    record = json.dumps({"messages": [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "No."}]})
    (tmp_path / "small.jsonl").write_text(record + "\n")
    (tmp_path / "map.toml").write_text('rows = "conversations"\n[conversation]\nid = "id"\nmessages = "messages"\n')
    with_map = ["--map", str(tmp_path / "map.toml")] if name.endswith("parquet") else []
    names = [tmp_path / name, *([] if with_map else [tmp_path / "small.jsonl"]), "--into", tmp_path / "runs.db"]
    done = subprocess.run(
        [sys.executable, "-c", BOUNDED, "import", *map(str, names), *with_map],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert "more than 2 GiB of memory" in done.stdout + done.stderr, done.stdout + done.stderr
    assert with_map or "small.jsonl: 1 new" in done.stdout
