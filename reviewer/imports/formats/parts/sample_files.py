"""The samples in an Inspect `.eval`: one JSON file each, or a folder of parts each when the sample was large.

Knows which members make a sample and puts its parts together; what a sample says is `formats/inspect.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from reviewer.imports.containers.archive import Archive
from reviewer.imports.messages.content import listed, mapping
from reviewer.imports.names import natural

_WHOLE = re.compile(r"samples/(?:[^/]+|.*_epoch_\d+)\.json")
"""An id may hold slashes."""
_SHELL = "/sample.json"
_PART = re.compile(r"(?P<folder>.+)/(?P<start>\d+)\.json")


def names(file: Archive) -> list[str]:
    """The members that stand for a sample, in natural order."""
    return sorted((name for name in file.names if _WHOLE.fullmatch(name) or _is_shell(name)), key=natural)


def sample(file: Archive, name: str) -> Any:
    """One sample; of a large one the messages that `message_refs` name, and its attachments by their numbers."""
    shell = file.json(name)
    if not _is_shell(name):
        return shell
    folder = name.removesuffix(_SHELL)
    about = f"{folder}/metadata.json"
    told = [each for part in _parts(file.names, f"{folder}/messages") for each in listed(file.json(part))]
    held = [each for part in _parts(file.names, f"{folder}/attachments") for each in listed(file.json(part))]
    return {
        **mapping(shell),
        "messages": [each for start, end in _ranges(shell) for each in told[start:end]],
        "attachments": {str(index): text for index, text in enumerate(held)},
        "metadata": file.json(about) if about in file.names else {},
    }


def events(file: Archive, name: str) -> Iterator[Any]:
    """The events that a large sample keeps in parts, a part in memory at a time."""
    if _is_shell(name):
        for part in _parts(file.names, f"{name.removesuffix(_SHELL)}/events"):
            yield from listed(file.json(part))


def _is_shell(name: str) -> bool:
    return name.startswith("samples/") and name.endswith(_SHELL)


def _parts(members: Iterable[str], folder: str) -> Sequence[str]:
    """The parts of a sequence in order: each is named by the number of its first item."""
    matches = (_PART.fullmatch(name) for name in members)
    starts = {int(each["start"]): each[0] for each in matches if each is not None and each["folder"] == folder}
    return [starts[start] for start in sorted(starts)]


def _ranges(shell: Mapping[str, Any]) -> list[tuple[int, int]]:
    return [(start, end) for start, end in listed(mapping(shell).get("message_refs"))]
