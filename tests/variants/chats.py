"""Chat messages in their many envelopes, Responses items in theirs."""

from __future__ import annotations

import gzip
import json

from tests.variants.kit import ASK, CALLED, RESULT, SAID, SHORT, TOLD, Variant, lines


def chats() -> dict[str, Variant]:
    """OpenAI's and Anthropic's messages in their many envelopes."""
    blocks = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]}
    named = [{"thread_id": thread, **message} for message in (ASK, SAID) for thread in "ab"]
    hosted = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "#7"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"type": "text", "text": "a page"}]},
        {"type": "text", "text": "Found."},
    ]
    converse = [
        {"role": "user", "content": [{"text": "Where is #7?"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "get_order", "input": {"id": 7}}}]},
        {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": "t1", "status": "error", "content": [{"text": "no order"}]}}],
        },
    ]
    old = [{"role": "assistant", "content": None, "function_call": {"name": "get_order", "arguments": "{}"}}]
    old += [{"role": "function", "name": "get_order", "content": "shipped"}]
    shared = [
        {"from": "human", "value": "Where is #7?"},
        {"from": "gpt", "value": "Let me see."},
        {"from": "observation", "value": "shipped"},
    ]
    refused = {"role": "assistant", "content": None, "refusal": "I cannot."}
    thought = {"role": "assistant", "content": "Shipped.", "thinking": "Hm."}
    parallel = [{"id": "x", "function": {"name": "get_order", "arguments": {"id": n}}} for n in (1, 2)]
    same = [{"role": "assistant", "tool_calls": parallel}]
    same += [{"role": "tool", "tool_call_id": "x", "content": word} for word in ("one", "two")]
    part = {"type": "tool-get_order", "toolCallId": "c1", "input": {"id": 7}, "output": "shipped"}
    custom = {
        "role": "assistant",
        "tool_calls": [{"id": "k", "type": "custom", "custom": {"name": "sh", "input": "ls"}}],
    }
    body = {"id": "r", "custom_id": "q", "response": {"status_code": 200, "body": {"choices": [{"message": SAID}]}}}
    return {
        "lists.json": Variant("openai-chat", [[ASK, CALLED, RESULT, SAID], [ASK, SAID]], [TOLD, SHORT]),
        "lists.jsonl": Variant("openai-chat", lines([ASK, SAID], [ASK, SAID]), [SHORT, SHORT]),
        "messages.jsonl": Variant("openai-chat", lines(ASK, CALLED, RESULT, SAID), [TOLD]),
        "threads.jsonl": Variant("openai-chat", lines(*named), [SHORT, SHORT]),
        "wrapped.json": Variant("openai-chat", {"data": {"id": "d", "messages": [ASK, SAID]}}, [SHORT]),
        "nested.json": Variant("openai-chat", {"conversation": {"messages": [ASK, SAID], "model": "m"}}, [SHORT]),
        "asked.jsonl": Variant("openai-chat", lines({"input": [ASK], "output": SAID}), [SHORT]),
        "exchanges.jsonl": Variant(
            "openai-chat",
            lines(*({"input": "Where is #7?", "target": "in transit", "output": "Shipped."} for _ in range(2))),
            [SHORT, SHORT],
        ),
        "completion.jsonl": Variant("openai-chat", lines({"messages": [ASK], "response": "Shipped."}), [SHORT]),
        "repeated.json": Variant("openai-chat", {"messages": [ASK, SAID], "choices": [{"message": SAID}]}, [SHORT]),
        "batch.jsonl": Variant("openai-chat", lines({"request": {"body": {"messages": [ASK]}}, **body}), [SHORT]),
        "empty.jsonl": Variant("openai-chat", lines({"messages": []}, {"messages": [ASK, SAID]}), [[], SHORT]),
        "texts.json": Variant("openai-chat", {"messages": [{"role": "user", "text": "Hi"}]}, [["customer Hi"]]),
        "image.json": Variant("openai-chat", {"messages": [blocks]}, [["customer [image_url: image/png]"]]),
        "hosted.json": Variant(
            "openai-chat",
            {"messages": [{"role": "assistant", "content": hosted}]},
            [['agent Found. web_search({"query":"#7"}) = a page']],
        ),
        "converse.json": Variant(
            "openai-chat", {"messages": converse}, [["customer Where is #7?", 'agent get_order({"id":7}) = no order']]
        ),
        "legacy.json": Variant("openai-chat", {"messages": old}, [["agent get_order({}) = shipped"]]),
        "sharegpt.json": Variant(
            "sharegpt",
            [{"conversations": shared}],
            [["customer Where is #7?", "agent Let me see. !() = shipped"]],
        ),
        "refusal.json": Variant(
            "openai-chat", {"messages": [refused, thought]}, [["agent I cannot.", "agent Shipped. <Hm.>"]]
        ),
        "same-ids.json": Variant(
            "openai-chat", {"messages": same}, [['agent get_order({"id":1}) = one get_order({"id":2}) = two']]
        ),
        "parts.json": Variant(
            "openai-chat",
            {"messages": [{"role": "assistant", "parts": [part, {"type": "text", "text": "Shipped."}]}]},
            [['agent Shipped. get_order({"id":7}) = shipped']],
        ),
        "custom.json": Variant("openai-chat", {"messages": [custom]}, [["agent sh(ls) = ?"]]),
        "early.json": Variant(
            "openai-chat", {"messages": [RESULT, ASK]}, [["other !() = shipped", "customer Where is #7?"]]
        ),
        "packed.jsonl.gz": Variant("openai-chat", gzip.compress(lines({"messages": [ASK, SAID]})), [SHORT]),
        "packed.json.gz": Variant("openai-chat", gzip.compress(json.dumps([ASK, SAID]).encode()), [SHORT]),
        "bom.json": Variant("openai-chat", b"\xef\xbb\xbf" + json.dumps([ASK, SAID], indent=1).encode(), [SHORT]),
        "crlf.jsonl": Variant("openai-chat", lines(ASK, SAID).replace(b"\n", b"\r\n"), [SHORT]),
    }


def responses() -> dict[str, Variant]:
    """Responses items in other places, and tools that the provider runs."""
    user = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Where is #7?"}]}
    thought = {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]}
    call = {"type": "function_call", "call_id": "c1", "name": "get_order", "arguments": '{"id":7}'}
    result = {"type": "function_call_output", "call_id": "c1", "output": "shipped"}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Shipped."}]}
    items = [user, thought, call, result, said]
    told = ["customer Where is #7?", 'agent <Hm.> get_order({"id":7}) = shipped', "agent Shipped."]
    search = {"type": "web_search_call", "id": "w", "action": {"query": "#7"}, "status": "completed"}
    code = {"type": "code_interpreter_call", "id": "i", "code": "1+1", "outputs": [{"type": "logs", "logs": "2"}]}
    hosted = {"object": "response", "id": "r", "model": "m", "output": [search, code]}
    states = {"responses_create_params": {"input": []}, "response": {"output": [items[:3], items]}}
    return {
        "items.json": Variant("responses", items, [told]),
        "items.jsonl": Variant("responses", lines(*items), [told]),
        "states.jsonl": Variant("responses", lines(states), [told]),
        "pair.json": Variant(
            "responses", {"request": {"input": "Where is #7?"}, "response": {"output": [said]}}, [SHORT]
        ),
        "hosted-items.json": Variant(
            "responses",
            hosted,
            [
                [
                    'agent web_search_call({"query":"#7"}) = ?',
                    'agent code_interpreter_call(1+1) = [{"type":"logs","logs":"2"}]',
                ]
            ],
        ),
    }
