"""Each client on the stack: its example, every call, and the stack's callbacks."""

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial

import httpx
from standardwebhooks import Webhook

from local import processes
from tests.clients.languages import Built, Language
from tests.clients.places import Place, new_number
from tests.support.merchant_client import BANK, Reply, buy, sell
from tests.support.waiting import wait_until


def said(reply: Reply) -> dict[str, object]:
    """Convert a reply of the tests' own client to a driver's format."""
    if reply.code == 1:
        return {"data": reply.data}
    return {"code": reply.code, "data": reply.data}


def heard(outcome: dict[str, dict[str, object]]) -> dict[str, object]:
    """Return a driver's outcome without the values of a single request."""
    if "refused" not in outcome:
        return dict(outcome)
    return {name: outcome["refused"][name] for name in ("code", "data")}


def test_the_example_goes_through(client: Built, language: Language, place: Place) -> None:
    done = subprocess.run(
        language.example,
        cwd=client.folder,
        env=client.environment(**place.environment),
        capture_output=True,
        text=True,
        check=False,
    )
    printed = [line.split()[0] for line in done.stdout.splitlines()]
    calls = ["buy", "again", "query", "advance", "balance", "sell", "cancel", "list"]
    assert printed[: len(calls)] == calls, done
    assert (done.returncode, done.stderr, printed[-1]) == (0, "", "statement")
    lines = done.stdout.splitlines()
    order_no = lines[0].split()[1]
    assert lines[1] == f"again 2001 {order_no}"
    assert lines[2].startswith(f"query {order_no} pending ")
    assert (lines[3], lines[6]) == ("advance completed", "cancel cancelled")
    assert "callbacks" in printed
    assert place.merchant.query(order_no=order_no).data["is_test"] == 1


def test_the_statement_ends_with_available_and_held(
    client: Built, language: Language, place_without_funds: Place
) -> None:
    merchant, number = place_without_funds.merchant, new_number(language.name)
    bought = merchant.post("/test/createOrder", buy(merchant_order_no=f"{number}-1")).data
    merchant.post("/test/advanceOrder", {"order_no": bought["order_no"], "to": "completed"})
    small = sell(merchant_order_no=f"{number}-2", cny_amount="10.00")
    sold = merchant.post("/test/createOrder", small).data
    environment = client.environment(**place_without_funds.environment)
    run = partial(subprocess.run, cwd=client.folder, env=environment, capture_output=True)
    matches = run(language.reconcile, text=True, check=False)
    balance = merchant.post("/merchant/balance", {}).data["test"]
    merchant.post("/merchant/cancelOrder", {"order_no": sold["order_no"]})
    assert Decimal(balance["held"]) > 0
    assert (matches.returncode, matches.stderr) == (0, ""), matches.stdout
    total = Decimal(balance["available"]) + Decimal(balance["held"])
    micro = str(int(total * 10**6))
    printed = [word.replace("n", "") for word in matches.stdout.split()]
    assert {printed[1], printed[3]} <= {str(total), micro}, matches.stdout


def test_calls_say_what_the_stack_says(client: Built, place: Place) -> None:
    number = new_number(client.language.name)
    bought, sold, tested = f"{number}-1", f"{number}-2", f"{number}-3"
    named = json.dumps({"merchant_order_no": bought})
    more = '{"remark":"<茶> & \\u2028 😀","return_url":""}'
    outcomes = client.drive(
        [
            place.request("create_buy", json.dumps(bought), '"100.50"', more),
            place.request("create_sell", json.dumps(sold), '"10.10"', json.dumps(BANK), "{}"),
            place.request("create_buy", json.dumps(tested), '"20.00"', "{}", test=True),
            place.request("create_buy", json.dumps(bought), '"100.50"', "{}"),
            place.request("query_order", named),
            place.request("query_order", '{"merchant_order_no":"never used"}'),
            place.request("list_orders", '{"limit":3}'),
            place.request("balance"),
            place.request("statement", '{"limit":10}'),
            place.request("balance", api_secret="another"),
            place.request("list_orders", '{"limit":101}'),
        ]
    )
    buy, sell, test, again, queried, nowhere, listed, balance, statement, forged, bad = outcomes
    merchant = place.merchant
    assert buy["data"]["result_status"] == "success"
    assert (buy["data"]["cny_amount"], sell["data"]["cny_amount"]) == ("100.50", "10.10")
    assert heard(queried) == said(merchant.query(merchant_order_no=bought))
    assert sell["data"]["status"] == "matching"
    assert heard(balance) == said(merchant.post("/merchant/balance", {}))
    assert heard(statement) == said(merchant.post("/merchant/statement", {"limit": 10}))
    assert heard(listed) == said(merchant.post("/merchant/listOrders", {"limit": 3}))
    assert [order["merchant_order_no"] for order in listed["data"]["orders"]] == [
        tested,
        sold,
        bought,
    ]
    assert listed["data"]["orders"][0]["is_test"] == 1
    assert test["data"]["order_type"] == 1
    assert again["refused"]["code"] == 2001
    assert again["refused"]["data"]["order_no"] == buy["data"]["order_no"]
    assert nowhere["refused"]["code"] == 2002
    assert nowhere["refused"]["request_id"]
    assert (forged["refused"]["code"], forged["refused"]["http_status"]) == (1102, 401)
    assert [each["field"] for each in bad["refused"]["data"]["fields"]] == ["limit"]
    cancelled = client.drive(
        [
            place.request("cancel_order", json.dumps({"merchant_order_no": n}))
            for n in (bought, sold, tested)
        ]
    )
    assert [each["data"]["status"] for each in cancelled] == ["cancelled"] * 3


def test_help_while_integrating(client: Built, place: Place) -> None:
    number = new_number(client.language.name)
    named = json.dumps({"merchant_order_no": number})
    created, advanced, disputed = client.drive(
        [
            place.request("create_buy", json.dumps(number), '"20.00"', "{}", test=True),
            place.request("advance_order", '"paid"', named),
            place.request("dispute_order", named),
        ]
    )
    order_no = created["data"]["order_no"]
    assert (advanced["data"]["order_no"], advanced["data"]["status"]) == (order_no, "paid")
    assert (disputed["refused"]["code"], disputed["refused"]["data"]["status"]) == (2003, "paid")
    [webhook_id] = wait_until(lambda: sent_of(place, order_no))
    listed, again, unknown = client.drive(
        [
            place.request("list_callbacks", json.dumps({"order_no": order_no})),
            place.request("redeliver_callback", json.dumps(webhook_id)),
            place.request("redeliver_callback", '"msg_never_sent"'),
        ]
    )
    assert [each["webhook_id"] for each in listed["data"]["callbacks"]] == [webhook_id]
    assert again["data"]["order_no"] == order_no
    assert unknown["refused"]["code"] == 2002


def sent_of(place: Place, order_no: str) -> list[str]:
    """Return the webhook-ids of an order's callbacks."""
    found = place.merchant.post("/merchant/listCallbacks", {"order_no": order_no})
    return [each["webhook_id"] for each in found.data["callbacks"]]


@contextmanager
def receiving(client: Built, place: Place) -> Iterator[tuple[str, Iterator[str]]]:
    """Run a client's receiver; yield its address and the lines that it prints."""
    port = str(processes.free_port())
    command = [word.format(port=port) for word in client.language.receive]
    with subprocess.Popen(
        command,
        cwd=client.folder,
        env=client.environment(PORT=port, **place.environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if "listening" in line or "started" in line:
                    break
            yield f"http://127.0.0.1:{port}/callbacks", process.stdout
        finally:
            process.terminate()


def post_endpoint_test(url: str, secret: str) -> int:
    """Post testCallback's event, which is about no order; return the receiver's status."""
    now = datetime.fromtimestamp(int(time.time()), UTC)
    body = json.dumps({"type": "endpoint.test", "timestamp": 1, "data": {"is_test": 1}})
    headers = {
        "webhook-id": "msg_0123",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign("msg_0123", now, body),
    }
    return httpx.post(url, content=body, headers=headers, timeout=None).status_code


def test_a_callback_of_the_stack_is_verified(client: Built, place: Place) -> None:
    with receiving(client, place) as (url, lines):
        forged = httpx.post(url, content=b"{}", headers={"webhook-id": "msg_1"}, timeout=None)
        assert forged.status_code == 400
        assert post_endpoint_test(url, place.callback_secret) == 204
        number = json.dumps(new_number(client.language.name))
        more = json.dumps({"callback_url": url})
        [created] = client.drive([place.request("create_buy", number, '"100.50"', more)])
        order_no = created["data"]["order_no"]
        client.drive([place.request("cancel_order", json.dumps({"order_no": order_no}))])
        wanted = f"order.cancelled {order_no} 2"
        printed: list[str] = []
        for line in lines:
            printed.append(line.strip())
            if wanted in line:
                break
        assert printed[-1] == wanted, printed
        assert any(line.startswith("refused: ") for line in printed), printed
