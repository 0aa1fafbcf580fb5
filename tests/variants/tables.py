"""Tables that the shipped maps read: help desks, voice platforms, Hugging Face; shapes as their documents have them."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from tests.variants.kit import Variant, lines

TICKET: dict[str, Any] = {
    "id": 12,
    "subject": "Late",
    "requester_id": 5,
    "status": "closed",
    "description": "Where?",
    "created_at": "2026-01-01T10:00:00Z",
    "tags": ["late"],
    "via": {"channel": "web"},
    "satisfaction_rating": {"score": "good", "comment": "quick"},
    "comments": [
        {
            "id": 1,
            "type": "Comment",
            "author_id": 5,
            "body": "Where is #7 & #8?",
            "html_body": "<p>Where is #7 &amp; #8?</p><p>Mia</p>",
            "public": True,
            "created_at": "2026-01-01T10:00:00Z",
        },
        {"id": 2, "author_id": -1, "body": "Merged.", "public": False, "created_at": "2026-01-01T10:01:00Z"},
        {"id": 3, "author_id": 9, "body": "", "html_body": "Shipped.<br>Bye", "created_at": "2026-01-01T10:02:00Z"},
    ],
}
EVENTS: list[dict[str, Any]] = [
    {
        "id": 100,
        "ticket_id": 12,
        "created_at": "2026-01-01T10:02:00Z",
        "child_events": [
            {"id": 103, "event_type": "Comment", "author_id": 9, "body": "Yes.", "created_at": "2026-01-01T10:02:00Z"},
            {"id": 104, "event_type": "Change", "status": "solved", "previous_value": "open"},
        ],
    },
    {"id": 101, "ticket_id": 13, "child_events": []},
    {
        "id": 99,
        "ticket_id": 12,
        "created_at": "2026-01-01T10:00:00Z",
        "child_events": [
            {"id": 98, "event_type": "Comment", "author_id": 5, "body": "Here?", "created_at": "2026-01-01T10:00:00Z"}
        ],
    },
]
FRESHDESK: dict[str, Any] = {
    "id": 12,
    "subject": "Late",
    "requester_id": 5,
    "responder_id": 9,
    "description": "<div>Where is #7?</div>",
    "description_text": "Where is #7?",
    "created_at": "2026-01-01T10:00:00Z",
    "conversations": [
        {"id": 2, "user_id": 5, "incoming": True, "body_text": "Thanks", "created_at": "2026-01-01T10:02:00Z"},
        {"id": 1, "user_id": 9, "incoming": False, "body_text": "Shipped.", "created_at": "2026-01-01T10:01:00Z"},
    ],
}
VAPI: dict[str, Any] = {
    "id": "c1",
    "assistantId": "a1",
    "startedAt": "2026-01-01T10:00:00.000Z",
    "endedReason": "customer-ended-call",
    "cost": 0.12,
    "costBreakdown": {"llmPromptTokens": 90, "llmCompletionTokens": 20},
    "analysis": {"summary": "All well.", "successEvaluation": "true"},
    "artifact": {
        "messages": [
            {"role": "system", "message": "Be kind.", "time": 1767261600000, "secondsFromStart": 0},
            {"role": "user", "message": "Where is #7?", "time": 1767261601000, "endTime": 1767261602000},
            {
                "role": "tool_calls",
                "message": "",
                "time": 1767261603000,
                "toolCalls": [
                    {"id": "t1", "type": "function", "function": {"name": "get_order", "arguments": '{"id": 7}'}}
                ],
            },
            {"role": "tool_call_result", "toolCallId": "t1", "name": "get_order", "result": "shipped", "time": 1.0},
            {"role": "bot", "message": "Shipped.", "time": 1767261604000},
        ]
    },
}
COMMENTS = (
    "\ufeffid;ticket_id;author_id;body;html_body;created_at\r\n"
    '1;T1;5;"Where; is ""#7""?";;2026-01-01 10:00:00\r\n'
    "3;T2;6;Hello;;2026-01-01 10:00:01\r\n"
    '2;T1;9;x;"<div>Shipped.\r\n</div>";2026-01-01 10:02:00\r\n'
)
INTERCOM: dict[str, Any] = {
    "type": "conversation",
    "id": "96",
    "created_at": 1526379112,
    "state": "closed",
    "source": {
        "type": "conversation",
        "body": "<p>Hi there</p>",
        "author": {"type": "user", "id": "u1", "name": "Mia", "email": ""},
    },
    "tags": {"type": "tag.list", "tags": [{"type": "tag", "name": "vip"}]},
    "conversation_rating": {"rating": 4, "remark": "ok", "created_at": 1526419264},
    "conversation_parts": {
        "type": "conversation_part.list",
        "total_count": 4,
        "conversation_parts": [
            {
                "type": "conversation_part",
                "id": "1",
                "part_type": "comment",
                "body": '<p>Look <a href="https://e.org/a">here</a>.</p>',
                "created_at": 1526379120,
                "author": {"type": "bot", "id": "b1", "name": "Fin", "from_ai_agent": True},
                "attachments": [],
            },
            {"id": "2", "part_type": "assignment", "body": None, "created_at": 1526379121, "author": {"type": "admin"}},
            {"id": "3", "part_type": "note", "body": "vip!", "created_at": 1526379122, "author": {"type": "admin"}},
            {"id": "4", "part_type": "comment", "body": "Thanks", "created_at": 1526379123, "author": {"type": "lead"}},
        ],
    },
}
ELEVENLABS: dict[str, Any] = {
    "agent_id": "agent_1",
    "conversation_id": "conv_1",
    "status": "done",
    "transcript": [
        {"role": "agent", "message": "Hi!", "time_in_call_secs": 0, "tool_calls": [], "tool_results": []},
        {"role": "user", "message": "Where is #7?", "time_in_call_secs": 6, "interrupted": False},
        {
            "role": "agent",
            "message": None,
            "time_in_call_secs": 9,
            "tool_calls": [
                {
                    "type": "webhook",
                    "request_id": "r1",
                    "tool_name": "get_order",
                    "params_as_json": '{"id":7}',
                    "tool_has_been_called": True,
                }
            ],
            "tool_results": [
                {"request_id": "r1", "tool_name": "get_order", "result_value": "no such order", "is_error": True}
            ],
        },
    ],
    "metadata": {
        "start_time_unix_secs": 1706234400,
        "call_duration_secs": 12,
        "termination_reason": "user_ended_call",
    },
    "analysis": {
        "call_successful": "success",
        "transcript_summary": "asked for #7",
        "evaluation_criteria_results": {
            "polite": {"criteria_id": "polite", "result": "failure", "rationale": "curt"},
            "solved": {"criteria_id": "solved", "result": "unknown", "rationale": ""},
        },
    },
}
RETELL: dict[str, Any] = {
    "call_id": "call_1",
    "call_type": "web_call",
    "agent_id": "agent_1",
    "agent_name": "Desk",
    "call_status": "ended",
    "start_timestamp": 1706234400000,
    "end_timestamp": 1706234412000,
    "transcript": "Agent: Hi!\nUser: Where is #7?",
    "transcript_object": [
        {"role": "agent", "content": "Hi!", "words": [{"word": "Hi!", "start": 0.5, "end": 1.0}]},
        {"role": "user", "content": "Where is #7?", "words": []},
    ],
    "transcript_with_tool_calls": [
        {"role": "agent", "content": "Hi!", "words": [{"word": "Hi!", "start": 0.5, "end": 1.0}]},
        {"role": "user", "content": "Where is #7?", "words": []},
        {"role": "node_transition", "former_node_name": "hello", "new_node_name": "order"},
        {"role": "tool_call_invocation", "tool_call_id": "t1", "name": "get_order", "arguments": '{"id":7}'},
        {"role": "tool_call_result", "tool_call_id": "t1", "content": "shipped", "successful": True},
    ],
    "call_analysis": {"call_successful": False, "call_summary": "asked", "user_sentiment": "Neutral"},
    "call_cost": {"combined_cost": 7.5, "product_costs": []},
    "disconnection_reason": "user_hangup",
}
_SAID = [{"role": "user", "content": "Where is #7?"}, {"role": "assistant", "content": "Shipped."}]
_TURNS = [{"from": "human", "value": "Where is #7?"}, {"from": "gpt", "value": "Shipped."}]
_SHORT = ["customer Where is #7?", "agent Shipped."]


def parquet_of(rows: list[dict[str, Any]]) -> bytes:
    """Rows as a Parquet file."""
    held = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(rows), held)
    return held.getvalue()


def tables() -> dict[str, Variant]:
    """A file for each shipped map, its corners among them."""
    ticket = ["customer Where is #7 & #8?\n\nMia", "system Merged.", "colleague Shipped.\nBye"]
    fin = ["customer Hi there", "agent Look here (https://e.org/a).", "colleague vip!", "customer Thanks"]
    voice = ["agent Hi!", "customer Where is #7?"]
    eleven = [*voice, 'agent get_order({"id":7}) = no such order']
    vapi = ["system Be kind.", "customer Where is #7?", 'agent get_order({"id": 7}) = shipped', "agent Shipped."]
    retell = [*voice, "other", 'agent get_order({"id":7}) = shipped']
    held = {
        "zendesk-export.jsonl": (lines(TICKET, {**TICKET, "id": 13, "comments": []}), [ticket, []]),
        "zendesk-page.json": ({"tickets": [TICKET], "count": 1, "next_page": None}, [ticket]),
        "zendesk-events.json": ({"ticket_events": EVENTS, "end_time": 0}, [["customer Here?", "colleague Yes."], []]),
        "zendesk-comments.csv": (
            COMMENTS.encode(),
            [['customer Where; is "#7"?', "colleague Shipped."], ["customer Hello"]],
        ),
        "intercom.json": (INTERCOM, [fin]),
        "intercom-page.json": ({"type": "conversation.list", "conversations": [INTERCOM]}, [fin]),
        "intercom-webhook.json": ({"type": "notification_event", "data": {"item": INTERCOM}}, [fin]),
        "elevenlabs.json": (ELEVENLABS, [eleven]),
        "elevenlabs-webhook.json": ({"type": "post_call_transcription", "data": ELEVENLABS}, [eleven]),
        "retell.json": ([RETELL], [retell]),
        "retell-plain.json": ({**RETELL, "transcript_with_tool_calls": None}, [voice]),
        "vapi.json": ([VAPI], [vapi]),
        "vapi-report.json": ({"message": {**VAPI, "id": None, "call": {"id": "c1"}}}, [vapi]),
        "freshdesk.json": ([FRESHDESK], [["customer Where is #7?", "colleague Shipped.", "customer Thanks"]]),
        "messages.parquet": (parquet_of([{"prompt_id": "p1", "messages": _SAID}]), [_SHORT]),
        "sharegpt.parquet": (
            parquet_of([{"system": "Be kind.", "conversations": _TURNS}]),
            [["system Be kind.", *_SHORT]],
        ),
    }
    return {name: Variant("mapped", file, expected) for name, (file, expected) in held.items()}
