"""Two parties that take one shown name at the same time: one of them has it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest

from orderdesk.domain.operators import UnacceptableTerms
from tests.support.commands import ask
from tests.support.money_world import MoneyWorld
from tests.support.schedule import Cases, Outcomes, Stage

LIMITS = {"min_cny": "1", "max_cny": "2"}
# Both take one name, as people see it.
TAKES: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "two names": ({"name": "Shop"}, {"name": " ｓｈｏｐ"}),
    "a name and a shown one": ({"name": "Shop"}, {"name": "Other", "display_name": "SHOP"}),
}


def owners(money: MoneyWorld, table: str) -> list[int]:
    """Return how many parties each name of a table has."""
    rows: list[Any] = money.seed.items(table)
    return [len(row["owners"]) for row in rows if "owners" in row]


def one_is_refused(outcomes: Outcomes) -> None:
    refused = [each for each in outcomes.values() if isinstance(each, Exception)]
    assert [type(each) for each in refused] == [UnacceptableTerms], outcomes


@pytest.mark.parametrize("taken", TAKES)
def test_two_merchants_of_one_shown_name(money: MoneyWorld, stage: Stage, taken: str) -> None:
    def check(outcomes: Outcomes) -> None:
        one_is_refused(outcomes)
        assert set(owners(money, money.seed.tables.merchants)) == {1}

    cases: Cases = {
        who: partial(money.run, ask("merchant.add", **terms), money.acting(who))
        for who, terms in zip(("ann", "bob"), TAKES[taken], strict=True)
    }
    assert stage.every_order(lambda: cases, check) > 1


def test_two_merchants_that_change_to_one_shown_name(money: MoneyWorld, stage: Stage) -> None:
    before = [each.merchant_id for each in money.merchants[:2]]

    def check(outcomes: Outcomes) -> None:
        one_is_refused(outcomes)
        after = filter(None, map(money.agreements.merchant, before))
        assert sorted(each.terms.display_name for each in after) == ["", "Shop"]

    cases: Cases = {
        each: partial(
            money.run,
            ask("merchant.set", merchant_id=each, display_name="Shop"),
            money.acting("ann"),
        )
        for each in before
    }
    assert stage.every_order(lambda: cases, check) > 1


def test_two_approved_traders_of_one_name(money: MoneyWorld, stage: Stage) -> None:
    numbers = [
        money.run(ask("trader.add", name=name, **LIMITS), money.acting("ann")).proposal_no
        for name in ("Bing", " ｂｉｎｇ")
    ]

    def check(outcomes: Outcomes) -> None:
        one_is_refused(outcomes)
        assert owners(money, money.seed.tables.traders) == [1]

    cases: Cases = {each: partial(money.decided, each, "approve", "bob") for each in numbers}
    assert stage.every_order(lambda: cases, check) > 1
