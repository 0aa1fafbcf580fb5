"""Laws of cut cases: nothing of a person is left, whoever it is, and the same is replaced by the same."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from reviewer.benchmark.cuts.proposal import proposed
from reviewer.benchmark.live.fork_point import point_before
from tests import builders
from tests.builders import agent, call, customer

_NAME = st.from_regex(r"[A-Z][a-zà-öø-ÿ]{3,9}", fullmatch=True)
_DIGITS = st.from_regex(r"[1-9][0-9]{6}", fullmatch=True)
_ESCAPED = st.booleans()


def talk(first: str, last: str, order: str, zip: str, dob: str, escaped: bool) -> Any:
    mail, user = f"{first}.{last}{zip[:4]}@corp.test".lower(), f"{first}_{last}_{order[:4]}".lower()
    person = {"name": {"first_name": first, "last_name": last}, "email": mail, "user_id": user, "dob": dob, "zip": zip}
    told = json.dumps({"customer": person, "orders": [f"#W{order}"], "note": json.dumps(person)}, ensure_ascii=escaped)
    return builders.stored(
        customer(f"hi, {first.lower()} {last.upper()} here, {mail.upper()}, order W{order} or #W{order}. {zip}, {dob}"),
        agent(f"Hello {first}!", call("get_user", json.dumps({"user_id": user}), told)),
        agent(
            f"So {last}'s order {order} goes to {zip}.", call("get_order", json.dumps({"order_id": f"#W{order}"}), "{}")
        ),
        customer(f"Yes. {first[:1]}. {last}, {first}, {first.upper()}."),
        case=f"{first} {last}",
    )


@given(_NAME, _NAME, _DIGITS, st.from_regex(r"[1-9][0-9]{4}", fullmatch=True), st.dates(), _ESCAPED)
def test_nothing_of_anybody_is_left(first: str, last: str, order: str, zip: str, dob: Any, escaped: bool) -> None:
    words = set(re.findall(r"[^\W_]+", str(talk("", "", "", "", "", True)).lower()))
    assume(not {first.lower(), last.lower()} & words and first.lower() != last.lower())
    stored = talk(first, last, order, zip, str(dob), escaped)
    made = proposed(point_before(stored, 5))
    text = re.sub(r"\\\\?u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), made.text) + made.text
    for real in (first, last, order, zip, str(dob), "corp.test", f"W{order}"):
        assert not re.search(rf"(?<![^\W_]){re.escape(real)}(?![^\W_])", text, re.IGNORECASE), real
    person = json.loads(made.case.past[1].calls[0].result or "")
    again = json.loads(person["note"])
    assert again == person["customer"]
    assert (
        made.case.past[2].text
        == f"So {again['name']['last_name']}'s order {person['orders'][0][2:]} goes to {again['zip']}."
    )
    assert json.loads(made.case.past[2].calls[0].arguments or "") == {"order_id": person["orders"][0]}
