"""`order.reverse`: completed orders are undone, whole or in parts (contract section 6)."""

from typing import Any

import pytest

from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.ledger.seals import FindingKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from tests.support.money_world import MoneyWorld
from tests.support.operator_api import OperatorApi
from tests.support.sealing import Sealer, sealable
from tests.support.world import World

FIRST, SECOND = "finance-1", "finance-2"
DAY = 86_400


def completed(money: MoneyWorld, side: OrderType, mode: Mode = Mode.LIVE) -> Order:
    return money.order(money.completed(side, mode=mode))


def owned(money: MoneyWorld, order: Order) -> dict[AccountKind, int]:
    assert order.trader_id is not None
    owners = {AccountKind.TRADER: order.trader_id}
    return {
        kind: money.balance(
            Account(kind, owners.get(kind, order.merchant_id), order.mode)
        ).available_micro
        for kind in AccountKind
        if kind is not AccountKind.FUNDING
    }


def reverse(
    api: OperatorApi, order: Order, usdt: str = "all", reason: str = "paid twice"
) -> tuple[int, dict[str, Any]]:
    return api.call(FIRST, "order.reverse", order_no=order.order_no, usdt=usdt, reason=reason)


@pytest.fixture
def api(world: World, money: MoneyWorld, monkeypatch: pytest.MonkeyPatch) -> OperatorApi:
    """Return the API on a world whose clock the test sets."""
    monkeypatch.setattr("orderdesk.wiring.operators.pause_ms", lambda _: None)
    monkeypatch.setattr("orderdesk.wiring.operators.now_us", lambda: money.now * 10**6)
    return OperatorApi(world)


@pytest.mark.parametrize("side", OrderType)
def test_two_people_reverse_a_live_order_whole(
    money: MoneyWorld, api: OperatorApi, side: OrderType
) -> None:
    sealer = Sealer(money.seed, lambda: money.now)
    order = completed(money, side)
    after_completion = owned(money, order)
    _, envelope = reverse(api, order)
    proposal = envelope["data"]["proposal"]
    assert (proposal["status"], proposal["command"]) == ("open", "order.reverse")
    assert proposal["amount"] == format_usdt(order.quote.usdt_micro)
    status, refused = api.call(FIRST, "proposal.approve", proposal_no=proposal["proposal_no"])
    assert (status, refused["code"]) == (403, 2301)
    assert owned(money, order) == after_completion
    api.data(SECOND, "proposal.approve", proposal_no=proposal["proposal_no"])
    shown = api.data(SECOND, "order.show", order_no=order.order_no)
    assert (shown["status"], shown["reversible_usdt"]) == ("completed", "0.000000")
    assert shown["reversed_usdt"] == shown["usdt_amount"]
    assert [each["usdt"] for each in shown["reversals"]] == [shown["usdt_amount"]]
    sign = 1 if side is OrderType.BUY else -1
    changed = {k: owned(money, order)[k] - micro for k, micro in after_completion.items()}
    assert changed == {
        AccountKind.TRADER: sign * order.quote.trader_micro,
        AccountKind.MERCHANT: -sign * order.quote.merchant_actual_micro,
        AccountKind.DEPOSIT: -order.quote.deposit_micro,
        AccountKind.FEE: -order.quote.service_micro
        - abs(order.quote.usdt_micro - order.quote.trader_micro),
    }
    money.check()
    money.now = sealable(money.now)
    assert sealer.found() == []
    again = reverse(api, order)
    assert (again[0], again[1]["code"]) == (409, 2003)


def test_a_test_order_is_reversed_by_one_person_in_parts(
    money: MoneyWorld, api: OperatorApi
) -> None:
    order = completed(money, OrderType.BUY, Mode.TEST)
    first = reverse(api, order, "1")[1]["data"]
    assert (first["usdt"], first["reversed_usdt"]) == ("1.000000", "1.000000")
    assert first["effect"]["money"] == "reversed"
    over = reverse(api, order, format_usdt(order.quote.usdt_micro))
    assert (over[0], over[1]["code"]) == (409, 2003)
    rest = reverse(api, order)[1]["data"]
    assert rest["reversible_usdt"] == "0.000000"
    money.check()


def test_what_is_not_covered_stays_open(money: MoneyWorld, api: OperatorApi) -> None:
    order = completed(money, OrderType.BUY, Mode.TEST)
    own = Account(AccountKind.MERCHANT, order.merchant_id, Mode.TEST)
    money.withdraw(own, money.balance(own).available_micro - 40_000_000)
    done = reverse(api, order)[1]["data"]
    part = money.order(order.order_no).reversed_micro
    total, actual = order.quote.usdt_micro, order.quote.merchant_actual_micro
    assert actual * part // total <= 40_000_000 < actual * (part + 1) // total
    assert done["reversible_usdt"] == format_usdt(total - part)
    money.fund(AccountKind.MERCHANT, order.merchant_id, Mode.TEST)
    assert reverse(api, order)[1]["data"]["reversible_usdt"] == "0.000000"
    money.check()


def test_an_account_that_has_nothing_is_named(money: MoneyWorld, api: OperatorApi) -> None:
    order = completed(money, OrderType.BUY, Mode.TEST)
    own = Account(AccountKind.MERCHANT, order.merchant_id, Mode.TEST)
    money.withdraw(own, money.balance(own).available_micro)
    status, envelope = reverse(api, order)
    assert (status, envelope["code"]) == (409, 2102)
    assert own.key in envelope["data"]["detail"]


@pytest.mark.parametrize(
    ("usdt", "reason", "code"), [("0", "why", 1002), ("1", " ", 1002), ("x", "why", 1002)]
)
def test_what_is_no_reversal(
    money: MoneyWorld, api: OperatorApi, usdt: str, reason: str, code: int
) -> None:
    order = completed(money, OrderType.BUY, Mode.TEST)
    assert reverse(api, order, usdt, reason)[1]["code"] == code


def test_only_completed_orders_of_180_days_and_20_parts(
    money: MoneyWorld, api: OperatorApi
) -> None:
    pending = money.order(money.create(OrderType.BUY, 1000_00, Mode.TEST))
    status, envelope = reverse(api, pending)
    assert (status, envelope["data"]["status"]) == (409, "pending")
    order = completed(money, OrderType.BUY, Mode.TEST)
    for _ in range(20):
        assert reverse(api, order, "0.01")[0] == 200
    assert reverse(api, order, "0.01")[1]["code"] == 2003
    other = completed(money, OrderType.BUY, Mode.TEST)
    money.now += 180 * DAY
    assert reverse(api, other)[1]["code"] == 2003


def test_a_forged_reversal_is_found(money: MoneyWorld, api: OperatorApi) -> None:
    sealer = Sealer(money.seed, lambda: money.now)
    order = completed(money, OrderType.BUY, Mode.TEST)
    reverse(api, order, "1")
    row: Any = money.seed.get(money.seed.tables.orders, {"pk": order.order_no})
    row["reversals"][0][0] = "0123456789"
    money.seed.put(money.seed.tables.orders, row)
    money.now = sealable(money.now)
    found = {each.kind for each in sealer.found()}
    assert FindingKind.POSTING_WITHOUT_DECISION in found
    assert FindingKind.DECISION_WITHOUT_POSTING in found
