"""Books on moto's tables whose money operators brought in, and orders that hold of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orderdesk.adapters.dynamodb.marshal import Value, to_item
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.modes import Mode
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.funds import fund_merchant, fund_trader
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.offices import Terminal, office_on
from tests.support.world import World

USDT = 1_000_000


@dataclass
class FundedBooks:
    """A merchant and traders of both modes, funded by an operator."""

    world: World
    terminal: Terminal
    merchant: Merchant
    client: MerchantClient
    traders: Mapping[Mode, Trader]

    def key(self, mode: Mode = Mode.LIVE) -> str:
        """Give the merchant's account."""
        return f"merchant:{self.merchant.merchant_id}:{mode.value}"

    def trader_key(self) -> str:
        """Give the live trader's account."""
        return f"trader:{self.traders[Mode.LIVE].trader_id}:live"

    def set(self, table: str, key: Mapping[str, str], name: str, value: Value) -> None:
        """Falsify one attribute by hand."""
        self.world.client.update_item(
            TableName=table,
            Key=to_item(key),
            UpdateExpression="SET #name = :value",
            ExpressionAttributeNames={"#name": name},
            ExpressionAttributeValues=to_item({":value": value}),
        )

    def posting(self, account_key: str) -> Any:
        """Give an account's first posting."""
        rows = [row for row in self.world.items("Ledger") if row["pk"] == account_key]
        return next(row for row in rows if str(row["sk"]).startswith("posting#"))

    def refused(self) -> tuple[list[str], Any]:
        """Check books that do not balance, both ways; give the lines and the document."""
        shown = self.terminal.run("ledger", "check")
        told = self.terminal.run("ledger", "check", "--json")
        assert (shown.exit_code, told.exit_code) == (1, 1)
        document = json.loads(told.stdout)
        assert document["balanced"] is False
        assert told.stderr == shown.stderr
        return shown.stderr.splitlines(), document


def funded_books(world: World) -> FundedBooks:
    """Fund a merchant and a trader in each mode, and open a buy and a sell in each."""
    terminal = Terminal(office_on(world))
    office = terminal.office
    merchant, client = world.add_merchant()
    traders = {mode: world.add_trader(mode=mode, available_micro=0) for mode in Mode}
    for mode in Mode:
        fund_merchant(
            *(office.funds, office.operator, merchant.merchant_id, 1000 * USDT),
            mode=mode,
            memo="m",
        )
        fund_trader(
            *(office.funds, office.traders, office.operator),
            *(traders[mode].trader_id, 5000 * USDT),
            memo="m",
        )
    for route in ("merchant", "test"):
        for order in (buy(), sell()):
            assert client.create(order, route=route).code == 1
    return FundedBooks(world, terminal, merchant, client, traders)
