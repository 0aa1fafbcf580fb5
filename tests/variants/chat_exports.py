"""Conversations as ChatGPT and Claude export them: trees with regenerated answers, tools, files, hidden messages."""

from __future__ import annotations

from typing import Any

from tests.variants.kit import Variant, lines

_ROOT = "00000000-0000-4000-8000-000000000000"


def exports() -> dict[str, Variant]:
    """All of them by name."""
    return {**chatgpt(), **claude()}


def _node(id: str, parent: str | None, children: list[str], role: str, content: Any, **more: Any) -> dict[str, Any]:
    author = {"role": role, "name": more.pop("name", None), "metadata": {}}
    metadata = {"model_slug": "gpt-4o", **more.pop("metadata", {})} if role == "assistant" else more.pop("metadata", {})
    body = {"content_type": "text", "parts": [content]} if isinstance(content, str) else content
    message = {"id": f"m-{id}", "author": author, "create_time": 1767225600.5, "content": body, "status": "finished"}
    message |= {"recipient": "all", "channel": None, "metadata": metadata, **more}
    return {"id": id, "message": message, "parent": parent, "children": children}


def chatgpt() -> dict[str, Variant]:
    """A tree with a question edited, an answer made again, thoughts, a tool and a picture."""
    hidden = {"is_visually_hidden_from_conversation": True}
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1", "width": 8}
    profile = {"content_type": "user_editable_context", "user_profile": "I sell shoes.", "user_instructions": "Short."}
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "Order", "content": "Look it up."}]}
    code = {"content_type": "code", "language": "python", "text": "look(7)"}
    broken = {"aggregate_result": {"status": "failed_with_in_kernel_exception"}}
    nodes = [
        {"id": "root", "message": None, "parent": None, "children": ["sys"]},
        _node("sys", "root", ["ctx"], "system", "", metadata=hidden),
        _node("ctx", "sys", ["u0", "u1"], "user", profile, metadata=hidden),
        _node("u0", "ctx", ["a0"], "user", "Where is #6?"),
        _node("a0", "u0", [], "assistant", "Lost."),
        _node(
            "u1",
            "ctx",
            ["th"],
            "user",
            {"content_type": "multimodal_text", "parts": [picture, "Where is #7? 🙂\n\n"]},
            metadata={"attachments": [{"id": "f", "name": "order.pdf", "mimeType": "application/pdf"}]},
        ),
        _node("th", "u1", ["c1"], "assistant", thoughts),
        _node("c1", "th", ["r1"], "assistant", code, recipient="python"),
        _node("r1", "c1", ["r2"], "tool", {"content_type": "execution_output", "text": "x"}, name="python"),
        _node("r2", "r1", ["c2"], "tool", "y", name="python"),
        _node("c2", "r2", ["r3"], "assistant", '{"q":7}', recipient="web.run", channel="commentary"),
        _node("r3", "c2", ["rc"], "tool", "no page", name="web", metadata=broken),
        _node("rc", "r3", ["e", "b1"], "assistant", {"content_type": "reasoning_recap", "content": "Thought for 2s"}),
        _node("e", "rc", [], "assistant", "", metadata=hidden),
        _node("b1", "rc", ["b2", "b3"], "assistant", "Let me see.", metadata={"finish_details": {"type": "stop"}}),
        _node("b2", "b1", [], "assistant", "Wrong."),
        _node("b3", "b1", ["g"], "assistant", "Shipped.", metadata={"model_slug": "o3"}),
        _node("g", "b3", [], "tool", {"content_type": "multimodal_text", "parts": [picture]}, name="dalle.text2im"),
    ]
    told = [
        "system I sell shoes.\nShort.",
        "customer [image_asset_pointer: file-service://file-1]\nWhere is #7? 🙂\n\n\n[file: order.pdf]",
        "agent <Order\nLook it up.> python(look(7)) = x\ny",
        'agent web.run({"q":7}) = no page',
        "agent Let me see.",
        "agent Shipped.",
    ]
    made = "other !dalle.text2im() = [image_asset_pointer: file-service://file-1]"
    one = {"title": "An order", "create_time": 1767225600.0, "update_time": 1767225700.0, "conversation_id": "c"}
    one |= {"mapping": {node["id"]: node for node in nodes}, "default_model_slug": "auto", "is_archived": True}
    alone = {"u": _node("u", None, ["a"], "user", "Hi"), "a": _node("a", "u", [], "assistant", "Hello.")}
    return {
        "conversations.json": Variant(
            "chat-exports",
            [{**one, "current_node": "b3"}, {"id": "d", "title": "", "mapping": alone, "current_node": "gone"}],
            [told, ["customer Hi", "agent Hello."]],
        ),
        "chatgpt-one.json": Variant("chat-exports", {**one, "current_node": "g"}, [[*told, made]]),
    }


def _said(uuid: str, parent: str, sender: str, content: list[Any], minute: int, **more: Any) -> dict[str, Any]:
    at = f"2026-01-01T00:{minute:02}:00.000000Z"
    told = {"uuid": uuid, "text": "", "content": content, "sender": sender, "created_at": at, "updated_at": at}
    return {**told, "attachments": [], "files": [], "parent_message_uuid": parent, **more}


def claude() -> dict[str, Variant]:
    """A list whose messages name their parents, with tools, thoughts and a pasted text; an older one without."""

    def text(words: str) -> dict[str, Any]:
        return {"type": "text", "text": words, "citations": [], "start_timestamp": "t", "stop_timestamp": "t"}

    pasted = {"file_name": "order.txt", "file_type": "txt", "file_size": 3, "extracted_content": "#7: shipped\n"}
    picture, thought = {"file_name": "a.png"}, {"type": "thinking", "thinking": "Hm.", "summaries": []}
    used = {"type": "tool_use", "id": None, "name": "web_search", "input": {"query": "#7"}, "message": "Searching"}
    page = {"type": "knowledge", "title": "A page", "url": "https://shop.example/7"}
    given = {"type": "tool_result", "tool_use_id": None, "name": "web_search", "content": [page], "is_error": False}
    messages = [
        _said("u1", _ROOT, "human", [text("Where is #7? 🙂\n")], 1, attachments=[pasted], files=[picture]),
        _said("a1", "u1", "assistant", [text("Lost.")], 2),
        _said(
            "a2",
            "u1",
            "assistant",
            [
                thought,
                used,
                {"type": "token_budget"},
                given,
                text("Yes."),
            ],
            3,
            chat_feedback={"type": "upvote", "reason": "right"},
        ),
        _said("u2", "a2", "human", [], 4, text="Thanks."),
    ]
    told = [
        "customer Where is #7? 🙂\n\n[attachment: order.txt]\n[file: a.png]",
        'agent Yes. <Hm.> web_search({"query":"#7"}) = [knowledge: A page]',
        "customer Thanks.",
    ]
    one = {"uuid": "c", "name": "An order", "summary": "About #7.", "account": {"uuid": "x"}, "chat_messages": messages}
    one |= {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:05:00Z"}
    old = [
        {"uuid": str(n), "text": word, "sender": who}
        for n, (who, word) in enumerate((("human", "Hi"), ("assistant", "Yo")))
    ]
    return {
        "claude-conversations.json": Variant(
            "chat-exports",
            [one, {"uuid": "d", "name": "", "chat_messages": old}, {"uuid": "e", "name": "", "chat_messages": []}],
            [told, ["customer Hi", "agent Yo"], []],
        ),
        "claude-conversations.jsonl": Variant(
            "chat-exports",
            lines({**one, "model": "claude-opus-4", "current_leaf_message_uuid": "a1"}),
            [[told[0], "agent Lost."]],
        ),
    }
