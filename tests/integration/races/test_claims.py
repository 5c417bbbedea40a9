"""Claims that meet what else takes from the same order or balance (contract section 6)."""

from functools import partial
from itertools import combinations_with_replacement

import pytest

from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.pricing import OrderType
from orderdesk.services.operator.claims import Verdict
from tests.integration.races.calls import Call
from tests.support.depth import examples
from tests.support.money_world import MoneyWorld
from tests.support.schedule import Cases, Outcomes, Stage, kinds_of

SOLD_FEN = 4_876_54


@pytest.mark.deep
@pytest.mark.parametrize("completed", [True, False], ids=["completed", "cancelled"])
def test_claims_meet_what_takes_the_same_usdt(
    money: MoneyWorld, stage: Stage, *, completed: bool
) -> None:
    """Each pair has the outcome of one after the other, and the order is paid once."""
    former, other = money.traders[0].trader_id, money.traders[1].trader_id
    number = money.claimed_sell(money.create(OrderType.SELL, SOLD_FEN), completed=completed)
    own = money.withdrawn_account(AccountKind.MERCHANT, Mode.LIVE)
    payer = Account(AccountKind.TRADER, other, Mode.LIVE) if completed else own
    takes = money.balance(payer).available_micro - 1_000_000
    calls: dict[str, Call] = {
        "claim": partial(money.claim, number, former),
        "reject": partial(money.claim, number, former, Verdict.REJECTED),
        "withdraw": partial(money.withdraw, payer, takes),
        **({"reverse": partial(money.reverse, number)} if completed else {}),
    }
    pairs = [pair for pair in combinations_with_replacement(calls, 2) if "claim" in pair]
    for one, two in pairs[:: examples(budget=2, full=1)]:

        def begin(one: str = one, two: str = two) -> Cases:
            return {f"a-{one}": calls[one], f"b-{two}": calls[two]}

        def end_of(outcomes: Outcomes) -> str:
            order = money.order(number)
            left = (money.balance(payer), order.paid_claim is None, order.reversed_micro)
            return "\n".join((kinds_of(outcomes), *map(str, left)))

        stage.serial(begin, lambda _: money.check(), end_of)
