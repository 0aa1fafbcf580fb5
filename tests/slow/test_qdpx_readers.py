"""A project as others read it: it keeps to the exchange format's schema, and QualCoder finds the marked words.

QualCoder is on no package index. Where `QUALCODER` names a Python that can import it (its `src` on the path, PyQt6,
pymupdf and Pillow installed), its own import is run without a screen; elsewhere that test says that it was skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import pytest
import xmlschema

from reviewer.basics.clean import cleaned
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.model import Stored
from reviewer.transcripts.refs import Absence, Ref
from reviewer.transcripts.store.reader import Reader
from tests import builders, hostile
from tests.builders import agent, call, conversation, customer
from tests.forked import run

SCHEMA = Path(__file__).with_name("refi-qda.xsd")
QDA = "{urn:QDA-XML:project:1.0}"
MANY = conversation(
    customer("🤷‍♀️🧳 Wo ist mein Koffer?\r\nIch warte.\r\n\r\n我的订单已经取消了吗？ e\u0301"),
    agent(
        "👋 您的订单已经取消。\r\nIt was\tdelivered 🎉 yesterday.\r\n", call("get_order", "{}", '{"状态":"已取消 🧳"}')
    ),
    case="many scripts",
)
QUOTES = (
    "🧳 Wo ist",
    "Ich warte.\r\n\r\n我的",
    "已经取消。\r\nIt was\tdelivered 🎉",
    "yesterday",
    "e\u0301",
    "已取消 🧳",
)

# The part of QualCoder's database that its import fills, and its import; the Message at its end would wait for a click.
_IMPORT = """
import builtins, json, pathlib, sqlite3, sys, tempfile
from types import SimpleNamespace
builtins._ = str
from PyQt6 import QtWidgets
from qualcoder import refi
application = QtWidgets.QApplication([])
QtWidgets.QFileDialog.getOpenFileName = lambda *_, **__: (sys.argv[1], True)
refi.Message = lambda *_, **__: SimpleNamespace(exec=lambda: None)
database = sqlite3.connect(":memory:")
database.executescript('''
CREATE TABLE project (memo text); INSERT INTO project VALUES ('');
CREATE TABLE source (id integer primary key, name text unique, fulltext text, mediapath text, memo text, owner text,
    date text);
CREATE TABLE code_cat (catid integer primary key, name text unique, owner text, date text, memo text,
    supercatid integer);
CREATE TABLE code_name (cid integer primary key, name text unique, memo text, catid integer, owner text, date text,
    color text, supercid integer);
CREATE TABLE code_text (ctid integer primary key, cid integer, fid integer, seltext text, pos0 integer, pos1 integer,
    owner text, date text, memo text, unique(cid, fid, pos0, pos1, owner));
CREATE TABLE annotation (anid integer primary key, fid integer, pos0 integer, pos1 integer, memo text, owner text,
    date text);
CREATE TABLE journal (jid integer primary key, name text unique, jentry text, date text, owner text);
CREATE TABLE cases (caseid integer primary key, name text); CREATE TABLE case_text (id integer, caseid integer);
''')
folder = pathlib.Path(tempfile.mkdtemp())
(folder / "documents").mkdir()
app = SimpleNamespace(conn=database, settings={"codername": "default", "directory": ".", "ai_enable": "False"},
    project_path=str(folder), write_config_ini=lambda *_: None, ai_models=[])
said = []
refi.RefiImport(app, SimpleNamespace(append=said.append), "qdpx")
def rows(sql):
    return [list(row) for row in database.execute(sql)]
print(json.dumps({
    "codes": rows("SELECT code_name.name, code_cat.name FROM code_name LEFT JOIN code_cat USING (catid)"),
    "marks": rows("SELECT code_name.name, seltext, code_text.memo, code_text.owner, source.memo"
                  " FROM code_text JOIN code_name USING (cid) JOIN source ON fid = source.id"),
    "free": rows("SELECT substr(fulltext, pos0 + 1, pos1 - pos0), annotation.memo FROM annotation"
                 " JOIN source ON fid = source.id"),
    "journal": rows("SELECT name, jentry FROM journal"), "memo": rows("SELECT memo FROM project"),
    "files": len(list((folder / "documents").iterdir())), "said": said,
}))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An export of everything that can be marked, by two reviewers, on texts in many scripts and on hostile ones."""
    path = builders.store(tmp_path, conversation(), MANY, hostile.conversation(), synthetic=True)
    with Reader(path) as reader:
        short, many, evil = (reader.stored(rowid) for rowid in reader.ids())
    ann, bob = (Session(tmp_path / "annotations", name, "runs.db", SUPPORT) for name in ("Ann", 'Bob "<&>'))
    for quote in QUOTES:
        session = ann if len(quote) % 2 else bob
        session.tag(many, "warm", span(many, quote), clause=f"clause of {quote}"[:20])
    ann.tag(short, "invented-delivery-date", Ref(short.ref, 2, span=(0, 10)), Ref(short.ref, 2, span=(63, 82)),
            evidence=[Absence("handover", 5)])  # fmt: skip
    ann.tag(short, "", Ref(short.ref, 1), note="an open <note>")
    ann.tag("kimi/used-item-1", "flips-across-runs", clause="in 2 of 3")
    for number, message in enumerate(evil.conversation.messages, start=1):
        bob.tag(evil, "fabricated-url", Ref(evil.ref, number), clause=hostile.told(hostile.EVIL))
        if len(message.text) > 40:
            bob.tag(evil, "fabricated-url", Ref(evil.ref, number, span=(3, 40)), note=hostile.told(hostile.EVIL))
    bob.tag(evil, "warm")
    said = run("export", "runs.db", "--format", "qdpx", "-o", "p.qdpx", "--notes", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    return tmp_path / "p.qdpx"


def span(stored: Stored, quote: str) -> Ref:
    """Where a quote stands in a conversation."""
    for number, message in enumerate(stored.conversation.messages, start=1):
        if (at := message.text.find(quote)) >= 0:
            return Ref(stored.ref, number, span=(at, at + len(quote)))
        if message.calls and (at := (message.calls[0].result or "").find(quote)) >= 0:
            return Ref(stored.ref, number, 1, "result", span=(at, at + len(quote)))
    raise AssertionError(quote)


def document(project: Path) -> ET.Element:
    with zipfile.ZipFile(project) as archive:
        return ET.fromstring(archive.read("project.qde"))  # noqa: S314 - made by ourselves a moment ago


def test_a_project_keeps_to_the_schema(project: Path) -> None:
    schema = xmlschema.XMLSchema10(SCHEMA)
    tree = document(project)
    assert [f"{each.path}: {each.reason}" for each in schema.iter_errors(tree)] == []
    guids = {each.attrib["guid"] for each in tree.iter() if "guid" in each.attrib}
    assert {each.attrib["targetGUID"] for each in tree.iter() if "targetGUID" in each.attrib} <= guids
    assert {each.attrib["creatingUser"] for each in tree.iter() if "creatingUser" in each.attrib} <= guids


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        ("Users/User", "guid", "1"),
        ("Sources/TextSource/PlainTextSelection", "startPosition", "one"),
        ("Sources/TextSource/PlainTextSelection", "creationDateTime", "yesterday"),
        ("CodeBook/Codes/Code", "isCodable", "maybe"),
        ("CodeBook/Codes/Code", "color", "red"),
        ("Sources/TextSource", "title", "x"),
    ],
)
def test_the_schema_refuses_what_is_wrong(path: str, name: str, value: str, project: Path) -> None:
    tree = document(project)
    element = tree.find("/".join(f"{QDA}{step}" for step in path.split("/")))
    assert element is not None
    element.set(name, value)
    assert not xmlschema.XMLSchema10(SCHEMA).is_valid(tree)


def test_offsets_count_code_points_and_lines_end_in_newlines(project: Path) -> None:
    with zipfile.ZipFile(project) as archive:
        sources = {name: archive.read(name) for name in archive.namelist() if name.startswith("sources/")}
    assert not [name for name, content in sources.items() if b"\r" in content or content.startswith(b"\xef\xbb\xbf")]
    found = []
    for source in document(project).iter(f"{QDA}TextSource"):
        text = sources[source.attrib["plainTextPath"].replace("internal://", "sources/")].decode()
        for each in source.iter(f"{QDA}PlainTextSelection"):
            start, end = int(each.attrib["startPosition"]), int(each.attrib["endPosition"])
            assert 0 <= start <= end <= len(text)
            found.append(text[start:end])
    assert {cleaned(quote).text for quote in QUOTES} <= set(found)


def test_qualcoder_finds_the_marked_words(project: Path) -> None:
    python = os.environ.get("QUALCODER")
    if not python:
        pytest.skip("no second reader: QUALCODER names no Python that can import qualcoder")
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    ran = subprocess.run(
        [python, "-c", _IMPORT, str(project)], capture_output=True, text=True, env=env, cwd=project.parent, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout.splitlines()[-1])
    marks = {(code, words): (memo, by, ref) for code, words, memo, by, ref in found["marks"]}
    for quote in QUOTES:
        memo, by, ref = marks["warm", cleaned(quote).text]
        assert (memo, by) == (cleaned(f"clause of {quote}"[:20]).text, "Ann" if len(quote) % 2 else 'Bob "<&>')
        assert ref == "kimi/many%20scripts/1"
    for words in ("Your order", "delivered yesterday"):
        assert marks["invented-delivery-date", words] == ("no handover", "Ann", "kimi/used-item-1/1")
    assert found["free"] == [["Please cancel order #1130, I ordered the wrong size.", "an open <note>"]]
    ((name, entry),) = found["journal"]
    assert name == "Flips across runs: kimi/used-item-1"
    assert "in 2 of 3" in entry
    assert ["invented-delivery-date", "Tool usage and grounding"] in found["codes"]
    assert found["files"] == 3
    assert "SYNTHETIC" in found["memo"][0][0]
    assert not [line for line in found["said"] if "Cannot" in line or "Duplicated" in line]
