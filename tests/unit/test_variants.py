"""The shapes beside each format's usual one: claimed by the right format, nothing rejected, every word in its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewer.ingest import formats
from reviewer.ingest.source import Found, Source
from reviewer.model import Conversation
from tests import variants

VARIANTS = variants.every()


def read(folder: Path, name: str) -> list[Conversation]:
    """The conversations of a variant, by the format that claims it; nothing in it is rejected."""
    held = VARIANTS[name].held
    path = folder / name
    path.write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
    source = Source(path, name)
    format = formats.recognised(source)
    assert format is not None
    assert VARIANTS[name].format == format.NAME
    items = list(format.read(source))
    assert all(isinstance(item, Found) for item in items)
    return [item.conversation for item in items if isinstance(item, Found)]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_read_whole(tmp_path: Path, name: str) -> None:
    assert [variants.sketch(it) for it in read(tmp_path, name)] == VARIANTS[name].expected
