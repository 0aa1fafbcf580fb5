"""The fuzz of the fast lane, for longer."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.mutations import imported, spoilt_bytes, spoilt_values


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spoilt")


LONG = settings(max_examples=3_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@LONG
@given(file=spoilt_bytes())
def test_spoilt_bytes_for_long(folder: Path, file: tuple[str, bytes]) -> None:
    imported(folder, *file)


@LONG
@given(file=spoilt_values())
def test_spoilt_values_for_long(folder: Path, file: tuple[str, bytes]) -> None:
    imported(folder, *file)
