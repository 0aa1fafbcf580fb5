"""The file that holds a reviewer's own words about a model: where it is, its front matter, its sections.

Owns the form of `annotations/reports/MODEL.md`: TOML between two lines of `+++`, then a `##` heading a section. The
name of the file is the model's label, percent-encoded, so that any label is a safe name and every name leads back to
its label; what is about all models stands in `annotations/findings.md`, which no label can be called. Whatever is wrong
in a file is a sentence with its line, and the rest of it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote

from reviewer.basics.conflicts import REMEDY, conflict_line
from reviewer.figures.report.blocks import ProseTrouble
from reviewer.figures.report.prose_front import FENCE, FrontMatter, FrontText, front_matter
from reviewer.marks.folder import plain

FOLDER, FINDINGS = "reports", "findings.md"
_END = ".md"
_EMPTY = "%"
_LONGEST = 200
"""Bytes of a name that every system takes."""
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
_FENCED = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"## +(\S.*)")


def file_name(model: str) -> str:
    """A model's label as the name of its file, the same on every system."""
    name = quote(model, safe="") or _EMPTY
    if name.startswith(".") or _DEVICE.fullmatch(name):
        name = f"%{ord(name[0]):02X}{name[1:]}"
    return f"{name}{_END}"


def model_of(name: str) -> str:
    """The label of the model whose file has this name."""
    plain = name.removesuffix(_END)
    return "" if plain == _EMPTY else unquote(plain)


def prose_path(annotations: Path, model: str | None) -> Path:
    """Where the words about a model stand; those about all of them, where none is named. A link there is refused."""
    return plain(annotations, annotations / FINDINGS if model is None else annotations / FOLDER / file_name(model))


def is_there(path: Path) -> bool:
    """True if something stands there, as far as one can see."""
    try:
        return path.exists()
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class ProseSection:
    """What somebody wrote under one heading."""

    heading: str
    """Empty for what stands before the first."""
    line: int
    """Of the heading."""
    words: FrontText


@dataclass(frozen=True, slots=True)
class ProseFile:
    """Somebody's words about a model, as they stand in their file."""

    path: Path
    front: FrontMatter = field(default_factory=FrontMatter)
    sections: tuple[ProseSection, ...] = ()
    troubles: tuple[ProseTrouble, ...] = ()
    """What cannot be read of it."""
    saved: float = 0.0
    """When it was saved, in seconds since 1970."""

    def of_model(self, model: str | None) -> ProseFile:
        """The file, or nothing of it where it says that it is about another model."""
        named = self.front.texts.get("model")
        if named is None or named.text == model:
            return self
        about = "all models" if model is None else f"“{model}”"
        said = f"this prose says that it is of “{named.text}”, and the page is about {about}; it was left out."
        return ProseFile(self.path, troubles=(*self.troubles, ProseTrouble(named.line, said)), saved=self.saved)


def read(path: Path) -> ProseFile | None:
    """Read a file of prose; None where there is none."""
    try:
        if not path.exists():
            return None
        if not path.is_file():
            return ProseFile(path, troubles=(ProseTrouble(1, "it is no file, so nothing of it is printed."),))
        saved, stored = path.stat().st_mtime, path.read_bytes()
    except OSError as error:
        if error.filename and len(path.name) > _LONGEST:
            return None  # a name that no folder takes: nobody can have written there
        return ProseFile(path, troubles=(ProseTrouble(1, f"it cannot be read: {error.strerror}."),))
    wrong: list[ProseTrouble] = []
    try:
        text = stored.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = stored.decode("utf-8-sig", errors="replace")
        wrong.append(ProseTrouble(stored.count(b"\n", 0, error.start) + 1, "it is not UTF-8; save it as UTF-8."))
    conflict = conflict_line(text)
    if conflict is not None:
        said = f"git could not merge two versions of this file. {REMEDY}"
        wrong.append(ProseTrouble(conflict, said))
    parsed = parse(text, path)
    return ProseFile(path, parsed.front, parsed.sections, (*wrong, *parsed.troubles), saved)


def parse(text: str, path: Path) -> ProseFile:
    """A text as front matter and sections."""
    lines = text.replace("\r\n", "\n").split("\n")
    start, front, wrong = 0, FrontMatter(), []
    if lines[0].rstrip() == FENCE:
        end = next((at for at in range(1, len(lines)) if lines[at].rstrip() == FENCE), None)
        if end is None:
            said = f"the front matter does not end: a line of {FENCE} is missing."
            wrong.append(ProseTrouble(1, said))
            start = next((at for at, line in enumerate(lines) if _HEADING.match(line)), len(lines))
        else:
            front, wrong = front_matter(lines[1:end])
            start = end + 1
    return ProseFile(path, front, tuple(_sections(lines, start)), tuple(wrong))


def _sections(lines: list[str], start: int) -> Iterator[ProseSection]:
    """Cut lines at their headings of the second level, but for those within fenced code."""
    cuts = [(start, "")] + [(at, heading) for at, heading in headings(lines) if at >= start]
    for (at, heading), (end, _) in zip(cuts, [*cuts[1:], (len(lines), "")], strict=True):
        first = at + bool(heading)
        yield ProseSection(heading, at + 1, FrontText("\n".join(lines[first:end]), first + 1))


def headings(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Index and text of every heading of the second level."""
    fence = ""
    for at, line in enumerate(lines):
        fenced = _FENCED.match(line)
        if fenced and not fence:
            fence = fenced[1]
        elif fenced and fenced[1].startswith(fence) and not line.strip(fenced[1][0] + " "):
            fence = ""
        elif not fence and (heading := _HEADING.match(line)):
            yield at, heading[1].strip().rstrip("#").rstrip()


def versions(path: Path, wait: Callable[[], None]) -> Iterator[tuple[int, int, int] | None]:
    """Yield what tells a version of a file from others: now, and after each wait in which it was saved."""
    last: tuple[int, int, int] | None = _version(path)
    yield last
    while True:
        wait()
        now = _version(path)
        if now != last:
            last = now
            yield now


def _version(path: Path) -> tuple[int, int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino
