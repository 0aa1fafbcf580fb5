"""Tables by a map: what was written comes back equal, in any order of rows; a spoilt table is a sentence at most."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from reviewer.basics.errors import SourceError
from reviewer.imports.formats import mapped
from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.maps import draft, mapkeys, markup
from reviewer.imports.source import Extract, Source
from reviewer.transcripts.model import Conversation, Message, Role, Score, ToolCall
from tests.mutations import VALUES, assert_whole

Rows = list[dict[str, Any]]
BY = """
rows = "messages"
[conversation]
id = "conv"
model = "model"
case = "case"
run = "run"
[message]
speaker = "who"
text = "text"
time = "at"
order = "n"
name = "name"
reasoning = "why"
tool_calls = "calls"
tokens_in = "t_in"
cost = "usd"
[call]
name = "name"
arguments = "arguments"
result = "result"
id = "id"
[speakers]
agent = ["bot"]
customer = ["user"]
colleague = ["staff"]
system = ["sys"]
[scores]
csat = "csat"
[metadata]
channel = "channel"
"""
WORDS: dict[Role, str] = {"agent": "bot", "customer": "user", "colleague": "staff", "system": "sys", "other": "ghost"}
ABOUT = ("conv", "model", "case", "run", "csat", "channel")
"""The columns that speak of the conversation."""
NAMES = (*ABOUT, "n", "who", "text", "at", "name", "why", "calls", "t_in", "usd")
LETTERS = st.characters(exclude_categories=["Cs"])
TEXTS = st.text(LETTERS, max_size=12) | st.sampled_from(['"', "a,b;c\td|e", "\r\n\n", "="])
SAID = TEXTS.filter(bool)
CALLS = st.builds(ToolCall, name=SAID, arguments=st.none() | SAID, result=st.none() | SAID, id=st.none() | SAID)
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(list(WORDS)),
    text=TEXTS,
    reasoning=TEXTS,
    calls=st.lists(CALLS, max_size=2).map(tuple),
    name=st.none() | SAID,
    at=st.none() | st.datetimes().map(lambda at: at.isoformat()),
    tokens_in=st.none() | st.integers(0, 2**53),
    cost=st.none() | st.floats(0, 1e6),
)
CONVERSATIONS = st.builds(
    Conversation,
    model=st.sampled_from(["kimi", "glm=5"]),
    messages=st.lists(MESSAGES, min_size=1, max_size=5).map(tuple),
    case=st.none() | SAID,
    run=st.none() | st.integers(0, 99),
    scores=st.just(()) | st.floats(-10, 10).map(lambda n: (Score("csat", n),)),
    meta=st.none() | SAID.map(lambda word: {"channel": word}),
)


def spoken(it: Conversation) -> Conversation:
    """The conversation with the source's words for its roles."""
    said = [
        Message(
            *(m.role, m.text, m.reasoning, m.calls, WORDS[m.role], m.name, m.at, m.tokens_in),
            cost=m.cost,
        )
        for m in it.messages
    ]
    return Conversation(it.model, tuple(said), it.case, it.run, it.id, scores=it.scores, meta=it.meta)


def rows_of(it: Conversation) -> Rows:
    """The conversation as rows of a table."""
    about: dict[str, Any] = {"conv": it.id, "model": it.model, "case": it.case, "run": it.run}
    about |= {"csat": it.scores[0].value if it.scores else None, "channel": (it.meta or {}).get("channel")}
    found = []
    for n, m in enumerate(it.messages):
        calls = [{"name": c.name, "arguments": c.arguments, "result": c.result, "id": c.id} for c in m.calls]
        said = {"n": n, "who": WORDS[m.role], "text": m.text, "at": m.at, "name": m.name, "why": m.reasoning}
        more = {"calls": json.dumps(calls) if calls else None, "t_in": m.tokens_in, "usd": m.cost}
        found.append({**about, **said, **more})
    return found


def as_csv(rows: Rows) -> bytes:
    held = io.StringIO()
    writer = csv.DictWriter(held, NAMES, quoting=csv.QUOTE_MINIMAL)
    writer.writeheader()
    writer.writerows(rows)
    return held.getvalue().encode()


def as_semicolons(rows: Rows) -> bytes:
    held = io.StringIO()
    writer = csv.DictWriter(held, NAMES, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return b"\xef\xbb\xbf" + held.getvalue().encode()


def as_lines(rows: Rows) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def as_parquet(rows: Rows) -> bytes:
    held = io.BytesIO()
    kinds = {"run": pa.int64(), "n": pa.int32(), "t_in": pa.int64(), "usd": pa.float64(), "csat": pa.float64()}
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in NAMES])
    parquet.write_table(pa.Table.from_pylist(rows, schema), held, row_group_size=3)
    return held.getvalue()


def as_sqlite(rows: Rows) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "x.db")
        db = sqlite3.connect(path)
        db.execute(f"CREATE TABLE t ({', '.join(map(json.dumps, NAMES))})")
        db.executemany(
            f"INSERT INTO t VALUES ({', '.join('?' * len(NAMES))})",
            [tuple(row.values()) for row in ({name: row[name] for name in NAMES} for row in rows)],
        )
        db.commit()
        db.close()
        return path.read_bytes()


DRESSES: dict[str, Callable[[Rows], bytes]] = {
    "x.csv": as_csv,
    "y.csv": as_semicolons,
    "x.jsonl": as_lines,
    "x.parquet": as_parquet,
    "x.db": as_sqlite,
}


def read(held: bytes, name: str, by: str = BY) -> list[Conversation]:
    """The conversations of a table; nothing may be rejected."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(held)
        made = list(mapped.conversations(Source(path, name), mapkeys.parse(by)))
    found = [each.conversation for each in made if isinstance(each, Extract)]
    assert not [each for each in made if not isinstance(each, Extract) and hasattr(each, "reason")]
    return found


MANY = st.lists(CONVERSATIONS, min_size=1, max_size=4).map(
    lambda held: [
        spoken(Conversation(it.model, it.messages, it.case, it.run, f"c{n}", scores=it.scores, meta=it.meta))
        for n, it in enumerate(held)
    ]
)
TAGS = [
    "<p>",
    "</p>",
    "<a href='x'>",
    "</a>",
    "<br>",
    "<pre>",
    "<li>",
    "<!--",
    "-->",
    "<script>",
    "&amp;",
    "a",
    " ",
    "<",
]
OFTEN = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("name", DRESSES)
@OFTEN
@given(held=MANY, data=st.data())
def test_what_was_written_comes_back_equal_in_any_order(
    name: str, held: list[Conversation], data: st.DataObject
) -> None:
    rows = [row for it in held for row in rows_of(it)]
    shuffled = data.draw(st.permutations(rows))
    for each in (rows, shuffled):
        found = sorted(read(DRESSES[name](each), name), key=lambda it: it.id or "")
        assert found == held


@OFTEN
@given(held=MANY)
def test_a_row_a_conversation_comes_back_equal(held: list[Conversation]) -> None:
    by = BY.replace('"messages"', '"conversations"', 1).replace('model = "model"', 'model = "model"\nmessages = "list"')
    rows = []
    for it in held:
        inner = rows_of(it)
        said = [{key: value for key, value in row.items() if key not in ABOUT} for row in inner]
        rows.append({**{key: inner[0][key] for key in ABOUT}, "list": said})
    for name, table in (("x.jsonl", rows), ("y.jsonl", [{**row, "list": json.dumps(row["list"])} for row in rows])):
        found = read(as_lines(table), name, by)
        assert found == held


@OFTEN
@given(text=st.text(max_size=60) | st.lists(st.sampled_from(TAGS), max_size=25).map("".join))
def test_markup_never_fails(text: str) -> None:
    markup.plain(text)


CHATS = 'rows = "conversations"\n[conversation]\nmessages = "calls?"\nid = "conv?"\n'
MAPS = [BY, CHATS, *(mapkeys.load(name).text for name in mapkeys.shipped())]


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[str, bytes]:
    """A table with bytes changed, or values of any kind in its rows."""
    name = draw(st.sampled_from(sorted(DRESSES)))
    rows = [row for it in draw(MANY) for row in rows_of(it)]
    if name == "x.jsonl" and draw(st.booleans()):
        rows = [{**row, draw(st.sampled_from(NAMES)): draw(VALUES)} for row in rows]
        return name, "".join(json.dumps(row) + "\n" for row in rows).encode("utf-8", "backslashreplace")
    held = bytearray(DRESSES[name](rows))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(held)))
        held[start : start + draw(st.integers(0, 20))] = draw(
            st.binary(max_size=8) | st.sampled_from([b'"', b",", b"\n"])
        )
    return name, bytes(held[: draw(st.integers(0, len(held)) | st.just(len(held)))])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(file=spoilt(), by=st.sampled_from(MAPS))
def test_a_spoilt_table_is_a_sentence_at_most(folder: Path, file: tuple[str, bytes], by: str) -> None:
    name, held = file
    path, store = folder / name, folder / "runs.db"
    path.write_bytes(held)
    (folder / "map.toml").write_text(by, encoding="utf-8")
    with suppress(SourceError):
        report = import_files([path], store, Wishes(map=str(folder / "map.toml")))
        json.dumps(report.as_json())
        if store.exists():  # nothing is left of an import that nothing came of
            assert_whole(store)
    import_files([path], store, Wishes())
    with suppress(SourceError):
        made = draft.draft(Source(path, name))
        draft.glimpse(Source(path, name), draft.parsed(made, "draft"))
