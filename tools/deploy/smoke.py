"""Smoke test of a deployed stack with the merchants' client: `python -m tools.deploy.smoke STACK`.

It creates one test order and completes it as its trader; it moves no live money. The merchant's key
and secret are in ORDERDESK_API_KEY and ORDERDESK_API_SECRET. It finds the stack with the AWS
credentials.
Exit code 1 and one line if a response differs from the contract.
"""

import os
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from orderdesk_cli.api import StackUnavailable
from orderdesk_cli.stacks import Installation, session_from_environment

sys.path.insert(0, str(Path(__file__).parents[2] / "clients" / "python"))
from orderdesk_client import Code, Orderdesk, OrderdeskError, Refused

AMOUNT = "100.00"


class Unexpected(Exception):
    """A response differs from the contract."""


def main(stack_name: str) -> int:
    try:
        session = session_from_environment()
        base_url = Installation(session, stack_name).stack.output("BaseUrl")
        client = Orderdesk(
            base_url, os.environ["ORDERDESK_API_KEY"], os.environ["ORDERDESK_API_SECRET"], test=True
        )
        for line in steps(client):
            print(line, flush=True)
    except (OrderdeskError, OSError, StackUnavailable, Unexpected) as error:
        print(f"smoke: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


def steps(client: Orderdesk) -> Iterator[str]:
    """Complete a test buy and yield a line for each step. Raises: Unexpected, client errors."""
    before = client.balance()["test"]["available"]
    yield f"balance {before}"
    number = f"smoke-{time.time_ns()}"
    made = client.create_buy(number, AMOUNT, method_type="bank")
    expect("success", made["result_status"])
    yield f"buy {made['order_no']}"
    try:
        client.create_buy(number, AMOUNT, method_type="bank")
    except Refused as refused:
        expect(Code.MERCHANT_ORDER_NO_EXISTS, refused.code)
    else:
        raise Unexpected("a merchant_order_no was accepted twice")
    with urllib.request.urlopen(made["pay_url"], timeout=10) as page:
        expect(200, page.status)
    yield "pay page"
    client.advance_order("completed", order_no=made["order_no"])
    order = client.query_order(merchant_order_no=number)
    expect("completed", order["status"])
    yield f"completed, {order['merchant_actual_amount']} USDT"
    posted = client.statement(is_test=1, limit=10)["postings"]
    expect(True, any(each.get("order_no") == made["order_no"] for each in posted))
    yield "statement"


def expect(wanted: object, found: object) -> None:
    """Compare a value with the expected one. Raises: Unexpected."""
    if found != wanted:
        raise Unexpected(f"{found!r} instead of {wanted!r}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
