"""Editing a codebook's text: rename, merge, retire, set a field, with everything else in it left as it is.

Owns changing the lines that are meant, comments and order untouched, and making sure that nothing but the change has
happened: the edited text is read again, and an edit that came to anything else is refused. Pure; text in, text out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reviewer.annotations import codebook
from reviewer.annotations.codebook import Codebook, Mode
from reviewer.errors import JournalError

_HINT = "The file is written in a way that only a person can edit: change it by hand."


def rename(text: str, where: str, old: str, new: str) -> str:
    """Call a mode otherwise; what it was called leads to it."""
    book, mode = _mode(text, where, old)
    code = codebook.code_of(new)
    if not code:
        raise JournalError(f"“{new}” is no name for a mode.", "Use letters or digits.")
    there = book.mode(code)
    if there is not None and there.code != mode.code:
        raise JournalError(f"“{code}” leads to {there.code} already.", "Merge the two, or choose another name.")
    was = tuple(dict.fromkeys([*(name for name in mode.was if name != code), mode.code]))
    titled = new.strip() if new.strip() != code else code.replace("-", " ").capitalize()
    wanted = replace(mode, code=code, was=was, title=titled)
    lines = text.split("\n")
    start, _ = _block(lines, mode.code, where)
    lines[start] = re.sub(r"\[\s*modes\s*\.[^\]]*\]", f"[modes.{code}]", lines[start], count=1)
    edited = _with_field("\n".join(lines), where, code, "was", list(was))
    edited = _with_field(edited, where, code, "title", titled)
    return _checked(edited, where, book, lambda each: wanted if each.code == mode.code else each)


def merge(text: str, where: str, gone: str, into: str) -> str:
    """Make one mode of two: what was tagged with the one that goes counts as the other."""
    book, going = _mode(text, where, gone)
    _, staying = _mode(text, where, into)
    if going.code == staying.code:
        raise JournalError(f"“{gone}” and “{into}” are one mode already.", "Name two.")
    was = tuple(dict.fromkeys([*staying.was, going.code, *going.was]))
    lines = text.split("\n")
    start, end = _block(lines, going.code, where)
    # The table stays as a comment, so that its definition can still be read.
    lines[start:end] = [f"# merged into {staying.code}:", *(f"# {line}".rstrip() for line in lines[start:end])]
    edited = _with_field("\n".join(lines), where, staying.code, "was", list(was))
    kept = Codebook(book.title, tuple(each for each in book.modes if each.code != going.code), book.sections)
    return _checked(edited, where, kept, lambda each: replace(each, was=was) if each.code == staying.code else each)


def retire(text: str, where: str, code: str, retired: bool = True) -> str:
    """Take a mode out of use (or back into it); its tags stay readable."""
    return set_field(text, where, code, "retired", retired)


def set_field(text: str, where: str, code: str, name: str, value: str | bool) -> str:
    """Change one field of a mode: title, definition, counts, not_counts, layer, polarity, key, proof, retired."""
    book, mode = _mode(text, where, code)
    changes: dict[str, Any] = {name: value}
    wanted = replace(mode, **changes)
    edited = _with_field(text, where, mode.code, name, value)
    return _checked(edited, where, book, lambda each: wanted if each.code == mode.code else each)


def add(text: str, where: str, mode: Mode) -> str:
    """Add a mode at the end."""
    book = codebook.parse(text, where)
    fields = {"title": mode.title, "definition": mode.definition, "layer": mode.layer, "sections": list(mode.sections),
              "polarity": mode.polarity, "proof": mode.proof}  # fmt: skip
    written = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items() if value]
    edited = "\n".join([text.rstrip("\n"), "", f"[modes.{mode.code}]", *written, ""])
    return _checked(edited, where, replace(book, modes=(*book.modes, mode)), lambda each: each)


def difference(before: str, after: str) -> tuple[str, str]:
    """The lines that were edited, as they were and as they are, with as much around them as tells where they stand."""
    old, new = before.split("\n"), after.split("\n")
    start = next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new))
    )
    shorter = min(len(old), len(new)) - start
    end = next((at for at in range(shorter) if old[-1 - at] != new[-1 - at]), shorter)
    for around in range(1, max(len(old), len(new)) + 1):
        was, now = (
            "\n".join(lines[max(0, start - around) : len(lines) - max(0, end - around)]) for lines in (old, new)
        )
        if _stands_once(was, before) and _stands_once(now, after):
            return was, now
    return before, after


def replaced(text: str, where: str, there: str, wanted: str) -> str:
    """The text with these lines in the place of those; a sentence when those do not stand there any more."""
    if not _stands_once(there, text):
        raise JournalError(f"{where} was changed there since.", "Change it by hand; u goes on with what was before.")
    edited = swapped(text, there, wanted)
    codebook.parse(edited, where)
    return edited


def swapped(text: str, there: str, wanted: str) -> str:
    """Lines in the place of others, which stand there once."""
    return f"\n{text}\n".replace(f"\n{there}\n", f"\n{wanted}\n")[1:-1]


def _stands_once(lines: str, text: str) -> bool:
    return f"\n{text}\n".count(f"\n{lines}\n") == 1


def _mode(text: str, where: str, code: str) -> tuple[Codebook, Mode]:
    book = codebook.parse(text, where)
    mode = book.mode(code)
    if mode is None:
        near = ", ".join(each.code for each in book.alike(code))
        raise JournalError(f"The codebook has no “{code}”.", f"Near it: {near}." if near else f"See {where}.")
    return book, mode


def _block(lines: list[str], code: str, where: str) -> tuple[int, int]:
    """The lines of a mode's table, without blank lines and comments that belong to the next."""
    header = re.compile(rf"\s*\[\s*modes\s*\.\s*[\"']?{re.escape(code)}[\"']?\s*\]")
    starts = [at for at, line in enumerate(lines) if header.match(line)]
    if len(starts) != 1:
        raise JournalError(f"{where}: the table [modes.{code}] cannot be found.", _HINT)
    end = start = starts[0]
    for at in range(start + 1, len(lines)):
        if lines[at].lstrip().startswith("["):
            break
        if lines[at].strip() and not lines[at].lstrip().startswith("#"):
            end = at
    return start, end + 1


def _with_field(text: str, where: str, code: str, name: str, value: str | bool | list[str]) -> str:
    lines = text.split("\n")
    start, end = _block(lines, code, where)
    written = f"{name} = {json.dumps(value, ensure_ascii=False)}"  # which TOML reads as it does JSON
    key = re.compile(rf"\s*{name}\s*=")
    for at in range(start + 1, end):
        if key.match(lines[at]):
            comment = re.search(r"\s+#[^\"'\]]*$", lines[at])
            lines[at] = written + (comment[0] if comment else "")
            return "\n".join(lines)
    return "\n".join([*lines[:end], written, *lines[end:]])


def _checked(edited: str, where: str, before: Codebook, change: Callable[[Mode], Mode]) -> str:
    """The edited text, when it says what was wanted and nothing else."""
    wanted = replace(before, modes=tuple(change(mode) for mode in before.modes))
    if codebook.parse(edited, where) != wanted:
        raise JournalError(f"{where}: that edit would change more than it should.", _HINT)
    return edited
