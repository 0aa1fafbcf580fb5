"""Cases that go on from a past: one a file, in the form of the sample's cases and with what stood before the cut.

Owns the value and how its file is read. A file that cannot be played is refused in a sentence that names it and what
is missing. How such a file comes to be is the business of `reviewer.benchmark.cuts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.basics import toml
from reviewer.basics.errors import SourceError
from reviewer.benchmark.northline.cases import SampleCase
from reviewer.transcripts.model import BUCKETS, ROLES, Case, Message, Role, ToolCall


class LaterCall(NamedTuple):
    """A call that somebody made behind the cut."""

    by: Role
    act: str
    """The write class or `handover`; `read` and `?` for what is no act."""
    call: ToolCall
    place: str = ""
    """Where it stands in the conversation that it was cut from, as in `#7.1`; files do not say it."""

    @property
    def is_act(self) -> bool:
        """True for a write or a handover."""
        return self.act not in ("read", "?")


@dataclass(frozen=True)
class CutCase(SampleCase):
    """A case that begins in the middle: what was said before, and what was called later."""

    desk: str
    past: tuple[Message, ...]
    later: tuple[LaterCall, ...] = ()
    clock: str | None = None

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """Every call of the conversation that it was cut from."""
        return (*(call for message in self.past for call in message.calls), *(each.call for each in self.later))


def cut_cases(folder: Path) -> tuple[CutCase, ...]:
    """The cases of a folder, a file each, in the order of the files' names."""
    if not folder.is_dir():
        raise SourceError(f"{folder} is no folder.", "Name the one that reviewer cases -o wrote into.")
    paths = sorted(path for path in folder.glob("*.toml") if not path.name.startswith("."))
    if not paths:
        raise SourceError(f"{folder} has no case in it.", "reviewer cases STORE --cut handover -o DIR writes some.")
    read = [case for path in paths for case in cases_in(path)]
    if twice := [name for name, count in Counter(case.id for case in read).items() if count > 1]:
        raise SourceError(f"{folder}: “{twice[0]}” stands there twice.", "A case has a name of its own.")
    return tuple(read)


def check_playable(cases: Sequence[CutCase], desk: str) -> None:
    """Refuse cases of another desk, and those in which a person still has to say who the customer is."""
    for case in cases:
        if case.desk != desk:
            raise SourceError(
                f"“{case.id}” is a case of the desk {case.desk}, not of {desk}.", "Put the cases of a desk in a folder."
            )
        facts = case.facts
        if absent := [name for name in ("persona", "goal") if not (getattr(facts, name) or "").strip()]:
            raise SourceError(
                f"“{case.id}” cannot be played: {' and '.join(f'“{name}”' for name in absent)}"
                f" {'is' if len(absent) == 1 else 'are'} empty.",
                "The conversation does not say it: read the past in the file, and fill it in.",
            )


def cases_in(path: Path) -> list[CutCase]:
    """The cases of one file; what cannot be read is said with the file, the entry and what is wrong."""
    try:
        table = toml.table_of(path.read_text(encoding="utf-8"))
    except (toml.NotTomlError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read as TOML: {error}.", "Mend it, or take the file away.") from error
    entries = table.get("case")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise SourceError(f"{path} has no [[case]].", "Add one, or take the file away.")
    shared = {key: value for key, value in table.items() if key != "case"}
    return [_case({**shared, **entry}, f"{path}, entry {at}") for at, entry in enumerate(entries, start=1)]


def _case(entry: Mapping[str, Any], where: str) -> CutCase:
    def text(name: str) -> str:
        return _text(entry, name, where)

    def maybe(name: str) -> str | None:
        return _text(entry, name, where, "") or None

    if text("bucket") not in BUCKETS:
        raise _wrong(where, f"the bucket “{text('bucket')}” is none of {', '.join(BUCKETS)}")
    order = maybe("order")
    facts = Case(
        id=text("id"),
        suite="cut",
        family=text("family"),
        bucket=text("bucket"),
        forbidden=_list(entry, "forbidden", where),
        lure=maybe("lure"),
        labels=_list(entry, "labels", where),
        order={"number": order} if order else None,
        persona=maybe("persona"),
        goal=maybe("goal"),
        expected=_list(entry, "expected", where),
        language=maybe("language"),
        opening=text("opening"),
        context=maybe("context"),
        extra={"resolves": text("resolves")},
    )
    past = tuple(_message(each, f"{where}, past {at}") for at, each in _numbered(entry, "past", where))
    if not past or past[-1].role == "system" or (past[-1].role == "agent" and not past[-1].calls):
        raise _wrong(where, "“past” does not end with words or a result that the agent has to answer")
    later = tuple(_later(each, f"{where}, later {at}") for at, each in _numbered(entry, "later", where))
    return CutCase(facts, None, text("style"), {}, text("desk"), past, later, maybe("clock"))


def _message(entry: Mapping[str, Any], where: str) -> Message:
    role = _role(entry, "role", where)
    calls = tuple(_call(each, f"{where}, call {at}") for at, each in _numbered(entry, "calls", where))
    return Message(role, _text(entry, "text", where, ""), calls=calls)


def _later(entry: Mapping[str, Any], where: str) -> LaterCall:
    return LaterCall(_role(entry, "by", where), _text(entry, "act", where), _call(entry, where))


def _call(entry: Mapping[str, Any], where: str) -> ToolCall:
    arguments, result, error = (
        _text(entry, name, where) if name in entry else None for name in ("arguments", "result", "error")
    )
    return ToolCall(_text(entry, "name", where), arguments, result, error)


def _role(entry: Mapping[str, Any], name: str, where: str) -> Role:
    told = _text(entry, name, where)
    role = next((each for each in ROLES if each == told), None)
    if role is None:
        raise _wrong(where, f"“{name}” is “{told}”, and none of {', '.join(ROLES)}")
    return role


def _text(entry: Mapping[str, Any], name: str, where: str, default: str | None = None) -> str:
    value = entry.get(name, default)
    if value is None:
        raise _wrong(where, f"“{name}” is missing")
    if not isinstance(value, str):
        raise _wrong(where, f"“{name}” is no text in quotes")
    return value


def _list(entry: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    value = entry.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _wrong(where, f"“{name}” is no list of texts in quotes")
    return tuple(value)


def _numbered(entry: Mapping[str, Any], name: str, where: str) -> Sequence[tuple[int, Mapping[str, Any]]]:
    value = entry.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise _wrong(where, f"“{name}” is no list of tables")
    return list(enumerate(value, start=1))


def _wrong(where: str, what: str) -> SourceError:
    return SourceError(f"{where}: {what}.", "Files that reviewer cases wrote show how it is written.")
