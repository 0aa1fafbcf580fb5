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

One line says which conversations you mean. Type it behind `f` in the app, or give it to `reviewer list`, `open`,
`search`, `board`, `tags`, `export`, `remove`, `attach --on` and `codebook split`.

    refund                                        the word stands somewhere in it
    wrote:no role:agent cancelled                 the agent said “cancelled” and changed nothing
    forbidden:yes                                 the agent called what the case forbids
    flips:acts case:cancel-*                      the runs of a model on a case differ in what was done
    (wrote:cancel or handover:yes) -error:yes     cancelled or handed over, and no call failed
    model:kimi* score.instruction-following:<0.6  one model, where it was judged badly

A query is made of words and of terms, `FIELD:VALUE`.

## Together

    a b                 side by side: both must hold
    a or b              one of them, or both; side by side binds tighter: a b or c d is (a b) or (c d)
    (a or b) c          parentheses say what belongs together
    -a  -(a or b)       a `-` right before a term or a parenthesis: must not hold
    "or"  "(sic)"       in quotes, or and parentheses are words like any other

## Words

    refund              the word, in capitals or not: Refund, REFUND; not refunds
    refund*             words that begin so
    don't  #1130  12:30 letters, digits and signs as they stand, in capitals or not, not inside a longer word
    "ivered yest"       the characters between the quotes exactly, even inside words
    "5"" screen"        a quote inside quotes is doubled

Words are looked for in messages, in reasoning, and in the arguments and results of tool calls. A conversation must hold
all words that stand side by side, anywhere in it. These two say whose words and where, for the words beside them and in
the parentheses beside them:

"""

_DID = """
In Chinese, Japanese, Thai and other scripts written without blanks a word is found wherever it stands.
`search` prints each text that holds a word of the query. It also looks into reviewers' and judges' notes.

## What the agent did

Which tools write, read or hand over is what the store's desk says (docs/attach.md). Without a desk the first four find
nothing; `forbidden:` also needs cases that say what they forbid. Only the agent's own calls count.

"""

_IS = """
## What it is

"""

_VALUES = """
## Values

    kimi-k2             a name, in capitals or not; blank, hyphen and underscore are one: used-item finds “used item”
    kimi*  *-mini       * stands for any characters
    kimi*,gpt-4o        one or the other
    "used item"         exactly this name, with its blanks, commas, stars and capitals
    none                nothing is known; with a `-` before the term, something is
    10  >10  <=10  4..8 numbers
    2026-06  >2026-06-01  2026-06-01..2026-06-14
                        dates, compared as far as they are written: >2026-06 begins in July

A value that finds nothing is named, with the nearest that there are: one of several (`family:tracking,trackin`), a name
behind a `-`, a name beside an `or`. A command names it beside its output, the app at the foot.

## Reviews

These ask what reviewers said, which stands in the annotations folder.

"""

_SUGGESTED = """
Terms about tags that stand side by side must hold of one tag: `tag:warm stance:clear` is a clear tag “warm”, and
`tag:warm (stance:clear)` may be two tags. Beside `by:` only that reviewer's marks count, in parentheses too.

## Suggestions

These ask what reads suggest (docs/reads.md), after `reviewer scan`.

"""

_END = f"""
Side by side they must hold of one suggestion: `finding:duplicate-write certain:yes` is a certain “duplicate-write”. A
suggestion counts while its conversation is what it was, and until somebody rejects it; an accepted one still counts:
`finding:phantom-action -tag:phantom-action` is what is left to look at. `finding:no` is what reads went through without
one; what no read has seen is neither `finding:no` nor `finding:yes`, and its number is said. What is suggested of a
case across its runs is suggested of each run. `reviewer findings` lists only the suggestions of which these terms hold,
not all suggestions about the conversations that they let through.

## In a shell

The shell takes quotes, stars, parentheses, `<` and `>` for itself: put the query between single quotes.

    reviewer search runs.db '"your order" model:kimi*'
    reviewer list runs.db 'score.resolution:<1 -error:yes'

The first search for words in a large store makes an index of them in the cache folder, once; it can be deleted at any
time. A phrase needs none.

The queries at the top, those beside the fields and the two above find something in the sample (`make demo`), those
about suggestions once it was scanned; only for these it has nothing:
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
