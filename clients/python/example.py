"""Create a buy and a sell in test mode: python example.py, with the keys in the environment."""

import os
import time

from orderdesk_client import Code, NoAnswer, Orderdesk, Refused

client = Orderdesk(
    os.environ["ORDERDESK_BASE_URL"],
    os.environ["ORDERDESK_API_KEY"],
    os.environ["ORDERDESK_API_SECRET"],
    test=True,  # without it, orders are live
)
# The URL of your receiver of callbacks, if you have one.
callback_url = os.environ.get("ORDERDESK_CALLBACK_URL", "")
number = f"example-python-{time.time_ns()}"  # your own number of the order

terms = client.agreement()
print("agreement", terms["min_cny"], "to", terms["max_cny"], "CNY")
quote = client.quote(1, "100.00", method_type="bank")  # of a buy; stores nothing
print("quote", quote["merchant_actual_amount"], "USDT, a trader fits:", quote["would_match"])

try:
    buy = client.create_buy(
        f"{number}-1",
        "100.00",
        method_type="bank",
        metadata={"cart": "77"},  # comes back in answers and callbacks
        callback_url=callback_url,
    )
    if buy["result_status"] == "success":
        print("buy", buy["order_no"], "pay at", buy["pay_url"])
    else:
        print("draft", buy["pending_no"], "verify at", buy["identity_url"])
except Refused as refused:
    if refused.code != Code.NO_TRADER_AVAILABLE:
        raise
    print("no trader is available: offer another way to pay")
    raise SystemExit(1) from None
except NoAnswer:
    print("result unknown: query the order later by merchant_order_no")
    raise SystemExit(1) from None

try:
    client.create_buy(f"{number}-1", "100.00")
except Refused as refused:
    print("again", refused.code, refused.data["order_no"])

order = client.query_order(merchant_order_no=f"{number}-1")
if "order_type" not in order:  # a draft has none
    raise SystemExit(f"the draft is {order['status']}")
print("query", order["order_no"], order["status"], order["merchant_actual_amount"], "USDT")
done = client.advance_order("completed", order_no=order["order_no"])  # acts as the trader
print("advance", done["status"])
same = client.create_or_get(f"{number}-1", "100.00", method_type="bank")
if same["result_status"] == "success":
    print("same", same["order_no"], same["status"])  # the first one, as it is now
print("balance", client.balance()["test"]["available"])

sell = client.create_sell(
    f"{number}-2",
    "50.00",
    {
        "method_type": "bank",
        "real_name": "张三",
        "bank": "中国银行",
        "sub_bank": "深圳分行",
        "card_number": "6200000000000000017",
    },
    refund_of=order["order_no"],  # of a completed buy, up to what it may still refund
    callback_url=callback_url,
)
print("sell", sell["order_no"], sell["status"], sell["merchant_actual_amount"], "USDT")
print("cancel", client.cancel_order(merchant_order_no=f"{number}-2")["status"])

page = client.list_orders(is_test=1, limit=2)
print("list", [each["merchant_order_no"] for each in page["orders"]])
sent = client.list_callbacks(order_no=order["order_no"])["callbacks"]
print("callbacks", [(each["type"], each["status"]) for each in sent])
events = client.list_events(order_no=order["order_no"])["events"]  # without an address, too
print("events", [(each["type"], each["event_id"]) for each in events])
print("statement", len(client.statement(is_test=1, limit=10)["postings"]), "postings")
