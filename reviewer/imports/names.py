"""What file and folder names say: model, run, configuration, suite, and in which order they stand. Pure.

Used where the data itself is silent, and to point out where the two disagree.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

Folder = tuple[str, ...]
"""A folder as the names from the top down to it."""

_FAMILIES = (
    "chatgpt|gpt|o[134](?!\\d)|claude|opus|sonnet|haiku|gemini|gemma|llama|qwen|qwq|mistral|mixtral|ministral|codestral|"
    "devstral|magistral|grok|kimi|deepseek|glm|command[-_]r|nova[-_](?:pro|lite|micro|premier)|phi[-_]?\\d|minimax|mimo|"
    "nemotron|yi[-_]\\d|jamba|granite|olmo|hunyuan|ernie|doubao"
)
_HEAD = re.compile(rf"(?<![a-z0-9])(?P<family>{_FAMILIES})(?:-?\d[a-z0-9.]*)?(?![a-z0-9])", re.IGNORECASE)
_PART = re.compile(r"([-_.@]+)(non?[-_]think(?:ing)?|[a-z0-9][a-z0-9.]*)", re.IGNORECASE)
_VARIANT = re.compile(
    r"[vrkma]\d[\d.]{0,3}[a-z]?|\d{1,4}(?:x\d{1,3})?(?:\.\d)?[bkme]|\do|\d\.\d|2[3-6](?:0[1-9]|1[0-2])|mini|nano|micro|turbo|"
    r"preview|instruct|chat|it|pro|flash|lite|large|small|medium|max|plus|ultra|minimal|xhigh|high|low|"
    r"(?:non?[-_]?)?think(?:ing)?|reasoner|reasoning|deep|research|coder|codex|vision|audio|opus|sonnet|haiku|exp|latest|"
    r"fast|maverick|scout|nemo|nemotron|distill|air|next|omni|oss|sky",
    re.IGNORECASE,
)
"""What `_` may join to a name, beside a version's number: a size, a year and month, or a word that makers use."""
_FAMILY = re.compile(rf"(?:{_FAMILIES})[\d.]*", re.IGNORECASE)
_MINOR = re.compile(r"(?<=\d)_\d(?:_\d)?_(?P<word>[a-z0-9][a-z0-9.]*)|(?<=[vkm]\d)_\d(?![a-z0-9])", re.IGNORECASE)
"""A version's second number: a word of the name follows it (`qwen2_5_72b`), or a letter marks the first (`v3_1`)."""
_DATED = re.compile("claude|opus|sonnet|haiku", re.IGNORECASE)
_DATE = re.compile(r"[-_@]20[23]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d|[-_T.]\d)")
"""Anthropic's names end with a date, and another date is another model; elsewhere it is when somebody ran it."""
_TOOL = re.compile(
    r"[-_.]?(?:code|cli|logs?|sdk|api|agents?|engineer|researcher|index|cpp|stack|factory|desktop|app|web|exports?|history|"
    r"data|traces?|results?|sessions?|plugin|proxy|tools?|guard|parse|hub|vibe|vl-?\d?)(?=$|[-_. ])",
    re.IGNORECASE,
)
"""What makes the name of a family the name of a program: `claude-code`, `gemini-cli`, `llama.cpp`."""
_PROGRAMS = frozenset(("claude-code", "codex", "gemini-cli", "qwen-code"))
"""Harnesses that are named after a family of models, or kept beside those that are."""
_NOT_MODEL = re.compile(
    r"[-._](?:airline|retail|telecom|results?|runs?\d*|trials?\d*|epochs?\d*|seeds?\d*|pass\d*|base|test|train|all|full|"
    r"user|agent|judge|range|sweep\w*|final|traj\w*|refined|logs?|evals?|outputs?|transcripts?|conversations?|chats?|"
    r"messages|samples|tasks?\d*|cases?\d*|temp\d*|\d+trials?|\d+pct|[01]\.\d|\d{6,})(?=$|[-._]).*$",
    re.IGNORECASE | re.DOTALL,
)
_RUN = re.compile(
    r"(?:^|[-_. /])(?:run|trial|epoch|seed|pass|rep|repeat|attempt)[-_]?(\d{1,3})(?=$|[-_. /])", re.IGNORECASE
)
_RUN_AFTER = re.compile(r"(?:^|[-_. /])(\d{1,3})(?:st|nd|rd|th)?[-_]?(?:run|trial)(?=$|[-_. /])", re.IGNORECASE)
_RUN_FOLDER = re.compile(r"(?:run|trial|epoch|seed|pass|rep|repeat|attempt)[-_ ]?\d{1,3}", re.IGNORECASE)
_SUITE = re.compile(r"(?:^|[^a-z])(airline|retail|telecom)(?=$|[^a-z])", re.IGNORECASE)
_EXTENSION = re.compile(
    r"\.(?:jsonl?|ndjson|eval|traj|trace|db|toml|csv|tsv|parquet|ya?ml|log|txt|gz|zip)(?=$|\.)", re.IGNORECASE
)
_DIGITS = re.compile(r"([0-9]{1,18})")
_AGENT = re.compile(r"(?:llm_)?agent[-_](.+?)(?:_user\b|_user_|$)", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_HEX = re.compile(r"(?<![0-9a-f])(?=[0-9a-f]*\d)[0-9a-f]{6,}", re.IGNORECASE)
_OF_RUNS = frozenset(
    (
        *("run", "runs", "trial", "trials", "seed", "seeds", "epoch", "epochs", "pass", "rep", "repeat", "attempt"),
        *("iteration", "iter", "batch", "part", "fold", "take", "try", "copy", "job", "exp", "experiment", "round"),
        *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "replica", "shard"),
        *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
        *("st", "nd", "rd", "th", "am", "pm", "utc"),
    )
)
"""Words that number a folder and say nothing of what is in it."""
_OF_LOGS = frozenset(
    (
        *("data", "dataset", "datasets", "log", "logs", "results", "result", "output", "outputs", "out", "raw"),
        *("trajectory", "trajectories", "traj", "trajs", "rollout", "rollouts", "transcripts", "conversations"),
        *("chats", "traces", "sessions", "sample", "samples", "example", "examples", "demos", "demonstrations"),
        *("test", "tests", "testdata", "fixtures", "files", "archive"),
    )
)
"""Words that say that logs are in a folder, and nothing of them."""
_OF_FILES = frozenset(
    (
        *("rerun", "retry", "again", "new", "old", "final", "latest", "backup", "bak", "full", "partial", "all"),
        *("merged", "combined", "subset", "clean", "cleaned", "filtered", "scored", "unscored", "graded", "original"),
        *("simulation", "simulations", "sims", "eval", "evals", "task", "tasks", "case", "cases", "train", "range"),
        *("llm", "model", "simulator", "assistant", "report", "summary", "messages", "chat", "conversation"),
    )
)
"""Words by which files are called that are copies, parts or further runs of each other."""
_BETWEEN = re.compile(r"[-_. +~:,()\[\]@&=]+")
_INNER_CAPITAL = re.compile(r"(?<=[a-z])[A-Z]")
_LONGEST_WORD = 16
_PLAIN_STEMS = frozenset(
    (
        *(
            "trajectory",
            "traj",
            "messages",
            "message",
            "conversation",
            "conversations",
            "chat",
            "log",
            "logs",
            "output",
        ),
        *(
            "outputs",
            "transcript",
            "transcripts",
            "session",
            "sessions",
            "trace",
            "traces",
            "data",
            "results",
            "result",
        ),
        *("history", "samples", "sample", "events", "index"),
    )
)
_LAST_NUMBER = re.compile(r"(\d{1,18})\D*$")


def natural(name: str) -> list[tuple[int, str]]:
    """A sort key for names in which numbers count as numbers."""
    return [(int(part), "") if index % 2 else (-1, part) for index, part in enumerate(_DIGITS.split(name))]


def stem(path: str) -> str:
    """The last part of a path without suffixes that only name a format."""
    return _EXTENSION.sub("", path.rsplit("/", 1)[-1])


@lru_cache(1024)
def model_in(path: str) -> str | None:
    """The model named in a file's name, else in the nearest folder's."""
    parts = path.split("/")
    for part in [stem(path), *reversed(parts[:-1])]:
        agent = _AGENT.search(part)
        name = _model(agent[1]) or _model(part[: agent.start()]) if agent else _model(part)
        if name is not None:
            return name
    return None


def model_beside(path: str, harness: str | None) -> str | None:
    """Like `model_in`, but a program's sessions lie in folders of its name, so a model needs a version there."""
    name = model_in(path)
    of_program = harness is not None and harness.split(" ")[0] in _PROGRAMS
    return None if name is not None and of_program and not _has_digit(name) else name


def _model(part: str) -> str | None:
    """The first name of a model in a part of a path, as it is written there."""
    at = 0
    while (head := _HEAD.search(part, at)) is not None:
        at = head.end("family")
        if not (head["family"].isalpha() and _TOOL.match(part, at)):
            return _bounded(part[head.start() : _end_of(part, head)])
    return None


def _bounded(name: str) -> str:
    """Cut a model's name where it ends; a date that belongs to it stays."""
    date = _DATE.search(name) if _DATED.match(name) else None
    at = date.end() if date and not _NOT_MODEL.search(name[: date.start()]) else 0
    return (name[:at] + _NOT_MODEL.sub("", name[at:])).rstrip("-._ ")


def _end_of(part: str, head: re.Match[str]) -> int:
    """Find where a name ends that goes on behind its family: at `-` anything, at `_` only what belongs to a name."""
    at, versioned, digit = head.end(), _has_digit(head[0]), False
    while (more := _PART.match(part, at)) is not None:
        joint, word = more.groups()
        number = word.isdigit() and len(word) <= 2
        if "_" in joint and not (
            (number and (digit or not versioned))
            or _VARIANT.fullmatch(word)
            or _is_minor(part, at)
            or (_DATED.match(head[0]) and _DATE.match(part, at))
            or (part[:at].lower().endswith("distill") and _FAMILY.fullmatch(word))
        ):
            break
        digit = number and not versioned and "_" in joint
        versioned = versioned or _has_digit(word)
        at = more.end()
    return at


def _is_minor(part: str, at: int) -> bool:
    """True if the number after this `_` continues a version instead of counting files."""
    match = _MINOR.match(part, at)
    return match is not None and (match["word"] is None or _VARIANT.fullmatch(match["word"]) is not None)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


@lru_cache(1024)
def run_in(path: str) -> int | None:
    """The run stated by a file's name, else by the nearest folder that states one."""
    parts = path.split("/")
    for part in [stem(path), *reversed(parts[:-1])]:
        stated = _RUN.search(part) or _RUN_AFTER.search(part)
        if stated:
            return int(stated[1])
    return None


def is_run_folder(name: str) -> bool:
    """True if a folder's whole name stands for a run: `run-3`, or a model's name with a run's number."""
    return _RUN_FOLDER.fullmatch(name) is not None or (_model(name) is not None and run_in(name) is not None)


def suite_in(path: str) -> str | None:
    """The suite (airline, retail, telecom) named in a path, the last mention first."""
    named = _SUITE.findall(path)
    return named[-1].lower() if named else None


def configurations_below(path: str, other: str, model: str) -> Folder | None:
    """The folder in which the paths of two files part, if a folder below it names a configuration."""
    mine, theirs = Folder(path.split("/")[:-1]), Folder(other.split("/")[:-1])
    depth = next((n for n, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), min(len(mine), len(theirs)))
    folder = mine[:depth]
    labels = [configuration(each, folder, model) for each in (path, other)]
    words = [_WORD.findall(label or "") for label in labels]
    return folder if words[0] != words[1] else None


@lru_cache(256)
def configuration(path: str, folder: Folder, model: str) -> str | None:
    """Return the configuration that the folder below this one names, without the model's name; None for a number."""
    parts = Folder(path.split("/")[:-1])
    if parts[: len(folder)] != folder:
        return None
    below = parts[len(folder) :]
    plain = next((n for n, part in enumerate(below) if not _is_of_logs(part)), len(below))
    if plain == len(below) or (plain and _has_digit(below[plain])):  # behind such folders, a number may be a case's
        return None
    rest = _without(below[plain], model)
    words = [word.lower() for word in _WORD.findall(_HEX.sub("", rest))]
    says = [word for word in words if len(word) > 1 and word not in _OF_RUNS]
    return re.sub(r"([-_.])[-_.]+", r"\1", re.sub(r"[\s+/]+", "-", rest)) if says else None


def files_apart(path: str, other: str, model: str) -> Folder | None:
    """The folder of two files if their own names say that they are different configurations."""
    mine, theirs = Folder(path.split("/")[:-1]), Folder(other.split("/")[:-1])
    return mine if mine == theirs and told_by_name(path, model) != told_by_name(other, model) else None


def told_by_name(path: str, model: str) -> str | None:
    """Return the words of a file's name that may name the configuration: not model, suite, run and the like."""
    words = [word for word in _BETWEEN.split(_without(stem(path), model)) if _is_telling(word)]
    return "-".join(words) or None


def _is_telling(word: str) -> bool:
    """True if a word of a file's name may be a configuration: no number, identifier or model, no word for logs."""
    if not word.isalpha() or not 1 < len(word) < _LONGEST_WORD or len(_INNER_CAPITAL.findall(word)) > 1:
        return False
    plain = word.lower()
    known = plain in _OF_RUNS or plain in _OF_LOGS or plain in _OF_FILES
    return not (known or _SUITE.fullmatch(plain) or _HEAD.fullmatch(plain))


def _is_of_logs(part: str) -> bool:
    """True if a folder's name only says that it contains logs."""
    words = _WORD.findall(part)
    return bool(words) and not _has_digit(part) and all(word.lower() in _OF_LOGS for word in words)


def _without(part: str, model: str) -> str:
    """Remove the model's name from a part of a path, however it is punctuated."""
    name = "[-_.]+".join(map(re.escape, re.split(r"[-_.]+", model.rpartition("/")[2])))
    return re.sub(name, "", part, count=1, flags=re.IGNORECASE).strip("-_. ")


def identifier(path: str, position: str) -> str:
    """A name for a conversation without any: its file, and its position if the file holds several."""
    name = stem(path)
    folder = path.rpartition("/")[0].rpartition("/")[2]
    if name.lower() in _PLAIN_STEMS and folder:
        name = f"{folder}-{name}"
    place = _LAST_NUMBER.search(position)
    return f"{name}-{place[1]}" if place and not position.startswith("the ") else name


def shortened(key: str, most: int) -> str:
    """A long name as its beginning and a hash of the whole."""
    return f"{key[:most]}~{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def same_model(one: str, other: str) -> bool:
    """True if two names can mean the same model, ignoring provider prefixes, dates and punctuation."""
    a, b = _bare(one), _bare(other)
    return a in b or b in a


@lru_cache(256)
def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"-\d{4}-\d\d-\d\d|-\d{8}|@\d+", "", name.lower().rsplit("/", 1)[-1]))
