"""No text makes it slow: what is done with a text takes longer with its length, and not with its square."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from reviewer.app.layout import MessageLayout, View
from reviewer.app.reading.find import hits
from reviewer.basics import jsonspans, sentences
from reviewer.basics.clean import cleaned
from reviewer.basics.errors import ReviewerError
from reviewer.basics.units import units_of
from reviewer.benchmark.cuts.difference import lines
from reviewer.benchmark.cuts.proposal import proposed
from reviewer.benchmark.live.fork_point import point_before
from reviewer.benchmark.live.note_quotes import invented
from reviewer.figures.export.customers import HiddenCustomers
from reviewer.figures.export.masks import Mask
from reviewer.figures.report.blocks import slug
from reviewer.findings.reads import READS, read_over
from reviewer.findings.reads.grounds import grounds
from reviewer.imports import names
from reviewer.imports.messages import call_tags, prompts
from reviewer.marks import codebook_text
from reviewer.marks.codebook import code_of
from reviewer.transcripts.desk import change
from reviewer.transcripts.model import Stored
from reviewer.transcripts.query import parse
from reviewer.transcripts.query.completion import complete
from reviewer.transcripts.query.matches import spans
from tests import builders
from tests.builders import agent, call, customer
from tests.pumping import MOST, growth, growth_over, patterns, pumped, units

HOSTILE = (
    "\u0730", "\u0301", "\u0301\u0327", "\u1161", "\u65e5", "\U0001f469\u200d", "\U0001f1e9", "\u202e", " ", "\t", "\n",
    "\r\n", "abcdefghij", "7", '"', "'", "[", "{", "(", '{"', "\\", '"\\', ".", "`", "*a", "_a", "ab ", "a. ", "1. ",
    "- a\n", "> ", "```\n", "a@", "@b.c", "a_b_1", '{"a":1},', '"a":', '[{"a":', '"a":{"b":[1]},', "1-", "#1 $1.00 ",
)  # fmt: skip
"""One long run of marks, of wide signs, of blanks, of letters, of quotes, of brackets, and the like."""

PARTS = 12
"""Into which the expressions are divided, so that processors share them."""
SEEN_IN_PART = {
    "reviewer.imports.messages.trace_tools._TAG": "the last 200 characters of a text",
    "reviewer.imports.messages.prompts._REPR": "texts with at most 50 lists",
}
"""Expressions that are given no long text, or none that is made so."""


@pytest.mark.parametrize("part", range(PARTS))
def test_every_expression_takes_a_time_that_grows_with_the_text(part: int) -> None:
    every = patterns()
    assert len(every) > 400
    slow = {}
    for used in every[part::PARTS]:
        if used.name in SEEN_IN_PART:
            continue
        pieces = units(used.pattern, random.Random(used.name))
        worst = next(((piece, times) for piece in pieces if (times := growth_over(used.walk, piece)) > MOST), None)
        if worst:
            slow[used.name] = worst
    assert not slow, "\n".join(map(str, slow.items()))


class _Words:
    """A store that knows one value of every field."""

    def values(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        return [f"{prefix}{field}"][:limit]

    def keys(self, field: str, prefix: str = "", limit: int = 50) -> list[str]:
        return self.values(field, prefix, limit)


def _talk(text: str) -> Stored:
    called = call("get_order", text, text)
    return builders.stored(customer(text), agent(text, called, reasoning=text), customer(text))


def _laid_out(text: str) -> None:
    for message in (customer(text), agent(text, call("get_order", text, text), reasoning=text)):
        for view in (View(80, tools="inline"), View(7, tools="inline", plain=True)):
            lines = MessageLayout(message, 1, view)
            for top in range(0, lines.height, 40):
                lines.lines(top, min(top + 40, lines.height))


def _selected(text: str) -> None:
    for in_fields in (False, True):
        walked = units_of(text, in_fields)
        last = walked.before(len(text)) or (len(text) // 2, len(text))
        for unit in (walked.at(len(text) // 2), walked.after(len(text) // 2), last):
            for move in (sentences.end_forward, sentences.end_back, sentences.start_forward, sentences.start_back):
                move(text, unit or last)
    sentences.sentences(text)


def _taken_as_json(text: str) -> None:
    for _ in jsonspans.leaves(text) or ():
        pass
    jsonspans.locate(text, "/0/a/b")
    jsonspans.pointer_at(text, len(text) - 5)
    jsonspans.decoded(text, 0, len(text))
    list(jsonspans.string_slices(text, 0, len(text), 4_096))


def _found(text: str) -> None:
    hits(_talk(text).conversation, "order", reasoning=True, calls=True)
    for term in parse('"order a" cancel*').selection.texts:
        spans(term, text)


def _asked_for(text: str) -> None:
    with suppress(ReviewerError):
        parse(text)
    complete(text, len(text), _Words())


def _masked(text: str) -> None:
    stored = builders.stored(customer(text), agent("", call("get_order", "{}", text)))
    HiddenCustomers([stored]).hidden_in(Mask(["gpt-4o", "kimi-k2"], hide_models=True).text(text))


def _cut(text: str) -> None:
    talk = _talk(text)
    made = proposed(point_before(talk, len(talk.conversation.messages) + 1))
    for _ in lines(made):
        pass


def _imported(text: str) -> None:
    prompts.asked([text, {"content": text}, f"role={text}"])
    call_tags.tools_of(text)
    names.model_in(text)
    names.run_in(text)
    names.told_by_name(text, "gpt-4o")
    names.configuration(f"{text}/a/b.json", (), "gpt-4o")


LOOPS: dict[str, Callable[[str], object]] = {
    "cleaned": lambda text: (cleaned(text), cleaned(text, joined=True)),
    "laid out": _laid_out,
    "selected": _selected,
    "JSON": _taken_as_json,
    "found": _found,
    "a query": _asked_for,
    "masked": _masked,
    "cut": _cut,
    "imported": _imported,
    "a code": code_of,
    "the name of a figure": slug,
    "grounds": lambda text: grounds(_talk(text)),
    "a judge's note": lambda text: invented(f'“a b c d” {text} "a b c {text} d" “{text} e f g”', f"a b c {text}"),
    "reads": lambda text: read_over(_talk(text), READS),
}


def _numbered(row: str, size: int) -> str:
    """A row again and again, each with its number, so that none says what another one said."""
    return "".join(row.replace("%", str(number)) for number in range(size // len(row)))


def _desk_of(tools: str) -> str:
    return f'name = "d"\ntools.look.class = "read"\n{tools}'


def _desk_changed(text: str) -> None:
    with suppress(ReviewerError):
        change.classed(text, "look", "cancel", "d")


def _codebook_changed(text: str) -> None:
    with suppress(ReviewerError):
        codebook_text.set_field(text, "codebook.toml", "m1", "title", "Other")


TOML: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "parts of a key": (_desk_changed, lambda size: _desk_of(f"a{'.a' * (size // 2)} = 1\n")),
    "parts of a header": (_desk_changed, lambda size: _desk_of(f"[a{'.a' * (size // 2)}]\n")),
    "quoted parts": (_desk_changed, lambda size: _desk_of("a" + ".'a'" * (size // 4) + " = 1\n")),
    "blanks around parts": (_desk_changed, lambda size: _desk_of(f"a{' . a' * (size // 4)} = 1\n")),
    "texts like parts": (_desk_changed, lambda size: _desk_of(f'policy = """{"a.b. " * (size // 5)}"""\n')),
    "tools in tables": (_desk_changed, lambda size: _desk_of(_numbered('[tools.x%]\nclass = "read"\n', size))),
    "tools apart": (_desk_changed, lambda size: _desk_of(_numbered('[tools.x%]\nclass = "read"\n[y%]\n', size))),
    "tools in dotted keys": (_desk_changed, lambda size: _desk_of(_numbered('tools.x%.class = "read"\n', size))),
    "modes": (_codebook_changed, lambda size: _numbered('[modes.m%]\ntitle = "M %"\n', size)),
    "keys of one mode": (_codebook_changed, lambda size: f"[modes.m1]\n{_numbered('was.x% = 1', size)}"),
    "lists in lists": (_codebook_changed, lambda size: "a = " + "[" * size),
    "lists beside lists": (_codebook_changed, lambda size: f"a = [{'[1],' * (size // 4)}]\n"),
}
"""What is read and changed as TOML, and long texts of it."""


@pytest.mark.parametrize("name", TOML)
def test_what_is_toml_takes_a_time_that_grows_with_the_text(name: str) -> None:
    work, text_of = TOML[name]
    assert growth(work, text_of, enough=10.0) <= MOST


@pytest.mark.parametrize("name", LOOPS)
def test_every_loop_takes_a_time_that_grows_with_the_text(name: str) -> None:
    """Every other text has an end that does not fit."""
    slow = {}
    for turn, unit in enumerate(HOSTILE):
        end = "\0!" if turn % 2 else ""
        times = growth(LOOPS[name], partial(pumped, unit, end=end), enough=2.0)
        if times > MOST:
            slow[unit] = times
    assert not slow, "\n".join(map(str, slow.items()))
