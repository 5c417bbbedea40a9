"""`order.reverse`, `order.claim`: two people change what an ended order paid (section 6)."""

from typing import Any

import pytest

from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.callbacks.events import callback_type
from orderdesk.domain.ledger.seals import FindingKind
from orderdesk.domain.money import format_usdt
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.web.merchant.views import order_facts
from tests.support.money_world import MoneyWorld, Step
from tests.support.operator_api import OperatorApi
from tests.support.sealing import Sealer, sealable
from tests.support.world import World

FIRST, SECOND, VIEWER = "finance-1", "finance-2", "viewer-1"
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
    assert "20 reversals, which is the most" in reverse(api, order, "0.01")[1]["data"]["detail"]
    other = completed(money, OrderType.BUY, Mode.TEST)
    money.now += 180 * DAY
    assert "more than 180 days ago" in reverse(api, other)[1]["data"]["detail"]


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


PAID, REJECTED = "paid", "rejected"


def ids(money: MoneyWorld) -> tuple[str, str]:
    """Return the former trader, and the one who has the sell afterwards."""
    return money.traders[0].trader_id, money.traders[1].trader_id


def claimed(money: MoneyWorld, *, completed: bool, number: str | None = None) -> str:
    """Return a sell with a claim of its former trader, a new one by default."""
    number = number or money.create(OrderType.SELL, 1000_00)
    return money.claimed_sell(number, completed=completed)


def decide(
    api: OperatorApi, person: str, number: str, trader_id: str, verdict: str
) -> tuple[int, Any]:
    return api.call(
        *(person, "order.claim"),
        order_no=number,
        trader_id=trader_id,
        verdict=verdict,
        reason="proofs",
    )


def decided(api: OperatorApi, number: str, trader_id: str, verdict: str) -> Any:
    """Propose and approve a decision; return the order as operators see it."""
    status, envelope = decide(api, FIRST, number, trader_id, verdict)
    assert status == 200, envelope
    made = envelope["data"]["proposal"]
    assert trader_id in made["summary"]
    api.data(SECOND, "proposal.approve", proposal_no=made["proposal_no"])
    return api.data(VIEWER, "order.show", order_no=number)


def available(money: MoneyWorld, kind: AccountKind, owner: str) -> int:
    return money.balance(Account(kind, owner, Mode.LIVE)).available_micro


def assert_sealed(money: MoneyWorld, sealer: Sealer) -> None:
    money.check()
    money.now = sealable(money.now)
    assert sealer.found() == []


def test_a_completed_sells_usdt_goes_to_the_trader_who_has_paid(
    money: MoneyWorld, api: OperatorApi
) -> None:
    former, other = ids(money)
    sealer = Sealer(money.seed, lambda: money.now)
    number = claimed(money, completed=True)
    before = [available(money, AccountKind.TRADER, each) for each in (former, other)]
    shown = decided(api, number, former, PAID)
    part = money.order(number).quote.trader_micro
    after = [available(money, AccountKind.TRADER, each) for each in (former, other)]
    assert [now - then for now, then in zip(after, before, strict=True)] == [part, -part]
    [claim] = shown["claims"]
    assert (claim["claim"], claim["trader_id"], shown["status"]) == (PAID, former, "completed")
    assert money.order(number).sequence == len(money.order(number).timeline), "no callback"
    again = decide(api, FIRST, number, former, PAID)
    assert (again[0], again[1]["code"]) == (409, 2003)
    _, reverse = api.call(FIRST, "order.reverse", order_no=number, usdt="all", reason="r")
    assert reverse["code"] == 2003, "its trader no longer has it"
    assert "order.reverse" not in [each["command"] for each in shown["actions"]]
    assert_sealed(money, sealer)


def test_a_cancelled_sell_is_paid_by_its_merchant_and_reported(
    money: MoneyWorld, api: OperatorApi
) -> None:
    former, _ = ids(money)
    sealer = Sealer(money.seed, lambda: money.now)
    number = claimed(money, completed=False)
    seen = money.order(number)
    owners = [(AccountKind.MERCHANT, seen.merchant_id), (AccountKind.FEE, seen.merchant_id)]
    owners.append((AccountKind.TRADER, former))
    before = [available(money, *each) for each in owners]
    shown = decided(api, number, former, PAID)
    after = [available(money, *each) for each in owners]
    quote = seen.quote
    gained = [now - then for now, then in zip(after, before, strict=True)]
    assert gained[0] == -quote.merchant_actual_micro
    assert gained[2] == quote.trader_micro
    assert sum(gained) == 0
    order = money.order(number)
    assert shown["status"] == order.status.value == "cancelled"
    kind = callback_type(seen, order)
    assert kind is not None
    assert kind.value == "order.reversed"
    data = order_facts(order, order.status)
    assert data["claimed_usdt"] == shown["merchant_actual_amount"]
    assert_sealed(money, sealer)


def test_a_rejected_claim_moves_nothing_and_leaves_the_queue(
    money: MoneyWorld, api: OperatorApi
) -> None:
    former, _ = ids(money)
    sealer = Sealer(money.seed, lambda: money.now)
    numbers = [claimed(money, completed=completed) for completed in (True, False)]
    listed = api.data(VIEWER, "order.list", claims=True)["items"]
    assert {row["order_no"] for row in listed} == set(numbers)
    before = money.seed.items(money.seed.tables.ledger)
    postings = [row for row in before if str(row["sk"]).startswith("posting#")]
    for number in numbers:
        shown = decided(api, number, former, REJECTED)
        assert [each["claim"] for each in shown["claims"]] == [REJECTED]
        assert shown["evidence"][-1]["trader_id"] == former
    after = money.seed.items(money.seed.tables.ledger)
    assert len(postings) == sum(str(row["sk"]).startswith("posting#") for row in after)
    assert api.data(VIEWER, "order.list", claims=True)["items"] == []
    assert_sealed(money, sealer)


def test_only_a_late_proof_of_an_ended_sell_is_a_claim(money: MoneyWorld, api: OperatorApi) -> None:
    former, other = ids(money)
    number = money.create(OrderType.SELL, 1000_00)
    assert decide(api, FIRST, number, former, PAID)[1]["data"]["status"] == "matching"
    ended = claimed(money, completed=True)
    assert decide(api, FIRST, ended, other, PAID)[1]["code"] == 2003
    assert decide(api, FIRST, "S1", other, PAID)[1]["code"] == 2002
    assert decide(api, FIRST, ended, former, "maybe")[1]["code"] == 1002


def test_what_is_no_longer_paid_can_still_be_rejected(money: MoneyWorld, api: OperatorApi) -> None:
    former, other = ids(money)
    reversed_whole, old = (claimed(money, completed=completed) for completed in (True, False))
    money.reverse(reversed_whole, money.order(reversed_whole).quote.usdt_micro)
    both = money.create(OrderType.SELL, 1000_00)
    for trader_id in (former, other):
        money.do(Step(both, Actor.OPERATOR, Move.ASSIGN, trader_id))
        money.do(Step(both, Actor.OPERATOR, Move.UNASSIGN))
    money.do(Step(both, Actor.MERCHANT, Move.CANCEL))
    for trader_id in (former, other):
        money.prove_late(both, trader_id)
    decided(api, both, former, PAID)
    account = Account(AccountKind.MERCHANT, money.order(both).merchant_id, Mode.LIVE)
    money.withdraw(account, money.balance(account).available_micro)
    for number, trader_id, why in [
        (reversed_whole, former, "nothing of it is left"),
        (both, other, f"was paid to trader {former}"),
        (old, former, "more than 180 days ago"),
    ]:
        money.now += 180 * DAY if number == old else 0
        assert why in decide(api, FIRST, number, trader_id, PAID)[1]["data"]["detail"]
        decided(api, number, trader_id, REJECTED)
    money.check()


def test_what_the_merchant_or_trader_no_longer_has_is_not_paid(
    money: MoneyWorld, api: OperatorApi
) -> None:
    former, other = ids(money)
    for completed in (True, False):
        number = claimed(money, completed=completed)
        kind = AccountKind.TRADER if completed else AccountKind.MERCHANT
        owner = other if completed else money.order(number).merchant_id
        account = Account(kind, owner, Mode.LIVE)
        money.withdraw(account, money.balance(account).available_micro - 1)
        made = decide(api, FIRST, number, former, PAID)[1]["data"]["proposal"]
        asked = {"proposal_no": made["proposal_no"]}
        assert api.call(SECOND, "proposal.approve", **asked)[1]["code"] == 2102
        assert api.data(VIEWER, "proposal.show", **asked)["status"] == "open"
    money.check()


def test_after_a_reversal_only_the_rest_is_paid(money: MoneyWorld, api: OperatorApi) -> None:
    former, other = ids(money)
    sealer = Sealer(money.seed, lambda: money.now)
    number = claimed(money, completed=True)
    order = money.order(number)
    money.reverse(number, order.quote.usdt_micro // 3)
    before = available(money, AccountKind.TRADER, other)
    decided(api, number, former, PAID)
    taken = before - available(money, AccountKind.TRADER, other)
    assert 0 < taken < order.quote.trader_micro * 2 // 3 + 2
    assert_sealed(money, sealer)


def test_a_cancelled_refund_takes_from_its_buy_again(money: MoneyWorld, api: OperatorApi) -> None:
    former, _ = ids(money)
    bought = money.completed(OrderType.BUY)
    number = claimed(money, completed=False, number=money.refund(money.order(bought), 600_00))
    assert money.order(bought).undone.refunds == ()
    decided(api, number, former, PAID)
    assert [each.order_no for each in money.order(bought).undone.refunds] == [number]
    second = claimed(money, completed=False, number=money.refund(money.order(bought), 400_00))
    money.refund(money.order(bought), 400_00)
    made = decide(api, FIRST, second, former, PAID)[1]["data"]["proposal"]
    _, refused = api.call(SECOND, "proposal.approve", proposal_no=made["proposal_no"])
    assert refused["code"] == 2003, "another refund has taken it"
    money.check()
