"""Which column is which, guessed by its name and its values; each guess says how sure it is. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from reviewer.imports.maps import cell_values, markup
from reviewer.imports.maps import column_names as words
from reviewer.imports.maps.column_names import squashed
from reviewer.imports.maps.mapfile import Speaker
from reviewer.imports.maps.paths import STAR
from reviewer.imports.maps.profiles import Profile, Profiles
from reviewer.imports.maps.turns import Turns
from reviewer.imports.messages import chat

_ID = re.compile(r"id$|ref|conv|ticket|session|thread|chat|call|dialog|case")
_DIGIT = re.compile(r"\d")
_NAMED = re.compile(r"(?:^|(?<=[\s\])*]))(\w[\w ]{0,30})(?:[\[(][^\[\]()\n]{1,40}[\])])?[ \t]{0,3}:", re.MULTILINE)
_WAYS = (
    *("%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M", "%m/%d/%Y %I:%M:%S %p"),
    *("%m/%d/%Y %I:%M %p", "%d/%m/%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%d/%m/%Y %I:%M %p", "%m/%d/%y %H:%M"),
    *("%d-%m-%Y %H:%M:%S", "%d-%m-%Y %H:%M", "%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%b %d, %Y %I:%M %p"),
    *("%b %d, %Y %H:%M:%S", "%a %b %d %H:%M:%S %z %Y", "%a, %d %b %Y %H:%M:%S %z"),
)
"""Ways to write times that are met in exports, beside ISO's."""
_YES = ("true", "1", "yes", "y", "t")
_YES_AND_NO = ({"true", "false"}, {"1", "0"}, {"yes", "no"}, {"y", "n"}, {"t", "f"})
_FEW = 25
_WORD = 60
_SAID = 8


@dataclass(frozen=True, slots=True)
class Guess:
    """A column for a key, and how sure that is."""

    path: str
    sure: bool
    why: str


@dataclass
class GuessedColumns:
    """The columns guessed so far, by the keys of a map."""

    by_key: dict[str, Guess] = field(default_factory=dict)
    speakers: dict[Speaker, list[str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    """Speakers that no word tells who they are."""
    html: bool = False
    scores: list[str] = field(default_factory=list)
    opinions: list[str] = field(default_factory=list)
    """Columns that are scores only if a person says so."""
    metadata: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    times: str = ""
    """How times are written, where that is not ISO's."""

    @property
    def used(self) -> set[str]:
        """The columns that already have a key."""
        return {it.path for it in self.by_key.values()} | set(self.scores) | set(self.metadata)


def message_columns(seen: Profiles, outer: Profiles | None = None) -> GuessedColumns:
    """Guess the columns for speaker, words and time: of rows that are messages, or of lists in the `outer` rows."""
    guessed = GuessedColumns()
    by_key = guessed.by_key
    _name(guessed, "time", seen, words.TIMES, lambda it: it.mostly(it.times))
    if "time" not in by_key:
        _time(guessed, seen)
    _speaker(guessed, seen, outer or seen)
    text = _text(seen, {it.path for it in by_key.values()})
    if text is not None:
        by_key["text"] = text
        held = seen.columns[text.path]
        guessed.html = held.marked_up * 5 > held.said
    if "speaker" not in by_key:
        _name(guessed, "speaker", seen, words.SPEAKERS, lambda it: len(it.words) <= _FEW and it.mean <= _WORD)
        if "speaker" in by_key:
            _people(guessed, seen.columns[by_key["speaker"].path].words)
    _name(guessed, "reasoning", seen, words.REASONING, lambda it: it.said > 0)
    _name(guessed, "tool_calls", seen, words.CALLS, lambda it: it.mostly(it.json))
    for key, names in words.CALL.items():
        _name(guessed, f"call.{key}", seen, names, lambda it: it.said > 0, whole=True)
    numbers(guessed, seen)
    return guessed


def numbers(guessed: GuessedColumns, seen: Profiles) -> None:
    """Guess the columns with tokens and costs."""
    for key, names in words.NUMBERS.items():
        _name(guessed, key, seen, names, lambda it: it.mostly(it.numbers))


def tie(guessed: GuessedColumns, seen: Profiles) -> None:
    """Guess which column groups messages into conversations, and which orders them."""
    repeats: Callable[[Profile], bool] = lambda it: len(it.words) < it.said or it.said < 3  # noqa: E731
    _name(guessed, "order", seen, words.ORDERS, lambda it: it.mostly(it.numbers))
    _key(guessed, seen)
    if "id" not in guessed.by_key:
        _name(guessed, "id", seen, words.IDS, lambda it: it.word not in ("id", "uuid") and repeats(it))
    if "id" not in guessed.by_key:
        people = (*words.AUTHORS, *words.REQUESTERS, *words.MODELS)
        free = [it for it in _free(guessed, seen) if it.word not in people]
        like = [it for it in free if repeats(it) and it.said and _ID.search(it.name)]
        like = like or _tying(guessed, seen)
        if like:
            guessed.by_key["id"] = Guess(like[0].path, False, f"it repeats, {len(like[0].words):,} different")
    if "order" not in guessed.by_key and "time" in guessed.by_key:
        guessed.by_key["order"] = Guess(guessed.by_key["time"].path, True, "by time")


def _key(guessed: GuessedColumns, seen: Profiles) -> None:
    """Take the names of records in an object for ids."""
    if STAR in seen.columns:
        guessed.by_key["id"] = Guess(STAR, True, "what each record is called")


def _tying(guessed: GuessedColumns, seen: Profiles) -> list[Profile]:
    """Columns that may be ids whatever they are called: in every row, with figures in them, several rows each."""
    like = [
        it
        for it in _free(guessed, seen)
        if it.said == seen.rows and 3 <= len(it.words) <= it.said / 2 and it.mean <= _WORD and not it.mostly(it.times)
        if sum(bool(_DIGIT.search(word)) for word in it.words) * 10 >= 9 * len(it.words)
    ]
    return sorted(like, key=lambda it: -len(it.words))


def conversation_columns(guessed: GuessedColumns, seen: Profiles, alone: bool, beside: str = "") -> None:
    """Guess the columns about whole conversations; `alone`: a row is one; `beside`: another table has their rows."""
    own: Callable[[Profile], bool] = lambda it: alone or bool(beside and it.path.startswith(f"{beside}."))  # noqa: E731
    if alone:
        _key(guessed, seen)
    if alone and "id" not in guessed.by_key:
        _name(guessed, "id", seen, words.IDS, lambda it: it.mean <= 100 and len(it.words) == it.said)
        like = [
            it for it in _free(guessed, seen) if it.mean <= 100 and len(it.words) == it.said and _ID.search(it.name)
        ]
        if "id" not in guessed.by_key and like:
            guessed.by_key["id"] = Guess(like[0].path, False, "by its name, and it never repeats")
    _name(guessed, "model", seen, words.MODELS, lambda it: it.mean <= 100)
    _name(guessed, "run", seen, words.RUNS, lambda it: it.mostly(it.numbers) and it.mean <= 4)
    _name(guessed, "case", seen, words.CASES, lambda it: it.mean <= 100 and len(it.words) < it.said)
    _name(guessed, "started", seen, words.STARTED, lambda it: own(it) and it.mostly(it.times))
    _name(guessed, "ended", seen, words.ENDED, lambda it: own(it) and it.mostly(it.times))
    _name(guessed, "ended_by", seen, words.ENDED_BY, lambda it: own(it) and it.mean <= _WORD)
    if alone:
        numbers(guessed, seen)
    for it in _free(guessed, seen):
        if it.word in words.SCORES and (it.mostly(it.numbers) or len(it.words) <= _FEW):
            guessed.scores.append(it.path)
        elif it.word in words.OPINIONS and it.said:
            guessed.opinions.append(it.path)
    for it in _free(guessed, seen):
        if it.said and len(it.words) <= 50 and it.mean <= _WORD and not it.json and not it.mostly(it.times):
            guessed.metadata.append(it.path)


def exchange_columns(seen: Profiles) -> tuple[str, str] | None:
    """The column with what was asked and that with the answer, of rows that hold both."""
    pair = GuessedColumns()
    for key, names in (("asked", words.ASKED), ("answered", words.ANSWERED)):
        _name(
            pair,
            key,
            seen,
            names,
            lambda it: it.mean >= _SAID and not it.mostly(it.json) and not it.mostly(it.times),
        )
    if len(pair.by_key) < 2:
        return None
    return pair.by_key["asked"].path, pair.by_key["answered"].path


def transcript_column(seen: Profiles) -> tuple[Profile, GuessedColumns] | None:
    """The column whose texts are whole conversations, and who speaks in them."""
    for it in seen.columns.values():
        texts = [markup.plain(text) if it.marked_up else text for text in it.samples]
        names = Counter(name for text in texts for name in _names_in(text))
        if names:
            turns = Turns(names)
            told = [text for text in texts if turns.begin_in(text) and len(turns.of(text)[1]) > 1]
            if len(told) * 2 > len(texts):
                guessed = GuessedColumns(html=it.marked_up * 5 > it.said)
                _people(guessed, dict(names))
                return it, guessed
    return None


def _names_in(text: str) -> set[str]:
    """The words of a text that say who speaks, as far as they are known."""
    names = set()
    for match in _NAMED.finditer(text):
        parts = match[1].split()
        tails = (" ".join(parts[-n:]) for n in (3, 2, 1) if n <= len(parts))
        if (name := next((tail for tail in tails if squashed(tail) in words.KNOWN), None)) is not None:
            names.add(name)
    return names


def is_chat(messages: Iterable[Mapping[str, object]]) -> bool:
    """True for chat messages as providers write them, which need no columns."""
    known = {*chat.ROLES, "tool", "function", "observation"}
    held = list(messages)[:200]
    roles = [str(each.get("role", each.get("from", ""))).lower() for each in held]
    said = sum(any(key in each for key in ("content", "value", "parts", "tool_calls")) for each in held)
    return bool(held) and all(role in known for role in roles) and said * 10 >= 9 * len(held)


def _name(
    guessed: GuessedColumns,
    key: str,
    seen: Profiles,
    names: tuple[str, ...],
    fits: Callable[[Profile], bool],
    whole: bool = False,
) -> None:
    """Give the key to the first column of such a name whose values fit; `whole`: an object, too."""
    objects = list(seen.objects.values()) if whole else []
    free = [(it, {it.word, squashed(it.path)}) for it in (*objects, *_free(guessed, seen)) if it.said]
    for name in names:
        for it, called in free:
            if name in called and fits(it):
                sure = names.index(name) < 8 or name == "id"
                guessed.by_key[key] = Guess(it.path, sure, f"by its name, {len(it.words):,} different")
                return


def _free(guessed: GuessedColumns, seen: Profiles) -> list[Profile]:
    used = guessed.used
    within = tuple(f"{path}." for path in used)
    return [it for it in seen.columns.values() if it.path not in used and not it.path.startswith(within)]


def _time(guessed: GuessedColumns, seen: Profiles) -> None:
    """Guess the column of times: of any name, or of times that are written in a way of their own."""
    for it in _free(guessed, seen):
        if it.mostly(it.times) and not it.mostly(it.numbers):
            guessed.by_key["time"] = Guess(it.path, False, "times stand here")
            return
    for it in _free(guessed, seen):
        ways = [way for way in _WAYS if it.said and all(cell_values.written(word, way) for word in it.words)]
        if ways:
            guessed.by_key["time"] = Guess(it.path, len(ways) == 1, f"times are written as in {next(iter(it.words))}")
            guessed.times = ways[0]
            if len(ways) > 1:
                guessed.notes.append(f"times = {ways[0]} is a guess: {ways[1]} fits as well")
            return


def _speaker(guessed: GuessedColumns, seen: Profiles, outer: Profiles) -> None:
    """Guess the column that says who speaks: by its words, as a flag, or by an id that the conversation names."""
    best: tuple[bool, int, int, str] | None = None
    for it in _free(guessed, seen):
        if it.said and len(it.words) <= _FEW and it.mean <= _WORD:
            known = sum(squashed(word) in words.KNOWN for word in it.words)
            named = words.SPEAKERS.index(it.word) if it.word in words.SPEAKERS else len(words.SPEAKERS)
            rank = (known == len(it.words) > 1, known, -named, it.path)
            if 2 * known >= len(it.words) and (best is None or rank[:3] > best[:3]):
                best = rank
    if (best is not None and best[0]) or not (_flag(guessed, seen) or _requester(guessed, seen, outer)):
        if best is None:
            return
        said = seen.columns[best[3]].words
        guessed.by_key["speaker"] = Guess(best[3], best[0], f"its words say who speaks, {len(said):,} different")
        _people(guessed, said)


def _flag(guessed: GuessedColumns, seen: Profiles) -> bool:
    """Find the column that says yes where one side speaks and no where the other does; False if there is none."""
    for it in _free(guessed, seen):
        if it.word in words.FLAGS and len(it.words) == 2 and {word.lower() for word in it.words} in _YES_AND_NO:
            yes, no = words.FLAGS[it.word]
            for word in it.words:
                guessed.speakers.setdefault(yes if word.lower() in _YES else no, []).append(word)
            guessed.by_key["speaker"] = Guess(it.path, True, "it says yes or no")
            return True
    return False


def _requester(guessed: GuessedColumns, seen: Profiles, outer: Profiles) -> bool:
    """True if the author's id equals that of the conversation's customer in some rows."""
    asked = [it for it in outer.columns.values() if it.word in words.REQUESTERS and it.said]
    for it in _free(guessed, seen):
        for who in asked if it.word in words.AUTHORS else ():
            if it.path != who.path and 2 * len(it.words.keys() & who.words.keys()) >= len(who.words):
                guessed.by_key["speaker"] = Guess(it.path, True, f"the customer is who stands in {who.path}")
                guessed.speakers["customer"] = [f"@{who.path}"]
                others = Counter({word: n for word, n in it.words.items() if word not in who.words})
                guessed.unknown = [word for word, _ in others.most_common(20)]
                return True
    return False


def _text(seen: Profiles, taken: set[str]) -> Guess | None:
    free = [it for it in seen.columns.values() if it.path not in taken and it.said and not it.mostly(it.json)]
    for name in words.TEXTS:
        for it in free:
            if it.word == name and not it.mostly(it.times) and (it.mean > 3 or not it.mostly(it.numbers)):
                return Guess(it.path, True, f"by its name, {it.mean:,.0f} characters on average")
    free = [it for it in free if not it.mostly(it.numbers) and not it.mostly(it.times) and it.mean > 1]
    longest = max(free, key=lambda it: it.mean, default=None)
    return None if longest is None else Guess(longest.path, False, "the longest texts stand here")


def _people(guessed: GuessedColumns, said: Mapping[str, int]) -> None:
    """Sort the words for speakers into customers, agents and others."""
    bots = {word.strip() for word in said if squashed(word) in words.BOTS}
    for word in said:
        who = words.KNOWN.get(squashed(word))
        if squashed(word) in ("agent", "support") and bots:
            who = "colleague"
            guessed.notes.append(f"“{word}” is taken for a person, because “{min(bots)}” speaks as well")
        if who is None:
            guessed.unknown.append(word)
        else:
            guessed.speakers.setdefault(who, []).append(word)
