"""What the signs of the queue say, for help and for those who read them."""

from __future__ import annotations

LEGEND = (
    ("forbidden", "did or attempted what the case forbids"),
    ("write", "made a write that succeeded"),
    ("attempted", "only attempted writes: the tool refused"),
    ("talk", "did not, where most wrote"),
    ("handover", "handed over to a person"),
    ("failed", "a call failed"),
    ("end.customer", "ended by the customer"),
    ("end.agent", "ended by the agent"),
    ("end.handover", "ended with a handover"),
    ("end.limit", "stopped by the turn limit"),
    ("end.cut", "broke off"),
    ("end.error", "ended in an error"),
    ("end.other", "ended in another way; i says how"),
    ("empty", "has no messages"),
    ("pass", "your verdict: pass"),
    ("fail", "your verdict: fail"),
    ("defer", "your verdict: defer"),
    ("read.end", "you reviewed all of it; a number counts the tags"),
    ("read.part", "you reviewed it in part: not each message was shown"),
    ("read.unknown", "you reviewed it; unknown how much was shown"),
)
"""Every sign of a line and what it says, in the order of their columns."""
OF_GROUPS = (
    ("same", "runs agree in writes, handover, forbidden acts"),
    ("differs", "runs differ in these; a number counts the cases"),
    ("score-differs", "one run passed (a score of 1), another did not"),
)
"""Likewise at the head of a group, in a grid and in a comparison."""
OF_COLUMNS = (
    (":columns", "picks and orders them; :columns usual takes that back"),
    ("click", "on a heading sorts; on a cell filters by it, again takes that out; on a name opens it first"),
    ("unless marked", "above the queue: what most have in common, which their lines do not say"),
    ("colours", "a score below half of its scale, below four fifths, or above; hidden in a drawn queue until R"),
    ("~0.012", "dollars that its source does not tell, reckoned from its tokens by the list of prices"),
)
"""Likewise what one can do with the columns."""
