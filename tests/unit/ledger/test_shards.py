"""Shards of an account: their names, and what a hold gathers from them."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.accounts import Account, AccountKind, Gather, gather, shard_key
from orderdesk.domain.ledger.rows import shard_of
from orderdesk.domain.merchants.merchant import BALANCE_SHARDS_MAX
from orderdesk.domain.pricing import Mode

ACCOUNT = Account(AccountKind.MERCHANT, "m1", Mode.LIVE)
TRANSACTION_MAX = 100
# The other items of a sell's transaction: nonce, number, order.
BESIDES = 3

amounts = st.integers(0, 10**12)
balances = st.lists(amounts, min_size=1, max_size=BALANCE_SHARDS_MAX)


@given(shard=st.integers(0, BALANCE_SHARDS_MAX), kind=st.sampled_from(AccountKind))
def test_a_shards_name_tells_its_account_and_number(shard: int, kind: AccountKind) -> None:
    account = Account(kind, "m1", Mode.TEST)
    name = shard_key(account, shard)
    assert shard_of(name) == (account.key, shard)
    # A role's rights depend on the beginning and the end of the name.
    assert name.startswith(f"{kind.value}:m1")
    assert name.endswith(":test")


def test_shard_0_has_the_accounts_own_name() -> None:
    assert shard_key(ACCOUNT, 0) == "merchant:m1:live"
    assert shard_key(ACCOUNT, 7) == "merchant:m1#7:live"


@pytest.mark.parametrize(
    "name",
    [
        *("merchant:m1#0:live", "merchant:m1#07:live", "merchant:m1#x:live", "merchant:m1#:live"),
        *("m1#3", "merchant:m1#3", "withdrawals", "", "merchant:m1#²:live"),
    ],
)
def test_another_name_stays_as_it_is(name: str) -> None:
    assert shard_of(name) == (name, 0)


def applied(available: Sequence[int], found: Gather, amount: int) -> list[int]:
    """Return what the shards have after a hold."""
    after = list(available)
    for shard, micro in found.given.items():
        after[shard] -= micro
        after[found.shard] += micro
    after[found.shard] -= amount
    return after


@given(available=balances, which=st.integers(0), amount=st.integers(1, 10**13))
def test_a_hold_that_the_sum_covers_is_found_and_no_other(
    available: list[int], which: int, amount: int
) -> None:
    shard = which % len(available)
    found = gather(available, shard, amount)
    if sum(available) < amount:
        assert found is None
        return
    assert found is not None
    assert found.shard == shard
    assert shard not in found.given
    assert all(micro > 0 for micro in found.given.values())
    after = applied(available, found, amount)
    assert sum(after) == sum(available) - amount
    assert min(after) >= 0
    assert len(found.given) + 1 + BESIDES <= TRANSACTION_MAX


@given(available=balances, which=st.integers(0), amount=st.integers(1, 10**12))
def test_a_shard_that_covers_the_hold_alone_takes_from_nobody(
    available: list[int], which: int, amount: int
) -> None:
    shard = which % len(available)
    available[shard] += amount
    assert gather(available, shard, amount) == Gather(shard, {})


def test_the_richest_gives_first_and_half_of_the_difference() -> None:
    assert gather([10, 100, 1000], 0, 20) == Gather(0, {2: 495})
    assert applied([10, 100, 1000], Gather(0, {2: 495}), 20) == [485, 100, 505]


def test_what_one_cannot_cover_comes_from_several() -> None:
    assert gather([1, 5, 3, 4], 0, 11) == Gather(0, {1: 5, 3: 4, 2: 1})
    assert gather([1, 5, 3, 4], 0, 14) is None


def test_a_shard_below_zero_is_made_up_for() -> None:
    """This cannot happen; if it did, no more would be held than there is."""
    assert gather([-5, 10], 0, 5) == Gather(0, {1: 10})
    assert gather([-5, 10], 0, 6) is None
