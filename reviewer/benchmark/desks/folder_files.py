"""The TOML files of a desk's folder, read with every mistake in them collected instead of raised.

Owns how a mistake is said (file, place, what to do) and what keeps a file from being read: no TOML, no UTF-8, outside
the folder. What the entries mean is other modules' business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.basics import toml
from reviewer.basics.errors import DeskError

_KINDS: Mapping[type, str] = {str: "text in quotes", dict: "a table", list: "a list", bool: "true or false"}


class Mistake(NamedTuple):
    """What is wrong in a desk's folder, where it stands, and what to do."""

    place: str
    reason: str
    hint: str

    @property
    def sentence(self) -> str:
        """The place and what is wrong there."""
        return f"{self.place}: {self.reason}."

    @property
    def error(self) -> DeskError:
        """The mistake as an error that a person is told."""
        return DeskError(self.sentence, self.hint)


class FolderFiles:
    """A desk's folder while it is read, and the mistakes so far."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mistakes: list[Mistake] = []

    def wrong(self, place: str, reason: str, hint: str) -> None:
        """Note a mistake."""
        self.mistakes.append(Mistake(place, reason, hint))

    def text(self, path: Path) -> str | None:
        """The text of a file; None, and a mistake, where it cannot be had."""
        name = str(path)
        if not path.is_file():
            self.wrong(name, "there is no such file", "Write it; `reviewer desk --new` makes an example.")
            return None
        if not path.resolve().is_relative_to(self.folder.resolve()):
            self.wrong(name, "it is outside the desk's folder", "Put the file itself there.")
            return None
        try:
            return path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            self.wrong(name, f"it is not UTF-8 at byte {error.start}", "Save it as UTF-8.")
        except OSError as error:
            self.wrong(name, f"it cannot be read: {error.strerror}", "Check its permissions.")
        return None

    def table(self, path: Path) -> dict[str, Any] | None:
        """What a TOML file holds, days and times as text; None, and a mistake, where it is none."""
        text = self.text(path)
        if text is None:
            return None
        try:
            return dict(_plain(toml.table_of(text)))
        except toml.NotTomlError as error:
            where = f"{path}, line {error.line}" if error.line else str(path)
            self.wrong(where, error.reason, "The files of a desk are TOML.")
            return None

    def several(self, folder: str) -> list[Path]:
        """The TOML files of a folder in the desk's folder, by name."""
        return sorted((self.folder / folder).glob("*.toml"))

    def shaped(
        self, entry: Any, place: str, wanted: Mapping[str, type], needed: Iterable[str], hint: str
    ) -> dict[str, Any] | None:
        """An entry whose keys are known, of the right kind, and all there that are needed; None where one is not."""
        if not isinstance(entry, dict):
            self.wrong(place, "it is no table", hint)
            return None
        before = len(self.mistakes)
        for key in sorted(entry.keys() - wanted.keys()):
            self.wrong(place, f"“{key}” means nothing here", f"There may be: {', '.join(wanted)}.")
        for key, value in entry.items():
            if key in wanted and wanted[key] is not object and not isinstance(value, wanted[key]):
                self.wrong(place, f"“{key}” must be {_KINDS[wanted[key]]}", hint)
        absent = [key for key in needed if entry.get(key) in (None, "")]
        if absent:
            said = ", ".join(f"“{key}”" for key in absent)
            self.wrong(place, f"{said} {'is' if len(absent) == 1 else 'are'} missing", hint)
        return entry if len(self.mistakes) == before else None


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.isoformat() if isinstance(value, date | datetime | time) else value
