"""Northline's tools as Inspect takes them: the same schemas, and the same answers as in the sample.

They keep nothing: a lookup after a cancellation says what it said before, as the benchmark's server does. No
answer is cut. Where a stored conversation is played on, what was answered in it is answered again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspect_ai.tool import ToolDef, ToolParams

from reviewer.northline.desk_tools import SCHEMAS, answered
from reviewer.run.recorded_answers import RecordedAnswers


def desk_tools(recorded: RecordedAnswers | None = None) -> list[ToolDef]:
    """Every tool of the desk, to be given to an agent."""
    return [_tool(schema, recorded) for schema in SCHEMAS]


def _tool(schema: Mapping[str, Any], recorded: RecordedAnswers | None) -> ToolDef:
    name = schema["name"]

    async def execute(**arguments: Any) -> str:
        told = recorded.answer(name, arguments) if recorded else None
        return answered(name, arguments).result if told is None else told

    return ToolDef(execute, name, schema["description"], ToolParams.model_validate(schema["parameters"]), max_output=0)
