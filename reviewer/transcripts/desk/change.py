"""Saying in a desk's text what a tool is, with everything else in it left as it is. Pure; text in, text out.

tomlkit writes the change and keeps comments, order and blank lines. The edited text is read again, so that a class
that cannot be is refused with the desk's own sentence.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reviewer.basics import toml
from reviewer.basics.errors import DeskError
from reviewer.transcripts import desk
from reviewer.transcripts.desk import Desk, Tool

NOTHING = "?"
"""The class that takes a tool out of the desk."""
_WHERE = "the desk of the store"


def classed(text: str, tool: str, act: str, name: str) -> Desk:
    """The desk with a tool classed so; `name` is what a desk is called that there was not yet."""
    import tomlkit

    text = text or tomlkit.dumps({"name": name, "tools": {}})
    before = desk.parse(text, _WHERE)
    old = before.tools.get(tool)
    if act == (old.act if old else NOTHING):
        return before
    after = desk.parse(_edited(text, tool, act), _WHERE)
    wanted = {each: entry for each, entry in before.tools.items() if each != tool}
    if act != NOTHING:
        wanted[tool] = old._replace(act=act) if old else Tool(tool, act)
    if after != replace(before, tools=wanted, text=after.text):
        raise _by_hand(tool)
    return after


def _edited(text: str, tool: str, act: str) -> str:
    import tomlkit

    document = toml.document_of(text)
    if document is None:
        raise _by_hand(tool)
    tools: Any = document.setdefault("tools", tomlkit.table())
    if act == NOTHING:
        del tools[tool]
    elif tool in tools:
        tools[tool]["class"] = act
    else:
        tools[tool] = tomlkit.value(f"{{ class = {tomlkit.item(act).as_string()} }}")
    return document.as_string()


def _by_hand(tool: str) -> DeskError:
    hint = "Correct its file, then: reviewer attach STORE desk.toml --as desk."
    return DeskError(f"The desk names {tool} in a way that only a person can edit.", hint)
