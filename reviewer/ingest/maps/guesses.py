"""Which column is which, guessed by its name and its values; each guess says how sure it is. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from reviewer.ingest.maps.mapfile import Speaker
from reviewer.ingest.maps.profiles import Profile, Profiles
from reviewer.ingest.messages import chat

_IDS = (
    *("conversation_id", "ticket_id", "session_id", "thread_id", "chat_id", "call_id", "dialogue_id", "dialog_id"),
    *(
        "conversationid",
        "ticketid",
        "sessionid",
        "threadid",
        "chatid",
        "callid",
        "conv_id",
        "case_id",
        "interaction_id",
    ),
    *("conversation", "ticket", "session", "thread", "chat", "dialogue", "dialog", "call", "id", "uuid"),
)
_TEXTS = (
    *("text", "body", "message", "content", "utterance", "plain_body", "html_body", "message_text", "msg", "value"),
    *("comment", "transcript", "answer", "response", "said", "txt", "line", "speech", "note", "description"),
)
_SPEAKERS = (
    *("role", "speaker", "author_role", "author_type", "sender_type", "speaker_role", "participant_role", "from_type"),
    *("author", "sender", "from", "participant", "actor", "user_type", "direction", "source", "type", "name"),
    *("author_id", "sender_id", "user_id"),
)
_TIMES = ("created_at", "timestamp", "time", "sent_at", "created", "date", "datetime", "ts", "createdat", "updated_at")
_ORDERS = (
    "turn",
    "turn_id",
    "turn_index",
    "seq",
    "sequence",
    "index",
    "message_index",
    "position",
    "order",
    "step",
    "n",
)
_MODELS = ("model", "model_name", "llm", "agent_name", "bot_name", "assistant_name", "agent_id", "bot_id")
_REASONING = ("reasoning", "thinking", "reasoning_content", "thoughts", "chain_of_thought")
_CALLS = ("tool_calls", "function_calls", "tools_called")
_TOOLS = {
    "name": ("tool_name", "function_name", "tool"),
    "arguments": ("tool_arguments", "tool_args", "tool_input", "arguments", "function_arguments"),
    "result": ("tool_result", "tool_output", "function_result", "observation"),
}
_SCORES = (
    *("csat", "nps", "ces", "score", "rating", "reward", "satisfaction", "satisfaction_score", "success", "resolved"),
    *("quality", "correct", "correctness", "sentiment_score", "qa_score"),
)
_NUMBERS = {
    "tokens_in": ("tokens_in", "input_tokens", "prompt_tokens"),
    "tokens_out": ("tokens_out", "output_tokens", "completion_tokens"),
    "cost": ("cost", "cost_usd", "price"),
}
_WHO: Mapping[Speaker, tuple[str, ...]] = {
    "agent": (
        *("bot", "assistant", "agent", "ai", "ai_agent", "ai agent", "model", "gpt", "chatbot", "virtual agent"),
        *("virtual_agent", "virtual assistant", "support", "outbound", "outgoing", "llm"),
    ),
    "customer": (
        *("user", "customer", "human", "end-user", "end_user", "enduser", "end user", "visitor", "contact", "lead"),
        *("client", "requester", "caller", "inbound", "incoming", "consumer", "patient", "passenger", "guest"),
    ),
    "colleague": (
        *("admin", "staff", "teammate", "operator", "human agent", "human_agent", "live agent", "live_agent"),
        *("supervisor", "employee", "representative", "rep"),
    ),
    "system": ("system", "event", "developer", "automation"),
    "tool": ("tool", "function", "tool_result", "observation"),
}
_KNOWN: Mapping[str, Speaker] = {word: who for who, each in _WHO.items() for word in each}
_BOTS = {"bot", "assistant", "ai", "ai_agent", "ai agent", "model", "chatbot", "virtual agent", "virtual_agent"}
_ID = re.compile(r"id$|ref|conv|ticket|session|thread|chat|call|dialog|case")
_FEW = 25
_WORD = 60


@dataclass(frozen=True, slots=True)
class Guess:
    """A column for a key, and how sure that is."""

    path: str
    sure: bool
    why: str


@dataclass
class Guessed:
    """What the columns seem to be."""

    by_key: dict[str, Guess] = field(default_factory=dict)
    speakers: dict[Speaker, list[str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    """Speakers that no word tells who they are."""
    html: bool = False
    scores: list[str] = field(default_factory=list)
    metadata: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def used(self) -> set[str]:
        """The columns that have a key."""
        return {it.path for it in self.by_key.values()} | set(self.scores) | set(self.metadata)


def message_columns(seen: Profiles) -> Guessed:
    """Who speaks, what is said, when: of rows, or objects in a list, that are messages."""
    found = Guessed()
    by_key = found.by_key
    _name(found, "time", seen, _TIMES, lambda it: it.mostly(it.times))
    _speaker(found, seen)
    text = _text(seen, {it.path for it in by_key.values()})
    if text is not None:
        by_key["text"] = text
        held = seen.columns[text.path]
        found.html = held.marked_up * 5 > held.said
    if "speaker" not in by_key:
        _name(found, "speaker", seen, _SPEAKERS, lambda it: len(it.words) <= _FEW and it.mean <= _WORD)
    _name(found, "reasoning", seen, _REASONING, lambda it: it.said > 0)
    _name(found, "tool_calls", seen, _CALLS, lambda it: it.mostly(it.json))
    for key, names in _TOOLS.items():
        _name(found, f"call.{key}", seen, names, lambda it: it.said > 0)
    for key, names in _NUMBERS.items():
        _name(found, key, seen, names, lambda it: it.mostly(it.numbers))
    if "speaker" in by_key:
        _people(found, seen.columns[by_key["speaker"].path].words)
    return found


def tie(found: Guessed, seen: Profiles) -> None:
    """What ties rows together and puts them in order, for rows that are messages."""
    repeats: Callable[[Profile], bool] = lambda it: len(it.words) < it.said or it.said < 3  # noqa: E731
    _name(found, "id", seen, _IDS, lambda it: it.name not in ("id", "uuid") and repeats(it))
    if "id" not in found.by_key:
        like = [it for it in _free(found, seen) if repeats(it) and it.said and _ID.search(it.name)]
        if like:
            found.by_key["id"] = Guess(like[0].path, False, f"by its name, {len(like[0].words):,} different")
    _name(found, "order", seen, _ORDERS, lambda it: it.mostly(it.numbers))
    if "order" not in found.by_key and "time" in found.by_key:
        found.by_key["order"] = Guess(found.by_key["time"].path, True, "by time")


def conversation_columns(found: Guessed, seen: Profiles, alone: bool) -> None:
    """What is said of the whole conversation; `alone`: each row is one."""
    if alone:
        _name(found, "id", seen, _IDS, lambda it: it.mean <= 100 and len(it.words) == it.said)
        like = [it for it in _free(found, seen) if it.mean <= 100 and len(it.words) == it.said and _ID.search(it.name)]
        if "id" not in found.by_key and like:
            found.by_key["id"] = Guess(like[0].path, False, "by its name, and it never repeats")
        _name(found, "started", seen, _TIMES, lambda it: it.mostly(it.times))
    _name(found, "model", seen, _MODELS, lambda it: it.mean <= 100)
    for it in _free(found, seen):
        if it.name in _SCORES and (it.mostly(it.numbers) or len(it.words) <= _FEW):
            found.scores.append(it.path)
    for it in _free(found, seen):
        if it.said and len(it.words) <= 50 and it.mean <= _WORD and not it.json and not it.mostly(it.times):
            found.metadata.append(it.path)


def is_chat(messages: Iterable[Mapping[str, object]]) -> bool:
    """Whether these are chat messages as providers write them, which need no columns."""
    known = {*chat.ROLES, "tool", "function", "observation"}
    held = list(messages)[:200]
    roles = [str(each.get("role", each.get("from", ""))).lower() for each in held]
    said = sum(any(key in each for key in ("content", "value", "parts", "tool_calls")) for each in held)
    return bool(held) and all(role in known for role in roles) and said * 10 >= 9 * len(held)


def _name(found: Guessed, key: str, seen: Profiles, names: tuple[str, ...], fits: Callable[[Profile], bool]) -> None:
    """Give the key to the first column of such a name whose values fit."""
    free = {it.path: it for it in _free(found, seen) if it.said}
    for name in names:
        for it in free.values():
            if name in (it.name, it.path.lower(), it.path.lower().replace(".", "_")) and fits(it):
                found.by_key[key] = Guess(it.path, names.index(name) < 8, f"by its name, {len(it.words):,} different")
                return


def _free(found: Guessed, seen: Profiles) -> list[Profile]:
    return [it for it in seen.columns.values() if it.path not in found.used]


def _speaker(found: Guessed, seen: Profiles) -> None:
    """The column whose words say who speaks, whatever it is called."""
    best: tuple[int, str] | None = None
    for it in _free(found, seen):
        if it.said and len(it.words) <= _FEW and it.mean <= _WORD:
            known = sum(word.strip().lower() in _KNOWN for word in it.words)
            if 2 * known >= len(it.words) and (best is None or known > best[0]):
                best = known, it.path
    if best is not None:
        words = seen.columns[best[1]].words
        why = f"its words say who speaks, {len(words):,} different"
        found.by_key["speaker"] = Guess(best[1], best[0] == len(words) > 1, why)


def _text(seen: Profiles, taken: set[str]) -> Guess | None:
    free = [it for it in seen.columns.values() if it.path not in taken and it.said and not it.mostly(it.json)]
    for name in _TEXTS:
        for it in free:
            if it.name == name and not it.mostly(it.times) and (it.mean > 3 or not it.mostly(it.numbers)):
                return Guess(it.path, True, f"by its name, {it.mean:,.0f} characters on average")
    free = [it for it in free if not it.mostly(it.numbers) and not it.mostly(it.times) and it.mean > 1]
    longest = max(free, key=lambda it: it.mean, default=None)
    return None if longest is None else Guess(longest.path, False, "the longest texts stand here")


def _people(found: Guessed, words: Mapping[str, int]) -> None:
    """Who is who by the words that stand there."""
    said = {word.strip().lower() for word in words}
    bots = said & _BOTS
    for word in words:
        lower = word.strip().lower()
        who = _KNOWN.get(lower)
        if lower in ("agent", "support") and bots:
            who = "colleague"
            found.notes.append(f"“{word}” is taken for a person, because “{min(bots)}” speaks as well")
        if who is None:
            found.unknown.append(word)
        else:
            found.speakers.setdefault(who, []).append(word)
