"""Undo over all acts: whatever was done, each undo leads to the state before it, each redo to the one after.

A machine does what reviewers do, in any order, on real files: one reviewer undoes, restarts, and is disturbed by
another one's marks, which nothing of it may touch.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from reviewer.basics.errors import JournalError
from reviewer.marks import shapes
from reviewer.marks.folder import GENERAL
from reviewer.marks.review import Session
from reviewer.marks.review.tag_import import bring_in
from reviewer.transcripts.model import Anchor, Finding, Stored, Tag
from reviewer.transcripts.refs import Ref
from tests import builders

RUNS = [builders.stored(run=number) for number in (1, 2)]
CASE = "kimi/used-item-1"
BY_REF = {stored.ref: stored for stored in RUNS}
CODES = ("phantom-action", "gives-up", "wrong-call")
PLACES = [(), (Ref("", 2),), (Ref("", 2, span=(0, 10)),), (Ref("", 2, span=(0, 4)), Ref("", 2, span=(11, 16)))]
some_run, some_code, some_places = some.sampled_from(RUNS), some.sampled_from(CODES), some.sampled_from(PLACES)


class Reviewing(RuleBasedStateMachine):
    """One reviewer's window, what it came to after each act, and somebody else's."""

    @initialize()
    def open(self) -> None:
        """A new folder."""
        self.home = tempfile.TemporaryDirectory()
        self.folder = Path(self.home.name) / "annotations"
        self.other = Session(self.folder, "bob", "runs.db", GENERAL)
        self.session = Session(self.folder, "ann", "runs.db", GENERAL)
        self.session.modes.make()
        self.before: list[Any] = []
        self.after: list[Any] = []

    def teardown(self) -> None:
        """Leave nothing behind."""
        if hasattr(self, "home"):
            self.home.cleanup()

    def said(self) -> Any:
        """All that the reviewer has said, and the codebook."""
        self.session.refresh()
        states = [self.session.state(ref) for ref in (*BY_REF, CASE)]
        own = [
            (
                [tag for tag in state.tags if tag.by == "ann"],
                state.verdicts.get("ann"),
                state.reviewed.get("ann"),
                [event for event in state.rejected if event.by == "ann"],
            )
            for state in states
        ]
        return own, self.session.modes.text

    def own(self) -> list[Tag]:
        """The reviewer's tags."""
        return [tag for ref in (*BY_REF, CASE) for tag in self.session.state(ref).tags if tag.by == "ann"]

    def does(self, act: Callable[[], object]) -> None:
        """Do something; it counts as an act when it changed what was said."""
        before, lines = self.said(), self.lines()
        try:
            act()
        except JournalError:
            assert self.lines() == lines, "what is refused leaves no line"
        if self.lines() != lines:
            self.before.append(before)
            self.after = []

    def lines(self) -> int:
        """How many lines the reviewer's journal has."""
        path = self.folder / "ann.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    # -- acts --------------------------------------------------------------------------------------------------------

    @rule(stored=some_run, code=some_code, places=some_places)
    def toggle(self, stored: Stored, code: str, places: tuple[Ref, ...]) -> None:
        """A digit."""
        here = [Ref(stored.ref, place.message, span=place.span) for place in places]
        self.does(lambda: self.session.toggle(stored, code, *here))

    @rule(code=some_code)
    def toggle_case(self, code: str) -> None:
        """A digit in the grid."""
        self.does(lambda: self.session.toggle(CASE, code))

    @rule(stored=some_run, note=some.sampled_from(["look", "odd"]))
    def note(self, stored: Stored, note: str) -> None:
        """A free note."""
        self.does(lambda: self.session.tag(stored, "", Ref(stored.ref, 1), note=note))

    @precondition(lambda self: self.own())
    @rule(data=some.data(), part=some.sampled_from(["note", "stance", "exemplar", "proof", "untag", "code"]))
    def change(self, data: some.DataObject, part: str) -> None:
        """Something about a tag."""
        tag = data.draw(some.sampled_from(self.own()))
        stored = BY_REF.get(tag.ref.conversation)
        acts: dict[str, Callable[[], object]] = {
            "note": lambda: self.session.edit(tag, note="more"),
            "stance": lambda: self.session.edit(tag, stance="clear"),
            "exemplar": lambda: self.session.edit(tag, exemplar=not tag.exemplar),
            "proof": lambda: stored and self.session.attach_usual(stored, tag),
            "untag": lambda: self.session.untag(tag),
            "code": lambda: self.session.edit(tag, code="unsafe-action"),
        }
        self.does(acts[part])

    @rule(stored=some_run, verdict=some.sampled_from(["pass", "fail", ""]))
    def verdict(self, stored: Stored, verdict: str) -> None:
        """P, F and again."""
        self.does(lambda: self.session.verdict(stored, verdict))

    @rule(stored=some_run, done=some.booleans())
    def reviewed(self, stored: Stored, done: bool) -> None:
        """R."""
        self.does(lambda: self.session.reviewed(stored, done))

    @rule(stored=some_run, accepted=some.booleans(), count=some.integers(1, 3))
    def decide(self, stored: Stored, accepted: bool, count: int) -> None:
        """A and X."""
        claim = Anchor(Ref(stored.ref, 2), stored.digest)
        found = [Finding("dates", 1, code, stored.digest, claim, (), "why", certain=True) for code in CODES[:count]]
        self.does(lambda: self.session.decide(stored, accepted, found))

    @rule(code=some_code, into=some_code, how=some.sampled_from(["rename", "merge", "retire", "add", "split"]))
    def recode(self, code: str, into: str, how: str) -> None:
        """Commands about modes."""
        ways: dict[str, Callable[[], object]] = {
            "rename": lambda: self.session.recode(lambda modes: modes.rename(code, f"{into} now")),
            "merge": lambda: self.session.recode(lambda modes: modes.merge(code, into)),
            "retire": lambda: self.session.recode(lambda modes: modes.retire(code)),
            "add": lambda: self.session.recode(lambda modes: modes.add(f"{code} {into}")[1]),
            "split": lambda: self.session.split(code, f"{into} apart", self.own()),
        }
        self.does(ways[how])

    @rule(stored=some_run, number=some.integers(0, 9))
    def bring(self, stored: Stored, number: int) -> None:
        """An import of a tag with an identifier, one of another reviewer, and one without."""
        rows = [
            {"id": f"0000000000000000000000000{number}", "at": "2026-06-29", "reviewer": by, "ref": stored.ref,
             "code": "gives-up", "pieces": [{"anchor": shapes.anchor_fields(Anchor(Ref(stored.ref), stored.digest))}]}
            for by in ("ann", "cy")
        ]  # fmt: skip
        rows.append({"ref": f"{stored.ref}#4", "code": "unsupported-claim"})
        path = Path(self.home.name) / "rows.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
        self.does(lambda: bring_in(self.session, path, BY_REF.get))

    @rule(stored=some_run, code=some_code)
    def disturb(self, stored: Stored, code: str) -> None:
        """Somebody else marks the same place."""
        self.other.refresh()
        mode = self.other.codebook.mode(code)
        if mode is not None and not mode.retired:
            self.other.tag(stored, code, Ref(stored.ref, 2))

    # -- back and forth ----------------------------------------------------------------------------------------------

    @rule()
    def undo(self) -> None:
        """To the state before the last act."""
        now = self.said()
        said = self.session.undo().words
        if self.before:
            self.after.append(now)
            assert self.said() == self.before.pop(), said
        else:
            assert said == "Nothing to undo."

    @rule()
    def redo(self) -> None:
        """To the state before the last undo."""
        now = self.said()
        said = self.session.redo().words
        if self.after:
            self.before.append(now)
            assert self.said() == self.after.pop(), said
        else:
            assert said == "Nothing to redo."

    @rule()
    def restart(self) -> None:
        """Quit and open again."""
        self.session = Session(self.folder, "ann", "runs.db", GENERAL)

    @invariant()
    def a_fresh_reading_comes_to_the_same(self) -> None:
        """What the window shows is what is on disk."""
        if hasattr(self, "session"):
            self.session.refresh()
            fresh = Session(self.folder, "ann", "runs.db", GENERAL)
            for ref in (*BY_REF, CASE):
                assert fresh.state(ref) == self.session.state(ref)
            assert fresh.counts() == self.session.counts()


Reviewing.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestReviewing = Reviewing.TestCase
