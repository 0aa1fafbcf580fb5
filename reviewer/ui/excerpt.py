"""A few words with their speaker and source, as Markdown for a message to a colleague. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from reviewer.clean import printable, printable_line
from reviewer.model import Message, Stored
from reviewer.refs import Ref

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|~"})


def markdown(stored: Stored, places: Sequence[Ref]) -> str:
    """The words at these places as a quotation, pieces joined by an ellipsis, with reference and origin below."""
    first = places[0]
    message = stored.conversation.messages[(first.message or 1) - 1]
    quote = " … ".join(_words(message, place) for place in places)
    lines = [f"> {line}".rstrip() for line in printable(quote).translate(_SPECIAL).split("\n")]
    origin = " · SYNTHETIC" if stored.synthetic else ""
    speaker = _speaker(message, first).translate(_SPECIAL)
    return "\n".join([*lines, "", f"— {speaker}, `{printable_line(str(first)).replace('`', '')}`{origin}", ""])


def _words(message: Message, place: Ref) -> str:
    if place.call is not None:
        call = message.calls[place.call - 1]
        if place.part not in ("arguments", "result"):
            return f"{call.name}({call.arguments or ''}) → {call.error or call.result or 'no result'}"
        text = (call.result if place.part == "result" else call.arguments) or ""
    else:
        text = message.reasoning if place.part == "reasoning" else message.text
    return text[slice(*place.span)] if place.span else text


def _speaker(message: Message, place: Ref) -> str:
    if place.call is not None:
        return printable_line(f"{message.calls[place.call - 1].name}, called by the {message.role}")
    return message.role
