"""Reads about what should not stand in a visible message: marks of thinking, unfilled placeholders."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.findings.reads.marks_of_thought import thinking
from reviewer.findings.reads.steps import Turn

_TEMPLATE = re.compile(
    r"\{\{[^{}\n]{1,80}\}\}|\$\{[A-Za-z_][\w.]{0,60}\}|<%=?[^%\n]{1,80}%>|\[[A-Z][A-Z]+(?:[_ ](?:[A-Z]+|HERE)){1,4}\]"
    r"|\[(?:Your|Customer(?:['’]s)?|Agent(?:['’]s)?|Insert|Company|First|Last) (?:Name|First Name|Last Name"
    r"|Email|Order Number|Name Here)\]|\{(?:customer|first|last|order|agent|user)_?(?:name|number|id)?\}",
)
_FENCE = re.compile(r"```")
_TAG = re.compile(r"<(?P<name>greeting|reply|response|answer|message|signature|customer_name|output|final|closing)>")


def leaked_think_tag(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a mark of thinking (`<think>`, `</think>`, `<analysis>`, `<|...|>`) in the agent's visible text.

    An opportunity is a message with visible text. What stands between an opening and its closing mark is one finding.
    It knows nothing of conversations that are about such marks: an agent that explains them is reported, too.
    """
    for turn in it.agents:
        spans = thinking(turn.text)
        if not spans:
            yield None
        for start, end in spans:
            tag = turn.text[start:end].partition(">")[0] + ">" if turn.text[start] == "<" else ""
            yield Suggestion(
                it.at(turn.number, span=(start, end)), (it.at(turn.number),), f"shows the customer {tag}", True
            )


def leaked_template_tag(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on an unfilled placeholder or a tag of a template in the agent's visible text.

    An opportunity is a message with visible text. Abstain within a block of code. Known to confuse: an agent that shows
    a form to be filled in.
    """
    for turn in it.agents:
        match = _outside_code(turn) or _unclosed(turn)
        if match is None:
            yield None
        else:
            place = it.at(turn.number, span=match.span())
            yield Suggestion(place, (it.at(turn.number),), f"shows the customer {match[0][:60]}", False)


def _outside_code(turn: Turn) -> re.Match[str] | None:
    """The first placeholder of a message that stands in no block of code."""
    match = _TEMPLATE.search(turn.text)
    if match is None or "```" not in turn.text:
        return match
    fences = [fence.start() for fence in _FENCE.finditer(turn.text)]
    placeholders = _TEMPLATE.finditer(turn.text)
    return next((each for each in placeholders if bisect_left(fences, each.start()) % 2 == 0), None)


def _unclosed(turn: Turn) -> re.Match[str] | None:
    match = _TAG.search(turn.text)
    return match if match and f"</{match['name']}>" not in turn.text else None
