"""A drafted map as text: its lines with how sure each is, and what to say to whoever drafted it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reviewer.imports.maps.guesses import Guess, GuessedColumns
from reviewer.imports.maps.mapfile import Rows
from reviewer.imports.maps.paths import quoted
from reviewer.imports.maps.profiles import Profiles
from reviewer.imports.maps.table_layout import Layout

_WIDTH = 34
_MESSAGE = ("speaker", "text", "time", "order", "reasoning", "tool_calls", "tokens_in", "tokens_out", "cost")
_CONVERSATION = ("id", "messages", "transcript", "model", "case", "run", "started", "ended", "ended_by")
_USED = ("tokens_in", "tokens_out", "cost")


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """The guess at what a row is, and which column is which."""

    rows: Rows
    outer: GuessedColumns
    """Of the conversation; of the messages, too, where a row is one."""
    inner: GuessedColumns
    """Of the messages."""
    is_chat: bool = False
    """Whether the messages are those of a chat, which need no columns."""
    asked: tuple[str, str] | None = None
    """The columns with a question and its answer."""

    @property
    def tells_speakers(self) -> bool:
        """True if the map has to say who is who."""
        return not self.is_chat and self.asked is None


def lines(name: str, rows: int, layout: Layout, plan: ColumnPlan) -> Iterator[str]:
    """The map of a file of this name, from its first rows."""
    yield f"# How reviewer reads {_comment(name)}: drafted from its first {rows:,} rows, so look it over."
    yield "# Import with: reviewer import FILE --map THIS"
    yield ""
    yield f'rows = "{plan.rows}"'
    yield ""
    times = plan.inner.times or plan.outer.times
    if layout.lines or times:
        yield "[file]"
        yield from layout.lines
        if times:
            yield f"{f'times = {quoted(times)}':<{_WIDTH}} # how its times are written"
        yield ""
    yield from _conversation(plan)
    if plan.asked is not None:
        yield from _heads(plan, *plan.asked)
    elif "transcript" in plan.outer.by_key:
        yield from _transcript(plan.inner)
    elif not plan.is_chat:
        yield from _message(plan.inner)
    scores, opinions = plan.outer.scores, plan.outer.opinions
    if scores or opinions:
        yield "[scores]"
        for key, each in _keyed([*scores, *opinions]):
            line, why = (f"{key} = {quoted(each)}", "a guess: by its name")
            if each in opinions:
                line, why = (f"# {line}", "a score only if you say so: take out the first #")
            yield f"{line:<{_WIDTH}} # {why}"
        yield ""
    if plan.outer.metadata:
        yield "[metadata]"
        yield from (f"{key} = {quoted(each)}" for key, each in _keyed(plan.outer.metadata))
        yield ""


def _conversation(plan: ColumnPlan) -> Iterator[str]:
    yield "[conversation]"
    by_key = plan.outer.by_key
    whole = _USED if plan.rows == "conversations" and plan.asked is None else ()
    for key in (*_CONVERSATION, *whole):
        if key in by_key:
            yield _line(key, by_key[key])
    if "model" not in by_key:
        yield '# model = "=support-bot"           # a word for itself: what the agent is called'
    yield ""


def _heads(plan: ColumnPlan, asked: str, answered: str) -> Iterator[str]:
    """A question and its answer in one row."""
    by_key = plan.outer.by_key
    yield "[[head]]"
    yield 'speaker = "=customer"'
    yield f"text = {quoted(asked)}"
    if "time" in by_key:
        yield _line("time", by_key["time"])
    yield ""
    yield "[[head]]"
    yield 'speaker = "=agent"'
    yield f"text = {quoted(answered)}"
    yield from (_line(key, by_key[key]) for key in ("reasoning", *_USED) if key in by_key)
    yield ""


def _transcript(inner: GuessedColumns) -> Iterator[str]:
    if inner.html:
        yield "[message]"
        yield "html = true                        # tags are taken out; the HTML is kept beside the text"
        yield ""
    yield from _speakers(inner)


def _message(inner: GuessedColumns) -> Iterator[str]:
    yield "[message]"
    if "text" not in inner.by_key:
        yield '# text = "COLUMN"                  # what was said: no column looks like it'
    for key in _MESSAGE:
        if key in inner.by_key:
            yield _line(key, inner.by_key[key])
    if inner.html:
        yield "html = true                        # tags are taken out; the HTML is kept beside the text"
    yield ""
    calls = [key for key in inner.by_key if key.startswith("call.")]
    if calls and "tool_calls" not in inner.by_key:
        yield "[call]"
        yield from (_line(key.removeprefix("call."), inner.by_key[key]) for key in calls)
        yield ""
    if "speaker" in inner.by_key:
        yield from _speakers(inner)


def _speakers(inner: GuessedColumns) -> Iterator[str]:
    yield "[speakers]"
    for who in ("customer", "agent", "colleague", "system", "tool"):
        words = [word for key, word in _said(inner) if key == who]
        if words or who in ("customer", "agent"):
            yield f"{who} = [{', '.join(map(quoted, words))}]"
    if inner.unknown:
        listed = ", ".join(_comment(word) for word in inner.unknown[:20])
        yield f"# not told by a word, so put each where it belongs: {listed}"
    yield 'default = "other"'
    yield ""


def _said(inner: GuessedColumns) -> Iterator[tuple[str, str]]:
    return ((who, word) for who, words in inner.speakers.items() for word in words)


def notes(seen: Profiles, plan: ColumnPlan) -> Iterator[str]:
    """Yield what to correct, what was left out and what is uncertain."""
    outer, inner = plan.outer, plan.inner
    if plan.tells_speakers:
        yield from _about_speakers(inner, "transcript" in outer.by_key)
    if "id" not in outer.by_key:
        yield (
            "no column looks like a conversation's id: the whole file is one conversation"
            if plan.rows == "messages"
            else "no column looks like an id: conversations are told by where they stand"
        )
    yield from inner.notes
    if outer is not inner:
        yield from outer.notes
    for key, guess in {**outer.by_key, **inner.by_key}.items():
        if not guess.sure:
            yield f"{key} = {guess.path} is a guess ({guess.why})"
    yield from (f"the score {path} is a guess (by its name)" for path in outer.scores)
    yield from (f"{path} is no score unless you say so: take out the first # below [scores]" for path in outer.opinions)
    yield from _unread(seen, plan)


def _about_speakers(inner: GuessedColumns, in_text: bool) -> Iterator[str]:
    for key in () if in_text else ("text", "speaker"):
        if key not in inner.by_key:
            yield f'no column looks like {key}: write {key} = "COLUMN" below [message]'
    if not inner.speakers.get("agent"):
        yield "who is the agent? Write the word under agent = [...] below [speakers]"
    if not inner.speakers.get("customer"):
        yield "who is the customer? Write the word under customer = [...] below [speakers]"
    if inner.unknown:
        yield f"speakers that no word tells: {', '.join(inner.unknown[:10])}"


def _unread(seen: Profiles, plan: ColumnPlan) -> Iterator[str]:
    used = set(plan.outer.used)
    if plan.rows == "conversations" and "messages" in plan.outer.by_key:
        within = plan.outer.by_key["messages"].path.partition(".")[0]
        used |= {path for path in seen.columns if path.partition(".")[0] == within}
    tops = tuple(f"{path}." for path in used)
    rest = [path for path in seen.columns if path not in used and not path.startswith(tops or ("\0",))]
    if rest:
        yield f"kept beside, unread: {', '.join(rest[:20])}{' …' if len(rest) > 20 else ''}"
    if seen.unnamed:
        yield f"columns that no map can name: {', '.join(sorted(seen.unnamed)[:10])}"


def _line(key: str, guess: Guess) -> str:
    said = f"{key} = {quoted(guess.path)}"
    return f"{said:<{_WIDTH}} # {'' if guess.sure else 'a guess: '}{guess.why}"


def _keyed(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """A name of our own for each column: the last part of its path, where that is nobody else's."""
    taken: set[str] = set()
    for path in paths:
        whole = path.removesuffix("?")
        names = (whole.rpartition(".")[2], whole.replace(".", "_"), *(f"{whole} {n}" for n in range(2, 1_000)))
        name = next(each for each in names if each not in taken)
        taken.add(name)
        yield _key(name), path


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else quoted(name)


def _comment(text: str) -> str:
    """A text as a comment on one line."""
    return "".join([each if each.isprintable() else "?" for each in text[:80]])
