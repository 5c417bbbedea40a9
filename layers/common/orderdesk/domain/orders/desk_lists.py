"""The lists of a trader's desk: each holds the orders that wait for the same person."""

from enum import StrEnum

from orderdesk.domain.orders.order import OrderStatus


class DeskList(StrEnum):
    """Who must act on a trader's order, the most urgent first; `DONE` has what is over."""

    TRADER = "trader"
    CUSTOMER = "open"  # before there were three, it was the list of all open orders
    STAFF = "staff"
    DONE = "done"


OPEN_LISTS = (DeskList.TRADER, DeskList.CUSTOMER, DeskList.STAFF)
"""The lists of open orders, the most urgent first."""


def desk_list(status: OrderStatus) -> DeskList:
    """Give the list of a status. A sell that waits for a trader is on no desk."""
    match status:
        case OrderStatus.PAID | OrderStatus.ASSIGNED:
            return DeskList.TRADER
        case OrderStatus.PENDING:
            return DeskList.CUSTOMER
        case OrderStatus.DISPUTED:
            return DeskList.STAFF
        case (
            OrderStatus.MATCHING
            | OrderStatus.COMPLETED
            | OrderStatus.CANCELLED
            | OrderStatus.EXPIRED
        ):
            return DeskList.DONE
