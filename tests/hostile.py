"""Texts that attack: a log, a desk, a codebook and journals that hold them in every place."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from reviewer.transcripts.conversation_json import as_object
from reviewer.transcripts.model import Case, Conversation, Message, Score, ToolCall
from tests import builders
from tests.builders import agent, call, customer, stored

EVIL = (
    "\x1b]0;PWNED\x07\x1b[31mred\x1b[2J\x1b[?1049l\x1bP1$rPWNED\x1b\\\x1b]52;c;UFdORUQ=\x07\x1b]8;;http://pwned/\x1b\\"
    "\x9b31mc1\x9d0;PWNED\x9c\x07\x08\x0e\x0f\x05\x00\x7f\x85\u2028\u202etxet\u202c\u2066i\u2069\u200b\ufeff\U000e0041"
    "\r\n[/foo] [@click=app.quit]x[/] [link=http://pwned]y[/link] [bold]z</think>\t=1+1 Z" + "\u0315" * 60 + " \ud800"
)
"""Escape sequences of every family, controls, bidi, what shows nothing, markup, marks in a pile, half a character."""
NAME = EVIL.replace("\n", "")
INNOCENT, PLAIN = "A plain text, foo [x].\nIt goes on.", "plain-name"
HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff\ud800-\udfff]"
)
"""What no terminal should be given to print."""


def told(text: str) -> str:
    """The text as a file can hold it: without halves of characters."""
    return text.encode("utf-8", "replace").decode()


def reviewer(name: str) -> str:
    """A name that can stand on a command line."""
    return told(name).replace("\x00", "")[:30]


def quoted(text: str) -> str:
    """A TOML string of it, without what no TOML file can hold."""
    return json.dumps(told(text).replace("\x7f", ""), ensure_ascii=False)


def conversations(evil: str, name: str) -> tuple[Conversation, ...]:
    """One with a text in every place and a name in every name, one without messages, one that is nearly harmless."""
    packed = json.dumps({name: evil, "list": [evil, {"deep": evil}]})
    calls = (
        ToolCall(name, packed, packed, None, name),
        ToolCall("get_order", packed.replace('"', ""), evil, evil),
        ToolCall(evil, evil),
        call("cancel_order", '{"order_id":' + json.dumps(name) + "}", json.dumps(evil)),
    )
    messages = (
        Message("system", evil, source_role=name, name=name, at=name),
        customer(f"{evil} It was cancelled. {evil}"),
        agent(evil, *calls, reasoning=evil),
        replace(customer(""), name=name),
        agent("", reasoning=evil),
        agent(f"long {evil}\n" * 40),
    )
    facts = Case(
        name, name, name, name, (name,), name, (name,), {name: evil, "n": [evil]}, evil, evil, (name,), name, evil, evil
    )
    scores = (Score(name, 0.5, name, evil), Score(name, None, name, evil, name))
    told_of = (name, name, name, name, name, evil)
    meta = {name: evil, "o": {name: evil}}
    first = Conversation(name, messages, name, 1, *told_of, scores, meta, {name: evil}, facts)
    empty = Conversation(name, (), f"{name}2", 1, error=evil)
    plain = builders.conversation(
        customer("Hello."), agent("Delivered\u200b yest\x1berday, surely. Yes."), case="plain"
    )
    return first, empty, plain


def conversation() -> Conversation:
    """One for a store that is built, not imported: the worst of the above, a long line, and words to select."""
    evil, name = told(EVIL), told(NAME)
    first, *_ = conversations(evil, name)
    begin = customer(f"Before {evil} after the removed. It was delivered yesterday.")
    return replace(first, messages=(begin, *first.messages[1:], Message("other", "x" * 1_000_000), agent("The end.")))


def log(folder: Path, evil: str, name: str) -> tuple[Path, Path]:
    """A log, whose own name is as bad as what is in it, and a desk for it."""
    path = folder / f"{told(name)[:40].replace('/', '|').replace(chr(0), '')}.jsonl"
    made = [as_object(replace(stored(), conversation=each)) for each in conversations(evil, name)]
    kept = ({key: value for key, value in each.items() if key not in ("ref", "digest", "source")} for each in made)
    path.write_text("".join(json.dumps(each) + "\n" for each in kept), encoding="utf-8")
    desk, word = folder / "desk.toml", quoted(name)
    tools = f"cancel_order = {{ class = 'cancel' }}\n{word} = {{ class = 'read', order = {word} }}\n"
    desk.write_text(f"name = {word}\ntitle = {word}\n[tools]\n{tools}", encoding="utf-8")
    return path, desk


def journals(folder: Path, evil: str, name: str) -> Path:
    """A codebook, a colleague's journal and an older one of the reviewer's own, with the same texts."""
    where = folder / "annotations"
    where.mkdir()
    word = quoted(name)
    texts = "".join(
        f"{field} = {word}\n" for field in ("title", "definition", "counts", "not_counts", "layer", "proof")
    )
    (where / "codebook.toml").write_text(
        f"title = {word}\n[modes.odd]\n{texts}key = 1\n"
        "[modes.even]\ntitle = 'Even'\nkey = 2\n[modes.third]\ntitle = 'Third'\nkey = 3\n",
        encoding="utf-8",
    )
    place = "kimi/plain/1#2"
    words = [{"ref": f"{place}:0-5", "digest": evil, "message": evil, "prefix": evil, "quote": "Deliv", "after": evil}]
    whole = [{"ref": place, "digest": evil}]
    lines = [
        _line(name, name, evil, 1, place, code=name, pieces=words, note=evil, clause=evil, stance="clear", cause=name),
        _line(name, name, evil, 2, place, code="odd", pieces=whole, note=evil, evidence=[evil]),
        _line(name, name, evil, 3, place, do=name),
        _line(name, name, evil, 4, place, do="verdict", verdict=name),
        told(evil).replace("\n", " ") + "\n",
    ]
    (where / "other.jsonl").write_text("".join(lines), encoding="utf-8")
    own = _line(reviewer(name), name, evil, 5, place, code="third", pieces=whole, note=evil, clause=evil)
    (where / "own.jsonl").write_text(own, encoding="utf-8")
    return where


def _line(by: str, name: str, evil: str, number: int, ref: str, **fields: object) -> str:
    """A line of a journal."""
    identifier = f"01M7QB50VMHEV3F3S108QAW7A{number}"
    base = {"id": identifier, "at": name, "by": by, "do": "tag", "ref": ref, "digest": evil, "store": name}
    return json.dumps({**base, **fields}) + "\n"
