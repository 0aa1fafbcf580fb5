"""Exports for other programs: a spreadsheet, a browser, qualitative-analysis tools; and what masking hides."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest

from reviewer.figures.export.customers import HiddenCustomers
from reviewer.figures.export.masks import Mask
from reviewer.figures.export.qdpx import printed
from reviewer.imports.labels import short_ref
from reviewer.marks.anchors import anchor
from reviewer.marks.book import Book
from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.digests import message_digest, prefix_digests
from reviewer.transcripts.model import Conversation, Finding
from reviewer.transcripts.particulars.known import KnownParticulars
from reviewer.transcripts.refs import Ref, parse
from reviewer.transcripts.store.projection import Projection
from reviewer.transcripts.store.reader import Reader
from tests import builders
from tests.builders import agent, call, conversation, customer
from tests.forked import run
from tests.unit.test_export import HOSTILE, MODE, claim, exported, marked

QDA = "{urn:QDA-XML:project:1.0}"
GUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
CUSTOMER = {
    "name": {"first_name": "Mia", "last_name": "Li"},
    "email": "mia.li@example.org",
    "user_id": "mia_li_3668",
    "address": {"street": "2 Elm Street", "city": "Boise", "name": "Home"},
    "items": [{"name": "Duffel"}],
}
PERSONAL = conversation(
    customer("Hi, I am Mia Li, mia.li@example.org, +1 (208) 555-0199. Order #1130, please."),
    agent(
        "Thanks Mia! Your Duffel goes to 2 Elm Street. Signed, kimi-k2.", call("get_user", "{}", json.dumps(CUSTOMER))
    ),
    model="kimi-k2",
)


class Outline(HTMLParser):
    """Which elements a page has, and all of its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_page_unfolds_surroundings_and_tool_layer_and_nothing_in_it_comes_alive(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, conversation(), HOSTILE, synthetic=True)
    session.tag(stored[0], MODE, claim(stored[0]), evidence=[Ref(stored[0].ref, 2, 1, "result").field("/status")])
    for number in (1, 2):
        session.tag(stored[1], "fabricated-url", Ref(stored[1].ref, number), note="<script>alert(1)</script>")
    page = exported(tmp_path, "--format", "html", "--notes")
    outline = Outline(page)
    assert "<mark>delivered yesterday</mark>" in page
    assert "Evidence" in outline.text
    assert '{"status":"in transit","carrier":"UPS"}' in outline.text
    assert "<script>alert(1)</script>" in outline.text
    assert not {"script", "b", "a", "img", "link", "iframe"} & set(outline.tags)
    assert not [name for name in outline.attributes if name.startswith("on") or name in ("src", "href")]
    assert "default-src 'none'" in page
    assert page.count("SYNTHETIC") == 4
    assert not {"\x1b", "\u202e"} & set(page)


def test_a_page_calls_a_refused_write_attempted(tmp_path: Path) -> None:
    calls = (call("cancel_order", result="Error: not pending"), call("get_order", result='{"error": "gone"}'))
    session, (stored,) = marked(tmp_path, conversation(customer("Cancel it."), agent("Trying.", *calls)))
    session.tag(stored, MODE, Ref(stored.ref, 2))
    outline = Outline(exported(tmp_path, "--format", "html"))
    assert "cancel_order · attempted" in outline.text
    assert "get_order · error" in outline.text


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "  =1", "\n=1"])
def test_no_cell_is_a_formula(start: str, tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation(customer(start + ',"two"\nlines\x1b[0m')))
    session.tag(stored, MODE, Ref(stored.ref, 1), note=start, clause=start)
    (row,) = list(csv.DictReader(io.StringIO(exported(tmp_path, "--format", "csv", "--notes"))))
    for name in ("quote", "note", "clause"):
        assert row[name].startswith("'")
    assert '"two"\nlines' in row["quote"]
    assert "\x1b" not in row["quote"]
    assert (row["code"], row["ref"], row["run"]) == (MODE, f"{stored.ref}#1", "1")


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
@pytest.mark.parametrize("before", [";", "\t", "; ", ';"', ";\t ;", "\n", "\r\n", '\n "'])
def test_no_part_of_a_cell_is_a_formula_where_a_spreadsheet_splits_it(before: str, sign: str, tmp_path: Path) -> None:
    text = f"a{before}{sign}1+1 - 2 = b"
    session, (stored,) = marked(tmp_path, conversation(customer(text)))
    session.tag(stored, MODE, Ref(stored.ref, 1, span=(0, len(text))), note=text, clause=text)
    exported(tmp_path, "--format", "csv", "--notes", "-o", "tags.csv")
    printed = (tmp_path / "tags.csv").read_text("utf-8-sig")
    for split in (r"[;\n]", r"[\t\n]"):
        parts = [part.strip(' "') for part in re.split(split, printed)]
        assert not [part for part in parts if part.startswith(("=", "+", "-", "@"))]
    assert "1+1 - 2 = b" in printed
    run("tags", "runs.db", "--import", "tags.csv", "--annotations", "other", "--as", "bob", cwd=tmp_path)
    (brought,) = run("tags", "runs.db", "--json", "--annotations", "other", cwd=tmp_path).stdout.splitlines()
    assert (json.loads(brought)["note"], json.loads(brought)["clause"]) == (text, text)


def test_pieces_that_overlap_are_marked_and_print_a_text_once(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, *(Ref(stored.ref, 2, span=span) for span in ((0, 20), (10, 30))))
    page = exported(tmp_path, "--format", "html")
    text = stored.conversation.messages[1].text
    assert f'<div class="text"><mark>{text[:20]}</mark><mark>{text[20:30]}</mark>{text[30:]}</div>' in page


def test_a_spreadsheet_comes_back_as_tags(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored), clause="-1 day", exemplar=True)
    session.tag(stored, "warm")
    exported(tmp_path, "--format", "csv", "-o", "tags.csv")
    said = run("tags", "runs.db", "--import", "tags.csv", "--annotations", "other", "--as", "bob", cwd=tmp_path)
    assert said.stdout == "2 new tags, 0 known, 0 could not be taken.\n"
    listed = run("tags", "runs.db", "--json", "--annotations", "other", cwd=tmp_path).stdout.splitlines()
    found = sorted((json.loads(line) for line in listed), key=lambda each: str(each["code"]))
    assert [(each["ref"], each["code"], each["clause"], each["exemplar"]) for each in found] == [
        (f"{stored.ref}#2:63-82", MODE, "-1 day", True), (stored.ref, "warm", "", False),
    ]  # fmt: skip


def test_a_case_across_its_runs_goes_by_its_own_name_and_model(tmp_path: Path) -> None:
    session, (first, _) = marked(
        tmp_path, *(conversation(model="openai/gpt", case="late/lost", run=run) for run in (1, 2))
    )
    session.tag("openai/gpt/late%2Flost", MODE)
    session.tag(first, MODE, Ref(first.ref, 1))
    rows = csv.DictReader(io.StringIO(exported(tmp_path, "--format", "csv")))
    assert sorted((row["model"], row["case"], row["run"]) for row in rows) == [
        ("openai/gpt", "late/lost", ""),
        ("openai/gpt", "late/lost", "1"),
    ]
    page = exported(tmp_path)
    assert "- Late/lost: across its runs. `openai/gpt/late%2Flost`" in page
    assert "Seen 2 times in 1 conversation on 1 case;" in page


def test_whole_items_and_odd_cells_come_back_from_a_spreadsheet(tmp_path: Path) -> None:
    messages = customer("\x1b[31m \u2028 =1,\r\nx"), agent(" =1+1"), agent("as long as a result " * 10_000)
    session, (stored,) = marked(tmp_path, conversation(*messages))
    for number in (1, 2, 3):
        session.tag(stored, MODE, Ref(stored.ref, number), clause=" =1")
    exported(tmp_path, "--format", "csv", "-o", "tags.csv")
    said = run("tags", "runs.db", "--import", "tags.csv", "--annotations", "other", "--as", "bob", cwd=tmp_path)
    assert said.stdout == "3 new tags, 0 known, 0 could not be taken.\n"
    listed = run("tags", "runs.db", "--json", "--annotations", "other", cwd=tmp_path).stdout.splitlines()
    found = [json.loads(line) for line in listed]
    assert [(each["ref"], each["clause"], each["state"]) for each in found] == [
        (f"{stored.ref}#{number}", " =1", "exact") for number in (1, 2, 3)
    ]


def test_a_spreadsheet_counts_a_merged_mode_under_its_name_of_now(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored))
    session.modes.merge(MODE, "phantom-action")
    (row,) = list(csv.DictReader(io.StringIO(exported(tmp_path, "--format", "csv"))))
    assert row["code"] == "phantom-action"
    found = json.loads(exported(tmp_path, "--format", "jsonl"))
    assert (found["code"], found["mode"]) == (MODE, "phantom-action")


def test_what_was_suggested_is_still_known_after_an_export(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    finding = Finding("dates", 1, MODE, stored.digest, anchor(stored, claim(stored)), (), "in transit", True)
    session.decide(stored, True, [finding])
    (before,) = session.state(stored.ref).tags
    assert before.extra is not None
    exported(tmp_path, "--format", "jsonl", "-o", "tags.jsonl")
    run("tags", "runs.db", "--import", "tags.jsonl", "--annotations", "other", cwd=tmp_path)
    assert Session(tmp_path / "other", "bob", "runs.db", SUPPORT).state(stored.ref).tags == (before,)
    masked = exported(tmp_path, "--format", "jsonl", "--mask-models")
    assert json.loads(masked)["extra"] == {}


@pytest.mark.parametrize("format", ["md", "jsonl", "csv", "html", "qdpx"])
def test_names_with_half_a_character_cost_nothing_but_themselves(format: str, tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored))
    half = {"at": "2026", "do": "tag", "code": "c\ud800", "by": "bob\ud800", "note": "\ud800", "digest": stored.digest}
    proof = {"ref": "kimi/\ud800/1#1", "digest": "d\ud800", "quote": "\ud800"}
    lines = [
        {**half, "id": "1", "ref": stored.ref, "evidence": [proof]},
        {**half, "id": "2", "ref": "kimi/\ud800/1"},
        {**half, "id": "3\ud800", "ref": stored.ref},
        {**half, "id": "5", "ref": f"{stored.ref}#9", "store": "runs.db"},
        {**half, "id": "4", "ref": stored.ref, "do": "reviewed", "queue": "q\ud800"},
    ]
    (tmp_path / "annotations" / "bob.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    said = run("export", "runs.db", "--format", format, "--notes", "-o", "out", cwd=tmp_path)
    assert said.returncode == 0
    assert said.stderr.splitlines()[:2] == [
        "2 excerpts in out.", "left out, elsewhere: kimi/used-item-1/1#9 c⟨U+D800⟩ by bob⟨U+D800⟩",
    ]  # fmt: skip
    found = json.loads(run("check", "runs.db", "--json", cwd=tmp_path).stdout)["counts"]
    assert (found["damaged"], found["unknown"], found["elsewhere"]) == (2, 2, 2)
    book = Book(tmp_path / "annotations", Projection(tmp_path / "index.db"), settled_from=0)
    assert book.counts()["bob\ud800"][0] == 2


def project(tmp_path: Path, *words: str) -> tuple[ET.Element, dict[str, str]]:
    """The project of an export, and its sources by name."""
    exported(tmp_path, "--format", "qdpx", "-o", "p.qdpx", *words)
    with zipfile.ZipFile(tmp_path / "p.qdpx") as archive:
        tree = ET.fromstring(archive.read("project.qde"))  # noqa: S314 - made by ourselves a moment ago
        sources = {name: archive.read(name).decode() for name in archive.namelist() if name.startswith("sources/")}
    return tree, sources


def test_a_project_has_codebook_sources_and_quotations_with_true_offsets(tmp_path: Path) -> None:
    session, stored = marked(tmp_path, conversation(), HOSTILE)
    session.tag(stored[0], MODE, Ref(stored[0].ref, 2, span=(0, 10)), claim(stored[0]), clause="c", note="secret")
    session.tag(stored[0], "phantom-action", Ref(stored[0].ref, 2, 1, "result", span=(11, 21)))
    session.tag(stored[0], "held-line", Ref(stored[0].ref, 2, 2))
    session.tag(stored[0], "warm")
    session.tag(stored[0], "", Ref(stored[0].ref, 1), note="open")
    session.tag(stored[1], "fabricated-url", Ref(stored[1].ref, 1, span=(8, 14)))
    session.tag("kimi/used-item-1", "flips-across-runs")
    tree, sources = project(tmp_path)
    assert [child.tag.removeprefix(QDA) for child in tree] == ["Users", "CodeBook", "Sources", "Notes"]
    guids = [element.attrib["guid"] for element in tree.iter() if "guid" in element.attrib]
    assert len(set(guids)) == len(guids)
    assert all(GUID.fullmatch(guid) for guid in guids)
    targets = {element.attrib["targetGUID"] for element in tree.iter() if "targetGUID" in element.attrib}
    assert targets <= set(guids)
    codes = {code.attrib["guid"]: code.attrib["name"] for code in tree.iter(f"{QDA}Code")}
    found = []
    for source in tree.iter(f"{QDA}TextSource"):
        text = sources[source.attrib["plainTextPath"].replace("internal://", "sources/")]
        for selection in source.iter(f"{QDA}PlainTextSelection"):
            words = text[int(selection.attrib["startPosition"]) : int(selection.attrib["endPosition"])]
            code = next((codes[each.attrib["targetGUID"]] for each in selection.iter(f"{QDA}CodeRef")), "")
            found.append((code, words if len(words) < 80 else "…"))
    assert sorted(found) == sorted([
        (MODE, "Your order"), (MODE, "delivered yesterday"), ("phantom-action", "in transit"),
        ("held-line", '[cancel_order] {"order_id":"#1130"}\n→ {"ok":true}'), ("warm", "…"),
        ("", "Please cancel order #1130, I ordered the wrong size."), ("fabricated-url", "␛[31m⟨U+202E⟩"),
    ])  # fmt: skip
    assert "secret" not in ET.tostring(tree, "unicode")
    sections = {section.attrib["name"]: section for section in tree.iterfind(f"{QDA}CodeBook/{QDA}Codes/{QDA}Code")}
    grounding = sections["Tool usage and grounding"]
    assert grounding.attrib["isCodable"] == "false"
    assert MODE in [code.attrib["name"] for code in grounding]
    (note,) = tree.iter(f"{QDA}Note")
    assert sources[note.attrib["plainTextPath"].replace("internal://", "sources/")] == (
        "Flips across runs\nkimi/used-item-1\n"
    )
    before = (tmp_path / "p.qdpx").read_bytes()
    project(tmp_path)
    assert (tmp_path / "p.qdpx").read_bytes() == before


def test_a_project_may_hold_every_conversation_that_a_query_lets_through(tmp_path: Path) -> None:
    session, (first, *_) = marked(tmp_path, conversation(), conversation(run=2), conversation(case="other", run=1))
    session.tag(first, MODE, claim(first))
    assert len(project(tmp_path)[1]) == 1
    tree, sources = project(tmp_path, "--all")
    assert len(sources) == 3
    described = {source.findtext(f"{QDA}Description") for source in tree.iter(f"{QDA}TextSource")}
    assert described == {"kimi/used-item-1/1", "kimi/used-item-1/2", "kimi/other/1"}
    said = run("export", "runs.db", "case:used-item-1", "--format", "qdpx", "--all", "-o", "q.qdpx", cwd=tmp_path)
    assert said.stderr == "1 excerpt in q.qdpx.\n2 conversations in q.qdpx.\n"
    tree, sources = project(tmp_path, "--all", "--mask-models")
    assert "kimi" not in "".join((ET.tostring(tree, "unicode"), *sources.values()))
    assert "--all is for qdpx." in run("export", "runs.db", "--all", cwd=tmp_path).stderr


def test_codes_of_a_project_may_be_called_by_their_titles(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored))
    session.modes.set("warm", "title", "Held line")
    session.modes.set("held-line", "title", "Held Line")

    def codes(*words: str) -> dict[str, str]:
        return {code.attrib["guid"]: code.attrib["name"] for code in project(tmp_path, *words)[0].iter(f"{QDA}Code")}

    by_code, by_title = codes(), codes("--titles")
    assert by_code.keys() == by_title.keys()
    assert {MODE, "warm"} <= set(by_code.values())
    assert {"Invented delivery date", "Held line (warm)", "Held Line (held-line)"} <= set(by_title.values())


def test_a_project_is_not_read_back_and_that_is_said(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored))
    exported(tmp_path, "--format", "qdpx", "-o", "p.qdpx")
    said = run("tags", "runs.db", "--import", "p.qdpx", cwd=tmp_path)
    assert said.returncode == 2
    assert said.stderr == (
        "reviewer: p.qdpx is a project for qualitative analysis, which is only written, so no tags are read from it.\n"
        "  Name CSV or JSON Lines, such as: reviewer export STORE --format jsonl -o tags.jsonl\n"
    )
    passed = run("import", "p.qdpx", "--into", "new.db", cwd=tmp_path)
    assert "a project for qualitative analysis, which is only written; tags come in from" in passed.stdout


def test_what_is_said_of_a_mark_is_the_comment_of_its_selection(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, conversation())
    session.tag(stored, MODE, claim(stored), clause="not <by> then", stance="clear", note="secret")
    session.tag(stored, "", Ref(stored.ref, 1), note="open")
    for words, said in (((), ["not <by> then; clear", ""]), (("--notes",), ["not <by> then; clear; secret", "open"])):
        tree, _ = project(tmp_path, *words)
        found = [each.findtext(f"{QDA}Description", "") for each in tree.iter(f"{QDA}PlainTextSelection")]
        assert found == said
    (source,) = tree.iter(f"{QDA}TextSource")
    assert source.attrib["name"] == "kimi used-item-1 1"
    assert source.findtext(f"{QDA}Description") == stored.ref


def test_a_project_without_tags_and_a_synthetic_one_are_sound(tmp_path: Path) -> None:
    marked(tmp_path, conversation(), synthetic=True)
    tree, sources = project(tmp_path)
    assert (sources, tree.attrib["name"]) == ({}, "runs.db (SYNTHETIC)")
    assert [child.tag.removeprefix(QDA) for child in tree] == ["CodeBook", "Description"]
    assert "-o project.qdpx" in run("export", "runs.db", "--format", "qdpx", cwd=tmp_path).stderr


def test_every_part_of_a_printed_conversation_maps_back() -> None:
    stored = builders.stored(customer("a\x00b\r\nc"), agent("x", call("t", "{}", "r\x1b"), reasoning="hm\u202e"))
    text = printed(stored)
    whole = "".join(text.parts)
    places = {"#1:2-3": "b", "#1:5-6": "c", "#2.reasoning:0-2": "hm", "#2.1.result:0-1": "r", "#2.1": "[t] {}\n→ r␛"}
    for place, words in places.items():
        start, end = text.span(parse(f"{stored.ref}{place}"))
        assert whole[start:end] == words
    assert text.length == len(whole)


@pytest.mark.parametrize("format", ["md", "jsonl", "csv", "html", "qdpx"])
def test_masking_hides_models_and_customers_in_every_format(format: str, tmp_path: Path) -> None:
    session, stored = marked(tmp_path, PERSONAL, Conversation("gpt-4o", PERSONAL.messages, case="x", run=1))
    for each in stored:
        session.tag(
            each, "warm", Ref(each.ref, 2, span=(0, 10)), clause="kimi-k2 knows Mia", evidence=[Ref(each.ref, 1)]
        )
        session.tag(each, "leaked-reasoning", Ref(each.ref, 2, 1, "result"))
    words = ("--format", format, "--context", "1", "--mask-models", "--mask-customers")
    if format == "qdpx":
        exported(tmp_path, *words, "-o", "p.qdpx")
        with zipfile.ZipFile(tmp_path / "p.qdpx") as archive:
            text = "".join(archive.read(name).decode() for name in archive.namelist())
    else:
        text = exported(tmp_path, *words)
    for hidden in ("kimi", "gpt-4o", "Mia", "Li,", "mia", "555-0199", "Elm", "Boise"):
        assert hidden not in text, hidden
    assert "model-A" in text
    assert "model-B" in text
    assert "[customer]" in text.replace("\\", "")
    assert "Duffel" in text
    assert "1130" in text or format == "csv"


def test_a_masked_quote_still_points_at_its_words(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, PERSONAL)
    text = stored.conversation.messages[1].text
    at = text.index("Your Duffel")
    session.tag(stored, "warm", Ref(stored.ref, 2, span=(at, at + 11)))
    page = exported(tmp_path, "--format", "html", "--mask-customers")
    assert "<mark>Your Duffel</mark>" in page


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ("MIA LI here, mia.li@example.org", "[customer] here, [customer]"),
        ("my name is Chris. Will you do it? Will will.", "my name is [customer]. Will you do it? Will will."),
        ("I am Maria Silva-Gómez, hello", "I am [customer], hello"),
        ("您好李雷，我叫韩梅梅。", "您好[customer]，我叫[customer]。"),
        ("call +44 20 7946 0958, (208) 555-0199 or 208-555-0199", "call [customer], [customer] or [customer]"),
        ("to 9 Larch Close, Boise", "to [customer], [customer]"),
        ("to 8420 NW 66th St, or 12 SE Pine Lane", "to [customer], or [customer]"),
        ("user mia_li_3668, born 1990-04-05", "user [customer], born [customer]"),
        (
            "on 2026-06-26 at 10:30, #1130, 9400 11206 0042 8813 07",
            "on 2026-06-26 at 10:30, #1130, 9400 11206 0042 8813 07",
        ),
        ("item 1008292230 costs 1,200.00", "item 1008292230 costs 1,200.00"),
        ("mia_li77@example.org paid by credit card credit_card_123", "[customer] paid by credit card [customer]"),
        ("an order, a family, familiar", "an order, a family, familiar"),
    ],
)
def test_what_tells_who_a_customer_is(said: str, hidden: str) -> None:
    known = {**CUSTOMER, "dob": "1990-04-05", "passengers": [{"first_name": "雷", "name": "李雷"}]}
    talk = builders.stored(customer(said), agent("Yes.", call("get_user", "{}", json.dumps(known))))
    assert HiddenCustomers([talk]).hidden_in(said) == hidden


@pytest.mark.parametrize("key", ["zip_code", "zipCode", "phone_number", "phoneNo", "email_address", "customerName"])
def test_a_field_is_that_of_a_customer_however_its_name_is_joined(key: str) -> None:
    talk = builders.stored(customer("Hi"), agent("Yes.", call("get_user", "{}", json.dumps({key: "Q7x9"}))))
    assert HiddenCustomers([talk]).hidden_in("That is Q7x9, then.") == "That is [customer], then."


def test_a_particular_of_any_length_is_hidden_to_its_end() -> None:
    endless, sentence = "z" * 5_000, "Mia of the very long name, " * 100
    known = {"name": endless, "first_name": "mia", "address": sentence.strip()}
    people = HiddenCustomers([builders.stored(agent("", call("get_user", "{}", json.dumps(known))))])
    assert people.hidden_in(f"It is {endless}.") == "It is [customer]."
    hidden = people.hidden_in(f"It is {sentence}")
    assert not set(hidden.replace("[customer]", "").split()) & set(sentence.split())


def test_what_particulars_cost_grows_with_the_text_and_not_with_how_many_they_are() -> None:
    names = [f"name{number}" for number in range(20_000)]
    spans = KnownParticulars(names).spans(text := " ".join(names))
    assert [text[start:end] for start, end in spans] == names


def test_a_model_is_hidden_however_it_is_written() -> None:
    mask = Mask(["gpt-4o", "kimi-k2.7-code", "kimi-k2.6", "Qwen/Qwen3-8B"], hide_models=True)
    assert mask.text("GPT-4o, gpt 4o, ChatGPT by OpenAI") == "model-B, model-B, model-B by model-B"
    assert mask.text("Kimi K2.7 Code is not a kimi_k2.6, says Moonshot AI") == "model-D is not a model-C, says [model]"
    assert mask.text("I am Qwen") == "I am model-A"
    assert mask.text("a gpt4omni egypt") == "a gpt4omni egypt"
    assert mask.ref("Qwen%2FQwen3-8B/kimi-k2.6 test/1#2:0-3") == "model-A/model-C%20test/1#2:0-3"
    assert Mask(["gpt-4o"]).text("gpt-4o") == "gpt-4o"


@pytest.mark.parametrize("format", ["md", "jsonl", "csv", "html", "qdpx"])
def test_nothing_around_an_excerpt_tells_who_it_was(format: str, tmp_path: Path) -> None:
    other = builders.conversation(
        customer("I am Noor Haddad."), agent("Hello Noor.", call("get_user", "{}", '{"name":"Noor Haddad"}')),
        model="kimi-k2", case="noor haddad 7",
    )  # fmt: skip
    path = builders.store(tmp_path, PERSONAL, other, name="kimi-k2.db")
    with Reader(path) as reader:
        stored = [reader.stored(rowid) for rowid in reader.ids()]
    first, second = sorted(stored, key=lambda each: each.ref)
    session = Session(tmp_path / "annotations", "Ann", "kimi-k2.db", SUPPORT)
    session.reviewed(second, queue="kimi-k2 week")
    session.tag(
        second, "warm", Ref(second.ref, 2), evidence=[anchor(first, Ref(first.ref, 1))], clause="Noor, then Mia"
    )
    session.tag(first, "warm", note="Noor", cause="Noor asked kimi-k2")
    words = ("--format", format, "--mask-models", "--mask-customers", "--notes", "--context", "1")
    said = run("export", "kimi-k2.db", *words, "-o", "p.out", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    text = said.stderr
    if format == "qdpx":
        with zipfile.ZipFile(tmp_path / "p.out") as archive:
            text += "".join(name + archive.read(name).decode() for name in archive.namelist())
    else:
        text += (tmp_path / "p.out").read_text("utf-8")
    assert not re.findall(r"(?i)noor|haddad|kimi|\bmia\b", text)


def masked_export(tmp_path: Path, format: str, *words: str) -> str:
    """All that a masked export of runs.db holds, names of files in a project included."""
    exported(tmp_path, "--format", format, "--mask-customers", *words, "-o", "masked.out")
    if format != "qdpx":
        return (tmp_path / "masked.out").read_text("utf-8")
    with zipfile.ZipFile(tmp_path / "masked.out") as archive:
        return "".join(name + archive.read(name).decode() for name in archive.namelist())


@pytest.mark.parametrize("format", ["md", "jsonl", "csv", "html", "qdpx"])
def test_a_masked_export_holds_no_digest_of_what_it_masks(format: str, tmp_path: Path) -> None:
    named = short_ref("kimi-k2", "mia li " + "and her parcel " * 40).rpartition("/")[2]
    other = Conversation("kimi-k2", PERSONAL.messages, id=unquote(named))
    session, stored = marked(tmp_path, PERSONAL, other)
    for each in stored:
        proof = anchor(each, Ref(each.ref, 2, 1, "result", pointer="/name/first_name"))
        session.tag(each, "warm", Ref(each.ref, 2, span=(0, 10)), evidence=[proof, Ref(each.ref, 1)])
        session.tag(each, "warm", note="the whole of it")
    session.tag("kimi-k2/used-item-1", "flips-across-runs")
    messages = PERSONAL.messages
    parts = [part for each in messages for part in (each.text, *(call.result or "" for call in each.calls))]
    texts = [*parts, "Mia Li", "mia_li_3668", *(each.ref for each in stored)]
    digests = {
        *(each.digest for each in stored), *map(message_digest, messages), *prefix_digests(messages),
        *(way(text.encode()).hexdigest() for way in (hashlib.sha256, hashlib.sha1, hashlib.md5) for text in texts),
        unquote(named).rpartition("~")[2],
    }  # fmt: skip
    shown = masked_export(tmp_path, format, "--notes", "--context", "1")
    assert "[customer]" in shown.replace("\\", "")
    assert not [each for each in digests if each[:10] in shown]
    plain = exported(tmp_path, "--format", "jsonl")
    assert sum(each[:10] in plain for each in digests) > 5


@pytest.mark.parametrize("format", ["jsonl", "csv"])
@pytest.mark.parametrize("mask", ["--mask-models", "--mask-customers"])
def test_a_masked_export_is_known_where_it_came_from_and_refused_elsewhere(
    format: str, mask: str, tmp_path: Path
) -> None:
    session, (stored,) = marked(tmp_path, PERSONAL)
    session.tag(stored, "warm", Ref(stored.ref, 2, span=(0, 10)))
    exported(tmp_path, "--format", format, mask, "-o", "masked.out")
    for folder, known in (("annotations", mask == "--mask-customers"), ("other", False)):
        said = run("tags", "runs.db", "--import", "masked.out", "--annotations", folder, cwd=tmp_path)
        assert said.stdout.splitlines()[-1] == f"0 new tags, {int(known)} known, {int(not known)} could not be taken."
        assert ("it comes from a masked export" in said.stdout) is not known


def test_conversations_whose_masked_names_are_equal_are_all_in_a_project(tmp_path: Path) -> None:
    talks = [
        Conversation("kimi", (customer(f"I am {name} Haddad."), agent(name[::-1])), case=f"{name} Haddad", run=1)
        for name in ("Noor", "Leila", "Samir")
    ]
    session, stored = marked(tmp_path, *talks)
    for each in stored[:2]:
        session.tag(each, "warm", Ref(each.ref, 2))
    tree, sources = project(tmp_path, "--all", "--mask-customers")
    assert len(sources) == 3
    assert sorted(text.split()[-1] for text in sources.values()) == ["alieL", "rimaS", "rooN"]
    guids = [each.attrib["guid"] for each in tree.iter(f"{QDA}TextSource")]
    assert len(set(guids)) == 3


def test_aliases_are_letters_and_nothing_is_hidden_unasked(tmp_path: Path) -> None:
    session, (stored,) = marked(tmp_path, PERSONAL)
    session.tag(stored, "warm", Ref(stored.ref, 1))
    assert "Mia Li" in exported(tmp_path)
    mask = Mask([f"m{n:02}" for n in range(30)], hide_models=True)
    assert [mask.ref(f"m{n:02}/c/1") for n in (0, 25, 26, 29)] == [
        "model-A/c/1",
        "model-Z/c/1",
        "model-AA/c/1",
        "model-AD/c/1",
    ]
    assert mask.ref("other/c/1") == "other/c/1"


def test_a_model_whose_name_is_signs_alone_changes_no_text() -> None:
    mask = Mask(["...", "gpt-4o"], hide_models=True)
    assert mask.text("Well... (yes), says GPT 4o.") == "Well... (yes), says model-B."
    assert mask.ref(".../lost-1/2#3") == "model-A/lost-1/2#3"
