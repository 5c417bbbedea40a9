"""The people of a soak: 20 merchants, every fifth with an identity agreement, and 50 traders."""

from dataclasses import dataclass
from typing import Self

from local import sam
from local.callback_sink import CallbackSink
from local.demo.data import add_merchant, add_trader, set_rates
from local.demo.merchant import Merchant
from local.demo.people import Desk
from local.stack import Stack
from orderdesk.domain.modes import Mode
from orderdesk_cli.wiring import Office, open_local_office

MERCHANTS, TRADERS = 20, 50
VERIFYING_EVERY = 5


@dataclass(frozen=True)
class People:
    """All people on a stack; `desks` by trader_id, each with its trader logged in."""

    office: Office
    merchants: list[Merchant]
    verifying: list[Merchant]
    desks: dict[str, Desk]

    @classmethod
    def added(cls, stack: Stack, sink: CallbackSink, sink_url: str) -> Self:
        """Add all people as an operator does, and log the traders in."""
        office = open_local_office(stack.endpoint_url, sam.STACK_NAME)
        set_rates(office)
        plain, verifying = list[Merchant](), list[Merchant]()
        for number in range(MERCHANTS):
            identity = number % VERIFYING_EVERY == 0
            keys = add_merchant(office, f"soak-{number}", sink, sink_url, identity=identity)
            merchant = Merchant(stack.base_url, keys["api_key"], keys["api_secret"])
            (verifying if identity else plain).append(merchant)
        added = [add_trader(office, Mode.LIVE, n % 9 + 1, sink_url) for n in range(TRADERS)]
        desks = {
            one["trader_id"]: Desk.open(stack.base_url, one["name"], one["access_code"])
            for one in added
        }
        return cls(office, plain, verifying, desks)

    def desk_of(self, order_no: str) -> Desk:
        order = self.office.orders.order(order_no)
        assert order is not None
        assert order.trader_id is not None
        return self.desks[order.trader_id]
