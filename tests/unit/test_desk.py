"""Desk files: what tools mean, the policy inlined, errors that name the line, recognition that abstains."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.basics.errors import DeskError
from reviewer.transcripts import desk

TRANSCRIPTS = Path(__file__).parents[3] / "shared" / "transcripts"

SMALL = """\
name = "small"
confirm = true

[tools]
get = { class = "read", order = "id" }
stop = { class = "cancel", order = "id" }

[tools.give_up]
class = "handover"
"""


def test_classes_of_tools() -> None:
    small = desk.parse(SMALL, "small.toml")
    assert [small.kind(name) for name in ("get", "stop", "give_up", "other")] == ["read", "write", "handover", "?"]
    assert [small.act(name) for name in ("get", "stop", "give_up", "other")] == [None, "cancel", "handover", None]
    assert small.order_argument("stop") == "id"
    assert small.order_argument("give_up") is None
    assert small.write_classes == {"cancel"}
    assert small.hands_over
    assert not desk.NONE.hands_over
    assert (small.confirm, small.clock, small.title) == (True, None, "small")
    assert small.hash == hashlib.sha256(SMALL.encode()).hexdigest()


def test_no_desk_classes_nothing() -> None:
    assert desk.NONE.kind("cancel_order") == "?"
    assert desk.NONE.act("cancel_order") is None


@pytest.mark.parametrize("name", desk.shipped())
def test_shipped_desks_load_and_are_self_contained(name: str) -> None:
    loaded = desk.load(name)
    assert loaded.name == name
    assert loaded.confirm is True
    assert "handover" in {tool.act for tool in loaded.tools.values()}
    assert desk.parse(loaded.text, "store") == loaded


def test_northline_keeps_its_policy_in_its_text() -> None:
    northline = desk.load("northline")
    assert "has shipped cannot be cancelled" in northline.policy
    assert "policy_file" not in northline.text
    assert northline.write_classes == {"reship", "replace", "edit-address", "cancel"}


@given(policy=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=80))
def test_any_policy_survives_inlining(tmp_path_factory: pytest.TempPathFactory, policy: str) -> None:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "p.md").write_text(policy, encoding="utf-8-sig")
    (folder / "desk.toml").write_text('policy_file = "p.md"\nname = "x"\n', encoding="utf-8-sig")
    assert desk.load(str(folder)).policy == policy


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('name = "x"\n[tools]\nget = { class = 3 }\n', "line 3", "no class"),
        ('name = "x"\n[tools]\n\nget = "read"\n', "line 4", "no class"),
        ('name = "x"\n[tools.get]\nclass = "Read It"\n', "line 2", "small letters"),
        ('name = "x"\n[tools]\nget = { class = "read", oder = "id" }\n', "line 3", "oder"),
        ('name = "x"\n[tools]\nget = { class = "read", order = 1 }\n', "line 3", "in quotes"),
        ('name = "x"\nconfrim = true\n', "line 2", "confrim"),
        ('name = "x"\nconfirm = "yes"\n', "line 2", "true or false"),
        ('name = "x\n', "line 1", "Illegal character"),
        ('title = "x"\n', "desk.toml", "no name"),
        ('name = "x"\npolicy_file = "p.md"\n', "line 2", "another file"),
        ('name = "x"\ntools = ' + "[" * 9_000, "desk.toml", "too deeply"),
    ],
)
def test_errors_name_line_and_reason(text: str, line: str, reason: str) -> None:
    with pytest.raises(DeskError) as caught:
        desk.parse(text, "my/desk.toml")
    assert line in caught.value.message
    assert reason in caught.value.message


def test_missing_files_are_said(tmp_path: Path) -> None:
    with pytest.raises(DeskError, match=r"no desk “nowhere”.*northline"):
        desk.load("nowhere")
    file = tmp_path / "desk.toml"
    file.write_text('name = "x"\n\npolicy_file = "gone.md"\n')
    with pytest.raises(DeskError, match=r"line 3: there is no .*gone\.md"):
        desk.load(str(file))
    file.write_text('name = "x"\npolicy = "a"\npolicy_file = "gone.md"\n')
    with pytest.raises(DeskError, match="line 3"):
        desk.load(str(tmp_path))
    file.write_bytes(b'name = "\xff"\n')
    (tmp_path / "other.toml").write_bytes(b'name = "\xff"\n')
    with pytest.raises(DeskError, match="not UTF-8 at byte 8"):
        desk.load(str(tmp_path / "other.toml"))


@pytest.mark.parametrize("name", ["../secret", "{there}/secret", "link.md"])
def test_a_policy_outside_the_desks_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret").write_text("Nobody's business.")
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "link.md").symlink_to(tmp_path / "secret")
    (folder / "desk.toml").write_text(f'name = "x"\npolicy_file = "{name.format(there=tmp_path)}"\n')
    with pytest.raises(DeskError, match=r"line 2: .* is outside the desk's folder"):
        desk.load(str(folder))
    (folder / "loop.md").symlink_to("loop.md")
    (folder / "desk.toml").write_text('name = "x"\npolicy_file = "loop.md"\n')
    with pytest.raises(DeskError, match="there is no"):
        desk.load(str(folder))


def test_recognition_takes_the_desk_that_fits() -> None:
    assert desk.recognised(["get_order_details", "get_user_details", "cancel_pending_order"]) == "retail"
    assert desk.recognised(["get_reservation_details", "get_user_details", "think"]) == "airline"
    assert desk.recognised(desk.load("northline").tools) == "northline"


@pytest.mark.parametrize(
    "names",
    [
        [],
        ["search", "browse"],
        ["get_user_details", "calculate", "transfer_to_human_agents"],
        ["get_order_details"],
        ["get_order_details", "cancel_pending_order", "a", "b", "c"],
    ],
)
def test_recognition_abstains_on_doubt(names: list[str]) -> None:
    assert desk.recognised(names) is None


def test_real_airline_tools_are_all_classed() -> None:
    file = TRANSCRIPTS / "tau-bench-sierra/historical_trajectories/gpt-4o-airline.json"
    if not file.exists():
        pytest.skip("../shared/transcripts is not here")
    called = {
        call["function"]["name"]
        for conversation in json.loads(file.read_text())
        for message in conversation["traj"]
        for call in message.get("tool_calls") or ()
    }
    airline = desk.load("airline")
    assert called
    assert {name for name in called if airline.kind(name) == "?"} == set()
    assert desk.recognised(called) == "airline"
