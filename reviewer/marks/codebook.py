"""The codebook: failure modes and good twins, their keys and sections, read from a file that people edit.

Owns the format of `annotations/codebook.toml` and of the files of modes beside it, and the sentence, with its line, for
whatever is wrong in one. Pure: text in, values out; who writes the files is `reviewer.marks`. They are the truth
about modes: renaming and merging are aliases in them (`was`), and a retired mode keeps its tags readable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from reviewer.basics import toml
from reviewer.basics.conflicts import REMEDY, conflict_line
from reviewer.basics.errors import JournalError
from reviewer.basics.normal import normal
from reviewer.marks import codebook_files

POLARITIES = ("failure", "strength", "neutral")
DIGITS = "1234567890"
ALIKE = 0.85
_TEXTS = ("title", "definition", "counts", "not_counts", "layer", "polarity", "key", "proof")
_KNOWN = {*_TEXTS, "sections", "was", "retired"}
_CODE = re.compile(r"[^\W_](?:[\w-]*\w)?")


@dataclass(frozen=True, slots=True)
class Mode:
    """A failure mode (or its good twin): what it is, what counts, where it belongs."""

    code: str
    title: str
    definition: str = ""
    counts: str = ""
    not_counts: str = ""
    layer: str = ""
    sections: tuple[str, ...] = ()
    """Where it is reported, the main section first."""
    polarity: str = "failure"
    key: str = ""
    proof: str = ""
    """The evidence it usually wants: `latest lookup`, `no handover` ..."""
    was: tuple[str, ...] = ()
    """Codes that it was called before, or that were merged into it."""
    retired: bool = False

    @property
    def is_agents_failure(self) -> bool:
        """True for a failure, unless its layer names the customer."""
        return self.polarity == "failure" and "customer" not in self.layer.lower()


@dataclass(frozen=True, slots=True)
class Codebook:
    """All modes in the order of the file."""

    title: str = ""
    modes: tuple[Mode, ...] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    """Number to heading."""

    def mode(self, code: str) -> Mode | None:
        """The mode of a code, or of what it was called before."""
        return next((mode for mode in self.modes if mode.code == code), None) or next(
            (mode for mode in self.modes if code in mode.was), None
        )

    def named(self, name: str) -> Mode | None:
        """The mode of a code however it is written, or of a title; None where several modes have that title."""
        mode = self.mode(name) or self.mode(code_of(name))
        titled = [each for each in self.modes if code_of(each.title) == code_of(name)]
        return mode or (titled[0] if len(titled) == 1 else None)

    def keyed(self, key: str) -> Mode | None:
        """The mode that a key stands for."""
        return next((mode for mode in self.modes if mode.key == key and not mode.retired), None)

    def active(self) -> tuple[Mode, ...]:
        """The modes that can be given."""
        return tuple(mode for mode in self.modes if not mode.retired)

    def section(self, code: str) -> str:
        """The heading under which a mode is reported."""
        mode = self.mode(code)
        number = mode.sections[0] if mode and mode.sections else ""
        return self.sections.get(number, number)

    def alike(self, name: str) -> tuple[Mode, ...]:
        """Modes whose code or title is nearly the name, the nearest first."""
        wanted = code_of(name)
        near = [
            (max(_likeness(wanted, mode.code), _likeness(wanted, code_of(mode.title))), mode) for mode in self.modes
        ]
        near.sort(key=lambda pair: -pair[0])
        return tuple(mode for likeness, mode in near if likeness >= ALIKE)


def code_of(name: str) -> str:
    """A name as a code: lower case, joined by hyphens."""
    return re.sub(r"[^\w]+|_", "-", normal(name).lower()).strip("-")


def parse(text: str, where: str) -> Codebook:
    """Read a codebook; a sentence with the line for what is wrong in it."""
    modes: dict[str, Mode] = {}
    value: dict[str, Any] = {}
    parts = {part.name: part for part in codebook_files.parts(text, where)}
    homes: dict[str, codebook_files.CodebookFile] = {}
    for part in parts.values():
        held = _tables(part)
        value = value if part.name else held
        for code, table in held.get("modes", {}).items():
            if code in homes:
                problem = f"“{code}” stands in {homes[code].where} too"
                raise _wrong(part.text, part.where, code, "", problem, "Take it out of one of the two files.")
            homes[code] = part
            modes[code] = _mode(code, table, part.text, part.where)
    _check_together(tuple(modes.values()), homes)
    main = parts[""].text
    title = _text(value.get("title", ""), "title", main, where)
    return Codebook(title, tuple(modes.values()), _headings(value, main, where))


def _tables(part: codebook_files.CodebookFile) -> dict[str, Any]:
    """What one file holds; a sentence with its line for what is no TOML, or does not belong into the file."""
    line = conflict_line(part.text)
    if line is not None:
        raise JournalError(f"{part.where}, line {line}: git could not merge two versions of this file.", REMEDY)
    try:
        value = toml.table_of(part.text)
    except toml.NotTomlError as error:
        raise JournalError(f"{part.where}: {error}.", "Fix the file; its transcripts can be read meanwhile.") from None
    if not isinstance(value.get("modes", {}), dict):
        hint = "Write each mode as [modes.its-code]."
        raise _wrong(part.text, part.where, "", "modes", "`modes` holds no tables", hint)
    strange = sorted(value.keys() - {"modes"})
    if part.name and strange:
        problem = f"“{strange[0]}” does not belong into the file of a mode"
        raise _wrong(part.text, part.where, "", strange[0], problem, "Write [modes.its-code] above it.")
    return value


def _mode(code: str, table: Any, text: str, where: str) -> Mode:
    if not _CODE.fullmatch(code):
        raise _wrong(text, where, code, "", f"“{code}” is not a code", "A code is letters, digits and hyphens.")
    if not isinstance(table, dict):
        raise _wrong(text, where, code, code, f"“{code}” is not a table", f"Write it as [modes.{code}].")
    unknown = sorted(table.keys() - _KNOWN)
    if unknown:
        raise _wrong(
            text, where, code, unknown[0], f"“{code}” has an unknown “{unknown[0]}”", f"Known: {_names(_KNOWN)}."
        )
    values: dict[str, Any] = {name: _text(table.get(name, ""), name, text, where, code) for name in _TEXTS}
    if (values["polarity"] or "failure") not in POLARITIES:
        problem = f"the polarity of “{code}” is “{values['polarity']}”"
        raise _wrong(text, where, code, "polarity", problem, f"It is one of {_names(POLARITIES)}.")
    _check_key(code, values["key"], text, where)
    retired = table.get("retired", False)
    if not isinstance(retired, bool):
        raise _wrong(text, where, code, "retired", f"“{code}” is retired or not", "Write true or false.")
    values["polarity"] = values["polarity"] or "failure"
    values["title"] = values["title"] or code.replace("-", " ").capitalize()
    for name in ("sections", "was"):
        values[name] = _list(table.get(name, []), name, text, where, code)
    return Mode(code, retired=retired, **values)


def _check_key(code: str, key: str, text: str, where: str) -> None:
    if not key or (len(key) == 1 and key in DIGITS):
        return
    problem = f"“{key}” of “{code}” is not a key for a mode"
    raise _wrong(text, where, code, "key", problem, "Digits are the keys of modes: 1 to 9, 0.")


def _check_together(modes: tuple[Mode, ...], homes: Mapping[str, codebook_files.CodebookFile]) -> None:
    """Check that no two modes share a key, and that an alias leads to one mode."""
    keys: dict[str, str] = {}
    names = {mode.code: mode.code for mode in modes}
    for mode in modes:
        _, where, text = homes[mode.code]
        if mode.key and not mode.retired and keys.setdefault(mode.key, mode.code) != mode.code:
            problem = f"the key {mode.key} is given to “{keys[mode.key]}” and to “{mode.code}”"
            raise _wrong(text, where, mode.code, "key", problem, "Give each mode its own key, or none.")
        for alias in mode.was:
            if names.setdefault(alias, mode.code) != mode.code:
                problem = f"“{alias}” is an alias of “{mode.code}” and of “{names[alias]}”"
                raise _wrong(text, where, mode.code, "was", problem, "A code leads to one mode.")


def _headings(value: dict[str, Any], text: str, where: str) -> dict[str, str]:
    table = value.get("sections", {})
    if not isinstance(table, dict):
        raise _wrong(
            text, where, "", "sections", "`sections` is not a table", 'Write [sections], then 2 = "Its heading".'
        )
    return {number: _text(heading, number, text, where) for number, heading in table.items()}


def _text(value: Any, name: str, text: str, where: str, code: str = "") -> str:
    if isinstance(value, str):
        return value.strip()
    if name == "key" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    of = f" of “{code}”" if code else ""
    raise _wrong(text, where, code, name, f"“{name}”{of} is not text", "Put it in quotes.")


def _list(value: Any, name: str, text: str, where: str, code: str) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) or (isinstance(each, int) and not isinstance(each, bool)) for each in values):
        raise _wrong(text, where, code, name, f"“{name}” of “{code}” is not a list of texts", f'Write {name} = ["…"].')
    return tuple(str(each) for each in values)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def _names(names: Any) -> str:
    return ", ".join(sorted(names))


def _wrong(text: str, where: str, code: str, name: str, problem: str, hint: str) -> JournalError:
    return JournalError(f"{where}, line {_line(text, code, name)}: {problem}.", hint)


def _line(text: str, code: str, name: str) -> int:
    """The line of a name within a mode's table (of the table itself when it is not there)."""
    lines = text.splitlines()
    header = re.compile(rf"\s*\[\s*modes\s*\.\s*[\"']?{re.escape(code)}[\"']?\s*\]")
    start = next((at for at, line in enumerate(lines) if code and header.match(line)), 0)
    written = re.compile(rf"\s*+(?:\[\s*+)?[\"']?{re.escape(name)}[\"']?\s*+[\]=]")
    for at in range(start, len(lines)):
        if at > start and code and lines[at].lstrip().startswith("["):
            break
        if name and written.match(lines[at]):
            return at + 1
    return start + 1
