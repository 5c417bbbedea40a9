"""Every account has a way in and a way out (contract sections 6 and 11)."""

from typing import Any

import pytest

from orderdesk.domain.accounts import Account, AccountKind, TransferKind
from orderdesk.domain.money import format_usdt
from orderdesk.domain.pricing import Mode, OrderType
from tests.support.money_world import MoneyWorld
from tests.support.operator_api import OperatorApi
from tests.support.sealing import Sealer, sealable

FIRST = "finance-1"
OUT = {
    AccountKind.MERCHANT: "withdraw.merchant",
    AccountKind.TRADER: "withdraw.trader",
    AccountKind.DEPOSIT: "deposit.release",
    AccountKind.FEE: "fees.withdraw",
}


@pytest.fixture
def traded(money: MoneyWorld) -> MoneyWorld:
    """Return a world in which each account of the first merchant has something, in both modes."""
    for mode in Mode:
        money.completed(OrderType.BUY, mode=mode)
    return money


def asked(account: Account, amount: str) -> dict[str, Any]:
    owner = "trader_id" if account.kind is AccountKind.TRADER else "merchant_id"
    fields: dict[str, Any] = {owner: account.owner, "amount": amount, "memo": "out"}
    return fields | {"is_test": account.mode.is_test}


def test_a_rejected_release_gives_back_and_the_seal_knows_every_way_out(traded: MoneyWorld) -> None:
    sealer = Sealer(traded.seed, lambda: traded.now)
    for kind in OUT:
        account = traded.withdrawn_account(kind, Mode.LIVE)
        before = traded.balance(account)
        for what in ("reject", "approve"):
            proposed = traded.propose(account, 1_000, "ann")
            traded.decide(proposed.proposal_no, what, "bob")
        assert traded.balance(account).held_micro == before.held_micro
    traded.now = sealable(traded.now)
    assert sealer.found() == []


def sealed_for(monkeypatch: pytest.MonkeyPatch, money: MoneyWorld) -> Sealer:
    """Return a sealer whose seals the API reads, at the clock of its world."""
    monkeypatch.setattr("orderdesk.wiring.operators.now_us", lambda: money.now * 10**6)
    sealer = Sealer(money.seed, lambda: money.now)
    seals = property(lambda _: sealer.seals)
    monkeypatch.setattr("orderdesk.wiring.operators.OperatorAdapters.seal_files", seals)
    return sealer


def postings_close(row: dict[str, str]) -> bool:
    """Return whether the columns of an account's day lead from its opening to its closing."""
    got = ("fees", "spread", "deposits", "fundings", "releases", "reversals")
    moved = sum(micro_of(row[name]) for name in got) - micro_of(row["withdrawals"])
    return micro_of(row["opening"]) + moved == micro_of(row["closing"])


def micro_of(usdt: str) -> int:
    return int(usdt.replace(".", ""))


def test_every_kind_of_account_is_filled_and_emptied_and_ends_at_zero(
    traded: MoneyWorld, api: OperatorApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Funding, settlement, reversal, release, fees and withdrawals; `root` acts alone."""
    sealer = sealed_for(monkeypatch, traded)
    bought = {mode: number_of(traded, mode) for mode in Mode}
    for mode in Mode:
        traded.reverse(traded.completed(OrderType.SELL, 500_00, mode))
        traded.reverse(bought[mode], 10_000_000)
    before = api.data(FIRST, "ledger.balances")
    for mode in Mode:
        totals = before[mode.value]["totals"]
        assert {name: micro_of(each["available"]) != 0 for name, each in totals.items()} == {
            kind.value: True for kind in AccountKind
        }
    for mode in Mode:
        for kind in (
            AccountKind.DEPOSIT,
            AccountKind.FEE,
            AccountKind.MERCHANT,
            AccountKind.TRADER,
        ):
            parties = before[mode.value]["traders" if kind is AccountKind.TRADER else "merchants"]
            for party in parties:
                owner = party.get("trader_id") or party["merchant_id"]
                account = Account(kind, owner, mode)
                has = format_usdt(traded.balance(account).available_micro)
                if micro_of(has):
                    api.data("root", OUT[kind], alone=True, **asked(account, has))
    after = api.data(FIRST, "ledger.balances")
    zero = {"available": "0.000000", "held": "0.000000"}
    for mode in Mode:
        for name, each in after[mode.value]["totals"].items():
            assert {"available": each["available"], "held": each["held"]} == zero, (mode, name)
        for party in (*after[mode.value]["merchants"], *after[mode.value]["traders"]):
            own = {
                name: party[name]
                for name in ("available", "held", "deposit", "fee")
                if name in party
            }
            assert set(own.values()) == {"0.000000"}
    rows = [row for row in traded.seed.items("Ledger") if str(row["sk"]).startswith("posting#")]
    assert {str(row["kind"]) for row in rows} == set(TransferKind)
    traded.check()
    traded.now = sealable(traded.now)
    assert sealer.found() == []
    assert_the_day_shows_each(traded, api, bought[Mode.LIVE])


def assert_the_day_shows_each(money: MoneyWorld, api: OperatorApi, bought: str) -> None:
    """Fee, spread, deposit and reversal are separate, in the report and in the balances."""
    order, shown = money.order(bought), api.data(FIRST, "ledger.balances")
    date = shown["seal"]["date"]
    report = api.data(FIRST, "report.day", date=date)
    for mode in Mode:
        assert all(map(postings_close, report[mode.value]["accounts"])), mode
    [own] = [r for r in report["live"]["merchants"] if r["merchant_id"] == order.merchant_id]
    [day] = [r["day"] for r in shown["live"]["merchants"] if r["merchant_id"] == order.merchant_id]
    for name in ("fees", "spread", "deposits", "reversals", "fee_reversals", "deposit_reversals"):
        assert day[name] == own[name], name
        assert micro_of(day[name]) != 0, name
    accounts = {row["account"]: row for row in report["live"]["accounts"]}
    fee, deposit = (accounts[f"{kind}:{order.merchant_id}:live"] for kind in ("fee", "deposit"))
    assert fee["merchant_id"] == deposit["merchant_id"] == order.merchant_id
    assert (fee["fees"], fee["spread"], fee["deposits"]) == (day["fees"], day["spread"], "0.000000")
    assert (deposit["deposits"], deposit["fees"]) == (day["deposits"], "0.000000")
    assert fee["reversals"] == day["fee_reversals"]
    assert deposit["reversals"] == day["deposit_reversals"]
    assert {fee["closing"], deposit["closing"]} == {"0.000000"}


def number_of(money: MoneyWorld, mode: Mode) -> str:
    """Return the number of the fixture's buy of a mode."""
    [number] = [
        str(row["order_no"])
        for row in money.seed.items("Orders", "order")
        if row["mode"] == mode.value
    ]
    return number
