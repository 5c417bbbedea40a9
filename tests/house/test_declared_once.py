"""What has to be said in several places is said in all of them."""

from orderdesk.domain.pricing import FEE_TERMS
from tests.support.declared import fee_terms_without_option, missing_routes
from tests.support.template import ROOT


def test_code_template_samples_and_contract_have_the_same_merchant_routes() -> None:
    assert missing_routes(ROOT) == {}


def test_every_fee_term_has_its_option() -> None:
    assert fee_terms_without_option(ROOT) == set()


def test_every_fee_term_names_its_unit() -> None:
    assert {term.rpartition("_")[2] for term in FEE_TERMS} <= {"bps", "micro"}
