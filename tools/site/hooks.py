"""MkDocs calls this: `<!-- generated: NAME -->` in a page becomes what the code says.

The pages are docs/site; their language is the folder's.
"""

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tools.site import catalogue, life, reference, search

ROOT = Path(__file__).parents[2]
# Each client is one file, and Go needs one more: the site has them to copy.
CLIENTS = (
    "python/orderdesk_client/client.py",
    "javascript/orderdesk.mjs",
    "php/Orderdesk.php",
    "java/Orderdesk.java",
    "go/orderdesk.go",
    "go/go.mod",
)
_MARKER = re.compile(r"<!-- generated: ([a-z -]+) -->")

GENERATED: Mapping[str, Callable[[str], str]] = {
    "reference": reference.routes,
    "callbacks": reference.callbacks,
    "errors": catalogue.errors,
    "retries": catalogue.retries,
    "buy": lambda language: life.picture("buy", language),
    "sell": lambda language: life.picture("sell", language),
    "version": lambda _: reference.document()["info"]["version"],
    "changelog": lambda _: _changelog(),
    "vector": lambda _: _vector(),
    "worked": lambda _: _worked(),
}


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put in what is generated. Raises: LookupError for a marker that nothing answers."""
    language = "zh" if page.file.src_uri.startswith("zh/") else "en"

    def generated(found: re.Match[str]) -> str:
        if found[1] not in GENERATED:
            raise LookupError(f"nothing generates {found[1]}")
        return GENERATED[found[1]](language)

    return _MARKER.sub(generated, markdown)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Have each page search in its own language."""
    return search.own_index(page.file.src_uri, output)


def on_post_build(config: Any, **_: Any) -> None:
    """Put the files that pages link to beside them."""
    site = Path(config["site_dir"])
    for name in ("openapi.yaml", "postman.json", "signing-vectors.json"):
        shutil.copy(ROOT / "docs" / name, site / name)
    for client in CLIENTS:
        shutil.copy(ROOT / "clients" / client, site / Path(client).name)
    # The theme looks for it beside the first page of each language.
    (site / "zh").mkdir(exist_ok=True)
    shutil.copy(site / "sitemap.xml", site / "zh" / "sitemap.xml")


def _changelog() -> str:
    """Give the versions of CHANGELOG.md; its links lead into the repository, so they go."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = text[text.index("## [") :]
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)]+\)", r"\1", versions)


def _worked() -> str:
    """Give a buy on the test route: its string to sign, and its body."""
    vectors = json.loads((ROOT / "docs" / "signing-vectors.json").read_text("utf-8"))
    [shown] = [each for each in vectors["signed"] if each["name"] == "the same on the test route"]
    body = json.dumps(json.loads(shown["body"]), indent=2)
    return f"```text\n{shown['string_to_sign']}\n```\n\n```json\n{body}\n```"


def _vector() -> str:
    """Give the contract's worked example as the workbench starts with it."""
    vectors = json.loads((ROOT / "docs" / "signing-vectors.json").read_text("utf-8"))
    body = json.loads(vectors["signed"][0]["body"], parse_float=_Raw)
    body.pop("signature")
    lines = [f"  {json.dumps(name)}: {_json(value)}" for name, value in body.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


class _Raw(str):
    """A number that keeps its text."""

    __slots__ = ()


def _json(value: Any) -> str:
    return str(value) if isinstance(value, _Raw) else json.dumps(value, ensure_ascii=False)
