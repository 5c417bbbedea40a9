"""A typical buy and sell, from createOrder to completed, through the handlers in this process.

The browsers run our scripts: a dialog confirms a move, and the answer to a form is the page.
"""

import time
from collections.abc import Callable
from itertools import count
from typing import Any

from orderdesk.adapters.dynamodb.marshal import to_item
from tests.support.callback_functions import CallbackWorld, RelayWorld
from tests.support.merchant_client import buy, sell
from tests.support.payer import Payer
from tests.support.receipt_samples import png
from tests.support.trader import ORDER, TraderVisit, add_trader_with_code
from tests.support.world import TimeLeft, World

FUNCTIONS = (
    "create_order",
    "pay_page",
    "trader_desk",
    "render_receipt",
    "seal_books",
    "pay_out",
    "assign_sells",
    "expire_drafts",
)
SCHEDULED = ("assign_sells", "expire_drafts", "seal_books", "pay_out", "send_callback")

type Handler = Callable[..., Any]
type Wrap = Callable[[str, Handler], Handler]


class UsualLives:
    """A merchant, a payer for each buy, the next trader, and the other traders online."""

    def __init__(self, world: World, traders: int, wrap: Wrap) -> None:
        """Start every function cold; `wrap` receives its name and its handler."""
        self._world, self._callbacks = world, CallbackWorld.on(world)
        self._relay = RelayWorld(world)
        for name in FUNCTIONS:
            world.cold_start(name)
        for name, module in world.modules.items():
            module.handler = wrap(name, module.handler)  # type: ignore[attr-defined]
        merchant = self._callbacks.merchant
        world.fund(merchant, 10**15)
        self._client = world.client_of(merchant, f"sk_{merchant.merchant_id}")
        self._trader = TraderVisit.of_new_trader(world)
        others = (add_trader_with_code(world)[0].trader_id for _ in range(traders - 1))
        self._others, self._numbers = list(others), count(1)

    def buy(self) -> None:
        """Create, view, pay with a receipt, confirm; the merchant receives two callbacks."""
        pay_url = self._created(buy)["pay_url"]
        payer = Payer(self._world, *pay_url.split("/")[-2:])
        key = payer.upload_fields()["key"]
        payer.get("/status")
        self._upload(key)
        payer.come_back(key, stay="1")
        self._tell_merchant()
        self._look_at_desk()
        self._trader.get(ORDER, payer.order_no)
        self._trader.send("GET", f"{ORDER}/receipts/{{number}}", order_no=payer.order_no)
        self._confirm(payer.order_no)
        payer.get()

    def sell(self) -> None:
        """Create, assign, prove, confirm; the merchant receives two callbacks."""
        order_no = self._created(sell)["order_no"]
        self._world.modules["assign_sells"].handler({}, TimeLeft())
        self._tell_merchant()
        self._look_at_desk()
        key = self._trader.upload_fields(order_no)["key"]
        self._upload(key)
        self._trader.come_back(order_no, key, stay="1")
        self._relay.handle(self._relay.records())
        self._confirm(order_no)

    def idle(self) -> None:
        """Run what schedules invoke, without anything to do."""
        for name in SCHEDULED:
            self._world.modules[name].handler({}, TimeLeft())

    def _created(self, kind: Callable[..., dict[str, Any]]) -> Any:
        """Create an order; all other traders have accepted since, so that the trader is next."""
        for trader_id in self._others:
            self._world.client.update_item(
                TableName="Traders",
                Key=to_item({"trader_id": trader_id}),
                UpdateExpression="SET last_accepted_at = :now",
                ExpressionAttributeValues=to_item({":now": time.time_ns() // 1000}),
            )
        order = kind(merchant_order_no=f"20261121{next(self._numbers):010d}")
        return self._client.create(order).data

    def _upload(self, key: str) -> None:
        self._world.upload(key, png())

    def _tell_merchant(self) -> None:
        self._relay.handle(self._relay.records())
        self._callbacks.deliver()

    def _look_at_desk(self) -> None:
        self._trader.get("/trader/orders")
        self._trader.get("/trader/status", known="another")

    def _confirm(self, order_no: str) -> None:
        self._trader.post(f"{ORDER}/confirm", order_no, stay="1")
        self._tell_merchant()
