"""Reading queries: what each term becomes, and the sentence for what does not parse."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.basics.errors import QueryError
from reviewer.transcripts.model import Score
from reviewer.transcripts.query import EVERYTHING, Term, TextTerm, Value, parse
from reviewer.transcripts.store.reader import Reader
from tests.builders import agent, call, conversation, store


def test_nothing_means_everything() -> None:
    assert parse("  ").selection == EVERYTHING


@pytest.mark.parametrize(
    ("text", "kind", "held"),
    [
        ("refund", "word", "refund"),
        ("refund*", "prefix", "refund"),
        ("don't", "word", "don't"),
        ("12:30", "word", "12:30"),
        ("</think>", "word", "</think>"),
        ("e.g.", "word", "e.g."),
        ('"</think>"', "phrase", "</think>"),
        ('"ivered yest"', "phrase", "ivered yest"),
        ('"已经取消"', "phrase", "已经取消"),
        ('"5"" screen"', "phrase", '5" screen'),
        ('"a\\b"', "phrase", "a\\b"),
        ('"*"', "phrase", "*"),
    ],
)
def test_words_and_phrases_keep_what_was_typed(text: str, kind: str, held: str) -> None:
    (term,) = parse(text).texts
    assert (term.kind, term.text, term.negated) == (kind, held, False)


@pytest.mark.parametrize(
    ("value", "meant", "not_meant"),
    [
        ("fraud-reroute", "fraud reroute|Fraud_Reroute|FRAUD-REROUTE", "fraudreroute|fraud  reroute|fraud.reroute"),
        ("fraud_re*", "fraud reroute|fraud-refund", "fraudre|my fraud re"),
        ("*-re*e", "fraud reroute|a_re_e", "fraudreroute"),
        ("gpt4", "GPT4", "gpt-4|gpt 4"),
        ('"fraud reroute"', "fraud reroute", "fraud-reroute|Fraud reroute"),
        ("a%b-c", "a%b c", "axb-c"),
    ],
)
def test_blank_hyphen_and_underscore_are_one(tmp_path: Path, value: str, meant: str, not_meant: str) -> None:
    """In what SQL answers as in what is answered beside it."""
    names = (*meant.split("|"), *not_meant.split("|"))
    named = [replace(conversation(model=name), scores=(Score(name, 1.0),)) for name in names]
    with Reader(store(tmp_path, *named)) as reader:
        query = parse(f"model:{value}")
        assert [row.model for row in reader.rows(reader.ids(query.selection))] == meant.split("|")
        assert [name for name in names if query.terms[0].matches(name)] == meant.split("|")
        if "*" not in value:
            asked = parse(f"score.{value}:1")
            assert {row.model for row in reader.rows(reader.ids(asked.selection))} >= set(meant.split("|"))


def test_tools_are_compared_the_same_way(tmp_path: Path) -> None:
    calls = [agent("Yes.", call(name)) for name in ("cancel_order", "cancel-order", "Cancel_Order", "cancelorder")]
    with Reader(store(tmp_path, *(conversation(each, run=n) for n, each in enumerate(calls, 1)))) as reader:
        for text, runs in (("tool:cancel-order", [1, 2, 3]), ("tool:*_order", [1, 2, 3]), ('tool:"cancel_order"', [1])):
            assert [row.run for row in reader.rows(reader.ids(parse(text).selection))] == runs
        assert "cancel_order" in reader.vocabulary.values("tool", "cancel o")


def test_a_dash_negates_words_and_fields() -> None:
    query = parse('-refund -"sorry" -tool:cancel*')
    assert [term.negated for term in query.texts] == [True, True]
    assert query.terms == (Term("tool", (Value("glob", "cancel*"),), negated=True),)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("model:kimi*,GPT", (Value("glob", "kimi*"), Value("is", "GPT"))),
        ('model:"gpt 4o, mini"', (Value("exactly", "gpt 4o, mini"),)),
        ("case:none", (Value("none"),)),
        ('case:"none"', (Value("exactly", "none"),)),
        ("run:2,4..6", (Value("is", "2"), Value("..", "4", "6"))),
        ("messages:>=10", (Value(">=", "10"),)),
        ("messages:=10", (Value("is", "10"),)),
        ("date:<2026-06", (Value("<", "2026-06"),)),
        ("ERROR:Yes", (Value("is", "yes"),)),
        ("model:***k", (Value("glob", "*k"),)),
    ],
)
def test_values_are_read_by_the_kind_of_their_field(text: str, values: tuple[Value, ...]) -> None:
    (term,) = parse(text).terms
    assert term.values == values


@pytest.mark.parametrize(
    ("text", "key", "judge"),
    [
        ("score.instruction-following:<0.6", "instruction-following", ""),
        ("score.reward@gpt-5:<0.6", "reward", "gpt-5"),
        ('score."a: b"@"c:d":1', "a: b", "c:d"),
        ("meta.user@home:x", "user@home", ""),
        ("meta.a.b:x", "a.b", ""),
    ],
)
def test_keys_and_judges(text: str, key: str, judge: str) -> None:
    (term,) = parse(text).terms
    assert (term.key, term.judge) == (key, judge)


@pytest.mark.parametrize(
    ("text", "position", "says", "offers"),
    [
        ("modle:kimi", 0, "no field “modle”", "model:"),
        ("a http://x.y", 2, "no field “http”", '"http://x.y"'),
        ("run:two", 4, "takes a number", "run:2"),
        ("date:June", 5, "a date such as 2026-06-01", "date:2026-06"),
        ("role:agnt x", 5, "knows no “agnt”", "role:agent"),
        ("in:text", 0, "there are none", "in:reasoning policy"),
        ("model:", 6, "value is missing", "model:kimi*"),
        ("model:a,", 8, "value is missing", "model:kimi*"),
        ("scor.x:1", 0, "no field “scor”", "score.NAME:"),
        ("model.x:a", 5, "takes no key", "model:kimi*"),
        ("score:<1", 5, "needs a key", "score.instruction-following"),
        ("score.x<1", 9, "lacks a “:”", "score.instruction-following"),
        ('x "a b', 2, "does not close", '"a b"'),
        ('x ""', 2, "hold nothing", '"delivered yesterday"'),
        ('say"hi"', 3, "inside a word", '"say""hi"""'),
        ('"a"b', 3, "A blank is missing", "doubled"),
        ("a - b", 2, "stands alone", "-tool:cancel*"),
        ("a --b", 2, "One “-”", '"--"'),
        ("a AND b", 2, "AND is no word", '"AND"'),
        ("a or", 2, "Nothing stands behind this “or”", '"or"'),
        ("OR a", 0, "Nothing stands before this “OR”", '"OR"'),
        ("a or or b", 5, "Nothing stands before", '"or"'),
        ("a (b or)", 5, "Nothing stands behind", '"or"'),
        ("a (b c", 2, "does not close", '"(b"'),
        ("a (b (c d)", 2, "does not close", '"(b"'),
        ("a -(", 3, "does not close", '"("'),
        ("a ()", 2, "hold nothing", '"()"'),
        ("(refund)", 0, "needs no parentheses", '"(refund)"'),
        ("(a b)c", 5, "A blank is missing before “c”", "(refund or return) cancelled"),
        ("a or b)", 6, "closes nothing", '"b)"'),
        ("(in:text or a) b", 1, "there are none", "in:reasoning policy"),
        ("*", 0, "letters before it", '"*"'),
        ("a\ud800", 1, "half a character", "UTF-8"),
    ],
)
def test_what_does_not_parse_says_where_and_what_would(text: str, position: int, says: str, offers: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert caught.value.position == position
    assert f"Column {position + 1}: " in caught.value.message
    assert says in caught.value.message
    assert offers in caught.value.hint


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a or b c", "a or (b c)"),
        ("a OR (b or model:x)", "a or b or model:x"),
        ("(a b)", "a b"),
        ("((a or b)) c", "(a or b) c"),
        ("model:x(1) or f(y)", "(model:x(1) or f(y))"),
        ("-(a)b", None),
        ("(get_order(x) or b) c", "c (get_order(x) or b)"),
    ],
)
def test_terms_side_by_side_bind_tighter_than_or(text: str, same: str | None) -> None:
    if same is None:
        with pytest.raises(QueryError):
            parse(text)
    else:
        assert parse(text) == parse(same)


@pytest.mark.parametrize("word", ["f(x)", ":)", "a)", "b(c", "order", "-or", "and", "or*"])
def test_words_with_parentheses_in_them_stay_words(word: str) -> None:
    (term,) = parse(f"x {word}").texts[1:]
    assert str(term) == word


def test_too_long_and_too_many_are_refused() -> None:
    with pytest.raises(QueryError, match="longer than"):
        parse("x" * 10_001)
    with pytest.raises(QueryError, match="more than 100"):
        parse("x " * 101)


def test_terms_about_reviews_are_set_aside_for_the_journals() -> None:
    query = parse("tag:false-claim by:ana model:kimi")
    assert [term.field for term in query.ledger] == ["tag", "by"]
    assert query.selection.parameters == ("kimi",)


def test_roles_and_parts_narrow_words_and_are_no_condition_of_their_own() -> None:
    selection = parse("role:agent,tool in:text,result refund").selection
    assert (selection.where, selection.scope.writers, selection.scope.parts) == (
        "",
        ("agent", "tool"),
        ("text", "result"),
    )
    assert "agent" not in parse("-role:agent refund").selection.scope.writers
    assert parse("role:agent").selection.where


def test_what_was_typed_is_never_part_of_the_sql() -> None:
    sly = "x');DROP"
    for text in (f'model:"{sly}"', f"meta.{sly}:{sly}", f"score.{sly}:{sly}", f"label:{sly}*", f"source:{sly}"):
        selection = parse(text).selection
        assert sly not in selection.where
        assert any(sly in str(value) for value in selection.parameters)


def test_a_value_matches_names_outside_the_store() -> None:
    assert Value("glob", "kimi*").matches("Kimi-k2")
    assert not Value("glob", "kimi*").matches("my-kimi")
    assert not Value("glob", "a*").matches(None)
    assert not Value("exactly", "kimi").matches("Kimi")
    assert Value("none").matches("")
    assert Value("is", "GRößE").matches("grÖSSE") is False
    assert Value("is", "GRößE").matches("größe")  # as SQLite's NOCASE has it: A to Z alone
    assert not Value("is", "GRÖßE").matches("größe")
    assert TextTerm("a b", "phrase").text == "a b"


@pytest.mark.parametrize("letters", ["ab*", "a*"])
def test_stars_stand_for_anything_wherever_they_stand(letters: str) -> None:
    chance = random.Random(letters)
    for _ in range(2_000):
        glob = "".join(chance.choices(letters, k=chance.randint(1, 7)))
        name = "".join(chance.choices("ab", k=chance.randint(1, 9)))
        plain = re.fullmatch(glob.replace("*", ".*"), name) is not None
        assert Value("glob", glob).matches(name) == plain, (glob, name)
