"""What is attached later: cases, scores, models, a desk; twice is once, and keys that match nothing are listed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent

import pytest
from typer.testing import CliRunner

from reviewer.basics.errors import ReviewerError, SourceError
from reviewer.cli.program import composed
from reviewer.figures.export.conversations import lines
from reviewer.imports.attachment import Kind, attach
from reviewer.imports.attachment_rows import rows
from reviewer.imports.importer import Wishes, import_files
from reviewer.transcripts import desk
from reviewer.transcripts.desk.sketch import act, draft
from reviewer.transcripts.model import Case, Conversation
from reviewer.transcripts.store.reader import Reader
from tests.builders import agent, call, conversation, customer, store

RUNNER = CliRunner()


def two_runs(folder: Path) -> Path:
    return store(
        folder,
        conversation(case="a", run=1),
        conversation(customer("Hi."), case="a", run=2),
        conversation(customer("Hello."), case="b", run=1),
    )


def of(path: Path, ref: str) -> Conversation:
    with Reader(path) as reader:
        return reader.stored(reader.find(ref)[0]).conversation


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


CASES = {
    "cases.csv": "case,bucket,forbidden,labels,family,seen\na,resolvable,cancel;reship,vip|old,used,yes\nzz,,,,,\n",
    "cases.jsonl": '{"case":"a","bucket":"resolvable","forbidden":["cancel","reship"],"labels":["vip","old"],'
    '"family":"used","seen":"yes"}\n{"case":"zz"}\n',
    "cases.toml": '[cases.a]\nbucket = "resolvable"\nforbidden = ["cancel", "reship"]\nlabels = ["vip", "old"]\n'
    'family = "used"\nseen = "yes"\n[cases.zz]\n',
    "list.toml": '[[cases]]\ncase = "a"\nbucket = "resolvable"\nforbidden = ["cancel", "reship"]\nfamily = "used"\n'
    'labels = ["vip", "old"]\nseen = "yes"\n[[cases]]\ncase = "zz"\n',
}


@pytest.mark.parametrize("name", CASES)
def test_cases(tmp_path: Path, name: str) -> None:
    path = two_runs(tmp_path)
    table = file(tmp_path, name, CASES[name])
    found = attach(path, table, "cases")
    assert (found.changed, found.unchanged, len(found.unmatched)) == (1, 0, 1)
    assert "no conversation is of case zz" in found.unmatched[0]
    facts = of(path, "kimi/a/2").facts
    assert facts is not None
    assert (facts.bucket, facts.forbidden, facts.family) == ("resolvable", ("cancel", "reship"), "used")
    assert (facts.labels, facts.extra) == (("vip", "old"), {"seen": "yes"})
    again = attach(path, table, "cases")
    assert (again.changed, again.unchanged) == (0, 1)


def test_scores_by_reference_and_by_case(tmp_path: Path) -> None:
    path = two_runs(tmp_path)
    wide = file(tmp_path, "s.csv", "ref,judge,tone,verdict\nkimi/a/1,gpt-5,0.5,C\nkimi/a/9,gpt-5,1,I\n")
    found = attach(path, wide, "scores")
    assert (found.changed, found.unmatched) == (2, ["line 3: kimi/a/9 matches nothing"])
    long = file(tmp_path, "s.jsonl", '{"case":"b","scorer":"tone","value":0.25,"note":"kind"}\n{"case":"a","tone":1}\n')
    found = attach(path, long, "scores")
    assert found.changed == 1
    assert found.unmatched == ["line 2: a matches 2 conversations; say model and run, or ref"]
    assert [(s.scorer, s.value, s.raw, s.judge) for s in of(path, "kimi/a/1").scores] == [
        ("tone", 0.5, None, "gpt-5"),
        ("verdict", 1.0, "C", "gpt-5"),
    ]
    assert [(s.scorer, s.value, s.note) for s in of(path, "kimi/b/1").scores] == [("tone", 0.25, "kind")]
    file(tmp_path, "s.jsonl", '{"model":"kimi","case":"b","run":1,"scorer":"tone","value":0.75}\n')
    assert attach(path, long, "scores").changed == 1
    assert attach(path, long, "scores").changed == 0
    assert [s.value for s in of(path, "kimi/b/1").scores] == [0.75]
    with Reader(path) as reader:
        assert reader.info()["scores"] == 3


def test_rows_that_contradict_each_other_are_listed_and_attach_the_same_twice(tmp_path: Path) -> None:
    path = two_runs(tmp_path)
    table = file(tmp_path, "s.csv", "ref,tone\nkimi/a/1,0.5\nkimi/a/1,0.7\nkimi/a/1,0.5\n")
    for changed in (1, 0):
        found = attach(path, table, "scores")
        assert (found.changed, found.unmatched) == (
            changed,
            ["line 3: tone of kimi/a/1 says something else at line 2; the first one counts"],
        )
    assert [s.value for s in of(path, "kimi/a/1").scores] == [0.5]
    table = file(tmp_path, "c.csv", "case,family\na,x\na,y\n")
    assert attach(path, table, "cases").unmatched == ["line 3: a says something else at line 2; the first one counts"]


def test_columns_and_references_however_they_are_written(tmp_path: Path) -> None:
    path = store(tmp_path, conversation(case="a b", run=1), conversation(customer("Hi."), case="a b", run=2))
    table = file(tmp_path, "s.csv", "\ufeffRef,Judge,tone\nkimi/a b/1,gpt-5,1\nkimi/%61%20b/2,gpt-5,0\n")
    found = attach(path, table, "scores")
    assert (found.changed, found.unmatched) == (2, [])
    assert [(s.value, s.judge) for s in of(path, "kimi/a%20b/2").scores] == [(0.0, "gpt-5")]
    table = file(tmp_path, "c.csv", "Case,Family\na b,used\n")
    assert attach(path, table, "cases").changed == 1
    facts = of(path, "kimi/a%20b/1").facts
    assert facts is not None
    assert facts.family == "used"


def test_the_tables_of_the_documentation_are_attached(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "attach.md").read_text("utf-8")
    blocks = ["".join(each) for each in re.findall(r"(?m)(?:^    .*\n)+", page)]
    path = store(tmp_path, conversation(model="kimi-k2.7-code", case="cancel-before-ship-3", run=2))
    kinds: tuple[Kind, ...] = ("cases", "scores", "cases")
    for block, kind, name in zip(blocks[:3], kinds, ("a.csv", "b.csv", "c.toml"), strict=True):
        found = attach(path, file(tmp_path, name, dedent(block)), kind)
        assert (found.changed, found.unmatched) == (0 if name == "c.toml" else 1, [])
    assert of(path, "kimi-k2.7-code/cancel-before-ship-3/2").facts == Case(
        "cancel-before-ship-3", bucket="resolvable", forbidden=("refund", "reship"), labels=("price-match",)
    )


def test_models(tmp_path: Path) -> None:
    path = two_runs(tmp_path)
    table = file(tmp_path, "models.csv", "name,vendor,tier,badges,price\nkimi,moonshot,open,fast;cheap,2\nother,x,,,\n")
    found = attach(path, table, "models")
    assert (found.changed, found.unmatched) == (1, ["line 3: no conversation is of model other"])
    assert attach(path, table, "models").unchanged == 1


def test_a_desk_on_all_or_on_some(tmp_path: Path) -> None:
    path = two_runs(tmp_path)
    table = file(tmp_path, "desk.toml", 'name = "mine"\n[tools]\nget_order = { class = "cancel" }\n')
    result = RUNNER.invoke(composed(), ["attach", str(path), str(table), "--as", "desk", "--on", "run:2"])
    assert (result.exit_code, result.stdout) == (0, "1 conversation attached, 0 unchanged.\n")
    assert attach(path, table, "desk").changed == 2
    with Reader(path) as reader:
        texts = {reader.stored(each).desk for each in reader.ids()}
        assert reader.info()["desks"] == ["mine"]
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("name", "text", "kind", "said"),
    [
        ("c.csv", "case,bucket\na,nice\n", "cases", "line 2: “nice” is not a bucket"),
        ("c.csv", "family\nx\n", "cases", "c.csv, line 2: no `case`.*; its columns are family"),
        ("c.csv", "", "cases", "holds no rows"),
        ("c.csv", "case,family\n", "cases", "holds no rows"),
        ("c.csv", "case,case\na,b\n", "cases", "line 1: names the column case twice"),
        ("c.csv", 'case,bucket\n"a,resolvable\n', "cases", "not CSV"),
        ("c.csv", "case,family\na,b,c\n", "cases", "line 2: more cells"),
        ("s.csv", "tone\n1\n", "scores", "neither `ref` nor `case`"),
        ("s.csv", "ref,run\nkimi/a/1,1\n", "scores", "no score in it"),
        ("s.csv", "case,run,tone\na,one,1\n", "scores", "“one” is not a run's number"),
        ("m.csv", "vendor,tier\nx,y\n", "models", "no `name`"),
        ("c.toml", "[cases\n", "cases", "not TOML"),
        ("c.jsonl", '{"case"\n', "cases", "not JSON"),
        ("c.jsonl", "[1]\n", "cases", "not an object"),
        ("nowhere.csv", None, "cases", "cannot be read"),
    ],
)
def test_a_wrong_table_gets_a_sentence_and_changes_nothing(
    tmp_path: Path, name: str, text: str | None, kind: Kind, said: str
) -> None:
    path = two_runs(tmp_path)
    before = path.read_bytes()
    table = tmp_path / name if text is None else file(tmp_path, name, text)
    with pytest.raises(SourceError, match=said):
        attach(path, table, kind)
    with Reader(path) as reader:
        assert reader.info()["scores"] == 0
    assert len(path.read_bytes()) == len(before)


def test_a_table_that_is_no_utf8(tmp_path: Path) -> None:
    table = tmp_path / "c.csv"
    table.write_bytes(b"case,family\na,\xff\n")
    with pytest.raises(SourceError, match="byte 14 is not UTF-8"):
        attach(two_runs(tmp_path), table, "cases")


def test_attach_lists_what_matches_nothing_and_says_so_by_its_code(tmp_path: Path) -> None:
    path = two_runs(tmp_path)
    table = file(tmp_path, "c.csv", "case;family\nzz;x\na;y\n")
    result = RUNNER.invoke(composed(), ["attach", str(path), str(table), "--as", "cases"])
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "line 2: no conversation is of case zz",
        "1 case attached, 0 unchanged, 1 not attached.",
    ]
    with pytest.raises(ReviewerError, match="There is nothing called"):
        RUNNER.invoke(composed(), ["attach", str(path), str(table), "--as", "x"], catch_exceptions=False)


def test_a_drafted_desk_parses_and_guesses_from_names(tmp_path: Path) -> None:
    path = store(
        tmp_path,
        conversation(
            customer("Hi."),
            agent("", call("get_order", '{"order_id":"1","x":2}'), call("cancelOrder"), call("weird tool [x]")),
            agent("", call("transfer_to_human_agents"), call("get_order", "not json")),
        ),
    )
    result = RUNNER.invoke(composed(), ["desk", "--init", str(path)])
    drafted = desk.parse(result.stdout)
    assert (drafted.name, drafted.act("get_order"), drafted.order_argument("get_order")) == ("runs", None, "order_id")
    assert drafted.kind("get_order") == "read"
    assert (drafted.act("cancelOrder"), drafted.act("transfer_to_human_agents")) == ("cancel", "handover")
    assert drafted.act("weird tool [x]") == "weird"
    target = tmp_path / "mine.toml"
    assert RUNNER.invoke(composed(), ["desk", "--init", str(path), "-o", str(target)]).exit_code == 0
    assert attach(path, target, "desk").changed == 1
    with pytest.raises(ReviewerError, match="is there already"):
        RUNNER.invoke(composed(), ["desk", "--init", str(path), "-o", str(target)], catch_exceptions=False)


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("lookup_order", "read"),
        ("", "read"),
        ("escalate", "handover"),
        ("已经", "read"),
        ("é_x", "x"),
        ("refund", "refund"),
        ("cancel 🙂", "cancel"),
        ('cancel\x7f\x1b"', "cancel"),
    ],
)
def test_a_guess_is_a_word_that_a_desk_may_hold(tool: str, expected: str) -> None:
    assert act(tool) == expected
    assert desk.parse(draft(tool or "d", [(tool or "t", 1, (f"{tool} order_id",))])).name == (tool or "d")


def test_remove_asks_and_keeps_the_totals(tmp_path: Path) -> None:
    path = two_runs(tmp_path)
    with pytest.raises(ReviewerError, match="2 conversations would be removed"):
        RUNNER.invoke(composed(), ["remove", str(path), "case:a"], catch_exceptions=False)
    result = RUNNER.invoke(composed(), ["remove", str(path), "case:a", "--yes"])
    assert result.stdout.splitlines()[:2] == ["kimi run 1: 1", "kimi run 2: 1"]
    assert result.stdout.splitlines()[2].startswith("2 conversations removed")
    with Reader(path) as reader:
        info = reader.info()
        assert (info["conversations"], info["cases"], info["models"]) == (1, 1, {"kimi": 1})
        assert reader.find("kimi/a/1") == []
    assert "nothing was removed" in RUNNER.invoke(composed(), ["remove", str(path), "case:a", "--yes"]).stdout
    with pytest.raises(ReviewerError, match="Say which"):
        RUNNER.invoke(composed(), ["remove", str(path)], catch_exceptions=False)


def test_an_import_under_a_wrong_name_is_found_and_undone(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    log = file(tmp_path, "log.jsonl", '{"reviewer":1,"case":"c","messages":[{"role":"customer","text":"x"}]}\n')
    import_files([log], path, Wishes(model="right"))
    import_files([log], path, Wishes(model="wrong"))
    listed = RUNNER.invoke(composed(), ["imports", str(path)]).stdout
    assert "--model wrong" in listed
    assert "1 conversations of it are here: wrong" in listed
    RUNNER.invoke(composed(), ["remove", str(path), "--import", "2", "--yes"])
    with Reader(path) as reader:
        assert reader.info()["models"] == {"right": 1}
    with pytest.raises(ReviewerError, match="has no import 7"):
        RUNNER.invoke(composed(), ["remove", str(path), "--import", "7", "--yes"], catch_exceptions=False)


def test_what_was_removed_is_synthetic_no_more(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    line = '{{"reviewer":1,"model":"{}","messages":[{{"role":"customer","text":"x"}}],"synthetic":{}}}\n'
    for name, synthetic in (("real", "false"), ("made", "true")):
        import_files([file(tmp_path, f"{name}.jsonl", line.format(name, synthetic))], path, Wishes())
    with Reader(path) as reader:
        assert reader.info()["synthetic"]
    RUNNER.invoke(composed(), ["remove", str(path), "model:made", "--yes"])
    with Reader(path) as reader:
        assert not reader.info()["synthetic"]
        assert reader.vocabulary.values("source") == ["real.jsonl"]


def test_nothing_is_counted_of_what_was_removed(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    kinds: tuple[object, ...] = ({"from_text": True, "x": float("nan")}, {"from_text": "yes"}, {}, None)
    calls: list[object] = [{"name": "f", "extra": extra} for extra in kinds]
    calls.append({"name": "g", "result": "x", "orphan": True})
    message = {"role": "agent", "text": "x", "tool_calls": calls}
    import_files([file(tmp_path, "x.jsonl", json.dumps({"reviewer": 1, "messages": [message]}))], path, Wishes())
    with Reader(path) as reader:
        assert (reader.info()["tool_calls"], reader.info()["text_calls"]) == (2, 2)
    RUNNER.invoke(composed(), ["remove", str(path), "model:*", "--yes"])
    with Reader(path) as reader:
        assert {key for key, n in reader.info().items() if n} == {"store", "schema"}


def test_looking_for_what_an_import_wrote_writes_nothing(tmp_path: Path) -> None:
    path = two_runs(tmp_path)
    before = path.stat().st_mtime_ns
    with pytest.raises(ReviewerError, match="3 conversations would be removed"):
        RUNNER.invoke(composed(), ["remove", str(path), "--import", "1"], catch_exceptions=False)
    assert path.stat().st_mtime_ns == before


def test_exported_conversations_come_back_equal(tmp_path: Path) -> None:
    path = two_runs(tmp_path)
    with Reader(path) as reader:
        out = file(tmp_path, "out.jsonl", "".join(lines(reader)))
        before = {(each.ref, each.digest) for each in map(reader.stored, reader.ids())}
    import_files([out], tmp_path / "other.db", Wishes())
    with Reader(tmp_path / "other.db") as reader:
        assert {(each.ref, each.digest) for each in map(reader.stored, reader.ids())} == before
        assert "".join(lines(reader)).replace("out.jsonl", "built.jsonl") == out.read_text("utf-8")


def test_a_table_as_a_data_frame_writes_it(tmp_path: Path) -> None:
    path = two_runs(tmp_path)
    table = file(tmp_path, "frame.csv", ",case,model,run,tone\n0,a,kimi,1.0,0.5\n1,b,kimi,,1.0\n")
    assert attach(path, table, "scores").changed == 2
    assert [score.scorer for score in of(path, "kimi/a/1").scores] == ["tone"]
    assert [score.scorer for score in of(path, "kimi/b/1").scores] == ["tone"]


def test_cells_that_are_long_or_the_number_zero(tmp_path: Path) -> None:
    path = store(tmp_path, conversation(case="0"))
    story = "word " * 40_000
    assert attach(path, file(tmp_path, "long.csv", f"case,goal\n0,{story}\n"), "cases").changed == 1
    assert attach(path, file(tmp_path, "zero.jsonl", '{"case":0,"lure":"story"}\n'), "cases").changed == 1
    assert attach(path, file(tmp_path, "zero.jsonl", '{"case":0,"tone":0}\n'), "scores").changed == 1
    found = of(path, "kimi/0/1")
    assert found.facts is not None
    assert (found.facts.goal, found.facts.lure) == (story.strip(), "story")


def test_dates_of_a_toml_file_are_text(tmp_path: Path) -> None:
    path = two_runs(tmp_path)
    text = "context = 2026-01-31\norder = { at = 2026-01-31T10:00:00Z }\nlabels = [10:30:00]\nseen = 2026-02-01\n"
    assert attach(path, file(tmp_path, "cases.toml", f"[cases.a]\n{text}"), "cases").changed == 1
    facts = of(path, "kimi/a/1").facts
    assert facts is not None
    assert (facts.context, facts.order) == ("2026-01-31", {"at": "2026-01-31T10:00:00+00:00"})
    assert (facts.labels, facts.extra) == (("10:30:00",), {"seen": "2026-02-01"})


@pytest.mark.parametrize("text", ["cases = 3\n", '[cases]\nid = "a"\n', "", "[[cases]]\n[[other]]\n"])
def test_a_toml_file_without_rows_is_told_how_rows_are_written(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"\[\[cases]]|`case`"):
        attach(two_runs(tmp_path), file(tmp_path, "cases.toml", text), "cases")


def test_only_a_line_end_ends_a_row(tmp_path: Path) -> None:
    table = file(tmp_path, "cases.csv", 'case,persona\na,first\u2028second\x85third\nb,"one\ntwo"\n')
    assert [dict(row.cells) for row in rows(table, "cases")] == [
        {"case": "a", "persona": "first\u2028second\x85third"},
        {"case": "b", "persona": "one\ntwo"},
    ]


def test_the_desk_of_the_documentation_is_a_desk() -> None:
    page = (Path(__file__).parents[2] / "docs" / "attach.md").read_text("utf-8")
    block = ["".join(each) for each in re.findall(r"(?m)(?:^    .*\n)+", page)][-1]
    known = desk.parse(f'name = "documented"\n{dedent(block)}', "attach.md")
    assert known.refusals == ("We regret",)
    assert known.compared("cancel_order") == ("order_id", "items")
    assert known.compared("get_order") is None
