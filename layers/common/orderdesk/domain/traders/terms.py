"""A trader's terms: amount limits and caps, and their rules."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from orderdesk.domain.authority import Power, changed_numbers, is_far_from
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.money import format_cny
from orderdesk.domain.operators import refuse_unfit
from orderdesk.domain.traders.trader import Trader, TraderTerms, describe_limits

type TraderTermsChange = Mapping[str, Any]
"""The terms that an operator changes, by the names of TraderTerms' fields; the others stay."""

TRADER_TERM_POWERS: Mapping[str, Power] = MappingProxyType(
    {
        "min_cny_fen": Power.PRICE,
        "max_cny_fen": Power.PRICE,
        "max_open": Power.PRICE,
        "daily_cap_fen": Power.PRICE,
        "unique_amounts": Power.STOP,
    }
)
"""What a change of each term can do."""
_NO_CAP = 0


def under_trader_terms(trader: Trader, change: TraderTermsChange) -> Trader:
    """Return the trader with changed terms. Raises: UnacceptableTerms if they break a rule."""
    terms = replace(trader.terms, **change)
    check_trader_terms(terms)
    return replace(trader, terms=terms)


def priced_terms(trader: Trader) -> dict[str, int]:
    """Return a trader's limits and caps by field, 0 for no cap."""
    priced = [name for name, power in TRADER_TERM_POWERS.items() if power is Power.PRICE]
    return {name: getattr(trader.terms, name) or _NO_CAP for name in priced}


def changed_powers(before: Trader, after: Trader) -> set[Power]:
    """Return the powers of the terms that differ."""
    old, new = before.terms, after.terms
    powers = TRADER_TERM_POWERS.items()
    return {power for name, power in powers if getattr(old, name) != getattr(new, name)}


def approved_trader_terms(trader: Trader) -> dict[str, int]:
    """Return the limits and caps that two people last approved.

    Until they approved any, these are those before the first change.
    """
    return priced_terms(trader) | dict(trader.approved)


def is_far_trader(before: Trader, after: Trader) -> bool:
    """Return whether a change needs a second person.

    It does where a number differs by more than 5 % from the approved one, and where a cap begins
    or ends.
    """
    base = approved_trader_terms(before)
    return any(
        value == _NO_CAP or is_far_from(value, base[name])
        for name, value in changed_numbers(priced_terms(before), priced_terms(after)).items()
    )


def check_trader_terms(terms: TraderTerms) -> None:
    """Check the rules of terms. Raises: UnacceptableTerms."""
    refuse_unfit(list(_problems(terms)))


def describe_trader_terms(terms: TraderTerms) -> dict[str, str]:
    """Describe terms for people and for the audit trail; an empty text means no cap."""
    return {**describe_limits(terms), "unique_amounts": "yes" if terms.unique_amounts else "no"}


def _problems(terms: TraderTerms) -> Iterator[FieldProblem]:
    if terms.min_cny_fen < 1:
        yield FieldProblem("min_cny", "must be greater than 0")
    if terms.max_cny_fen < terms.min_cny_fen:
        yield FieldProblem("max_cny", f"must be at least min_cny, {format_cny(terms.min_cny_fen)}")
    if terms.max_open is not None and terms.max_open < 1:
        yield FieldProblem("max_open", "must be at least 1; leave it out for no cap")
    if terms.daily_cap_fen is not None and terms.daily_cap_fen < terms.min_cny_fen:
        yield FieldProblem("daily_cny", "must be at least min_cny; leave it out for no cap")
