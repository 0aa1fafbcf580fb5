"""Small files of every format, spoilt at random: bytes changed, cut and doubled, JSON values put where others stood,
keys dropped and doubled, cells and lines mixed up, zips with members that no zip should have.
"""

from __future__ import annotations

import gzip
import io
import json
import math
import random
import sqlite3
import stat
import zipfile
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests import variants, zips

FILES = variants.files()
NAMES = tuple(sorted(FILES))

_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2**63, -(2**80), 10**400, 0.5, 1e308, math.nan, math.inf, -math.inf),
    *("", " ", "a", "\ud800", "{", "[[]]", '{"a":"\\ud800"}', "2024", "x" * 3_000, "\x00", "/#%", "\u202e\x1b]0;x\x07"),
    *("2026-13-45T99:99:99Z", "NaN", "1e999", "../../outside", "=1+1", "</think>", "[/foo]", "\n" * 50),
    *([], {}, [[]], [None], [{}], {"": None}, {"role": 3}, [[[[["deep"]]]]], {"content": [{"type": None}]}),
)
_PIECES = (b"", b"\xff", b"\x00", b"\\ud800", b"[" * 2_000, b'{"a":' * 500, b"NaN", b"\r\n", b'"', b"9" * 5_000, b",")
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\n\n", b"\x00", b"PK\x03\x04", b"SQLite format 3\0", b"PAR1", b"\x1f\x8b\x08")
_NAMES = ("../outside.json", "/outside.json", "a/../../outside.json", "C:\\outside.json", "..\\outside.json", "", "/",
          "x" * 300 + ".json", "a\x00b.json", "a\nb.jsonl", "\x1b]0;x\x07.json", ".json", "in.zip")  # fmt: skip


def spoilt(chance: random.Random) -> tuple[str, bytes]:
    """A file with something wrong with it, and its name."""
    name = chance.choice(NAMES)
    held = FILES[name]
    name, held = chance.choices((spoilt_bytes, spoilt_values, spoilt_lines, packed, spoilt_cells), (4, 8, 3, 3, 2))[0](
        chance, name, held
    )
    return name, held


def spoilt_bytes(chance: random.Random, name: str, held: bytes) -> tuple[str, bytes]:
    """A few bytes changed, taken out, doubled, others put before, or the end cut off."""
    spoiled = bytearray(held)
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(spoiled))
        end = min(len(spoiled), start + chance.randint(0, 40))
        there = bytes(spoiled[start:end])
        flipped = bytes(byte ^ 1 << chance.randrange(8) for byte in there)
        spoiled[start:end] = chance.choice((*_PIECES, flipped, flipped, there * 3, chance.randbytes(8)))
    if chance.random() < 0.3:
        del spoiled[chance.randint(0, len(spoiled)) :]
    if chance.random() < 0.1:
        spoiled[:0] = chance.choice(_MARKS)
    return name, bytes(spoiled)


def spoilt_values(chance: random.Random, name: str, held: bytes) -> tuple[str, bytes]:
    """A few values of its JSON are other values, of any kind; keys are gone, there twice or called otherwise."""
    lines = held.splitlines() if name.endswith("l") else [held]
    at = chance.randrange(len(lines)) if lines else 0
    try:
        document = json.loads(lines[at])
    except (ValueError, IndexError):
        return spoilt_bytes(chance, name, held)
    for _ in range(chance.randint(1, 4)):
        path = chance.choice(_paths(document, ()))
        document = _put(
            document, path, chance.choice((_another, _another, _nested, _elsewhere, _without))(chance, document)
        )
    text = json.dumps(document, allow_nan=True, skipkeys=True)
    if chance.random() < 0.15:
        text = _doubled(chance, text)
    lines[at] = text.encode("utf-8", "surrogatepass")
    return name, b"\n".join(lines)


_GONE = object()


def _another(chance: random.Random, _: Any) -> Any:
    return deepcopy(chance.choice(_VALUES))


def _nested(chance: random.Random, _: Any) -> Any:
    value = _another(chance, None)
    for _step in range(chance.choice((3, 30, 400))):
        value = [value] if chance.random() < 0.5 else {"content": value}
    return value


def _elsewhere(chance: random.Random, document: Any) -> Any:
    """A value that stands in another place of the same document."""
    value = document
    for key in chance.choice(_paths(document, ())):
        value = value[key]
    return json.loads(json.dumps(value))


def _without(_: random.Random, __: Any) -> Any:
    return _GONE


def _doubled(chance: random.Random, text: str) -> str:
    """The text of an object whose first key stands there again, with another value."""
    again = f'"{chance.choice(("role", "messages", "content", "id", "model"))}": {json.dumps(chance.choice(_VALUES))}'
    return text.replace("{", "{" + again + ", ", 2) if "{}" not in text else text


def _paths(value: Any, at: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    reached = [at]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        reached += _paths(inner, (*at, key))
    return reached


def _put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return None if new is _GONE else new
    if len(path) == 1 and new is _GONE:
        del value[path[0]]
        return value
    value[path[0]] = _put(value[path[0]], path[1:], new)
    return value


def spoilt_lines(chance: random.Random, name: str, held: bytes) -> tuple[str, bytes]:
    """Its lines in another order, twice, joined, with those of another file among them, or ended otherwise."""
    lines = held.splitlines(keepends=True)
    others = FILES[chance.choice(NAMES)].splitlines(keepends=True)[:3]
    match chance.randrange(6):
        case 0:
            chance.shuffle(lines)
        case 1:
            lines = [line for line in lines for _ in range(chance.randint(0, 2))]
        case 2:
            lines = [*lines[: len(lines) // 2], *others, *lines[len(lines) // 2 :]]
        case 3:
            lines = [line.rstrip(b"\n") for line in lines]
        case 4:
            lines = [line.rstrip(b"\n") + chance.choice((b"\r\n", b"\r", b"\x00\n", b"\n\n")) for line in lines]
        case _:
            lines = [b"\xef\xbb\xbf", *lines, lines[-1][: len(lines[-1]) // 2] if lines else b"{"]
    return name, b"".join(lines)


def spoilt_cells(chance: random.Random, name: str, held: bytes) -> tuple[str, bytes]:
    """What stands in it as a table, in rows that do not fit; a file in the dress of another kind."""
    if chance.random() < 0.5:
        endings = (".json", ".jsonl", ".csv", ".tsv", ".txt", ".log", ".yaml", ".eval", ".zip", ".parquet", ".gz", "")
        return name.partition(".")[0] + chance.choice(endings), held
    cut = chance.choice(",;\t|")
    cells = ["ticket", "who", "said", "role", "content", "conversation_id", "messages", '"', "a\nb", '"a""b', "", "=1"]
    rows = [cut.join(chance.choice(cells) for _ in range(chance.randint(1, 6))) for _ in range(chance.randint(1, 8))]
    return f"table.{chance.choice(('csv', 'tsv', 'txt'))}", chance.choice(("\n", "\r\n")).join(rows).encode()


def packed(chance: random.Random, name: str, held: bytes) -> tuple[str, bytes]:
    """It stands in something packed: spoilt before, or the packing after; the names of members are what they like."""
    if chance.random() < 0.5:
        name, held = chance.choice((spoilt_bytes, spoilt_values))(chance, name, held)
    if chance.random() < 0.25:
        name, held = f"{name.removesuffix('.gz')}.gz", gzip.compress(held, mtime=0)
    else:
        zipped = zips_of_python if chance.random() < 0.6 else zips_by_hand
        name, held = chance.choice(("logs.zip", "logs.zip", "log.eval")), zipped(chance, name, held)
    return spoilt_bytes(chance, name, held) if chance.random() < 0.3 else (name, held)


def zips_of_python(chance: random.Random, name: str, held: bytes) -> bytes:
    """A zip with links, folders, members of names that lead out, and each way of packing that Python has."""
    made = io.BytesIO()
    methods = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    with zipfile.ZipFile(made, "w") as file:
        for member in (name, *chance.sample(_NAMES, chance.randint(0, 4))):
            info = zipfile.ZipInfo(member or "x")
            kind = chance.choice((stat.S_IFREG, stat.S_IFREG, stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO, stat.S_IFSOCK))
            info.external_attr = (kind | 0o777) << 16
            info.compress_type = chance.choice(methods)
            file.writestr(info, b"../../outside" if kind == stat.S_IFLNK else held)
    return made.getvalue()


def zips_by_hand(chance: random.Random, name: str, held: bytes) -> bytes:
    """A zip of what no library writes: Zstandard in frames, unknown ways, sizes and sums that lie, passwords."""
    members: dict[str, zips.Held] = {}
    for member in (name, *chance.sample(_NAMES, chance.randint(0, 3))):
        make: Callable[[bytes], zips.Held] = chance.choice((zips.stored, zips.deflated, zips.zstd))
        it = make(held)
        lies: tuple[zips.Held, ...] = (it._replace(size=2**31), it._replace(size=1), it._replace(crc=7))
        members[member] = chance.choice((it, it, *lies, it._replace(flags=1), it._replace(method=97)))
    return zips.of(members)


def foreign_store(chance: random.Random, path: Path) -> bool:
    """A SQLite file of another program, or what looks like one; False where it says that it is ours, or is empty."""
    kind = chance.choice(("tables", "views", "triggers", "ours", "noise", "head", "alone"))
    if kind in ("noise", "head"):
        head = b"SQLite format 3\0" if kind == "head" else b""
        path.write_bytes(head + chance.randbytes(chance.choice((1, 100, 4096, 20_000))))
        return True
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE messages (ticket, who, said, at)")
        db.executemany(
            "INSERT INTO messages VALUES (?, ?, ?, ?)", [(7, "bot", b"\xff", None), ("8", 3, 0.5, "x" * 999)]
        )
        if kind == "views":
            db.execute("CREATE VIEW conversations AS SELECT * FROM messages")
            db.execute("CREATE VIEW broken AS SELECT gone FROM nowhere")
        if kind == "triggers":
            db.execute("CREATE TABLE conversations (id INTEGER PRIMARY KEY, ref)")
            db.execute("CREATE TRIGGER t AFTER INSERT ON conversations BEGIN DELETE FROM messages; END")
        if kind == "ours":  # by its number, not by what is in it
            db.execute("PRAGMA application_id = 1381390162")
            db.execute(f"PRAGMA user_version = {chance.choice((0, 1, 2, 3, 99, -1))}")
    db.close()
    if kind == "alone":  # what a log without its file is
        path.rename(path.with_name(path.name + "-wal"))
        path.write_bytes(chance.choice((b"", b"SQLite format 3\0")))
    return kind not in ("ours", "alone")
