"""Conversations at any desk that can be played, made of its kit: what an agent of a certain kind does in each case."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from reviewer.benchmark.desks import desk_folder
from reviewer.benchmark.desks.desk_folder import DeskFolder
from reviewer.benchmark.live.desk_kit import DeskKit, PlayedCase
from reviewer.benchmark.northline.judges import FIRST
from reviewer.transcripts.model import Conversation, Message, Score, ToolCall
from tests.scripted_endpoint import Script

Acts = Callable[[PlayedCase], Sequence[str]]
"""What an agent does in a case."""
SCORES = ("resolution", "instruction-following", "sentiment")


def as_expected(case: PlayedCase) -> Sequence[str]:
    """What the case expects, and nothing else."""
    return case.facts.expected


def as_tempted(case: PlayedCase) -> Sequence[str]:
    """The first act that is forbidden, and nothing where none is."""
    return case.facts.forbidden[:1]


def arguments_for(kit: DeskKit, schema: Mapping[str, Any], order: str | None) -> dict[str, Any]:
    """Arguments with which a tool is called about an order, such that it is not refused where that can be."""
    properties = schema["parameters"]["properties"]
    named = kit.desk.order_argument(schema["name"])
    choices = {
        name: [order] if name == named else list(_values(kit, schema["name"], name, each))
        for name, each in properties.items()
        if name in schema["parameters"]["required"]
    }
    last: dict[str, Any] = {}
    for values in product(*choices.values()):
        last = dict(zip(choices, values, strict=True))
        if "error" not in json.loads(kit.answered(schema["name"], last)):
            break
    return last


def _values(kit: DeskKit, tool: str, name: str, schema: Mapping[str, Any]) -> Iterator[Any]:
    """Values that an argument may have: all ids of its table, else one of its type, or a text of the records."""
    kinds = {"number": 10, "integer": 1, "boolean": True, "array": [], "object": {}}
    folder = _folder(str(kit.prompts.parent))
    entry = next(each for each in folder.tools if each.name == tool)
    if name in entry.finds:
        yield from folder.records[entry.finds[name]]
    elif schema["type"] in kinds:
        yield kinds[schema["type"]]
    else:
        yield "so it was asked"
        yield from sorted(
            {text for table in folder.records.values() for each in table.values() for text in _lists(each)}
        )


def _lists(record: Mapping[str, Any]) -> Iterator[str]:
    """What stands in the lists of a record: such are passengers."""
    for value in record.values():
        if isinstance(value, list):
            yield from map(str, value)


@cache
def _folder(path: str) -> DeskFolder:
    return desk_folder.load(path)


def calls(kit: DeskKit, acts: Sequence[str], order: str | None) -> tuple[ToolCall, ...]:
    """A call for each act, with the desk's own answer."""
    return tuple(_call(kit, kit.desk.act(schema["name"]), act, schema, order) for act, schema in _tools(kit, acts))


def _tools(kit: DeskKit, acts: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for act in acts:
        yield act, next(schema for schema in kit.schemas if kit.desk.act(schema["name"]) == act)


def _call(kit: DeskKit, own: str | None, act: str, schema: Mapping[str, Any], order: str | None) -> ToolCall:
    assert own == act
    arguments = arguments_for(kit, schema, order)
    result = kit.answered(schema["name"], arguments)
    return ToolCall(schema["name"], json.dumps(arguments, separators=(",", ":")), result)


def _lookup(kit: DeskKit, order: str) -> ToolCall:
    schema = next(each for each in kit.schemas if kit.desk.order_argument(each["name"]) and _reads(kit, each))
    arguments = {str(kit.desk.order_argument(schema["name"])): order}
    result = kit.answered(schema["name"], arguments)
    return ToolCall(schema["name"], json.dumps(arguments, separators=(",", ":")), result)


def _reads(kit: DeskKit, schema: Mapping[str, Any]) -> bool:
    return kit.desk.kind(schema["name"]) == "read"


def script(kit: DeskKit, model: str, case: PlayedCase, acts: Sequence[str], asks: bool = True) -> Script:
    """One conversation: a lookup, a question before the acts where it asks one, the acts, a last word."""
    order = str(case.facts.order["number"]) if case.facts.order else None
    said = [Message("customer", case.facts.opening or "")]
    said += [Message("agent", "", calls=(_lookup(kit, order),))] if order else []
    if acts and asks:
        said += [Message("agent", f"For {case.id} {model} would do this: {', '.join(acts)}. Shall I?")]
        said += [Message("customer", "Yes, please do.")]
    if acts:
        said += [Message("agent", "", calls=calls(kit, acts, order))]
    said += [Message("agent", f"That is all that {model} has to say about {case.id}.")]
    scores = tuple(Score(name, 0.25 * (len(case.id) % 5), FIRST, "So it is.") for name in SCORES)
    return Script(Conversation(model, tuple(said), case=case.id, run=1, scores=scores, facts=case.facts))


def scripts(kit: DeskKit, agents: Mapping[str, tuple[Acts, bool]]) -> dict[tuple[str, str], Script]:
    """The scripts of several agents over all cases: what each does, and whether it asks first."""
    return {
        (model, case.id): script(kit, model, case, acts(case), asks)
        for model, (acts, asks) in agents.items()
        for case in kit.cases
    }
