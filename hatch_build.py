"""What a package index shows of the project: where it is at home, and a README whose links work there.

An index shows the README apart from the files beside it. Links lead to the project's home; while it has none, they are
the names of files, which the source package holds, and pictures are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(?P<picture>!?)\[(?P<words>[^\]]*)\]\((?P<path>[^)\s#:]+)(?P<place>#[^)\s]*)?\)")


class IndexPageHook(MetadataHookInterface):
    """Sets the README and the URLs of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set both from `home` in pyproject.toml."""
        home = str(self.config.get("home", "")).rstrip("/")
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": on_an_index(readme, home)}
        metadata["urls"] = urls(home)


def urls(home: str) -> dict[str, str]:
    """The addresses of the project; none while it has no home."""
    if not home:
        return {}
    files = f"{home}/blob/HEAD"
    return {
        "Source": home,
        "Documentation": f"{files}/docs/guide.md",
        "Changelog": f"{files}/CHANGELOG.md",
        "Issues": f"{home}/issues",
    }


def on_an_index(readme: str, home: str) -> str:
    """The README with links that work apart from the files beside it."""

    def linked(match: re.Match[str]) -> str:
        picture, words, path, place = match["picture"], match["words"], match["path"], match["place"] or ""
        if home:
            return f"{picture}[{words}]({home}/{'raw' if picture else 'blob'}/HEAD/{path}{place})"
        return "" if picture else f"{words} (`{path}`)"

    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(linked, readme))
