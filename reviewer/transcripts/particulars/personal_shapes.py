"""What in a text looks like mail, a telephone, a street, a card, an account or an identifier, wherever it stands. Pure.

Mail is also spans as it is spoken: “ana (at) example dot com”, “ana arroba correo punto es”.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reviewer.transcripts.particulars.numbers import numbers
from reviewer.transcripts.particulars.streets import streets

_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_LOCAL = re.compile(r"[\w.+-]")
"""A sign of what stands before the `@` of an address."""
_AT = r"at|ät|aet|arobase|arroba|chiocciola|apenstaartje|a commerciale"
_DOT = r"dot|punkt|point|punto|punt"
_SIGN = (
    rf"{_DOT}|underscore|unterstrich|tiret bas|guion bajo|trattino basso|dash|hyphen|bindestrich|tiret|guion|streepje"
)
_TOP = (
    "com|org|net|edu|gov|info|biz|io|dev|app|me|co|eu|uk|us|ca|de|at|ch|li|lu|fr|bzh|es|cat|it|sm|nl|be|pt|ie|pl|se|dk|no"
    "|fi|is|cz|sk|si|hr|hu|ro|bg|gr|ua|tr|in|au|nz|za|br|mx|ar|cl|pe|jp|cn|kr|sg|hk|ae"
)
"""With what the domain of a spoken address ends, since “at this point you” sounds like one."""
_SPOKEN = re.compile(
    rf"(?i)(?<![\w.+-])(?P<local>[\w.+-]{{1,40}}(?: (?:{_SIGN}) [\w.+-]{{1,40}}){{0,3}})"
    rf"(?: ?[(\[{{<] ?(?:{_AT}|@) ?[)\]}}>] ?| (?P<plain>{_AT}|chez) )"
    rf"(?P<domain>[a-z\d-]{{1,40}}(?:(?:\.| ?[(\[] ?(?:{_DOT}) ?[)\]] ?| (?:{_DOT}) )[a-z\d-]{{2,40}}){{0,2}}"
    rf"(?:\.| ?[(\[] ?(?:{_DOT}) ?[)\]] ?| (?:{_DOT}) )(?:{_TOP}))(?![\w-])"
)
_ENGLISH_DOT = re.compile(r"(?i)\W(?:dot|punkt)\W")
_OTHER = re.compile(
    r"(?P<identifier>(?<!\w)[a-z]{1,40}_[a-z]{1,40}_\d{3,20}(?!\w))"
    r"|(?P<ssn>(?<![\w.-])\d{3}-\d\d-\d{4}(?![\w-]))"
    r"|(?P<ip>(?<![\w.])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\w.]\d|\w))"
)
_ORDER = ("mail", "iban", "card", "identifier", "street", "phone", "ssn", "ip")
"""Of two shapes that overlap the one that stands first here counts."""


def shapes(text: str) -> Iterator[tuple[int, int, str]]:
    """What looks like a particular, in order and apart: where it stands, and which shape it has."""
    spans: list[tuple[int, int, str]] = [(*span, "mail") for span in _mails(text)]
    spans += ((*span, "street") for span in streets(text))
    spans += ((*match.span(), match.lastgroup or "") for match in _OTHER.finditer(text))
    spans += numbers(text)
    return _apart(spans)


def _apart(spans: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Those that stand apart: what overlaps becomes one, of the shape that counts more."""
    start, end, kind = -1, -1, ""
    for each in sorted(spans):
        if each[0] >= end:
            if kind:
                yield start, end, kind
            start, end, kind = each
        else:
            end, kind = max(end, each[1]), min(kind, each[2], key=_ORDER.index)
    if kind:
        yield start, end, kind


def _mails(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while address := _mail(text, at):
        yield address
        at = address[1]
    for match in _SPOKEN.finditer(text):
        # “look at example.com” is no address and “at this point it” neither; “ana.ruiz ät web.de” is one.
        if (match["plain"] or "").lower() != "at" or _ENGLISH_DOT.search(match["domain"]):
            yield match.span()


def _mail(text: str, at: int) -> tuple[int, int] | None:
    """Where the next address of mail stands. One looks for its `@`: what may precede that is most of any text."""
    while (sign := text.find("@", at)) >= 0:
        start = sign
        while start > at and _LOCAL.match(text, start - 1):
            start -= 1
        domain = _DOMAIN.match(text, sign + 1)
        if start < sign and domain:
            return start, domain.end()
        at = sign + 1
    return None
