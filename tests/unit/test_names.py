"""What paths say: models as they are written, runs, configurations; and what conversations are called by."""

from __future__ import annotations

import pytest

from reviewer.imports import names


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("qwen3_8b.jsonl", "qwen3_8b"),
        ("results/gpt_4o_mini.json", "gpt_4o_mini"),
        ("claude_sonnet_4_5_retail.json", "claude_sonnet_4_5"),
        ("gemini_2_5_flash_run2.json", "gemini_2_5_flash"),
        ("mixtral_8x7b_instruct_v0.1.json", "mixtral_8x7b_instruct_v0.1"),
        ("deepseek-r1-distill-qwen-7b.json", "deepseek-r1-distill-qwen-7b"),
        ("kimi-k2_deepseek-v3_judge.json", "kimi-k2"),
        ("gpt-4o_17.json", "gpt-4o"),
        ("gpt-4o_a81f3c.json", "gpt-4o"),
        ("agent-gpt-4o_user-gpt-4.1_retail.json", "gpt-4o"),
        ("claude-code-opus-4/x.json", "opus-4"),
        ("kimi-k2.7-code/x.json", "kimi-k2.7-code"),
        ("llamafactory/x.json", None),
        ("claude-code-log/a.jsonl", None),
        ("gemini-cli/session.json", None),
        ("example_rollouts_claude_code.jsonl", None),
        ("llama.cpp/log.json", None),
        ("mygpt/x.json", None),
        ("gpt4__swe-agent__test-repo__default/x.traj", "gpt4"),
        ("llm_agent_planner_user_gpt-4.1.json", None),
        ("qwen2_5_72b_instruct.json", "qwen2_5_72b_instruct"),
        ("qwen3_1_7b.json", "qwen3_1_7b"),
        ("llama3_3_70b_run2.json", "llama3_3_70b"),
        ("deepseek_v3_1.json", "deepseek_v3_1"),
        ("deepseek_r1_distill_llama_70b.json", "deepseek_r1_distill_llama_70b"),
        ("qwen3_235b_a22b_instruct_2507.json", "qwen3_235b_a22b_instruct_2507"),
        ("gpt_3_5_turbo_16k.json", "gpt_3_5_turbo_16k"),
        ("qwen3_32b_no_think.json", "qwen3_32b_no_think"),
        ("gpt_4o_no_tools.json", "gpt_4o"),
        ("claude-3-5-sonnet-20241022_airline.json", "claude-3-5-sonnet-20241022"),
        ("claude_haiku_4_5_20251001.json", "claude_haiku_4_5_20251001"),
        ("claude-sonnet-4@20250514-thinking.json", "claude-sonnet-4@20250514-thinking"),
        ("claude-opus-4-20250514-101530.json", "claude-opus-4"),
        ("gpt-4o-20250101.json", "gpt-4o"),
        ("qwen3_8b_3.json", "qwen3_8b"),
        ("gpt_4o_2.json", "gpt_4o"),
        ("phi_4.json", "phi_4"),
        ("nova_pro_results.json", "nova_pro"),
        ("o3_results.json", "o3"),
        ("command_r_plus.json", "command_r_plus"),
        ("o365/x.json", None),
    ],
)
def test_a_path_says_the_model_as_it_is_written(path: str, model: str | None) -> None:
    assert names.model_in(path) == model


@pytest.mark.parametrize(
    ("path", "harness", "model"),
    [
        ("claude-replay/fixtures/a.jsonl", "codex 0.9", None),
        (".claude/projects/a.jsonl", "claude-code 2.1", None),
        ("claude-opus-4/a.jsonl", "claude-code", "claude-opus-4"),
        ("claude/a.jsonl", "mini-swe-agent", "claude"),
        ("claude/a.jsonl", None, "claude"),
    ],
)
def test_a_folder_of_a_programs_sessions_says_a_model_only_by_its_version(
    path: str, harness: str | None, model: str | None
) -> None:
    assert names.model_beside(path, harness) == model


@pytest.mark.parametrize(
    ("path", "run"),
    [
        ("gpt-4o/run3/x.json", 3),
        ("trial_2/a/run-4.json", 4),
        ("a/seed-7/x.json", 7),
        ("runs/x.json", None),
    ],
)
def test_a_run_stands_in_the_name_or_in_the_nearest_folder(path: str, run: int | None) -> None:
    assert names.run_in(path) == run


@pytest.mark.parametrize(
    ("one", "other", "labels"),
    [
        ("logs/openhands/a.json", "logs/swe-agent/a.json", ("openhands", "swe-agent")),
        ("logs/gpt-4o-planner/a.json", "logs/gpt-4o/a.json", ("planner", None)),
        ("logs/openhands/a.json", "logs/a.json", ("openhands", None)),
        ("logs/data/openhands/a.json", "logs/raw_logs/swe-agent/a.json", ("openhands", "swe-agent")),
        ("logs/results/task-17/a.json", "logs/openhands/task-17/a.json", (None, "openhands")),
    ],
)
def test_folders_that_name_two_configurations_tell_them_apart(
    one: str, other: str, labels: tuple[str | None, str | None]
) -> None:
    folder = names.configurations_below(one, other, "gpt-4o")
    assert folder == ("logs",)
    assert tuple(names.configuration(each, folder, "gpt-4o") for each in (one, other)) == labels


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("logs/a.json", "logs/b.json"),
        ("logs/run-a/x.json", "logs/run-b/x.json"),
        ("logs/first/x.json", "logs/second/x.json"),
        ("logs/2025-01-01T10/x.json", "logs/2025-01-02T10/x.json"),
        ("logs/8f3a2c91/x.json", "logs/0b77de12/x.json"),
        ("logs/2025-01-01_retail/x.json", "logs/2025-01-02_retail/x.json"),
        ("data/retail_desk/x.json", "trajectories/retail-desk/x.json"),
        ("tests/trajectories/x.json", "demonstrations/x.json"),
    ],
)
def test_folders_that_only_number_are_runs(one: str, other: str) -> None:
    assert names.configurations_below(one, other, "gpt-4o") is None


@pytest.mark.parametrize(
    ("path", "position", "key"),
    [
        ("logs/support.jsonl", "line 12", "support-12"),
        ("logs/support.json", "the document", "support"),
        ("jobs/task-7/trajectory.json", "the document", "task-7-trajectory"),
    ],
)
def test_what_nothing_names_is_called_by_its_file(path: str, position: str, key: str) -> None:
    assert names.identifier(path, position) == key


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("logs/rollouts_hermes.jsonl", "logs/rollouts_openclaw.jsonl", ("hermes", "openclaw")),
        ("logs/gpt-4o_retail_default_4trials.json", "logs/gpt-4o_retail_no-user.json", ("default", "no-user")),
        ("logs/results.json", "logs/results_react.json", (None, "react")),
    ],
)
def test_names_of_files_tell_two_configurations_apart(one: str, other: str, told: tuple[str | None, str]) -> None:
    assert names.files_apart(one, other, "gpt-4o") == ("logs",)
    assert (names.told_by_name(one, "gpt-4o"), names.told_by_name(other, "gpt-4o")) == told


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("logs/a.json", "logs/b.json"),
        ("logs/results.json", "logs/results_rerun_2.json"),
        (
            "logs/2025-02-11T15-17_popularity_dPiJifoWeEQBrfWsAop.eval",
            "logs/2025-02-12_popularity_mjkhqpMMGBCfVQozKg.eval",
        ),
        ("logs/gpt-4o_airline.json", "logs/gpt-4o_retail.json"),
        ("logs/x/hermes.json", "logs/openclaw.json"),
    ],
)
def test_names_of_files_that_only_number_copy_or_date_are_runs(one: str, other: str) -> None:
    assert names.files_apart(one, other, "gpt-4o") is None
