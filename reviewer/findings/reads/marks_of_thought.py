"""Marks of thinking in a visible text, and the stretches between them: no part of what is said to a customer. Pure."""

from __future__ import annotations

import re

from reviewer.basics.sentences import Span

_THINK = re.compile(
    r"<(?P<close>/)?(?P<name>think|thinking|thought|thoughts|analysis|reasoning|scratchpad|reflection)>|<\|[A-Za-z_]{2,40}\|>",
    re.IGNORECASE,
)
_OPENING = re.compile(r"<[A-Za-z]{1,12}>")


def thinking(text: str) -> list[Span]:
    """From each opening mark to its closing one; a mark that stands alone is its own stretch."""
    spans: list[Span] = []
    opened: re.Match[str] | None = None
    for match in _THINK.finditer(text):
        if match["name"] is None:
            spans.append(match.span())
        elif not match["close"]:
            if opened is not None:
                spans.append(opened.span())
            opened = match
        elif opened is not None and opened["name"].lower() == match["name"].lower():
            spans.append((opened.start(), match.end()))
            opened = None
        else:
            spans.append(match.span())
    if opened is not None:
        spans.append(opened.span())
    return spans


def unsaid(text: str) -> list[Span]:
    """The stretches that are thinking: within marks, before a lone closing mark, and after a lone opening one."""
    spans: list[Span] = []
    for start, end in thinking(text):
        spans.append((spans[-1][1] if spans else 0, end) if text.startswith("</", start) else (start, end))
    if spans and _OPENING.fullmatch(text, *spans[-1]):
        spans[-1] = spans[-1][0], len(text)
    return spans
