"""The trader's desk: own orders, own balance, and going on and off duty."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from orderdesk.domain.ids import is_order_no
from orderdesk.domain.ledger.accounts import Account, AccountKind, Entry
from orderdesk.domain.orders.errors import OrderNotFound, StateConflict
from orderdesk.domain.orders.order import Order
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.ports import Chance, Orders
from orderdesk.services.retrying import PauseMs, until_committed

SUSPENDED = "suspended"


@dataclass(frozen=True, slots=True)
class Slice[T]:
    """One page of many items, newest first; the next one begins below `before`, None at the end."""

    items: Sequence[T]
    before: str | None


class DeskOrders(Protocol):
    """Reads a trader's orders by the desk's index, which may lag behind the orders."""

    def open_orders(self, trader_id: str) -> Sequence[Order]:
        """Give all open orders, newest first. Raises: TryAgain."""

    def done(self, trader_id: str, before_id: int | None, limit: int) -> Sequence[Order]:
        """Give orders that are over, newest first, with ids below `before_id`. Raises: TryAgain."""


class Statement(Protocol):
    """Reads the postings of accounts."""

    def entries(self, account: Account, before: str | None, limit: int) -> Slice[Entry]:
        """Give an account's postings, newest first, older than `before`. Raises: TryAgain."""


class DutyRoster(Protocol):
    """Reads traders, and writes whether they are on duty."""

    def trader(self, trader_id: str) -> Trader | None:
        """Give a trader as it is now, or None. Raises: TryAgain."""

    def change_duty(self, before: Trader, after: Trader, token: str) -> None:
        """Write whether the trader is online.

        Raises: ChangedMeanwhile, Contended, Throttled, TryAgain.
        """


def own_order(orders: Orders, trader: Trader, order_no: str) -> Order:
    """Find an order of this trader. Raises: OrderNotFound, also for another trader's; TryAgain."""
    order = orders.order(order_no) if is_order_no(order_no) else None
    if order is None or order.trader_id != trader.trader_id:
        raise OrderNotFound
    return order


def history(
    index: DeskOrders, trader: Trader, before_id: int | None, *, limit: int
) -> Slice[Order]:
    """Give one page of a trader's orders that are over. Raises: TryAgain."""
    orders = index.done(trader.trader_id, before_id, limit + 1)
    page, more = orders[:limit], len(orders) > limit
    return Slice(page, str(page[-1].order_id) if more else None)


def statement(ledger: Statement, trader: Trader, before: str | None, *, limit: int) -> Slice[Entry]:
    """Give one page of a trader's statement. Raises: TryAgain."""
    return ledger.entries(account_of(trader), before, limit)


def account_of(trader: Trader) -> Account:
    """Give a trader's account."""
    return Account(AccountKind.TRADER, trader.trader_id, trader.mode)


def go_on_duty(
    trader_id: str, roster: DutyRoster, chance: Chance, pause_ms: PauseMs, *, online: bool
) -> Trader:
    """Put a trader into the rotation or take it out; open orders go on as before.

    Raises: StateConflict if a suspended trader wants to go online; OrderNotFound if there is no
    such trader; TryAgain.
    """

    def attempt() -> Trader:
        before = roster.trader(trader_id)
        if before is None:
            raise OrderNotFound
        if online and before.suspended:
            raise StateConflict(SUSPENDED)
        if before.online is online:
            return before
        after = replace(before, online=online, version=before.version + 1)
        roster.change_duty(before, after, chance.token())
        return after

    return until_committed(attempt, chance, pause_ms)
