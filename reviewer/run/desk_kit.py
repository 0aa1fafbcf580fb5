"""Northline's tools as Inspect takes them: the same schemas, and the same answers as in the sample.

They keep nothing: a lookup after a cancellation says what it said before, as the benchmark's server does. No
answer is cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspect_ai.tool import ToolDef, ToolParams

from reviewer.northline.desk_tools import SCHEMAS, answered


def desk_tools() -> list[ToolDef]:
    """Every tool of the desk, to be given to an agent."""
    return [_tool(schema) for schema in SCHEMAS]


def _tool(schema: Mapping[str, Any]) -> ToolDef:
    name = schema["name"]

    async def execute(**arguments: Any) -> str:
        return answered(name, arguments).result

    return ToolDef(execute, name, schema["description"], ToolParams.model_validate(schema["parameters"]), max_output=0)
