"""A trader's settings: their version, and how the audit trail describes a change of them."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from orderdesk.domain.audit import differences
from orderdesk.domain.money import format_cny
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.traders.trader import LimitField, OwnLimits, Trader, TraderTerms

# How long the desk and the operators' doctor report a changed account.
CHANGED_ACCOUNT_SECONDS = 86_400

_VERSION_LENGTH = 16


def unfit_limits(own: OwnLimits, terms: TraderTerms) -> Iterator[LimitField]:
    """Yield each limit that exceeds the operator's, or that no order can satisfy."""
    smallest = terms.min_cny_fen if own.min_cny_fen is None else own.min_cny_fen
    largest = terms.max_cny_fen if own.max_cny_fen is None else own.max_cny_fen
    if not terms.min_cny_fen <= smallest <= terms.max_cny_fen:
        yield LimitField.MIN_CNY
    if not max(smallest, terms.min_cny_fen) <= largest <= terms.max_cny_fen:
        yield LimitField.MAX_CNY
    if own.max_open is not None and not _is_within(own.max_open, 1, terms.max_open):
        yield LimitField.MAX_OPEN
    daily = own.daily_cap_fen
    if daily is not None and not _is_within(daily, smallest, terms.daily_cap_fen):
        yield LimitField.DAILY_CNY


def _is_within(value: int, least: int, most: int | None) -> bool:
    return least <= value and (most is None or value <= most)


def settings_version(trader: Trader) -> str:
    """Return a hash of a trader's methods and limits, which reveals none of them.

    Unlike `version` it does not change when the trader goes on duty or an order is reopened.
    """
    methods = sorted(f"{m.account_key} {m.fields()} {_terms(trader, m)}" for m in trader.methods)
    limits = replace(trader.terms, unique_amounts=False)
    text = repr((trader.trader_id, limits, trader.own, methods))
    return hashlib.sha256(text.encode()).hexdigest()[:_VERSION_LENGTH]


def changed_account_lately(trader: Trader, now: int) -> bool:
    """Return whether a trader changed a method of its own within a day; `now` in Unix seconds."""
    return now - trader.methods_changed_at < CHANGED_ACCOUNT_SECONDS


def _terms(trader: Trader, method: PaymentMethod) -> str:
    return f"{trader.terms_of(method.account_key)} {trader.stopped_at(method) or ''}".strip()


def terms_change(before: Trader, after: Trader, key: str) -> Mapping[str, str]:
    """Describe changed terms of an account."""
    return {"account": key} | differences(_described(before, key), _described(after, key))


def _described(trader: Trader, key: str) -> Mapping[str, str]:
    terms = trader.terms_of(key)
    cap = "" if terms.daily_cap_fen is None else format_cny(terms.daily_cap_fen)
    return {"on": "yes" if terms.is_on else "no", "daily_cny": cap}


def method_change(before: Trader, after: Trader, key: str) -> Mapping[str, str]:
    """Describe a changed account: its key, the masked numbers, and the names of the changed fields.

    A changed payment code is named, but not shown.
    """
    old, new = before.account(key), after.account(key)
    was, becomes = _fields(old), _fields(new)
    changed = [name for name in {**was, **becomes} if was.get(name, "") != becomes.get(name, "")]
    return {
        "method_type": key,
        "number": f"{_masked(old)} → {_masked(new)}",
        "changed": " ".join(changed),
    }


def _fields(method: PaymentMethod | None) -> dict[str, str]:
    return {} if method is None else method.fields()


def _masked(method: PaymentMethod | None) -> str:
    return "none" if method is None else method.masked_number
