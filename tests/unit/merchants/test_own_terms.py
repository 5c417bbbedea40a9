"""The terms that a merchant's own people may change: their rules and their description."""

import pytest

from orderdesk.domain.merchants.merchant import MerchantTerms
from orderdesk.domain.merchants.own_terms import (
    OwnTermsChange,
    changed_own_terms,
    describe_own_terms,
    own_term_problems,
)

WHOLE = OwnTermsChange(
    callback_url="https://shop.example/hooks",
    require_receipt=True,
    allowed_cidrs=("203.0.113.7", "2001:DB8::/32", "203.0.113.7/32"),
    display_name="A",
    support="help@shop.example",
    logo="rendered/logo-20000/m1/merchant/1/d1",
)


def test_a_change_leaves_the_other_terms() -> None:
    terms = MerchantTerms(max_rps=7, display_name="before")
    changed = changed_own_terms(terms, OwnTermsChange(support="new"))
    assert (changed.max_rps, changed.display_name, changed.support) == (7, "before", "new")


def test_networks_have_their_usual_form_once() -> None:
    changed = changed_own_terms(MerchantTerms(), WHOLE)
    assert changed.allowed_cidrs == ("203.0.113.7/32", "2001:db8::/32")


def test_every_term_is_described() -> None:
    described = describe_own_terms(changed_own_terms(MerchantTerms(), WHOLE))
    assert set(described) == set(OwnTermsChange.__annotations__)
    assert "" not in described.values()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (OwnTermsChange(callback_url="ftp://shop.example"), "callback_url"),
        (OwnTermsChange(callback_url="http://127.0.0.1:8080/"), "callback_url"),
        (OwnTermsChange(allowed_cidrs=("203.0.113.7/24",)), "allow_cidr"),
        (OwnTermsChange(allowed_cidrs=tuple(f"10.0.0.{n}" for n in range(51))), "allow_cidr"),
        (OwnTermsChange(display_name="x" * 65), "display_name"),
        (OwnTermsChange(support="x" * 256), "support"),
        (OwnTermsChange(support="a\nb"), "support"),
    ],
)
def test_what_does_not_fit_is_named(change: OwnTermsChange, field: str) -> None:
    terms = changed_own_terms(MerchantTerms(), change)
    assert [each.field for each in own_term_problems(terms, allow_loopback=False)] == [field]


@pytest.mark.parametrize("change", [WHOLE, OwnTermsChange()])
def test_what_fits_has_no_problem(change: OwnTermsChange) -> None:
    terms = changed_own_terms(MerchantTerms(), change)
    assert not [*own_term_problems(terms, allow_loopback=False)]


def test_a_local_stack_allows_a_loopback_address() -> None:
    terms = MerchantTerms(callback_url="http://127.0.0.1:8080/")
    assert not [*own_term_problems(terms, allow_loopback=True)]
