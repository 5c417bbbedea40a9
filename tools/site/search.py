"""One search index for each language.

The theme builds one index for both languages and splits it by the first language's rules. Chinese
words are separated by zero-width spaces, so with those rules only whole headings are found.
"""

import json
from pathlib import Path
from typing import Any

INDEX = Path("search") / "search_index.json"
CHINESE = "zh/"
# Separates words: spaces, the zero-width spaces of the theme's segmenter, punctuation.
SEPARATOR = r"[\s\u200b\-/,:;!?=|\[\](){}\"'`、。，．？！；：（）“”《》…]+|\.(?!\d)|&[lg]t;"
# The page has the path of its index, relative to itself.
_SHARED, _OWN = '"base": ".."', '"base": "."'


def own_index(page: str, html: str) -> str:
    """Return a page that loads its own language's index. Raises: ValueError if it names none."""
    if not page.startswith(CHINESE):
        return html
    if html.count(_SHARED) != 1:
        raise ValueError(f"{page} has no path of a search index")
    return html.replace(_SHARED, _OWN)


def split_index(site: Path) -> None:
    """Write each language's part of the index beside its pages."""
    whole = json.loads((site / INDEX).read_text("utf-8"))
    parts: dict[str, list[Any]] = {"": [], CHINESE: []}
    for entry in whole["docs"]:
        folder = CHINESE if entry["location"].startswith(CHINESE) else ""
        parts[folder].append({**entry, "location": entry["location"].removeprefix(folder)})
    for folder, entries in parts.items():
        config = {**whole["config"], "lang": [folder.rstrip("/") or "en"], "separator": SEPARATOR}
        file = site / folder / INDEX
        file.parent.mkdir(parents=True, exist_ok=True)
        written = json.dumps({"config": config, "docs": entries}, separators=(",", ":"))
        file.write_text(written, "utf-8")
