"""The modes at hand: the folder's codebook, read again when somebody edits it, and made on the first tag."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from reviewer.basics.errors import JournalError
from reviewer.marks import codebook_text, folder
from reviewer.marks.codebook import Codebook, Mode, code_of


class Modes:
    """The codebook of one annotations folder."""

    def __init__(self, annotations: Path, shipped: str) -> None:
        self._folder = annotations
        self._shipped = shipped
        self._seen: tuple[tuple[str, int, int], ...] | None = None
        self.codebook = Codebook()
        self.problem: JournalError | None = None
        """Why the file cannot be used; the codebook is then what it was, at first an empty one."""
        self.read()

    def read(self) -> None:
        """Read the file when it changed."""
        seen = folder.stamp(self._folder)
        if seen == self._seen:
            return
        self._seen = seen
        try:
            self.codebook, self.problem = folder.load(self._folder, self._shipped), None
        except JournalError as error:
            self.problem = error

    @property
    def stale(self) -> bool:
        """True if somebody edited the file since it was read."""
        return folder.stamp(self._folder) != self._seen

    def keyed(self, key: str) -> Mode | None:
        """The mode that a key gives."""
        if self.problem is not None:
            raise self.problem
        return self.codebook.keyed(key)

    def mode(self, code: str) -> Mode:
        """The mode that can be given under a code; a sentence when there is none."""
        if self.problem is not None:
            raise self.problem
        mode = self.codebook.mode(code)
        if mode is None:
            near = get_close_matches(code_of(code), [each.code for each in self.codebook.modes], 3)
            path = self._folder / folder.FILE
            listed = f"See {path}." if path.exists() else "See what it has: reviewer codebook list STORE"
            raise JournalError(f"The codebook has no “{code}”.", f"Near it: {', '.join(near)}." if near else listed)
        if mode.retired:
            raise JournalError(f"“{mode.code}” is retired.", "Take `retired` out of the codebook to give it again.")
        return mode

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

    def add(self, title: str, like: Mode | None = None) -> tuple[Mode, str]:
        """Add a mode to the file (reported where another is): the mode, and what to say of it."""
        code = code_of(title)
        if not code:
            raise JournalError(f"“{title}” is not a name for a mode.", "Use letters or digits.")
        known = self.codebook.mode(code)
        if known is not None:
            return known, f"The codebook has {known.code} already."
        near = self.codebook.alike(title)
        given = replace(like or Mode("", ""), code=code, title=" ".join(title.split()), definition="", counts="",
                        not_counts="", key="", was=())  # fmt: skip
        self._edit(lambda text, where: codebook_text.add(text, where, given))
        return self.mode(code), f"New mode {code}.{f' It is nearly “{near[0].code}”.' if near else ''}"

    @property
    def text(self) -> str:
        """The file as it stands, made when there is none."""
        self.make()
        return folder.text(self._folder)

    def replace(self, there: str, wanted: str) -> None:
        """Put lines of the file in the place of others, when these still stand there."""
        self._edit(lambda text, where: codebook_text.replaced(text, where, there, wanted))

    def rename(self, old: str, new: str) -> str:
        """Call a mode otherwise; its tags follow, since the old code leads to it."""
        self._edit(lambda text, where: codebook_text.rename(text, where, old, new))
        return f"{old} is now {self.mode(old).code}."

    def merge(self, gone: str, into: str) -> str:
        """Make one mode of two."""
        self._edit(lambda text, where: codebook_text.merge(text, where, gone, into))
        return f"{gone} counts as {self.mode(into).code} from now on."

    def retire(self, code: str, retired: bool = True) -> str:
        """Take a mode out of use, or back into it."""
        self._edit(lambda text, where: codebook_text.retire(text, where, code, retired))
        return f"{code} is {'retired: its tags stay' if retired else 'in use again'}."

    def set(self, code: str, name: str, value: str) -> str:
        """Change a field of a mode: title, definition, key, proof ..."""
        self._edit(lambda text, where: codebook_text.set_field(text, where, code, name, value))
        return f"The {name} of {code} is changed."

    def _edit(self, change: Callable[[str, str], str]) -> None:
        if self.problem is not None:
            raise self.problem
        self.make()
        folder.edit(self._folder, change)
        self.read()
