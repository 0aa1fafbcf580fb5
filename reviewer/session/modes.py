"""The modes at hand: the folder's codebook, read again when somebody edits it, and made on the first tag."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from reviewer.annotations import folder
from reviewer.codebook import Codebook, Mode, code_of
from reviewer.errors import JournalError


class Modes:
    """The codebook of one annotations folder."""

    def __init__(self, annotations: Path, shipped: str) -> None:
        self._folder = annotations
        self._shipped = shipped
        self._seen: tuple[int, int] | None = None
        self.codebook = Codebook()
        self.problem: JournalError | None = None
        """Why the file cannot be used; the codebook is then what it was, at first an empty one."""
        self.read()

    def read(self) -> None:
        """Read the file when it changed."""
        seen = self._stamp()
        if seen == self._seen:
            return
        self._seen = seen
        try:
            self.codebook, self.problem = folder.load(self._folder, self._shipped), None
        except JournalError as error:
            self.problem = error

    def _stamp(self) -> tuple[int, int]:
        try:
            found = (self._folder / folder.FILE).stat()
        except OSError:
            return (0, 0)  # there is none yet: the shipped one stands in for it
        return (found.st_mtime_ns, found.st_size)

    def mode(self, code: str) -> Mode:
        """The mode that can be given under a code; a sentence when there is none."""
        if self.problem is not None:
            raise self.problem
        found = self.codebook.mode(code)
        if found is None:
            near = get_close_matches(code_of(code), [mode.code for mode in self.codebook.modes], 3)
            hint = f"Near it: {', '.join(near)}." if near else f"See {self._folder / folder.FILE}."
            raise JournalError(f"The codebook has no “{code}”.", hint)
        if found.retired:
            raise JournalError(f"“{found.code}” is retired.", "Take `retired` out of the codebook to give it again.")
        return found

    def make(self) -> str:
        """Make the file when there is none; the words that say where, or why it could not be made."""
        if (self._folder / folder.FILE).exists():
            return ""
        try:
            made = folder.make(self._folder, self._shipped)
        except JournalError as error:
            return str(error)  # what was marked is on disk already, so this is no failure of the mark
        self.read()
        return f"Made {made[0]}."

    def add(self, title: str, polarity: str = "failure") -> tuple[Mode, str]:
        """Add a mode to the file: the mode, and what to say of it."""
        self.make()
        code = code_of(title)
        if not code:
            raise JournalError(f"“{title}” is no name for a mode.", "Use letters or digits.")
        known = self.codebook.mode(code)
        if known is not None:
            return known, f"The codebook has {known.code} already."
        near = self.codebook.alike(title)
        folder.add_mode(self._folder, Mode(code, " ".join(title.split()), polarity=polarity))
        self.read()
        return self.mode(code), f"New mode {code}.{f' It is nearly “{near[0].code}”.' if near else ''}"
