"""What an agent's sentences assert: that an act is done, that a parcel came, that a person takes over.

Owns the words for it, in English and in the languages of the sample, and which acts of a desk may stand behind each. A
claim is kept with the mood it is said in, so that a read may leave alone what is denied, asked, promised or another's.
Patterns look ahead a bounded distance, so that a text is passed once. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from reviewer.basics.sentences import Span
from reviewer.findings.reads.moods import Mood, mood

_GAP = r"[^.!?\n]{0,60}?"
_NOW = r"(?: (?:now|just|also|already|all|both|successfully|gone ahead and|went ahead and|fully|been able to)){0,4}"
_WE = rf"\b(?:I|we)(?:['’]ve| have){_NOW}"
_IS = rf"(?:has|have) (?:(?:now|just|also|already|all|both|successfully|fully) ){{0,4}}been{_NOW}"
_STATE = rf"(?:(?:is|are)(?: (?:now|all|both|successfully|fully)){{0,4}}|{_IS})"
_MADE = r"(?:completed|processed|submitted|initiated|requested|created|set up|arranged|placed|made|issued|finali[sz]ed)"
_NO_PAPER = (
    r"(?! (?:link|page|label|portal|window|details|information|request|eligib|option|polic|plan|summary|draft|list"
    r"|terms))"
)
_COMPLETE = (
    r"(?:complete(?:d)?|processed|confirmed|done|submitted|initiated|requested|created|set up"
    r"|arranged|placed|made|issued)"
)


class Claim(NamedTuple):
    """Words that assert something, and how."""

    what: str
    """The kind of act that is said to be done; `delivery`; `handover`."""
    start: int
    end: int
    sentence: Span
    mood: Mood
    active: bool = False
    """True if the agent says that it did so itself; a passive may only tell how things stand."""


def _done(active: str, passive: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<active>{active})|(?:{passive})", re.IGNORECASE)


_CARRIER = r"(?:USPS|UPS|DHL|FedEx|Royal Mail|GLS|DPD|Hermes|Canada Post)"
_NEW = r"(?:a |the |your |an |our |another )?(?:new |free |full |second ){0,4}"
DONE: Mapping[str, re.Pattern[str]] = {
    "cancel": _done(
        rf"{_WE} (?:cancell?ed|taken care of the cancell?ation|{_MADE} [^.!?\n]{{0,30}}?\bcancell?ation{_NO_PAPER})",
        rf"(?<!request )\b{_IS} cancell?ed|\b(?:order|reservation|booking|it|{{order}})(?: [#\w]{{1,12}})?"
        rf" (?:is|are){_NOW} cancell?ed"
        rf"|#\w{{3,12}}\**(?: is|:)? (?:now )?cancell?ed|\bcancell?ation\b{_GAP}(?:gone through|{_IS} {_MADE}"
        r"|(?:is|are) (?:now )?(?:complete|done))",
    ),
    "reship": _done(
        rf"{_WE} (?:re-?sent|re-?shipped|(?:set up|created|arranged|scheduled|processed|initiated) {_NEW}re-?shipment"
        rf"|arranged for{_GAP} sent (?:out )?again|had{_GAP} sent (?:out )?again)",
        rf"\bre-?shipment\b{_GAP}{_STATE} (?:{_COMPLETE}|on its way)"
        rf"|\b(?:new|second|another) parcel\b{_GAP}{_STATE} (?:{_COMPLETE}|on its way|being prepared)"
        r"|\b(?:is|are)(?: now)? being sent (?:out )?again"
        r"|\bdone: [^.!?\n]{0,60}? (?:will be|is being) sent (?:out )?again",
    ),
    "replace": _done(
        rf"{_WE} (?:replaced|(?:sent(?: out)?|set up|created|arranged|processed|initiated|ordered) {_NEW}replacement)",
        rf"\breplacement\b{_GAP}(?:{_STATE} (?:{_COMPLETE}|on its way|being prepared)|order(?:ed)? (?:placed|created))"
        r"|\ba new [^.!?\n]{1,60}? is (?:being prepared for you|on its way to you)"
        r"|\bwe(?:['’]re| are) sending you [^.!?\n]{1,60}? as a replacement"
        r"|\bin (?:place of|exchange for) [^.!?\n]{1,60}? (?:will be|is being) sent(?: out)? to you",
    ),
    "exchange": _done(
        rf"{_WE} (?:exchanged|{_MADE} {_NEW}exchange\b{_NO_PAPER})",
        rf"\bexchange\b(?! (?:policy|or))[^.!?\n]{{0,80}}?{_IS} {_COMPLETE}|\b{_IS} exchanged",
    ),
    "return": _done(
        rf"{_WE} (?:(?:{_MADE}|opened|started|registered) {_NEW}return\b{_NO_PAPER}"
        rf"|(?:e-?mailed|sent)(?: you)? {_NEW}return label)",
        rf"\breturn(?: request| process)?\b(?! or)[^.!?\n]{{0,80}}?{_IS} {_COMPLETE}",
    ),
    "refund": _done(
        rf"{_WE} (?:refunded|{_MADE} [^.!?\n]{{0,30}}?\b(?:refund|credit)\b{_NO_PAPER}"
        rf"|credited|issued{_GAP}(?:certificate|voucher))",
        rf"\b(?:refund|certificate|voucher)\b{_GAP}{_IS} (?:{_COMPLETE}|added|applied|credited|sent)|\b{_IS} refunded",
    ),
    "edit-address": _done(
        rf"{_WE} (?:updated|changed|modified|corrected|set){_GAP}\b(?:address|destination)\b",
        rf"\baddress\b(?! on file){_GAP}(?:{_IS} (?:updated|changed|modified|corrected|saved)|(?:is|are)"
        r" (?:now )?(?:updated|changed|modified|corrected|saved)\b)"
        rf"|#\w{{3,12}} (?:will now go|is (?:now (?:going|addressed)|addressed)) to\b"
        r"|\b\w{3,20} is (?:now addressed to (?=[^.!?\n]{0,40}\d)|addressed to \d[^.!?\n]{1,80}? now\b)"
        rf"|\bparcel {_IS} redirected",
    ),
    "edit": _done(
        rf"{_WE} (?:updated|changed|modified|upgraded|added|switched){_GAP}(?:\b(?:order|reservation|flights?|booking"
        r"|items?|bags?|baggage|passengers?|payment method|insurance|cabin|colou?r|quantity)|#\w{3,12})"
        rf"\b{_NO_PAPER}|{_WE} made the (?:change|edit|update|modification|adjustment)s?\b",
        rf"\b(?:order|reservation|flights?|booking|items?|bags?|passengers?|payment method|cabin|[A-Z0-9]{{6}})\b\**"
        rf"[^.!?\n]{{0,50}}? {_IS} (?:updated|changed|modified|upgraded|added)"
        rf"|\b(?:changes?|upgrades?|updates?|modifications?|addition)\b[^.!?\n]{{0,50}}? {_IS} {_MADE}"
        r"|\b(?:colou?r|quantity) (?:is|has been)(?: now)? (?:switched|changed|updated)\b"
        r"|\b(?:changing|adding|removing|switching) [^.!?\n]{1,50}? is (?:now )?(?:through|done|complete)\b",
    ),
    "book": _done(
        rf"{_WE} (?:booked|(?:created|completed|made|confirmed) {_NEW}(?:booking|reservation)\b{_NO_PAPER})",
        rf"\b(?:flights?|trip|new reservation|new booking|booking|tickets?)\b[^.!?\n]{{0,50}}? {_IS} (?:booked"
        r"|reserved)|\b(?:booking|reservation)\b[^.!?\n]{0,40}? has been (?:successfully )?(?:confirmed|completed)",
    ),
    "contact": _done(
        rf"{_WE} (?:asked|contacted|called|told|instructed) (?:the )?(?:driver|courier|carrier|{_CARRIER})\b",
        r"\b(?!)",
    ),
    "expedite": _done(
        rf"{_WE} (?:(?:moved|bumped|pushed){_GAP}\b(?:front|top) of the (?:queue|line)\b"
        rf"|(?:expedited|prioriti[sz]ed) (?:your|the|this|it)\b)",
        r"\b(?!)",
    ),
}
"""How it is said that an act of a kind is done."""

_HINTS: Mapping[str, tuple[str, ...]] = {
    "cancel": ("cancel",),
    "reship": ("ship", "again", "re-sent", "resent", "parcel"),
    "replace": ("replace", "a new ", "in place of", "in exchange for"),
    "exchange": ("exchange",),
    "return": ("return",),
    "refund": ("refund", "credit", "certificate", "voucher"),
    "edit-address": ("address", "destination", "will now go", "now going to", "redirected"),
    "edit": (
        "updated",
        "changed",
        "modified",
        "upgraded",
        "added",
        "change",
        "upgrade",
        "update",
        "addition",
        "switch",
        "adding",
        "adjust",
        "edit",
    ),
    "book": ("booked", "booking", "reserv"),
    "contact": ("asked", "contacted", "called", "told", "instructed"),
    "expedite": ("queue", "of the line", "expedited", "prioriti"),
    "handover": (
        *(
            "transfer",
            "escalat",
            "hand",
            "forward",
            "pass",
            "connect",
            "rout",
            "refer",
            "turn",
            "taking over",
            "take",
            "is now with",
        ),
        *(
            "paso",
            "pasado",
            "compañero",
            "colle",
            "transm",
            "relation",
            "kolleg",
            "team",
            "metto",
            "collega",
            "equipe",
            "colega",
            "转",
        ),
    ),
    "delivery": (
        *(
            "deliver",
            "arriv",
            "reached",
            "handed",
            "left it",
            "dropped it",
            "received",
            "entreg",
            "lleg",
            "livr",
            "zugestellt",
            "angekommen",
            "consegn",
            "chegou",
        ),
        *("送达", "签收"),
    ),
}
"""Words of which one must stand in a message before its sentences are searched; in small letters."""


def hinted(what: str, lowered: str) -> bool:
    """True if a text in small letters may hold a claim of this kind: it saves the search in most texts."""
    for hint in _HINTS[what]:  # noqa: SIM110 -- any() takes twice as long
        if hint in lowered:
            return True
    return False


BEHIND: Mapping[str, frozenset[str]] = {
    "cancel": frozenset({"cancel"}),
    "reship": frozenset({"reship", "replace", "exchange"}),
    "replace": frozenset({"replace", "reship", "exchange", "edit-items"}),
    "exchange": frozenset({"exchange", "replace", "edit-items"}),
    "return": frozenset({"return", "refund", "exchange"}),
    "edit-address": frozenset({"edit-address", "edit-profile"}),
    "contact": frozenset(),
    "expedite": frozenset(),
}
"""The classes of acts that may stand behind the words; where none are named, any write may."""

_STEMS: Mapping[str, tuple[str, ...]] = {
    "cancel": ("cancel",),
    "reship": ("ship", "replac", "resend"),
    "replace": ("replac", "ship", "exchange"),
    "exchange": ("exchange", "replac", "modify"),
    "return": ("return", "refund"),
    "edit-address": ("address", "profile"),
    "contact": ("contact", "carrier", "courier", "message", "call", "note"),
    "expedite": ("expedite", "priorit", "rush", "queue"),
}

_PERSON = (
    r"(?:human|live|another|different)?\s?(?:colleagues?|(?:support |customer |senior |returns |care "
    r"|specialist |our ){0,4}team|"
    r"specialists?|supervisors?|managers?|representatives?|persons?|(?:human|live|support|service|customer"
    r" service) agents?|"
    r"human(?: being)?s?|humans?|some(?:body|one) (?:on|from|in) (?:our|the)[\w ]{0,20} team"
    r"|member of (?:our|the)[\w ]{0,20} team|department|real person)"
)
_CASE = (
    r"(?!(?:this |that |your |the |all (?:of )?your )?(?:\w{1,15} )?(?:feedback|suggestions?|comments?"
    r"|compliments?|ideas?|thanks))"
    r"(?:(?:you|this|that|it|your|the|everything)\b|#\w{3,12})[^.!?\n]{0,40}?"
)
"""What is handed over: not a word of praise or an idea."""
_HANDS = (
    r"(?:transferr?(?:ed|ing)?|escalat(?:ed?|ing)|hand(?:ed|ing)?(?: over)?|forward(?:ed|ing)?|pass(?:ed|ing)?(?: on)?"
    r"|connect(?:ed|ing)?|rout(?:ed?|ing)|referr?(?:ed|ing)?|turn(?:ed|ing)? over)"
)
_TO = rf"\b(?:to|with|over to) (?:an? |our |the |one of our |my )?{_PERSON}\b"
_NOW_I = (
    r"\b(?:I|we)(?:['’](?:ve|m|re|ll)| have| am| are| will)(?: (?:now|just|also|already|going to|gone ahead and)){0,4}"
)
_SOMEBODY = (
    r"(?:(?:a person|some(?:body|one)|a (?:human )?colleague|one of our colleagues) (?:from|on|in|of) (?:our|the)"
    r"[\w ]{0,20}? team|(?:a|my|our) (?:human )?colleagues?)"
)
_YOURS = r"(?:your (?:case|request|order)|#\w{3,12})"
_OWN_HANDOVER = (
    rf"{_NOW_I} {_HANDS} {_CASE}{_TO}"
    r"|\b(?:let me|allow me to|I(?:['’]ll| will)(?: now)? proceed (?:to|with)|I['’]m proceeding with)"
    rf" (?:transfer(?:ring)?|escalat(?:e|ing)|connect(?:ing)?) (?:you|this|your)\b[^.!?\n]{{0,30}}?{_TO}"
    r"|\b(?:you|your (?:case|request|conversation|chat|issue)) (?:are|is|have|has|will) (?:now )?(?:being|been|be)"
    r" (?:transferred|escalated|connected|forwarded|handed|passed)\b"
    r"|\b(?:a|our|one of our|another) (?:human )?(?:colleague|specialist|person|supervisor|member of our team|team)"
    r"(?: of mine)? (?:is taking over|takes over|(?:takes|will take) (?:(?:it|this) )?(?:over|from here))"
    rf"|\b{_SOMEBODY} (?:has|have) (?:this|it|{_YOURS}) now\b"
    rf"|\b{_SOMEBODY} will (?:be in touch|write (?:to )?you|contact you|get back to you)\b"
    r"|\b(?:I|we)(?:['’]ve| have) asked (?:a|our|one of) [^.!?\n]{0,40}?\bto take (?:it |this )?over\b"
    r"|\byour (?:request|case) is now with our\b"
    r"|\b(?:I['’]m|I am) (?:escalating|transferring|handing over) (?:(?:this|you|it|your)\b|#\w)"
    r"|\btransferring you now\b"
)
_OTHER_HANDOVER = (
    r"\b(?:paso|he pasado|te transfiero|le transfiero)\b[^.!?\n]{0,50}?\b(?:compañer[oa]|equipo|persona)"
    r"|\bun compañero se hará cargo|\bun[ae]? coll[èe]g(?:ue|a) (?:prend le relais|se ne occupa)"
    r"|\b(?:je transmets|j['’]ai (?:passé|transmis)|je vous mets en relation)\b[^.!?\n]{0,60}?"
    r"\b(?:collègue|équipe|personne)"
    r"|\b(?:gebe|habe|verbinde)\b[^.!?\n]{0,50}?\b(?:kolleg(?:in|en|e)|team)\b[^.!?\n]{0,14}?"
    r"(?:weiter|übergeben|\.|$)|\bein kollege übernimmt"
    r"|\b(?:passo|ho passato|ti metto in contatto)\b[^.!?\n]{0,50}?\b(?:collega|team|persona)"
    r"|\b(?:vou passar|passei|vou te transferir)\b[^.!?\n]{0,50}?\b(?:colega|equipe|pessoa)|\bum colega assume"
    "|转给同事|转交给我们|由我的同事为您|为您转接"
)
HANDOVER = re.compile(f"{_OWN_HANDOVER}|{_OTHER_HANDOVER}", re.IGNORECASE)
"""How it is said that a person takes over."""

_TO_CARRIER = rf"[^.!?\n]{{0,30}}\bto (?:the )?(?:carrier|courier|post|{_CARRIER})\b"
DELIVERY = re.compile(
    r"\b(?:was|were|got|is shown as|shows? as|marked as|(?:has|have|had)(?: already| now| just)? been|is|are|already)"
    r"(?: now| successfully| already){0,3}"
    r" delivered\b(?! (?:orders?|items?))|\b(?:arrived|reached you|(?:you|it|they)(?:['’]ve| have)?"
    r" (?:already )?(?:received it|arrived))\b"
    r"|\bdelivery date (?:I have |we have |on record )?(?:is|was)\b(?! (?:not|no|unknown|never|missing|still|yet))"
    r"|\bdelivered (?:it )?on\b|\bdelivery was on\b|\breached (?:its|the) destination\b"
    rf"|\b(?:{_CARRIER}|carrier|courier|driver) (?:has )?(?:delivered|left it|dropped it off)\b"
    rf"|\b(?:was handed over|handed it over)(?= (?:on|yesterday|today|this)\b)(?!{_TO_CARRIER})|\bdelivery on\b"
    r"|\b(?:fue|ha sido|está) entregado\b|\bllegó\b|\ba été livrée?\b|\best arrivée?\b"
    r"|\bwurde\b[^.!?\n]{0,40}?\bzugestellt\b"
    r"|\bist\b[^.!?\n]{0,40}?\bangekommen\b|\bè (?:stat[oa] consegnat[oa]|arrivat[oa])\b|\bfoi entregue\b"
    r"|\bchegou\b|已送达|已经送达|已签收",
    re.IGNORECASE,
)
"""How it is said that a parcel came."""


def done(text: str, sentence: Span, kinds: Sequence[str] = tuple(DONE)) -> Iterator[Claim]:
    """What a sentence says is done, by kind of act; of words that two kinds share, the first kind's."""
    taken = bytearray(sentence[1] - sentence[0])
    for what in kinds:
        for match in DONE[what].finditer(text, *sentence):
            start, end = match.span()
            own = slice(start - sentence[0], end - sentence[0])
            if any(taken[own]):
                continue
            taken[own] = b"\1" * (end - start)
            yield Claim(what, start, end, sentence, mood(text, sentence, start, end), match["active"] is not None)


def said(what: str, pattern: re.Pattern[str], text: str, sentence: Span) -> Iterator[Claim]:
    """What a sentence says in the words of a pattern."""
    for match in pattern.finditer(text, *sentence):
        yield Claim(what, *match.span(), sentence, mood(text, sentence, *match.span()))


def may_stand_behind(what: str, act: str | None, tool: str) -> bool:
    """True if a call of this class, or of a tool of this name, may be what the words speak of."""
    if what not in BEHIND:
        return True
    return act in BEHIND[what] or any(stem in tool.lower() for stem in _STEMS[what])
