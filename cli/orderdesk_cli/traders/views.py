"""Traders as operators see them: cards and accounts masked, the access code only when made."""

from collections.abc import Sequence

from rich.console import RenderableType

from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.own_limits import LimitField, describe_own_limits
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.duty import Suspension
from orderdesk.services.operator.traders import TraderWithCode
from orderdesk_cli.masking import masked_method, method_line
from orderdesk_cli.output import Answer, Json, listing, record, stacked, time_text

NEVER_FITS = "the trader has no receiving method yet, so no order fits it (trader add-method)"
NO_RANGE = "the trader's own range does not overlap with these limits, so no order fits it"


def trader_data(trader: Trader) -> dict[str, Json]:
    """Write a trader for programs."""
    last_us = trader.last_accepted_us
    cap = trader.daily_cap_fen
    return {
        "trader_id": trader.trader_id,
        "name": trader.name,
        "is_test": trader.mode.is_test,
        "online": trader.online,
        "suspended": trader.suspended,
        "min_cny": format_cny(trader.min_cny_fen),
        "max_cny": format_cny(trader.max_cny_fen),
        "max_open": trader.max_open,
        "daily_cny": None if cap is None else format_cny(cap),
        "unique_amounts": trader.unique_amounts,
        "own_limits": own_limits(trader),
        "methods_changed_at": trader.methods_changed_at or None,
        "available": format_usdt(trader.available_micro),
        "held": format_usdt(trader.held_micro),
        "open_orders": trader.open_orders,
        "last_accepted_at": last_us // US_PER_SECOND if last_us else None,
        "methods": [masked_method(method) for method in trader.methods],
        "created_at": trader.created_at,
    }


def added(new: TraderWithCode) -> Answer:
    """Answer `trader add`."""
    note = "The access code is shown this one time; keep it now."
    return _with_code(f"Added trader {new.trader.name}, offline", new, note)


def recoded(new: TraderWithCode) -> Answer:
    """Answer `trader new-code`."""
    note = (
        "The access code is shown this one time; keep it now. "
        "The earlier code no longer works, and its sessions have ended."
    )
    return _with_code(f"New access code for trader {new.trader.name}", new, note)


def changed(trader: Trader) -> Answer:
    """Answer a change: the trader as it is now."""
    warning = NEVER_FITS if trader.online and not trader.methods else no_range(trader)
    title = f"Trader {trader.trader_id} is now {_duty(trader)}"
    return Answer(trader_data(trader), _drawn(title, trader), warning)


def suspended(suspension: Suspension) -> Answer:
    """Answer `trader suspend`: the trader, the sells given back, the orders left to operators."""
    trader = suspension.trader
    given_back = [order.order_no for order in suspension.given_back]
    left = [[order.order_no, order.status.value] for order in suspension.left]
    many = f"{suspension.unseen} open orders are not listed yet: run it again in a minute"
    return Answer(
        {**trader_data(trader), "given_back": given_back, "left": [number for number, _ in left]},
        stacked(
            _drawn(f"Trader {trader.trader_id} is now {_duty(trader)}", trader),
            listing(["sells back in matching"], [[n] for n in given_back], "No sell given back."),
            listing(["left to operators", "status"], left, "No open order left."),
        ),
        many if suspension.unseen else "",
    )


def shown(trader: Trader) -> Answer:
    """Answer `trader show`."""
    drawn = _drawn(f"Trader {trader.trader_id}", trader)
    return Answer(trader_data(trader), drawn, no_range(trader))


def listed(traders: Sequence[Trader]) -> Answer:
    """Answer `trader list`."""
    rows = [
        [
            t.trader_id,
            t.name,
            t.mode.value,
            _duty(t),
            f"{format_cny(t.smallest_fen)} - {format_cny(t.largest_fen)}",
            " ".join(m.method_type.value for m in t.methods),
            format_usdt(t.available_micro),
            format_usdt(t.held_micro),
            f"{t.open_orders}" + ("" if t.most_open is None else f"/{t.most_open}"),
        ]
        for t in traders
    ]
    columns = ["trader", "name", "mode", "duty", "CNY", "methods", "available", "held", "open"]
    return Answer([trader_data(t) for t in traders], listing(columns, rows, "No traders."))


def own_limits(trader: Trader) -> dict[str, str | int | None]:
    """Write a trader's own limits for programs; null where it chose none."""
    own = describe_own_limits(trader.own)
    amounts: dict[str, str | int | None] = {name: value or None for name, value in own.items()}
    return amounts | {LimitField.MAX_OPEN.value: trader.own.max_open}


def own_line(trader: Trader) -> str:
    """Write a trader's own limits in a line; the narrower of these and the operator's count."""
    own = describe_own_limits(trader.own)
    return ", ".join(f"{name} {value}" for name, value in own.items() if value)


def no_range(trader: Trader) -> str:
    """Warn of two ranges that do not overlap."""
    return NO_RANGE if trader.smallest_fen > trader.largest_fen else ""


def _with_code(title: str, new: TraderWithCode, note: str) -> Answer:
    fields = {"trader_id": new.trader.trader_id, "access_code": new.access_code}
    return Answer({**trader_data(new.trader), **fields}, stacked(record(title, fields), note))


def _duty(trader: Trader) -> str:
    if trader.suspended:
        return "suspended"
    return "online" if trader.online else "offline"


def _drawn(title: str, trader: Trader) -> RenderableType:
    last_us, changed_at = trader.last_accepted_us, trader.methods_changed_at
    cap = trader.daily_cap_fen
    fields = {
        "name": trader.name,
        "mode": trader.mode.value,
        "duty": _duty(trader),
        "CNY an order": f"{format_cny(trader.min_cny_fen)} - {format_cny(trader.max_cny_fen)}",
        "open orders": f"{trader.open_orders}"
        + ("" if trader.max_open is None else f" of {trader.max_open}"),
        "CNY a day": "" if cap is None else format_cny(cap),
        "unique amounts": "yes" if trader.unique_amounts else "no",
        "its own limits": own_line(trader),
        "accounts changed": time_text(changed_at) if changed_at else "",
        "available USDT": format_usdt(trader.available_micro),
        "held USDT": format_usdt(trader.held_micro),
        "last accepted": time_text(last_us // US_PER_SECOND) if last_us else "",
        "created": time_text(trader.created_at),
    }
    rows = [method_line(method) for method in trader.methods]
    columns = ["method", "bank", "payee", "account"]
    return stacked(record(title, fields), listing(columns, rows, "No receiving method."))
