"""REFI-QDA: a project that QualCoder, NVivo and ATLAS.ti import: codebook, sources, quotations with their offsets.

A `.qdpx` is a zip of `project.qde` (XML) and the sources as plain text. Each marked conversation is a source, printed
so that a person can read it; offsets count its characters (code points) from 0, as the exchange format wants, and every
line ends in a bare newline, since readers disagree on what two characters count. What is said of a mark stands in the
description of its selection, which readers take for the comment. Identifiers are made from what they name and nothing
bears the time of the export, so that the same export twice is the same file.
"""

from __future__ import annotations

import re
import tempfile
import uuid
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from reviewer.basics.clean import CleanText, cleaned, printable_line
from reviewer.basics.glyphs import glyph
from reviewer.figures.export.collection import ExcerptCollection
from reviewer.figures.export.excerpts import JUDGE, Excerpt
from reviewer.figures.export.markdown import origin_said
from reviewer.marks.codebook import Codebook
from reviewer.transcripts.model import Stored, Tag, mark_of
from reviewer.transcripts.refs import NoteName, Ref

_SPACE = uuid.UUID("6e2b6a52-1b0e-5d5c-9a53-2f6f1c8f6d10")
_NAME = 80
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_NO_TIME = ' creationDateTime="1970-01-01T00:00:00Z"'
"""For a note, since readers fail on one that has no time."""
_NO_FILE_NAME = re.compile(r'[/\\:*?"<>|]')
_COLOURS = {"failure": "#C0392B", "strength": "#27AE60", "neutral": "#7F8C8D"}
Key = tuple[int, int | None, str]
"""Message, call, part."""


@dataclass
class Text:
    """A conversation as one readable text, and where each stored part of it stands."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    places: dict[Key, tuple[int, CleanText]] = field(default_factory=dict)
    items: dict[tuple[int, int | None], tuple[int, int]] = field(default_factory=dict)

    def add(self, text: str) -> None:
        """Words of our own."""
        self.parts.append(text)
        self.length += len(text)

    def put(self, key: Key, text: str) -> None:
        """Stored words, made printable."""
        clean = cleaned(text, joined=True)
        self.places[key] = (self.length, clean)
        self.add(clean.text)

    def span(self, ref: Ref) -> tuple[int, int]:
        """Return the span of a reference in the text; all of it when it names no words."""
        if ref.message is None:
            return 0, self.length
        place = self.places.get((ref.message, ref.call, str(ref.judge) if ref.judge else ref.part))
        if place is None or ref.pointer is not None or (ref.call is not None and ref.part == "text"):
            return self.items[ref.message, ref.call]
        start, clean = place
        if ref.span is None:
            return start, start + len(clean.text)
        return start + clean.printed(ref.span[0]), start + clean.printed(ref.span[1])


def printed(stored: Stored, quoted: Collection[NoteName | None] = ()) -> Text:
    """A conversation as it is read in other programs, with those judges' notes that are quoted."""
    text = Text()
    warning = origin_said(stored.synthetic, stored.simulated)
    text.add(f"{printable_line(stored.ref)}\n{warning}{chr(10) if warning else ''}\n")
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
            text.add(f"\n{glyph('then')} ")
            text.put((number, index, "result"), call.result if call.result is not None else call.error or "")
            text.items[number, index] = (at, text.length)
        text.items[number, None] = (began, text.length)
        text.add("\n\n")
    for note in stored.conversation.judged:
        if note.name not in quoted:
            continue
        text.add(f"{JUDGE} ({printable_line(note.name.scorer)})\n")
        text.put((0, None, str(note.name)), note.text)
        text.add("\n\n")
    return text


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """What a project holds besides tags, and how its codes are named."""

    notes: bool = False
    everything: bool = False
    """With the conversations that the query lets through and that bear no tag."""
    titles: bool = False
    """Codes are called by the titles of their modes."""


def write(gathering: ExcerptCollection, path: Path, options: ProjectOptions = ProjectOptions()) -> int:
    """Write the project; returns how many conversations are in it."""
    notes, written, named = options.notes, set[int](), Counter[str]()
    with (
        zipfile.ZipFile(path, "w") as archive,
        tempfile.TemporaryFile("w+", encoding="utf-8") as sources,
        tempfile.TemporaryFile("w+", encoding="utf-8") as remarks,
    ):
        users: dict[str, None] = {}
        codes: dict[str, None] = {}
        for group in gathering.by_conversation():
            users.update(dict.fromkeys(each.tag.by for each in group))
            codes.update(dict.fromkeys(each.mode.code for each in group if each.tag.code))
            stored = group[0].stored
            if stored is None:
                for each in group:
                    _put(archive, f"sources/{_guid('note', each.tag.id)}.txt", _across(each, notes))
                    remarks.write(_note(each))
            else:
                text = printed(stored, {piece.ref.judge for each in group for piece in each.pieces})
                guid = _source_guid(stored.ref, named)
                _put(archive, f"sources/{guid}.txt", "".join(text.parts))
                sources.write(_source(stored, guid, text, group, notes))
                written.add(stored.rowid)
        for stored in gathering.conversations_meant() if options.everything else ():
            if stored.rowid not in written:
                text, guid = printed(stored), _source_guid(stored.ref, named)
                _put(archive, f"sources/{guid}.txt", "".join(text.parts))
                sources.write(_source(stored, guid, text, [], notes))
                written.add(stored.rowid)
        with archive.open(_entry("project.qde"), "w") as project:
            for piece in _project(gathering, users, codes, sources, remarks, options.titles):
                project.write(piece.encode())
    return len(written)


def _entry(name: str) -> zipfile.ZipInfo:
    """A file of the archive that bears no time."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _put(archive: zipfile.ZipFile, name: str, text: str) -> None:
    archive.writestr(_entry(name), text)


def _project(
    gathering: ExcerptCollection,
    users: dict[str, None],
    codes: dict[str, None],
    sources: IO[str],
    remarks: IO[str],
    titles: bool,
) -> Iterator[str]:
    mark = mark_of(gathering.synthetic, gathering.simulated)
    name = f"{gathering.store}{f' ({mark})' if mark else ''}"
    yield f'{_HEAD}<Project xmlns="urn:QDA-XML:project:1.0" name={_attr(name)} origin="reviewer">\n'
    if users:
        yield f"<Users>{''.join(map(_user, users))}</Users>\n"
    listed = dict.fromkeys([*(mode.code for mode in gathering.codebook.active()), *codes])
    if listed:
        names = _names(listed, gathering.codebook) if titles else {code: code for code in listed}
        yield f"<CodeBook><Codes>\n{''.join(_sections(names, gathering.codebook))}</Codes></CodeBook>\n"
    yield from _within("Sources", sources)
    yield from _within("Notes", remarks)
    if warning := origin_said(gathering.synthetic, gathering.simulated):
        yield f"<Description>{warning}</Description>\n"
    yield "</Project>\n"


def _within(element: str, written: IO[str]) -> Iterator[str]:
    """An element around what was written, when anything was."""
    written.seek(0)
    text = written.read(65_536)
    if text:
        yield f"<{element}>\n"
        while text:
            yield text
            text = written.read(65_536)
        yield f"</{element}>\n"


def _user(by: str) -> str:
    return f"<User guid={_id('u', by)} name={_attr(by)}/>"


def _names(codes: Iterable[str], codebook: Codebook) -> dict[str, str]:
    """The title of each code; with the code behind it where two are called alike, since readers keep one of a name."""
    titles = {code: mode.title if (mode := codebook.mode(code)) else code for code in codes}
    times = Counter(title.casefold() for title in titles.values())
    return {code: f"{title} ({code})" if times[title.casefold()] > 1 else title for code, title in titles.items()}


def _sections(names: Mapping[str, str], codebook: Codebook) -> Iterator[str]:
    """The codes under the sections they are reported in; what has none stands by itself."""
    by_section: dict[str, list[str]] = {}
    for code, name in names.items():
        by_section.setdefault(codebook.section(code), []).append(_code(code, name, codebook))
    for section, within in by_section.items():
        if section:
            yield f'<Code guid={_id("section", section)} name={_attr(section)} isCodable="false">\n'
        yield from within
        if section:
            yield "</Code>\n"


def _code(code: str, called: str, codebook: Codebook) -> str:
    mode = codebook.mode(code)
    said = (
        " ".join(filter(None, (mode.definition, mode.counts, f"Not: {mode.not_counts}" if mode.not_counts else "")))
        if mode
        else ""
    )
    colour = _COLOURS[mode.polarity if mode else "neutral"]
    name = f'guid={_id("code", code)} name={_attr(called)} isCodable="true" color="{colour}"'
    return f"<Code {name}>{_description(said)}</Code>\n"


def _source_guid(ref: str, named: Counter[str]) -> str:
    """The identifier of a source; equal masked references are counted, so that each has its own."""
    named[ref] += 1
    return _guid("source", ref if named[ref] == 1 else f"{ref} {named[ref]}")


def _source(stored: Stored, guid: str, text: Text, group: list[Excerpt], notes: bool) -> str:
    quotations = "".join(_quotation(each, at, text, notes) for each in group for at in range(len(each.pieces)))
    # Readers make files of a source's name, so that it is short and has no slashes; the reference is the description.
    name = _NO_FILE_NAME.sub(" ", printable_line(stored.ref))[:_NAME]
    named = f'guid="{guid}" name={_attr(name)} plainTextPath="internal://{guid}.txt"'
    return f"<TextSource {named}>\n{_description(stored.ref)}{quotations}</TextSource>\n"


def _quotation(excerpt: Excerpt, at: int, text: Text, notes: bool) -> str:
    tag, piece = excerpt.tag, excerpt.pieces[at]
    start, end = text.span(piece.ref)
    by = f"creatingUser={_id('u', tag.by)}{_when(tag)}"
    code = f"<CodeRef targetGUID={_id('code', excerpt.mode.code)}/>"
    coding = f"<Coding guid={_id('coding', f'{tag.id}.{at}')} {by}>{code}</Coding>" if tag.code else ""
    where = f'startPosition="{start}" endPosition="{end}"'
    name = _attr(piece.quote[:_NAME])
    guid = _id("selection", f"{tag.id}.{at}")
    said = _description(_said(excerpt, notes))
    return f"<PlainTextSelection guid={guid} name={name} {where} {by}>{said}{coding}</PlainTextSelection>\n"


def _said(excerpt: Excerpt, notes: bool) -> str:
    """Return what there is to say of a mark besides its code."""
    tag = excerpt.tag
    return "; ".join(filter(None, (tag.clause, excerpt.evidence, tag.stance, tag.cause, tag.note if notes else "")))


def _across(excerpt: Excerpt, notes: bool) -> str:
    """Return the text of a project note on a case across its runs, which stands in no source."""
    warning = origin_said(excerpt.synthetic, excerpt.simulated)
    said = (excerpt.mode.title, excerpt.conversation, warning, _said(excerpt, notes))
    return cleaned("\n".join(filter(None, said)), joined=True).text + "\n"


def _note(excerpt: Excerpt) -> str:
    tag = excerpt.tag
    guid = _guid("note", tag.id)
    name = _attr(f"{excerpt.mode.title}: {excerpt.conversation}")
    by = f"creatingUser={_id('u', tag.by)}{_when(tag) or _NO_TIME}"
    return f'<Note guid="{guid}" name={name} plainTextPath="internal://{guid}.txt" {by}/>\n'


def _when(tag: Tag) -> str:
    """Return the time at which a tag was made, to the second; empty where that cannot be read."""
    try:
        at = datetime.fromisoformat(tag.at)
        at = at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return f' creationDateTime="{at:%Y-%m-%dT%H:%M:%S}Z"' if at.year >= 1_000 else ""


def _guid(kind: str, name: str) -> str:
    return str(uuid.uuid5(_SPACE, f"{kind} {name!a}"))


def _id(kind: str, name: str) -> str:
    return f'"{_guid(kind, name)}"'


def _attr(text: str) -> str:
    return quoteattr(printable_line(text))


def _description(text: str) -> str:
    return f"<Description>{escape(cleaned(text, joined=True).text)}</Description>" if text else ""
