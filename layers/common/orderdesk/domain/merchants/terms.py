"""A merchant's terms, and their rules."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from orderdesk.domain.authority import changed_numbers, is_far_from
from orderdesk.domain.callbacks.events import CallbackType
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.merchant import (
    BALANCE_SHARDS_MAX,
    MAX_CALLBACK_RPS_MAX,
    Merchant,
    MerchantTerms,
)
from orderdesk.domain.merchants.notices import PRICED_TERMS
from orderdesk.domain.merchants.own_terms import (
    describe_own_terms,
    own_term_problems,
    with_usual_networks,
)
from orderdesk.domain.merchants.request_rate import HIGHEST_MAX_RPS
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.operators import refuse_unfit
from orderdesk.domain.orders.other_sums import other_sums_of
from orderdesk.domain.pricing import BPS, FEE_TERMS, FeePolicy, OrderType

PERCENT = 100
_MICRO = "_micro"


type TermsChange = Mapping[str, Any]
"""The terms that an operator changes, by the names of MerchantTerms' fields; the others stay.

`fees` are by the names of FeePolicy's fields.
"""

# With a spread of 100 % the sell rate would be 0. The other basis points may be 100 %.
_MOST_BPS = {"spread_bps": BPS - 1}


def wanted_events(text: str) -> tuple[str, ...] | None:
    """Parse an operator's types of callbacks: `all`, `none`, or a comma-separated list of types.

    None means all. `check_terms` refuses unknown types.
    """
    match text.strip():
        case "all":
            return None
        case "none":
            return ()
        case some:
            return tuple(dict.fromkeys(part.strip() for part in some.split(",")))


def changed_terms(terms: MerchantTerms, change: TermsChange) -> MerchantTerms:
    """Apply a change; networks are normalised and duplicates removed."""
    fees = replace(terms.fees, **change.get("fees", {}))
    changed = replace(terms, **{**change, "fees": fees})
    return with_limits_epoch(terms, with_usual_networks(changed))


def with_limits_epoch(before: MerchantTerms, after: MerchantTerms) -> MerchantTerms:
    """Return changed terms with a new epoch if the split of their limits over counters differs.

    Terms without a largest order are returned as they are; `check_terms` refuses them.
    """
    if after.max_cny_fen < 1:
        return after
    is_same = all(before.open_shares(side) == after.open_shares(side) for side in OrderType)
    return after if is_same else replace(after, limits_epoch=before.limits_epoch + 1)


def check_terms(terms: MerchantTerms, *, allow_loopback: bool) -> None:
    """Check the rules of terms; `allow_loopback` is the deployment's AllowLocalTargets.

    Raises: UnacceptableTerms.
    """
    refuse_unfit(list(_problems(terms, allow_loopback=allow_loopback)))


def written_name(fee_term: str) -> str:
    """Return the operators' name of a fee term: without `_micro`, as they write USDT."""
    return fee_term.removesuffix(_MICRO)


def most_bps(fee_term: str) -> int | None:
    """Return the maximum of a fee term in basis points; None for an amount."""
    return None if fee_term.endswith(_MICRO) else _MOST_BPS.get(fee_term, BPS)


def written_fees(fees: FeePolicy) -> dict[str, int | str]:
    """Return fees by the operators' names: basis points as numbers, amounts as USDT text."""
    written: dict[str, int | str] = {}
    for name in FEE_TERMS:
        value: int = getattr(fees, name)
        written[written_name(name)] = format_usdt(value) if name.endswith(_MICRO) else value
    return written


def money_terms(terms: MerchantTerms) -> dict[str, int]:
    """Return the numbers that price or limit money, by field."""
    return {
        **{name: getattr(terms.fees, name) for name in FEE_TERMS},
        **{name: getattr(terms, name) for name in PRICED_TERMS},
    }


def approved_terms(merchant: Merchant) -> dict[str, int]:
    """Return the numbers that two people last approved.

    Until they approved any, these are the numbers before the first change.
    """
    return money_terms(merchant.terms) | dict(merchant.approved)


def far_terms(merchant: Merchant, terms: MerchantTerms) -> list[str]:
    """Return the changed terms that need a second person: more than 5 % from the approved."""
    base = approved_terms(merchant)
    changed = changed_numbers(money_terms(merchant.terms), money_terms(terms))
    far = [name for name, value in changed.items() if is_far_from(value, base[name])]
    # This one is no number, so any change of it needs two people.
    return far if terms.other_sums == merchant.terms.other_sums else [*far, "other_sums"]


def describe_terms(terms: MerchantTerms) -> dict[str, str]:
    """Describe terms for people and for the audit trail; amounts have the contract's decimals."""
    return {
        "identity": "yes" if terms.identity_required else "no",
        **{name: str(value) for name, value in written_fees(terms.fees).items()},
        "min_cny": format_cny(terms.min_cny_fen),
        "max_cny": format_cny(terms.max_cny_fen),
        "max_open_buys": str(terms.max_open_buys),
        "max_open_cny": format_cny(terms.max_open_cny_fen),
        "max_open_sells": str(terms.max_open_sells),
        "max_open_sell_cny": format_cny(terms.max_open_sell_cny_fen),
        "slot_share": str(terms.slot_share),
        "other_sums": terms.other_sums,
        "events": "all" if terms.events is None else ", ".join(terms.events) or "none",
        "max_rps": str(terms.max_rps),
        "max_callback_rps": str(terms.max_callback_rps),
        "balance_shards": str(terms.balance_shards),
        **describe_own_terms(terms),
    }


def _problems(terms: MerchantTerms, *, allow_loopback: bool) -> Iterator[FieldProblem]:
    yield from _fee_problems(terms.fees)
    yield from _limit_problems(terms)
    yield from _event_problems(terms.events or ())
    yield from own_term_problems(terms, allow_loopback=allow_loopback)


_MOST = {
    "slot_share": PERCENT,
    "max_rps": HIGHEST_MAX_RPS,
    "max_callback_rps": MAX_CALLBACK_RPS_MAX,
    "balance_shards": BALANCE_SHARDS_MAX,
}


def _limit_problems(terms: MerchantTerms) -> Iterator[FieldProblem]:
    if terms.min_cny_fen < 1:
        yield FieldProblem("min_cny", "must be greater than 0")
    if terms.max_cny_fen < terms.min_cny_fen:
        yield FieldProblem("max_cny", f"must be at least min_cny, {format_cny(terms.min_cny_fen)}")
    for name in ("max_open_buys", "max_open_sells"):
        if getattr(terms, name) < 1:
            yield FieldProblem(name, "must be at least 1")
    if other_sums_of(terms.other_sums) is None:
        yield FieldProblem("other_sums", "must be no, operator or agreed:PERCENT, 1 to 100")
    for name in ("max_open_cny", "max_open_sell_cny"):
        if getattr(terms, f"{name}_fen") < 1:
            yield FieldProblem(name, "must be greater than 0")
    for name, most in _MOST.items():
        if not 1 <= getattr(terms, name) <= most:
            yield FieldProblem(name, f"must be 1 to {most}")


def _event_problems(events: tuple[str, ...]) -> Iterator[FieldProblem]:
    types = [kind.value for kind in CallbackType if not kind.is_of_account]
    if not set(events) <= set(types):
        yield FieldProblem("events", f"must be all, none or some of {', '.join(types)}")


def _fee_problems(fees: FeePolicy) -> Iterator[FieldProblem]:
    for name in FEE_TERMS:
        value, most = getattr(fees, name), most_bps(name)
        if most is None:
            if value < 0:
                yield FieldProblem(written_name(name), "must not be negative")
        elif not 0 <= value <= most:
            yield FieldProblem(name, f"must be 0 to {most}")
