"""Telephone numbers, payment cards and bank accounts: which digits are one, by their form and their check digits. Pure.

`phonenumbers` knows the numbers of every country. It is loaded when the first number is looked at, so that only what
masks or cuts loads it. Digits that no `+` leads and that stand in no form of a telephone are one only behind a word
such as “call me”: order numbers, prices and the numbers of parcels look the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

_REGIONS = ("US", "GB", "DE", "FR", "ES", "IT", "NL", "BE", "AT", "CH", "IE", "PT", "MX", "AU", "IN", "PL", "SE", "BR")
"""The countries of whose numbers one without a `+` may be; “call me” or a form must be beside it."""
_PHONE = re.compile(
    r"(?<![\w#/.,$€£¥-])(?<!\d )(?<![$€£¥] )(?!\d{1,4}[./-]\d\d?[./-]\d{2,4}(?!\d))"
    r"(?:(?P<abroad>(?:\+ ?|00)\d[\d ().\-/]{5,20}\d)"
    r"|(?P<formed>\(\d{2,5}\)[ .-]?\d[\d .-]{3,12}\d|\d{3}(?P<gap>[ .-])\d{3}(?P=gap)\d{4})"
    r"|(?P<trunk>0\d{1,4}[ /.-]\d[\d .-]{3,14}\d)"
    r"|(?P<plain>\d[\d .\-/]{5,15}\d))(?![\w%€]|[-/,.]\d| ?[€%]| (?:EUR|USD|GBP|euros?|dollars?)(?!\w))"
)
_BEFORE = 40
_CALLED = re.compile(
    r"(?i)(?:(?<!\w)(?:tele|cell|mobile )?phone(?!s)|(?<!\w)tel(?!\w)|mobile"
    r"|(?<!\w)cell|(?<!\w)call(?! (?:about|for|regarding))|(?<!\w)text me"
    r"|(?<!\w)ring(?!\w)"
    r"|(?:reach|contact)(?: me)?(?: at| on)|whats\s?app|sms|handy|telefon|mobil|(?<!\w)ruf|anruf|erreich|t[ée]l[ée]phon"
    r"|(?<!\w)tél|portable|appel|joign|m[óo]vil|celular|tel[ée]fon|ll[áa]m|cellulare|(?<!\w)cell\.|chiama|(?<!\w)bel"
    r"|telefoon|mobiel|fax)[^\n\d\"{}<>|]{0,30}$"
)
_MY_NUMBER = re.compile(
    r"(?i)(?:my number|meine nummer|mon numéro|mi número|il mio numero|mijn nummer)(?: is|['’]s| ist| est| es| è|:| :)?"
    r"(?: le| el| il)?[ :]{1,3}$"
)
_CARD = re.compile(
    r"(?<![\w.,#$€£-])(?<!\d )(?:\d{4}(?P<gap>[ -])\d{4}(?P=gap)\d{4}(?P=gap)\d{1,4}(?:(?P=gap)\d{1,3})?"
    r"|\d{4}(?P<gap_of_15>[ -])\d{6}(?P=gap_of_15)\d{4,5}|\d{13,19})(?![\w-]|[.,]\d| \d)"
)
_NETWORK = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|(?:1800|2131)\d{11}|(?:5[06-8]|6\d)\d{14}"
)
_IBAN = re.compile(r"(?<!\w)[A-Za-z]{2}\d\d(?:[A-Za-z\d]{10,30}(?!\w)|(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3}(?!\w))?)")

Number = Literal["phone", "card", "iban"]


def numbers(text: str) -> Iterator[tuple[int, int, Number]]:
    """Find telephone numbers, cards and bank accounts, each with its kind; a card may lie inside a telephone number."""
    for match in _IBAN.finditer(text):
        if end := _account_end(match[0]):
            yield match.start(), match.start() + end, "iban"
    yield from ((*match.span(), "card") for match in _CARD.finditer(text) if is_card(match[0]))
    for match in _PHONE.finditer(text):
        if _is_phone(match, text):
            yield *match.span(), "phone"


def is_card(text: str) -> bool:
    """True if the digits are those of a payment card: of a network, and with its check digit."""
    digits = [int(sign) for sign in reversed(text) if sign.isdecimal()]
    if not _NETWORK.fullmatch("".join(map(str, reversed(digits)))):
        return False
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + doubled) % 10 == 0


def _account_end(text: str) -> int:
    """Where an account with the right check digits ends that begins here; 0 if none does. A word may follow it."""
    ends = [len(text), *(at for at, sign in enumerate(text) if sign == " " and at > 14)]
    return next((end for end in sorted(ends, reverse=True) if _is_account(text[:end])), 0)


def _is_account(text: str) -> bool:
    signs = text.replace(" ", "")
    if not 15 <= len(signs) <= 34:
        return False
    return int("".join(str(int(sign, 36)) for sign in signs[4:] + signs[:4])) % 97 == 1


def _is_phone(match: re.Match[str], text: str) -> bool:
    written = match[0]
    if match["abroad"] and _is_number(written if written.startswith("+") else f"+{written[2:]}"):
        return True
    if match["formed"] or (match["trunk"] and _is_number(written)):
        return True
    before = text[max(0, match.start() - _BEFORE) : match.start()]
    if not (_CALLED.search(before) or _MY_NUMBER.search(before)):
        return False
    return 7 <= sum(map(str.isdecimal, written)) <= 15 and (len(set(written) & set(" .-/")) > 0 or _is_number(written))


@lru_cache(maxsize=4096)
def _is_number(written: str) -> bool:
    """True if it may be called: abroad as it stands, else in one of the countries."""
    import phonenumbers  # 48 MB of files, of which masking alone reads some

    for region in (None,) if written.startswith("+") else _REGIONS:
        try:
            number = phonenumbers.parse(written.replace("(0)", ""), region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number) or (region is None and phonenumbers.is_possible_number(number)):
            return True
    return False
