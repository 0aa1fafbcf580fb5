"""How it is said how things stand with an order: still here, on its way, arrived; and what a result's state means.

Owns the words for it and the few classes that states fall into, so that what is said can be held against what was
returned. A state that is none of these (processed, partly shipped) is left alone. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from reviewer.basics.sentences import Span
from reviewer.findings.reads.moods import Mood, mood

Stand = Literal["here", "away", "there", "off"]

_ADVERBS = r"(?: (?:still|currently|now|already|just|also|only|yet|surely|marked as|shown as|listed as|in)){0,3}"
_BE = rf"(?:is|are|it['’]s|remains|shows(?: as)?|stands as){_ADVERBS}"
_SAYING: Mapping[Stand, str] = {
    "here": rf"\b{_BE} (?:unfulfilled|unshipped|pending|being prepared|being packed|not (?:yet )?shipped"
    r"|(?:the )?preparation|our warehouse|with us\b)|\b(?:has|have)(?: not|n['’]t)(?: yet| even)? (?:been )?(?:shipped"
    r"|left|dispatched)\b|\bnothing has (?:shipped|left)\b|\bstill (?:being prepared|in our warehouse|with us)\b",
    "away": rf"\b(?:has|have|['’]s){_ADVERBS} (?:been )?(?:shipped|dispatched)\b"
    rf"|\b{_BE} (?:shipped\b(?! to)|out for delivery|on (?:its|their|the) way|transit|with the carrier)\b"
    r"|\bleft (?:our|the) (?:warehouse|depot)\b|(?<!\w)(?:it|#\w{3,12}) left us\b|\bshould be with the carrier\b",
    "there": r"\b(?:was|were|has been|have been|is|are)(?: already| successfully)? delivered\b"
    r"|(?<!\w)(?:it|#\w{3,12}|order) (?:has )?(?:arrived|reached you)\b|\byou['’]ve had it for\b",
}
_SAID = {stand: re.compile(words, re.IGNORECASE) for stand, words in _SAYING.items()}
_SHOWN: tuple[tuple[Stand, re.Pattern[str]], ...] = (
    ("off", re.compile(r"cancell?ed\b", re.IGNORECASE)),
    (
        "here",
        re.compile(r"(?:unfulfilled|unshipped|pending|preparing|not[ _-]shipped|label[ _-]created)\b", re.IGNORECASE),
    ),
    ("away", re.compile(r"(?:shipped|in[ _-]?transit|out[ _-]for[ _-]delivery|dispatched)\b", re.IGNORECASE)),
    ("there", re.compile(r"(?:delivered|fulfilled|complete[d]?)\b", re.IGNORECASE)),
)
_OTHER = re.compile(
    r"\b(?:replace\w*|new (?:one|parcel|order|shipment|item)|re-?ship\w*|return|refund|exchange|label|e-?mail|flights?"
    r"|part|parts|rest|other|some|one of|payment|charge|request|case|ticket|transaction|change|modification)\b",
    re.IGNORECASE,
)
"""What else may be pending or on its way: a sentence that speaks of it says nothing of the order as a whole."""
_WHILE = re.compile(
    r"\b(?:while|whilst|whether|which|where|when|as long as|confirmation|status|(?:sure|ensure|verify|check|orders"
    r"|items) that)\b[^,;:]{0,30}$",
    re.IGNORECASE,
)
"""Words before, which make a condition or an aside of it."""
_REACH = 40
_HINTS = (
    *("unfulfilled", "unshipped", "pending", "being p", "preparation", "warehouse", "with us", "shipped", "has left"),
    *("have left", "dispatched", "out for delivery", "on its way", "on their way", "on the way", "transit", "left us"),
    *("with the carrier", "depot", "not left", "n't left", "n’t left"),
)


class StateClaim(NamedTuple):
    """Words that say how things stand."""

    stand: Stand
    start: int
    end: int
    sentence: Span

    def mood(self, text: str) -> Mood:
        """How it is meant in its text."""
        return mood(text, self.sentence, self.start, self.end)


def hinted(lowered: str) -> bool:
    """True if a text in small letters may say that something is still here or on its way."""
    for hint in _HINTS:  # noqa: SIM110 -- any() takes twice as long
        if hint in lowered:
            return True
    return False


def stated(text: str, sentence: Span, *stands: Stand) -> Iterator[StateClaim]:
    """What a sentence says of how things stand with an order as a whole: of these classes, or of any."""
    if not stands:
        stands = ("here", "away", "there")
    elif not hinted(text[slice(*sentence)].lower()):
        return
    claims = [(stand, match.span()) for stand in stands for match in _SAID[stand].finditer(text, *sentence)]
    if not claims or _OTHER.search(text, *sentence):
        return
    for stand, (start, end) in claims:
        if not _WHILE.search(text[max(sentence[0], start - _REACH) : start]):
            yield StateClaim(stand, start, end, sentence)


def meaning(value: str) -> Stand | None:
    """The class that a state in a result falls into; None if it is none of them, or several."""
    return next((stand for stand, pattern in _SHOWN if pattern.match(value)), None)


def contradicts(said: Stand, shown: Stand) -> bool:
    """True if an order cannot stand as is said while a result shows it otherwise.

    What has arrived had shipped, so that this is no contradiction; an arrival that nothing shows is another read's.
    """
    return (said, shown) in {("here", "away"), ("here", "there"), ("away", "here"), ("away", "off"), ("here", "off")}
