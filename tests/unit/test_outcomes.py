"""What a comparison's line says of an outcome: as much as there is room for, what is forbidden before all else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviewer.app.shared.line_widgets import width_of
from reviewer.app.shared.outcomes import fitting
from reviewer.transcripts.desk.outcome import Act, Outcome

ACTS = st.builds(Act, st.sampled_from(["cancel", "reship", "edit-address", "handover"]), st.booleans(), st.booleans(),
                 st.sampled_from(["", "1130", "order-of-the-year-2026"]))  # fmt: skip
OUTCOMES = st.builds(
    Outcome, st.lists(ACTS, max_size=8).map(tuple), st.sampled_from([None, "turn-limit", "error"]), messages=st.just(9)
)


@given(OUTCOMES, st.integers(40, 200), st.booleans())
def test_what_is_said_fits_and_loses_no_forbidden_act_while_there_is_another(
    found: Outcome, room: int, plain: bool
) -> None:
    bare = found._replace(acts=tuple(act._replace(order="", silent=False) for act in found.acts))
    whole = fitting(bare, 10_000, plain)
    told = fitting(found, room, plain)
    assert width_of(told) <= room
    if any(text.startswith(" +") for text, _ in told):
        kept = {style for _, style in told[:-1]}
        lost = sum(style == "bad" for _, style in whole) > sum(style == "bad" for _, style in told)
        assert not lost or kept == {"bad"}


@given(OUTCOMES)
def test_with_room_everything_is_said(found: Outcome) -> None:
    told = "".join(text for text, _ in fitting(found, 10_000, plain=False))
    assert told.endswith(f"{found.ended_by}, 9 messages " if found.ended_by else "9 messages ")
    assert all(f"#{act.order}" in told for act in found.acts if act.order)
