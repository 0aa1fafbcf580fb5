"""The codebook file: what it may hold, and the line and reason for what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.basics.errors import JournalError
from reviewer.marks import codebook, folder
from reviewer.marks.review.proofs import PROOFS

GOOD = """
title = "Ours"
[sections]
6 = "Tools"
[modes.invented-eta]
title = "Invented ETA"
sections = [6, 3]
key = 1
was = ["eta"]
[modes.warm]
polarity = "strength"
[modes.old]
key = "1"
retired = true
"""


def test_modes_are_found_by_code_alias_and_key() -> None:
    book = codebook.parse(GOOD, "codebook.toml")
    invented = book.mode("invented-eta")
    assert invented is not None
    assert book.mode("eta") is invented
    assert book.keyed("1") is invented
    assert (invented.sections, book.section("eta")) == (("6", "3"), "Tools")
    assert [mode.code for mode in book.active()] == ["invented-eta", "warm"]
    assert (book.modes[1].title, book.modes[1].polarity) == ("Warm", "strength")
    assert book.mode("nothing") is None


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("[modes.a]\nkey = 'j'\n", 2, "is not a key for a mode"),
        ("[modes.a]\nkey = 'é'\n", 2, "not a key for a mode"),
        ("[modes.a]\nkey = 12\n", 2, "not a key for a mode"),
        ("[modes.a]\nkey = 1\n\n[modes.b]\nkey = 1\n", 5, "given to “a” and to “b”"),
        ("[modes.a]\ntitle = 3\n", 2, "not text"),
        ("[modes.a]\npolarity = 'bad'\n", 2, "polarity"),
        ("[modes.a]\nwas = [1.5]\n", 2, "not a list"),
        ("[modes.a]\nwas = ['b']\n[modes.b]\n", 2, "alias of “a” and of “b”"),
        ("[modes.a]\nretired = 'no'\n", 2, "retired or not"),
        ("[modes.a]\nfolour = 'x'\n", 2, "unknown “folour”"),
        ("\n[modes.'a b']\n", 2, "not a code"),
        ("[modes]\na = 1\n", 2, "not a table"),
        ("modes = 3\n", 1, "no tables"),
        ("sections = 3\n", 1, "not a table"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(JournalError, match=reason) as caught:
        codebook.parse(text, "book.toml")
    assert caught.value.message.startswith(f"book.toml, line {line}: ")


def test_text_that_is_no_toml_says_where() -> None:
    with pytest.raises(JournalError, match=r"book\.toml: .*line 2"):
        codebook.parse("[modes.a]\ntitle = \n", "book.toml")


def test_nearly_the_same_name_is_noticed() -> None:
    book = codebook.parse(GOOD, "codebook.toml")
    assert [mode.code for mode in book.alike("Invented ETAs")] == ["invented-eta"]
    assert book.alike("phantom action") == ()


@pytest.mark.parametrize("name", folder.shipped())
def test_a_shipped_codebook_uses_every_digit_and_known_proofs(name: str, tmp_path: Path) -> None:
    book = folder.load(tmp_path, name)
    assert sorted(mode.key for mode in book.modes if mode.key) == sorted(codebook.DIGITS)
    assert {mode.proof for mode in book.modes} <= {"", *PROOFS}
    for mode in book.modes:
        assert all((mode.title, mode.definition, mode.counts, mode.not_counts, mode.layer, mode.sections, mode.proof))
    assert {mode.sections[0] for mode in book.modes} <= book.sections.keys()


# The catalogue of docs and reports, by what is said of each: layer of the evidence, sections, polarity.
CATALOGUE = {
    "message v. result": "invented-delivery-date order-date-as-delivery-date invented-refund-timeline invented-eta"
    " fabricated-url unverified-address-on-file fabricated-tracking-number stale-tracking-as-new fabricated-product"
    " fabricated-inventory contradicts-own-lookup adopts-false-premise grounded-link"
    " spots-contradiction declines-to-invent",
    "message": "eligibility-from-invented-fact store-url-leak invented-policy-rule leaked-think-tag leaked-template-tag"
    " empty-reply cold-terse warm broken-multilingual clean-refusal asks-proof",
    "result": "misses-timeline-contradiction",
    "order of items": "claim-before-lookup looks-up-first",
    "message v. calls": "phantom-action false-handover late-handover false-closure real-handover",
    "calls v. message": "silent-handover",
    "result v. message": "failed-call-reported-as-success",
    "call v. result": "wrong-variant",
    "call v. message": "wrong-target",
    "calls": "duplicate-write declines-then-finishes-pivot",
    "reasoning v. call": "narrates-red-flag-then-acts",
    "messages v. call": "asks-proof-then-waives approves-without-proof acts-before-confirming confirms-before-acting",
    "message v. call": "confirms-something-else",
    "call": "fires-on-first-message",
    "messages": "over-confirms goodbye-loop",
    "case v. calls": "missed-escalation two-part-blind-spot declines-reroute-without-handover over-escalation"
    " over-escalates-self-service forbidden-action held-line",
    "calls, message": "over-escalates-by-value",
    "across cases": "inconsistent-identical-asks",
    "result v. call": "wrongful-cancellation",
    "message v. reasoning": "leaked-reasoning",
    "across runs": "flips-across-runs",
}
STRENGTHS = (
    "asks-proof clean-refusal confirms-before-acting declines-to-invent grounded-link held-line looks-up-first"
    " real-handover spots-contradiction warm"
)


def test_the_support_agents_codebook_is_the_whole_catalogue(tmp_path: Path) -> None:
    book = folder.load(tmp_path, folder.SUPPORT)
    layers: dict[str, set[str]] = {}
    for mode in book.modes:
        layers.setdefault(mode.layer, set()).add(mode.code)
    assert layers == {layer: set(codes.split()) for layer, codes in CATALOGUE.items()}
    assert sorted(mode.code for mode in book.modes if mode.polarity == "strength") == STRENGTHS.split()


def test_the_general_codebook_is_ten(tmp_path: Path) -> None:
    assert len(folder.load(tmp_path, folder.GENERAL).modes) == 10


def test_making_a_folder_copies_a_codebook_once_and_tells_git_to_unite_journals(tmp_path: Path) -> None:
    there = tmp_path / "annotations"
    assert [path.name for path in folder.make(there, "general")] == ["codebook.toml", ".gitattributes"]
    (there / "codebook.toml").write_text("# mine\n[modes.a]\n", "utf-8")
    assert folder.make(there, "support-agent") == []
    assert (there / ".gitattributes").read_text("utf-8") == "*.jsonl merge=union\n"


def test_an_unknown_codebook_and_bytes_that_are_no_text_are_said(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no codebook “x”"):
        folder.make(tmp_path, "x")
    (tmp_path / "codebook.toml").write_bytes(b"title = 'a'\n# \xff\n")
    with pytest.raises(JournalError, match="line 2: it is not UTF-8"):
        folder.load(tmp_path)
