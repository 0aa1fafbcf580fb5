"""Where a reader left each store, kept in the user's state folder.

Owns these small files: one a store, named by its path, replaced as a whole. They are a convenience: one
that is damaged or cannot be written costs a sentence, never a start. Knows no screen and no store.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from reviewer import disk


@dataclass(frozen=True, slots=True)
class Place:
    """What comes back: where one was, what was let through, how it was looked at."""

    ref: str = ""
    """The open conversation with the item under the cursor, such as `kimi/late/2#4`."""
    query: str = ""
    tools: str = ""
    """Where the tool layer stood; empty where the width decides."""
    layers: tuple[str, ...] = ()
    """The layers that were on."""
    folds: tuple[str, ...] = ()
    """What was opened or folded by hand in that conversation, such as `4.text`."""
    theme: str = ""
    sort: str = ""
    """The order of the queue, as one types it."""
    group: str = ""
    others: str = ""
    """`off` where other people's marks were not to be seen."""
    board: str = ""
    """`filter` where the board counted what the filter lets through alone."""


_SEVERAL = ("layers", "folds")


class Memory:
    """What is remembered of one store."""

    def __init__(self, store: Path, folder: Path | None = None) -> None:
        name = sha256(str(store.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._path = (folder or usual_folder()) / f"{name}.json"
        self._store = str(store.absolute())
        self.word = ""
        """What the reader should be told about what came back."""
        self._lock = Lock()
        self.place = self._read()
        """Where the store was left; an empty place when nothing (usable) is remembered."""

    def keep(self, place: Place) -> str:
        """Remember another place from now on; a sentence when it could not be written."""
        with self._lock:
            return self._keep(place) if place != self.place else ""

    def _keep(self, place: Place) -> str:
        try:
            disk.write(self._path, json.dumps({"store": self._store, **asdict(place)}))
        except OSError as error:
            return f"Your place cannot be remembered: {self._path.parent}: {error.strerror}."
        self.place = place
        return ""

    def _read(self) -> Place:
        try:
            return _place(json.loads(self._path.read_text("utf-8")))
        except FileNotFoundError:
            return Place()
        except (OSError, ValueError, RecursionError) as error:
            self.word = f"Your place in this store could not be read back and is forgotten: {_reason(error)}."
            return Place()


def usual_folder() -> Path:
    """The user's state folder for places."""
    from platformdirs import user_state_path

    return user_state_path("reviewer") / "places"


def _place(found: Any) -> Place:
    if not isinstance(found, dict):
        raise ValueError("it is no object")
    several = {name: found.get(name, ()) for name in _SEVERAL}
    for name, value in several.items():
        if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
            raise ValueError(f"its {name} are no names")
    words = {field.name: found.get(field.name, "") for field in fields(Place) if field.name not in _SEVERAL}
    if wrong := [name for name, value in words.items() if not isinstance(value, str)]:
        raise ValueError(f"its {wrong[0]} is no text")
    return Place(**words, layers=tuple(several["layers"]), folds=tuple(several["folds"]))


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or "it cannot be opened"
    return "it is damaged" if isinstance(error, UnicodeDecodeError | json.JSONDecodeError) else str(error)
