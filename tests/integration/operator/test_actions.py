"""Operators' changes while others write the same items, and the audit trail."""

import pytest

from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.transactions import transact
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.merchants.merchant import MerchantStatus, MerchantTerms
from orderdesk.domain.operators import UnacceptableTerms, UnknownId
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.proposals import Sum
from orderdesk.domain.traders.trader import TraderTerms
from orderdesk.services.operator import merchants as onboard_merchants
from orderdesk.services.operator.desk_rules import set_rate
from orderdesk.services.operator.duty import Duty, set_duty
from orderdesk.services.operator.funds import move
from orderdesk.services.operator.moves import assign, cause_of, make
from orderdesk.services.operator.traders import add_trader, set_method
from tests.support.market import Market
from tests.support.offices import Office, office_on
from tests.support.seed import BANK_METHOD
from tests.support.world import World


def trail(world: World) -> list[Item]:
    return sorted(world.items("Audit"), key=lambda row: str(row["sk"]))


def test_every_action_is_audited_with_who_when_what_and_why(world: World, office: Office) -> None:
    operator = office.operator
    new = onboard_merchants.add_merchant(office, "商户", MerchantTerms(), "a")
    merchant_id = new.merchant.merchant_id
    onboard_merchants.set_status(office, merchant_id, MerchantStatus.SUSPENDED, "b")
    onboard_merchants.set_status(office, merchant_id, MerchantStatus.ACTIVE)
    onboard_merchants.set_terms(office, merchant_id, {"fees": {"service_bps": 60}})
    for what in onboard_merchants.Revoked:
        onboard_merchants.revoke_secret(office, merchant_id, what)
    account = Account(AccountKind.MERCHANT, merchant_id, Mode.TEST)
    move(office, "fund.merchant", Sum(account, 5), "c")
    trader_id = add_trader(office, "甲", Mode.TEST, TraderTerms(1, 2)).trader.trader_id
    set_method(office, trader_id, BANK_METHOD.account_key, BANK_METHOD)
    for duty in Duty:
        set_duty(office, trader_id, duty)
    set_rate(office, OrderType.BUY, 72_361)
    rows = trail(world)
    assert [(row["action"], row["target"]) for row in rows] == [
        ("merchant.add", merchant_id),
        ("merchant.suspend", merchant_id),
        ("merchant.resume", merchant_id),
        ("merchant.set", merchant_id),
        *[("merchant.revoke-secret", merchant_id)] * 3,
        ("fund.merchant", merchant_id),
        ("trader.add", trader_id),
        ("trader.add-method", trader_id),
        ("trader.online", trader_id),
        ("trader.offline", trader_id),
        ("trader.suspend", trader_id),
        ("rate.set", "buy"),
    ]
    assert {row["who"] for row in rows} == {operator.who}
    assert {row["arn"] for row in rows} == {operator.caller.arn}
    assert operator.caller.arn.startswith("arn:aws:")
    assert [row["reason"] for row in rows[:3]] == ["a", "b", ""]
    assert rows[1]["details"] == {"status": "active → suspended"}
    assert rows[3]["details"] == {"service_bps": "0 → 60"}
    assert rows[7]["reason"] == "c"
    assert rows[7]["details"] == {
        "amount_usdt": "0.000005",
        "account": f"merchant:{merchant_id}:test",
    }
    assert [row["details"] for row in rows[10:13]] == [
        {"duty": "offline → online"},
        {"duty": "online → offline"},
        {"duty": "offline → suspended"},
    ]
    assert rows[13]["details"] == {"rate": "7.2360 → 7.2361"}
    kept = repr(rows)
    assert not [secret for secret in ("sk_", "whsec_", BANK_METHOD.card_number) if secret in kept]


@pytest.mark.parametrize(
    ("side", "crossing", "equal"),
    [(OrderType.BUY, 71_639, 71_640), (OrderType.SELL, 72_361, 72_360)],
)
def test_the_sell_rate_never_exceeds_the_buy_rate(
    world: World, office: Office, side: OrderType, crossing: int, equal: int
) -> None:
    """World's rates are 7.2360 and 7.1640."""
    with pytest.raises(UnacceptableTerms, match="rate: must be at"):
        set_rate(office, side, crossing, is_confirmed=True)
    assert trail(world) == []
    assert set_rate(office, side, equal).rate_e4 == equal


def test_an_unknown_order(market: Market) -> None:
    with pytest.raises(UnknownId, match="no such order: B1"):
        assign("B1", market.trader_id, market.office)
    steps = {row.move for row in TRANSITIONS if Actor.OPERATOR in row.actors} - {Move.ASSIGN}
    for step in sorted(steps):
        with pytest.raises(UnknownId, match="no such order: B1"):
            make("B1", cause_of(step, "why"), market.office)


def test_the_trail_is_read_over_months_from_a_time_on(world: World) -> None:
    office = office_on(world)
    december, january = 1_767_225_599, 1_767_225_600  # the last and the first second
    for seconds in (january, december, january + 1):
        entry = AuditEntry(f"id{seconds}", seconds * 1_000_000, "who", "test", str(seconds))
        transact(world.client, audit_writes(world.tables, entry), f"token-{seconds}")
    months = ["2025-12", "2026-01"]
    read = [int(e.target) for e in office.audit.entries(months, december * 1_000_000)]
    assert read == [december, january, january + 1]
    later = [int(e.target) for e in office.audit.entries(months, january * 1_000_000)]
    assert later == [january, january + 1]
