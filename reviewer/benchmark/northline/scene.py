"""One sample conversation while it is being played: messages so far, calls through the desk's tools, what was planted.

Owns the stage directions (who says what next, when, at what cost in tokens) and knows no story; the flows do. Each
visible agent message is counted against the number that the plan allows.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reviewer.benchmark.northline.cases import SampleCase
from reviewer.benchmark.northline.desk_tools import answered, compact
from reviewer.benchmark.northline.figures import Figures
from reviewer.benchmark.northline.lines import OPEN, Phrase, composed, marked
from reviewer.benchmark.northline.plan import Part
from reviewer.benchmark.northline.prompter import Prompter
from reviewer.benchmark.northline.setting import Setting
from reviewer.benchmark.northline.slips import SAID
from reviewer.benchmark.northline.stories import stories
from reviewer.benchmark.northline.truth import Plant
from reviewer.benchmark.northline.voices import shortened, typed
from reviewer.transcripts.model import Message, ToolCall

CUSTOMER_TURNS = 8
# What begins like this needs nothing before it.
LEADING = ("And ", "So ", "By the way", "One more", "Side question", "Quick ", "Okay", "Sorry", "Just so")
# Failures that are staged in a place of their own, and near misses that are.
STAGED = frozenset(
    {
        *("leaked-think-tag", "leaked-reasoning", "leaked-template-tag", "claim-before-lookup"),
        *("over-escalates-by-value", "broken-multilingual", "adopts-false-premise", "narrates-red-flag-then-acts"),
    }
)
STAGED_NEAR = frozenset({"leaked-think-tag", "leaked-reasoning", "leaked-template-tag", "claim-before-lookup"})
_TWO_DIGITS = [f"{number:02d}" for number in range(60)]
PROMPT_TOKENS = 1900  # instructions, policy and tool schemas, which every call of the model carries


@dataclass(slots=True)
class Clock:
    """The time of day within a run, moved on by every message."""

    day: str
    seconds: int

    def on(self, seconds: int) -> str:
        """Move on and say the time."""
        self.seconds += seconds
        minutes, seconds = divmod(self.seconds, 60)
        two = _TWO_DIGITS
        return f"{self.day}T{two[minutes // 60 % 24]}:{two[minutes % 60]}:{two[seconds]}Z"


class Scene(Prompter):
    """A conversation that is being played."""

    def __init__(
        self, case: SampleCase, part: Part, model: Figures, setting: Setting, clock: Clock, rng: random.Random
    ) -> None:
        super().__init__(case, part, model, setting, rng)
        self.clock = clock
        self.situation: set[str] = set(setting.situation)
        self.asked: set[str] = set(stories()[case.id].never)
        self.messages: list[Message] = []
        self.planted: list[Plant] = []
        self.left = part.messages
        self.turns = 0
        self.greeted = False
        self.parting = False
        """Whether the customer has said goodbye."""
        self.ended_by = "customer-stop"
        self.before_the_call: Phrase | None = None
        """Words to be said in the message of the next call."""
        self._context = PROMPT_TOKENS

    # -- the customer ------------------------------------------------------------------------------------------------

    def opens(self) -> None:
        """Injected context, if any, and the case's first message."""
        if self.case.facts.context:
            self._add(Message("system", self.case.facts.context, source_role="system", at=self.clock.on(0)))
        self._customer(self.case.facts.opening or "")

    def customer(self, *keys: str) -> None:
        """Add a customer's line, or several in one message, typed as this customer types."""
        said = [self.customers_words(key) for key in keys]
        if said[-1].startswith(LEADING):
            said = said[-1:]
        elif said[0][-1].isalpha() and not said[-1].startswith(("I ", "I'")):
            said[-1] = said[-1][:1].lower() + said[-1][1:]  # the sentence goes on
        self._customer(typed(" ".join(said), self.case.style, self.rng))

    def _customer(self, text: str) -> None:
        self.turns += 1
        self.slots["last"] = shortened(text)
        self._context += len(text) // 4
        wait = 15 + self.below(85) if self.turns > 1 else 1
        self._add(Message("customer", text, source_role="user", at=self.clock.on(wait)))

    # -- the agent ---------------------------------------------------------------------------------------------------

    def calls(self, *wanted: tuple[str, Mapping[str, Any]], think: str = "", announce: bool = False) -> int:
        """Call tools in one message, mostly without text; returns the number of that message."""
        calls = tuple([self._called(name, arguments) for name, arguments in wanted])
        text = self._before_the_call()
        if not text and announce and self.left > 2 and self.chance(self.voice.announces):
            text = self.line("agent.announce").text
            self.left -= 1
        self._agent(text, think, calls)
        return len(self.messages)

    def _before_the_call(self) -> str:
        """What is said in the very message of a call, its marks noted."""
        piece, self.before_the_call = self.before_the_call, None
        if piece is None:
            return ""
        self.left -= 1
        number = len(self.messages) + 1
        self.planted += [Plant(m.mode, m.real, number, span=(m.start, m.end)) for m in piece.marks]
        return piece.text

    def says(self, *pieces: Phrase | None, think: str = "") -> int:
        """Add an agent's message made of these phrases, in the agent's voice; returns its number."""
        spoken = [piece for piece in pieces if piece is not None and piece.text]
        spoken = self._dressed(spoken)
        whole = spoken[0]
        if len(spoken) > 1:
            apart = "\n" in "".join([piece.text for piece in spoken])
            apart = apart or (len(spoken) > 2 and self.chance(0.25 + self.voice.markdown))
            whole = composed(spoken, apart)
        self.left -= 1
        self._agent(whole.text, think, ())
        number = len(self.messages)
        if whole.marks:
            self.planted += [Plant(m.mode, m.real, number, span=(m.start, m.end)) for m in whole.marks]
        return number

    def empty_reply(self) -> None:
        """Add a message without a character and without a call."""
        self._agent("", "", ())
        self.plant("empty-reply", message=len(self.messages))

    def colleague(self, text: str) -> None:
        """Add a person's message after the handover."""
        message = Message("colleague", text, source_role="human_agent", name="Jo", at=self.clock.on(600))
        self._add(message)

    def plant(self, mode: str, real: bool = True, message: int | None = None, call: int | None = None) -> None:
        """Note a habit that hangs on a message, a call or the whole conversation."""
        self.planted.append(Plant(mode, real, message, call))

    def _dressed(self, pieces: list[Phrase]) -> list[Phrase]:
        if not self.greeted:
            self.greeted = True
            pieces = self._opened(pieces)
        pieces = self._leaked(pieces)
        if self.case.style != "angry" and self.chance(self.voice.emoji) and "\n" not in pieces[-1].text:
            last = Phrase(f"{pieces[-1].text} {self.words(f'voices.{self.model.model}.emoji')}", pieces[-1].marks)
            pieces = [*pieces[:-1], last]
        return pieces

    def _opened(self, pieces: list[Phrase]) -> list[Phrase]:
        """The first message with a greeting before it, and a word on what the customer wrote."""
        if pieces[0].text.startswith(("Hi", "Hello", "Dear")):
            return pieces
        resolvable = self.case.bucket == "resolvable"
        answers = not (resolvable and self.part.handover)  # what was heard is answered here, or not spoken of
        if answers and self.chance(0.45 + 0.35 * self.voice.warmth - 0.25 * self.voice.brevity):
            pieces = [self.story("heard"), *pieces]
        if "first" not in self._known:
            return [self.line("agent.hello"), *pieces]
        if self.chance(0.55 + self.voice.warmth / 3):
            warm = self.case.style != "angry" and resolvable and self.chance(self.voice.warmth)
            calm = self.case.style == "angry" and not resolvable
            key = "agent.calm" if calm else f"voices.{self.model.model}.{'warm' if warm else 'hello'}"
            pieces = [self.line(key), *pieces]
        return pieces

    def _reasoning(self, think: str) -> str:
        """What the model thinks before a message, if it thinks at all, or always."""
        if not self.model.reasoning:
            return ""
        if think:
            return self._thought(think)
        if self.model.thinks_always:
            done = "told" if self.messages[-1].calls else "close" if self.parting else "step"
            return self.line(f"plants.thought.{done}").text
        return ""

    def _thought(self, think: str) -> str:
        """A thought; one with marks in it names the risk before the act."""
        words = self.words(f"thoughts.{think}")
        if self.chance(0.4):
            words += " " + self.words(f"thoughts.manner.{self.case.style}")
        piece = marked(words, "narrates-red-flag-then-acts" if OPEN in words else None)
        number = len(self.messages) + 1
        self.planted += [Plant(m.mode, m.real, number, span=(m.start, m.end), part="reasoning") for m in piece.marks]
        return piece.text

    def _leaked(self, pieces: list[Phrase]) -> list[Phrase]:
        """The message with what leaks into it: a note, a stray tag, half a thought before it, a plan."""
        if not (self.slips or self.nears) or (self.left > 1 and self.chance(0.4)):
            return pieces
        if self.tempted("leaked-reasoning"):
            pieces = [self.fault("leaked-reasoning"), *pieces]
        if self.tempted("leaked-think-tag"):
            form = self.rng.choice(("head", "half", "middle") if len(pieces) > 1 else ("head", "half"))
            leak = self.line(f"faults.leaked-think-tag.{form}", "leaked-think-tag")
            pieces = [*pieces[:1], leak, *pieces[1:]] if form == "middle" else [leak, *pieces]
        if mode := self.looks_like("leaked-think-tag", "leaked-reasoning"):
            pieces = [*pieces, self.fault(mode, real=False)]
        return pieces

    def tags(self) -> list[str]:
        """What a line for this case may be marked with: its language, its family, its situation."""
        facts = self.case.facts
        family = (facts.family or "").replace(" ", "-")
        return [facts.language or "en", family, *sorted(self.situation)]

    def slip(self) -> list[Phrase]:
        """The next words of a planned failure, and of a near miss, where they fit what was said."""
        said: list[Phrase] = []
        if not (self.slips or self.nears):
            return said
        if mode := next((mode for mode in self.slips if mode in SAID and mode not in STAGED), None):
            self.slips.remove(mode)
            said.append(self.fault(mode))
        if mode := self.looks_like(*(mode for mode in self.nears if mode in SAID and mode not in STAGED_NEAR)):
            said.append(self.fault(mode, real=False))
        return said

    def _called(self, name: str, arguments: Mapping[str, Any]) -> ToolCall:
        answer = answered(name, arguments)
        raw = compact(arguments)
        self._context += (len(raw) + len(answer.result)) // 4
        return ToolCall(name, raw, answer.result, answer.error, id=f"call_{self.rng.getrandbits(48):012x}")

    def _agent(self, text: str, think: str, calls: tuple[ToolCall, ...]) -> None:
        reasoning = self._reasoning(think)
        hidden = len(reasoning) // 4
        written = len(text) // 4
        if calls:
            written += sum(len(call.arguments or "") // 4 + 12 for call in calls)
        self._add(
            Message(
                "agent",
                text,
                reasoning,
                calls,
                source_role="assistant",
                at=self.clock.on(2 + (written + hidden) // 60 + self.below(3)),
                tokens_in=self._context,
                tokens_out=written,
                tokens_reasoning=hidden,
            )
        )
        self._context += written

    def _add(self, message: Message) -> None:
        self.messages.append(message)
