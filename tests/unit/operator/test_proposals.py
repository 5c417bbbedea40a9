"""The rules of proposals that need no store."""

import json
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.merchants.merchant import MerchantTerms
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.merchants.terms import money_terms
from orderdesk.domain.modes import Mode
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import FEE_TERMS, OrderType
from orderdesk.domain.proposals import (
    LIFE_SECONDS,
    Plan,
    Proposal,
    ProposalStatus,
    TwoPersonCommand,
    first_number,
    is_far_from,
    proposal_number,
)
from orderdesk.services.operator.actions import GuardedCommand, request_digest
from orderdesk.services.operator.funds import (
    FundMerchant,
    FundTrader,
    WithdrawMerchant,
    WithdrawTrader,
)
from orderdesk.services.operator.invitations import InviteMember
from orderdesk.services.operator.merchants import RotateSecret, SetTerms
from orderdesk.services.operator.proposals import guarded_command
from orderdesk.services.operator.rates import SetRate
from orderdesk.services.operator.traders import AddMethod, RemoveMethod, ResetCode

OTHER_TERMS = {
    *("identity_required", "callback_url", "require_receipt", "allowed_cidrs", "events"),
    *("max_rps", "max_callback_rps", "balance_shards", "display_name", "support", "logo"),
}
NOW = 1_900_000_000
OPEN = Proposal(
    "P1", TwoPersonCommand.FUND_TRADER, "{}", Plan("t1", "", {}), "ann", NOW * 10**6, NOW + 9
)


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


def test_an_open_proposal_is_over_at_its_time() -> None:
    assert OPEN.status_at(NOW + 8) is ProposalStatus.OPEN
    assert OPEN.status_at(NOW + 9) is ProposalStatus.EXPIRED
    rejected = replace(OPEN, status=ProposalStatus.REJECTED)
    assert rejected.status_at(NOW + 9 + LIFE_SECONDS) is ProposalStatus.REJECTED


CARD = PaymentMethod(MethodType.BANK, "赵六", bank="工商银行", card_number="6222029876543210")
COMMANDS: list[GuardedCommand[Any]] = [
    FundMerchant("m1", 5, Mode.LIVE, "m"),
    FundTrader("t1", 5, "m", as_test=True),
    WithdrawMerchant("m1", 5, Mode.TEST, "m"),
    WithdrawTrader("t1", 5, "m"),
    RotateSecret("m1", "r"),
    InviteMember("m1", "张三", MemberRole.ADMIN, "r"),
    SetTerms("m1", {"fees": {"spread_bps": 1}, "events": None, "allowed_cidrs": ("::/0",)}),
    SetTerms("m1", {"events": ("order.paid",), "identity_required": True}, "r"),
    AddMethod("t1", CARD),
    RemoveMethod("t1", MethodType.WECHAT, "r"),
    ResetCode("t1"),
    SetRate(OrderType.SELL, 71_640, "r", is_confirmed=True),
]


def test_every_command_is_tested_here() -> None:
    assert {command.name for command in COMMANDS} == set(TwoPersonCommand)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_the_same_after_it_was_stored(command: GuardedCommand[Any]) -> None:
    stored = json.loads(json.dumps(command.parameters(), ensure_ascii=False))
    assert guarded_command(command.name).of(stored) == command


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
