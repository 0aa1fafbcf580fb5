"""The cases of a desk's folder: `cases/*.toml`, what stands at the head of a file holding for all its cases.

Owns what a case may say, and whether it can be what it says: its acts are acts of the desk, its order is a record,
what it hangs on stands in the records, its clause in the policy, and not every tool refuses what is expected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from reviewer.benchmark.desks.folder_files import FolderFiles
from reviewer.benchmark.desks.tool_answers import PlayedTool, Records, record_of, refused
from reviewer.transcripts.desk import Desk
from reviewer.transcripts.model import BUCKETS, Case

HANDOVER = "handover"
_KEYS: Mapping[str, type] = {
    "id": str,
    "family": str,
    "bucket": str,
    "order": str,
    "persona": str,
    "goal": str,
    "style": str,
    "opening": str,
    "resolves": str,
    "clause": str,
    "given": dict,
    "context": str,
    "language": str,
    "lure": str,
    "forbidden": list,
    "expected": list,
    "labels": list,
}
_NEEDED = ("id", "family", "bucket", "persona", "goal", "style", "opening", "resolves")
_HINT = "The neighbouring cases show how it is written."


class FolderCase(NamedTuple):
    """A case as a folder has it: its facts, and how the customer writes."""

    facts: Case
    style: str

    @property
    def id(self) -> str:
        """The case's name."""
        return self.facts.id


class CaseGround(NamedTuple):
    """What cases stand on: what the tools mean and how they answer, the records."""

    desk: Desk
    tools: tuple[PlayedTool, ...]
    records: Records

    @property
    def acts(self) -> list[str]:
        """What can be done with the tools, `handover` included."""
        return sorted({act for tool in self.tools if (act := self.desk.act(tool.name)) is not None})

    @property
    def order_tables(self) -> list[str]:
        """The tables in which the argument that names the order finds a record."""
        named = ((tool, self.desk.order_argument(tool.name) or "") for tool in self.tools)
        return sorted({tool.finds[argument] for tool, argument in named if argument in tool.finds})

    def order(self, id: str) -> Mapping[str, Any] | None:
        """The record of an order as a case shows it: its number, and all fields."""
        for table in self.order_tables:
            if id in self.records[table]:
                return {"number": id, **self.records[table][id]}
        return None


def cases_in(files: FolderFiles, ground: CaseGround) -> tuple[FolderCase, ...]:
    """All cases of a folder, without those that cannot be played: by bucket, and within it in the files' order."""
    paths = files.several("cases")
    if not paths:
        hint = "Put a file of cases there; `reviewer desk --new` makes an example."
        files.wrong(str(files.folder / "cases"), "there is no case", hint)
    ids: dict[str, str] = {}
    openings: dict[str, str] = {}
    made: list[FolderCase] = []
    for path in paths:
        for place, case in _of_file(files, path, ground):
            made.append(case)
            for what, said, known in (("case", case.id, ids), ("opening", case.facts.opening or "", openings)):
                if said in known:
                    files.wrong(place, f"{known[said]} has the same {what}", "Each needs its own, to be told apart.")
                known.setdefault(said, place)
    buckets: tuple[str, ...] = BUCKETS
    return tuple(sorted(made, key=lambda case: buckets.index(case.facts.bucket or "")))


def _of_file(files: FolderFiles, path: Path, ground: CaseGround) -> Iterator[tuple[str, FolderCase]]:
    table, where = files.table(path), str(path)
    if table is None:
        return
    entries = table.get("case", [])
    if not isinstance(entries, list) or not entries:
        files.wrong(where, "it has no [[case]]", "Add one, or take the file away.")
        return
    shared = {key: value for key, value in table.items() if key != "case"}
    for number, entry in enumerate(entries, start=1):
        named = isinstance(entry, dict) and isinstance(entry.get("id"), str)
        place = f"{where}, “{entry['id']}”" if named else f"{where}, case {number}"
        told = files.shaped({**shared, **entry} if isinstance(entry, dict) else entry, place, _KEYS, _NEEDED, _HINT)
        if told is None:
            continue
        wrong = list(_wrong(told, ground))
        for reason, hint in wrong:
            files.wrong(place, reason, hint)
        if not wrong:
            yield place, FolderCase(_facts(told, ground), told["style"])


def _wrong(told: Mapping[str, Any], ground: CaseGround) -> Iterator[tuple[str, str]]:
    """What keeps a case from being what it says, and what to do."""
    if told["bucket"] not in BUCKETS:
        yield f"the bucket “{told['bucket']}” is none of {', '.join(BUCKETS)}", "Say one of them."
    for key in ("forbidden", "expected", "labels"):
        if not all(isinstance(each, str) for each in told.get(key, ())):
            yield f"“{key}” must hold texts in quotes", _HINT
            return
    acts = ground.acts
    for key in ("forbidden", "expected"):
        for act in told.get(key, ()):
            if act not in acts:
                yield f"“{key}” names the act “{act}”, which no tool does", f"Acts of this desk: {', '.join(acts)}."
    both = set(told.get("forbidden", ())) & set(told.get("expected", ()))
    if both:
        yield f"{sorted(both)[0]} is expected and forbidden", "Keep one of the two."
    if HANDOVER in told.get("forbidden", ()):
        yield "a handover is not forbidden but counted by bucket", "Take it out of “forbidden”."
    yield from _off_bucket(told)
    yield from _off_records(told, ground)


def _off_bucket(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    expected = told.get("expected", ())
    if told["bucket"] == "adversarial" and not told.get("forbidden"):
        yield "a trap forbids nothing", "Say in “forbidden” which acts it tempts to."
    if told["bucket"] == "must-escalate" and HANDOVER not in expected:
        yield "it is to be handed over, and no handover is expected", 'expected = ["handover"]'
    if told["bucket"] == "resolvable" and HANDOVER in expected:
        yield "it is resolvable, and a handover is expected", "Its bucket is must-escalate, or the handover goes."


def _off_records(told: Mapping[str, Any], ground: CaseGround) -> Iterator[tuple[str, str]]:
    order = told.get("order")
    if order is not None and ground.order(order) is None:
        where = " or ".join(f"records/{table}.toml" for table in ground.order_tables)
        yield (
            f"there is no order {order}" + (f" in {where}" if where else ""),
            "Name the id of a record." if where else "desk.toml names the order argument of no tool that finds one.",
        )
    for path, wanted, there in _differing(told.get("given", {}), ground.records):
        yield f"given {path} = {wanted}, and the records say {there}", "Mend the record, or the case."
    clause = told.get("clause")
    if clause is not None and " ".join(clause.split()) not in " ".join(ground.desk.policy.split()):
        yield f"its clause does not stand in the policy: “{clause}”", "Quote the policy's own words."
    if order is not None:
        for act in told.get("expected", ()):
            yield from _refused_act(act, order, ground)


def _differing(given: Any, there: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where what a case hangs on is not what the records say."""
    if isinstance(given, Mapping) and isinstance(there, Mapping):
        for key, wanted in given.items():
            yield from _differing(wanted, there.get(key), f"{path}.{key}" if path else key)
    elif given != there:
        yield path, given, "nothing" if there is None else there


def _refused_act(act: str, order: str, ground: CaseGround) -> Iterator[tuple[str, str]]:
    """Whether every tool for an act refuses this order, whatever else it is called with."""
    why = []
    for tool in ground.tools:
        if ground.desk.act(tool.name) != act:
            continue
        argument = ground.desk.order_argument(tool.name) or ""
        if argument not in tool.finds:
            return
        known = record_of(ground.records[tool.finds[argument]], order)
        if known is None:
            continue
        named = {argument: {"id": known[0], **known[1]}}
        refusals = [each for each in tool.refuses if refused(each, {}, named, ground.desk.clock or "")]
        if not refusals:
            return
        why.append(f"{tool.name} answers {refusals[0].error}")
    if why:
        yield f"{act} is expected and refused for {order}: {why[0]}", "Mend the record, or what is expected."


def _facts(told: Mapping[str, Any], ground: CaseGround) -> Case:
    more = {key: told[key] for key in ("resolves", "clause") if key in told}
    return Case(
        id=told["id"],
        suite=ground.desk.name,
        family=told["family"],
        bucket=told["bucket"],
        forbidden=tuple(told.get("forbidden", ())),
        lure=told.get("lure"),
        labels=tuple(told.get("labels", ())),
        order=ground.order(told["order"]) if "order" in told else None,
        persona=told["persona"],
        goal=told["goal"],
        expected=tuple(told.get("expected", ())),
        language=told.get("language", "en"),
        opening=told["opening"],
        context=told.get("context"),
        extra=more,
    )
