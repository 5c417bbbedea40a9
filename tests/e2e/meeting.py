"""A merchant, two traders and operators on the deployed stack, all with money that was posted."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from orderdesk.domain.merchants.merchant import Merchant
from tests.e2e.busy import create
from tests.support.books import assert_books
from tests.support.merchant_client import MerchantClient, buy
from tests.support.operator_calls import People, findings_about
from tests.support.stack_seed import StackSeed
from tests.support.trader import TraderVisit

PROPOSER, DECIDER, NO_FINANCE = "finance-1", "finance-2", "support-1"


@dataclass(frozen=True)
class Meeting:
    """A merchant and two traders, funded with postings, and the people who move their money."""

    seed: StackSeed
    people: People
    merchant: Merchant
    client: MerchantClient
    traders: list[TraderVisit]

    @classmethod
    def of_new_parties(cls, seed: StackSeed, people: People, **merchant: Any) -> Self:
        """Add a merchant and two traders, the only ones in the rotation, and fund them."""
        seed.clear_rotation()
        traders = [TraderVisit.of_new_trader(seed, available_micro=0) for _ in range(2)]
        meeting = cls(seed, people, *seed.add_merchant(**merchant), traders)
        meeting.fund()
        return meeting

    @property
    def owners(self) -> set[str]:
        """The ids of the merchant and the traders."""
        return {self.merchant.merchant_id, *self.trader_ids}

    @property
    def trader_ids(self) -> set[str]:
        return {visit.trader.trader_id for visit in self.traders}

    def money(self, command: str, amount: str) -> dict[str, Any]:
        """Return the parameters of a funding or withdrawal."""
        kind = command.partition(".")[2]
        trader_id = self.traders[0].trader.trader_id
        owner = {"merchant": self.merchant.merchant_id, "trader": trader_id}[kind]
        return {f"{kind}_id": owner, "amount": amount, "memo": "they meet"}

    def fund(self) -> None:
        """Fund everybody as an administrator who acts alone."""
        owners = [{"merchant_id": self.merchant.merchant_id}]
        owners += [{"trader_id": trader_id} for trader_id in sorted(self.trader_ids)]
        for owner in owners:
            command = f"solo/fund.{next(iter(owner)).removesuffix('_id')}"
            self.people.insist("root", command, **owner, amount="5000", memo="float")

    def order(self, params: dict[str, Any]) -> str:
        """Create an order with a number of its own; return its order_no."""
        number = self.seed.new_name()
        reply = create(self.client, params | {"merchant_order_no": number})
        assert reply.code == 1, reply
        return str(reply.data["order_no"])

    def disputed(self) -> str:
        """Create a buy that was paid after its merchant cancelled it."""
        order_no = self.order(buy(cny_amount="30.00"))
        assert self.client.post("/merchant/cancelOrder", {"order_no": order_no}).code == 1
        moved = {"order_no": order_no, "reason": "paid late"}
        self.people.insist(NO_FINANCE, "order.dispute", **moved)
        return order_no

    def trader_of(self, order_no: str) -> TraderVisit:
        order: Any = self.seed.get(self.seed.tables.orders, {"pk": order_no})
        return next(v for v in self.traders if v.trader.trader_id == order["trader_id"])

    def by_two(self, command: str, **parameters: Any) -> Any:
        """Propose a command and let another person approve it; return the approval's answer."""
        number = self.people.proposed(PROPOSER, command, **parameters)
        return self.people.insist(DECIDER, "proposal.approve", proposal_no=number)

    def check_books(self, proposals: Iterable[str] = ()) -> None:
        """Check every balance, and that `ledger.check` finds nothing about anything here."""
        assert_books(self.seed, {self.merchant.merchant_id}, self.trader_ids)
        orders: list[Any] = self.seed.items(self.seed.tables.orders, "order")
        mine = {o["order_no"] for o in orders if o["merchant_id"] == self.merchant.merchant_id}
        checked = {"findings": self.people.listed("viewer-1", "ledger.check")}
        assert findings_about(checked, self.owners | mine | set(proposals)) == []
