"""Operators' changes while others write the same items, and their audit entries."""

from dataclasses import replace

import pytest

from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.domain.errors import ChangedMeanwhile, TryAgain
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.merchants.merchant import MerchantTerms
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import NewerRate, UnacceptableTerms
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.domain.proposals import Sum
from orderdesk.domain.traders.trader import TraderTerms
from orderdesk.services.operator import merchants as onboard_merchants
from orderdesk.services.operator.duty import Duty, set_duty
from orderdesk.services.operator.funds import fund
from orderdesk.services.operator.rates import set_rate
from orderdesk.services.operator.traders import add_method, add_trader
from tests.support.merchant_client import buy
from tests.support.money_world import Interruption
from tests.support.offices import Office
from tests.support.seed import BANK_METHOD, WECHAT_METHOD
from tests.support.world import World


def trail(world: World) -> list[Item]:
    return sorted(world.items("Audit"), key=lambda row: str(row["sk"]))


def test_a_claim_during_an_operators_change_keeps_its_hold(world: World, office: Office) -> None:
    trader = world.add_trader()
    _merchant, client = world.add_merchant()
    raced = Interruption(office.traders, "change")
    raced.then = lambda: client.create(buy())
    set_duty(office.traders, office.operator, trader.trader_id, Duty.OFFLINE)
    now = world.trader(trader.trader_id)
    assert raced.calls == 1, "a claim does not change the version, so it cannot delay an operator"
    assert (now.counts.open_orders, now.counts.held_micro) == (1, 138_197_899)
    assert (now.online, now.version) == (False, trader.version + 1)


def test_a_claim_made_on_what_an_operator_changed_is_lost(world: World, office: Office) -> None:
    trader = world.add_trader()
    _merchant, client = world.add_merchant()
    set_duty(office.traders, office.operator, trader.trader_id, Duty.SUSPENDED)
    assert client.create(buy()).code == 2101
    assert world.trader(trader.trader_id) == replace(
        trader, online=False, suspended=True, version=trader.version + 1
    )


def test_two_operators_at_once_both_have_their_way(world: World, office: Office) -> None:
    trader = world.add_trader(methods=())

    def add(method: PaymentMethod) -> None:
        add_method(office.traders, office.operator, trader.trader_id, method)

    raced = Interruption(office.traders, "change")
    raced.then = lambda: add(WECHAT_METHOD)
    add(BANK_METHOD)
    assert raced.calls == 3, "the other operator's, the one that lost, and its retry"
    assert world.trader(trader.trader_id).methods == (WECHAT_METHOD, BANK_METHOD)
    assert len(trail(world)) == 2


def test_an_operator_who_always_loses_is_told_to_try_again(world: World, office: Office) -> None:
    trader = world.add_trader()

    raced = Interruption(office.traders, "change")

    def quicker() -> None:
        raced.then = quicker
        raise ChangedMeanwhile

    raced.then = quicker
    with pytest.raises(TryAgain):
        set_duty(office.traders, office.operator, trader.trader_id, Duty.OFFLINE)
    assert 1 < raced.calls < 50
    assert trail(world) == []


def test_every_action_is_audited_with_who_when_what_and_why(world: World, office: Office) -> None:
    operator, merchants, traders = office.operator, office.merchants, office.traders
    merchant_id = onboard_merchants.add_merchant(
        merchants, office.vault, operator, "商户", MerchantTerms(), allow_loopback=False, reason="a"
    ).merchant.merchant_id
    onboard_merchants.suspend_merchant(merchants, operator, merchant_id, "b")
    onboard_merchants.resume_merchant(merchants, operator, merchant_id)
    onboard_merchants.set_terms(
        merchants, operator, merchant_id, {"fees": {"service_bps": 60}}, allow_loopback=False
    )
    for what in onboard_merchants.Revoked:
        onboard_merchants.revoke_secret(merchants, office.vault, operator, merchant_id, what=what)
    account = Account(AccountKind.MERCHANT, merchant_id, Mode.TEST)
    fund(office.funds, operator, Sum(account, 5), "c")
    trader_id = add_trader(traders, operator, "甲", Mode.TEST, TraderTerms(1, 2)).trader.trader_id
    add_method(traders, operator, trader_id, BANK_METHOD)
    for duty in Duty:
        set_duty(traders, operator, trader_id, duty)
    set_rate(merchants, operator, OrderType.BUY, 72_361)
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


def test_doing_again_what_is_done_writes_nothing(world: World, office: Office) -> None:
    merchant, _client = world.add_merchant()
    trader = world.add_trader()
    onboard_merchants.resume_merchant(office.merchants, office.operator, merchant.merchant_id)
    set_duty(office.traders, office.operator, trader.trader_id, Duty.ONLINE)
    assert trail(world) == []
    assert world.trader(trader.trader_id) == trader


def test_what_is_refused_leaves_no_trace(world: World, office: Office) -> None:
    merchant, _client = world.add_merchant()
    before = world.items("Merchants")
    with pytest.raises(UnacceptableTerms):
        onboard_merchants.set_terms(
            office.merchants,
            office.operator,
            merchant.merchant_id,
            {"min_cny_fen": 2, "max_cny_fen": 1},
            allow_loopback=False,
        )
    with pytest.raises(UnacceptableTerms):
        onboard_merchants.suspend_merchant(
            office.merchants, office.operator, merchant.merchant_id, "two\nlines"
        )
    assert world.items("Merchants") == before
    assert trail(world) == []


def test_an_older_rate_never_replaces_a_newer_one(world: World, office: Office) -> None:
    late = replace(office.operator, now_us=lambda: 4_000_000_000_000_000)
    before = office.merchants.rates()[OrderType.SELL].rate_e4
    set_rate(office.merchants, late, OrderType.SELL, 71_000)
    with pytest.raises(NewerRate):
        set_rate(office.merchants, office.operator, OrderType.SELL, 72_000)
    stored = office.merchants.rates()[OrderType.SELL]
    assert stored == BaseRate(71_000, "operator", 4_000_000_000, approved_e4=before)
    assert len(trail(world)) == 1


@pytest.mark.parametrize(
    ("side", "crossing", "equal"),
    [(OrderType.BUY, 71_639, 71_640), (OrderType.SELL, 72_361, 72_360)],
)
def test_the_sell_rate_never_exceeds_the_buy_rate(
    world: World, office: Office, side: OrderType, crossing: int, equal: int
) -> None:
    """World's rates are 7.2360 and 7.1640."""
    with pytest.raises(UnacceptableTerms, match="rate: must be at"):
        set_rate(office.merchants, office.operator, side, crossing, is_confirmed=True)
    assert trail(world) == []
    assert set_rate(office.merchants, office.operator, side, equal).rate_e4 == equal


def test_two_who_set_both_rates_at_once_never_cross_them(world: World, office: Office) -> None:
    raced = Interruption(office.merchants, "set_rate")
    raced.then = lambda: set_rate(office.merchants, office.operator, OrderType.SELL, 72_000)
    with pytest.raises(UnacceptableTerms):
        set_rate(office.merchants, office.operator, OrderType.BUY, 71_900)
    assert {side.name: rate.rate_e4 for side, rate in office.merchants.rates().items()} == {
        "BUY": 72_360,
        "SELL": 72_000,
    }
