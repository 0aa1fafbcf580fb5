"""Citations and unknown blocks: kept beside the message, whatever provider wrote them, and never among its words."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from reviewer.app.layout.message import MessageLayout, estimated_height
from reviewer.app.layout.pieces import text_of
from reviewer.app.layout.view import View
from reviewer.app.reading.grounding_lens import GroundingLens
from reviewer.app.shared.facts import facts
from reviewer.app.shared.sheet import Item
from reviewer.findings.reads import BY_NAME, read_over
from reviewer.findings.reads.grounds import grounds
from reviewer.imports import formats
from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.source import Extract, Source
from reviewer.marks.anchors import anchor, place, words
from reviewer.transcripts import desk
from reviewer.transcripts.digests import conversation_digest
from reviewer.transcripts.model import Anchor, Citation, Message, Stored
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests import builders, shapes
from tests.builders import agent, call, customer
from tests.forked import run
from tests.unit.test_export import MODE, exported
from tests.unit.test_export import marked as marked_store

TEXT = "Returns take 30 days."
PAGE = Citation("Send it back within 30 days.", "Returns", "https://example.org/returns", 0, len(TEXT))
CITED = {"title": "Returns", "url": "https://example.org/returns", "cited_text": "Send it back within 30 days."}
ANNOTATION = {"type": "url_citation", "url": PAGE.source, "title": "Returns", "start_index": 0, "end_index": len(TEXT)}
ASK = {"role": "user", "content": "How long?"}


def said(folder: Path, held: Any, name: str = "log.json", format: str = "openai-chat") -> tuple[Message, ...]:
    """The messages of the only conversation of a file."""
    (folder / name).write_text(json.dumps(held))
    source = Source(folder / name, name)
    recognised = formats.recognised(source)
    assert recognised is not None
    assert format == recognised.NAME
    (item,) = [item for item in recognised.read(source) if isinstance(item, Extract)]
    return item.conversation.messages


def answer(*blocks: Any, **beside: Any) -> list[dict[str, Any]]:
    """A question and an answer of these blocks."""
    return [ASK, {"role": "assistant", "content": list(blocks), **beside}]


def test_blocks_of_text_cite_passages(tmp_path: Path) -> None:
    block = {"type": "text", "text": TEXT, "citations": [{"type": "web_search_result_location", **CITED}]}
    (_, it) = said(tmp_path, answer({"type": "text", "text": "Well."}, block))
    assert it.text == f"Well.\n{TEXT}"
    assert it.citations == (PAGE._replace(start=6, end=6 + len(TEXT)),)
    page = {
        "type": "page_location",
        "document_title": "Rules",
        "document_index": 0,
        "start_page_number": 2,
        "cited_text": "x",
    }
    (_, it) = said(tmp_path, answer({"type": "text", "text": TEXT, "citations": [page]}))
    assert it.citations == (Citation("x", "Rules", "", 0, len(TEXT)),)
    assert it.extra is not None
    assert it.extra["citations"][0]["more"] == {"type": "page_location", "start_page_number": 2, "document_index": 0}


def test_responses_annotate_their_words(tmp_path: Path) -> None:
    file = {"type": "file_citation", "index": 3, "file_id": "file-1", "filename": "rules.pdf"}
    block = {"type": "output_text", "text": TEXT, "annotations": [ANNOTATION, file]}
    items = [ASK, {"type": "message", "role": "assistant", "content": [block]}]
    (_, it) = said(tmp_path, {"input": [ASK], "output": items[1:], "object": "response"}, format="responses")
    assert it.text == TEXT
    assert it.citations == (PAGE._replace(passage=""), Citation("", "rules.pdf", "file-1", 0, len(TEXT)))


def test_annotations_beside_a_message_are_citations(tmp_path: Path) -> None:
    beside = {"type": "url_citation", "url_citation": {key: ANNOTATION[key] for key in ANNOTATION if key != "type"}}
    (_, it) = said(tmp_path, [ASK, {"role": "assistant", "content": TEXT, "annotations": [beside]}])
    assert it.citations == (PAGE._replace(passage=""),)
    (_, it) = said(tmp_path, [ASK, {"role": "assistant", "content": TEXT, "citations": ["https://example.org"]}])
    assert it.citations == (Citation("", "", "https://example.org"),)
    (_, it) = said(tmp_path, [ASK, {"role": "assistant", "content": TEXT, "annotations": [{"good": True}]}])
    assert it.citations == ()
    assert it.extra == {"annotations": [{"good": True}]}


def test_converse_keeps_the_words_of_cited_content(tmp_path: Path) -> None:
    cited = {"title": "Returns", "sourceContent": [{"text": "Send it back"}, {"text": "within 30 days."}]}
    where = {"location": {"web": {"url": PAGE.source, "domain": "example.org"}}}
    block = {"citationsContent": {"content": [{"text": TEXT}], "citations": [{**cited, **where}]}}
    expected = (PAGE._replace(passage="Send it back\nwithin 30 days."),)
    (_, it) = said(tmp_path, {"messages": [{"role": "user", "content": [{"text": "How long?"}]}, answer(block)[1]]})
    assert (it.text, it.citations) == (TEXT, expected)
    request = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "How long?"}]}]}
    response = {"output": {"message": {"role": "assistant", "content": [block]}}, "stopReason": "end_turn"}
    (_, it) = said(tmp_path, {"request": request, "response": response}, format="bedrock")
    assert (it.text, it.citations) == (TEXT, expected)


def test_inspect_keeps_citations(tmp_path: Path) -> None:
    log = shapes.inspect()
    message = next(it for it in log["samples"][0]["messages"] if it["role"] == "assistant")
    span = {"type": "document", "title": "Rules", "cited_text": [0, 7]}
    message["content"] = [{"type": "text", "text": TEXT, "citations": [{"type": "url", **CITED}, span]}]
    (tmp_path / "log.json").write_text(json.dumps(log))
    source = Source(tmp_path / "log.json", "log.json")
    items = formats.named("inspect").read(source)
    held = next(item for item in items if isinstance(item, Extract)).conversation.messages
    it = next(each for each in held if each.text == TEXT)
    assert it.citations == (PAGE, Citation("", "Rules", "", 0, 7))


def test_source_parts_of_the_ai_sdk_are_citations(tmp_path: Path) -> None:
    parts = [
        {"type": "step-start"},
        {"type": "text", "text": TEXT},
        {"type": "source-url", "sourceId": "s1", "url": PAGE.source, "title": "Returns"},
        {"type": "source-document", "sourceId": "s2", "title": "Rules", "filename": "rules.pdf"},
    ]
    (_, it) = said(tmp_path, {"messages": [ASK, {"role": "assistant", "parts": parts}]})
    assert it.text == TEXT
    assert it.citations == (Citation("", "Returns", PAGE.source), Citation("", "Rules", ""))


@pytest.mark.parametrize(
    "span", [{"start_index": 3, "end_index": 900}, {"start_index": -1, "end_index": 2}, {"start_index": "0"}]
)
def test_a_span_that_the_text_has_not_is_no_place(tmp_path: Path, span: dict[str, Any]) -> None:
    block = {"type": "output_text", "text": TEXT, "annotations": [{**CITED, **span}]}
    (_, it) = said(tmp_path, answer(block))
    assert [(each.start, each.end) for each in it.citations] == [(None, None)]


@pytest.mark.parametrize("held", [None, "x", [3], [{"passage": 3, "title": None}], {"passage": "x"}])
def test_what_is_called_citations_and_is_none_cites_nothing(held: Any) -> None:
    assert Message("agent", TEXT, extra={"citations": held}).citations == ()


@pytest.mark.parametrize("marker", [{"type": "step-start"}, {"type": "cache_point"}, {"cachePoint": {}}, {}])
def test_markers_say_nothing(tmp_path: Path, marker: dict[str, Any]) -> None:
    (_, it) = said(tmp_path, answer(marker, {"type": "text", "text": TEXT}))
    assert (it.text, it.extra) == (TEXT, None)


def test_unknown_blocks_are_kept_and_remarked_on(tmp_path: Path) -> None:
    chart = {"type": "chart", "points": [1, 2]}
    (_, it) = said(tmp_path, answer(chart, {"type": "text", "text": TEXT}, {"type": "data-weather", "data": "rain"}))
    assert it.text == TEXT
    assert it.extra == {"blocks": [chart, {"type": "data-weather", "data": "rain"}]}
    report = import_files([tmp_path / "log.json"], tmp_path / "runs.db", Wishes(model="m"))
    expected = "blocks of unknown kinds, kept beside their messages and not read: chart (1), data-weather (1)"
    assert expected in report.sources[0].remarks


def test_a_large_unknown_block_leaves_the_size_of_what_is_not_kept(tmp_path: Path) -> None:
    (_, it) = said(tmp_path, answer({"type": "chart", "svg": "x" * 100_000}, {"type": "text", "text": TEXT}))
    assert it.extra == {"blocks": [{"type": "chart", "svg": "(100,000 characters not kept)"}]}


def test_a_result_names_its_unknown_blocks_since_nothing_else_shows_what_came_back(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "t", "name": "search", "input": {}}
    page = {"type": "web_search_result", "title": "Returns", "url": "https://example.org"}
    result = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t", "content": [page]}, {"type": "note"}],
    }
    messages = said(tmp_path, [*answer(call), result])
    assert messages[1].calls[0].result == "[web_search_result: Returns]"
    assert (messages[2].text, messages[2].extra) == ("", {"blocks": [{"type": "note"}]})


def test_a_known_conversation_takes_in_its_citations(tmp_path: Path) -> None:
    log, store = tmp_path / "log.jsonl", tmp_path / "runs.db"
    without: list[dict[str, Any]] = [
        ASK,
        {"role": "assistant", "content": [{"type": "text", "text": TEXT}], "tone": "calm"},
    ]
    cited = [ASK, {**without[1], "content": [{"type": "text", "text": TEXT, "citations": [CITED]}]}]
    for messages in (without, cited, cited):
        log.write_text(json.dumps({"id": "a", "model": "m", "messages": messages}) + "\n")
        report = import_files([log], store, Wishes())
    assert (report.total("unchanged"), report.total("updated")) == (1, 0)
    with Reader(store) as reader:
        (it,) = [reader.stored(each).conversation.messages[1] for each in reader.ids()]
    assert it.citations == (PAGE,)
    assert it.extra is not None
    assert it.extra["tone"] == "calm"


def marked(stored: Stored) -> list[Anchor]:
    """Anchors of every kind on a conversation: the whole of it, messages, and words of them."""
    places = [(None, ""), (1, ""), (2, ""), (2, "30 days"), (2, TEXT), (4, "Bye"), (4, "")]
    made = []
    for number, quote in places:
        text = stored.conversation.messages[number - 1].text if number else ""
        span = (text.index(quote), text.index(quote) + len(quote)) if quote else None
        made.append(anchor(stored, Ref(stored.ref, number, span=span)))
    return made


@pytest.mark.parametrize(("same_bytes", "id"), [(True, "a"), (True, None), (False, "a")])
@pytest.mark.parametrize("case", [None, "returns"])
def test_a_log_that_is_read_anew_keeps_its_tags(
    tmp_path: Path, same_bytes: bool, case: str | None, id: str | None
) -> None:
    """A store that was made while unknown blocks stood among the words, and the same log read by this version."""
    log, store = tmp_path / "log.jsonl", tmp_path / "runs.db"
    chart = {"type": "chart"}
    messages = [
        *answer(chart, {"type": "text", "text": TEXT}),
        ASK,
        *answer(chart, {"type": "text", "text": "Bye"})[1:],
    ]
    record = {"id": id, "model": "m", "messages": messages, **({"case": case, "run": 1} if case else {})}
    log.write_text(json.dumps(record) + "\n")
    import_files([log], store, Wishes())
    new = only(store)
    old = [replace(it, text=f"[chart]\n{it.text}") if it.role == "agent" else it for it in new.conversation.messages]
    with sqlite3.connect(store) as db:
        db.execute("UPDATE conversations SET digest = ?", (conversation_digest(old),))
        db.executemany("UPDATE messages SET text = ? WHERE number = ?", [(it.text, n) for n, it in enumerate(old, 1)])
    marks = marked(only(store))
    assert {place(mark, only(store)).state for mark in marks} == {"exact"}
    if same_bytes:
        report = import_files([log], store, Wishes())
        assert (report.total("unchanged"), report.total("new")) == (1, 0)
        said_so = "it was stored as other words than are read from it now; --replace takes these, and tags stay"
        assert said_so in report.sources[0].remarks
        assert {place(mark, only(store)).state for mark in marks} == {"exact"}
    else:
        log.write_text(json.dumps({**record, "note": "exported again"}) + "\n")
    report = import_files([log], store, Wishes(replacing=True))
    assert report.total("replaced") == 1
    again = only(store)
    assert (again.ref, again.digest) == (new.ref, new.digest)
    placed = [place(mark, again) for mark in marks]
    assert [each.state for each in placed] == ["exact", "exact", "moved", "moved", "moved", "moved", "moved"]
    assert [words(again, each.ref) for each in placed if each.ref][2:] == [TEXT, "30 days", TEXT, "Bye", "Bye"]
    import_files([log], store, Wishes(replacing=True))
    assert [place(mark, only(store)) for mark in marks] == placed


def test_another_conversation_in_its_place_was_never_read_as_other_words(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    for name in ("first", "second"):
        record = {"id": name, "model": "m", "case": "c", "run": 1, "messages": answer({"type": "text", "text": name})}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record) + "\n")
        import_files([tmp_path / f"{name}.jsonl"], store, Wishes(replacing=True))
    assert only(store).formerly == ()


def test_the_same_bytes_in_another_run_are_not_read_anew(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    for run_of in ("run0", "run1"):
        (tmp_path / run_of).mkdir()
        log = tmp_path / run_of / "log.jsonl"
        log.write_text(
            json.dumps({"model": "m", "case": "c", "messages": answer({"type": "text", "text": TEXT})}) + "\n"
        )
        assert import_files([log], store, Wishes()).total("new") == 1


def citing(message: Message, *cited: str, title: str = "Returns", source: str = PAGE.source) -> Message:
    """A message that cites passages with all of its words."""
    held = [
        {"passage": passage, "title": title, "source": source, "start": 0, "end": len(message.text)}
        for passage in cited
    ]
    return replace(message, extra={"citations": held})


def test_a_cited_passage_grounds_the_facts_of_its_message_and_of_those_after() -> None:
    reply = agent("Refunds take 12 days and cost $7.50, see https://example.org/returns.")
    stored = builders.stored(customer("How long?"), reply, customer("Sure?"), reply)
    assert {each.origin for each in grounds(stored).facts} == {"nowhere"}
    cited = citing(reply, "A refund takes 12 days. The fee is $7.50.")
    known = grounds(
        builders.stored(customer("How long?"), reply, customer("Sure?"), cited, customer("So?"), reply)
    ).facts
    assert {(each.message, each.origin) for each in known} == {(2, "nowhere"), (4, "citation"), (6, "citation")}
    assert known[-1].source is not None
    assert (known[-1].source.ref, known[-1].source.name) == (None, f"Returns · {PAGE.source}")


def test_a_result_counts_before_a_citation_and_that_before_the_prompt_and_the_customer() -> None:
    reply = citing(agent("It costs $7.50."), "It costs $7.50.")
    asked, prompt = customer("Is it $7.50?"), Message("system", "It costs $7.50.")
    looked = agent("", call("get_price", "{}", '{"price": "7.50"}'))
    assert [each.origin for each in grounds(builders.stored(prompt, asked, reply)).facts] == ["citation"]
    assert [each.origin for each in grounds(builders.stored(asked, looked, reply)).facts] == ["tool"]


@pytest.mark.parametrize(
    ("read", "words", "passage"),
    [
        ("invented-policy-rule", "Returns cost a restocking fee of 10%.", "The restocking fee is 10 %."),
        (
            "invented-policy-rule",
            "Orders above $150 have to be checked by a manager first.",
            "Above $150, ask a manager.",
        ),
        ("invented-refund-timeline", "Your refund will arrive within 12 days.", "Refunds take 12 days."),
        ("fabricated-url", "See https://example.org/a for all of it.", "https://example.org/a"),
        ("fabricated-product", "We also have the Alpine Trail Jacket.", "Alpine Trail Jacket: new this year."),
    ],
)
def test_reads_take_cited_passages_for_a_source(read: str, words: str, passage: str) -> None:
    prompt = Message("system", "You are a helpful agent of an outdoor shop. Look up products with search_products.")
    looked = agent("", call("search_products", "{}", '{"products":[{"title":"Tide Kit","in_stock":true}]}'))
    for reply, expected in ((agent(words), 1), (citing(agent(words), passage), 0)):
        stored = builders.stored(prompt, customer("What do you have?"), looked, reply)
        assert len(read_over(stored, [BY_NAME[read]]).suggestions) == expected


def test_passages_stand_beneath_their_message() -> None:
    message = citing(agent(TEXT), *(f"Passage {number}\x1b[31m" for number in range(5)))
    for width in (12, 40, 120):
        view = View(width=width)
        laid = MessageLayout(message, 1, view)
        lines = [text_of(line) for line in laid.lines(0, laid.height)]
        assert all(cell_len(line) <= width for line in lines)
        assert "\x1b" not in "".join(lines)
        assert laid.height == estimated_height(message, view)
    assert lines[-4:] == [
        *(f"    cites “Passage {number}␛[31m” · Returns · {PAGE.source}" for number in range(3)),
        "    … and 2 more",
    ]


def test_the_sheet_of_facts_lists_every_passage() -> None:
    message = citing(agent(TEXT), *(f"Passage {number}" for number in range(5)))
    sheet = facts(builders.stored(customer("How long?"), message), None, desk.kept(None), 80).plain
    assert "Citations" in sheet
    assert all(f"“Passage {number}”" in sheet for number in range(5))
    assert "#2" in sheet


def test_exports_say_what_the_tagged_words_cite(tmp_path: Path) -> None:
    words = "It takes 30 days. <b>Mia</b> is fine."
    held = [
        {"passage": "Send it to Mia Li <i>now</i>.", "title": "=Returns", "source": PAGE.source, "start": 0, "end": 17},
        {"passage": "Elsewhere.", "start": 18, "end": len(words)},
    ]
    asked = customer("Hi, I am Mia Li.")
    session, (stored,) = marked_store(
        tmp_path, builders.conversation(asked, replace(agent(words), extra={"citations": held}))
    )
    session.tag(stored, MODE, Ref(stored.ref, 2, span=(0, 17)))
    line = json.loads(exported(tmp_path, "--format", "jsonl"))
    assert line["citations"] == [
        {"passage": "Send it to Mia Li <i>now</i>.", "title": "=Returns", "source": PAGE.source}
    ]
    (row,) = csv.DictReader(io.StringIO(exported(tmp_path, "--format", "csv")))
    assert row["citations"] == f"“Send it to Mia Li <i>now</i>.” · =Returns · {PAGE.source}"
    assert "(cites “Send it to Mia Li &lt;i&gt;now&lt;/i&gt;.” · =Returns · https\\:" in exported(
        tmp_path, "--format", "md"
    )
    page = exported(tmp_path, "--format", "html")
    assert "(cites “Send it to Mia Li &lt;i&gt;now&lt;/i&gt;.” · =Returns" in page
    for format in ("md", "html", "csv", "jsonl"):
        assert "Mia" not in exported(tmp_path, "--format", format, "--mask-customers")


def test_show_prints_what_a_message_cites(tmp_path: Path) -> None:
    store = builders.store(tmp_path, builders.conversation(customer("How long?"), citing(agent(TEXT), "30\x1b days.")))
    with Reader(store) as reader:
        ref = reader.stored(reader.ids()[0]).ref
    printed = run("show", store, f"{ref}#2").stdout
    assert f"  cites “30␛ days.” · Returns · {PAGE.source}" in printed
    told = json.loads(run("show", store, f"{ref}#2", "--json").stdout)
    assert told["extra"]["citations"][0]["passage"] == "30\x1b days."


def test_the_lens_names_citations_where_there_are_some() -> None:
    reply = agent("It costs $7.50.")
    for message, shown, stands in (
        (citing(reply, "It costs $7.50."), "1 fact: 1 from citations.", f" · citation in #2: Returns · {PAGE.source}"),
        (reply, "1 fact: 1 from nowhere.", " · nowhere before #2"),
    ):
        lens = GroundingLens(lambda _: None)
        lens.take(builders.stored(customer("How much?"), message))
        lens.step(1, Item(1))
        foot = lens.foot(Item(2), 140)
        assert lens.words == shown
        assert stands in [text for text, _ in foot.told]
        assert ("citation" in [text for text, _ in foot.legend]) == (message is not reply)


def only(store: Path) -> Stored:
    """The only conversation of a store."""
    with Reader(store) as reader:
        (rowid,) = reader.ids()
        return reader.stored(rowid)
