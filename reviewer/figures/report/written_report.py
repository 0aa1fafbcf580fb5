"""Reports with their reviewer's words: what a page is made of in the end, for the shell and for screens.

Owns loading what reads and fills in prose only where there is some.
"""

from __future__ import annotations

from reviewer.figures.report.blocks import WrittenPage
from reviewer.figures.report.board_report import BoardMaterial, board_report, excerpt_of
from reviewer.figures.report.deep_report import deep_report
from reviewer.figures.report.material import Material
from reviewer.figures.report.prose_file import ProseFile
from reviewer.transcripts.store.reader import Reader


def written_report(it: Material, prose: ProseFile | None) -> WrittenPage:
    """The report on a model with its reviewer's words, if there are any."""
    if prose is None:
        return WrittenPage(deep_report(it))
    from reviewer.figures.report.prose_choices import with_choices
    from reviewer.figures.report.prose_page import with_prose

    own = prose.of_model(it.model)
    chosen, troubles = with_choices(it, own.front)
    return with_prose(deep_report(chosen), own, it.tags.of_tag, troubles)


def written_findings(reader: Reader, it: BoardMaterial, prose: ProseFile | None) -> WrittenPage:
    """The report across models with its reviewer's words, if there are any."""
    if prose is None:
        return WrittenPage(board_report(it))
    from reviewer.figures.report.prose_page import with_prose

    return with_prose(board_report(it), prose.of_model(None), lambda name: excerpt_of(reader, it, name))
