"""The verbs of a review, for the app and the command line alike; no Textual, no SQL.

    session = Session(Path("annotations"), by=reviewer_name(), store="runs.db")
    outcome = session.tag(stored, "invented-eta", Ref(stored.ref, 4, span=(10, 44)))
    outcome.said         # what to tell the reviewer
    outcome.tag          # the tag as it stands now, None when it was taken back

`where` is a `Stored` conversation, or the text of a case's reference (`MODEL/CASE`) for what is said of a case across
its runs. A place is a `Ref`: with a span, a field, a call, a message, or none of them for the whole conversation.
Several places make one tag of several pieces. Evidence is a `Ref`, an `Absence`, or an `Anchor` made in another
conversation.

    tag(where, code, *places, note=, clause=, stance=, cause=, exemplar=, evidence=)   code "" makes a free note
    toggle(where, code, *places)        what a digit does: again, a bare tag is taken back; one that bears more stays
    doubts.about(where, mode, places)   why a tag looks like a slip; nothing the second time, then nothing for that mode
    untag(tag), edit(tag, note=, clause=, stance=, cause=, exemplar=, code=)
    attach(stored, tag, *evidence, instead=None), detach(tag, evidence)
    attach_usual(stored, tag)           what `s` does: the evidence the mode usually wants; again, the next candidate
    verdict(where, "pass" | "fail" | "defer" | ""), reviewed(stored, **how)
    decide(stored, accepted, findings)  accept findings as tags, or reject them; all of them are one act
    undo(), redo()                      this window's last act, after a restart this reviewer's; however far back
    recode(lambda modes: modes.merge(a, b))    edits the codebook as an act that can be undone
    classed(classing.class_tool(store, text, tool, act))   a tool's class in the store's desk, as an act; before undo()
                                        or redo() of it, `classing.turn` puts the desk back, which may take long
    split(old, new, tags)               own tags of one mode become tags of another, as one act
    marks(stored) -> tuple[Mark, ...]   every tag, its state (exact, moved, drifted, elsewhere), where to paint it
    state(ref) -> State                 tags, verdicts, reviewed, rejected of a conversation or case
    refresh() -> set of references      other windows' and other people's lines; cheap enough for every second
    stale() -> whether refresh() would find something; it only looks, so a thread may ask
    sight.read(query)                   marks(stored) and shown(ref) then leave out what other people said in a drawn
                                        queue, until `reviewed`; sight.others = False does so everywhere;
                                        sight.how(state) is what a `reviewed` line says of it
    counts(), troubles()
    codebook                            .keyed("1") -> Mode, .active(), .mode(code); edited files are seen at refresh()
    modes.problem                       why the codebook file cannot be used, None when it can
    modes.add(title) -> (Mode, words)   a new mode in the file; warns when another is nearly called so
    modes.rename(old, new), modes.merge(gone, into), modes.retire(code), modes.set(code, field, value) -> words

Every verb has written and synced its line when it returns. When that fails it raises `JournalError` and nothing has
changed; `pen.unsaved` then holds what was meant, for `pen.retry()` or `pen.save_elsewhere(path)`.
"""

from __future__ import annotations

from reviewer.marks.review.marks import Mark
from reviewer.marks.review.overview import Counts
from reviewer.marks.review.review import Session, VerbResult
from reviewer.marks.who import initials, reviewer_name

__all__ = ["Counts", "Mark", "Session", "VerbResult", "initials", "reviewer_name"]
