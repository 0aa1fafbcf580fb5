"""Everything that another program may do to a store under the open app, and all keys after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.test_altered_store import ALL, altered


@pytest.mark.parametrize("name", ALL)
async def test_the_app_goes_on_whatever_becomes_of_the_store(tmp_path: Path, name: str) -> None:
    await altered(tmp_path, name)
