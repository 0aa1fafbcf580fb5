"""A reviewer's own words on a report: taken as they are, never written over, every figure and quote from the page."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.basics.errors import ReviewerError
from reviewer.figures.report.blocks import (
    FigureRow,
    FigureTable,
    Prose,
    ReportPage,
    ReportSection,
    Sentence,
    ToRead,
    WrittenPage,
)
from reviewer.figures.report.board_report import board_material
from reviewer.figures.report.material import ReportRequest, material
from reviewer.figures.report.pages import html_lines, markdown_lines
from reviewer.figures.report.prose_check import check_lines, prose_check
from reviewer.figures.report.prose_file import file_name, model_of, parse, prose_path, read, versions
from reviewer.figures.report.prose_front import TABLES, TEXTS, FrontText
from reviewer.figures.report.prose_markup import as_html, as_markdown, dangerous
from reviewer.figures.report.prose_numbers import typed_numbers
from reviewer.figures.report.prose_page import with_prose
from reviewer.figures.report.prose_skeleton import made, made_if_missing, place_of_tag, planned_sections, skeleton
from reviewer.figures.report.prose_text import ProseRenderer, RenderedProse
from reviewer.figures.report.written_report import written_findings, written_report
from reviewer.marks import folder
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests.arch.code_base import ROOT
from tests.unit.test_report import DATE, EVIL, WARM, Desk, SoundHtml, hostile, marked, reviewer, section, three_runs

UNSAFE = FigureRow("unsafe", "Unsafe actions", ("4", "3 / 4 / 5"))
CARD = FigureTable("", "", "figure", (("median", "median"), ("per_run", "per run")), (UNSAFE,), "Medians over 3 runs.")
GLANCE = FigureTable("glance", "", "what", (("median", "median"),), (FigureRow("following", "Obeys", ("0.38",)),))
FAMILIES = FigureTable("families", "", "use case", (("of", "of"),), (FigureRow("orders", "Orders", ("6 a run",)),))
PAGE = ReportPage(
    "m",
    "about m",
    (
        ReportSection("card", "", (CARD,)),
        ReportSection("verdict", "Verdict"),
        ReportSection("safety", "Adversarial safety", (Sentence("12 of 54.", named={"traps.fired": "12"}),), (DATE,)),
        ReportSection("bottom_line", "Bottom line"),
        ReportSection("glance", "At a glance", (GLANCE,)),
        ReportSection("use_cases", "By use case", (FAMILIES,)),
    ),
    synthetic=False,
    model="m",
)


def written(text: str) -> WrittenPage:
    """The page with a file of this text."""
    return with_prose(PAGE, parse(text, Path("m.md")), lambda _: None)


def page_of(text: str) -> str:
    return "".join(markdown_lines(written(text).page))


def troubles(text: str) -> list[tuple[int, str]]:
    return [(each.line, each.said) for each in written(text).troubles]


def rendered(text: str) -> RenderedProse:
    return ProseRenderer(PAGE.figures(), lambda _: None).rendered(FrontText(text, 1))


# -- where the words are -----------------------------------------------------------------------------------------------

LABELS = ["", ".", "..", ".hidden", "a/b", "../../etc/passwd", "a\\b", "%2F", "%", "con", "NUL.txt", "ä 語 🤖", "a\nb",
          "\0", "findings", "x.md", "kimi-k2.7-code", "C:\\x", "~", " ", "a" * 70, EVIL]  # fmt: skip


@given(st.one_of(st.sampled_from(LABELS), st.text()))
def test_a_label_is_a_safe_name_and_a_name_leads_back_to_its_label(label: str) -> None:
    name = file_name(label)
    assert model_of(name) == label
    assert re.fullmatch(r"[\w.~%-]+\.md", name, re.ASCII)
    assert not name.startswith(".")
    assert name.split(".")[0].lower() not in {"con", "prn", "aux", "nul", "com1", "lpt1"}


def test_usual_labels_are_their_own_names_and_no_label_is_called_like_the_findings(tmp_path: Path) -> None:
    assert file_name("kimi-k2.7-code") == "kimi-k2.7-code.md"
    assert file_name("vendor/model:free") == "vendor%2Fmodel%3Afree.md"
    findings = prose_path(tmp_path, None)
    assert findings.parent == tmp_path
    assert {prose_path(tmp_path, label).parent for label in LABELS} == {tmp_path / "reports"}


def test_a_label_that_is_too_long_for_a_file_has_no_prose(tmp_path: Path) -> None:
    long = "語" * 200
    (tmp_path / "reports").mkdir()
    assert read(prose_path(tmp_path, long)) is None
    with pytest.raises(ReviewerError, match="cannot be written"):
        made(tmp_path, long, ())


# -- how they are read -------------------------------------------------------------------------------------------------


def test_words_stand_under_their_heading_before_what_was_counted() -> None:
    page = page_of(
        '+++\nverdict = "Fires at {{ unsafe.per_run }}."\n+++\n\n## Adversarial safety\nGives *goods* away.\n'
    )
    assert "## Verdict\n\nFires at 3 / 4 / 5.\n" in page
    assert "## Adversarial safety\n\nGives *goods* away.\n\n12 of 54.\n" in page


def test_front_matter_speaks_in_heads_tails_and_tables() -> None:
    text = (
        '+++\nremark = "solid"\ntails.safety = "it gives *goods* away"\nleads.safety = "Free goods."\n'
        'read.orders = "asks first"\nglance."Obeys" = "of {{ glance.following.median }}"\n+++\n'
        "## Adversarial safety\nMany."
    )
    page = page_of(text)
    assert "**Remark:** solid" in page
    assert "## Adversarial safety: it gives \\*goods\\* away\n\n**Free goods.** Many.\n" in page
    assert "| use case | of | read |\n| --- | --- | --- |\n| Orders | 6 a run | asks first |" in page
    assert "| Obeys | 0.38 | of 0.38 |" in page
    assert written(text).troubles == ()
    assert "**Free goods.**\n\n- many" in page_of(
        '+++\nleads.safety = "Free goods."\n+++\n## Adversarial safety\n- many'
    )


def test_links_to_sections_leave_out_what_stands_behind_their_headings() -> None:
    page = written('+++\ntails.safety = "it gives goods away"\n+++\n').page
    html = "".join(html_lines(page))
    assert '<a href="#section-safety">Adversarial safety</a>' in html
    assert "<h2>Adversarial safety: it gives goods away</h2>" in html


def test_a_page_without_words_is_the_page() -> None:
    assert written(skeleton("m", PAGE.sections)).page == PAGE
    assert written("").page == PAGE


def test_a_heading_that_the_report_does_not_have_is_a_section_of_its_own_where_it_stands() -> None:
    text = "## Adversarial safety\na\n## Small talk\nb\n## Small talk\nc\n```\n## no heading\n```\n## Bottom lime\nd"
    assert [each.key for each in written(text).page.sections] == [
        "card", "verdict", "safety", "own_small_talk", "own_bottom_lime", "bottom_line", "glance", "use_cases",
    ]  # fmt: skip
    assert "## Small talk\n\nb\n\nc\n```\n## no heading\n```\n" in page_of(text)
    assert [line for line, _ in troubles(text)] == [3, 10]
    assert troubles(text)[1][1].endswith("printed as one of its own. Nearest: Bottom line.")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('+++\nverdict = "a\n+++\n## Bottom line\nwords', 2, "the front matter cannot be read"),
        ("+++\na = \n+++\n## Bottom line\nwords", 2, "the front matter cannot be read"),
        ("+++\nmodel = 'm'\n## Bottom line\nwords", 1, "the front matter does not end"),
        ("+++\n\nverdit = 'x'\n+++\n## Bottom line\nwords", 3, "has no “verdit”. Nearest: verdict."),
        ("+++\n[tails]\nsafety = 3\n+++\n## Bottom line\nwords", 3, "“tails.safety” is no text"),
        ("+++\nclusters = 1\n+++\n## Bottom line\nwords", 2, "“clusters” is no table"),
        ("+++\ncomparators = 'a'\n+++\n## Bottom line\nwords", 2, "“comparators” is no list of names"),
        ("+++\na" + "=[" * 5000 + "\n+++\n## Bottom line\nwords", 2, "the front matter cannot be read"),
        ("## Bottom line\nwords\n{{ unsafe.per_rnu }}", 3, "no figure “unsafe.per_rnu”. Nearest: unsafe.per_run"),
        ('## Bottom line\nwords {{ excerpt("01J") }}', 2, "no tag “01J” can be printed here"),
        ("## Bottom line\nwords\n\n{{ unsafe.per_run", 4, "this is no placeholder: unexpected end of template"),
        ("## Bottom line\nwords\n{% for x in unsafe %}{% endfor %}", 3, "nothing between {% and %}"),
        ("## Bottom line\nwords {{ unsafe.median * 2 }}", 2, "only a figure's name"),
        ("## Bottom line\nwords {{ unsafe.__class__ }}", 2, "no figure “unsafe.__class__”"),
        ("## Bottom line\nwords {{ excerpt.__globals__ }}", 2, "no figure “excerpt.__globals__”"),
        ("## Bottom line\nwords {{ " + "(" * 5000, 2, "nested too deeply"),
        ("## Bottom line\nwords {{ unsafe.median }}\n\n{{ " + "(" * 5000, 4, "nested too deeply"),
        (f"## Bottom line\nwords\n\n{{{{ {'1' * 5000} }}}}", 4, "only a figure's name"),
        (
            f"## Bottom line\nwords\n{{{{ unsafe.median }}}}\n{{{{ unsafe[{'1' * 5000}] }}}}\n\nmore",
            4,
            "only a figure's",
        ),
        (f"+++\nremark = '{{{{ {'1' * 5000} }}}}'\n+++\n## Bottom line\nwords", 2, "only a figure's name"),
        ("## Bottom line\nwords [a](javascript:x)", 2, "a link that leads neither to the web"),
        ('+++\nverdict = """\nFires\n{{ nope.x }}"""\n+++\n## Bottom line\nwords', 4, "no figure “nope.x”"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_the_rest_is_printed(text: str, line: int, said: str) -> None:
    wrong = [each for each in written(text).troubles if each.kind == "error"]
    assert [(each.line, said in each.said) for each in wrong] == [(line, True)], wrong
    assert "## Bottom line\n\nwords" in page_of(text)


def test_the_page_about_reports_shows_a_file_that_can_be_read() -> None:
    shown = (
        (ROOT / "docs" / "reports.md").read_text("utf-8").partition("    +++\n")[2].partition("\n\n**Front matter**")[0]
    )
    file = parse(f"+++\n{textwrap.dedent(shown)}", Path("m.md"))
    assert file.troubles == ()
    assert {*file.front.texts, *file.front.tables} == {*TEXTS, *TABLES}
    assert [each.heading for each in file.sections] == ["", "Adversarial safety"]


def test_prose_of_another_model_is_left_out() -> None:
    own = parse("+++\nmodel = 'other'\n+++\n## Bottom line\nwords", Path("m.md")).of_model("m")
    assert own.sections == ()
    assert own.troubles[0].line == 2
    assert "of “other”" in own.troubles[0].said


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("3/4/5 of 1,024, 87.50 % and ×6, (3/3).", ["3", "4", "5", "1,024", "87.50", "6", "3", "3"]),
        ("order #1130, k2.7, gpt-5.5, 3rd, `12`, [a](http://x/9)", []),
        ("2. second", []),
        ("m 7 has 8", ["8"]),
    ],
)
def test_numbers_are_those_that_people_count(line: str, numbers: list[str]) -> None:
    assert list(typed_numbers(line, ["m 7"])) == numbers


def test_a_number_that_its_section_does_not_count_is_listed_by_line() -> None:
    text = "## Adversarial safety\n12 of 54.0, {{ unsafe.median }}\n\n4 and 13 and 13\n## Bottom line\n0.38 and 99"
    assert troubles(text) == [
        (4, "4, 13: not counted in this section."),
        (6, "99: not counted in this section."),
    ]
    assert {each.kind for each in written(text).troubles} == {"stale"}


# -- nothing comes alive -----------------------------------------------------------------------------------------------


def test_a_persons_own_markdown_is_kept_and_no_html_of_theirs() -> None:
    prose = rendered(
        "# Top\n*a* **b** [c](https://x.example) ![d](https://y.example/d.png)\n\n- <script>alert(1)</script> <!--"
    ).prose
    html, markdown = as_html(prose), as_markdown(prose)
    assert "<h3>Top</h3>" in html
    assert '<em>a</em> <strong>b</strong> <a href="https://x.example" rel="noreferrer">c</a>' in html
    assert not re.search(r"<(script|img|!)", html)
    assert "*a* **b** [c](https://x.example) !\\[d]" in markdown
    assert not re.search(r"<[a-z!/]", markdown)


@pytest.mark.parametrize(
    "address",
    ["javascript:x", "JAVA&#115;cript:x", " javascript:x", "data:text/html,x", "vbscript:x", "file:///x", "x:y"],
)
def test_no_link_leads_anywhere_but_to_the_web(address: str) -> None:
    for text in (f"[a]({address})", f"[a][b]\n\n[b]: {address}", f"<{address}>", f"![a]({address})"):
        prose = rendered(text).prose
        assert "href" not in as_html(prose)
        assert dangerous(as_markdown(prose)) == []
        assert "<" not in as_markdown(prose)


@pytest.mark.parametrize(
    "text",
    [
        "[a]({{ evil.address }})", "[a]{{ evil.link }}", "[a]({{ evil.end }}", '[a](javascript:x {{ ")" }}',
        "<{{ evil.tag }}>", "[a ![b]({{ evil.address }})", "[a\\{{ evil.rest }}",
        "[a][b]\n\n[b]: {{ evil.address }}", "!{{ evil.picture }}", "[a][b]\n\n[b]{{ evil.definition }}",
    ],
)  # fmt: skip
def test_no_figure_completes_what_a_person_began(text: str) -> None:
    address = "javascript:x"
    figures = {
        "evil.address": address, "evil.link": f"({address})", "evil.end": f"{address})", "evil.tag": "script",
        "evil.rest": f"]({address})", "evil.picture": f"[a]({address})", "evil.definition": f": {address}",
    }  # fmt: skip
    prose = ProseRenderer(figures, lambda _: None).rendered(FrontText(text, 1)).prose
    assert dangerous(as_markdown(prose)) == []
    assert "<" not in as_markdown(prose)
    assert not re.search(r'href="javascript:|<script|<img', as_html(prose))


PIECES = [
    "{{ evil.a }}", "{{ evil.b }}", '{{ ")" }}', '{{ "<" }}', "{{ nope }}", "{%", "%}", "{#", "#}", "[", "]", "(", ")",
    "<", ">", "!", "javascript:x", "`", "```\n", "\n", "\n\n", "- ", "# ", "&#60;", "\\", "*", "_", "script", "|", "a",
    " ", '"', "\x1b", "\u202e", "\ufdd0", "1", "1" * 5000, "<http://", "//[", "%EF%B7%90", "%EF%B7%91", "&#xFDD0;",
    "{{", "}}", ".", "{{ 1",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_nothing_comes_alive_whatever_is_written(text: str) -> None:
    figures = {"evil.a": "](javascript:x)<script>", "evil.b": "x [a](b) -"}
    prose = ProseRenderer(figures, lambda _: None).rendered(FrontText(text, 1)).prose
    html, markdown = as_html(prose), as_markdown(prose)
    checker = SoundHtml()
    checker.feed(html)
    checker.close()
    assert (checker.open, checker.wrong, dangerous(markdown)) == ([], [], [])
    assert not re.search(r'href="javascript:|<script|<img', html)
    assert not {"\x1b", "\u202e", "\ufdd0"} & set(html + markdown)
    assert "<" not in markdown


def test_a_figure_at_the_beginning_of_a_line_begins_no_list() -> None:
    figures = {"a.x": "- 1", "a.y": "12. of them", "a.z": "# x", "a.n": "3 / 4"}
    prose = (
        ProseRenderer(figures, lambda _: None)
        .rendered(FrontText("{{ a.x }} {{ a.x }}\n\n{{ a.y }}\n\n{{ a.z }}\n{{ a.n }}", 1))
        .prose
    )
    assert as_markdown(prose) == "\\- 1 - 1\n\n12\\. of them\n\n\\# x\n3 / 4"
    assert as_html(prose).count("<p>") == 3


def test_a_figure_is_never_markup_wherever_it_stands() -> None:
    figures = {"evil.x": f"{EVIL} \"' ](javascript:x)"}
    text = '{{ x }} **{{ x }}** [a](https://x.example "{{ x }}") [b](https://x/{{ x }}) `{{ x }}` &#27;'
    text = text.replace("{{ x }}", "{{ evil.x }}")
    prose = ProseRenderer(figures, lambda _: None).rendered(FrontText(text, 1)).prose
    html = as_html(prose)
    checker = SoundHtml()
    checker.feed(html)
    assert (checker.open, checker.wrong) == ([], [])
    assert all(link.startswith("https://x") for link in checker.links)
    for said in (html, as_markdown(prose)):
        assert not {"\x1b", "\u202e", "\ufdd0"} & set(said)
    assert "<script" not in html


@pytest.mark.parametrize("number", ["0", "99", "9" * 5000])
@pytest.mark.parametrize("address", ["[a]({})", "<{}>", '[a](http://x "{}")', "[a][b]\n\n[b]: {}", "`{}`", "# {}"])
def test_no_address_of_a_person_passes_for_the_place_of_a_figure(address: str, number: str) -> None:
    typed = f"http://a/%EF%B7%90{number}%EF%B7%91"
    prose = rendered(f"{address.format(typed)} {{{{ unsafe.per_run }}}}").prose
    assert as_html(prose).count("3 / 4 / 5") == 1
    assert as_html(prose).count("3%20/") == 0
    assert typed in as_markdown(prose)


def test_no_words_of_a_person_pass_for_the_place_of_a_figure() -> None:
    prose = rendered("\ufdd00\ufdd1 &#xFDD0;0&#xFDD1; {{ unsafe.median }}").prose
    assert prose.values == ("4",)
    assert as_markdown(prose).count("4") == 1
    assert as_html(prose).count("4") == 1


def test_a_quote_of_a_hostile_store_comes_alive_nowhere(tmp_path: Path) -> None:
    desk = hostile(tmp_path)
    model = f"model {EVIL}"
    name = next(iter(desk.report(model).excerpts()))
    text = f"+++\nverdict = '{{{{ excerpt(\"{name}\") }}}}'\ntails.tools = '{{{{ excerpt(\"{name}\") }}}}'\n+++\n"
    shown = on_page(desk, text, model)
    assert not [each for each in shown.troubles if each.kind == "error"]
    page, html = "".join(markdown_lines(shown.page)), "".join(html_lines(shown.page))
    verdict = page.partition("## Verdict")[2].partition("\n## ")[0]
    assert "alert" in verdict
    assert "<script" not in re.sub(r"(`+) .+? \1", "", page)
    assert "<script" not in html
    checker = SoundHtml()
    checker.feed(html)
    assert (checker.open, checker.wrong) == ([], [])


# -- on a real page ----------------------------------------------------------------------------------------------------


def on_page(desk: Desk, text: str, model: str = "m") -> WrittenPage:
    """The report on a model with a file of this text."""
    with Reader(desk.path) as reader:
        it = material(reader, ReportRequest(model), desk.marks())
        return written_report(it, parse(text, desk.folder / "reports" / "m.md"))


def test_every_figure_of_a_page_can_be_named(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    desk.scan()
    figures = desk.report().figures()
    assert "none.leaked_think_tag.of" in figures, "a name that templates have for something else"
    shown = on_page(desk, "## Bottom line\n" + "".join(f"{{{{ {name} }}}}\n" for name in figures))
    assert shown.troubles == ()
    (words,) = section(shown.page, "bottom_line").blocks
    assert isinstance(words, Prose)
    assert words.values == tuple(figures.values())


def test_any_tag_of_the_model_is_quoted_with_its_source(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    tags = [tag for state in desk.marks().briefs.values() for tag in state.tags]
    shown = on_page(desk, "".join(f'## Bottom line\n{{{{ excerpt("{tag.id}") }}}}\n' for tag in tags))
    assert shown.troubles == ()
    line = "".join(markdown_lines(shown.page)).partition("## Bottom line")[2].partition("\n## ")[0]
    assert 'Wismo (0.50): 🤖 "It was delivered yesterday." (no handover) (`m/easy-1/1#2:0-27`)' in line
    assert {tag.id for tag in tags} <= shown.page.excerpts().keys()
    html = "".join(html_lines(shown.page))
    assert "🤖 <q>It was delivered yesterday.</q> (no handover) (<code>m/easy-1/1#2:0-27</code>)" in html
    checker = SoundHtml()
    checker.feed(html)
    assert (checker.open, checker.wrong) == ([], [])
    assert len(checker.ids) == len(set(checker.ids))


def test_front_matter_chooses_clusters_rivals_and_the_early_section_and_says_what_is_not_there(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    text = (
        f'+++\npromoted = "{WARM}"\ncomparators = ["m", "nobody"]\n[clusters]\n'
        '"All" = ["wismo", "fraud (must-escalate)"]\n'
        '"None" = ["frau", "used item"]\n[read]\nall = "holds"\n+++\n'
    )
    shown = on_page(desk, text)
    assert section(shown.page, "promoted").heading == "Warm"
    figures = shown.page.figures()
    assert figures["families.all.families"] == "wismo, fraud"
    assert figures["families.all.read"] == "holds"
    assert figures["families.none.bucket"] == "adversarial"
    assert [(each.line, each.said.split(",")[0]) for each in shown.troubles] == [
        (3, "“m” is this model itself"),
        (3, "“nobody” is no model on the board"),
        (6, "“None” names the family “frau”"),
    ]
    assert shown.troubles[2].said.endswith("Nearest: fraud.")
    gone = on_page(desk, '+++\npromoted = "gone"\n+++\n')
    assert "nobody tagged “gone”" in gone.troubles[0].said


def test_a_check_says_what_is_stale_not_read_and_without_words(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    file = parse("## Tool usage and grounding\nMany.\n## Cost and verbosity\n77", desk.folder / "m.md")
    marks = desk.marks()
    with Reader(desk.path) as reader:
        shown = written_report(material(reader, ReportRequest("m"), marks), file)
    before = prose_check(shown, replace(file, saved=0.0), marks.briefs, {})
    assert before.newer == ("Tool usage and grounding: 5 tags made since it was saved.",)
    assert not before.clean
    after = prose_check(shown, replace(file, saved=4e9), marks.briefs, {})
    assert after.newer == ()
    assert [each.line for each in after.troubles] == [4]
    assert {block.query for _, block in after.unread} >= {'model:"m" bucket:adversarial reviewed:no'}
    assert all(isinstance(block, ToRead) for _, block in after.unread)
    assert "Verdict" in after.wordless
    assert "Tool usage and grounding" not in after.wordless
    assert "m.md, line 4: 77: not counted in this section." in list(check_lines(after, "m.md"))


def test_findings_have_words_of_their_own_and_quote_any_model(tmp_path: Path) -> None:
    desk = Desk(tmp_path, *three_runs())
    ref = next(iter(desk.stored))
    desk.session().tag(desk.stored[ref], DATE, Ref(ref, 2, span=(0, 27)))
    tag = desk.marks().ledger.state(ref).tags[0]
    text = '+++\nverdict = "Read first."\nremark = "x"\n+++\n## Start here\n'
    text += f'{{{{ excerpt("{tag.id}") }}}}\n{{{{ excerpt("{ref}") }}}}'
    with Reader(desk.path) as reader:
        shown = written_findings(reader, board_material(reader, desk.marks()), parse(text, desk.folder / "findings.md"))
    page = "".join(markdown_lines(shown.page))
    assert "**Remark:** x" in page
    assert "## Verdict\n\nRead first.\n" in page
    assert 'Wismo: 🤖 "It was delivered yesterday." (`m/easy-1/1#2:0-27`)' in page.partition("## Start here")[2]
    assert [each.line for each in shown.troubles] == [7]


# -- the file ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["m", EVIL, 'a "b" \\ c', "\x7f\n", None])
def test_a_new_file_is_read_back_and_says_whose_it_is(tmp_path: Path, label: str | None) -> None:
    path = made(tmp_path, label, PAGE.sections)
    file = read(path)
    assert file is not None
    assert file.troubles == ()
    assert file.of_model(label) is file
    assert [each.heading for each in file.sections] == ["", "Adversarial safety", "Bottom line"]
    assert "{# traps.fired #}" in path.read_text("utf-8")
    assert with_prose(PAGE, file, lambda _: None).page == PAGE


def test_a_file_that_exists_is_never_written_over(tmp_path: Path) -> None:
    path = prose_path(tmp_path, "m")
    path.parent.mkdir()
    path.write_text("mine", "utf-8")
    with pytest.raises(ReviewerError, match="stays as it is"):
        made(tmp_path, "m", PAGE.sections)
    assert made_if_missing(tmp_path, folder.load(tmp_path, folder.SUPPORT), "m") == path
    assert path.read_text("utf-8") == "mine"


def test_what_stands_where_a_file_should_is_said(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("not a folder", "utf-8")
    assert read(prose_path(tmp_path, "m")) is None
    with pytest.raises(ReviewerError, match=r"cannot be written: (File exists|Not a directory)"):
        made(tmp_path, "m", ())
    (tmp_path / "findings.md").mkdir()
    file = read(prose_path(tmp_path, None))
    assert file is not None
    assert [each.said for each in file.troubles] == ["it is no file, so nothing of it is printed."]


def test_a_tag_leads_to_the_heading_of_its_section(tmp_path: Path) -> None:
    book = folder.load(tmp_path, folder.SUPPORT)
    path = prose_path(tmp_path, "m")
    assert place_of_tag(tmp_path, book, "m", DATE) == (path, 1)
    assert not path.exists()
    assert made_if_missing(tmp_path, book, "m") == path
    lines = path.read_text("utf-8").split("\n")
    for code, heading in ((DATE, "Tool usage and grounding"), (WARM, "Customer experience"), ("", "Other")):
        where, line = place_of_tag(tmp_path, book, "m", code)
        assert where == path
        assert line == (lines.index(f"## {heading}") + 1 if heading != "Other" else 1)
    path.write_text("## Tool usage and grounding\n\n## Invented delivery date\n", "utf-8")
    assert place_of_tag(tmp_path, book, "m", DATE)[1] == 3
    assert {each.heading for each in planned_sections(book)} >= {"Verdict", "Bottom line", "Adversarial safety"}


def test_a_file_that_is_not_utf8_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "m.md"
    path.write_bytes(b"## Bottom line\r\nwords \xff\r\n")
    file = read(path)
    assert file is not None
    assert (file.troubles[0].line, file.troubles[0].said) == (2, "it is not UTF-8; save it as UTF-8.")
    assert file.sections[1].words.text.startswith("words �")
    assert read(tmp_path / "none.md") is None


def test_a_saved_file_is_a_version_and_one_that_nobody_saved_is_none(tmp_path: Path) -> None:
    path = tmp_path / "m.md"
    saves = iter(["", "a", "", "", "ab", "gone"])

    def wait() -> None:
        text = next(saves)
        if text == "gone":
            path.unlink()
        elif text:
            path.write_text(text, "utf-8")

    seen = [each and each[1] for _, each in zip(range(4), versions(path, wait), strict=False)]
    assert seen == [None, 1, 2, None]


# -- the command -------------------------------------------------------------------------------------------------------


def test_words_are_begun_printed_and_checked_from_the_shell(tmp_path: Path) -> None:
    marked(tmp_path)
    begun = reviewer(tmp_path, "report", "runs.db", "m", "--init")
    path = tmp_path / "annotations" / "reports" / "m.md"
    assert (begun.returncode, begun.stdout) == (0, f"Made {path}.\n")
    clean = reviewer(tmp_path, "report", "runs.db", "m", "--check")
    assert clean.returncode == 0, clean.stderr
    assert f"Nothing in {path} is wrong or stale." in clean.stdout
    assert "Without words: Verdict, The short version" in clean.stdout
    text = path.read_text("utf-8") + "\nThe end at {{ unsafe.per_rnu }}, 99.\n"
    path.write_text(text, "utf-8")
    again = reviewer(tmp_path, "report", "runs.db", "m", "--init")
    assert (again.returncode, path.read_text("utf-8")) == (2, text)
    assert "is there already, and stays as it is" in again.stderr
    printed = reviewer(tmp_path, "report", "runs.db", "m")
    line = text.count("\n")
    assert printed.returncode == 2
    assert f"{path}, line {line}: there is no figure “unsafe.per_rnu”." in printed.stderr
    assert "1 more in m.md to be seen to: --check lists them." in printed.stderr
    assert "The end at {{ unsafe.per_rnu }}, 99." in printed.stdout
    assert "Traceback" not in printed.stderr
    checked = reviewer(tmp_path, "report", "runs.db", "m", "--check")
    assert checked.returncode == 2
    assert f"{path}, line {line}: 99: not counted in this section." in checked.stdout
    both = reviewer(tmp_path, "report", "runs.db", "m", "--check", "--init")
    assert (both.returncode, "three different things" in both.stderr) == (2, True)
    findings = reviewer(tmp_path, "report", "runs.db", "--findings", "--init")
    assert findings.stdout == f"Made {tmp_path / 'annotations' / 'findings.md'}.\n"


def test_the_page_is_printed_anew_on_each_save_until_somebody_stops_it(tmp_path: Path) -> None:
    desk = marked(tmp_path)
    path = made(desk.folder, "m", ())
    program = [sys.executable, "-c", "from reviewer.cli import main; main()"]
    with subprocess.Popen(
        [*program, "report", "runs.db", "m", "--watch", "-o", "m.md"],
        cwd=tmp_path, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
    ) as watching:  # fmt: skip
        assert watching.stderr is not None
        try:
            for words in ("", "One.", "Two {{ nope.x }}."):
                if words:
                    beside = path.with_suffix(".new")
                    beside.write_text(f"## Bottom line\n{words}\n", "utf-8")
                    beside.replace(path)
                said = iter(watching.stderr.readline, "")
                heard = [next(said)]
                while "Ctrl-C ends it" not in heard[-1]:
                    heard.append(next(said))
                page = (tmp_path / "m.md").read_text("utf-8")
                assert ("## Bottom line" in page, words.replace(" {{ nope.x }}", "").rstrip(".") in page) == (
                    bool(words),
                    True,
                )
            assert "line 2: there is no figure “nope.x”" in "".join(heard)
        finally:
            os.kill(watching.pid, signal.SIGINT)
        rest = watching.stderr.read()
    assert (watching.returncode, "Traceback" in rest) == (0, False), rest
