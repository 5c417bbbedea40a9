"""A merchant and traders, funded by operators so that every balance has its postings."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from orderdesk.adapters.dynamodb.marshal import Item, Value, to_item
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order, Receipt
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Sum
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.funds import move
from orderdesk.services.orders.move import move_order
from tests.support.books import assert_books
from tests.support.commands import command_on
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.offices import Office, Terminal, office_on
from tests.support.world import World

USDT = 1_000_000
FUNDS = 1000 * USDT
# The contract's worked orders of 1000 CNY (section 5).
BUY_USDT, BUY_MERCHANT, BUY_DEPOSIT, BUY_FEE = 138_197_899, 135_995_023, 1_373_688, 829_188
SELL_USDT, SELL_MERCHANT, SELL_FEE = 139_586_824, 140_424_345, 837_521


def fund(office: Office, merchant: Merchant, micro: int, trader: Trader, trader_micro: int) -> None:
    """Fund a merchant and a trader in the trader's mode, as an operator does."""
    mode = trader.mode
    for account, own in (
        (Account(AccountKind.MERCHANT, merchant.merchant_id, mode), micro),
        (Account(AccountKind.TRADER, trader.trader_id, mode), trader_micro),
    ):
        move(office, command_on("fund", account), Sum(account, own), "m")


@dataclass(slots=True)
class Market:
    """A merchant and a trader with 1000 USDT each, their orders, and an operator's office."""

    world: World
    office: Office
    merchant: Merchant
    client: MerchantClient
    trader_id: str

    @classmethod
    def on(cls, world: World, mode: Mode = Mode.LIVE) -> Self:
        office = office_on(world)
        merchant, client = world.add_merchant()
        trader = world.add_trader(available_micro=0, mode=mode)
        fund(office, merchant, FUNDS, trader, FUNDS)
        return cls(world, office, merchant, client, trader.trader_id)

    def buy(self, **parameters: Any) -> str:
        """Create a buy; return its order_no."""
        return str(self.client.create(buy(**parameters)).data["order_no"])

    def sell(self, **parameters: Any) -> str:
        """Create a sell; return its order_no."""
        return str(self.client.create(sell(**parameters)).data["order_no"])

    def order(self, order_no: str) -> Order:
        order = self.office.orders.order(order_no)
        assert order is not None
        return order

    def put(self, order: Order) -> None:
        self.world.put("Orders", order_item(order))

    def move(self, order_no: str, what: Move, actor: Actor) -> Order:
        """Move an order as an actor that is not an operator."""
        by = By(actor, self.trader_id if actor is Actor.TRADER else None)
        return move_order(order_no, what, by, self.office.moves, self.office.operator.now())

    def overdue_buy(self) -> str:
        """Create a buy whose window is over, but that no sweep has expired."""
        order_no = self.buy()
        over = self.office.operator.now() - 1
        self.put(replace(self.order(order_no), expire_time=over))
        return order_no

    def prove(self, order_no: str) -> None:
        order = self.order(order_no)
        self.put(replace(order, receipts=(Receipt("secret-key", "image/png", 1, order.since),)))

    def disputed_buy(self) -> str:
        """Create a buy that its trader disputes."""
        order_no = self.buy()
        self.move(order_no, Move.PAY, Actor.PAYER)
        self.move(order_no, Move.DISPUTE, Actor.TRADER)
        return order_no

    def merchant_money(self, mode: Mode = Mode.LIVE) -> tuple[int, int]:
        """Return the merchant's available and held micro-USDT."""
        return self.world.balance(self.merchant, mode)

    def trader_money(self) -> tuple[int, int, int]:
        """Return the trader's available and held micro-USDT, and its number of open orders."""
        trader = self.world.trader(self.trader_id)
        return trader.counts.available_micro, trader.counts.held_micro, trader.counts.open_orders

    def owned(self, kind: AccountKind, mode: Mode = Mode.LIVE) -> int:
        """Return the available micro-USDT of one of the merchant's accounts."""
        account = Account(kind, self.merchant.merchant_id, mode)
        return self.office.funds.balance(account).available_micro

    def postings(self, order_no: str) -> list[int]:
        """Return the amounts posted for an order, smallest first, in micro-USDT."""
        rows: list[Any] = self.world.items("Ledger")
        return sorted(row["amount_micro"] for row in rows if row.get("order_no") == order_no)

    def audit(self) -> list[Any]:
        """Return the audit entries about orders, the newest last."""
        rows = [row for row in self.world.items("Audit") if str(row["action"])[:6] == "order."]
        return sorted(rows, key=lambda row: str(row["sk"]))

    def everything(self) -> list[list[Item]]:
        """Return all stored items, to compare with a later state."""
        tables = ("Orders", "Traders", "Ledger", "Audit")
        return [sorted(self.world.items(table), key=repr) for table in tables]

    def check_books(self) -> None:
        rows = self.world.items("Traders")
        traders = {str(row["trader_id"]) for row in rows if row.get("kind") != "amount"}
        assert_books(self.world, {self.merchant.merchant_id}, traders)


@dataclass
class FundedBooks:
    """A merchant and a trader in each mode, with an open buy and an open sell in each mode."""

    world: World
    terminal: Terminal
    merchant: Merchant
    client: MerchantClient
    traders: Mapping[Mode, Trader]

    def key(self, mode: Mode = Mode.LIVE) -> str:
        return f"merchant:{self.merchant.merchant_id}:{mode.value}"

    def trader_key(self) -> str:
        return f"trader:{self.traders[Mode.LIVE].trader_id}:live"

    def set(self, table: str, key: Mapping[str, str], name: str, value: Value) -> None:
        self.world.client.update_item(
            TableName=table,
            Key=to_item(key),
            UpdateExpression="SET #name = :value",
            ExpressionAttributeNames={"#name": name},
            ExpressionAttributeValues=to_item({":value": value}),
        )

    def posting(self, account_key: str) -> Any:
        """Return an account's first posting."""
        rows = [row for row in self.world.items("Ledger") if row["pk"] == account_key]
        return next(row for row in rows if str(row["sk"]).startswith("posting#"))

    def refused(self) -> tuple[list[str], Any]:
        """Run `ledger check`, which must fail; return its lines and its JSON document."""
        shown = self.terminal.run("ledger", "check")
        printed = self.terminal.run("ledger", "check", "--json")
        assert (shown.exit_code, printed.exit_code) == (1, 1)
        document = json.loads(printed.stdout)
        assert document["balanced"] is False
        assert printed.stderr == shown.stderr
        return shown.stderr.splitlines(), document


def funded_books(world: World) -> FundedBooks:
    terminal = Terminal(world)
    merchant, client = world.add_merchant()
    traders = {mode: world.add_trader(mode=mode, available_micro=0) for mode in Mode}
    for trader in traders.values():
        fund(terminal.office, merchant, FUNDS, trader, 5 * FUNDS)
    for route in ("merchant", "test"):
        for order in (buy(), sell()):
            assert client.create(order, route=route).code == 1
    return FundedBooks(world, terminal, merchant, client, traders)
