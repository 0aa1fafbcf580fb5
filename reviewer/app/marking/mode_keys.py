"""Failure modes by name: picked, renamed, merged; and what a desk's tools mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from reviewer.basics.clean import printable_line
from reviewer.basics.errors import ReviewerError
from reviewer.marks.codebook import code_of
from reviewer.marks.review.doubts import misplaced
from reviewer.transcripts.desk import kept

if TYPE_CHECKING:
    from reviewer.app.marking.reviewer_acts import ReviewerActs
    from reviewer.app.reading.review_screen import ReviewScreen
    from reviewer.app.shared.keyed_screen import KeyedScreen
    from reviewer.app.shared.sheet import Item
    from reviewer.marks.codebook import Codebook, Mode
    from reviewer.marks.review import Session, VerbResult
    from reviewer.transcripts.model import Stored


class ModeKeys:
    """The keys that open the list of modes."""

    def __init__(self, screen: KeyedScreen, marking: ReviewerActs, all: str = "conversation") -> None:
        self._screen = screen
        self._marking = marking
        self._all = all
        self._recent: list[str] = []

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        return {
            "mark.pick": partial(self.mode, False),
            "select.pick": partial(self.mode, False),
            "mark.whole": partial(self.mode, True),
        }

    def mode(self, whole: bool) -> None:
        """Give a failure mode by name, recent ones first; a new name makes a new one."""
        from reviewer.app.shared.pick import Choice, PickScreen

        if not whole and not self._marking.in_sight():
            return
        session = self._marking.session
        if session.modes.problem is not None:
            raise session.modes.problem
        modes = {mode.code: mode for mode in session.codebook.active()}
        codes = [code for code in self._recent if code in modes] + [code for code in modes if code not in self._recent]
        choices = [
            Choice(printable_line(mode.title), printable_line(mode.code), mode.key, more=_explained(mode))
            for mode in map(modes.__getitem__, codes)
        ]

        def picked(answer: int | str | None) -> None:
            if isinstance(answer, str):
                made = self._marking.act(lambda session: session.recode(lambda modes: modes.add(answer)[1]))
                if made is not None:
                    session.doubts.agree(code_of(answer))  # it was made for this very place
                    self._give(code_of(answer), whole)
                    self._screen.say(made.words, "good")
            elif answer is not None:
                self._give(codes[answer], whole)

        title = f"A failure mode for the whole {self._all}" if whole else "A failure mode"
        asks = partial(_asks, session.codebook)
        self._screen.app.push_screen(PickScreen(title, choices, new=asks), self._screen.guarded(picked))

    def _give(self, code: str, whole: bool) -> None:
        self._marking.tag(code, whole=whole)
        self._recent = [code, *(each for each in self._recent if each != code)]


def _explained(mode: Mode) -> tuple[str, ...]:
    """What a mode is, what counts and what does not, a paragraph each."""
    said = ((mode.definition, "{}"), (mode.counts, "Counts: {}"), (mode.not_counts, "Does not count: {}"))
    return tuple(shape.format(printable_line(text)) for text, shape in said if text)


def _asks(codebook: Codebook, name: str) -> str:
    """The question before a new mode is made, with what is nearly called so."""
    near = codebook.alike(name)
    return f"Make a new mode “{name}”?{f' There is “{near[0].title}” already.' if near else ''}"


COMMANDS = {
    "rename": "rename CODE A NEW NAME",
    "merge": "merge CODE INTO-CODE",
    "split": "split CODE A NEW NAME",
    "retire": "retire CODE",
    "retag": "retag CODE",
}
"""The commands, and what each looks like."""


class CodebookCommands:
    """The commands that change failure modes, each an act that can be undone."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with the functions that do them."""
        ways: dict[str, Callable[[Session, str, str], VerbResult]] = {
            "rename": lambda session, old, new: session.recode(lambda modes: modes.rename(old, new)),
            "merge": lambda session, gone, into: session.recode(lambda modes: modes.merge(gone, into)),
            "split": self._split,
            "retire": lambda session, code, _: session.recode(lambda modes: modes.retire(code)),
            "retag": self._retag,
        }
        return {f"codebook.{name}": partial(self._do, name, way) for name, way in ways.items()}

    def _do(self, name: str, way: Callable[[Session, str, str], VerbResult], text: str) -> None:
        code, _, rest = text.partition(" ")
        wanted = COMMANDS[name]
        if not code or bool(rest.strip()) != (wanted.count(" ") > 1):
            raise ReviewerError(f"{name} needs other words behind it.", f"Type: {wanted}.")
        self._screen.marking.act(lambda session: way(session, code, rest.strip()))

    def _split(self, session: Session, old: str, new: str) -> VerbResult:
        """Make one's own tags of a mode, in the conversations of this queue, tags of another."""
        reading, ledger = self._screen.reading, session.book.ledger
        within = set(reading.ids)
        refs = [ref for ref in ledger.conversations() if not within.isdisjoint(reading.reader.find(ref))]
        return session.split(old, new, [tag for ref in refs for tag in ledger.state(ref).tags])

    def _retag(self, session: Session, code: str, _: str) -> VerbResult:
        """The tag under the cursor becomes one of another mode; note and evidence stay."""
        mark = self._screen.marking.tag_here
        if mark is None:
            raise ReviewerError("There is no tag under the cursor.", "Go to the message that has it.")
        outcome = session.edit(mark.tag, code=code)
        stored = self._screen.viewing.stored
        doubt = misplaced(stored, session.modes.mode(code), mark.places) if stored is not None else ""
        return replace(outcome, words=f"{outcome.words} {doubt}".strip())


Spot = Callable[[], "tuple[Stored | None, Item]"]
"""The conversation that is meant, and the item under the cursor."""


class ToolClassCommand:
    """The command that names the class of a tool in the desk."""

    def __init__(self, screen: KeyedScreen, marking: ReviewerActs, spot: Spot) -> None:
        self._screen = screen
        self._marking = marking
        self._spot = spot

    def verbs(self) -> dict[str, Callable[..., None]]:
        """Return actions with their functions; none has a key, the command line leads here."""
        return {"class": self.ask}

    def ask(self, text: str) -> None:
        """Class the tool that is named, else the one under the cursor; without a class, say what it is."""
        stored, cursor = self._spot()
        if stored is None:
            return
        act, _, named = text.partition(" ")
        tool = self._named(named.strip()) if named.strip() else _here(stored, cursor)
        if act:
            self._marking.desking.class_tool(stored.desk, tool, act)
            return
        entry = kept(stored.desk).tools.get(tool)
        is_now = f"is {entry.act}" if entry else "has no class"
        self._screen.say(f"{tool} {is_now}. It looks like: class read, class handover, class cancel, class ?")

    def _named(self, tool: str) -> str:
        """A tool that somebody called in this store; what is misspelt would class nothing for good."""
        near = self._screen.reading.reader.vocabulary.values("tool", tool)
        if tool not in near:
            meant = f"Near it: {', '.join(near[:5])}." if near else "The cursor on a call names its own."
            raise ReviewerError(f"Nobody called a tool “{tool}” in this store.", meant)
        return tool


def _here(stored: Stored, cursor: Item) -> str:
    """The tool under the cursor: the call's, or that of a message with a single call."""
    told = stored.conversation.messages
    calls = told[cursor.message - 1].calls if 0 < cursor.message <= len(told) else ()
    if cursor.call is None and len({call.name for call in calls}) != 1:
        raise ReviewerError("No call is under the cursor.", "Move to one, or name its tool: class cancel TOOL.")
    return calls[(cursor.call or 1) - 1].name
