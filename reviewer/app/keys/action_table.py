"""The table of actions: what each is called, which keys start it, where they work and how it is explained. Data only.

Keys are written as people say them (`]`, `ctrl+d`, `space`); a comma is spelled `comma`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Scope = Literal[
    "anywhere",
    "review",
    "queue",
    "transcript",
    "tools",
    "compare",
    "grid",
    "board",
    "suggestions",
    "report",
    "select",
    "evidence",
    "help",
]

# Keys of a scope also reach the scopes named here; a mode takes all keys to itself and may reuse them.
ENCLOSING: dict[Scope, tuple[Scope, ...]] = {
    "anywhere": (),
    "review": ("anywhere",),
    "queue": ("review", "anywhere"),
    "transcript": ("review", "anywhere"),
    "tools": ("review", "anywhere"),
    "compare": ("anywhere",),
    "grid": ("anywhere",),
    "board": ("anywhere",),
    "suggestions": ("anywhere",),
    "report": ("anywhere",),
    "select": (),
    "evidence": (),
    "help": (),
}
PANES: tuple[Scope, ...] = ("queue", "transcript", "tools")
READ: tuple[Scope, ...] = (*PANES, "compare")
LISTED: tuple[Scope, ...] = (*READ, "grid", "board", "suggestions", "report")
MARKED: tuple[Scope, ...] = ("review", "compare")
TABLES: tuple[Scope, ...] = ("grid", "board")
TAGGED: tuple[Scope, ...] = (*MARKED, "grid")
TITLES: dict[Scope, str] = {
    "anywhere": "Anywhere",
    "review": "While reading",
    "queue": "In the queue",
    "transcript": "In the transcript",
    "tools": "In the tool layer",
    "compare": "Side by side",
    "grid": "In the grid",
    "board": "On the board",
    "suggestions": "In the suggestions",
    "report": "In a report",
    "select": "Selecting words (after v)",
    "evidence": "Picking evidence (after S)",
    "help": "In the help",
}


class Action(NamedTuple):
    """Something a key does."""

    id: str
    keys: tuple[str, ...]
    scopes: tuple[Scope, ...]
    label: str
    """One or two words, for hints and the palette."""
    help: str
    """One sentence, for the help screen and docs/keys.md."""
    group: str = "Move"
    hint: int = 0
    """Place among the hints at the foot of the screen, the smallest first; 0 keeps it off."""
    pair: str = ""
    """The id of the action it shares a hint with, as `j/k message`."""


MODE_KEYS = tuple("1234567890")

ACTIONS: tuple[Action, ...] = (
    # -- moving
    Action("item.next", ("j", "down"), LISTED, "move", "Next item: message or call, or line of the queue.", hint=1),
    Action("item.previous", ("k", "up"), LISTED, "move", "Previous item.", pair="item.next"),
    Action("scroll.down", ("J",), READ, "scroll down", "Scroll a few lines within what you are reading."),
    Action("scroll.up", ("K",), READ, "scroll up", "Scroll back a few lines."),
    Action("half.down", ("ctrl+d",), LISTED, "half page down", "Scroll half a page down."),
    Action("half.up", ("ctrl+u",), LISTED, "half page up", "Scroll half a page up."),
    Action("page.down", ("space", "pagedown"), LISTED, "page down", "Next page."),
    Action("page.up", ("b", "pageup"), LISTED, "page up", "Previous page."),
    Action("item.first", ("g", "home"), LISTED, "first", "First item."),
    Action("item.last", ("G", "end"), LISTED, "last", "Last item."),
    Action("conversation.next", ("]", "L"), ("review",), "conversation", "Next conversation of the queue.", hint=2),
    Action(
        "conversation.previous",
        ("[", "comma", "H"),
        ("review",),
        "conversation",
        "Previous conversation of the queue.",
        pair="conversation.next",
    ),
    Action("run.next", (">",), ("review",), "run", "The same case in the next run.", hint=3),
    Action("run.previous", ("<",), ("review",), "run", "The same case in the previous run.", pair="run.next"),
    Action("tag.next", ("}", ")"), ("review",), "next tag", "Next tag or suggestion of this conversation."),
    Action("tag.previous", ("{", "("), ("review",), "previous tag", "Previous tag or suggestion of this conversation."),
    Action("pane.next", ("tab",), ("review",), "next pane", "Next pane: queue, transcript, tool layer.", hint=10),
    Action("pane.previous", ("shift+tab",), ("review",), "previous pane", "Previous pane."),
    Action("queue.enter", ("enter",), ("queue",), "read", "Read the conversation under the cursor.", hint=1),
    # -- looking
    Action("find", ("/",), MARKED, "find", "Find words in this conversation; all hits light up.", "Look", 4),
    Action(
        "filter",
        ("f",),
        ("review",),
        "filter",
        "Filter the queue; tab completes, up recalls.",
        "Look",
        hint=4,
    ),
    Action("queue.sort", ("o",), ("review",), "sort", "Sort the queue another way; :sort names one.", "Look"),
    Action("queue.group", ("O",), ("review",), "group", "Group the queue by case, by model, or not at all.", "Look"),
    Action("queue.open", ("Q",), ("review",), "queues", "Open a named queue; :queue NAME opens one.", "Look"),
    Action(
        "find.next",
        ("n",),
        MARKED,
        "next hit",
        "Next hit, a filter's further on too; with the lens, next fact.",
        "Look",
    ),
    Action(
        "find.previous",
        ("N",),
        MARKED,
        "previous hit",
        "Previous hit, a filter's further back too; with the lens, previous fact.",
        "Look",
    ),
    Action(
        "item.fold",
        ("enter", "z"),
        ("transcript", "tools"),
        "open or fold",
        "Open or fold the item; from a fact to its source.",
        "Look",
    ),
    Action("fold.all", ("Z",), ("transcript", "tools", "compare"), "open all", "Open or fold every call.", "Look"),
    Action("tools.cycle", ("\\", "ctrl+t"), MARKED, "tools", "Tool layer: beside, inline or hidden.", "Look", hint=5),
    Action("reasoning", ("r",), MARKED, "reasoning", "Show or hide the agent's reasoning.", "Look", hint=6),
    Action("raw", ("m",), MARKED, "raw text", "Show the raw text as stored.", "Look"),
    Action("json", ("p",), MARKED, "JSON", "Show the JSON of a call instead of its fields.", "Look"),
    Action(
        "facts", ("i",), (*MARKED, "board"), "facts", "Facts: case, order, scores and judges' notes, policy.", "Look"
    ),
    Action("lens", ("l",), ("review",), "grounding", "Grounding lens: where each fact comes from.", "Look"),
    Action("dates", ("I",), MARKED, "times", "Times as stored, or since the first message.", "Look"),
    # -- side by side
    Action("compare", ("=",), ("review", "grid"), "compare", "The runs of this case side by side.", "Side by side", 5),
    Action("grid", ("B",), ("review", "compare"), "grid", "Every run of every case of this model.", "Side by side"),
    Action("board", ("M",), TAGGED, "board", "All models by their numbers.", "Side by side"),
    Action(
        "side.next",
        ("tab", "right"),
        ("compare",),
        "column",
        "Next column, at the same height.",
        "Side by side",
        hint=2,
    ),
    Action("side.previous", ("shift+tab", "left"), ("compare",), "column", "Previous column.", "Side by side"),
    Action("parting", ("d",), ("compare",), "where they part", "To the first act that differs.", "Side by side", 3),
    Action(
        "side.read", ("enter",), ("compare",), "read", "Read this conversation, at this message.", "Side by side", 4
    ),
    Action("side.axis", ("=",), ("compare",), "runs or models", "Models in the columns, or runs.", "Side by side", 5),
    Action("side.fold", ("z",), ("compare",), "open or fold", "Open or fold the item.", "Side by side"),
    Action("cell.next", ("l", "right"), TABLES, "column", "Next run, or column of the board.", "Side by side", hint=2),
    Action(
        "cell.previous", ("h", "left"), TABLES, "column", "Previous run, or column.", "Side by side", pair="cell.next"
    ),
    Action(
        "flip.next",
        ("n",),
        ("grid",),
        "flip",
        "Next case whose runs differ in acts (≠) or in passing (±).",
        "Side by side",
        3,
    ),
    Action("flip.previous", ("N",), ("grid",), "flip", "The one before.", "Side by side", pair="flip.next"),
    Action("grid.read", ("enter",), ("grid",), "read", "Read the conversation in this cell.", "Side by side", 4),
    Action(
        "grid.turn",
        ("B",),
        ("grid",),
        "turn",
        "The models on this case, or the cases of this model.",
        "Side by side",
        6,
    ),
    Action("board.sort", ("o",), ("board",), "sort", "Sort by this column; again, board order.", "Side by side", 3),
    Action(
        "board.filter", ("f",), ("board",), "filter", "Count what the filter lets through, or all.", "Side by side", 5
    ),
    Action("board.suite", ("s",), ("board",), "suite", "The next suite: one benchmark at a time.", "Side by side", 6),
    Action("board.grid", ("enter",), ("board",), "grid", "Every run of every case of this model.", "Side by side", 4),
    Action(
        "report.enter",
        ("enter",),
        ("report",),
        "read",
        "Read a quote in its conversation, or what is to be read.",
        "Side by side",
        2,
    ),
    Action("section.next", ("n", "}"), ("report",), "section", "Next section of the report.", "Side by side", 3),
    Action(
        "section.previous",
        ("N", "{"),
        ("report",),
        "section",
        "The section before.",
        "Side by side",
        pair="section.next",
    ),
    # -- marking
    Action(
        "mark",
        MODE_KEYS,
        TAGGED,
        "tag",
        "Put that failure mode on the selection or the item; again takes a bare tag back.",
        "Mark",
        hint=3,
    ),
    Action("mark.pick", ("t",), MARKED, "pick a mode", "Pick any failure mode by name.", "Mark"),
    Action("mark.whole", ("T",), TAGGED, "tag all", "Pick a failure mode for the whole conversation.", "Mark"),
    Action("mark.again", (".",), TAGGED, "last mode", "The last failure mode again.", "Mark"),
    Action(
        "select", ("v",), ("transcript", "compare"), "select", "Select words, starting with a sentence.", "Mark", hint=4
    ),
    Action("evidence", ("s",), MARKED, "evidence", "Attach the likely evidence; again, the next one.", "Mark"),
    Action("evidence.pick", ("S",), MARKED, "pick evidence", "Pick evidence by hand: fields, words, absence.", "Mark"),
    Action("note", ("c",), MARKED, "note", "Write a note on the tag: enter saves, ctrl+j starts a line.", "Mark"),
    Action("exemplar", ("e",), MARKED, "exemplar", "Make the tag an exemplar, or take that back.", "Mark"),
    Action("untag", ("x",), MARKED, "remove", "Remove the tag under the cursor; reject a suggestion.", "Mark"),
    Action("accept", ("a",), MARKED, "accept", "Accept the suggestion under the cursor as a tag.", "Mark"),
    Action(
        "accept.all",
        ("A",),
        MARKED,
        "accept all",
        "Accept all that the same read suggests in this conversation.",
        "Mark",
    ),
    Action(
        "reject.all",
        ("X",),
        MARKED,
        "reject all",
        "Reject all that the same read suggests in this conversation.",
        "Mark",
    ),
    Action(
        "suggestions.open",
        ("exclamation_mark",),
        ("review",),
        "suggestions",
        "What reads suggest across the store, by mode.",
        "Mark",
    ),
    Action(
        "suggestion.read", ("enter",), ("suggestions",), "read", "Read it where it stands; on a mode, fold.", "Mark", 4
    ),
    Action(
        "suggestion.accept", ("a",), ("suggestions",), "accept", "Accept it as a tag, and go to the next.", "Mark", 2
    ),
    Action("suggestion.reject", ("x",), ("suggestions",), "reject", "Reject it, and go to the next.", "Mark", 3),
    Action("suggestion.queue", ("f",), ("suggestions",), "queue", "Read the conversations of this mode.", "Mark", 5),
    Action("suggestion.fold", ("z",), ("suggestions",), "fold", "Open or fold the mode.", "Mark", 5),
    Action("suggestion.fold.all", ("Z",), ("suggestions",), "fold all", "Open or fold every mode.", "Mark"),
    Action("undo", ("u",), (*TAGGED, "suggestions"), "undo", "Undo the last act, and say what it was.", "Mark", hint=8),
    Action("redo", ("ctrl+r",), (*TAGGED, "suggestions"), "redo", "Do it again.", "Mark"),
    Action("clause", ("w",), MARKED, "clause", "Write the clause that is printed with the excerpt.", "Mark"),
    Action("cause", ("C",), MARKED, "cause", "What the agent fell for; its first letter picks.", "Mark"),
    Action(
        "stance", ("h",), MARKED, "stance", "The next stance: clear, debatable, defensible, policy-legitimate.", "Mark"
    ),
    Action("verdict.pass", ("P",), MARKED, "pass", "Verdict on the conversation: pass.", "Judge"),
    Action("verdict.fail", ("F",), MARKED, "fail", "Verdict on the conversation: fail.", "Judge"),
    Action("verdict.defer", ("D",), MARKED, "defer", "Verdict on the conversation: defer.", "Judge"),
    Action("reviewed", ("R",), MARKED, "reviewed", "Reviewed; go to the next unreviewed.", "Judge", hint=7),
    Action(
        "prose",
        ("W",),
        (*MARKED, "report"),
        "prose",
        "The report's prose in your editor, at this tag's section.",
        "Mark",
    ),
    Action("copy", ("y",), MARKED, "copy", "Copy the excerpt as Markdown.", "Mark"),
    Action("copy.ref", ("Y",), MARKED, "copy reference", "Copy the reference.", "Mark"),
    # -- selecting
    Action("select.next", ("j", "down"), ("select",), "sentence", "Next sentence.", "Select", hint=1),
    Action("select.previous", ("k", "up"), ("select",), "sentence", "Previous sentence.", "Select", pair="select.next"),
    Action("select.first", ("g", "home"), ("select",), "first", "First sentence of this text.", "Select"),
    Action("select.last", ("G", "end"), ("select",), "last", "Last sentence of this text.", "Select"),
    Action("select.end.forward", ("w",), ("select",), "end", "The end a word further.", "Select", hint=2),
    Action("select.end.back", ("b",), ("select",), "end", "The end a word back.", "Select", pair="select.end.forward"),
    Action("select.start.forward", ("W",), ("select",), "start", "The start a word further.", "Select", hint=3),
    Action(
        "select.start.back",
        ("B",),
        ("select",),
        "start",
        "The start a word back.",
        "Select",
        pair="select.start.forward",
    ),
    Action(
        "select.piece",
        ("comma",),
        ("select",),
        "add a piece",
        "Keep this and select another piece; past the end, of the next message.",
        "Select",
        4,
    ),
    Action("select.mark", MODE_KEYS, ("select",), "tag", "Tag the selected words.", "Select", hint=5),
    Action("select.pick", ("t",), ("select",), "pick a mode", "Pick the failure mode by name.", "Select"),
    Action("select.again", (".",), ("select",), "last mode", "Tag with the last mode again.", "Select"),
    Action("select.copy", ("y",), ("select",), "copy", "Copy the selected words.", "Select"),
    Action("select.part", ("tab",), ("select",), "other part", "Words or reasoning; result or arguments.", "Select"),
    Action(
        "select.proof", ("s",), ("select",), "evidence", "The selected words as evidence of the last tag.", "Select"
    ),
    Action("select.find", ("/",), ("select",), "find", "Move the selection to words you type.", "Select"),
    Action("select.leave", ("escape", "v"), ("select",), "leave", "Leave the selection.", "Select", hint=6),
    # -- the program
    Action("command", (":",), ("anywhere",), "command", "Command line, such as :goto MODEL/CASE/RUN#4.", "Program"),
    Action("palette", ("ctrl+p",), ("anywhere",), "palette", "Every action by name, and why it is greyed.", "Program"),
    Action("help", ("?", "f1"), ("anywhere",), "help", "The keys of the pane you are in.", "Program", hint=9),
    Action("back", ("escape",), ("anywhere",), "back", "Back: close, clear hits, leave lens or pane.", "Program"),
    Action("refresh", ("ctrl+l", "f5"), ("review",), "take in", "Take in what was added to the store.", "Program"),
    Action("quit", ("q",), ("anywhere",), "quit", "Quit; everything shown is on disk already.", "Program"),
)
