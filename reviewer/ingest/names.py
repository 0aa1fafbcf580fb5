"""What file and folder names say: the model, the run, the suite, and in which order they stand. Pure.

Used where the data itself is silent, and to point out where the two disagree.
"""

from __future__ import annotations

import re
from functools import lru_cache

_FAMILIES = (
    "gpt|chatgpt|o[134]|claude|opus|sonnet|haiku|gemini|gemma|llama|qwen|mistral|mixtral|ministral|grok|kimi|deepseek|"
    "glm|command-r|nova-(?:pro|lite|micro|premier)|phi-?\\d|minimax|mimo|nemotron|yi-\\d|jamba|granite|olmo"
)
_MODEL = re.compile(
    rf"(?<![a-z])((?:{_FAMILIES})(?:[-.]?\d[\w.]*|[-.][a-z0-9]+)?(?:[-.][a-z0-9][\w.]*)*)", re.IGNORECASE
)
_NOT_MODEL = re.compile(
    r"[-._](?:(?:airline|retail|telecom|results?|run\d*|trial\d*|base|test|train|all|full|user|range|sweep\w*|final|"
    r"trajectories|refined|\d+trial|\d+pct|[01]\.\d|\d{6,})(?=$|[-._])).*$",
    re.IGNORECASE,
)
_RUN = re.compile(r"(?:^|[-_. /])(?:run|trial|epoch|seed|pass)[-_]?(\d{1,3})(?=$|[-_. /])", re.IGNORECASE)
_RUN_AFTER = re.compile(r"(?:^|[-_. /])(\d{1,3})(?:st|nd|rd|th)?[-_]?(?:run|trial)(?=$|[-_. /])", re.IGNORECASE)
_SUITE = re.compile(r"(?:^|[^a-z])(airline|retail|telecom)(?=$|[^a-z])", re.IGNORECASE)
_EXTENSION = re.compile(r"\.(?:jsonl?|eval|traj|trace|db|toml|csv|gz|zip)(?=$|\.)", re.IGNORECASE)
_DIGITS = re.compile(r"([0-9]{1,18})")
_AGENT = re.compile(r"(?:llm_)?agent[-_](.+?)(?:_user\b|_user_|$)", re.IGNORECASE)


def natural(name: str) -> list[tuple[int, str]]:
    """What names are ordered by: numbers in them count as numbers."""
    return [(int(part), "") if index % 2 else (-1, part) for index, part in enumerate(_DIGITS.split(name))]


def stem(path: str) -> str:
    """The last part of a path without what only says its format."""
    return _EXTENSION.sub("", path.rsplit("/", 1)[-1])


@lru_cache(1024)
def model_in(path: str) -> str | None:
    """The model that a file name, else the nearest folder name, speaks of."""
    parts = path.split("/")
    for part in [stem(path), *reversed(parts[:-1])]:
        agent = _AGENT.search(part)
        found = _MODEL.search(agent[1] if agent else part.replace("_", " ").replace(" user", "|"))
        if found:
            return _NOT_MODEL.sub("", found[1]).rstrip("-._ ")
    return None


@lru_cache(1024)
def run_in(path: str) -> int | None:
    """The run number that a file name states."""
    name = stem(path)
    found = _RUN.search(name) or _RUN_AFTER.search(name)
    return int(found[1]) if found else None


def suite_in(path: str) -> str | None:
    """The suite (airline, retail, telecom) that a path speaks of, its last word first."""
    found = _SUITE.findall(path)
    return found[-1].lower() if found else None


def same_model(one: str, other: str) -> bool:
    """Whether two names can mean one model: provider prefixes, dates and punctuation aside."""
    a, b = _bare(one), _bare(other)
    return a in b or b in a


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"-\d{4}-\d\d-\d\d|-\d{8}|@\d+", "", name.lower().rsplit("/", 1)[-1]))
