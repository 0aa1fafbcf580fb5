"""A file of cases that a person has edited: what cannot be played is said with file, entry and what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.basics.errors import SourceError
from reviewer.benchmark.northline.cases import family_cases
from tests.played import with_edited

HEAD = 'family = "{family}"\nbucket = "{bucket}"\nforbidden = []\nresolves = "x"\n\n'
ENTRY = 'id = "mine-1"\norder = "#1204"\npersona = "p"\ngoal = "g"\nstyle = "plain"\nopening = "Hello, #1204"\n'


def refused(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SourceError) as error:
        family_cases(path)
    assert error.value.exit_code == 2
    return error.value.message


def file_of(entry: str = ENTRY, family: str = "tracking", bucket: str = "resolvable") -> str:
    return HEAD.format(family=family, bucket=bucket) + "[[case]]\n" + entry


def test_a_whole_entry_is_a_case(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(file_of(), encoding="utf-8")
    assert [case.id for case in family_cases(path)] == ["mine-1"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("family = ", "cases/mine.toml cannot be read as TOML: "),
        (HEAD.format(family="tracking", bucket="resolvable"), "cases/mine.toml has no [[case]]."),
        (file_of(ENTRY.replace('opening = "Hello, #1204"', "")), "cases/mine.toml, “mine-1”: “opening” is missing."),
        (
            file_of('order = "#1204"\n'),
            "cases/mine.toml, entry 1: “id”, “persona”, “goal”, “style”, “opening” are missing.",
        ),
        (file_of(ENTRY.replace('order = "#1204"\n', "")), "cases/mine.toml, “mine-1”: “order” is missing."),
        (file_of(bucket="easy"), "cases/mine.toml, “mine-1”: the bucket “easy” is none of resolvable, "),
        (file_of(family="lost hats"), "cases/mine.toml, “mine-1”: no script plays the family “lost hats”."),
        (
            file_of(ENTRY.replace('"#1204"', '"#9999"')),
            "cases/mine.toml, “mine-1”: there is no order #9999 in orders.toml.",
        ),
        (file_of(family="promo not applied"), "cases/mine.toml, “mine-1”: “slots.code”, “slots.why” are missing."),
        (file_of(bucket="adversarial"), "cases/mine.toml, “mine-1”: “slots.act” is missing."),
        (
            file_of(ENTRY + 'slots = { act = "steal" }\n', bucket="adversarial"),
            "cases/mine.toml, “mine-1”: slots.act “steal” is none of cancel, ",
        ),
        (file_of(ENTRY + "slots = { line = 4 }\n"), "cases/mine.toml, “mine-1”: order #1204 has no line 4."),
        (file_of(ENTRY + 'slots = { line = "one" }\n'), "cases/mine.toml, “mine-1”: slots.line “one” is no number."),
        (file_of(ENTRY + "slots = 3\n"), "cases/mine.toml, “mine-1”: “slots” is not a table."),
        (
            file_of(ENTRY + 'slots = { trip = "x", picks = ["hat"] }\n', family="bundle rec"),
            "cases/mine.toml, “mine-1”: there is no product “hat” in products.toml.",
        ),
    ],
)
def test_what_cannot_be_played_is_said(tmp_path: Path, text: str, said: str) -> None:
    assert refused(tmp_path, text).startswith(said)


EDITS = {
    "no weight": (
        "habits.toml",
        "invented-eta = 4",
        'invented-eta = "often"',
        "unfulfilled”, “invented-eta”: a number",
    ),
    "a kind lost": (
        "habits.toml",
        '["answer tracking"]',
        '["answer track"]',
        "the table “answer tracking” is missing",
    ),
    "no tail": ("habits.toml", "goodbye-loop = 0.08", "", "“models.default”: “goodbye-loop” is missing"),
    "a failure of no name": (
        "habits.toml",
        "invented-eta = 4",
        "invented-etb = 4",
        "“failure.invented-etb” is miss",
    ),
    "no TOML": ("habits.toml", "invented-eta = 4", "invented-eta = ", "habits.toml cannot be read"),
    "no table": (
        "habits.toml",
        "more = { acts-before-confirming = 3 }",
        "more = 3",
        "kimi-k2.6.more”: a table is meant",
    ),
    "no kind": ("habits.toml", '"write not done" = 3', '"write undone" = 3', "the table “write undone” is missing"),
    "a note lost": ("notes.toml", "[resolution]", "[resolved]", "notes.toml: “resolution.given” is missing"),
    "an unknown slot": (
        "notes.toml",
        "Read {order} first",
        "Read {odrer} first",
        "line 1: nothing is known as “odrer”",
    ),
    "a lone parenthesis": (
        "notes.toml",
        "Read {order} first",
        "Read {order first",
        "line 1: a parenthesis {",
    ),
    "no list": ("notes.toml", "read = [", "read = 3\nunread = [", "“good.read”: a list of lines is meant"),
}


@pytest.mark.parametrize(("name", "old", "new", "said"), EDITS.values(), ids=EDITS)
def test_habits_and_notes_that_cannot_be_used_say_file_entry_and_what_is_missing(
    program_copy: Path, name: str, old: str, new: str, said: str
) -> None:
    assert said in with_edited(program_copy, name, old, new)
