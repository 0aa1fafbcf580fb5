"""Reads about what a shop has: products and stock that no result shows, an old parcel's number for the new one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.findings.reads.dossier import Dossier, Evidence, Suggestion
from reviewer.findings.reads.excerpt_words import short
from reviewer.findings.reads.moods import mood
from reviewer.findings.reads.steps import Turn
from reviewer.findings.reads.typed_values import facts
from reviewer.transcripts.refs import Absence

_REACH = 60
_STOCK = re.compile(
    r"(?<![#\w.,$€£])(?:(?:only |just )?(?P<count>\d{1,4}) (?:(?:was|were|are) )?(?:left(?=$|[.,;!)]| in stock\b"
    r"| now\b| at the moment\b)(?: in stock)?|in stock|units? (?:left|available))|(?:is|are|it['’]s|they['’]re|be"
    r"|currently|still|back) (?:back )?(?:in stock|out of stock|sold out|restocked|being restocked"
    r"|on back-?order)(?: in all [\w ]{3,20})?|(?:low|running low) (?:in|on) stock|waiting for new stock"
    r"|almost sold out)\b",
    re.IGNORECASE,
)
"""How it is said what is in stock."""
_STOCK_FIELD = re.compile(r"stock|inventory|availab|quantity_left|on_hand|units")
_HINTS = ("stock", "left", "sold out", "back-order", "backorder", " units")
_FIGURE = re.compile(r"\d{1,6}")
_STOCK_WORD = re.compile(
    r"\b(?:in stock|out of stock|stock|inventory|available|availability|sold out|seats?)\b", re.IGNORECASE
)
_NAME = r"[A-Z][\w'’-]*[a-z0-9](?: (?:[A-Z][\w'’-]*|\d+\w{0,3})){1,4}"
_OFFERED = re.compile(
    rf"(?:\b[Aa]dd (?:our|the|a)|\b[Pp]air(?:s|ed)? (?:it|them|this|that)? ?with (?:the|our|a)"
    rf"|\b[Hh]ave a look at (?:the|our)"
    rf"|\b(?:recommend|suggest|try|love|like) (?:our|the)|\b[Oo]ur|\bWe also (?:have|offer|carry|sell) (?:the|a))"
    rf" \*{{0,2}}(?P<after>{_NAME})"
    rf"|\b[Tt]he \*{{0,2}}(?P<before>{_NAME})\*{{0,2}}(?= (?:would|goes|pairs|is (?:a|our|very|also) \w+))"
)
"""How a product is offered by its name."""
_NO_PRODUCT = re.compile(
    r"\b(?:New|Payment|Method|Address|Details|Status|Options?|Request|Help|Contact|FAQ|Page|Guide|Warranty|Gift|Member"
    r"|Policy|Team|Terms|Support|Service|Center|Centre|Department|Customer|Store|Shop|App|Website|Portal|Plan"
    r"|Program(?:me)?|Credit|Card|Account|Order|Return|Refund|Store|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday"
    r"|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_SEARCHES = re.compile(r"product|catalog|variant|inventory|merch", re.IGNORECASE)
_NEW = re.compile(
    r"\b(?:new (?:one|parcel|shipment|package|order|tracking|number)|replacement(?:['’]s)?|second (?:parcel|shipment)"
    r"|resend|re-?shipment|what we(?:['’]re| are) sending(?: now)?|sent again)\b",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"\b(?:old|first|previous|original|earlier|was|were|won['’]t|not|n['’]t|don['’]t|no longer|any ?more|yet"
    r"|cancell?ed|instead of)\b",
    re.IGNORECASE,
)
_SENDS = frozenset({"reship", "replace", "exchange"})


def fabricated_inventory(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the agent says what is in stock, and no result so far has a field for it; for a number, no number.

    An opportunity is such a sentence, said as a fact. Abstain on denials, questions and conditions, where a prompt or
    the case's context speaks of stock, and without any call that came back. Known to confuse: seats, rooms and
    other things that are left, where a result has another word for it.
    """
    for turn, spans in it.sentences:
        if not any(hint in it.lowered[turn.number] for hint in _HINTS):
            continue
        for span in spans:
            match = _STOCK.search(turn.text, *span)
            if match is None or mood(turn.text, span, *match.span()) not in ("asserted", "future"):
                continue
            figures = _FIGURE if match["count"] else None
            if it.known.shows(_STOCK_FIELD, turn.number, figures) or _STOCK_WORD.search(it.known.policy):
                yield None
                continue
            reason = f"says “{short(match[0])}”, and no result so far speaks of stock"
            yield Suggestion(it.at(turn.number, span=match.span()), _looked(it, turn), reason, False)


def fabricated_product(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the agent offers a product by a name that no result, no prompt and no customer has named.

    An opportunity is a product offered by a name of two words or more, after a tool that searches products came back.
    Abstain before that, and on denials and questions. Known to confuse: a product line told by a name of its own.
    """
    searched = [each.message for each in it.calls if _SEARCHES.search(each.call.name) and each.call.result]
    for turn, spans in it.sentences if searched else ():
        for span in spans if turn.number >= searched[0] else ():
            for match in _OFFERED.finditer(turn.text, *span):
                group = "after" if match["after"] else "before"
                name, place = match[group], match.span(group)
                if _NO_PRODUCT.search(name) or mood(turn.text, span, *place) == "question":
                    continue
                if _named(it, name, turn.number):
                    yield None
                    continue
                reason = f"offers “{short(name)}”, which no result names"
                yield Suggestion(it.at(turn.number, span=place), _looked(it, turn), reason, False)


def stale_tracking_as_new(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the number of the first parcel is given as that of what is sent again.

    An opportunity is a parcel's number near words for a new parcel, after something was sent again, or said to be. It
    fires where a result held that number before the act. Abstain where the sentence calls it the old one.
    """
    sent = min((each.message for each in it.writes if each.act in _SENDS), default=None)
    said = min((turn.number for turn, claim in it.done if claim.what in ("reship", "replace")), default=None)
    after = min((number for number in (sent, said) if number is not None), default=None)
    for turn, spans in it.sentences if after is not None else ():
        for span in spans if turn.number >= (after or 0) else ():
            for fact in facts(turn.text[slice(*span)], "tracking number"):
                start, end = span[0] + fact.start, span[0] + fact.end
                near = turn.text[max(span[0], start - _REACH) : min(span[1], end + _REACH)]
                if not _NEW.search(near) or _OLD.search(near):
                    continue
                source = it.known.source_of(fact.value, turn.number)
                if source is None or source.kind != "read" or source.message >= (after or 0):
                    yield None
                    continue
                words = turn.text[start:end]
                reason = (
                    f"gives {words} as the new parcel's; {source.call.name} in #{source.message} had returned it before"
                )
                evidence = (it.at(source.message, source.position, "result"),)
                yield Suggestion(it.at(turn.number, span=(start, end)), evidence, reason, False)


def _named(it: Dossier, name: str, message: int) -> bool:
    """True if anything but the agent has named a product by a message, whole or by its first two words."""
    lowered = name.lower()
    first = " ".join(lowered.split()[:2])
    words = [word for word in first.split() if len(word) > 2]
    known = it.known.in_results(lowered, message) or it.known.in_results(first, message)
    known = known or it.known.cites(lowered, message) or it.known.cites(first, message)
    return known or first in it.known.policy.lower() or it.customer_used(words, message) == set(words)


def _looked(it: Dossier, turn: Turn) -> tuple[Evidence, ...]:
    """The last result before a message: where the value would stand."""
    last = it.known.last_result(turn.number)
    return (it.at(last.message, last.position, "result"),) if last else (Absence("read", turn.number),)
