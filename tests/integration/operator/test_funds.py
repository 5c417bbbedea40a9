"""Fundings: double entry for every owner, and no change if any part fails."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import UnacceptableTerms, UnknownId
from orderdesk.domain.proposals import Sum
from orderdesk.services.operator.funds import fund
from tests.support.commands import moving
from tests.support.depth import examples
from tests.support.offices import Office
from tests.support.world import World

FUNDINGS = st.lists(
    st.tuples(
        st.sampled_from(["merchant", "trader"]),
        st.sampled_from(Mode),
        st.integers(min_value=1, max_value=10**21 - 1),
    ),
    max_size=6,
)


def clear(world: World) -> None:
    for row in world.items("Ledger"):
        key = {"pk": {"S": str(row["pk"])}, "sk": {"S": str(row["sk"])}}
        world.client.delete_item(TableName="Ledger", Key=key)


@settings(
    max_examples=examples(full=20), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(fundings=FUNDINGS)
def test_postings_sum_to_zero_and_balances_to_their_postings(
    world: World, office: Office, fundings: list[tuple[str, Mode, int]]
) -> None:
    clear(world)
    merchant, _client = world.add_merchant()
    traders = {mode: world.add_trader(mode=mode, available_micro=0) for mode in Mode}
    operator = office.operator
    for kind, mode, micro in fundings:
        owner = merchant.merchant_id if kind == "merchant" else traders[mode].trader_id
        fund(office.funds, operator, Sum(Account(AccountKind(kind), owner, mode), micro), "m")
    postings: dict[str, int] = {}
    for row in world.items("Ledger"):
        if str(row["sk"]).startswith("posting#"):
            assert isinstance(row["amount_micro"], int)
            postings[str(row["pk"])] = postings.get(str(row["pk"]), 0) + row["amount_micro"]
    for mode in Mode:
        in_mode = {key: sum_ for key, sum_ in postings.items() if key.endswith(mode.value)}
        assert sum(in_mode.values()) == 0
        trader_key = Account(AccountKind.TRADER, traders[mode].trader_id, mode).key
        owned = world.trader(traders[mode].trader_id).counts.available_micro
        assert owned == in_mode.pop(trader_key, 0)
        for key, total in in_mode.items():
            kind, owner, _ = key.split(":")
            balance = office.balances.balance(Account(AccountKind(kind), owner, mode))
            assert (balance.available_micro, balance.held_micro) == (total, 0)


@pytest.mark.parametrize(
    ("micro", "memo"), [(0, "m"), (-1, "m"), (1, ""), (1, "   "), (1, "x" * 256), (1, "a\tb")]
)
def test_a_funding_has_a_positive_amount_and_a_memo(
    world: World, office: Office, micro: int, memo: str
) -> None:
    merchant_id = world.add_merchant()[0].merchant_id
    account = Account(AccountKind.MERCHANT, merchant_id, Mode.LIVE)
    with pytest.raises(UnacceptableTerms):
        fund(office.funds, office.operator, Sum(account, micro), memo)
    assert world.items("Ledger") + world.items("Audit") == []


def test_nobody_is_funded_by_an_unknown_id(world: World, office: Office) -> None:
    for kind in (AccountKind.MERCHANT, AccountKind.TRADER):
        with pytest.raises(UnknownId):
            moving("fund", Account(kind, "x", Mode.LIVE), 1).run(office, office.operator)
    assert world.items("Ledger") + world.items("Audit") + world.items("Traders") == []
