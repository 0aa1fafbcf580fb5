"""REFI-QDA: a project that QualCoder, NVivo and ATLAS.ti import: codebook, sources, quotations with their offsets.

A `.qdpx` is a zip of `project.qde` (XML) and the sources as plain text. Each marked conversation is a source, printed
so that a person can read it; offsets count its characters (code points) from 0, as the exchange format wants.
Identifiers are made from what they name, so that the same export twice is the same project.
"""

from __future__ import annotations

import tempfile
import uuid
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from reviewer.clean import Cleaned, cleaned, printable_line
from reviewer.codebook import Codebook
from reviewer.export.excerpts import Excerpt
from reviewer.export.gathering import Gathering
from reviewer.export.markdown import SYNTHETIC
from reviewer.model import Stored, Tag
from reviewer.refs import Ref

_SPACE = uuid.UUID("6e2b6a52-1b0e-5d5c-9a53-2f6f1c8f6d10")
_NAME = 80
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_COLOURS = {"failure": "#C0392B", "strength": "#27AE60", "neutral": "#7F8C8D"}
Key = tuple[int, int | None, str]
"""Message, call, part."""


@dataclass
class Text:
    """A conversation as one readable text, and where each stored part of it stands."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    places: dict[Key, tuple[int, Cleaned]] = field(default_factory=dict)
    items: dict[tuple[int, int | None], tuple[int, int]] = field(default_factory=dict)

    def add(self, text: str) -> None:
        """Words of our own."""
        self.parts.append(text)
        self.length += len(text)

    def put(self, key: Key, text: str) -> None:
        """Stored words, made printable."""
        clean = cleaned(text)
        self.places[key] = (self.length, clean)
        self.add(clean.text)

    def span(self, ref: Ref) -> tuple[int, int]:
        """Where a reference stands in the text; all of it when it names no words."""
        if ref.message is None:
            return 0, self.length
        found = self.places.get((ref.message, ref.call, ref.part))
        if found is None or ref.pointer is not None or (ref.call is not None and ref.part == "text"):
            return self.items[ref.message, ref.call]
        start, clean = found
        if ref.span is None:
            return start, start + len(clean.text)
        return start + clean.printed(ref.span[0]), start + clean.printed(ref.span[1])


def printed(stored: Stored) -> Text:
    """A conversation as it is read in other programs."""
    text = Text()
    text.add(f"{printable_line(stored.ref)}\n{SYNTHETIC + chr(10) if stored.synthetic else ''}\n")
    for number, message in enumerate(stored.conversation.messages, start=1):
        began = text.length
        text.add(f"{number} {message.role}\n")
        if message.reasoning:
            text.add("(reasoning) ")
            text.put((number, None, "reasoning"), message.reasoning)
            text.add("\n")
        text.put((number, None, "text"), message.text)
        for index, call in enumerate(message.calls, start=1):
            text.add("\n")
            at = text.length
            text.add(f"[{printable_line(call.name)}] ")
            text.put((number, index, "arguments"), call.arguments or "")
            text.add("\n→ ")
            text.put((number, index, "result"), call.result if call.result is not None else call.error or "")
            text.items[number, index] = (at, text.length)
        text.items[number, None] = (began, text.length)
        text.add("\n\n")
    return text


def write(gathering: Gathering, path: Path, notes: bool = False) -> None:
    """Write the project."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        tempfile.TemporaryFile("w+", encoding="utf-8") as found,
    ):
        users: dict[str, None] = {}
        codes: dict[str, None] = {}
        remarks: list[str] = []
        for group in gathering.by_conversation():
            users.update(dict.fromkeys(each.tag.by for each in group))
            codes.update(dict.fromkeys(each.mode.code for each in group if each.tag.code))
            stored = group[0].stored
            if stored is None:
                remarks += [_across(each) for each in group]
            else:
                text = printed(stored)
                archive.writestr(f"sources/{_guid('source', stored.ref)}.txt", "".join(text.parts))
                found.write(_source(stored, text, group, remarks, notes))
        found.seek(0)
        with archive.open("project.qde", "w") as project:
            for piece in _project(gathering, users, codes, found, remarks):
                project.write(piece.encode())


def _project(
    gathering: Gathering, users: dict[str, None], codes: dict[str, None], sources: IO[str], remarks: list[str]
) -> Iterator[str]:
    name = f"{gathering.store}{' (SYNTHETIC)' if gathering.synthetic else ''}"
    yield f'{_HEAD}<Project xmlns="urn:QDA-XML:project:1.0" name={_attr(name)} origin="reviewer">\n'
    if users:
        yield f"<Users>{''.join(map(_user, users))}</Users>\n"
    listed = dict.fromkeys([*(mode.code for mode in gathering.codebook.active()), *codes])
    if listed:
        yield f"<CodeBook><Codes>\n{''.join(_code(code, gathering.codebook) for code in listed)}</Codes></CodeBook>\n"
    first = sources.read(1)
    if first:
        yield f"<Sources>\n{first}"
        while text := sources.read(65_536):
            yield text
        yield "</Sources>\n"
    if remarks:
        yield f"<Notes>\n{''.join(remarks)}</Notes>\n"
    if gathering.synthetic:
        yield f"<Description>{SYNTHETIC}</Description>\n"
    yield "</Project>\n"


def _user(by: str) -> str:
    return f"<User guid={_id('u', by)} name={_attr(by)}/>"


def _code(code: str, codebook: Codebook) -> str:
    mode = codebook.mode(code)
    said = (
        " ".join(filter(None, (mode.definition, mode.counts, f"Not: {mode.not_counts}" if mode.not_counts else "")))
        if mode
        else ""
    )
    colour = _COLOURS[mode.polarity if mode else "neutral"]
    description = f"<Description>{_text(said)}</Description>" if said else ""
    return f'<Code guid={_id("code", code)} name={_attr(code)} isCodable="true" color="{colour}">{description}</Code>\n'


def _source(stored: Stored, text: Text, group: list[Excerpt], remarks: list[str], notes: bool) -> str:
    guid = _guid("source", stored.ref)
    quotations = "".join(_quotation(each, at, text, remarks, notes) for each in group for at in range(len(each.pieces)))
    return f'<TextSource guid="{guid}" name={_attr(stored.ref)} plainTextPath="internal://{guid}.txt">\n{quotations}</TextSource>\n'


def _quotation(excerpt: Excerpt, at: int, text: Text, remarks: list[str], notes: bool) -> str:
    tag, piece = excerpt.tag, excerpt.pieces[at]
    start, end = text.span(piece.ref)
    by = f"creatingUser={_id('u', tag.by)}{_when(tag)}"
    code = f"<CodeRef targetGUID={_id('code', excerpt.mode.code)}/>"
    coding = f"<Coding guid={_id('coding', f'{tag.id}.{at}')} {by}>{code}</Coding>" if tag.code else ""
    said = "; ".join(filter(None, (excerpt.clause, tag.stance, tag.cause, tag.note if notes else "")))
    noted = ""
    if said and at == 0:
        remarks.append(_note(tag.id, f"{tag.code or 'note'} at {piece.ref}", said, by))
        noted = f"<NoteRef targetGUID={_id('note', tag.id)}/>"
    where = f'startPosition="{start}" endPosition="{end}"'
    name = _attr(piece.quote[:_NAME])
    guid = _id("selection", f"{tag.id}.{at}")
    return f"<PlainTextSelection guid={guid} name={name} {where} {by}>{coding}{noted}</PlainTextSelection>\n"


def _across(excerpt: Excerpt) -> str:
    """What is said of a case across its runs stands in no source, so it is a note of the project."""
    by = f"creatingUser={_id('u', excerpt.tag.by)}{_when(excerpt.tag)}"
    return _note(
        excerpt.tag.id, f"{excerpt.mode.title}: {excerpt.conversation}", excerpt.clause or excerpt.conversation, by
    )


def _note(key: str, name: str, text: str, by: str) -> str:
    content = f"<PlainTextContent>{_text(text)}</PlainTextContent>"
    return f"<Note guid={_id('note', key)} name={_attr(name)} {by}>{content}</Note>\n"


def _when(tag: Tag) -> str:
    return f" creationDateTime={_attr(tag.at)}" if tag.at[10:11] == "T" else ""


def _guid(kind: str, name: str) -> str:
    return str(uuid.uuid5(_SPACE, f"{kind} {name}"))


def _id(kind: str, name: str) -> str:
    return f'"{_guid(kind, name)}"'


def _attr(text: str) -> str:
    return quoteattr(printable_line(text))


def _text(text: str) -> str:
    return escape(cleaned(text).text)
