"""What is known of a conversation besides its words: case, order, scores, policy. Pure text for a sheet of a width."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby

from rich.cells import cell_len
from textual.content import Content

from reviewer.app.keys import AS_USUAL, ENCLOSING, TITLES, Bound, Scope, in_scope, keys_text
from reviewer.app.layout.wrap import wrapped
from reviewer.app.shared.legend import LEGEND, OF_COLUMNS, OF_GROUPS
from reviewer.basics.clean import printable, printable_line
from reviewer.basics.glyphs import glyph, plainly
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.model import Case, Stored

_NAME = 14
_KEYS = 14
_MOST = 30
_LONGEST, _WHOLE = 4_000, 40_000
"""Characters of one text that are laid out, and of all of them: the sheet opens with a key, whatever a log holds."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A name and what stands beside it, line below line."""

    name: str
    value: str
    style: str = "$r-muted"
    broad: int = _NAME


_Part = str | tuple[str, str] | _Entry


def facts(
    stored: Stored, case: Case | None, desk: Desk, width: int, *, plain: bool = False, judges: bool = True
) -> Content:
    """Lay out everything that is known, the case first; what is missing is left out, `judges` too where that is off."""
    told = (_citations(stored), _scores(stored) if judges else _hidden(stored), _desk(desk))
    return _assembled(_bounded(chain(_case(case), _conversation(stored), *told)), width, plain)


def help_sheet(scope: Scope, width: int, *, plain: bool = False, bound: Bound = AS_USUAL) -> Content:
    """The keys of a pane: its own first, then those that work around it."""
    parts: list[_Part] = []
    for each in (scope, *ENCLOSING[scope]):
        for number, (group, actions) in enumerate(groupby(in_scope(each, bound), key=lambda action: action.group)):
            parts.append((f"{TITLES[each]} · {group}\n" if number == 0 else f"{group}\n", "bold $primary"))
            parts += [_Entry(keys_text(action), action.help, "bold", _KEYS) for action in actions]
            parts.append("\n")
        if each == ("queue" if scope == "queue" else "review"):
            parts += _legend(plain)
    return _assembled(parts, width, plain)


def _bounded(parts: Iterable[_Part]) -> Iterator[_Part]:
    """The parts as far as a sheet goes."""
    left = _WHOLE
    for part in parts:
        if left <= 0:
            yield "… and more: reviewer show --json\n"
            return
        left -= len(part.name) + len(part.value) if isinstance(part, _Entry) else len(part)
        yield part


def _cut(text: str) -> str:
    """The text as far as it is laid out, and how much there is behind."""
    over = len(text) - _LONGEST
    return text if over <= 0 else f"{text[:_LONGEST]} … ({over:,} more characters: reviewer show --json)"


def _legend(plain: bool) -> Iterator[_Part]:
    """Yield the legend of the signs in the queue."""
    for title, signs in (("Signs in the queue", LEGEND), ("Signs of runs compared", OF_GROUPS)):
        yield (f"{title}\n", "bold $primary")
        for name, meaning in signs:
            yield _Entry(glyph(name, plain), meaning, "bold", _KEYS)
        yield "\n"
    yield ("Columns of the queue\n", "bold $primary")
    for name, meaning in OF_COLUMNS:
        yield _Entry(name, meaning, "bold", _KEYS)
    yield "\n"


def _assembled(parts: Iterable[_Part], width: int, plain: bool) -> Content:
    return Content.assemble(*(piece for part in parts for piece in _laid(part, width, plain))).rstrip()


def _laid(part: _Part, width: int, plain: bool) -> Iterator[str | tuple[str, str]]:
    """A part as it is shown; what is longer than the line beside its name goes on below its beginning."""
    if isinstance(part, str):
        yield plainly(part, plain)
        return
    if isinstance(part, tuple):
        yield plainly(part[0], plain), part[1]
        return
    name = plainly(part.name, plain)
    yield f"  {name}{' ' * (part.broad - cell_len(name))} ", part.style
    indent = min(max(part.broad, cell_len(name)) + 3, _MOST)
    paragraphs = plainly(part.value, plain).split("\n")
    lines = [text[at:end] for text in paragraphs for at, end in wrapped(text, width - indent)]
    yield f"\n{' ' * indent}".join(lines) + "\n"


def _case(case: Case | None) -> Iterator[_Part]:
    if case is None:
        return
    yield from _heading(f"Case {case.id}")
    yield from _line("suite", case.suite)
    yield from _line("family", case.family)
    yield from _line("bucket", case.bucket)
    yield from _line("forbidden", ", ".join(case.forbidden))
    yield from _line("expected", "\n".join(case.expected))
    yield from _line("lure", case.lure)
    yield from _line("labels", ", ".join(case.labels))
    yield from _line("goal", case.goal)
    yield from _line("persona", case.persona)
    yield from _line("language", case.language)
    yield from _line("context", case.context)
    for key, value in (case.order or {}).items():
        yield from _line(f"order {key}", value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    yield "\n"


def _conversation(stored: Stored) -> Iterator[_Part]:
    conversation = stored.conversation
    yield from _heading("Conversation")
    yield from _line("reference", stored.ref)
    yield from _line("source", f"{stored.source}{f' · {stored.mark}' if stored.mark else ''}")
    yield from _line("source id", conversation.id)
    yield from _line("started", conversation.started)
    first = next((message.at for message in conversation.messages if message.at), None)
    yield from _line("first message", first if first != conversation.started else None)
    yield from _line("ended", conversation.ended)
    yield from _line("ended by", conversation.ended_by)
    yield from _line("its today", conversation.clock)
    yield from _line("error", conversation.error)
    for key, value in (conversation.meta or {}).items():
        yield from _line(key, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    yield "\n"


def _citations(stored: Stored) -> Iterator[_Part]:
    """Yield the passages that the messages cite, each once a message."""
    cited = [(number, message.citations) for number, message in enumerate(stored.conversation.messages, start=1)]
    if not any(citations for _, citations in cited):
        return
    yield from _heading("Citations")
    for number, citations in cited:
        for named, passage in dict.fromkeys((each.named, each.passage) for each in citations):
            yield from _line(f"#{number}", "\n".join(filter(None, (named, f"“{passage}”" if passage else ""))))
    yield "\n"


def _scores(stored: Stored) -> Iterator[_Part]:
    scores = stored.conversation.scores
    if not scores:
        return
    yield from _heading("Scores (others')")
    for score in scores:
        value = score.raw if score.value is None else f"{score.value:g}"
        yield from _line(score.scorer, f"{value}{f' by {score.by}' if score.by else ''}")
        if score.note:
            yield from _line("", score.note)
    yield "\n"


def _hidden(stored: Stored) -> Iterator[_Part]:
    if stored.conversation.scores:
        yield from _heading("Scores")
        yield "Hidden until you mark the conversation as reviewed: in a drawn queue everyone reads on their own.\n\n"


def _desk(desk: Desk) -> Iterator[_Part]:
    if not desk.tools:
        return
    yield from _heading(f"Desk {desk.title}")
    for kind in ("write", "handover", "read"):
        names = [f"{name} ({tool.act})" if kind == "write" else name for name, tool in desk.tools.items()
                 if desk.kind(name) == kind]  # fmt: skip
        yield from _line(kind, ", ".join(names))
    if desk.policy:
        yield "\n"
        yield from _heading("Policy")
        yield f"{printable(_cut(desk.policy))}\n"


def _heading(words: str) -> Iterator[_Part]:
    yield (f"{printable_line(_cut(words))}\n", "bold $primary")


def _line(name: str, value: str | None) -> Iterator[_Part]:
    if value:
        yield _Entry(printable_line(_cut(name)), printable(_cut(value)))
