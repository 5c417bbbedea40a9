"""A funded merchant, a funded trader and their orders on moto, for operators to move."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Self

from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.ledger.rows import shard_of
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order, Receipt
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.services.operator.funds import fund_merchant, fund_trader
from orderdesk.services.operator.moves import OperatorMovePorts
from orderdesk.services.orders.move import move_order
from orderdesk_cli.wiring import Office
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.offices import office_on
from tests.support.world import World

FUNDS = 1_000_000_000
# The contract's worked orders of 1000 CNY (section 5).
BUY_USDT, BUY_MERCHANT, BUY_DEPOSIT, BUY_FEE = 138_197_899, 135_995_023, 1_373_688, 829_188
SELL_USDT, SELL_MERCHANT, SELL_FEE = 139_586_824, 140_424_345, 837_521


@dataclass(slots=True)
class Floor:
    """Everything is funded by operators, so that every balance has its postings."""

    world: World
    office: Office
    merchant: Merchant
    client: MerchantClient
    trader_id: str

    @classmethod
    def on(cls, world: World, mode: Mode = Mode.LIVE) -> Self:
        """Put a merchant and a trader with 1000 USDT each into a world."""
        office = office_on(world, AssignmentSeconds="1200")
        merchant, client = world.add_merchant()
        trader_id = world.add_trader(available_micro=0, mode=mode).trader_id
        operator = office.operator
        fund_merchant(office.funds, operator, merchant.merchant_id, FUNDS, mode=mode, memo="m")
        fund_trader(office.funds, office.traders, operator, trader_id, FUNDS, memo="m")
        return cls(world, office, merchant, client, trader_id)

    @property
    def ports(self) -> OperatorMovePorts:
        """The desk that an operator's moves work with."""
        return self.office.order_ports

    def buy(self, **parameters: Any) -> str:
        """Create a buy; give its order_no."""
        return str(self.client.create(buy(**parameters)).data["order_no"])

    def sell(self, **parameters: Any) -> str:
        """Create a sell; give its order_no."""
        return str(self.client.create(sell(**parameters)).data["order_no"])

    def order(self, order_no: str) -> Order:
        """Read an order as it is stored."""
        order = self.office.orders.order(order_no)
        assert order is not None
        return order

    def put(self, order: Order) -> None:
        """Write an order as it is given."""
        self.world.put("Orders", order_item(order))

    def move(self, order_no: str, what: Move, actor: Actor) -> Order:
        """Move an order as somebody else than an operator."""
        by = By(actor, self.trader_id if actor is Actor.TRADER else None)
        return move_order(order_no, what, by, self.ports.moves, self.office.operator.now())

    def overdue_buy(self) -> str:
        """Create a buy whose window is over, and that the sweep has not come by."""
        order_no = self.buy()
        over = self.office.operator.now() - 1
        self.put(replace(self.order(order_no), expire_time=over))
        return order_no

    def prove(self, order_no: str) -> None:
        """Give an order a receipt."""
        order = self.order(order_no)
        self.put(replace(order, receipts=(Receipt("secret-key", "image/png", 1, order.since),)))

    def disputed_buy(self) -> str:
        """Create a buy that its trader disputes."""
        order_no = self.buy()
        self.move(order_no, Move.PAY, Actor.PAYER)
        self.move(order_no, Move.DISPUTE, Actor.TRADER)
        return order_no

    def merchant_money(self, mode: Mode = Mode.LIVE) -> tuple[int, int]:
        """Give the merchant's available and held micro-USDT."""
        return self.world.balance(self.merchant, mode)

    def trader_money(self) -> tuple[int, int, int]:
        """Give the trader's available and held micro-USDT, and its count of open orders."""
        trader = self.world.trader(self.trader_id)
        return trader.available_micro, trader.held_micro, trader.open_orders

    def owned(self, kind: AccountKind, mode: Mode = Mode.LIVE) -> int:
        """Give what the merchant's account of a kind has available."""
        account = Account(kind, self.merchant.merchant_id, mode)
        return self.office.balances.balance(account).available_micro

    def postings(self, order_no: str) -> list[int]:
        """Give the amounts posted for an order, smallest first, in micro-USDT."""
        rows: list[Any] = self.world.items("Ledger")
        return sorted(row["amount_micro"] for row in rows if row.get("order_no") == order_no)

    def audit(self) -> list[Any]:
        """Give what the audit trail tells of orders, the newest last."""
        rows = [row for row in self.world.items("Audit") if str(row["action"])[:6] == "order."]
        return sorted(rows, key=lambda row: str(row["sk"]))

    def everything(self) -> list[list[Item]]:
        """Give all that is stored, to compare with."""
        tables = ("Orders", "Traders", "Ledger", "Audit")
        return [sorted(self.world.items(table), key=repr) for table in tables]

    def check_books(self) -> None:
        """Check that postings sum to zero, and each account's to what it owns."""
        posted: Counter[str] = Counter()
        owned: Counter[str] = Counter()
        rows: list[Any] = self.world.items("Ledger")
        for row in rows:
            if str(row["sk"]).startswith("posting#"):
                posted[row["pk"]] += row["amount_micro"]
            elif row["sk"] == "balance":
                account_key, _ = shard_of(row["pk"])
                owned[account_key] += row["available_micro"] + row["held_micro"]
        traders: list[Any] = self.world.items("Traders")
        for row in traders:
            account = Account(AccountKind.TRADER, row["trader_id"], Mode(row["mode"]))
            owned[account.key] += row["available_micro"] + row["held_micro"]
        assert sum(posted.values()) == 0
        assert +posted == +owned
        assert -posted == -owned
