"""How a sentence means what it says: as a fact, or denied, on a condition, as a question, as a promise, as another's.

Owns the words for these in English and in the languages of the sample, and the one rule: words that stand before what
is said, in the same clause, decide; a sentence is looked at once, from a bounded distance. Pure.
"""

from __future__ import annotations

import re
from typing import Literal

Mood = Literal["asserted", "negated", "conditional", "question", "future", "attributed"]

_REACH = 90
"""Characters before the words within which another word may turn them."""
_NEGATION = re.compile(
    r"\b(?:not|never|no|nor|neither|none|nothing|nobody|cannot|without|unable|unfortunately no|instead of|rather than"
    r"|yet to|fail(?:ed|s)? to|hasn|haven|hadn|isn|aren|wasn|weren|don|doesn|didn|won|wouldn|couldn|can['’]t)\b"
    r"|\b(?:ningún|ninguna|nunca|tampoco|sin|ne|n['’]|pas|jamais|sans|nicht|kein\w{0,2}|nie|ohne|non|mai|senza|não|nem"
    r"|sem)\b|\bno\b|没有|没|不|未|尚未|无法",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:\b|(?<=\\n))(?:if|once|when(?:ever)?|as soon as|after|until|till|unless|whether|in case|assuming"
    r"|provided|before|would|could"
    r"|should|(?<!I )(?<!we )can|can(?= (?:also )?(?:be|help|only|offer|cancel|send|process|change|transfer))"
    r"|may|might|must|need(?:s|ed)? to|have to|has to|want(?:s|ed)? to|wish|able to|eligible|only|in order to"
    r"|(?<!I can )confirm that|recommend|suggest|advise|propose"
    r"|as long as|so that|si|cuando|una vez|en cuanto|tan pronto|podría|puedo|quand|dès que|lorsque|pourrais?|peux|wenn"
    r"|sobald|falls|ob|könnte|kann|se|quando|appena|potrei|posso|caso|assim que|poderia)\b"
    r"|如果|一旦|的话|可以|之后|以后",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|['’]ll|going to|gonna|about to|shall|to be|expect(?:ed|s)?|estimated|should|scheduled|plan(?:ned|s)?"
    r"|upcoming|later|tomorrow|soon|let me|allow me|proceed(?:ing)? (?:to|with))\b|['’]ll\b",
    re.IGNORECASE,
)
_ATTRIBUTION = re.compile(
    r"\b(?:you(?:['’]ve| have)?(?: also| just)? (?:said|say|wrote|write|told|mention(?:ed)?|not(?:ed|e)|saw"
    r"|see|read|describe[d]?"
    r"|indicat(?:ed|e)|report(?:ed)?|claim(?:ed)?|state[d]?|believe|think|asked|ask|feel|were told|may have)"
    r"|as you (?:say|write|said|wrote)|your (?:message|report|claim|concern|statement) (?:that|says)|(?:i|we)"
    r" understand"
    r"|i hear|according to you|banks? (?:often|usually|may)|(?:page|tracking|app|e-?mail|site|label) (?:says?"
    r"|said|shows?|told)"
    r"|the (?:user|customer) (?:says?|said|claims?|mention(?:ed|s)))\b",
    re.IGNORECASE,
)
_QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“"}


def mood(text: str, sentence: tuple[int, int], start: int, end: int) -> Mood:
    """Say how the words from start to end are meant in their sentence."""
    begins, ends = sentence
    left = max(begins, start - _REACH)
    before = text[left:start]
    if _is_question(text, ends):
        return "question"
    if _quoted(text, begins, start, end) or _ATTRIBUTION.search(before):
        return "attributed"
    clause = _clause(before)
    if _CONDITION.search(before):
        return "conditional"
    if _NEGATION.search(clause):
        return "negated"
    return "future" if _FUTURE.search(clause) else "asserted"


def denied(text: str) -> bool:
    """True if these words hold a negation."""
    return _NEGATION.search(text) is not None


def _is_question(text: str, ends: int) -> bool:
    return text[max(0, ends - 3) : ends].rstrip(" *_\"'”’)").endswith(("?", "？", "吗"))


def _clause(before: str) -> str:
    """The end of what stands before, from where its last clause begins."""
    for mark in (";", ":", " but ", " however", " and ", "—", " – ", ", "):
        before = before.rpartition(mark)[2]
    return before


def _quoted(text: str, begins: int, start: int, end: int) -> bool:
    left, right = text[max(begins, start - _REACH) : start], text[end : end + _REACH]
    return any(left.count(opening) % 2 == 1 and closing in right for opening, closing in _QUOTES.items())
