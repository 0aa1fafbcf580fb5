"""Finding words: what holds them, where they stand, and that the index changes nothing but the time it takes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.marks.anchors import words
from reviewer.transcripts import refs
from reviewer.transcripts.model import Case, Conversation, Score
from reviewer.transcripts.query import parse
from reviewer.transcripts.store import word_index
from reviewer.transcripts.store.connection import connect_reading
from reviewer.transcripts.store.intake import Intake
from reviewer.transcripts.store.neighbours import neighbour
from reviewer.transcripts.store.reader import Reader
from reviewer.transcripts.store.text_search import TextHit, TextSearch
from reviewer.transcripts.store.writer import Writer
from tests import builders
from tests.builders import agent, call, conversation, customer

TEXTS = {
    "plain": "It was delivered yesterday evening.",
    "shouted": "DELIVERED, he said",
    "inside": "undelivered and redelivered",
    "thought": "I see.</think> Fine",
    "chinese": "您的订单已经取消了，谢谢",
    "emoji": "thanks🙏 delivered🙂",
    "apostrophe": "I don’t know, she doesn't",
    "brackets": 'a [bold] 5" screen 100% _under_ back\\slash',
    "nul": "before\0refund after",
    "accents": "Die Rückgabe der GRÖSSE",
}


@pytest.fixture(params=["scanning", "indexed"])
def found(request: pytest.FixtureRequest, tmp_path: Path) -> object:
    """A function from a query to the cases whose conversations hold it, with and without the index."""
    path = builders.store(tmp_path, *(conversation(customer(text), case=name) for name, text in TEXTS.items()))
    if request.param == "indexed":
        assert word_index.update(path, folder=tmp_path)
    return lambda query: _cases(path, query, tmp_path)


def _cases(path: Path, query: str, folder: Path) -> set[str]:
    selection = parse(query).selection
    with closing(connect_reading(path)) as db:
        search = TextSearch(db, path, folder)
        where, parameters = search.where(selection)
        refs_found = {row[0] for row in db.execute(f"SELECT ref FROM conversations{where}", parameters).fetchall()}
        if any(not term.negated for term in selection.texts):
            assert {refs.parse(hit.ref).conversation for hit in search.hits(selection)} == refs_found
    return {ref.split("/")[1] for ref in refs_found}


@pytest.mark.parametrize(
    ("query", "cases"),
    [
        ("delivered", {"plain", "shouted", "emoji"}),
        ("deliver*", {"plain", "shouted", "emoji"}),
        ('"delivered"', {"plain", "inside", "emoji"}),
        ('"ivered yest"', {"plain"}),
        ('"was delivered yesterday"', {"plain"}),
        ('"was  delivered"', set()),
        ('"</think>"', {"thought"}),
        ("</think>", {"thought"}),
        ('"已经取消"', {"chinese"}),
        ("已经取消", {"chinese"}),
        ("订单 取消", {"chinese"}),
        ("don't", {"apostrophe"}),
        ("doesn’t", {"apostrophe"}),
        ('"5"" screen"', {"brackets"}),
        ("100%", {"brackets"}),
        ("[bold]", {"brackets"}),
        ("under", {"brackets"}),
        ("back\\slash", {"brackets"}),
        ("refund", {"nul"}),
        ('"refund after"', {"nul"}),
        ("rückgabe größe", set()),
        ("rückgabe grösse", {"accents"}),
        ("delivered -yesterday", {"shouted", "emoji"}),
        ('delivered -"yest" -🙏', {"shouted"}),
        ('"OR" AND*', set()),
        ('"NEAR(a b)"', set()),
        ("thanks🙏", {"emoji"}),
        ('-"e" -"E"', {"chinese"}),
    ],
)
def test_words_and_phrases_find_the_texts_that_hold_them(found: object, query: str, cases: set[str]) -> None:
    assert callable(found)
    assert found(query) == cases


def _hits(path: Path, query: str) -> list[TextHit]:
    with Reader(path) as reader:
        return list(reader.search.hits(parse(query).selection))


def test_a_hit_names_the_exact_place(tmp_path: Path) -> None:
    path = builders.store(
        tmp_path,
        conversation(
            customer("Where is #1130?"),
            agent(
                "On its way",
                call("get_order", '{"id":"#1130"}', '{"id":"#1130","status":"in transit"}'),
                reasoning="#1130 again, #1130",
            ),
        ),
    )
    hits = _hits(path, "#1130")
    assert [(hit.ref, hit.message, hit.where, hit.count) for hit in hits] == [
        ("kimi/used-item-1/1#1:9-14", 1, "text", 1),
        ("kimi/used-item-1/1#2.reasoning:0-5", 2, "reasoning", 2),
        ("kimi/used-item-1/1#2.1.arguments:7-12", 2, "arguments", 1),
        ("kimi/used-item-1/1#2.1.result:7-12", 2, "result", 1),
    ]
    assert all(hit.snippet[hit.start : hit.end] == "#1130" for hit in hits)
    assert all(str(refs.parse(hit.ref)) == hit.ref for hit in hits)


def test_snippets_keep_the_true_text(tmp_path: Path) -> None:
    path = builders.store(tmp_path, conversation(customer("a" * 200 + "\x1b[31m refund \u202e" + "b" * 200)))
    (hit,) = _hits(path, "refund")
    assert hit.snippet[hit.start : hit.end] == "refund"
    assert "\x1b[31m" in hit.snippet
    assert len(hit.snippet) < 200


def test_role_and_part_narrow_words(tmp_path: Path) -> None:
    path = builders.store(
        tmp_path,
        conversation(customer("refund"), agent("refund", call("refund", '"refund"', '"refund"'), reasoning="refund")),
    )
    assert {hit.where for hit in _hits(path, "role:agent refund")} == {"text", "reasoning", "arguments"}
    assert [hit.message for hit in _hits(path, "role:customer refund")] == [1]
    assert [hit.where for hit in _hits(path, "role:tool refund")] == ["result"]
    assert [hit.where for hit in _hits(path, "in:reasoning refund")] == ["reasoning"]
    assert [hit.where for hit in _hits(path, "-role:agent -role:tool refund")] == ["text"]
    assert _hits(path, "role:colleague refund") == []
    assert _hits(path, "role:customer in:reasoning refund") == []


def test_fields_and_words_together(tmp_path: Path) -> None:
    path = builders.store(
        tmp_path,
        conversation(customer("refund please"), model="kimi"),
        conversation(customer("refund now"), model="gpt"),
        conversation(customer("cancel"), model="gpt", case="other"),
    )
    assert [hit.ref for hit in _hits(path, "refund model:gpt")] == ["gpt/used-item-1/1#1:0-6"]
    assert [hit.ref for hit in _hits(path, "refund -now")] == ["kimi/used-item-1/1#1:0-6"]
    assert [hit.ref for hit in _hits(path, "please refund")] == ["kimi/used-item-1/1#1:0-6"]
    with Reader(path) as reader:
        assert reader.count(parse("refund").selection) == 2
        assert len(reader.ids(parse('-"refund"').selection)) == 1
        assert len(reader.first_ids(parse("refund").selection, 1)) == 1


FIELDED = Conversation(
    "kimi-k2",
    (customer("hi"), agent("hello", call("cancel_order", error="boom"))),
    case="airline-12",
    run=2,
    id="abc-1",
    started="2026-06-01 10:00:00",
    ended_by="turn-limit",
    scores=(Score("reward", 0.5, "gpt-5"), Score("grade", raw="C"), Score("follow", 1.0)),
    meta={
        "channel": "chat",
        "vip": True,
        "n": 3,
        "a.b": "x",
        "gone": None,
        "at": {"city": {"name": "Oslo"}, "n": 7},
        "when": "2026-06-03 10:00",
    },
    facts=Case("airline-12", "airline", "used_item", "adversarial", labels=("price-match", "50%")),
)


@pytest.mark.parametrize(
    "query",
    [
        "model:KIMI*,gpt", 'model:"kimi-k2"', "model:*k2", "case:airline-12", "suite:airline", "family:used_item",
        "bucket:adversarial", "label:price-match", "label:50%", "run:2", "run:1..3", "run:>=2", "id:abc*", "id:abc-1",
        "source:built.jsonl", "source:*jsonl", "role:customer", "role:tool", "tool:cancel*", "error:yes",
        "ended:turn-limit", "date:2026-06", "date:2026-06-01", "date:>2026-05-31", "date:<=2026-06-01",
        "date:2026-06-01..2026-06-02", "date:2026-05-31..2026-06-01", "date:2026-05..2026-06",
        "messages:2", "messages:<3", "calls:>0", "score.follow:1", "score.FOLLOW:>0.9",
        "score.reward@gpt-5:0.5", "score.reward:<0.6", "score.grade:c", "score.grade:*", "score.other:none",
        "meta.channel:chat", "meta.vip:true", "meta.n:3", "meta.n:>2", "meta.a.b:x",
        "meta.at.city.name:oslo", "meta.at.n:>6", "meta.n.x:none", "meta.at.city.gone:none",
        "meta.gone:none", "meta.no:none", "meta.when:>2026-05", "meta.when:<2026-07", "meta.when:>=2026-06-03",
        "meta.when:2026-05..2026-06", "meta.when:<=2026-06-03",
        "source:built*", "source:b*.jsonl",
        "-error:no", "-model:gpt", "-bucket:none", "-date:>2026-06-01",
    ],
)  # fmt: skip
def test_fields_let_through_what_they_name(query: str, tmp_path: Path) -> None:
    path = builders.store(tmp_path, FIELDED)
    with Reader(path) as reader:
        assert reader.count(parse(query).selection) == 1
        negated = query.removeprefix("-") if query.startswith("-") else f"-{query}"
        assert reader.count(parse(negated).selection) == 0


@pytest.mark.parametrize(
    "query",
    ["case:none", "suite:none", "family:none", "bucket:none", "label:none", "run:none", "id:none", "tool:none",
     "ended:none", "date:none", "score.reward:none", "meta.channel:none", "error:no", "calls:0"],
)  # fmt: skip
def test_none_finds_what_is_not_known(query: str, tmp_path: Path) -> None:
    bare = Conversation("gpt", (customer("hi"),))
    path = builders.store(tmp_path, FIELDED, bare)
    with Reader(path) as reader:
        (rowid,) = reader.ids(parse(query).selection)
        assert reader.rows([rowid])[0].model == "gpt"


@pytest.mark.parametrize("query", ["-case:airline*", "-family:used*", "-ended:turn-limit", "-date:2026", "-id:abc-1"])
def test_a_dash_lets_through_what_has_no_value_at_all(query: str, tmp_path: Path) -> None:
    path = builders.store(tmp_path, FIELDED, Conversation("gpt", (customer("hi"),)))
    with Reader(path) as reader:
        (rowid,) = reader.ids(parse(query).selection)
        assert reader.rows([rowid])[0].model == "gpt"


def test_another_judge_than_the_runs_own_must_be_named(tmp_path: Path) -> None:
    path = builders.store(tmp_path, FIELDED)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE runs SET judge = 'opus'")
    with Reader(path) as reader:
        assert reader.count(parse("score.reward:0.5").selection) == 0
        assert reader.count(parse("score.reward@gpt-5:0.5").selection) == 1


@pytest.mark.parametrize(("query", "there"), [("model:kimi* case:airline-12 run:2", 1), ("model:kimi* case:none", 0)])
def test_several_fields_must_all_hold(query: str, there: int, tmp_path: Path) -> None:
    with Reader(builders.store(tmp_path, FIELDED)) as reader:
        assert reader.count(parse(query).selection) == there


@pytest.mark.parametrize(
    ("query", "there"),
    [("built.jsonl", 1), ("BUILT.jsonl", 1), ('"built.jsonl"', 1), ('"BUILT.jsonl"', 0), ("May/built.jsonl", 1),
     ("logs/May/built.jsonl", 1), ("uilt.jsonl", 0), ("ay/built.jsonl", 0), ("logs/*", 1), ("b*", 0), ("logs", 0)],
)  # fmt: skip
def test_a_source_is_named_by_the_end_of_its_path(query: str, there: int, tmp_path: Path) -> None:
    path = builders.store(tmp_path, FIELDED)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE sources SET path = 'logs/May/built.jsonl'")
    with Reader(path) as reader:
        assert reader.count(parse(f"source:{query}").selection) == there


def test_globs_take_percent_and_underscore_for_themselves(tmp_path: Path) -> None:
    path = builders.store(tmp_path, conversation(case="a_b"), conversation(case="axb"), conversation(case="a%b"))
    with Reader(path) as reader:
        assert reader.count(parse("case:a_*").selection) == 1
        assert reader.count(parse("case:a%*").selection) == 1
        assert reader.count(parse("case:a*b").selection) == 3


def test_vocabulary_offers_what_the_store_holds(tmp_path: Path) -> None:
    path = builders.store(tmp_path, FIELDED, conversation(model="gpt"))
    with Reader(path) as reader:
        assert reader.vocabulary.values("model") == ["gpt", "kimi-k2"]
        assert reader.vocabulary.values("model", "KIM") == ["kimi-k2"]
        assert reader.vocabulary.values("tool") == ["cancel_order", "get_order"]
        assert reader.vocabulary.values("label", "p") == ["price-match"]
        assert reader.vocabulary.values("run") == ["1", "2"]
        assert reader.vocabulary.values("date") == ["2026-06-01"]
        assert reader.vocabulary.keys("score") == ["follow", "grade", "reward"]
        assert reader.vocabulary.keys("meta", "v") == ["vip"]
        assert reader.vocabulary.values("model", limit=1) == ["gpt"]
        assert reader.vocabulary.values("messages") == []


# -- the index ---------------------------------------------------------------------------------------------------------


def test_an_index_left_behind_still_finds_everything(tmp_path: Path) -> None:
    path = builders.store(tmp_path, conversation(customer("old refund"), case="old"))
    word_index.update(path, folder=tmp_path)
    _add(path, conversation(customer("new refund"), case="new"))
    assert _cases(path, "refund", tmp_path) == {"old", "new"}
    word_index.update(path, folder=tmp_path)
    assert _cases(path, "refund", tmp_path) == {"old", "new"}


def test_rows_numbered_anew_are_not_taken_for_the_old_ones(tmp_path: Path) -> None:
    path = builders.store(tmp_path, conversation(customer("first"), case="a"), conversation(customer("old"), case="b"))
    word_index.update(path, folder=tmp_path)
    with Writer(path) as writer:
        writer.delete([1, 2])
        writer.commit()
    _add(path, conversation(customer("refund"), case="c"), conversation(customer("old"), case="b"))
    assert _cases(path, "refund", tmp_path) == {"c"}
    assert word_index.update(path, folder=tmp_path)
    assert _cases(path, "refund", tmp_path) == {"c"}
    assert _cases(path, "first", tmp_path) == set()


def test_a_search_that_is_open_takes_up_an_index_made_afresh(tmp_path: Path) -> None:
    path = builders.store(tmp_path, conversation(customer("first"), case="a"))
    word_index.update(path, folder=tmp_path)
    selection = parse("refund").selection
    with closing(connect_reading(path)) as db:
        search = TextSearch(db, path, tmp_path)
        assert list(search.hits(selection)) == []
        with Writer(path) as writer:
            writer.delete([1])
            writer.commit()
        _add(path, conversation(customer("refund"), case="b"))
        assert len(list(search.hits(selection))) == 1
        assert word_index.update(path, folder=tmp_path)
        assert len(list(search.hits(selection))) == 1
        known = word_index.attach(db, path, tmp_path)
        assert known is not None
        assert known.missing == 0


def test_hits_of_a_query_without_words_are_none(tmp_path: Path) -> None:
    assert _hits(builders.store(tmp_path), "model:kimi -refund") == []


def test_a_damaged_index_is_made_again(tmp_path: Path) -> None:
    path = builders.store(tmp_path, conversation(customer("refund"), case="a"))
    index = neighbour(path, "words", tmp_path)
    index.parent.mkdir()
    for rubbish in (b"", b"rubbish" * 1_000):
        index.write_bytes(rubbish)
        assert _cases(path, "refund", tmp_path) == {"a"}
        assert word_index.update(path, folder=tmp_path)
        assert _cases(path, "refund", tmp_path) == {"a"}


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    path = builders.store(tmp_path, conversation(customer("refund"), case="a"))
    (tmp_path / "file").touch()
    assert not word_index.update(path, folder=tmp_path / "file")
    assert _cases(path, "refund", tmp_path / "file") == {"a"}


def test_indexes_of_stores_that_are_gone_are_cleared_away(tmp_path: Path) -> None:
    first = builders.store(tmp_path, name="first.db")
    second = builders.store(tmp_path, name="second.db")
    word_index.update(first, folder=tmp_path / "cache")
    first.unlink()
    word_index.update(second, folder=tmp_path / "cache")
    assert list((tmp_path / "cache" / "words").glob("*.db")) == [neighbour(second, "words", tmp_path / "cache")]


def test_progress_runs_to_the_end(tmp_path: Path) -> None:
    path = builders.store(tmp_path)
    seen: list[tuple[int, int]] = []
    word_index.update(path, lambda done, whole: seen.append((done, whole)), tmp_path)
    assert seen[-1] == (6, 6)


def _add(path: Path, *conversations: Conversation) -> None:
    with Writer(path) as writer:
        intake = Intake(writer, {"paths": ["more.jsonl"]})
        source = intake.source("more.jsonl", "interchange")
        for item in conversations:
            intake.add(item, source, "line 1")
        intake.end()


# -- what judges noted -------------------------------------------------------------------------------------------------


def judged(tmp_path: Path) -> Path:
    def noted(case: str, *notes: str | None, judge: str = "gpt-5") -> Conversation:
        scores = tuple(Score("tone", 1.0, judge, note) for note in notes)
        return replace(conversation(customer("A refund, please."), case=case), scores=scores)

    return builders.store(
        tmp_path,
        noted("a", None, "Polite throughout."),
        noted("b", "It promised a *refund*.", "No refund was made."),
        noted("c", "Rude.", judge=""),
    )


@pytest.mark.parametrize("indexed", [False, True])
def test_words_of_judges_are_looked_for_where_that_is_asked(tmp_path: Path, indexed: bool) -> None:
    path = judged(tmp_path)
    if indexed:
        word_index.update(path, folder=tmp_path)
    for query, cases in (
        ("in:judge refund", {"b"}),
        ("in:judge -refund", {"a", "c"}),
        ("in:judge,text refund", {"a", "b", "c"}),
        ("role:agent in:judge rude", {"c"}),
        ("in:judge promis* made", {"b"}),
        ('in:judge "efund*"', {"b"}),
        ("promised", set()),
        ("-in:judge refund", {"a", "b", "c"}),
    ):
        assert _cases(path, query, tmp_path) == cases, query


def test_a_hit_in_a_judges_note_names_its_place(tmp_path: Path) -> None:
    path = judged(tmp_path)
    hits = _hits(path, "in:judge refund")
    assert [hit.ref.partition("#")[2] for hit in hits] == ["judge.tone@gpt-5:15-21", "judge.tone@gpt-5:27-33"]
    assert hits[0].snippet[hits[0].start : hits[0].end] == "refund"
    with Reader(path) as reader:
        for hit in hits:
            assert words(reader.stored(hit.conversation), refs.parse(hit.ref)) == "refund"
    assert [hit.where for hit in _hits(path, "refund")] == ["text"] * 3
    assert [hit.ref.partition("#")[2] for hit in _hits(path, "in:judge rude")] == ["judge.tone:0-4"]
