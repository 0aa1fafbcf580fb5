"""Spans of a trace -> one conversation, with no message told twice.

A trace repeats: every call of a model carries the history before it, wrappers repeat what they wrap, tools are told as
spans and again as messages. Owns the merging: spans in order of time, each agent's history matched against what is
known of it, outputs added, tool spans used only for results that no message holds. Frameworks' shapes are `prompts`'s.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

from reviewer.imports.messages import chat
from reviewer.imports.messages.content import Answer, kind_of, tokens_of
from reviewer.imports.messages.items import items_of
from reviewer.imports.messages.prompts import Said
from reviewer.imports.messages.trace_tools import CallKey, bare, call_key, with_tools
from reviewer.imports.messages.trace_tree import SpanTree, TraceSpan
from reviewer.imports.source import compact
from reviewer.transcripts.model import Conversation, Message, Role, Run, Usage

_ROLES: dict[str, Role] = {**chat.ROLES, "tool-call": "agent"}


def conversation(spans: Sequence[TraceSpan]) -> Conversation | None:
    """The conversation that the spans of one group tell; None when no span holds a message."""
    tree = SpanTree(spans)
    speaking = tree.speaking()
    if not speaking:
        return None
    merger = _Merger()
    for span in speaking:
        merger.absorb(span, tree.cause(span) is not None, tree.agent_of(span))
    merger.missing_system(span for span in spans if span.kind in ("agent", ""))
    if not speaking[-1].answered:
        merger.final_answer([span for span in spans if span.kind in ("agent", "") and span.asked and span.answered])
    messages = with_tools(chat.tied(merger.said), spans, tree)
    models = Counter(span.model for span in speaking if span.model)
    failed = next((span.error for span in spans if span.error and span.parent is None), None)
    first, meta = spans[0], {key: value for span in reversed(spans) for key, value in span.meta.items()}
    return Conversation(
        models.most_common(1)[0][0] if models else "",
        messages,
        id=first.session or first.trace,
        started=first.start or None,
        ended=max((span.end for span in spans if span.end), default=None),
        ended_by="error" if failed else None,
        error=failed,
        meta=meta or None,
        usage=_used(spans, tree),
    )


def run_of(spans: Sequence[TraceSpan], harness: str | None = None) -> Run | None:
    """The set-up of a conversation's models: all tools, and the settings of the first."""
    tools = {compact(tool): tool for span in spans for tool in span.tools}
    settings = next((span.settings for span in spans if span.settings), None)
    if not (tools or settings or harness):
        return None
    return Run("", None, harness=harness, tools=tuple(tools.values()), extra=settings)


def _used(spans: Sequence[TraceSpan], tree: SpanTree) -> Usage | None:
    """The usage of all model calls; of nested ones, the innermost that state it."""
    telling = [span for span in spans if span.kind == "llm" and (any(tokens_of(span.usage)) or span.cost)]
    around = tree.around(telling)
    inner = [(*tokens_of(span.usage), span.cost) for span in telling if id(span) not in around]
    totals = [[each for each in column if each is not None] for column in zip(*inner, strict=True)]
    return Usage(*(sum(column) if column else None for column in totals)) if inner else None


@dataclass
class _Thread:
    """The history of one agent, as far as it is known."""

    first: Hashable = None
    atoms: Counter[Hashable] = field(default_factory=Counter)
    ids: defaultdict[tuple[CallKey, str], dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    """The ids of its calls, in order, by what they call and their kind."""


class _Merger:
    """The messages of a conversation while its spans go by."""

    def __init__(self) -> None:
        self.said: list[Message | Answer] = []
        self._threads: dict[str, _Thread] = {}
        self._last = _Thread()

    def absorb(self, span: TraceSpan, delegated: bool, agent: str | None) -> None:
        """Add the messages of a span that are not known yet."""
        history = list(_items(span.asked))
        systems = [item for item in history if _is_system(item)]
        key = "\n".join(item.text for item in systems)
        later = bool(self._threads) and key not in self._threads and bool(key)
        thread = self._threads.setdefault(key, _Thread()) if key or not self._threads else self._last
        self._last = thread
        name = agent if later or delegated else None
        for system in systems:
            if _atom(system) not in thread.atoms:
                self._add(system, thread, span.start, name)
        history = list(_renamed(history, thread))
        if later:
            thread.atoms.update(atom for item in history for atom in self._handed_over(item, thread))
        for item in self._new([each for each in history if not _is_system(each)], thread):
            outside = isinstance(item, Message) and item.role == "customer" and (delegated or later)
            self._add(_outside(item) if outside else item, thread, span.start, name)
        for index, item in enumerate(_items(span.answered)):
            if index == 0 and isinstance(item, Message):
                item = _costed(item, span)
            self._add(_outside(item) if delegated else item, thread, span.end or span.start, name)

    def _handed_over(self, item: Message | Answer, thread: _Thread) -> Iterator[Hashable]:
        """The calls and results of other agents that a new one's history repeats."""
        if isinstance(item, Answer) or not item.text:
            others = [other.atoms for other in self._threads.values() if other is not thread]
            yield from (atom for atom in _atoms(item) if any(atoms[atom] > 0 for atoms in others))

    def _new(self, items: Sequence[Message | Answer], thread: _Thread) -> list[Message | Answer]:
        """The messages of a history that are new; outside a history, all but those whose calls are known."""
        first = next((_atom(item) for item in items), None)
        if thread.first is None:
            thread.first = first
        if first != thread.first:
            return [item for item in items if not (isinstance(item, Message) and item.calls and _known(item, thread))]
        told: Counter[Hashable] = Counter()
        new: list[Message | Answer] = []
        for item in items:
            atoms = list(_atoms(item))
            if atoms and all(thread.atoms[atom] > told[atom] for atom in atoms):
                told.update(atoms)
            elif atoms:
                new.append(item)
        return new

    def _add(
        self,
        item: Message | Answer,
        thread: _Thread,
        at: str,
        agent: str | None,
    ) -> None:
        thread.atoms.update(_atoms(item))
        if isinstance(item, Message):
            for call in item.calls:
                if call.id:
                    thread.ids[call_key(call), kind_of(call.id)][call.id] = None
            item = replace(item, at=item.at or at or None, name=item.name or agent)
        self.said.append(item)

    def final_answer(self, wrappers: Sequence[TraceSpan]) -> None:
        """Add the final answer if only a span around the model's calls has it."""
        for span in wrappers[-1:]:
            for item in self._new(list(_items(span.answered)), _Thread(atoms=Counter(self._last.atoms))):
                self._add(item, self._last, span.end or span.start, None)

    def missing_system(self, wrappers: Iterable[TraceSpan]) -> None:
        """Put the system prompt in front when only what wraps the model's calls tells it."""
        if any(map(_is_system, self.said)):
            return
        for span in wrappers:
            for item in _items(span.asked):
                if _is_system(item):
                    self.said.insert(0, replace(item, at=span.start or None))
                    return


def _is_system(item: Message | Answer) -> TypeGuard[Message]:
    return isinstance(item, Message) and item.role == "system"


def _items(said: Sequence[Said]) -> Iterator[Message | Answer]:
    for item in items_of(said):
        if isinstance(item, Message) and item.source_role.startswith("tool-"):
            if item.source_role == "tool-response":
                yield Answer(item.text)
                continue
            item = replace(item, role=_ROLES.get(item.source_role, item.role))
        yield item


def _costed(item: Message, span: TraceSpan) -> Message:
    """An answer with what its call took, where it does not say so itself."""
    tokens = tokens_of(span.usage)
    if any(token is not None for token in tokens) and item.tokens_out is None:
        read, written, thought, cached = tokens
        item = replace(item, tokens_in=read, tokens_out=written, tokens_reasoning=thought, tokens_cached=cached)
    return replace(item, cost=span.cost) if item.cost is None and span.cost is not None else item


def _outside(item: Message | Answer) -> Message | Answer:
    """A message that passed between agents: the customer neither said nor saw it."""
    return replace(item, role="other") if isinstance(item, Message) else item


def _atoms(item: Message | Answer) -> Iterator[Hashable]:
    if isinstance(item, Answer):
        yield ("answer", item.id or bare(item.result))
        return
    if item.text:
        yield (item.source_role, bare(item.text))
    for call in item.calls:
        yield ("call", call.id or (call.name, bare(call.arguments or "")))


def _renamed(history: Sequence[Message | Answer], thread: _Thread) -> Iterator[Message | Answer]:
    """A history in which a call told again under the id of the item that holds it goes by the id it has already."""
    here = {call.id for item in history if isinstance(item, Message) for call in item.calls}
    names: dict[str | None, str] = {}
    unused: dict[tuple[CallKey, str], Iterator[str]] = {}
    for item in history:
        if isinstance(item, Answer):
            yield replace(item, id=names[item.id]) if item.id in names else item
            continue
        for call in item.calls if thread.ids else ():
            if call.id and ("call", call.id) not in thread.atoms:
                key = call_key(call), "call" if kind_of(call.id) == "item" else "item"
                if key not in unused:
                    unused[key] = iter(thread.ids.get(key, ()))
                twin = next((id for id in unused[key] if id not in here), None)
                if twin is not None:
                    names[call.id] = twin
        calls = tuple(replace(call, id=names.get(call.id, call.id)) for call in item.calls)
        yield replace(item, calls=calls) if names and item.calls else item


def _atom(item: Message | Answer) -> Hashable:
    return next(_atoms(item), None)


def _known(item: Message, thread: _Thread) -> bool:
    return all(thread.atoms[atom] > 0 for atom in _atoms(item))


def meta_of(**values: Any) -> dict[str, Any]:
    """The values that say something, as a span's meta."""
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}
