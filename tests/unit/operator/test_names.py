"""Which names people take for one."""

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.party_writes import merchant_names
from orderdesk.domain.plain_text import NAME_LENGTH_MAX, folded
from tests.support.seed import a_merchant


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
