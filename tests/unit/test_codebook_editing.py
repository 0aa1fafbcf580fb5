"""Editing the codebook file: the lines that are meant change, comments and everything else stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewer.basics.errors import JournalError
from reviewer.marks import codebook, codebook_text, folder
from reviewer.marks.codebook import Mode
from tests import builders
from tests.builders import conversation
from tests.forked import run

TEXT = """# our modes
title = "Ours"

[modes.invented-eta]   # the big one
title = "Invented ETA"
key = 1  # the first digit
was = ["eta"]

# warm ones
[modes.warm]
polarity = "strength"
definition = '''
Several lines,
# one of which looks like a comment.
'''

[modes.cold]
title = "Cold"
# why it matters
was = ["curt"]
"""
REF = "kimi/used-item-1/1"


def test_renaming_leads_from_the_old_name_and_keeps_comments() -> None:
    edited = codebook_text.rename(TEXT, "x", "invented-eta", "Made-up ETA")
    book = codebook.parse(edited, "x")
    mode = book.mode("invented-eta")
    assert mode is not None
    assert (mode.code, mode.title, mode.was, mode.key) == ("made-up-eta", "Made-up ETA", ("eta", "invented-eta"), "1")
    assert [line for line in edited.splitlines() if "#" in line] == [
        "# our modes", "[modes.made-up-eta]   # the big one", "key = 1  # the first digit", "# warm ones",
        "# one of which looks like a comment.", "# why it matters",
    ]  # fmt: skip
    back = codebook.parse(codebook_text.rename(edited, "x", "made-up-eta", "invented-eta"), "x").modes[0]
    assert (back.code, back.was) == ("invented-eta", ("eta", "made-up-eta"))


def test_merging_makes_one_of_two_and_keeps_the_other_to_read() -> None:
    edited = codebook_text.merge(TEXT, "x", "cold", "warm")
    book = codebook.parse(edited, "x")
    assert [mode.code for mode in book.modes] == ["invented-eta", "warm"]
    merged = book.mode("curt")
    assert merged is not None
    assert (merged.code, merged.was) == ("warm", ("cold", "curt"))
    assert '# merged into warm:\n# [modes.cold]\n# title = "Cold"\n# # why it matters\n# was = ["curt"]' in edited


def test_retiring_setting_and_adding_touch_their_own_lines() -> None:
    retired = codebook_text.retire(TEXT, "x", "eta")
    assert codebook.parse(retired, "x").modes[0].retired
    assert set(retired.splitlines()) - set(TEXT.splitlines()) == {"retired = true"}
    assert not codebook.parse(codebook_text.retire(retired, "x", "eta", False), "x").modes[0].retired
    keyed = codebook_text.set_field(TEXT, "x", "invented-eta", "key", "2")
    assert 'key = "2"  # the first digit' in keyed
    added = codebook_text.add(TEXT, "x", Mode("new", 'Says "x" \\ \x07 é', sections=("6",), polarity="neutral"))
    assert added.startswith(TEXT.rstrip("\n"))
    assert codebook.parse(added, "x").modes[-1].title == 'Says "x" \\ \x07 é'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('modes.eta.title = "x"\n', "cannot be found"),
        ("modes = { eta = { title = 'x' } }\n", "cannot be found"),
    ],
)
def test_what_cannot_be_edited_safely_is_left_to_a_person(text: str, reason: str) -> None:
    with pytest.raises(JournalError, match=reason):
        codebook_text.set_field(text, "x", "eta", "title", "new")


@pytest.mark.parametrize(
    "text",
    [
        "[modes.eta]\ntitle = '''\n[modes.eta]\n'''\n",
        "[modes.eta]\ndefinition = '''\ntitle = 3\n'''\n",
        '[modes.warm]\n\n[sections]\n2 = "Tools"\n\n  [ modes . "eta" ]  # indented\n  was = [\n    "eata", # so\n  ]',
        "[modes.warm]\r\n# of eta\r\n[modes.eta]\r\nkey = 1 # first\r\n",
    ],
)
def test_lines_that_look_like_others_stay_what_they_are(text: str) -> None:
    edited = codebook_text.set_field(text, "x", "eta", "title", "new")
    mode = codebook.parse(edited, "x").mode("eta")
    assert mode is not None
    assert mode.title == "new"
    assert [line for line in edited.split("\n") if "#" in line] == [line for line in text.split("\n") if "#" in line]
    merged = codebook.parse(codebook_text.merge(edited + "\n[modes.last]\n", "x", "eta", "last"), "x")
    assert merged.mode("eta") == merged.mode("last")


def test_a_name_beyond_ascii_is_written_in_quotes() -> None:
    edited = codebook_text.rename(TEXT, "x", "cold", "Kühl")
    assert '[modes."kühl"]\ntitle = "Kühl"\n' in edited
    assert codebook.parse(codebook_text.add(edited, "x", Mode("größer", "Größer")), "x").modes[-1].title == "Größer"


def test_names_that_are_taken_or_missing_are_said() -> None:
    with pytest.raises(JournalError, match="leads to cold already"):
        codebook_text.rename(TEXT, "x", "warm", "curt")
    with pytest.raises(JournalError, match="not a name for a mode"):
        codebook_text.rename(TEXT, "x", "warm", "!")
    with pytest.raises(JournalError, match="one mode already"):
        codebook_text.merge(TEXT, "x", "cold", "curt")
    with pytest.raises(JournalError, match="has no “wram”"):
        codebook_text.retire(TEXT, "x", "wram")
    with pytest.raises(JournalError, match="line 6: “j” of"):
        codebook_text.set_field(TEXT, "x", "invented-eta", "key", "j")


@pytest.mark.parametrize(
    ("after", "was", "now"),
    [
        ("a\nb\nX\nb\ne", "b\nc\nb", "b\nX\nb"),
        ("X\nb\nc\nb\ne", "a\nb", "X\nb"),
        ("a\nb\nc\nb\nX", "b\ne", "b\nX"),
        ("a\nb\nc\nc\nb\ne", "c\nb", "c\nc\nb"),
        ("a\nb\nb\ne", "b\nc\nb", "b\nb"),
        ("a\nc\nb\ne", "a\nb\nc", "a\nc"),
        ("a\nb\nc\nX\ne", "c\nb\ne", "c\nX\ne"),
        ("a\nb\nc\nb\ne\nb", "e", "e\nb"),
    ],
)
def test_the_lines_that_were_edited_come_with_as_few_around_them_as_tell_where(after: str, was: str, now: str) -> None:
    before = "a\nb\nc\nb\ne"
    assert codebook_text.difference(before, after) == (was, now)
    assert codebook_text.swapped(before, was, now) == after
    assert codebook_text.swapped(after, now, was) == before


@pytest.mark.parametrize("name", folder.shipped())
def test_every_mode_of_a_shipped_codebook_can_be_renamed_and_back(name: str, tmp_path: Path) -> None:
    folder.make(tmp_path, name)
    text = (tmp_path / "codebook.toml").read_text("utf-8")
    for mode in codebook.parse(text, "x").modes:
        edited = codebook_text.rename(text, "x", mode.code, "quite-another")
        again = codebook.parse(codebook_text.rename(edited, "x", "quite-another", mode.code), "x").mode(mode.code)
        assert again is not None
        assert (again.definition, again.was) == (mode.definition, ("quite-another",))


def test_tags_follow_their_modes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builders.store(tmp_path, conversation(), conversation(run=2))

    def done(*words: str) -> str:
        said = run(*words, cwd=tmp_path)
        assert said.returncode == 0, said.stderr
        return said.stdout

    monkeypatch.setenv("REVIEWER_NAME", "ann")
    for run_number, by in ((1, "ann"), (2, "ann"), (2, "bob")):
        done("tag", "runs.db", f"kimi/used-item-1/{run_number}", "warm", "--as", by)
    assert done("codebook", "rename", "warm", "Very warm") == "warm is now very-warm.\n"
    assert len(done("tags", "runs.db", "tag:very-warm").splitlines()) == 3
    assert done("codebook", "merge", "very-warm", "clean-refusal").startswith("very-warm counts as clean-refusal")
    assert "### Clean refusal" in done("export", "runs.db")
    said = done("codebook", "split", "runs.db", "clean-refusal", "Kind refusal", "run:2")
    assert (
        said
        == "New mode kind-refusal. 1 tags of clean-refusal are now kind-refusal. 1 are other reviewers' and stay.\n"
    )
    assert [line.split()[2] for line in done("tags", "runs.db", "by:ann").splitlines()] == [
        "clean-refusal",
        "kind-refusal",
    ]
    assert "clean-refusal is retired" in done("codebook", "retire", "clean-refusal")
    assert "is retired" in run("tag", "runs.db", REF, "clean-refusal", cwd=tmp_path).stderr
    done("codebook", "set", "kind-refusal", "definition", "Refuses kindly.")
    listed = [json.loads(line) for line in done("codebook", "list", "--json").splitlines()]
    assert next(mode for mode in listed if mode["code"] == "kind-refusal")["definition"] == "Refuses kindly."
    assert "has no “colour” to set" in run("codebook", "set", "warm", "colour", "x", cwd=tmp_path).stderr
    assert "reviewer init" in run("codebook", "add", "x", "--annotations", "nowhere", cwd=tmp_path).stderr
