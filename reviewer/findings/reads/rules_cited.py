"""Reads about rules: one that no policy holds, a window counted from a date that nothing shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from reviewer.basics.sentences import Span
from reviewer.findings.reads.dates import days, lengths
from reviewer.findings.reads.deliveries import order_or_delivery_day
from reviewer.findings.reads.dossier import Dossier, Suggestion
from reviewer.findings.reads.excerpt_words import short
from reviewer.findings.reads.moods import denied, mood
from reviewer.findings.reads.steps import Turn
from reviewer.findings.reads.typed_values import facts
from reviewer.transcripts.refs import Absence

_RULE = re.compile(
    r"\b(?:only|at most|no more than|once|twice|each|every|per|after|within|above|over|below|under|must|have to|has to"
    r"|required?|requires|always|never|not allowed|reserved?|limited|costs?|fees?|charged?|kept|keep|deduct\w*"
    r"|guarantee|warranty|may only|can only|in writing|by letter|put on hold|prepaid|returned|is free|are free)\b",
    re.IGNORECASE,
)
"""How a rule is put."""
_GENERAL = re.compile(
    r"\b(?:orders|customers?|accounts?|codes?|promotions?|returns|refunds|items|requests?|wishes|exceptions"
    r"|cancellations?|express|upgrades|discounts|shipping|households?|products?|purchases?|sums|exchanges|warranty"
    r"|guarantee|a (?:change|code|cancellation|cancelled item|refund|return|request|new order|manager)|the (?:original"
    r"|return label|finance team|warranty)|returned|our (?:policy|terms|rules?|company policy)|we (?:only|never|always"
    r"|can only|reserve|charge|keep)|they (?:may|can) only|you(?:['’]ll| will)? (?:must|have to)|it has to be"
    r"|without the)\b",
    re.IGNORECASE,
)
"""What a rule is about: things in general, not this order."""
_PERCENT = re.compile(r"\b\d{1,3}(?:\.\d+)?\s?%")
_NOUNS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(rf"\b(?:{said})\b", re.IGNORECASE), re.compile(rf"\b(?:{source})", re.IGNORECASE))
    for said, source in (
        ("manager|supervisor", "manager|supervisor"),
        ("finance team|finance department", "financ"),
        ("store credit", "store credit|credit"),
        ("original (?:box|packaging|carton)|all tags|the box", "packag|(?<!po )box|carton|tags"),
        ("warranty|guarantee", "warrant|guarant"),
        ("letter|in writing", "letter|in writing|written"),
        ("newsletter", "newsletter"),
        ("household", "household"),
        ("bank transfer|prepaid", "bank transfer|prepa"),
        ("business customers", "business (?:customer|account|client)"),
        ("first order", "first order|first purchase|new customer"),
        ("identity", "identit|verif|authenticat|confirm"),
        ("put on hold|limited", "hold|limit"),
        ("fee|surcharge|restocking", "fee|surcharge|charge|restock|cost|\\$"),
        ("never refunded", "never|not refund|non-refund"),
        ("destroyed|inspected", "destroy|inspect|dispos"),
    )
)
"""Nouns that a rule turns on, and how a policy that has such a rule would name them."""
_OFTEN = re.compile(
    r"\b(?:once|twice|two|three|four|one free)\b[^.!?\n]{0,30}\b(?:a|per|each|every) (?:day|week|month|year|customer"
    r"|order)\b|\b(?:on (?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|before noon|lifetime)\b|\b(?:second"
    r"|third) (?:request|cancellation)\b|\btwo cancellations\b",
    re.IGNORECASE,
)
"""How often, or on which days: numbers that are words."""
_DOUBT = re.compile(
    r"\b(?:that I know|I know of|as far as|I can['’]?(?:t|not)|usually|normally|typically|often|may vary|depends"
    r"|if you|your (?:bank|airline|card)|banks?|carriers?|you (?:can|may|could|want)|beyond|would|please|let me"
    r"|I(?:['’]ll| will))\b|\?",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"#\w{3,12}|\byour\b(?! identity)|\byou(?:['’]ll| will)? (?:receive|be charged|are being)\b|\b(?:difference|total"
    r"|refund of|this (?:order|refund|return|item|case|request)|these|those|selected|following|new one|passengers?"
    r"|flights?|bags?|cabin|reservation|current|balance|booking|fare)\b|\$\d[\d,]*\.(?!00\b)\d\d",
    re.IGNORECASE,
)
"""What makes a sentence one about this case."""
_WINDOW = re.compile(
    r"\b(?:(?:you(?:['’]re| are)|it['’]?s|that['’]?s|is|are|well|still) (?:still |well |within |inside ){0,3}(?:within"
    r"|inside) (?:the|our|your) [^.!?,;\n]{0,30}?\b(?:days|window|period|time)|so the return is (?:fine|possible|open)"
    r"|(?:you have|you['’]ve) (?:plenty of|still) time(?: left)?(?: to return(?: it)?)?|(?:is|are|you['’]re"
    r"|still) eligible for (?:a |the )?(?:return|refund|exchange)|you (?:still have|have) \d+ days left|(?:the window"
    r"|return window) (?:is|has) (?:closed|passed|over|expired|still open))\b",
    re.IGNORECASE,
)
"""How a window is decided."""
_HINTS = ("within", "inside", "return is", "time", "eligible", "days left", "window")
_FROM = re.compile(r"\b(?:deliver\w*|arriv\w+|reach\w*|receiv\w+|counting|had it|came|handed over)\b", re.IGNORECASE)
_REACH = 160


def invented_policy_rule(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire on a rule whose sum, share, time or condition no policy, prompt or result holds.

    An opportunity is a sentence that puts a rule in general words (fees, limits, conditions, who decides) and hangs it
    on a value or a noun. Abstain without a policy or prompt, on denials, questions, doubts, what banks or carriers do,
    what the customer may do, and on sentences about this order. Known to confuse: a rule told in other words, and sums
    worked out from it.
    """
    if not it.known.policy:
        return
    for turn, spans in it.sentences:
        for span in spans if _GENERAL.search(turn.text) else ():
            if not (_GENERAL.search(turn.text, *span) and _RULE.search(turn.text, *span)):
                continue
            if not _is_meant(turn.text, span):
                continue
            hung = list(_hung_on(it, turn, span))
            if not hung:
                continue
            strange = [words for words, known in hung if not known]
            if not strange:
                yield None
                continue
            reason = f"cites a rule with “{short(strange[0])}”, which no policy, prompt or result holds"
            yield Suggestion(it.at(turn.number, span=span), (Absence("source", turn.number),), reason, False)


def eligibility_from_invented_fact(it: Dossier) -> Iterator[Suggestion | None]:
    """Fire where the agent decides a window from a day of delivery that no result shows.

    An opportunity is a sentence that says whether a window is open, as a fact, in a message that counts from a day.
    Abstain where nothing that would show the day was looked up, and on conditions. Known to confuse: a window counted
    from another day than the delivery's.
    """
    for turn, spans in it.sentences:
        if not any(hint in it.lowered[turn.number] for hint in _HINTS):
            continue
        for span in spans:
            match = _WINDOW.search(turn.text, *span)
            if match is None or mood(turn.text, span, *match.span()) != "asserted":
                continue
            near = max(span[0], match.start() - _REACH), match.start()
            if _FROM.search(turn.text, *near) is None:
                continue
            day = max(days(turn.text, *near, it.today_at(turn)), key=lambda each: each.start, default=None)
            shown = order_or_delivery_day(it, turn, day) if day is not None else None
            if day is None or shown is None:
                continue
            if not shown.invented:
                yield None
                continue
            reason = f"decides by {day.said} as the delivery's day; {shown.place.told}"
            place = it.at(turn.number, span=match.span())
            yield Suggestion(place, (it.of_field(shown.place.called, shown.place.field),), reason, False)


def _is_meant(text: str, span: Span) -> bool:
    """True if a sentence says a rule as a fact, and not of this case alone."""
    sentence = text[slice(*span)]
    if denied(sentence) and not _FOR_ALL.search(sentence):
        return False
    return not (_DOUBT.search(sentence) or _OWN.search(sentence)) and mood(text, span, *span) == "asserted"


_FOR_ALL = re.compile(r"\b(?:never|can['’]t be bought|isn['’]t returned|without the)\b", re.IGNORECASE)
"""A denial that is a rule itself."""


@lru_cache(maxsize=256)
def _limits(policy: str, word: str) -> bool:
    """True if a policy limits something by this word: `only once`, `two per customer`."""
    limit = rf"\b(?:only|most|up to|than|called|done|used)(?: be)? {word}\b|\b{word}(?: \w+)? (?:per|a|each|every)\b"
    return re.search(limit, policy, re.IGNORECASE) is not None


def _hung_on(it: Dossier, turn: Turn, span: Span) -> Iterator[tuple[str, bool]]:
    """The values and nouns that a rule hangs on, and whether anything so far holds them."""
    text, policy = turn.text[slice(*span)], it.known.told_by(turn.number)
    for fact in facts(text, "money"):
        yield text[fact.start : fact.end], it.known.names_sum(fact.value, turn.number)
    for match in _PERCENT.finditer(text):
        yield match[0], match[0].replace(" ", "") in policy.replace(" %", "%")
    for length in lengths(text):
        yield text[length.start : length.end], it.known.allows(length, turn.number)
    for match in _OFTEN.finditer(text):
        yield match[0], _limits(policy, re.escape(match[0].split()[0].lower()))
    for said, source in _NOUNS:
        if named := said.search(text):
            yield named[0], source.search(policy) is not None
