"""Strict parsing of items, and which names people take for one."""

from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.operator.typed import Malformed, strictly
from orderdesk.adapters.dynamodb.party_writes import merchant_names
from orderdesk.domain.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.rows import TraderRow
from orderdesk.domain.plain_text import NAME_LENGTH_MAX, folded
from orderdesk.domain.pricing import Mode
from tests.support.seed import a_merchant


def trader(*slots: Any) -> TraderRow:
    return TraderRow(Account(AccountKind.TRADER, "t1", Mode.LIVE), Balance(), 1, slots)


def test_a_pair_has_a_type_for_each_place() -> None:
    assert strictly(trader(("m1", 1), ("m2", 2)))


@pytest.mark.parametrize("pair", [("m1", "1"), (1, 1), ("m1",), ("m1", 1, 1), ["m1", 1]])
def test_a_pair_of_other_types_is_malformed(pair: Any) -> None:
    with pytest.raises(Malformed, match="wrong type of slots"):
        strictly(trader(pair))


@pytest.mark.parametrize("other", ["shop 甲", " ＳＨＯＰ 甲 ", "Shop  甲", "Shop\u200b 甲"])
def test_names_that_look_alike_are_one(other: str) -> None:
    assert folded(other) == folded("Shop 甲") != folded("Shop甲")


@pytest.mark.parametrize("letter", ["\ufdfa", "\U0001d15e", "ΐ", "甲"])
def test_each_name_fits_into_a_key(letter: str) -> None:
    assert len(Key.shown_name(folded(letter * NAME_LENGTH_MAX)).encode()) <= 2_048


def test_a_name_that_shows_nothing_has_no_item() -> None:
    merchant = a_merchant("m1", name="Shop", display_name="\u200b")
    assert merchant_names(merchant) == {"shop": "name"}
    assert merchant_names(a_merchant("m1", name="Shop", display_name="SHOP")) == {"shop": "name"}
