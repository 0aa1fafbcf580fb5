"""The many names under which sources count tokens, and which of them a usage has. Pure."""

from __future__ import annotations

from functools import lru_cache

_READ_TOKENS = (
    *("prompt_tokens", "input_tokens", "inputTokens", "promptTokens", "promptTokenCount", "prompt_token_count"),
    *("input", "total_prompt_tokens"),
)
CANDIDATES = ("candidatesTokenCount", "candidates_token_count")
_WRITTEN_TOKENS = (
    *("completion_tokens", "output_tokens", "outputTokens", "completionTokens", *CANDIDATES, "output"),
    "total_completion_tokens",
)
_THOUGHT_TOKENS = (
    *("reasoning_tokens", "reasoningTokens", "output_reasoning", "output_reasoning_tokens"),
    *("completion_details.reasoning", "reasoning", "thoughtsTokenCount", "thoughts_token_count"),
)
_CACHED_TOKENS = (
    *("cached_tokens", "cachedContentTokenCount", "input_cached_tokens", "cachedInputTokens", "input_cached"),
    *("prompt_details.cache_read", "total_cached_tokens", "cached_content_token_count", "cache_read_tokens"),
)
_BESIDE_TOKENS = (
    ("cache_read_input_tokens", "cacheReadInputTokens", "input_tokens_cache_read", "input_cache_read"),
    ("cache_creation_input_tokens", "cacheWriteInputTokens", "input_tokens_cache_write", "input_cache_creation"),
)
"""Read from and written to a cache, by providers that do not count these among the tokens in."""
ALL_TOKENS = ("total_tokens", "totalTokens", "total", "totalTokenCount", "total_token_count")
_READ_DETAILS = ("prompt_tokens_details", "input_tokens_details", "input_token_details")
_WRITTEN_DETAILS = ("completion_tokens_details", "output_tokens_details", "output_token_details")


@lru_cache(256)
def names_among(keys: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return which of the many names are among these keys, by kind; cached, as a log repeats the same keys."""
    kinds = (_READ_TOKENS, _WRITTEN_TOKENS, _THOUGHT_TOKENS, _CACHED_TOKENS, *_BESIDE_TOKENS)
    held = frozenset(keys)
    return tuple(tuple(name for name in names if name in held) for names in (*kinds, _READ_DETAILS, _WRITTEN_DETAILS))
