"""Stored conversations made into cases: where they are cut, what is replaced, what a person sees, what is written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from reviewer.basics.errors import ReviewerError, SourceError
from reviewer.benchmark.cuts.case_text import case_text
from reviewer.benchmark.cuts.cut_points import before_handover, checked, expected_of
from reviewer.benchmark.cuts.difference import lines, summary
from reviewer.benchmark.cuts.proposal import Proposal, proposed
from reviewer.benchmark.live.cut_cases import CutCase, LaterCall, cases_in, check_playable, cut_cases
from reviewer.benchmark.live.fork_point import PastPoint, point_at
from reviewer.cli.program import composed
from reviewer.imports.importer import Wishes, import_files
from reviewer.transcripts.model import Case, Message, Stored
from reviewer.transcripts.refs import Ref
from reviewer.transcripts.store.reader import Reader
from tests import builders, hostile
from tests.builders import agent, call, conversation, customer, store
from tests.transcripts import TRANSCRIPTS, needs_transcripts

PERSON = {
    "name": {"first_name": "Yusuf", "last_name": "Rossi"},
    "email": "yusuf.rossi7301@mail.test",
    "phone_number": "+1 (415) 867-5309",
    "address": {"address1": "763 Broadway", "address2": "Suite 135", "city": "Boise", "state": "ID", "zip": "83702"},
    "dob": "1990-04-05",
    "user_id": "yusuf_rossi_9620",
    "payment_methods": {"credit_card_9513926": {"last_four": "2478", "id": "credit_card_9513926"}},
    "orders": ["#W2378156"],
}
ORDER = {"order_id": "#W2378156", "price": 2478, "items": [{"item_id": "1656367028", "name": "Keyboard"}]}
TALK = (
    customer(
        "Hi, I'm Yusuf Rossi, zip 83702. YUSUF.ROSSI7301@MAIL.TEST! My order W2378156 never came to 763 broadway."
    ),
    agent("", call("find_user", '{"name":"Yusuf Rossi","zip":"83702"}', json.dumps(PERSON))),
    agent(
        "Thanks, Yusuf. Mr. Rossi, were you born on April 5, 1990?",
        call("get_order", '{"order_id":"#W2378156"}', json.dumps(ORDER)),
    ),
    customer("yes. fly me from Boise, rossi's card ends in 2478, it was $2478.00. call 415-867-5309"),
    agent("A colleague will look at it, Yusuf."),
    agent("", call("hand_over", '{"summary":"Yusuf Rossi (yusuf_rossi_9620) wants #W2378156"}', "ok")),
    Message("colleague", "Hello Yusuf, Jo here.", name="Jo Ferreira"),
    Message("colleague", "", calls=(call("cancel_order", '{"order_id":"#W2378156"}', '{"ok":true}'),)),
    customer("Thank you! ###STOP###"),
)  # fmt: skip
REAL = (
    "Yusuf", "Rossi", "yusuf.rossi7301", "mail.test", "867-5309", "763 Broadway", "83702", "1990-04-05",
    "April 5, 1990", "9620", "9513926", "W2378156", "2378156", "Ferreira",
)  # fmt: skip


def talk(*messages: Message, facts: Case | None = None) -> Stored:
    told = builders.stored(*(messages or TALK), case="lost-parcel", model="kimi")
    return replace(told, conversation=replace(told.conversation, facts=facts))


def cut(stored: Stored, **how: list[str]) -> Proposal:
    point = before_handover(stored)
    assert point is not None
    return proposed(point, **how)


def at(stored: Stored, number: int) -> PastPoint:
    return point_at(stored, Ref(stored.ref, number))


def texts_of(case: CutCase) -> Iterator[str]:
    yield from (text for text in (case.facts.persona, case.facts.goal, case.facts.opening) if text)
    for message in case.past:
        yield message.text
    for each in case.calls:
        yield from (text for text in (each.arguments, each.result, each.error) if text)


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(composed(["cases"]), ["cases", *words])
    code = result.exception.exit_code if isinstance(result.exception, ReviewerError) else result.exit_code
    return code, result.output + str(result.exception or "")


# Where it is cut.


def test_a_conversation_is_cut_before_the_agent_speaks_of_handing_over() -> None:
    point = before_handover(talk())
    assert point is not None
    assert (point.deciding, len(point.past)) == (5, 4)


def test_where_nobody_handed_over_there_is_no_cut() -> None:
    assert before_handover(talk(*builders.CANCELLED)) is None


def test_a_person_who_takes_over_without_a_call_is_a_handover() -> None:
    point = before_handover(talk(customer("Hello?"), Message("colleague", "Jo here.")))
    assert point is not None
    assert point.deciding == 2
    assert expected_of(point) == ("handover",)


def test_what_was_said_of_nothing_is_no_cut() -> None:
    assert before_handover(talk(agent("", call("hand_over")))) is None


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        (TALK[5:], ("cancel",)),
        (TALK[5:7], ("handover",)),
        ((agent("", call("cancel_order")), agent("", call("get_order"))), ("cancel",)),
        ((agent("", call("cancel_order")), agent("", call("hand_over"))), ("cancel", "handover")),
        ((agent("No."), customer("Oh.")), ()),
    ],
)
def test_what_was_done_behind_the_cut_is_expected(behind: tuple[Message, ...], expected: tuple[str, ...]) -> None:
    point = at(talk(*TALK[:4], *behind), 5)
    assert expected_of(point) == expected
    case = proposed(point).case
    assert case.facts.expected == expected
    assert case.facts.bucket == ("must-escalate" if expected == ("handover",) else "resolvable")


def test_what_was_called_behind_the_cut_is_kept_with_its_arguments_and_who_called() -> None:
    case = cut(talk()).case
    assert [(each.by, each.act, each.call.name) for each in case.later] == [
        ("agent", "handover", "hand_over"),
        ("colleague", "cancel", "cancel_order"),
    ]
    order = json.loads(case.later[1].call.arguments or "")["order_id"]
    assert re.fullmatch(r"#W\d{7}", order)
    assert case.facts.order == {"number": order}
    assert order in str((case.facts.extra or {})["resolves"])


# What is replaced.


def test_nothing_of_a_person_is_left_anywhere() -> None:
    made = cut(talk(facts=Case("lost-parcel", goal="You are Yusuf Rossi in 83702 (yusuf_rossi_9620).")))
    assert not [word for word in REAL if word.lower() in made.text.lower()]


def test_the_same_is_replaced_by_the_same_everywhere() -> None:
    case = cut(talk()).case
    person = json.loads(case.past[1].calls[0].result or "")
    first, last = person["name"]["first_name"], person["name"]["last_name"]
    assert case.past[0].text.startswith(f"Hi, I'm {first} {last}, zip {person['address']['zip']}.")
    assert f"{person['email']}".upper() in case.past[0].text
    assert f"My order {person['orders'][0][1:]} never came" in case.past[0].text
    assert f"Thanks, {first}. Mr. {last}, were you born" in case.past[2].text
    assert f"{last.lower()}'s card ends in {person['payment_methods'].popitem()[1]['last_four']}" in case.past[3].text
    assert person["user_id"].startswith(f"{first}_{last}_".lower())
    assert json.loads(case.past[2].calls[0].arguments or "") == {"order_id": person["orders"][0]}


def test_stand_ins_keep_the_shape() -> None:
    person = json.loads(cut(talk()).case.past[1].calls[0].result or "")
    assert re.fullmatch(r"#W[1-9]\d{6}", person["orders"][0])
    assert re.fullmatch(r"[a-z]+\.[a-z]+\d{4}@example\.com", person["email"])
    assert re.fullmatch(r"\+1 \(\d{3}\) 555-01\d\d", person["phone_number"])
    assert re.fullmatch(r"\d{5}", person["address"]["zip"])
    assert re.fullmatch(r"\d{3} \S.*", person["address"]["address1"])
    assert re.fullmatch(r"Suite \d{3}", person["address"]["address2"])
    assert re.fullmatch(r"1990-\d\d-\d\d", person["dob"])
    assert re.fullmatch(r"credit_card_\d{7}", next(iter(person["payment_methods"])))
    assert person["address"]["state"] == "ID"


def test_prices_products_days_and_places_stay() -> None:
    case = cut(talk()).case
    assert json.loads(case.past[2].calls[0].result or "")["price"] == 2478
    assert json.loads(case.past[2].calls[0].result or "")["items"] == ORDER["items"]
    assert "it was $2478.00" in case.past[3].text
    assert "fly me from Boise" in case.past[3].text


def test_a_town_is_replaced_in_an_address_and_said_where_it_is_only_a_place() -> None:
    made = cut(talk())
    person = json.loads(made.case.past[1].calls[0].result or "")
    assert person["address"]["city"] != "Boise"
    assert [(each.text, each.places) for each in made.leftovers if "town" in each.why] == [("Boise", ("goal", "#4"))]
    assert "Boise" not in cut(talk(), also=["Boise"]).text


def test_a_person_may_keep_words_and_have_others_replaced() -> None:
    made = cut(talk(), keep=["83702"], also=["never came"])
    assert "zip 83702." in made.case.past[0].text
    assert "never came" not in made.text


def test_it_follows_from_the_conversation_alone() -> None:
    assert cut(talk()).text == cut(talk()).text
    other = talk(*TALK, customer("Bye."))
    assert cut(other).case.past[0].text != cut(talk()).case.past[0].text


def test_no_stand_in_is_another_real_value_of_the_conversation() -> None:
    names = personal_names()
    people = [{"first_name": name, "zip": f"{10_000 + 7 * number}"} for number, name in enumerate(names)]
    made = cut(talk(customer("Hi"), agent("", call("get_users", "{}", json.dumps(people))), customer("So?"), *TALK[5:]))
    after = json.loads(made.case.past[1].calls[0].result or "")
    assert not {each["first_name"] for each in after} & set(names)
    assert len({each["first_name"] for each in after}) == len(names)
    assert not {each["zip"] for each in after} & {each["zip"] for each in people}


def personal_names() -> list[str]:
    from faker.providers.person.en_US import Provider

    return sorted(name for name in Provider.first_names if len(name) > 2 and name.isalpha())[:600]


@pytest.mark.parametrize(
    ("result", "kept"),
    [
        ('{"passengers": ["Noor Haddad"], "pnr":"W2378156"}', '{"passengers": ["'),
        ("{'name': 'Noor Haddad', 'note': \"it's Noor\"}", "{'name': '"),
        ('{"name":"Noor Haddad","said":"{\\"email\\":\\"noor@haddad.test\\"}"}', '"said":"{\\"email\\":\\"'),
        ('{"customer_name":"No\\u00f6r Haddad","n":1.50}', ',"n":1.50}'),
        ("Name: Noor Haddad\nZip code: 83702\nOrder ID: #W2378156 (open)", "\nOrder ID: #W"),
        ('"Noor Haddad, account number 5521907"', '"'),
    ],
)
def test_a_result_is_changed_in_its_texts_and_else_as_it_was(result: str, kept: str) -> None:
    said = customer("My name is Noor Haddad. My name is Noör Haddad.")
    made = cut(talk(said, agent("", call("get_user", "{}", result)), customer("So?"), *TALK[5:6]))
    after = made.case.past[1].calls[0].result or ""
    assert kept in after
    for word in ("Noor", "Haddad", "noor", "haddad", "oör", "u00f6", "83702", "W2378156", "5521907"):
        assert word not in after
    if result.startswith('{"'):
        assert json.loads(after).keys() == json.loads(result).keys()


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("Mail me: li.wei@corp.test please", "li.wei@corp.test"),
        ("my number is 020 7946 0958", "020 7946 0958"),
        ("Card 4242 4242 4242 4242", "4242 4242"),
        ("SSN 078-05-1120", "078-05-1120"),
        ("IBAN DE89 3704 0044 0532 0130 00", "0532 0130"),
        ("I ask about order number 55219-07", "55219"),
        ("Reservation Z7GOZK", "Z7GOZK"),
        ("About #W1234567!", "W1234567"),
        ("I am at 48 Alder Court", "Alder"),
        ("from 203.0.113.77", "203.0.113.77"),
        ("My name is Ngozi Okafor", "Okafor"),
        ("我叫李小雷", "李小雷"),
        ("hi, my name is conor o'brien and i wait", "brien"),
        ("My name is Siobhan Ryan. That is R-Y-A-N.", "R-Y-A-N"),
        ("My wife Siobhan waits", "Siobhan"),
        ("Where is it?\n\nBest,\nSiobhan", "Siobhan"),
        ("Ask Mrs. Adeyemi!", "Adeyemi"),
        ("It is the card ending in 4455.", "4455"),
        ("My phone number: 5558675309", "5558675309"),
        ("Send it to 48 Alder Court, Apt 3B, Portland, OR 97209.", "97209"),
        ("Send it to 48 Alder Court, Apt 3B, Portland, OR 97209.", "Portland"),
        ("It is 9 Larch Close, Guildford GU2 7QT", "GU2 7QT"),
        ("To 8420 NW 66th St, Suite 12-4471, Doral", "66th"),
        ("1503 Brunswick Ave, Toronto, ON M5S 2L9", "Toronto"),
    ],
)
def test_what_only_words_tell_is_replaced_too(said: str, gone: str) -> None:
    made = cut(talk(customer(said), *TALK[4:6]))
    assert gone not in made.text
    assert made.pairs


@pytest.mark.parametrize(
    "said",
    [
        "The total is 12,500.00 USD",
        "Flight HAT123 on 2024-05-20",
        "I will mark it, may I?",
        "3 of 4 items",
        "5% of 200",
    ],
)
def test_what_tells_nobody_stays(said: str) -> None:
    assert cut(talk(customer(said), *TALK[4:6])).case.past[0].text == said


def test_a_name_that_is_a_word_is_replaced_as_it_is_written() -> None:
    said = (
        customer("My name is Summer Brown. I liked the brown one this summer."),
        agent("Hello Summer, this summer the brown bag is on sale."),
        customer("Then please, Summer waits."),
    )
    past = cut(talk(*said, *TALK[5:6])).case.past
    assert "Summer" not in " ".join(message.text for message in past)
    assert "this summer the brown bag" in past[1].text


def test_what_looks_personal_and_is_not_sure_is_listed() -> None:
    made = cut(talk(customer("It is for Ngaire and Deborah, ref 7781 2290 44, see https://corp.test/x"), *TALK[4:6]))
    told = {each.text for each in made.leftovers}
    assert {"Deborah", "7781 2290 44", "https://corp.test/x"} <= told
    assert any("Deborah" in line and "#1" in line for line in summary(made))


def test_a_word_that_is_no_name_stays_whatever_field_it_stands_in() -> None:
    result = '{"customer":"gold","customer_name":"N/A","recipient":"unknown","user":{"name":"noor"}}'
    said = customer("I am gold, unknown, N/A. noor")
    past = cut(talk(said, agent("", call("get_user", "{}", result)), *TALK[4:6])).case.past
    assert past[0].text.startswith("I am gold, unknown, N/A. ")
    assert "noor" not in past[0].text


@pytest.mark.parametrize(
    ("key", "value", "shape"),
    [
        ("dob", "04/07/1990", r"(?!04/|../07)(?:0\d|1[0-2])/(?:0\d|1[0-2])/1990"),
        ("birth_date", "4 April 1990", r"(?!4 )\d{1,2} April 1990"),
        (
            "address",
            "763 Elm Street Apt 4, Boise, ID 83702",
            r"(?!763)\d{3} (?!Elm).*, (?!Boise).*, ID (?!83702)\d{5}",
        ),
        ("address_line_2", "PO Box 7714", r"PO Box (?!7714)\d{4}"),
        ("address", "Flat 3, 12 Larch Close", r"Flat \d, \d\d (?!Larch)[A-Z].*"),
        ("mobile", "+353 86 123 4567", r"\+353 (?!86 123)\d\d \d{3} \d{4}"),
        ("customer_id", "3f2a91bc-77aa-4e01-9d55-0a1b2c3d4e5f", r"(?!3f2a)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
        ("user_id", "andré_müller_3668", r"(?!andré)[a-z]+_(?!müller)[a-z]+_(?!3668)\d{4}"),
        ("user_id", "AndreMueller22", r"(?!andremueller)[a-z]+(?!22)\d\d"),
        ("customer_id", "ROSSI12345", r"(?!ROSSI)[A-Z]+(?!12345)\d{5}"),
        ("customer_id", "CUST-00123-X7", r"CUST-(?!00123)\d{5}-(?!X7)[A-Z]\d"),
        ("login", "jsmith22", r"(?!jsmith)[a-z]+(?!22)\d\d"),
        ("iban", "DE89370400440532013000", r"DE(?!8937)\d{20}"),
    ],
)
def test_a_field_becomes_one_of_the_same_shape(key: str, value: str, shape: str) -> None:
    result = json.dumps({"user": {key: value}})
    past = cut(talk(customer("Hi"), agent("", call("get_user", "{}", result)), customer("So?"), *TALK[5:6])).case.past
    after = json.loads(past[1].calls[0].result or "")["user"][key]
    assert re.fullmatch(shape, after), after


def test_a_town_of_no_address_is_none_of_somebodys() -> None:
    airports = '[{"iata":"BOI","city":"Boise"},{"iata":"JFK","city":"New York"}]'
    made = cut(talk(customer("Hi, I'm off to Boise."), agent("", call("list_airports", "{}", airports)), *TALK[4:6]))
    assert made.case.past[1].calls[0].result == airports
    assert made.case.past[0].text == "Hi, I'm off to Boise."


def test_a_code_in_capitals_is_nobodys_name() -> None:
    flight = '{"origin":"MIA","passenger_name":"MIA Rossi"}'
    past = cut(
        talk(customer("MIA to BOS, says Mia."), agent("", call("get_flight", flight, "{}")), *TALK[4:6])
    ).case.past
    assert past[0].text.startswith("MIA to BOS, says ")
    assert not past[0].text.endswith("Mia.")
    assert json.loads(past[1].calls[0].arguments or "")["origin"] == "MIA"


def test_a_synthetic_past_says_so() -> None:
    assert cut(replace(talk(), synthetic=True)).case.facts.labels == ("synthetic-past",)
    assert cut(talk()).case.facts.labels == ()


# What is written.


def test_the_file_comes_back_as_the_case(tmp_path: Path) -> None:
    made = cut(talk(facts=Case("lost-parcel", family="lost", forbidden=("cancel",), persona="Calm.", goal="A parcel.")))
    path = tmp_path / made.name
    path.write_text(made.text, "utf-8")
    (back,) = cases_in(path)
    later = tuple(each._replace(place="") for each in made.case.later)
    assert replace(back, facts=replace(back.facts, suite=None)) == replace(made.case, later=later)
    check_playable([back], "test-desk")


_AWKWARD = ('"""', "'''", "\\", '"', "'", '\\"""', "\r\n", "\n\n", '"\n', "\x7f\x00", "\u2028", ' \n"""" ')
_ANY = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from([*_AWKWARD, hostile.told(hostile.EVIL)])


@given(st.lists(_ANY, min_size=4, max_size=4), st.booleans())
def test_any_text_comes_back_equal(texts: list[str], called: bool) -> None:
    facts = Case("a", "cut", "f", "resolvable", goal=texts[0] or None, opening=texts[1], extra={"resolves": texts[2]})
    made = call("t", texts[1], texts[2], texts[3])
    past = (agent(texts[0], made) if called else agent(texts[3]), customer(texts[3]))
    case = CutCase(facts, None, texts[2], {}, "d", tuple(map(plain, past)), (LaterCall("agent", "read", made),))
    told = tomllib.loads(case_text(case))
    entry = told["case"][0]
    assert [told["resolves"], entry["opening"], entry["style"], entry.get("goal") or ""] == [
        texts[2], texts[1], texts[2], texts[0],
    ]  # fmt: skip
    assert [each["text"] for each in entry["past"]] == [message.text for message in past]
    assert [entry["later"][0][name] for name in ("arguments", "result", "error")] == texts[1:]


def plain(message: Message) -> Message:
    return Message(message.role, message.text, calls=message.calls)


def test_hostile_words_reach_neither_the_terminal_nor_the_file_as_they_are() -> None:
    evil = customer(f"My name is Evil Person {hostile.EVIL}")
    made = cut(talk(evil, agent(hostile.EVIL, call("t", hostile.EVIL, hostile.EVIL)), customer("x"), *TALK[5:6]))
    assert not hostile.HIDDEN.search(made.text.replace("\t", ""))
    tomllib.loads(made.text)
    assert "/" not in made.name


def test_a_file_name_is_one_whatever_the_case_is_called() -> None:
    named = replace(talk(), conversation=replace(talk().conversation, case="../../etc/Yusuf Rossi/" + "x" * 200))
    made = cut(named)
    assert re.fullmatch(r"[\w.@+-]{1,90}\.toml", made.name)
    assert not made.name.startswith(".")
    assert "yusuf" not in made.text.lower()


def test_what_nobody_said_a_person_has_to_fill_in(tmp_path: Path) -> None:
    made = cut(talk())
    assert made.to_fill_in == ("persona",)
    assert "“Hi, I'm" in (made.case.facts.goal or "")
    assert "STOP" not in (made.case.facts.goal or "")
    (tmp_path / made.name).write_text(made.text, "utf-8")
    read = cut_cases(tmp_path)
    with pytest.raises(SourceError, match=r"“lost-parcel@.*” cannot be played: “persona” is empty"):
        check_playable(read, "test-desk")
    with pytest.raises(SourceError, match="is a case of the desk test-desk, not of northline"):
        check_playable(read, "northline")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[case]", "cannot be read as TOML"),
        ("family = 'x'", r"has no \[\[case\]\]"),
        ("case = 3", r"has no \[\[case\]\]"),
        ("[[case]]\nid = 'a'", "entry 1: “bucket” is missing"),
        ("[[case]]\nbucket = 'x'", "the bucket “x” is none of"),
        ("[[case]]\nbucket = 'resolvable'\nid = 3", "“id” is no text in quotes"),
        ("{BASE}", "“past” does not end with words"),
        ("{BASE}\npast = 3", "“past” is no list of tables"),
        ("{BASE}\n[[case.past]]\nrole = 'nobody'", "past 1: “role” is “nobody”, and none of"),
        ("{BASE}\n[[case.past]]\nrole = 'agent'\ntext = 'x'", "“past” does not end with words"),
        ("{BASE}\nexpected = 'x'", "“expected” is no list"),
        ("{BASE}\n[[case.past]]\nrole = 'agent'\n[[case.past.calls]]\nresult = 'x'", "call 1: “name” is missing"),
    ],
)
def test_a_file_that_is_no_case_is_refused_in_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    names = ("id", "family", "desk", "style", "opening", "resolves")
    base = "\n".join(["[[case]]", "bucket = 'resolvable'", *(f"{name} = 'x'" for name in names)])
    (tmp_path / "a.toml").write_text(text.replace("{BASE}", base), "utf-8")
    with pytest.raises(SourceError, match=said):
        cut_cases(tmp_path)


def test_a_folder_without_cases_or_with_one_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no case in it"):
        cut_cases(tmp_path)
    with pytest.raises(SourceError, match="is no folder"):
        cut_cases(tmp_path / "nowhere")
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(cut(talk()).text, "utf-8")
    with pytest.raises(SourceError, match="stands there twice"):
        cut_cases(tmp_path)


# What a person sees and says.


@pytest.fixture
def path(tmp_path: Path) -> Path:
    told = conversation(*TALK, case="lost-parcel")
    return store(tmp_path, told, conversation(*builders.CANCELLED, case="cancelled"))


def test_nothing_is_written_before_somebody_has_approved_it(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert run(str(path), "--cut", "handover", "-o", str(folder)) == (
        2,
        "Nobody is at a terminal to approve what is replaced. Look at it with --dry-run, then say --yes.",
    )
    code, said = run(str(path), "--cut", "handover", "-o", str(folder), "--dry-run")
    assert code == 0
    assert "Rossi" in said
    assert "- Hi, I'm Yusuf Rossi, zip 83702" in said
    assert "a person has to fill in before it can be played: persona." in said
    assert "Shown: 1. Nothing was written." in said
    assert not folder.exists()
    code, said = run(str(path), "--cut", "handover", "-o", str(folder), "--yes")
    assert code == 0
    assert "Left out, because nobody handed over: 1." in said
    assert f"Written into {folder}: 1 of 1." in said
    (case,) = cut_cases(folder)
    assert not [word for text in texts_of(case) for word in REAL if word in text]


def test_what_a_terminal_must_not_see_is_shown_as_signs(tmp_path: Path) -> None:
    bad = hostile.told(hostile.EVIL)
    evil = customer(f"My name is Evil Person {bad} evil {bad} #W1234567{bad}")
    result = json.dumps({"customer_name": bad, "order_id": "#W1234567", "x": bad})
    told = conversation(evil, agent(bad, call("get_order", "{}", result)), *TALK[3:], case=hostile.told(hostile.NAME))
    path = store(tmp_path, told)
    for words in (["--dry-run"], ["-o", str(tmp_path / "out"), "--yes"]):
        code, said = run(str(path), "--cut", "handover", *words)
        assert code == 0
        assert not hostile.HIDDEN.search(said)
    (written,) = (tmp_path / "out").iterdir()
    assert not hostile.HIDDEN.search(written.read_text("utf-8").replace("\t", ""))
    assert len(cut_cases(tmp_path / "out")) == 1


def test_what_is_there_is_left_as_it_is(path: Path, tmp_path: Path) -> None:
    run(str(path), "--cut", "handover", "-o", str(tmp_path / "out"), "--yes")
    (written,) = (tmp_path / "out").iterdir()
    written.write_text("mine", "utf-8")
    code, said = run(str(path), "--cut", "kimi/lost-parcel/1#5", "-o", str(tmp_path / "out"), "--yes")
    assert code == 0
    assert "is there already, and is left as it is" in said
    assert written.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Where is it cut?"),
        (["--cut", "handover"], "Where do the cases go?"),
        (["--cut", "kimi/lost-parcel/1#99", "--dry-run"], "has 9 messages"),
        (["--cut", "kimi/nobody/1#2", "--dry-run"], "Nothing stands at kimi/nobody/1"),
        (["--cut", "kimi/lost-parcel/1", "--dry-run"], "names no message"),
        (["--cut", "nonsense", "--dry-run"], "is not a reference"),
        (["family:x", "--cut", "kimi/lost-parcel/1#5", "--dry-run"], "--cut names the one conversation"),
        (["--cut", "handover", "-o", "{store}"], "is a file"),
        (["bucket:", "--cut", "handover", "--dry-run"], "bucket"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(words: list[str], said: str, path: Path) -> None:
    code, told = run(str(path), *(word.replace("{store}", str(path)) for word in words))
    assert code == 2
    assert said in told


def test_a_query_without_a_handover_is_no_success(path: Path) -> None:
    code, said = run(str(path), "case:cancelled", "--cut", "handover", "--dry-run")
    assert (code, "nobody handed over: 1." in said) == (2, True)


def test_a_store_without_a_desk_says_what_is_lacking(tmp_path: Path) -> None:
    bare = store(tmp_path, conversation(*TALK), desk=False)
    code, said = run(str(bare), "--cut", "handover", "--dry-run")
    assert code == 2
    assert "Nothing says what the tools of kimi/used-item-1/1 mean" in said


@pytest.mark.parametrize(("answer", "written"), [(b"y\n", 1), (b"n\n", 0)])
def test_at_a_terminal_each_case_is_asked_for(answer: bytes, written: int, path: Path, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    command = [
        sys.executable,
        "-P",
        "-m",
        "reviewer",
        "cases",
        str(path),
        "--cut",
        "handover",
        "-o",
        str(tmp_path / "out"),
    ]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as program:
        os.close(theirs)
        said = b""
        while b"[y/N]" not in said:
            said += os.read(ours, 4_096)
        os.write(ours, answer)
        while True:
            try:
                said += os.read(ours, 4_096)
            except OSError:
                break
        assert program.wait() == 0
    os.close(ours)
    assert f": {written} of 1.".encode() in said
    assert len(list((tmp_path / "out").glob("*.toml"))) == written


def test_the_lines_of_a_change_have_what_stands_around_it() -> None:
    said = list(lines(cut(talk())))
    before = next(line for line in said if line.startswith("    - Hi, I'm Yusuf"))
    after = said[said.index(before) + 1]
    assert after.startswith("    + Hi, I'm ")
    assert "Yusuf" not in after
    assert all(len(line) < 900 for line in said)


# Real ones.

FILES = {
    "airline": "tau-bench-sierra/historical_trajectories/gpt-4o-airline.json",
    "retail": "tau-bench-madhav-kanda/final_results/tool-calling-l0-4o.json",
}
FIELDS = (
    "first_name",
    "last_name",
    "email",
    "user_id",
    "zip",
    "address1",
    "order_id",
    "reservation_id",
    "payment_id",
    "dob",
)


@needs_transcripts
@pytest.mark.parametrize("name", FILES)
def test_nothing_that_real_results_tell_of_people_is_in_a_case(name: str, tmp_path: Path) -> None:
    import_files([TRANSCRIPTS / FILES[name]], tmp_path / "real.db", Wishes())
    made = 0
    with Reader(tmp_path / "real.db") as reader:
        for rowid in list(reader.ids())[::6]:
            stored = reader.stored(rowid)
            point = before_handover(checked(stored)) or last_point(stored)
            if point is None:
                continue
            text = proposed(point).text
            made += 1
            standing = {word.lower() for word in re.findall(r"[\w@.#-]+", text)}
            real = {value for raw in results(stored) for value in personal(json.loads(raw))}
            assert not {value for value in real if value.lower() in standing - {"mia"}}, stored.ref  # MIA is an airport
    assert made > 10


def last_point(stored: Stored) -> PastPoint | None:
    messages = stored.conversation.messages
    spoken = [number for number, message in enumerate(messages, start=1) if message.role == "agent"]
    return at(stored, spoken[-1]) if spoken and len(messages) > 2 else None


def results(stored: Stored) -> Iterator[str]:
    for message in stored.conversation.messages:
        for each in message.calls:
            yield from (raw for raw in (each.arguments, each.result) if raw and is_json(raw))


def is_json(raw: str) -> bool:
    try:
        json.loads(raw)
    except ValueError:
        return False
    return True


def personal(value: object, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from personal(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from personal(each, key)
    elif isinstance(value, str) and key in FIELDS and len(value) > 2:
        yield value
