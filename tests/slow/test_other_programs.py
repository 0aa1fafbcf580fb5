"""Exports in the programs that people open them with: a browser, a spreadsheet. A test says so where there is none."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import threading
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from reviewer.marks.folder import SUPPORT
from reviewer.marks.review import Session
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests import browser, builders, hostile
from tests.browser import Page
from tests.builders import agent, call, conversation, customer
from tests.forked import run

ALIVE = "script, img, svg, link, iframe, base, [onload], [src], [href]"
COLOUR = "getComputedStyle(document.querySelector('article')).color"
_RUN = "document.title='RAN'"
UNFOLDED = "document.querySelectorAll('details[open]').length"
SHOWN = "[...document.querySelectorAll('dl')].map(each => each.checkVisibility())"
CELLS = ("=1+1", "+1-1", "-1", "@SUM(1)", "\t=1", " =1", "多谢 🧳\n\n二 \"x\", 'y';z", "1-2", '=HYPERLINK("http://x")')
AS_OFFERED = "--infilter=CSV:44,34,76"
"""What its dialog offers for a file that begins with the mark of UTF-8; without one it looks at the locale only."""
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"


@pytest.fixture
def page() -> Iterator[Page]:
    program = browser.installed()
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(browser.NAMES)} is installed")
    with browser.browsing(program) as opened:
        yield opened


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine: its address, and what it was asked for."""
    found: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", found
        server.shutdown()


def attack(there: str) -> str:
    """Every way that a text has to run something, or to have something fetched."""
    return (
        f'</p></q></div></pre><script>{_RUN}</script><img src={there}/img onerror="{_RUN}"><svg onload="{_RUN}"></svg>'
        f"<link rel=stylesheet href={there}/css><iframe src={there}/frame></iframe>"
        f"<style>@import url({there}/style)</style><meta http-equiv=refresh content='0;url={there}/meta'>"
        f'<details open ontoggle="{_RUN}"><base href={there}/> javascript:alert(1) --><!-- ]]>'
    )


def exported(tmp_path: Path, *words: str) -> Path:
    said = run("export", "runs.db", "--notes", *words, cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    return tmp_path / words[-1]


def attacked(tmp_path: Path, bad: str) -> Path:
    """A page of a text that attacks, in every place that a text can have."""
    messages = customer(bad), agent(bad, call(bad, bad, f'{{"a":"{bad}"}}'), reasoning=bad)
    path = builders.store(tmp_path, conversation(*messages, case="odd"), hostile.conversation(), synthetic=True)
    with Reader(path) as reader:
        stored = [reader.stored(rowid) for rowid in reader.ids()]
    session = Session(tmp_path / "annotations", bad[:60].replace("/", ""), "runs.db", SUPPORT)
    for each in stored:
        session.tag(each, "warm", note=bad, clause=bad)
        for number, message in enumerate(each.conversation.messages, start=1):
            span = (0, min(9, len(message.text))) if message.text else None
            session.tag(each, "fabricated-url", Ref(each.ref, number, span=span), note=bad, clause=bad,
                        cause=bad, evidence=[Ref(each.ref, 1)])  # fmt: skip
    return exported(tmp_path, "--format", "html", "-o", "out.html")


def test_nothing_in_a_page_runs_or_asks_for_anything(tmp_path: Path, page: Page, asked: tuple[str, list[str]]) -> None:
    there, wanted = asked
    naked = tmp_path / "naked.html"
    naked.write_text(f"<!doctype html><title>naked</title><p>{attack(there).replace('refresh', '')}")
    page.open(naked)
    assert page.tell("document.title") == "RAN"
    assert wanted  # the attack works where nothing is done against it
    made = attacked(tmp_path, attack(there))
    wanted.clear()
    page.requests.clear()
    page.open(made)
    assert page.tell("new Promise(done => setTimeout(() => done(document.title), 0))") == "Excerpts from runs.db"
    assert page.tell(f"document.querySelectorAll('{ALIVE}').length") == 0
    assert (wanted, page.requests) == ([], [made.as_uri()])


def test_a_page_unfolds_by_keyboard_is_whole_on_paper_and_dark_in_the_dark(tmp_path: Path, page: Page) -> None:
    path = builders.store(tmp_path, conversation(), synthetic=True)
    with Reader(path) as reader:
        stored = reader.stored(reader.ids()[0])
    Session(tmp_path / "annotations", "ann", "runs.db", SUPPORT).tag(stored, "warm", Ref(stored.ref, 2, span=(0, 10)))
    page.open(exported(tmp_path, "--format", "html", "-o", "out.html"))
    assert page.tell(UNFOLDED) == 0
    page.press("Tab")
    page.press("Enter")
    assert page.tell(UNFOLDED) == 1
    assert page.tell("document.querySelector('details[open] mark').textContent") == "Your order"
    page.press("Enter")
    assert (page.tell(UNFOLDED), page.tell(SHOWN)) == (0, [False])
    light = page.tell(COLOUR)
    page.show_as(scheme="dark")
    assert page.tell(COLOUR) != light
    page.show_as(media="print", scheme="light")
    assert page.tell(SHOWN) == [True]


def test_a_spreadsheet_shows_the_words_and_computes_nothing(tmp_path: Path) -> None:
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("no spreadsheet: soffice is not installed")
    path = builders.store(tmp_path, conversation(*map(customer, CELLS)))
    with Reader(path) as reader:
        stored = reader.stored(reader.ids()[0])
    session = Session(tmp_path / "annotations", "ann", "runs.db", SUPPORT)
    for number, text in enumerate(CELLS, start=1):
        session.tag(stored, "warm", Ref(stored.ref, number), note=text, clause=text)
    sheet = exported(tmp_path, "--format", "csv", "-o", "out.csv")
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    words = [office, profile, "--headless", AS_OFFERED, "--convert-to", "fods", "--outdir", str(tmp_path), str(sheet)]
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    tree = ET.parse(tmp_path / "out.fods")  # noqa: S314 - made by the program a moment ago
    shown = list(_cells(tree))
    assert not [cell for row in shown for cell, formula in row if formula]
    rows = list(csv.reader(io.StringIO(sheet.read_text("utf-8-sig"))))
    assert [[cell for cell, _ in row] for row in shown if row] == [
        [re.sub(" +", " ", cell) for cell in row] for row in rows
    ]
    column = rows[0].index("quote")
    assert rows[7][column] == CELLS[6]


def _cells(tree: ET.ElementTree[ET.Element]) -> Iterator[list[tuple[str, str | None]]]:
    """The cells of each row, with what they compute."""
    table, text = OFFICE % "table", OFFICE % "text"
    for row in tree.iter(f"{table}table-row"):
        cells: list[tuple[str, str | None]] = []
        for cell in row.iter(f"{table}table-cell"):
            said = "\n".join("".join(each.itertext()) for each in cell.iter(f"{text}p"))
            times = int(cell.attrib.get(f"{table}number-columns-repeated", "1"))
            cells += [(said, cell.attrib.get(f"{table}formula"))] * (times if times < 100 else 0)
        yield cells
