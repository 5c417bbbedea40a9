"""The rules of proposals that need no store."""

from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.authority import is_far_from
from orderdesk.domain.ids import id_of, time_ordered_id
from orderdesk.domain.merchants.merchant import MerchantTerms
from orderdesk.domain.merchants.signing import JsonNumber, json_text
from orderdesk.domain.merchants.terms import money_terms
from orderdesk.domain.pricing import FEE_TERMS
from orderdesk.domain.proposals import (
    LIFE_SECONDS,
    Plan,
    Proposal,
    ProposalStatus,
    first_number,
    proposal_number,
)
from orderdesk.services.operator.actions import request_digest
from orderdesk.web.body import parse_object

OTHER_TERMS = {
    *("identity_required", "callback_url", "require_receipt", "allowed_cidrs", "events"),
    *("max_rps", "max_callback_rps", "balance_shards", "display_name", "support", "logo"),
    *("limits_epoch", "other_sums"),
}
NOW = 1_900_000_000
OPEN = Proposal("P1", "fund.trader", "{}", Plan("t1", "", {}), "ann", NOW * 10**6, NOW + 9)


def test_each_term_of_a_merchant_is_a_number_of_money_or_listed_here() -> None:
    names = {field.name for field in fields(MerchantTerms)}
    assert names == (money_terms(MerchantTerms()).keys() - set(FEE_TERMS)) | OTHER_TERMS | {"fees"}


@given(base=st.integers(0, 10**9), value=st.integers(0, 10**9))
def test_far_is_more_than_5_percent_of_the_base(base: int, value: int) -> None:
    if base == 0:
        assert is_far_from(value, base) is (value != 0)
    else:
        assert is_far_from(value, base) is not (base * 95 <= value * 100 <= base * 105)


@given(first=st.integers(NOW, NOW + 10**7), second=st.integers(NOW, NOW + 10**7))
def test_numbers_sort_by_time(first: int, second: int) -> None:
    numbers = proposal_number(first * 10**6, 0), proposal_number(second * 10**6 + 999, 0)
    assert (numbers[0] <= numbers[1]) is (first <= second)
    assert first_number(first) <= numbers[0]
    assert id_of(numbers[1]) == time_ordered_id(second * 1000, 0)


def test_an_open_proposal_is_over_at_its_time() -> None:
    assert OPEN.status_at(NOW + 8) is ProposalStatus.OPEN
    assert OPEN.status_at(NOW + 9) is ProposalStatus.EXPIRED
    rejected = replace(OPEN, status=ProposalStatus.REJECTED)
    assert rejected.status_at(NOW + 9 + LIFE_SECONDS) is ProposalStatus.REJECTED


def test_a_stored_command_is_parsed_to_what_was_sent() -> None:
    sent = parse_object(
        '{"events":"all","n":5,"fee":"1.50","yes":true,"allow_cidr":["::/0"],"名":"张\\n三"}'.encode()
    )
    assert parse_object(json_text(sent).encode()) == sent
    assert sent["n"] == JsonNumber("5")


def test_a_digest_depends_on_command_parameters_and_path() -> None:
    digests = {
        request_digest(command, parameters, alone=alone)
        for command, parameters, alone in (
            ("rate.set", {"side": "buy", "rate": "7"}, False),
            ("rate.set", {"side": "buy", "rate": "8"}, False),
            ("rate.get", {"side": "buy", "rate": "7"}, False),
            ("rate.set", {"side": "buy", "rate": "7"}, True),
        )
    }
    assert len(digests) == 4
    same = request_digest("rate.set", {"rate": "7", "side": "buy"}, alone=False)
    assert same in digests
