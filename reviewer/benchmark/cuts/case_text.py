"""A cut case as the text of its file: TOML that a person reads, and that comes back equal. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.benchmark.live.cut_cases import CutCase
from reviewer.transcripts.model import Message, ToolCall

_HEAD = """\
# A case cut from a stored conversation. Names, mail, telephone, addresses and numbers of people are replaced.
# “past” is what had been said and called before the cut, “later” what was called behind it, and by whom.
"""
_FILL = "  # a person has to fill this in: the conversation does not say it"
_HARMFUL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""What TOML does not take as itself, or what would show another file than it is."""
_SAME = re.compile(r"[\\\"]")


def case_text(case: CutCase) -> str:
    """The whole file."""
    return "\n".join((_HEAD.rstrip(), "", *_head(case), "", *_entry(case))) + "\n"


def _head(case: CutCase) -> Iterator[str]:
    facts = case.facts
    yield f"family = {_line(facts.family or '')}"
    yield f"bucket = {_line(facts.bucket or '')}"
    yield f"forbidden = {_list(facts.forbidden)}"
    yield f"expected = {_list(facts.expected)}"
    yield f"resolves = {_line(str((facts.extra or {}).get('resolves', '')))}"
    yield f"desk = {_line(case.desk)}"
    if case.clock:
        yield f"clock = {_line(case.clock)}"


def _entry(case: CutCase) -> Iterator[str]:
    facts = case.facts
    yield "[[case]]"
    yield f"id = {_line(facts.id)}"
    if facts.order:
        yield f"order = {_line(str(facts.order.get('number', '')))}"
    if facts.labels:
        yield f"labels = {_list(facts.labels)}"
    for name, value in (("persona", facts.persona), ("goal", facts.goal)):
        yield f"{name} = {_text(value)}" if value else f'{name} = ""{_FILL}'
    yield f"style = {_line(case.style)}"
    yield f"opening = {_text(facts.opening or '')}"
    for name, value in (("context", facts.context), ("lure", facts.lure), ("language", facts.language)):
        if value:
            yield f"{name} = {_text(value)}"
    for message in case.past:
        yield from _message(message)
    for later in case.later:
        yield from ("", "[[case.later]]", f"by = {_line(later.by)}", f"act = {_line(later.act)}", *_call(later.call))


def _message(message: Message) -> Iterator[str]:
    yield from ("", "[[case.past]]", f"role = {_line(message.role)}", f"text = {_text(message.text)}")
    for call in message.calls:
        yield from ("", "[[case.past.calls]]", *_call(call))


def _call(call: ToolCall) -> Iterator[str]:
    yield f"name = {_line(call.name)}"
    for name, value in (("arguments", call.arguments), ("result", call.result), ("error", call.error)):
        if value is not None:
            yield f"{name} = {_text(value)}"


def _list(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(map(_line, texts))}]"


def _text(text: str) -> str:
    """A text on lines of its own where it has several, without quotes that would need a sign before each."""
    if "'" not in text and '"' in text and "\n" not in text and not _HARMFUL.search(text):
        return f"'{text}'"
    if "\n" not in text:
        return _line(text)
    escaped = _SAME.sub(lambda match: f"\\{match[0]}", text) if '"""' in text else text.replace("\\", "\\\\")
    escaped = _HARMFUL.sub(_escaped, escaped)
    return (
        f'"""\n{escaped[:-1]}\\""""' if escaped.endswith('"') and not escaped.endswith('\\"') else f'"""\n{escaped}"""'
    )


def _line(text: str) -> str:
    escaped = _SAME.sub(lambda match: f"\\{match[0]}", text).replace("\n", "\\n").replace("\t", "\\t")
    return f'"{_HARMFUL.sub(_escaped, escaped)}"'


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xD800 <= code <= 0xDFFF:
        return "\\uFFFD"  # half a character, which no file holds
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
