"""A conversation by somebody who means harm: what it holds must be seen, and do nothing."""

from __future__ import annotations

from reviewer.model import Conversation, Message, ToolCall

TITLE = "\x1b]0;pwned\x07"
CLIPBOARD = "\x1b]52;c;cHduZWQ=\x07"
COLOUR = "\x1b[5;7;35m"
REGION = "\x1b[3;4r"
C1 = "\x9b5;7;35m"
BIDI = "\u202eevil\u202c"
MARKUP = "[/foo] [bold]bold[/bold] [@click=app.quit]x[/] $error {value!r} %s"
SEQUENCES = (TITLE, CLIPBOARD, COLOUR, REGION, C1, "\u202e", "\x00", "\x1bPq", "\x1b_pwned", "\x08", "\x7f")
EVERYTHING = f"{TITLE}{CLIPBOARD}{COLOUR}{REGION}{C1}{BIDI}{MARKUP}\x00\x1bPq#0\x1b\\\x1b_pwned\x1b\\\x08\x7f\r\n"


def conversation() -> Conversation:
    """Everything at once, in every place that a source can fill."""
    return Conversation(
        model=f"evil{TITLE}{MARKUP}",
        messages=(
            Message(
                "customer", f"Before {EVERYTHING}after the removed. It was delivered yesterday.", source_role="user"
            ),
            Message(
                "agent",
                f"{EVERYTHING}Sure.",
                reasoning=f"thinking {EVERYTHING}",
                calls=(
                    ToolCall(f"tool{EVERYTHING}", f'{{"a{MARKUP}": "{BIDI}"}}', f"not json {EVERYTHING}"),
                    ToolCall("cancel_order", '{"order_id": "1"}', None, f"error {EVERYTHING}"),
                ),
                name=f"name{EVERYTHING}",
                at=f"at{TITLE}",
            ),
            Message("other", "x" * 1_000_000, source_role=f"role{EVERYTHING}"),
            Message("agent", "a\u0301" + "\u0301" * 500 + " end"),
            Message("agent", "The end."),
        ),
        case=f"case{TITLE}{MARKUP}",
        run=1,
        error=f"error{EVERYTHING}",
    )
