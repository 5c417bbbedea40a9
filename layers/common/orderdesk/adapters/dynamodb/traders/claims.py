"""The changes that orders make to a trader's item: claim, hold, release, settle.

All of them add to the item and set nothing that an operator sets, so they keep `version`. Only
`hold_again_write` raises `version`, so claims that read the item earlier fail.
"""

from typing import NamedTuple

from orderdesk.adapters.dynamodb.marshal import Item, Value
from orderdesk.adapters.dynamodb.traders.items import slot_name, sum_name, trader_of
from orderdesk.adapters.dynamodb.transactions import Lost, Shift, Write, never
from orderdesk.domain.accounts import parity_sums
from orderdesk.domain.errors import ChangedMeanwhile, OrderdeskError
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.trader import (
    DAY_UNIT,
    Claim,
    ClaimLost,
    CoverLost,
    Trader,
    slot_holder,
)

# How many counts that are 0 one claim removes. DynamoDB limits an expression to 4,096 bytes and 300
# operators.
EMPTY_SLOTS_MAX = 8
# Near its end a day's part is not freed: the write might be of the next day.
DAY_END_SECONDS = 60

_UNDERFLOW = never("a trader holds less than its open orders")


def _hold_micro(order: Order) -> int:
    """Return the trader's USDT that an order holds, in micro-USDT; 0 for a sell."""
    match order.order_type:
        case OrderType.BUY:
            return order.quote.trader_micro
        case OrderType.SELL:
            return 0


def claim_write(table: str, order: Order, claim: Claim) -> Write:
    """Claim a trader for an order: rotate it, count the order, hold USDT for a buy.

    A buy also counts in the sum of its account's day.

    The trader was read from an index, which lags, so the condition repeats the checks that selected
    it. Lost: ClaimLost.
    """
    trader, quote = claim.trader, order.quote
    hold_micro = _hold_micro(order)
    values: dict[str, Value] = {
        ":read": trader.counts.last_accepted_us,
        ":now": claim.accepts_us,
        ":version": trader.version,
        ":usdt": hold_micro,
        ":minus_usdt": -hold_micro,
        ":one": 1,
    }
    nobody_else_took_it = "last_accepted_at = :read"
    still_in_rotation = ["attribute_exists(rotation_key)"] if claim.in_rotation else []
    same_range_and_methods = "version = :version"
    covers_it = "available_micro >= :usdt"
    conditions = [nobody_else_took_it, *still_in_rotation, same_range_and_methods, covers_it]
    sets = "last_accepted_at = :now"
    adds = "available_micro :minus_usdt, held_micro :usdt, open_orders :one"
    for name, micro in parity_sums(-hold_micro, hold_micro, order.createtime).items():
        values[f":{name}"] = micro
        adds += f", {name} :{name}"
    if trader.most_open is not None:
        values[":max_open"] = trader.most_open
        conditions.append("open_orders < :max_open")
    cap = trader.most_a_day_fen
    day = _day_taken(trader, claim.day, quote.cny_fen, cap, accepted=1)
    slot, account = _slot_taken(order, claim), _account_taken(order, trader, claim.day)
    for taken in (day, slot, account):
        values |= taken.values
        conditions += taken.conditions
        adds += taken.adds
        sets += taken.sets
    return Write.update(
        table,
        {"trader_id": trader.trader_id},
        f"SET {sets} ADD {adds}{slot.removes}",
        " AND ".join(conditions),
        lambda item: ClaimLost(None if item is None else trader_of(item)),
        values=values,
        returns_item=True,
    )


class _Taken(NamedTuple):
    """The parts of a claim that count the order in one more number of the trader."""

    values: dict[str, Value]
    conditions: list[str]
    adds: str = ""
    removes: str = ""
    sets: str = ""


def _day_taken(trader: Trader, day: int, fen: int, cap_fen: int | None, *, accepted: int) -> _Taken:
    """Count a buy or sell in the trader's day, within a cap; `accepted` is 0 for a late payment.

    The day never goes back: what began before midnight and is written after it counts in the new
    day. The trader as read decides between adding and beginning a day; a condition repeats it.
    """
    values: dict[str, Value] = {":day": day, ":fen": fen, ":accepted": accepted, ":kept": 1}
    if trader.counts.daily_day < day:
        begins = ", daily_day = :day, daily_used_fen = :fen, daily_orders = :accepted"
        return _Taken(values, ["daily_day < :day"], sets=f"{begins}, daily_kept = :kept")
    conditions = ["daily_day >= :day"]
    if cap_fen is not None:
        values[":used_before"] = cap_fen - fen
        conditions.append("daily_used_fen <= :used_before")
    adds = ", daily_used_fen :fen, daily_orders :accepted, daily_kept :kept"
    return _Taken(values, conditions, adds)


def _account_taken(order: Order, trader: Trader, day: int, *, capped: bool = True) -> _Taken:
    """Count a buy in the sum of its account's day, within the account's cap; as `_day_taken`."""
    key = _own_account(order)
    if key is None:
        return _Taken({}, [])
    fen, began = order.quote.cny_fen, day * DAY_UNIT
    name, cap = sum_name(key), trader.terms_of(key).daily_cap_fen if capped else None
    if trader.counts.account_sums.get(key, 0) < began:
        begins = f"(attribute_not_exists({name}) OR {name} < :acct_day)"
        values: dict[str, Value] = {":acct_day": began, ":acct_sum": began + fen}
        return _Taken(values, [begins], sets=f", {name} = :acct_sum")
    values, conditions = {":acct_day": began, ":acct_fen": fen}, [f"{name} >= :acct_day"]
    if cap is not None:
        values[":acct_most"] = began + cap - fen
        conditions.append(f"{name} <= :acct_most")
    return _Taken(values, conditions, f", {name} :acct_fen")


def _slot_taken(order: Order, claim: Claim) -> _Taken:
    """Count the order among its merchant's slots, if the trader has a cap of open orders.

    Only a claim by the rotation is bounded by the merchant's share; an operator's is not. A claim
    adds one count and removes up to EMPTY_SLOTS_MAX that are 0, so that they become few again and
    the expressions stay short. Each has a condition, because the trader as read may be outdated.
    """
    most = claim.trader.slots_for(order.counted.slot_share)
    if most is None:
        return _Taken({}, [])
    own, values = slot_name(slot_holder(order.merchant_id)), dict[str, Value]()
    conditions = []
    if claim.in_rotation:
        values[":slots"] = most
        conditions.append(_has_slot(own))
    empty = [slot_name(each) for each, count in claim.trader.counts.slots.items() if count == 0]
    empty = [name for name in empty if name != own][:EMPTY_SLOTS_MAX]
    if empty:
        values[":none"] = 0
        conditions += [f"(attribute_not_exists({name}) OR {name} = :none)" for name in empty]
    removes = f" REMOVE {', '.join(empty)}" if empty else ""
    return _Taken(values, conditions, f", {own} :one", removes)


def _has_slot(own: str) -> str:
    """Return the condition that a merchant's count is below `:slots`."""
    return f"(attribute_not_exists({own}) OR {own} < :slots)"


def _slot_change(order: Order, change: int) -> dict[str, int]:
    """Change the count of the merchant's slots by an order that its claim counted."""
    return {slot_name(slot_holder(order.merchant_id)): change} if order.counted.in_slot else {}


def release_write(table: str, order: Order, now: int) -> Write:
    """Release a buy order's hold to its trader and free its part of the day's cap."""
    usdt = order.quote.trader_micro
    return _ended(table, order, Shift(usdt, -usdt, now), *_freed(order, now))


def free_write(table: str, order: Order, now: int) -> Write:
    """Remove a sell order from its trader's count and free its part of the day's cap."""
    return _ended(table, order, Shift(0, 0, now), *_freed(order, now))


def hold_again_write(
    table: str, order: Order, read: Trader, now: int, *, capped: bool = True
) -> Write:
    """Reserve a trader's USDT for the late payment of a buy, and count it in the day.

    A sell with a late proof is only counted.

    The new `version` makes claims fail that read the trader earlier. If `capped`, the trader's cap
    of open orders and the merchant's share of it apply. Lost: CoverLost; ChangedMeanwhile, if the
    trader is not as it was read.
    """
    usdt, day = _hold_micro(order), trading_day(now)
    changes = {"open_orders": 1, "version": 1, **_slot_change(order, 1)}
    conditions, values = ["version = :read"], dict[str, Value]({":read": read.version})
    most = read.slots_for(order.counted.slot_share)
    if capped and most is not None:
        own = slot_name(slot_holder(order.merchant_id))
        conditions += ["open_orders < :max_open", _has_slot(own)]
        values |= {":max_open": read.most_open, ":slots": most}

    def days(trader: Trader) -> list[_Taken]:
        whole = _day_taken(trader, day, order.quote.cny_fen, None, accepted=0)
        return [whole, _account_taken(order, trader, day, capped=False)]

    def lost(item: Item | None) -> OrderdeskError:
        now_is = None if item is None else trader_of(item)
        is_same = (
            now_is is not None and now_is.version == read.version and days(now_is) == days(read)
        )
        return CoverLost() if is_same else ChangedMeanwhile()

    adds, sets = "", ""
    for taken in days(read):
        conditions += taken.conditions
        values |= taken.values
        adds, sets = adds + taken.adds, sets + taken.sets
    return Write.balance(
        table,
        {"trader_id": read.trader_id},
        Shift(-usdt, usdt, now),
        lost,
        counted=changes,
        condition=" AND ".join(conditions),
        clauses=f"{adds} SET {sets.removeprefix(', ')}" if sets else adds,
        values=values,
        returns_item=True,
    )


def settle_write(table: str, order: Order, amount_micro: int, at: int) -> Write:
    """Settle an order on its trader: from the held balance, or to the available balance.

    If another sum completed it, the rest of the hold is released, or the missing part is taken from
    the available balance, and the day counts the sum. Lost in that case: CoverLost.
    """
    if order.sums.held_fen is None:
        return _ended(table, order, Shift(max(amount_micro, 0), min(amount_micro, 0), at))
    held = order.held_quote
    moved = Shift(held.trader_micro + amount_micro, -held.trader_micro, at)
    less_fen = held.cny_fen - order.quote.cny_fen if _is_of_day(order, at) else 0
    return _ended(table, order, moved, less_fen, lost=lambda _: CoverLost())


def _is_of_day(order: Order, now: int) -> bool:
    """Return whether the trader's day that counts an order is not over; see DAY_END_SECONDS."""
    return trading_day(order.opened_at) == trading_day(now + DAY_END_SECONDS)


def _freed(order: Order, now: int) -> tuple[int, int]:
    """Return the fen and orders that the day no longer counts: 0 after it and after a dispute."""
    same_day = trading_day(order.claimed_at) == trading_day(now + DAY_END_SECONDS)
    return (order.quote.cny_fen, 1) if same_day and not order.was_disputed else (0, 0)


def _ended(
    table: str,
    order: Order,
    moved: Shift,
    freed_fen: int = 0,
    freed_orders: int = 0,
    *,
    lost: Lost = _UNDERFLOW,
) -> Write:
    """End an order on its trader's item; neither its balance nor its numbers may fall below zero.

    The claim added these amounts, so by default the condition fails only after a bug.
    """
    assert order.trader_id is not None, "the order has a trader"
    account_key, freed = _own_account(order), dict[str, Value]()
    if freed_orders:
        freed["daily_kept"] = -freed_orders
    if freed_fen:
        freed["daily_used_fen"] = -freed_fen
        if account_key is not None:
            freed[sum_name(account_key)] = -freed_fen
    return Write.balance(
        table,
        {"trader_id": order.trader_id},
        moved,
        lost,
        counted={"open_orders": -1, **_slot_change(order, -1)},
        unbounded=freed,
        condition="attribute_exists(trader_id)",
    )


def _own_account(order: Order) -> str | None:
    """Return the key of the trader's account that a buy is paid to; None for a sell."""
    match order.order_type:
        case OrderType.BUY:
            return order.payment_method.account_key
        case OrderType.SELL:
            return None
