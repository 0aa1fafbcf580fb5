"""What the one-line places say: a line of the queue, the header, the hints, the transcript's title. Pure."""

from __future__ import annotations

from rich.cells import cell_len

from reviewer.app import keys
from reviewer.app.shared.line_widgets import Bit, elided, width_of
from reviewer.basics.clean import printable_line
from reviewer.basics.glyphs import glyph
from reviewer.basics.shell import shell_word
from reviewer.basics.values import dataclass
from reviewer.marks.read_extent import ReadCounts
from reviewer.transcripts.model import Stored
from reviewer.transcripts.query.orders import Order

_QUERY = 20
"""Cells of the query that the right end of the head leaves."""
_WANTED = (2, 6, 0, 5, 3, 4, 1)
"""Place in the queue, what became of the store, whose work is hidden, reviewed, by whom, and what that place is of."""
_STORE, _ORIGIN = 24, 33
"""Cells of a store's name at most, and of it with the mark behind it, which is never cut."""


@dataclass(frozen=True, slots=True)
class HeaderFacts:
    """The facts that the header shows about where the reader is."""

    store: str
    mark: str
    """Whether scripts wrote what it holds, or a model played customers."""
    query: str
    position: int | None
    total: int | None
    reviewed: ReadCounts | None
    by: str
    queue: tuple[ReadCounts, int] | None = None
    """How much of a named queue was reviewed, and how many it holds."""
    news: str = ""
    """What became of the store while it is open."""
    hidden: str = ""
    """Whose tags are not shown."""


def queue_title(order: Order) -> str:
    """Return the title of the queue: how it is sorted and grouped, where that is not as stored."""
    return f"Queue · {printable_line(order.title)}" if order.title else "Queue"


def place_in_queue(index: int, total: int) -> str:
    """`conversation 54 of 1,458`."""
    return f"conversation {index + 1:,} of {total:,}"


def counted(conversations: int) -> str:
    """`1,458 conversations`."""
    return f"{conversations:,} conversation{'' if conversations == 1 else 's'}"


def pointing(words: str, at: int, width: int, sign: str) -> str:
    """A line of words with a sign that points at what stands below one of its cells."""
    at = max(0, min(at, width - 1))
    if at + 2 + cell_len(words) > width and cell_len(words) < at:
        return f"{' ' * (at - 1 - cell_len(words))}{words} {sign}"
    return f"{' ' * at}{sign} {words}"


def header(standing: HeaderFacts, width: int) -> tuple[list[Bit], list[Bit]]:
    """The line at the head: what is open at the left, where one is at the right."""
    left = origin(standing.store, standing.mark)
    query: list[Bit] = [(" · ", "muted"), (printable_line(standing.query), "text")] if standing.query else []
    total = glyph("more") if standing.total is None else f"{standing.total:,}"
    position = glyph("absent") if standing.position is None else f"{standing.position + 1:,}"
    reviewed = "" if standing.reviewed is None else standing.reviewed.words()
    if standing.queue is not None:
        reviewed = standing.queue[0].words(f"of {standing.queue[1]:,}")
    right: list[Bit] = [
        (f"  {standing.news}" if standing.news else "", "tag"),
        (" conversation" if standing.position is not None else "", "muted"),
        (f" {position} of {total}", "strong"),
        (f" · {reviewed}" if reviewed else "", "muted"),
        (f" · {elided(printable_line(standing.by), 24)}" if standing.by else "", "muted"),
        (f" · {standing.hidden}" if standing.hidden else "", "tag"),
        (" ", ""),
    ]
    return [*left, *query], _fitting(right, width - width_of(left) - min(width_of(query), _QUERY))


def _fitting(bits: list[Bit], room: int) -> list[Bit]:
    """The pieces of the head's right end that there is room for, the most wanted ones: none of them is cut."""
    kept: set[int] = set()
    for index in _WANTED:
        if kept and width_of([bits[each] for each in {*kept, index}]) > room:
            break
        kept.add(index)
    return [bits[index] for index in sorted(kept)]


def origin(store: str, mark: str) -> list[Bit]:
    """Name the store that everything shown comes from, and say so when no real customer wrote it."""
    left: list[Bit] = [(f" {elided(printable_line(store), min(_STORE, _ORIGIN - len(mark)))}", "strong")]
    return [*left, (" · ", "muted"), (mark, "tag")] if mark else left


def hints(scope: keys.Scope, width: int, bound: keys.Bound = keys.AS_USUAL) -> tuple[list[Bit], list[Bit]]:
    """Lay out as many of a scope's hints as fit, the most wanted first; where help is stays at the right end."""
    ordered = sorted(keys.hints(scope, bound), key=lambda hint: hint[1] == "help")
    most, last = ordered[:-1], ordered[-1:]
    right: list[Bit] = []
    for key, label in last:
        right += [(key, "key"), (f" {label} ", "muted")]
    bits: list[Bit] = [(" ", "")]
    room = width - 1 - width_of(right)
    for key, label in most:
        room -= len(key) + len(label) + 3
        if room < 0:
            break
        bits += [(key, "key"), (f" {label}  ", "muted")]
    return bits, right


def title(stored: Stored, runs: list[int]) -> str:
    """Model, case and run of a conversation."""
    conversation = stored.conversation
    parts = [conversation.model]
    parts.append(conversation.case if conversation.case is not None else conversation.id or stored.ref)
    if conversation.run is not None:
        parts.append(f"run {conversation.run}")
        at = runs.index(stored.rowid) + 1 if stored.rowid in runs else 0
        if len(runs) > 1:
            # Where runs count from 0 or one is missing, the number alone would mislead.
            parts[-1] += f" of {len(runs)}" if at == conversation.run else f", {at} of {len(runs)}"
    return printable_line(" · ".join(parts))


def no_messages(stored: Stored, bound: keys.Bound = keys.AS_USUAL) -> list[str]:
    """Return the words shown in place of messages that are not there."""
    error = stored.conversation.error
    lines = ["This conversation has no messages."]
    return [
        *lines,
        f"Its source says: {printable_line(error)}" if error else "",
        "",
        f"{keys.key_of('conversation.next', bound)} opens the next, {keys.key_of('facts', bound)} shows its facts.",
    ]


def no_conversations(query: str, store: str) -> list[str]:
    """Return the words shown in place of an empty queue."""
    if query:
        return [f"No conversation in {printable_line(store)} passes the filter {printable_line(query)}"]
    return [
        f"{printable_line(store)} holds no conversations yet.",
        f"Fill it with: reviewer import LOGS --into {shell_word(store)}",
    ]
