"""Everything that another program may do to a store under the open app, and all keys after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.alterations import FINDINGS
from tests.ui.test_altered_store import ALL, altered, findings_altered


@pytest.mark.parametrize("name", ALL)
async def test_the_app_goes_on_whatever_becomes_of_the_store(tmp_path: Path, name: str) -> None:
    await altered(tmp_path, name)


@pytest.mark.parametrize("when", ["before", "open"])
@pytest.mark.parametrize("name", FINDINGS)
async def test_the_app_goes_on_whatever_becomes_of_the_findings(tmp_path: Path, name: str, when: str) -> None:
    await findings_altered(tmp_path, name, when)
