"""Days of mixed orders, fundings and withdrawals; and their sums, added up anew."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import Any

from orderdesk.domain.ledger.accounts import AccountKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.services.operator.funds import fund_merchant, fund_trader
from tests.support.money_world import OPERATORS, MoneyWorld, Step

HOUR = 3600
FUNDED_MICRO = 5_000_000_000


def live_mixed_hours(
    money: MoneyWorld, hours: int, chance: Random, hour_seconds: int = HOUR
) -> None:
    """Let hours pass; in each there are orders, a funding and a withdrawal."""
    for _ in range(hours):
        mode, which = chance.choice(list(Mode)), chance.randrange(2)
        _fund(money, mode, chance)
        for side in OrderType:
            # The second merchant may have few open buys only.
            _order(money, side, mode, which if side is OrderType.SELL else 0, chance)
        kind = chance.choice([AccountKind.MERCHANT, AccountKind.TRADER])
        account = money.withdrawn_account(kind, mode)
        proposed = money.propose(account, chance.randrange(1, 10_000_000), OPERATORS[0])
        what = chance.choice(["approve", "reject", ""])
        if what:
            money.decide(proposed.withdrawal_no, what, OPERATORS[1])
        money.now += hour_seconds


def _fund(money: MoneyWorld, mode: Mode, chance: Random) -> None:
    micro = FUNDED_MICRO + chance.randrange(1_000)
    merchant_id = chance.choice(money.merchants).merchant_id
    fund_merchant(money.funds, money.operator, merchant_id, micro, mode=mode, memo="m")
    trader_id = chance.choice([t for t in money.traders if t.mode is mode]).trader_id
    fund_trader(money.funds, money.register, money.operator, trader_id, micro, memo="m")


def _order(money: MoneyWorld, side: OrderType, mode: Mode, which: int, chance: Random) -> None:
    number = money.create(side, chance.randrange(100_00, 2_000_00), mode, which)
    ending = chance.choice(["completed", "cancelled", "open"])
    if ending == "cancelled":
        money.do(Step(number, Actor.MERCHANT, Move.CANCEL))
    if ending != "completed":
        return
    trader_id = next(t.trader_id for t in money.traders if t.mode is mode)
    if side is OrderType.SELL:
        money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, trader_id))
        money.prove(number, trader_id)
    money.do(Step(number, Actor.TRADER, Move.CONFIRM, money.order(number).trader_id))


@dataclass
class Sums:
    """A day's sums as raw items say them: by account key, in micro-USDT and fen."""

    opening: Counter[str] = field(default_factory=Counter)
    closing: Counter[str] = field(default_factory=Counter)
    kinds: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    volumes: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def summed(money: MoneyWorld, start: int, end: int) -> Sums:
    """Add up the postings and orders of a time, without the code that reports them."""
    sums, rows = Sums(), money.seed.items(money.seed.tables.ledger)
    postings: list[Any] = [row for row in rows if str(row["sk"]).startswith("posting#")]
    for row in postings:
        seconds = row["at_us"] // 1_000_000
        if seconds < start:
            sums.opening[row["pk"]] += row["amount_micro"]
        if seconds < end:
            sums.closing[row["pk"]] += row["amount_micro"]
        if start <= seconds < end:
            sums.kinds[row["pk"]][row["kind"]] += row["amount_micro"]
    orders: list[Any] = money.seed.items(money.seed.tables.orders, "order")
    for order in orders:
        last = order["timeline"][-1]
        if last["status"] != "completed" or not start <= last["time"] < end:
            continue
        for key in (f"merchant:{order['merchant_id']}", f"trader:{order['trader_id']}"):
            volume = sums.volumes[f"{key}:{order['mode']}"]
            volume["orders"] += 1
            volume["cny"] += order["cny_fen"]
            volume["usdt"] += order["usdt_micro"]
        merchants = sums.volumes[f"merchant:{order['merchant_id']}:{order['mode']}"]
        merchants["fees"] += order["service_micro"]
        merchants["deposits"] += order["deposit_micro"]
    return sums
