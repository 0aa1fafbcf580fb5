"""`make screenshots`: the pictures of the README, taken of the sample store with real keys.

The SVG files are self-contained: the web font that Textual's export would fetch is taken out.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from reviewer.benchmark.northline.build import ensure_sample
from reviewer.marks.folder import SUPPORT
from tests.ui.room import LARGE, SMALL, room

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"
_FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: where to open, which keys to press, how large."""

    name: str
    at: str
    keys: tuple[str, ...]
    size: tuple[int, int] = LARGE
    theme: str = ""


INVENTED = "kimi-k2.6/color-edit-2/1"
"""A delivery that the order's lookup, `unfulfilled`, knows nothing of."""
CANCELLED = "kimi-k2.7-code/cancel-before-ship-2/1"
"""An order said to be cancelled, and another one cancelled."""
USED_ITEM = "kimi-k2.7-code/used-item/2"
TAGGED = ("v", "j", "j", "j", "5", "s")
"""The sentence that says what was done without a question, tagged with what proves it: as in docs/tutorial.md."""
SCENES = (
    Scene("reading", f"{INVENTED}#4", ("v", "j", "1", "s")),
    Scene("reading-light", f"{USED_ITEM}#4", TAGGED, theme="light"),
    Scene("reading-80x24", f"{USED_ITEM}#4", (), SMALL),
    Scene("selecting", f"{USED_ITEM}#4", TAGGED[:4]),
    Scene("lens", f"{CANCELLED}#4", ("l", "n")),
    Scene("facts", USED_ITEM, ("i",)),
    Scene("help", USED_ITEM, ("?",)),
    Scene("compare", USED_ITEM, ("equals_sign", "d")),
    Scene("grid", USED_ITEM, ("B",)),
)


async def taken(scene: Scene, store: Path, folder: Path) -> None:
    """Take one picture."""
    options = {"theme": scene.theme} if scene.theme else {}
    async with room(store, scene.size, at=scene.at, codebook=SUPPORT, **options) as open_room:
        await open_room.press(*scene.keys)
        await open_room.idle()
        svg = open_room.app.export_screenshot(title=f"reviewer · {scene.name}")
    (folder / f"{scene.name}.svg").write_text(_FONT_FACE.sub("", svg), encoding="utf-8")


def main(names: list[str]) -> None:
    """Take all pictures, or those named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for scene in SCENES:
            if names and scene.name not in names:
                continue
            store = Path(folder) / scene.name / "northline.db"
            store.parent.mkdir()
            store.write_bytes(ensure_sample().read_bytes())
            asyncio.run(taken(scene, store, FOLDER))
            print(f"{FOLDER.name}/{scene.name}.svg")


if __name__ == "__main__":
    main(sys.argv[1:])
