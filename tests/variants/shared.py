"""Conversations for training with functions: ShareGPT's turns, Hermes' tags, xLAM's rows."""

from __future__ import annotations

import json

from tests.variants.kit import ASK, SHORT, Variant, lines

TOOL = {"name": "get_order", "parameters": {"type": "object"}}
PROMPT = f"You may call <tool_call></tool_call>. <tools> [{json.dumps(TOOL)}] </tools>"
CALLING = '{"name": "get_order", "arguments": {"id": 7}}'


def shared() -> dict[str, Variant]:
    """All of them."""
    glaive = {
        "conversations": [
            {"from": "human", "value": "Where is #7?"},
            {"from": "function_call", "value": CALLING},
            {"from": "observation", "value": '{"status": "shipped"}'},
            {"from": "gpt", "value": "Shipped."},
        ],
        "system": "",
        "tools": json.dumps([TOOL]),
    }
    both = f"[{CALLING}, {CALLING.replace('7', '8')}]"
    pythonic = '{"name": "get_order", "arguments": \'{"id": 9}\'}'
    several = {
        "id": 5,
        "system": "Be kind.",
        "conversations": [
            {"from": "human", "value": "And #8?"},
            {"from": "function_call", "value": both},
            {"from": "observation", "value": "one"},
            {"from": "observation", "value": "two"},
            {"from": "function-call", "value": pythonic},
            {"from": "function-response", "value": ""},
            {"from": "function_call", "value": "no JSON"},
            {"from": "gpt", "value": ""},
        ],
    }
    tagged = f"<think>Hm.</think>\nLet me see.\n<tool_call>\n{CALLING}\n</tool_call>\n"
    tagged += f"<tool_call>\n{both[1:-1]}\n</tool_call>"
    unordered = [
        '<tool_response>\n{"name": "other", "content": "one"}\n</tool_response>',
        '\n<tool_response>\n{"name": "get_order", "content": "two"}\n</tool_response>\n',
    ]
    hermes = {
        "id": "h",
        "conversations": [
            {"from": "system", "value": PROMPT},
            {"from": "human", "value": "Where is #7?"},
            {"from": "gpt", "value": tagged},
            {"from": "tool", "value": "".join(unordered)},
            {"from": "gpt", "value": "Shipped."},
        ],
    }
    chat = [
        {"role": "system", "content": PROMPT},
        ASK,
        {"role": "assistant", "content": f"<tool_call>{CALLING}</tool_call>"},
        {"role": "user", "content": "<tool_response>\nshipped\n</tool_response>"},
        {"role": "assistant", "content": "<tool_call>{</tool_call> never closed: <tool_call>"},
    ]
    row = {"id": 0, "query": "Where is #7?", "tools": json.dumps([TOOL]), "answers": f"[{CALLING}]"}
    call = 'get_order({"id":7})'
    first = '{"name": "other", "content": "one"}'
    second = '{"name": "get_order", "content": "two"}'
    return {
        "glaive.json": Variant(
            "sharegpt",
            [glaive],
            [["customer Where is #7?", f'agent {call} = {{"status": "shipped"}}', "agent Shipped."]],
        ),
        "several.jsonl": Variant(
            "sharegpt",
            lines(
                several,
                {"conversations": [{"from": "human", "value": "Where is #7?"}, {"from": "gpt", "value": "Shipped."}]},
            ),
            [
                [
                    *("system Be kind.", "customer And #8?", f'agent {call} = one get_order({{"id":8}}) = two'),
                    *('agent get_order({"id": 9}) = ', "agent no JSON", "agent"),
                ],
                SHORT,
            ],
        ),
        "hermes.json": Variant(
            "sharegpt",
            [hermes],
            [
                [
                    f"system {PROMPT}",
                    "customer Where is #7?",
                    f'agent {tagged} {call} = {first} {call} = {second} get_order({{"id":8}}) = ?',
                    "agent Shipped.",
                ]
            ],
        ),
        "hermes-chat.jsonl": Variant(
            "sharegpt",
            lines({"messages": chat}),
            [
                [
                    f"system {PROMPT}",
                    "customer Where is #7?",
                    f"agent <tool_call>{CALLING}</tool_call> {call} = shipped",
                    "customer <tool_response>\nshipped\n</tool_response>",
                    "agent <tool_call>{</tool_call> never closed: <tool_call>",
                ]
            ],
        ),
        "xlam.json": Variant("sharegpt", [row], [["customer Where is #7?", f"agent {call} = ?"]]),
    }
