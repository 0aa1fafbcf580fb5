"""What `--mask-customers` hides of written items in six languages, and what it leaves of ordinary support text."""

from __future__ import annotations

import json

import pytest

from tests import masking


def test_the_items_are_many_and_each_says_what_must_be_hidden() -> None:
    items = [item for name in masking.SETS for item in masking.particulars(name)]
    assert len(items) >= 200
    assert len({item.language for item in items}) == 6
    assert all(any("⟦" in text for _, text in item.texts) for item in items)
    assert len({item.texts for item in items}) == len(items)


@pytest.mark.parametrize("name", masking.SETS)
def test_the_structured_items_are_json(name: str) -> None:
    for item in (*masking.particulars(name), *masking.ordinary(name)):
        for message in item.stored.conversation.messages:
            for call in message.calls:
                json.loads(call.arguments or "null")
                json.loads(call.result or "null")
