"""Whether a customer agreed before a write: the message that asks for leave, and the one that says yes.

Owns what counts as asking for leave, as a yes and as a no, and which words a class of acts is proposed in. The
customer's first request is no yes; a question after data (a number, an e-mail, which of them) asks for no leave. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from reviewer.basics.sentences import Span
from reviewer.findings.reads.steps import AgentCall, Turn

Standing = Literal["confirmed", "unclear", "refused", "undecided", "unanswered", "unasked", "silent"]

_ASKS = re.compile(
    r"\b(?:shall|may|can|could|should) (?:I|we)\b(?! (?:help|assist|get|have|ask|know|be of|do for|offer|see"
    r"|tell|confirm|verify|look))"
    r"|\b(?:would|do) you (?:still |also )?(?:like|want|wish|prefer|authori[sz]e|approve|consent|agree)\b(?:"
    r" for)?(?: me| us)? to\b"
    r"|\b(?:do|can|could|would) you (?:please |also |kindly )?confirm\b|\b(?:please|kindly|just|to)"
    r" (?:re-?)?confirm\b|\bconfirmation\b|\b(?:explicit|your) (?:approval|consent|permission|okay)\b"
    r"|\bproceed\b|\bgo(?:ing)? ahead\b|\b(?:correct|right|okay|ok|good|yes)\s?\?|\b(?:is|are|does|do|would)"
    r" (?:that|this|it|these|everything|all|the (?:above|details|information)|you)\b[^?\n]{0,60}\b(?:right"
    r"|correct|okay|ok|fine|good|accurate|work|acceptable|sure|happy|agree|yes)\b[^?\n]{0,40}\?"
    r"|[\"'“‘*(]yes\b|\byes or no\b|\b(?:say|reply|answer|respond|type)(?: with)?(?: a)? [\"'“‘*(]*yes\b"
    r"|\bpermission\b|\blet me know (?:if|whether)\b|\bwhether I should\b|\bready to (?:proceed|go|book)\b"
    r"|\bonce you(?:['’]ve| have)? (?:confirm|approve|agree)|\bis that what you\b|¿|\bsoll ich\b|\bdarf ich\b"
    r"|\bmöchten sie\b|\bsouhaitez\b|\bvoulez-vous\b|\bconfirm[aei]\w{0,3}\b|\bposso\b|\bdevo\b|吗|是否|确认",
    re.IGNORECASE,
)
_ASKS_DATA = re.compile(
    r"\b(?:confirm|verify|provide|share|tell me)\b[^.?!\n]{0,40}\b(?:your|the"
    r"|which)\b[^.?!\n]{0,30}\b(?:identity|name|e-?mail|zip|postal|user|phone|date of birth|account|order id"
    r"|order number|reservation (?:id|number)|reason|which)\b"
    r"|\b(?:I can|I could|able to|I['’]ll|I will|before I(?: can)?|so I can|before we|we can) (?:then |also )?proceed\b"
    r"|^\W*to proceed\b|^\W*once (?:I have|you provide|you share)\b|\bwill (?:request|ask for|need|obtain)\b"
    r"|^\W*(?:what|which|how|where|when|who)\b|\banything else\b|\bto proceed\b[^.?!\n]{0,40}\b(?:need"
    r"|provide|verify|authenticate|could you|please (?:provide|share))\b",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"\b(?:let me|I(?:['’]ll| will| can)|we(?:['’]ll| will| can)|let(?:['’]s| us)|going to)\b|\?", re.IGNORECASE
)
"""What is no question for leave, but may be answered by a yes."""
_CHOICE = re.compile(
    r"\bwhich\b[^.?!\n]{0,80}\b(?:would you like|you(?:['’]d| would) like|do you want|prefer)\b", re.IGNORECASE
)
_MONEY = re.compile(r"\b(?:price|charged?|payment|costs?|total|difference|refund)\b", re.IGNORECASE)
"""Words of any deal: a question for leave beside them needs no name for the act."""
_GO = re.compile(
    r"\b(?:go ahead|proceed|please do|do it|let['’]s (?:do|book|go)|i(?:['’]ll| will) (?:take|go with))\b",
    re.IGNORECASE,
)
_DATA = re.compile(
    r"^\W*(?:sure|yes|yeah|ok|okay|of course|certainly|alright|no problem)\b\W+(?:thing\W+)?(?=(?:my|it|the"
    r"|here|i|this is|name)\b)",
    re.IGNORECASE,
)
"""A yes at the head of data that were asked for."""
_LEAVE = re.compile(r"\b(?:yes|go ahead|want me to|like me to)\b", re.IGNORECASE)
"""Words that ask for leave even beside a question after data."""
_YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|go ahead|proceed|confirm(?:ed|ing|s)?|do (?:it|that|so|both|them)|please do|absolutely"
    r"|definitely|sounds? (?:good|great|fine|perfect|right)|(?:that|it|this|all|everything|both"
    r"|which)(?:['’]s| is| are| looks?| works?)"
    r" (?:all )?(?:fine|good|okay|ok|correct|right|great|perfect|it)|works for me|that works|agreed?|looks"
    r" (?:good|right|correct)|of course"
    r"|certainly|go (?:for|with)|affirmative|i(?:['’]ll| will) (?:take|go)|i (?:choose|accept|approve"
    r"|authorize|consent)|approved?"
    r"|make (?:it|that|the change)|please (?:cancel|process|book|update|change|exchange|return|refund|make"
    r"|apply|add|send|complete"
    r"|finali[sz]e|submit|use|modify)|sí|claro|vale|adelante|oui|d['’]accord|ja|genau|sì|certo|va bene|sim|pode)\b"
    r"|(?:^|[.!?,;:\n—–-])(?:[^\S\n]|[\"'*])*(?:ok(?:ay)?|sure|right|good|great|fine|perfect|correct|alright|all right"
    r"|exactly|works|y|let['’]s"
    r"|gern|gut|si|tá|awesome|excellent|wonderful|lovely|cool)\b"
    r"|\b(?:that|it|this|all|everything)(?:['’]s| is) in order\b|好|可以|是的|对|行|嗯|👍|✅",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"^\W*(?:h+m+\W+)?(?:maybe|perhaps|possibly|i might|i may|not sure"
    r"|i(?:['’]m| am) not (?:yet |quite |really )?sure)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:let me think|(?:want|like|need) to (?:think (?:about it|it over)|sleep on it)|sleep on it"
    r"|(?:have ?n['’]?t|have not) (?:yet )?decided)\b",
    re.IGNORECASE,
)
"""Words that put a decision off, whatever stands beside them."""
_SO = re.compile(
    r"\b(?:shall|should|may) I do (?:that|this|it|so)\b|\bis (?:that|this|it) (?:ok|okay|alright|all right|fine|right)"
    r" (?:for|with|by) you\b|\bme to do (?:that|this|it|so)\b",
    re.IGNORECASE,
)
"""A question for leave that only points: what for is what the customer had asked for."""
_NO = re.compile(
    r"^\W*(?:no\b(?! (?:problem|worries|longer|that['’]?s|need|more|other|thanks))|nope\b|don['’]t\b|do not\b"
    r"|wait\b|hold on\b|stop\b|not yet\b|nein\b|non\b|não\b|不)",
    re.IGNORECASE,
)
_DEMAND = re.compile(
    r"\b(?:explicit(?:ly)?|obtain|ask for|wait for|get|require)\b[^.\n]{0,60}\b(?:confirmation|consent"
    r"|confirm|approval|\(?yes\)?)",
    re.IGNORECASE,
)
_CHANGE = r"modif|chang|updat|edit|upgrad|downgrad|\badd|remov|correct|switch|swap|replac|exchang|adjust"
_PROPOSED: Mapping[str, re.Pattern[str]] = {
    name: re.compile(words, re.IGNORECASE)
    for name, words in {
        "cancel": r"cancel|annul|anul|storn|取消",
        "exchange": rf"exchang|échang|tausch|cambi|{_CHANGE}",
        "return": r"return|refund|send (?:it|them) back|renvo|zurück|devol|reso\b|退",
        "refund": r"refund|certificate|voucher|compensat|credit|gesture|rembours|erstatt|reembols|rimbors|退款",
        "book": r"book|reserv|ticket|purchas|flight|réserv|buch|prenot|预订",
        "edit-address": rf"{_CHANGE}|address|send|parcel|destination|deliver|instead",
        "edit": rf"{_CHANGE}|address|payment|baggage|\bbags?\b|passenger|flight|ändern|modific|cambi|地址|更改",
        "reship": r"again|re-?ship|re-?send|replac|new one|send",
        "replace": r"replac|new|exchang|send",
    }.items()
}


class Confirmation(NamedTuple):
    """How a write stands: confirmed by a pair of messages, or why it is not."""

    standing: Standing
    asked: int | None = None
    answered: int | None = None


@lru_cache(maxsize=2048)
def asks_leave(sentence: str) -> bool:
    """True if a sentence asks for leave to act, and not only after data."""
    if not _ASKS.search(sentence):
        return False
    return not _ASKS_DATA.search(sentence) or bool(_LEAVE.search(sentence))


def says_yes(text: str) -> bool:
    """True if an answer agrees, wherever it does so."""
    return bool(_YES.search(text))


def says_no(text: str) -> bool:
    """True if an answer begins with a no."""
    return bool(_NO.match(text))


def undecided(text: str) -> bool:
    """True if an answer leaves it open: a maybe and no yes, or a decision put off."""
    return bool(_LATER.search(text) or (_OPEN.match(text) and not says_yes(text)))


def proposes(text: str, act: str) -> bool:
    """True if a message speaks of acts of this class; of a class it has no words for, any message may."""
    words = _PROPOSED.get(act) or (_PROPOSED["edit"] if act.startswith("edit") else None)
    return words is None or bool(words.search(text))


def demanded(policy: str) -> bool:
    """True if a prompt or a policy demands a yes before a write."""
    return bool(_DEMAND.search(policy))


def confirmations(
    turns: Sequence[Turn], spoken: Mapping[int, Iterable[Span]], writes: Sequence[AgentCall]
) -> tuple[tuple[AgentCall, Confirmation], ...]:
    """How each write stands, in order: one pass over messages and writes together.

    `spoken` are the sentences of the agent's messages, by number.
    """
    track = _Track({each.act or "" for each in writes})
    told: list[tuple[AgentCall, Confirmation]] = []
    at = 0
    for turn in turns:
        while at < len(writes) and writes[at].message == turn.number:
            told.append(
                (writes[at], track.standing[writes[at].act or ""])
            )  # what the same breath says asks for nothing
            at += 1
        text = turn.text.strip()
        if turn.message.role == "agent" and text:
            track.spoke(turn, [turn.text[start:end] for start, end in spoken.get(turn.number, ())])
        elif turn.message.role == "customer" and text:
            track.answered(turn)
    return tuple(told)


class _Track:
    """How writes of each class stand so far."""

    def __init__(self, acts: Iterable[str]) -> None:
        self.standing = dict.fromkeys(acts, Confirmation("silent"))
        self.again: dict[str, int] = {}
        self.announced: dict[str, int] = {}
        self.chosen: set[str] = set()
        self.wanted: set[str] = set()

    def spoke(self, turn: Turn, sentences: Sequence[str]) -> None:
        """Take in a message of the agent's."""
        leave = any(asks_leave(sentence) for sentence in sentences)
        deal = leave and _MONEY.search(turn.text)
        announces = _ANNOUNCES.search(turn.text)
        choice = _CHOICE.search(turn.text)
        general = _GO.search(turn.text)
        wanted = self.wanted if _SO.search(turn.text) else frozenset[str]()
        self.again, self.announced, self.chosen = {}, {}, set()
        for act, now in self.standing.items():
            proposed = deal or general or act in wanted or proposes(turn.text, act)
            if leave and proposed:
                if now.standing == "confirmed":
                    self.again[act] = turn.number  # a yes that was given holds; the pair is the last one
                else:
                    self.standing[act] = Confirmation("unanswered", turn.number)
                continue
            if now.standing == "silent":
                self.standing[act] = Confirmation("unasked")
            if announces and proposed:
                self.announced[act] = turn.number
            if choice and proposed:
                self.chosen.add(act)

    def answered(self, turn: Turn) -> None:
        """Take in a message of the customer's: the answer to what was asked last."""
        text = turn.text
        yes, no = says_yes(text), says_no(text)
        how: Standing = "unclear" if yes == no else "confirmed" if yes else "refused"
        how = "undecided" if undecided(text) else how
        self.wanted |= {act for act in self.standing if proposes(text, act)}
        agrees, goes = says_yes(_DATA.sub("", text)), _GO.search(text) is not None
        for act, now in self.standing.items():
            if now.standing == "confirmed":
                if act in self.again and how == "confirmed":
                    self.standing[act] = Confirmation("confirmed", self.again[act], turn.number)
            elif now.standing in ("unanswered", "unclear", "refused", "undecided"):
                # A yes further on still answers; anything else leaves a clearer word standing.
                if now.standing == "unanswered" or (how == "confirmed" and now.asked is not None):
                    self.standing[act] = Confirmation(how, now.asked, turn.number)
            elif now.standing == "unasked" and (
                goes or (agrees and act in self.announced) or (act in self.chosen and proposes(text, act))
            ):
                self.standing[act] = Confirmation("unclear", self.announced.get(act), turn.number)
