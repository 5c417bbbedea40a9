"""A trader's terms: amount limits and caps, and their rules."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypedDict

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.money import format_cny
from orderdesk.domain.operators import UnacceptableTerms
from orderdesk.domain.traders.trader import Trader


@dataclass(frozen=True, slots=True)
class TraderTerms:
    """A trader's limits and caps, in fen; `max_open` counts orders. None means no cap.

    With `unique_amounts` no two open buys of one method have one amount.
    """

    min_cny_fen: int
    max_cny_fen: int
    max_open: int | None = None
    daily_cap_fen: int | None = None
    unique_amounts: bool = False


class TraderTermsChange(TypedDict, total=False):
    """The terms that an operator changes; the others stay as they are. None removes a cap."""

    min_cny_fen: int
    max_cny_fen: int
    max_open: int | None
    daily_cap_fen: int | None
    unique_amounts: bool


_TERMS = tuple(TraderTerms.__slots__)


def trader_terms_of(trader: Trader) -> TraderTerms:
    """Return a trader's terms."""
    return TraderTerms(**{name: getattr(trader, name) for name in _TERMS})


def under_trader_terms(trader: Trader, change: TraderTermsChange) -> Trader:
    """Return the trader with changed terms. Raises: UnacceptableTerms if they break a rule."""
    terms = replace(trader_terms_of(trader), **change)
    check_trader_terms(terms)
    return replace(trader, **{name: getattr(terms, name) for name in _TERMS})


def check_trader_terms(terms: TraderTerms) -> None:
    """Check the rules of terms. Raises: UnacceptableTerms."""
    problems = list(_problems(terms))
    if problems:
        raise UnacceptableTerms(problems)


def describe_trader_terms(terms: TraderTerms) -> dict[str, str]:
    """Describe terms for people and for the audit trail; an empty text means no cap."""
    cap = terms.daily_cap_fen
    return {
        "min_cny": format_cny(terms.min_cny_fen),
        "max_cny": format_cny(terms.max_cny_fen),
        "max_open": "" if terms.max_open is None else str(terms.max_open),
        "daily_cny": "" if cap is None else format_cny(cap),
        "unique_amounts": "yes" if terms.unique_amounts else "no",
    }


def _problems(terms: TraderTerms) -> Iterator[FieldProblem]:
    if terms.min_cny_fen < 1:
        yield FieldProblem("min", "must be greater than 0")
    if terms.max_cny_fen < terms.min_cny_fen:
        yield FieldProblem("max", f"must be at least min, {format_cny(terms.min_cny_fen)}")
    if terms.max_open is not None and terms.max_open < 1:
        yield FieldProblem("max_open", "must be at least 1; leave it out for no cap")
    if terms.daily_cap_fen is not None and terms.daily_cap_fen < terms.min_cny_fen:
        yield FieldProblem("daily_cny", "must be at least min; leave it out for no cap")
