"""Each client on the stack: what its calls return."""

import json

from tests.clients.languages import Built, without_empty
from tests.clients.places import Place, new_number
from tests.support.merchant_client import BANK, Reply
from tests.support.waiting import wait_until


def said(reply: Reply) -> dict[str, object]:
    """Convert a reply of the tests' own client to a driver's format."""
    if reply.code == 1:
        return {"data": without_empty(reply.data)}
    return {"code": reply.code, "data": reply.data}


def heard(outcome: dict[str, dict[str, object]]) -> dict[str, object]:
    """Return a driver's outcome without the values of a single request."""
    if "refused" not in outcome:
        return {"data": without_empty(outcome["data"])}
    return {name: outcome["refused"][name] for name in ("code", "data")}


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
