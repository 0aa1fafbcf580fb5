"""What a pane paints is of one moment: never rows from before a key beside rows from behind it."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip

from reviewer.app.shared.line_widgets import ByLine

ROWS = 4


class Pane(ByLine):
    """A pane whose rows say of which moment they are."""

    DEFAULT_CSS = "Pane { border: round white; height: 6; width: 20; }"

    def __init__(self) -> None:
        super().__init__(id="pane")
        self.said = ["first"] * ROWS

    def drawn(self, y: int) -> Strip:
        """A row as it is now."""
        return self.strip([(self.said[y], "")])

    def now(self, *said: str) -> None:
        """Say this from now on, under a title."""
        self.said = list(said)
        self.entitle(said[-1])
        self.add_below(said[-1])

    def painted(self) -> list[str]:
        """The words of what is painted: above, in the rows, below."""
        lines = self.render_lines(Region(0, 0, *self.outer_size))
        return [line.text.strip("╭╮╰╯│─ ") for line in lines]


class Panes(App[None]):
    """An app of one pane."""

    def compose(self) -> ComposeResult:
        """The pane."""
        yield Pane()


async def test_what_changes_before_a_frame_is_painted_comes_whole_in_the_next() -> None:
    app = Panes()
    async with app.run_test() as pilot:
        pane = app.query_one(Pane)
        pane.now(*["first"] * ROWS)
        await pilot.pause()
        assert pane.painted() == ["first"] * (ROWS + 2)
        pane.now("second", "second", "first", "first")
        pane.on_idle()  # its rows are drawn, and the frame is still to be painted when the next key comes
        pane.now(*["third"] * ROWS)
        assert pane.painted() == ["first", "second", "second", "first", "first", "first"]
        await pilot.pause()
        assert pane.painted() == ["third"] * (ROWS + 2)


async def test_another_width_draws_every_row_anew() -> None:
    app = Panes()
    async with app.run_test() as pilot:
        pane = app.query_one(Pane)
        pane.now(*["first"] * ROWS)
        await pilot.pause()
        pane.styles.width = 16
        await pilot.pause()
        pane.now(*["second"] * ROWS)
        assert {line.cell_length for line in pane.render_lines(Region(0, 0, *pane.outer_size))} == {16}
        await pilot.pause()
        assert pane.painted() == ["second"] * (ROWS + 2)
