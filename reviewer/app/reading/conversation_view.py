"""How a conversation is looked at: layers, folds, what is found and selected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from reviewer.app.layout import CallClass, CallLayout, MessageLayout, Piece, View, estimated_height
from reviewer.app.layout.case_lines import FOLD as CASE_FOLD
from reviewer.app.layout.case_lines import CaseLayout, says_something
from reviewer.app.layout.stack import Stack
from reviewer.app.layout.view import Tools
from reviewer.app.reading.layouts import Layouts
from reviewer.app.reading.lens import Lens
from reviewer.app.shared.sheet import Item, Paint, Sheet
from reviewer.basics.values import dataclass
from reviewer.transcripts import desk
from reviewer.transcripts.desk.call_results import failed
from reviewer.transcripts.model import Message, Stored, ToolCall
from reviewer.transcripts.refs import Part, Ref, judge_ref

if TYPE_CHECKING:
    from reviewer.app.reading.find import WordHit
    from reviewer.app.reading.selected_words import WordSelection
    from reviewer.basics.sentences import Span
    from reviewer.transcripts.query import Scope, TextTerm


@dataclass(frozen=True, slots=True)
class ViewState:
    """All that decides how the lines of a conversation are laid out: whoever shows it lays it out when this differs."""

    stored: Stored | None
    desk: str
    tools: Tools
    view: View
    toggled: Mapping[int, frozenset[str]]
    badges: Mapping[Item, Sequence[Piece]]
    judges: bool
    remarks: Mapping[Item, tuple[str, str]]


LAYERS = ("reasoning", "raw", "json", "dates", "folded")
_CALL = 4
"""Rows of a call that are to be seen at least where the tool layer opens for it."""
_MODES: tuple[Tools, ...] = ("beside", "inline", "hidden")


class ConversationView:
    """One reader's view of one conversation."""

    def __init__(
        self,
        *,
        plain: bool = False,
        tools: str = "",
        layers: Iterable[str] = (),
        opens: str = "enter",
        seen: dict[str, set[int]] | None = None,
    ) -> None:
        self.plain = plain
        """Whether only plain signs are wanted."""
        self.stored: Stored | None = None
        self.desk = desk.NONE
        self.tools = next((mode for mode in _MODES if mode == tools), None)
        """None: beside where there is room, else inline."""
        self.roomy = True
        self.words = ""
        """What somebody typed to find."""
        self.sought: Sequence[tuple[TextTerm, Scope]] = ()
        """The words of the filter, each with where it is looked for: they are lit while nothing else is."""
        self.hits: Sequence[WordHit] = ()
        self.hit: int | None = None
        self.selecting: WordSelection | None = None
        self._seen = {} if seen is None else seen
        self.seen: set[int] = set()
        """The messages of which a line was on screen, here or in another view that shares this memory."""
        self.judges = True
        """Whether scores and judges' notes are shown."""
        self.headed = False
        """Whether what is known of the case stands above the messages."""
        self.calls_met = False
        """Whether a call of this conversation was in sight: then the tool layer has something to show."""
        self.marked: Sequence[Paint] = ()
        self.cited: Sequence[Paint] = ()
        """What the tag under the cursor cites."""
        self.badges: Mapping[Item, Sequence[Piece]] = {}
        self.lens = Lens()
        self._view = View(0, plain=plain, opens=opens)
        self._toggled: dict[int, frozenset[str]] = {}
        self._layouts = Layouts()
        self.left: tuple[str, Sequence[str]] = ("", ())
        """The conversation that was open last time, and its folds: they come back if it is the first one now."""
        for layer in LAYERS:
            if layer in layers:
                self.toggle(layer)

    @property
    def look(self) -> ViewState:
        """The view's settings as they are now."""
        shown = (self._view, self._toggled, self.badges, self.judges, self.lens.remarks)
        return ViewState(self.stored, self.desk.text, self.mode, *shown)

    def take(self, stored: Stored) -> None:
        """Look at another conversation, or at the same as it is now: then folds stay."""
        if self.stored is None or self.stored.rowid != stored.rowid:
            ref, folds = self.left
            self._toggled = _unfolded(folds) if ref == stored.ref else {}
            self.calls_met = False
            self.left = ("", ())
        elif _continues(stored, self.stored):
            self._seen.setdefault(stored.digest, set()).update(self.seen)
        self.seen = self._seen.setdefault(stored.digest, set())
        self.stored = stored
        first = next((message.at for message in stored.conversation.messages if message.at), None)
        self._view = self._view._replace(since=first or "")
        self.desk = desk.kept(stored.desk)
        self.selecting = None
        self.look_for(self.words)
        self.lens.take(stored)

    def look_for(self, words: str) -> None:
        """Hold every place of these words, or, without any, of those of the filter."""
        self.words, self.hit, self.hits = words, None, []
        if (words or self.sought) and self.stored is not None:
            from reviewer.app.reading.find import hits, sought_hits

            conversation, calls, notes = self.stored.conversation, self.mode != "hidden", self.headed and self.judges
            reasoning = self.shows("reasoning")
            self.hits = (
                hits(conversation, words, reasoning=reasoning, calls=calls, notes=notes)
                if words
                else sought_hits(conversation, self.sought, calls=calls)
            )

    def seek(self, sought: Sequence[tuple[TextTerm, Scope]]) -> None:
        """Light the words of another filter."""
        if sought != self.sought:
            self.sought = sought
            self.look_for(self.words)

    # -- layers and folds --------------------------------------------------------------------------------------------

    @property
    def mode(self) -> Tools:
        """The place where calls are shown now."""
        wanted = self.tools or ("beside" if self.roomy else "inline")
        return "inline" if wanted == "beside" and not self.roomy else wanted

    def meet_calls(self, messages: Iterable[int]) -> bool:
        """Note that these messages are in sight; True if these are the first of them with calls."""
        if self.calls_met or self.stored is None:
            return False
        said = self.stored.conversation.messages
        self.calls_met = any(said[number - 1].calls for number in messages if 0 < number <= len(said))
        return self.calls_met

    def meet_calls_near(self, item: Item, rows: int, width: int) -> None:
        """Note if a call will be in sight from an item on, in a text so wide; those before it count as seen."""
        self.meet_calls(range(1, item.message))
        rows = max(0, rows)
        view = self._view._replace(width=width, tools="beside")
        heights = [(number, estimated_height(message, view) + 1) for number, message in islice(self._messages(), rows)]
        above = 2 * len(self._above()[:1]) + sum(height for number, height in heights if number < item.message)
        rows -= above if above < rows else 0  # else what is above has scrolled away
        for number, message in islice(self._messages(), max(0, item.message - 1), None):
            if rows < _CALL or self.meet_calls((number,)):
                return
            rows -= estimated_height(message, view) + 1

    def cycle_tools(self) -> Tools:
        """Show calls beside, inline, not at all, in turn; what there is no room for is left out."""
        modes = _MODES if self.roomy else _MODES[1:]
        self.tools = modes[(modes.index(self.mode) + 1) % len(modes)]
        return self.tools

    @property
    def folds(self) -> tuple[str, ...]:
        """The items that were opened or folded by hand in this conversation."""
        return tuple(f"{number}.{key}" for number, keys in sorted(self._toggled.items()) for key in sorted(keys))

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that are on."""
        return tuple(filter(self.shows, LAYERS))

    def shows(self, layer: str) -> bool:
        """True if a layer is on; calls that are all folded count as one."""
        return not self._view.calls_open if layer == "folded" else bool(getattr(self._view, layer))

    def toggle(self, layer: str) -> bool:
        """Turn a layer on or off; return whether it is on now."""
        view = self._view
        if layer == "reasoning":
            self._view = view._replace(reasoning=not view.reasoning)
        elif layer == "raw":
            self._view = view._replace(raw=not view.raw)
        elif layer == "dates":
            self._view = view._replace(dates=not view.dates)
        elif layer == "folded":
            self.fold_all()
        else:
            self._view = view._replace(json=not view.json)
        return self.shows(layer)

    def fold(self, item: Item, sheet: Sheet) -> bool:
        """Open or fold an item; False when it has no fold. A call opens its long parts before it folds as a whole."""
        if not sheet.items:
            return False
        folds, toggled = sheet.block(sheet.index(item)).folds, self._toggled.get(item.message, frozenset())
        own = {key for key in folds if key in ("text", "reasoning", CASE_FOLD)}
        if item.call is not None and item.message:
            long = {key for key in folds if key.startswith(f"{item.call}.")}
            own = long - toggled or {str(item.call), *long}
        self._toggled = {**self._toggled, item.message: toggled ^ own}
        return bool(own)

    def fold_all(self) -> bool:
        """Open or fold every call, whatever was done by hand; return whether they are open now."""
        self._toggled = {}
        self._view = self._view._replace(calls_open=not self._view.calls_open)
        return self._view.calls_open

    # -- sheets ------------------------------------------------------------------------------------------------------

    def items(self) -> list[Item]:
        """Return the items that the cursor can stand on, in reading order."""
        return [*self._above(), *self._said()]

    def _above(self) -> list[Item]:
        """What stands above the messages: item 0, and the judges' notes as if they were its calls."""
        conversation = self.stored.conversation if self.stored is not None and self.headed else None
        if conversation is None or not says_something(conversation, self.judges):
            return []
        opened = self.judges and CASE_FOLD in self._toggled.get(0, ())
        return [Item(0), *(Item(0, number) for number in range(1, len(conversation.judged) + 1) if opened)]

    def _said(self) -> list[Item]:
        calls_shown = self.mode != "hidden"
        return [
            Item(number, call)
            for number, message in self._messages()
            for call in (None, *(range(1, len(message.calls) + 1) if calls_shown else ()))
        ]

    def transcript(self, width: int) -> Sheet:
        """The messages, with their calls when these are inline."""
        view, badges = self._view._replace(width=width, tools=self.mode), self.badges
        kept, judges = self._layouts.of(self.stored), self.judges

        def lay(item: Item) -> Stack:
            if not item.message:
                return self._case(view, judges)
            message = self._message(item)
            toggled = view._replace(toggled=self._toggled.get(item.message, frozenset()))
            signs = tuple(badges.get(item, ()))
            classed = tuple([self._classed(Item(item.message, n)) for n in range(1, len(message.calls) + 1)])
            make = partial(MessageLayout, message, item.message, toggled, signs, classed)
            return kept((item, toggled, signs, classed), make)

        above = self._above()[:1]
        return Sheet([*above, *[Item(number) for number, _ in self._messages()]], width, lay)

    def _case(self, view: View, judges: bool) -> Stack:
        """What is known of the case, above the messages."""
        assert self.stored is not None  # noqa: S101 -- it is an item of what is open
        toggled = view._replace(toggled=self._toggled.get(0, frozenset()))
        return CaseLayout(self.stored.conversation, toggled, judges, self.badges.get(Item(0), ()))

    def margin(self, width: int) -> Sheet:
        """The calls, for the layer beside."""
        view = self._view._replace(width=width, tools="beside")
        kept = self._layouts.of(self.stored)

        def lay(item: Item) -> Stack:
            toggled = view._replace(toggled=self._toggled.get(item.message, frozenset()))
            message, classed = self._message(item), self._classed(item)

            def make() -> Stack:
                label = f"{item.message}.{item.call}" if len(message.calls) > 1 else f"{item.message}"
                return CallLayout(message.calls[(item.call or 1) - 1], item.call or 1, toggled, classed, label=label)

            return kept((item, toggled, classed), make)

        return Sheet([item for item in self._said() if item.call is not None], width, lay)

    def paints(self) -> list[Paint]:
        """Return what is laid over the words: marks, hits, the selection, the last on top."""
        stretches = [*self.marked, *self.lens.paints(), *(self.lens.lit or self.cited)]
        for index, hit in enumerate(self.hits):
            style = "hit-here" if index == self.hit else "hit"
            stretches.append(Paint(hit.message, hit.call, hit.part, hit.start, hit.end, style))
        chosen = self.selecting
        if chosen is not None:
            stretches += [Paint(*each.item, each.part, *each.span, "selected") for each in chosen.stretches]
        return stretches

    def stood_on(self, item: Item) -> tuple[Part, Span] | None:
        """The words of an item that one went to: a hit of words that one typed, those of the lens, another hit."""
        hit = self.hits[self.hit] if self.hit is not None else None
        span = self.lens.words_on(item) if not (self.words and hit) else None
        if span is not None:
            return "text", span
        if hit is not None and Item(hit.message, hit.call) == item:
            return hit.part, (hit.start, hit.end)
        return None

    def texts(self, item: Item) -> tuple[Part, str]:
        """The part of an item that one would select from, and its stored text."""
        if not item.message:
            return "text", _note(self.stored, item)
        message = self._message(item)
        if item.call is not None:
            call = message.calls[item.call - 1]
            return ("result", call.result) if call.result is not None else ("arguments", call.arguments or "")
        return ("text", message.text) if message.text or not message.reasoning else ("reasoning", message.reasoning)

    def stored_text(self, item: Item, part: Part) -> str:
        """A part of an item as stored."""
        if not item.message:
            return _note(self.stored, item) if part == "text" else ""
        message = self._message(item)
        if item.call is not None:
            call = message.calls[item.call - 1]
            return (call.result if part == "result" else call.arguments) or ""
        return message.reasoning if part == "reasoning" else message.text

    def open_fold(self, item: Item, part: Part) -> bool:
        """Show all of a part; False when it was all shown."""
        before = (self._view, self._toggled.get(item.message, frozenset()))
        if part == "reasoning":
            self._view = self._view._replace(reasoning=True)
        keys = before[1] | {part if item.call is None else f"{item.call}.{part}"}
        if not item.message:
            keys = frozenset({CASE_FOLD})
        elif item.call is not None and not before[0]._replace(toggled=before[1]).turned(
            str(item.call), self._view.calls_open
        ):
            keys ^= {str(item.call)}
        self._toggled = {**self._toggled, item.message: keys}
        return (self._view, self._toggled[item.message]) != before

    def _classed(self, item: Item) -> CallClass:
        """The class of a call; forbidden where it is the agent's own and the case says so."""
        message = self._message(item)
        call: ToolCall = message.calls[(item.call or 1) - 1]
        act, case = self.desk.act(call.name) or "", self.stored.conversation.facts if self.stored else None
        forbidden = case is not None and act in case.forbidden and message.role == "agent" and not call.orphan
        remark = self.lens.remarks.get(item, ("", ""))
        refused = failed(call, self.desk.refusals)
        return CallClass(self.desk.kind(call.name), act, forbidden=forbidden, failed=refused, remark=remark)

    def ref(self, item: Item, part: Part = "text", span: tuple[int, int] | None = None) -> Ref:
        """The reference of an item, or of words of it; of the conversation, for what stands above its messages."""
        assert self.stored is not None  # noqa: S101 -- an item is one of what is open
        if item.message:
            return Ref(self.stored.ref, *item, part, None, span)
        name = self.stored.conversation.judged[item.call - 1].name if item.call is not None else None
        return judge_ref(self.stored.ref, name, span) if name else Ref(self.stored.ref)

    def _messages(self) -> Iterator[tuple[int, Message]]:
        return enumerate(self.stored.conversation.messages if self.stored else (), start=1)

    def _message(self, item: Item) -> Message:
        assert self.stored is not None  # noqa: S101 -- an item is one of what is open
        return self.stored.conversation.messages[item.message - 1]


def view_ahead(view: ConversationView, stored: Stored) -> ConversationView:
    """How a view will look at another conversation; what is laid out for that, the view has at hand."""
    ahead = copy(view)
    ahead.lens, ahead.badges, ahead.words, ahead.sought, ahead.left = Lens(), {}, "", (), ("", ())
    ahead.take(stored)
    return ahead


def _note(stored: Stored | None, item: Item) -> str:
    """The text of a judge's note; nothing for what else is known of the case."""
    judged = stored.conversation.judged if stored is not None else ()
    return judged[item.call - 1].text if item.call is not None else ""


def _continues(now: Stored, before: Stored) -> bool:
    """True if a conversation begins with all messages of another."""
    messages = before.conversation.messages
    return now.conversation.messages[: len(messages)] == messages


def _unfolded(folds: Iterable[str]) -> dict[int, frozenset[str]]:
    """Folds as they were remembered; what is none is left out."""
    folds_of: dict[int, set[str]] = {}
    for number, _, key in (each.partition(".") for each in folds):
        if number.isdecimal() and key:
            folds_of.setdefault(int(number), set()).add(key)
    return {number: frozenset(keys) for number, keys in folds_of.items()}
