"""What a board is computed from: conversations, fired tools and judges' sums, without a word of any message.

Owns the SELECTs over calls, scores and conversations that numbers need. What the rows mean is for
`reviewer.figures.measure`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from reviewer.transcripts.model import SIMULATED, judge_label
from reviewer.transcripts.query import EVERYTHING, Selection
from reviewer.transcripts.store.column_types import COUNT, NUMBER, TEXT, WORDS, Kinds, sound
from reviewer.transcripts.store.connection import speaking_plainly
from reviewer.transcripts.store.conversation_rows import loaded, names

Where = Callable[[Selection], tuple[str, list[Any]]]
"""What turns a selection into the WHERE of a SELECT over `conversations`."""

# Left out of every denominator: what is empty, and what ended in an error.
BROKEN = "(messages = 0 OR error IS NOT NULL OR ended_by IS 'error')"


class RunRow(NamedTuple):
    """One run of a model."""

    id: int
    model: str
    number: int | None
    judge: str | None
    meant: tuple[str, ...] = ()
    """The cases it was meant to have; empty where no source names them."""


class CaseRow(NamedTuple):
    """The facts about a case that numbers are computed from."""

    id: int
    name: str
    family: str | None
    bucket: str | None
    forbidden: frozenset[str]
    suite: str = ""
    """Empty where it belongs to none."""


class ConversationTally(NamedTuple):
    """The facts about one conversation that numbers are computed from."""

    id: int
    run: int
    case: int | None
    desk: int | None
    agent_messages: int
    broken: bool
    ref: str
    digest: str


class CallCount(NamedTuple):
    """How often one tool was called in one run, as one desk has it."""

    run: int
    desk: int | None
    tool: str
    calls: int
    errors: int
    conversations: int


class UsageSum(NamedTuple):
    """What the conversations of one run used, and how many of them say so."""

    run: int
    conversations: int
    told: int
    """How many say their tokens."""
    tokens_in: int
    tokens_out: int
    reasoning_told: int
    tokens_reasoning: int
    cost_told: int
    cost: float


class ScoredBy(NamedTuple):
    """A scorer, its judge, and the version of the judge's prompt: whose scores may be added up."""

    scorer: str
    judge: str | None
    prompt: str | None

    @property
    def label(self) -> str | None:
        """The judge as it is named."""
        return judge_label(self.judge, self.prompt)


class JudgePair(NamedTuple):
    """The scores of two judges for the same conversations of one run and bucket, added up."""

    run: int
    bucket: str | None
    scorer: str
    other: str | None
    """The judge beside the first."""
    n: int
    total: float
    other_total: float
    apart: float
    """The differences without their sign, added up."""


class JudgeSum(NamedTuple):
    """The sum of one judge's scores for one group of conversations of one run."""

    run: int
    group: str | None
    bucket: str | None
    scorer: str
    n: int
    total: float


class CostRow(NamedTuple):
    """What the conversations of one run cost or used; what is empty or ended in an error is left out."""

    run: int
    number: int | None
    model: str
    conversations: int
    told: int
    """Those whose source told the cost."""
    cost: float
    with_tokens: int
    """Those of the others whose source told tokens; the sums below are theirs."""
    tokens_in: int
    tokens_out: int
    tokens_cached: int


class RoleSum(NamedTuple):
    """What another role than the agent's used in conversations, added up by role and who played it."""

    role: str
    model: str | None
    """Who played it; None where no source says."""
    told: int
    """Conversations whose source told the cost."""
    cost: float
    with_tokens: int
    """Others, whose source told tokens; the sums below are theirs."""
    tokens_in: int
    """Those read from a cache and written to one among them."""
    tokens_out: int
    tokens_cached: int
    tokens_written: int
    """Written to a cache."""


By = Literal["bucket", "family", "case"]
_TOKENS = ("tokens_in", "tokens_out", "tokens_cached")
_OF_ROLE = "CASE WHEN json_type(used.value, '$.{0}') IN ('integer', 'real') THEN json_extract(used.value, '$.{0}') END"
_READ, _WRITTEN, _HIT, _MADE, _PAID = (
    _OF_ROLE.format(name)
    for name in ("input_tokens", "output_tokens", "input_tokens_cache_read", "input_tokens_cache_write", "total_cost")
)
_BY_ROLE = (
    "SELECT used.key AS role, coalesce(named.value, runs.model) AS model,"
    f" {_PAID} AS cost, {_READ} AS read, {_WRITTEN} AS written, ifnull({_HIT}, 0) AS hit, ifnull({_MADE}, 0) AS made"
    " FROM conversations JOIN runs ON runs.id = run_id"
    " JOIN json_each(iif(json_valid(conversations.extra), conversations.extra, '{}'), '$.role_usage') AS used"
    " LEFT JOIN json_each(iif(json_valid(runs.extra), runs.extra, '{}'), '$.model_roles') AS named"
    " ON named.key = used.key AND named.type = 'text'"
    " WHERE conversations.id IN (SELECT value FROM json_each(:conversations)) AND used.type = 'object'"
    f" AND NOT {BROKEN}"
)
_BY_CUSTOMER = (
    "SELECT 'customer', NULL, json_extract(meta, '$.user_cost'), NULL, NULL, 0, 0 FROM conversations"
    f" WHERE id IN (SELECT value FROM json_each(:conversations)) AND NOT {BROKEN} AND json_valid(meta)"
    " AND json_type(meta, '$.user_cost') IN ('integer', 'real')"
)
"""What harnesses of customers that are models say beside what the agent cost."""
_GROUP = {"bucket": "NULL", "family": "cases.family", "case": "cases.name"}


class Tallies:
    """The numbers of one store, or of a selection of its conversations."""

    def __init__(self, db: sqlite3.Connection, path: Path, where: Where) -> None:
        self._db, self._path, self._where = db, path, where

    def runs(self) -> list[RunRow]:
        """Every run."""
        asked = "SELECT id, model, number, judge, meant FROM runs"
        rows = self._all(asked, kinds=(COUNT, TEXT, NUMBER, WORDS, WORDS))
        with speaking_plainly(self._path):
            return [RunRow(rowid, model, number, judge, names(meant)) for rowid, model, number, judge, meant in rows]

    def cases(self) -> list[CaseRow]:
        """Every case."""
        asked = "SELECT id, name, family, bucket, forbidden, suite FROM cases"
        rows = self._all(asked, kinds=(COUNT, TEXT, *[WORDS] * 4))
        with speaking_plainly(self._path):
            return [
                CaseRow(rowid, name, family, bucket, frozenset(names(forbidden)), suite or "")
                for rowid, name, family, bucket, forbidden, suite in rows
            ]

    def models(self) -> dict[str, dict[str, Any]]:
        """Return what the sources say about models: vendor, tier, badges, and scores of their own."""
        rows = self._all("SELECT name, vendor, tier, badges, extra FROM models", kinds=(TEXT, *[WORDS] * 4))
        with speaking_plainly(self._path):
            return {
                name: {"vendor": vendor, "tier": tier, "badges": [*names(badges)], **(loaded(extra) or {})}
                for name, vendor, tier, badges, extra in rows
            }

    def desks(self) -> dict[int, str]:
        """The text of every desk file that classes conversations here."""
        return dict(self._all("SELECT id, text FROM desks", kinds=(COUNT, TEXT)))

    def synthetic(self) -> bool:
        """True if any source of the store is synthetic."""
        return bool(self._all("SELECT 1 FROM sources WHERE synthetic LIMIT 1"))

    def simulated(self) -> bool:
        """True if a model played customers in any run of which something is held; looks at every run."""
        held = "EXISTS (SELECT 1 FROM conversations WHERE run_id = runs.id)"
        return bool(self._all(f"SELECT 1 FROM runs WHERE instr(harness, ?) AND {held} LIMIT 1", (SIMULATED,)))

    def simulated_customers(self) -> list[str]:
        """Who played the customers, where a source says that they were simulated."""
        told = "json_extract(extra, '$.metadata.reviewer.customer') IS 'simulated'"
        by = "coalesce(json_extract(extra, '$.model_roles.customer'), model)"
        return [row[0] for row in self._all(f"SELECT DISTINCT {by} FROM runs WHERE {told} ORDER BY 1")]

    def conversations(self, selection: Selection = EVERYTHING) -> list[ConversationTally]:
        """Every conversation of the selection; a case that another program removed from the store is none."""
        where, parameters = self._where(selection)
        sql = (
            "SELECT id, run_id, iif(case_id IN (SELECT id FROM cases), case_id, NULL), desk_id, agent_messages,"
            f" {BROKEN}, ref, digest FROM conversations{where}"
        )
        return [ConversationTally(*row) for row in self._all(sql, parameters)]

    def suites(self, selection: Selection = EVERYTHING) -> dict[str, int]:
        """Each suite with its number of conversations; an empty name for those whose case belongs to none."""
        where, parameters = self._where(selection)
        sql = (
            "SELECT ifnull(suite, ''), count(*) FROM conversations LEFT JOIN cases ON cases.id = case_id"
            f"{where} GROUP BY 1"
        )
        return dict(self._all(sql, parameters))

    def values(self, by: ScoredBy, selection: Selection = EVERYTHING) -> dict[int, float]:
        """The number that a scorer gave each conversation, the lowest of several; broken ones left out."""
        where, parameters = self._where(selection)
        sql = (
            "SELECT conversations.id, min(value) FROM conversations JOIN scores ON conversation_id = conversations.id"
            f"{where}{' AND' if where else ' WHERE'} NOT {BROKEN} AND value IS NOT NULL"
            " AND scorer = ? AND judge IS ? AND prompt IS ? GROUP BY 1"
        )
        return dict(self._all(sql, [*parameters, *by]))

    def fired(self, tools: Mapping[int, Iterable[str]], cases: Iterable[int] | None = None) -> list[int]:
        """The conversations (of these cases) in which the agent called one of these tools, by the desk that names them.

        A conversation with several such calls comes several times.
        """
        within = "" if cases is None else " AND case_id IN (SELECT value FROM json_each(?))"
        listed = [] if cases is None else [json.dumps(list(cases))]
        conversations: list[int] = []
        for desk, named in tools.items():
            wanted = sorted(named)
            marks = ",".join("?" * len(wanted))
            rows = self._all(
                "SELECT conversation_id FROM calls JOIN conversations ON conversations.id = conversation_id"
                f" WHERE role = 'agent' AND orphan = 0 AND name IN ({marks}) AND desk_id = ?{within}",
                [*wanted, desk, *listed],
            )
            conversations += (row[0] for row in rows)
        return conversations

    def judges(self) -> list[ScoredBy]:
        """Every scorer with each of its judges; the judge's newest prompt first."""
        asked = "SELECT scorer, judge, prompt FROM scores GROUP BY 1, 2, 3 ORDER BY 1, 2, max(id) DESC"
        return [ScoredBy(*row) for row in self._all(asked, kinds=(TEXT, WORDS, WORDS))]

    def judged(self, scorers: Iterable[ScoredBy], by: By, selection: Selection) -> list[JudgeSum]:
        """Sums of numeric scores by run, group and bucket for these scorers and judges; broken ones left out."""
        wanted = list(scorers)
        if not wanted:
            return []
        where, parameters = self._where(selection)
        pairs = " OR ".join(["(scorer = ? AND judge IS ? AND prompt IS ?)"] * len(wanted))
        sql = (
            f"SELECT run_id, {_GROUP[by]}, bucket, scorer, count(value), sum(value) FROM scores"
            " JOIN conversations ON conversations.id = conversation_id LEFT JOIN cases ON cases.id = case_id"
            f"{where}{' AND' if where else ' WHERE'} NOT {BROKEN} AND value IS NOT NULL AND ({pairs})"
            " GROUP BY 1, 2, 3, 4"
        )
        return [JudgeSum(*row) for row in self._all(sql, [*parameters, *(value for pair in wanted for value in pair)])]

    def paired(self, scorers: Iterable[ScoredBy], conversations: Iterable[int]) -> list[JudgePair]:
        """What other judges gave where these gave a number, too, in these conversations; broken ones left out.

        The same judge with another prompt is another one.
        """
        wanted = list(scorers)
        if not wanted:
            return []
        pairs = " OR ".join(["(one.scorer = ? AND one.judge IS ? AND one.prompt IS ?)"] * len(wanted))
        sql = (
            "SELECT run_id, bucket, one.scorer, other.judge, other.prompt, count(*), sum(one.value), sum(other.value),"
            " sum(abs(one.value - other.value)) FROM conversations"
            " JOIN scores one ON one.conversation_id = conversations.id"
            " JOIN scores other ON other.conversation_id = conversations.id AND other.scorer = one.scorer"
            " AND (other.judge IS NOT one.judge OR other.prompt IS NOT one.prompt)"
            " LEFT JOIN cases ON cases.id = case_id"
            f" WHERE conversations.id IN (SELECT value FROM json_each(?)) AND NOT {BROKEN} AND one.value IS NOT NULL"
            f" AND other.value IS NOT NULL AND ({pairs}) GROUP BY 1, 2, 3, 4, 5"
        )
        rows = self._all(sql, [json.dumps(list(conversations)), *(value for pair in wanted for value in pair)])
        return [
            JudgePair(run, bucket, scorer, judge_label(judge, prompt), *sums)
            for run, bucket, scorer, judge, prompt, *sums in rows
        ]

    def called(self, conversations: Iterable[int]) -> list[CallCount]:
        """How often agents called each tool in these, by run, and how often that failed; broken ones left out."""
        sql = (
            "SELECT run_id, desk_id, name, count(*), sum(failed), count(DISTINCT conversation_id) FROM"
            " (SELECT id AS counted, run_id, desk_id FROM conversations"
            f" WHERE id IN (SELECT value FROM json_each(?)) AND NOT {BROKEN})"
            " JOIN calls ON conversation_id = counted WHERE role = 'agent' AND orphan = 0 GROUP BY 1, 2, 3"
        )
        return [CallCount(*row) for row in self._all(sql, [json.dumps(list(conversations))])]

    def used(self, selection: Selection = EVERYTHING) -> list[UsageSum]:
        """Tokens and cost by run; broken ones left out."""
        where, parameters = self._where(selection)
        sql = (
            "SELECT run_id, count(*), count(coalesce(tokens_in, tokens_out)), CAST(total(tokens_in) AS INTEGER),"
            " CAST(total(tokens_out) AS INTEGER), count(tokens_reasoning), CAST(total(tokens_reasoning) AS INTEGER),"
            f" count(cost), total(cost) FROM conversations"
            f"{where}{' AND' if where else ' WHERE'} NOT {BROKEN} GROUP BY 1"
        )
        return [UsageSum(*row) for row in self._all(sql, parameters)]

    def costs(self, selection: Selection = EVERYTHING) -> list[CostRow]:
        """Cost and tokens by run, in the order of models."""
        where, parameters = self._where(selection)
        used = "cost IS NULL AND (tokens_in IS NOT NULL OR tokens_out IS NOT NULL)"
        sums = ", ".join(f"ifnull(sum(CASE WHEN {used} THEN {name} END), 0)" for name in _TOKENS)
        sql = (
            "SELECT runs.id, runs.number, runs.model, count(*), count(cost),"
            f" ifnull(sum(cost), 0.0), ifnull(sum({used}), 0), {sums}"
            " FROM conversations JOIN runs ON runs.id = run_id"
            f"{where}{' AND' if where else ' WHERE'} NOT {BROKEN} GROUP BY runs.id ORDER BY runs.model, runs.number"
        )
        return [CostRow(*row) for row in self._all(sql, parameters)]

    def beside(self, conversations: Iterable[int]) -> list[RoleSum]:
        """What simulated customers, judges and other roles used in these, as far as a source tells it."""
        tokens = "cost IS NULL AND read + written IS NOT NULL"
        sums = ("read + hit + made", "written", "hit", "made")
        sql = (
            "SELECT role, model, count(cost), total(cost), total("
            f"{tokens}), {', '.join(f'total(CASE WHEN {tokens} THEN {each} END)' for each in sums)}"
            f" FROM ({_BY_ROLE} UNION ALL {_BY_CUSTOMER}) GROUP BY 1, 2 ORDER BY 1, 2"
        )
        with speaking_plainly(self._path):
            rows = self._db.execute(sql, {"conversations": json.dumps(list(conversations))}).fetchall()
        return [RoleSum(role, model, told, cost, *map(int, counts)) for role, model, told, cost, *counts in rows]

    def _all(self, sql: str, parameters: Iterable[Any] = (), kinds: Kinds = ()) -> list[Any]:
        with speaking_plainly(self._path):
            cursor = self._db.execute(sql, tuple(parameters))
            try:
                return [*sound(cursor.fetchall(), kinds)] if kinds else cursor.fetchall()
            finally:
                cursor.close()
