"""The people and the handlers of a walk: a merchant, a payer, a trader, everybody else online."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from bench.costs.meter import Meter
from orderdesk.adapters.dynamodb.marshal import to_item
from tests.support.callback_world import CallbackWorld
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.payer import Payer
from tests.support.receipt_samples import png
from tests.support.relay_world import RelayWorld
from tests.support.trader import ORDER, TimeLeft, TraderVisit, add_trader_with_code
from tests.support.world import ENVIRONMENT, World

FUNCTIONS = (
    "create_order",
    "pay_page",
    "trader_desk",
    "assign_sells",
    "expire_drafts",
    "relay_events",
)
ASSIGNER, IDLE_ASSIGNER, IDLE_SWEEP = "assigner", "assigner, nothing to do", "sweep, nothing to do"
# When the trader of the walk accepted last: before everybody else, so that it is next.


class Floor:
    """Lives orders through the functions, each step under its label."""

    def __init__(self, world: World, meter: Meter, traders: int) -> None:
        self.world, self.meter = world, meter
        self.callbacks = CallbackWorld.on(world)
        self.relay = RelayWorld(world)
        for name in FUNCTIONS:
            world.cold_start(name)
        self.relay.module = world.modules["relay_events"]
        for name, module in world.modules.items():
            module.handler = meter.watched(name, module.handler)  # type: ignore[attr-defined]
        merchant = self.callbacks.merchant
        world.fund(merchant, 10**15)
        self.client: MerchantClient = world.client_of(merchant, f"sk_{merchant.merchant_id}")
        self.trader = TraderVisit.of_new_trader(world)
        now_us = time.time_ns() // 1000
        self.others = [
            add_trader_with_code(world, last_accepted_us=now_us - number)[0].trader_id
            for number in range(traders - 1)
        ]
        self.orders = 0

    def buy(self) -> None:
        """Create, look, pay with a receipt, confirm; the merchant is told of both moves."""
        self._let_trader_be_next()
        payer = self._created_buy()
        with self._step("pay page, pending"):
            key = payer.upload_fields()["key"]
        with self._step("pay status"):
            payer.get("/status")
        self.world.s3.put_object(Bucket=ENVIRONMENT["UPLOADS_BUCKET"], Key=key, Body=png())
        with self._step("receipt comes back"):
            assert payer.come_back(key)["statusCode"] == HTTPStatus.SEE_OTHER
        self._tell("paid")
        with self._step("pay page, paid"):
            payer.get()
        self._look_at_desk(payer.order_no, "paid")
        with self._step("desk: receipt"):
            self.trader.send("GET", f"{ORDER}/receipts/{{number}}", order_no=payer.order_no)
        self._confirm(payer.order_no)
        with self._step("pay page, completed"):
            payer.get()

    def sell(self) -> None:
        """Create, assign, prove, confirm; the merchant is told of the assignment and the end."""
        self._let_trader_be_next()
        with self._step("createOrder"):
            created = self.client.create(sell(merchant_order_no=self._number()))
        order_no = created.data["order_no"]
        with self._step(ASSIGNER):
            self.world.modules["assign_sells"].handler({}, TimeLeft())
        self._tell("assigned")
        self._look_at_desk(order_no, "assigned")
        with self._unwatched():
            key = self.trader.upload_fields(order_no)["key"]
        self.world.s3.put_object(Bucket=ENVIRONMENT["UPLOADS_BUCKET"], Key=key, Body=png())
        self._come_back_with_proof(order_no, key)
        self._relay("proof kept")
        with self._step("desk: order, proved"):
            self.trader.get(ORDER, order_no)
        self._confirm(order_no)

    def idle(self) -> None:
        """Run what the schedules run while nothing is due."""
        with self._step(IDLE_ASSIGNER):
            self.world.modules["assign_sells"].handler({}, TimeLeft())
        with self._step(IDLE_SWEEP):
            self.world.modules["expire_drafts"].handler({}, TimeLeft())

    def _come_back_with_proof(self, order_no: str, key: str) -> None:
        """Come from S3 as a browser does: to a page without the cookie, whose form is posted."""
        with self._step("desk: proof"):
            answer = self.trader.come_back(order_no, key)
        assert answer["statusCode"] == HTTPStatus.SEE_OTHER

    def _created_buy(self) -> Payer:
        with self._step("createOrder"):
            created = self.client.create(buy(merchant_order_no=self._number()))
        order_no, token = created.data["pay_url"].split("/")[-2:]
        return Payer(self.world, order_no, token)

    def _look_at_desk(self, order_no: str, status: str) -> None:
        for label, route in (("list", "/trader/orders"), ("status", "/trader/status")):
            with self._step(f"desk: {label}"):
                self.trader.get(route)
        with self._step(f"desk: order, {status}"):
            self.trader.get(ORDER, order_no)

    def _confirm(self, order_no: str) -> None:
        with self._step("desk: question"):
            self.trader.get(f"{ORDER}/confirm", order_no)
        with self._step("desk: confirm"):
            assert (
                self.trader.post(f"{ORDER}/confirm", order_no)["statusCode"] == HTTPStatus.SEE_OTHER
            )
        self._tell("completed")
        with self._step("desk: order, completed"):
            self.trader.get(ORDER, order_no)

    def _tell(self, status: str) -> None:
        self._relay(status)
        with self._step(f"callback, {status}"):
            self.callbacks.deliver()

    def _relay(self, status: str) -> None:
        records = self.relay.records()
        with self._step(f"relay, {status}"):
            self.relay.handle(records)

    def _let_trader_be_next(self) -> None:
        """Let all others have accepted since: what a trader itself accepted, functions remember."""
        for trader_id in self.others:
            self.world.client.update_item(
                TableName="Traders",
                Key=to_item({"trader_id": trader_id}),
                UpdateExpression="SET last_accepted_at = :now",
                ExpressionAttributeValues=to_item({":now": time.time_ns() // 1000}),
            )

    def _number(self) -> str:
        self.orders += 1
        return f"20261121{self.orders:010d}"

    @contextmanager
    def _step(self, label: str) -> Iterator[None]:
        self.meter.label = label
        yield

    @contextmanager
    def _unwatched(self) -> Iterator[None]:
        before = len(self.meter.invocations)
        yield
        del self.meter.invocations[before:]
