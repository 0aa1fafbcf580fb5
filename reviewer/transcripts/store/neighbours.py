"""Where the disposable files that belong to a store, or to a folder of journals, are kept: in the user's cache folder.

Whatever lies there can be deleted at any time and is made again. Nothing is ever written beside the evidence, whose
folder may be shared, under version control or read-only.
"""

from __future__ import annotations

import hashlib
from pathlib import Path


def cache_folder() -> Path:
    """The folder for files that can be made again; it may not exist yet."""
    from platformdirs import user_cache_path

    return user_cache_path("reviewer", appauthor=False)


def neighbour(of: Path, kind: str, folder: Path | None = None) -> Path:
    """The cache file of this kind for a store or a folder, by whatever path that is named."""
    name = hashlib.sha256(str(of.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return (folder or cache_folder()) / kind / f"{of.stem}-{name}.db"
