"""Parquet files as rows, a batch at a time, by pyarrow, which is an extra: `pip install "reviewer[parquet]"`.

pyarrow is what writes most Parquet files that people have (Hugging Face, pandas), so that whatever it wrote it also
reads. Values that JSON has no word for become text; what is wrong with a file is one sentence.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, time, timedelta
from decimal import Decimal
from importlib.util import find_spec
from typing import Any

from reviewer.basics.errors import SourceError
from reviewer.imports import parsed_size
from reviewer.imports.containers.decompression import FAR, MOST
from reviewer.imports.source import BadRecord, Source

MAGIC = b"PAR1"
INSTALL = 'pip install "reviewer[parquet]"'
_BATCH = 256
"""Rows at a time: conversations may be long."""
_BUFFER = 1 << 20
_MOST_INNER = parsed_size.MOST // 12
"""Values of columns of lists in one group of rows: pyarrow takes up to 12 bytes for each before a row is seen."""
_SMALLER = "Write it with smaller row groups, or as JSON Lines."
_SIZES = ("uncompressed", "compressed")
_TEXTS = ("STRING", "NONE", "JSON", "ENUM", "BSON")
_PLAIN = ("string", "large_string", "string_view", "bool", "null")


def is_readable() -> bool:
    """True if the library is installed."""
    return find_spec("pyarrow") is not None


def columns(source: Source) -> list[str]:
    """The names of its columns."""
    with _told(source):
        return [str(name) for name in _file(source).schema_arrow.names]


def rows(source: Source, only: Collection[str] | None = None) -> Iterator[tuple[str, Mapping[str, Any] | BadRecord]]:
    """Each row with its place, of these columns alone; where the file is spoilt from some row on, a `BadRecord`."""
    file = None
    number = 0
    try:
        with _told(source):
            file = _file(source)
            source.weighed = 0
            _check_groups(source, file.metadata)
            names = [str(name) for name in file.schema_arrow.names]
            if len(set(names)) < len(names):
                raise SourceError(f"{source.name} names a column twice.", "Give each column its own name.")
            simple = all(_is_plain(kind) for kind in file.schema_arrow.types)
            wanted = None if only is None else [name for name in names if name in only]
            batches = file.iter_batches(batch_size=_BATCH, columns=wanted)
            while (batch := next(batches, None)) is not None:
                for part in _parts(batch):
                    source.weighed += _sizes(part.columns)
                    for each in _values(part, simple):
                        number += 1
                        yield f"row {number}", each if isinstance(each, dict) else BadRecord(f"row {number}", str(each))
                source.passed = int(source.size * number / max(1, file.metadata.num_rows))
    except SourceError as error:
        if not number:
            raise
        yield f"row {number + 1}", BadRecord(f"row {number + 1}", f"from here on {error.message}")
    finally:
        if file is not None:
            file.close()


def _file(source: Source) -> Any:
    """The file, open; a sentence where the library is missing."""
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        hint = f"Install it: {INSTALL}"
        raise SourceError(f"{source.name} is Parquet, which pyarrow reads, and that is not installed.", hint) from None
    settings = {"memory_map": False, "buffer_size": _BUFFER, "pre_buffer": False}
    with ParquetFile(source.path, **settings) as file:
        leaves = [file.schema.column(n) for n in range(len(file.schema))]
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY" and leaf.logical_type.type in _TEXTS]
    return ParquetFile(source.path, read_dictionary=texts, **settings)  # a text that is repeated is held once


def _check_groups(source: Source, metadata: Any) -> None:
    """Raise a sentence if the values of a group of rows take more than is held at a time."""
    inner = {n for n in range(metadata.num_columns) if metadata.schema.column(n).max_repetition_level}
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        columns = [group.column(n) for n in range(group.num_columns)]
        unpacked, packed = (sum(getattr(column, f"total_{each}_size") for column in columns) for each in _SIZES)
        if unpacked > max(FAR, MOST * packed):
            told = f"{source.name} unpacks to {unpacked:,} bytes, out of {packed:,}."
            raise SourceError(told, "No log is like that; check it.")
        values = sum(columns[n].num_values for n in inner)
        if values > _MOST_INNER:
            raise SourceError(f"{source.name} has lists of {values:,} values in one group of rows.", _SMALLER)


def _parts(batch: Any) -> Iterator[Any]:
    """A batch in parts that are small once they are values; a row that is too large to be held, by itself."""
    if batch.num_rows > 1 and _sizes(batch.columns) > parsed_size.LOOKED_AT:
        half = batch.num_rows // 2
        yield from _parts(batch.slice(0, half))
        yield from _parts(batch.slice(half))
    else:
        yield batch


def _sizes(arrays: Iterable[Any]) -> int:
    return sum(_size(array) for array in arrays)


def _size(array: Any) -> int:
    """The bytes that the values of a column take in Python, at most."""
    from pyarrow import BaseExtensionType, compute, types

    kind = array.type
    if types.is_dictionary(kind):
        lengths = compute.binary_length(array.dictionary)
        characters: int = compute.sum(lengths.take(array.indices)).as_py() or 0
        return len(array) * parsed_size.TEXT + 4 * characters
    if types.is_struct(kind):
        own: int = len(array) * (parsed_size.OBJECT + parsed_size.FIELD * kind.num_fields)
        return own + _sizes(array.flatten())
    if types.is_nested(kind):
        return len(array) * parsed_size.LIST + _size(array.flatten())
    if isinstance(kind, BaseExtensionType):
        return _size(array.storage)
    held: int = array.nbytes
    return len(array) * (parsed_size.TEXT + parsed_size.ITEM) + 4 * held


@contextmanager
def _told(source: Source) -> Iterator[None]:
    """Turn what pyarrow raises into a sentence: it has its own errors and Python's for the same thing."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
        first = str(error).partition("\n")[0]
        raise SourceError(f"{source.name} cannot be read as Parquet ({first}).", "Is it whole?") from None


def _is_plain(kind: Any) -> bool:
    """True if JSON has values of this type, so that none has to be converted."""
    name = str(kind)
    if name in _PLAIN or name.startswith(("int", "uint", "double", "float")):
        return True
    if name.startswith("dictionary"):
        return _is_plain(kind.value_type)
    if name.startswith(("list", "large_list", "fixed_size_list", "struct")):
        return all(_is_plain(kind.field(n).type) for n in range(kind.num_fields))
    return False


def _values(batch: Any, simple: bool) -> Iterator[dict[str, Any] | str]:
    """The rows of a batch; one that does not become values, by itself as the reason."""
    if batch.num_rows == 1 and _sizes(batch.columns) > parsed_size.MOST:
        yield f"it would take more than {parsed_size.MOST >> 30} GiB of memory"
        return
    try:
        held = batch.to_pylist()
    except ValueError:
        for n in range(batch.num_rows):
            try:
                yield from _values_of(batch.slice(n, 1).to_pylist(), simple)
            except ValueError as error:
                yield f"it cannot be read ({str(error).partition(chr(10))[0]})"
        return
    yield from _values_of(held, simple)


def _values_of(held: list[dict[str, Any]], simple: bool) -> Iterator[dict[str, Any]]:
    yield from held if simple else ({name: _plain(value) for name, value in row.items()} for row in held)


def _plain(value: Any) -> Any:
    """The value as JSON holds it: times as text, bytes as text or in base 64."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list):
        if value and all(isinstance(each, tuple) and len(each) == 2 for each in value):  # what a map type becomes
            return {str(key): _plain(each) for key, each in value}
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return base64.b64encode(value).decode("ascii")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    return float(value) if isinstance(value, Decimal) else str(value)
