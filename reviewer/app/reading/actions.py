"""What the keys of the reading room do: what nobody can need before the first paint is loaded behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reviewer.app.reading.review_screen import ReviewScreen


def others(screen: ReviewScreen) -> dict[str, Callable[..., None]]:
    """The verbs that nobody can need before the first paint."""
    from reviewer.app.marking.bearings import EvidenceKeys, NoteKeys
    from reviewer.app.marking.mode_keys import CodebookCommands, ModeKeys, ToolClassCommand
    from reviewer.app.marking.suggestion_keys import SuggestionKeys
    from reviewer.app.marking.verdict_keys import NextReviewedKey, VerdictKeys
    from reviewer.app.queue.column_keys import ColumnKeys
    from reviewer.app.queue.order import OrderKeys
    from reviewer.app.reading.find import FindKeys
    from reviewer.app.reading.lens_keys import LensKeys
    from reviewer.app.reading.look import ClipboardKeys, LookKeys
    from reviewer.app.reading.movement import StepKeys
    from reviewer.app.reading.onwards import OnwardsKeys
    from reviewer.app.reading.selected_words import SelectionKeys
    from reviewer.app.routes import RouteKeys
    from reviewer.app.shared.commands import CommandKeys, HelpKeys

    verbs = {**ModeKeys(screen, screen.marking).verbs(), **screen.filtering.verbs(), **screen.queues.verbs()}
    verbs.update(screen.watching.verbs())
    marking = (SelectionKeys, EvidenceKeys, NoteKeys, VerdictKeys, SuggestionKeys, NextReviewedKey, CodebookCommands)
    ordering = OrderKeys(screen)
    columns = ColumnKeys(screen, ordering)
    screen.offers = {**ordering.offers(), **columns.offers(), **screen.queues.offers()}
    verbs.update({**ordering.verbs(), **columns.verbs()})
    looking = (LookKeys, FindKeys, OnwardsKeys, LensKeys, StepKeys)
    for part in (*looking, *marking, ClipboardKeys, RouteKeys, HelpKeys):
        verbs.update(part(screen).verbs())
    verbs.update(
        ToolClassCommand(screen, screen.marking, lambda: (screen.viewing.stored, screen.transcript.cursor)).verbs()
    )
    return {**verbs, **CommandKeys(screen, screen.marking.codes).verbs()}
