"""The route of the desk's history: parse, find, render."""

from dataclasses import dataclass

from orderdesk.domain.orders.errors import OrderNotFound
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.ports import Orders
from orderdesk.services.traders.desk import own_order
from orderdesk.services.traders.history import SEARCHED_MAX, Found, PastOrders, find_past
from orderdesk.web.http import Request
from orderdesk.web.pages.desk.asked import Asked, asked_of
from orderdesk.web.pages.desk.frame import DeskLinks
from orderdesk.web.pages.desk.history import history_csv, history_page, is_csv, order_before
from orderdesk.web.pages.page import Download, Page, language_of

PAGE_LENGTH = 20


@dataclass(frozen=True, slots=True)
class HistoryRoute:
    """What the route works with."""

    orders: Orders
    index: PastOrders

    def show(self, request: Request, trader: Trader, now: int) -> Page | Download:
        """Parse, find, render; with days, whatever is totalled is read."""
        asked, before, language = asked_of(request), order_before(request), language_of(request)
        if is_csv(request):
            return history_csv(self._found(asked, trader, before, SEARCHED_MAX), language)
        has_totals = asked.has_days and before is None
        found = self._found(asked, trader, before, SEARCHED_MAX if has_totals else PAGE_LENGTH)
        links = DeskLinks.of(request)
        return history_page(found, asked, before, language, links, now=now, limit=PAGE_LENGTH)

    def _found(self, asked: Asked, trader: Trader, before: int | None, limit: int) -> Found:
        """Find what the history's search asks for. Raises: TryAgain."""
        if asked.unfit:
            return Found((), None)
        if asked.order_no is not None:
            return self._found_one(asked.order_no, trader)
        return find_past(self.index, trader, asked.wanted, before, limit=limit)

    def _found_one(self, order_no: str, trader: Trader) -> Found:
        """Find an order by its whole number, also an open one. Raises: TryAgain."""
        try:
            return Found((own_order(self.orders, trader, order_no),), None)
        except OrderNotFound:
            return Found((), None)
