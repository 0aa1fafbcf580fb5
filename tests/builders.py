"""Small real things for tests: messages, conversations, stores. No mocks."""

from __future__ import annotations

from reviewer.model import Conversation, Message, ToolCall


def call(name: str, arguments: str = "{}", result: str | None = "{}", error: str | None = None) -> ToolCall:
    """A tool call with a result."""
    return ToolCall(name, arguments, result, error)


def customer(text: str) -> Message:
    """A customer's message."""
    return Message("customer", text, source_role="user")


def agent(text: str, *calls: ToolCall, reasoning: str = "") -> Message:
    """An agent's message with its calls."""
    return Message("agent", text, reasoning, calls, source_role="assistant")


def conversation(
    *messages: Message, model: str = "kimi", case: str | None = "used-item-1", run: int | None = 1
) -> Conversation:
    """A conversation; a short one about a cancelled order when no messages are given."""
    return Conversation(model, messages or CANCELLED, case=case, run=run)


CANCELLED = (
    customer("Please cancel order #1130, I ordered the wrong size."),
    agent(
        "Your order #1130 has been cancelled successfully. It should be delivered yesterday.",
        call("get_order", '{"order_id":"#1130"}', '{"status":"in transit","carrier":"UPS"}'),
        call("cancel_order", '{"order_id":"#1130"}', '{"ok":true}'),
    ),
    customer("Wait, it was shipped already?"),
    agent("Yes, it was. Sorry about that!"),
)
