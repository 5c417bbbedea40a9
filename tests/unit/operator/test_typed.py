"""Strict parsing of items (adapters/dynamodb/operator/typed.py)."""

from typing import Any

import pytest

from orderdesk.adapters.dynamodb.operator.typed import Malformed, strictly
from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.rows import TraderRow
from orderdesk.domain.modes import Mode


def trader(*slots: Any) -> TraderRow:
    return TraderRow(Account(AccountKind.TRADER, "t1", Mode.LIVE), Balance(), 1, slots)


def test_a_pair_has_a_type_for_each_place() -> None:
    assert strictly(trader(("m1", 1), ("m2", 2)))


@pytest.mark.parametrize("pair", [("m1", "1"), (1, 1), ("m1",), ("m1", 1, 1), ["m1", 1]])
def test_a_pair_of_other_types_is_malformed(pair: Any) -> None:
    with pytest.raises(Malformed, match="wrong type of slots"):
        strictly(trader(pair))
