"""The page about the query language, made from the table of fields: `reviewer help query` and docs/query.md.

Owns the words around the table. A test holds docs/query.md to it.
"""

from __future__ import annotations

from reviewer.query.fields import FIELDS, Field

_START = """\
# The query language

One line says which conversations are meant, in `reviewer list`, `open`, `search`, `board`, `tags`, `export`, `remove`,
`attach --on`, `codebook split`, and behind `f` in the app.
Terms stand side by side, separated by blanks; all of them must hold. A `-` right before a term turns it round.

    model:kimi* -tool:cancel* "delivered yesterday"
    bucket:must-escalate score.instruction-following:<0.6 messages:>10
    role:agent in:reasoning policy

## Words

    refund              the word, in any case: Refund, REFUND; not refunds
    refund*             words that begin so
    don't  #1130  12:30 what stands between blanks is sought as it stands, in any case, not inside a longer word
    "ivered yest"       the characters between the quotes, exactly: case, blanks and all, even inside words
    "</think>"          likewise; everything between quotes is literal
    "5"" screen"        a quote inside quotes is doubled

In scripts written without blanks (Chinese, Japanese, Thai ...) a bare word is found wherever it stands.
Words are looked for in what was said, in reasoning, and in the arguments and results of tool calls. A conversation
must hold all of them, anywhere; `search` prints each text that holds at least one. `role:` and `in:` say whose words
and where: `role:tool` is what tools answered. `search` also finds reviewers' and judges' notes
that hold all the words.

## Fields

"""

_VALUES = """
## Values

    kimi-k2             a name, in any case
    kimi*  *-mini       * stands for any characters
    kimi*,gpt-4o        one or the other
    "gpt-4o, new"       exactly this name, with its commas, blanks, stars and case
    none                nothing is known; a `-` before the term asks that something is
    10  >10  <=10  4..8 numbers
    2026-06  >2026-06-01  2026-06-01..2026-06-14
                        dates, compared as far as they are written: >2026-06 begins in July

## Reviews

These are answered from the journals in the annotations folder.

"""

_END = """
## In a shell

The shell takes quotes, stars, `<` and `>` for itself: put the query between single quotes.

    reviewer search runs.db '"delivered yesterday" model:kimi*'
    reviewer list runs.db 'score.reward:<1 -error:yes'

The first search for words in a large store makes an index of them in the cache folder, once; it can be deleted at any
time. A phrase needs none.
"""


def text() -> str:
    """The page about the query language, as Markdown."""
    stored = [field for field in FIELDS.values() if not field.ledger]
    reviewed = [field for field in FIELDS.values() if field.ledger]
    return _START + _table(stored) + _VALUES + _table(reviewed) + _END


def _table(fields: list[Field]) -> str:
    return "".join(f"    {field.usage:<19} {_meaning(field)}\n" + _example(field) for field in fields)


def _meaning(field: Field) -> str:
    return f"{field.meaning}: {', '.join(field.choices)}" if field.kind == "choice" else field.meaning


def _example(field: Field) -> str:
    return f"    {'':<19} {'   '.join(field.examples)}\n"
