"""The people of a soak: 20 merchants, every fifth with an identity agreement, and 50 traders."""

from dataclasses import dataclass
from typing import Self

from local.callback_sink import CallbackSink
from local.demo.data import add_merchant, add_trader, set_rates
from local.demo.merchant import Merchant
from local.demo.people import Desk
from local.operators_api import root_api
from local.stack import Stack
from orderdesk_cli.api import Api

MERCHANTS, TRADERS = 20, 50
VERIFYING_EVERY = 5


@dataclass(frozen=True)
class People:
    """All people on a stack; `desks` by trader_id, each with its trader logged in."""

    api: Api
    merchants: list[Merchant]
    verifying: list[Merchant]
    desks: dict[str, Desk]

    @classmethod
    def added(cls, stack: Stack, sink: CallbackSink, sink_url: str) -> Self:
        """Add all people as an operator does, and log the traders in."""
        api = root_api(stack.outputs)
        set_rates(api)
        plain, verifying = list[Merchant](), list[Merchant]()
        for number in range(MERCHANTS):
            identity = number % VERIFYING_EVERY == 0
            keys = add_merchant(api, f"soak-{number}", sink, sink_url, identity=identity)
            merchant = Merchant(stack.base_url, keys["api_key"], keys["api_secret"])
            (verifying if identity else plain).append(merchant)
        added = [add_trader(api, "live", n % 9 + 1) for n in range(TRADERS)]
        desks = {
            one["trader_id"]: Desk.open(stack.base_url, one["name"], one["access_code"])
            for one in added
        }
        return cls(api, plain, verifying, desks)

    def desk_of(self, order_no: str) -> Desk:
        order = self.api.call("order.show", order_no=order_no)
        return self.desks[str(order["trader_id"])]
