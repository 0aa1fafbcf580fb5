"""The columns of a list of conversations: one table for the queue, `reviewer list` and where outcomes stand together.

Owns what a column is called, what it says of a row as plain text, how one sorts by it and which filter a cell stands
for. How wide it is drawn and in which colour is the screen's affair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from reviewer.basics.errors import QueryError
from reviewer.basics.glyphs import glyph
from reviewer.figures.measure.metrics import METRICS, plain_name
from reviewer.transcripts.desk import outcome
from reviewer.transcripts.model import QueueRow
from reviewer.transcripts.query.selection import bare_key, quoted

if TYPE_CHECKING:
    from reviewer.transcripts.prices import Price
    from reviewer.transcripts.store.reader import Reader

SCORE = "score"
NO_NUMBER = "-"
"""What stands for a score that its judge gave without a number, which logs write as NaN."""
_THOUSAND = 1_000
_CENT = 0.01
_WORD = r'(?:[^\s,"]|"(?:[^"]|"")*"?)+'
"""A column as it is typed; a name in quotes may hold blanks."""


class RowColumn(NamedTuple):
    """A column: its name as it is typed, its header, the header where room is short, and how one sorts by it."""

    name: str
    header: str
    short: str
    sort: str = ""
    """As it is typed behind `:sort`; empty where nothing is sorted by it."""
    right: bool = False
    """Whether it is a number, which ends where those above it end."""
    last: int = 0
    """Which column gives way first where room is short: that with the largest number."""

    @property
    def scorer(self) -> str:
        """The score that it shows; empty for all other columns."""
        return self.name.partition(".")[2] if self.name.startswith(f"{SCORE}.") else ""


_ALL = (
    RowColumn("case", "case", "case", "case"),
    RowColumn("model", "model", "model", "model", last=2),
    RowColumn("run", "run", "run", "run", right=True, last=1),
    RowColumn("happened", "what happened", "did", "unsafe", last=3),
    RowColumn(SCORE, "score", "score", "score", right=True, last=5),
    RowColumn("marks", "marks", "tag", "tags", last=4),
    RowColumn("messages", "messages", "msgs", "messages", right=True, last=6),
    RowColumn("calls", "calls", "call", "calls", right=True, last=9),
    RowColumn("tokens", "tokens", "tok", "tokens", right=True, last=10),
    RowColumn("cost", "cost", "cost", "cost", right=True, last=11),
    RowColumn("family", "family", "family", last=12),
    RowColumn("bucket", "bucket", "bucket", last=12),
    RowColumn("ended", "ended by", "end", last=12),
    RowColumn("ref", "reference", "ref", last=12),
    RowColumn("opening", "first words", "first words", last=8),
)
COLUMNS: dict[str, RowColumn] = {each.name: each for each in _ALL}
IDENTIFIER = COLUMNS["case"]._replace(header="id", short="id")
"""The first column where nothing belongs to a case."""
USUAL = ("case", "model", "run", "happened", SCORE, "marks", "messages", "tokens", "cost", "opening")
"""What a list shows where nobody chose, as far as there is something to show."""
LISTED = ("ref", "happened", SCORE, "messages", "calls", "tokens", "cost", "family", "bucket")
"""Likewise where lines are printed, for people and for pipes."""
_FIRST = ("reward", "resolution", SCORE)
"""Scores that say how it went as a whole: one of them is shown before any other."""


def score_column(scorer: str) -> RowColumn:
    """The column of one score."""
    known = METRICS.get(plain_name(scorer))
    return COLUMNS[SCORE]._replace(
        name=f"{SCORE}.{bare_key(scorer)}",
        header=scorer,
        short=known.short if known is not None and known.kind == "mean" else scorer.rpartition(".")[2][:4],
        sort=f"{SCORE}.{bare_key(scorer)}",
    )


def column_named(name: str, scorers: Sequence[str]) -> RowColumn:
    """The column that somebody typed the name of; `score` is the one that is shown first."""
    word, dot, key = name.partition(".")
    if word.lower() == SCORE:
        key = key[1:-1].replace('""', '"') if key.startswith('"') and key.endswith('"') else key
        scorer = next((each for each in scorers if each.lower() == key.lower()), "") if dot else first_score(scorers)
        if scorer:
            return score_column(scorer)
        hint = f"There are scores of: {', '.join(scorers)}." if scorers else "`reviewer attach` brings some."
        raise QueryError(f"No score of “{key}” here." if dot else "Nothing here has a score.", hint)
    if name.lower() not in COLUMNS:
        raise QueryError(f"There is no column “{name}”.", f"There are: {', '.join(COLUMNS)}, score.NAME.")
    return COLUMNS[name.lower()]


def columns_named(text: str, scorers: Sequence[str]) -> tuple[RowColumn, ...]:
    """The columns whose names were typed, with blanks or commas between them, each once."""
    chosen = (column_named(name, scorers) for name in re.findall(_WORD, text))
    return tuple({column.name: column for column in chosen}.values())


def first_score(scorers: Iterable[str]) -> str:
    """The score that is shown where nobody chose one; empty where there is none."""
    known = list(scorers)
    whole = [each for name in _FIRST for each in known if each.lower() == name]
    return next(iter([*whole, *sorted(known, key=lambda name: name.count("."))]), "")


def complete_columns(typed: str, scorers: Sequence[str]) -> list[str]:
    """What may go on with the last of the column names that are being typed, the whole text with each."""
    before, blank, word = typed.rpartition(" ")
    names = [*COLUMNS, *(f"{SCORE}.{bare_key(each)}" for each in scorers)]
    chosen = before.split()
    return [f"{before}{blank}{each}" for each in names if each.startswith(word.lower()) and each not in chosen]


# -- what they say -----------------------------------------------------------------------------------------------------


def named(row: QueueRow) -> str:
    """What a conversation is called beside its model and run: its case, else the end of its reference."""
    return row.case if row.case is not None else unquote(row.ref.rpartition("/")[2])


def happened(row: QueueRow) -> str:
    """What the agent did, in words."""
    result = outcome.of_row(row)
    done = [*result.writes, *([outcome.HANDOVER] if result.handover else [])]
    acts = [(act, act) for act in done] + [(act, f"attempted {act}") for act in result.attempted]
    words = [f"{text} (forbidden)" if act in result.forbidden else text for act, text in acts]
    broken = "empty" if not result.messages else "broke off" if result.broken else ""
    return ", ".join([*words, broken] if broken else words)


def score_text(value: float | str | None) -> str:
    """A score as a list shows it: a number with at most two decimals, any other value as it is; `-` for no number."""
    if value is None or isinstance(value, str):
        return NO_NUMBER if (value or "").lower() == "nan" else value or ""
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) < _THOUSAND else f"{value:g}"


def tokens_text(tokens: int | None) -> str:
    """A number of tokens, thousands as `12.3k`."""
    if tokens is None:
        return ""
    return str(tokens) if tokens < _THOUSAND else f"{tokens / _THOUSAND:.1f}k"


def cost_text(row: QueueRow) -> str:
    """What a conversation cost in dollars: `0.012` as its source told it, `~0.012` where its tokens were reckoned."""
    if row.cost is not None:
        return _dollars(row.cost)
    amount = reckoned(row)
    return "" if amount is None else f"{glyph('reckoned')}{_dollars(amount)}"


def reckoned(row: QueueRow) -> float | None:
    """What its tokens come to by the list of prices, where its source told no cost; None without tokens or a price."""
    price = _price(row.model) if row.unpriced is not None else None
    return price.cost(row.unpriced) if price is not None and row.unpriced is not None else None


@lru_cache(1_000)
def _price(model: str) -> Price | None:
    """The price of a model; the list is read when the first one is asked for."""
    from reviewer.transcripts.prices import price_list

    return price_list().of(model)


def _dollars(amount: float) -> str:
    return f"{amount:.3f}" if not amount or abs(amount) >= _CENT else f"{amount:.4f}"


_TEXTS: dict[str, Callable[[QueueRow], str]] = {
    "case": named,
    "model": lambda row: row.model,
    "run": lambda row: "" if row.run is None else str(row.run),
    "happened": happened,
    "messages": lambda row: str(row.messages),
    "calls": lambda row: str(row.tool_calls),
    "tokens": lambda row: tokens_text(row.tokens),
    "cost": cost_text,
    "family": lambda row: row.family or "",
    "bucket": lambda row: row.bucket or "",
    "ended": lambda row: row.ended_by or "",
    "ref": lambda row: row.ref,
    "opening": lambda row: row.opening.lstrip(),
}


def text_of(column: RowColumn, row: QueueRow) -> str:
    """What a column says of a conversation, as its source wrote it; marks are not the store's to say."""
    if column.scorer:
        return score_text(row.scores.get(column.scorer))
    say = _TEXTS.get(column.name)
    return say(row) if say else ""


# -- what a store has --------------------------------------------------------------------------------------------------

BANDS = (("low", 0.5), ("middling", 0.8), ("high", 1.0))
"""The bands of a score and the share of its scale at which each ends."""
_MOST = 2 / 3
_FEW = 4
"""Of fewer conversations it is never said what most have in common."""


class Inventory(NamedTuple):
    """What the conversations of a store have, as far as some of them from everywhere in it show."""

    rows: tuple[QueueRow, ...] = ()
    scales: Mapping[str, tuple[float, float]] = MappingProxyType({})
    """The lowest and the highest that a score goes, by scorer."""
    several: frozenset[str] = frozenset()
    """Which of `model` and `run` are several in this store."""
    wrote: bool = False
    """Whether most wrote, so that a sign for it would say little; the others get one."""
    ended: str = ""
    """How most ended, likewise."""

    @property
    def scorers(self) -> tuple[str, ...]:
        """The scores there are."""
        return tuple(self.scales)


_LOOKED_AT = 40
"""Conversations from everywhere in a store that are looked through."""


def inventory_of(reader: Reader) -> Inventory:
    """Look through some conversations of a store for what there is to show; quick, however large it is."""
    rows = reader.rows(reader.spread(_LOOKED_AT), scored=True)
    several = (name for name in ("model", "run") if len(reader.vocabulary.values(name, limit=2)) > 1)
    return inventory(rows, several)


def inventory(rows: Sequence[QueueRow], several: Iterable[str] = ()) -> Inventory:
    """Make the inventory of these conversations."""
    values: dict[str, list[float]] = {}
    for row in rows:
        for scorer, value in row.scores.items():
            values.setdefault(scorer, []).extend([value] if isinstance(value, float) else [])
    scales = {scorer: (min(0.0, *each, 0.0), max(1.0, *each, 1.0)) for scorer, each in values.items()}
    results = [outcome.of_row(row) for row in rows]
    sound = [result for result in results if not result.broken or result.acts]
    most = _MOST * len(sound) if len(sound) >= _FEW else len(sound) + 1
    ends = [result.ended_by or "" for result in sound]
    usual = max(set(ends), key=ends.count, default="")
    return Inventory(
        tuple(rows),
        scales,
        frozenset(several),
        sum(bool(result.writes) and not result.forbidden for result in sound) >= most,
        usual if ends.count(usual) >= most else "",
    )


def usual_columns(known: Inventory, names: Sequence[str] = USUAL) -> tuple[RowColumn, ...]:
    """The columns of a list where nobody chose: those that say something in this store, one score among them."""
    columns = []
    cases = any(row.case is not None for row in known.rows)
    for name in names:
        if name == SCORE:
            columns += [score_column(first_score(known.scorers))] if known.scorers else []
        elif name in ("marks", *known.several) or (name not in ("model", "run") and _says(COLUMNS[name], known)):
            columns.append(COLUMNS[name] if name != "case" or cases else IDENTIFIER)
    return tuple(columns)


def _says(column: RowColumn, known: Inventory) -> bool:
    """True if a column says something of any conversation."""
    return any(text_of(column, row) for row in known.rows)


def band(value: float, scale: tuple[float, float]) -> str:
    """The band of a score on its scale."""
    low, high = scale
    share = (value - low) / (high - low)
    return next((name for name, end in BANDS if share < end), BANDS[-1][0])


# -- what a cell filters by --------------------------------------------------------------------------------------------


def term_of(column: RowColumn, row: QueueRow, known: Inventory) -> str:
    """The terms of a filter that let through what a cell says; empty for a cell that nothing is filtered by."""
    if column.scorer:
        return _score_term(column, row.scores.get(column.scorer), known)
    if column.name == "happened":
        return _act_terms(row)
    values = {
        "case": row.case,
        "model": row.model,
        "run": None if row.run is None else str(row.run),
        "family": row.family,
        "bucket": row.bucket,
        "ended": row.ended_by,
    }
    value = values.get(column.name)
    return f"{column.name}:{_value(value)}" if value else ""


def _score_term(column: RowColumn, value: float | str | None, known: Inventory) -> str:
    if isinstance(value, str):
        return f"{column.name}:{_value(value)}" if value else ""
    if value is None:
        return f"{column.name}:none"
    low, high = known.scales.get(column.scorer, (0.0, 1.0))
    ends = [low + (high - low) * end for _, end in BANDS]
    at = next((index for index, end in enumerate(ends) if value < end), len(ends) - 1)
    terms = [f"{column.name}:>={ends[at - 1]:g}"] if at else []
    return " ".join([*terms, *([f"{column.name}:<{ends[at]:g}"] if at < len(ends) - 1 else [])])


def _act_terms(row: QueueRow) -> str:
    """The acts that succeeded, and those that were only attempted."""
    result = outcome.of_row(row)
    terms = [f"wrote:{act}" for act in result.writes] + ["handover:yes"] * result.handover
    return " ".join([*terms, *(f"attempted:{act}" for act in result.attempted)])


def _value(text: str) -> str:
    """A value as it is typed behind a field: in quotes where it would be read as something else."""
    plain = all(character.isalnum() or character in "-_./+" for character in text)
    return text if plain and text.lower() != "none" and ".." not in text else quoted(text)
