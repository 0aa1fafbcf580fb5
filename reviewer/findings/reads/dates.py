"""Dates and lengths of time as people write them: where they stand in a text, and the day or the days they mean.

Owns the scanners. One pass over the text each, no day that no calendar has; a day without a year is matched by month
and day. Relative days need to be told what today is; without it they are left out. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = (
    "january jan enero janvier januar gennaio janeiro",
    "february feb febrero février fevrier februar febbraio fevereiro",
    "march mar marzo mars märz março",
    "april apr abril avril aprile",
    "may mayo mai maggio maio",
    "june jun junio juin juni giugno junho",
    "july jul julio juillet juli luglio julho",
    "august aug agosto août",
    "september sep sept septiembre septembre settembre setembro",
    "october oct octubre octobre oktober ottobre outubro",
    "november nov noviembre novembre novembro",
    "december dec diciembre décembre decembre dezember dicembre dezembro",
)
_MONTH_OF = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()}
_NAMES = "|".join(sorted(_MONTH_OF, key=len, reverse=True))
_DATE = re.compile(
    rf"""
      (?<![\d/.-]) (?P<iso>(?P<y1>\d{{4}})-(?P<m1>\d{{1,2}})-(?P<d1>\d{{1,2}})) (?![\d/])
    | (?<![\d/.-]) (?P<m2>\d{{1,2}})/(?P<d2>\d{{1,2}})/(?P<y2>\d{{4}}) (?![\d/])
    | \b (?P<n3>{_NAMES}) \.? [ ] (?P<d3>\d{{1,2}}) (?!\d) (?:st|nd|rd|th)? (?: ,? [ ] (?P<y3>\d{{4}}) \b )?
    | (?<![\d.,]) (?P<d4>\d{{1,2}}) (?:st|nd|rd|th|\.|er|º)? [ ] (?:of[ ]|de[ ])? (?P<n4>{_NAMES}) \b
      (?: ,? [ ] (?:de[ ])? (?P<y4>\d{{4}}) \b )?
    | (?: (?P<y5>\d{{4}}) 年 )? (?P<m5>\d{{1,2}}) 月 (?P<d5>\d{{1,2}}) [日号]
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TIME_OF_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?!\d)")
_RELATIVE = re.compile(
    r"\b(?:(?P<today>today|hoy|aujourd['’]hui|heute|oggi|hoje)"
    r"|(?P<yesterday>yesterday|ayer|hier|gestern|ieri|ontem)"
    r"|(?P<ago>\d{1,3}|one|two|three|four|five|six|seven) days? ago)\b|(?P<zh>今天|昨天)",
    re.IGNORECASE,
)
_WORDS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_NUMBER = r"(?:\d{1,4}|" + "|".join(_WORDS) + ")"
_UNITS = {
    "hour": "hours? hora horas heures? stunden? ore 小时",
    "business day": (
        "business_days? working_days? días_hábiles jours_ouvrés werktagen? werktage giorni_lavorativi"
        " dias_úteis 个?工作日"
    ),
    "day": "days? días? jours? tagen? tage giorni dias? 天",
    "week": "weeks? semanas? semaines? wochen? settimane 周 个?星期",
    "month": "months? mes meses mois monaten? monate mesi",
    "billing cycle": "billing_cycles? statement_cycles?",
}
_UNIT = "|".join(
    f"(?P<u{n}>{'|'.join(words.split())})".replace("_", r"[\s-]") for n, words in enumerate(_UNITS.values())
)
_LENGTH = re.compile(
    rf"(?<![\w.,#-])(?P<low>{_NUMBER})(?:\s?(?:-|–|—|to|or|a|à|bis|até|至|到)\s?(?P<high>{_NUMBER}))?"
    rf"[\s-]?(?P<unit>{_UNIT})(?![a-z])",
    re.IGNORECASE,
)
_SPAN_OF = {"business day": 1.4, "day": 1.0, "hour": 1 / 24, "week": 7.0, "month": 30.0, "billing cycle": 30.0}


@dataclass(frozen=True, slots=True)
class Day:
    """A day in a text; year 0 where none is written."""

    year: int
    month: int
    day: int
    start: int
    end: int
    relative: bool = False

    def same(self, other: Day) -> bool:
        """True if both may mean one day."""
        years = not self.year or not other.year or self.year == other.year
        return years and (self.month, self.day) == (other.month, other.day)

    @property
    def said(self) -> str:
        """The day as figures: `2026-04-20`, `04-20` without a year."""
        return f"{self.year:04}-{self.month:02}-{self.day:02}" if self.year else f"{self.month:02}-{self.day:02}"


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time in a text: from so many to so many of a unit."""

    low: int
    high: int
    unit: str
    start: int
    end: int

    @property
    def days(self) -> float:
        """The longest it may take, roughly."""
        return self.high * _SPAN_OF[self.unit]

    def within(self, other: Length) -> bool:
        """True if it says no more than the other: the same numbers, or some of them, in units that people mix."""
        mixed = {self.unit, other.unit} <= {"day", "business day"}
        if self.unit == other.unit or mixed:
            return {self.low, self.high} <= {other.low, other.high} or other.low <= self.low <= self.high <= other.high
        return (
            abs(self.days - other.days) < 1 and self.low * _SPAN_OF[self.unit] >= other.low * _SPAN_OF[other.unit] - 1
        )


def day_of(text: str | None) -> date | None:
    """The day of a time stamp or of a desk's clock; None if there is none."""
    match = _TIME_OF_DAY.match(text or "")
    return _real(*(int(part) for part in match.groups())) if match else None


def days(text: str, start: int = 0, end: int | None = None, today: date | None = None) -> Iterator[Day]:
    """The days that a stretch of a text names; relative ones where today is known."""
    stop = len(text) if end is None else end
    for match in _DATE.finditer(text, start, stop):
        day = _written(match)
        if day is not None:
            yield day
    if today is not None:
        for match in _RELATIVE.finditer(text, start, stop):
            meant = today - timedelta(days=_back(match))
            yield Day(meant.year, meant.month, meant.day, *match.span(), relative=True)


def lengths(text: str, start: int = 0, end: int | None = None) -> Iterator[Length]:
    """The lengths of time in a stretch of a text."""
    for match in _LENGTH.finditer(text, start, len(text) if end is None else end):
        low = _number(match["low"])
        high = _number(match["high"]) if match["high"] else low
        unit = next(name for n, name in enumerate(_UNITS) if match[f"u{n}"])
        if low <= high and not (match["low"].lower() in ("a", "an") and unit == "day"):
            yield Length(low, high, unit, *match.span())


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else _WORDS[text.lower()]


def _written(match: re.Match[str]) -> Day | None:
    for n in "12345":
        day = match[f"d{n}"]
        if day is None:
            continue
        month = _MONTH_OF[match[f"n{n}"].lower()] if n in "34" else int(match[f"m{n}"])
        year = int(match[f"y{n}"] or 0)
        if _real(year or 2000, month, int(day)) is None:
            return None
        return Day(year, month, int(day), *match.span())
    return None


def _real(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _back(match: re.Match[str]) -> int:
    if match["ago"]:
        return _number(match["ago"])
    return int(match["yesterday"] is not None or match["zh"] == "昨天")
