"""The table of open orders: the heads that sort it, and the links that filter it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.web.pages.desk.arrangement import DESK_STATUSES, Arrangement, Direction, Sort
from orderdesk.web.pages.desk.texts import DeskTexts

type AddressOf = Callable[[Arrangement], str]
"""Gives the address of the same page in another arrangement."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: `link` sorts by it, or turns its order around; None if it cannot.

    `direction` is set for the column that the rows are sorted by.
    """

    name: str
    text: str
    link: str | None = None
    direction: Direction | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """A link that shows the orders of one status, or all of them, and how many they are."""

    name: str
    text: str
    count: int
    link: str
    is_on: bool


def heads_of(arrangement: Arrangement, texts: DeskTexts, address: AddressOf) -> Iterator[Head]:
    """Give the heads of the columns."""

    def sortable(name: str, text: str, sorts: Mapping[Sort, Direction]) -> Head:
        now = arrangement.sort
        there = next((sort for sort in sorts if sort is not now), now)
        return Head(name, text, address(Arrangement(there, arrangement.status)), sorts.get(now))

    t = texts.lists
    yield sortable("order", t.order, {Sort.NEWEST: "descending", Sort.OLDEST: "ascending"})
    yield sortable("amount", t.amount, {Sort.LARGEST: "descending", Sort.SMALLEST: "ascending"})
    yield Head("account", t.account)
    yield Head("payer", texts.order.payer)
    yield Head("state", t.state)
    yield sortable("todo", t.todo, {Sort.URGENT: "ascending"})


def filters_of(
    still: Iterable[Order], arrangement: Arrangement, texts: DeskTexts, address: AddressOf
) -> Iterator[Filter]:
    """Give a link for all open orders, and for each status that one of them has."""
    counts = Counter(order.status for order in still)
    wanted = arrangement.status

    def of(status: OrderStatus | None, text: str, count: int) -> Filter:
        link = address(Arrangement(arrangement.sort, status))
        name = "all" if status is None else status.value
        return Filter(name, text, count, link, is_on=status is wanted)

    yield of(None, texts.lists.all, counts.total())
    for status in DESK_STATUSES:
        if counts[status] or status is wanted:
            yield of(status, texts.statuses[status], counts[status])
