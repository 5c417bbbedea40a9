"""Every page of the console, in both languages, with data of each kind."""

from tests.support.console_guest import Guest
from tests.support.market import Market


def test_pages(market: Market, guest: Guest) -> None:
    number = market.sell()
    market.buy()
    for path in (
        "orders",
        "disputes",
        "sells",
        f"orders/{number}",
        "merchants",
        "traders",
        "audit",
        f"traders/{market.trader_id}",
        f"merchants/{market.merchant.merchant_id}",
        "rates",
        "callbacks",
        "proposals",
        "report",
        "ledger",
        "ledger?run=1",
        f"traders/{market.trader_id}/limits",
        f"orders/{number}/assign",
        f"orders/{number}/cancel",
    ):
        a = guest.client.get(f"{guest.root}/{path}")
        print(path, a.status_code)
        if a.status_code != 200:
            print(a.text[-1500:])
    assert 0
