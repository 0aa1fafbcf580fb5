"""What a desk's tools mean: which read, which write and what kind of act that is, which hand over to a person.

Owns `desk.toml`: reading it, checking it with the line in the error, and making it self-contained (the policy beside
it goes into the text that a store keeps). Classes are derived from that text whenever a conversation is read; nothing
here looks at a conversation.

    name = "northline"              title = "Northline travel goods"
    confirm = true                  # the customer must say yes before a write; leave it out where nobody said
    clock = "2026-06-29"            # the desk's today
    policy_file = "policy.md"       # in the desk's folder; or `policy = '''...'''`
    private_hosts = ["..."]         # hosts whose links no customer should be given
    refusals = ["Not allowed"]      # how results begin with which the tools refuse, besides the usual errors

    [tools]
    lookup_order = { class = "read", order = "order_number" }
    cancel_order = { class = "cancel", order = "order_number", compare = ["order_number"] }
    handover = { class = "handover" }
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from reviewer.basics import toml
from reviewer.basics.errors import DeskError
from reviewer.basics.resources import data_dir
from reviewer.basics.values import dataclass

Kind = Literal["read", "write", "handover", "?"]

_KEYS = {
    "name": str,
    "title": str,
    "confirm": bool,
    "clock": str,
    "policy": str,
    "policy_file": str,
    "private_hosts": list,
    "refusals": list,
    "tools": dict,
}
_WORDS = {str: "text in quotes", bool: "true or false", list: "a list", dict: "a table"}
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
"""What TOML takes in a text only as an escape."""
_CLASS = re.compile(r"[a-z][a-z0-9-]*")


class Tool(NamedTuple):
    """One tool: its class (`read`, `handover`, or the kind of act it is) and the argument that names the order."""

    name: str
    act: str
    order: str | None = None
    compare: tuple[str, ...] | None = None
    """The arguments in which two runs must agree to have done the same; None for all but free text."""


@dataclass(frozen=True, slots=True)
class Desk:
    """A desk as its file describes it; `text` is the whole file with the policy in it."""

    name: str
    title: str
    tools: Mapping[str, Tool] = field(hash=False)
    policy: str = ""
    confirm: bool | None = None
    clock: str | None = None
    private_hosts: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    """How results begin with which the tools refuse, besides what is recognised everywhere."""
    text: str = ""

    @property
    def hash(self) -> str:
        """The SHA-256 of its text, by which stores know it."""
        import hashlib  # only imports and changes ask for it

        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    def kind(self, tool_name: str) -> Kind:
        """Say if the tool reads, writes or hands over; `?` when the desk does not name it."""
        tool = self.tools.get(tool_name)
        if tool is None:
            return "?"
        if tool.act == "read":
            return "read"
        return "handover" if tool.act == "handover" else "write"

    def act(self, tool_name: str) -> str | None:
        """The write class (`cancel`) or `handover`; None for reads and for tools the desk does not name."""
        tool = self.tools.get(tool_name)
        return None if tool is None or tool.act == "read" else tool.act

    def order_argument(self, tool_name: str) -> str | None:
        """The argument of this tool that names the order, if the desk says so."""
        tool = self.tools.get(tool_name)
        return tool.order if tool else None

    def compared(self, tool_name: str) -> tuple[str, ...] | None:
        """The arguments of this tool that the desk lists in `compare`; None where it lists none."""
        tool = self.tools.get(tool_name)
        return tool.compare if tool else None

    @property
    def hands_over(self) -> bool:
        """True if it has a tool that hands over to a person."""
        return any(tool.act == "handover" for tool in self.tools.values())

    @property
    def write_classes(self) -> frozenset[str]:
        """Every kind of write this desk can do."""
        return frozenset(tool.act for tool in self.tools.values() if tool.act not in ("read", "handover"))


NONE = Desk("none", "No desk", MappingProxyType({}))
"""A desk that classes nothing: for stores whose tools nobody has described."""


@cache
def parse(text: str, where: str = "desk.toml") -> Desk:
    """Read a self-contained desk; `where` is what errors call it."""
    table = _checked(text, where)
    if "policy_file" in table:
        raise _wrong(text, where, "policy_file", "its policy stands in another file", "Name the desk by its path.")
    return Desk(
        name=table["name"],
        title=table.get("title", table["name"]),
        tools=MappingProxyType(_tools(table.get("tools", {}), text, where)),
        policy=table.get("policy", ""),
        confirm=table.get("confirm"),
        clock=table.get("clock"),
        private_hosts=tuple(table.get("private_hosts", ())),
        refusals=_texts(table.get("refusals", []), "refusals", text, where),
        text=text,
    )


def kept(text: str | None) -> Desk:
    """The desk from the text that a store keeps for a conversation; an empty desk if it has none or cannot be read."""
    try:
        return parse(text, "the desk of the store") if text else NONE
    except DeskError:
        return NONE  # the store's own check says what is wrong with it; here nothing is classed


def load(name_or_path: str) -> Desk:
    """The desk of that name among the shipped ones, else the one in that file."""
    if name_or_path in shipped():
        return _shipped(name_or_path)
    path = Path(name_or_path)
    if path.is_dir():
        path /= "desk.toml"
    if not path.exists():
        raise DeskError(
            f"There is no desk “{name_or_path}”.", f"Shipped desks: {', '.join(shipped())}; or name a desk.toml file."
        )
    return _from_file(path)


@cache
def shipped() -> list[str]:
    """Names of the desks that come with the program."""
    return sorted(path.parent.name for path in data_dir().glob("*/desk.toml"))


def recognised(tool_names: Iterable[str]) -> str | None:
    """The shipped desk that knows most of these tools (at least two, and half of them); None if no desk stands out."""
    names = frozenset(tool_names)
    known = sorted(((len(names & _shipped(desk).tools.keys()), desk) for desk in shipped()), reverse=True)
    if not known or known[0][0] < 2 or 2 * known[0][0] < len(names):
        return None
    tied = len(known) > 1 and known[1][0] == known[0][0]
    return None if tied else known[0][1]


@cache
def _shipped(name: str) -> Desk:
    return _from_file(data_dir() / name / "desk.toml")


def _from_file(path: Path) -> Desk:
    text, where = _read(path), str(path)
    table = _checked(text, where)
    if "policy_file" not in table:
        return parse(text, where)
    _tools(table.get("tools", {}), text, where)  # while lines still count as they do in the file
    if "policy" in table:
        raise _wrong(text, where, "policy_file", "there is a `policy` as well", "Keep one of the two.")
    beside = path.parent / table["policy_file"]
    if not beside.is_file():
        raise _wrong(text, where, "policy_file", f"there is no {beside}", "Write it, or take the line out.")
    if not beside.resolve().is_relative_to(path.parent.resolve()):
        raise _wrong(text, where, "policy_file", f"{beside} is outside the desk's folder", "Put the policy into it.")
    return parse(_inlined(text, _read(beside)), where)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DeskError(f"{path} is not UTF-8 at byte {error.start}.", "Save it as UTF-8.") from None
    except OSError as error:
        raise DeskError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error


def _inlined(text: str, policy: str) -> str:
    escaped = policy.replace("\\", "\\\\").replace('"""', '""\\"')
    escaped = _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", escaped)
    block = f'policy = """\n{escaped}"""'
    return re.sub(r"(?m)^[ \t]*policy_file[ \t]*=.*$", lambda _: block, text, count=1)


def _checked(text: str, where: str) -> dict[str, Any]:
    try:
        table = toml.table_of(text)
    except toml.NotTomlError as error:
        place = f"{where}, line {error.line}" if error.line else where
        raise DeskError(f"{place}: {error.reason}.", "Desk files are TOML.") from None
    for key, value in table.items():
        if key not in _KEYS:
            raise _wrong(text, where, key, f"“{key}” is nothing a desk has", f"It may have: {', '.join(_KEYS)}.")
        if not isinstance(value, _KEYS[key]):
            raise _wrong(text, where, key, f"“{key}” must be {_WORDS[_KEYS[key]]}")
    if not table.get("name"):
        raise DeskError(f"{where}: the desk has no name.", 'Put name = "..." on its first line.')
    return table


def _tools(table: dict[str, Any], text: str, where: str) -> dict[str, Tool]:
    return {name: _tool(name, entry, text, where) for name, entry in table.items()}


def _tool(name: str, entry: Any, text: str, where: str) -> Tool:
    hint = 'Write it as: NAME = { class = "cancel", order = "order_id", compare = ["order_id", "items"] }.'
    if not isinstance(entry, dict) or not isinstance(entry.get("class"), str):
        raise _wrong(text, where, name, f"the tool “{name}” has no class", hint)
    if not _CLASS.fullmatch(entry["class"]):
        reason = f"the class “{entry['class']}” of the tool “{name}” is not a word of small letters and dashes"
        raise _wrong(text, where, name, reason, "Classes are read, handover, or an act such as cancel.")
    if extra := sorted(entry.keys() - {"class", "order", "compare"}):
        raise _wrong(text, where, name, f"the tool “{name}” has “{extra[0]}”, which means nothing", hint)
    order = entry.get("order")
    if order is not None and not isinstance(order, str):
        raise _wrong(text, where, name, f"the order argument of the tool “{name}” must be text in quotes", hint)
    if (compare := entry.get("compare")) is None:
        return Tool(name, entry["class"], order)
    if not isinstance(compare, list):
        raise _wrong(text, where, name, f"`compare` of the tool “{name}” must be a list of arguments", hint)
    return Tool(name, entry["class"], order, _texts(compare, name, text, where))


def _texts(values: list[Any], key: str, text: str, where: str) -> tuple[str, ...]:
    if not all(isinstance(each, str) and each.strip() for each in values):
        raise _wrong(text, where, key, f"the list of “{key}” must hold texts in quotes and no empty ones")
    return tuple(values)


def _wrong(text: str, where: str, key: str, reason: str, hint: str = "") -> DeskError:
    """A `DeskError` that says on which line the key (or the table of that name) is."""
    quoted = rf"[\"']?{re.escape(key)}[\"']?"
    match = re.search(rf"(?m)^[ \t]*(?:{quoted}[ \t]*[.=]|\[[^\]\n]*\b{quoted}[ \t]*[.\]])", text)
    line = f", line {text.count(chr(10), 0, match.start()) + 1}" if match else ""
    return DeskError(f"{where}{line}: {reason}.", hint)
