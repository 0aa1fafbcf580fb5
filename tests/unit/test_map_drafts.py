"""Drafts of tables as help desks, voice platforms and databases export them; transcripts, exchanges, joins, times."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from reviewer.basics.errors import SourceError
from reviewer.imports.formats import mapped
from reviewer.imports.maps import draft, mapkeys
from reviewer.imports.maps.turns import Turns
from reviewer.imports.source import BadRecord, Extract, Remark, Source
from reviewer.transcripts.model import Conversation, ToolCall
from tests import variants

SAID = [("c1", True, "Where is #7, please?"), ("c1", False, "It was shipped."), ("c2", True, "Good day to you")]
SKETCH = ["customer Where is #7, please?", "agent It was shipped."]


def drafted(path: Path) -> tuple[draft.Draft, Conversation]:
    """The draft of a file, and the first conversation of what is imported by it."""
    made = draft.draft(Source(path, path.name, alone=True))
    items = imported(path, made.text)
    assert [each for each in items if isinstance(each, BadRecord)] == []
    return made, next(each.conversation for each in items if isinstance(each, Extract))


def imported(path: Path, map: str) -> list[Any]:
    by = path.with_name("map.toml")
    by.write_text(map, encoding="utf-8")
    source = Source(path, path.name, alone=True)
    return list(mapped.by_map(str(by), [source]).read(source))


def conversations(path: Path, map: str) -> list[Conversation]:
    return [each.conversation for each in imported(path, map) if isinstance(each, Extract)]


def csv_of(names: str, *rows: tuple[Any, ...], delimiter: str = ",") -> str:
    held = io.StringIO()
    csv.writer(held, delimiter=delimiter).writerows([names.split(","), *rows])
    return held.getvalue()


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


DESKS: dict[str, str] = {
    "flag.jsonl": lines(*({"conversation_id": c, "is_inbound": asks, "text": text} for c, asks, text in SAID)),
    "words.csv": csv_of("Ticket ID,ActorType,Message", *((c, ("Chatbot", "EndUser")[asks], t) for c, asks, t in SAID)),
    "german.csv": csv_of(
        "Gespräch,Absender,Nachricht,Zeitpunkt",
        *(
            (f"G-{n}", ("Assistent", "Kunde")[asks], text, f"0{n}.01.2026 10:0{at}:00")
            for n in range(1, 4)
            for at, (_, asks, text) in reversed(list(enumerate([*SAID[:2], SAID[2]])))
            if at < 2
        ),
    ),
    "ids.csv": csv_of("Ticket ID,Author ID,Requester ID,Body", *((c, (9, 5)[asks], 5, text) for c, asks, text in SAID)),
    "nested.json": json.dumps(
        {
            "data": [
                {
                    "type": "message",
                    "attributes": {"direction": ("out", "in")[asks], "preview": text},
                    "relationships": {"conversation": {"data": {"type": "conversation", "id": c}}},
                }
                for c, asks, text in SAID
            ]
        }
    ),
    "listed.json": json.dumps(
        {
            "data": [
                {
                    "id": 1,
                    "messages": [
                        {"from_agent": not asks, "body_text": t, "body_html": f"<p>{t}</p>", "sender": {"name": "Bot"}}
                        for _, asks, t in SAID[:2]
                    ],
                }
            ]
        }
    ),
    "transcript.csv": csv_of(
        "call_id,transcript,price",
        *((f"x{n}", "Customer: Where is #7, please?\nAgent: It was shipped.", 0.2) for n in range(3)),
    ),
    "marked_up.csv": csv_of(
        "Id,Body",
        *(
            (f"x{n}", "( 3s ) Visitor: Where is #7, please?<br>( 1m 3s ) Agentforce: It was shipped.<br>")
            for n in range(3)
        ),
    ),
    "exchanges.csv": csv_of(
        "session,question,answer,created_at",
        ("s1", "Thanks a lot", "Good bye then", "2026-01-01T10:01:00Z"),
        ("s1", "Where is #7, please?", "It was shipped.", "2026-01-01T10:00:00Z"),
    ),
}


@pytest.mark.parametrize("name", DESKS)
def test_a_draft_knows_the_tables_of_desks(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(DESKS[name], encoding="utf-8")
    made, it = drafted(tmp_path / name)
    told = SKETCH if name != "ids.csv" else [SKETCH[0], "other It was shipped."]
    assert variants.sketch(it)[:2] == told
    if name == "ids.csv":
        assert "speakers that no word tells: 9" in made.notes
    if name == "german.csv":
        assert 'times = "%d.%m.%Y %H:%M:%S"' in made.text
        assert (it.id, it.messages[1].at) == ("G-1", "2026-01-01T10:01:00")
    if name == "transcript.csv":
        assert it.usage is not None
        assert (it.id, it.usage.cost) == ("x0", 0.2)
    if name == "marked_up.csv":
        assert it.messages[1].extra == {"said_at": "1m 3s"}
        assert str((it.extra or {})["Body"]).startswith("( 3s ) Visitor")


def test_a_draft_names_case_run_calls_and_what_the_conversation_used(tmp_path: Path) -> None:
    rows = [
        *(("c1", "t1", 2, "user", "Where is it?", "", "", "", ""),),
        *(("c1", "t1", 2, "assistant", "I look.", "find", '{"id": 7}', '{"found": true}', 0.5),),
        *(("c2", "t1", 1, "user", "Good day", "", "", "", ""),),
    ]
    names = "conversation_id,task_id,trial,role,content,tool_name,tool_args,tool_result,cost_usd"
    (tmp_path / "x.csv").write_text(csv_of(names, *rows))
    _, it = drafted(tmp_path / "x.csv")
    assert (it.case, it.run, it.messages[1].cost) == ("t1", 2, 0.5)
    assert it.messages[1].calls == (ToolCall("find", '{"id": 7}', '{"found": true}'),)


def test_what_a_shipped_map_leaves_unread_is_said(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    (tmp_path / "x.csv").write_text(csv_of("id,messages,thumbs", ("1", json.dumps(said), "up")))
    made, _ = drafted(tmp_path / "x.csv")
    assert made.shipped == "huggingface-messages"
    assert "kept beside, unread: thumbs" in made.notes


def test_an_author_is_no_conversation(tmp_path: Path) -> None:
    rows = [
        ("a1", "True", "hello there"),
        ("a2", "False", "good day"),
        ("a1", "True", "well then"),
        ("a2", "False", "bye"),
    ]
    (tmp_path / "x.csv").write_text(csv_of("author_id,inbound,text", *rows))
    made, it = drafted(tmp_path / "x.csv")
    assert len(it.messages) == 4
    assert any("no column looks like a conversation's id" in note for note in made.notes)


def test_a_csv_file_is_not_held_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n" + "1,2\n" * 100_000)
    source = Source(tmp_path / "x.csv", "x.csv")
    assert len(source.head) < source.size
    with source.open() as file:
        assert file.fileno() > 0


def test_a_draft_reads_an_older_encoding(tmp_path: Path) -> None:
    held = csv_of("ticket|author|comment", ("1", "customer", "für später"), ("1", "bot", "gern – ja"), delimiter="|")
    (tmp_path / "x.csv").write_bytes(held.replace('"', "").encode("cp1252"))
    made, it = drafted(tmp_path / "x.csv")
    assert [message.text for message in it.messages] == ["für später", "gern – ja"]
    assert any("not UTF-8" in note for note in made.notes)


def database(folder: Path) -> Path:
    path = folder / "x.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE conversations (id TEXT, model TEXT, csat INT)")
        db.execute("CREATE TABLE messages (conversation_id TEXT, role TEXT, content TEXT)")
        db.execute("CREATE TABLE users (id INT, mail TEXT)")
        db.executemany(
            "INSERT INTO conversations VALUES (?, ?, ?)", [("c1", "m-1", 4), ("c1", "twice", 1), ("c3", "", 0)]
        )
        rows = [(c, "user" if asks else "assistant", text) for c, asks, text in SAID]
        db.executemany("INSERT INTO messages VALUES (?, ?, ?)", rows)
    db.close()
    return path


def test_a_database_of_several_tables(tmp_path: Path) -> None:
    path = database(tmp_path)
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM conversations WHERE model = 'twice'")
    db.close()
    made, it = drafted(path)
    assert variants.sketch(it) == SKETCH
    assert (it.id, it.model, it.scores[0].value) == ("c1", "m-1", 4.0)
    assert 'join = "conversations.id = conversation_id"' in made.text
    assert "table messages is read, with what conversations says of each conversation" in made.notes
    assert any(note.startswith("tables that are not read: users") for note in made.notes)


JOINED = """
rows = "messages"
[file]
table = "messages"
join = "{}"
[conversation]
id = "conversation_id"
model = "conversations.model"
[message]
speaker = "role"
text = "content"
"""


def test_a_join_tells_no_row_twice_and_drops_none(tmp_path: Path) -> None:
    path = database(tmp_path)
    held = conversations(path, JOINED.format("conversations.id = conversation_id"))
    assert [(it.id, len(it.messages)) for it in held] == [("c1", 2), ("c2", 1)]
    for said, told in (
        ("conversations", "“conversations” is not a TABLE.COLUMN = COLUMN"),
        ("talks.id = conversation_id", "has no table “talks”"),
        ("conversations.key = conversation_id", "conversations has no column “key”"),
        ("conversations.id = talk", "messages has no column “talk”"),
    ):
        with pytest.raises(SourceError, match=told):
            conversations(path, JOINED.format(said))


EXCHANGES = """
rows = "parts"
[conversation]
id = "s"
[[head]]
speaker = "=customer"
text = "q"
time = "at"
[[head]]
speaker = "=agent"
text = "a"
tokens_out = "n"
cost = "usd"
reasoning = "why"
"""


def test_rows_with_a_question_and_its_answer(tmp_path: Path) -> None:
    rows = [
        ("s1", "more?", "no", 2, 0.2, "", 5, "b"),
        ("s2", "hey", "", 1, "", "", 9, "c"),
        ("s1", "why?", "so", 3, "", "hm", 1, "a"),
    ]
    (tmp_path / "x.csv").write_text(csv_of("s,q,a,n,usd,why,at,tag", *rows))
    one, two = conversations(tmp_path / "x.csv", EXCHANGES)
    assert variants.sketch(one) == ["customer why?", "agent so <hm>", "customer more?", "agent no"]
    assert variants.sketch(two) == ["customer hey"]
    assert [(it.tokens_out, it.cost, it.reasoning) for it in one.messages[1::2]] == [(3, None, "hm"), (2, 0.2, "")]
    assert [it.extra for it in one.messages] == [{"tag": "a"}, None, {"tag": "b"}, None]


TRANSCRIPT = """
rows = "conversations"
[conversation]
id = "id"
transcript = "said"
[speakers]
customer = ["Caller"]
agent = ["Desk bot"]
tool = ["FUNCTION RESPONSE"]
"""


@pytest.mark.parametrize(
    ("said", "sketch"),
    [
        ("Caller: a\n\nDesk bot: b: c\nd", ["customer a", "agent b: c\nd"]),
        ("[00:12] Caller: a\n[00:13] Zoe: b\nnote: c", ["customer a", "other b\nnote: c"]),
        ("2026-01-05 09:00:00 - caller: a\n**Desk bot:** b", ["customer a", "agent b"]),
        ("Begun: now\nCaller (10:01 AM): a", ["other Begun: now", "customer a"]),
        ("Caller: I asked the caller: no Desk bot: b", ["customer I asked the caller: no", "agent b"]),
        ("", []),
    ],
)
def test_a_transcript_is_parted(tmp_path: Path, said: str, sketch: list[str]) -> None:
    (tmp_path / "x.jsonl").write_text(lines({"id": 1, "said": "Caller: x\nCaller: y"}, {"id": 2, "said": said}))
    assert variants.sketch(conversations(tmp_path / "x.jsonl", TRANSCRIPT)[1]) == sketch


def test_a_transcript_in_which_nobody_speaks_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(lines({"id": 1, "said": "Ann: hi"}))
    with pytest.raises(SourceError, match="begins no line with a speaker whom the map names"):
        imported(tmp_path / "x.jsonl", TRANSCRIPT)
    (tmp_path / "x.jsonl").write_text(lines({"id": 1, "said": ["Caller: hi"]}))
    with pytest.raises(SourceError, match="holds no text but a list"):
        imported(tmp_path / "x.jsonl", TRANSCRIPT)
    (tmp_path / "x.jsonl").write_text(lines({"id": 1, "said": "Caller: hi"}, {"id": 2, "said": "Ann: hi"}))
    made = [each for each in imported(tmp_path / "x.jsonl", TRANSCRIPT) if not isinstance(each, Remark)]
    assert isinstance(made[0], Extract)
    assert isinstance(made[1], BadRecord)
    assert "nobody whom the map names begins to speak" in made[1].reason


@pytest.mark.parametrize(
    "text",
    [
        "Agent: " * 100_000,
        "Agent" + " " * 200_000,
        "(1m)" + " -" * 200_000,
        "[a" * 200_000,
        "*" * 200_000,
        "9 " * 200_000,
    ],
)
def test_parting_takes_time_in_proportion(text: str) -> None:
    begun = time.process_time()
    Turns(["agent", "customer"]).begin_in(text)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('[conversation]\ntranscript = "a"\nmessages = "b"', "conversation.transcript: there are messages as well"),
        ('[conversation]\ntranscript = "a"\n[message]\ntext = "b"', "message.text: a transcript is one text"),
        ('[conversation]\nmessages = "a"\n[file]\ntimes = "soon"', "file.times: “soon” is not a way to write times"),
        ('[conversation]\nmessages = "a"\n[file]\njoin = "b"', "file.join: “b” is not a TABLE.COLUMN = COLUMN"),
    ],
)
def test_what_no_map_can_say(said: str, told: str) -> None:
    with pytest.raises(SourceError, match=told):
        mapkeys.parse(f'rows = "conversations"\n{said}')


def test_what_a_file_has_no_use_for(tmp_path: Path) -> None:
    held = csv_of("id,said", (1, "hello"), delimiter="\t")
    (tmp_path / "x.csv").write_bytes(held.encode("utf-16"))
    map = 'rows = "messages"\n[file]\n{}\n[message]\ntext = "said"\n'
    (it,) = conversations(tmp_path / "x.csv", map.format('encoding = "UTF-16"'))
    assert it.messages[0].text == "hello"
    with pytest.raises(SourceError, match="has no tables"):
        conversations(tmp_path / "x.csv", map.format('join = "a.id = b"'))


def test_times_that_are_not_written_so(tmp_path: Path) -> None:
    map = 'rows = "messages"\n[file]\ntimes = "%d.%m.%Y"\n[message]\ntext = "a"\ntime = "b"\norder = "b"\n'
    (tmp_path / "x.csv").write_text("a,b\nhello,05.01.2026\nthere,12.12.2025\n")
    (it,) = conversations(tmp_path / "x.csv", map)
    assert [message.at for message in it.messages] == ["2025-12-12T00:00:00", "2026-01-05T00:00:00"]
    (tmp_path / "x.csv").write_text("a,b\nhello,yesterday\n")
    with pytest.raises(SourceError, match="“b” holds no time so written but text"):
        conversations(tmp_path / "x.csv", map)


def test_a_rating_is_no_score_unless_a_person_says_so(tmp_path: Path) -> None:
    names = "conversation_id,role,content,rating,satisfaction,csat"
    rows = [("c1", who, text, 3, "good", 5) for who, text in (("user", "Where is it?"), ("assistant", "On its way."))]
    path = tmp_path / "rated.csv"
    path.write_text(csv_of(names, *rows))
    made, it = drafted(path)
    assert [score.scorer for score in it.scores] == ["csat"]
    assert it.meta == {"rating": "3", "satisfaction": "good"}
    assert "the score csat is a guess (by its name)" in made.notes
    assert "rating is no score unless you say so: take out the first # below [scores]" in made.notes
    (told,) = conversations(path, made.text.replace('# rating = "rating"', 'rating = "rating"'))
    assert [score.scorer for score in told.scores] == ["csat", "rating"]


def test_names_that_no_row_fills_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("n,conversation_id,role,content,channel\nc1,user,Where is it?\nc1,assistant,On its way.\n")
    told = "the first line names 5 columns, and none of the first 2 rows has more than 3 cells"
    assert any(note.startswith(told) for note in draft.draft(Source(path, path.name, alone=True)).notes)
    by_hand = 'rows = "messages"\n[message]\nspeaker = "role"\ntext = "content"\n'
    assert any(isinstance(each, Remark) and each.text.startswith(told) for each in imported(path, by_hand))
    path.write_text("conversation_id,role,content,channel\nc1,user,Where is it?,web\nc1,assistant,On its way.\n")
    made, it = drafted(path)
    assert len(it.messages) == 2
    assert not any("first line" in note for note in made.notes)


CHATS = {f"c{n}": {"customer": "ann", "messages": [*[{"role": "user", "content": f"Hi {n}"}] * 2]} for n in range(3)}
DIALOGUES = {
    f"KVRET--{n}": {
        "original dialog id": f"x{n}",
        "log": [
            {"turn id": turn, "user utterance": f"What about {n}, {turn}?", "system response": "That is so and so."}
            for turn in (1, 2)
        ],
        "prompt": ["Answer."],
    }
    for n in range(3)
}


@pytest.mark.parametrize(
    ("held", "records", "ids"),
    [
        (CHATS, "*", ["c0", "c1", "c2"]),
        ({"version": 3, "chats": CHATS}, "chats.*", ["c0", "c1", "c2"]),
        (DIALOGUES, "*.log[]", ["KVRET--0", "KVRET--1", "KVRET--2"]),
    ],
)
def test_records_that_stand_in_an_object_by_their_names(
    tmp_path: Path, held: Any, records: str, ids: list[str]
) -> None:
    path = tmp_path / "data.json"
    path.write_text(json.dumps(held))
    made, first = drafted(path)
    assert f'records = "{records}"' in made.text
    assert 'id = "*" ' in made.text
    every = conversations(path, made.text)
    assert [it.id for it in every] == ids
    if "log" in records:
        assert [(m.role, m.text) for m in first.messages[:2]] == [
            ("customer", "What about 0, 1?"),
            ("agent", "That is so and so."),
        ]
        assert [len(it.messages) for it in every] == [4, 4, 4]
        assert first.extra is not None
        assert (first.extra["*.original dialog id"], first.extra["*.prompt"]) == ("x0", ["Answer."])


def test_what_is_no_record_of_an_object_is_rejected_alone(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text(json.dumps({"version": 3, **CHATS}))
    items = imported(
        path, 'rows = "conversations"\n[file]\nrecords = "*"\n[conversation]\nid = "*"\nmessages = "messages"'
    )
    assert [(each.position, each.reason) for each in items if isinstance(each, BadRecord)] == [
        ("the document, version", "it is not an object")
    ]
    assert len([each for each in items if isinstance(each, Extract)]) == 3


def test_people_of_a_conversation_are_no_records(tmp_path: Path) -> None:
    people = {"customer": {"id": 1, "name": "Ann"}, "agent": {"id": 2, "name": "Bo"}}
    chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}]
    path = tmp_path / "data.json"
    path.write_text(json.dumps({"id": "c1", "participants": people, "messages": chat}))
    made, it = drafted(path)
    assert "records" not in made.text
    assert len(it.messages) == 2
