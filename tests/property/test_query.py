"""Laws of the query language: it raises only its own error, is written back as it was read, and finds exactly what a
plain filter in Python finds, with the index and without it."""

from __future__ import annotations

import re
import tempfile
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.basics.errors import QueryError
from reviewer.transcripts.model import Conversation, Message, ToolCall
from reviewer.transcripts.query import parse
from reviewer.transcripts.query.matches import exact, folded, normalised, required, spans
from reviewer.transcripts.query.selection import TextTerm, quoted
from reviewer.transcripts.store import word_index
from reviewer.transcripts.store.connection import connect_reading
from reviewer.transcripts.store.text_search import TextSearch
from tests import builders

# Letters that meet in odd ways: case, marks, apostrophes, emoji, scripts without blanks, what SQL and FTS5 hold dear.
LETTERS = "aAbB1 _-.'’\"*%\\#(){}:^\0\n\u0301éÉßİıσςΣ🙂取消ก"
WORDS = ("ab", "AB", "b1", "a'b", "取消", "É", "not", "OR", "NEAR", '"', "*")
texts = st.lists(st.sampled_from(WORDS) | st.text(LETTERS, max_size=4), max_size=5).map("".join)
needles = st.text(LETTERS, min_size=1, max_size=4) | st.sampled_from(WORDS)


PIECES = [*'":-.,*<>@= \n\ud800()', " or ", "(a", "b) ", "model", "score", "run", "date", "1"]


def _refused(text: str) -> QueryError | None:
    try:
        parse(text)
    except QueryError as error:
        return error
    return None


@given(st.text(max_size=40) | st.lists(st.sampled_from(PIECES)).map("".join))
@settings(max_examples=400)
def test_whatever_is_typed_parses_or_says_where_it_does_not(text: str) -> None:
    error = _refused(text)
    if error is None:
        assert parse(str(parse(text))) == parse(text)
    else:
        assert error.position is not None
        assert 0 <= error.position <= len(text)
        assert error.hint


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.booleans())
def test_a_quoted_phrase_is_literal_to_the_character(text: str, negated: bool) -> None:
    assert parse("-" * negated + quoted(text)).texts == (TextTerm(text, "phrase", negated),)
    assert parse(f"model:{quoted(text)}").terms[0].values[0].text == text


def _binds(character: str) -> bool:
    return character.isalnum() and character not in "取消ก"


def _plainly_holds(term: TextTerm, text: str) -> bool:
    """The definition of a match, said once more and slowly."""
    if term.kind == "phrase":
        return term.text in text
    needle, hay = folded(term.text), folded(text)
    for found in re.finditer(f"(?={re.escape(needle)})", hay):
        before, after = hay[: found.start()][-1:], hay[found.start() + len(needle) :][:1]
        left = not (before and _binds(before) and _binds(needle[0]))
        right = term.kind == "prefix" or not (after and _binds(after) and _binds(needle[-1]))
        if left and right:
            return True
    return False


terms = st.builds(TextTerm, needles, st.sampled_from(["word", "prefix", "phrase"]))


@given(terms, texts)
@settings(max_examples=400)
def test_spans_are_where_the_term_stands(term: TextTerm, text: str) -> None:
    found = spans(term, text)
    assert bool(found) == _plainly_holds(term, text)
    for start, end in found:
        assert folded(text[start:end]) == folded(term.text)
    assert all(one[1] <= two[0] for one, two in pairwise(found))


@given(st.text())
def test_folding_keeps_every_offset(text: str) -> None:
    assert len(folded(text)) == len(text)
    assert [folded(character) for character in text] == list(folded(text))
    assert folded(folded(text)) == folded(text)


@given(terms, texts)
@settings(max_examples=400)
def test_the_index_never_misses_a_text(term: TextTerm, text: str) -> None:
    tokens = re.findall(r"[0-9a-z\x80-\U0010ffff]+", normalised(text).lower() if text.isascii() else normalised(text))
    wanted = re.findall(r'"([^"]*)"(\*?)', required(term))
    held = all(any(t.startswith(w) if star else t == w for t in tokens) for w, star in wanted)
    if _plainly_holds(term, text):
        assert held
    elif exact(term):
        assert not held


calls = st.builds(ToolCall, st.sampled_from(["get", "cancel"]), texts, st.none() | texts)
messages = st.builds(
    Message, st.sampled_from(["customer", "agent"]), texts, texts, st.lists(calls, max_size=2).map(tuple)
)
conversations = st.lists(st.lists(messages, max_size=3).map(tuple), min_size=1, max_size=5)
BARE = ["ab", "-ab", "a*", "b1", "取消", "É", "a'b", "role:agent", "-role:tool", "tool:get", "messages:>1"]
queries = st.lists(
    st.tuples(st.booleans(), needles).map(lambda pair: "-" * pair[0] + quoted(pair[1])) | st.sampled_from(BARE),
    min_size=1,
    max_size=4,
).map(" ".join)


def _expected(item: Conversation, query: str) -> bool:
    parsed = parse(query)
    writers = set(parsed.selection.scope.writers) if parsed.texts else set()
    held: list[str] = []
    for message in item.messages:
        called = [call.arguments or "" for call in message.calls]
        held += [message.text, message.reasoning, *called] if message.role in writers else []
        held += [call.result or "" for call in message.calls] if "tool" in writers else []
    fields = {
        "role:agent": bool(parsed.texts) or any(message.role == "agent" for message in item.messages),
        "-role:tool": bool(parsed.texts) or all(c.result is None for m in item.messages for c in m.calls),
        "tool:get": any(call.name == "get" for message in item.messages for call in message.calls),
        "messages:>1": len(item.messages) > 1,
    }
    return all(fields[str(term)] for term in parsed.terms) and all(
        any(_plainly_holds(term, text) for text in held) != term.negated for term in parsed.texts
    )


@given(conversations, st.lists(queries, min_size=4, max_size=8), st.booleans())
@settings(max_examples=40, deadline=None)
def test_the_store_finds_what_a_plain_filter_finds(
    talks: list[tuple[Message, ...]], asked: list[str], indexed: bool
) -> None:
    items = [Conversation("m", talk, case=f"c{n}", run=1) for n, talk in enumerate(talks)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = builders.store(folder, *items)
        if indexed:
            assert word_index.update(path, folder=folder)
        with closing(connect_reading(path)) as db:
            search = TextSearch(db, path, folder)
            for query in asked:
                selection = parse(query).selection
                where, parameters = search.where(selection)
                found = {row[0] for row in db.execute(f"SELECT ref FROM conversations{where}", parameters).fetchall()}
                assert found == {f"m/{item.case}/1" for item in items if _expected(item, query)}
                if any(not term.negated for term in selection.texts):
                    assert {hit.ref.partition("#")[0] for hit in search.hits(selection)} == found
