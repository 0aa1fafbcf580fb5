"""What `--mask-customers` hides of written items in six languages, and what it leaves of ordinary support text."""

from __future__ import annotations

import json
import re
from typing import get_args

import pytest

from reviewer.cli.export import MaskCustomers
from reviewer.figures.export.customers import HiddenCustomers
from reviewer.figures.export.masks import Mask
from reviewer.transcripts.particulars.json_text import is_json
from tests import builders, masking
from tests.arch.code_base import ROOT
from tests.builders import agent, call, customer


def test_the_items_are_many_and_each_says_what_must_be_hidden() -> None:
    items = [item for name in masking.SETS for item in masking.particulars(name)]
    assert len(items) >= 200
    assert len({item.language for item in items}) == 6
    assert all(any("⟦" in text for _, text in item.texts) for item in items)
    assert len({item.texts for item in items}) == len(items)


@pytest.mark.parametrize("name", masking.SETS)
def test_the_structured_items_are_json_and_stay_so(name: str) -> None:
    ordinary = masking.ordinary(name) if name in masking.WITH_ORDINARY else []
    for item in (*masking.particulars(name), *ordinary):
        masked = Mask([], hide_customers=True).conversation(item.stored)
        for stored in (item.stored, masked):
            for made in (each for message in stored.conversation.messages for each in message.calls):
                json.loads(made.arguments or "null")
                json.loads(made.result or "null")


def test_the_printed_figures_of_masking_are_true() -> None:
    """What `docs/trust.md` and the help of `--mask-customers` say of hidden items and changed texts."""
    page = (ROOT / "docs" / "trust.md").read_text("utf-8")
    printed = [re.findall(r"(\d+) of (\d+)", row) for row in re.findall(r"(?m)^  \|.+\d of \d.+$", page)]
    hidden = {name: [not item.left for item in masking.particulars(name)] for name in masking.SETS}
    changed = {name: [item.changed for item in masking.ordinary(name)] for name in masking.WITH_ORDINARY}
    figures = {name: [_share(hidden[name]), *([_share(changed[name])] if name in changed else [])] for name in hidden}
    assert printed == list(figures.values())
    of_unused = _share([each for name in masking.UNUSED for each in hidden[name]])
    said = get_args(MaskCustomers)[1].help
    assert re.findall(r"(\d+) of (\d+)", said) == [of_unused, _share(changed["beforehand"])]


def _share(those: list[bool]) -> tuple[str, str]:
    return str(sum(those)), str(len(those))


@pytest.mark.parametrize(
    ("result", "hidden"),
    [
        ('{"note": "Kind regards,\\nMia Li", "name": "Duffel"}', "Mia"),
        ('{"customer": {"name": "J\\u00fcrgen Wei\\u00df"}}', "fcrgen"),
        ("{'customer': {'name': 'Mia Li'}}", "Mia"),
        ('"{\\"customer\\": {\\"phone\\": 2085550199}}"', "2085550199"),
        ('{"mia_li_3668": {"phones": [2085550199, {"number": 1}]}}', "2085550199"),
        ('[{"tel": "+49 30 901820"}, "mia@example.org", 7]', "901820"),
    ],
)
def test_what_is_hidden_in_json_leaves_it_as_it_is_written(result: str, hidden: str) -> None:
    stored = builders.stored(customer("I am Mia Li."), agent("", call("look", "{}", result)))
    masked = Mask([], hide_customers=True).conversation(stored).conversation.messages[1].calls[0].result or ""
    assert hidden in result
    assert hidden not in masked
    assert "[customer]" in masked
    assert is_json(masked)
    assert ("Duffel" in masked) is ("Duffel" in result)


def test_a_piece_of_json_is_hidden_like_the_whole() -> None:
    """A quote may begin and end within JSON, where it is read with its escapes."""
    known = json.dumps({"name": {"first_name": "Jürgen", "last_name": "Weiß"}, "phone": 2085550199})
    stored = builders.stored(agent("", call("look", "{}", json.dumps({"text": known}))))
    people = HiddenCustomers([stored])
    for piece in (r'me": "J\u00fcrgen", "la', r"\"J\\u00fcrgen\"", "phone: 2085550199", r"hello\nJürgen"):
        assert not re.search("rgen|2085", people.hidden_in(piece)), piece


@pytest.mark.parametrize(
    "text",
    [
        "Please look at this point it is at 180.93 dollars, and at which point you come.",
        '{"Portable Charger": "6942297802", "Headphones": "6992935", "Smart Phone": 1801728040}',
        "Your call about order 1008292230 and item 6942297802 has ended.",
        "Ich bin am Montag 3 Tage weg, Platz 2 ist frei. Siehe Seite 12.",
        "We sent it via UPS 2 days ago, and via Hermes 3 days before.",
    ],
)
def test_ordinary_words_are_left(text: str) -> None:
    """Each of them was taken for a particular while the rules were made."""
    stored = builders.stored(customer("Hi"), agent(text) if text[0] != "{" else agent("", call("look", "{}", text)))
    assert masking.masked_texts(stored) == masking.texts(stored)
