"""`make demo`: a buy, an identity check and a sell, from creation to callback.

Merchants sign calls, payers and traders use their pages, and the operator assigns the sell.
"""

import subprocess
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from local.demo.merchant import Merchant
from local.demo.people import Desk, pay, verify_identity
from local.demo.receiver import Receiver
from local.demo.steps import Unexpected, Walk
from local.emulator import client_env
from local.operators_api import root_api
from local.places import VENV_BIN
from local.running import port_of, require_deployed, running_stack
from local.stack import Stack
from orderdesk_cli.api import Api

BUY, SELL = 1, 2
CNY = "1000.00"
CUSTOMER_METHOD = {  # invented
    "method_type": "bank",
    "real_name": "演示客户",
    "bank": "演示银行",
    "sub_bank": "演示支行",
    "card_number": "6200000000000000099",
}


@dataclass(frozen=True)
class Demo:
    """The running stack with its merchants, traders and operator."""

    stack: dict[str, Any]
    api: Api

    def merchant(self, name: str) -> Merchant:
        """Return a demo merchant by its name in stack.json."""
        keys = self.stack["demo"][name]
        return Merchant(self.stack["base_url"], keys["api_key"], keys["api_secret"])

    @property
    def receiver(self) -> Receiver:
        """The receiver of the demo merchants' callbacks."""
        return Receiver(self.stack["demo"]["callback_sink"])

    def desk_of(self, order_no: str) -> Desk:
        """Log in at the desk as the trader of an order. Raises: Unexpected."""
        order = self.api.call("order.show", order_no=order_no)
        for trader in self.stack["demo"]["traders"]:
            if trader["trader_id"] == order["trader_id"]:
                return Desk.open(self.stack["base_url"], trader["name"], trader["access_code"])
        raise Unexpected("the order's trader is not a demo trader")

    def live_trader(self) -> str:
        """Return the id of a trader for live orders."""
        live = [t for t in self.stack["demo"]["traders"] if not t["is_test"]]
        return str(live[0]["trader_id"])


def demo(work: Path) -> None:
    """Run all three. Raises: LocalError if a step fails or no stack runs."""
    stack = running_stack(work)
    require_deployed(Stack(port_of(stack), work))
    running = Demo(stack, root_api(stack["outputs"]))
    buy(running)
    identity(running)
    sell(running)
    check_ledger(stack["endpoint_url"])
    print("\neverything as it should be, every order's callback received and verified", flush=True)


def buy(demo: Demo) -> None:
    """Run a buy: a customer pays CNY to a trader, the merchant is credited USDT."""
    walk, merchant = Walk("buy"), demo.merchant("merchant")
    with walk.step("merchant", f"creates a buy of ¥{CNY}") as report:
        before = merchant.available()
        created = merchant.create(order_type=BUY, cny_amount=CNY)
        order_no = created["order_no"]
        report(f"{merchant.require(order_no, 'pending')}  {order_no}")
    _from_pay_page_on(walk, demo, merchant, order_no, created["pay_url"])
    _end(walk, demo, merchant, order_no, before, sign=1)


def identity(demo: Demo) -> None:
    """Run a buy with a verification of the customer's identity."""
    walk, merchant = Walk("identity, then buy"), demo.merchant("merchant_identity")
    with walk.step("merchant", f"creates a buy of ¥{CNY}") as report:
        before = merchant.available()
        held = merchant.create(order_type=BUY, cny_amount=CNY)
        report(f"{merchant.draft(held['pending_no'])['status']}  {held['pending_no']}")
    with walk.step("customer", "opens the link and verifies the identity") as report:
        pay_url = verify_identity(held["identity_url"])
        order_no = merchant.draft(held["pending_no"])["order_no"]
        report(f"{merchant.require(order_no, 'pending')}  {order_no}")
    _from_pay_page_on(walk, demo, merchant, order_no, pay_url)
    _end(walk, demo, merchant, order_no, before, sign=1)


def sell(demo: Demo) -> None:
    """Run a sell: the merchant pays USDT, a trader pays CNY to the customer."""
    walk, merchant = Walk("sell"), demo.merchant("merchant")
    with walk.step("merchant", f"creates a sell of ¥{CNY}") as report:
        before = merchant.available()
        order_no = merchant.create(
            order_type=SELL, cny_amount=CNY, payment_method=dict(CUSTOMER_METHOD)
        )["order_no"]
        report(f"{merchant.require(order_no, 'matching')}  {order_no}")
    with walk.step("operator", "assigns it to a trader") as report:
        assignment = {"order_no": order_no, "trader_id": demo.live_trader(), "reason": "demo"}
        demo.api.write("order.assign", alone=True, **assignment)
        report(merchant.require(order_no, "assigned"))
    with walk.step("trader", "logs in and uploads the proof of payment") as report:
        desk = demo.desk_of(order_no)
        desk.upload_proof(order_no)
        report(f"{merchant.require(order_no, 'assigned')}  {desk.name}")
    with walk.step("trader", "confirms the payment") as report:
        desk.confirm(order_no)
        report(merchant.require(order_no, "completed"))
    _end(walk, demo, merchant, order_no, before, sign=-1)


def _from_pay_page_on(
    walk: Walk, demo: Demo, merchant: Merchant, order_no: str, pay_url: str
) -> None:
    with walk.step("customer", "opens the pay page and reports the payment") as report:
        pay(pay_url)
        report(merchant.require(order_no, "paid"))
    with walk.step("trader", "logs in and confirms the receipt") as report:
        desk = demo.desk_of(order_no)
        desk.confirm(order_no)
        report(f"{merchant.require(order_no, 'completed')}  {desk.name}")


def _end(
    walk: Walk, demo: Demo, merchant: Merchant, order_no: str, before: Decimal, *, sign: int
) -> None:
    """Check that the balance has changed by the order's amount, and receive the callback."""
    with walk.step("merchant", f"is {'credited' if sign > 0 else 'charged'} USDT") as report:
        after = merchant.available()
        report(f"{before} → {after}")
        due = sign * Decimal(merchant.order(order_no)["merchant_actual_amount"])
        if after - before != due:
            raise Unexpected(f"{after - before} were booked, not {due}")
    with walk.step("merchant", "receives the callback") as report:
        report(demo.receiver.await_verified("order.completed", order_no))


def check_ledger(endpoint_url: str) -> None:
    """Run `orderdesk ledger check`. Raises: LocalError."""
    with Walk("ledger").step("operator", "orderdesk ledger check") as report:
        command = [str(VENV_BIN / "orderdesk"), "ledger", "check"]
        done = subprocess.run(
            command, env=client_env(endpoint_url), capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise Unexpected(done.stderr or done.stdout)
        report(done.stdout.strip())
