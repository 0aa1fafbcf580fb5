"""Tables by a map: what each key does, a sentence for each that is wrong, drafts that read back, rows that are none."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet as arrow

from reviewer import cli
from reviewer.basics.errors import SourceError
from reviewer.imports import bystanders
from reviewer.imports.formats import mapped
from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.maps import cell_values, draft, mapkeys, markup
from reviewer.imports.maps.paths import first_of, pointer
from reviewer.imports.source import BadRecord, Extract, Remark, Source
from reviewer.transcripts.model import Conversation, Score, ToolCall, Usage
from reviewer.transcripts.store import foreign_files
from reviewer.transcripts.store.reader import Reader
from tests import variants
from tests.variants.tables import parquet_of, tables

BY_MESSAGE = """
rows = "messages"
[conversation]
id = "ticket"
model = "=support-bot"
[message]
speaker = "who"
text = "said"
time = "at"
order = "at"
[speakers]
agent = ["bot"]
customer = ["end-user"]
"""
ROWS = [
    {"ticket": "7", "who": "end-user", "said": "Where is #7?", "at": "2026-01-01T10:00:00Z"},
    {"ticket": "8", "who": "end-user", "said": "Hello", "at": "2026-01-01T10:00:01Z"},
    {"ticket": "7", "who": "bot", "said": "Shipped.", "at": "2026-01-01T10:01:00Z"},
]
SEVEN = ["customer Where is #7?", "agent Shipped."]


def items(folder: Path, name: str, held: str | bytes, map: str) -> list[Any]:
    """What comes of a file by a map."""
    path = folder / name
    path.write_bytes(held if isinstance(held, bytes) else held.encode())
    (folder / "map.toml").write_text(map, encoding="utf-8")
    source = Source(path, name, alone=True)
    return list(mapped.by_map(str(folder / "map.toml"), [source]).read(source))


def conversations(folder: Path, name: str, held: str | bytes, map: str) -> list[Conversation]:
    """The conversations; nothing may be rejected."""
    made = items(folder, name, held, map)
    assert [each for each in made if isinstance(each, BadRecord)] == []
    return [each.conversation for each in made if isinstance(each, Extract)]


def remarks(made: list[Any]) -> list[str]:
    return [each.text for each in made if isinstance(each, Remark)]


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def sqlite_of(folder: Path, *names: str) -> bytes:
    path = folder / "made.db"
    with sqlite3.connect(path) as db:
        for table in names:
            db.execute(f"CREATE TABLE {table} (ticket, who, said, at)")
            db.executemany(f"INSERT INTO {table} VALUES (:ticket, :who, :said, :at)", ROWS)
    db.close()
    held = path.read_bytes()
    path.unlink()
    return held


def csv_of(delimiter: str) -> str:
    cells = [list(ROWS[0]), *(list(row.values()) for row in ROWS)]
    return "\ufeff" + "\r\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in cells)


@pytest.mark.parametrize(
    "kind", ["jsonl", "json", "comma", "semicolon", "tab", "bar", "gz", "wide", "parquet", "sqlite", "pages"]
)
def test_one_table_in_every_dress(tmp_path: Path, kind: str) -> None:
    held: dict[str, tuple[str, str | bytes]] = {
        "jsonl": ("x.jsonl", lines(*ROWS)),
        "json": ("x.json", json.dumps(ROWS)),
        "comma": ("x.csv", csv_of(",")),
        "semicolon": ("x.csv", csv_of(";")),
        "tab": ("x.tsv", csv_of("\t")),
        "bar": ("export.txt", csv_of("|")),
        "wide": ("x.csv", csv_of("\t").removeprefix("\ufeff").encode("utf-16")),
        "gz": ("x.csv.gz", gzip.compress(csv_of(",").encode())),
        "parquet": ("x.parquet", parquet_of(ROWS)),
        "sqlite": ("x.db", sqlite_of(tmp_path, "rows")),
        "pages": ("x.json", json.dumps({"page": 1, "rows": ROWS})),
    }
    wish = '[file]\nrecords = "rows[]"\n' if kind == "pages" else ""
    seven, eight = conversations(tmp_path, *held[kind], BY_MESSAGE + wish)
    assert variants.sketch(seven) == SEVEN
    assert (seven.id, seven.model, seven.messages[1].at) == ("7", "support-bot", "2026-01-01T10:01:00Z")
    assert variants.sketch(eight) == ["customer Hello"]


def test_quoted_newlines_quotes_blanks_and_marks_stay(tmp_path: Path) -> None:
    held = 'ticket,who,said,at\n7,bot,"  a ""b"",\n\n c  ",\n7,bot,,\n'
    (it,) = conversations(tmp_path, "x.csv", held, BY_MESSAGE)
    assert [message.text for message in it.messages] == ['  a "b",\n\n c  ', ""]


def test_another_encoding_quote_and_escape(tmp_path: Path) -> None:
    held = "ticket;who;said;at\n7;bot;'gr\\'\xfcn; ja';\n".encode("cp1252")
    wishes = '[file]\nencoding = "cp1252"\nquote = "\'"\nescape = "\\\\"\ndelimiter = ";"\n'
    (it,) = conversations(tmp_path, "x.csv", held, BY_MESSAGE + wishes)
    assert it.messages[0].text == "gr'ün; ja"


def test_rows_that_are_none_are_rejected_with_their_line_and_the_others_go_through(tmp_path: Path) -> None:
    held = (
        b"ticket,who,said,at\n7,end-user,Where?,1\n,bot,nobody's,2\n7,bot,gr\xfcn,3\n7,bot,a,b,c\n"
        b'8,bot,"never closed,4\n7,bot,Here.,5\n'
    )
    made = items(tmp_path, "x.csv", held, BY_MESSAGE.replace('time = "at"\n', ""))
    bad = {each.position: each.reason for each in made if isinstance(each, BadRecord)}
    assert list(bad) == ["line 3", "line 4", "line 5", "line 6"]
    assert "no “ticket”" in bad["line 3"]
    assert "not UTF-8" in bad["line 4"]
    assert "5 cells" in bad["line 5"]
    assert "never closed" in bad["line 6"]
    assert [variants.sketch(each.conversation) for each in made if isinstance(each, Extract)] == [
        ["customer Where?", "agent Here."]
    ]


def test_a_line_that_is_no_json_and_a_row_that_is_no_object(tmp_path: Path) -> None:
    made = items(tmp_path, "x.jsonl", lines(ROWS[0], 3) + "{\n" + lines(ROWS[2]), BY_MESSAGE)
    assert [each.position for each in made if isinstance(each, BadRecord)] == ["line 2", "line 3"]
    assert [variants.sketch(each.conversation) for each in made if isinstance(each, Extract)] == [SEVEN]


def test_a_row_that_is_nested_deeply_stops_none_beside_it(tmp_path: Path) -> None:
    deep = lines(ROWS[0])[:-2] + ', "deep": ' + "[" * 400 + "]" * 400 + "}\n"
    seven, _ = conversations(tmp_path, "x.jsonl", deep + lines(*ROWS[1:]), BY_MESSAGE)
    assert variants.sketch(seven) == SEVEN


def test_a_parquet_file_that_is_cut_off_says_so(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read as Parquet"):
        items(tmp_path, "x.parquet", parquet_of(ROWS)[:-30], BY_MESSAGE)


def test_values_that_json_has_no_word_for(tmp_path: Path) -> None:
    at = datetime(2026, 1, 1, 10, tzinfo=UTC)
    made = io.BytesIO()
    table = pa.table({"ticket": [7], "who": ["bot"], "said": ["x"], "at": [at], "raw": [b"\xff\x00"], "tags": [[b"a"]]})
    arrow.write_table(table, made)
    (it,) = conversations(tmp_path, "x.parquet", made.getvalue(), BY_MESSAGE)
    assert (it.id, it.messages[0].at) == ("7", "2026-01-01T10:00:00+00:00")
    assert it.extra == {"raw": "/wA=", "tags": ["a"]}


def test_a_sqlite_file_of_several_tables_needs_its_name(tmp_path: Path) -> None:
    held = sqlite_of(tmp_path, "a", "b")
    with pytest.raises(SourceError, match="several tables: a, b"):
        items(tmp_path, "x.db", held, BY_MESSAGE)
    assert len(conversations(tmp_path, "x.db", held, BY_MESSAGE + '[file]\ntable = "b"\n')) == 2
    with pytest.raises(SourceError, match="has no table “c”"):
        items(tmp_path, "x.db", held, BY_MESSAGE + '[file]\ntable = "c"\n')
    with pytest.raises(SourceError, match="cannot be read as SQLite"):
        items(tmp_path, "x.db", held[:100] + b"\xff" * 5_000, BY_MESSAGE + '[file]\ntable = "a"\n')


NUMBERS = (
    "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    " SELECT i AS ticket, i AS who, i AS said, i AS at FROM n WHERE i < {}"
)


def views_of(folder: Path, *views: str) -> Path:
    """A database with a table of messages and these views, the last of them called v."""
    with closing(sqlite3.connect(folder / "x.db")) as db, db:
        db.execute("CREATE TABLE messages (ticket TEXT, who TEXT, said TEXT, at TEXT)")
        db.executemany("INSERT INTO messages VALUES (:ticket, :who, :said, :at)", ROWS)
        for view in views:
            db.execute(view)
    return folder / "x.db"


def doubled(name: str, of: str) -> str:
    return f"CREATE VIEW {name} AS SELECT DISTINCT a.* FROM {of} a JOIN {of} b ON a.ticket = b.ticket"


def test_a_view_that_never_ends_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviewer.transcripts.store.foreign_files._MOST_STEPS", 1)
    views_of(tmp_path, NUMBERS.format(0))
    with pytest.raises(SourceError, match="a view took more than 1 steps"):
        items(tmp_path, "y.db", (tmp_path / "x.db").read_bytes(), BY_MESSAGE + '[file]\ntable = "v"\n')


def test_a_plain_import_waits_once_for_a_view_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    rows = foreign_files.rows

    def counted(path: Path, table: str, join: foreign_files.Join | None = None) -> Iterator[tuple[Any, ...]]:
        asked.append(table)
        return rows(path, table, join)

    monkeypatch.setattr(foreign_files, "_MOST_STEPS", 1)
    monkeypatch.setattr(foreign_files, "rows", counted)
    with closing(sqlite3.connect(tmp_path / "x.db")) as db, db:
        db.execute(NUMBERS.format(0))
    (tmp_path / "z.jsonl").write_text('{"messages": [{"role": "user", "content": "Hi."}]}\n')
    report = import_files([tmp_path / "x.db", tmp_path / "z.jsonl"], tmp_path / "runs.db", Wishes())
    assert (report.total("new"), report.total("rejected")) == (1, 1)
    assert any("a view took more than 1 steps" in remark for remark in report.sources[0].remarks)
    assert asked == ["v"]


def test_ctrl_c_ends_a_query(tmp_path: Path) -> None:
    path = views_of(tmp_path, NUMBERS.format(0))
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(foreign_files.rows(path, "v"))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "views",
    [
        [doubled("v1", "messages"), *(doubled(f"v{n}", f"v{n - 1}") for n in range(2, 41)), doubled("v", "v40")],
        [
            "CREATE VIEW v AS WITH c0 AS (SELECT * FROM messages), "
            + ", ".join(f"c{n} AS (SELECT a.* FROM c{n - 1} a JOIN c{n - 1} b)" for n in range(1, 41))
            + " SELECT * FROM c40"
        ],
        ["CREATE VIEW v0 AS SELECT *, 1 AS x FROM messages"]
        + [f"CREATE VIEW v{n} AS SELECT ticket, who, said, at, x + x AS x FROM v{n - 1}" for n in range(1, 41)]
        + ["CREATE VIEW v AS SELECT * FROM v40"],
    ],
    ids=["views", "names within a view", "expressions"],
)
def test_a_view_that_doubles_forty_times_is_not_planned(tmp_path: Path, views: list[str]) -> None:
    path = views_of(tmp_path, *views)
    with pytest.raises(SourceError, match="the view “v” needs more than 32 MiB to plan"):
        foreign_files.columns(path, "v")
    made = draft.draft(Source(path, "x.db", alone=True))
    assert 'table = "messages"' in made.text
    assert any("needs more than 32 MiB to plan" in note for note in made.notes)


def test_a_view_of_views_is_read(tmp_path: Path) -> None:
    path = views_of(tmp_path, doubled("v1", "messages"), doubled("v2", "v1"), doubled("v", "v2"))
    assert sorted(foreign_files.rows(path, "v")) == sorted(tuple(row.values()) for row in ROWS)


def test_the_cells_of_a_row_of_a_view_are_bounded_together(tmp_path: Path) -> None:
    cells = ", ".join(f"hex(zeroblob(20000000)) AS c{n}" for n in range(40))
    path = views_of(tmp_path, f"CREATE VIEW v AS SELECT {cells} FROM messages")
    with pytest.raises(SourceError, match="too big"):
        list(foreign_files.rows(path, "v"))


def test_the_columns_that_no_key_names_are_kept_once_where_all_rows_agree(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{**row, "channel": "web", "mood": n, "empty": ""} for n, row in enumerate(ROWS)]
    seven, eight = conversations(tmp_path, "x.jsonl", lines(*rows), BY_MESSAGE)
    assert seven.extra == {"channel": "web"}
    assert [message.extra for message in seven.messages] == [{"mood": 0}, {"mood": 2}]
    assert eight.extra == {"channel": "web", "mood": 1}
    (left, _) = conversations(tmp_path, "x.jsonl", lines(*rows), 'leave_out = ["mood"]\n' + BY_MESSAGE)
    assert (left.extra, left.messages[0].extra) == ({"channel": "web"}, None)


def test_what_should_be_the_conversations_and_differs_is_kept_with_the_messages(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "csat": 5}, {**ROWS[2], "csat": 2}]
    (it,) = conversations(tmp_path, "x.jsonl", lines(*rows), BY_MESSAGE + '[scores]\ncsat = "csat"\n')
    assert it.scores == (Score("csat", 5.0),)
    assert [message.extra for message in it.messages] == [{"csat": 5}, {"csat": 2}]


def test_numbers_scores_and_metadata(tmp_path: Path) -> None:
    more = """
tokens_in = "t_in"
tokens_out = "t_out"
cost = "usd"
name = "n"
reasoning = "why"
[scores]
csat = { value = "csat", judge = "=survey", note = "remark" }
solved = { value = "solved", numbers = { yes = 1, no = 0 } }
marks = { each = "marks", value = "v", note = "w", name = "k" }
[metadata]
channel = "channel"
"""
    by = BY_MESSAGE.replace("[speakers]", more + "[speakers]").replace(
        "[message]", 'case = "case"\nrun = "run"\ntokens_in = "all"\nended_by = "end"\n[message]'
    )
    row: dict[str, Any] = {**ROWS[2], "t_in": "12", "t_out": "3.0", "usd": "0.25", "n": "Ann", "why": "because"}
    row |= {"csat": " 4.5 ", "remark": "kind", "solved": "Yes", "channel": "web", "case": 3, "run": "2", "all": "99"}
    row |= {"end": "timeout", "marks": json.dumps([{"k": "polite", "v": True, "w": "very"}, {"v": 0.5}])}
    (it,) = conversations(tmp_path, "x.jsonl", lines(row), by)
    (message,) = it.messages
    assert (message.tokens_in, message.tokens_out, message.cost, message.name) == (12, 3, 0.25, "Ann")
    assert (message.reasoning, it.case, it.run, it.usage, it.ended_by) == ("because", "3", 2, Usage(99), "timeout")
    assert it.scores == (
        Score("csat", 4.5, "survey", "kind"),
        Score("solved", 1.0, raw="Yes"),
        Score("polite", 1.0, None, "very", "true"),
        Score("marks", 0.5),
    )
    assert it.meta == {"channel": "web"}


def test_calls_in_columns_of_their_own_and_results_in_rows(tmp_path: Path) -> None:
    by = (
        BY_MESSAGE
        + 'tool = ["tool"]\n[call]\nname = "tool"\narguments = "args"\nid = "call"\n[result]\nid = "call"\nok = "ok"\n'
    )
    rows: list[dict[str, Any]] = [
        {**ROWS[0]},
        {**ROWS[2], "said": "", "at": "2026-01-01T10:00:01Z", "tool": "find", "args": '{"id": 7}', "call": "c1"},
        {**ROWS[2], "who": "tool", "said": "none", "at": "2026-01-01T10:00:02Z", "call": "c1", "ok": False},
    ]
    (it,) = conversations(tmp_path, "x.jsonl", lines(*rows), by)
    later = {"result_at": "2026-01-01T10:00:02Z"}
    assert it.messages[1].calls == (ToolCall("find", '{"id": 7}', "none", "none", "c1", extra=later),)


def test_calls_as_json_in_a_column(tmp_path: Path) -> None:
    by = BY_MESSAGE.replace('order = "at"', 'order = "at"\ntool_calls = "calls"\ntool_results = "results"')
    calls = json.dumps([{"id": "c1", "function": {"name": "find", "arguments": '{"id":7}'}}])
    held = io.StringIO()
    held.write("ticket,who,said,at,calls,results\n")
    quoted = calls.replace('"', '""')
    held.write(f'7,bot,Wait.,2026-01-01T10:00:00Z,"{quoted}","[{{""tool_call_id"":""c1"",""content"":""shipped""}}]"\n')
    held.write("7,bot,Hm.,2026-01-01T10:00:01Z,no JSON,\n")
    made = items(tmp_path, "x.csv", held.getvalue(), by)
    (bad,) = [each for each in made if isinstance(each, BadRecord)]
    assert (bad.position, "tool_calls is neither JSON nor a list" in bad.reason) == ("line 3", True)
    (it,) = [each.conversation for each in made if isinstance(each, Extract)]
    assert variants.sketch(it) == ['agent Wait. find({"id":7}) = shipped']


def test_speakers_that_the_map_does_not_name_are_said(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "who": who} for who in ("Ann", "ann", "Bob", "")]
    made = items(tmp_path, "x.jsonl", lines(*rows), BY_MESSAGE + 'default = "colleague"\n')
    assert remarks(made) == [
        "speakers that the map does not name are colleague: ann (2), bob (1), (nobody) (1)",
        "no message is of the agent: name the agent below [speakers] in a map of your own",
    ]


def test_without_speakers_the_usual_roles_count(tmp_path: Path) -> None:
    rows = [{"a": "user", "b": "x"}, {"a": "assistant", "b": "y"}, {"a": "tool", "b": "z"}]
    (it,) = conversations(
        tmp_path, "x.jsonl", lines(*rows), 'rows = "messages"\n[message]\nspeaker = "a"\ntext = "b"\n'
    )
    assert variants.sketch(it) == ["customer x", "agent y !() = z"]


def test_html_becomes_text_and_is_kept(tmp_path: Path) -> None:
    by = BY_MESSAGE.replace('text = "said"', 'text = "said"\nhtml = true')
    (it, _) = conversations(tmp_path, "x.jsonl", lines({**ROWS[0], "said": "<p>a&amp;b</p>"}, ROWS[1], ROWS[2]), by)
    assert (it.messages[0].text, it.messages[0].extra) == ("a&b", {"html": "<p>a&amp;b</p>"})
    assert (it.messages[1].text, it.messages[1].extra) == ("Shipped.", None)


@pytest.mark.parametrize(
    ("held", "text"),
    [
        ("a  \n b<br>c<br/><br>d", "a b\nc\n\nd"),
        ("<div>a</div><div>b</div><p>c</p><p>d</p>", "a\nb\n\nc\n\nd"),
        ("<ul><li>a</li><li>b <i>c</i></li></ul>d", "- a\n- b c\n\nd"),
        (
            '<a href="https://e.org">here</a> <a href="mailto:a@b.c">a@b.c</a> <a href="#x">y</a>',
            "here (https://e.org) a@b.c y",
        ),
        (
            '<img src="data:image/png;base64,xx"><img alt="a cat"><img src="https://e.org/a.png">',
            "[image][image: a cat][image: https://e.org/a.png]",
        ),
        ("<script>x < 1</script><style>p{}</style>1 < 2 &lt;b&gt; <!-- no -->", "1 < 2 <b>"),
        ("<pre>  a\n   b</pre>", "  a\n   b"),
        ("<script>never closed", "never closed"),
        ("<!-- never closed", ""),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a b"),
    ],
)
def test_markup(held: str, text: str) -> None:
    assert markup.plain(held) == text


def test_heads_parts_first_speaker_and_seconds(tmp_path: Path) -> None:
    by = """
rows = "parts"
[conversation]
id = "c"
messages = "a.parts[]"
[[head]]
speaker = "=system"
text = "prompt?"
[message]
speaker = "who"
text = "t"
time = "s"
time_since = "start"
order = "s"
[speakers]
customer = ["@first"]
agent = ["@bot.id"]
[skip]
t = ["", "ping"]
"""
    rows = [
        {"c": 1, "start": 1767261600, "bot": {"id": 9}, "n": 1, "a": {"parts": [{"who": 9, "t": "Hi", "s": 2.5}]}},
        {"c": 2, "start": 1767261600, "a": {"parts": []}},
        {"c": 1, "start": 1767261600, "prompt": "Be kind.", "n": 2, "a": {"parts": [{"who": 5, "t": "Yo", "s": 1}]}},
        {"c": 1, "start": 1767261600, "a": {"parts": [{"who": 5, "t": "ping", "s": 3}, {"who": 5, "t": None, "s": 4}]}},
    ]
    made = items(tmp_path, "x.jsonl", lines(*rows), by)
    one, two = (each.conversation for each in made if isinstance(each, Extract))
    assert variants.sketch(one) == ["system Be kind.", "customer Yo", "agent Hi"]
    assert [message.at for message in one.messages[1:]] == [
        "2026-01-01T10:00:01.000+00:00",
        "2026-01-01T10:00:02.500+00:00",
    ]
    assert [message.extra for message in one.messages[1:]] == [{"n": 2}, {"n": 1, "bot": {"id": 9}}]
    assert two.messages == ()
    assert "2 messages left out, as the map says (t)" in remarks(made)


TEXT = '[message]\ntext = "said"\n'
WRONG = {
    "rows: it is missing": 'title = "x"',
    "rows: there is no “row”": 'rows = "row"',
    "speed: no map has such a key": 'rows = "messages"\nspeed = 1',
    "message.txt: no map has such a key": 'rows = "messages"\n[message]\ntxt = "said"',
    "message: it is not a table": 'rows = "messages"\nmessage = "said"',
    "message.text: it is missing": 'rows = "messages"',
    "message.text: it names no column": 'rows = "messages"\n[message]\ntext = 3',
    "message.html: it is neither true nor false": 'rows = "messages"\n[message]\ntext = "said"\nhtml = "yes"',
    "message.text: x.jsonl has no column “sad”": 'rows = "messages"\n[message]\ntext = "sad"',
    "conversation.messages: it is missing": 'rows = "conversations"',
    "conversation.messages: with a row a message": 'rows = "messages"\n[conversation]\nmessages = "m"\n' + TEXT,
    "conversation.messages: “said” holds no list": 'rows = "conversations"\n[conversation]\nmessages = "said"',
    "conversation.id: it is missing": 'rows = "parts"\n[conversation]\nmessages = "said"',
    "conversation.run: “said” holds no number": 'rows = "messages"\n[conversation]\nrun = "said"\n' + TEXT,
    "speakers: no column says who speaks": 'rows = "messages"\n[message]\ntext = "said"\n[speakers]\nagent = ["x"]',
    "speakers.agent: it is not a list of words": BY_MESSAGE.replace('["bot"]', "[{}]"),
    "speakers.default: there is no “bot”": BY_MESSAGE + 'default = "bot"',
    "speakers.customer: “Bot” is agent already": BY_MESSAGE.replace('["end-user"]', '["Bot"]'),
    "speakers.bots: no map has such a key": BY_MESSAGE + "bots = []",
    "scores.csat: it is neither a column nor a table": BY_MESSAGE + "[scores]\ncsat = 1",
    "scores.csat.value: it is missing": BY_MESSAGE + '[scores.csat]\nnote = "said"',
    "scores.csat.numbers: it is not a table of numbers": BY_MESSAGE
    + '[scores.csat]\nvalue = "said"\nnumbers = { a = "b" }',
    "file.delimiter: “;;” is not one character": BY_MESSAGE + '[file]\ndelimiter = ";;"',
    "file.encoding: there is no “klingon”": BY_MESSAGE + '[file]\nencoding = "klingon"',
    "file.table: it is not a word in quotes": BY_MESSAGE + "[file]\ntable = 3",
    "head 1.text: it is missing": BY_MESSAGE + '[[head]]\nname = "who"',
    "head: it is not a table": "head = [1]\n" + BY_MESSAGE,
    "message.time: “n” holds no times but numbers such as 3": BY_MESSAGE.replace('time = "at"', 'time = "n"'),
    "not TOML": 'rows = "messages',
}


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object) -> tuple[int, str, str]:
    """The exit code of a command and what it printed on both."""
    monkeypatch.setattr(sys, "argv", ["reviewer", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    return int(ended.value.code or 0), printed.out, printed.err


@pytest.mark.parametrize("said", WRONG)
def test_a_map_that_is_wrong_is_one_sentence_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.jsonl").write_text(lines({**ROWS[0], "n": 3}))
    Path("bad.toml").write_text(WRONG[said])
    code, _, err = run(capsys, monkeypatch, "import", "x.jsonl", "--map", "bad.toml")
    sentence, hint = err.splitlines()
    assert code == 2
    assert sentence.startswith("reviewer: bad.toml")
    assert said in sentence
    assert len(hint) > 10
    assert not Path("runs.db").exists()


def test_a_column_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    for name, held in (("x.csv", csv_of(",")), ("x.parquet", parquet_of(ROWS)), ("x.db", sqlite_of(tmp_path, "t"))):
        with pytest.raises(SourceError) as error:
            items(tmp_path, name, held, BY_MESSAGE.replace('"said"', '"sad"'))
        assert str(error.value).endswith("has no column “sad”. It has: ticket, who, said, at.")
    by = 'rows = "conversations"\n[conversation]\nmessages = "m"\n[message]\nspeaker = "role"\ntext = "t"\n'
    with pytest.raises(SourceError, match=r"a message of y\.jsonl has no column “role”\. It has: who, t"):
        items(tmp_path, "y.jsonl", lines({"m": [{"who": 1, "t": "x"}]}), by)


def test_a_map_that_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "x.csv").write_text(csv_of(","))
    code, _, err = run(capsys, monkeypatch, "import", tmp_path / "x.csv", "--map", "nope")
    assert (code, "There is no map “nope”." in err, "Shipped maps: elevenlabs, " in err) == (2, True, True)
    code, _, err = run(capsys, monkeypatch, "import", tmp_path / "x.csv", "--map", "zendesk", "--format", "otel")
    assert (code, "--format and --map" in err) == (2, True)


def test_of_several_files_one_that_the_map_does_not_fit_stops_none_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    (tmp_path / "b.csv").write_text(csv_of(","))
    (tmp_path / "map.toml").write_text(BY_MESSAGE)
    report = import_files(
        [tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path / "r.db", Wishes(map=str(tmp_path / "map.toml"))
    )
    assert [(each.new, each.rejected) for each in report.sources] == [(0, 1), (2, 0)]
    assert report.exit_code == 1
    again = import_files([tmp_path / "b.csv"], tmp_path / "r.db", Wishes(map=str(tmp_path / "map.toml")))
    assert (again.total("new"), again.total("unchanged")) == (0, 2)
    with Reader(tmp_path / "r.db") as reader:
        assert [reader.stored(each).ref for each in reader.ids()] == ["support-bot/7", "support-bot/8"]


@pytest.mark.parametrize("name", tables())
def test_a_shipped_map_is_said(tmp_path: Path, name: str) -> None:
    held = tables()[name].held
    (tmp_path / name).write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
    report = import_files([tmp_path / name], tmp_path / "runs.db", Wishes())
    assert any(remark.startswith("read by the map ") for remark in report.sources[0].remarks)


def test_what_the_shipped_maps_say_beside_the_words(tmp_path: Path) -> None:
    def read(name: str, by: str) -> Conversation:
        held = tables()[name].held
        path = tmp_path / name
        path.write_bytes(held if isinstance(held, bytes) else json.dumps(held).encode())
        source = Source(path, name)
        made = list(mapped.conversations(source, mapkeys.load(by)))
        return next(each.conversation for each in made if isinstance(each, Extract))

    it = read("zendesk-export.jsonl", "zendesk")
    assert (it.id, it.ended_by, it.scores) == ("12", "closed", (Score("csat", 1.0, None, "quick", "good"),))
    assert it.meta == {"subject": "Late", "channel": "web", "tags": ["late"]}
    assert (it.messages[0].extra or {})["html"].startswith("<p>")
    it = read("intercom.json", "intercom")
    assert (it.messages[0].name, it.messages[0].at) == ("Mia", "2018-05-15T10:11:52.000+00:00")
    assert (it.scores, it.meta) == (
        (Score("rating", 4.0, None, "ok"),),
        {"channel": "conversation", "state": "closed", "tags": ["vip"]},
    )
    it = read("elevenlabs.json", "elevenlabs")
    assert (it.id, it.model, it.ended_by) == ("conv_1", "agent_1", "user_ended_call")
    assert [message.at for message in it.messages] == [f"2024-01-26T02:00:0{n}.000+00:00" for n in (0, 6, 9)]
    assert it.messages[2].calls[0].error == "no such order"
    assert it.scores == (
        Score("call_successful", 1.0, None, "asked for #7", "success"),
        Score("polite", 0.0, None, "curt", "failure"),
        Score("solved", None, None, None, "unknown"),
    )
    it = read("vapi.json", "vapi")
    assert (it.id, it.model, it.ended_by, it.usage) == (
        "c1",
        "a1",
        "customer-ended-call",
        Usage(90, 20, None, None, 0.12),
    )
    assert (it.scores, it.messages[1].at) == (
        (Score("success", 1.0, None, "All well.", "true"),),
        "2026-01-01T10:00:01.000+00:00",
    )
    it = read("freshdesk.json", "freshdesk")
    assert [message.at for message in it.messages] == [f"2026-01-01T10:0{n}:00Z" for n in range(3)]
    it = read("retell.json", "retell")
    assert (it.id, it.model, it.ended, it.scores[0].value) == ("call_1", "Desk", "2024-01-26T02:00:12.000+00:00", 0.0)
    assert it.messages[0].at == "2024-01-26T02:00:00.500+00:00"
    assert (it.messages[3].calls[0].result, it.messages[3].calls[0].error) == ("shipped", None)


def test_a_table_that_no_map_fits_is_passed_over_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = {"x.csv": csv_of(",").encode(), "x.parquet": parquet_of(ROWS), "x.db": sqlite_of(tmp_path, "t")}
    for name, each in held.items():
        (tmp_path / name).write_bytes(each)
        assert bystanders.word(Source(tmp_path / name, name)) == "a table; draft a map with: reviewer map FILE"
    monkeypatch.setattr("reviewer.imports.maps.parquet.find_spec", lambda _: None)
    told = bystanders.word(Source(tmp_path / "x.parquet", "x.parquet"))
    assert told == (
        'Parquet, which needs pyarrow: pip install "reviewer[parquet]"; then draft a map with: reviewer map FILE'
    )
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(SourceError, match=r'not installed. Install it: pip install "reviewer\[parquet\]"'):
        items(tmp_path, "x.parquet", held["x.parquet"], BY_MESSAGE)


def drafted(folder: Path, name: str, held: str | bytes) -> tuple[draft.Draft, draft.Glimpse]:
    path = folder / name
    path.write_bytes(held if isinstance(held, bytes) else held.encode())
    made = draft.draft(Source(path, name, alone=True))
    return made, draft.glimpse(Source(path, name, alone=True), draft.parsed(made, "draft"))


CALLS = [
    {
        "call": {"ref": f"x{n}", "desk": "north"},
        "turns": [{"who": "caller", "said": f"Hello {n} dear"}, {"who": "bot", "said": "Hi there you"}],
        "csat": 4,
        "lang": "en",
    }
    for n in range(3)
]


@pytest.mark.parametrize(
    ("name", "held", "sketch"),
    [
        ("x.csv", csv_of(";"), SEVEN),
        ("x.parquet", parquet_of(ROWS), SEVEN),
        ("x.jsonl", lines(*CALLS), ["customer Hello 0 dear", "agent Hi there you"]),
        ("x.json", json.dumps({"items": CALLS}), ["customer Hello 0 dear", "agent Hi there you"]),
        (
            "chats.jsonl",
            lines(*({"k": n, "log": [{"role": "user", "content": "a"}]} for n in range(2))),
            ["customer a"],
        ),
        (
            "y.csv",
            "dialog,speaker,line\n1,Customer,good day\n1,Agent,hello you\n2,Customer,x y z\n",
            ["customer good day", "agent hello you"],
        ),
        (
            "z.csv",
            "session,from,msg,sent_at\n1,user,a b,1767261601\n1,model,c d,1767261600\n",
            ["agent c d", "customer a b"],
        ),
    ],
)
def test_a_draft_reads_what_it_was_drafted_from(
    tmp_path: Path, name: str, held: str | bytes, sketch: list[str]
) -> None:
    _, seen = drafted(tmp_path, name, held)
    assert seen.conversation is not None
    assert variants.sketch(seen.conversation) == sketch


def test_a_draft_says_what_it_found_and_what_to_correct(tmp_path: Path) -> None:
    rows = [
        {"ticket_id": n // 2, "sender": ("Zoe", "bot", "agent")[n % 3], "body": f"<p>text {n}</p>"} for n in range(6)
    ]
    rows = [{**row, "csat": "5", "channel": "web", "blob": "x" * 99 + str(n)} for n, row in enumerate(rows)]
    made, _ = drafted(tmp_path, "x.jsonl", lines(*rows))
    for line in (
        'id = "ticket_id" ',
        'speaker = "sender" ',
        "html = true ",
        'agent = ["bot"]',
        'colleague = ["agent"]',
        "# not told by a word, so put each where it belongs: Zoe",
        'csat = "csat"',
        'channel = "channel"',
    ):
        assert any(each.startswith(line) for each in made.text.splitlines()), line
    assert "who is the customer? Write the word under customer = [...] below [speakers]" in made.notes
    assert any(note.startswith("“agent” is taken for a person, because “bot”") for note in made.notes)
    assert "kept beside, unread: blob" in made.notes


def test_column_names_that_are_meant_to_harm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ['a"b', "=x", "q?", "e\x1b[31m", "\u202eflip", "[odd", "a.b", "x\ny"]
    row = {**dict.fromkeys(names, "v"), "text": "hi \x1b[2J", "role": "user", "session_id": "\x07"}
    path = tmp_path / "x.jsonl"
    path.write_text(lines(row, row))
    code, out, err = run(capsys, monkeypatch, "map", path)
    assert code == 0
    assert not any(each in out + err for each in ("\x1b", "\x07", "\u202e"))
    mapkeys.parse(draft.draft(Source(path, "x.jsonl")).text)
    assert "# - columns that no map can name: =x" in out


def test_two_commands_bring_a_newcomer_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tickets.csv").write_text(csv_of(";"))
    code, out, _ = run(capsys, monkeypatch, "map", "tickets.csv", "-o", "tickets.toml")
    assert code == 0
    assert out.splitlines()[:3] == [
        "The first conversation (id 7, 2 messages):",
        "  customer  Where is #7?",
        "  agent     Shipped.",
    ]
    assert out.splitlines()[-1].endswith("reviewer import tickets.csv --map tickets.toml")
    code, out, _ = run(capsys, monkeypatch, "import", "tickets.csv", "--map", "tickets.toml")
    assert (code, "2 conversations added" in out) == (0, True)
    code, _, err = run(capsys, monkeypatch, "map", "tickets.csv", "-o", "tickets.toml")
    assert (code, "tickets.toml is there already." in err) == (2, True)
    code, out, _ = run(capsys, monkeypatch, "map", "tickets.csv", "--map", "tickets.toml")
    assert (code, "  agent     Shipped." in out) == (0, True)
    code, out, _ = run(capsys, monkeypatch, "map", "--list")
    assert (code, "intercom: Intercom conversations" in out) == (0, True)
    code, _, err = run(capsys, monkeypatch, "map", "gone.csv")
    assert (code, "There is no file gone.csv." in err) == (2, True)


def test_the_page_s_example_and_every_shipped_map_parse() -> None:
    page = (Path(__file__).parents[2] / "docs" / "maps.md").read_text("utf-8")
    mapkeys.parse(page.partition("```toml\n")[2].partition("```")[0])
    assert all(f"`{name}`" in page for name in mapkeys.shipped())
    assert [mapkeys.load(name).name for name in mapkeys.shipped()] == mapkeys.shipped()


def test_the_page_lists_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs" / "maps.md").read_text("utf-8")
    keys = {
        *mapkeys._CONVERSATION,
        *mapkeys._MESSAGE,
        *mapkeys._CALL,
        *mapkeys._RESULT,
        *mapkeys._HEAD,
        *mapkeys._SCORE,
    }
    assert [key for key in sorted(keys | set(mapkeys._FILE) - {"name"}) if f"`{key}`" not in page] == []


@pytest.mark.parametrize(
    ("said", "row", "value"),
    [
        ("a", {"a": 1}, 1),
        ("a.b", {"a": {"b": 1}}, 1),
        ("a.b", {"a.b": 2, "a": {"b": 1}}, 2),
        ("a.b", {"a": '{"b": 1}'}, 1),
        ("a[0].b", {"a": [{"b": 1}]}, 1),
        ("a[1].b", {"a": [{"b": 1}]}, None),
        ("a[].b", {"a": [{"b": 1}, {}, {"b": [2, 3]}]}, [1, 2, 3]),
        ("a[]", {"a": [1, 2]}, [1, 2]),
        ("a?", {}, None),
        ("=a", {}, "a"),
        ("odd [name", {"odd [name": 1}, 1),
    ],
)
def test_pointers(said: str, row: dict[str, Any], value: Any) -> None:
    place = pointer(said)
    assert place is not None
    assert place.getter()(row) == value


def test_pointers_in_turn() -> None:
    places = [place for place in map(pointer, ("a?", "b.c")) if place is not None]
    either = first_of(places)
    assert (either.getter()({"a": "", "b": {"c": 1}}), either.optional, either.tops) == (1, False, {"a"})
    assert either.stands_in({"b": {"c": None}})
    assert not either.stands_in({"b": {}})


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("2026-01-01 10:00:00", "2026-01-01T10:00:00"),
        ("2026-01-01 10:00:00 UTC", "2026-01-01T10:00:00"),
        ("1767261600", "2026-01-01T10:00:00.000+00:00"),
        (1767261600000, "2026-01-01T10:00:00.000+00:00"),
        ("1/2/2026 10:00", "1/2/2026 10:00"),
        ("", None),
        (12, None),
    ],
)
def test_times(value: Any, told: str | None) -> None:
    assert cell_values.time_in(value) == told


def test_what_comes_first() -> None:
    values = ["x", "2026-01-01T10:00:00+02:00", "10", 9, None, "2026-01-01T09:00:00Z", 2.5, ""]
    assert sorted(values, key=cell_values.order_of) == [2.5, 9, "10", *values[1:2], *values[5:6], "x", None, ""]


WITH_CALLS = """
rows = "messages"
[file]
{file}
[conversation]
id = "chat"
[message]
speaker = "role"
text = "said"
[call]
name = "tool"
arguments = "args"
result = "answer"
"""
TALK = [("m1", "c1", "user", "Where is #7?"), ("m2", "c1", "assistant", "Let me see."), ("m3", "c2", "user", "Hello")]
MADE = [("m2", "look", '{"id":7}', "sent"), ("m2", "ask", "{}", "ok"), ("m9", "lost", "{}", "")]


def by_map(path: Path, text: str) -> list[Any]:
    (path.parent / "by.toml").write_text(text)
    source = Source(path, path.name, alone=True)
    return list(mapped.by_map(str(path.parent / "by.toml"), [source]).read(source))


def test_calls_in_another_table_of_a_database(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as db, db:
        db.execute("CREATE TABLE messages (id TEXT, chat TEXT, role TEXT, said TEXT)")
        db.execute("CREATE TABLE tool_calls (message_id TEXT, tool TEXT, args TEXT, answer TEXT)")
        db.executemany("INSERT INTO messages VALUES (?, ?, ?, ?)", TALK)
        db.executemany("INSERT INTO tool_calls VALUES (?, ?, ?, ?)", MADE)
    by = WITH_CALLS.format(file='table = "messages"\ncalls = "tool_calls.message_id = id"')
    made_as_the_rows_say(by_map(tmp_path / "x.db", by))
    notes = draft.draft(Source(tmp_path / "x.db", "x.db", alone=True)).notes
    assert any(note.startswith('tool_calls may hold calls: calls = "tool_calls.COLUMN = COLUMN"') for note in notes)


def test_calls_in_a_file_beside_it(tmp_path: Path) -> None:
    for name, names, rows in (("talk", "id,chat,role,said", TALK), ("calls", "message_id,tool,args,answer", MADE)):
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([names.split(","), *rows])
    by = WITH_CALLS.format(file='calls = "calls.csv.message_id = id"')
    made_as_the_rows_say(by_map(tmp_path / "talk.csv", by))
    report = import_files([tmp_path], tmp_path / "runs.db", Wishes(map=str(tmp_path / "by.toml")))
    assert (report.total("new"), report.total("rejected")) == (2, 1)
    assert "it holds the calls of the messages beside it" in report.sources[0].remarks


def made_as_the_rows_say(every: list[Any]) -> None:
    first, second = (each.conversation for each in every if isinstance(each, Extract))
    assert [[(call.name, call.arguments, call.result) for call in m.calls] for m in first.messages] == [
        [],
        [("look", '{"id":7}', "sent"), ("ask", "{}", "ok")],
    ]
    assert not any(message.calls or message.extra for message in second.messages if message.extra != {"id": "m3"})
    bad = [(each.position, each.reason) for each in every if isinstance(each, BadRecord)]
    assert [reason for _, reason in bad] == ["no row has “id” m9, so that nobody made this call"]


@pytest.mark.parametrize(
    ("calls", "sentence"),
    [
        ("calls.csv", "file.calls: “calls.csv” is not a TABLE.COLUMN = COLUMN"),
        ("calls.csv.message_id = chat", "file.calls: a call belongs to a message, and nothing here names the message"),
        ("gone.csv.message_id = id", "There is no file “gone.csv” beside talk.csv"),
        ("calls.csv.other = id", "calls.csv has no column “other”. It has: message_id"),
        ("calls.csv.message_id = other", "talk.csv has no column “other”. It has: id, chat, role, said"),
    ],
)
def test_calls_that_cannot_be_tied_are_one_sentence(tmp_path: Path, calls: str, sentence: str) -> None:
    (tmp_path / "talk.csv").write_text("id,chat,role,said\nm1,c1,user,Hello\n")
    (tmp_path / "calls.csv").write_text("message_id,tool,args,answer\nm1,look,{},\n")
    with pytest.raises(SourceError, match=re.escape(sentence)):
        by_map(tmp_path / "talk.csv", WITH_CALLS.format(file=f'calls = "{calls}"'))
