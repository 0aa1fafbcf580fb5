"""A format that another package brings: checked when it is loaded, and kept from harm to others when it runs.

Whatever it raises costs the file at hand, with a sentence that names the format, the package and the file. What it
yields is checked before it comes near the store.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from reviewer.basics.errors import SourceError
from reviewer.basics.packages import described
from reviewer.imports.source import BadRecord, Extract, Item, Remark, Source
from reviewer.transcripts.model import ROLES, Conversation, Message, ToolCall

if TYPE_CHECKING:
    from reviewer.imports.formats import Format

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_OWN = (SourceError, OSError, MemoryError)
"""What the importer has a sentence for, whoever raised it."""


def checked(format: Any) -> tuple[str, Format]:
    """The name of a format that was loaded, and the format; an error that says what it lacks."""
    names = [getattr(format, each, None) for each in ("NAME", "TITLE")]
    called = [getattr(format, each, None) for each in ("mine", "read")]
    if not all(isinstance(each, str) for each in names) or not all(map(callable, called)):
        raise TypeError("a format needs NAME, TITLE, mine(source) and read(source)")
    if not _NAME.fullmatch(format.NAME):
        raise TypeError("the NAME of a format is of small letters, digits and hyphens, as in my-logs")
    return format.NAME, format


class BroughtFormat:
    """A format of another package."""

    def __init__(self, format: Format, package: str) -> None:
        self.NAME, self.TITLE = format.NAME, format.TITLE
        self._format, self._package = format, package

    def mine(self, source: Source) -> bool:
        """True if the file's content is of this format."""
        try:
            return bool(self._format.mine(source))
        except _OWN:
            raise
        except Exception as error:
            raise BroughtFormatError(self._failure(source, error)) from error

    def read(self, source: Source) -> Iterator[Item]:
        """The file's conversations, as far as they are some."""
        try:
            for item in self._format.read(source):
                yield _sound(item)
        except _OWN:
            raise
        except Exception as error:
            raise BroughtFormatError(self._failure(source, error)) from error

    def _failure(self, source: Source, error: Exception) -> str:
        return f"{source.name}: the format {self.NAME} of {self._package} failed ({described(error)})."


class BroughtFormatError(SourceError):
    """A format of another package failed at a file."""


def _sound(item: Any) -> Item:
    """The item, if it is one that can be stored."""
    if isinstance(item, BadRecord | Remark):
        return item
    if not isinstance(item, Extract) or not isinstance(item.conversation, Conversation):
        raise TypeError(f"it yielded {type(item).__name__}, not an Extract, a BadRecord or a Remark")
    messages: Any = item.conversation.messages
    for message in messages:
        if not isinstance(message, Message) or message.role not in ROLES or not _is_text(message.text):
            raise TypeError(f"a message needs a text, and one of the roles {', '.join(ROLES)}")
        calls: Any = message.calls
        for call in calls:
            raws = [call.arguments, call.result] if isinstance(call, ToolCall) else [call]
            if not all(raw is None or _is_text(raw) for raw in raws) or not _is_text(call.name):
                raise TypeError("a call needs a name, and its arguments and its result are texts")
    return item


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
