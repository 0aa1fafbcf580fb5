"""Reports as they are printed, word for word; `make golden` writes them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reviewer.figures.report.board_report import board_material, board_report
from reviewer.figures.report.pages import markdown_lines as lines
from reviewer.marks import queues
from reviewer.marks.queues import Queue
from reviewer.transcripts.model import Case, Conversation, Score, Usage
from reviewer.transcripts.refs import Absence, Ref
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.writer import Writer
from tests import builders as b
from tests.ui.room import GOLDEN
from tests.unit.test_report import EASY, MUST, TRAP, Desk

CASES = (
    (EASY, ("get_order",), ("get_order", "hand_over")),
    (Case("easy-2", family="wismo", bucket="resolvable"), ("get_order",), ("get_order",)),
    (Case("easy-3", family="size exchange", bucket="resolvable"), ("get_order", "cancel_order"), ("cancel_order",)),
    (MUST, ("hand_over",), ()),
    (TRAP, ("get_order", "cancel_order"), ("cancel_order",)),
)


def talk(model: str, run: int, case: Case, tools: tuple[str, ...]) -> Conversation:
    """An agent that looks the order up, says when it came, and acts."""
    result = '{"status":"in transit","carrier":"UPS"}'
    calls = [b.call(name, '{"order_id":"#1130"}', result if name == "get_order" else "{}") for name in tools]
    messages = (
        b.customer("Where is order #1130?"),
        b.agent("Let me look. It was delivered yesterday.", *calls),
        b.customer("It is not here."),
        b.agent("I am sorry to hear that!"),
    )
    scores = (
        Score("resolution", float(run % 2), "judge A", "It was never looked up."),
        Score("resolution", 1.0, "judge B"),
        Score("instruction-following", 0.25 * run, "judge A"),
        Score("sentiment", 0.5, "judge A"),
    )
    used = Usage(tokens_in=1000 * run, tokens_out=100)
    return Conversation(
        model, messages, case=case.id, run=run, facts=case, scores=scores, usage=used, ended_by="agent-stop"
    )


def played(tmp_path: Path) -> Desk:
    """Two models, two runs and one; a drawn queue of one of them read, and tags in it."""
    items = [talk("kimi-k2", run, case, tools[run - 1]) for run in (1, 2) for case, *tools in CASES]
    items += [talk("other", 1, case, tools[0]) for case, *tools in CASES]
    desk = Desk(tmp_path, *items, synthetic=True)
    with Writer(desk.path) as writer:
        about = {"remark": "solid", "reasoning": True, "headline": {"score": 85.1, "spread": 0.3}}
        writer.catalogue.describe_model("kimi-k2", "Moonshot", "$$", ("value_pick",), about)
        writer.catalogue.describe_model("other", "Acme", "$", (), None)
        writer.commit()
    desk.scan()
    own = [ref for ref in desk.stored if ref.startswith("kimi-k2/")]
    queues.save(desk.folder, Queue("first draw", tuple(own[:8]), "drawn", seed=7, of=10))
    ann = desk.session()
    for at, ref in enumerate(own[:8]):
        stored = desk.stored[ref]
        looked = any(call.name == "get_order" for call in stored.conversation.messages[1].calls)
        evidence = [Ref(ref, 2, 1, "result").field("/status")] if looked else [Absence("read", 2)]
        if at < 5:
            ann.tag(stored, "invented-delivery-date", Ref(ref, 2, span=(13, 40)), evidence=evidence, exemplar=at < 2)
        if at == 2:
            ann.tag(stored, "warm", Ref(ref, 4), clause="said first")
        ann.reviewed(stored, queue="first draw")
    return desk


@pytest.mark.parametrize("name", ["report", "report-findings"])
def test_golden_report(tmp_path: Path, name: str) -> None:
    desk = played(tmp_path)
    if name == "report":
        page = desk.page("kimi-k2")
    else:
        with Reader(desk.path) as reader:
            page = "".join(lines(board_report(board_material(reader, desk.marks()))))
    path = GOLDEN / f"{name}.md"
    if os.environ.get("REVIEWER_GOLDEN") == "write":
        path.write_text(page, "utf-8")
    assert path.read_text("utf-8") == page
