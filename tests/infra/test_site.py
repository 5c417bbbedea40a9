"""What the documentation site says of the code, without building it."""

import json
import subprocess
from typing import Any

import pytest

from orderdesk.domain.money import format_rate, format_usdt
from orderdesk.domain.orders.transitions import TRANSITIONS
from orderdesk.domain.pricing import FeePolicy, OrderType, quote
from tests.support import openapi
from tests.support.merchant_client import sign
from tests.support.template import ROOT
from tools.openapi import collection
from tools.site import life

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
def test_the_worked_amounts_come_out(language: str) -> None:
    page = (ROOT / "docs" / "site" / language / "amounts.md").read_text("utf-8")
    for order_type, rate_e4 in ((OrderType.BUY, 7_2360), (OrderType.SELL, 7_1640)):
        amounts = quote(order_type, 1000_00, rate_e4, FeePolicy(service_bps=60, deposit_bps=100))
        assert format_rate(amounts.rate_e4) in page
        for micro in (
            amounts.usdt_micro,
            amounts.service_micro,
            amounts.merchant_micro,
            amounts.deposit_micro,
            amounts.merchant_actual_micro,
        ):
            assert f"**{format_usdt(micro)}**" in page


def test_the_collection_was_written_after_the_last_change() -> None:
    assert COLLECTION.read_text("utf-8") == collection.text(openapi.document()), "make openapi"


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
        ran = subprocess.run(
            ["node", "-e", POSTMAN, json.dumps(given)],
            capture_output=True,
            text=True,
            check=True,
        )
        sent = json.loads(ran.stdout)
        path = "/" + "/".join(request["url"]["path"])
        assert sent["signature"] == sign("sk_test_456", path, sent)
        assert openapi.request_problems(path, sent) == []
