"""MkDocs calls this module: it fills in `<!-- generated: NAME -->` and adds files to the site.

A page's language is the first folder of its path in docs/site.
"""

import json
import logging
import re
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority

from orderdesk.domain.merchants.signing import JsonNumber
from orderdesk.services.callbacks.deliver import USER_AGENT
from tools.client_packages import has_jdk, packages, write_packages
from tools.site import life, reference

ROOT = Path(__file__).parents[2]
FILES = ("openapi.yaml", "postman.json", "signing-vectors.json", "callback-vectors.json")
LANGUAGES = {"en": "English", "zh": "中文"}
_MARKER = re.compile(r"<!-- generated: ([a-z -]+) -->")
_SNIPPET = re.compile(r'^( *)--8<-- "([^"]+)"', re.MULTILINE)
_FENCED = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
# A line break inside a Chinese paragraph: browsers would show it as a space.
_CHINESE_BREAK = re.compile(r"(?<=[\u3001-\u9fff\uff00-\uffef”])\n *(?=[\u3008-\u9fff“（])")
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_HEADING = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_CELL = re.compile(r"<td(?=[ >])")
_TAG = re.compile(r"<[^>]+>")
_HTML_BLOCK = re.compile(r"<(svg|div)\b.*?</\1>\n*", re.DOTALL)
_INDEX = Path("search") / "search_index.json"
_CHINESE = "zh/"
# Separates words: spaces, the zero-width spaces of the theme's segmenter, punctuation.
_SEPARATOR = r"[\s\u200b\-/,:;!?=|\[\](){}\"'`、。，．？！；：（）“”《》…]+|\.(?!\d)|&[lg]t;"
# The page has the path of its index, relative to itself.
_SHARED, _OWN = '"base": ".."', '"base": "."'


def _jar(language: str) -> str:
    """Return the link to the jar of classes; "" where no JDK compiles it."""
    if not has_jdk():
        return ""
    name = packages().java
    folder = "../" if language == "zh" else ""
    link = f'<a href="{folder}{name}" download>{name}</a>'
    return reference.WORDS[language]["jar"].format(link)


GENERATED: Mapping[str, Callable[[str], str]] = {
    **{name: partial(reference.written, name) for name in reference.PARTS},
    "buy": lambda language: life.picture("buy", language),
    "sell": lambda language: life.picture("sell", language),
    "version": lambda _: reference.document()["info"]["version"],
    "jar": _jar,
    "changelog": lambda _: _changelog(),
    "vector": lambda _: _vector(),
    "worked": lambda _: _worked(),
    "callback sample": lambda _: _callback_sample(),
}
# The pages of this build by their address: Markdown with the generated parts, and the description.
_written: dict[str, tuple[str, str]] = {}


def on_config(config: Any) -> None:
    """Leave out the links that edit a page if there is no repository to link to."""
    logging.getLogger("jieba").setLevel(logging.WARNING)
    if not config.repo_url:
        config.edit_uri = None


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Replace each marker by what it names. Raises: PluginError for an unknown name."""

    def generated(found: re.Match[str]) -> str:
        if found[1] not in GENERATED:
            raise PluginError(f"nothing generates {found[1]}")
        return GENERATED[found[1]](_language(page))

    whole = _MARKER.sub(generated, joined(markdown))
    _written[page.file.dest_uri] = whole, page.meta.get("description", "")
    return whole


def on_page_content(html: str, **_: Any) -> str:
    """Label each cell of a table with its column's heading: phones show a row as a list."""

    def labelled(table: re.Match[str]) -> str:
        headings = [_TAG.sub("", th).replace('"', "&quot;") for th in _HEADING.findall(table[0])]
        head, *rows = table[0].split("<tr>")
        return "<tr>".join([head, *(_label(row, headings) for row in rows)])

    return _TABLE.sub(labelled, html)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Make each page search the index of its own language.

    The theme builds one index for both languages and splits it by the first language's rules.
    Chinese words are separated by zero-width spaces, so with those rules only whole headings are
    found. Raises: PluginError if a Chinese page names no index.
    """
    if _language(page) == "en":
        return output
    if output.count(_SHARED) != 1:
        raise PluginError(f"{page.file.src_uri} has no path of a search index")
    return output.replace(_SHARED, _OWN)


def _add_files(config: Any, **_: Any) -> None:
    """Add the downloads, each page as Markdown, llms.txt, and an index of each language."""
    site = Path(config["site_dir"])
    for name in FILES:
        shutil.copy(ROOT / "docs" / name, site / name)
    write_packages(site)
    # The theme looks for it beside the first page of each language.
    (site / "zh").mkdir(exist_ok=True)
    shutil.copy(site / "sitemap.xml", site / "zh" / "sitemap.xml")
    for address, (markdown, _description) in _written.items():
        (site / address).with_suffix(".md").write_text(_plain(markdown), "utf-8")
    (site / "llms.txt").write_text(_llms(), "utf-8")
    _split_index(site)


# After that of the languages' plugin, which writes the search index last.
on_post_build = event_priority(-101)(_add_files)


def _split_index(site: Path) -> None:
    """Write each language's part of the index beside its pages."""
    whole = json.loads((site / _INDEX).read_text("utf-8"))
    parts: dict[str, list[Any]] = {"": [], _CHINESE: []}
    for entry in whole["docs"]:
        folder = _CHINESE if entry["location"].startswith(_CHINESE) else ""
        parts[folder].append({**entry, "location": entry["location"].removeprefix(folder)})
    for folder, entries in parts.items():
        config = {**whole["config"], "lang": [folder.rstrip("/") or "en"], "separator": _SEPARATOR}
        file = site / folder / _INDEX
        file.parent.mkdir(parents=True, exist_ok=True)
        written = json.dumps({"config": config, "docs": entries}, separators=(",", ":"))
        file.write_text(written, "utf-8")


def joined(markdown: str) -> str:
    """Join the lines of Chinese paragraphs, outside code."""
    parts = _FENCED.split(markdown)
    parts[::2] = [_CHINESE_BREAK.sub("", part) for part in parts[::2]]
    return "".join(parts)


def _label(row: str, headings: list[str]) -> str:
    labels = iter(headings)
    return _CELL.sub(lambda _: f'<td data-label="{next(labels)}"', row)


def _language(page: Any) -> str:
    return "zh" if page.file.src_uri.startswith("zh/") else "en"


def _plain(markdown: str) -> str:
    """Return a page's Markdown with its snippets, without pictures and the workbench."""

    def included(found: re.Match[str]) -> str:
        lines = (ROOT / found[2]).read_text("utf-8").splitlines()
        return "\n".join(found[1] + line if line else "" for line in lines)

    return _SNIPPET.sub(included, _HTML_BLOCK.sub("", markdown))


def _llms() -> str:
    """Return the list of pages for language models (https://llmstxt.org)."""
    parts = ["# orderdesk", "> The API with which merchants buy and sell USDT against CNY."]
    for language, name in LANGUAGES.items():
        links = [
            f"- [{markdown.lstrip().splitlines()[0].lstrip('# ')}]"
            f"({Path(address).with_suffix('.md').as_posix()}): {description}"
            for address, (markdown, description) in _written.items()
            if address.startswith("zh/") == (language == "zh")
        ]
        parts += [f"## {name}", "\n".join(links)]
    parts += ["## Files", "\n".join(f"- [{name}]({name})" for name in FILES)]
    return "\n\n".join(parts) + "\n"


def _changelog() -> str:
    """Return the versions of CHANGELOG.md; links into the repository become plain text."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = text[text.index("## [") :].replace("## [Unreleased]\n\n## ", "## ")  # if it is empty
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)]+\)", r"\1", versions)


def _worked() -> str:
    """Return a buy on the test route: its string to sign, and its body."""
    vectors = _vectors("signing")
    [shown] = [each for each in vectors["signed"] if each["name"] == "the same on the test route"]
    body = json.dumps(json.loads(shown["body"]), indent=2)
    return f"```text\n{shown['string_to_sign']}\n```\n\n```json\n{body}\n```"


def _callback_sample() -> str:
    """Return a whole callback as it is sent, and the secret that it is signed with."""
    shown = _vectors("callback")["accepted"][0]
    headers = {"Host": "shop.example", "Content-Length": str(len(shown["body"].encode()))}
    headers |= {"content-type": "application/json", "user-agent": USER_AGENT, **shown["headers"]}
    lines = [f"{name}: {value}" for name, value in headers.items()]
    request = "\n".join(["POST /callbacks HTTP/1.1", *lines, "", shown["body"]])
    return f"```http\n{request}\n```\n\n```text\n{shown['secret']}\n```"


def _vectors(of: str) -> dict[str, Any]:
    path = ROOT / "docs" / f"{of}-vectors.json"
    vectors: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return vectors


def _vector() -> str:
    """Return the contract's worked example, the first content of the workbench."""
    body = json.loads(_vectors("signing")["signed"][0]["body"], parse_float=JsonNumber)
    body.pop("signature")
    lines = [f"  {json.dumps(name)}: {_json(value)}" for name, value in body.items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def _json(value: Any) -> str:
    return value.text if isinstance(value, JsonNumber) else json.dumps(value, ensure_ascii=False)
