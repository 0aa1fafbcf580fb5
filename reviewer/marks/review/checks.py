"""Checking every anchor of a folder's journals against a store: what is exact, and what a person has to look at.

Owns the judgement and its words. It reads the whole journals from their first byte, and changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from reviewer.marks.anchors import Placement, place
from reviewer.marks.book import Book
from reviewer.marks.codebook import Codebook
from reviewer.marks.events import Event
from reviewer.marks.ledger import State
from reviewer.transcripts.model import Anchor, Stored, Tag
from reviewer.transcripts.refs import Absence, Ref
from reviewer.transcripts.store.reader import Reader

KINDS = (
    "exact", "moved", "drifted", "elsewhere", "torn", "damaged", "clash", "repeated", "unknown", "stray", "other store",
)  # fmt: skip
NEEDS_A_PERSON = ("drifted", "elsewhere", "torn", "damaged", "clash", "unknown", "stray")
"""A moved anchor was found, a repeated line changes nothing, and what is another store's is that store's to check."""
_MEND = "What is not whole in it counts for nothing, and costs nothing else: fix the line in its journal, or remove it."
ADVICE = {
    "moved": "Nothing to do: the words were found, and are shown where they stand now.",
    "drifted": "Open the message, mark what still holds again, and take the old tag back with reviewer untag.",
    "elsewhere": "See that it is the right store; what was said of other content has to be reviewed and said again.",
    "torn": _MEND,
    "damaged": _MEND,
    "clash": "Two lines have one identifier and differ: remove the wrong one from its journal.",
    "repeated": "Nothing to do: the line counts once.",
    "unknown": "Update reviewer when a later one wrote it; give a mode that is gone its table, or name it in a `was`.",
    "stray": "What it is about stands in no journal here: fetch the one that is missing, or remove the line.",
    "other store": "Nothing to do here: check that store.",
}
"""What somebody does about each kind."""


@dataclass(frozen=True, slots=True)
class CheckItem:
    """One anchor, line or event, and what became of it."""

    kind: str
    ref: str
    words: str
    by: str = ""
    code: str = ""
    tag: str = ""
    quote: str = ""
    now: str = ""
    """Where a moved anchor stands now."""


@dataclass(frozen=True)
class Report:
    """The items that were checked."""

    items: list[CheckItem] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """Count the items there are items by kind; the usual kinds are always there."""
        times = Counter(item.kind for item in self.items)
        return {kind: times[kind] for kind in KINDS}

    @property
    def needs_a_person(self) -> bool:
        """True if anything waits for somebody to look at it."""
        return any(item.kind in NEEDS_A_PERSON for item in self.items)


def check(book: Book, reader: Reader, codebook: Codebook | None) -> Report:
    """Judge every anchor of the journals, and every line that is no ordinary event; modes only with a codebook."""
    items = [CheckItem(each.kind, each.path.name, str(each)) for each in book.troubles()]
    items += [
        CheckItem("unknown", each.ref, f"“{each.do}” is nothing this version knows.", each.by)
        for each in book.unknown()
    ]
    conversations = Conversations(reader)
    for ref in sorted(book.ledger.conversations()):
        state = book.ledger.state(ref)
        items += _of_state(state, ref, conversations, codebook)
        items += _of_verdicts(book.ledger.events(ref), state, conversations)
    return Report(items)


class Conversations:
    """Conversations of a store by reference; the last few are kept."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._kept: dict[str, Stored | None] = {}
        self.store = reader.path.name

    def get(self, ref: str) -> Stored | None:
        """The conversation at exactly this reference."""
        if ref not in self._kept:
            if len(self._kept) > 8:
                self._kept.clear()
            candidates = [self._reader.stored(rowid) for rowid in self._reader.find(ref)[:1]]
            self._kept[ref] = candidates[0] if candidates and candidates[0].ref == ref else None
        return self._kept[ref]

    def has_case(self, ref: str) -> bool:
        """True if the reference is a case's with at least one run."""
        return bool(self._reader.find(ref))


def _of_state(state: State, ref: str, conversations: Conversations, codebook: Codebook | None) -> Iterator[CheckItem]:
    for event, reason in state.strays:
        yield CheckItem("stray", event.ref, f"{reason}.", event.by)
    for tag in state.tags:
        if tag.code and codebook is not None and codebook.mode(tag.code) is None:
            yield _item("unknown", tag, tag.ref, "the codebook has no such mode")
        for anchor in (*tag.pieces, *tag.evidence):
            if isinstance(anchor, Anchor):
                yield _of_anchor(anchor, tag, conversations)
            elif isinstance(anchor, Absence):
                yield _of_absence(tag, conversations)
    for done in state.reviewed.values():
        yield _of_whole("reviewed", done.by, ref, done.digest, done.how.get("store"), conversations)


def _of_verdicts(events: Iterable[Event], state: State, conversations: Conversations) -> Iterator[CheckItem]:
    """Each reviewer's last verdict that counts."""
    last = {event.by: event for event in events if event.do == "verdict" and event.id not in state.undone}
    for by, event in last.items():
        if by in state.verdicts:
            said = f"judged ({state.verdicts[by]})"
            yield _of_whole(said, by, event.conversation, event.digest, event.fields.get("store"), conversations)


def _of_whole(said: str, by: str, ref: str, digest: str, store: Any, conversations: Conversations) -> CheckItem:
    """Check what was said of a whole conversation (or case) against the digest it had then."""
    stored = conversations.get(ref)
    known = ("", stored.digest, *stored.formerly) if stored is not None else ()
    if digest in known or (not digest and conversations.has_case(ref)):
        return CheckItem("exact", ref, "", by)
    if stored is None and store not in (None, conversations.store):
        return CheckItem("other store", ref, f"it was {said} in {store}.", by)
    now = "nothing stands there now" if stored is None else "it has other content now"
    return CheckItem("elsewhere", ref, f"it was {said}; {now}.", by)


def _of_anchor(anchor: Anchor, tag: Tag, conversations: Conversations) -> CheckItem:
    ref, stored = anchor.ref, conversations.get(anchor.ref.conversation)
    if stored is None and ref.message is None and not anchor.digest and conversations.has_case(ref.conversation):
        return _item("exact", tag, anchor.ref, "")
    if stored is None:
        store = (tag.extra or {}).get("store", conversations.store)
        if store != conversations.store:
            return _item("other store", tag, anchor.ref, f"it belongs to {store}", anchor)
        return _item("elsewhere", tag, anchor.ref, "nothing stands at that reference", anchor)
    return _placed(place(anchor, stored), anchor, tag)


def _placed(placed: Placement, anchor: Anchor, tag: Tag) -> CheckItem:
    words = {
        "exact": "",
        "moved": f"its words now stand at #{str(placed.ref).partition('#')[2]}",
        "drifted": "its words are no longer there, or there more than once",
        "elsewhere": "another conversation stands at that reference",
    }[placed.state]
    return _item(placed.state, tag, anchor.ref, words, anchor, str(placed.ref) if placed.state == "moved" else "")


def _of_absence(tag: Tag, conversations: Conversations) -> CheckItem:
    """Check a tag about something that did not happen, together with the conversation it did not happen in."""
    stored = conversations.get(tag.ref.conversation)
    if stored is None or tag.digest in (stored.digest, *stored.formerly):
        return _item("exact", tag, tag.ref, "")
    states = [place(piece, stored).state for piece in tag.pieces]
    lost = "elsewhere" in states
    return _item(
        "elsewhere" if lost else "drifted", tag, tag.ref, "what it says did not happen was said of other content"
    )


def _item(kind: str, tag: Tag, ref: Ref, words: str, anchor: Anchor | None = None, now: str = "") -> CheckItem:
    return CheckItem(kind, str(ref), words, tag.by, tag.code, tag.id, anchor.quote if anchor else "", now)
