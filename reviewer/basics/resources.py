"""Where the shipped data files are: inside the installed package, else in the checkout beside it."""

from __future__ import annotations

from pathlib import Path


def data_dir() -> Path:
    """The folder of shipped data files (desks, codebooks, the sample's cases)."""
    package = Path(__file__).resolve().parents[1]
    packaged = package / "_data"
    return packaged if packaged.is_dir() else package.parent / "data"
