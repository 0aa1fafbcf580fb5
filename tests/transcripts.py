"""Other people's real transcripts, where they are at hand: tests that read them skip, saying so, where they are not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TRANSCRIPTS = Path(__file__).resolve().parents[2] / "shared" / "transcripts"

needs_transcripts = pytest.mark.skipif(
    not (TRANSCRIPTS / "truth.json").exists(), reason="the real transcripts (../shared/transcripts) are not here"
)


@cache
def truth() -> dict[str, dict[str, Any]]:
    """Counts per file, made by an independent script; empty where they are not at hand."""
    path = TRANSCRIPTS / "truth.json"
    found: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found
