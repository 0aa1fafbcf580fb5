"""How much of what agents say is said once: distinct messages and sentences, numbers and capitalised words masked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from reviewer.transcripts.model import Conversation

LONG = 6
"""Sentences of more words than this are counted."""
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_CAPITALISED = re.compile(r"\b[A-Z][\w'’&-]*")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


def masked(text: str) -> str:
    """The text with every number and every capitalised word hidden, so that names and dates make no difference."""
    return _CAPITALISED.sub("X", _NUMBER.sub("0", text)).strip()


def sentences(text: str) -> list[str]:
    """The masked sentences and list entries of a message that have more than six words."""
    parts = (masked(part) for part in _SENTENCE_END.split(text))
    return [part for part in parts if len(part.split()) > LONG]


@dataclass
class Wording:
    """What was said by agents in some conversations: each message and each long sentence with its count."""

    messages: Counter[str] = field(default_factory=Counter)
    sentences: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, conversations: Iterable[Conversation]) -> Wording:
        """Count what the agents of these conversations say."""
        said = cls()
        for conversation in conversations:
            for message in conversation.messages:
                if message.role == "agent" and message.text.strip():
                    said.messages[masked(message.text)] += 1
                    said.sentences.update(set(sentences(message.text)))
        return said

    @property
    def distinct_messages(self) -> float:
        """The share of messages that are different from each other."""
        return len(self.messages) / self.messages.total()

    @property
    def distinct_sentences(self) -> float:
        """The same of long sentences."""
        return len(self.sentences) / self.sentences.total()

    @property
    def most_repeated(self) -> tuple[str, float]:
        """The long sentence that is said most, and in which share of all messages."""
        text, times = self.sentences.most_common(1)[0]
        return text, times / self.messages.total()
