"""A desk's tools as Inspect takes them: the schemas of its kit, and the answers.

They keep nothing: a lookup after a cancellation says what it said before, as the benchmark's server does. No
answer is cut. Where a stored conversation is played on, what was answered in it is answered again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspect_ai.tool import ToolDef, ToolParams

from reviewer.basics.errors import DeskError
from reviewer.benchmark.live.desk_kit import DeskKit
from reviewer.benchmark.live.recorded_answers import RecordedAnswers


def desk_tools(kit: DeskKit, recorded: RecordedAnswers | None = None) -> list[ToolDef]:
    """Every tool of the desk, to be given to an agent; refused where its arguments are no schema."""
    return [_tool(kit, schema, recorded) for schema in kit.schemas]


def _tool(kit: DeskKit, schema: Mapping[str, Any], recorded: RecordedAnswers | None) -> ToolDef:
    name = schema["name"]

    async def execute(**arguments: Any) -> str:
        told = recorded.answer(name, arguments) if recorded else None
        return kit.answered(name, arguments) if told is None else told

    try:
        parameters = ToolParams.model_validate(schema["parameters"])
    except ValueError as error:
        first = " ".join(str(error).split("\n")[1:3])
        raise DeskError(
            f"The arguments of the tool {name} are no JSON schema that models take: {first}.", "Mend its tools.toml."
        ) from error
    return ToolDef(execute, name, schema["description"], parameters, max_output=0)
