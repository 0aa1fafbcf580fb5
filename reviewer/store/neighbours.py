"""Where the disposable files that belong to a store are kept: in the user's cache folder, one per store and kind.

Whatever lies there can be deleted at any time and is made again. Nothing is ever written beside the evidence, whose
folder may be shared, under version control or read-only.
"""

from __future__ import annotations

import hashlib
from pathlib import Path


def cache_folder() -> Path:
    """The folder for everything that can be made again; it need not be there."""
    from platformdirs import user_cache_path

    return user_cache_path("reviewer", appauthor=False)


def neighbour(store: Path, kind: str, folder: Path | None = None) -> Path:
    """The file of this kind that belongs to a store, wherever the store is named from."""
    name = hashlib.sha256(str(store.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return (folder or cache_folder()) / kind / f"{store.stem}-{name}.db"
