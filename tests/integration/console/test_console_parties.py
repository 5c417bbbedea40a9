"""Traders, merchants, callbacks, waiting sells, the report and the ledger in the console."""

import pytest
from botocore.exceptions import ClientError
from orderdesk_cli.wiring import Office

from orderdesk.domain.audit import month_of
from orderdesk.domain.modes import Mode
from tests.support.console_guest import Guest
from tests.support.market import funded_books
from tests.support.merchant_client import sell
from tests.support.world import World


def actions(office: Office) -> list[tuple[str, str]]:
    entries = office.audit.entries([month_of(office.now_us())], 0)
    return [(entry.action, entry.reason) for entry in entries]


def test_a_traders_duty_and_limits(world: World, guest: Guest, office: Office) -> None:
    trader = world.add_trader(name="甲", daily_cap_fen=5_000_00)
    place = f"traders/{trader.trader_id}"
    assert "Online: 1 of 1" in guest.text("traders")
    assert "6200000000000001234" not in guest.text(place)
    assert "Take this trader offline?" in guest.text(f"{place}/duty/offline")
    guest.post(f"{place}/duty/offline", reason="asleep")
    assert not world.trader(trader.trader_id).online
    guest.post(f"{place}/duty/suspend")
    assert world.trader(trader.trader_id).suspended
    guest.post(f"{place}/duty/online")
    assert world.trader(trader.trader_id).online
    assert 'value="5000.00"' in guest.text(f"{place}/limits")
    guest.post(f"{place}/limits", min_cny="10", max_cny="20.50", max_open="3", daily_cny="")
    now = world.trader(trader.trader_id)
    assert (now.min_cny_fen, now.max_cny_fen, now.max_open) == (10_00, 20_50, 3)
    assert now.daily_cap_fen is None
    limits = {"min_cny": "10", "max_cny": "20", "unique_amounts": "yes"}
    assert "of one amount on one method" in guest.text(f"{place}/limits")
    guest.post(f"{place}/limits", **limits)
    assert world.trader(trader.trader_id).unique_amounts
    guest.post(f"{place}/limits", **limits | {"unique_amounts": "no"})
    assert not world.trader(trader.trader_id).unique_amounts
    assert guest.post(f"{place}/limits", min_cny="10", max_cny="9").status_code == 422
    assert guest.post(f"{place}/limits", min_cny="10").status_code == 422
    assert guest.get(f"{place}/duty/asleep").status_code == 404
    assert guest.get("traders/nobody").status_code == 404
    assert actions(office) == [
        ("trader.offline", "asleep"),
        ("trader.suspend", ""),
        ("trader.online", ""),
        *[("trader.set", "")] * 3,
    ]


def test_a_merchant_is_suspended_and_resumed(world: World, guest: Guest, office: Office) -> None:
    merchant, _ = world.add_merchant(name="shop")
    world.fund(merchant, 12_000_000)
    place = f"merchants/{merchant.merchant_id}"
    assert merchant.merchant_id in guest.text("merchants")
    page = guest.text(place)
    assert "12.000000" in page
    assert merchant.api_key not in page
    assert "Suspend this merchant?" in guest.text(f"{place}/suspend")
    guest.post(f"{place}/suspend", reason="fraud")
    assert f"{place}/resume" in guest.text(place)
    assert "Resume this merchant?" in guest.text(f"{place}/resume")
    guest.post(f"{place}/resume")
    assert actions(office) == [("merchant.suspend", "fraud"), ("merchant.resume", "")]


LIMITS = {
    "min_cny": "1",
    "max_cny": "500.50",
    "max_open_buys": "7",
    "max_open_cny": "3000",
    "max_rps": "20",
    "require_receipt": "yes",
}


def test_a_merchants_limits(world: World, guest: Guest, office: Office) -> None:
    merchant, _ = world.add_merchant()
    place = f"merchants/{merchant.merchant_id}/limits"
    assert 'value="10000"' in guest.text(place)
    assert guest.post(place, **LIMITS, reason="grown").status_code == 200
    stored = office.merchants.merchant(merchant.merchant_id)
    assert stored is not None
    now = stored.terms
    assert (now.min_cny_fen, now.max_cny_fen, now.max_open_cny_fen) == (1_00, 500_50, 3000_00)
    assert (now.max_open_buys, now.max_rps, now.require_receipt) == (7, 20, True)
    assert now.fees == merchant.terms.fees
    for wrong in ({"max_open_buys": ""}, {"max_rps": "9999"}, {"max_cny": "0.50"}):
        assert guest.post(place, **{**LIMITS, **wrong}).status_code == 422
    assert actions(office) == [("merchant.set", "grown")]


def test_the_waiting_sells(world: World, guest: Guest) -> None:
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**12)
    world.fund(merchant, 10**12, Mode.TEST)
    live = client.create(sell()).data["order_no"]
    test = client.create(sell(), route="test").data["order_no"]
    page = guest.text("sells")
    assert page.index(live) < page.index(test)


def test_the_report_and_the_ledger(world: World, guest: Guest) -> None:
    books = funded_books(world)
    page = guest.text("report")
    assert "Completed volume by hour" in page
    assert "pending" in page
    with_books = guest.text("report", books="1", mode="live")
    assert "Every account closes" in with_books
    assert books.merchant.merchant_id in with_books
    assert guest.get("report", date="2999-01-01").status_code == 409
    assert guest.get("report", date="soon").status_code == 422
    assert "Check now" in guest.text("ledger")
    assert "The ledger balances" in guest.text("ledger", run="1")
    books.set("Ledger", {"pk": books.key(), "sk": "balance"}, "available_micro", 1)
    assert f"{books.key()}: owns" in guest.text("ledger", run="1")


def test_a_right_that_is_missing_is_named(
    guest: Guest, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        message = (
            "User: arn:aws:iam::1:user/viewer is not authorized to perform: dynamodb:Scan on "
            "resource: arn:aws:dynamodb:us-east-1:1:table/Traders because no identity-based policy"
        )
        told = {"Code": "AccessDeniedException", "Message": message}
        raise ClientError({"Error": told}, "Scan")  # type: ignore[typeddict-item]

    monkeypatch.setattr(office.traders, "traders", refuse)
    answer = guest.get("traders")
    assert answer.status_code == 403
    assert "dynamodb:Scan on arn:aws:dynamodb:us-east-1:1:table/Traders" in answer.text
    assert "You do not have the right" in answer.text
