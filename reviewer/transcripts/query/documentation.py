"""The page about the query language, made from the table of fields: `reviewer help query` and docs/query.md.

Owns the words around the table. A test holds docs/query.md to it, and runs every query on it against the sample.
"""

from __future__ import annotations

from reviewer.transcripts.query.fields import SECTIONS, Field

NOT_IN_THE_SAMPLE = (
    "case:none",
    "run:none",
    "ended:none",
    "score.reward@gpt-5:1",
    "meta.channel:chat",
    "meta.task.attempt:>1",
)
"""The examples that find nothing in the sample, because it has nothing of the kind; the page says so."""

_START = """\
# The query language

A query is one line that selects conversations. Press `f` in the app and type it, or give it to `reviewer list`, `open`,
`search`, `board`, `tags`, `export`, `remove`, `attach --on` and `codebook split`.

    refund                                        the conversation holds the word
    wrote:no role:agent cancelled                 the agent said “cancelled” and changed nothing
    forbidden:yes                                 the agent called what the case forbids
    flips:acts case:cancel-*                      the runs of a model on a case differ in their acts
    (wrote:cancel or handover:yes) -error:yes     cancelled or handed over, and no call failed
    model:kimi* score.instruction-following:<0.6  one model, where its score is low

A query consists of words and of terms, `FIELD:VALUE`.

## Together

    a b                 side by side: both must hold
    a or b              one of them, or both; side by side binds tighter: a b or c d is (a b) or (c d)
    (a or b) c          parentheses group
    -a  -(a or b)       a `-` right before a term or a parenthesis: it must not hold
    "or"  "(sic)"       in quotes, or and parentheses are ordinary words

## Words

    refund              the word, in capitals or not: Refund, REFUND; not refunds
    refund*             words that begin with it
    don't  #1130  12:30 exactly these letters, digits and signs, in capitals or not, not inside a longer word
    "ivered yest"       exactly the characters between the quotes, even inside words
    "5"" screen"        double a quote inside quotes

`reviewer` looks for words in messages, in reasoning, and in the arguments and results of tool calls. A conversation
must hold all words that are side by side in the query, anywhere in it. Two fields limit the search to some speakers and
some places. They apply to the words beside them and to the words in parentheses beside them:

"""

_DID = """
In Chinese, Japanese, Thai and other scripts without blanks, a word is found anywhere in the text.
`search` prints each text that holds a word of the query. It also searches reviewers' and judges' notes.

## What the agent did

The store's desk lists the tools that write, read or hand over (docs/attach.md). Without a desk, the first four fields
find nothing. `forbidden:` also needs cases that list what they forbid. Only the agent's own calls count.

"""

_IS = """
## What it is

"""

_VALUES = """
## Values

    kimi-k2             a name, in capitals or not; blank, hyphen and underscore are equal: used-item finds “used item”
    kimi*  *-mini       * stands for any characters
    kimi*,gpt-4o        one or the other
    "used item"         exactly this name, with its blanks, commas, stars and capitals
    none                no value is stored; with a `-` before the term, a value is
    10  >10  <=10  4..8 numbers
    2026-06  >2026-06-01  2026-06-01..2026-06-14
                        dates, compared to the precision that you write: >2026-06 begins in July

If a value finds nothing, you see the value and the nearest values that exist. That holds for one of several values
(`family:tracking,trackin`), for a name after a `-`, and for a name beside an `or`. A command prints this beside its
output, and the app shows it at the foot.

## Reviews

These fields search what reviewers marked. The annotations folder holds their marks.

"""

_SUGGESTED = """
Terms about tags that are side by side must hold of one tag: `tag:warm stance:clear` finds a clear tag “warm”, and
`tag:warm (stance:clear)` may find two tags. Beside `by:` only that reviewer's marks count, in parentheses too.

## Suggestions

These fields search what reads suggest (docs/reads.md). Run `reviewer scan` first.

"""

_END = f"""
Terms that are side by side must hold of one suggestion: `finding:duplicate-write certain:yes` finds a certain
“duplicate-write”.

A suggestion counts as long as its conversation is unchanged and until somebody rejects it. An accepted suggestion still
counts, so `finding:phantom-action -tag:phantom-action` finds the conversations that are left to look at.

`finding:no` finds conversations that reads went through without a suggestion. A conversation that no read went through
is neither `finding:no` nor `finding:yes`, and you see how many there are.

A suggestion about a case across its runs counts for each run. `reviewer findings` lists only the suggestions for which
these terms hold, not all suggestions about the conversations that they select.

## In a shell

The shell interprets quotes, stars, parentheses, `<` and `>`, so put the query between single quotes.

    reviewer search runs.db '"your order" model:kimi*'
    reviewer list runs.db 'score.resolution:<1 -error:yes'

The first search for words in a large store builds an index in the cache folder, once. You can delete the index at any
time. A phrase needs no index.

Every query at the top, beside a field or in this section finds something in the sample (`make demo`). The queries about
suggestions find something after a scan. Only these find nothing, because the sample has no such data:
{"   ".join(f"`{each}`" for each in NOT_IN_THE_SAMPLE)}
"""


def text() -> str:
    """The page about the query language, as Markdown."""
    tables = {name: _table(fields) for name, fields in SECTIONS.items()}
    before = "".join((_START, tables["where"], _DID, tables["did"], _IS, tables["is"], _VALUES, tables["reviews"]))
    return before + _SUGGESTED + tables["suggested"] + _END


def _table(fields: tuple[Field, ...]) -> str:
    return "".join(f"    {field.usage:<19} {_meaning(field)}\n" + _example(field) for field in fields)


def _meaning(field: Field) -> str:
    return f"{field.meaning}: {', '.join(field.choices)}" if field.kind == "choice" else field.meaning


def _example(field: Field) -> str:
    return f"    {'':<19} {'   '.join(field.examples)}\n"
