"""34 cells of 300 orders a second, with merchants of very unequal size (docs/cells.md).

Merchants are as large as in Zipf's law. Traders have slots, each of which an order occupies for a
time. A buy that finds no free slot is refused, by Erlang's loss formula: orders arrive at random,
and any free slot takes any order. What this does not show: limits of amounts and methods, sells
that wait, and how long it takes to move a merchant.
"""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from tests.support.template import ROOT

CELLS, CELL_ORDERS = 34, 300.0
MERCHANTS, ORDERS = 2_000, 10_000.0
# A larger merchant has several accounts: half a cell leaves room for its peaks.
ACCOUNT_ORDERS = CELL_ORDERS / 2
HOLD_SECONDS = 300

type Cells = list[list[float]]
"""The orders a second of each account of each cell."""


def merchants() -> list[float]:
    """Return each merchant's orders a second, the largest first."""
    weights = [1 / rank for rank in range(1, MERCHANTS + 1)]
    return [ORDERS * weight / sum(weights) for weight in weights]


def accounts(sizes: Sequence[float]) -> list[float]:
    """Split merchants that are too large for one account; the largest account first."""
    parts = [max(1, -(-size // ACCOUNT_ORDERS)) for size in sizes]
    split = [size / n for size, n in zip(sizes, parts, strict=True) for _ in range(int(n))]
    return sorted(split, reverse=True)


def by_size(sizes: Sequence[float]) -> Cells:
    """Place each account, the largest first, in the cell with the fewest orders."""
    cells: Cells = [[] for _ in range(CELLS)]
    for size in sizes:
        min(cells, key=sum).append(size)
    return cells


def at_random(sizes: Sequence[float]) -> Cells:
    """Place each account as a hash of its id would."""
    cells: Cells = [[] for _ in range(CELLS)]
    chance = Random(1)
    for size in sizes:
        chance.choice(cells).append(size)
    return cells


def served(cells: Cells) -> float:
    """Return the orders a second that the cells take; the rest is throttled."""
    return sum(min(sum(cell), CELL_ORDERS) for cell in cells)


def refused(orders: float, slots: int) -> float:
    """Return the share of orders that find no free slot (Erlang's loss formula)."""
    busy, share = orders * HOLD_SECONDS, 1.0
    for slot in range(1, slots + 1):
        share = busy * share / (slot + busy * share)
    return share


def share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.2f} %"


def refused_at(orders: float) -> str:
    """Return the share of refused buys where there are as many slots as orders on average."""
    return share(refused(orders, int(orders * HOLD_SECONDS)), 1)


def rows() -> dict[str, str]:
    """Return the figures of docs/cells.md."""
    whole, split = merchants(), accounts(merchants())
    sized = by_size(split)
    orders = [sum(cell) for cell in sized]
    return {
        "the largest merchant": f"{whole[0]:.0f} orders/s",
        "merchants larger than half a cell": str(sum(size > ACCOUNT_ORDERS for size in whole)),
        "accounts": str(len(split)),
        "accounts in a cell": f"{min(map(len, sized))} to {max(map(len, sized))}",
        "orders of a cell": f"{min(orders):.0f} to {max(orders):.0f} a second",
        "orders that a lost cell takes with it": share(max(orders), ORDERS),
        "served, accounts placed by size": share(served(sized), ORDERS),
        "served, accounts placed at random": share(served(at_random(split)), ORDERS),
        "served, merchants not split": share(served(by_size(whole)), ORDERS),
        "refused in a cell of 294 orders/s": refused_at(294),
        "refused in one pool of 10,000 orders/s": refused_at(ORDERS),
        "refused in a cell of 3 orders/s": refused_at(3),
    }


def test_the_page_has_the_models_figures() -> None:
    page = (ROOT / "docs" / "cells.md").read_text()
    wanted = [f"| {name} | {figure} |" for name, figure in rows().items()]
    assert [row for row in wanted if row not in page] == []


@pytest.mark.parametrize("place", [by_size, at_random])
def test_every_order_is_in_one_cell(place: Callable[[Sequence[float]], Cells]) -> None:
    assert sum(map(sum, place(accounts(merchants())))) == pytest.approx(ORDERS)


def test_the_loss_formula_is_that_of_a_known_case() -> None:
    """One order a slot on average: with one slot half of the orders are refused, with two 1/5."""
    one = 1 / HOLD_SECONDS
    assert [refused(one, slots) for slots in (0, 1, 2)] == pytest.approx([1, 1 / 2, 1 / 5])
