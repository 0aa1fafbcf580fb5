"""Editing a codebook's text: rename, merge, retire, set a field, with everything else in it left as it is.

Owns which values of the file change; tomlkit writes them and keeps comments, order and blank lines. The edited text is
read again before anybody gets it, so that a change that the codebook does not allow is refused with its line. Pure;
text in, text out.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from reviewer.basics import toml
from reviewer.basics.errors import JournalError
from reviewer.marks import codebook, codebook_files
from reviewer.marks.codebook import Codebook, Mode

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import Table

_HINT = "The file is written in a way that only a person can edit: change it by hand."
_CUT = "\0"
"""Where a text is cut; TOML holds no such character."""


def rename(text: str, where: str, old: str, new: str) -> str:
    """Call a mode otherwise; what it was called leads to it."""
    import tomlkit

    book, mode = _mode(text, where, old)
    code = codebook.code_of(new)
    if not code:
        raise JournalError(f"“{new}” is not a name for a mode.", "Use letters or digits.")
    there = book.mode(code)
    if there is not None and there.code != mode.code:
        raise JournalError(f"“{code}” leads to {there.code} already.", "Merge the two, or choose another name.")
    document, table = _table(text, where, mode.code)
    table.display_name = f"modes.{tomlkit.key(code).as_string()}"
    _put(table, "was", list(dict.fromkeys([*(name for name in mode.was if name != code), mode.code])))
    _put(table, "title", new.strip() if new.strip() != code else code.replace("-", " ").capitalize())
    return _checked(document.as_string(), where, book, mode.code, code)


def merge(text: str, where: str, gone: str, into: str) -> str:
    """Make one mode of two: what was tagged with the one that goes counts as the other."""
    book, going = _mode(text, where, gone)
    _, staying = _mode(text, where, into)
    if going.code == staying.code:
        raise JournalError(f"“{gone}” and “{into}” are one mode already.", "Name two.")
    edited = _as_comment(text, where, going.code, f"merged into {staying.code}:")
    document, table = _table(edited, where, staying.code)
    _put(table, "was", list(dict.fromkeys([*staying.was, going.code, *going.was])))
    return _checked(document.as_string(), where, book, going.code, staying.code)


def retire(text: str, where: str, code: str, retired: bool = True) -> str:
    """Take a mode out of use (or back into it); its tags stay readable."""
    return set_field(text, where, code, "retired", retired)


def set_field(text: str, where: str, code: str, name: str, value: str | bool) -> str:
    """Change one field of a mode: title, definition, counts, not_counts, layer, polarity, key, proof, retired."""
    book, mode = _mode(text, where, code)
    document, table = _table(text, where, mode.code)
    _put(table, name, value)
    return _checked(document.as_string(), where, book, mode.code)


def add(text: str, where: str, mode: Mode) -> str:
    """Add a mode, in a file of its own."""
    import tomlkit

    fields = {"title": mode.title, "definition": mode.definition, "layer": mode.layer, "sections": list(mode.sections),
              "polarity": mode.polarity, "proof": mode.proof}  # fmt: skip
    written = {name: value for name, value in fields.items() if value}
    edited = codebook_files.added(text, mode.code, tomlkit.dumps({"modes": {mode.code: written}}))
    return _checked(edited, where, codebook.parse(text, where), mode.code)


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


def _table(text: str, where: str, code: str) -> tuple[TOMLDocument, Table]:
    """The file as it can be edited, and the table of a mode in it."""
    from tomlkit.items import Table

    document = toml.document_of(text)
    table: Any = document and document.get("modes", {}).get(code)
    if document is None or not isinstance(table, Table) or table.display_name is None:
        raise JournalError(f"{where}: the table [modes.{code}] cannot be found.", _HINT)
    return document, table


def _put(table: Table, name: str, value: str | bool | list[str]) -> None:
    """Set a field; a new one stands behind the last, before comments that belong to the next table."""
    if name in table:
        table[name] = value
        return
    rest = [item for _, item in takewhile(lambda pair: pair[0] is None, reversed(table.value.body))][::-1]
    del table.value.body[len(table.value.body) - len(rest) :]
    table.append(name, value)
    for item in rest:
        table.raw_append(None, item)


def _as_comment(text: str, where: str, code: str, heading: str) -> str:
    """A mode's table turned into a comment, so that its definition can still be read."""
    document, table = _table(text, where, code)
    last = next((item for key, item in reversed(table.value.body) if key is not None), table)
    table.trivia.indent = _CUT + table.trivia.indent
    last.trivia.trail = _CUT + last.trivia.trail
    before, lines, after = document.as_string().split(_CUT)
    return before + "\n".join(f"# {line}".rstrip() for line in (heading, *lines.split("\n"))) + after


def _checked(edited: str, where: str, before: Codebook, *meant: str) -> str:
    """The edited text, when it is a codebook in which nothing but what was meant has changed."""
    after = codebook.parse(edited, where)
    old, new = (tuple(mode for mode in book.modes if mode.code not in meant) for book in (before, after))
    if replace(after, modes=new) != replace(before, modes=old):
        raise JournalError(f"{where}: that edit would change more than it should.", _HINT)
    return edited
