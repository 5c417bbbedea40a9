"""The changes that orders make to a trader's item: claim, hold, release, settle.

All of them add to the item and set nothing that an operator sets, so they keep `version`. Only
`hold_again_write` raises `version`, so claims that read the item earlier fail.
"""

from collections.abc import Mapping
from typing import NamedTuple

from orderdesk.adapters.dynamodb.marshal import Item, Value, to_item
from orderdesk.adapters.dynamodb.traders.items import slot_name, sum_name, trader_of
from orderdesk.adapters.dynamodb.transactions import Lost, Write, add_write, never
from orderdesk.domain.errors import ChangedMeanwhile, OrderdeskError
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.traders.errors import ClaimLost, CoverLost
from orderdesk.domain.traders.trader import DAY_UNIT, Trader, slot_holder, trading_day
from orderdesk.services.ports import Claim

_UNDERFLOW = never("a trader holds less than its open orders")


def _hold_micro(order: Order) -> int:
    """Return the trader's USDT that an order holds, in micro-USDT; 0 for a sell."""
    match order.order_type:
        case OrderType.BUY:
            return order.quote.usdt_micro
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
        ":read": trader.last_accepted_us,
        ":now": claim.accepts_us,
        ":version": trader.version,
        ":usdt": hold_micro,
        ":minus_usdt": -hold_micro,
        ":one": 1,
        ":day": claim.day,
        ":fen": quote.cny_fen,
    }
    nobody_else_took_it = "last_accepted_at = :read"
    still_in_rotation = ["attribute_exists(rotation_key)"] if claim.in_rotation else []
    same_range_and_methods = "version = :version"
    covers_it = "available_micro >= :usdt"
    conditions = [nobody_else_took_it, *still_in_rotation, same_range_and_methods, covers_it]
    sets = "last_accepted_at = :now"
    adds = "available_micro :minus_usdt, held_micro :usdt, open_orders :one"
    if trader.most_open is not None:
        values[":max_open"] = trader.most_open
        conditions.append("open_orders < :max_open")
    slot, account = _slot_taken(order, claim), _account_taken(order, claim)
    values |= slot.values | account.values
    conditions += [*slot.conditions, *account.conditions]
    adds += slot.adds + account.adds
    sets += account.sets
    if trader.daily_day == claim.day:
        adds += ", daily_used_fen :fen, daily_orders :one"
        conditions.append("daily_day = :day")
        if trader.most_a_day_fen is not None:
            values[":used_before"] = trader.most_a_day_fen - quote.cny_fen
            conditions.append("daily_used_fen <= :used_before")
    else:
        sets += ", daily_day = :day, daily_used_fen = :fen, daily_orders = :one"
        conditions.append("daily_day <> :day")
    update = {
        "TableName": table,
        "Key": to_item({"trader_id": trader.trader_id}),
        "UpdateExpression": f"SET {sets} ADD {adds}{slot.removes}",
        "ConditionExpression": " AND ".join(conditions),
        "ExpressionAttributeValues": to_item(values),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    return Write(
        {"Update": update}, lambda item: ClaimLost(None if item is None else trader_of(item))
    )


class _Taken(NamedTuple):
    """The parts of a claim that count the order in one more number of the trader."""

    values: dict[str, Value]
    conditions: list[str]
    adds: str = ""
    removes: str = ""
    sets: str = ""


def _account_taken(order: Order, claim: Claim) -> _Taken:
    """Count a buy in the sum of its account's day, within the account's cap.

    The trader as read decides between adding and beginning a new day; a condition repeats it.
    """
    key = _own_account(order)
    if key is None:
        return _Taken({}, [])
    fen, day = order.quote.cny_fen, claim.day * DAY_UNIT
    name, cap = sum_name(key), claim.trader.terms_of(key).daily_cap_fen
    if claim.trader.account_sums.get(key, 0) < day:
        begins = f"(attribute_not_exists({name}) OR {name} < :acct_day)"
        values: dict[str, Value] = {":acct_day": day, ":acct_sum": day + fen}
        return _Taken(values, [begins], sets=f", {name} = :acct_sum")
    values, conditions = {":acct_day": day}, [f"{name} >= :acct_day"]
    if cap is not None:
        values[":acct_most"] = day + cap - fen
        conditions.append(f"{name} <= :acct_most")
    return _Taken(values, conditions, f", {name} :fen")


def _slot_taken(order: Order, claim: Claim) -> _Taken:
    """Count the order among its merchant's slots, if the trader has a cap of open orders.

    Only a claim by the rotation is bounded by the merchant's share; an operator's is not. Counts
    that are 0 are removed, so that the item has at most one for each of its open orders. Each has a
    condition, because the trader as read may be outdated.
    """
    most = claim.trader.slots_for(order.slot_share)
    if most is None:
        return _Taken({}, [])
    own, values = slot_name(slot_holder(order.merchant_id)), dict[str, Value]()
    conditions = []
    if claim.in_rotation:
        values[":slots"] = most
        conditions.append(_has_slot(own))
    empty = [slot_name(each) for each, count in claim.trader.slots.items() if count == 0]
    empty = [name for name in empty if name != own]
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
    return {slot_name(slot_holder(order.merchant_id)): change} if order.in_slot else {}


def release_write(table: str, order: Order, now: int) -> Write:
    """Release a buy order's hold to its trader and free its part of the day's cap."""
    usdt = order.quote.usdt_micro
    changes = {"available_micro": usdt, "held_micro": -usdt, "open_orders": -1}
    return _ended(table, order, changes, _freed_fen(order, now))


def free_write(table: str, order: Order, now: int) -> Write:
    """Remove a sell order from its trader's count and free its part of the day's cap."""
    return _ended(table, order, {"open_orders": -1}, _freed_fen(order, now))


def hold_again_write(table: str, order: Order, read: Trader | None = None) -> Write:
    """Reserve a trader's USDT for the late payment of a buy. Lost: CoverLost.

    The new `version` makes claims fail that read the trader earlier. If the trader was `read`, its
    cap of open orders and the merchant's share of it apply. Lost: also ChangedMeanwhile, if it has
    another version.
    """
    usdt = order.quote.usdt_micro
    changes = {"available_micro": -usdt, "held_micro": usdt, "open_orders": 1, "version": 1}
    changes |= _slot_change(order, 1)
    write = _added(table, order.trader_id, changes, lost=lambda _: CoverLost())
    return write if read is None else _within_cap(write, order, read)


def _within_cap(write: Write, order: Order, read: Trader) -> Write:
    """Add the conditions that a trader has a free slot for the merchant and is as it was read."""
    update = write.action["Update"]
    conditions, values = ["version = :read"], {":read": read.version}
    most = read.slots_for(order.slot_share)
    if read.most_open is not None and most is not None:
        own = slot_name(slot_holder(order.merchant_id))
        conditions += ["open_orders < :max_open", _has_slot(own)]
        values |= {":max_open": read.most_open, ":slots": most}

    def lost(item: Item | None) -> OrderdeskError:
        is_same = item is not None and item["version"] == read.version
        return CoverLost() if is_same else ChangedMeanwhile()

    conditional = {
        **update,
        "ConditionExpression": " AND ".join([update["ConditionExpression"], *conditions]),
        "ExpressionAttributeValues": update["ExpressionAttributeValues"] | to_item(values),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    return Write({"Update": conditional}, lost)


def settle_write(table: str, order: Order, amount_micro: int) -> Write:
    """Settle an order on its trader: from the held balance, or to the available balance."""
    owner = "held_micro" if amount_micro < 0 else "available_micro"
    return _ended(table, order, {owner: amount_micro, "open_orders": -1})


def _freed_fen(order: Order, now: int) -> int:
    """Return how much of the day's cap is freed: 0 on another day and after a dispute."""
    same_day = trading_day(order.claimed_at) == trading_day(now)
    return order.quote.cny_fen if same_day and not order.was_disputed else 0


def _ended(table: str, order: Order, changes: Mapping[str, int], freed_fen: int = 0) -> Write:
    """End an order on its trader's item."""
    all_changes = {**changes, **_slot_change(order, -1)}
    return _added(table, order.trader_id, all_changes, freed_fen, account_key=_own_account(order))


def _own_account(order: Order) -> str | None:
    """Return the key of the trader's account that a buy is paid to; None for a sell."""
    match order.order_type:
        case OrderType.BUY:
            return None if order.payment_method is None else order.payment_method.account_key
        case OrderType.SELL:
            return None


def _added(
    table: str,
    trader_id: str | None,
    changes: Mapping[str, int],
    freed_fen: int = 0,
    *,
    account_key: str | None = None,
    lost: Lost = _UNDERFLOW,
) -> Write:
    """Add to a trader's numbers; none of `changes` may fall below zero.

    The claim added these amounts, so by default the condition fails only after a bug.
    """
    assert trader_id is not None, "the order has a trader"
    unbounded: dict[str, Value] = {}
    if freed_fen:
        unbounded["daily_used_fen"] = -freed_fen
        if account_key is not None:
            unbounded[sum_name(account_key)] = -freed_fen
    return add_write(
        table,
        {"trader_id": trader_id},
        changes,
        lost,
        unbounded=unbounded,
        condition="attribute_exists(trader_id)",
    )
