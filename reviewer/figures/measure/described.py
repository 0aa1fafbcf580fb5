"""What sources say of a model beside its figures, as one line: vendor, tier, reasoning, badges, remark. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reviewer.basics.clean import printable_line


def described(about: Mapping[str, Any]) -> str:
    """Vendor, tier, whether it reasons, badges and remark, as far as they are known; empty where nothing is."""
    badges = about.get("badges")
    words = [about.get("vendor"), about.get("tier"), "reasoning" if about.get("reasoning") is True else None]
    words += [str(badge).replace("_", " ") for badge in badges] if isinstance(badges, list) else []
    words.append(about.get("remark"))
    return ", ".join(printable_line(word) for word in words if isinstance(word, str) and word.strip())
