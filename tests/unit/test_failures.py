"""What failed, by cause; and a command that a shell takes as it was given."""

from __future__ import annotations

import subprocess

import pytest

from reviewer.basics.shell import shell_line
from reviewer.benchmark.live.failures import Failures


def lines(*errors: str) -> list[str]:
    failures = Failures()
    for error in errors:
        failures.add(error)
    return [*failures.lines()]


def test_errors_that_differ_in_numbers_alone_are_one_cause_and_the_most_frequent_comes_first() -> None:
    told = lines("down", "429: slow down (request 4f00aa31bc)", "429: slow down (request 9900aa31bd).", "down", "down")
    assert told == ["3  down", "2  429: slow down (request 4f00aa31bc)"]
    assert lines() == []
    assert lines("") == ["1  no reason was given"]


def test_many_causes_are_counted_together() -> None:
    told = lines(*[f"cause {'x' * at}" for at in range(10)], "cause ")
    assert told[0] == "2  cause"
    assert len(told) == 9
    assert told[-1] == "2 of 2 other causes"


def test_a_long_error_is_cut() -> None:
    assert lines("x" * 200) == [f"1  {'x' * 200}"]
    assert lines("x" * 201) == [f"1  {'x' * 199}…"]


def test_what_was_asked_is_no_part_of_a_cause() -> None:
    error = '\nRequest:\n{\n  "model": "x"\n}\n\nBadRequestError(\'Error code: 400 - it is too long\')'
    told = "1  BadRequestError: Error code: 400 - it is too long"
    assert lines(error) == [told]
    assert lines(f"RuntimeError({error!r})") == [told]
    assert lines(repr(f"RetryError({error!r})")) == [told]
    assert lines("Request: none") == ["1  Request: none"]


@pytest.mark.parametrize("word", ["plain", "two words", "it's", "a\nb\tc", "$HOME `x`", "\\x41\x1b[31m", "“ü”", ""])
def test_a_command_is_quoted_so_that_a_shell_takes_every_word_as_it_was(word: str) -> None:
    line = shell_line(["printf", "%s", word])
    assert line.isprintable()
    assert subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout == word.encode()
