"""Small files in the other shapes that each format permits, each with what it should become, a line a message.

A line is the role, then the text, `<reasoning>`, and each call as `name(arguments) = result`; `?` stands for no result
and `!` before a call for an orphan. The words are ours; the shapes are those of the formats' own documents.
"""

from __future__ import annotations

import json

from reviewer.transcripts.model import Conversation, ToolCall
from tests import shapes
from tests.variants.benchmarks import benchmarks
from tests.variants.chat_exports import exports
from tests.variants.chats import chats, responses
from tests.variants.coding_agents import coding_agents
from tests.variants.corners import corners
from tests.variants.evaluations import evaluations
from tests.variants.frameworks import frameworks
from tests.variants.harnesses import harnesses
from tests.variants.kit import Variant
from tests.variants.langchains import langchain, langsmith
from tests.variants.openai_services import assistants, openai_agents, realtime
from tests.variants.requests import bedrock, gateways
from tests.variants.sessions import sessions
from tests.variants.shared import shared
from tests.variants.tables import tables
from tests.variants.teams import teams
from tests.variants.traces import spans, traces

_SETS = (
    *(chats, responses, benchmarks, traces, spans, evaluations, corners),
    *(langchain, langsmith, openai_agents, assistants, realtime),
    *(sessions, exports),
    *(bedrock, gateways, shared, harnesses, tables),
    *(coding_agents, frameworks, teams),
)


def sketch(it: Conversation) -> list[str]:
    """A conversation, a line a message."""
    return [
        " ".join(
            part
            for part in (m.role, m.text, f"<{m.reasoning}>" if m.reasoning else "", *(_call(call) for call in m.calls))
            if part
        )
        for m in it.messages
    ]


def _call(call: ToolCall) -> str:
    result = "?" if call.result is None else call.result
    return f"{'!' if call.orphan else ''}{call.name}({call.arguments or ''}) = {result}"


def every() -> dict[str, Variant]:
    """All of them by name."""
    return {name: variant for each in _SETS for name, variant in each().items()}


def files() -> dict[str, bytes]:
    """A file of every shape and variant, by name."""
    held = {
        name: it.held if isinstance(it.held, bytes) else json.dumps(it.held).encode() for name, it in every().items()
    }
    return {**shapes.files(), **held}
