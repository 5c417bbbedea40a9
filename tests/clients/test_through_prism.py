"""Prism between each client and the stack finds nothing that docs/openapi.yaml forbids.

It answers a request or an answer that does not match the document itself, without an envelope.
"""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx

from local.processes import free_port
from tests.clients.languages import Built
from tests.clients.places import Place, new_number
from tests.support.merchant_client import BANK
from tests.support.openapi import FILE
from tests.support.waiting import wait_until

PRISM = Path(__file__).with_name("tools") / "node_modules" / ".bin" / "prism"
OPTIONS = {
    "method_type": "bank",
    "metadata": {"cart": "77"},
    "remark": "茶",
    "callback_url": "",
    "return_url": "https://shop.example/orders/1",
    "max_discount": "0.10",
}


@contextmanager
def prism(place: Place, folder: Path) -> Iterator[Place]:
    """Return a place whose requests go through Prism."""
    port, log = str(free_port()), folder / "prism.log"
    command: list[str | Path] = [PRISM, "proxy", FILE, place.base_url]
    command += ["--errors", "--port", port]
    with log.open("w") as out, subprocess.Popen(command, stdout=out, stderr=out) as process:
        try:
            wait_until(lambda: "is listening" in log.read_text("utf-8"))
            yield replace(place, base_url=f"http://127.0.0.1:{port}")
        finally:
            process.terminate()


def test_what_a_client_sends_and_gets_is_documented(
    client: Built, place: Place, tmp_path: Path
) -> None:
    number = new_number(client.language.name)
    bought, sold = (json.dumps({"merchant_order_no": f"{number}-{each}"}) for each in (1, 2))
    buy = (json.dumps(f"{number}-1"), '"100.00"', json.dumps(OPTIONS))
    calls = (
        ("quote", "1", '"100.00"', '{"method_type":"bank"}'),
        ("agreement",),
        ("create_buy", *buy),
        ("create_or_get", *buy),
        ("query_order", bought),
        ("advance_order", '"completed"', bought),
        ("create_sell", json.dumps(f"{number}-2"), '"10.00"', json.dumps(BANK), "{}"),
        ("cancel_order", sold),
        (
            "list_orders",
            '{"is_test":1,"limit":2,"cursor":"","metadata_key":"cart","metadata_value":"77"}',
        ),
        ("balance",),
        ("statement", '{"is_test":1,"limit":10,"cursor":""}'),
        ("list_callbacks", bought),
        ("list_events", bought),
        ("list_withdrawals", '{"limit":5}'),
    )
    refused = (
        ("dispute_order", bought),
        ("query_order", '{"order_no":"B202501010000000000000000"}'),
        ("redeliver_callback", '"msg_never_sent"'),
    )
    with prism(place, tmp_path) as through:
        driven = client.drive([through.request(*each, test=True) for each in calls + refused])
        bare = {"merchant_order_no": f"{number}-3", "order_type": 1, "cny_amount": "1.00"}
        signed = place.test_merchant.signed("/test/createOrder", {**bare, "callback_url": ""})
        url = f"{through.base_url}/test/createOrder"
        caught = httpx.post(url, json=signed, timeout=None)
    outcomes = dict(zip(calls + refused, driven, strict=True))
    assert [each for each in calls if "data" not in outcomes[each]] == [], outcomes
    assert [outcomes[each]["refused"]["code"] for each in refused] == [2003, 2002, 2002]
    assert "callback_url" in caught.text
    assert "code" not in caught.json()
