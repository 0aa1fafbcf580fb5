"""Whatever stands in a file, importing it raises nothing and stores whole conversations only."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.mutations import imported, spoilt_bytes, spoilt_values


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spoilt")


QUICKLY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUICKLY
@given(file=spoilt_bytes())
def test_spoilt_bytes(folder: Path, file: tuple[str, bytes]) -> None:
    imported(folder, *file)


@QUICKLY
@given(file=spoilt_values())
def test_spoilt_values(folder: Path, file: tuple[str, bytes]) -> None:
    imported(folder, *file)
