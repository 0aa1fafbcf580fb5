"""Desks of plain files: what their tools answer, what is said of mistakes in them, the one that a command begins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from reviewer.basics.errors import DeskError, ReviewerError, SourceError
from reviewer.basics.resources import data_dir
from reviewer.benchmark.desks import starter
from reviewer.benchmark.desks.desk_folder import checked
from reviewer.benchmark.desks.tool_answers import PlayedTool, Refusal, answered
from reviewer.benchmark.live import prompt_files
from reviewer.benchmark.live.case_choice import chosen_cases
from reviewer.benchmark.live.desk_kit import DeskKit, kit, kit_for
from reviewer.benchmark.live.programme import RunRequest, programme
from reviewer.cli.program import composed
from reviewer.imports.importer import Wishes, import_files
from reviewer.transcripts.store.reader import Reader

RECORDS = {
    "orders": {
        "#1": {"status": "open", "total": 12.5, "lines": ["a", "b"], "due": "2026-09-20", "secret": "x"},
        "#2": {"status": "gone", "total": 3, "lines": [], "due": "2026-09-01T10:00", "secret": "y"},
    }
}
TODAY = "2026-09-14"
NUMBER = {"type": "string", "description": "Which."}


def tool(**more: Any) -> PlayedTool:
    """A tool with an argument `order` that names a record, and a text `note` that may be left out."""
    known: dict[str, Any] = {"finds": {"order": "orders"}, "optional": frozenset({"note"}), **more}
    return PlayedTool("a_tool", "Does.", {"order": NUMBER, "note": NUMBER}, **known)


def said(asked: PlayedTool, **arguments: Any) -> Any:
    return json.loads(answered(asked, arguments, RECORDS, TODAY))


# -- answers -----------------------------------------------------------------------------------------------------------


def test_a_lookup_shows_the_record_without_what_is_hidden() -> None:
    shows = tool(shows="order", hides=frozenset({"secret", "due"}))
    assert said(shows, order="#1") == {"id": "#1", "status": "open", "total": 12.5, "lines": ["a", "b"]}
    assert said(shows, order=" #1 ") == said(shows, order="#1")


def test_what_is_not_there_is_said_by_its_name() -> None:
    assert said(tool(shows="order"), order="#9") == {
        "error": "order_not_found",
        "message": "There is no “#9” in orders.",
    }
    own = tool(shows="order", absent={"order": "No order {order}, {note}."})
    assert said(own, order="{note}", note="n")["message"] == "No order {note}, n."  # what is put in is not filled again
    assert said(own)["error"] == "argument_missing"
    assert said(own, order=["#1"])["error"] == "order_not_found"


def test_a_write_is_answered_by_its_template() -> None:
    write = tool(
        answer={"ok": True, "of": "{order}", "all": ["{order.lines}", "{order.total} for {note}"], "why": "{note}"}
    )
    assert said(write, order="#1", note="{order.secret}") == {
        "ok": True, "of": "#1", "all": [["a", "b"], "12.5 for {order.secret}"], "why": "{order.secret}",
    }  # fmt: skip
    assert said(write, order="#1")["why"] is None
    assert said(write, order="#1") == said(write, order="#1")


@pytest.mark.parametrize(
    ("condition", "refused"),
    [
        ({"status": "gone"}, {"#2"}),
        ({"status": ["gone", "open"]}, {"#1", "#2"}),
        ({"status": {"not": "gone"}}, {"#1"}),
        ({"status": {"not": ["gone", "open"]}}, set()),
        ({"due": {"before": "today"}}, {"#2"}),
        ({"due": {"after": "2026-09-01"}}, {"#1"}),
        ({"total": {"after": 3}}, {"#1"}),
        ({"total": {"before": 13, "after": 3}}, {"#1"}),
        ({"total": {"before": "13"}}, set()),
        ({"status": "gone", "total": 4}, set()),
    ],
)
def test_a_call_is_refused_where_all_conditions_hold(condition: dict[str, Any], refused: set[str]) -> None:
    write = tool(answer={"ok": True}, refuses=(Refusal({"order": condition}, "no", "{order} is {order.status}."),))
    told = {id: said(write, order=id) for id in ("#1", "#2")}
    assert {id for id, answer in told.items() if answer.get("error") == "no"} == refused
    assert all(told[id]["message"] == f"{id} is {RECORDS['orders'][id]['status']}." for id in refused)


def test_a_condition_may_be_about_an_argument_and_about_another_field() -> None:
    refusal = Refusal({"note": {"not": "{order.lines}"}}, "no", "“{note}” is not on {order}.")
    write = tool(answer={"ok": True}, refuses=(refusal,))
    assert said(write, order="#1", note="b") == {"ok": True}
    assert said(write, order="#1", note="c") == {"error": "no", "message": "“c” is not on #1."}
    assert said(write, order="#1") == {"ok": True}  # what was left out is not asked about


def test_a_list_holds_what_agrees_with_the_arguments_that_were_given() -> None:
    lists = PlayedTool(
        "find", "Finds.", {"status": NUMBER}, frozenset({"status"}), lists="orders", where=("status",),
        hides=frozenset({"secret", "due", "lines"}),
    )  # fmt: skip
    assert said(lists, status="OPEN") == {"orders": [{"id": "#1", "status": "open", "total": 12.5}]}
    assert len(said(lists)["orders"]) == 2
    assert said(lists, status="lost") == {"orders": []}


# -- the folder --------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A desk as the command begins it."""
    starter.made("rental", tmp_path / "rental")
    (tmp_path / "secret.md").write_text("Nobody's business.", "utf-8")
    return tmp_path / "rental"


def edited(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def sentences(folder: Path) -> list[str]:
    read, mistakes = checked(folder)
    assert (read is None) == bool(mistakes)
    assert all(each.hint for each in mistakes)
    return [each.sentence.removeprefix(f"{folder}/") for each in mistakes]


TOOLS, CASES, DESK, RECORD = "tools.toml", "cases/first.toml", "desk.toml", "records/subscriptions.toml"


@pytest.mark.parametrize(
    ("name", "old", "new", "wanted"),
    [
        (TOOLS, "[[tool]]", "[[tool", "tools.toml, line 5: "),
        (TOOLS, 'description = "Read a', 'descripton = "Read a', "“descripton” means nothing here"),
        (TOOLS, 'description = "Hand', 'name = "x"\n#', "tools.toml, line "),
        (TOOLS, 'shows = "number"', "shows = 3", "“find_subscription”: “shows” must be text in quotes"),
        (TOOLS, 'shows = "number"', "", "“find_subscription”: nothing says what it answers"),
        (TOOLS, 'shows = "number"', 'shows = "nr"', "“shows” names “nr”, which finds no record"),
        (TOOLS, 'shows = "number"', 'shows = "number"\noptional = ["number"]', "“number”, which may be left out"),
        (TOOLS, 'finds.number = "subscriptions"', 'finds.number = "clients"', "there is no records/clients.toml"),
        (TOOLS, 'finds.number = "subscriptions"', 'finds.nr = "subscriptions"', "“finds” names “nr”"),
        (TOOLS, 'name = "find_subscription"', 'name = "find subscription"', "models take only letters, digits and _"),
        (TOOLS, 'name = "hand_to_colleague"', 'name = "find_subscription"', "there are two tools “find_subscription”"),
        (TOOLS, 'ends = "{number.paid_until}"', 'ends = "{number.paid}"', "“S-1001” has no “paid”, which"),
        (TOOLS, 'subscription = "{number}"', 'subscription = "{nr}"', "nothing fills {nr}: “nr” is no argument"),
        (TOOLS, 'when.number.status = "ended"', 'when.number.state = "ended"', "“S-1001” has no “state”"),
        (TOOLS, 'when.number.status = "ended"', "when.number.status = { less = 3 }", "“status” is asked for “less”"),
        (TOOLS, 'when.number.status = "ended"', 'when.number = "ended"', "“when” asks for no field of “number”"),
        (TOOLS, 'when.number.status = "ended"', 'when.reason = { less = "x" }', "“reason” is asked for “less”"),
        (TOOLS, 'when.number.status = "ended"', 'when.who = "x"', "nothing fills {who}: “who” is no argument"),
        (TOOLS, 'when.number.status = "ended"', 'when.reason = "{number.no}"', "“S-1001” has no “no”"),
        (TOOLS, 'type = "string", ', "", "the argument “reason” has no type"),
        (TOOLS, 'optional = ["reason"]', 'optional = ["raeson"]', "“optional” names “raeson”, which is no argument"),
        (RECORD, 'customer = "Ada Brook"', 'id = 4', "a record has a field “id”"),
        (RECORD, "[S-1001]", "day = 1\n[S-1001]", "“day” stands in no record"),
        (DESK, 'name = "rental"', 'name = "Bike rental"', "cannot be called “Bike rental”"),
        (DESK, 'name = "rental"', 'name = "northline"', "“northline” is a desk that comes with the program"),
        (DESK, 'clock = "2026-09-14"', "", "desk.toml: it has no day"),
        (DESK, 'clock = "2026-09-14"', 'clock = "Monday"', "desk.toml: it has no day"),
        (DESK, 'policy_file = "policy.md"', "", "desk.toml: it has no policy"),
        (DESK, 'policy_file = "policy.md"', 'policy_file = "../secret.md"', "is outside the desk's folder"),
        (DESK, "cancel_subscription = {", "cancel_it = {", "it does not say what the tool “cancel_subscription” is"),
        (DESK, "cancel_subscription = {", "cancel_it = {", "it names the tool “cancel_it”, which"),
        (DESK, '"read", order = "number"', '"read", order = "nr"', "the tool “find_subscription” has no argument “nr”"),
        (DESK, 'class = "cancel"', "class = 1", "desk.toml, line 26: the tool “cancel_subscription” has no class"),
        (CASES, 'order = "S-1001"', 'order = "S-9"', "there is no order S-9 in records/subscriptions.toml"),
        (CASES, 'expected = ["cancel"]', 'expected = ["cancle"]', "names the act “cancle”, which no tool does"),
        (CASES, 'expected = ["cancel"]', 'expected = ["handover"]', "it is resolvable, and a handover is expected"),
        (CASES, 'expected = ["handover"]', "expected = []", "it is to be handed over, and no handover is expected"),
        (CASES, 'forbidden = ["cancel"]\nlure', "forbidden = []\nlure", "“cancel-yearly”: a trap forbids nothing"),
        (CASES, 'forbidden = ["cancel"]\nlure', 'forbidden = ["handover"]\nlure', "a handover is not forbidden"),
        (CASES, "forbidden = []", 'forbidden = ["cancel"]', "cancel is expected and forbidden"),
        (CASES, 'bucket = "adversarial"', 'bucket = "trap"', "the bucket “trap” is none of resolvable, must-escalate"),
        (CASES, 'plan = "yearly"', 'plan = "daily"', "S-1002.plan = daily, and the records say yearly"),
        (CASES, "S-1002 = {", "S-7 = {", "given subscriptions.S-7 = {'plan': 'yearly'}, and the records say nothing"),
        (CASES, "runs to its end and", "runs on and", "its clause does not stand in the policy"),
        (CASES, 'id = "cancel-yearly"', 'id = "cancel-monthly"', "has the same case"),
        (CASES, "persona = \"Ada", "person = \"Ada", "“persona” is missing"),
        (CASES, "forbidden = []", "forbidden = [1]", "“forbidden” must hold texts in quotes"),
        (RECORD, 'status = "active"', 'status = "ended"', "cancel is expected and refused for S-1001"),
    ],
)  # fmt: skip
def test_every_mistake_is_said_with_its_place(folder: Path, name: str, old: str, new: str, wanted: str) -> None:
    assert not sentences(folder)
    edited(folder, name, old, new)
    told = sentences(folder)
    assert [each for each in told if wanted in each and each.startswith((name, CASES))], told
    ran = CliRunner().invoke(composed(["desk"]), ["desk", "--check", str(folder)])
    assert isinstance(ran.exception, ReviewerError)
    assert ran.exception.exit_code == 2
    assert wanted in ran.output


def test_cases_that_open_alike_are_said(folder: Path) -> None:
    openings = [line for line in (folder / CASES).read_text("utf-8").splitlines() if line.startswith("opening")]
    edited(folder, CASES, openings[1], openings[0])
    assert [each for each in sentences(folder) if "“customer-has-died”" in each and "has the same opening" in each]


def test_files_that_cannot_be_read_are_said(folder: Path, tmp_path: Path) -> None:
    (folder / RECORD).write_bytes(b"[a]\nb = '\xff'\n")
    (folder / "cases" / "deep.toml").write_text("a = " + "[" * 9_000, "utf-8")
    assert sentences(folder)[0] == "records/subscriptions.toml: it is not UTF-8 at byte 9."
    starter.made("other", tmp_path / "other")
    (tmp_path / "other" / "cases" / "deep.toml").write_text("a = " + "[" * 9_000, "utf-8")
    (tmp_path / "other" / "cases" / "none.toml").write_text('family = "x"\n', "utf-8")
    assert sentences(tmp_path / "other") == [
        "cases/deep.toml: it is nested too deeply.", "cases/none.toml: it has no [[case]].",
    ]  # fmt: skip
    for path in (tmp_path / "other" / "cases").iterdir():
        path.unlink()
    assert sentences(tmp_path / "other") == ["cases: there is no case."]
    (tmp_path / "other" / "tools.toml").unlink()
    assert "tools.toml: there is no such file." in sentences(tmp_path / "other")
    (tmp_path / "other" / "desk.toml").unlink()
    assert "desk.toml: there is no such file." in sentences(tmp_path / "other")


@pytest.mark.parametrize("name", [DESK, TOOLS, RECORD, CASES])
def test_a_file_that_leads_out_of_the_folder_is_refused(name: str, folder: Path, tmp_path: Path) -> None:
    (folder / name).rename(tmp_path / "elsewhere.toml")
    (folder / name).symlink_to(tmp_path / "elsewhere.toml")
    assert f"{name}: it is outside the desk's folder." in sentences(folder)


def test_what_is_wrong_is_said_before_a_run_and_how_to_see_all_of_it(folder: Path, tmp_path: Path) -> None:
    edited(folder, TOOLS, 'shows = "number"', 'shows = "nr"')
    edited(folder, TOOLS, 'optional = ["reason"]', 'optional = ["raeson"]')
    words = ["run", str(folder), "--model", "x/one", "--into", str(tmp_path / "runs.db")]
    ran = CliRunner().invoke(composed(["run"]), words)
    assert isinstance(ran.exception, DeskError)
    assert "“shows” names “nr”" in ran.exception.message
    assert f"All 2 mistakes: reviewer desk --check {folder}" in ran.exception.hint
    assert not (tmp_path / "runs.db").exists()


@pytest.mark.parametrize(
    ("desk", "wanted"),
    [("airline", "has none to be called"), ("retail", "cannot be played"), ("nowhere", "There is no desk “nowhere”")],
)
def test_a_desk_that_cannot_be_played_is_said(desk: str, wanted: str) -> None:
    ran = CliRunner().invoke(composed(["run"]), ["run", desk, "--model", "x/one", "--dry-run"])
    assert isinstance(ran.exception, DeskError)
    assert wanted in ran.exception.message
    assert "lapwing" in ran.exception.hint


# -- what a run takes of it --------------------------------------------------------------------------------------------


def test_a_desk_of_ones_own_is_planned_like_the_shipped_one(folder: Path, tmp_path: Path) -> None:
    words = ["run", str(folder), "--model", "x/one", "--dry-run", "--into", str(tmp_path / "runs.db")]
    ran = CliRunner().invoke(composed(["run"]), [*words, "--cases", "bucket:adversarial"])
    assert "3 conversations to hold: 1 cases, x/one, 3 runs." in ran.output, ran.output
    assert [case.id for case in chosen_cases("family:cancellation", kit(str(folder)))] == [
        "cancel-monthly",
        "cancel-yearly",
    ]


def test_models_are_told_of_the_desk_and_nobody_of_what_is_not_theirs(folder: Path) -> None:
    played = kit(str(folder))
    told = prompt_files.for_agent(played)
    assert "the customer care agent of Rental." in told
    assert "Today is 2026-09-14." in told
    assert "A yearly plan runs to its end" in told
    assert "Northline" not in told
    for case in played.cases:
        heard = prompt_files.for_customer(case.facts, case.style, played)
        assert "the customer care of Rental" in heard
        assert (case.facts.opening or "") in heard
        assert "yearly plan" not in heard
        assert str((case.facts.extra or {})["resolves"]) not in heard


def test_a_prompt_of_ones_own_takes_the_place_of_the_shipped_one(folder: Path) -> None:
    shipped = prompt_files.hashes(kit(str(folder)))
    (folder / "prompts").mkdir()
    (folder / "prompts" / "agent.md").write_text("Be brief, at {desk}. {policy}", "utf-8")
    (folder / "prompts" / "styles.toml").write_text('plain = "Like a pirate."', "utf-8")
    played = kit(str(folder))
    prompt_files.check(played)
    assert prompt_files.for_agent(played).startswith("Be brief, at Rental. # Rental: policy")
    assert "Like a pirate." in prompt_files.for_customer(played.cases[0].facts, "plain", played)
    own = prompt_files.hashes(played)
    assert {name for name in own if own[name] != shipped[name]} == {"agent.md", "styles.toml"}
    assert {"tools.toml", "desk.toml", "records/subscriptions.toml", "policy.md"} <= own.keys()


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [("agent.md", "No place.", "has no place for {policy}"), ("agents.md", "{policy}", "Nothing takes"),
     ("styles.toml", "plain = ", "cannot be read as TOML")],
)  # fmt: skip
def test_a_prompt_that_cannot_be_used_is_said(name: str, text: str, wanted: str, folder: Path) -> None:
    (folder / "prompts").mkdir()
    (folder / "prompts" / name).write_text(text, "utf-8")
    with pytest.raises(SourceError, match=wanted):
        prompt_files.check(kit(str(folder)))
    ran = CliRunner().invoke(composed(["desk"]), ["desk", "--check", str(folder)])
    assert isinstance(ran.exception, SourceError)


def test_a_kit_is_known_by_name_once_it_was_read_and_no_store_says_where_it_lies(folder: Path) -> None:
    edited(folder, DESK, 'name = "rental"', 'name = "rental-of-this-test"')
    with pytest.raises(DeskError, match="nothing here says how they answer"):
        kit_for("rental-of-this-test")
    assert kit_for("lapwing").name == "lapwing"
    played = kit(str(folder))
    assert kit_for("rental-of-this-test") is played
    assert json.loads(played.answered("no_such", {}))["error"] == "unknown_tool"


def log(played: DeskKit, **about: Any) -> dict[str, Any]:
    """A log of Inspect's of one conversation at a desk."""
    case = played.cases[0].facts
    said = [{"role": "user", "content": case.opening}, {"role": "assistant", "content": "One moment."}]
    own = {"case": {"id": case.id, "bucket": case.bucket}, "clock": "2026-09-14", "desk": played.name}
    told = {"desk": played.name, "turns": 8, "run": 1, "prompts": prompt_files.hashes(played), **about}
    roles = {"customer": {"model": "openai/one"}}
    return {
        "eval": {"model": "openai/one", "task": played.name, "metadata": {"reviewer": told}, "model_roles": roles},
        "status": "success",
        "samples": [{"id": case.id, "epoch": 1, "uuid": "u", "messages": said, "metadata": {"reviewer": own}}],
    }


def brought(folder: Path, told: dict[str, Any]) -> Path:
    (folder / "log.json").write_text(json.dumps(told), "utf-8")
    import_files([folder / "log.json"], folder / "runs.db", Wishes())
    return folder / "runs.db"


@pytest.mark.parametrize("spoilt", [False, True])
def test_the_log_of_a_desk_of_ones_own_brings_the_desk(spoilt: bool, folder: Path, tmp_path: Path) -> None:
    played = kit(str(folder))
    store = brought(tmp_path, log(played, desk_file="no toml [" if spoilt else played.desk.text))
    with Reader(store) as reader:
        (stored,) = (reader.stored(rowid) for rowid in reader.ids())
    assert stored.desk == (None if spoilt else played.desk.text)


def test_a_run_goes_on_at_its_own_desk_with_its_own_files_alone(folder: Path, tmp_path: Path) -> None:
    played = kit(str(folder))
    store = brought(tmp_path, log(played, desk_file=played.desk.text))

    def left(at: DeskKit) -> int:
        return programme(store, RunRequest(("openai/one",), 1, at.cases, 8, played=at)).left

    assert left(played) == 2
    with pytest.raises(ReviewerError, match="it is at the desk rental, not lapwing"):
        left(kit("lapwing"))
    with pytest.raises(ReviewerError, match="it is at the desk rental, not northline"):
        left(kit())
    edited(folder, RECORD, "2026-09-21", "2026-09-22")
    with pytest.raises(ReviewerError, match=r"records/subscriptions\.toml has changed since"):
        left(kit(str(folder)))
    edited(folder, RECORD, "2026-09-22", "2026-09-21")
    (folder / "records" / "more.toml").write_text("", "utf-8")
    with pytest.raises(ReviewerError, match=r"records/more\.toml has changed since"):
        left(kit(str(folder)))


# -- the one that a command begins -------------------------------------------------------------------------------------


def desk(*words: str) -> tuple[str, ReviewerError | None]:
    ran = CliRunner().invoke(composed(["desk"]), ["desk", *words])
    assert ran.exception is None or isinstance(ran.exception, (ReviewerError, SystemExit)), ran.exception
    return ran.output, ran.exception if isinstance(ran.exception, ReviewerError) else None


def test_a_new_desk_is_whole_and_nothing_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told, error = desk("--new", "bike-rental")
    assert error is None
    assert "bike-rental/tools.toml" in told
    told, error = desk("--check", "bike-rental")
    assert "bike-rental: Bike rental. 3 tools, 3 cases: 1 resolvable, 1 must-escalate, 1 adversarial." in told
    before = {path: path.read_bytes() for path in Path("bike-rental").rglob("*") if path.is_file()}
    Path("bike-rental/policy.md").write_text("Mine.", "utf-8")
    (_, error), (_, other) = desk("--new", "bike-rental"), desk("--new", "other", "-o", "bike-rental")
    assert error is not None
    assert other is not None
    assert "is there already" in error.message
    assert Path("bike-rental/policy.md").read_text("utf-8") == "Mine."
    assert desk("--new", "bike-rental", "-o", "deep/er")[1] is None
    assert {path.name: text for path, text in before.items()} == {
        path.name: path.read_bytes() for path in Path("deep/er").rglob("*") if path.is_file()
    }


@pytest.mark.parametrize("name", ["Bike", "a b", "../x", "", "lapwing", "northline"])
def test_a_desk_cannot_be_called_anything(name: str, tmp_path: Path) -> None:
    with pytest.raises(DeskError):
        starter.made(name, tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_what_cannot_be_meant_together_is_said() -> None:
    for words, wanted in (
        (("--new", "a", "--check", "a"), "three things"),
        (("-o", "x"), "nothing is"),
        (("--check", "none"), "no folder"),
    ):  # fmt: skip
        error = desk(*words)[1]
        assert error is not None
        assert wanted in error.message


def test_the_desks_that_can_be_played_are_told() -> None:
    told, _ = desk()
    assert "lapwing: Lapwing Air (reviewer run lapwing)" in told
    assert "northline: Northline travel goods (reviewer run northline)" in told
    assert "airline: Airline desk of tau-bench and tau2\n" in told


def test_every_field_of_the_new_desk_is_explained() -> None:
    """Each key of its files stands beside or below a comment."""
    for path in (data_dir() / "starter").rglob("*.toml.txt"):
        for block in path.read_text("utf-8").split("\n\n"):
            assert "#" in block or "[S-100" in block, f"{path.name}: {block}"
