"""Saying in a desk's text what a tool is, with everything else in it left as it is. Pure; text in, text out.

Owns changing the one line that is meant. The edited text is read again, and an edit that came to anything else than
that tool's class is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from reviewer import desk
from reviewer.desk import Desk, Tool
from reviewer.desk.sketch import key, quoted
from reviewer.errors import DeskError

NOTHING = "?"
"""The class that takes a tool out of the desk."""


def classed(text: str, tool: str, act: str, name: str) -> Desk:
    """The desk's text with a tool given this class; `name` is for a desk that did not exist before."""
    text = text or f"name = {quoted(name)}\n\n[tools]\n"
    before = desk.parse(text, "the desk of the store")
    wanted = {each: entry for each, entry in before.tools.items() if each != tool}
    if act != NOTHING:
        old = before.tools.get(tool)
        wanted[tool] = old._replace(act=act) if old else Tool(tool, act)
    for edited in (text, *_edits(text, tool, act)):
        try:
            after = desk.parse(edited)
        except DeskError:
            continue
        if after == replace(before, tools=wanted, text=after.text, hash=after.hash):
            return after
    _check(tool, act)
    hint = "Correct its file, then: reviewer attach STORE desk.toml --as desk."
    raise DeskError(f"The desk names {tool} in a way that only a person can edit.", hint)


def _check(tool: str, act: str) -> None:
    """Raise the desk's own error if the class is not valid."""
    desk.parse(f'name = "x"\n[tools]\n{key(tool)} = {{ class = {quoted(act)} }}\n', "the desk of the store")


def _edits(text: str, tool: str, act: str) -> Iterator[str]:
    """Candidate edits of the text; not each one works, since a policy may hold lines that look like a tool's."""
    written = "|".join({re.escape(key(tool)), re.escape(tool), re.escape(f"'{tool}'"), re.escape(json.dumps(tool))})
    inline = rf"(?m)^[ \t]*(?:{written})[ \t]*=[ \t]*\{{[^\n]*(?:\n|\Z)"
    table = rf"(?m)^[ \t]*\[tools\.(?:{written})\][ \t]*\n(?:(?![ \t]*\[)[^\n]*(?:\n|\Z))*"
    value = r"(\bclass[ \t]*=[ \t]*)(?:\"[^\"\n]*\"|'[^'\n]*')"
    for match in (*re.finditer(inline, text), *re.finditer(table, text)):
        old = match[0]
        new = "" if act == NOTHING else re.sub(value, lambda at: f'{at[1]}"{act}"', old, count=1)
        yield text[: match.start()] + new + text[match.end() :]
    if act != NOTHING:
        line = f'{key(tool)} = {{ class = "{act}" }}\n'
        for header in re.finditer(r"(?m)^[ \t]*\[tools\][^\n]*(?:\n|\Z)", text):
            yield text[: header.end()] + ("" if header[0].endswith("\n") else "\n") + line + text[header.end() :]
        yield f'{text.rstrip()}\n\n[tools.{key(tool)}]\nclass = "{act}"\n'
