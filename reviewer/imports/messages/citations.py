"""The passages that a provider says a text rests on -> citations in one shape, as a message keeps them. Pure.

A citation has the `passage`, its `title` and `source` (an address, a file), which characters of the message cite it
(`start` and `end`), and under `more` what else the provider says of it. Knows the citations of Anthropic, OpenAI,
Bedrock, Inspect, Claude's export and the AI SDK; one that names none of the three is kept with all under `more`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from reviewer.transcripts.model import Json

LISTS = ("citations", "annotations")
_NESTED = ("url_citation", "file_citation", "file_path", "container_file_citation", "details")
_PASSAGES = ("cited_text", "quote", "sourceContent", "content")
_TITLES = ("title", "document_title", "filename")
_SOURCES = ("url", "source", "uri", "file_id")
_STARTS, _ENDS = ("start_index", "startIndex"), ("end_index", "endIndex")
_PARTS = ("source-url", "source-document", "source")
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def stated(block: Mapping[str, Any]) -> Any:
    """The citations that a block of text states, under whichever name."""
    inner = block.get("text")
    places = (block, inner) if isinstance(inner, Mapping) else (block,)
    return next((place[name] for place in places for name in LISTS if place.get(name)), None)


def of_text(cited: Any, text: str, at: int) -> list[Json]:
    """The citations of a text that begins at a character of its message; one that names no words is of all of them."""
    if not isinstance(cited, list):
        return []
    return [_citation(each, text, at, whole=True) for each in cited if isinstance(each, str | Mapping)]


def of_message(extra: Json, text: str, within: Iterable[Json]) -> Json:
    """What is kept beside a message, with the citations that stand beside its content in one shape, after those in it.

    A list under the same name that cites nothing stays as it is.
    """
    kept, cited = dict(extra), list(within)
    for name in LISTS:
        held = kept.get(name)
        if isinstance(held, list) and held and all(isinstance(each, str | Mapping) for each in held):
            made = [_citation(each, text, 0, whole=False) for each in held]
            if all(each.keys() & {"passage", "title", "source"} for each in made):
                del kept[name]
                cited += made
    return {**kept, "citations": cited} if cited else kept


def is_source(kind: str) -> bool:
    """True if a block of this kind names a source and has no words: the AI SDK writes each citation as one."""
    return kind in _PARTS


def of_source(block: Mapping[str, Any]) -> Json:
    """The citation that a block which names a source states."""
    inner = block.get("source")
    told = inner if isinstance(inner, Mapping) else {key: value for key, value in block.items() if key != "type"}
    return _citation(told, "", 0, whole=False)


def _citation(cited: str | Mapping[str, Any], text: str, at: int, whole: bool) -> Json:
    told = {"source": cited} if isinstance(cited, str) else _unfolded(cited)
    read: set[str] = set()

    def taken(names: tuple[str, ...]) -> Any:
        name = next((name for name in names if told.get(name) not in _EMPTY), None)
        read.update((name,) if name else ())
        return told.get(name) if name else None

    passage, title, source = _words(taken(_PASSAGES)), taken(_TITLES), taken(_SOURCES)
    within = told.get("cited_text")
    span = within if isinstance(within, list) else [taken(_STARTS), taken(_ENDS)]
    if whole and span == [None, None]:
        span = [0, len(text)]
    made = {
        "passage": passage,
        "title": title if isinstance(title, str) else "",
        "source": source if isinstance(source, str) else "",
        **_place(span, text, at),
        "more": {key: value for key, value in told.items() if key not in read and value not in _EMPTY},
    }
    return {name: value for name, value in made.items() if value not in _EMPTY}


def _unfolded(cited: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a citation, with those of the object that its kind names."""
    told = {key: value for key, value in cited.items() if key not in _NESTED or not isinstance(value, Mapping)}
    for name in _NESTED:
        inner = cited.get(name)
        told |= inner if isinstance(inner, Mapping) else {}
    web = cited["location"].get("web") if isinstance(cited.get("location"), Mapping) else None
    return {**web, **told} if isinstance(web, Mapping) else told


def _words(passage: Any) -> str:
    """The words of a passage: a text, or the texts of its parts."""
    if isinstance(passage, list):
        parts = (each.get("text") for each in passage if isinstance(each, Mapping))
        return "\n".join(part for part in parts if isinstance(part, str))
    return passage if isinstance(passage, str) else ""


def _place(span: list[Any], text: str, at: int) -> dict[str, int]:
    """Where in the message a span of a text that begins at a character stands; nowhere if the text has no such span."""
    if len(span) != 2 or any(type(each) is not int for each in span) or not 0 <= span[0] < span[1] <= len(text):
        return {}
    return {"start": at + span[0], "end": at + span[1]}
