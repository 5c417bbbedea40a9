"""The terms that a merchant's own people may change, and their rules.

Operators change them with the other terms (`terms.py`), which the portal does not import.
"""

import ipaddress
from collections.abc import Iterator
from dataclasses import replace
from typing import TypedDict

from orderdesk.domain.callbacks.target import callback_url_problem
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.merchant import MerchantTerms
from orderdesk.domain.plain_text import NAME_LENGTH_MAX, text_problems

ALLOWED_CIDRS_MAX = 50


class OwnTermsChange(TypedDict, total=False):
    """The terms to change; the others stay as they are."""

    callback_url: str
    require_receipt: bool
    allowed_cidrs: tuple[str, ...]
    display_name: str
    support: str
    logo: str


def changed_own_terms(terms: MerchantTerms, change: OwnTermsChange) -> MerchantTerms:
    """Apply a change."""
    return with_usual_networks(replace(terms, **change))


def with_usual_networks(terms: MerchantTerms) -> MerchantTerms:
    """Return the terms with normalised networks, each of them once."""
    return replace(terms, allowed_cidrs=tuple(dict.fromkeys(map(_usual, terms.allowed_cidrs))))


def own_term_problems(terms: MerchantTerms, *, allow_loopback: bool) -> Iterator[FieldProblem]:
    """Yield what is wrong; `allow_loopback` is the deployment's AllowLocalTargets."""
    if terms.callback_url:
        problem = callback_url_problem(terms.callback_url, allow_loopback=allow_loopback)
        if problem is not None:
            yield FieldProblem("callback_url", problem)
    if len(terms.allowed_cidrs) > ALLOWED_CIDRS_MAX:
        yield FieldProblem("allow_cidr", f"at most {ALLOWED_CIDRS_MAX} networks")
    for cidr in terms.allowed_cidrs:
        try:
            ipaddress.ip_network(cidr)
        except ValueError as error:
            yield FieldProblem("allow_cidr", str(error))
    yield from text_problems("display_name", terms.display_name, NAME_LENGTH_MAX)
    yield from text_problems("support", terms.support)


def describe_own_terms(terms: MerchantTerms) -> dict[str, str]:
    """Describe them for people and for the audit trails."""
    return {
        "callback_url": terms.callback_url,
        "require_receipt": "yes" if terms.require_receipt else "no",
        "allowed_cidrs": ", ".join(terms.allowed_cidrs),
        "display_name": terms.display_name,
        "support": terms.support,
        "logo": terms.logo.rpartition("/")[2],  # the digest of the file
    }


def _usual(cidr: str) -> str:
    try:
        return str(ipaddress.ip_network(cidr))
    except ValueError:
        return cidr  # own_term_problems reports what is wrong
