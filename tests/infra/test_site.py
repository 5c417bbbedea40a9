"""Checks of the documentation site and the README that need no build."""

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from orderdesk.domain.orders.transitions import TRANSITIONS
from orderdesk.services.merchants.statement import KINDS
from tests.support import openapi
from tests.support.merchant_client import sign
from tests.support.programs import printed
from tests.support.template import ROOT
from tools.pictures.recording import drawn
from tools.site import life
from tools.site.hooks import joined
from tools.site.reference import document, written

LANGUAGES = ("en", "zh")
COLLECTION = ROOT / "docs" / "postman.json"


@pytest.mark.parametrize("kind", ["buy", "sell"])
def test_the_picture_has_every_move_of_the_table_and_no_other(kind: life.Kind) -> None:
    rows = [row for row in TRANSITIONS if row.order_type.name.lower() == kind]
    arrows = {(source, row.target) for row in rows for source in row.sources}
    assert set(life.ARROWS[kind]) == arrows
    assert set(life.PLACES[kind]) == {status for arrow in arrows for status in arrow}
    assert sum(map(len, life.moves(kind).values())) == sum(len(row.sources) for row in rows)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reference_names_each_refusal_once_a_route(language: str) -> None:
    lines = [line for line in written("reference", language).splitlines() if "errors.md#" in line]
    assert len(lines) == len(document()["paths"])
    for line in lines:
        links = line.split(" · ")
        assert len(links) == len(set(links))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_object_of_an_answer_has_a_table(language: str) -> None:
    text = written("reference", language)
    linked = set(re.findall(r"\(reference\.md#(\w+)\)", text + written("callbacks", language)))
    assert {"Posting", "Attempt", "TimelineEntry", "TraderMethod", "CustomerMethod"} <= linked
    assert linked <= set(re.findall(r"^### \w+ \{#(\w+)\}$", text, re.MULTILINE))


def test_the_kinds_of_postings_are_described() -> None:
    text = openapi.document()["components"]["schemas"]["Posting"]["properties"]["kind"]
    assert [kind for kind in KINDS if f"`{kind}`" not in text["description"]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_safe_loop_handles_codes_as_the_table_of_retries(language: str) -> None:
    page = (ROOT / "docs" / "site" / language / "retries.md").read_text("utf-8")
    loop = {int(code) for code in re.findall(r"\b\d{4}\b", page[page.index("\norder_no =") :])}
    table = written("retries", "en").splitlines()[2:]
    retried = {int(row.split("|")[1]) for row in table if "yes, the same" in row}
    queried = {int(row.split("|")[1]) for row in table if "query the order" in row}
    assert retried | queried <= loop


def test_lines_of_a_chinese_paragraph_are_joined_outside_code() -> None:
    assert joined("一，\n  二（三）\n“四”。\n\n五 `a`\nb") == "一，二（三）“四”。\n\n五 `a`\nb"
    code = "```text\n一\n二\n```"
    assert joined(code) == code


def test_a_recording_is_xml_with_every_line() -> None:
    lines = [(0.1, "buy"), (0.2, ""), (0.5, f"  {'trader':<9} {'uploads <proof> & more':<46} paid")]
    root = ET.fromstring(drawn(lines))
    texts = ["".join(each.itertext()) for each in root.iter() if each.tag.endswith("text")]
    assert texts == ["$ make demo", "buy", "traderuploads <proof> & morepaid"]


POSTMAN = """
const crypto = require("node:crypto");
const given = JSON.parse(process.argv[1]);
const names = { api_key: given.api_key, api_secret: given.api_secret };
const pm = {
  variables: { get: (name) => names[name], replaceIn: (text) => text },
  request: {
    url: { path: given.path },
    body: { raw: given.raw, update(to) { this.raw = to.raw; } },
  },
};
const text = (value) => ({ toString: () => value });
const library = {
  HmacSHA256: (said, key) => text(crypto.createHmac("sha256", key).update(said).digest("hex")),
  lib: { WordArray: { random: (size) => text(crypto.randomBytes(size).toString("hex")) } },
};
new Function("pm", "require", given.script)(pm, () => library);
console.log(pm.request.body.raw);
"""


def requests() -> list[Any]:
    return [
        each["request"]
        for folder in json.loads(COLLECTION.read_text("utf-8"))["item"]
        for each in folder["item"]
    ]


def test_the_collections_script_signs_every_request() -> None:
    script = json.loads(COLLECTION.read_text("utf-8"))["event"][0]["script"]["exec"]
    for request in requests():
        given = {
            "api_key": "mk_test_123",
            "api_secret": "sk_test_456",
            "path": request["url"]["path"],
            "raw": request["body"]["raw"],
            "script": "\n".join(script),
        }
        sent = json.loads(printed("node", "-e", POSTMAN, json.dumps(given)))
        path = "/" + "/".join(request["url"]["path"])
        assert sent["signature"] == sign("sk_test_456", path, sent)
        assert openapi.request_problems(path, sent) == []
