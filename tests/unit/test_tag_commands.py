"""The verbs of a review from the shell: the same journal, the same sentences."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from reviewer.marks import folder
from reviewer.marks.folder import GENERAL, SUPPORT
from reviewer.marks.journal import journals
from reviewer.marks.review import Session
from tests import builders
from tests.builders import CANCELLED, agent, conversation
from tests.forked import run

REF = "kimi/used-item-1/1"
MODE = "invented-delivery-date"
NO_CODEBOOK = "There is no codebook in annotations yet; these modes come with the program."


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REVIEWER_NAME", "ann")
    return builders.store(tmp_path, conversation(), conversation(run=2))


def reviewer(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(*words, cwd=tmp_path)


def done(tmp_path: Path, *words: str) -> str:
    said = reviewer(tmp_path, *words)
    assert said.returncode == 0, said.stderr
    return said.stdout


def refused(tmp_path: Path, *words: str) -> str:
    said = reviewer(tmp_path, *words)
    assert said.returncode == 2
    assert "Traceback" not in said.stderr
    return said.stderr


def tags(tmp_path: Path, *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done(tmp_path, "tags", "runs.db", *words, "--json").splitlines()]


def test_a_quote_a_proof_a_note_and_a_clause(tmp_path: Path) -> None:
    said = done(
        tmp_path, "tag", "runs.db", f"{REF}#2", MODE, "--quote", "delivered yesterday", "--evidence",
        "#2.1.result/status", "--evidence", "no handover before #5", "--evidence", "kimi/used-item-1/2#1",
        "--note", "n", "--clause", "c", "--stance", "clear", "--exemplar",
    )  # fmt: skip
    assert said.startswith(f"Invented delivery date at #2:63-82. Made {tmp_path}/annotations/codebook.toml.")
    (found,) = tags(tmp_path)
    assert (found["ref"], found["quote"], found["state"]) == (f"{REF}#2:63-82", "delivered yesterday", "exact")
    assert (found["note"], found["clause"], found["stance"], found["exemplar"]) == ("n", "c", "clear", True)
    assert [each if isinstance(each, str) else each["ref"] for each in found["evidence"]] == [
        f"{REF}#2.1.result/status", "no handover before #5", "kimi/used-item-1/2#1",
    ]  # fmt: skip
    assert (
        done(tmp_path, "check", "runs.db")
        .rstrip()
        .endswith("4 exact, 0 moved, 0 drifted, 0 elsewhere, 0 torn, 0 unknown.")
    )


def test_pieces_items_conversations_cases_and_quotes_that_are_found_anywhere(tmp_path: Path) -> None:
    done(tmp_path, "tag", "runs.db", REF, MODE, "--quote", "Your order", "--quote", "delivered yesterday")
    done(tmp_path, "tag", "runs.db", REF, MODE, "--quote", "in transit")
    done(tmp_path, "tag", "runs.db", f"{REF}#2.1", MODE)
    done(tmp_path, "tag", "runs.db", REF, "warm")
    done(tmp_path, "tag", "runs.db", "kimi/used-item-1", "flips-across-runs", "--evidence", f"{REF}#2.2")
    assert sorted(found["ref"] for found in tags(tmp_path)) == [
        "kimi/used-item-1", REF, f"{REF}#2.1", f"{REF}#2.1.result:11-21", f"{REF}#2:0-10",
    ]  # fmt: skip
    assert len(tags(tmp_path, "tag:warm")) == 1
    assert [found["code"] for found in tags(tmp_path, "run:2")] == ["flips-across-runs"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((f"{REF}#2", MODE, "--quote", "delivered today"), "“delivered today” does not stand at"),
        ((f"{REF}#2", MODE, "--quote", "er"), "times: #2:8-10, "),
        ((f"{REF}#2", MODE, "--quote", ""), "The quote is empty"),
        ((f"{REF}#2:0-3", MODE, "--quote", "You"), "names its words already"),
        ((f"{REF}#9", MODE), "has 4 messages"),
        ((f"{REF}#9", MODE, "--quote", "a"), "has 4 messages"),
        (("kimi/used-item-1/7", MODE), "Nothing stands at kimi/used-item-1/7"),
        (("nonsense", MODE), "is not a reference"),
        ((REF, "invented-delivery-data"), "Near it: invented-delivery-date"),
        ((REF, MODE, "--evidence", "#2.1.result/nothing"), "no such field"),
        ((REF, MODE, "--evidence", "kimi/used-item-1"), "is a case"),
        ((REF, MODE, "--stance", "sure"), "“sure” is not a stance"),
        (("kimi/used-item-1", MODE, "--quote", "Your"), "words stand in its runs"),
    ],
)
def test_what_cannot_be_marked_is_said_in_a_sentence(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    assert sentence in refused(tmp_path, "tag", "runs.db", *words)
    assert not journals(tmp_path / "annotations")


def test_one_takes_back_ones_own_by_identifier_or_place(tmp_path: Path) -> None:
    for code in (MODE, "warm", "warm"):
        done(tmp_path, "tag", "runs.db", f"{REF}#2", code)
    assert "warm" in refused(tmp_path, "untag", "runs.db", f"{REF}#2", "warm")
    assert "no tag of yours" in refused(tmp_path, "untag", "runs.db", f"{REF}#2", MODE, "--as", "bob")
    assert "Removed" in done(tmp_path, "untag", "runs.db", f"{REF}#2", MODE)
    done(tmp_path, "untag", "runs.db", tags(tmp_path)[0]["id"])
    assert [found["code"] for found in tags(tmp_path)] == ["warm"]


def test_verdicts_and_reviews_are_asked_for_in_queries(tmp_path: Path) -> None:
    assert done(tmp_path, "verdict", "runs.db", REF, "fail") == f"Fail: {REF}.\n"
    assert done(tmp_path, "reviewed", "runs.db", f"{REF}#2") == f"Reviewed: {REF}.\n"
    assert done(tmp_path, "list", "runs.db", "verdict:fail").split()[0] == REF
    assert done(tmp_path, "list", "runs.db", "reviewed:no").split()[0] == "kimi/used-item-1/2"
    done(tmp_path, "verdict", "runs.db", REF, "none")
    done(tmp_path, "reviewed", "runs.db", REF, "--no")
    assert done(tmp_path, "list", "runs.db", "verdict:fail") == ""
    assert len(done(tmp_path, "list", "runs.db", "reviewed:no").splitlines()) == 2
    assert "“good” is not a verdict" in refused(tmp_path, "verdict", "runs.db", REF, "good")
    assert "is a case" in refused(tmp_path, "reviewed", "runs.db", "kimi/used-item-1")


def test_an_export_brought_in_again_gives_the_same_tags(tmp_path: Path) -> None:
    done(
        tmp_path,
        "tag",
        "runs.db",
        f"{REF}#2",
        MODE,
        "--quote",
        "delivered yesterday",
        "--evidence",
        "#2.1.result/status",
    )
    done(tmp_path, "tag", "runs.db", REF, "warm", "--note", "n", "--as", "Bob Smith")
    done(tmp_path, "tag", "runs.db", "kimi/used-item-1", "flips-across-runs", "--exemplar")
    done(tmp_path, "export", "runs.db", "--format", "jsonl", "-o", "tags.jsonl")
    before = tags(tmp_path)
    words = ("tags", "runs.db", "--import", "tags.jsonl", "--annotations", "other")
    assert done(tmp_path, *words) == "3 new tags, 0 known, 0 could not be taken.\n"
    assert done(tmp_path, *words) == "0 new tags, 3 known, 0 could not be taken.\n"
    assert tags(tmp_path, "--annotations", "other") == before
    assert [path.name for path in journals(tmp_path / "other")] == ["ann.jsonl", "bob-smith.jsonl"]


def test_an_import_is_one_act_to_undo_and_to_redo(tmp_path: Path) -> None:
    for number, by in ((1, "ann"), (2, "ann"), (1, "Bob Smith")):
        done(tmp_path, "tag", "runs.db", f"kimi/used-item-1/{number}", "warm", "--as", by)
    done(tmp_path, "export", "runs.db", "--format", "jsonl", "-o", "tags.jsonl")
    rows = (tmp_path / "tags.jsonl").read_text("utf-8") + json.dumps({"ref": REF, "code": "clean-refusal"}) + "\n"
    (tmp_path / "tags.jsonl").write_text(rows, "utf-8")
    other = ("--annotations", "other")
    words = ("tags", "runs.db", "--import", "tags.jsonl", *other)
    done(tmp_path, "verdict", "runs.db", REF, "fail", *other)
    assert done(tmp_path, *words) == "4 new tags, 0 known, 0 could not be taken.\n"
    before = tags(tmp_path, *other)
    session = Session(tmp_path / "other", "ann", "runs.db", SUPPORT)
    assert session.undo().words == "Undid the import of 4 tags from tags.jsonl."
    assert tags(tmp_path, *other) == []
    again = Session(tmp_path / "other", "ann", "runs.db", SUPPORT)
    assert again.redo().words == "Redid the import of 4 tags from tags.jsonl."
    assert tags(tmp_path, *other) == before
    again.undo()
    assert done(tmp_path, *words).startswith("4 new tags, 0 known")
    assert [found["code"] for found in tags(tmp_path, *other)] == [found["code"] for found in before]
    later = Session(tmp_path / "other", "ann", "runs.db", SUPPORT)
    assert later.troubles() == []
    assert "import of 4 tags" in later.undo().words
    assert later.undo().words == f"Undid the verdict fail on {REF}."


def test_a_list_written_by_hand_is_tagged_anew_and_what_is_wrong_costs_itself(tmp_path: Path) -> None:
    rows = [
        {"ref": f"{REF}#2", "code": MODE, "quote": "delivered yesterday", "note": "n"},
        {"ref": f"{REF}#2", "code": MODE, "quote": "tomorrow"},
        {"ref": REF, "code": "nothing"},
        {"code": "warm"},
        {"ref": REF, "code": "", "note": "open coding"},
        {"ref": REF, "code": MODE, "id": "\ud800", "at": "now", "pieces": [{"anchor": {"ref": REF}}]},
        {"ref": REF, "code": MODE, "id": "1", "at": "now", "pieces": "[cut o"},
    ]
    text = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "list.jsonl").write_text(f"{text}\nnonsense\n[]\n", "utf-8")
    said = reviewer(tmp_path, "tags", "runs.db", "--import", "list.jsonl")
    assert said.returncode == 1
    assert said.stdout.splitlines()[-1] == "2 new tags, 0 known, 7 could not be taken."
    assert "list.jsonl, record 2: “tomorrow” does not stand at" in said.stdout
    assert "list.jsonl, record 6: its id or ref holds half a character" in said.stdout
    assert "list.jsonl, record 7: its pieces or evidence are not JSON." in said.stdout
    assert "list.jsonl, record 8: it is not JSON." in said.stdout
    assert [(found["code"], found["note"]) for found in tags(tmp_path)] == [(MODE, "n"), ("", "open coding")]
    again = reviewer(tmp_path, "tags", "runs.db", "--import", "list.jsonl")
    assert again.stdout.splitlines()[-1].startswith("0 new tags, 2 known")


def test_a_table_keeps_whose_tags_they_are_and_is_known_where_it_came_from(tmp_path: Path) -> None:
    pieces = ("--quote", "delivered yesterday", "--quote", "cancelled successfully")
    done(tmp_path, "tag", "runs.db", f"{REF}#2", MODE, *pieces, "--evidence", "#2.1.result/status", "--as", "Bob")
    done(tmp_path, "tag", "runs.db", "kimi/used-item-1", "flips-across-runs")
    done(tmp_path, "tag", "runs.db", REF, "warm", "--as", "Bob")
    done(tmp_path, "export", "runs.db", "--format", "csv", "-o", "tags.csv")
    before = tags(tmp_path)
    words = ("tags", "runs.db", "--import", "tags.csv")
    assert done(tmp_path, *words) == "0 new tags, 3 known, 0 could not be taken.\n"
    assert done(tmp_path, *words, "--annotations", "other") == "3 new tags, 0 known, 0 could not be taken.\n"
    assert tags(tmp_path, "--annotations", "other") == before
    done(tmp_path, "untag", "runs.db", REF, "--as", "Bob")
    assert "0 new tags, 2 known, 1 removed here since and left so, 0 could not be taken." in done(tmp_path, *words)
    assert len(tags(tmp_path)) == 2


def test_a_table_of_an_earlier_version_keeps_identifiers_and_reviewers(tmp_path: Path) -> None:
    done(tmp_path, "tag", "runs.db", f"{REF}#2", MODE, "--quote", "delivered yesterday", "--as", "Bob")
    done(tmp_path, "export", "runs.db", "--format", "csv", "-o", "tags.csv")
    (row,) = csv.DictReader(io.StringIO((tmp_path / "tags.csv").read_text("utf-8-sig")))
    row = {name: cell for name, cell in row.items() if name not in ("digest", "pieces", "evidence_anchors", "exact")}
    for name in ("tags.csv", "old.csv"):
        with (tmp_path / name).open("w", encoding="utf-8", newline="") as file:
            sheet = csv.DictWriter(file, row)
            sheet.writeheader()
            sheet.writerow(row)
    assert done(tmp_path, "tags", "runs.db", "--import", "old.csv").startswith("0 new tags, 1 known")
    assert done(tmp_path, "tags", "runs.db", "--import", "old.csv", "--annotations", "other").startswith("1 new")
    assert tags(tmp_path, "--annotations", "other") == tags(tmp_path)


@pytest.mark.parametrize(("encoding", "separator"), [("utf-8", ","), ("cp1252", ";"), ("utf-16", "\t")])
def test_a_table_written_by_hand(tmp_path: Path, encoding: str, separator: str) -> None:
    rows = [
        ("Ref", "Title", "Quote", "Reviewer", "Note"),
        (f"{REF}#2", "Invented delivery date", "delivered yesterday", "Jürgen", "schön"),
        ("kimi/used-item-1", "flips-across-runs", "", "", ""),
        ("kimi/used-item-1", "flips-across-runs", "yesterday", "", ""),
        (REF, "no such mode", "", "", ""),
    ]
    (tmp_path / "list.csv").write_bytes("\n".join(map(separator.join, rows)).encode(encoding))
    said = reviewer(tmp_path, "tags", "runs.db", "--import", "list.csv")
    assert said.returncode == 1
    remarks = ["list.csv is not UTF-8; it was read as Windows-1252."] if encoding == "cp1252" else []
    assert said.stdout.splitlines() == [
        *remarks,
        "list.csv, record 3: kimi/used-item-1 is a case; its words stand in its runs.",
        "list.csv, record 4: The codebook has no “no such mode”.",
        "2 new tags, 0 known, 2 could not be taken.",
    ]
    assert sorted((found["by"], found["code"], found["note"], found["quote"]) for found in tags(tmp_path)) == [
        ("Jürgen", MODE, "schön", "delivered yesterday"),
        ("ann", "flips-across-runs", "", ""),
    ]
    assert "0 new tags, 2 known" in reviewer(tmp_path, "tags", "runs.db", "--import", "list.csv").stdout
    session = Session(tmp_path / "annotations", "ann", "runs.db", SUPPORT)
    assert session.undo().words == "Undid the import of 2 tags from list.csv."
    assert tags(tmp_path) == []


def test_a_table_without_references_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("code;quote\nwarm;x\nwarm;y\n")
    said = refused(tmp_path, "tags", "runs.db", "--import", "list.csv")
    assert "list.csv, line 1: no column is named ref." in said
    (tmp_path / "list.jsonl").write_bytes(b'{"ref": "\xfc"}')
    assert "list.jsonl is not UTF-8." in refused(tmp_path, "tags", "runs.db", "--import", "list.jsonl")


def test_what_became_of_tags_is_listed(tmp_path: Path) -> None:
    done(tmp_path, "tag", "runs.db", f"{REF}#2", MODE, "--quote", "delivered yesterday")
    builders.store(tmp_path, conversation(CANCELLED[0], agent("Soon.")), name="later.db")
    said = done(tmp_path, "tags", "later.db")
    assert f"{REF}#2:63-82  {MODE} “delivered yesterday” · ann [drifted]" in said
    assert "[elsewhere]" in done(tmp_path, "tags", str(builders.store(tmp_path, conversation(run=9), name="9.db")))


def test_tags_are_listed_by_what_their_mode_is_called_now(tmp_path: Path) -> None:
    done(tmp_path, "tag", "runs.db", f"{REF}#2", MODE)
    done(tmp_path, "codebook", "rename", MODE, "Made-up date")
    assert f"{REF}#2  made-up-date " in done(tmp_path, "tags", "runs.db")


def test_a_folder_is_made_ready_for_git(tmp_path: Path) -> None:
    assert done(tmp_path, "init", "runs.db").splitlines() == [
        f"Made {tmp_path}/annotations/codebook.toml.",
        f"Made {tmp_path}/annotations/.gitattributes.",
    ]
    assert "left as it is" in done(tmp_path, "init", "runs.db")
    assert "[modes.phantom-action]" in (tmp_path / "annotations/codebook.toml").read_text("utf-8")
    done(tmp_path, "init", "ours", "--codebook", "general")
    assert "[modes.gives-up]" in (tmp_path / "ours/codebook.toml").read_text("utf-8")
    assert "no codebook “x”" in refused(tmp_path, "init", "theirs", "--codebook", "x")


def test_what_is_not_there_is_said_beside_the_output(tmp_path: Path) -> None:
    for words, said in (
        (["tags", "runs.db"], "There are no tags.\n"),
        (["tags", "runs.db", "model:kimo"], "No tag matches.\nNo model here is “kimo”. Did you mean kimi?\n"),
        (["codebook", "list"], f"{NO_CODEBOOK} Name a store to see those that its first tag would bring.\n"),
    ):
        ran = reviewer(tmp_path, *words)
        assert (ran.returncode, ran.stderr) == (0, said)
    done(tmp_path, "init")
    assert reviewer(tmp_path, "codebook", "list").stderr == ""


def test_the_modes_listed_for_a_store_are_those_that_its_first_tag_brings(tmp_path: Path) -> None:
    builders.store(tmp_path, conversation(case=None), name="logs.db")
    codes = {}
    for name, shipped in (("runs.db", SUPPORT), ("logs.db", GENERAL)):
        listed = reviewer(tmp_path, "codebook", "list", name, "--json")
        assert listed.stderr == f"{NO_CODEBOOK}\n".replace("annotations", str(tmp_path / "annotations"))
        codes[name] = [json.loads(line)["code"] for line in listed.stdout.splitlines()]
        assert codes[name] == [mode.code for mode in folder.load(tmp_path / "none", shipped).modes]
    assert "reviewer codebook list STORE" in refused(tmp_path, "tag", "runs.db", f"{REF}#2", "zzzz")
    done(tmp_path, "tag", "runs.db", f"{REF}#2", min(set(codes["runs.db"]) - set(codes["logs.db"])))
    assert reviewer(tmp_path, "codebook", "list", "logs.db").stderr == ""
    said = refused(tmp_path, "tag", "runs.db", f"{REF}#2", "zzzz")
    assert f"See {tmp_path / 'annotations' / 'codebook.toml'}." in said
    assert "no-such.db" in refused(tmp_path, "codebook", "list", "no-such.db")


def test_a_folder_that_the_environment_names_holds_for_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVIEWER_ANNOTATIONS", "theirs")
    done(tmp_path, "init", "--codebook", "general")
    done(tmp_path, "codebook", "add", "Odd one")
    assert "odd-one" in done(tmp_path, "codebook", "list")
    done(tmp_path, "tag", "runs.db", f"{REF}#2", "odd-one")
    assert {path.name for path in tmp_path.iterdir()} == {"runs.db", "theirs"}
    assert "odd-one" not in done(tmp_path, "codebook", "list", "--annotations", "others")


def test_journals_of_two_reviewers_merge_in_git_by_union(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        ran = subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
            cwd=tmp_path / "annotations", capture_output=True, text=True, check=True,
        )  # fmt: skip
        return ran.stdout

    done(tmp_path, "tag", "runs.db", f"{REF}#2", MODE)
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "other")
    done(tmp_path, "tag", "runs.db", f"{REF}#2", "warm")
    git("commit", "-qam", "two")
    git("checkout", "-q", "main")
    done(tmp_path, "tag", "runs.db", f"{REF}#2", "phantom-action")
    git("commit", "-qam", "three")
    git("merge", "-q", "other", "-m", "merged")
    assert sorted(found["code"] for found in tags(tmp_path)) == [MODE, "phantom-action", "warm"]
    assert done(tmp_path, "check", "runs.db").count("\n") == 1


@pytest.mark.parametrize("words", [(), ("--json",), ("--quote", "cancel order")])
def test_an_agents_failure_on_the_customers_words_is_kept_with_a_warning(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    said = reviewer(tmp_path, "tag", "runs.db", f"{REF}#1", MODE, *words)
    assert said.returncode == 0
    tag = tags(tmp_path)[-1]
    assert said.stderr == (
        "#1 is the customer's, and “Invented delivery date” is an agent's failure. "
        f"To take it back: reviewer untag runs.db {tag['id']}\n"
    )


@pytest.mark.parametrize(("at", "code"), [("#2", MODE), ("", MODE), ("#1", "asks-proof")])
def test_other_tags_come_without_a_warning(at: str, code: str, tmp_path: Path) -> None:
    said = reviewer(tmp_path, "tag", "runs.db", f"{REF}{at}", code)
    assert (said.returncode, said.stderr) == (0, "")
